"""The n-grams of ``ngram_fast`` as an automaton: where a sentence stands, in one number.

Of the words so far only those count that stand in the trie as a context, the longest such. The
number of that n-gram is the *state*; it is ``EMPTY`` where not even the last word counts. Backing
off goes from a state to the next shorter context that is known. So ``after`` gives what
``NGramModel.log_prob`` gives, bit for bit: contexts that are not known add nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.models.ngram_fast import SIZE, FastNGram, child
from wordorder_lab.runtime.kernel_fast import kernel

EMPTY = -1
"""The state in which no word before counts."""


class StateTable(NamedTuple):
    """The arrays of a model as kernels take them.

    ``places``, ``values`` and ``numbers`` are those of ``NGramTable``. ``shorter`` has for each
    n-gram the longest known context that it ends with, itself not counted. ``contexts`` has one
    number: the n-grams below the highest order, which come first, are the contexts.
    """

    places: np.ndarray
    values: np.ndarray
    numbers: np.ndarray
    shorter: np.ndarray
    contexts: np.ndarray

    @classmethod
    def of(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> StateTable:
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
