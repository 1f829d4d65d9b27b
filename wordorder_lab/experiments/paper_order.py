"""Where what the paper has above is below in ours: a reader should not have to find it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from wordorder_lab.experiments.paper_values import Pair


class Reversal(NamedTuple):
    """Two values of the paper, the higher first, where ours of the second is the higher one."""

    high: Pair
    low: Pair

    @property
    def differ(self) -> list[str]:
        """The paper's settings that tell the two apart."""
        one, other = self.high.of, self.low.of
        return [name for name in {**one, **other} if one.get(name) != other.get(name)]

    @property
    def close(self) -> bool:
        """Whether the 95 % intervals of ours overlap."""
        if self.high.interval is None or self.low.interval is None:
            return False
        return self.low.interval[0] <= self.high.interval[1]


def reversals(mine: Sequence[Pair]) -> list[Reversal]:
    """All of them among the pairs of one quantity; first those of the fewest different settings.

    Where several of our rows stand beside a value, those are compared that differ in nothing else,
    and the first of each.
    """
    known = [pair for pair in mine if pair.comparable]
    firsts = {id(next(one for one in known if one.of == pair.of)) for pair in known}
    found = []
    for one, other in combinations(known, 2):
        alike = one.which == other.which or {id(one), id(other)} <= firsts
        if one.of == other.of or not alike:
            continue
        high, low = (one, other) if _paper(one) >= _paper(other) else (other, one)
        if _paper(high) > _paper(low) and _ours(high) < _ours(low):
            found.append(Reversal(high, low))
    return sorted(found, key=lambda one: len(one.differ))


def _paper(pair: Pair) -> float:
    return float(pair.paper)


def _ours(pair: Pair) -> float:
    return pair.ours or 0.0
