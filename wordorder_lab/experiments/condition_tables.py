"""Rows of input conditions as text: tags down and dependencies across, the paper's values beside.

Where only some combinations were run, there is a line for each model and a column for each of them,
as in Liu et al. (2015), Table 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.conditions import TRAINING_SHARES, grouped, telling

Row = Mapping[str, Any]
SHOWN = {
    "bleu_cased": "BLEU, cased",
    "bleu_13a_lc": "BLEU, 13a lower-cased",
    "brevity": "brevity",
    "timeouts": "share of time-outs",
    "spanning": "share found as a whole",
    "category_precision": "precision of lexical categories",
    "ms_per_sentence": "milliseconds a sentence",
}
ONLY_IF_NOT = {"brevity": 1, "timeouts": 0, "spanning": 1, "category_precision": None}
"""Of these there is a table only if a row has another value."""
PAPERS = {"bleu_cased": "bleu", "ms_per_sentence": "ms_per_sentence"}
"""What the paper's values call it."""
THINGS = {"pos": "POS", "deps": "dependencies"}
TRAINED = {"training_pos": "pos", "training_deps": "deps"}
"""What a model was given in training."""


def share_name(name: str, share: float) -> str:
    """A share in words: "no POS", "50 % POS", "all dependencies"."""
    amount = "no" if share == 0 else "all" if share == 1 else f"{100 * share:g} %"
    return f"{amount} {THINGS[name]}"


def model_name(key: Row) -> str:
    """What tells a model from others: "dev, trained with no POS, no dependencies"."""
    trained = [share_name(of, key[name]) for name, of in TRAINED.items() if name in key]
    words = [
        share_name(name, value) if name in THINGS else str(value)
        for name, value in key.items()
        if name not in TRAINED
    ]
    return ", ".join([*words, *([f"trained with {', '.join(trained)}"] if trained else [])])


def record_lines(record: Mapping[str, Any]) -> list[str]:
    """Conditions as tables, the paper's values beside ours, and what is significant."""
    rows = record["rows"]
    lines = condition_lines(rows, telling(rows), record["paper"].get("values", []))
    return [*lines, "", interval_line(rows), *comparison_lines(record["comparisons"])]


def condition_lines(
    rows: Sequence[Row], names: Sequence[str] = (), values: Sequence[Row] = ()
) -> list[str]:
    """The tables of these rows; ``names`` are the settings that tell models apart.

    ``values`` are the paper's. Means have their 95 % interval over the seeds beside them. A model
    that was scored under every combination has a grid; the others share a list.
    """
    pos, deps = (sorted({row[name] for row in rows}) for name in ("pos", "deps"))
    models = grouped(rows, ("split", *names))
    full = [model for model in models if len(model[1]) == len(pos) * len(deps)]
    rest = [model for model in models if model not in full]
    lines = [line for key, mine in full for line in _grids(key, mine, pos, deps, values)]
    if rest:
        beside = [v for v in values if not any(_is_of(v, key, mine[0]) for key, mine in full)]
        lines += _lists(rest, beside)
    return lines[1:]  # every table begins with an empty line


def _grids(
    key: Row,
    rows: Sequence[Row],
    pos: Sequence[float],
    deps: Sequence[float],
    values: Sequence[Row],
) -> list[str]:
    """The tables of one model on one split."""
    papers = {(v["pos"], v["deps"]): v for v in values if _is_of(v, key, rows[0])}
    found = {(row["pos"], row["deps"]): row for row in rows}
    where = model_name(key)
    lines = []
    for name, title in _shown(rows):
        beside = papers if any(PAPERS.get(name) in value for value in papers.values()) else {}
        table = [["", *(share_name("deps", d) for d in deps)]]
        for p in pos:
            cells = [_cell(found[p, d], name, beside.get((p, d))) for d in deps]
            table.append([share_name("pos", p), *cells])
        whose = " (the paper's)" if beside else ""
        lines += ["", f"{where}: {title}{whose}", *aligned(table)]
    return lines


def _lists(models: Sequence[tuple[Row, Sequence[Row]]], values: Sequence[Row]) -> list[str]:
    """A line a model and split, a column a combination."""
    every = [*(row for _, rows in models for row in rows), *values]
    columns = sorted({(row["pos"], row["deps"]) for row in every})
    heads = [f"{share_name('pos', p)}, {share_name('deps', d)}" for p, d in columns]
    printed = grouped(values, ("split", "system"))
    lines = []
    for name, title in _shown([row for _, rows in models for row in rows]):
        table = [["", *heads]]
        for key, rows in models:
            found = {(row["pos"], row["deps"]): row for row in rows}
            cells = [_cell(found[c], name) if c in found else "-" for c in columns]
            table.append([model_name(key), *cells])
        for key, rows in printed if any(PAPERS.get(name) in v for v in values) else []:
            given = {(row["pos"], row["deps"]): row.get(PAPERS[name], "-") for row in rows}
            cells = [str(given.get(c, "-")) for c in columns]
            table.append([f"the paper: {', '.join(map(str, key.values()))}", *cells])
        lines += ["", title, *aligned(table)]
    return lines


def _shown(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """What there is a table of."""
    usual = ONLY_IF_NOT.get
    kept = (n for n in SHOWN if any(row.get(n, usual(n)) != usual(n) for row in rows))
    return [(name, SHOWN[name]) for name in kept]


def _is_of(value: Row, key: Row, row: Row) -> bool:
    """Whether a value of the paper belongs beside a row: the same system on the same split, and the
    same training where the paper has several."""
    training = (name for name in TRAINED if name in key and name in value)
    same = all(value[name] == key[name] for name in training)
    return same and value.get("split") == key["split"] and value.get("system") == row.get("system")


def _cell(row: Row, name: str, paper: Row | None = None) -> str:
    if row.get(name) is None:
        return "-"
    text = f"{row[name]:.3f}" if name in ONLY_IF_NOT else f"{row[name]:.2f}"
    if name == "bleu_cased" and half_width(row):
        text += f" ± {half_width(row):.2f}"
    given = (paper or {}).get(PAPERS.get(name, ""))
    return text if given is None else f"{text} ({given})"


def half_width(row: Row) -> float:
    """Half the 95 % interval over the seeds; over the sentences where there is one seed."""
    low, high = row["bleu_cased_seed_interval"] or row["bleu_cased_interval"]
    return (high - low) / 2


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = []
    for first, *others in table:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
        lines.append("  ".join([f"  {first:<{widths[0]}}", *cells]).rstrip())
    return lines


def interval_line(rows: Sequence[Row]) -> str:
    """What the number behind a plus or minus means."""
    seeds = len(rows[0]["seeds"])
    if seeds > 1:
        return (
            f"mean of {seeds} sampling seeds ± 95 % over the seeds (none where all seeds give the "
            "same); times are medians"
        )
    return "± 95 % over the sentences (one sampling seed)"


def comparison_lines(comparisons: Sequence[Row]) -> list[str]:
    """All against none, and model against model; a half between them is in the JSON."""
    lines = []
    for one in comparisons:
        first, second = one["baseline"], one["system"]
        of = one["of"]
        if of in THINGS and not {first[of], second[of]} <= {0, 1}:
            continue
        of_these = tuple(TRAINED) if of == TRAINING_SHARES else (of,)
        names = [model_name({name: key[name] for name in of_these}) for key in (second, first)]
        rest = model_name({name: value for name, value in first.items() if name not in of_these})
        told = f"{names[0]} against {names[1]}: {one['difference']:+.2f}, p = {one['p_value']:.4f}"
        lines.append(f"  {rest}: {told}")
    told = "paired bootstrap over the sentences, one-sided: at 5 %, p is below 0.025"
    return ["", told, *lines] if lines else []
