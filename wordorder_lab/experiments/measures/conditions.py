"""The measure "conditions": each run trains one model, which is then scored in several conditions.

A condition is a split, a share of tags, a share of dependencies, and a seed that samples them.
Nothing that is finished is done twice: training keeps a checkpoint beside the record, and the
results so far lie in the record's ``.partial`` file, with what BLEU counted in each sentence.

As text, tags stand down and dependencies across, the paper's values beside ours. Where only some
combinations were run, there is a line for each model and a column for each of them, as in Liu et
al. (2015), Table 5.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from wordorder_lab.experiments.measures import figures, tables
from wordorder_lab.experiments.measures.figures import AXES, COLOURS, LEGEND, OF_PAPER, plain
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Measure,
    Sentences,
    Specification,
    Work,
    as_trained,
    rounded,
)
from wordorder_lab.experiments.measures.tables import Record, Row, Rows, grouped, share_name
from wordorder_lab.experiments.runs import folds
from wordorder_lab.experiments.runs.corpora import corpus_of_run
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS, evaluate_orderings
from wordorder_lab.experiments.runs.outputs import OUTPUTS, packed_lines
from wordorder_lab.experiments.runs.schema import SETTING, SpecificationError, check, listing, table
from wordorder_lab.experiments.runs.settings import search_of, usual
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics import significance
from wordorder_lab.metrics.significance import BLEU, SENTENCE_SCORES
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.systems.model import OrderingModel

GIVEN = ("pos", "deps", "seed")
"""Both training and scoring have these; in a row, training's are ``training_pos`` and so on."""
LISTED = ("split", "pos", "deps", "seed")
"""What ``[evaluate]`` may list; without ``pos`` or ``deps``, a model gets what its training got."""


class _Conditions(Measure):
    """A row for each split and input condition of each model, over several seeds."""

    own_table: ClassVar[str] = "[evaluate]"
    has_papers: ClassVar[bool] = True

    def check_table(self, content: Record) -> None:
        lists = content["evaluate"]
        known = {name: listing(SETTING[name], 1) for name in LISTED}
        check(lists, table(known, needed=("split", "seed")), "evaluate")
        for name, values in lists.items():
            if len(set(values)) < len(values):
                raise SpecificationError(f"evaluate.{name} lists a value twice: {values!r}")

    def begin(self) -> Row:
        return {"results": []}

    def done(self, record: Record) -> str:
        return f"{len(record['results'])} conditions"

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Do what ``record["results"]`` has not yet, one after the other, and fill the record."""
        runs, results = specification.parts, record["results"]
        names = (f"{work.out.name}.{i + 1}.checkpoint" for i in range(len(runs)))
        checkpoints = list(map(work.out.with_name, names))
        if "training_seconds" not in record:  # nothing is begun: these are of something else
            for checkpoint in checkpoints:
                checkpoint.unlink(missing_ok=True)
        seconds = record.setdefault("training_seconds", [0.0] * len(runs))
        work.keep()
        plan = [_conditions_of(run, specification.evaluate) for run in runs]
        total = sum(usual(run, "epochs") + len(mine) for run, mine in zip(runs, plan))
        with progress_bar(total=total, desc="epochs and conditions", delay=2, leave=False) as shown:

            def step() -> None:
                work.keep()
                shown.update()

            for i, run in enumerate(runs):
                done = {condition_of(result) for result in results if result["run"] == i}
                todo = [condition for condition in plan[i] if condition not in done]
                shown.update(len(done) + (0 if todo else usual(run, "epochs")))

                def after(numbers: Row, _: object, i: int = i, before: float = seconds[i]) -> None:
                    seconds[i] = before + numbers["training_seconds"]
                    step()

                for result in _scored(run, todo, checkpoints[i], work.cut, after) if todo else ():
                    results.append({"run": i, **result})
                    step()
                for row in _rows(run, i, record) if todo else ():
                    work.show(self.line(row))
                checkpoints[i].unlink(missing_ok=True)
        if specification.folds:
            _join(specification, record, work.cut)
            runs, results = specification.folded, record["results"]
        record["rows"] = [row for i, run in enumerate(runs) for row in _rows(run, i, record)]
        named = [{**_named(runs[result["run"]]), **result} for result in results]
        groups = grouped(named, ("split", *_telling(named), "pos", "deps"))
        record["comparisons"] = list(comparisons(groups, work.jobs))

    def finish(self, record: Row) -> None:
        super().finish(record)
        record.pop("training_seconds", None)

    def wanted(self, specification: Specification) -> Iterator[Record]:
        for run in specification.runs:
            settings = {**as_trained(run), "epoch": run.get("epochs")}
            every = _conditions_of(run, specification.evaluate)
            for split, pos, deps in dict.fromkeys((c.split, c.pos, c.deps) for c in every):
                yield {**settings, "split": split, "pos": pos, "deps": deps}


def _join(specification: Specification, record: Row, cut: Cut) -> None:
    """Make one result of those of all folds, run by run and condition by condition."""
    each, number = len(specification.runs), specification.folds
    results = []
    for place, run in enumerate(specification.runs):
        parts = [
            [_as_row(one) for one in record["results"] if one["run"] == place + fold * each]
            for fold in range(number)
        ]
        for row in folds.joined(parts, folds.held_out(run, number, cut)):
            ((kept,),) = row.pop(SENTENCE_SCORES).values()
            results.append({"run": place, **row, **kept})
    seconds = record["training_seconds"]
    record["training_seconds"] = [sum(seconds[place::each]) for place in range(each)]
    record["results"] = results


def _as_row(result: Record) -> Row:
    own = {name: value for name, value in result.items() if name not in ("run", "counts")}
    return {**own, SENTENCE_SCORES: {BLEU: [{"counts": result["counts"]}]}}


def _conditions_of(run: Record, lists: Record) -> list[Condition]:
    """Under what a run's model is scored; as in its training where nothing is listed, or where the
    run says ``scored_as_trained``."""
    shares = {} if run.get("scored_as_trained") else lists
    pos, deps = (shares.get(name, [usual(run, name)]) for name in GIVEN[:2])
    return grid(lists["split"], pos, deps, lists["seed"])


def grid(
    splits: Sequence[str], pos: Sequence[float], deps: Sequence[float], seeds: Sequence[int]
) -> list[Condition]:
    """Every combination once. Seeds change last: the times of one condition are taken far apart, so
    that other work on the machine slows all conditions and not one of them."""
    every = product(seeds, splits, pos, deps)
    return [Condition(split, p, d, seed) for seed, split, p, d in every]


def _scored(
    run: Record,
    todo: Sequence[Condition],
    checkpoint: Path,
    cut: Cut,
    after: Callable[[Row, object], None],
) -> Iterator[Row]:
    """Train (or take the model of a checkpoint), and score under each of these conditions."""
    corpus = corpus_of_run(run)
    held_out = {split: cut(corpus.split(split)) for split in {one.split for one in todo}}
    model = train_run(run, cut(corpus.train), after, checkpoint=checkpoint)
    for condition in todo:
        yield measure(model, held_out[condition.split], condition, **search_of(run))


def _rows(run: Record, number: int, record: Record) -> list[Row]:
    """A row for each split and condition of a run, with what every sentence adds to BLEU, an
    ordering a seed."""
    mine = [one for one in record["results"] if one["run"] == number]
    seconds = round(record["training_seconds"][number], 2)
    return [
        {
            **_named(run),
            **summary(results),
            "training_seconds": seconds,
            SENTENCE_SCORES: {BLEU: [{"counts": result["counts"]} for result in results]},
            OUTPUTS: [output for result in results for output in result[OUTPUTS]],
        }
        for _, results in grouped(mine, ("split", "pos", "deps"))
    ]


def _named(run: Record) -> Row:
    """A training's settings, named so that those of the scoring can stand beside them."""
    own = {name: value for name, value in run.items() if name not in (*GIVEN, "split", "epochs")}
    training = {f"training_{name}": usual(run, name) for name in GIVEN}
    return {**own, **training, "epoch": usual(run, "epochs")}


SCORES = ("bleu_cased", "bleu_13a_lc", "exact_match", "brevity", "timeouts")
SOME = ("spanning", "category_precision")
"""What is averaged over the seeds, and what of it not every system has."""


class Condition(NamedTuple):
    """What a model is given of the gold trees."""

    split: str
    pos: float
    deps: float
    seed: int


def measure(model: OrderingModel, sentences: Sentences, condition: Condition, **search: Any) -> Row:
    """The model under one condition. Raises ``ValueError`` as ``evaluate_orderings``."""
    split, pos, deps, seed = condition
    done = evaluate_orderings(model, sentences, pos=pos, deps=deps, seed=seed, **search)
    kept = {"counts": significance.packed(done.counts), OUTPUTS: [packed_lines(done.outputs)]}
    return {"split": split, **done.to_dict(), **kept}


def condition_of(result: Record) -> Condition:
    """The condition that a result of ``measure`` belongs to."""
    return Condition(*(result[name] for name in Condition._fields))


def summary(results: Rows) -> Row:
    """A row for the results of one condition under its seeds.

    Scores are means, milliseconds the median, which other work on the machine moves least.
    ``bleu_cased_interval`` is 95 % over the choice of sentences, ``bleu_cased_seed_interval`` over
    the choice of the sample (``None`` for one seed).
    """
    split, pos, deps, _ = condition_of(results[0])
    cased, times = ([one[name] for one in results] for name in ("bleu_cased", "ms_per_sentence"))
    sentences = significance.pooled_interval(
        [significance.unpacked(one["counts"]) for one in results]
    )
    had = [name for name in SOME if all(one.get(name) is not None for one in results)]
    means = {name: statistics.fmean(one[name] for one in results) for name in (*SCORES, *had)}
    return {
        "split": split,
        "pos": pos,
        "deps": deps,
        "sentences": results[0]["sentences"],
        **rounded(means),
        "bleu_cased_interval": [round(end, DIGITS) for end in (sentences.low, sentences.high)],
        "bleu_cased_seed_interval": seed_interval(cased),
        "ms_per_sentence": round(statistics.median(times), DIGITS),
        "seeds": [one["seed"] for one in results],
        "bleu_cased_by_seed": [round(score, DIGITS) for score in cased],
        "ms_per_sentence_by_seed": [round(ms, DIGITS) for ms in times],
    }


def seed_interval(values: Sequence[float]) -> list[float] | None:
    """The 95 % interval of the mean by Student's t; ``None`` for fewer than two values."""
    if len(values) < 2:
        return None
    from scipy.stats import t

    mean, error = statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5
    half = float(t.ppf(0.975, len(values) - 1)) * error
    return [round(mean - half, DIGITS), round(mean + half, DIGITS)]


def comparisons(groups: Sequence[tuple[Record, Rows]], jobs: int = 1) -> Iterator[Row]:
    """A paired bootstrap for each two groups of results that differ in one thing alone; what a
    training was given is one thing.

    A group is its key (``{"split": "dev", "pos": 0, "deps": 1}``) and its results. Sentences are
    drawn, each with the outputs under all its seeds; BLEU here is that of all outputs together, and
    ``p_value`` is one-sided.
    """
    counts = [[significance.unpacked(one["counts"]) for one in results] for _, results in groups]
    names: list[Row] = []
    pairs = []
    for a, b in combinations(range(len(groups)), 2):
        first, second = groups[a][0], groups[b][0]
        differing = [name for name in first if first[name] != second[name]]
        of = TRAINING_SHARES if differing == ["training_pos", "training_deps"] else differing[0]
        if of == "split" or (len(differing) != 1 and of != TRAINING_SHARES):
            continue
        if of in ("pos", "deps") and first[of] > second[of]:
            a, b, first, second = b, a, second, first
        names.append({"of": of, "baseline": dict(first), "system": dict(second)})
        pairs.append((counts[a], counts[b]))
    for name, scores in zip(names, map_in_order(_compared, pairs, jobs, "comparisons")):
        yield {**name, **scores}


def _compared(pair: tuple[Sequence[np.ndarray], Sequence[np.ndarray]]) -> Row:
    drawn = significance.pooled_bootstrap(*pair)
    scores = {"baseline_bleu": drawn.baseline.score, "system_bleu": drawn.system.score}
    return rounded({**scores, "difference": drawn.difference, "p_value": drawn.p_value})


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
TRAINING = tuple("system corpus units templates update shuffle beam epoch training_seed".split())
TRAINING_SHARES = "training_shares"


def _model_name(key: Record) -> str:
    """What tells a model from others: "dev, trained with no POS, no dependencies"."""
    words = [
        tables.in_words(name, value) for name, value in key.items() if name not in tables.TRAINED
    ]
    trained = [share_name(of, key[name]) for name, of in tables.TRAINED.items() if name in key]
    return ", ".join([*words, *([f"trained with {', '.join(trained)}"] if trained else [])])


def _given_name(row: Record) -> str:
    """What a model is given of the gold trees: "all POS, no dependencies"."""
    return ", ".join(share_name(name, row[name]) for name in tables.THINGS)


def _telling(rows: Rows) -> list[str]:
    """The settings of trainings that are not the same in all rows (or results). Training's shares
    are not named where each model is scored as it was trained: the condition says them."""
    otherwise = any(
        row.get(name, row[of]) != row[of] for row in rows for name, of in tables.TRAINED.items()
    )
    return tables.differing(rows, [*TRAINING, *(tables.TRAINED if otherwise else ())])


def _record_lines(record: Record) -> list[str]:
    rows = record["rows"]
    lines = condition_lines(rows, _telling(rows), tables.papers(record))
    return [*lines, "", interval_line(rows), *comparison_lines(record["comparisons"])]


def condition_lines(rows: Rows, names: Sequence[str] = (), values: Rows = ()) -> list[str]:
    """The tables of these rows; ``names`` are the settings that tell models apart. ``values`` are
    the paper's. Means have their 95 % interval over the seeds beside them. A model that was scored
    under every combination has a grid; the others share a list."""
    pos, deps = (len({row[name] for row in rows}) for name in tables.THINGS)
    models = grouped(rows, ("split", *names))
    full = [model for model in models if len(model[1]) == pos * deps]
    rest = [model for model in models if model not in full]
    lines = [line for key, mine in full for line in _grids(key, mine, values)]
    if rest:
        beside = [v for v in values if not any(_is_of(v, key, mine[0]) for key, mine in full)]
        lines += _lists(rest, beside)
    return lines[1:]  # every table begins with an empty line


def _grids(key: Record, rows: Rows, values: Rows) -> Iterator[str]:
    papers = {(v["pos"], v["deps"]): v for v in values if _is_of(v, key, rows[0])}
    by_shares = sorted(rows, key=lambda row: (row["pos"], row["deps"]))
    for name, title in _shown(rows):
        beside = papers if any(PAPERS.get(name) in value for value in papers.values()) else {}
        cells = [
            (share_name("pos", r["pos"]), share_name("deps", r["deps"]), _cell(r, name, beside))
            for r in by_shares
        ]
        whose = " (the paper's)" if beside else ""
        yield from ("", f"{_model_name(key)}: {title}{whose}", *tables.across("", cells))


def _lists(models: Sequence[tuple[Record, Rows]], values: Rows) -> Iterator[str]:
    rows = [row for _, mine in models for row in mine]
    every = sorted([*rows, *values], key=lambda row: (row["pos"], row["deps"]))
    heads = list(dict.fromkeys(map(_given_name, every)))
    for name, title in _shown(rows):
        cells = [
            (_model_name(k), _given_name(r), _cell(r, name, {})) for k, mine in models for r in mine
        ]
        for value in values if any(PAPERS.get(name) in v for v in values) else ():
            whose = f"the paper: {value.get('split')}, {value.get('system')}"
            cells.append((whose, _given_name(value), str(value.get(PAPERS[name], tables.NOTHING))))
        yield from ("", title, *tables.across("", cells, heads))


def _shown(rows: Rows) -> list[tuple[str, str]]:
    usual = ONLY_IF_NOT.get
    kept = (n for n in SHOWN if any(row.get(n, usual(n)) != usual(n) for row in rows))
    return [(name, SHOWN[name]) for name in kept]


def _is_of(value: Record, key: Record, row: Record) -> bool:
    """Whether a value of the paper has a row's system, split and, where it says any, training."""
    training = (name for name in tables.TRAINED if name in key and name in value)
    same = all(value[name] == key[name] for name in training)
    return same and value.get("split") == key["split"] and value.get("system") == row.get("system")


def _cell(row: Record, name: str, papers: Mapping[tuple[float, float], Record]) -> str:
    if row.get(name) is None:
        return tables.NOTHING
    text = f"{row[name]:.3f}" if name in ONLY_IF_NOT else f"{row[name]:.2f}"
    if name == "bleu_cased" and _half_width(row):
        text += f" ± {_half_width(row):.2f}"
    given = papers.get((row["pos"], row["deps"]), {}).get(PAPERS.get(name, ""))
    return text if given is None else f"{text} ({given})"


def _half_width(row: Record) -> float:
    """Half the 95 % interval over the seeds; over the sentences where there is one seed."""
    low, high = row["bleu_cased_seed_interval"] or row["bleu_cased_interval"]
    return float(high - low) / 2


def interval_line(rows: Rows) -> str:
    """What the number behind a plus or minus means."""
    seeds = len(rows[0]["seeds"])
    if seeds == 1:
        return "± 95 % over the sentences (one sampling seed)"
    return (
        f"mean of {seeds} sampling seeds ± 95 % over the seeds (none where all seeds give the "
        "same); times are medians"
    )


def comparison_lines(comparisons: Rows) -> list[str]:
    """All against none, and model against model; a half between them is in the JSON."""
    lines = []
    for one in comparisons:
        first, second, of = one["baseline"], one["system"], one["of"]
        if of in tables.THINGS and not {first[of], second[of]} <= {0, 1}:
            continue
        of_these = tuple(tables.TRAINED) if of == TRAINING_SHARES else (of,)
        names = [_model_name({name: key[name] for name in of_these}) for key in (second, first)]
        rest = _model_name({name: value for name, value in first.items() if name not in of_these})
        found = f"{names[0]} against {names[1]}: {one['difference']:+.2f}, p = {one['p_value']:.4f}"
        lines.append(f"  {rest}: {found}")
    test = "paired bootstrap over the sentences, one-sided: at 5 %, p is below 0.025"
    return ["", test, *lines] if lines else []


# --- as pictures: what more input is worth, and what time it saves --------------------------------


PANELS = ("bleu_cased", "ms_per_sentence")
PAPERS_DATA = "the paper, on its own data"


def _conditions(figure: figures.Figure, record: Record, options: Record) -> None:
    """BLEU and milliseconds by dependencies, a line a share of tags; the paper's are dashed."""
    rows, values = _chosen(record, options)
    panels = figure.subplots(1, len(PANELS))
    for axes, name in zip(panels, PANELS):
        _by_dependencies(axes, rows, values, name)
    # The times of the paper are about a hundred times ours.
    times = [one[PANELS[1]] for one in (*rows, *values) if PANELS[1] in one]
    panels[1].set_yscale("log")
    figures.plain_ticks(panels[1].yaxis, min(times), max(times))
    _legend(panels[0], values)


def _trainings(figure: figures.Figure, record: Record, options: Record) -> None:
    """BLEU as in ``_conditions``, a panel for each model by what its training was given."""
    rows, values = _chosen(record, options)
    models = grouped(rows, tuple(tables.TRAINED))
    panels = figures.side_by_side(figure, len(models))
    for axes, (key, mine) in zip(panels, models):
        own = [v for v in values if all(v[name] == share for name, share in key.items())]
        _by_dependencies(axes, mine, own, "bleu_cased")
        axes.set_title(_model_name(key), fontsize=10)
        axes.label_outer()
    _legend(panels[0], values)


def groups(figure: figures.Figure, record: Record, options: Record) -> None:
    """A group of bars for each combination of tags and dependencies: the paper's, then ours."""
    rows, values = _chosen(record, options)
    columns = sorted({(row["pos"], row["deps"]) for row in rows})
    bars = [(PAPERS_DATA, "bleu", values, OF_PAPER)] if values else []
    for colour, (key, mine) in zip(COLOURS, grouped(rows, (options["lines"],))):
        bars.append((str(key[options["lines"]]), "bleu_cased", mine, colour))
    axes, width = figure.subplots(), 0.8 / len(bars)
    for i, (label, name, mine, colour) in enumerate(bars):
        heights = {(row["pos"], row["deps"]): row[name] for row in mine}
        shift = (i - (len(bars) - 1) / 2) * width
        places = [x + shift for x, shares in enumerate(columns) if shares in heights]
        ys = [heights[shares] for shares in columns if shares in heights]
        axes.bar(places, ys, width=0.92 * width, color=colour, label=label)
        for x, y in zip(places, ys):
            axes.text(x, y + 0.8, f"{y:.1f}", ha="center", fontsize=8)
    names = [f"{share_name('pos', p)}\n{share_name('deps', d)}" for p, d in columns]
    axes.set_xticks(range(len(columns)), names, fontsize=9)
    axes.set_ylabel(AXES["bleu_cased"])
    axes.legend(**LEGEND, loc="upper left")
    plain(axes)


def _chosen(record: Record, options: Record) -> tuple[list[Record], list[Record]]:
    rows = [row for row in record["rows"] if row["split"] == options["split"]]
    systems = {row["system"] for row in rows}
    every = [value for value in tables.papers(record) if value.get("system") in systems]
    return rows, [value for value in every if value.get("split") == options["split"]]


def _by_dependencies(axes: figures.Axes, rows: Rows, values: Rows, name: str) -> None:
    for colour, (key, mine) in zip(COLOURS, grouped(rows, ("pos",))):
        paper = [v for v in values if v["pos"] == key["pos"] and PAPERS[name] in v]
        style = {"color": colour, "fmt": "o-", "label": share_name("pos", key["pos"])}
        _line(axes, mine, name, style)
        _line(axes, paper, PAPERS[name], {**OPEN, "color": colour, "alpha": 0.6})
    deps = sorted({row["deps"] for row in rows})
    axes.set_xticks(deps, [share_name("deps", share).split(" dep")[0] for share in deps])
    axes.set(xlabel="dependencies given", ylabel=AXES[name])
    plain(axes)


OPEN: Row = {"fmt": "o--", "mfc": "none"}


def _line(axes: figures.Axes, rows: Rows, name: str, style: Row) -> None:
    if not rows:
        return
    rows = sorted(rows, key=lambda row: row["deps"])
    bars = [_half_width(row) for row in rows] if name == "bleu_cased" else None
    points = [row[name] for row in rows]
    axes.errorbar([row["deps"] for row in rows], points, bars, lw=1.5, ms=4, capsize=2, **style)


def _legend(axes: figures.Axes, values: Rows) -> None:
    if values:
        axes.errorbar([], [], ms=4, color=OF_PAPER, label=PAPERS_DATA, **OPEN)
    axes.legend(**LEGEND, loc="upper left")


MEASURES = (
    _Conditions(
        "conditions",
        report=_record_lines,
        pictures={"conditions": _conditions, "groups": groups, "trainings": _trainings},
        bootstrapped=("comparisons",),
        by_folds=True,
    ),
)
