# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Compression of real text
#
# Not before you have tried: [the exercises](../42_compression_of_real_text.ipynb).

# %%
import math

from wordorder_lab.check import check

# %% [markdown]
# **42.1**
#
# The best way into *rain* scores 1, into *that* 2 (over *rain*), into *fell* 5 (over *that*),
# into *stopped* 4 (over *rain*, or over *fell*). With the step to the end: 1 - 2, 2 - 2, 5 + 1,
# 4 + 1. So *rain that fell*, 6. Of two words: *rain stopped*, 1 + 3 + 1 = 5. Cross any word out
# of *rain that fell*, and you do not get there.

# %%
two_paths = [["rain", "that", "fell"], 6, ["rain", "stopped"], 5]
check("42.1", two_paths)

# %% [markdown]
# **42.2**
#
# The reference has (root, raised), (raised, bank), (bank, the), (raised, rates). A has two of its
# four right, and finds two of four: 0.5. B has three of three right and finds three of four: 2 ·
# 3 / (3 + 4). By single words A has 80 %: one word of five is wrong.

# %%
two_f1s = [0.5, 6 / 7]
check("42.2", two_f1s)

# %% [markdown]
# **42.3**
#
# Recall is 1, precision the rate.


# %%
def keep_all_f1(rate):
    return 2 * rate / (1 + rate)


check("42.3", keep_all_f1)

# %% [markdown]
# **42.4**
#
# *not* came, because *sell* stays; *ten* went, it stood in brackets; *he* came, a personal
# pronoun; *shares* came, as *old* hangs on it.

# %%
four_families = ["negation", "brackets", "pronouns", "modifiers"]
check("42.4", four_families)

# %% [markdown]
# **42.5**
#
# The difference of the two variables is 0. In the second sentence the number would have gone, and
# in the first the sign: both have lost sense, and both come out whole.


# %%
def rows(words, tags):
    signs = [i for i in range(1, len(tags)) if tags[i - 1 : i + 1] == ["$", "CD"]]
    return [([i - 1, i], [1, -1], 0, 0) for i in signs]


check("42.5", rows)

# %% [markdown]
# **42.6**
#
# Two who keep 70 % by lot agree on 0.7 · 0.7 + 0.3 · 0.3 = 58 % of the words. Where both give
# every word the same answer nothing can be said, since chance alone explains that.


# %%
def kappa(first, second):
    n = len(first)
    same = sum(a == b for a, b in zip(first, second)) / n
    one, other = sum(first) / n, sum(second) / n
    chance = one * other + (1 - one) * (1 - other)
    return (same - chance) / (1 - chance) if chance < 1 else math.nan


check("42.6", kappa)
