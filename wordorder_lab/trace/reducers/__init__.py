"""What a view shows after k events of a log: a file each; ``replay`` leads to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wordorder_lab.structures.trace import Event

State = dict[str, Any]
"""What a view shows, as JSON has it; the docstring of its fold says what is in it."""
Row = list[Any]
"""A row of numbers and texts, as JSON has it; of a tree, ``[label, child, ...]``."""


def forms_of(units: list[str], types: list[int], forms: list[str]) -> list[list[str]]:
    """For each unit of a ``begin`` its forms, as an event ``alternatives`` has told them.

    A place that ``begin`` does not have is passed over: so it is where events are missing.
    """
    several: list[list[str]] = [[] for _ in units]
    for kind, form in zip(types, forms, strict=False):
        if 0 <= kind < len(units):
            several[kind].append(form)
    return [own or [unit] for own, unit in zip(several, units, strict=True)]


def by_kind(handlers: Mapping[str, Callable[..., None]]) -> Callable[[State, Event], None]:
    """What changes a state by one event: a handler a kind; other kinds change nothing."""

    def apply(state: State, event: Event) -> None:
        kind, *values = event
        if kind in handlers:
            handlers[kind](state, *values)

    return apply
