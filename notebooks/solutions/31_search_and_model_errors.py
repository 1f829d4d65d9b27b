# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Search errors and model errors
#
# Not before you have tried: [the exercises](../31_search_and_model_errors.ipynb).

# %%
from math import comb

import wordorder_lab as wl
from wordorder_lab.check import check, trained
from wordorder_lab.check.nb_31 import plantable, planted_errors

corpus = wl.load_corpus("gazette")
model = trained(corpus.train[:400], beam=4, epochs=5)
short = [sentence for sentence in corpus.train[400:] if 5 <= len(sentence) <= 6]
sentence, _ = plantable(model, short[:100])

# %% [markdown]
# **31.1**
#
# Two questions, each asked by itself. Scores that were added up in another order differ in their
# last digits, so "greater" needs some room.


# %%
def faults(score, gold, best):
    found = set()
    if best > score + 1e-9:
        found.add("search")
    if best > gold + 1e-9:
        found.add("model")
    return found


check("31.1", faults)

# %% [markdown]
# **31.2**
#
# What goes on from a beginning depends on the words that are left and on the last one. So the
# dictionary has one entry for each of these, and not one for each order. Places instead of words,
# since a word may come twice.


# %%
def best_score(words, log_prob):
    best = {(frozenset(), "<s>"): 0.0}
    for _ in words:
        longer = {}
        for (used, last), score in best.items():
            for place in set(range(len(words))) - used:
                key = used | {place}, words[place]
                reached = score + log_prob(last, words[place])
                longer[key] = max(reached, longer.get(key, reached))
        best = longer
    return max(score + log_prob(last, "</s>") for (_, last), score in best.items())


check("31.2", best_score)

# %% [markdown]
# **31.3**
#
# *a* is a little cheaper to begin with, and all that follows it is dear. Beam 1 has paid before
# it sees the price. A future cost would have told it.

# %%
trap = {
    ("<s>", "a"): 0,
    ("<s>", "b"): -1,
    ("<s>", "c"): -1,
    ("a", "b"): -9,
    ("a", "c"): -9,
    ("b", "a"): -1,
    ("b", "c"): -1,
    ("c", "a"): -1,
    ("c", "b"): -1,
}
check("31.3", trap)

# %% [markdown]
# **31.4**
#
# *bc* is poor and waits in the agenda; *(ab)c* is popped before anybody knows what could be made
# of *bc*.

# %%
adds = {"a": 1, "b": 1, "c": 1, "ab": 0, "bc": -5, "(ab)c": 0, "a(bc)": 20}
check("31.4", adds)

# %% [markdown]
# **31.5**
#
# SHIFT has no choice. There are as many ways to join neighbours as to put brackets (the Catalan
# numbers), and each of the n - 1 joins is a LEFTARC or a RIGHTARC.


# %%
def count(n):
    return comb(2 * n - 2, n - 1) // n * 2 ** (n - 1)


check("31.5", count)

# %% [markdown]
# **31.6**
#
# Take from an early step what you give to a later one: gold scores what it scored before, and is
# cut before it gets its points back. Not every pair of steps will do, since other derivations
# look at the same weights; this tries all pairs.

# %%
changes = next(planted_errors(model, sentence))
check("31.6", changes, model=model, sentence=sentence)
