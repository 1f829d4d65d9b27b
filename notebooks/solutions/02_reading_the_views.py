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
# **02.1 to 02.3** The orange line of the map ends at step 4. The card of that state is dashed, and
# says *6 behind* and RIGHTARC.

# %%
check("02.1", 4)
check("02.2", 6.0)
check("02.3", "RIGHTARC")

# %% [markdown]
# **02.4** After five pops edges 38 and 30 stand at ranks 1 and 2. **02.5** The longest line from ▲
# to ◆ passes four pops of others.

# %%
check("02.4", [38, 30])
check("02.5", 4)

# %% [markdown]
# **02.6** Single units: every leaf is popped sooner or later, and here that makes the fullest
# column. **02.7** At the end the card below says: made of edges 70 and 5.

# %%
check("02.6", 1)
check("02.7", [70, 5])

# %% [markdown]
# **02.8** Sorted by points, the first row is `POS(h)·LVAL(h) = VBD, 0`: a verb without a left
# dependent, which is what the gold edge is at that moment. **02.9** Both edges are rescored, and
# gold is ahead now.

# %%
check("02.8", "POS(h)·LVAL(h) = VBD, 0")
check("02.9", True)

# %% [markdown]
# **02.10** Four words: no orange bar, and the highest white one of those, with 16 spans. Five
# words have just as many, so that 5 is right, too.

# %%
check("02.10", 4)

# %% [markdown]
# **02.11** None: the best output has 7 of 7 words. **02.12** The root's cell is the last, and its
# best item has 6.39. The output's score, 4.15, has the n-grams at both ends as well.

# %%
check("02.11", [])
check("02.12", 6.39)
