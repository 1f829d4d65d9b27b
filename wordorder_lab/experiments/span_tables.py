"""Brevity and spans as text: a column or more for each search, the paper's values beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.condition_tables import aligned
from wordorder_lab.experiments.conditions import grouped

Row = Mapping[str, Any]
KINDS = {
    "made": "all that the search made",
    "kept": "kept in the chart or in a beam",
    "derivation": "of the output's derivation",
    "tree": "of the output's tree",
}
"""What ``spans`` of a row says, in words."""
SCORES = {"precision": "P", "recall": "R", "f1": "F"}
PAPERS = {"precision": "precision", "recall": "recall", "f1": "f"}


def of_spans(record: Row) -> bool:
    """Whether a record is about brevity by length or about spans."""
    return bool(record["rows"]) and "search" in record["rows"][0]


def span_lines(record: Row) -> list[str]:
    """The table of such a record, with a line before it that says how searches ended."""
    rows = record["rows"]
    if "length_in" in rows[0]:
        return _brevity(rows)
    if "below" in rows[0]:
        return [*_ends(rows), *_scores(rows, record["paper"].get("values", []))]
    return [*_ends(rows), *_distances(record["distances"])]


def units_said(least: int) -> str:
    """Which spans are counted, by the number of their units."""
    return "single units counted" if least == 1 else "of two units or more"


def _ends(rows: Sequence[Row]) -> list[str]:
    firsts = [mine[0] for _, mine in grouped(rows, ("search",))]
    stopped = [f"{row['search']} {row['timeouts']:.1%}" for row in firsts]
    return [f"{firsts[0]['sentences']} sentences; stopped by a limit: {', '.join(stopped)}", ""]


def _brevity(rows: Sequence[Row]) -> list[str]:
    lines = []
    for key, mine in grouped(rows, ("length_in",)):
        searches = grouped(mine, ("search",))
        names = [name["search"] for name, _ in searches]
        titles = [title for name in names for title in (name, "time-outs")]
        table = [[f"{key['length_in']} in the reference", "sentences", *titles]]
        for same in zip(*(group for _, group in searches)):
            cells = [text for row in same for text in (_of(row, "brevity", ".3f"), _stops(row))]
            table.append([same[0]["length"], str(same[0]["sentences"]), *cells])
        lines += [*aligned(table), ""]
    return [*lines, "brevity: words out over words in the reference"]


def _of(row: Row, name: str, form: str) -> str:
    return "-" if row.get(name) is None else format(row[name], form)


def _stops(row: Row) -> str:
    return _of(row, "timeouts", ".0%")


def _scores(rows: Sequence[Row], values: Sequence[Row]) -> list[str]:
    lines = []
    for key, mine in grouped(rows, ("spans", "least_units")):
        lines.append(f"spans {KINDS[key['spans']]}, {units_said(key['least_units'])}")
        searches = grouped(mine, ("search",))
        heads = [f"{name['search']} {sign}" for name, _ in searches for sign in SCORES.values()]
        table = [["words", *heads]]
        for same in zip(*(group for _, group in searches)):
            cells = [_score(row, name, values) for row in same for name in SCORES]
            table.append([f"< {same[0]['below']}", *cells])
        lines += [*aligned(table), ""]
    return [*lines, "percent; in brackets the paper's, which may have counted other spans"]


def _score(row: Row, name: str, values: Sequence[Row]) -> str:
    """Ours, and the paper's where its spans may be these."""
    beside = paper_score(values, row, name)
    return f"{row[name]:.1f}" + (f" ({beside:.1f})" if beside is not None else "")


def paper_score(values: Sequence[Row], row: Row, name: str) -> float | None:
    """The paper's precision, recall or F for the search and the cut of a row, if it has one."""
    if row["spans"] == "kept":  # a search has more spans than its output; the paper has fewer
        return None
    wanted = ("search", "below", "least_units")
    mine = [one for one in values if all(one.get(key) == row[key] for key in wanted)]
    return mine[0][PAPERS[name]] if mine else None


def _distances(found: Sequence[Row]) -> list[str]:
    searches = list(dict.fromkeys(one["search"] for one in found))
    heads = [f"{name}{what}" for what in ("", ", JS") for name in searches]
    table = [["how far from gold, total variation", *heads]]
    for key, mine in grouped(found, ("spans", "least_units")):
        by = {one["search"]: one for one in mine}
        cells = [
            f"{by[name][measure]:.3f}" if name in by else "-"
            for measure in ("total_variation", "jensen_shannon")
            for name in searches
        ]
        table.append([f"{KINDS[key['spans']]}, {units_said(key['least_units'])}", *cells])
    return [
        *aligned(table),
        "",
        "0: the same lengths; 1: none in common. JS: Jensen-Shannon, base 2",
    ]
