"""The slides of the six sessions: pages that play, and a quiz page to each.

    python docs/teach/lectures.py build/lectures        all six
    python docs/teach/lectures.py build/lectures 3      session 3 alone

writes ``lecture_1.html`` ... and ``quiz_1.html`` ...: files that open offline. In a lecture
PageDown goes from scene to scene, and the player plays on from wherever you are; a quiz page is one
player, with its button **quiz**, or a game in which the class chooses what the search does next.
All searches are small: those of the notebooks that fit on paper, and three on the Gazette with
models that are trained here in seconds.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import wordorder_lab as wl
from wordorder_lab.analysis.gold_survival import with_gold
from wordorder_lab.check import nb_10, nb_13, nb_31, small_search
from wordorder_lab.check.moments import after, nth_pop, when
from wordorder_lab.check.nb_02 import SEARCHES
from wordorder_lab.check.nb_33 import p_value
from wordorder_lab.check.nb_41 import one_output, solved
from wordorder_lab.check.small_transducer import FAST_CAR, FIGURE_1, by_hand, figure_1_by_hand
from wordorder_lab.check.small_world import examples_of, learner_of
from wordorder_lab.check.small_world import sentence as sentence_of
from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.moments import ASIDE
from wordorder_lab.widgets.page import Scene

IBM = "[IBM]/NP bought/VBD [Lotus]/NP ./."
FIGURE_4 = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"


SLIDES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("slides.toml").read_text(encoding="utf-8")
)
"""What the slides say, session by session."""
MOST_WORDS = 20
"""Of what the class reads on a slide."""


class Shot(NamedTuple):
    """A moment of a search, perhaps in a view, perhaps of a state or an edge."""

    log: EventLog
    at: int
    view: str | None = None
    item: int | str | None = None


class Shown(NamedTuple):
    """The moments of a lecture by name, and what its words say of their outcomes."""

    shots: Mapping[str, Shot]
    fields: Mapping[str, Any] = MappingProxyType({})


class Quiz(NamedTuple):
    """A log for the class to guess in, the view that asks, and where it opens."""

    log: EventLog
    view: str
    at: int | None = 0


class Session(NamedTuple):
    """A lecture's title, what it shows and its quiz, each made when it is asked for."""

    title: str
    shown: Callable[[], Shown]
    quiz: Callable[[], Quiz]


def main(folder: str = "build/lectures", *numbers: str) -> int:
    """Write the pages of these sessions, or of all."""
    unknown = [number for number in numbers if number not in map(str, SESSIONS)]
    if unknown:
        raise SystemExit(f"no session {unknown[0]!r}: there are {', '.join(map(str, SESSIONS))}")
    for number in map(int, numbers or map(str, SESSIONS)):
        for path in pages(number, Path(folder)):
            print(f"wrote {path} ({path.stat().st_size / 1000:,.0f} KB)")
    return 0


def pages(number: int, folder: Path, *, told: bool = True) -> tuple[Path, Path]:
    """Write one session's lecture and quiz, and return their paths; the notes of who presents are
    in the lecture if it is ``told``."""
    folder.mkdir(parents=True, exist_ok=True)
    title = SESSIONS[number].title
    path = folder / f"lecture_{number}.html"
    shown = wl.lecture(scenes(number, told=told), path, title=f"Session {number}: {title}")
    asked = _made(number)[1]
    path = folder / f"quiz_{number}.html"
    return shown, wl.to_html(
        asked.log, path, view=asked.view, at=asked.at, title=f"Quiz {number}: {title}"
    )


@cache
def _made(number: int) -> tuple[Shown, Quiz]:
    return SESSIONS[number].shown(), SESSIONS[number].quiz()


def scenes(number: int, *, told: bool = True) -> list[Scene]:
    """The slides of a session. Raises ``ValueError`` for one with too many words."""
    shown = _made(number)[0]
    return [_scene(slide, shown, told) for slide in SLIDES[f"session_{number}"]]


def _scene(slide: Mapping[str, Any], shown: Shown, told: bool) -> Scene:
    text = slide["text"].format(**shown.fields)
    if len(text.split()) > MOST_WORDS:
        raise ValueError(f"a slide has at most {MOST_WORDS} words, and this one more: {text}")
    if told:
        new = [f"New: {', '.join(slide['new'])}."] if "new" in slide else []
        text += ASIDE + "\n\n".join([slide["say"], *new])
    if "at" not in slide:
        return str(text)
    log, at, view, item = shown.shots[slide["at"]]
    moments = [(at, text, item)]
    return (log, moments, view) if view else (log, moments)


# --- what is shown in several sessions ------------------------------------------------------------


@cache
def small_model() -> Any:
    """The transition system after 300 sentences of the Gazette: good enough to be wrong well."""
    train = wl.load_corpus("gazette").train[:300]
    return wl.train("liu-2015", train, beam=4, epochs=3, progress=False)


def recorded(model: Any, bag: str, **how: Any) -> tuple[EventLog, str]:
    """Every event of a search, and the sentence that came out. Nothing has to be compiled."""
    log = EventLog()
    return log, model.order(wl.parse_bag(bag), trace=log, engine="reference", **how).text


def after_step(log: EventLog, number: int) -> int:
    """The number of events up to the end of this step of a beam, counted from 1."""
    ends = [i for i, event in enumerate(log) if event[0] in ("step", "finished")][1:]
    return ends[number - 1]


def pop(log: EventLog, number: int) -> Shot:
    """The moment after a pop, which points at the popped edge."""
    event = nth_pop(log, number)
    return Shot(log, event, "agenda", int(log.events[event - 1][1]))


def winner(log: EventLog) -> int:
    """The number of the state or the edge that a search ends with."""
    return last(log, len(log), "finished")


def last(log: EventLog, before: int, kind: str, place: int = 1) -> int:
    """The number in the last event of a kind among the first ``before``: by it an item is found."""
    return next(int(e[place]) for e in reversed(log.events[:before]) if e[0] == kind)


def step(log: EventLog, number: int, *, cut: bool = False) -> Shot:
    """The end of a step of a beam, which points at the best state kept, or at the one that was cut
    by the least."""
    at = after_step(log, number)
    if not cut:
        best = (int(e[1]) for e in reversed(log.events[:at]) if e[0] == "kept" and e[2] == 0)
        return Shot(log, at, item=next(best))
    begin = max(i for i, event in enumerate(log.events[: at - 1]) if event[0] == "step")
    margins = [(e[2], e[1]) for e in log.events[begin:at] if e[0] == "cut"]
    return Shot(log, at, item=min(margins)[1])


def end(log: EventLog, view: str | None = None) -> Shot:
    """The end of a search, which points at what it ends with."""
    return Shot(log, len(log), view, winner(log))


# --- session 1 ------------------------------------------------------------------------------------


REFERENCE, OUTPUT = "she saw the dog today .", "today she saw the dog ."
"""What BLEU is counted of by hand."""


def a_bag_of_words() -> Shown:
    """From 24 orders to a search that one can watch, a tree, and a score."""
    log, text = recorded(small_model(), IBM, beam=3)
    free, loose = recorded(small_model(), "IBM bought Lotus .", beam=3)
    (counts,) = sentence_counts([OUTPUT], [REFERENCE])
    right = [f"{counts[i]:g} of {counts[i + 4]:g}" for i in range(2, 6)]
    return Shown(
        {
            "the bag": Shot(log, 1),
            **{f"step {n}": step(log, n, cut=n == 3) for n in range(1, 5)},
            "the end": end(log),
            "without tags": end(free),
        },
        {
            "text": text,
            "loose": loose,
            "reference": REFERENCE,
            "output": OUTPUT,
            **dict(zip(("one", "two", "three", "four"), right, strict=True)),
            "bleu": bleu_of_counts(counts),
        },
    )


def decode_by_hand() -> Quiz:
    """A sentence of the Gazette, to be ordered by the class."""
    model = small_model()
    sentence = next(one for one in wl.load_corpus("gazette").dev if 5 <= len(one) <= 7)
    bag, log = wl.bag_of(sentence, seed=1), EventLog()
    model.order(bag, beam=16, trace=log, engine="reference")
    return Quiz(with_gold(model, log, bag, sentence, 1), "decoder", None)


# --- session 2 ------------------------------------------------------------------------------------


def transitions() -> Shown:
    """Table 1, a beam, what is forbidden, where gold falls."""
    narrow, one = recorded(small_model(), re.sub(r">\d", "", FIGURE_4), beam=1)
    wide, many = recorded(small_model(), FIGURE_4, beam=16)
    given = after_step(wide, 2)
    learned, taught = first_updates(), SEARCHES["beam"]()
    return Shown(
        {
            "step 1": step(narrow, 1),
            "step 2": step(narrow, 2),
            "beam 1": end(narrow),
            "arcs are given": Shot(wide, given, item=last(wide, given, "forbidden")),
            "beam 16": end(wide),
            "learning": Shot(taught.log, after_step(taught.log, 1)),
            "gold falls": Shot(taught.log, taught.at, item=last(taught.log, taught.at, "gold", 2)),
            "the update": Shot(taught.log, len(taught.log), "updates"),
            "six passes": Shot(learned, after_step(learned, 1)),
            "known by heart": end(learned),
        },
        {"narrow": one, "wide": many},
    )


def first_updates() -> EventLog:
    """The readable learner on IBM bought Lotus, pass after pass, until it knows it."""
    ibm = sentence_of("IBM/NP>1 bought/VBD Lotus/NP>1 ./.>1")
    (example,) = examples_of([ibm])
    learner = learner_of([ibm], beam=1)
    learner.trace = log = EventLog()
    for _ in range(6):
        learner.learn(example)
    return log


def where_gold_falls() -> Quiz:
    """A search in which gold is lost: which states are kept?"""
    return Quiz(SEARCHES["beam"]().log, "beam")


# --- session 3 ------------------------------------------------------------------------------------


def best_first() -> Shown:
    """IBM bought Lotus pop by pop, scaled and plain, and a guided learner."""
    log, plain, learned = EventLog(), EventLog(), EventLog()
    small_search.search_by_hand(trace=log).run()
    small_search.search_by_hand(scaled=False, trace=plain).run()
    small_search.learner_by_hand(trace=learned).learn(small_search.ibm_bought_lotus())
    first = after(learned, lambda event: event[0] == "edge_update")
    return Shown(
        {
            "two piles": Shot(log, nth_pop(log, 1, before=True), "agenda"),
            **{f"pop {number}": pop(log, number) for number in (1, 3, 6, 7, 8)},
            "the chart": end(log, "chart"),
            "plain pop 6": pop(plain, 6),
            "the plain end": end(plain, "agenda"),
            "a wrong edge": Shot(learned, first, "updates"),
            "what changed": Shot(learned, len(learned), "updates"),
        }
    )


def which_is_popped() -> Quiz:
    """The search by hand: which edge is popped next?"""
    log = EventLog()
    small_search.search_by_hand(trace=log).run()
    return Quiz(log, "agenda")


# --- session 4 ------------------------------------------------------------------------------------


def categories() -> Shown:
    """The same three words with categories, and what a supertagger's cut takes away."""
    log = EventLog()
    nb_10.search_by_hand(trace=log).run()
    before, cut = (nb_13.searched(b)[1] for b in (0.0, nb_13.CUT))
    return Shown(
        {
            "pop 2": pop(log, 2),
            "pop 4": pop(log, 4),
            "pruned": Shot(log, when(log, "pruned", 9), "chart", 9),
            "pop 10": Shot(log, nth_pop(log, 10, before=True), "agenda", 11),
            "the goal": end(log, "chart"),
            "no cut": Shot(before, len(before), "chart"),
            "the cut": Shot(cut, len(cut), "chart"),
        }
    )


def why_pruned() -> Quiz:
    """A small CCG search of the Gazette with 16 places in its chart."""
    return Quiz(nb_10.searches()[0][0], "agenda")


# --- session 5 ------------------------------------------------------------------------------------


DIFFERENCES = (4, 1, 6, -1, 3)
"""Of two systems on five sentences, in points."""


def counting() -> Shown:
    """A beam that knows no syntax, a search error as it happens, spans, a permutation test."""
    corpus = wl.load_corpus("gazette")
    orderer = wl.train("ngram-beam", corpus.train[:300], order=3, progress=False)
    bag = wl.bag_of(next(one for one in corpus.dev if len(one) == 7), seed=1)
    log = EventLog()
    text = orderer.order(bag, beam=4, trace=log, engine="reference").text
    lost, moment = a_search_error()
    spans = SEARCHES["spans"]()
    p = p_value([*map(float, DIFFERENCES)])
    return Shown(
        {
            "step 2": step(log, 2),
            "step 3": step(log, 3),
            "the end": end(log),
            "gold falls": Shot(lost, moment, "beam", last(lost, moment, "gold", 2)),
            "a search error": end(lost, "beam"),
            "spans": Shot(spans.log, spans.at, "spans"),
        },
        {
            "text": text,
            "differences": ", ".join(f"{one:+d}" for one in DIFFERENCES),
            "sum": sum(DIFFERENCES),
            "ways": round(p * 2 ** len(DIFFERENCES)),
            "p": p,
        },
    )


def a_search_error() -> tuple[EventLog, int]:
    """A sentence that a beam of 4 loses although the model would have preferred it."""
    corpus = wl.load_corpus("gazette")
    dev = [one for one in corpus.dev if len(one) <= 8][:40]
    rows = wl.errors(small_model(), dev, beam=4)
    for place in [i for i, fault in enumerate(rows.fault) if fault == "search error"]:
        if nb_31.course(small_model(), dev[place], beam=4).lost:
            return nb_31.logged(small_model(), dev[place], beam=4)
    raise AssertionError("no search error among forty sentences: this model is too good")


def next_word() -> Quiz:
    """The search error again, from its beginning."""
    return Quiz(a_search_error()[0], "beam")


# --- session 6 ------------------------------------------------------------------------------------


def compression() -> Shown:
    """Figure 1 of Cohn and Lapata, then cube pruning and what it may lose, and a margin."""
    figure, cube, full = EventLog(), EventLog(), EventLog()
    figure_1_by_hand().compress(FIGURE_1.source, trace=figure, engine="reference")
    small = by_hand()
    how: dict[str, Any] = {"beam": 4, "engine": "reference"}
    quick = small.compress(FAST_CAR, search="cube", trace=cube, **how)
    slow = small.compress(FAST_CAR, search="exhaustive", trace=full, **how)
    last_cell = max(k for k, event in enumerate(cube) if event[0] == "cell")
    w1, w2 = solved(one_output((2.0, -1.0), 4.0), 2, C=5.0).weights
    return Shown(
        {
            "the source": Shot(figure, after(figure, lambda event: event[0] == "cell")),
            "the target": Shot(figure, len(figure)),
            "the last cell": Shot(cube, last_cell),
            "its corner": Shot(cube, last_cell + 4, item="combination 22"),
            "cube": Shot(cube, len(cube)),
            "all": Shot(full, len(full)),
        },
        {
            "quick": quick.counters["combinations"],
            "short": quick.text,
            "slow": slow.counters["combinations"],
            "best": slow.text,
            "w1": w1,
            "w2": w2,
        },
    )


def which_combination() -> Quiz:
    """Cube pruning with a beam of 4: which combination is taken next?"""
    log = EventLog()
    by_hand().compress(FAST_CAR, beam=4, trace=log, engine="reference")
    return Quiz(log, "transduction")


SESSIONS = {
    1: Session("a bag of words", a_bag_of_words, decode_by_hand),
    2: Session("transitions, a beam, early update", transitions, where_gold_falls),
    3: Session("an agenda, and learning that guides it", best_first, which_is_popped),
    4: Session("categories", categories, why_pruned),
    5: Session("counting, and whose fault it was", counting, next_word),
    6: Session("making sentences shorter", compression, which_combination),
}

if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
