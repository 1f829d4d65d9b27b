"""The forms of each unit of a search: its one form, or those of which one is used each time."""

from __future__ import annotations


def forms_of(units: list[str], types: list[int], forms: list[str]) -> list[list[str]]:
    """For each unit of a ``begin`` its forms, as an event ``alternatives`` has told them.

    A place that ``begin`` does not have is passed over: so it is where events are missing.
    """
    several: list[list[str]] = [[] for _ in units]
    for kind, form in zip(types, forms, strict=False):
        if 0 <= kind < len(units):
            several[kind].append(form)
    return [own or [unit] for own, unit in zip(several, units, strict=True)]
