# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Best-first search with categories
#
# Not before you have tried: [the exercises](../10_best_first_ccg.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **10.1**
#
# The fourth pair is the right one the wrong way round: a verb phrase wants its NP on the left. In
# the last but one, application would make a sentence of `S/NP` and `NP`, but the grammar is a
# list, and nobody has seen these two side by side. The last two edges have the same *bought*.

# %%
signs_of_pairs = ["<", ">", ">B", "no rule", ">", "same word", "no rule", "same word"]
check("10.1", signs_of_pairs)

# %% [markdown]
# **10.2**
#
# Sorted words are the words in any order, each as often as it is there (a set would forget how
# often). Leave out a part, and two edges become one that a later step can tell apart.


# %%
def signature(edge):
    tagged = list(zip(edge.words, edge.tags))
    outer = tuple(tagged[:2]), tuple(tagged[-2:])
    return edge.category, tagged[edge.head], tuple(sorted(edge.words)), outer


check("10.2", signature)

# %% [markdown]
# **10.3**
#
# More than the least is no harm, and the most need not be looked at: CANCOMBINE never lets an
# edge use a word too often.


# %%
def is_goal(used, least, most):
    return all(used[word] >= least[word] for word in least)


check("10.3", is_goal)

# %% [markdown]
# **10.4**
#
# 1. Edge 33 is *Burglaries rose*, and edge 19 in the chart is, too. In the one *Burglaries* is an
#    `NP`, in the other an `NP[nb]`, which is for noun phrases with a determiner. A reader sees no
#    difference, and nor does any later step.
# 2. Edge 37 was in the chart when edge 39 was popped, which is gold: *was contaminated*, then *on
#    Friday*; in 37 it is *was*, then *contaminated on Friday*. The same words in the same order.
# 3. Edge 20 is gold, the verb's *to*, and nothing is like it. Sixteen others have a higher score,
#    so it goes. Many of them are leaves of *disagree*, an unseen verb, which has every category
#    that was seen with its tag: words that nobody knows fill the chart.

# %%
stays = [19, 39, "beam"]
check("10.4", stays)
