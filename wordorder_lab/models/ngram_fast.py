"""The n-gram model for kernels: the twin of ``NGramModel.log_prob``, over a hash table.

``places[p]`` is (key or -1, number), with the keys and numbers of ``ngram``; ``values[number]`` is
(log-probability, back-off). A trigram is found or given up after three looks at ``places`` at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.runtime.hash_fast import place, probe
from wordorder_lab.runtime.kernel_fast import kernel

ORDER, SIZE, SHIFT = range(3)
"""What ``numbers`` holds: order of the model, size of its vocabulary, shift of the hash."""


class NGramTable(NamedTuple):
    """The arrays of a model as kernels take them."""

    places: np.ndarray
    values: np.ndarray
    numbers: np.ndarray


@kernel
def fill(places, shift, keys, size):
    """Put keys in an empty table; the numbers of the n-grams begin behind those of the words."""
    for i in range(len(keys)):
        at = probe(places, place(keys[i], shift), keys[i])
        places[at, 0] = keys[i]
        places[at, 1] = size + i


@kernel(inline="always")
def child(places, numbers, node, word):
    """The number of the n-gram that is ``node`` and then ``word``; -1 if it is not there."""
    key = node * numbers[SIZE] + word
    return places[probe(places, place(key, numbers[SHIFT]), key), 1]


@kernel
def log_prob(table, context, length, word):
    """log p(word | the first ``length`` ids of ``context``), added as ``NGramModel`` adds it."""
    places, values, numbers = table
    total = 0.0
    for first in range(max(0, length - numbers[ORDER] + 1), length):
        node = np.int64(context[first])
        for at in range(first + 1, length):
            node = child(places, numbers, node, context[at])
            if node < 0:
                break
        if node < 0:
            continue
        found = child(places, numbers, node, word)
        if found >= 0:
            return total + values[found, 0]
        total += values[node, 1]
    return total + values[word, 0]


@kernel
def score(table, ids, first):
    """The log-probabilities of ``ids`` from place ``first`` on, added from left to right."""
    total = 0.0
    longest = table.numbers[ORDER] - 1
    for at in range(first, len(ids)):
        begin = max(0, at - longest)
        total += log_prob(table, ids[begin:at], at - begin, ids[at])
    return total


class FastNGram:
    """A model of ``header`` and ``arrays`` (see ``NGramModel``); ``table`` is for kernels."""

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        keys = arrays["ngram_keys"]
        log_probs, back_offs = arrays["ngram_log_probs"], arrays["ngram_back_offs"]
        self.order, size = len(header["sizes"]), len(header["vocabulary"])
        bits = max(4, (2 * len(keys)).bit_length())
        places = np.full((1 << bits, 2), -1, np.int64)
        fill(places, 64 - bits, keys, size)
        values = np.zeros((len(log_probs), 2))
        values[:, 0] = log_probs
        values[: len(back_offs), 1] = back_offs
        self.table = NGramTable(places, values, np.array([self.order, size, 64 - bits], np.int64))

    def log_prob(self, context: Sequence[int], word: int) -> float:
        """What ``NGramModel.log_prob`` gives, bit for bit."""
        return float(log_prob(self.table, np.array(context, np.int64), len(context), word))

    def score(self, ids: Sequence[int], first: int) -> float:
        """The log-probabilities of ``ids`` from place ``first`` on, each after those before it."""
        return float(score(self.table, np.array(ids, np.int64), first))
