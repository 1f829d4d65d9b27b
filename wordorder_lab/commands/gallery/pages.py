"""What the gallery shows: searches with a beam, and a short training run.

A page asks a question. Which one depends on what came out, so that no title promises a sentence
that its search does not find.
"""

from __future__ import annotations

import math
import re
import tomllib
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from wordorder_lab.commands.html import PAGES
from wordorder_lab.corpora import load_corpus
from wordorder_lab.exploring.sweep import Sweep
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
from wordorder_lab.widgets.race import RacePage

PAPER = "[Dr. Talcott]/NP led/VBD [a team]/NP of/IN [Harvard University]/NP ./."
"""The running example of Liu et al. 2015."""
PAPER_SAYS = "Dr. Talcott led a team of Harvard University ."
PARTIAL = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"
"""The same with the partial tree of its Figure 4: all arcs but that from led to a team."""
TEN = (
    "[The city]/NP said/VBD it/NP will/MD soon/RB open/VB "
    "[a library]/NP for/IN [its children]/NP ./."
)
TEN_SAYS = "The city said it will soon open a library for its children ."
OURS = "gazette"
"""Where other sentences that are shown come from: no search here has learned them."""
LENGTHS, LOOKED_AT = (6, 8), 40
"""Of so many units, and the best to watch of so many."""
LIMIT = 1000
"""Expansions of a best-first search that is shown."""
UNITS = 12
"""Units of the longest sentence to learn from: short ones are learned fast, and seen whole."""
WATCHED, FALLS, SPANS = 60, 3, 20
"""Sentences of the training run that is recorded; its searches that are shown from begin to
update; its last ones, whose spans are counted: few, so that the page holds little text."""


CAPTION = ".wol-narration"
"""The sentence that says what has happened: where a question is answered, if not said."""


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
    """One page: its file, the question it asks, the log (or two) that it plays from the event
    ``at`` on. ``learns`` says what one learns in so many ``minutes``, ``picture`` is a kind of
    thumbnail, of logs or of ``curves``; ``route`` is the place on the way of a newcomer, from 1, or
    0. The answer is in sight when the page opens: elements that the selector ``answer`` finds say
    ``told``, a pattern. With a ``table`` it is an explorer, with a ``race`` or a ``sweep`` that,
    and the log is a picture."""

    file: str
    section: str
    title: str
    learns: str
    minutes: int
    picture: str
    log: EventLog
    answer: str = CAPTION
    told: str = ""
    route: int = 0
    curves: tuple[tuple[float, ...], ...] = ()
    other: EventLog | None = None
    names: tuple[str, str] = ("A", "B")
    view: str = "beam"
    found: tuple[Found, ...] = ()
    settings: str = ""
    at: int | None = None
    table: Table | None = None
    race: RacePage | None = None
    sweep: Sweep | None = None

    @property
    def says(self) -> str:
        """What one learns, and what was found."""
        who = [f"{one.who} finds" if one.who else "Found:" for one in self.found]
        quoted = [f"{name} \u201c{one.text}\u201d" for name, one in zip(who, self.found)]
        return " ".join([self.learns, *quoted])


@cache
def texts() -> dict[str, dict[str, Any]]:
    """What ``gallery.toml`` says of each page."""
    return tomllib.loads((PAGES / "gallery.toml").read_text(encoding="utf-8"))


def page(
    name: str, values: Mapping[str, object], *, well: bool = True, log: EventLog, **more: Any
) -> Page:
    """The page of this name in ``gallery.toml``; its other question if it did not end ``well``."""
    own = dict(texts()[name])
    other = own.pop("otherwise", own["title"])
    own |= {} if well else {"title": other}
    own |= {field: own[field].format(**values) for field in ("title", "learns")}
    outputs = {f"out{one.who}": re.escape(one.text) for one in more.get("found", ())}
    own["told"] = own.get("told", "").format(**values, **outputs)
    return Page(file=f"{name}.html", log=log, **own, **more)


def train_as(
    system: str, examples: Sequence[Any], arguments: Namespace, **more: Any
) -> TrainedModel:
    """Train any system with the seed and engine of the command."""
    seed, engine = arguments.seed, arguments.engine
    model: TrainedModel = train(system, examples, seed=seed, engine=engine, **more)
    return model


# --- sentences to show ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Search:
    """What came out, and every event of the search, which is run again for them: of many searches
    few are shown."""

    order: Callable[..., Result]

    @cached_property
    def result(self) -> Result:
        """What came out."""
        return self.order()

    @cached_property
    def log(self) -> EventLog:
        """Every event."""
        log = EventLog()
        self.order(trace=log)
        return log

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
        return all(self.found(name).is_right for name in names)

    def found(self, name: str, who: str = "") -> Found:
        """What this search found."""
        search: Search = getattr(self, name)
        return search.found(self.sentence.text, who)


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
        _beam_page(watched, f"beam {arguments.beam}"),
        _two_beams(watched, f"beam {arguments.beam}"),
        _partial_tree(model, arguments),
        _ten_units(model, arguments),
    ]


def _beam_page(watched: Sequence[Watched], settings: str) -> Page:
    shown = first_choice(
        watched, lambda one: one.is_right("wide", "best"), lambda one: one.is_right("wide")
    )
    orders = {"orders": math.factorial(len(shown.sentence))}
    more = {"found": (shown.found("wide"),), "settings": settings}
    return page("beam-states", orders, well=shown.is_right("wide"), log=shown.wide.log, **more)


def _two_beams(watched: Sequence[Watched], wide: str) -> Page:
    def mends(one: Watched) -> bool:
        return one.is_right("wide") and not one.is_right("greedy")

    shown = first_choice(watched, mends, lambda one: one.greedy.result.text != one.wide.result.text)
    return page(
        "two-beams",
        {},
        well=mends(shown),
        log=shown.greedy.log,
        other=shown.wide.log,
        names=("beam 1", wide),
        found=(shown.found("greedy", "A"), shown.found("wide", "B")),
        settings=f"A: beam 1; B: {wide}",
    )


def _partial_tree(model: LinearizationModel, arguments: Namespace) -> Page:
    free, given = (
        search_for(model, text, arguments, beam=arguments.beam) for text in (PAPER, PARTIAL)
    )
    found = (free.found(PAPER_SAYS, "A"), given.found(PAPER_SAYS, "B"))
    return page(
        "partial-tree",
        {},
        well=found[1].is_right and not found[0].is_right,
        log=free.log,
        other=given.log,
        names=("words alone", "words and arcs"),
        found=found,
        settings=f"beam {arguments.beam}; B is given all arcs but the one from “led” to “a team”",
    )


def _ten_units(model: LinearizationModel, arguments: Namespace) -> Page:
    ten = search_for(model, TEN, arguments, beam=arguments.beam)
    found = ten.found(TEN_SAYS)
    sight = {"sight": "state that was nearly cut" if found.is_right else "wrong word"}
    more = {"found": (found,), "settings": f"beam {arguments.beam}"}
    return page("ten-words", sight, well=found.is_right, log=ten.log, **more)


def search_for(
    model: OrderingModel, bag: str | WordBag, arguments: Namespace, **options: Any
) -> Search:
    """Order a bag; tags that the model never saw are left to the search."""
    bag = parse_bag(bag) if isinstance(bag, str) else bag
    unknown = model.unknown_tags(bag)
    bag = replace(bag, pos=[None if tag in unknown else tag for tag in bag.pos or ()])
    return Search(partial(model.order, bag, engine=arguments.engine, **options))


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
    run = f"{len(falls)} searches of a training run on {len(few)} sentences, beam 4"
    last = f"the last {len(quiet)} searches of the same training run"
    spans = as_log(quiet)
    early = any(map(is_early_update, chain(*falls)))
    return [
        page("early-update", {}, well=early, log=as_log(falls), settings=run),
        page("span-lengths", {}, log=spans, at=_last_whole(spans), settings=last),
    ]


def _last_whole(log: EventLog) -> int:
    """Events up to where a search last came to its end, or else all."""
    ends = [i for i, event in enumerate(log.events, 1) if event[0] == "finished"]
    return max(ends, default=len(log))


def split_searches(log: EventLog) -> list[list[Event]]:
    """The events of a longer run, a list for each search; a ``begin`` starts one."""
    searches: list[list[Event]] = []
    for event in log:
        if event[0] == "begin":
            searches.append([])
        searches[-1].append(event)
    return searches


def latest_falls(searches: Sequence[list[Event]], number: int) -> list[list[Event]]:
    """Those that went on longest before gold fell out, else the longest of all, in order."""

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
