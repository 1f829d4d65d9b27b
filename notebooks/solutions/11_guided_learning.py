# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Learning that guides search
#
# Not before you have tried: [the exercises](../11_guided_learning.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **11.1**
#
# The goal has four features in five actions, so four entries of 1/5; *Lotus ← IBM* has two in
# three, so two of -1/3. norm² = 4/25 + 2/9 = 86/225. Both scores are 0: the step is 225/86.

# %%
step = 225 / 86
check("11.1", step)

# %% [markdown]
# **11.2**
#
# As in the table of section 2. No update where the edges have the same features, and none where
# gold is ahead by 1 already.


# %%
def scaled_update(positive, negative):
    names = {*positive.features, *negative.features}
    difference = {
        name: positive.features.get(name, 0) / positive.actions
        - negative.features.get(name, 0) / negative.actions
        for name in names
    }
    norm = sum(value**2 for value in difference.values())
    step = (negative.score - positive.score + 1) / norm if norm else 0
    return {name: max(step, 0) * value for name, value in difference.items()}


check("11.2", scaled_update)

# %% [markdown]
# **11.3**
#
# One of many: half a point up for every feature that only the positive edge has, half a point
# down for every one that only the negative edge has. It needs more updates than the paper's,
# since its steps do not ask how far gold is behind. (A margin of 2 would be the paper's rule once
# more. From zero weights every change is twice as large, so is every score, and all edges keep
# their order.)


# %%
def my_update(positive, negative):
    up = positive.features.keys() - negative.features.keys()
    down = negative.features.keys() - positive.features.keys()
    return dict.fromkeys(up, 0.5) | dict.fromkeys(down, -0.5)


check("11.3", my_update)

# %% [markdown]
# **11.4**
#
# The top row in each of the three views. All three say something very general, such as "a noun
# phrase without dependents on its left". Such features are in nearly every edge, get large
# weights, and then stand in the way where an edge is the exception.

# %%
features = ["POS(h)·LVAL(h) = VBD, 0", "POS(h)·LVAL(h) = NP, 0", "POS(h)·NORM(size) = NP, 1"]
check("11.4", features)
