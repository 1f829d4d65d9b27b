"""What the gallery shows: searches on sentences of our own, and a short training run."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.systems import train
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.trace.log import EventLog

PAPER = "[Dr. Talcott]/NP led/VBD [a team]/NP of/IN [Harvard University]/NP ./."
"""The running example of Liu et al. 2015."""

PARTIAL = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"
"""The same with the partial tree of its Figure 4: all arcs but that from led to a team."""

TEN = (
    "[The city]/NP said/VBD it/NP will/MD soon/RB open/VB "
    "[a library]/NP for/IN [its children]/NP ./."
)
"""Ten units of our own."""

UNITS = 12
"""Units of the longest sentence to learn from: short ones are learned fast, and seen whole."""

WATCHED = 60
"""Sentences of the training run that is recorded."""

FALLS = 3
"""Searches of it that are shown from begin to update."""

SPANS = 20
"""The last searches of it, whose spans are counted: few, so that the page holds little text."""


class Page(NamedTuple):
    """One page: file name, title, what it shows, and the log (or two) that it plays."""

    file: str
    title: str
    says: str
    log: EventLog
    other: EventLog | None = None
    names: tuple[str, str] = ("A", "B")
    view: str = "beam"


def train_on(
    sentences: Sequence[Sentence], arguments: Namespace, **more: Any
) -> LinearizationModel:
    """Train with the seed and engine of the command."""
    return train("liu-2015", sentences, seed=arguments.seed, engine=arguments.engine, **more)


# --- searches with the model ----------------------------------------------------------------------


def search_pages(model: LinearizationModel, arguments: Namespace) -> list[Page]:
    """The searches with the model: the paper's example, its partial tree, ten units, two beams."""
    beam = arguments.beam
    (example, paper), (wide, ten) = (
        search_for(model, text, arguments, beam=beam) for text in (PAPER, TEN)
    )
    narrow, greedy = search_for(model, TEN, arguments, beam=1)
    kept, partial = search_for(model, PARTIAL, arguments, beam=beam)
    return [
        Page(
            "beam-states.html",
            "Beam states: the paper's example",
            f"Six units at beam {beam}, a column a step, a card a state. Found: {example.text}",
            paper,
        ),
        Page(
            "partial-tree.html",
            "Input constraints: the paper's partial tree",
            "The same units, and all arcs between them but the one from “led” to “a team”: what "
            f"this forbids in each state, and why. Found: {kept.text}",
            partial,
        ),
        Page(
            "ten-words.html",
            "Beam states: ten units",
            f"A longer sentence at beam {beam}: far more states are cut. Found: {wide.text}",
            ten,
        ),
        Page(
            "two-beams.html",
            f"A and B: beam 1 and beam {beam}",
            f"The same ten units, two beams on one clock. A: {narrow.text} B: {wide.text}",
            greedy,
            ten,
            ("beam 1", f"beam {beam}"),
        ),
    ]


def search_for(
    model: OrderingModel, bag: str | WordBag, arguments: Namespace, **how: Any
) -> tuple[Result, EventLog]:
    """Order a bag, typed or not: what comes out, and every event of the search."""
    log = EventLog()
    bag = _without_unknown_tags(parse_bag(bag) if isinstance(bag, str) else bag, model)
    return model.order(bag, engine=arguments.engine, trace=log, **how), log


def _without_unknown_tags(bag: WordBag, model: OrderingModel) -> WordBag:
    """The bag for a model of any tag set: where it never saw the tag, the search chooses one."""
    unknown = model.unknown_tags(bag)
    return replace(bag, pos=[None if tag in unknown else tag for tag in bag.pos or ()])


# --- a training run -------------------------------------------------------------------------------


def short_ones(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences to learn from; all of them if none is short."""
    return [s for s in sentences if len(s) <= UNITS] or sentences


def training_pages(sentences: Sequence[Sentence], arguments: Namespace, **more: Any) -> list[Page]:
    """A recorded training: some early updates in full, and the span lengths of all of it."""
    log = EventLog()
    few = sentences[:WATCHED]
    train_on(few, arguments, beam=4, epochs=2, trace=log, **more)
    searches = split_searches(log)
    falls = latest_falls(searches, FALLS)
    quiet = [[event for event in search if event[0] != "weight"] for search in searches[-SPANS:]]
    return [
        Page(
            "early-update.html",
            "Early update: a training run",
            f"{len(falls)} searches in which the gold state falls out of the beam, and what the "
            "perceptron changes then.",
            as_log(falls),
        ),
        Page(
            "span-lengths.html",
            "Span lengths: the same training run",
            "How long the spans are that the search makes, keeps and ought to make, in its last "
            f"{len(quiet)} sentences.",
            as_log(quiet),
            view="spans",
        ),
    ]


def split_searches(log: EventLog) -> list[list[tuple]]:
    """The events of a longer run, a list for each search; a ``begin`` starts one."""
    searches: list[list[tuple]] = []
    for event in log:
        if event[0] == "begin":
            searches.append([])
        searches[-1].append(event)
    return searches


def latest_falls(searches: Sequence[list[tuple]], number: int) -> list[list[tuple]]:
    """The searches that went on longest before the gold state fell out, in their order.

    These show most. If it never fell out, they are the longest ones of all.
    """

    def steps(i: int) -> tuple[int, int]:
        return -sum(event[0] == "step" for event in searches[i]), i

    fallen = [i for i, search in enumerate(searches) if any(map(is_early_update, search))]
    longest = sorted(fallen or range(len(searches)), key=steps)[:number]
    return [searches[i] for i in sorted(longest)]


def is_early_update(event: tuple) -> bool:
    """Whether this is the update of a search that was left because gold had fallen out."""
    return event[0] == "update" and event[3] == "early"


def as_log(searches: Sequence[Sequence[tuple]]) -> EventLog:
    """A log of these searches alone."""
    log = EventLog()
    for event in chain.from_iterable(searches):
        log.record(*event)
    return log
