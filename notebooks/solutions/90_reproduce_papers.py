# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: The papers' claims
#
# Not before you have tried: [the exercises](../90_reproduce_papers.ipynb).

# %%
from itertools import combinations

from wordorder_lab.check import check

# %% [markdown]
# **90.1**
#
# Direction first, then chance. No difference at all is *not reproduced*.


# %%
def verdict(difference, p):
    if difference > 0:
        return "reproduced" if p < 0.05 else "same direction, not significant"
    return "opposite" if difference < 0 and p < 0.05 else "not reproduced"


check("90.1", verdict)

# %% [markdown]
# **90.2**
#
# One test of twenty comes out, and half of those in the paper's direction.

# %%
by_chance = (200 * 0.025, 200 * 0.025, 200 * 0.95)
check("90.2", by_chance)

# %% [markdown]
# **90.3**
#
# An interval that ends at 0 shows no direction.


# %%
def reads(low, high, printed):
    return low > 0, low <= printed <= high


check("90.3", reads)

# %% [markdown]
# **90.4**
#
# A product below 0: one difference goes up, the other down. A tie makes it 0.


# %%
def reversed_pairs(rows):
    return [
        (i, j)
        for i, j in combinations(range(len(rows)), 2)
        if (rows[i][0] - rows[j][0]) * (rows[i][1] - rows[j][1]) < 0
    ]


check("90.4", reversed_pairs)
