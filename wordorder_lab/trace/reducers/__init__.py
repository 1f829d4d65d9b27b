"""What a view shows after k events of a log: a file each; ``replay`` leads to them.

Each has ``start()``, the state before the first event, ``apply(state, event)``, which changes it by
one, and ``copy(state)``, a checkpoint. The players' JavaScript has a twin of each; tests hold the
two to the same states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import SCHEMA

State = dict[str, Any]
"""What a view shows, as JSON has it; the docstring of its reducer says what is in it."""
Row = list[Any]
"""A row of numbers and texts, as JSON has it; of a tree, ``[label, child, ...]``."""


def by_kind(names: Mapping[str, Callable[..., object]]) -> Callable[[State, Event], None]:
    """What changes a state by one event: of a module's names, ``_begin`` for ``begin``, and so on.

    Kinds of event for which the module has no function change nothing.
    """
    handlers = {kind: names[f"_{kind}"] for kind in SCHEMA if f"_{kind}" in names}

    def apply(state: State, event: Event) -> None:
        kind, *values = event
        if kind in handlers:
            handlers[kind](state, *values)

    return apply


def copied(state: State) -> State:
    """A state with lists and tables of its own; what is in them is shared."""
    return {
        name: value.copy() if isinstance(value, list | dict) else value
        for name, value in state.items()
    }


def lists(*names: str) -> State:
    """An empty list for each name."""
    return {name: [] for name in names}


def named(kind: str, values: tuple[object, ...]) -> State:
    """The values of an event by its columns; ``ValueError`` for too many or too few."""
    return dict(zip(SCHEMA[kind].columns, SCHEMA[kind].filled(values), strict=True))


def forms_of(units: list[str], types: list[int], forms: list[str]) -> list[list[str]]:
    """For each unit of a ``begin`` its forms, as far as ``alternatives`` lists them."""
    several: list[list[str]] = [[] for _ in units]
    for kind, form in zip(types, forms, strict=False):
        if 0 <= kind < len(units):
            several[kind].append(form)
    return [own or [unit] for own, unit in zip(several, units, strict=True)]
