"""The systems by name: one row each, found here or in a package that is installed.

Nothing of a system is imported before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from wordorder_lab.runtime.entry_points import SYSTEMS as GROUP
from wordorder_lab.runtime.entry_points import brought, entry_point, load, package_of
from wordorder_lab.structures.messages import unknown_name

if TYPE_CHECKING:
    from wordorder_lab.systems.system import System

ROWS: Mapping[str, tuple[str, str]] = {
    "liu-2015": ("order", "liu_2015"),
    "zhang-clark-2015-dependency": ("order", "zhang_clark_2015_dependency"),
    "zhang-2013": ("order", "zhang_clark_2015_dependency"),
    "zhang-clark-2011": ("order", "zhang_clark_ccg"),
    "zhang-blackwood-clark-2012": ("order", "zhang_clark_ccg"),
    "zhang-clark-2015-ccg": ("order", "zhang_clark_ccg"),
    "ngram-beam": ("order", "ngram_beam"),
    "wan-2009-cle": ("order", "wan_2009"),
    "wan-2009-ab": ("order", "wan_2009"),
    "cohn-lapata-2009": ("compress", "cohn_lapata_2009_training"),
    "mcdonald-2006": ("compress", "mcdonald_2006"),
    "clarke-lapata-2008-ilp": ("compress", "clarke_lapata_2008"),
    "clarke-lapata-2008-lm": ("compress", "clarke_lapata_2008_lm"),
    "supertagger": ("tag", "supertagger"),
    "parser": ("parse", "parser"),
    "liu-2015-realization": ("realize", "liu_2015_realization"),
    "zhang-clark-2015-realization": ("realize", "zhang_clark_2015_realization"),
    "domain-beam-realization": ("realize", "zhang_clark_2015_realization"),
    "bohnet-2011": ("realize", "head_by_head"),
    "guo-2011": ("realize", "head_by_head"),
}
"""Name -> its task, and its file, whose ``SYSTEMS`` has it under this name."""


def names_of(task: str) -> tuple[str, ...]:
    """The names of our systems of a task."""
    return tuple(name for name, (own, _) in ROWS.items() if own == task)


def find(name: str) -> System:
    """The system of this name, ours or one that an installed package brings. Raises ``ValueError``
    for no such name, with the nearest that there is, and as ``entry_points.load`` for a package
    that cannot be used."""
    if name in ROWS:
        return _ours(name)
    from wordorder_lab.systems.system import System

    try:
        system: System = load(GROUP, name, System, ROWS)
        return replace(system, name=name)
    except KeyError:
        known = (*ROWS, *brought(GROUP, ROWS))
    raise ValueError(unknown_name("system", name, known))


@cache
def _ours(name: str) -> System:
    task, file = ROWS[name]
    own: System = import_module(f"wordorder_lab.systems.{file}").SYSTEMS[name]
    return replace(own, name=name, task=task)


def task_of(name: str) -> str:
    """The name of a system's task; raises as ``find``."""
    return ROWS[name][0] if name in ROWS else find(name).task


class Systems(Mapping[str, str]):
    """Name -> what it is, of those that order words: ours, then those that other packages bring,
    of any task. Raises ``ValueError`` for a name that two packages bring."""

    def __getitem__(self, name: str) -> str:
        if name not in ROWS:
            return f"brought by the package {package_of(entry_point(GROUP, name, ROWS))}"
        if ROWS[name][0] != "order":
            raise KeyError(name)
        return find(name).says

    def __iter__(self) -> Iterator[str]:
        return iter((*names_of("order"), *brought(GROUP, ROWS)))

    def __len__(self) -> int:
        return len(names_of("order")) + len(brought(GROUP, ROWS))


SYSTEMS = Systems()
"""All that order words, by name."""
