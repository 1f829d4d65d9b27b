# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Transition-based ordering
#
# Not before you have tried: [the exercises](../20_transition_based.ipynb).

# %%
from wordorder_lab.check import check

# %% [markdown]
# **20.1**
#
# RIGHTARC makes *Lotus* a dependent of *bought* and takes it off the stack. It is still in the
# sentence: it hangs below *bought*.

# %%
stack = ["IBM", "bought"]
remaining = ["."]
check("20.1", (stack, remaining))

# %% [markdown]
# **20.2**
#
# Every unit is shifted once: n actions. Every unit but the root gets its head by one arc: n - 1
# more. (Or: SHIFT makes the stack one longer, an arc one shorter; it begins at 0 and ends at 1.)
# The paper's 2n would have the root popped, too.


# %%
def actions_for(n):
    return 2 * n - 1


check("20.2", actions_for)

# %% [markdown]
# **20.3**
#
# An arc needs two words on the stack; a SHIFT needs the word in the bag. That is all: no sequence
# of possible actions leads into a dead end. With given heads it gets harder (section 3.2).


# %%
def possible(stack, bag):
    arcs = {"LEFTARC", "RIGHTARC"} if len(stack) >= 2 else set()
    return arcs | {f"SHIFT-{word}" for word in bag}


check("20.3", possible)

# %% [markdown]
# **20.4**
#
# Where gold falls out; otherwise at the end, unless gold is the best state there.


# %%
def early(ranks, best, gold):
    if -1 in ranks:
        return ranks.index(-1) + 1
    return len(ranks) if ranks[-1] != 0 else None


check("20.4", early)

# %% [markdown]
# **20.5**
#
# Of all steps at which another state stands before gold, the one with the largest lead. `max`
# gives the first of several that are equally large.


# %%
def max_violation(ranks, best, gold):
    steps = [i for i in range(len(ranks)) if ranks[i] != 0]
    return 1 + max(steps, key=lambda i: best[i] - gold[i]) if steps else None


check("20.5", max_violation)

# %% [markdown]
# **20.6**
#
# The opposite rule will do: of equally good candidates the one made last. Nothing about the
# scores has changed, and yet other sentences come out. That is why a paper should say how it
# breaks ties, and why our tests compare the engines event by event and not only by their outputs.


# %%
def my_key(candidate):
    return -candidate.score, -candidate.serial


check("20.6", my_key)

# %% [markdown]
# **20.7**
#
# A word with dependents on both sides can take them in several orders: first all on the right, or
# one on the left in between. Table 1 takes the right ones first. So forbid a RIGHTARC to a word
# that has a left dependent already.


# %%
def legal(state, action):
    return action != "RIGHTARC" or not state.stack[-2].left


check("20.7", legal)
