"""What the gallery shows of best-first search: agenda, chart, updates, and two searches at once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.commands.gallery import pages
from wordorder_lab.commands.gallery.pages import LIMIT, Page, Watched, page, train_as
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_2015_dependency import NAME, DependencyModel
from wordorder_lab.trace.log import EventLog

IN_VAIN = 150
"""Expansions of a search without weights."""
WATCHED: Row = {"beam": 8, "epochs": 2, "expansions": 60}
FEW, UNITS = 6, (4, 7)
"""The training run that is recorded: twice through so few sentences, of so many units."""
WHOLE: Row = {"beam": 8, "epochs": 5, "expansions": 60}
EXAMPLES = 40
"""The training run that is seen as a whole: settings, and so many sentences."""


def without_weights(model: DependencyModel) -> DependencyModel:
    """The same model with all weights zero: every edge has score 0, and the oldest goes first."""
    none = PackedEdgeWeights(model.weights.keys[:0], model.weights.values[:0])
    return replace(model.unshared(), weights=none)


def best_first_pages(
    model: DependencyModel, watched: Sequence[Watched], arguments: Namespace
) -> list[Page]:
    """One search seen twice, the same units with a beam beside it, and with no weights at all."""
    shown = pages.easy_one(watched)
    log, found = shown.best.log, (shown.found("best"),)
    used, charted = used_edges(log)
    edges = {"used": used, "charted": charted}
    both = page(
        "best-first-and-beam",
        {},
        well=shown.is_right("wide", "best"),
        log=log,
        other=shown.wide.log,
        names=("best-first", f"beam {arguments.beam}"),
        found=(shown.found("best", "A"), shown.found("wide", "B")),
        settings=f"A: at most {LIMIT} expansions; B: beam {arguments.beam}",
    )
    return [
        page("agenda", {}, log=log, found=found, settings=f"at most {LIMIT} expansions"),
        page("chart", edges, log=log, found=found, settings="the search of the agenda"),
        page(
            "together", {}, log=log, found=found, settings="the search of the agenda", at=len(log)
        ),
        both,
        _without_weights(model, shown, arguments),
    ]


def _without_weights(model: DependencyModel, shown: Watched, arguments: Namespace) -> Page:
    bag = bag_of(shown.sentence, seed=arguments.seed)
    zero = pages.search_for(without_weights(model), bag, arguments, expansions=IN_VAIN).log
    best = shown.best.log
    values = {"pops": _count(zero, "popped"), "trained": _count(best, "popped")}
    return page(
        "without-weights",
        {"done": "a goal" if _count(zero, "goal") else "no goal", **values},
        well=not _count(zero, "goal") and _count(best, "goal") > 0,
        log=zero,
        other=best,
        names=("all weights zero", "trained"),
        found=(shown.found("best", "B"),),
        settings=f"A: at most {IN_VAIN} expansions; B: at most {LIMIT}",
        at=len(zero),
    )


def used_edges(log: EventLog) -> tuple[int, int]:
    """Of the edges that were popped, how many the goal is built of; and how many were popped."""
    parts = {event[1]: event[2:4] for event in log if event[0] == "edge"}
    used: set[int] = set()
    todo = [event[1] for event in log if event[0] == "goal"][:1]
    while todo:
        serial = todo.pop()
        used.add(serial)
        todo += filter(None, parts.get(serial, ()))
    return len(used), _count(log, "popped")


def _count(log: EventLog, kind: str) -> int:
    return sum(event[0] == kind for event in log)


def updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences: every update, every weight."""
    log, settings = recorded_training(NAME, sentences, arguments)
    return page("parameter-updates", {}, log=log, settings=settings)


def learning_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A training over its epochs: what every sentence came to, and some of the searches."""
    short = ([s for s in sentences if len(s) <= UNITS[1]] or list(sentences))[:EXAMPLES]
    log = EventLog(every=EXAMPLES // 2)
    train_as(NAME, short, arguments, trace=log, **WHOLE)
    first, *_, last = (event[2] for event in log if event[0] == "epoch")
    settings = f"{len(short)} short sentences, learned {WHOLE['epochs']} times"
    return page("learning", {"first": first, "last": last}, log=log, settings=settings, at=len(log))


def recorded_training(
    system: str, sentences: Sequence[Sentence], arguments: Namespace
) -> tuple[EventLog, str]:
    """A recorded training of a system, and how it was made."""
    fewest, most = UNITS
    few = ([s for s in sentences if fewest <= len(s) <= most] or sentences)[:FEW]
    log = EventLog()
    train_as(system, few, arguments, trace=log, **WATCHED)
    updates = _count(log, "edge_update")
    return log, f"{len(few)} short sentences, learned twice: {updates} updates"
