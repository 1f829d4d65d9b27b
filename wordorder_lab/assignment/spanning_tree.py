"""The best spanning tree of a bag: Chu & Liu (1965), Edmonds (1967).

    1  every word takes its best head
    2  while some of them go round in a cycle
    3    contract it to one node: an arc into it costs the arc of the cycle that it replaces
    4    the node takes its best head
    5  undo the contractions, last one first: a cycle gives up the arc where it was entered

Each word chooses a head and a side, and no choice knows of another: a verb may have three subjects
to its left. Wan et al. (2009) call this system CLE.

Differences
- *Our reading*: sentences have one root. Arcs from the root cost so much more than any tree gains
  that the best tree has one of them.
- *Paper silent*: of equal heads the first one is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.sentence import ROOT

NEVER = -np.inf
"""The weight of an arc that may not be."""


class Contraction(NamedTuple):
    """A cycle that became one node: its members, the words of each, and the arc into each."""

    words: list[list[int]]
    arcs: list[tuple[int, int]]


def spanning_tree(weights: np.ndarray) -> list[int]:
    """The heads of the best tree; ``weights[h, d]`` is what h is worth as the head of d. The last
    row is the root's. Each word but one may have any head that is not ``NEVER``."""
    n = weights.shape[1]
    finite = weights[np.isfinite(weights)]
    arcs = np.full((n + 1, n + 1), NEVER)
    arcs[:, :n] = weights
    arcs[n] -= n * (finite.max() - finite.min()) + 1  # one root
    np.fill_diagonal(arcs, NEVER)
    origins: np.ndarray = np.indices(arcs.shape)
    head_of, word_of = origins[0], origins[1]
    members = [[word] for word in range(n + 1)]
    alive = list(range(n))
    done: list[Contraction] = []
    while True:
        best = arcs.argmax(axis=0)
        cycle = first_cycle(best, alive, n)
        if not cycle:
            break
        chosen = [(int(head_of[best[c], c]), int(word_of[best[c], c])) for c in cycle]
        done.append(Contraction([members[c] for c in cycle], chosen))
        _contract(arcs, head_of, word_of, best, cycle)
        members[cycle[0]] = [word for c in cycle for word in members[c]]
        gone = set(cycle[1:])
        alive = [node for node in alive if node not in gone]
    heads = {int(word_of[best[d], d]): int(head_of[best[d], d]) for d in alive}
    for contraction in reversed(done):
        for words, (head, word) in zip(*contraction, strict=True):
            if not any(member in heads for member in words):
                heads[word] = head
    return [ROOT if heads[word] == n else heads[word] for word in range(n)]


def _contract(
    arcs: np.ndarray,
    head_of: np.ndarray,
    word_of: np.ndarray,
    best: np.ndarray,
    cycle: Sequence[int],
) -> None:
    """Make the first node of the cycle stand for all of it; the others have no arcs any more."""
    at, every = np.array(cycle), np.arange(len(arcs))
    into = arcs[:, at] - arcs[best[at], at]
    out = arcs[at]
    entered, left = at[into.argmax(axis=1)], at[out.argmax(axis=0)]
    first = cycle[0]
    arcs[:, first], arcs[first] = into.max(axis=1), out.max(axis=0)
    for origin in (head_of, word_of):
        column, line = origin[every, entered], origin[left, every]
        origin[:, first], origin[first] = column, line
    arcs[first, first] = NEVER
    arcs[at[1:]] = NEVER
    arcs[:, at[1:]] = NEVER


def first_cycle(heads: Sequence[int] | np.ndarray, alive: Sequence[int], root: int) -> list[int]:
    """The first cycle of the nodes that are alive, its nodes ascending; empty if there is none."""
    state = dict.fromkeys(alive, -1)
    for start in alive:
        node = start
        while node != root and state[node] < 0:
            state[node] = start
            node = int(heads[node])
        if node != root and state[node] == start:
            cycle = [node]
            while (node := int(heads[node])) != cycle[0]:
                cycle.append(node)
            return sorted(cycle)
    return []
