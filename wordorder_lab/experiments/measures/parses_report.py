"""A record of parses as text and picture: brackets of each grammar, and F1 by length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned

Row = Mapping[str, Any]
GIVEN, GUESSED = "given", "guessed"
"""The column ``tags``: each word has its gold tag, or the parser finds them."""
SHARES = ("f1", "precision", "recall", "f1_short", "exact_match", "tag_accuracy")
HEAD = ("", "F1", "precision", "recall", "F1 short", "exact", "tags right")
OTHER = {"f1", "precision", "recall", "exact_match"}
"""What the paper may print, of all sentences or (``..._short``) of short ones."""
LEGEND = (
    "labelled brackets by EVALB's conventions; short: up to 40 words; exact: sentences all of",
    "whose brackets are right; pieces: sentences for which the grammar has no tree; ms: of the",
    "processor, a short sentence; v: labels in a symbol, its own and those above it; h: sisters",
    "that a half-built constituent remembers; splits: marks on labels besides",
)


def short_name(row: Row) -> str:
    """What tells a grammar from others: what it was read off, and what its symbols remember."""
    marks = "splits" if row.get("splits", "all") == "all" else "no splits"
    learned = row.get("learned_on", row["corpus"])
    added = "" if learned == row["corpus"] else f", read off {learned}"
    return f"v {row.get('vertical', 2)}, h {row.get('horizontal', 1)}, {marks}{added}"


def parses_lines(record: Row) -> list[str]:
    """A table for each split, and one of F1 by length."""
    lines = [f"the paper: {record['paper'].get('data', 'its data are not said')}"]
    for corpus, split in dict.fromkeys((row["corpus"], row["split"]) for row in record["rows"]):
        rows = [row for row in record["rows"] if (row["corpus"], row["split"]) == (corpus, split)]
        left = f", {rows[0]['left_out']:,} too long" if rows[0]["left_out"] else ""
        short = f"{rows[0]['sentences_short']:,} of them short"
        lines += ["", f"{corpus} {split}: {rows[0]['sentences']:,} sentences{left}, {short}"]
        table = [[*HEAD, "pieces", "ms", "trees", "paper: F1", "F1 short"]]
        for row in rows:
            cells = [f"{short_name(row)}, tags {row['tags']}"]
            cells += [f"{row[name]:.2%}" for name in SHARES]
            cells += [f"{row['fallbacks']:,}", _number(row.get("ms_per_sentence"))]
            printed = _printed(record, row)
            cells += [f"{row['trees']:,}", *(_share(printed, name) for name in ("f1", "f1_short"))]
            table.append(cells)
        lines += aligned(table)
    return [*lines, *LEGEND, *_lengths(record)]


def _lengths(record: Row) -> list[str]:
    names = list(dict.fromkeys(_length_name(one) for one in record["lengths"]))
    table = [["F1 by length", *names]]
    for place, row in enumerate(record["rows"]):
        found = {_length_name(one): one["f1"] for one in record["lengths"] if one["row"] == place}
        cells = [f"{found[name]:.1%}" if name in found else "-" for name in names]
        table.append([f"{row['split']}, {short_name(row)}, tags {row['tags']}", *cells])
    return ["", *aligned(table)]


def _length_name(one: Row) -> str:
    return f"{one['least']}-{one['most']}" if one["most"] else f"over {one['least'] - 1}"


def _printed(record: Row, row: Row) -> dict[str, float]:
    """What the paper has for the settings of a row."""
    found: dict[str, float] = {}
    for value in record["paper"].get("values", []):
        results = {k: v for k, v in value.items() if k.removesuffix("_short") in OTHER}
        if all(row.get(k) == v for k, v in value.items() if k not in results):
            found |= results
    return found


def _share(printed: Mapping[str, float], name: str) -> str:
    return f"{printed[name]:.2%}" if name in printed else "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def parses_by_length(figure: Any, record: Row, how: Row) -> None:
    """A panel for each grammar of one split: F1 by length, tags given against guessed."""
    rows = [(i, row) for i, row in enumerate(record["rows"]) if row["split"] == how["split"]]
    names = list(dict.fromkeys(short_name(row) for _, row in rows))
    figure.set_size_inches(max(6.4, 3.1 * len(names)), 4.2)
    panels = figure.subplots(1, len(names), squeeze=False, sharey=True)[0]
    for axes, name in zip(panels, names):
        for place, row in rows:
            if short_name(row) == name:
                _length_line(axes, record, place, row)
        axes.set_title(name.replace(", read", ",\nread"), fontsize=9)
        axes.set_xlabel("words of the sentence")
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("F1 of labelled brackets, %")
    panels[0].legend(framealpha=0.85, edgecolor="none", fontsize=8)


def _length_line(axes: Any, record: Row, place: int, row: Row) -> None:
    bins = [one for one in record["lengths"] if one["row"] == place]
    given = row["tags"] == GIVEN
    scores = [100 * one["f1"] for one in bins]
    colour = COLOURS[0] if given else COLOURS[1]
    style = "o-" if given else "s--"
    axes.plot(range(len(bins)), scores, style, color=colour, label=f"tags {row['tags']}")
    axes.set_xticks(range(len(bins)), [_length_name(one) for one in bins], fontsize=7, rotation=40)
