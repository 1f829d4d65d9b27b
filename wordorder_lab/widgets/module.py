"""The players' front end: one ES module joined from small files, and its style sheet.

There is no build step: each file is plain JavaScript without imports, and joining is all there is.
Later files use what earlier ones declare.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

PARTS = (
    "dom.js",
    "log.js",
    "clock.js",
    "narration.js",
    "beam.js",
    "beam_cards.js",
    "beam_actions.js",
    "arcs.js",
    "beam_picture.js",
    "spans.js",
    "spans_picture.js",
    "spans_map.js",
    "quiz.js",
    "export.js",
    "controls.js",
    "screen.js",
    "player.js",
    "hosts.js",
)
"""In the order of joining."""


@cache
def module_text() -> str:
    """The ES module; its default export is what anywidget asks for: ``{render}``."""
    return "\n".join(_read(name) for name in PARTS)


@cache
def style_text() -> str:
    """The style sheet; every rule is below ``.wol-player``."""
    return _read("player.css")


def _read(name: str) -> str:
    return files("wordorder_lab.widgets").joinpath(name).read_text(encoding="utf-8")
