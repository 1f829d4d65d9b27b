# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions: Language models
#
# Not before you have tried: [the exercises](../30_language_models.ipynb).

# %%
from collections import Counter
from itertools import combinations

from wordorder_lab.check import check

# %% [markdown]
# **30.1**
#
# The end of a sentence is something that follows, too: without it the shares would not add up to
# 1.


# %%
def bigrams(text):
    pairs = Counter()
    for words in text:
        pairs.update(zip(["<s>", *words], [*words, "</s>"]))
    return pairs


# %%
def share(word, before, text):
    pairs = bigrams(text)
    followed = sum(n for (first, _), n in pairs.items() if first == before)
    return pairs[before, word] / followed if followed else 0


check("30.1", share)

# %% [markdown]
# **30.2**
#
# Different pairs are counted, not occurrences.


# %%
def company_size(word, text):
    return sum(second == word for _, second in bigrams(text))


check("30.2", company_size)

# %% [markdown]
# **30.3**
#
# What the followers gave away is shared out by company. So after every word all probabilities add
# up to 1, and each word of the text has one.


# %%
def probability(word, before, text, d):
    pairs = bigrams(text)
    low = sum(second == word for _, second in pairs) / len(pairs)
    followers = [n for (first, _), n in pairs.items() if first == before]
    if not followers:
        return low
    own = max(pairs[before, word] - d, 0) / sum(followers)
    return own + d * len(followers) / sum(followers) * low


check("30.3", probability)

# %% [markdown]
# **30.4**
#
# By scores D (-4.8) and A (-6.0), which have used up *the* and *of*. With future cost E (-14.5)
# and B (-15.5): what they have paid, the others still have to pay.

# %%
beams = ({"A", "D"}, {"B", "E"})
check("30.4", beams)

# %% [markdown]
# **30.5**
#
# The same words are left over, and the model sees the same last words. With order 1 it sees none:
# `one[-0:]` would be all of them.


# %%
def same_future(one, two, order):
    first = max(0, len(one) - (order - 1))
    return sorted(one) == sorted(two) and one[first:] == two[first:]


check("30.5", same_future)

# %% [markdown]
# **30.6**
#
# Held and Karp: for each set of words and each last word one beginning goes on, the best. It is
# the recombination of 30.5, with a beam so wide that nothing is cut.


# %%
def best_order(words, log_prob):
    best = {(frozenset([word]), word): (log_prob("<s>", word), [word]) for word in words}
    for size in range(2, len(words) + 1):
        for some in map(frozenset, combinations(words, size)):
            for last in some:
                rest = some - {last}
                ways = [(*best[rest, end], log_prob(end, last)) for end in rest]
                score, order, more = max(ways, key=lambda way: way[0] + way[2])
                best[some, last] = (score + more, [*order, last])
    whole = frozenset(words)
    ends = [(best[whole, last][0] + log_prob(last, "</s>"), last) for last in words]
    return best[whole, max(ends)[1]][1]


check("30.6", best_order)

# %% [markdown]
# **30.7**
#
# Both ends count. The last sentence needs eight words in view, the one before it six.

# %%
orders = [2, 3, 5, 6, 8]
check("30.7", orders)
