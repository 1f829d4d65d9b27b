"""Given orders between the types of a bag, and what follows from them and from the given heads.

In a projective tree the subtrees under one head do not mix. So if a word of one is to stand before
a word of the other, all of the one stands before all of the other. Taken together with
transitivity, until nothing new follows, this finds every contradiction inside one given tree, and
leaves no dead end inside it: a search only has to wait until what comes before has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Crossed(ValueError):
    """Two types would have to stand before each other."""

    def __init__(self, types: tuple[int, int]) -> None:
        super().__init__(f"types {types[0]} and {types[1]} stand before each other")
        self.types = types


def follow(
    pairs: Iterable[tuple[int, int]], lines: Sequence[Sequence[int]], ends: Sequence[int]
) -> list[int]:
    """For each type the set (a whole number, a bit a type) of those that must come before it.

    ``lines[t]`` are a type, its given head, the head of that and so on; ``ends`` as in
    ``InputConstraints``. Raises ``Crossed`` for a contradiction.
    """
    before = [0] * len(lines)
    todo = list(pairs)
    while todo:
        first, then = todo.pop()
        if before[then] >> first & 1:
            continue
        if first == then or before[first] >> then & 1:
            raise Crossed((first, then))
        before[then] |= 1 << first
        todo += [(first, t) for t, earlier in enumerate(before) if earlier >> then & 1]
        todo += [(t, then) for t in types_of(before[first])]
        if lines[first][-1] == lines[then][-1]:
            for one in _side(first, lines[first], lines[then], ends):
                todo += [(one, other) for other in _side(then, lines[then], lines[first], ends)]
    return before


def _side(t: int, line: Sequence[int], other: Sequence[int], ends: Sequence[int]) -> range:
    """What moves with ``t``: its subtree below the last head that it shares with the other type."""
    above = set(other)
    if t in above:  # the other type is below it: the word moves alone
        return range(t, t + 1)
    top = [one for one in line if one not in above][-1]
    return range(top, ends[top])


def types_of(bits: int) -> list[int]:
    """The types in a set, ascending."""
    return [t for t in range(bits.bit_length()) if bits >> t & 1]
