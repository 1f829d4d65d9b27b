# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Best-first search over dependency trees
#
# Not before you have tried: [the exercises](../12_best_first_dependency.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **12.1**
#
# Five. When *Lotus* is popped, the chart holds *bought*, *IBM* and the three pairs of them. Then
# it has to take *Lotus*, too: *IBM* and *Lotus* both score 0, and *Lotus*, which was made later,
# goes. That does no harm, since *Lotus* has met everybody by then. With four places *IBM* is gone
# before.

# %%
places = 5
check("12.1", places)

# %% [markdown]
# **12.2**
#
# Pay a verb nothing for a noun on its left. *Lotus ← (IBM ← bought)* falls from 11 to 7, which is
# as much as *bought → Lotus* has, and of equals the one made first is popped. (2 instead of 6 for
# *IBM bought* does it as well.) It helps this sentence; it is no way to make models.

# %%
one_weight = {"POS(h)·POS(m)·dir = VBD, NNP, left": 0}
check("12.2", one_weight)

# %% [markdown]
# **12.3**
#
# First all leaves: then every word is in the chart, and whatever is popped can take it. After
# that the largest edge: each pop adds a word. So a goal comes after 2n - 1 pops. (The largest
# first alone is not enough. It pops every pair of two words before it looks at the third one.)
# The goals are rubbish, of course: a search can be quick without knowing where to go.


# %%
def my_key(edge):
    return edge.size > 1, -edge.size


check("12.3", my_key)

# %% [markdown]
# **12.4**
#
# Stop right before the first of the two pops.
#
# 1. Edge 38, *began and*, has 0.13 and edge 30, *began The nationwide strike*, 0.10. Both wait.
# 2. Edge 91, *was introduced already .*, scores more than edge 69, *was introduced already*. But
#    it is made of it: there is no edge 91 before edge 69 has been popped.
# 3. *The asylum helped to compromise .* and *the provincial opposition helped to compromise .*
#    have the same score to the last digit. The model has read of neither; so the older edge goes
#    first.

# %%
reasons = ["higher score", "not there yet", "made first"]
check("12.4", reasons)

# %% [markdown]
# **12.5**
#
# In the first search only a wrong edge is dropped. In the second, the leaf *introduced* leaves at
# pop 9, when *was introduced already .* enters; the right tree would need it once more, with
# *already* below *was*. In the third, *to compromise* leaves at pop 9.
#
# And yet the chart is to blame for none of the three: with 64 places the same sentences come out.
# In the first two the model gives gold less than its own sentence, a *model error*. In the third
# gold would have 0.59, and what comes out has 0.20: a *search error*. Gold needs *helped the
# provincial opposition*, which has -0.39 when it is made. It still waits on the agenda when the
# first goal is popped, and the search ends.

# %%
leaves_at = [None, 9, 9]
check("12.5", leaves_at)
