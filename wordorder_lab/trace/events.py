"""The event schema: what each kind of event says, column by column, read off ``Trace``.

Both engines emit these kinds with these columns in the same order; the players replay them.
Types are ``int``, ``float``, ``str`` and ``list`` (of any of them).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from wordorder_lab.structures.trace import Trace

VERSION = 2
"""Goes up whenever a kind or a column changes its meaning."""
_TYPES = {"int": int, "float": float, "str": str, "list": list}


class Kind(NamedTuple):
    """One kind of event: its columns in order with their types, and what it says.

    ``absent``: the last columns that an event may lack, and what it means without them.
    """

    columns: Mapping[str, type]
    says: str
    absent: Mapping[str, object] = {}

    def filled(self, values: tuple[object, ...]) -> tuple[object, ...]:
        """The values of an event, with those that its last columns lack."""
        missing = len(self.columns) - len(values)
        return (*values, *[*self.absent.values()][-missing:]) if missing > 0 else values


def _kind(method: Callable[..., None]) -> Kind:
    hints = {name: kind for name, kind in method.__annotations__.items() if name != "return"}
    columns = {name: _TYPES[kind.partition("[")[0]] for name, kind in hints.items()}
    defaults = getattr(method, "__defaults__", None) or ()
    absent = dict(zip([*columns][len(columns) - len(defaults) :], defaults, strict=True))
    return Kind(columns, " ".join((method.__doc__ or "").split()), absent)


SCHEMA: dict[str, Kind] = {
    name: _kind(method) for name, method in vars(Trace).items() if not name.startswith("_")
}

SUMMARIES = frozenset({"learned", "epoch"})
"""Kinds that describe a training as a whole: one event a sentence, one an epoch. A log that takes a
sample has them all, and so has a full one."""
WITHOUT_SEARCHES = SUMMARIES | {"weight"}
"""Kinds of a log that tells a training and none of its searches, perhaps with the weights."""
