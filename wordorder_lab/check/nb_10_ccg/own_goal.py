"""Exercise 10.3: the goal test for word selection, written by the student.

Zhang & Clark 2011, section 3: words may be left out, and some may be used again. The student's test
is asked about every edge of small searches, then plugged into them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.moments import Moment, after
from wordorder_lab.check.nb_10_ccg.ccg_by_hand import OnPaper, search_by_hand
from wordorder_lab.trace.log import EventLog

ALL = 99
"""More goals than there are."""

Counts = Mapping[str, int]
Test = Callable[[Counts, Counts, Counts], Any]

BAGS = (
    ((1, 1), (1, 1), (1, 1)),
    ((1, 1), (1, 1), (0, 1)),
    ((0, 1), (1, 1), (0, 1)),
    ((1, 2), (1, 1), (0, 0)),
    ((2, 2), (1, 1), (0, 1)),
    ((0, 1), (0, 1), (0, 1)),
)
"""(least, most) of IBM, bought and Lotus."""


def used(search: OnPaper, edge: Edge) -> dict[str, int]:
    """How often an edge uses each word of the bag; 0 for those that it does not use."""
    words = Counter(search.problem.items[i].form for i in edge.items)
    return {word: words[word] for word in least_of(search)}


def least_of(search: OnPaper) -> dict[str, int]:
    """How often each word has to be used, at least."""
    return _by_word(search, search.problem.least)


def most_of(search: OnPaper) -> dict[str, int]:
    """How often each word may be used, at most."""
    return _by_word(search, search.problem.most)


def _by_word(search: OnPaper, counts: tuple[int, ...]) -> dict[str, int]:
    return {item.form: counts[item.type] for item in search.problem.items}


class OwnGoal(OnPaper):
    """Algorithm 1 with somebody's goal test."""

    own: Test

    def goal_test(self, edge: Edge) -> bool:
        """GOALTEST."""
        return bool(self.own(used(self, edge), least_of(self), most_of(self)))


def searched(counts: tuple[tuple[int, int], ...], own: Test | None = None) -> OnPaper:
    """A search on the words with these counts until nothing is left; perhaps with an own test."""
    search = search_by_hand(decoder=OnPaper if own is None else OwnGoal, counts=counts, k=ALL)
    if isinstance(search, OwnGoal) and own is not None:
        search.own = own
    search.run()
    return search


def _judge_goal(answer: Any) -> str:
    own = function_of(answer, "is_goal")
    for counts in BAGS:
        search = searched(counts)
        for edge in search.made:
            have, least, most = used(search, edge), least_of(search), most_of(search)
            yours, right = own(have, least, most), search.goal_test(edge)
            if yours not in (True, False):
                raise Wrong(f"True or False is wanted, not {yours!r}.")
            if bool(yours) != right:
                where = made_in(counts, edge.serial, search.text(edge))
                raise Wrong(_told(search.text(edge), have, least, most, right), where)
        if _output(searched(counts, own)) != _output(search):
            raise Wrong("In a search something else comes out: it does not always say the same.")
    return f"The same as the engine's for all edges of {len(BAGS)} searches, and in them."


def made_in(counts: tuple[tuple[int, int], ...], serial: int, text: str) -> Moment:
    """Where the engine's own search on the words with these counts makes an edge."""
    log = EventLog()
    search_by_hand(trace=log, counts=counts, k=ALL).run()
    made = after(log, lambda event: event[0] in ("leaf", "edge") and event[1] == serial)
    return Moment(log, made, f"Is “{text}” a goal?", "chart")


def _told(text: str, have: Counts, least: Counts, most: Counts, right: bool) -> str:
    asked = ", ".join(f"{word} {least[word]} to {most[word]} times" for word in have)
    return f"Wanted are {asked}. {text!r} is {'a' if right else 'no'} goal, and you say otherwise."


def _output(search: OnPaper) -> list[str]:
    return [search.told(goal) for goal in search.goals]


def every_least(have: Counts, least: Counts, most: Counts) -> bool:
    """Every word as often as it has to be there; the search itself sees to the most."""
    return all(have[word] >= least[word] for word in least)


def _solve_goal() -> str:
    return (
        "def is_goal(used, least, most):\n"
        "    return all(used[word] >= least[word] for word in least)\n"
        "The most need not be looked at: CANCOMBINE never lets an edge use a word too often. "
        f"{_judge_goal(every_least)}"
    )


EXERCISES = (
    Exercise(
        "10.3",
        "Write the goal test for word selection.",
        (
            "What has to be in a sentence? What may be?",
            "A goal has each word at least as often as it has to be there. More is no harm.",
            "all(... for word in least) goes through the words.",
        ),
        _judge_goal,
        _solve_goal,
    ),
)
