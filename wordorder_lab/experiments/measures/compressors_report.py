"""A record of compressors as text and picture: each rate a table, the paper's numbers beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned

Row = Mapping[str, Any]
OWN, GOLD, MCDONALD = "its own rate", "the references' rate", "McDonald's rate"
"""The column ``at``: which compression rate a system was brought to."""
STRINGS, TREES = "strings", "trees"
"""The column ``of``: relations of outputs that were parsed anew, or of the trees that came out."""
CALLED = {
    "cohn-lapata-2009": "transducer",
    "mcdonald-2006": "McDonald",
    "clarke-lapata-2008-ilp": "ILP",
    "clarke-lapata-2008-lm": "LM and significance",
}
"""What tables call the systems."""
TELLING = (
    *("parser", "features", "depth", "order", "loss", "gold", "penalty", "documents"),
    *("annotators", "learned_on"),
)
"""What may tell one run of a system from another."""
MEASURED = ("rate", "relation_f1", "loss_sum", "rating")
SHARES = {"rules": "paper: rules", "deeper_share": "no SCFG", "category_share": "X ≠ Y"}
"""What the paper prints of a system, and of a grammar."""
LEGEND = (
    "rate: words out by words in; F1: of relations in outputs that were parsed anew, in percent, ±",
    "half the 95 % interval; trees: the same in the trees as they came out; 4-gram, unigram: F1 of",
    "these; loss: token Hamming, all sentences together; s: seconds of training; ms: a sentence,",
    "the median",
)


def compressor_lines(record: Row) -> list[str]:
    """The tables, one after the other."""
    rows = record["rows"]
    rates = list(dict.fromkeys(row["at"] for row in rows))
    lines = [*_about(record)]
    for at in rates:
        lines += ["", f"At {at}", *_scores(record, at)]
    lines += [*LEGEND, *_grammar(record), *_grid(record), *_literature(record)]
    return lines


def row_name(row: Row, rows: Sequence[Row]) -> str:
    """What tells a row's run from the others: its system, and what most runs of it have otherwise.

    A value that half of them have or more goes without saying, unless the other half has one, too.
    """
    alike = [one for one in rows if one["system"] == row["system"]]
    told = [CALLED.get(row["system"], str(row["system"]).replace("-", " "))]
    for name in TELLING:
        values = [repr(one.get(name)) for one in alike]
        if name in row and 2 * values.count(repr(row[name])) <= len(values):
            value = row[name]
            told.append(value if isinstance(value, str) else f"{name} {value}")
    return ", ".join(told)


def _about(record: Row) -> list[str]:
    parts = dict.fromkeys(
        f"{row['sentences']} sentences of {row['corpus']}, {row['split']} (their references keep "
        f"{row['gold_rate']:.1%})"
        for row in record["rows"]
    )
    learned = dict.fromkeys(f"{row['pairs']:,}" for row in record["rows"] if "pairs" in row)
    told = [f"scored on {' and on '.join(parts)}"]
    told += [f"learned from {' or '.join(learned)} pairs"] if learned else []
    most = max((row.get("left_out", 0) for row in record["rows"]), default=0)
    told += [f"left out, since the usual parser refuses them: {most}"] if most else []
    return [*told, f"the paper: {record['paper'].get('data', 'its data are not said')}"]


def _scores(record: Row, at: str) -> list[str]:
    rows = [row for row in record["rows"] if row["at"] == at]
    strings = [row for row in rows if row["of"] == STRINGS]
    trees = [row for row in rows if row["of"] == TREES]
    head = ["", "C", "rate", "F1", "trees", "4-gram", "unigram", "exact", "loss", "s", "ms"]
    printed = [_printed(record, row) for row in strings]
    had = [name for name in MEASURED if any(name in one for one in printed)]
    table = [[*head, *(f"paper: {'F1' if n == 'relation_f1' else n}" for n in had)]]
    for row, tree, one in zip(strings, trees, printed, strict=True):
        cells = [row_name(row, strings), f"{row['C']:g}" if row.get("C") else "-"]
        cells += [_percent(row["rate"]), _with_interval(row), _percent(tree["relation_f1"])]
        cells += [_percent(row[name]) for name in ("fourgram_f1", "unigram_f1", "exact_match")]
        cells += [f"{row['loss_sum']:,.4g}", _whole(row.get("training_seconds"))]
        cells += [f"{row['ms_median']:.3g}" if "ms_median" in row else "-"]
        table.append([*cells, *(_number(name, one.get(name)) for name in had)])
    return aligned(table)


def _printed(record: Row, row: Row) -> dict[str, Any]:
    """What the paper has for the settings of a row."""
    found: dict[str, Any] = {}
    for value in record["paper"].get("values", []):
        results = {name: value[name] for name in (*MEASURED, *SHARES) if name in value}
        if all(row.get(name) == value[name] for name in value if name not in results):
            found |= results
    return found


def _grammar(record: Row) -> list[str]:
    """One line for each grammar."""
    trained = [row for row in record["rows"] if "rules" in row and row["of"] == STRINGS]
    if not trained:
        return []
    firsts = {(row["rules"], row.get("parser"), row.get("depth")): row for row in trained[::-1]}
    rows = list(firsts.values())[::-1]
    table = [["", "rules", "no SCFG rule", "X ≠ Y", "pairs", "without a derivation"]]
    printed = [_printed(record, row) for row in rows]
    had = [name for name in SHARES if any(name in one for one in printed)]
    table[0] += [SHARES[name] for name in had]
    for row, one in zip(rows, printed):
        cells = [row_name(row, trained), f"{row['rules']:,}"]
        cells += [_percent(row[name]) for name in ("deeper_share", "category_share")]
        cells += [f"{row['pairs']:,}", f"{row['unreachable']:,}"]
        table.append([*cells, *(_number(name, one.get(name)) for name in had)])
    return ["", "The grammar", *aligned(table)]


def _grid(record: Row) -> list[str]:
    """The points of each grid; a run with one C has none."""
    if not record.get("grid"):
        return []
    strings = [row for row in record["rows"] if row["of"] == STRINGS]
    table = [["", "C", "loss", "rate", "relation F1", "iterations", "gap", "seconds"]]
    for one in record["grid"]:
        name = row_name(record["rows"][one["row"]], strings)
        cells = [name, f"{one['C']:g}", f"{one['loss']:.3f}", _percent(one["rate"])]
        cells += [_percent(one["relation_f1"]), str(one["iterations"]), _percent(one["gap"])]
        table.append([*cells, _whole(one["training_seconds"])])
    return ["", "C is chosen by the mean loss of a sentence (relations of trees)", *aligned(table)]


def _literature(record: Row) -> list[str]:
    """What later papers print for these systems: other parsers, other splits."""
    values = record["paper"].get("literature", [])
    return [
        *(["", "In other papers (other parsers and relations)"] if values else []),
        *(f"  {', '.join(f'{name} {value}' for name, value in one.items())}" for one in values),
    ]


def _with_interval(row: Row) -> str:
    low, high = row["relation_f1_interval"]
    return f"{row['relation_f1']:.1%} ± {50 * (high - low):.1f}"


def _percent(value: Any) -> str:
    return "-" if value is None else f"{value:.1%}"


def _whole(value: Any) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _number(name: str, value: Any) -> str:
    """A number of the paper: shares in percent, the others as they are printed."""
    if value is None or name in ("loss_sum", "rules", "rating"):
        return "-" if value is None else f"{value:,}"
    return _percent(value)


# --- The picture: what a score costs in words kept ------------------------------------------------


MARKS = {OWN: "o", GOLD: "s", MCDONALD: "^"}
"""A mark for each rate that a system was brought to."""
FLOOR_COLOUR = "#999999"


def rates_and_scores(figure: Any, record: Row, how: Row) -> None:
    """A point for each row of strings, a colour for each run; the references' rate as a line."""
    rows = [row for row in record["rows"] if row["of"] == STRINGS]
    figure.set_size_inches(8.4, 5.2)
    axes = figure.subplots()
    names = list(dict.fromkeys(row_name(row, rows) for row in rows if "pairs" in row))
    seen: set[str] = set()
    for row in rows:
        name = row_name(row, rows)
        colour = COLOURS[names.index(name) % len(COLOURS)] if name in names else FLOOR_COLOUR
        low, high = (100 * end for end in row["relation_f1_interval"])
        point = 100 * row["relation_f1"]
        axes.errorbar(
            100 * row["rate"],
            point,
            yerr=[[max(0.0, point - low)], [max(0.0, high - point)]],
            fmt=MARKS[row["at"]],
            color=colour,
            capsize=2,
            lw=1,
            label=None if name in seen else name,
        )
        seen.add(name)
    wanted = dict.fromkeys(100 * row["gold_rate"] for row in rows)
    for rate in wanted:
        axes.axvline(rate, color="#333333", lw=1, ls="--")
    axes.set_xlabel("words kept, %; line: the references; " + _marks(rows))
    axes.set_ylabel("relation F1 of reparsed outputs, %, with its 95 % interval")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)


def _marks(rows: Sequence[Row]) -> str:
    called = {OWN: "circle: own rate", GOLD: "square: the references'", MCDONALD: "▲: McDonald's"}
    return ", ".join(called[at] for at in dict.fromkeys(row["at"] for row in rows))
