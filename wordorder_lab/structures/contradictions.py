"""What a bag may not say, whatever its words are: heads and orders that contradict each other.

Here are the contradictions that the given heads and orders have among themselves. An order that no
projective tree allows takes a look at the trees: it is found when a bag is made ready for a search.

Messages name words, not numbers, so that they fit wherever the bag came from: a list in Python
counts from 0, a typed line and CoNLL-U from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from wordorder_lab.structures.one_line import cited

Units = Sequence[tuple[str, ...]]
SHOWN = 8
"""Words of a cycle that a message names; of longer ones it leaves out the middle."""


def check_heads(units: Units, heads: Sequence[int | None]) -> None:
    """Raise ``ValueError`` for two roots, and for heads that go round in a cycle.

    ``heads`` are as in a ``WordBag``, each of them within the bag.
    """
    roots = [i for i, head in enumerate(heads) if head == -1]
    if len(roots) > 1:
        named = _listed([name_of(units, i) for i in roots[:SHOWN]])
        more = f" (and {len(roots) - SHOWN} more)" if len(roots) > SHOWN else ""
        raise ValueError(
            f"{len(roots)} units are given as the root, {named}{more}: a tree has one root, so "
            "give the others another head or none"
        )
    given = ((i, head) for i, head in enumerate(heads) if head is not None and head >= 0)
    if cycle := find_cycle(given):
        raise ValueError(
            f"the heads go round in a cycle, {_chain(units, cycle, ' -> ')} "
            "(-> points at the head): leave one of them out"
        )


def check_orders(units: Units, before: Iterable[tuple[int, int]]) -> None:
    """Raise ``ValueError`` for a unit before itself, and for orders that go round in a cycle."""
    pairs = list(before)
    for i, j in pairs:
        if i == j:
            raise ValueError(
                f"{name_of(units, i)} cannot stand before itself: an order takes two units"
            )
    if cycle := find_cycle(pairs):
        raise ValueError(
            f"the orders go round in a cycle, {_chain(units, cycle, ' < ')} "
            "(< says: stands before): leave one of them out"
        )


def find_cycle(arrows: Iterable[tuple[int, int]]) -> list[int]:
    """The numbers along a cycle of these arrows, from its least one back to it; empty if none.

    Takes time in proportion to the arrows, and no recursion: a bag may have a thousand units.
    """
    graph: TopologicalSorter[int] = TopologicalSorter()
    for i, j in arrows:
        graph.add(j, i)
    try:
        graph.prepare()
    except CycleError as error:
        cycle = list(error.args[1])[1:]
        start = cycle.index(min(cycle))
        return [*cycle[start:], *cycle[:start], cycle[start]]
    return []


def name_of(units: Units, i: int) -> str:
    """A unit as a message names it: ``'a team'``, or ``'boats' (no. 2 of 3)`` if there are more."""
    twins = [j for j, unit in enumerate(units) if unit == units[i]]
    many = f" (no. {twins.index(i) + 1} of {len(twins)})" if len(twins) > 1 else ""
    return f"{cited(' '.join(units[i]))}{many}"


def _chain(units: Units, cycle: Sequence[int], arrow: str) -> str:
    names = [name_of(units, i) for i in cycle]
    if len(names) > SHOWN + 1:
        names[SHOWN // 2 : -SHOWN // 2] = [f"... {len(names) - 1 - SHOWN} more ..."]
    return arrow.join(names)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
