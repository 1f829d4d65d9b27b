"""What a treebank says about heads: which dependents they have, on which side, and how many.

For a head h, a side s and a dependent d, each a word with its tag, there are

    r(d, s | h)    how often h has d on this side, by how often h is seen    ``arc``
    p(d | s, h)    which dependent it is, if there is one on this side       ``dependent``
    p(n | s, h)    how many dependents h has on this side                    ``valency``

The spanning tree is that of the first. The assignment takes the second for what a dependent is
worth to a head, and the third for whether the head is satisfied.

Counts of a word back off to those of its tag, each level with the weight of ``STRENGTH`` sightings:

    p(x | word, tag) = (c(x, word, tag) + STRENGTH p(x | tag)) / (c(word, tag) + STRENGTH)

so a word seen often speaks for itself, and one never seen is its tag. First the dependent's tag is
asked for, then its word. The word of a phrase that is kept whole is its last one.

Differences
- *Paper silent*, as Wan et al. (2009) is not before us: what is known of it (Zhang & Clark 2011,
  section 6, and others) is that weights of arcs come from a treebank and back off to tags. The
  levels, and their weights, are ours.
- *Our reading*: in ``arc`` it is by how often the head is seen, not by how many dependents it has.
  Among the words of one bag, determiners would make good heads otherwise: they have few dependents,
  and so each of these a large share.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.file_parts import in_range, row
from wordorder_lab.structures.bag import MAX_UNITS
from wordorder_lab.structures.sentence import ROOT, Sentence

LEFT, RIGHT = 0, 1
SIDES = (LEFT, RIGHT)
STRENGTH = 5.0
"""Sightings that a level weighs against the one before it."""
MOST_DEPENDENTS = 12
"""Of one head on one side: beyond that, one more is as likely as the twelfth was."""
UNSEEN = -2
"""The number of a word or tag that training did not have; the root's is ``ROOT``."""
ARCS = ("arc_head_word", "arc_head_tag", "arc_side", "arc_word", "arc_tag", "arc_count")
UNITS = ("unit_word", "unit_tag", "unit_left", "unit_right", "unit_count")
ARRAYS = (*ARCS, *UNITS)


class Known(NamedTuple):
    """A word with its tag, by their numbers."""

    word: int
    tag: int


AT_ROOT = Known(ROOT, ROOT)


@dataclass(frozen=True, eq=False)
class Statistics:
    """Counted arcs and units: an array a column, a row for each that differs. ``words`` and
    ``tags`` are sorted; a number in an array is a place there."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    columns: Mapping[str, np.ndarray]
    seen: Counter[tuple[object, ...]] = field(init=False, repr=False)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Statistics:
        """Count the arcs and units of sentences."""
        arcs: Counter[tuple[str, str, int, str, str]] = Counter()
        units: Counter[tuple[str, str, int, int]] = Counter()
        for sentence in sentences:
            looks = [(token.words[-1], token.pos) for token in sentence]
            sides = [[0, 0] for _ in looks]
            for place, token in enumerate(sentence):
                if token.head == ROOT:
                    arcs["", "", LEFT, *looks[place]] += 1
                    continue
                side = LEFT if place < token.head else RIGHT
                sides[token.head][side] += 1
                arcs[*looks[token.head], side, *looks[place]] += 1
            for look, (left, right) in zip(looks, sides, strict=True):
                units[*look, left, right] += 1
        words = tuple(sorted({word for word, *_ in units}))
        tags = tuple(sorted({tag for _, tag, *_ in units}))
        word = {"": ROOT} | {name: number for number, name in enumerate(words)}
        tag = {"": ROOT} | {name: number for number, name in enumerate(tags)}
        arc_rows = [
            (word[h], tag[t], side, word[w], tag[u], count)
            for (h, t, side, w, u), count in sorted(arcs.items())
        ]
        unit_rows = [
            (word[w], tag[t], a, b, count) for (w, t, a, b), count in sorted(units.items())
        ]
        return cls(words, tags, {**_columns(ARCS, arc_rows), **_columns(UNITS, unit_rows)})

    def __post_init__(self) -> None:
        object.__setattr__(self, "_words", {w: number for number, w in enumerate(self.words)})
        object.__setattr__(self, "_tags", {t: number for number, t in enumerate(self.tags)})
        seen: Counter[tuple[object, ...]] = Counter()
        for *key, count in zip(*(self.columns[name].tolist() for name in ARCS), strict=True):
            head_word, head_tag, side, word, tag = key
            for head in ((head_word, head_tag), (head_tag,), ()):
                seen["arcs", head, side] += count
                seen["arcs", head, side, tag] += count
                seen["arcs", head, side, tag, word] += count
        for *key, count in zip(*(self.columns[name].tolist() for name in UNITS), strict=True):
            word, tag, *numbers = key
            seen["tag of", word, tag] += count
            for head in ((word, tag), (tag,), ()):
                seen["units", head] += count
                for side, number in zip(SIDES, numbers, strict=True):
                    for least in range(min(number, MOST_DEPENDENTS) + 1):
                        seen["at least", head, side, least] += count
        for head in ((ROOT, ROOT), (ROOT,)):  # a sentence is a root's only unit
            seen["units", head] = seen["arcs", (ROOT,), LEFT]
        object.__setattr__(self, "seen", seen)

    # --- asking -----------------------------------------------------------------------------

    def known(self, word: str, tag: str) -> Known:
        """The numbers of a word and its tag."""
        words: Mapping[str, int] = getattr(self, "_words")  # noqa: B009  (it is no field)
        tags: Mapping[str, int] = getattr(self, "_tags")  # noqa: B009
        return Known(words.get(word, UNSEEN), tags.get(tag, UNSEEN))

    def usual_tag(self, word: str, tags: Iterable[str]) -> str:
        """Of these tags the one that the word is seen with most often, else the most frequent."""

        def frequency(tag: str) -> tuple[int, int]:
            word_number, tag_number = self.known(word, tag)
            return self.seen["tag of", word_number, tag_number], self.seen["units", (tag_number,)]

        return max(sorted(tags), key=frequency)

    def arc(self, head: Known, side: int, dependent: Known) -> float:
        """log r(d, s | h)."""
        rate = self._tag_share(head, side, dependent.tag, "units")
        return math.log(rate) + math.log(self._word_share(head, side, dependent))

    def dependent(self, head: Known, side: int, dependent: Known) -> float:
        """log p(d | s, h)."""
        share = self._tag_share(head, side, dependent.tag, "arcs")
        return math.log(share) + math.log(self._word_share(head, side, dependent))

    def valency(self, head: Known, side: int, number: int) -> float:
        """log p(n | s, h): so many times one more, then no more."""
        total = 0.0
        for so_far in range(number):
            total += math.log(self._one_more(head, side, so_far))
        return total + math.log(1 - self._one_more(head, side, number))

    def _tag_share(self, head: Known, side: int, tag: int, by: str) -> float:
        """c(s, tag, h) by c(h), or by c(s, h): how often h is seen, or its arcs on this side."""
        share = 0.0
        for level in ((), (head.tag,), (head.word, head.tag)):
            which = (by, level) if by == "units" else (by, level, side)
            usual = share if level else 1 / (2 * len(self.tags))
            share = _mixed(self.seen["arcs", level, side, tag], self.seen[which], usual)
        return share

    def _word_share(self, head: Known, side: int, dependent: Known) -> float:
        word, tag = dependent
        share = _mixed(
            self.seen["tag of", word, tag], self.seen["units", (tag,)], 1 / len(self.words)
        )
        for level in ((head.tag,), (head.word, head.tag)):
            among = ("arcs", level, side, tag)
            share = _mixed(self.seen[*among, word], self.seen[among], share)
        return share

    def _one_more(self, head: Known, side: int, so_far: int) -> float:
        """How likely a head that has so many dependents on this side has one more."""
        least = min(so_far, MOST_DEPENDENTS - 1)
        share = 0.5
        for level in ((), (head.tag,), (head.word, head.tag)):
            more = self.seen["at least", level, side, least + 1]
            share = _mixed(more, self.seen["at least", level, side, least], share)
        return share

    # --- the model file ---------------------------------------------------------------------

    @classmethod
    def from_arrays(
        cls, words: tuple[str, ...], tags: tuple[str, ...], arrays: Mapping[str, np.ndarray]
    ) -> Statistics:
        """The statistics of a model file. Raises ``ValueError`` for what cannot be counts."""
        if not words or not tags:
            raise ValueError("there are no words or no tags")
        most = {"word": len(words) - 1, "tag": len(tags) - 1, "side": RIGHT, "count": 2**31 - 1}
        columns: dict[str, np.ndarray] = {}
        for group in (ARCS, UNITS):
            length = None
            for name in group:
                columns[name] = row(arrays, name, np.int32, length)
                length = len(columns[name])
                least = ROOT if "head" in name else 1 if name.endswith("count") else 0
                limit = most.get(name.rpartition("_")[2], MAX_UNITS)
                in_range(columns[name], name, least, limit)
        return cls(words, tags, columns)


def _columns(names: Iterable[str], rows: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    table = np.array(rows, dtype=np.int32)
    return {name: np.ascontiguousarray(column) for name, column in zip(names, table.T, strict=True)}


def _mixed(count: int, among: int, usual: float) -> float:
    return (count + STRENGTH * usual) / (among + STRENGTH)
