# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Surface realization
#
# Not before you have tried: [the exercises](../50_surface_realization.ipynb).

# %%
from math import factorial

import wordorder_lab as wl
from wordorder_lab.check import check, trained
from wordorder_lab.check.nb_50 import edit_distance, first_pops, honest_person, small_trees

model = trained(
    small_trees(), "zhang-clark-2015-realization", english=False, folds=1, capitals=False
)
model.realize(honest_person(), k=12, signature="none", trace=(honest_log := wl.EventLog()))

# %% [markdown]
# **50.1**
#
# *a* waits for the word after it. *who* may be one or several, so *be* stays open; *the children*
# are several.

# %%
five_bags = [["a", "an"], ["went"], ["children"], ["is", "are"], ["are"]]
check("50.1", five_bags)

# %% [markdown]
# **50.2**
#
# A head and its dependents are (dependents + 1) things in a row, and no head asks another.


# %%
def how_many(tree, forms):
    number = 1
    for dependents, own in zip(tree.dependents, forms):
        number *= factorial(len(dependents) + 1) * len(own)
    return number


check("50.2", how_many)

# %% [markdown]
# **50.3**
#
# Two *the*, two *man*, each lemma either: 2 · 2 · 2 · 2. The subject is two words in one piece,
# *the man* with nothing between: places 0 and 1. *old* is at 4, so the object is 3 to 5.

# %%
before_and_after = [16, 1, [0, 1], [3, 5]]
check("50.3", before_and_after)

# %% [markdown]
# **50.4**
#
# Joined by *and* there are several, joined by *or* not.


# %%
def be(tree):
    (subject,) = (i for i in tree.dependents[tree.root] if tree.nodes[i].label == "nsubj")
    joined = [i for i in tree.dependents[subject] if tree.nodes[i].label == "conj"]
    words = {tree.nodes[k].lemma for i in (subject, *joined) for k in tree.dependents[i]}
    return "are" if joined and "and" in words else "is"


check("50.4", be)

# %% [markdown]
# **50.5**
#
# All edits, all lengths; not the mean over sentences.


# %%
def dist(pairs):
    edits = sum(edit_distance(output, reference) for output, reference in pairs)
    signs = sum(max(len(output), len(reference)) for output, reference in pairs)
    return 100 * (1 - edits / signs)


check("50.5", dist)

# %% [markdown]
# **50.6**
#
# From star to star on the timeline. (Counted here; you have seen it.)

# %%
log = honest_log
two_pops = list(first_pops(log, "a"))
check("50.6", two_pops, log=honest_log)
