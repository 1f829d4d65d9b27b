"""``wordorder-lab explore``: a page on which one or two models are explored, sentence by sentence.

The sentences go into the page: where a corpus belongs to others, so does the page.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import (
    open_compressions,
    open_model,
    place_of,
    refuse_others,
    search_options,
    with_supertagger,
)
from wordorder_lab.commands.output import check_json, check_target, report, workers
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.exploring.explore import MOST_MODELS, Exploration, exploration
from wordorder_lab.systems import task_of
from wordorder_lab.widgets.explorer import ExplorerPage

ASKED = ("pos", "deps", "seed", "engine", "jobs")
BAGS = ("units", "pos", "deps")
"""Options that say nothing where trees are made shorter."""


def run(arguments: Namespace) -> int:
    """Search the sentences, write the page, print what came out."""
    target = check_target(arguments.out)
    check_json(arguments.json)
    if len(arguments.model) > MOST_MODELS:
        raise ValueError(f"--model may be given twice at most, not {len(arguments.model)} times")
    models = [with_supertagger(open_model(path), arguments) for path in arguments.model]
    for model in models:
        if task_of(model.system) not in ("order", "compress"):
            raise ValueError(f"a {model.system} orders no bags: wordorder-lab evaluate scores it")
    if len({task_of(model.system) for model in models}) > 1:
        raise ValueError("one --model orders words and the other makes sentences shorter")
    search = search_options(models[0], arguments)
    for model in models[1:]:
        search_options(model, arguments)
    where, items = _sentences(models[0], arguments)
    with workers(arguments):
        done = exploration(
            models,
            items[: arguments.sentences],
            names=_names(arguments.model),
            **{name: getattr(arguments, name) for name in ASKED},
            title=f"{where['corpus']} {where['split']}: {' and '.join(_names(arguments.model))}",
            **search,
        )
    ExplorerPage(done.table).to_html(target, arguments.recordings)
    data = {**where, "models": arguments.model, "sentences": len(done.frame), **done.summary()}
    lines = [*_lines(done), f"open {target}"]
    report(lines, data, arguments.json)
    return 0


def _sentences(model: Any, arguments: Namespace) -> tuple[Row, Sequence[Any]]:
    """Corpus and split, and the sentences or pairs of it."""
    if task_of(model.system) != "compress":
        where, corpus = place_of(model, arguments)
        return where, corpus.split(arguments.split)
    refuse_others(model.system, arguments, BAGS, (), "as it takes trees")
    name = arguments.corpus or "gazette"
    pairs = open_compressions(name).split(arguments.split)
    return {"corpus": name, "split": arguments.split}, pairs


def _names(paths: Sequence[str]) -> list[str]:
    """The models by their files, as far as that tells them apart."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [*paths]


def _lines(done: Exploration) -> list[str]:
    """For each model how many sentences came out right, and how many have which kind of error."""
    lines = []
    for name, counts in done.summary()["errors"].items():
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
        lines.append(f"{name}: {told}")
    return lines
