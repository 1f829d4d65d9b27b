"""Which tags a word may have, and how well each fits: counts, smoothed by what the word looks like.

For a word w, a tag t of the treebank and a symbol s of the grammar that is a split of t:

    P(t | w) = (count(t, w) + SMOOTH * P(t | shape of w)) / (count(w) + SMOOTH)
    P(s | w) = (count(s, w) + SMOOTH * P(t | w) * P(s | t)) / (count(w) + SMOOTH)
    score(s) = log P(s | w) - log P(s) + log P(w)

so the score is the logarithm of P(w | s), by Bayes' rule, after Klein & Manning (2003). What the
tags of a shape are is counted over words that training saw once. A word that was seen
``OFTEN`` times has no other tags than it was seen with. A capital at the beginning says little: a
word that is unknown with it is looked up without.

Differences
- *Our reading*: the paper was not at hand; the formulas are ours, in the manner that is told of it.
- *Our reading*: the smoothing constants are ours, chosen on the Penn sample's dev part.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from wordorder_lab.models.file_parts import in_range, row, sorted_texts
from wordorder_lab.models.word_classes import shape
from wordorder_lab.parsing.annotation import Node, label_of, leaves_of

SMOOTH = 1.0
OFTEN = 20
RARE = 1
KEPT = 50_000
"""Words whose fits are remembered."""
ENTRIES = ("entry_words", "entry_symbols", "entry_counts")
LOOKS = ("shape_rows", "shape_tags", "shape_counts")
ARRAYS = (*ENTRIES, *LOOKS)

Fits = list[tuple[int, float]]
"""The numbers of a word's symbols, ascending, each with its score."""


@dataclass(frozen=True)
class Lexicon:
    """Counts of words with symbols, and of shapes with tags; ``symbols`` are the grammar's."""

    symbols: tuple[str, ...]
    words: tuple[str, ...]
    shapes: tuple[str, ...]
    entries: Mapping[str, Mapping[int, int]]
    shape_tags: Mapping[str, Mapping[str, int]]

    def fits(self, word: str, tag: str | None = None, first: bool = False) -> Fits:
        """The symbols that a word may have, with log P(word | symbol); with a ``tag`` that the
        grammar has, only splits of it. ``first``: the word begins the sentence. The list is kept
        for the next time, so nobody changes it."""
        found = self._kept.get((word, tag, first))
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = self._kept[word, tag, first] = self._fits(word, tag, first)
        return found

    def _fits(self, word: str, tag: str | None, first: bool) -> Fits:
        known = self._known(word, first)
        counts = self.entries.get(known, {})
        seen = self._word_totals.get(known, 0)
        tags = self._tag_shares(counts, seen, shape(word, first))
        if tag in self._splits:
            tags = {tag: tags.get(tag, 0.0) or 1.0 / (seen + 1.0)}
        log_word = math.log(max(seen, 0.5) / self._total)
        found = []
        for one in sorted(tags):
            for symbol, share in self._splits[one]:
                fit = (counts.get(symbol, 0) + SMOOTH * tags[one] * share) / (seen + SMOOTH)
                if fit > 0:
                    found.append((symbol, math.log(fit) - self._log_shares[symbol] + log_word))
        return sorted(found)

    def _known(self, word: str, first: bool) -> str:
        if first and word not in self.entries and word.lower() in self.entries:
            return word.lower()
        return word

    def _tag_shares(self, counts: Mapping[int, int], seen: int, looks: str) -> dict[str, float]:
        own: dict[str, int] = defaultdict(int)
        for symbol, count in counts.items():
            own[self._tags[symbol]] += count
        if seen >= OFTEN:
            return {tag: count / seen for tag, count in own.items()}
        by_shape = self._shape_shares.get(looks, self._rare_shares)
        return {
            tag: (own.get(tag, 0) + SMOOTH * by_shape.get(tag, 0.0)) / (seen + SMOOTH)
            for tag in {**own, **by_shape}
        }

    # --- what is computed of the counts once

    @cached_property
    def _kept(self) -> dict[tuple[str, str | None, bool], Fits]:
        return {}

    @cached_property
    def _tags(self) -> dict[int, str]:
        return {symbol: label_of(self.symbols[symbol]) for symbol in self._symbol_totals}

    @cached_property
    def _word_totals(self) -> dict[str, int]:
        return {word: _total(counts.values()) for word, counts in self.entries.items()}

    @cached_property
    def _total(self) -> int:
        return _total(self._word_totals.values())

    @cached_property
    def _symbol_totals(self) -> dict[int, int]:
        totals: Counter[int] = Counter()
        for counts in self.entries.values():
            totals.update(counts)
        return dict(sorted(totals.items()))

    @cached_property
    def _log_shares(self) -> dict[int, float]:
        return {one: math.log(count / self._total) for one, count in self._symbol_totals.items()}

    @cached_property
    def _splits(self) -> dict[str, list[tuple[int, float]]]:
        totals: Counter[str] = Counter()
        for symbol, count in self._symbol_totals.items():
            totals[self._tags[symbol]] += count
        found: dict[str, list[tuple[int, float]]] = {}
        for symbol, count in self._symbol_totals.items():
            tag = self._tags[symbol]
            found.setdefault(tag, []).append((symbol, count / totals[tag]))
        return found

    @cached_property
    def _rare_shares(self) -> dict[str, float]:
        """The tags of words that were seen once, or of all where there is none."""
        totals: Counter[str] = Counter()
        for counts in self.shape_tags.values():
            totals.update(counts)
        return _shares(totals or Counter(dict.fromkeys(self._splits, 1)))

    @cached_property
    def _shape_shares(self) -> dict[str, dict[str, float]]:
        """Of each shape its tags' shares, smoothed by those of all rare words."""
        found = {}
        for looks, counts in self.shape_tags.items():
            seen = _total(counts.values())
            found[looks] = {
                tag: (counts.get(tag, 0) + SMOOTH * share) / (seen + SMOOTH)
                for tag, share in self._rare_shares.items()
            }
        return found

    # --- the model file

    def arrays(self) -> dict[str, np.ndarray]:
        """What a file keeps beside words, shapes and symbols."""
        rows = [
            (number, symbol, self.entries[word][symbol])
            for number, word in enumerate(self.words)
            for symbol in sorted(self.entries[word])
        ]
        tags = self.tags
        looks = [
            (number, tags.index(tag), self.shape_tags[one][tag])
            for number, one in enumerate(self.shapes)
            for tag in sorted(self.shape_tags[one])
        ]
        columns = [[one[i] for one in table] for table in (rows, looks) for i in range(3)]
        return {name: np.array(column, dtype=np.int64) for name, column in zip(ARRAYS, columns)}

    @property
    def tags(self) -> list[str]:
        """The tags of the treebank, sorted."""
        return sorted(self._splits)

    @classmethod
    def from_parts(
        cls, symbols: Sequence[str], words: Any, shapes: Any, arrays: Mapping[str, np.ndarray]
    ) -> Self:
        """The lexicon of a file's parts. Raises ``ValueError`` where they do not fit together."""
        known, looks = sorted_texts(words, "the words"), sorted_texts(shapes, "the shapes")
        entries: dict[str, dict[int, int]] = {word: {} for word in known}
        for word, symbol, count in _rows(arrays, ENTRIES, len(known), len(symbols)):
            entries[known[word]][symbol] = count
        if not known or not all(entries.values()):
            raise ValueError("there is a word without a tag, or no word")
        lexicon = cls(tuple(symbols), known, looks, entries, {})
        tags = lexicon.tags
        by_shape: dict[str, dict[str, int]] = {one: {} for one in looks}
        for look, tag, count in _rows(arrays, LOOKS, len(looks), len(tags)):
            by_shape[looks[look]][tags[tag]] = count
        return cls(tuple(symbols), known, looks, entries, by_shape)


def lexicon_of(trees: Iterable[Node], symbols: Sequence[str]) -> Lexicon:
    """Count the words of annotated trees; ``symbols`` are those of the grammar."""
    ids = {symbol: number for number, symbol in enumerate(symbols)}
    entries: dict[str, Counter[int]] = {}
    places: list[tuple[str, bool, str]] = []
    for tree in trees:
        for place, leaf in enumerate(leaves_of(tree)):
            entries.setdefault(leaf.word, Counter())[ids[leaf.symbol]] += 1
            places.append((leaf.word, place == 0, leaf.label))
    by_shape: dict[str, Counter[str]] = {}
    for word, first, tag in places:
        if entries[word].total() <= RARE:
            by_shape.setdefault(shape(word, first), Counter())[tag] += 1
    words, shapes = tuple(sorted(entries)), tuple(sorted(by_shape))
    return Lexicon(tuple(symbols), words, shapes, entries, by_shape)


def _rows(
    arrays: Mapping[str, np.ndarray], names: Sequence[str], first: int, second: int
) -> list[tuple[int, int, int]]:
    size = len(row(arrays, names[0], np.int64))
    for name, least, most in zip(names, (0, 0, 1), (first - 1, second - 1, 1 << 40)):
        in_range(row(arrays, name, np.int64, size), name, least, most)
    return list(zip(*(arrays[name].tolist() for name in names)))


def _total(counts: Iterable[int]) -> int:
    total = 0
    for count in counts:
        total += count
    return total


def _shares(counts: Counter[str]) -> dict[str, float]:
    whole = counts.total()
    return {tag: count / whole for tag, count in sorted(counts.items())}
