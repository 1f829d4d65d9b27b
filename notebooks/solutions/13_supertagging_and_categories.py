# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Supertagging and categories
#
# Not before you have tried: [the exercises](../13_supertagging_and_categories.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **13.1**
#
# The verb phrase is `S[dcl]\NP`. Behind the verb stand two noun phrases without a tag: two
# complements, so the verb takes two, the nearest first. `NP-TMP` is an adjunct, though it is a
# noun phrase as well; it takes a verb phrase on its left and gives one back, and asks for no
# feature.

# %%
four_categories = [r"((S[dcl]\NP)/NP)/NP", "NP[nb]/N", "N", r"(S\NP)\(S\NP)"]
check("13.1", four_categories)

# %% [markdown]
# **13.2**
#
# Beta is a share of the best, so look for the best first.


# %%
def kept(probabilities, beta):
    least = beta * max(probabilities)
    return [place for place, p in enumerate(probabilities) if p >= least]


check("13.2", kept)

# %% [markdown]
# **13.3**
#
# Four sequences: 0.7 · 0.9 = 0.630, 0.7 · 0.02 = 0.014, 0.3 · 0.1 = 0.030 and 0.3 · 0.4 = 0.120,
# together 0.794. Whoever has only looked at *her* would say 0.70; *duck* is so much better
# explained as a noun behind a determiner that it becomes 0.81. Forward sums do not know that,
# backward sums do.

# %%
sequences = [[0.7 * 0.9, 0.7 * 0.02], [0.3 * 0.1, 0.3 * 0.4]]
whole = sum(map(sum, sequences))
her = [sum(row) / whole for row in sequences]
duck = [sum(column) / whole for column in zip(*sequences)]
four_probabilities = [*her, *duck]
check("13.3", four_probabilities)

# %% [markdown]
# **13.4**
#
# *saw* has 0.84 at best; 0.15 of that is 0.126. So the noun goes, and the verb that takes an
# object and a verb phrase, edges 8 and 6. With them goes all that has one of them inside: 10, 11
# and 15 are made of 6, 14 of 8; 17 of 10, 18 of 11; 23 of 17, 24 of 18.

# %%
edges_that_go = [6, 8, 10, 11, 14, 15, 17, 18, 23, 24]
check("13.4", edges_that_go)

# %% [markdown]
# **13.5**
#
# The tag decides, if it says anything; then the label. CLR is the odd one: it only counts on a
# PP.


# %%
def role(label, tag):
    if tag in ("PRD", "DTV") or (label, tag) == ("PP", "CLR"):
        return "complement"
    if tag in ("TMP", "LOC", "PRP", "MNR") or label in ("PP", "ADVP"):
        return "adjunct"
    return "complement"


check("13.5", role)

# %% [markdown]
# **13.6**
#
# Without a cut four: *I saw her duck* twice, *her duck saw I*, and *her saw I duck*, since in a
# bag *her* and *I* are noun phrases like any others. With the cut nobody bends any more: two.
# That reading needs *saw* with 0.12, *her* as `NP` with 0.35 and *duck* with 0.2; over the best
# of each word that is 0.143, 0.538 and 0.25, and the smallest goes first.

# %%
three_numbers = [4, 2, 0.12 / 0.84]
check("13.6", three_numbers)
