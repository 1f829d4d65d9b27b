"""A view of one's own: a script from another package, joined to the player's.

Its entry point, in the group ``wordorder_lab.views``, names a ``View``: where its script lies, and
which kinds of events a log must have for it. The script is one more of the player's (``joining``
says which forms it may have): it exports one object, whose fold is ``start``, ``apply`` and, where
states are not plain data, ``copy``, with ``title``, ``suits``, ``draw``, ``describe``, ``legend``
and ``table``, as every ``views/*/view.js`` has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from wordorder_lab.runtime.entry_points import VIEWS as GROUP
from wordorder_lab.runtime.entry_points import entry_point, load, package_of
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.trace import Events
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.replay import VIEWS

FOLDER = "own"
"""Where a script of one's own stands, as it sees the others: ``"../player/dom.js"``."""


@dataclass(frozen=True)
class View:
    """A view of one's own: its script, and the kinds of events of which a log must have one.

    ``script`` is where its JavaScript lies. ``kinds`` are names of ``trace/events.py``:
    ``{"candidate"}`` is any search with a beam. A view is on the pages that are made with its name
    as ``view``, beside the player's own views.

    Raises ``ValueError`` for a script that is no ``Path``, and for kinds that are no set of names
    of events.
    """

    script: Path
    kinds: frozenset[str]

    def __post_init__(self) -> None:
        if not isinstance(self.script, Path):
            raise ValueError(f"the script of a view is a pathlib.Path, not {cited(self.script)}")
        known = isinstance(self.kinds, frozenset | set) and self.kinds <= SCHEMA.keys()
        if not known or not self.kinds:
            raise ValueError(
                f"kinds of a view are a set of names of events, not {cited(self.kinds)}; there are "
                f"{', '.join(SCHEMA)}"
            )

    @checks_arguments
    def suits(self, log: Events) -> bool:
        """Whether the log has what the view shows."""
        return any(event[0] in self.kinds for event in log)


def own_view(name: str) -> View:
    """The view of this name; raises as ``entry_points.load``."""
    view: View = load(GROUP, name, View, VIEWS)
    return view


def scripts_of(names: Iterable[str]) -> dict[str, str]:
    """The scripts of these views, by the names that they are joined under.

    Raises ``ValueError``, with the package, for a script that cannot be read.
    """
    found = {}
    for name in names:
        script = own_view(name).script
        try:
            found[script_name(name)] = script.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            package = package_of(entry_point(GROUP, name, VIEWS))
            raise ValueError(
                f"the script of the view {cited(name)}, {script}, cannot be read ({error}): "
                f"install the package {package} anew, with its scripts among its files"
            ) from None
    return found


def script_name(name: str) -> str:
    """What the script of a view is called among the others."""
    return f"{FOLDER}/{name}.js"


def its_export(name: str, exported: Collection[str]) -> str:
    """What the script of a view exports: the view. Raises ``ValueError`` unless it is one name."""
    if len(exported) != 1:
        told = ", ".join(sorted(exported)) or "nothing"
        raise ValueError(
            f"the script of the view {cited(name)} exports {told}: it exports the view"
        )
    return next(iter(exported))
