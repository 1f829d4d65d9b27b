"""What the gallery shows: searches with a beam, and a short training run.

A page asks a question. Which one depends on what came out, so that no title promises a sentence
that its search does not find.
"""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from wordorder_lab.corpora import load_corpus
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Event
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.systems import train
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import OrderingModel, TrainedModel
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.explorer import Table
from wordorder_lab.widgets.race import Racing

PAPER = "[Dr. Talcott]/NP led/VBD [a team]/NP of/IN [Harvard University]/NP ./."
"""The running example of Liu et al. 2015."""
PAPER_SAYS = "Dr. Talcott led a team of Harvard University ."

PARTIAL = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"
"""The same with the partial tree of its Figure 4: all arcs but that from led to a team."""

TEN = (
    "[The city]/NP said/VBD it/NP will/MD soon/RB open/VB "
    "[a library]/NP for/IN [its children]/NP ./."
)
"""Ten units of our own."""
TEN_SAYS = "The city said it will soon open a library for its children ."

OURS = "gazette"
"""Where other sentences that are shown come from: no search here has learned them."""
LENGTHS, LOOKED_AT = (6, 8), 40
"""Of so many units, and the best to watch of so many."""

LIMIT = 1000
"""Expansions of a best-first search that is shown."""

UNITS = 12
"""Units of the longest sentence to learn from: short ones are learned fast, and seen whole."""

WATCHED = 60
"""Sentences of the training run that is recorded."""

FALLS = 3
"""Searches of it that are shown from begin to update."""

SPANS = 20
"""The last searches of it, whose spans are counted: few, so that the page holds little text."""

BEAM, LEARNING = "Search with a beam", "Learning"


class Found(NamedTuple):
    """What a search found, and what it ought to find; ``who`` tells it from the one beside it."""

    text: str
    meant: str
    who: str = ""

    @property
    def is_right(self) -> bool:
        """Whether this is the sentence that was meant."""
        return self.text == self.meant


class Page(NamedTuple):
    """One page: its file, the question it asks, and the log (or two) that it plays.

    ``learns`` says in one sentence what one learns, in about so many ``minutes``. ``picture`` is a
    kind of thumbnail. ``how`` is for those who want to know the settings. It opens after ``at``
    events, or where players usually do. With a ``table`` it is an explorer, with a ``race`` that,
    and the log is a picture.
    """

    file: str
    section: str
    title: str
    learns: str
    minutes: int
    picture: str
    log: EventLog
    other: EventLog | None = None
    names: tuple[str, str] = ("A", "B")
    view: str = "beam"
    found: tuple[Found, ...] = ()
    how: str = ""
    at: int | None = None
    table: Table | None = None
    race: Racing | None = None

    @property
    def says(self) -> str:
        """What one learns, and what was found."""
        texts = [f"{one.who} finds" if one.who else "Found:" for one in self.found]
        quoted = [f"{who} \u201c{one.text}\u201d" for who, one in zip(texts, self.found)]
        return " ".join([self.learns, *quoted])


def train_as(
    system: str, examples: Sequence[Any], arguments: Namespace, **more: Any
) -> TrainedModel:
    """Train any system with the seed and engine of the command."""
    model: TrainedModel = train(
        system, examples, seed=arguments.seed, engine=arguments.engine, **more
    )
    return model


# --- sentences to show ----------------------------------------------------------------------------


class Search(NamedTuple):
    """What came out, and every event of the search."""

    result: Result
    log: EventLog

    def found(self, meant: str, who: str = "") -> Found:
        """What it found, beside what it ought to."""
        return Found(self.result.text, meant, who)


class Watched(NamedTuple):
    """A sentence ordered by three searches: with a beam of 1, with a wide one, best first."""

    sentence: Sentence
    greedy: Search
    wide: Search
    best: Search

    def is_right(self, *names: str) -> bool:
        """Whether each of these searches finds the sentence."""
        return all(getattr(self, name).result.text == self.sentence.text for name in names)


def watched_sentences(
    model: LinearizationModel, best_first: DependencyModel, units: str, arguments: Namespace
) -> list[Watched]:
    """Sentences that nobody here has learned, each searched in three ways."""
    fewest, most = LENGTHS
    held_out = load_corpus(OURS, units=model.settings.get("units", units)).dev
    near = [s for s in held_out if fewest <= len(s) <= most][:LOOKED_AT] or held_out[:LOOKED_AT]
    watched = []
    for sentence in near:
        bag = bag_of(sentence, seed=arguments.seed)
        greedy, wide = (
            search_for(model, bag, arguments, beam=beam) for beam in (1, arguments.beam)
        )
        best = search_for(best_first, bag, arguments, expansions=LIMIT)
        watched.append(Watched(sentence, greedy, wide, best))
    return watched


def first_choice(watched: Sequence[Watched], *wishes: Callable[[Watched], bool]) -> Watched:
    """The longest of those that fulfil the first wish that any fulfils; else the first of all."""
    for wish in wishes:
        if fitting := [one for one in watched if wish(one)]:
            return max(fitting, key=lambda one: len(one.sentence))
    return watched[0]


def easy_one(watched: Sequence[Watched]) -> Watched:
    """A sentence that a beam and best-first search both find, if there is one."""
    return first_choice(
        watched,
        lambda one: one.is_right("wide", "best"),
        lambda one: one.is_right("best"),
        lambda one: one.is_right("wide"),
    )


# --- searches with the model ----------------------------------------------------------------------


def search_pages(
    model: LinearizationModel, watched: Sequence[Watched], arguments: Namespace
) -> list[Page]:
    """A search that ends well, two beams side by side, what arcs mend, where ten units fail."""
    return [
        _beam_page(watched, arguments),
        _two_beams(watched, arguments),
        _partial_tree(model, arguments),
        _ten_units(model, arguments),
    ]


def _beam_page(watched: Sequence[Watched], arguments: Namespace) -> Page:
    shown = first_choice(
        watched,
        lambda one: one.is_right("wide", "best"),
        lambda one: one.is_right("wide"),
    )
    orders = math.factorial(len(shown.sentence))
    return Page(
        "beam-states.html",
        BEAM,
        f"How does a beam find the right one of {orders:,} orders?"
        if shown.is_right("wide")
        else f"Which of {orders:,} orders does a beam take?",
        "A column a step, a card a state: only the best few go on, and that is mostly enough.",
        5,
        "lattice",
        shown.wide.log,
        found=(shown.wide.found(shown.sentence.text),),
        how=f"beam {arguments.beam}",
    )


def _two_beams(watched: Sequence[Watched], arguments: Namespace) -> Page:
    shown = first_choice(
        watched,
        lambda one: one.is_right("wide") and not one.is_right("greedy"),
        lambda one: one.greedy.result.text != one.wide.result.text,
    )
    meant = shown.sentence.text
    mends = shown.is_right("wide") and not shown.is_right("greedy")
    return Page(
        "two-beams.html",
        BEAM,
        "What does a beam of 1 overlook?" if mends else "What does a wider beam change?",
        "Who keeps one state only cannot go back; jump to the first difference to see it happen.",
        6,
        "lattice",
        shown.greedy.log,
        shown.wide.log,
        ("beam 1", f"beam {arguments.beam}"),
        found=(shown.greedy.found(meant, "A"), shown.wide.found(meant, "B")),
        how=f"A: beam 1; B: beam {arguments.beam}",
    )


def _partial_tree(model: LinearizationModel, arguments: Namespace) -> Page:
    free, given = (
        search_for(model, text, arguments, beam=arguments.beam) for text in (PAPER, PARTIAL)
    )
    found = (free.found(PAPER_SAYS, "A"), given.found(PAPER_SAYS, "B"))
    mends = found[1].is_right and not found[0].is_right
    return Page(
        "partial-tree.html",
        BEAM,
        "Can four known arcs mend a wrong sentence?"
        if mends
        else "What do four known arcs forbid?",
        "The paper’s own example, first with words alone, then with its partial tree: what this "
        "forbids in each state, and why.",
        7,
        "lattice",
        free.log,
        given.log,
        ("words alone", "words and arcs"),
        found=found,
        how=f"beam {arguments.beam}; B is given all arcs but the one from “led” to “a team”",
    )


def _ten_units(model: LinearizationModel, arguments: Namespace) -> Page:
    ten = search_for(model, TEN, arguments, beam=arguments.beam)
    found = ten.found(TEN_SAYS)
    return Page(
        "ten-words.html",
        BEAM,
        "How does a longer sentence come out right?"
        if found.is_right
        else "Where does a sentence of ten units go wrong?",
        "With more units far more states are cut: go back from the end to the first "
        f"{'state that was nearly cut' if found.is_right else 'wrong word'}.",
        8,
        "lattice",
        ten.log,
        found=(found,),
        how=f"beam {arguments.beam}",
    )


def search_for(
    model: OrderingModel, bag: str | WordBag, arguments: Namespace, **how: Any
) -> Search:
    """Order a bag, typed or not: what comes out, and every event of the search."""
    log = EventLog()
    bag = _without_unknown_tags(parse_bag(bag) if isinstance(bag, str) else bag, model)
    return Search(model.order(bag, engine=arguments.engine, trace=log, **how), log)


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
    train_as("liu-2015", few, arguments, beam=4, epochs=2, trace=log, **more)
    searches = split_searches(log)
    falls = latest_falls(searches, FALLS)
    quiet = [[event for event in search if event[0] != "weight"] for search in searches[-SPANS:]]
    return [
        Page(
            "early-update.html",
            LEARNING,
            "Where does gold fall out of the beam?"
            if any(map(is_early_update, chain.from_iterable(falls)))
            else "What does a beam learn from its mistakes?",
            "As soon as the right state is cut, the rest of the search is in vain: the perceptron "
            "stops there, and moves its weights.",
            6,
            "lattice",
            as_log(falls),
            how=f"{len(falls)} searches of a training run on {len(few)} sentences, beam 4",
        ),
        Page(
            "span-lengths.html",
            LEARNING,
            "How long are the phrases that a search builds?",
            "Long phrases are made more or less often than they ought to be: compare what the "
            "search makes with what is right.",
            4,
            "spans",
            as_log(quiet),
            view="spans",
            at=sum(map(len, quiet)),
            how=f"the last {len(quiet)} searches of the same training run",
        ),
    ]


def split_searches(log: EventLog) -> list[list[Event]]:
    """The events of a longer run, a list for each search; a ``begin`` starts one."""
    searches: list[list[Event]] = []
    for event in log:
        if event[0] == "begin":
            searches.append([])
        searches[-1].append(event)
    return searches


def latest_falls(searches: Sequence[list[Event]], number: int) -> list[list[Event]]:
    """The searches that went on longest before the gold state fell out, in their order.

    These show most. If it never fell out, they are the longest ones of all.
    """

    def steps(i: int) -> tuple[int, int]:
        return -sum(event[0] == "step" for event in searches[i]), i

    fallen = [i for i, search in enumerate(searches) if any(map(is_early_update, search))]
    longest = sorted(fallen or range(len(searches)), key=steps)[:number]
    return [searches[i] for i in sorted(longest)]


def is_early_update(event: Event) -> bool:
    """Whether this is the update of a search that was left because gold had fallen out."""
    return bool(event[0] == "update" and event[3] == "early")


def as_log(searches: Sequence[Sequence[Event]]) -> EventLog:
    """A log of these searches alone."""
    log = EventLog()
    for event in chain.from_iterable(searches):
        log.record(*event)
    return log
