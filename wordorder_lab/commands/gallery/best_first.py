"""What the gallery shows of best-first search: agenda, chart, updates, and two searches at once."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.commands.gallery.pages import PAPER, TEN, Page, search_for
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.systems.zhang_clark_2015_dependency import NAME, DependencyModel
from wordorder_lab.trace.log import EventLog

SMALL: dict[str, Any] = {"beam": 16, "epochs": 2, "expansions": 100, "shuffle": True}
FEW = 80
"""Settings and sentences of the model that is trained where none is given: ten seconds or so."""

LIMIT = 1000
"""Expansions of a search that is shown."""
IN_VAIN = 150
"""Expansions of the searches side by side, of which one finds nothing."""

WATCHED: dict[str, Any] = {"beam": 8, "epochs": 2, "expansions": 60}
LESSONS = 6
UNITS = (4, 7)
"""The training run that is recorded: twice through a few sentences of so many units."""


def train_small(sentences: Sequence[Sentence], arguments: Namespace) -> DependencyModel:
    """A small best-first model, with the seed and engine of the command."""
    model = train_as(NAME, sentences, arguments, **SMALL)
    assert isinstance(model, DependencyModel)
    return model


def train_as(
    system: str, sentences: Sequence[Sentence], arguments: Namespace, **how: Any
) -> OrderingModel:
    """Train any system with the seed and engine of the command."""
    return train(system, sentences, seed=arguments.seed, engine=arguments.engine, **how)


def without_weights(model: DependencyModel) -> DependencyModel:
    """The same model with all weights zero: every edge has score 0, and the oldest goes first."""
    none = PackedEdgeWeights(model.weights.keys[:0], model.weights.values[:0])
    return replace(model.unshared(), weights=none)


def best_first_pages(
    model: DependencyModel, linearizer: LinearizationModel, arguments: Namespace
) -> list[Page]:
    """One search seen twice, the same units with a beam beside it, and with no weights at all."""
    result, log = search_for(model, PAPER, arguments, expansions=LIMIT)
    return [
        Page(
            "agenda.html",
            "Agenda evolution: best-first search",
            "The edges that wait, ranked; pin one and see why others were popped before it. "
            f"Found: {result.text}",
            log,
            view="agenda",
        ),
        Page(
            "chart.html",
            "Chart contents: the same search",
            "What has been popped, by the number of its words; click an edge to see its parts.",
            log,
            view="chart",
        ),
        *_side_by_side(model, linearizer, arguments),
    ]


def _side_by_side(
    model: DependencyModel, linearizer: LinearizationModel, arguments: Namespace
) -> list[Page]:
    _, ten = search_for(model, TEN, arguments, expansions=LIMIT)
    _, beam = search_for(linearizer, TEN, arguments, beam=arguments.beam)
    _, zero = search_for(without_weights(model), TEN, arguments, expansions=IN_VAIN)
    return [
        Page(
            "best-first-and-beam.html",
            "A and B: best-first and transition-based",
            "Ten units in two decoders on one clock: as many edges are popped as the beam expands "
            "states.",
            ten,
            beam,
            ("best-first", f"beam {arguments.beam}"),
            "agenda",
        ),
        Page(
            "without-weights.html",
            "A and B: all weights zero, and trained",
            f"Why learning guides the search: with zeros, {IN_VAIN} pops end "
            f"{'with a goal' if _has_goal(zero) else 'without a goal'}; the trained model is "
            f"{'done' if _has_goal(ten) else 'not done'} after {_pops(ten)}.",
            zero,
            ten,
            ("all weights zero", "trained"),
            "agenda",
        ),
    ]


def _has_goal(log: EventLog) -> bool:
    return any(event[0] == "goal" for event in log)


def _pops(log: EventLog) -> int:
    return [event[0] for event in log].count("popped")


def updates_page(sentences: Sequence[Sentence], arguments: Namespace) -> Page:
    """A recorded training of a few short sentences: every update, every weight."""
    log, text = lessons(NAME, sentences, arguments)
    return Page(
        "parameter-updates.html",
        "Parameter updates: guided learning",
        f"{text} a gold edge is compared with a wrong one; what this does to the weights.",
        log,
        view="updates",
    )


def lessons(
    system: str, sentences: Sequence[Sentence], arguments: Namespace
) -> tuple[EventLog, str]:
    """A recorded training of a system, and how many updates it had, for a page to begin with."""
    fewest, most = UNITS
    few = [s for s in sentences if fewest <= len(s) <= most] or sentences
    log = EventLog()
    train_as(system, few[:LESSONS], arguments, trace=log, **WATCHED)
    updates = [event[0] for event in log].count("edge_update")
    return log, f"{len(few[:LESSONS])} short sentences, learned twice: {updates} times"
