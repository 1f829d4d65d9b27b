"""Run an experiment: every run of its specification, row by row into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from wordorder_lab.experiments import records
from wordorder_lab.experiments.evaluate import as_in_training, random_order
from wordorder_lab.experiments.measures.best_epoch import finish_best_epoch, run_best_epoch
from wordorder_lab.experiments.measures.compression import finish_compressions, run_compressions
from wordorder_lab.experiments.measures.conditions import run_conditions
from wordorder_lab.experiments.measures.outputs import finish_outputs, run_outputs
from wordorder_lab.experiments.measures.spans import finish_spans, span_rows
from wordorder_lab.experiments.measures.times import fits, time_each
from wordorder_lab.experiments.partial import partial_of, unfinished
from wordorder_lab.experiments.row_scores import SCORES, score, scores_of
from wordorder_lab.experiments.run import map_in_order
from wordorder_lab.experiments.run_settings import FLOOR, NEEDED, for_search
from wordorder_lab.experiments.specification import (
    BEST_EPOCH,
    COMPRESSION,
    CONDITIONS,
    OUTPUTS,
    SPANS,
    Specification,
)
from wordorder_lab.experiments.trained import last_trained, train_run
from wordorder_lab.structures.ordering_task import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.training_run import Moment

Item = TypeVar("Item")
ONLY_FOR_TRAINING = ("engine", "templates", "update", "shuffle", "beam", "pos", "deps")
TIMES = ("ms_per_sentence", "training_seconds", "epoch_seconds")
"""Not kept where runs take each other's time: with more than one job."""


@dataclass(frozen=True)
class Override:
    """A smaller run than the specification's: fewer epochs, the first sentences only.

    What learns from pairs has no epochs, but iterations of its learner.
    """

    epochs: int | None = None
    sentences: int | None = None

    @property
    def full(self) -> bool:
        """Whether nothing is overridden."""
        return self.epochs is None and self.sentences is None

    def cut(self, sentences: Sequence[Item]) -> Sequence[Item]:
        """The sentences (or pairs) that remain."""
        return sentences[: self.sentences]

    def apply(self, specification: Specification) -> Specification:
        """The specification with fewer epochs."""
        if self.epochs is None:
            return specification
        name = "max_iterations" if specification.measure == COMPRESSION else "epochs"
        runs = [{**run, name: self.epochs} for run in specification.runs]
        return replace(specification, runs=tuple(runs))


def reproduce(
    specification: Specification,
    out: Path,
    *,
    command: str,
    override: Override | None = None,
    jobs: int = 1,
    show: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Run what is not done yet and write the record to ``out``.

    After every run, and for conditions after every one of them, what is done goes to ``out`` with
    ``.partial`` behind its name; the same call goes on from there. Where times are measured, runs
    follow one another whatever ``jobs`` says; elsewhere rows have no times with more than one job,
    since runs slow each other down. Raises ``CorpusError`` without the data and ``OSError`` where
    ``out`` cannot be written.
    """
    override = override or Override()
    specification = override.apply(specification)
    file = partial_of(out)
    record = _begun(specification, override, command)
    old = unfinished(file, record, ("name", "full", "instead", "specification"))
    record = old or record
    begin = time.perf_counter() - record["seconds"]

    def keep() -> None:
        record["seconds"] = round(time.perf_counter() - begin, 2)
        records.write_json(file, record)

    if old is not None:
        show(f"going on from {file}: {_done(old)}")
    if specification.measure == CONDITIONS:
        run_conditions(specification, record, out, keep, cut=override.cut, show=show)
    else:
        _run_rest(specification, record, override, jobs, keep, show)
    _finish(record, specification.measure)
    record["digest"] = records.digest_of(record)
    records.write_json(out, record)
    file.unlink(missing_ok=True)
    return record


def _done(record: Mapping[str, Any]) -> str:
    kind = "results" if "results" in record else "runs"
    return f"{len(record[kind])} {'conditions' if kind == 'results' else kind} are done"


def _run_rest(
    specification: Specification,
    record: dict[str, Any],
    override: Override,
    jobs: int,
    keep: Callable[[], None],
    show: Callable[[str], None],
) -> None:
    todo = specification.runs[len(record["runs"]) :]
    jobs = 1 if _by_the_clock(specification) else jobs
    work: Callable[[Mapping[str, Any]], list[dict[str, Any]]]
    if specification.measure == OUTPUTS:
        work = partial(run_outputs, specification.paper, override.cut)
    elif specification.measure == BEST_EPOCH:
        work = partial(run_best_epoch, override.cut)
    elif specification.measure == COMPRESSION:
        work = partial(run_compressions, override.cut)
    else:
        work = partial(run_one, specification.measure, override)
    for rows in map_in_order(work, todo, jobs, what="runs"):
        if jobs > 1:
            rows = [{k: v for k, v in row.items() if k not in TIMES} for row in rows]
        record["runs"].append(len(rows))
        record["rows"] += rows
        keep()
        show(_line(rows[-1]))


def _by_the_clock(specification: Specification) -> bool:
    """Whether times are what is measured, or decide what comes out."""
    limited = any("decode_seconds" in run for run in specification.runs)
    return limited or specification.measure in ("time", "training")


def _begun(specification: Specification, override: Override, command: str) -> dict[str, Any]:
    smaller = {"epochs": override.epochs, "sentences": override.sentences}
    return {
        "name": specification.name,
        "title": specification.title,
        "paper": dict(specification.paper),
        "full": override.full,
        **({} if override.full else {"instead": smaller}),
        "command": command,
        "date": time.strftime("%Y-%m-%d"),
        "seconds": 0.0,
        **({"load": records.load()} if _by_the_clock(specification) else {}),
        **records.provenance(specification),
        "rows": [],
        **({"results": []} if specification.measure == CONDITIONS else {"runs": []}),
    }


def run_one(measure: str, override: Override, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of one run."""
    corpus = records.corpus_of(run["corpus"], run["units"])
    held_out = override.cut(corpus.split(run["split"]))
    if run["system"] == FLOOR:
        given = {k: v for k, v in run.items() if k not in ("epochs", *ONLY_FOR_TRAINING)}
        scored = random_order(held_out, seed=run.get("seed", 1))
        return [{**given, **scores_of(scored, interval=measure == "end")}]
    sentences = override.cut(corpus.train)
    shown = {name: value for name, value in run.items() if name != "epochs"}
    if measure in ("epochs", "training"):
        score = measure == "epochs"
        return _by_epoch(run, sentences, lambda model: _of(model, held_out, run) if score else {})
    trained = last_trained(run, sentences, (override.sentences,))
    if measure == "time":
        return _timed(trained.model, held_out, run)
    first = {**shown, "epoch": trained.numbers["epoch"]}
    if measure in SPANS:
        return [{**first, **row} for row in span_rows(measure, trained.model, held_out, run)]
    return [{**first, **_of(trained.model, held_out, run, interval=True), **trained.numbers}]


def _by_epoch(
    run: Mapping[str, Any], sentences: Sequence[Sentence], scores: Callable[[Any], dict[str, Any]]
) -> list[dict[str, Any]]:
    """A row after every epoch; the clock of the training stands still while a model is scored."""
    shown = {name: value for name, value in run.items() if name != "epochs"}
    rows: list[dict[str, Any]] = []

    def after(numbers: dict[str, Any], moment: Moment) -> None:
        rows.append({**shown, "epoch": numbers["epoch"], **scores(moment), **numbers})

    train_run(run, sentences, after)
    return rows


def _of(
    model: Any, sentences: Sequence[Sentence], run: Mapping[str, Any], interval: bool = False
) -> dict[str, Any]:
    if isinstance(model, Moment):
        model = model()
    return scores_of(score(model, sentences, run), interval)


def _timed(model: Any, sentences: Sequence[Sentence], run: Mapping[str, Any]) -> list[dict]:
    """A row a sentence: how many units it has, and its milliseconds."""
    given = as_in_training(model, pos=None, deps=None, seed=None)
    bags = [bag_of(one, given["pos"], given["deps"], given["seed"]) for one in sentences]
    how = model.search_settings(**for_search(run))
    seconds = time_each(model, bags, engine=run.get("engine"), **how)
    fixed = {name: run[name] for name in NEEDED}
    fixed |= {"pos": given["pos"], "deps": given["deps"]}
    fixed |= {name: value for name, value in how.items() if value is not None}
    return [
        {**fixed, "length": len(bag), "ms": round(1000 * each, 4)}
        for bag, each in zip(bags, seconds, strict=True)
    ]


def _finish(record: dict[str, Any], measure: str) -> None:
    """Add what is said about all rows together, and drop what only an unfinished record needs."""
    for unfinished_only in ("runs", "results", "training_seconds"):
        record.pop(unfinished_only, None)
    if measure == "time":
        record["fits"] = fits(record["rows"])
        return
    if measure in SPANS:
        finish_spans(record)
    if measure == COMPRESSION:
        finish_compressions(record)
    if measure in ("training", COMPRESSION) or measure in SPANS:
        return
    from wordorder_lab.metrics.bleu import CONVENTIONS, corpus_bleu
    from wordorder_lab.metrics.pooled import bootstrap_signature

    signatures = {name: corpus_bleu(["a"], ["a"], name).signature for name in CONVENTIONS}
    record["signatures"] = {f"bleu_{name}": text for name, text in signatures.items()}
    if measure == CONDITIONS:
        record["signatures"]["comparisons"] = bootstrap_signature()
    if measure in ("end", BEST_EPOCH):
        record["signatures"]["bleu_cased_interval"] = bootstrap_signature()
    if measure == OUTPUTS:
        finish_outputs(record)
    if measure == BEST_EPOCH:
        finish_best_epoch(record)


def _line(row: Mapping[str, Any]) -> str:
    shown = (
        *("system", "templates", "units", "pos", "beam", "update", "negatives", "decode_beam"),
        *("decode_chart", "decode_expansions", "decode_seconds", "number", "output"),
        *("epoch", "epoch_seconds", "length", "ms", *SCORES),
        *("depth", "order", "gold", "loss", "C", "at", "rate", "relation_f1"),
    )
    return "  ".join(f"{name} {row[name]}" for name in shown if name in row)
