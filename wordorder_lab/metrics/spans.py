"""Spans: which stretches of words hang together in a tree, how long they are, how many are right.

Liu et al. 2015, section 4.3: "projective spans, which are dependency treelets" (Table 4, Figure 9).
There are two ways to read that, and both are here:

    built     what a derivation puts together: each unit, and each join of two neighbours. A word
              takes its right dependents first, then its left ones, the nearest first, so n units
              give 2n - 1 spans, the last of them the sentence.
    subtree   what hangs below a word of the finished tree, with the word itself: n spans.

"a team of Harvard University", three units, is built as *a team*, *of*, *Harvard University*, *of
Harvard University*, *a team of Harvard University*; the subtrees are the same without *of* alone.

Two spans are equal if they are the same words in the same order; where their sentences hold them
does not matter. Like constituents in parsing they are compared a sentence at a time and as often as
they are there: of two *the dog* against one, one is right. A length counts words, so that of a base
NP kept whole, too.

Differences
- *Paper silent*, section 4.3: what makes two spans equal, and which of the two readings it counts.
- *Our reading*, Table 4: it can hardly have counted single units, which ``least=2`` leaves out. A
  system that loses no word has them all right, which is half of its 2n - 1 spans, and the paper's
  best precision is 24.63.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from wordorder_lab.metrics.significance import SAMPLES, SEED

CUTS = (5, 10, 15, 30)
JOINS = ("LEFTARC", "RIGHTARC", "HeadLeft", "HeadRight")
"""The actions that put two neighbours together; in CCG they follow the sign of a rule."""
UNITS = ("SHIFT", "leaf")  # how the actions begin that bring a unit


class Span(NamedTuple):
    """Its words in order, and how many units they are."""

    words: tuple[str, ...]
    units: int = 1

    def join(self, right: Span) -> Span:
        """This span and the one to its right as one."""
        return Span(self.words + right.words, self.units + right.units)


Units = Sequence[Sequence[str]]


def derivation_spans(units: Units, actions: Iterable[str], least: int = 1) -> list[Span]:
    """The spans that these actions build of the units, in the order of their making.

    ``actions`` are those of ``Result.actions``, of any system: the names in ``JOINS`` join the two
    latest spans, and ``UNITS`` begin what brings the next unit. A unary rule of CCG makes no span:
    its words are one already. A search that was stopped may leave several spans, or none. Those of
    fewer than ``least`` units are left out. Raises ``ValueError`` for actions that do not fit the
    units.
    """
    coming = iter(units)
    stack: list[Span] = []
    made: list[Span] = []
    for action in actions:
        if action.startswith(UNITS):
            if (unit := next(coming, None)) is None:
                raise ValueError(f"{action}: there are only {len(units)} units")
            stack.append(Span(tuple(unit)))
        elif action.rpartition(" ")[2] in JOINS:
            if len(stack) < 2:
                raise ValueError(f"{action} after {len(made)} actions: there are no two to join")
            right = stack.pop()
            stack[-1] = stack[-1].join(right)
        else:
            continue
        made.append(stack[-1])
    if next(coming, None) is not None:
        raise ValueError(f"the actions bring fewer units than the {len(units)} that there are")
    return [span for span in made if span.units >= least]


def built_spans(units: Units, heads: Sequence[int], least: int = 1) -> list[Span]:
    """The spans of the derivation that builds this tree, right dependents before left ones.

    ``heads`` are those of a projective tree, -1 for a root; spans of fewer than ``least`` units are
    left out. Raises ``ValueError`` for lists of unequal length and crossing arcs.
    """
    reach = _reach(units, heads)
    built = []
    for place in range(len(heads)):
        first, last = place, place
        built.append((first, last))
        below = [child for child, head in enumerate(heads) if head == place]
        for child in (child for child in below if child > place):
            last = reach[child][1]
            built.append((first, last))
        for child in (child for child in reversed(below) if child < place):
            first = reach[child][0]
            built.append((first, last))
    return _words(units, built, least)


def subtree_spans(units: Units, heads: Sequence[int], least: int = 1) -> list[Span]:
    """For each word of a projective tree what hangs below it; arguments as ``built_spans``."""
    return _words(units, _reach(units, heads), least)


def _reach(units: Units, heads: Sequence[int]) -> list[tuple[int, int]]:
    if len(units) != len(heads):
        raise ValueError(f"{len(units)} units but {len(heads)} heads: give one a unit")
    reach = [(place, place) for place in range(len(heads))]
    inside = [1] * len(heads)
    for place in range(len(heads)):
        head, steps = heads[place], 0
        while head >= 0 and steps < len(heads):
            first, last = reach[head]
            reach[head] = min(first, place), max(last, place)
            inside[head] += 1
            head, steps = heads[head], steps + 1
    for (first, last), size in zip(reach, inside):
        if last - first + 1 != size:
            raise ValueError(f"the heads {list(heads)} are not a projective tree")
    return reach


def _words(units: Units, places: Iterable[tuple[int, int]], least: int) -> list[Span]:
    return [
        Span(tuple(word for unit in units[first : last + 1] for word in unit), last - first + 1)
        for first, last in places
        if last - first + 1 >= least
    ]


class SpanScore(NamedTuple):
    """Precision, recall and F in percent, 0 where there is nothing to divide by; and the counts."""

    precision: float
    recall: float
    f: float
    right: int
    made: int
    gold: int

    @classmethod
    def of(cls, right: int, made: int, gold: int) -> SpanScore:
        """The score of these counts."""
        precision, recall = (100 * right / n if n else 0.0 for n in (made, gold))
        f = 200 * right / (made + gold) if made + gold else 0.0  # = 2PR / (P + R)
        return cls(precision, recall, f, right, made, gold)


def score_intervals(
    counts: Sequence[Sequence[int]], *, samples: int = SAMPLES, seed: int = SEED
) -> dict[str, tuple[float, float]]:
    """The 95 % intervals of precision, recall and F, by drawing rows (right, made, gold)."""
    import numpy as np

    if not len(counts):
        raise ValueError("no sentences to draw from")
    rows, chance = np.asarray(counts), np.random.default_rng(seed)
    drawn = [rows[chance.integers(len(rows), size=len(rows))].sum(axis=0) for _ in range(samples)]
    scores = [SpanScore.of(*map(int, row)) for row in drawn]
    ends = np.percentile([score[:3] for score in scores], (2.5, 97.5), axis=0)
    names = SpanScore._fields[:3]
    return {name: (float(low), float(high)) for name, low, high in zip(names, *ends)}


@dataclass
class SpanTally:
    """Spans of many sentences by their length: entry ``i`` counts those of ``i`` words."""

    made: list[int] = field(default_factory=list)
    gold: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)

    def add(self, made: Iterable[Span], gold: Iterable[Span]) -> None:
        """Count the spans of one sentence beside its gold ones."""
        ours, theirs = (Counter(span.words for span in spans) for spans in (made, gold))
        for counts, bag in ((self.made, ours), (self.gold, theirs), (self.right, ours & theirs)):
            for words, times in bag.items():
                count_length(counts, len(words), times)

    def score(self, below: int | None = None, least: int = 1) -> SpanScore:
        """Of the spans with ``least`` words or more, and fewer than ``below`` if it is given."""
        return SpanScore.of(*(sum(c[least:below]) for c in (self.right, self.made, self.gold)))


def count_length(counts: list[int], length: int, times: int = 1) -> None:
    """Count so many spans of a length; the list grows with it."""
    if length >= len(counts):
        counts.extend([0] * (length + 1 - len(counts)))
    counts[length] += times


def shares(counts: Sequence[int], longest: int) -> list[float]:
    """What share of the spans has 1 to ``longest`` words, and, last, more; all are 0 without a
    span."""
    total = sum(counts) or 1
    short = [count / total for count in counts[1 : longest + 1]]
    return [*short, *[0.0] * (longest - len(short)), sum(counts[longest + 1 :]) / total]


def total_variation(first: Sequence[float], second: Sequence[float]) -> float:
    """How much two distributions differ: the share that would have to move, from 0 to 1."""
    return sum(abs(a - b) for a, b in zip_longest(first, second, fillvalue=0.0)) / 2


def jensen_shannon(first: Sequence[float], second: Sequence[float]) -> float:
    """The Jensen-Shannon distance of two distributions of equal length, base 2, from 0 to 1."""
    from scipy.spatial.distance import jensenshannon

    if not (any(first) and any(second)):
        raise ValueError("there are no spans to compare")
    distance = float(jensenshannon(first, second, base=2))
    return distance if distance > 0 else 0.0  # rounding may take the root of a hair below 0
