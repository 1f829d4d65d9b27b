"""The measure "conditions": each run trains one model, which is then scored in several conditions.

Nothing that is finished is done twice. Training keeps a checkpoint beside the record, and the
results so far lie in the record's ``.partial`` file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tqdm.auto import tqdm

from wordorder_lab.experiments import records
from wordorder_lab.experiments.conditions import (
    Condition,
    comparisons,
    condition_of,
    grid,
    grouped,
    measure,
    summary,
    telling,
)
from wordorder_lab.experiments.run_settings import for_search
from wordorder_lab.experiments.specification import Specification
from wordorder_lab.experiments.trained import train_run, usual
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel

GIVEN = ("pos", "deps", "seed")
"""Both training and scoring have these; in a row, training's are ``training_pos`` and so on."""


def run_conditions(
    specification: Specification,
    record: dict[str, Any],
    out: Path,
    keep: Callable[[], None],
    *,
    cut: Callable[[Sequence[Sentence]], Sequence[Sentence]] = lambda sentences: sentences,
    show: Callable[[str], None] = print,
) -> None:
    """Do what ``record["results"]`` has not yet, one after the other, and fill the record.

    ``keep`` is called whenever an epoch or a condition is finished. Raises ``ValueError`` as
    training and ``evaluate`` do.
    """
    runs, results = specification.runs, record["results"]
    checkpoints = [out.with_name(f"{out.name}.{i + 1}.checkpoint") for i in range(len(runs))]
    if "training_seconds" not in record:  # nothing is begun: what lies there is of something else
        for checkpoint in checkpoints:
            checkpoint.unlink(missing_ok=True)
    seconds = record.setdefault("training_seconds", [0.0] * len(runs))
    keep()
    plan = [conditions_of(run, specification.evaluate) for run in runs]
    total = sum(_epochs(run) + len(conditions) for run, conditions in zip(runs, plan))
    with tqdm(total=total, desc="epochs and conditions", delay=2, leave=False) as bar:

        def step() -> None:
            keep()
            bar.update()

        for i, run in enumerate(runs):
            done = {condition_of(one) for one in results if one["run"] == i}
            todo = [condition for condition in plan[i] if condition not in done]
            bar.update(len(done) + (0 if todo else _epochs(run)))
            if todo:
                _Work(i, run, checkpoints[i], cut, step).go(todo, results, seconds)
                for row in _rows(specification, i, record):
                    show(_line(row))
            checkpoints[i].unlink(missing_ok=True)
    record["rows"] = [row for i in range(len(runs)) for row in _rows(specification, i, record)]
    named = [{**_named(runs[one["run"]]), **one} for one in results]
    groups = grouped(named, ("split", *telling(named), "pos", "deps"))
    record["comparisons"] = list(comparisons(groups))


def conditions_of(run: Mapping[str, Any], lists: Mapping[str, Any]) -> list[Condition]:
    """What the model of this run is scored under; as in its training where nothing is listed, or
    where the run says ``scored_as_trained``."""
    shares = {} if run.get("scored_as_trained") else lists
    pos, deps = (shares.get(name, [usual(run, name)]) for name in GIVEN[:2])
    return grid(lists["split"], pos, deps, lists["seed"])


def _epochs(run: Mapping[str, Any]) -> int:
    return usual(run, "epochs")


class _Work(NamedTuple):
    """One run: a model, and what is to be done with it; ``step`` is told of each thing done."""

    number: int
    run: Mapping[str, Any]
    checkpoint: Path
    cut: Callable[[Sequence[Sentence]], Sequence[Sentence]]
    step: Callable[[], None]

    def go(
        self, todo: Sequence[Condition], results: list[dict[str, Any]], seconds: list[float]
    ) -> None:
        """Train, and add a result for each of these conditions."""
        corpus = records.corpus_of(self.run["corpus"], self.run["units"])
        held_out = {split: self.cut(corpus.split(split)) for split in {c.split for c in todo}}
        model = self.train(self.cut(corpus.train), seconds)
        for condition in todo:
            sentences = held_out[condition.split]
            how = {"engine": self.run.get("engine"), **for_search(self.run)}
            found = measure(model, sentences, condition, **how)
            results.append({"run": self.number, **found})
            self.step()

    def train(self, sentences: Sequence[Sentence], seconds: list[float]) -> OrderingModel:
        """The model; from the checkpoint of a training that was finished, it is there at once."""
        before = seconds[self.number]

        def after(numbers: dict[str, Any], _: Any) -> None:
            seconds[self.number] = before + numbers["training_seconds"]
            self.step()

        return train_run(self.run, sentences, after, checkpoint=self.checkpoint)


def _rows(specification: Specification, run: int, record: Mapping[str, Any]) -> list[dict]:
    """The rows of a run, one a split and condition."""
    settings = specification.runs[run]
    mine = [one for one in record["results"] if one["run"] == run]
    seconds = {"training_seconds": round(record["training_seconds"][run], 2)}
    groups = grouped(mine, ("split", "pos", "deps"))
    return [{**_named(settings), **summary(results), **seconds} for _, results in groups]


def _named(run: Mapping[str, Any]) -> dict[str, Any]:
    """A training's settings, named so that those of the scoring can stand beside them."""
    own = {name: value for name, value in run.items() if name not in (*GIVEN, "split", "epochs")}
    training = {f"training_{name}": usual(run, name) for name in GIVEN}
    return {**own, **training, "epoch": _epochs(run)}


def _line(row: Mapping[str, Any]) -> str:
    shown = ("templates", "units", "split", "pos", "deps", "bleu_cased", "ms_per_sentence")
    return "  ".join(f"{name} {row[name]}" for name in shown if name in row)
