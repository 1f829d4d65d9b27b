"""Notebook 12, best-first search: its exercises, and a model that knows nothing.

Answers are plugged into the reference engine (Zhang & Clark 2015, Algorithm 4), or read off the
event logs that the players show, pop by pop.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from wordorder_lab.best_first.chart import Agenda
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import Limits, SearchSettings
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.check import small_search as small
from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import Case, OneOf, exercise, is_number, listed, numbers_of
from wordorder_lab.check.moments import Moment, after, gold_pruned, nth_pop
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.best_first_model import BestFirstModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold


def without_weights(model: BestFirstModel) -> BestFirstModel:
    """The same best-first model with all weights 0; the given one stays as it is."""
    nothing = PackedEdgeWeights(model.weights.keys[:0], model.weights.values[:0])
    return replace(model.unshared(), weights=nothing)


def dropped(log: EventLog) -> list[tuple[int, int]]:
    """The edges that a full chart dropped, by number, each with the pop at which it went."""
    return [(serial, pop) for serial, _, pop in fold(log, len(log), "chart")["outs"]]


def agenda_sizes(log: EventLog) -> list[int]:
    """How many edges were on the agenda at each pop."""
    return [size for _, _, size, _ in fold(log, len(log), "agenda")["pops"]]


WANTED = ("IBM", "bought", "Lotus"), (1, -1, 1)  # the right sentence, with the right heads
Outcome = tuple[tuple[str, ...], tuple[int, ...]]


def found_by_hand(
    weights: Mapping[str, float] = small.BY_HAND,
    trace: EventLog | None = None,
    **search: Any,
) -> Outcome:
    """The words and heads that come out of a search on IBM, bought, Lotus."""
    decoder = small.search_by_hand(weights, trace, **search)
    goal = decoder.run()[0]
    return tuple(decoder.problem.items[i].form for i in goal.items), goal.heads


def _shown(outcome: Outcome) -> str:
    words, heads = outcome
    arcs = [f"{words[h]} → {word}" for word, h in zip(words, heads, strict=True) if h >= 0]
    return f"'{' '.join(words)}' with {', '.join(arcs)}"


def _judge_chart(answer: object) -> str:
    if not is_number(answer, whole=True) or answer < 1:
        raise Wrong(f"A whole number from 1 up is wanted, not {answer!r}.")
    beam, log = int(answer), EventLog()
    right = 1 + max(size for size in range(1, 12) if found_by_hand(beam=size) != WANTED)
    if beam == right:
        lost = _shown(found_by_hand(beam=right - 1))
        return f"With {right - 1} edges in the chart comes {lost}: IBM was dropped too early."
    if beam > right:
        found_by_hand(beam=beam - 1, trace=log)
        where = Moment(log, len(log), f"A chart of {beam - 1}")
        raise Wrong(f"With {beam} it comes out right, but it does with {beam - 1}, too.", where)
    outcome = _shown(found_by_hand(beam=beam, trace=log))
    where = Moment(log, gold_pruned(log), f"A chart of {beam}", "chart")
    raise Wrong(f"With a chart of {beam} comes {outcome}.", where)


@exercise("12.1", judge=_judge_chart)
def places() -> int:
    """The smallest chart with which the search by hand comes out right.

    - Which edges are in the chart when Lotus is popped? Which of them does the goal need?
    - A full chart drops the lowest-scored edge; of equal ones the one that was made last.
    - IBM and Lotus have 0, all others in the chart more. Count what is in the chart after Lotus,
      and who goes first.

    Five. When *Lotus* is popped, the chart holds *bought*, *IBM* and the three pairs of them. Then
    it has to take *Lotus*, too: *IBM* and *Lotus* both score 0, and *Lotus*, which was made later,
    goes. That does no harm, since *Lotus* has met everybody by then. With four places *IBM* is gone
    before.
    """
    return 5


def _judge_weight(answer: object) -> str:
    if not isinstance(answer, Mapping):
        raise Wrong("Hand in a dictionary such as {'WORD(B-1)·WORD(B) = bought, Lotus': 4}.")
    if unknown := set(answer) - set(small.BY_HAND):
        raise Wrong(f"There is no {min(unknown)!r} in the table.")
    if len(answer) != 1:
        raise Wrong(f"You change {len(answer)} weights; one is enough.")
    weights, log = {**small.BY_HAND, **numbers_of(answer, answer)}, EventLog()
    plain = found_by_hand(weights, trace=log, scaled=False)
    if plain != WANTED:
        where = Moment(log, len(log), "The plain search with your weight")
        raise Wrong(f"The plain search now gives {_shown(plain)}.", where)
    scaled = found_by_hand(weights)
    also = "too" if scaled == WANTED else f"but the scaled one now gives {_shown(scaled)}"
    return f"The plain search comes out right, {also}. Would you do that for every sentence?"


@exercise("12.2", judge=_judge_weight)
def one_weight() -> dict[str, float]:
    """One changed weight with which the plain search comes out right.

    - Why did 'Lotus IBM bought' come so early? Which weights does it have that 'bought → Lotus'
      lacks?
    - Of equal scores the edge that was made first is popped: 'bought → Lotus' is older.
    - Pay a verb less for a noun on its left.

    Pay a verb nothing for a noun on its left. *Lotus ← (IBM ← bought)* falls from 11 to 7, which is
    as much as *bought → Lotus* has, and of equals the one made first is popped. (2 instead of 6 for
    *IBM bought* does it as well.) It helps this sentence; it is no way to make models.
    """
    return {"POS(h)·POS(m)·dir = VBD, NNP, left": 0}


POPS = 150  # where a search with all weights zero is given up


class _OwnTies(Agenda):
    """An agenda on which somebody's key decides between equal scores; then the serial."""

    def __init__(self, key: Function) -> None:
        super().__init__()
        self.key = key

    def add(self, edge: Edge) -> None:
        entry: Any = ((-edge.score, self.key(edge), edge.serial), edge)
        heapq.heappush(self.heap, entry)


def pops_with_nothing_learned(
    sentence: Sentence, key: Function | None = None, trace: EventLog | None = None
) -> int | None:
    """Pops until a goal with all weights 0; ``None`` if there is none among ``POPS``."""
    templates = load_edge_templates("zhang_clark_2015_table_2")
    settings = SearchSettings(64, limits=Limits(expansions=POPS))
    problem = small.example_of(sentence).problem
    search = BestFirstDependency(problem, templates, lambda _feature: 0.0, settings, trace)
    if key is not None:
        search.agenda = _OwnTies(key)
    search.run()
    return search.expansions if search.goals else None


def _judge_ties(key: Function) -> str:
    counts = []
    for sentence in SENTENCES:
        log, most = EventLog(), 3 * len(sentence)
        pops = pops_with_nothing_learned(sentence, key, trace=log)
        if pops is None or pops > most:
            found = f"no goal among {POPS} pops" if pops is None else f"{pops} pops, not 3 a unit"
            where = Moment(log, nth_pop(log, most + 1), f"Your key, past {most} pops")
            raise Wrong(f"{sentence.text!r}, {len(sentence)} units: {found}.", where)
        counts.append(str(pops))
    goals = "The goals are no good, for nothing was learned; yet a goal is."
    return f"Pops: {', '.join(counts)}. {goals}"


@exercise("12.3", judge=_judge_ties)
def my_key(edge: Edge) -> tuple[bool, int]:
    """Another order among equals, with which even a model of zeros finds goals.

    - heapq takes the smallest key first. The engine's is edge.serial: the oldest first.
    - Old before new is nearly small before large: what is made last is mostly largest. What is the
      opposite? edge.size is the number of units of an edge.
    - With the largest first, each pair is popped before the third word. What can it take then? Let
      all words enter the chart before anything else: a key may be a pair.

    First all leaves: then every word is in the chart, and whatever is popped can take it. After
    that the largest edge: each pop adds a word. So a goal comes after 2n - 1 pops. (The largest
    first alone is not enough. It pops every pair of two words before it looks at the third one.)
    The goals are rubbish, of course: a search can be quick without knowing where to go.
    """
    return edge.size > 1, -edge.size


HIGHER, LATER, TIE = "higher score", "not there yet", "made first"
REASONS = (HIGHER, LATER, TIE)
"""The other one's score is lower; it was not made yet; the scores are equal."""
ASKED = ((6, 7), (8, 9), (10, 11))  # two pops of each sentence's search, counted from 1


class Pop(NamedTuple):
    """An edge as it is popped, and how many pops there had been before it was made."""

    serial: int
    score: float
    made: int


def pops_of(log: EventLog) -> list[Pop]:
    """The pops of a search, in their order."""
    made: dict[int, int] = {}
    pops: list[Pop] = []
    for kind, serial, *values in log:
        if kind in ("leaf", "edge"):
            made[serial] = len(pops)
        elif kind == "popped":
            pops.append(Pop(serial, values[0], made[serial]))
    return pops


def reason_before(log: EventLog, first: int, then: int) -> str:
    """Why the edge of pop ``first`` came before the one of pop ``then``: one of ``REASONS``."""
    pops = pops_of(log)
    earlier, later = pops[first - 1], pops[then - 1]
    if later.made >= first:  # it was made while the first one was expanded, or after that
        return LATER
    return TIE if earlier.score == later.score else HIGHER


def pops_asked() -> list[dict[str, str]]:
    """The questions of exercise 12.4 as rows of a table."""
    rows = []
    for text, log, asked in zip(small.CHOSEN, small.searches(), ASKED, strict=True):
        first, then = (f"pop {pop}: edge {pops_of(log)[pop - 1].serial}" for pop in asked)
        rows.append({"sentence": text, "first": first, "then": then})
    return rows


def _reasons() -> Iterator[Case]:
    for text, log, (first, then) in zip(small.CHOSEN, small.searches(), ASKED, strict=True):
        other = pops_of(log)[then - 1].serial
        look = f"{text!r} (stop right before pop {first}, and look for edge {other} on the agenda)"
        where = Moment(log, nth_pop(log, first, before=True), text, "agenda")
        yield Case(look, reason_before(log, first, then), moment=where)


@exercise("12.4", _reasons, OneOf(REASONS))
def reasons() -> list[str]:
    """From the view alone: why was this edge popped before that one?

    - Go to the first of the two pops in the agenda view, and pin the second edge by its number: the
      view says how it stood at that moment.
    - Is the second one on the agenda at all? If not, what must be popped before it can be made? (Go
      on until it is there, and see what it was made of.)
    - If both are there, compare their scores; with equal scores, their serials.

    Stop right before the first of the two pops.

    1. Edge 38, *began and*, has 0.13 and edge 30, *began The nationwide strike*, 0.10. Both wait.
    2. Edge 91, *was introduced already .*, scores more than edge 69, *was introduced already*. But
       it is made of it: there is no edge 91 before edge 69 has been popped.
    3. *The asylum helped to compromise .* and *the provincial opposition helped to compromise .*
       have the same score to the last digit. The model has read of neither; so the older edge goes
       first.

    Right: Score, time of birth, and the serial where all else is equal: there is no fourth
    reason.
    """
    return ["higher score", "not there yet", "made first"]


ROOMY = 64  # a chart in which nothing is dropped


def gold_leaves_at(log: EventLog) -> int | None:
    """The number of the pop after which the first gold edge is dropped from the chart."""
    books = fold(log, len(log), "chart")
    gold = {serial for serial, edge in enumerate(books["edges"], 1) if edge["gold"] == 1}
    return next((pop for serial, _, pop in books["outs"] if serial in gold), None)


class Ending(NamedTuple):
    """The scores of the gold sentence and of the one that came out, under the same weights."""

    gold: float
    came_out: float

    @property
    def error(self) -> str:
        """``"model"`` if gold scores lower than what came out, else ``"search"``."""
        return "model" if self.gold < self.came_out else "search"


def gold_goal(search: BestFirst) -> Edge:
    """The edge of the gold tree, built in a fresh search that expands gold edges only."""
    search.begin()
    while not search.goal_test(edge := search.agenda.pop_best()):
        search.add_all([new for new in search.expand(edge) if new.is_gold])
        search.chart.add(edge)
    return edge


@cache
def endings(beam: int = small.BEAM) -> tuple[Ending, ...]:
    """What the three searches would have had to find, and what they found."""
    learner, ended = small.learner_of_the_gazette(beam), []
    for sentence in small.sentences():
        found = small.search_of(learner, sentence).run()[0]
        ended.append(Ending(gold_goal(small.search_of(learner, sentence)).score, found.score))
    return tuple(ended)


def _judge_leaving(answer: object) -> str:
    given = listed(answer, len(small.CHOSEN), "A list of three answers is wanted, one a sentence.")
    for text, yours, log in zip(small.CHOSEN, given, small.searches(), strict=True):
        right = gold_leaves_at(log)
        if yours == right:
            continue
        if yours is None:
            first = after(log, lambda event: event[0] == "pruned")
            where = Moment(log, first, text, "chart")
            raise Wrong(f"{text!r}: a gold edge does leave the chart.", where)
        if not is_number(yours, whole=True):
            raise Wrong(f"{text!r}: the number of a pop, or None, is wanted, not {yours!r}.")
        where = Moment(log, nth_pop(log, int(yours)), text, "chart")
        if right is None:
            raise Wrong(f"{text!r}: not at pop {yours}.", where)
        side = "before" if right < yours else "after"
        raise Wrong(f"{text!r}: the first gold edge leaves {side} pop {yours}.", where)
    lines = [
        f"{text} Gold has {end.gold:.2f}, what came out {end.came_out:.2f}: a {end.error} error."
        for text, end in zip(small.CHOSEN, endings(), strict=True)
    ]
    same = [end.came_out for end in endings()] == [end.came_out for end in endings(ROOMY)]
    others = "the same three sentences come" if same else "other sentences come"
    last = f"With {ROOMY} places in the chart {others} out."
    return "\n".join(["None of the three comes out right. Why?", *lines, last])


@exercise("12.5", judge=_judge_leaving)
def leaves_at() -> list[int | None]:
    """From the view alone: when did the first gold edge leave the chart?

    - Take the view of the chart's contents. Gold edges have a star; there is room for eight edges.
    - Jump from one `pruned` to the next. Is the edge that leaves a gold one? The first time that it
      is, read off the number of the pop.
    - If the search ends and no gold edge was pruned, the answer is None.

    In the first search only a wrong edge is dropped. In the second, the leaf *introduced* leaves at
    pop 9, when *was introduced already .* enters; the right tree would need it once more, with
    *already* below *was*. In the third, *to compromise* leaves at pop 9.

    And yet the chart is to blame for none of the three: with 64 places the same sentences come out.
    In the first two the model gives gold less than its own sentence, a *model error*. In the third
    gold would have 0.59, and what comes out has 0.20: a *search error*. Gold needs *helped the
    provincial opposition*, which has -0.39 when it is made. It still waits on the agenda when the
    first goal is popped, and the search ends.
    """
    return [None, 9, 9]
