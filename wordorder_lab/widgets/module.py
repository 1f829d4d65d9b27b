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
    "search.js",
    "ccg.js",
    "search_narration.js",
    "search_alike.js",
    "derivations.js",
    "agenda_ranks.js",
    "agenda_why.js",
    "agenda_rows.js",
    "agenda_cards.js",
    "agenda_curves.js",
    "agenda_finder.js",
    "agenda_picture.js",
    "agenda.js",
    "chart.js",
    "chart_cells.js",
    "chart_compare.js",
    "chart_picture.js",
    "chart_cards.js",
    "chart_edge.js",
    "chart_met.js",
    "chart_drive.js",
    "chart_quiz.js",
    "updates.js",
    "updates_words.js",
    "updates_history.js",
    "updates_picture.js",
    "updates_changes.js",
    "updates_quiz.js",
    "spans_edges.js",
    "spans.js",
    "spans_picture.js",
    "spans_map.js",
    "transduction.js",
    "transduction_rules.js",
    "transduction_items.js",
    "transduction_look.js",
    "transduction_trees.js",
    "transduction_three.js",
    "transduction_picture.js",
    "transduction_rows.js",
    "transduction_grid.js",
    "transduction_scores.js",
    "transduction_swap.js",
    "transduction_narration.js",
    "transduction_quiz.js",
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
def brief_module_text() -> str:
    """The module without the lines that are comments: a page need not carry them."""
    lines = module_text().splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("//"))


@cache
def style_text() -> str:
    """The style sheet; every rule is below ``.wol-player``."""
    return _read("player.css")


def _read(name: str) -> str:
    return files("wordorder_lab.widgets").joinpath(name).read_text(encoding="utf-8")
