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
    before, after = [0] * len(lines), [0] * len(lines)
    todo = [(1 << first, 1 << then) for first, then in pairs]
    seen: set[tuple[int, int]] = set()
    while todo:
        firsts, thens = todo.pop()
        if (firsts, thens) in seen:
            continue
        seen.add((firsts, thens))
        earlier, later = firsts, thens
        for t in types_of(firsts):
            earlier |= before[t]
        for t in types_of(thens):
            later |= after[t]
        if earlier & later:
            raise Crossed((types_of(firsts)[0], types_of(thens)[0]))
        for then in types_of(later):
            for first in types_of(earlier & ~before[then]):
                if lines[first][-1] == lines[then][-1]:
                    one = _side(first, lines[first], lines[then], ends)
                    todo.append((one, _side(then, lines[then], lines[first], ends)))
            before[then] |= earlier
        for first in types_of(earlier):
            after[first] |= later
    return before


def _side(t: int, line: Sequence[int], other: Sequence[int], ends: Sequence[int]) -> int:
    """What moves with ``t``: its subtree below the last head that it shares with the other type."""
    above = set(other)
    if t in above:  # the other type is below it: the word moves alone
        return 1 << t
    top = [one for one in line if one not in above][-1]
    return (1 << ends[top]) - (1 << top)


def types_of(bits: int) -> list[int]:
    """The types in a set, ascending."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
