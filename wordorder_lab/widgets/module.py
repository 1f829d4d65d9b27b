"""The players' front end: one ES module joined from the scripts in ``views``, and its style sheet.

There is no build step: each script is an ES module that says what it imports and exports, and
joining them in the order of their imports is all there is; ``joining`` says what it refuses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from wordorder_lab.runtime.entry_points import of_group
from wordorder_lab.structures.trace import Events
from wordorder_lab.trace.replay import VIEWS as KNOWN
from wordorder_lab.widgets.brevity import brief
from wordorder_lab.widgets.joining import join, read
from wordorder_lab.widgets.own_view import (
    GROUP,
    its_export,
    own_view,
    script_name,
    scripts_of,
)

VIEWS = Path(__file__).parent / "views"
"""A folder for each view, one for what best-first views share, one for the player's own, and one
for each of the pages beside it: the explorer, the race, and the game."""

ENTRY = "player/hosts.js"
EXPLORER = "explorer/hosts.js"
RACE = "race/hosts.js"
DECODER = "decoder/hosts.js"
SENTENCES = "sentences/hosts.js"
EVERYTHING = "everything/hosts.js"
BOARD = "board/hosts.js"
COMPRESSIONS = "compressions/hosts.js"
"""Where a module begins: that of the player, that of the explorer, which has players inside, that
of the race, and that of a player in which you are the decoder; then a player that parses sentences
and takes words out of them, one that can do all, which a notebook has; the board of constraints,
and compressions side by side."""
MOUNTS = {
    ENTRY: "mountPage",
    EXPLORER: "mountExplorer",
    RACE: "mountRace",
    DECODER: "mountDecoder",
    SENTENCES: "mountSentences",
    EVERYTHING: "mountEverything",
    BOARD: "mountBoard",
    COMPRESSIONS: "mountCompressions",
}
"""What a page of its own calls."""
SHEETS = {
    EXPLORER: ("explorer",),
    RACE: ("race",),
    DECODER: ("decoder",),
    SENTENCES: ("sentences", "parsing", "deletion"),
    EVERYTHING: ("decoder", "sentences", "parsing", "deletion"),
    BOARD: ("board",),
    COMPRESSIONS: ("compressions",),
}
"""Folders whose style sheets only these pages need."""


@cache
def module_text(entry: str = ENTRY, own: tuple[str, ...] = ()) -> str:
    """The ES module; its default export is what anywidget asks for: ``{render}``.

    ``own`` are views of other packages that it has, too (``own_view``).
    """
    more = scripts_of(own)
    added = [
        f"VIEWS[{json.dumps(name)}] = {its_export(name, read(script, more[script]).exported)};\n"
        for name, script in ((name, script_name(name)) for name in own)
    ]
    return "".join([join(VIEWS, entry, more), *added])


def own_views_of(logs: Iterable[Events], wanted: str | None) -> list[str]:
    """The view of another package that is ``wanted``, if it is one and suits one of the logs.

    No other is loaded: a package that is broken is in no other player's way. Raises ``ValueError``
    where it cannot be loaded or joined.
    """
    if wanted is None or wanted in KNOWN or all(one.name != wanted for one in of_group(GROUP)):
        return []
    view = own_view(wanted)
    module_text(own=(wanted,))
    return [wanted] if any(map(view.suits, logs)) else []


@cache
def brief_module_text(entry: str = ENTRY, own: tuple[str, ...] = ()) -> str:
    """The module without comments and indentation: a page need not carry them."""
    return brief(module_text(entry, own))


@cache
def style_text(entry: str = ENTRY) -> str:
    """The style sheets as one, the player's own first; every rule is below ``.wol-player``."""
    first = VIEWS / "player/player.css"
    others = [path for path in sorted(VIEWS.rglob("*.css")) if path != first]
    alone = {folder for folders in SHEETS.values() for folder in folders}
    needless = alone - {*SHEETS.get(entry, ())}
    others = [path for path in others if path.parent.name not in needless]
    return "".join(path.read_text(encoding="utf-8") for path in [first, *others])
