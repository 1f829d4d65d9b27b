# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Span lengths
#
# Not before you have tried: [the exercises](../32_span_lengths.ipynb).

# %%
from collections import Counter

from wordorder_lab.check import check

# %% [markdown]
# **32.1**
#
# Five arcs, so five joins: *in the park*; *saw the dog*; *saw the dog in the park*; the same with
# the full stop; and everything. In the tree only *in* and *saw* have something below them.

# %%
built_lengths = [3, 3, 6, 7, 10]
below_lengths = [3, 10]
check("32.1", (built_lengths, below_lengths))

# %% [markdown]
# **32.2**
#
# A word begins as a span of its own. Each dependent brings all that is below it; the one to the
# right moves the end, the one to the left the beginning.


# %%
def built_places(heads):
    spans = []

    def build(word):
        below = [i for i, head in enumerate(heads) if head == word]
        first = last = word
        spans.append((first, last))
        for child in [i for i in below if i > word]:
            last = build(child)[1]
            spans.append((first, last))
        for child in [i for i in below[::-1] if i < word]:
            first = build(child)[0]
            spans.append((first, last))
        return first, last

    build(heads.index(-1))
    return spans


check("32.2", built_places)

# %% [markdown]
# **32.3**
#
# `&` of two counters takes the smaller count of each. 2PR / (P + R) is the same number, but it
# has to be kept from dividing by zero.


# %%
def score(made, gold):
    right = (Counter(made) & Counter(gold)).total()
    precision = right / len(made) if made else 0
    recall = right / len(gold) if gold else 0
    both = len(made) + len(gold)
    return precision, recall, 2 * right / both if both else 0


check("32.3", score)
