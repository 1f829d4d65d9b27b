"""An n-gram language model with back-off: how likely a word is after the words before it.

Cohn & Lapata 2009, section 4: the conditional log-probability of a trigram model is their only
n-gram feature. ``kneser_ney.estimate_ngrams`` learns a model from text, ``arpa.read_arpa`` takes
another tool's.

The n-grams are the nodes of a trie. The 1-grams are its first nodes, in the order of the
vocabulary; the n-gram w1 ... wk hangs as ``wk`` below the node of w1 ... w(k-1). Its key is the
number of that node times the size of the vocabulary, plus the number of wk. Keys ascend through all
orders, so an n-gram's number is the place of its key behind the 1-grams.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from wordorder_lab.models.file_parts import Json, JsonView, rows, texts, whole
from wordorder_lab.structures.messages import MOST_ORDER

MARKS = UNKNOWN, START, END = "<unk>", "<s>", "</s>"
"""The first three of every vocabulary: any other word, a sentence's borders."""

UNKNOWN_ID, START_ID, END_ID = range(3)

NGRAM_ARRAYS = ("ngram_keys", "ngram_log_probs", "ngram_back_offs")
"""What a model file calls the arrays of an ``NGramModel``."""

LARGEST_LOG = 1e6
"""No logarithm of a probability or a back-off is further from 0."""

NEVER = -99 * math.log(10)
"""The logarithm of what does not happen; ARPA files write it as -99."""


class Discounts(NamedTuple):
    """What is taken from n-grams seen once, twice and more often (Chen & Goodman 1998).
    ``closed_form`` is false where the text was too small for their formula (see ``kneser_ney``)."""

    one: float
    two: float
    more: float
    closed_form: bool


class LocalNGrams(NamedTuple):
    """The n-grams that are made of some words alone, as a trie of its own. ``words`` are numbers of
    1-grams, the same for equal ones; ``children[n, w]`` is the number of n-gram ``n`` with 1-gram
    ``w`` behind it, or -1; the longest n-grams have no line."""

    words: np.ndarray
    children: np.ndarray
    log_probs: np.ndarray
    back_offs: np.ndarray


@dataclass(frozen=True, eq=False)
class NGramModel:
    """Natural logarithms of probabilities and of back-off weights, by the number of an n-gram.

    ``vocabulary``: the three ``MARKS``, then the words, sorted. ``sizes[k-1]``: how many n-grams of
    k words there are. ``keys``: int64, one for each n-gram of two or more words. ``log_probs`` and
    ``back_offs``: float64, of each n-gram, and of each below the highest order. ``discounts``:
    those of each order; none of an ARPA file.
    """

    vocabulary: tuple[str, ...]
    sizes: tuple[int, ...]
    keys: np.ndarray
    log_probs: np.ndarray
    back_offs: np.ndarray
    discounts: tuple[Discounts, ...] = ()

    unknown: ClassVar[int] = UNKNOWN_ID
    start: ClassVar[int] = START_ID
    end: ClassVar[int] = END_ID
    """The ids of every word outside the vocabulary, and of the marks around a sentence."""

    @property
    def order(self) -> int:
        """The length of the longest n-grams: 3 for trigrams."""
        return len(self.sizes)

    def word_id(self, word: str) -> int:
        """The id of a word. A word of the text that looks like a mark is an unknown word."""
        return self._ids.get(word, UNKNOWN_ID)

    @cached_property
    def _ids(self) -> dict[str, int]:
        known = enumerate(self.vocabulary)
        return {word: number for number, word in known if number >= len(MARKS)}

    def log_prob(self, context: Sequence[int], word: int) -> float:
        """log p(word | context), a natural logarithm; of the context, the last order - 1 ids count.

        The order of the additions is fixed, and the kernel in ``ngram_fast`` adds in the same one:
        from 0.0, for each context from the longest to the shortest, plus the logarithm of the
        n-gram if it is there, and that is the result; else plus the context's back-off if the
        context is there. The empty context comes last and has every word.
        """
        total = 0.0
        for first in range(max(0, len(context) - self.order + 1), len(context)):
            node = self._node(context, first)
            if node < 0:
                continue
            found = self._child(node, word)
            if found >= 0:
                return total + float(self.log_probs[found])
            total += float(self.back_offs[node])
        return total + float(self.log_probs[word])

    def known_end(self, context: Sequence[int]) -> tuple[int, ...]:
        """The longest end of a context that the model knows, of order - 1 ids at most. Contexts
        with the same one give every word the same probability, whatever comes next."""
        for first in range(max(0, len(context) - self.order + 1), len(context)):
            if self._node(context, first) >= 0:
                return tuple(context[first:])
        return ()

    def _node(self, context: Sequence[int], first: int) -> int:
        """The number of the n-gram that the context is from ``first`` on; -1 if it is not there."""
        node = context[first]
        for place in range(first + 1, len(context)):
            node = self._child(node, context[place])
            if node < 0:
                break
        return node

    def _child(self, node: int, word: int) -> int:
        key = node * len(self.vocabulary) + word
        at = int(self.keys.searchsorted(key))
        if at == len(self.keys) or self.keys[at] != key:
            return -1
        return len(self.vocabulary) + at

    def numbers(self, keys: np.ndarray) -> np.ndarray:
        """The numbers of n-grams by their keys, -1 where there is none."""
        if not len(self.keys):
            return np.full(keys.shape, -1)
        at = np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, len(self.vocabulary) + at, -1)

    def among(self, ids: Sequence[int]) -> LocalNGrams:
        """The n-grams of these words: who scores them again and again asks this once."""
        longest, places = np.unique(np.array(ids, np.int64), return_inverse=True)
        found, lines = [longest], [np.empty((0, len(longest)), np.int64)]
        size = len(longest)
        for _ in range(1, self.order):
            below = self.numbers(longest[:, None] * len(self.vocabulary) + found[0])
            there = below >= 0
            longest = below[there]
            below[there] = np.arange(size, size + len(longest))
            found.append(longest)
            lines.append(below)
            size += len(longest)
        numbers, children = np.concatenate(found), np.concatenate(lines)
        back_offs = np.zeros(size)
        back_offs[: len(children)] = self.back_offs[numbers[: len(children)]]
        return LocalNGrams(places, children, self.log_probs[numbers], back_offs)

    def score(self, words: Sequence[str]) -> float:
        """The log-probability of a sentence and its end, added from left to right."""
        ids = [START_ID] * (self.order - 1) + [self.word_id(word) for word in words] + [END_ID]
        total = 0.0
        for place in range(self.order - 1, len(ids)):
            total += self.log_prob(ids[place - self.order + 1 : place], ids[place])
        return total

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """exp of the mean -log p over all words and sentence ends, unknown words included. Raises
        ``ValueError`` if there is no sentence."""
        total, events = 0.0, 0
        for sentence in sentences:
            total += self.score(sentence)
            events += len(sentence) + 1
        if not events:
            raise ValueError("perplexity is measured on text: give at least one sentence")
        return math.exp(-total / events)

    # --- the model at rest ---------------------------------------------------------------------

    def header(self) -> Json:
        """What a model file's header says of the model, ready for JSON."""
        return {
            "vocabulary": list(self.vocabulary),
            "sizes": list(self.sizes),
            "discounts": [list(discounts) for discounts in self.discounts],
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model file."""
        return dict(zip(NGRAM_ARRAYS, (self.keys, self.log_probs, self.back_offs), strict=True))

    @classmethod
    def from_arrays(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> NGramModel:
        """The model of what ``header`` and ``arrays`` gave; other arrays may lie beside them.
        Raises ``ValueError`` if they do not fit together."""
        try:
            keys, log_probs, back_offs = (arrays[name] for name in NGRAM_ARRAYS)
            discounts = [Discounts(*row) for row in rows(header["discounts"], "the discounts")]
            model = cls(
                texts(header["vocabulary"], "the vocabulary"),
                tuple(whole(size, "a size") for size in rows(header["sizes"], "the sizes")),
                keys,
                log_probs,
                back_offs,
                tuple(discounts),
            )
            fits = _fits(model)
        except (KeyError, TypeError, ValueError):
            fits = False
        if not fits:
            raise ValueError("its n-grams do not fit together")
        return model


def _fits(model: NGramModel) -> bool:
    """Whether every lookup stays inside the arrays and finds a number."""
    size, sizes = len(model.vocabulary), model.sizes
    if (
        not 1 <= len(sizes) <= MOST_ORDER
        or sizes[0] != size
        or model.vocabulary[: len(MARKS)] != MARKS
    ):
        return False
    total = len(model.log_probs)
    kinds = [array.dtype for array in (model.keys, model.log_probs, model.back_offs)]
    shapes = (model.keys.shape, model.log_probs.shape, model.back_offs.shape)
    return (
        kinds == [np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.float64)]
        and shapes == ((total - size,), (total,), (total - sizes[-1],))
        and len(set(model.vocabulary)) == size
        and len(model.discounts) in (0, len(sizes))
        and bool((np.diff(model.keys) > 0).all())
        and _parents_fit(model.keys // size, sizes)
        and all((np.abs(logs) <= LARGEST_LOG).all() for logs in (model.log_probs, model.back_offs))
    )


def _parents_fit(parents: np.ndarray, sizes: Sequence[int]) -> bool:
    """Whether the n-grams of each order hang below those of the order before."""
    begin = at = 0
    for shorter, longer in pairwise(sizes):
        mine = parents[at : at + longer]
        if longer < 0 or not bool(((mine >= begin) & (mine < begin + shorter)).all()):
            return False
        begin, at = begin + shorter, at + longer
    return at == len(parents)


# --- The trie


def distinct(rows: np.ndarray, more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different ones of ``rows`` and ``more``, ascending; for each of ``rows`` its place."""
    both = np.concatenate([rows, more])
    base = int(both.max(initial=0)) + 1
    codes = both[:, 0].astype(np.int64)
    for column in both.T[1:]:
        # Numbered anew at each column, codes stay small enough for any order.
        codes = np.unique(codes, return_inverse=True)[1] * base + column
    _, first, at = np.unique(codes, return_index=True, return_inverse=True)
    return both[first], at[: len(rows)]


def trie(orders: Sequence[np.ndarray], size: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """The keys of all n-grams, and for each order its n-grams' contexts. ``orders``: for each
    length, the different n-grams in ascending order, with every context of a longer one among them;
    the 1-grams are the whole vocabulary of ``size`` words. A context is given as its row in the
    order below, and the empty one as 0."""
    keys = np.empty(0, np.int64)
    contexts = [np.zeros(size, np.int64)]
    below = 0
    for shorter, longer in pairwise(orders):
        numbers = longer[:, 0].astype(np.int64)
        for column in longer.T[1:-1]:
            numbers = size + keys.searchsorted(numbers * size + column)
        keys = np.concatenate([keys, numbers * size + longer[:, -1]])
        contexts.append(numbers - below)
        below += len(shorter)
    return keys, contexts
