# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Start here
#
# Not before you have tried: [the exercises](../00_start_here.ipynb).

# %%
from math import factorial

import wordorder_lab as wl
from wordorder_lab.check import check, trained

CORPUS = "gazette"

corpus = wl.load_corpus(CORPUS)
model = trained(corpus.train, beam=16, epochs=5, pos=0)
held_out = corpus.dev[:100]

# %% [markdown]
# **00.1**
#
# Eight words have 8! orders. Exchanging one *rose* for another changes nothing, and there are 3!
# ways to do so; 3! for *a*, 2! for *is*. For the package equal units are one item with a count,
# so that a beam does not fill up with copies.

# %%
answer = factorial(8) // (factorial(3) * factorial(3) * factorial(2))
check("00.1", answer)

# %% [markdown]
# **00.2**
#
# There are many. It helps to write like the newspaper that the model has read, and to leave no
# two phrases that could change places. This tries some, for the Gazette and for the Penn sample,
# and keeps the first that comes out right.

# %%
tries = [
    ["The company", "has", "increased", "spending", "this year", "."],
    ["The minister", "will", "resign", "on", "Wednesday", "."],
    ["The bank", "may", "increase", "spending", "this year", "."],
    ["The suspect", "was", "arrested", "in", "Atlanta", "on", "Wednesday", "."],
    ["The company", "said", "it", "will", "sell", "the unit", "."],
    ["He", "said", "the sale", "is", "complete", "."],
]
my_sentence = next(units for units in tries if model.order(units).words == units)
check("00.2", my_sentence, model=model)

# %% [markdown]
# **00.3**
#
# The full stop goes last and a capital letter first, but these are two places only, and BLEU
# counts neighbours everywhere. Which units like each other? A preposition stands before a noun
# phrase. Nobody knows which, and yet any phrase is better than none. (Compare the score with the
# table in section 6: how much of what the model has learned is just this?)


# %%
def my_order(units):
    prepositions = {"of", "in", "for", "to", "by", "on", "at", "from", "with"}
    small = [unit for unit in units if unit in prepositions]
    phrases = [unit for unit in units if " " in unit and unit[0].islower()]
    stops = [unit for unit in units if unit == "."]
    rest = [unit for unit in units if unit not in {*small, *phrases, *stops}]
    pairs = list(zip(small, phrases))
    begin = sorted(rest, key=lambda unit: not unit[0].isupper())
    alone = phrases[len(pairs) :] + small[len(pairs) :]
    return begin + alone + [unit for pair in pairs for unit in pair] + stops


check("00.3", my_order, sentences=held_out)
