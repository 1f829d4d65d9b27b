# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Reading the views
#
# Not before you have tried: [the questions](../02_reading_the_views.ipynb). Where to look is said
# with each.

# %%
from wordorder_lab.check import check

# %% [markdown]
# **02.1**
#
# The orange line of the map ends at step 4.

# %%
lost_at = 4
check("02.1", lost_at)

# %% [markdown]
# **02.2**
#
# The card of that state is dashed, and says *6 behind*.

# %%
behind_by = 6.0
check("02.2", behind_by)

# %% [markdown]
# **02.3**
#
# The same card says RIGHTARC.

# %%
led_there = "RIGHTARC"
check("02.3", led_there)

# %% [markdown]
# **02.4**
#
# After five pops edges 38 and 30 stand at ranks 1 and 2.

# %%
competed = [38, 30]
check("02.4", competed)

# %% [markdown]
# **02.5**
#
# The longest line from ▲ to ◆ passes four pops of others.

# %%
waited = 4
check("02.5", waited)

# %% [markdown]
# **02.6**
#
# Single units: every leaf is popped sooner or later, and here that makes the fullest column.

# %%
most_popped = 1
check("02.6", most_popped)

# %% [markdown]
# **02.7**
#
# At the end the card below says: made of edges 70 and 5.

# %%
parts = [70, 5]
check("02.7", parts)

# %% [markdown]
# **02.8**
#
# Sorted by points, the first row is `POS(h)·LVAL(h) = VBD, 0`: a verb without a left dependent,
# which is what the gold edge is at that moment.

# %%
cost_most = "POS(h)·LVAL(h) = VBD, 0"
check("02.8", cost_most)

# %% [markdown]
# **02.9**
#
# Both edges are rescored, and gold is ahead now.

# %%
would_help = True
check("02.9", would_help)

# %% [markdown]
# **02.10**
#
# Four words: no orange bar, and the highest white one of those, with 16 spans. Five words have
# just as many, so that 5 is right, too.

# %%
of_length = 4
check("02.10", of_length)

# %% [markdown]
# **02.11**
#
# None: the best output has 7 of 7 words.

# %%
words_left_out = []
check("02.11", words_left_out)

# %% [markdown]
# **02.12**
#
# The root's cell is the last, and its best item has 6.39. The output's score, 4.15, has the
# n-grams at both ends as well.

# %%
wins_with = 6.39
check("02.12", wins_with)
