"""Words of a bag as sentences for people name them."""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT

NAMED = 3
"""So many words a sentence lists; of more it says how many."""


def order_between(first: int, verb: str, then: int, problem: OrderingProblem) -> str:
    """Two types with a verb between them, named apart."""
    one, other = named(first, problem), named(then, problem)
    return f"another {one} {verb} this {other}" if one == other else f"{one} {verb} {other}"


def quoted(kind: int, problem: OrderingProblem) -> str:
    """A type as a sentence names it."""
    return next(f"\u201c{item.form}\u201d" for item in problem.items if item.type == kind)


def named(kind: int, problem: OrderingProblem) -> str:
    """The same, with its given head where other types have the same words."""
    form, head = quoted(kind, problem), problem.given.heads[kind]
    same = {item.type for item in problem.items if f"\u201c{item.form}\u201d" == form}
    if len(same) == 1 or head is None:
        return form
    return f"the root {form}" if head == ROOT else f"{form} under {quoted(head, problem)}"


def listed(names: Sequence[str]) -> str:
    """The first few names with commas between them, and how many more there are."""
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    *most, last = [*names[:NAMED], *more]
    return f"{', '.join(most)} and {last}" if most else last
