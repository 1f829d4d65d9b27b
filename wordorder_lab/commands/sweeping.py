"""``order --sweep beam=1,4,16 --html FILE``, and ``compress``: one input, several values."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable

from wordorder_lab.commands.options import read
from wordorder_lab.commands.output import check_target
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.exploring.sweep import sweep
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.setting import settings_of

APART = ("json", "trace", "play", "file", "conllu", "trees")
"""What goes with a single search, or with many inputs."""


def search_sweep(
    model: TrainedModel, arguments: Namespace, search: Row, what: str, given: Callable[[], object]
) -> int:
    """Search what is ``given``, a ``what``, with each value; print or write what came out."""
    if not arguments.sweep:
        raise ValueError("--html is the page of a sweep: give --sweep with it, or take --play")
    if beside := [f"--{name}" for name in APART if getattr(arguments, name, None) is not None]:
        raise ValueError(f"--sweep is for one {what}: leave {' and '.join(beside)} out")
    if not arguments.text:
        raise ValueError(f"--sweep is for one {what}: give it on the command line, in quotes")
    if arguments.html is not None:
        check_target(arguments.html)
    name, typed = arguments.sweep
    known = {one.name: one for one in settings_of(model.Search)}
    if name not in model.usual_search():
        model.search_settings(**{name: typed})  # which says what there is
    try:
        values = [read(known[name], text) for text in typed]
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"--sweep {name}: {error}") from None
    turned: Row = {**search, name: values}
    done = sweep(model, given(), engine=arguments.engine, **turned)
    for run in done.runs:
        work = "" if run.work is None else f"{run.work[1]:>10,} {run.work[0]}"
        print(f"{name} {run.label:<6}{run.result.score:10.3f}{work}  {run.result.text}")
    print(done.says)
    if arguments.html is not None:
        done.to_html(arguments.html)
    return 0
