# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Input constraints
#
# Not before you have tried: [the exercises](../21_input_constraints.ipynb).

# %%
from math import factorial, prod

from wordorder_lab.check import check

# %% [markdown]
# **21.1**
#
# *saw* is loose: nothing is given about it. So the anchor is *the park*, which waits for its head
# *in*. That one may come; *the dog*, above *in*, would cut it off. What no given arc connects
# with *the park* may come at any time. And of the arcs, only *saw* may become the dependent.

# %%
possible_here = {"RIGHTARC", "SHIFT-in", "SHIFT-an old man", "SHIFT-."}
check("21.1", possible_here)

# %% [markdown]
# **21.2**
#
# A word and its d dependents, each with all that is below it, are d + 1 things to be put side by
# side: (d + 1)! ways. What is chosen at one word does not touch the others. In the paper's
# example: 4! · 2! · 2! = 96.


# %%
def orders_of(heads):
    return prod(factorial(heads.count(i) + 1) for i in range(len(heads)))


check("21.2", orders_of)

# %% [markdown]
# **21.3**
#
# *b* and *c* hang below *a*, *d* below *b*. The trees of *b* and *c* do not mix, so if *b* is
# before *c*, *d* is, too.

# %%
contradiction = "a b>1 c>1 d>2 | 2<3 3<4"
check("21.3", contradiction)

# %% [markdown]
# **21.4**
#
# No other head is given, and all given dependents have come. Whether *their* dependents have come
# need not be asked: they were attached by the same rule.


# %%
def my_reducable(dependent, head, given, attached):
    waiting = {word for word in given if given[word] == dependent} - attached[dependent]
    return given.get(dependent, head) == head and not waiting


check("21.4", my_reducable)

# %% [markdown]
# **21.5**
#
# By the anchor, as in section 4. `line` climbs from a word to the top of its given tree.


# %%
def my_shift_legal(word, stack, bag, given, attached):
    def line(one):
        return [one, *line(given[one])] if one in given else [one]

    def complete(one):
        return not {d for d in given if given[d] == one} - attached[one]

    anchors = [one for one in stack if one in given or not complete(one)]
    touched = {line(one)[-1] for one in {*given, *given.values()} - {*bag}}
    if not anchors or line(word)[-1] not in touched:
        return True
    anchor = anchors[-1]
    if complete(anchor):  # it waits for its head
        return given[anchor] in bag and given[anchor] in line(word)
    return anchor in line(word)


check("21.5", my_shift_legal)
