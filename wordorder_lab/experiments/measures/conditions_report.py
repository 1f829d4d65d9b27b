"""Rows of input conditions as text: tags down and dependencies across, the paper's values beside.

Where only some combinations were run, there is a line for each model and a column for each of them,
as in Liu et al. (2015), Table 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.measures.style import (
    AXES,
    COLOURS,
    THINGS,
    aligned,
    grouped,
    plain_ticks,
    share_name,
)

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


TRAINED = {"training_pos": "pos", "training_deps": "deps"}
"""What a model was given in training."""


TRAINING = (
    *("system", "corpus", "units", "templates", "update", "shuffle", "beam", "epoch"),
    "training_seed",
)
"""What may tell one model of an experiment from another."""
TRAINING_SHARES = "training_shares"
"""What a comparison is of where models were given other shares in training."""


def model_name(key: Row) -> str:
    """What tells a model from others: "dev, trained with no POS, no dependencies"."""
    trained = [share_name(of, key[name]) for name, of in TRAINED.items() if name in key]
    words = [
        share_name(name, value) if name in THINGS else str(value)
        for name, value in key.items()
        if name not in TRAINED
    ]
    return ", ".join([*words, *([f"trained with {', '.join(trained)}"] if trained else [])])


def telling(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings of trainings that are not the same in all rows (or results).

    Training's shares are not named where each model is scored as it was trained: the condition
    says them.
    """
    names = list(TRAINING)
    if any(row.get(f"training_{of}", row[of]) != row[of] for row in rows for of in ("pos", "deps")):
        names += ["training_pos", "training_deps"]
    return [name for name in names if len({row.get(name) for row in rows}) > 1]


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


# --- Records of input conditions as pictures: what more input is worth, and what time it saves


PANELS = ("bleu_cased", "ms_per_sentence")
PAPER, OF_PAPER = "#777777", "the paper, on its own data"


def conditions(figure: Any, record: Row, how: Row) -> None:
    """BLEU and milliseconds by dependencies, a line a share of tags; the paper's are dashed."""
    rows, values = _chosen(record, how)
    panels = figure.subplots(1, len(PANELS))
    for axes, name in zip(panels, PANELS):
        _by_dependencies(axes, rows, values, name)
    _logarithmic(panels[1], [one[PANELS[1]] for one in (*rows, *values) if PANELS[1] in one])
    _legend(panels[0], values)


def trainings(figure: Any, record: Row, how: Row) -> None:
    """BLEU as in ``conditions``, a panel for each model by what its training was given."""
    rows, values = _chosen(record, how)
    models = grouped(rows, tuple(TRAINED))
    panels = figure.subplots(1, len(models), sharey=True, squeeze=False)[0]
    for axes, (key, mine) in zip(panels, models):
        own = [v for v in values if all(v[name] == share for name, share in key.items())]
        _by_dependencies(axes, mine, own, "bleu_cased")
        axes.set_title(model_name(key), fontsize=10)
        axes.label_outer()
    _legend(panels[0], values)


def _by_dependencies(axes: Any, rows: Sequence[Row], values: Sequence[Row], name: str) -> None:
    for colour, (key, mine) in zip(COLOURS, grouped(rows, ("pos",))):
        paper = [v for v in values if v["pos"] == key["pos"] and PAPERS[name] in v]
        _line(axes, mine, name, color=colour, fmt="o-", label=share_name("pos", key["pos"]))
        _line(axes, paper, PAPERS[name], color=colour, fmt="o--", mfc="none", alpha=0.6)
    deps = sorted({row["deps"] for row in rows})
    axes.set_xticks(deps, [share_name("deps", share).split(" dep")[0] for share in deps])
    axes.set(xlabel="dependencies given", ylabel=AXES[name])
    _plain(axes)


def _legend(axes: Any, values: Sequence[Row]) -> None:
    if values:
        axes.errorbar([], [], fmt="o--", ms=4, color=PAPER, mfc="none", label=OF_PAPER)
    axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc="upper left")


def groups(figure: Any, record: Row, how: Row) -> None:
    """A group of bars for each combination of tags and dependencies: the paper's, then ours."""
    rows, values = _chosen(record, how)
    columns = sorted({(row["pos"], row["deps"]) for row in rows})
    bars = [(OF_PAPER, "bleu", values, PAPER)] if values else []
    for colour, (key, mine) in zip(COLOURS, grouped(rows, (how["lines"],))):
        bars.append((str(key[how["lines"]]), "bleu_cased", mine, colour))
    axes, width = figure.subplots(), 0.8 / len(bars)
    for i, (label, name, mine, colour) in enumerate(bars):
        heights = {(row["pos"], row["deps"]): row[name] for row in mine}
        shift = (i - (len(bars) - 1) / 2) * width
        drawn = [(x + shift, heights[c]) for x, c in enumerate(columns) if c in heights]
        axes.bar(*zip(*drawn), width=0.92 * width, color=colour, label=label)
        for x, height in drawn:
            axes.text(x, height + 0.8, f"{height:.1f}", ha="center", fontsize=8)
    names = [f"{share_name('pos', p)}\n{share_name('deps', d)}" for p, d in columns]
    axes.set_xticks(range(len(columns)), names, fontsize=9)
    axes.set_ylabel(AXES["bleu_cased"])
    axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc="upper left")
    _plain(axes)


FIGURES = {"conditions": conditions, "groups": groups, "trainings": trainings}
"""The kinds of ``[plot]`` that draw a whole figure."""


def _chosen(record: Row, how: Row) -> tuple[list[Row], list[Row]]:
    """The rows of the split to show, and the paper's values for the same system and split."""
    rows = [row for row in record["rows"] if row["split"] == how["split"]]
    systems = {row["system"] for row in rows}
    values = record["paper"].get("values", [])
    mine = [v for v in values if v.get("split") == how["split"] and v.get("system") in systems]
    return rows, mine


def _line(axes: Any, rows: Sequence[Row], name: str, **style: Any) -> None:
    if not rows:
        return
    rows = sorted(rows, key=lambda row: row["deps"])
    bars = [half_width(row) for row in rows] if name == "bleu_cased" else None
    points = [row[name] for row in rows]
    axes.errorbar([row["deps"] for row in rows], points, bars, lw=1.5, ms=4, capsize=2, **style)


def _logarithmic(axes: Any, milliseconds: Sequence[float]) -> None:
    """Times on a logarithmic axis: those of the paper are about a hundred times ours."""
    axes.set_yscale("log")
    plain_ticks(axes.yaxis, min(milliseconds), max(milliseconds))


def _plain(axes: Any) -> None:
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
