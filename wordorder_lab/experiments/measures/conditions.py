"""The measure "conditions": each run trains one model, which is then scored in several conditions.

Nothing that is finished is done twice. Training keeps a checkpoint beside the record, and the
results so far lie in the record's ``.partial`` file.

A condition is a split, a share of tags, a share of dependencies, and a seed that samples them. What
came out of one is a plain dictionary, so that unfinished work can lie in a file. It holds no text
of the corpus, only scores and what BLEU counted in each sentence.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wordorder_lab.experiments.measures.conditions_report import (
    FIGURES,
    TRAINING_SHARES,
    record_lines,
    telling,
)
from wordorder_lab.experiments.measures.measure import (
    Cut,
    Declared,
    Sentences,
    Specification,
    Work,
    as_trained,
    rounded,
)
from wordorder_lab.experiments.measures.tables import Record, Row, Rows, grouped
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.evaluate import DIGITS, evaluate
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.schema import SETTING, SpecificationError, check, listing, table
from wordorder_lab.experiments.runs.settings import for_search, usual
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics.significance import (
    BLEU,
    SENTENCE_SCORES,
    packed,
    pooled_bootstrap,
    pooled_interval,
    unpacked,
)
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.systems.model import OrderingModel

if TYPE_CHECKING:
    import numpy as np

GIVEN = ("pos", "deps", "seed")
"""Both training and scoring have these; in a row, training's are ``training_pos`` and so on."""
LISTED = ("split", "pos", "deps", "seed")
"""What ``[evaluate]`` may list; without ``pos`` or ``deps``, a model gets what its training got."""


@dataclass(frozen=True)
class Conditions(Declared):
    """A row for each split and input condition of each model, over several seeds."""

    own_table: ClassVar[str] = "[evaluate]"
    has_papers: ClassVar[bool] = True

    def check_table(self, content: Record) -> None:
        """The lists must be there, each with values of its own."""
        lists = content["evaluate"]
        known = {name: listing(SETTING[name], 1) for name in LISTED}
        check(lists, table(known, needed=("split", "seed")), "evaluate")
        for name, values in lists.items():
            if len(set(values)) < len(values):
                raise SpecificationError(f"evaluate.{name} lists a value twice: {values!r}")

    def begin(self) -> Row:
        """An unfinished record has its results, one a condition and seed."""
        return {"results": []}

    def done(self, record: Record) -> str:
        """How many conditions."""
        return f"{len(record['results'])} conditions"

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Do what ``record["results"]`` has not yet, one after the other, and fill the record."""
        runs, results = specification.runs, record["results"]
        out = work.out
        checkpoints = [out.with_name(f"{out.name}.{i + 1}.checkpoint") for i in range(len(runs))]
        if "training_seconds" not in record:  # nothing is begun: these are of something else
            for checkpoint in checkpoints:
                checkpoint.unlink(missing_ok=True)
        seconds = record.setdefault("training_seconds", [0.0] * len(runs))
        work.keep()
        plan = [conditions_of(run, specification.evaluate) for run in runs]
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
                for row in _rows(specification, i, record) if todo else ():
                    work.show(self.line(row))
                checkpoints[i].unlink(missing_ok=True)
        record["rows"] = [row for i in range(len(runs)) for row in _rows(specification, i, record)]
        named = [{**_named(runs[result["run"]]), **result} for result in results]
        groups = grouped(named, ("split", *telling(named), "pos", "deps"))
        record["comparisons"] = list(comparisons(groups, work.jobs))

    def finish(self, record: Row) -> None:
        """How long training took so far is in the rows."""
        super().finish(record)
        record.pop("training_seconds", None)

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Each model under each of its conditions."""
        for run in specification.runs:
            settings = {**as_trained(run), "epoch": run.get("epochs")}
            every = conditions_of(run, specification.evaluate)
            for split, pos, deps in dict.fromkeys((c.split, c.pos, c.deps) for c in every):
                yield {**settings, "split": split, "pos": pos, "deps": deps}


MEASURES = (
    Conditions("conditions", report=record_lines, pictures=FIGURES, bootstrapped=("comparisons",)),
)


def conditions_of(run: Record, lists: Record) -> list[Condition]:
    """What the model of this run is scored under; as in its training where nothing is listed, or
    where the run says ``scored_as_trained``."""
    shares = {} if run.get("scored_as_trained") else lists
    pos, deps = (shares.get(name, [usual(run, name)]) for name in GIVEN[:2])
    return grid(lists["split"], pos, deps, lists["seed"])


def _scored(
    run: Record,
    todo: Sequence[Condition],
    checkpoint: Path,
    cut: Cut,
    after: Callable[[Row, object], None],
) -> Iterator[Row]:
    """Train (from the checkpoint of a training that was finished, the model is there at once), and
    score under each of these conditions; ``after`` is told of every epoch."""
    corpus = corpus_of(run["corpus"], run["units"])
    held_out = {split: cut(corpus.split(split)) for split in {one.split for one in todo}}
    model = train_run(run, cut(corpus.train), after, checkpoint=checkpoint)
    how = {"engine": run.get("engine"), **for_search(run)}
    for condition in todo:
        yield measure(model, held_out[condition.split], condition, **how)


def _rows(specification: Specification, run: int, record: Record) -> list[Row]:
    """The rows of a run, one a split and condition; each keeps what every sentence adds to BLEU, an
    ordering a seed."""
    settings = _named(specification.runs[run])
    mine = [one for one in record["results"] if one["run"] == run]
    seconds = round(record["training_seconds"][run], 2)
    return [
        {
            **settings,
            **summary(results),
            "training_seconds": seconds,
            SENTENCE_SCORES: {BLEU: [{"counts": result["counts"]} for result in results]},
        }
        for _, results in grouped(mine, ("split", "pos", "deps"))
    ]


def _named(run: Record) -> Row:
    """A training's settings, named so that those of the scoring can stand beside them."""
    own = {name: value for name, value in run.items() if name not in (*GIVEN, "split", "epochs")}
    training = {f"training_{name}": usual(run, name) for name in GIVEN}
    return {**own, **training, "epoch": usual(run, "epochs")}


# --- one model under several input conditions (Liu et al. 2015, section 4.2) ----------------------


SCORES = ("bleu_cased", "bleu_13a_lc", "exact_match", "brevity", "timeouts")
SOME = ("spanning", "category_precision")
"""What is averaged over the seeds, and what of it not every system has."""


class Condition(NamedTuple):
    """What a model is given of the gold trees."""

    split: str
    pos: float
    deps: float
    seed: int


def grid(
    splits: Sequence[str], pos: Sequence[float], deps: Sequence[float], seeds: Sequence[int]
) -> list[Condition]:
    """Every combination once.

    Seeds change last: the times of one condition are taken far apart, so that other work on the
    machine slows all conditions and not one of them.
    """
    every = product(seeds, splits, pos, deps)
    return [Condition(split, p, d, seed) for seed, split, p, d in every]


def measure(
    model: OrderingModel,
    sentences: Sentences,
    condition: Condition,
    *,
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> Row:
    """The model under one condition. Raises ``ValueError`` as ``evaluate``."""
    split, pos, deps, seed = condition
    how = {"engine": engine, "jobs": jobs, **search}
    done = evaluate(model, sentences, pos=pos, deps=deps, seed=seed, **how)
    return {"split": split, **done.to_dict(), "counts": packed(done.counts)}


def condition_of(result: Record) -> Condition:
    """The condition that a result of ``measure`` belongs to."""
    return Condition(*(result[name] for name in Condition._fields))


def summary(results: Rows) -> Row:
    """A row for the results of one condition under its seeds.

    Scores are means; the milliseconds are the median, which other work on the machine moves least.
    ``bleu_cased_interval`` is 95 % over the choice of sentences, ``bleu_cased_seed_interval`` over
    the choice of the sample: ``None`` for one seed, and no wider than a point where nothing is
    sampled.
    """
    split, pos, deps, _ = condition_of(results[0])
    cased, times = ([one[name] for one in results] for name in ("bleu_cased", "ms_per_sentence"))
    sentences = pooled_interval([unpacked(one["counts"]) for one in results])
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
    """A paired bootstrap for each two groups of results that differ in one thing alone.

    A group is its key (``{"split": "dev", "pos": 0, "deps": 1}``) and its results. Sentences are
    drawn, each with the outputs under all its seeds; BLEU here is that of all outputs together, and
    ``p_value`` is one-sided, as that of ``Comparison``. What a training was given is one thing.
    """
    counts = [[unpacked(one["counts"]) for one in results] for _, results in groups]
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
    """Two groups of counts, the baseline's first: a thousand samples of them."""
    drawn = pooled_bootstrap(*pair)
    scores = {"baseline_bleu": drawn.baseline.score, "system_bleu": drawn.system.score}
    return rounded({**scores, "difference": drawn.difference, "p_value": drawn.p_value})
