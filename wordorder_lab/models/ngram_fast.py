"""The n-gram model for kernels: the twin of ``NGramModel.log_prob``, over a hash table.

``places[p]`` is (key or -1, number), with the keys and numbers of ``ngram``; ``values[number]`` is
(log-probability, back-off). A trigram is found or given up after three looks at ``places`` at most.

The n-grams are an automaton, too (``StateTable``): where a sentence stands, in one number. Of the
words so far only those count that stand in the trie as a context, the longest such. The number of
that n-gram is the *state*; it is ``EMPTY`` where not even the last word counts. Backing off goes
from a state to the next shorter context that is known. So ``after`` gives what
``NGramModel.log_prob`` gives, bit for bit: contexts that are not known add nothing there.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.file_parts import JsonView
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

    def __init__(self, header: JsonView, arrays: Mapping[str, np.ndarray]) -> None:
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


EMPTY = -1
"""The state in which no word before counts."""


class StateTable(NamedTuple):
    """The arrays of ``NGramTable``, and what makes an automaton of them. ``shorter`` has for each
    n-gram the longest known context that it ends with, itself not counted. ``contexts`` has one
    number: the n-grams below the highest order, which come first."""

    places: np.ndarray
    values: np.ndarray
    numbers: np.ndarray
    shorter: np.ndarray
    contexts: np.ndarray

    @classmethod
    def of(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> StateTable:
        """The table of what ``NGramModel`` gives as ``header`` and ``arrays``."""
        places, values, numbers = FastNGram(header, arrays).table
        shorter = np.full(len(values), EMPTY, np.int64)
        link(arrays["ngram_keys"], places, numbers, shorter)
        contexts = np.array([len(arrays["ngram_back_offs"])], np.int64)
        return cls(places, values, numbers, shorter, contexts)


@kernel
def link(keys, places, numbers, shorter):
    """Fill ``shorter``. Shorter n-grams come first, so what is asked of them is there."""
    size = numbers[SIZE]
    for i in range(keys.shape[0]):
        context, word = keys[i] // size, keys[i] % size
        state, node = shorter[context], np.int64(-1)
        while state != EMPTY and node < 0:
            node = child(places, numbers, state, word)
            state = shorter[state]
        shorter[size + i] = node if node >= 0 else word


@kernel(inline="always")
def after(table, state, word):
    """log p(word | state), added as ``NGramModel.log_prob`` adds it, and the state behind it."""
    total, node = 0.0, np.int64(-1)
    while state != EMPTY and node < 0:
        node = child(table.places, table.numbers, state, word)
        if node < 0:
            total += table.values[state, 1]
            state = table.shorter[state]
    if node < 0:
        node = word
    total += table.values[node, 0]
    return total, (node if node < table.contexts[0] else table.shorter[node])
