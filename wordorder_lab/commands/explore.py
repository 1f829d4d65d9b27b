"""``wordorder-lab explore``: a page on which one or two models are explored, sentence by sentence.

The sentences go into the page: where a corpus belongs to others, so does the page.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.commands import common
from wordorder_lab.commands.common import search_options
from wordorder_lab.commands.output import check_json, check_target, report, workers
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.exploring.explore import MOST_MODELS, exploration
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
    models = [common.open_model(path) for path in arguments.model]
    models = [common.with_supertagger(model, arguments) for model in models]
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
    summary = done.summary()
    data = {**where, "models": arguments.model, "sentences": len(done.frame), **summary}
    lines = [
        f"{name}: {', '.join(f'{count:,} {kind}' for kind, count in counts.items())}"
        for name, counts in summary["errors"].items()
    ]
    report([*lines, f"open {target}"], data, arguments.json)
    return 0


def _sentences(model: Any, arguments: Namespace) -> tuple[Row, Sequence[Any]]:
    if task_of(model.system) != "compress":
        where, corpus = common.place_of(model, arguments)
        return where, corpus.split(arguments.split)
    common.refuse_others(model.system, arguments, BAGS, (), "as it takes trees")
    name = arguments.corpus or "gazette"
    pairs = common.open_compressions(name).split(arguments.split)
    return {"corpus": name, "split": arguments.split}, pairs


def _names(paths: Sequence[str]) -> list[str]:
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [*paths]
