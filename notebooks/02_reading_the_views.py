# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Reading the views: twelve questions to six pictures
#
# **45 minutes**, of which each question takes one or two. You need:
# [Start here](00_start_here.ipynb). Words that are new are in the [glossary](glossary.md).
#
# [Glossary](glossary.md) · [Solutions](solutions/02_reading_the_views.py) ·
# next: [Transition-based ordering](20_transition_based.ipynb) or
# [Best-first search](12_best_first_dependency.ipynb)
#
# Every algorithm of this lab can be watched while it works. Six pictures show it: the states of a
# beam, an agenda, a chart, what a learner changes, how long the pieces are, and how one tree
# becomes another. This notebook asks each of them something. Nothing is to be programmed: look,
# press, and write down what you see.
#
# After this notebook you can
#
# - say at which step a search lost the right answer, and by how much;
# - follow an edge from the agenda to the chart, and name the two it was made of;
# - read what an update of the weights was about, and whether it helped;
# - find a moment again: every player has an address, and bookmarks.
#
# Wherever you do not know a sign, open *signs* below the picture.

# %%
import wordorder_lab as wl
from wordorder_lab.check import check, nb_02


def show(view):
    """The search that the questions to this picture are about, where they are about it."""
    search = nb_02.SEARCHES[view]()
    return wl.play(search.log, view=view, at=search.at)


# %% [markdown]
# The searches are small and the same on every machine: sentences of the *Gazette*, a newspaper that
# a grammar made up for this lab. A wrong answer is followed by a player that opens where you could
# have seen it.

# %% [markdown]
# ## 1 · Beam states
#
# The system reads the bag from left to right: SHIFT takes a word, an arc joins two. After each step
# only the four best states stay: the *beam*. The map on top is the whole search, a dot a state, a
# column a step. Gold, the way to the sentence as it was written, is orange.

# %%
show("beam")

# %% [markdown]
# **02.1** (2 minutes) At which step was gold lost?

# %%
check("02.1", ...)

# %% [markdown]
# **02.2** (2 minutes) By how much was the gold state behind the last one that was kept?

# %%
check("02.2", ...)

# %% [markdown]
# **02.3** (2 minutes) Which action led to the gold state that was cut? Write `"SHIFT-word-TAG"`,
# `"LEFTARC"` or `"RIGHTARC"`.

# %%
check("02.3", ...)

# %% [markdown]
# ## 2 · Agenda evolution
#
# Best-first search keeps all it has built in a queue, the *agenda*. The best edge is popped, and
# joined with everything that was popped before. The rank flow shows how edges rose to the top.

# %%
show("agenda")

# %% [markdown]
# **02.4** (2 minutes) Which two edges competed for pop 6? Their numbers, as a list.

# %%
check("02.4", ...)

# %% [markdown]
# **02.5** (2 minutes) Some edges are popped at once, others wait while others are popped. How many
# pops did the one wait that waited longest?

# %%
check("02.5", ...)

# %% [markdown]
# ## 3 · Chart contents
#
# What was popped goes into the *chart*. The map has a column for each number of units, and a tile
# for each popped edge. Point at a tile, and lines go to its parts.

# %%
show("chart")

# %% [markdown]
# **02.6** (2 minutes) Of how many units are most of the edges that were popped?

# %%
check("02.6", ...)

# %% [markdown]
# **02.7** (2 minutes) Which two edges was the last popped edge made of? Their numbers, as a list.

# %%
check("02.7", ...)

# %% [markdown]
# ## 4 · Parameter updates
#
# While it learns, the system pops a wrong edge, and weights change: up for what the gold edge has
# and the wrong one has not, down for the other way round.

# %%
show("updates")

# %% [markdown]
# **02.8** (2 minutes) Which feature cost gold most points in the last update? Write it as the view
# does.

# %%
check("02.8", ...)

# %% [markdown]
# **02.9** (2 minutes) Would it help now: does gold score more than its rival after that update?
# `True` or `False`.

# %%
check("02.9", ...)

# %% [markdown]
# ## 5 · Span lengths
#
# A *span* is a phrase that was put together, and its length is its number of words. Press a length
# to see the spans behind its bars.

# %%
show("spans")

# %% [markdown]
# **02.10** (2 minutes) Of the lengths that no gold span has: of which does this search make most
# spans?

# %%
check("02.10", ...)

# %% [markdown]
# ## 6 · Tree transduction
#
# Sentence compression rewrites a tree from its leaves to its root. Each node gets the best
# rewritings, and the root's best one is the shorter sentence.

# %%
show("transduction")

# %% [markdown]
# **02.11** (2 minutes) Which words were left out? A list.

# %%
check("02.11", ...)

# %% [markdown]
# **02.12** (2 minutes) Which score has the combination that wins at the root? Two decimals are
# enough.

# %%
check("02.12", ...)

# %% jupyter={"source_hidden": true} tags=["hidden"]
assert all(check(f"02.{number}", ...).right is None for number in range(1, 13))

# %% [markdown]
# ## Where to read on
#
# - Papers: [Zhang and Clark 2015](https://doi.org/10.1162/COLI_a_00229), sections 3.4 and 3.5
#   (agenda, chart, updates); [Liu et al. 2015](https://aclanthology.org/N15-1012/), section 3 (the
#   beam); [Cohn and Lapata 2009](https://doi.org/10.1613/jair.2655), section 3.
# - Code: `wordorder_lab/trace/reducers/` says what each picture knows, event by event.
# - Next: [Transition-based ordering](20_transition_based.ipynb),
#   [Best-first search](12_best_first_dependency.ipynb),
#   [Sentence compression](40_sentence_compression.ipynb).
