"""The reference of events: every kind with its columns, from the one place that declares them."""

from __future__ import annotations

from site_pages.event_columns import meaning
from site_pages.page import Page, escaped, front, table
from wordorder_lab.trace.events import SCHEMA, VERSION, Kind

HEAD = ("column", "type", "what its numbers are", "without it")


def pages() -> list[Page]:
    """One page with all kinds of events, in the order of the schema.

    Raises ``ValueError`` for a column of numbers of which nobody says what they are.
    """
    about = (
        "Every run may send events to a trace, one a step. Both engines send the same ones; the "
        "players replay them, `log.to_pandas()` gives a row an event, and a log's file has these "
        f"columns. This is version {VERSION} of the schema, `wordorder_lab/trace/events.py`.\n"
    )
    parts = [front("Events"), "# Events\n", about, *(_kind(n, SCHEMA[n]) for n in SCHEMA)]
    return [Page("reference/events.md", "\n".join(parts))]


def _kind(name: str, kind: Kind) -> str:
    rows = [
        (
            f"`{column}`",
            f"`{type_.__name__}`",
            escaped(meaning(name, column)),
            f"`{kind.absent[column]!r}`" if column in kind.absent else "",
        )
        for column, type_ in kind.columns.items()
    ]
    columns = table(HEAD, rows) if rows else "It has no columns.\n"
    return f"## `{name}` {{ #{name} }}\n\n{escaped(kind.says)}\n\n{columns}"
