"""Rows as a table that is easy to read: everything to the left, no numbers of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.plots.lines import SKY

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

_LEFT = [{"selector": "th, td", "props": "text-align: left; font-size: small"}]


def table(
    rows: Any,
    columns: Sequence[str] | None = None,
    formats: str | Mapping[str, str] | None = None,
    *,
    places: int = 2,
    bar: str | None = None,
) -> Styler:
    """Shows rows (dictionaries, tuples with ``columns``, or a DataFrame) as a table.

    ``formats`` says how a column's numbers are written, as in ``{"BLEU": "{:.1f}"}``, or how all
    are; other fractions get so many ``places``. What is missing leaves an empty cell. Behind the
    numbers of the column ``bar`` bars are drawn, so that one sees how far apart they are.

    Raises ``ValueError`` if rows and ``columns`` differ in length, or if ``formats`` or ``bar``
    name a column that is not there.
    """
    import pandas

    frame = pandas.DataFrame(rows if isinstance(rows, pandas.DataFrame) else list(rows))
    if columns is not None:
        frame.columns = pandas.Index(list(columns))
    named = {*(formats if isinstance(formats, Mapping) else ()), *([bar] if bar else ())}
    if missing := named - set(frame.columns):
        there = ", ".join(map(str, frame.columns))
        raise ValueError(f"the table has no column {min(missing)!r}; its columns are: {there}")
    numbered = isinstance(rows, pandas.DataFrame) and frame.index.name is not None
    styled = frame.style.set_table_styles(_LEFT)
    common: Any = {"precision": places, "thousands": ",", "na_rep": "", "escape": "html"}
    styled = styled.format(None, **common)
    if isinstance(formats, str):
        styled = styled.format(formats, na_rep="")
    elif formats:
        for column, form in formats.items():
            styled = styled.format(form, subset=[column], na_rep="")
    if bar is not None:
        styled = styled.bar(subset=[bar], color=f"{SKY}90", align="left")
    return styled if numbered else styled.hide(axis="index")
