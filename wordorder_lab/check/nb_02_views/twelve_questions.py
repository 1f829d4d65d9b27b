"""Exercises 02.1 to 02.12: what one can see in a minute, a question a picture and more.

Every answer is read off the event log that the player shows, so it is right whatever the picture
looks like. The logs are small and made by the readable engines: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.check.common.small_transducer import FAST_CAR, by_hand
from wordorder_lab.check.nb_11_12_best_first.costly_features import (
    last_update,
    points_of_last_update,
)
from wordorder_lab.check.nb_11_12_best_first.small_search import search_logs, training_logs
from wordorder_lab.corpora import load_corpus
from wordorder_lab.systems import train
from wordorder_lab.trace.folds.search import on_agenda
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.replay import fold

LEAST_STEP = 4
"""Gold is lost no earlier than this in the search that is asked about."""


# --- the logs -------------------------------------------------------------------------------------


class Search(NamedTuple):
    """A log, and how many of its events lead to the moment that is asked about."""

    log: EventLog
    at: int
    view: str


@cache
def beam() -> Search:
    """A search with a beam of 4 in which gold is cut, while ``liu-2015`` learns."""
    lessons = [one for one in load_corpus("gazette", units="base-np").train if len(one) <= 7][:40]
    log = EventLog()
    how: dict[str, Any] = {"engine": "reference", "progress": False, "seed": 1}
    train("liu-2015", lessons, beam=4, epochs=1, pos=1, trace=log, **how)
    begins = [k for k, event in enumerate(log) if event[0] == "begin"] + [len(log)]
    for begin, end in pairwise(begins):
        search = EventLog()
        for event in log.events[begin:end]:
            search.record(*event)
        lost = [k for k, event in enumerate(search, 1) if event[0] == "gold" and event[3] == -1]
        if lost and search.events[lost[0] - 1][1] >= LEAST_STEP and gold_margin(search) > 0:
            return Search(search, lost[0], "beam")
    raise AssertionError("in no search gold is cut late and by a margin")


@cache
def best_first() -> Search:
    """A search for dependency trees, at its end."""
    log = search_logs()[0]
    return Search(log, len(log), "agenda")


@cache
def chart() -> Search:
    """The same, seen as its chart."""
    return best_first()._replace(view="chart")


@cache
def spans() -> Search:
    """The same, seen as lengths of spans."""
    return best_first()._replace(view="spans")


@cache
def learning() -> Search:
    """Guided learning of one sentence, after its last update."""
    log = training_logs()[0]
    return Search(log, rescored(log), "updates")


@cache
def transduction() -> Search:
    """*the fast car skidded to a halt*, made shorter by three weights."""
    log = EventLog()
    by_hand().compress(FAST_CAR, beam=4, trace=log, engine="reference")
    return Search(log, len(log), "transduction")


SEARCHES = {
    "beam": beam,
    "agenda": best_first,
    "chart": chart,
    "updates": learning,
    "spans": spans,
    "transduction": transduction,
}
"""View -> the search that the notebook plays in it."""


def rescored(log: EventLog) -> int:
    """The number of events until the last update has changed its weights and scores."""
    end = last_update(log)
    while end < len(log) and log.events[end][0] == "rescored":
        end += 1
    return end


# --- the answers ----------------------------------------------------------------------------------


def gold_step(log: EventLog) -> int:
    """The step at which gold falls out of the beam."""
    return next(event[1] for event in log if event[0] == "gold" and event[3] == -1)


def gold_margin(log: EventLog) -> float:
    """How far the gold state was behind the last one that was kept."""
    serial = next(event[2] for event in log if event[0] == "gold" and event[3] == -1)
    return next((event[2] for event in log if event[:2] == ("cut", serial)), 0.0)


def gold_action(log: EventLog) -> str:
    """The action that led to the gold state that was cut."""
    serial = next(event[2] for event in log if event[0] == "gold" and event[3] == -1)
    return next(event[3] for event in log if event[:2] == ("candidate", serial))


RIVALS_AT = 6
"""The pop before which two edges compete."""


def rivals(log: EventLog) -> list[int]:
    """The two best edges of the agenda before pop ``RIVALS_AT``."""
    pops = [k for k, event in enumerate(log) if event[0] == "popped"]
    return on_agenda(fold(log, pops[RIVALS_AT - 1], "agenda"), 2)


def longest_waiting(log: EventLog) -> int:
    """The most pops that went before an edge after it was made, of the edges that were popped."""
    made, waited, pops = {}, [0], 0
    for kind, *values in log:
        if kind in ("leaf", "edge"):
            made[values[0]] = pops
        elif kind == "popped":
            waited.append(pops - made[values[0]])
            pops += 1
    return max(waited)


def fullest_column(log: EventLog) -> int:
    """The number of units of which most edges were popped; of equals the smallest."""
    state = fold(log, len(log), "chart")
    sizes = [state["edges"][serial - 1]["size"] for serial, *_ in state["pops"]]
    return min(sorted(set(sizes)), key=lambda size: -sizes.count(size))


def parts_of_last(log: EventLog) -> list[int]:
    """The two edges that the last popped edge was made of."""
    state = fold(log, len(log), "chart")
    edge = state["edges"][state["pops"][-1][0] - 1]
    return sorted(part for part in (edge["left"], edge["right"]) if part)


def costliest(log: EventLog) -> tuple[str, ...]:
    """The features that cost gold most points in the last update, one if none is as bad."""
    points = points_of_last_update(log)
    return tuple(sorted(name for name in points if points[name] == min(points.values())))


def helps_now(log: EventLog) -> bool:
    """Whether the gold edge scores more than the other one after the last update."""
    gold, other = fold(log, rescored(log), "updates")["update"]["after"]
    return gold > other


def never_gold(log: EventLog) -> tuple[int, ...]:
    """Of the lengths that no gold span has, those of which the search makes most spans."""
    state = fold(log, len(log), "spans")
    made, gold = state["made"], state["gold"]
    lengths = [n for n in range(1, len(made)) if n >= len(gold) or not gold[n]]
    return tuple(n for n in lengths if made[n] == max(made[m] for m in lengths))


def left_out(log: EventLog) -> list[str]:
    """The words that the shorter sentence does not have, in their order."""
    state = fold(log, len(log), "transduction")
    kept, missing = [*state["outputs"][0]["words"]], []
    for word in filter(None, state["source"]["words"]):
        if word in kept:
            kept.remove(word)
        else:
            missing.append(word)
    return missing


def winning_score(log: EventLog) -> float:
    """The score of the best item at the root; the n-grams at both ends are not in it."""
    state = fold(log, len(log), "transduction")
    score: float = state["items"][state["cells"][-1]["items"][0] - 1]["score"]
    return score


# --- the questions --------------------------------------------------------------------------------


class Question(NamedTuple):
    """A question to a picture: what is right by the log, and hints where to look."""

    number: str
    view: str
    asks: str
    right: Callable[[EventLog], Any]
    hints: tuple[str, ...]


def _same(given: Any, right: Any) -> bool:
    if isinstance(right, bool):
        return given is right
    if isinstance(right, tuple):  # any of them
        return any(_same(given, one) for one in right)
    if isinstance(right, float):
        return is_number(given) and abs(given - right) < 0.011  # two decimals are on the screen
    if isinstance(right, int):
        return is_number(given, whole=True) and given == right
    if isinstance(right, str):
        return " ".join(str(given).split()) == right
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise Wrong(f"A list is wanted, not {given!r}.")
    return sorted(map(str, given)) == sorted(map(str, right))


def _judge(question: Question, answer: Any) -> str:
    search = SEARCHES[question.view]()
    if not _same(answer, question.right(search.log)):
        where = Moment(search.log, search.at, question.asks, question.view)
        raise Wrong(f"It is not {answer!r}.", where)
    return "Seen."


def _solve(question: Question) -> str:
    right = question.right(SEARCHES[question.view]().log)
    return " or ".join(map(repr, right)) if isinstance(right, tuple) else f"{right!r}"


QUESTIONS = (
    Question(
        "02.1",
        "beam",
        "At which step was gold lost?",
        gold_step,
        (
            "The map above the cards is the whole search: a column a step. Gold's way is orange.",
            "Where the orange line ends there is a ✕; the number of the column stands above it.",
        ),
    ),
    Question(
        "02.2",
        "beam",
        "By how much was the gold state behind the last one that was kept?",
        gold_margin,
        (
            "Press the last orange dot of the map: its card has a star and a dashed frame.",
            "At the top right of the card stands how far it is behind.",
        ),
    ),
    Question(
        "02.3",
        "beam",
        "Which action led to the gold state that was cut? (SHIFT-word-TAG, LEFTARC or RIGHTARC)",
        gold_action,
        (
            "It is the first line of the card with the star and the dashed frame.",
            "The card writes SHIFT word/TAG; hand it in as SHIFT-word-TAG.",
        ),
    ),
    Question(
        "02.4",
        "agenda",
        f"Which two edges competed for pop {RIVALS_AT}? (their numbers)",
        rivals,
        (
            f"Step to where {RIVALS_AT - 1} pops are done; nothing else is popped yet.",
            "The two at ranks 1 and 2 of the list are meant; the number stands before the words.",
        ),
    ),
    Question(
        "02.5",
        "agenda",
        "How many pops did the edge wait that waited longest before it was popped?",
        longest_waiting,
        (
            "In the rank flow an edge is a line from ▲ to ◆: which line is the longest?",
            "The card of a popped edge says how many others were popped while it waited.",
        ),
    ),
    Question(
        "02.6",
        "chart",
        "Of how many units are most of the edges that were popped?",
        fullest_column,
        (
            "The map has a column for each number of units, and a tile for each popped edge.",
            "Count the tiles of the two fullest columns; filled or hollow makes no difference.",
        ),
    ),
    Question(
        "02.7",
        "chart",
        "Which two edges was the last popped edge made of? (their numbers)",
        parts_of_last,
        (
            "At the end of the search it is the edge that is looked at, with its tree below.",
            "Point at its tile in the map: lines go to its parts. The sentence below the cards "
            "names them, too.",
        ),
    ),
    Question(
        "02.8",
        "updates",
        "Which feature cost gold most points in the last update? (as it is written)",
        costliest,
        (
            "The features are rows; sort them by “most points lost first”.",
            "It is the first row, marked as the most.",
        ),
    ),
    Question(
        "02.9",
        "updates",
        "Would it help now: does gold score more than its rival after the last update?",
        helps_now,
        (
            "Both structures say what they were ranked by, and what they are rescored to.",
            "True or False is wanted.",
        ),
    ),
    Question(
        "02.10",
        "spans",
        "Of the lengths that no gold span has: of which does best-first make most spans?",
        never_gold,
        (
            "Look for lengths without an orange bar.",
            "The numbers on the bars are counts: compare the white bars of those lengths.",
        ),
    ),
    Question(
        "02.11",
        "transduction",
        "Which words were left out? (a list)",
        left_out,
        (
            "Go to the end: the source sentence shows what is crossed out.",
            "Or compare the two sentences word by word. If none is missing, the list is empty.",
        ),
    ),
    Question(
        "02.12",
        "transduction",
        "Which score has the combination that wins at the root?",
        winning_score,
        (
            "Go to the end: the root's cell is the last one, and its best combination the winner.",
            "Two decimals are enough. The n-grams at both ends come later: the output's score has "
            "them, the combination's not.",
        ),
    ),
)

EXERCISES = tuple(
    Exercise(one.number, one.asks, one.hints, partial(_judge, one), partial(_solve, one))
    for one in QUESTIONS
)
