"""A projective tree made of one that is not: arcs that cross are lifted to the head's head.

    LIFT(heads):
      while two arcs cross:
        take the shortest arc with a word between its ends that does not hang below its head
        hang its dependent on its head's head

Nivre & Nilsson (2005), Pseudo-Projective Dependency Parsing: the shortest first, of equal ones the
leftmost, so that as little as possible is changed.

Differences
- *Our reading*: labels stay what they are. Nivre & Nilsson write into them where an arc was lifted
  from, so that a parser's arcs can be brought down again; here nobody wants them back.
"""

from __future__ import annotations

from collections.abc import Sequence


def lifted(heads: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Projective heads, and how many lifts it took; the root has -1."""
    heads, lifts = list(heads), 0
    while crossing := _crossing(heads):
        _, dependent = min(crossing)
        heads[dependent] = heads[heads[dependent]]
        lifts += 1
    return tuple(heads), lifts


def _crossing(heads: Sequence[int]) -> list[tuple[int, int]]:
    """Length and dependent of every arc over a word that does not hang below its head."""
    below = [_ancestors(heads, i) for i in range(len(heads))]
    return [
        (abs(head - i), i)
        for i, head in enumerate(heads)
        if head >= 0 and any(head not in below[j] for j in range(min(i, head) + 1, max(i, head)))
    ]


def _ancestors(heads: Sequence[int], node: int) -> set[int]:
    found = set()
    while node >= 0:
        found.add(node)
        node = heads[node]
    return found
