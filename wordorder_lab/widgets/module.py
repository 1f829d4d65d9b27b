"""The players' front end: one ES module joined from the scripts in ``views``, and its style sheet.

There is no build step: scripts are joined in the order of their imports (``scripts``).

A view of one's own is a script from another package, joined to the player's. Its entry point, in
the group ``wordorder_lab.views``, names a ``View``: where its script lies, and which kinds of
events a log must have for it. The script is one more of the player's: it exports one object, whose
fold is ``start``, ``apply`` and, where states are not plain data, ``copy``, with ``title``,
``suits``, ``draw``, ``describe``, ``legend`` and ``table``, as every ``views/*/view.js`` has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordorder_lab.runtime.entry_points import VIEWS as GROUP
from wordorder_lab.runtime.entry_points import entry_point, load, of_group, package_of
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.trace import Events
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.reducers.replay import VIEWS as KNOWN
from wordorder_lab.widgets.scripts import brief, join, needed, read

VIEWS = Path(__file__).parent / "views"
"""A folder for each view, for what views share, and for each page beside the player."""
ENTRY = "player/hosts.js"
EXPLORER = "explorer/hosts.js"
RACE = "race/hosts.js"
DECODER = "decoder/hosts.js"
SENTENCES = "sentences/hosts.js"
EVERYTHING = "everything/hosts.js"
BOARD = "board/hosts.js"
COMPRESSIONS = "compressions/hosts.js"
SWEEP = "sweep/hosts.js"
TRAININGS = "trainings/hosts.js"
"""Where a module begins: of the player, the explorer, the race, the game, the player of sentences
that are parsed or shortened, the player with all views, the board, compressions side by side,
the sweep, and trainings over each other.
What such a script exports is what a page of its own calls."""
OWN = "own/{}.js"
"""Where the script of another package's view stands, as it sees ours: ``"../player/dom.js"``."""


@cache
def module_text(entry: str = ENTRY, own: tuple[str, ...] = ()) -> str:
    """The ES module with these ``own`` views; its default export, ``{render}``, is anywidget's."""
    more = scripts_of(own)
    added = [
        f"VIEWS[{json.dumps(name)}] = {its_export(name, more[OWN.format(name)])};\n" for name in own
    ]
    return "".join([join(VIEWS, entry, more), *added])


@cache
def page_module_text(entry: str = ENTRY, own: tuple[str, ...] = ()) -> str:
    """The module of a page, which mounts itself there, without comments and indentation."""
    (mount,) = read(entry, (VIEWS / entry).read_text(encoding="utf-8")).exported
    return f"{brief(module_text(entry, own))}\n{mount}(globalThis.wordorderPage);"


@cache
def style_text(entry: str = ENTRY) -> str:
    """The module's style sheets as one, the player's first; every rule is below ``.wol-player``."""
    first = VIEWS / "player/player.css"
    folders = {VIEWS / script.name.partition("/")[0] for script in needed(VIEWS, entry)}
    others = [path for folder in sorted(folders) for path in sorted(folder.glob("*.css"))]
    sheets = [first, *(path for path in others if path != first)]
    return "".join(path.read_text(encoding="utf-8") for path in sheets)


# --- views of other packages ----------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """A view of one's own: its script, and the kinds of events of which a log must have one.

    ``script`` is where its JavaScript lies, ``kinds`` are names of ``trace/events.py``:
    ``{"candidate"}`` is any search with a beam. It is on the pages that are made with its name as
    ``view``.

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


def own_views_of(logs: Iterable[Events], wanted: str | None) -> list[str]:
    """The wanted view of a package, if it suits a log; ``ValueError`` if it cannot be loaded."""
    if wanted is None or wanted in KNOWN or all(one.name != wanted for one in of_group(GROUP)):
        return []
    view = own_view(wanted)
    module_text(own=(wanted,))
    return [wanted] if any(map(view.suits, logs)) else []


def own_view(name: str) -> View:
    """The view of this name; raises as ``entry_points.load``."""
    view: View = load(GROUP, name, View, KNOWN)
    return view


def scripts_of(names: Iterable[str]) -> dict[str, str]:
    """The scripts by their names in the module; ``ValueError``, with the package, if unreadable."""
    found = {}
    for name in names:
        script = own_view(name).script
        try:
            found[OWN.format(name)] = script.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            package = package_of(entry_point(GROUP, name, KNOWN))
            raise ValueError(
                f"the script of the view {cited(name)}, {script}, cannot be read ({error}): "
                f"install the package {package} anew, with its scripts among its files"
            ) from None
    return found


def its_export(name: str, text: str) -> str:
    """What the script of a view exports: the view. Raises ``ValueError`` unless it is one name."""
    exported = sorted(read(OWN.format(name), text).exported)
    if len(exported) != 1:
        raise ValueError(
            f"the script of the view {cited(name)} exports {', '.join(exported) or 'nothing'}: "
            "it exports the view"
        )
    return exported[0]
