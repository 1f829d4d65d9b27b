# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Sentence compression as tree transduction
#
# Not before you have tried: [the exercises](../40_sentence_compression.ipynb).

# %%
from dataclasses import replace

import wordorder_lab as wl
from wordorder_lab.check import check, trained

CORPUS = "gazette"

corpus = wl.load_compressions(CORPUS)
few = [pair for pair in corpus.train if len(pair.source.leaves()) <= 15][:250]
held_out = [pair for pair in corpus.dev if len(pair.source.leaves()) <= 15]
model = trained(few, "cohn-lapata-2009", C=1.0, beam=20, max_iterations=20)
weights = model.weights.copy()
weights[model.features.numbers["n-gram log-probability"]] = 0.5
weights[model.features.numbers["Word count: target terminals"]] = 2.5
louder = replace(model.unshared(), weights=weights)

# %% [markdown]
# **40.1**
#
# From the bottom up. *the old storm* as an NP: the noun; with the determiner; all. *the harbor*
# has two ways. The verb phrase: the verb alone, or with its object in two ways, 3. The sentence:
# the verb phrase alone, 3; with the subject, 3 × 3; with the full stop as well, 3 × 3. So there
# are 21. The rule more does what a deletion rule in the VP and a copy rule above it do together,
# for each of the three subjects: 3 derivations more, and no tree more.

# %%
how_many = [21, 24, 21]
check("40.1", how_many)

# %% [markdown]
# **40.2**
#
# A pair of aligned words lies inside both, or inside neither; and one pair at least lies inside.


# %%
def belong(source, target, pairs):
    inside = [(s in source, t in target) for s, t in pairs]
    return (True, True) in inside and all(one == other for one, other in inside)


check("40.2", belong)

# %% [markdown]
# **40.3**
#
# *was* and *by* stay in the rule, so that nothing else matches; all else is a variable. The
# numbers are the alignment: the second NP comes first. With `VBN_3` on the right the verb keeps
# its tag, and one rule is enough. A `VBD` would be right, and then every verb needs a rule of its
# own. The model likes these better: it has seen such sentences, and knows the first rule already.

# %%
my_rules = [
    "<S, S> -> <[S NP_2 [VP [VBD was] [VP VBN_3 [PP [IN by] NP_1]]] ._4],"
    " [S NP_1 [VP VBD_3 NP_2] ._4]>",
    "<VBN, VBD> -> <[VBN closed], [VBD closed]>",
    "<VBN, VBD> -> <[VBN bought], [VBD bought]>",
    "<VBN, VBD> -> <[VBN visited], [VBD visited]>",
]
check("40.3", my_rules, model=model)

# %% [markdown]
# **40.4**
#
# Write the sums down: rule 1 has -3, -3.25, -5.5 / -4.5, -4.75, -7 / -5, -5.25, -7.5; rule 2 has
# -3.75, -4.65, -6.75. Since items are sorted, a neighbour is never better than what it comes
# from, and the order is that of the sums.

# %%
order_taken = [(0, 0), (0, 1), (0,), (1, 0), (1,), (1, 1), (2, 0)]
check("40.4", order_taken)

# %% [markdown]
# **40.5**
#
# For example. A PP behind an object goes, as it does in the Gazette.

# %%
my_tree = """(S (NP (DT The) (NN cat)) (VP (VBD chased) (NP (DT a) (NN mouse))
    (PP (IN in) (NP (DT the) (NN kitchen)))) (. .))"""
my_guess = "The cat chased a mouse ."
check("40.5", (my_tree, my_guess), model=model)

# %% [markdown]
# **40.6**
#
# Two loops. The largest beam comes first, so the first find is the answer.

# %%
model = louder
pairs = held_out
best = [model.compress(pair.source, beam=1000).score for pair in pairs]
my_sentence, my_beam = next(
    (number, beam)
    for beam in (50, 20, 10, 5, 3, 2)
    for number, pair in enumerate(pairs)
    if model.compress(pair.source, beam=beam).score < best[number]
)
check("40.6", (my_sentence, my_beam), model=louder, pairs=held_out)
