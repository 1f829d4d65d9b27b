"""A record of compressions as text: at each model's own rate, at the references' rate, the grammar,
and what deletion alone could not have done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.measures.style import COLOURS, aligned
from wordorder_lab.experiments.runs.settings import DEV
from wordorder_lab.transduction.templates import ALL

Row = Mapping[str, Any]
OWN, GOLD = "its own rate", "the references' rate"
"""The column ``at``: which rate a system was brought to."""
DELETION = "deletion"
"""The kind of pairs that deletion alone explains."""
TELLING = ("features", "depth", "order", "loss", "gold", "choice", "penalty", "formulation")
"""What may tell one run of a record from another."""
USUALLY = ("depth", "order")
"""What names a run that nothing tells from the others."""
FEATURES = {
    "rule,token,ngram": "all features",
    "rule,token": "without n-grams",
    "rule,ngram": "only rule features",
    "token,ngram": "only token features",
    "rule": "rules, no n-grams",
    "token": "tokens, no n-grams",
    "ngram": "only n-grams",
}
"""What rows call the features that were learned with: the first, third and fourth in the paper's
words."""
SCORES = {
    "rate": "paper: rate",
    "relation_f1": "paper: F1",
    "loss_sum": "paper: loss",
    "rating": "paper: rating",
}
SHARES = {
    "rules": "paper: rules",
    "deeper_share": "paper: no SCFG",
    "category_share": "paper: X ≠ Y",
}
"""What the paper prints of a system, and of a grammar."""
SHOWN = 2
"""So many examples are printed, and so many rules of each; the record has them all."""
LEGEND = (
    "rate: words out by words in; relation F1 and exact match (all words right) in percent, ± half",
    "the 95 % interval; labelled: relations with their labels; loss: what is trained with, all",
    "sentences together; p: Wilcoxon's test against the first row, two-sided, sentence by sentence",
)


def rows_at(record: Row, at: str, dev: bool) -> list[Row]:
    """The rows at a rate (``OWN`` or ``GOLD``): those of dev, or those of the split reported."""
    return [row for row in record["rows"] if row["at"] == at and (row["split"] == DEV) == dev]


def ngrams(order: int) -> str:
    """What n-grams of so many words are called."""
    return {1: "unigrams", 2: "bigrams", 3: "trigrams"}.get(order, f"{order}-grams")


def row_name(row: Row, others: Sequence[Row]) -> str:
    """What tells a row's run from the others: ``"depth 1, trigrams"``; floors by their name.

    A value that most runs have goes without saying.
    """
    if "depth" not in row:
        return str(row["system"]).replace("-", " ")
    trained = [one for one in others if "depth" in one]
    told = []
    for name in TELLING:
        alike = [one for one in trained if one.get(name) == row.get(name)]
        if name in row and 2 * len(alike) <= len(trained):
            told.append(_said(name, row[name]))
    return ", ".join(told or [_said(name, row[name]) for name in USUALLY])


def _said(name: str, value: Any) -> str:
    if name == "order":
        return ngrams(value)
    if name == "features":
        return FEATURES.get(value, str(value))
    return value if isinstance(value, str) else f"{name} {value}"


def compression_lines(record: Row) -> list[str]:
    """The tables, one after the other."""
    return [
        *_about(record),
        *("", "As trained, on dev", *_own_rate(record)),
        *("", "At the rate of the references", *_gold_rate(record), *LEGEND),
        *("", "The grammar", *_grammar(record)),
        *_grid(record),
        *("", "Outputs that are right, word for word, by kind of pair", *_kinds(record)),
        *_examples(record["examples"]),
    ]


def _about(record: Row) -> list[str]:
    dev, test = (rows_at(record, GOLD, on_dev)[0] for on_dev in (True, False))
    parts = [
        f"{row['sentences']} pairs of {row['corpus']}, {row['split']} (their references keep "
        f"{row['gold_rate']:.1%})"
        for row in (dev, test)
    ]
    lines = [f"scored on {' and on '.join(parts)}"]
    return [*lines, f"the paper: {record['paper'].get('data', 'its data are not said')}"]


def _own_rate(record: Row) -> list[str]:
    rows = rows_at(record, OWN, dev=True)
    rows += [row for row in rows_at(record, GOLD, dev=True) if "depth" not in row]
    table = [["", "C", "rate", "relation F1", "loss"]]
    for row in rows:
        ours = [f"{row['C']:g}" if "C" in row else "-", _percent(row["rate"])]
        ours += [_with_interval(row), f"{row['loss_sum']:,.4g}"]
        table.append([row_name(row, rows), *ours])
    return aligned(_beside(table, record, rows, SCORES))


def _beside(
    table: Sequence[list[str]], record: Row, rows: Sequence[Row], columns: Mapping[str, str]
) -> list[list[str]]:
    """The table with those columns that the paper has of some row."""
    printed = [_printed(record, row) for row in rows]
    had = [name for name in columns if any(name in one for one in printed)]
    made = [[*table[0], *(columns[name] for name in had)]]
    for cells, one in zip(table[1:], printed, strict=True):
        made.append([*cells, *(_number(name, one.get(name)) for name in had)])
    return made


def _printed(record: Row, row: Row) -> dict[str, Any]:
    """What the paper has for the settings of a row."""
    found: dict[str, Any] = {}
    for value in record["paper"].get("values", []):
        results = {name: value[name] for name in (*SCORES, *SHARES) if name in value}
        if all(row.get(name) == value[name] for name in value if name not in results):
            found |= results
    return found


def _gold_rate(record: Row) -> list[str]:
    rows = rows_at(record, GOLD, dev=False)
    rows += [row for row in rows_at(record, OWN, dev=False) if "depth" not in row]
    p_values = {one["row"]: f"{one['p_value']:.2g}" for one in record["comparisons"]}
    dev_rates = [row["rate"] for row in rows_at(record, GOLD, dev=True)]
    table = [
        ["", "bonus", "dev rate", "rate", "relation F1", "labelled", "bigram F1", "exact", "p"]
    ]
    for i, row in enumerate(rows):
        told = [f"{row['bonus']:+.3g}" if "bonus" in row else "-"]
        told += [_percent(dev_rates[i] if i < len(dev_rates) else None), _percent(row["rate"])]
        told += [_with_interval(row), _percent(row["relation_f1_labelled"])]
        told += [_percent(row["bigram_f1"]), _percent(row["exact_match"])]
        told.append(p_values.get(record["rows"].index(row), "-"))
        table.append([row_name(row, rows), *told])
    return aligned(table)


def _grammar(record: Row) -> list[str]:
    """One line for each depth, since the other settings leave the grammar as it is."""
    trained = [row for row in rows_at(record, OWN, dev=True) if "depth" in row]
    firsts = {row["depth"]: row for row in reversed(trained)}
    rows = [firsts[depth] for depth in sorted(firsts)]
    table = [["", "rules", "used once", "no SCFG rule", "X ≠ Y", "pairs", "without a derivation"]]
    for row in rows:
        shares = [_percent(row[n]) for n in ("used_once_share", "deeper_share", "category_share")]
        counts = [str(row["pairs"]), str(row["unreachable"])]
        table.append([f"depth {row['depth']}", f"{row['rules']:,}", *shares, *counts])
    return aligned(_beside(table, record, rows, SHARES))


def _grid(record: Row) -> list[str]:
    if not record["grid"]:
        return []
    every = rows_at(record, OWN, dev=True)
    table = [["", "C", "dev loss", "rate", "relation F1", "iterations", "gap"]]
    for one in record["grid"]:
        name = row_name(record["rows"][one["row"]], every)
        scores = [f"{one['loss']:.3f}", _percent(one["rate"]), _percent(one["relation_f1"])]
        told = [str(one["iterations"]), _percent(one["gap"])]
        table.append([name, f"{one['C']:g}", *scores, *told])
    return ["", "C is chosen on dev, by the mean loss of a sentence", *aligned(table)]


def _kinds(record: Row) -> list[str]:
    """Of each kind so many are right; and how many outputs are not what is left of their source."""
    rows = [row for row in rows_at(record, GOLD, dev=False) if "depth" in row]
    kinds = list(rows[0]["exact_by_kind"])
    table = [["", *kinds, "outputs beyond deletion"]]
    for row in rows:
        right = ["{} of {}".format(*row["exact_by_kind"][kind]) for kind in kinds]
        table.append([row_name(row, rows), *right, str(row["beyond_deletion"])])
    return aligned(table)


def _examples(found: Sequence[Row]) -> list[str]:
    """One example of each kind, until there are ``SHOWN``."""
    if not found:
        return []
    firsts = {one["kind"]: one for one in reversed(found)}
    deep = len([one for one in found if one["deeper"]])
    told = f"Of the first row, {len(found)} that are no {DELETION} came out right"
    lines = ["", f"{told}, {deep} of them by a rule that no SCFG has; such as"]
    for one in list(firsts.values())[:SHOWN]:
        lines += [f"  {one['kind']} ({one['name']})", f"    S  {one['source']}"]
        lines += [f"    O  {one['output']}", *(f"       {rule}" for rule in one["rules"][:SHOWN])]
    return lines


def _with_interval(row: Row) -> str:
    low, high = row["relation_f1_interval"]
    return f"{row['relation_f1']:.1%} ± {50 * (high - low):.1f}"


def _percent(value: Any) -> str:
    return "-" if value is None else f"{value:.1%}"


def _number(name: str, value: Any) -> str:
    """A number of the paper: shares in percent, the others as they are printed."""
    if value is None or name in ("loss_sum", "rules", "rating"):
        return "-" if value is None else f"{value:,}"
    return _percent(value)


# --- Relation F1 at the references' rate, beside the floors; and what a score costs in words kept


FLOOR_COLOUR = "#999999"


def compressions(figure: Any, record: Row, how: Row) -> None:
    """To the left a bar for each run at the references' rate, the first on top; to the right every
    run at its own rate (open) and at that of the references (filled)."""
    gold, own = (rows_at(record, at, dev=False) for at in (GOLD, OWN))
    bars = [*gold, *(row for row in own if "depth" not in row)]
    figure.set_size_inches(11.2, 1.8 + 0.34 * len(bars))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _bars(left, bars)
    _rates(right, gold, own)
    for axes in (left, right):
        axes.grid(axis="x", alpha=0.25)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(
        *right.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8
    )


def _bars(axes: Any, rows: Sequence[Row]) -> None:
    places = [-i for i in range(len(rows))]
    heights = [100 * row["relation_f1"] for row in rows]
    ends = [row["relation_f1_interval"] for row in rows]
    errors = [
        [max(0.0, height - 100 * low) for height, (low, _) in zip(heights, ends)],
        [max(0.0, 100 * high - height) for height, (_, high) in zip(heights, ends)],
    ]
    axes.barh(places, heights, height=0.7, color=[_colour(row) for row in rows])
    axes.errorbar(heights, places, xerr=errors, fmt="none", ecolor="#333333", lw=1, capsize=2)
    for place, height, row in zip(places, heights, rows):
        told = f"{height:.1f}" if row["at"] == GOLD else f"{height:.1f} at {row['rate']:.0%}"
        axes.text(1, place, told, va="center", fontsize=8, color="white", weight="bold")
    axes.set_yticks(places, [row_name(row, rows) for row in rows], fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("relation F1 at the references' rate, %, with its 95 % interval")


def _rates(axes: Any, gold: Sequence[Row], own: Sequence[Row]) -> None:
    """Points, so that one sees which score was bought by deleting less or more."""
    seen: set[str] = set()
    for rows, fill in ((own, False), (gold, True)):
        for row in rows:
            colour, label = _colour(row), _label(row)
            axes.plot(
                100 * row["rate"],
                100 * row["relation_f1"],
                "o" if "depth" in row else "s",
                ms=6,
                mec=colour,
                mfc=colour if fill or "depth" not in row else "white",
                ls="none",
                label=None if label in seen else label,
            )
            seen.add(label)
    wanted = 100 * gold[0]["gold_rate"]
    axes.axvline(wanted, color="#333333", lw=1, ls="--")
    axes.text(
        wanted, 0.99, " the references", transform=axes.get_xaxis_transform(), fontsize=8, va="top"
    )
    axes.set_xlabel("words kept, %; open: as trained")
    axes.set_ylabel("relation F1, %")


def _colour(row: Row) -> str:
    """A colour for each order of n-grams, and one for each way to leave features out."""
    if "depth" not in row:
        return FLOOR_COLOUR
    features = row.get("features", ALL)
    if features != ALL:
        return COLOURS[(2 + list(FEATURES).index(features)) % len(COLOURS)]
    return COLOURS[(row["order"] - 1) % len(COLOURS)]


def _label(row: Row) -> str:
    if "depth" not in row:
        return str(row["system"]).replace("-", " ")
    features = row.get("features", ALL)
    return ngrams(row["order"]) if features == ALL else FEATURES[features]
