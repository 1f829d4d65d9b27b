"""What a view shows after k events of a log: a file each; ``replay`` leads to them.

Each has ``start()``, the state before the first event, ``apply(state, event)``, which changes it by
one, and ``copy(state)``, a checkpoint. The players' JavaScript has a twin of each; tests hold the
two to the same states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import SCHEMA

State = dict[str, Any]
"""What a view shows, as JSON has it; the docstring of its reducer says what is in it."""
Row = list[Any]
"""A row of numbers and texts, as JSON has it; of a tree, ``[label, child, ...]``."""


def by_kind(
    names: Mapping[str, Callable[..., object]],
    stored: Mapping[str, str] = {},
    appended: Mapping[str, str] = {},
) -> Callable[[State, Event], None]:
    """What changes a state by one event: of a module's names, ``_begin`` for ``begin`` and so on.
    What other kinds say is ``stored`` under a name of the state, ``appended`` to a list, or
    left."""
    handlers = {kind: names[f"_{kind}"] for kind in SCHEMA if f"_{kind}" in names}

    def apply(state: State, event: Event) -> None:
        kind, values = event[0], event[1:]
        if kind in handlers:
            handlers[kind](state, *values)
        elif kind in stored:
            state[stored[kind]] = named(kind, values)
        elif kind in appended:
            state[appended[kind]].append(named(kind, values))

    return apply


def list_weight(update: State | None, change: Iterable[object], most: int) -> None:
    """List a change of a weight under an update, if there is one, or count it beyond ``most``."""
    if update is not None and len(update["weights"]) < most:
        update["weights"].append([*change])
    elif update is not None:
        update["more"] += 1


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
