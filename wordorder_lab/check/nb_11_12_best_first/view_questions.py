"""Exercises 12.4 and 12.5: answered by looking at the players, without code.

The questions are about three sentences of the Gazette and a small learner (``small_search``). What
is right is read off the event logs that the players show, pop by pop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment, after, nth_pop
from wordorder_lab.check.nb_11_12_best_first.small_search import (
    BEAM,
    CHOSEN,
    example_of,
    gold_goal,
    learner_of_the_gazette,
    search_logs,
    sentences,
)
from wordorder_lab.trace.log import EventLog

HIGHER, LATER, TIE = "higher score", "not there yet", "made first"
REASONS = (HIGHER, LATER, TIE)
"""Why one edge is popped before another: the other one's score is lower; it was not made yet; the
scores are equal."""

ASKED = ((6, 7), (8, 9), (10, 11))
"""Exercise 12.4: two pops of each sentence's search, counted from 1."""


@cache
def searches() -> tuple[EventLog, ...]:
    """The logs of the three searches; gold edges are marked."""
    return tuple(search_logs())


def three(answer: Any) -> list[Any]:
    """An answer for each of the three sentences; else ``Wrong``."""
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(CHOSEN):
        raise Wrong("A list of three answers is wanted, one a sentence.")
    return list(answer)


# --- 12.4: why was this edge popped before that one? ---------------------------------------------


class Pop(NamedTuple):
    """An edge as it is popped, and how many pops there had been before it was made."""

    serial: int
    score: float
    made: int


def pops_of(log: EventLog) -> list[Pop]:
    """The pops of a search, in their order."""
    made: dict[int, int] = {}
    pops: list[Pop] = []
    for kind, *values in log:
        if kind in ("leaf", "edge"):
            made[values[0]] = len(pops)
        elif kind == "popped":
            pops.append(Pop(values[0], values[1], made[values[0]]))
    return pops


def reason_before(log: EventLog, first: int, then: int) -> str:
    """Why the edge of pop ``first`` came before the one of pop ``then``: one of ``REASONS``.

    Without learning, scores never change; so an edge had its score from its making on.
    """
    pops = pops_of(log)
    earlier, later = pops[first - 1], pops[then - 1]
    if later.made >= first:  # it was made while the first one was expanded, or after that
        return LATER
    return TIE if earlier.score == later.score else HIGHER


def pops_asked() -> list[dict[str, Any]]:
    """The questions of exercise 12.4 as rows of a table."""
    rows = []
    for text, log, (first, then) in zip(CHOSEN, searches(), ASKED, strict=True):
        pops = pops_of(log)
        rows.append(
            {
                "sentence": text,
                "first": f"pop {first}: edge {pops[first - 1].serial}",
                "then": f"pop {then}: edge {pops[then - 1].serial}",
            }
        )
    return rows


def _judge_reasons(answer: Any) -> str:
    given = [" ".join(str(reason).lower().split()) for reason in three(answer)]
    for reason in given:
        if reason not in REASONS:
            raise Wrong(f"{reason!r} is none of {', '.join(map(repr, REASONS))}.")
    right = [reason_before(log, *asked) for log, asked in zip(searches(), ASKED, strict=True)]
    for text, yours, true, log, asked in zip(CHOSEN, given, right, searches(), ASKED, strict=True):
        if yours != true:
            where = Moment(log, nth_pop(log, asked[0], before=True), text, "agenda")
            raise Wrong(f"{text!r}: it is not {yours!r}. {_look_there(log, *asked)}", where)
    return (
        "Score, time of birth, and the serial where all else is equal: there is no fourth reason."
    )


def _look_there(log: EventLog, first: int, then: int) -> str:
    other = pops_of(log)[then - 1]
    return f"Stop right before pop {first}, and look for edge {other.serial} on the agenda."


def _solve_reasons() -> str:
    lines = []
    for text, log, (first, then) in zip(CHOSEN, searches(), ASKED, strict=True):
        pops = pops_of(log)
        earlier, later = pops[first - 1], pops[then - 1]
        lines.append(
            f"{text} {reason_before(log, first, then)!r}: edge {earlier.serial} was popped with "
            f"{earlier.score:.4f}; edge {later.serial} has {later.score:.4f} and was made after "
            f"{later.made} pops."
        )
    return "\n".join(lines)


# --- 12.5: when did a gold edge leave the chart? --------------------------------------------------


def gold_leaves_at(log: EventLog) -> int | None:
    """The number of the pop after which the first gold edge is dropped from the chart."""
    gold: set[int] = set()
    charted: set[int] = set()
    pops = 0
    for kind, *values in log:
        if kind in ("leaf", "edge") and values[5] == 1:
            gold.add(values[0])
        elif kind == "popped":
            pops += 1
        elif kind == "charted":
            charted.add(values[0])
        elif kind == "pruned" and values[0] in gold & charted:
            return pops
    return None


ROOMY = 64
"""A chart in which nothing is dropped."""


class Ending(NamedTuple):
    """The scores of the gold sentence and of the one that came out, under the same weights."""

    gold: float
    came_out: float

    @property
    def error(self) -> str:
        """``"model"`` if gold scores lower than what came out, else ``"search"``."""
        return "model" if self.gold < self.came_out else "search"


@cache
def endings(beam: int = BEAM) -> tuple[Ending, ...]:
    """What the three searches would have had to find, and what they found."""
    learner, ended = learner_of_the_gazette(beam=beam), []
    for sentence in sentences():
        search = learner.search(example_of(sentence))
        assert isinstance(search, BestFirstDependency)
        search.run()
        gold = gold_goal(learner.search(example_of(sentence)))
        ended.append(Ending(gold.score, search.goals[0].score))
    return tuple(ended)


def _judge_leaving(answer: Any) -> str:
    given = three(answer)
    for text, yours, log in zip(CHOSEN, given, searches(), strict=True):
        right = gold_leaves_at(log)
        if yours != right:
            if yours is None:
                first = after(log, lambda event: event[0] == "pruned")
                where = Moment(log, first, text, "chart")
                raise Wrong(f"{text!r}: a gold edge does leave the chart.", where)
            at = nth_pop(log, int(yours)) if is_number(yours, whole=True) else len(log)
            where = Moment(log, at, text, "chart")
            if right is None:
                raise Wrong(f"{text!r}: not at pop {yours}.", where)
            side = _side(right, yours)
            raise Wrong(f"{text!r}: the first gold edge leaves {side} pop {yours}.", where)
    lines = [
        f"{text} Gold has {end.gold:.2f}, what came out {end.came_out:.2f}: a {end.error} error."
        for text, end in zip(CHOSEN, endings(), strict=True)
    ]
    same = [end.came_out for end in endings()] == [end.came_out for end in endings(ROOMY)]
    others = "the same three sentences come" if same else "other sentences come"
    lines.append(f"With {ROOMY} places in the chart {others} out.")
    return "None of the three comes out right. Why?\n" + "\n".join(lines)


def _side(right: int, yours: Any) -> str:
    if not is_number(yours, whole=True):
        raise Wrong(f"The number of a pop, or None, is wanted, not {yours!r}.")
    return "before" if right < yours else "after"


def _solve_leaving() -> str:
    pops = [gold_leaves_at(log) for log in searches()]
    return f"{pops}. Where there is None, every gold edge that entered the chart stayed in it."


EXERCISES = (
    Exercise(
        "12.4",
        "From the view alone: why was this edge popped before that one?",
        (
            "Go to the first of the two pops in the agenda view, and pin the second edge by its "
            "number: the view says how it stood at that moment.",
            "Is the second one on the agenda at all? If not, what must be popped before it can be "
            "made? (Go on until it is there, and see what it was made of.)",
            "If both are there, compare their scores; with equal scores, their serials.",
        ),
        _judge_reasons,
        _solve_reasons,
    ),
    Exercise(
        "12.5",
        "From the view alone: when did the first gold edge leave the chart?",
        (
            "Take the view of the chart's contents. Gold edges have a star; there is room for "
            "eight edges.",
            "Jump from one `pruned` to the next. Is the edge that leaves a gold one? The first "
            "time that it is, read off the number of the pop.",
            "If the search ends and no gold edge was pruned, the answer is None.",
        ),
        _judge_leaving,
        _solve_leaving,
    ),
)
