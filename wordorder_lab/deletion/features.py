"""The features of a bigram of kept words, and of everything that is dropped between them.

McDonald (2006), as we remember it: soft syntactic evidence. The features of a bigram are those of
its *parts*; a part is a row of feature numbers that many bigrams share, so it is looked at once:

    the parts of the bigram (i, j):
        the pair i and j;  the kept word j
        for each dropped word k between them, from left to right
            the word k;  k beside i;  k beside j
        for each node of the tree that holds a dropped word, in post-order
            dropped as a whole, the largest such phrase;  begun: j is in it, its beginning is gone;
            ended: i is in it, its end is gone

Both engines read the same rows, ``SentenceParts``, and add up weights in this order.

Differences
- *Our reading*: the tags of a dropped word and of both kept words are looked at two
  by two, not all three together; then a row knows two positions, and n words have n^2 rows.
- *Our reading*: the paper, as we remember it, has two parsers, for dependencies and for phrases.
  Ours is one phrase-structure tree, whose heads give the dependencies.
- *Our reading*: the paper was not at hand. The exact conjunctions are those of
  ``tables/mcdonald_2006.txt``, which follows what the literature tells of it.
- *Our reading*: words are rarely looked at, since we remember that they were too sparse;
  ``tables/mcdonald_2006_words.txt`` is the same table with words, for comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from wordorder_lab.deletion.context import (
    Values,
    Words,
    beside_values,
    pair_values,
    phrase_values,
    word_values,
)
from wordorder_lab.deletion.templates import DeletionTemplate, DeletionTemplates
from wordorder_lab.structures.deletion import DeletionSentence

Key = tuple[int | str, ...]
"""A feature: the number of its template, then its values."""


class DeletionFeatures:
    """The numbers of features, in the order in which they were met. ``freeze`` ends that: a feature
    that is new afterwards gets no number."""

    def __init__(self, templates: DeletionTemplates, keys: Sequence[Key] = ()) -> None:
        self.templates = templates
        self.numbers: dict[Key, int] = {key: i for i, key in enumerate(keys)}
        self._frozen = False

    def __len__(self) -> int:
        return len(self.numbers)

    def freeze(self) -> None:
        """No feature gets a number any more."""
        self._frozen = True

    def name(self, key: Key) -> str:
        """A feature as people read it: ``dropped t0=JJ``."""
        template = self.templates.every[int(key[0])]
        pairs = (f"{atom}={value}" for atom, value in zip(template.atoms, key[1:], strict=True))
        return " ".join((template.part, *pairs))

    def row(self, templates: Sequence[DeletionTemplate], values: Values) -> list[int]:
        """The numbers of the features that these templates make of these values."""
        found = []
        for template in templates:
            chosen = [values[atom] for atom in template.atoms]
            if not all(chosen):
                continue
            key: Key = (template.number, *chosen)
            number = self.numbers.get(key, -1)
            if number < 0 and not self._frozen:
                number = self.numbers[key] = len(self.numbers)
            if number >= 0:
                found.append(number)
        return found

    def parts(self, sentence: DeletionSentence) -> SentenceParts:
        """The parts of all bigrams of a sentence, with the numbers of their features."""
        return _Rows(self, sentence).parts()


class SentenceParts(NamedTuple):
    """The parts of a sentence of n words: rows of feature numbers.

    Row r is ``ids[starts[r]:starts[r + 1]]``, int32. ``kept[j]``, ``pair[i, j]``, ``dropped[k]``,
    ``left[i, k]`` and ``right[k, j]`` are rows by position, -1 where there is none. A line of
    ``phrases``, in post-order: first position, last position, those of the phrase above (0 and
    n + 1 for the root), and the rows for dropped as a whole, begun, ended.
    """

    ids: np.ndarray
    starts: np.ndarray
    kept: np.ndarray
    pair: np.ndarray
    dropped: np.ndarray
    left: np.ndarray
    right: np.ndarray
    phrases: np.ndarray

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.kept) - 2

    def bigram(self, i: int, j: int) -> Iterator[int]:
        """The rows of a bigram, in the order in which they are added up."""
        yield int(self.pair[i, j])
        yield int(self.kept[j])
        for k in range(i + 1, j):
            yield int(self.dropped[k])
            yield int(self.left[i, k])
            yield int(self.right[k, j])
        if j > i + 1:
            for first, last, above, below, whole, begun, ended in self.phrases.tolist():
                if first > i and last < j:
                    if above <= i or below >= j:
                        yield whole
                elif i < first < j <= last:
                    yield begun
                elif first <= i < last < j:
                    yield ended

    def path(self, kept: Sequence[int]) -> Iterator[int]:
        """The feature numbers of a compression, bigram by bigram."""
        positions = [0, *(place + 1 for place in kept), self.words + 1]
        for i, j in pairwise(positions):
            for row in self.bigram(i, j):
                yield from self.ids[self.starts[row] : self.starts[row + 1]].tolist()


def bigram_scores(parts: SentenceParts, weights: np.ndarray) -> np.ndarray:
    """The score of every bigram, float64 of shape (n + 2, n + 2); 0 where i is not before j."""
    rows = part_scores(parts, weights)
    size = parts.words + 2
    scores = np.zeros((size, size))
    for i in range(size - 1):
        for j in range(i + 1, size):
            total = 0.0
            for row in parts.bigram(i, j):
                total += rows[row]
            scores[i, j] = total
    return scores


def part_scores(parts: SentenceParts, weights: np.ndarray) -> list[float]:
    """The score of every row: its weights, added from left to right."""
    points = weights[parts.ids].tolist()
    starts = parts.starts.tolist()
    scores = []
    for begin, end in pairwise(starts):
        total = 0.0
        for i in range(begin, end):
            total += points[i]
        scores.append(total)
    return scores


class _Rows:
    def __init__(self, features: DeletionFeatures, sentence: DeletionSentence) -> None:
        self.features, self.sentence = features, sentence
        self.words = Words.of(sentence)
        self.rows: list[list[int]] = []
        self.templates = features.templates.by_part

    def parts(self) -> SentenceParts:
        """All of them."""
        words, size = self.words, len(self.sentence) + 2
        kept, dropped = (np.full(size, -1, np.int32) for _ in range(2))
        pair, left, right = (np.full((size, size), -1, np.int32) for _ in range(3))
        for j in range(1, size):
            values = word_values(words, j)
            kept[j] = self._add("kept", values)
            if j < size - 1:
                dropped[j] = self._add("dropped", values)
        for i in range(size - 1):
            for j in range(i + 1, size):
                pair[i, j] = self._add("pair", pair_values(words, i, j))
                if j < size - 1:
                    left[i, j] = self._add("left", beside_values(words, i, j))
                if i:
                    right[i, j] = self._add("right", beside_values(words, j, i))
        phrases = self._phrases()
        starts = np.zeros(len(self.rows) + 1, np.int32)
        starts[1:] = np.cumsum([len(row) for row in self.rows])
        ids = np.array([*chain.from_iterable(self.rows)], np.int32)
        return SentenceParts(ids, starts, kept, pair, dropped, left, right, phrases)

    def _phrases(self) -> np.ndarray:
        nodes, lines = self.sentence.nodes, []
        everything = (0, len(self.sentence) + 1)
        if nodes is not None:
            for node, values in enumerate(phrase_values(self.sentence)):
                above = nodes.parents[node]
                inside = nodes.begins[above] + 1, nodes.ends[above]
                span = inside if above >= 0 else everything
                rows = [self._add(part, values) for part in ("whole", "begun", "ended")]
                lines.append([nodes.begins[node] + 1, nodes.ends[node], *span, *rows])
        return np.array(lines, np.int32).reshape(-1, 7)

    def _add(self, part: str, values: Values) -> int:
        self.rows.append(self.features.row(self.templates[part], values))
        return len(self.rows) - 1
