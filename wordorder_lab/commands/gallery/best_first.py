"""What the gallery shows of best-first search: agenda, chart, updates, and two searches at once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.commands.gallery.pages import (
    LEARNING,
    LIMIT,
    Page,
    Watched,
    easy_one,
    search_for,
    train_as,
)
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_2015_dependency import NAME, DependencyModel
from wordorder_lab.trace.log import EventLog

IN_VAIN = 150
"""Expansions of a search without weights."""

BEST_FIRST = "Best-first search"

WATCHED: Row = {"beam": 8, "epochs": 2, "expansions": 60}
LESSONS = 6
SCHOOL: Row = {"beam": 8, "epochs": 5, "expansions": 60}
PUPILS = 40
"""The training run that is seen as a whole: settings, and so many sentences."""
UNITS = (4, 7)
"""The training run that is recorded: twice through a few sentences of so many units."""


def without_weights(model: DependencyModel) -> DependencyModel:
    """The same model with all weights zero: every edge has score 0, and the oldest goes first."""
    none = PackedEdgeWeights(model.weights.keys[:0], model.weights.values[:0])
    return replace(model.unshared(), weights=none)


def best_first_pages(
    model: DependencyModel, watched: Sequence[Watched], arguments: Namespace
) -> list[Page]:
    """One search seen twice, the same units with a beam beside it, and with no weights at all."""
    shown = easy_one(watched)
    meant, best = shown.sentence.text, shown.best
    used, charted = used_edges(best.log)
    return [
        Page(
            "agenda.html",
            BEST_FIRST,
            "Why is this edge popped before that one?",
            "All that waits stands ranked on one agenda; pin an edge, and read what came before "
            "it and why.",
            6,
            "agenda",
            best.log,
            view="agenda",
            found=(best.found(meant),),
            how=f"at most {LIMIT} expansions",
        ),
        Page(
            "chart.html",
            BEST_FIRST,
            "What has been built when the goal is popped?",
            f"{used} of {charted} edges that were popped are part of the sentence, the others were "
            "in vain: click an edge to see its parts.",
            5,
            "chart",
            best.log,
            view="chart",
            found=(best.found(meant),),
            how="the search of the agenda",
        ),
        _beside_a_beam(shown, arguments),
        _without_weights(model, shown, arguments),
    ]


def _beside_a_beam(shown: Watched, arguments: Namespace) -> Page:
    meant = shown.sentence.text
    both = shown.is_right("wide", "best")
    return Page(
        "best-first-and-beam.html",
        BEST_FIRST,
        "Which search gets there with less work?" if both else "Do two searches end alike?",
        "On one clock: as many edges are popped as the beam expands states.",
        6,
        "agenda",
        shown.best.log,
        shown.wide.log,
        ("best-first", f"beam {arguments.beam}"),
        "agenda",
        (shown.best.found(meant, "A"), shown.wide.found(meant, "B")),
        f"A: at most {LIMIT} expansions; B: beam {arguments.beam}",
    )


def _without_weights(model: DependencyModel, shown: Watched, arguments: Namespace) -> Page:
    bag = bag_of(shown.sentence, seed=arguments.seed)
    zero = search_for(without_weights(model), bag, arguments, expansions=IN_VAIN)
    lost = not _has_goal(zero.log) and _has_goal(shown.best.log)
    done = "a goal" if _has_goal(zero.log) else "no goal"
    return Page(
        "without-weights.html",
        BEST_FIRST,
        "Why is a search lost without weights?" if lost else "What do weights spare a search?",
        f"With zeros all edges are alike and the oldest goes first: {done} after "
        f"{_pops(zero.log)} pops. With weights it takes {_pops(shown.best.log)}.",
        5,
        "agenda",
        zero.log,
        shown.best.log,
        ("all weights zero", "trained"),
        "agenda",
        (shown.best.found(shown.sentence.text, "B"),),
        f"A: at most {IN_VAIN} expansions; B: at most {LIMIT}",
    )


def used_edges(log: EventLog) -> tuple[int, int]:
    """Of the edges that were popped, how many the goal is built of; and how many were popped."""
    popped = [event[1] for event in log if event[0] == "popped"]
    parts = {event[1]: event[2:4] for event in log if event[0] == "edge"}
    used: set[int] = set()
    todo = [event[1] for event in log if event[0] == "goal"][:1]
    while todo:
        serial = todo.pop()
        used.add(serial)
        todo += filter(None, parts.get(serial, ()))
    return len(used), len(popped)


def _has_goal(log: EventLog) -> bool:
    return any(event[0] == "goal" for event in log)


def _pops(log: EventLog) -> int:
    return [event[0] for event in log].count("popped")


def updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences: every update, every weight."""
    log, how = lessons(NAME, sentences, arguments)
    return Page(
        "parameter-updates.html",
        LEARNING,
        "What does one mistake change?",
        "A wrong edge is popped before a gold one: only the features that they do not share are "
        "moved, and many scores move with them.",
        6,
        "updates",
        log,
        view="updates",
        how=how,
    )


def learning_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A training over its epochs: what every sentence came to, and some of the searches."""
    short = [s for s in sentences if len(s) <= UNITS[1]] or list(sentences)
    log = EventLog(every=PUPILS // 2)
    train_as(NAME, short[:PUPILS], arguments, trace=log, **SCHOOL)
    first, *_, last = (event[2] for event in log if event[0] == "epoch")
    return Page(
        "learning.html",
        LEARNING,
        "How does one see that a learner learns?",
        f"{first} updates in the first epoch, {last} in the last: gold is on top more often. Press "
        "a weight to see its course.",
        6,
        "learning",
        log,
        view="learning",
        how=f"{len(short[:PUPILS])} short sentences, learned {SCHOOL['epochs']} times",
        at=len(log),
    )


def lessons(
    system: str, sentences: Sequence[Sentence], arguments: Namespace
) -> tuple[EventLog, str]:
    """A recorded training of a system, and how it was made."""
    fewest, most = UNITS
    few = [s for s in sentences if fewest <= len(s) <= most] or sentences
    log = EventLog()
    train_as(system, few[:LESSONS], arguments, trace=log, **WATCHED)
    updates = [event[0] for event in log].count("edge_update")
    return log, f"{len(few[:LESSONS])} short sentences, learned twice: {updates} updates"
