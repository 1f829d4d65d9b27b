"""Why two edges are not linked: one sentence for each link that ``dependency_links`` refuses.

The sentences are for people; nothing is decided here. Where several things forbid a link, the first
of them is named, in the order in which that file asks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.structures.edge import HEAD_LEFT, Edge
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.wording import listed, order_between, quoted


def why_not(links: DependencyLinks, left: Edge, right: Edge, side: str) -> str | None:
    """Why ``right`` may not stand after ``left`` with a link between their roots.

    ``side`` is HeadLeft or HeadRight. ``None`` if both CANCOMBINE and the link are allowed.
    """
    types = [_type(links, k) for k in range(len(links.count))]
    given = links.problem, types, links.count, links.before
    return why_not_together(*given, left, right) or _why_no_link(links, left, right, side)


def why_not_together(
    problem: OrderingProblem,
    types: Sequence[int],
    most: Sequence[int],
    before: Sequence[Collection[int]],
    left: Edge,
    right: Edge,
) -> str | None:
    """Why the words of two edges are too many, or in a wrong order; ``None`` if they are neither.

    ``most`` and ``before`` are by the kinds that edges count, ``types`` the types they stand for.
    """
    for k, number in enumerate(most):
        both = left.counts[k] + right.counts[k]
        if both > number:
            return f"the bag has {quoted(types[k], problem)} only {_times(number)}"
        too_late = [e for e in sorted(before[k]) if left.counts[k] and right.counts[e]]
        if too_late:
            first, then = types[too_late[0]], types[k]
            return order_between(first, "must come before", then, problem)
    return None


def _why_no_link(links: DependencyLinks, left: Edge, right: Edge, side: str) -> str | None:
    head, dependent = (left, right) if side == HEAD_LEFT else (right, left)
    h, d = links.root_kind(head), links.root_kind(dependent)
    one, other = _name(links, d), _name(links, h)
    if side == HEAD_LEFT and links.has_left_dependents(left):
        return f"{other} has a left dependent already, and a word takes its right ones first"
    given = links.head[d]
    if given == ROOT:
        return f"{one} is the root of the sentence and has no head"
    if given not in (None, h):
        named = _name(links, given)
        another = "another " if named == other else ""
        return f"the head of {one} is {another}{named}, not {other}"
    if given == h and links.attached(head).count(d) >= links.need[d]:
        return f"{other} takes {one} only {_times(links.need[d])}, and has it already"
    if not links.is_complete(dependent):
        return f"{one} still waits for {_awaited(links, dependent)}"
    return None


def _awaited(links: DependencyLinks, edge: Edge) -> str:
    """The given dependents that the root of an edge does not have yet."""
    kind, there = links.root_kind(edge), links.attached(edge)
    missing = [
        _name(links, k)
        for k, head in enumerate(links.head)
        if head == kind
        for _ in range(links.need[k] - there.count(k))
    ]
    return f"its dependent{'s' if len(missing) > 1 else ''} {listed(missing)}"


def _type(links: DependencyLinks, kind: int) -> int:
    """The type that stands for a kind."""
    return links.kind_of_type.index(kind)


def _name(links: DependencyLinks, kind: int) -> str:
    return quoted(_type(links, kind), links.problem)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
