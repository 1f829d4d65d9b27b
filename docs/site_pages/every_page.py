"""Every generated page, each made once."""

from __future__ import annotations

from functools import cache

from site_pages import (
    bag_notation,
    command_line,
    differences,
    event_schema,
    gallery,
    glossary,
    json_fields,
    matrix,
    model_file,
    notebooks,
    paper_map,
    python_interface,
    report,
    results,
    scoreboard,
    source_pages,
    speed,
    tab_site,
)
from site_pages.page import Page


@cache
def generated() -> list[Page]:
    """All of them. Raises ``ValueError`` where the code does not say what a page must."""
    shown = [*paper_map.files_named(), *differences.notes(), *python_interface.files_named()]
    shown += [*matrix.code_shown(), *results.files_named()]
    return [
        *notebooks.pages(),
        *notebooks.shown(),
        *glossary.pages(),
        *python_interface.pages(),
        *command_line.pages(),
        *bag_notation.pages(),
        *event_schema.pages(),
        *model_file.pages(),
        *json_fields.pages(),
        *paper_map.pages(),
        *differences.pages(),
        *results.pages(),
        *scoreboard.pages(),
        *report.pages(),
        *speed.pages(),
        *gallery.pages(),
        *tab_site.pages(),
        *source_pages.pages(shown),
    ]
