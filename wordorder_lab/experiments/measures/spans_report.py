"""Brevity and spans as text: a column or more for each search, the paper's values beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned, grouped

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


# --- Liu et al. 2015, Figure 8, Table 4 and Figure 9 as pictures of our records ---------------


STYLES = {"best-first": (COLOURS[0], "o-"), "transition-based": (COLOURS[1], "s-")}
GOLD = "#000000"
PAPER = "#777777"


def brevity(figure: Any, record: Row, how: Row) -> None:
    """Words out over words in the reference by length, in words and in units."""
    panels = grouped(record["rows"], ("length_in",))
    for axes, (key, rows) in zip(figure.subplots(1, len(panels), sharey=True), panels):
        for search, mine in grouped([row for row in rows if row["length"] != "all"], ("search",)):
            colour, mark = STYLES[search["search"]]
            heights = [float("nan") if not row["sentences"] else row["brevity"] for row in mine]
            axes.plot(range(len(mine)), heights, mark, color=colour, label=search["search"])
            names = [f"{row['length'].replace('-', '–')}\n({row['sentences']})" for row in mine]
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel(f"{key['length_in']} in the reference (sentences)")
        _plain(axes)
        axes.label_outer()
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    figure.axes[0].set_ylabel("brevity (words out / words in)")


def scores(figure: Any, record: Row, how: Row) -> None:
    """Precision, recall and F by the greatest length; spans of two units or more."""
    chosen = [row for row in record["rows"] if row["least_units"] == 2 and row["spans"] != "kept"]
    lines = {"derivation": "-", "tree": ":"}
    figure.set_size_inches(9.6, 5)
    panels = figure.subplots(1, len(SCORES), sharey=True)
    titles = ("precision", "recall", "F")
    for axes, name, title in zip(panels, SCORES, titles):
        for i, (key, rows) in enumerate(grouped(chosen, ("search", "spans"))):
            colour, mark = STYLES[key["search"]]
            label = f"{key['search']}, {KINDS[key['spans']]}"
            bars = _bars(rows, name)
            places = [x + 0.09 * (i - 1.5) for x in range(len(rows))]  # side by side
            style = {"fmt": mark[0] + lines[key["spans"]], "ms": 4, "lw": 1.2, "color": colour}
            heights = [row[name] for row in rows]
            axes.errorbar(places, heights, bars, capsize=2, label=label, **style)
            _paper(axes, rows, record["paper"].get("values", []), name, colour)
        axes.set_xticks(range(len(rows)), [f"< {row['below']}" for row in rows])
        axes.set(xlabel="words in the span", title=title)
        _plain(axes)
    panels[0].set_ylabel("percent")
    panels[0].plot([], [], "o--", mfc="none", color=PAPER, label="the paper, on its own data")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)


def _bars(rows: Sequence[Row], name: str) -> list[list[float]]:
    """The 95 % intervals as distances below and above."""
    ends = [(row[name], *row[f"{name}_interval"]) for row in rows]
    below = [max(0.0, middle - low) for middle, low, _ in ends]
    return [below, [max(0.0, high - middle) for middle, _, high in ends]]


def _paper(axes: Any, rows: Sequence[Row], values: Sequence[Row], name: str, colour: str) -> None:
    if rows[0]["spans"] != "derivation":  # the paper's line is drawn once
        return
    points = [paper_score(values, row, name) for row in rows]
    if None not in points:
        mark = STYLES[rows[0]["search"]][1][0]
        style = {"mfc": "none", "ms": 5, "lw": 1.2, "color": colour, "alpha": 0.6}
        axes.plot(range(len(points)), points, f"{mark}--", **style)


def lengths(figure: Any, record: Row, how: Row) -> None:
    """The share of spans of each length; a column for each kind of spans, a row without singles."""
    figure.set_size_inches(11, 6.4)
    far = {_key(one): one["total_variation"] for one in record["distances"]}
    rows = [row for row in record["rows"] if row["spans"] != "made" and row["length"] <= 30]
    grid = figure.subplots(2, 3, sharex=True, sharey="row")
    for axes, (key, mine) in zip(grid.T.flat, grouped(rows, ("spans", "least_units"))):
        for search, line in grouped(mine, ("search",)):
            colour, mark = STYLES[search["search"]]
            gap = far.get(_key(line[0]))
            label = search["search"] + ("" if gap is None else f", {gap:.2f} from gold")
            points = [row["length"] for row in line], [row["share"] for row in line]
            axes.plot(*points, mark, ms=3, lw=1.2, color=colour, label=label)
        gold = [row["gold_share"] for row in line]
        axes.plot(points[0], gold, "--", lw=1.2, color=GOLD, label="gold")
        axes.set_title(f"{KINDS[key['spans']]},\n{units_said(key['least_units'])}", fontsize=9)
        axes.legend(frameon=False, fontsize=8)
        _plain(axes)
    for axes in grid[-1]:
        axes.set_xlabel("words in the span")
    for axes in grid[:, 0]:
        axes.set_ylabel("share of spans")


def _key(row: Row) -> tuple[Any, ...]:
    return row["search"], row["spans"], row["least_units"]


def _plain(axes: Any) -> None:
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


FIGURES = {"brevity": brevity, "span-scores": scores, "span-lengths": lengths}
"""The kinds of ``[plot]`` that draw a whole figure."""
