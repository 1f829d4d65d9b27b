# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Exploring errors
#
# Not before you have tried: [the exercises](../33_exploring_errors.ipynb).

# %%
from itertools import product

from wordorder_lab.check import check

# %% [markdown]
# **33.1**
#
# 0. Gold scores more than the output, so the model would have chosen it: the beam cut it.
# 1. The row to remember: gold was cut, but a search that kept it would still have put this output
#    before it.
# 2. The output is the sentence.
# 3. Gold was there at the end, and the model likes another sentence better.
# 4. Nobody knows what gold scores, since the search never made it whole.
# 5. Every word is in its place; only the tree is another one.

# %%
faults = ["search error", "model error", "right", "model error", "cannot be told", "right"]
check("33.1", faults)

# %% [markdown]
# **33.2**
#
# A search counts below the line as long as it runs and gold is there. For `fresh` of the
# notebook: `risk([None if fate != "cut" else step for fate, step in ...], 2 * n - 1)`; step 3 is
# the worst.


# %%
def risk(lost, steps):
    shares = []
    for step in range(1, max(steps) + 1):
        still = [at for at, last in zip(lost, steps) if last >= step and (at is None or at >= step)]
        shares.append(still.count(step) / len(still) if still else 0)
    return shares


check("33.2", risk)

# %% [markdown]
# **33.3**
#
# If both systems were the same, each difference could as well have had the other sign. The signs
# as they were seen are one of the ways, so p is never 0.


# %%
def p_value(differences):
    seen = abs(sum(differences))
    ways = list(product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(way, differences))) for way in ways]
    return sum(size >= seen for size in sums) / len(ways)


check("33.3", p_value)

# %% [markdown]
# **33.4**
#
# One of twenty, by chance alone; and of three such series nearly two have at least one. 0.05 / 20
# is the level after Bonferroni: with it the chance of any false alarm is at most 0.05.

# %%
looks = (20 * 0.05, 1 - 0.95**20, 0.05 / 20)
check("33.4", looks)
