"""Exercises 12.1 to 12.3: how small a chart may be, plain scores, and ties on the agenda.

The answers are plugged into the reference engine (Zhang & Clark 2015, Algorithm 4).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from wordorder_lab.best_first.chart import Agenda
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.settings import Limits, SearchSettings
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.common.moments import Moment, gold_pruned, nth_pop
from wordorder_lab.check.common.workbench import SENTENCES
from wordorder_lab.check.nb_11_12_best_first.small_search import (
    BY_HAND,
    example_of,
    search_by_hand,
)
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.trace.log import EventLog

WANTED = ("IBM", "bought", "Lotus"), (1, -1, 1)
"""The right sentence, with the right heads."""


def found_by_hand(
    weights: Mapping[str, float] = BY_HAND, trace: EventLog | None = None, **how: Any
) -> tuple[tuple, tuple]:
    """The words and heads that come out of a search on IBM, bought, Lotus."""
    search = search_by_hand(weights, trace, **how)
    goal = search.run()[0]
    return tuple(search.problem.items[i].form for i in goal.items), goal.heads


def _shown(outcome: tuple[tuple, tuple]) -> str:
    words, heads = outcome
    over = [words[head] if head >= 0 else "" for head in heads]
    arcs = ", ".join(f"{head} → {word}" for word, head in zip(words, over, strict=True) if head)
    return f"'{' '.join(words)}' with {arcs}"


# --- 12.1: the smallest chart -------------------------------------------------------------------


@cache
def smallest_chart() -> int:
    """The smallest beam with which the search by hand comes out right, and all above it do."""
    right = [found_by_hand(beam=beam) == WANTED for beam in range(1, 12)]
    return 1 + max((beam for beam, ok in enumerate(right, 1) if not ok), default=0)


def _judge_chart(answer: Any) -> str:
    if not is_number(answer, whole=True) or answer < 1:
        raise Wrong(f"A whole number from 1 up is wanted, not {answer!r}.")
    answer, right = int(answer), smallest_chart()
    if answer == right:
        lost = _shown(found_by_hand(beam=right - 1))
        return f"With {right - 1} edges in the chart comes {lost}: IBM was dropped too early."
    log = EventLog()
    if answer > right:
        found_by_hand(beam=answer - 1, trace=log)
        where = Moment(log, len(log), f"A chart of {answer - 1}")
        raise Wrong(f"With {answer} it comes out right, but it does with {answer - 1}, too.", where)
    outcome = _shown(found_by_hand(beam=answer, trace=log))
    where = Moment(log, gold_pruned(log), f"A chart of {answer}", "chart")
    raise Wrong(f"With a chart of {answer} comes {outcome}.", where)


def _solve_chart() -> str:
    return (
        f"{smallest_chart()}. When Lotus is popped, the chart holds bought, IBM and the three "
        "pairs of them. IBM has the lowest score, 0, with Lotus, which came later and is the one "
        "to go. With one place less IBM is dropped before Lotus comes, and bought → Lotus, popped "
        "at last, finds nobody to buy it."
    )


# --- 12.2: one weight for the plain search --------------------------------------------------------


def _judge_weight(answer: Any) -> str:
    if not isinstance(answer, Mapping):
        raise Wrong("Hand in a dictionary such as {'WORD(B-1)·WORD(B) = bought, Lotus': 4}.")
    if unknown := set(answer) - set(BY_HAND):
        raise Wrong(f"There is no {min(unknown)!r} in the table.")
    if len(answer) != 1:
        raise Wrong(f"You change {len(answer)} weights; one is enough.")
    for name, weight in answer.items():
        if not is_number(weight):
            raise Wrong(f"The weight of {name!r} has to be a number, not {weight!r}.")
    log = EventLog()
    plain = found_by_hand({**BY_HAND, **answer}, trace=log, scaled=False)
    if plain != WANTED:
        where = Moment(log, len(log), "The plain search with your weight")
        raise Wrong(f"The plain search now gives {_shown(plain)}.", where)
    scaled = found_by_hand({**BY_HAND, **answer})
    also = "too" if scaled == WANTED else f"but the scaled one now gives {_shown(scaled)}"
    return f"The plain search comes out right, {also}. Would you do that for every sentence?"


def _solve_weight() -> str:
    change = {"POS(h)·POS(m)·dir = VBD, NNP, left": 0}
    return (
        f"{change}: then 'Lotus ← (IBM ← bought)' has 7, as much as bought → Lotus, which was "
        f"made first.\n{_judge_weight(change)}"
    )


# --- 12.3: ties on the agenda -------------------------------------------------------------------

POPS = 150
"""Where a search with all weights zero is given up."""


class OwnTies(Agenda):
    """An agenda on which somebody's key decides between equal scores; then the serial."""

    def __init__(self, key: Callable[[Edge], Any]) -> None:
        super().__init__()
        self.own: list[tuple[tuple[float, Any, int], Edge]] = []
        self.key = key

    def __len__(self) -> int:
        return len(self.own)

    def add(self, edge: Edge) -> None:
        """ADD."""
        heapq.heappush(self.own, ((-edge.score, self.key(edge), edge.serial), edge))

    def pop_best(self) -> Edge:
        """POPBEST."""
        return heapq.heappop(self.own)[1]


def pops_with_nothing_learned(
    sentence: Sentence,
    key: Callable[[Edge], Any] | None = None,
    most: int = POPS,
    trace: EventLog | None = None,
) -> int | None:
    """Pops until a goal with all weights 0; ``None`` if there is none among so many."""
    search = BestFirstDependency(
        example_of(sentence).problem,
        load_edge_templates("zhang_clark_2015_table_2"),
        lambda _feature: 0.0,
        SearchSettings(64, limits=Limits(expansions=most)),
        trace,
    )
    if key is not None:
        search.agenda = OwnTies(key)
    search.run()
    return search.expansions if search.goals else None


def _judge_ties(answer: Any) -> str:
    key = function_of(answer, "my_key")
    counts = []
    for sentence in SENTENCES:
        log = EventLog()
        pops = pops_with_nothing_learned(sentence, key, trace=log)
        late = nth_pop(log, 3 * len(sentence) + 1)
        where = Moment(log, late, f"Your key, past {3 * len(sentence)} pops")
        if pops is None:
            raise Wrong(f"{sentence.text!r}: no goal among {POPS} pops.", where)
        if pops > 3 * len(sentence):
            said = f"{sentence.text!r}, {len(sentence)} units: {pops} pops, not 3 a unit."
            raise Wrong(said, where)
        counts.append(str(pops))
    return (
        f"Pops: {', '.join(counts)}. The goals are no good, for nothing was learned; yet a goal is."
    )


def leaves_then_largest(edge: Edge) -> tuple[bool, int]:
    """Of equally good edges the leaves first, and then those with most words."""
    return edge.size > 1, -edge.size


def _solve_ties() -> str:
    return (
        "def my_key(edge):\n    return edge.size > 1, -edge.size\n"
        "The leaves first: then every word is in the chart, and whatever is popped can take it. "
        "After them the largest: what was just put together is taken at once, and grows by one "
        f"word. {_judge_ties(leaves_then_largest)}"
    )


EXERCISES = (
    Exercise(
        "12.1",
        "The smallest chart with which the search by hand comes out right.",
        (
            "Which edges are in the chart when Lotus is popped? Which of them does the goal need?",
            "A full chart drops the lowest-scored edge; of equal ones the one that was made last.",
            "IBM and Lotus have 0, all others in the chart more. Count what is in the chart after "
            "Lotus, and who goes first.",
        ),
        _judge_chart,
        _solve_chart,
    ),
    Exercise(
        "12.2",
        "One changed weight with which the plain search comes out right.",
        (
            "Why did 'Lotus IBM bought' come so early? Which weights does it have that "
            "'bought → Lotus' lacks?",
            "Of equal scores the edge that was made first is popped: 'bought → Lotus' is older.",
            "Pay a verb less for a noun on its left.",
        ),
        _judge_weight,
        _solve_weight,
    ),
    Exercise(
        "12.3",
        "Another order among equals, with which even a model of zeros finds goals.",
        (
            "heapq takes the smallest key first. The engine's is edge.serial: the oldest first.",
            "Old before new is nearly small before large: what is made last is mostly largest. "
            "What is the opposite? edge.size is the number of units of an edge.",
            "With the largest first, each pair is popped before the third word. What can it take "
            "then? Let all words enter the chart before anything else: a key may be a pair.",
        ),
        _judge_ties,
        _solve_ties,
    ),
)
