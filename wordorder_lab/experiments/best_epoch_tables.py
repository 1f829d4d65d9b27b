"""The test scores of several systems as text, each after its best epoch, and why they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.best_epoch_runs import ALL
from wordorder_lab.experiments.condition_tables import aligned
from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.run_settings import DEV

Row = Mapping[str, Any]
HEAD = (
    *("", "epoch", "BLEU, cased", "13a lc", "the paper", "exact", "words out/in", "whole"),
    *("at limit", "stuck", "categories", "ms"),
)
LEGEND = (
    "± is half the 95 % interval over the choice of sentences; epoch: the best on dev, of all",
    "13a lc: BLEU re-tokenised and lower-cased; exact: word for word; words out/in: length ratio",
    "whole: bags for which one derivation or tree over all words was found; where none was, the",
    "search was at its limit of expansions, or stuck: nothing was left on its agenda",
    "categories: precision of the lexical categories (CCG); ms: milliseconds a sentence",
)
P_VALUES = "paired bootstrap over the sentences, one-sided: at 5 %, p is below 0.025"


def of_best_epoch(record: Row) -> bool:
    """Whether a record says which epoch of each training was chosen."""
    return any("dev_bleu_cased" in row for row in record["rows"])


def final_rows(record: Row) -> list[Row]:
    """The rows of all sentences of the split that is reported, one a system."""
    return [row for row in record["rows"] if row["split"] != DEV and row["length"] == ALL]


def length_rows(record: Row) -> dict[str, list[Row]]:
    """The rows by length of each system that searches."""
    rows = [row for row in record["rows"] if row["split"] != DEV and row["length"] != ALL]
    return {key["system"]: list(mine) for key, mine in grouped(rows, ("system",))}


def length_name(row: Row) -> str:
    """``"1 to 10 words (40 sentences)"``."""
    return f"{row['length'].replace('-', ' to ')} words ({row['sentences']} sentences)"


def paper_bleu(record: Row, system: str) -> Any:
    """What the paper has for a system, on its own data; ``None`` for nothing."""
    values = record["paper"].get("values", [])
    mine = [one["bleu"] for one in values if one.get("system") == system and "bleu" in one]
    return mine[0] if mine else None


def best_epoch_lines(record: Row) -> list[str]:
    """A line a system; then how many bags were ordered as a whole by length, and what is sure."""
    rows = final_rows(record)
    searched = [row for row in rows if "epoch" in row]
    sizes = sorted({row["trained_sentences"] for row in searched})
    learned = " to ".join(f"{size:,}" for size in sizes[:: max(1, len(sizes) - 1)])
    where = {f"{row['corpus']}, {row['units']}, {row['split']}" for row in rows}
    told = f"{rows[0]['sentences']} sentences of {'; '.join(sorted(where))}; learned: {learned}"
    lines = [told, *aligned([HEAD, *(_cells(record, row) for row in rows)]), ""]
    lines += [*LEGEND, *(f"{name}: {text}" for name, text in record["signatures"].items())]
    lines += ["", f"the paper: {record['paper'].get('data')}"]
    lines += [f"condition: {record['paper'].get('condition', 'not said')}", ""]
    lines += [*_by_length(record), *_comparisons(record["comparisons"])]
    return lines


def _cells(record: Row, row: Row) -> list[str]:
    low, high = row["bleu_cased_interval"]
    paper = paper_bleu(record, row["system"])
    limit, no_goal = row["timeouts"], row.get("no_goal", row["timeouts"])
    return [
        row["system"],
        f"{row['epoch']} of {row['epochs']}" if "epoch" in row else "-",
        f"{row['bleu_cased']:.2f} ± {(high - low) / 2:.2f}",
        f"{row['bleu_13a_lc']:.2f}",
        "-" if paper is None else f"{paper}",
        f"{row['exact_match']:.1%}",
        f"{row['brevity']:.3f}",
        _share(row.get("spanning")),
        _share(limit if "spanning" in row else None),
        _share(no_goal - limit if "spanning" in row else None),
        _share(row.get("category_precision")),
        f"{row['ms_per_sentence']:.1f}" if "ms_per_sentence" in row else "-",
    ]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _by_length(record: Row) -> list[str]:
    """Shares of bags ordered as a whole, and words out over words in, by length."""
    lines = []
    systems = length_rows(record)
    for name, title, form in (
        ("spanning", "found as a whole", ".1%"),
        ("brevity", "words out/in", ".3f"),
        ("bleu_cased", "BLEU, cased", ".1f"),
    ):
        first = next(iter(systems.values()), [])
        table = [[title, *map(length_name, first)]]
        for system, rows in systems.items():
            table.append([system, *(format(row[name], form) for row in rows)])
        lines += [*aligned(table), ""]
    return lines


def _comparisons(found: Sequence[Row]) -> list[str]:
    names = [(one["system"]["system"], one["baseline"]["system"]) for one in found]
    table = [
        [f"{system} against {other}", f"{one['difference']:+.2f}", f"p = {one['p_value']:.4f}"]
        for one, (system, other) in zip(found, names)
    ]
    return [P_VALUES, *aligned(table)] if table else []
