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
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import wordorder_lab as wl
from wordorder_lab.analysis.gold_survival import with_gold
from wordorder_lab.check import nb_10, nb_13, nb_31, small_search
from wordorder_lab.check.moments import after, nth_pop, when
from wordorder_lab.check.nb_02 import SEARCHES
from wordorder_lab.check.small_transducer import FAST_CAR, FIGURE_1, by_hand, figure_1_by_hand
from wordorder_lab.check.small_world import examples_of, learner_of
from wordorder_lab.check.small_world import sentence as sentence_of
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.moments import ASIDE
from wordorder_lab.widgets.page import Scene

IBM = "[IBM]/NP bought/VBD [Lotus]/NP ./."
FIGURE_4 = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"


class Quiz(NamedTuple):
    """A log for the class to guess in, the view that asks, and where it opens."""

    log: EventLog
    view: str
    at: int | None = 0


class Session(NamedTuple):
    """A lecture's title, its scenes and its quiz, each made when it is asked for."""

    title: str
    scenes: Callable[[], Sequence[Scene]]
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
    session = SESSIONS[number]
    title = f"Session {number}: {session.title}"
    scenes, asked = _made(number)
    scenes = scenes if told else [*map(without_notes, scenes)]
    shown = wl.lecture(scenes, folder / f"lecture_{number}.html", title=title)
    path = folder / f"quiz_{number}.html"
    return shown, wl.to_html(
        asked.log, path, view=asked.view, at=asked.at, title=f"Quiz {number}: {session.title}"
    )


@cache
def _made(number: int) -> tuple[Sequence[Scene], Quiz]:
    return SESSIONS[number].scenes(), SESSIONS[number].quiz()


def without_notes(scene: Scene) -> Scene:
    """A scene without what only the presenter reads."""
    if isinstance(scene, str):
        return scene.partition(ASIDE)[0]
    log, moments, *view = scene
    shown: list[Any] = [(at, text.partition(ASIDE)[0], *more) for at, text, *more in moments]
    return (log, shown, view[0]) if view else (log, shown)


# --- what is shown in several sessions ------------------------------------------------------------


@cache
def small_model() -> Any:
    """The transition system after 300 sentences of the Gazette: good enough to be wrong well."""
    train = wl.load_corpus("gazette").train[:300]
    return wl.train("liu-2015", train, beam=4, epochs=3, progress=False)


def recorded(model: Any, bag: str, **how: Any) -> tuple[EventLog, str]:
    """Every event of a search, and the sentence that came out."""
    log = EventLog()
    return log, model.order(wl.parse_bag(bag), trace=log, **how).text


def after_step(log: EventLog, number: int) -> int:
    """The number of events up to the end of this step of a beam, counted from 1."""
    ends = [i for i, event in enumerate(log) if event[0] in ("step", "finished")][1:]
    return ends[number - 1]


def of_pop(log: EventLog, number: int, text: str) -> tuple[int, str, int]:
    """The moment after a pop, with a note that points at the popped edge."""
    event = nth_pop(log, number)
    return event, text, int(log.events[event - 1][1])


def winner(log: EventLog) -> int:
    """The number of the state that a search with a beam ends with."""
    return next(int(event[1]) for event in reversed(log.events) if event[0] == "finished")


# --- session 1 ------------------------------------------------------------------------------------


def a_bag_of_words() -> list[Scene]:
    """From 24 orders to a search that one can watch."""
    words = ["IBM", "bought", "Lotus", "."]
    orders = " · ".join(" ".join(order) for order in list(permutations(words))[:6])
    log, text = recorded(small_model(), IBM, beam=3)
    free, loose = recorded(small_model(), "IBM bought Lotus .", beam=3)
    return [
        "A bag: IBM, bought, Lotus, and a full stop. Which orders are English? Hands up."
        "\n---\nWrite every order that is called out on the board; ask how they saw it.",
        f"24 orders, of which six: {orders}. You saw at a glance; a program has to search.",
        "Twenty words have 2.4 quintillion orders (20! = 2,432,902,008,176,640,000). So: build it "
        "piece by piece, and drop what does not look promising.",
        (
            log,
            [
                (
                    after_step(log, 1),
                    "A column is a step, a card is a half-built sentence: stack and bag.",
                )
            ],
        ),
        (
            log,
            [(after_step(log, 3), "A beam of three: dashed cards were cut, and never come back.")],
        ),
        (log, [(len(log), f"What came out: {text}", winner(log))]),
        (free, [(len(free), f"The same words, no tags given: {loose}. What was lost?")]),
        "How good is it? Count words, pairs, triples and quadruples that are right: BLEU. And what "
        "does a random order get? Guess before we run section 6 of 00_start_here.",
    ]


def decode_by_hand() -> Quiz:
    """A sentence of the Gazette, to be ordered by the class."""
    model = small_model()
    sentence = next(one for one in wl.load_corpus("gazette").dev if 5 <= len(one) <= 7)
    bag, log = wl.bag_of(sentence, seed=1), EventLog()
    model.order(bag, beam=16, trace=log)
    return Quiz(with_gold(model, log, bag, sentence, 1), "decoder", None)


# --- session 2 ------------------------------------------------------------------------------------


def transitions() -> list[Scene]:
    """Table 1, a beam, what is forbidden, where gold falls."""
    model = small_model()
    narrow, one = recorded(model, re.sub(r">\d", "", FIGURE_4), beam=1)
    wide, many = recorded(model, FIGURE_4, beam=16)
    learned = first_updates()
    taught = SEARCHES["beam"]()
    return [
        "Three actions: SHIFT takes a word from the bag, LEFTARC and RIGHTARC join the two on top "
        "of the stack. n words, 2n - 1 actions. Do it on the board with Dr. Talcott's team first.",
        (narrow, [(after_step(narrow, 2), "Beam 1: one card a column. No way back.")]),
        (narrow, [(len(narrow), f"Beam 1, tags alone: {one}", winner(narrow))]),
        (wide, [(after_step(wide, 2), "Four arcs are given. What is forbidden here, and why?")]),
        (wide, [(len(wide), f"Beam 16, four arcs given: {many}", winner(wide))]),
        "Learning: the same search, on a sentence whose order we know. Gold is what the right "
        "actions lead to. What shall we do when it is cut?",
        (taught.log, [(taught.at, "Here gold falls out of the beam. Early update stops here.")]),
        (
            taught.log,
            [(len(taught.log), "Weights of gold's actions up, of the best state's down.")],
        ),
        (
            learned,
            [(0, "One sentence, beam 1, all weights zero: how many passes until it is known?")],
        ),
        (learned, [(len(learned), "Now it is known by heart. Count the updates.")]),
    ]


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


def best_first() -> list[Scene]:
    """IBM bought Lotus pop by pop, scaled and plain, and a guided learner."""
    log, plain, learned = EventLog(), EventLog(), EventLog()
    small_search.search_by_hand(trace=log).run()
    small_search.search_by_hand(scaled=False, trace=plain).run()
    small_search.learner_by_hand(trace=learned).learn(small_search.ibm_bought_lotus())
    told = {
        1: "bought has a point as a word of its own, so it comes first.",
        3: "IBM ← bought, 3.00: the best thing in the world, and of no use. Why?",
        6: "At last Lotus. It meets everything in the chart: 19 new edges.",
        7: "bought → Lotus, 2.33, before the best goal so far, 2.20.",
        8: "15 points in 5 actions. A goal is popped, and the search ends.",
    }
    first = after(learned, lambda event: event[0] == "edge_update")
    return [
        "Two piles: the agenda (made, waiting, the best on top) and the chart (popped, met by all "
        "that comes later). Two edges meet only if one is in the chart when the other is popped.",
        "Seven weights, three words. Take a pencil: IBM ← bought, and bought → Lotus.",
        *((log, [of_pop(log, pop, text)], "agenda") for pop, text in told.items()),
        (log, [(len(log), "The same search as a chart: click an edge to see its parts.")], "chart"),
        "Now without dividing by the number of actions. What will be popped first?",
        (plain, [of_pop(plain, 6, "Lotus has come: look at the agenda's top.")], "agenda"),
        (
            plain,
            [(len(plain), "A mediocre long edge beats a good short one: 11; 15 is never made.")],
            "agenda",
        ),
        "Learning goes through the same search: whenever a wrong edge is popped, change the "
        "weights so that gold would have come first, by a margin of 1 in scaled scores.",
        (learned, [(first, "Stop: a wrong edge on top, gold below it.")], "updates"),
        (learned, [(len(learned), "What changed, feature by feature.")], "updates"),
    ]


def which_is_popped() -> Quiz:
    """The search by hand: which edge is popped next?"""
    log = EventLog()
    small_search.search_by_hand(trace=log).run()
    return Quiz(log, "agenda")


# --- session 4 ------------------------------------------------------------------------------------


def categories() -> list[Scene]:
    """The same three words with categories, and what a supertagger's cut takes away."""
    log = EventLog()
    nb_10.search_by_hand(trace=log).run()
    before, cut = (nb_13.searched(b)[1] for b in (0.0, nb_13.CUT))
    return [
        r"bought is (S\NP)/NP: an NP on its right, then one on its left, and it is a sentence. "
        "Two neighbours combine, or they do not: no feature is asked.",
        (log, [of_pop(log, 2, "bought twice: two leaves of one word never meet.")], "agenda"),
        (log, [of_pop(log, 4, "IBM bought · S. As good as anything, and a dead end.")], "agenda"),
        (
            log,
            [(when(log, "pruned", 9), "The same words, the same head, S again: pruned. Why?", 9)],
            "chart",
        ),
        (log, [(nth_pop(log, 10, before=True), "Lotus comes, and edge 11 is made.")], "agenda"),
        (log, [(len(log), "The goal; its derivation as linguists draw it.")], "chart"),
        "I saw her duck. How many readings? And in a bag, how many orders are there on top?",
        (before, [(len(before), "All categories: count the derivations.")], "chart"),
        (cut, [(len(cut), "After the cut at β = 0.15: nobody bends any more.")], "chart"),
    ]


def why_pruned() -> Quiz:
    """A small CCG search of the Gazette with 16 places in its chart."""
    return Quiz(nb_10.searches()[0][0], "agenda")


# --- session 5 ------------------------------------------------------------------------------------


def counting() -> list[Scene]:
    """A beam that knows no syntax, with future cost and without; a search error as it happens."""
    corpus = wl.load_corpus("gazette")
    orderer = wl.train("ngram-beam", corpus.train[:300], order=3, progress=False)
    bag = wl.bag_of(next(one for one in corpus.dev if len(one) == 7), seed=1)
    log = EventLog()
    text = orderer.order(bag, beam=4, trace=log).text
    lost, moment = a_search_error()
    return [
        "p(w | the two words before): counted, discounted, shared out. No tree anywhere.",
        (
            log,
            [(after_step(log, 2), "One word behind the other. What do the words left over cost?")],
        ),
        (log, [(len(log), f"What came out: {text}")]),
        "Another one is wrong. Whose fault is it? If gold scores more than the output, the search "
        "missed it; if it scores less, the model does not want it.",
        (lost, [(moment, "The moment gold is cut. Nobody knows yet whose fault it is.")], "beam"),
        (
            lost,
            [(len(lost), "And the end: here gold would have scored more. A search error.")],
            "beam",
        ),
        "Make the beam wider, and search errors melt away. What do they become? (Guess: right "
        "sentences, or model errors?)",
    ]


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


def compression() -> list[Scene]:
    """Figure 1 of Cohn and Lapata, then cube pruning and what it may lose."""
    figure, cube, full = EventLog(), EventLog(), EventLog()
    figure_1_by_hand().compress(FIGURE_1.source, trace=figure, engine="reference")
    small = by_hand()
    how: dict[str, Any] = {"beam": 4, "engine": "reference"}
    quick = small.compress(FAST_CAR, search="cube", trace=cube, **how)
    slow = small.compress(FAST_CAR, search="exhaustive", trace=full, **how)
    last_cell = max(k for k, event in enumerate(cube) if event[0] == "cell")
    work = [one.counters["combinations"] for one in (quick, slow)]
    return [
        "exactly what records made it and which ones are involved: make it four words. What went, "
        "and what changed its place?",
        (figure, [(len(figure), "Source tree, rule, target tree. Click a node: which rule?")]),
        "The fast car skidded to a halt: four ways for the verb phrase, three for the subject. Do "
        "we have to make every combination?",
        (
            cube,
            [(last_cell + 4, "The last cell: begin in the corner, take the best, look beside.")],
        ),
        (cube, [(len(cube), f"Cube pruning, {work[0]} combinations: {quick.text}")]),
        (full, [(len(full), f"All of them, {work[1]} combinations: {slow.text}")]),
        "Cube pruning errs as much as the seams weigh. When would you not mind?",
    ]


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
