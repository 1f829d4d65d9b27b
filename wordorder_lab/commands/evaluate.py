"""``wordorder-lab evaluate``: how good a model is on sentences that it has not seen.

Several values of ``--pos``, ``--deps`` or ``--seed`` are a grid of conditions: ``evaluate_grid``.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from wordorder_lab.commands.common import (
    beside,
    check_json,
    condition,
    not_a_bag,
    open_model,
    place_of,
    search_options,
    with_supertagger,
    workers,
)
from wordorder_lab.commands.output import report
from wordorder_lab.experiments.runs.evaluate import Evaluation, evaluate, named
from wordorder_lab.metrics.significance import paired_bootstrap, pooled_interval
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import search_names, task_of
from wordorder_lab.systems.model import OrderingModel

SEVERAL = ("pos", "deps", "seed")
FILES = {
    "compress": "wordorder_lab.commands.evaluate_compression",
    "tag": "wordorder_lab.commands.evaluate_supertagger",
    "parse": "wordorder_lab.commands.evaluate_parser",
    "realize": "wordorder_lab.commands.evaluate_realizer",
}
"""Task -> where its models are evaluated, if not here."""
ASKED = ("pos", "deps", "seed", "engine", "jobs")


def run(arguments: Namespace) -> int:
    """Order the sentences, print the table, write the numbers."""
    check_json(arguments.json)
    model = with_supertagger(open_model(arguments.model), arguments)
    with workers(arguments):
        return _run(arguments, model)


def _run(arguments: Namespace, model: Any) -> int:
    task = task_of(model.system)
    if task != "compress" and arguments.parser is not None:
        raise ValueError(f"--parser is for models that make sentences shorter, not {model.system}")
    if task in FILES:
        evaluated: int = import_module(FILES[task]).run(arguments, model)
        return evaluated
    if arguments.rate is not None:
        raise ValueError(f"--rate is for models that make sentences shorter, not {model.system}")
    given = {name: list(dict.fromkeys(getattr(arguments, name) or [])) for name in SEVERAL}
    if any(len(values) > 1 for values in given.values()):
        if arguments.errors:
            raise ValueError("--errors goes with one condition: give --pos, --deps, --seed once")
        from wordorder_lab.commands import evaluate_grid

        return evaluate_grid.run(arguments, model, given)
    for name, values in given.items():
        setattr(arguments, name, values[0] if values else None)
    return _run_one(arguments, model)


def _run_one(arguments: Namespace, model: OrderingModel) -> int:
    second = open_model(arguments.against, "order") if arguments.against else None
    search = search_options(model, arguments)
    where, corpus = place_of(model, arguments)
    sentences = corpus.split(where["split"])
    done = _evaluate(model, sentences, arguments, search)
    interval = pooled_interval([done.counts])
    data = {**where, **done.to_dict(), "model": arguments.model}
    data["bleu_cased_interval"] = [interval.low, interval.high]
    lines = [condition(data), *not_a_bag(data), "", *_table(done, str(interval))]
    lines += beside(done.outputs, done.references, arguments.show)
    if arguments.errors:
        from wordorder_lab.commands.faults import whose_fault  # it reads trees

        faults, data["errors"] = whose_fault(model, sentences, done, arguments, search)
        lines += faults
    if second is not None:
        # What is said about one system's search means something else to another's.
        alike = search_names(second.system) == search_names(model.system)
        for name in SEVERAL:  # the same bags, whatever the second was trained with
            setattr(arguments, name, done.condition[name])
        other = _evaluate(second, sentences, arguments, search if alike else {})
        compared, data["against"] = _compare(done, other, arguments)
        lines += compared
    report(lines, data, arguments.json)
    return 0


def _evaluate(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    arguments: Namespace,
    search: Mapping[str, Any],
) -> Evaluation:
    asked = {name: getattr(arguments, name) for name in ASKED}
    return evaluate(model, sentences, **asked, **search)


def _table(done: Evaluation, interval: str) -> list[str]:
    lines = str(done.scores).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("BLEU cased"))
    lines.insert(first + 1, f"{'  95 % interval':<18}  {interval.partition('(')[2].rstrip(')')}")
    if any(reason != "complete" for reason in done.stopped):
        ended = ", ".join(f"{number:,} {reason}" for reason, number in done.stopped.items())
        last = next(i for i, line in enumerate(lines) if line.startswith("timeouts"))
        lines.insert(last + 1, f"{'  searches ended':<18}  {ended}")
    return lines


def _compare(
    done: Evaluation, other: Evaluation, arguments: Namespace
) -> tuple[list[str], dict[str, Any]]:
    """``done`` against ``other``, which is the baseline."""
    comparison = paired_bootstrap(other.outputs, done.outputs, done.references)
    said = f"baseline is {arguments.against}, system is {arguments.model}"
    systems = (done.condition["system"], other.condition["system"])
    names = [name for system in systems for name in search_names(system)]
    options = named(dict.fromkeys(names))
    if any(other.condition.get(name) != done.condition.get(name) for name in ("system", *options)):
        known = [name for name in options if other.condition.get(name) is not None]
        settings = ", ".join(f"{name} {other.condition[name]}" for name in known)
        said += f"; the baseline is {other.condition['system']} with {settings}"
    data = {"model": arguments.against, **other.condition, **comparison.to_dict()}
    return ["", said, *str(comparison).splitlines()], data
