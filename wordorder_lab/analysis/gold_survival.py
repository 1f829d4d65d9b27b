"""What became of the right answer in a search: its score, and when and how it was lost.

Whoever has the sentence behind a bag can ask. The beam of Liu et al. (2015) follows one sequence of
actions, the oracle's; a best-first search builds the edges of the gold tree or derivation (Zhang &
Clark 2015, section 3.5). What a system finds out is the same for the same search on both engines:
the reference reads it off the log of its events.

Gold is one derivation of the sentence. A search may lose it and still end with the same words, by
another tree.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.structures.bag import WordBag, places
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.best_first_model import BestFirstModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example as gold_tree
from wordorder_lab.systems.zhang_clark_ccg import gold_in_problem
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import action_names
from wordorder_lab.transition.oracle import gold_actions

WON, CUT, OUTSCORED, LIMIT = "won", "cut", "outscored", "limit"
"""Gold is the output; it left beam or chart; it was there, and another one won; a limit came."""


class GoldFate(NamedTuple):
    """``score`` of the gold derivation, ``None`` where the search never made it whole; the step (of
    a best-first search the pop) at which it was lost, 0 where it won; ``how``, as above."""

    score: float | None
    lost: int
    how: str


def ordered(
    model: Any, bag: WordBag, sentence: Sentence, seed: int, engine: str | None, **search: Any
) -> tuple[Result, float, GoldFate | None]:
    """The output for the bag of this sentence, the seconds it took, and what became of gold.
    ``seed`` made the bag. The last is ``None`` where the bag does not allow the gold derivation, as
    without its tag or category, or where orders interleave given trees, and where no search goes
    step by step. Raises as ``model.order``."""
    engine, gold = choose_engine(engine), None
    if isinstance(model, BestFirstModel):
        gold = gold_in(model, model.problem(bag), sentence, seed)
    began = time.perf_counter()
    if gold is not None and engine == "fast":
        result, score, out, won = model.watch(bag, gold.gold_edges(), **search)
        seconds, pops = time.perf_counter() - began, int(result.counters["expansions"])
        if out:
            return result, seconds, GoldFate(score, out, CUT)
        if won and result.is_whole:
            return result, seconds, GoldFate(score, 0, WON)
        return result, seconds, GoldFate(score, pops, OUTSCORED if result.is_whole else LIMIT)
    log = None if gold is None else EventLog()
    result = model.order(bag, engine=engine, trace=log, **search)
    seconds = time.perf_counter() - began
    if log is not None:
        return result, seconds, fate_in_log(marked_gold(log, sentence))
    if isinstance(model, LinearizationModel):
        return result, seconds, _of_beam(model, bag, sentence, seed, result, engine, search)
    return result, seconds, None


def _of_beam(
    model: LinearizationModel,
    bag: WordBag,
    sentence: Sentence,
    seed: int,
    result: Result,
    engine: str,
    search: dict[str, Any],
) -> GoldFate | None:
    problem = model.problem(bag)
    gold = None if problem.given.interleaving else gold_in(model, problem, sentence, seed)
    if gold is None:
        return None
    score, lost = model.follow(problem, gold, engine=engine, **search)
    if not lost and result.actions == action_names(gold, problem):
        return GoldFate(score, 0, WON)
    return GoldFate(score, lost or len(gold), CUT if lost else OUTSCORED)


def gold_in(model: Any, problem: Any, sentence: Sentence, seed: int) -> Any:
    """What is gold in the problem of this sentence's bag: actions, a tree or a derivation. ``None``
    where the bag does not allow it, or the sentence has none. ``seed`` made the bag."""
    units = places(sentence, seed)
    try:
        if isinstance(model, LinearizationModel):
            return gold_actions(sentence, problem, units)
        if isinstance(model, DependencyModel):
            return gold_tree(sentence, problem, units)
        derived = sentence.derivation is not None
        return gold_in_problem(sentence, problem, units) if derived else None
    except KeyError:
        return None


# --- gold in a log ----------------------------------------------------------------------------


def with_gold(model: Any, log: EventLog, bag: WordBag, sentence: Sentence, seed: int) -> EventLog:
    """A copy of the log of a search on the bag of this sentence in which gold is told; the log as
    it is where the bag does not allow the gold derivation."""
    problem = model.problem(bag)
    gold = gold_in(model, problem, sentence, seed)
    if gold is None:
        return log
    if isinstance(model, LinearizationModel):
        return _with_gold_states(log, action_names(gold, problem))
    return marked_gold(log, sentence)


def _with_gold_states(log: EventLog, actions: tuple[str, ...]) -> EventLog:
    """A `gold` event after every step, as the learner tells it."""
    told = EventLog(max_events=len(log) + len(actions) + 1)
    gold, step = 0, 0
    made: dict[tuple[int, str], int] = {}
    ranks: dict[int, int] = {}

    def tell() -> None:
        nonlocal gold
        if not 0 < step <= len(actions):
            return
        serial = made.get((gold, actions[step - 1]), -1) if gold >= 0 else -1
        rank = ranks.get(serial, -1)
        told.gold(step, serial, rank)
        gold = serial if rank >= 0 else -1

    for event in log:
        if event[0] in ("step", "finished"):
            tell()
            made, ranks = {}, {}
            step += 1
        if event[0] == "candidate":
            made[event[2], event[3]] = event[1]
        elif event[0] == "kept":
            ranks[event[1]] = event[2]
        told.record(*event)
    told.dropped = log.dropped
    return told


def moment_of_loss(log: EventLog) -> int:
    """The number of events after which gold is lost in a log where it is told; else all of them."""
    gold: set[int] = set()
    for number, event in enumerate(log, 1):
        if event[0] in ("leaf", "edge") and event[6] == 1:
            gold.add(event[1])
        if event[0] == "gold" and event[3] < 0:
            return number
        if event[0] == "pruned" and event[1] in gold:
            return number
    return len(log)


def fate_in_log(log: EventLog) -> GoldFate:
    """The same as a fast search says, read off a log of a best-first search with gold marked."""
    gold: dict[int, float] = {}
    sizes = {0: 0}
    units, pops, out, best, won, stopped = 0, 0, 0, None, False, ""
    for event in log:
        kind = event[0]
        if kind == "begin":
            units = sum(event[2])
        elif kind in ("leaf", "edge"):
            serial = event[1]
            sizes[serial] = 1 if kind == "leaf" else sizes[event[2]] + sizes[event[3]]
            if event[6] == 1:
                gold[serial] = event[5]
        elif kind == "popped":
            pops += 1
        elif kind == "pruned" and event[1] in gold:
            out = out or pops
        elif kind == "finished":
            won = event[1] in gold
        elif kind == "stopped":
            stopped = event[1]
    goals = [score for serial, score in gold.items() if sizes[serial] == units]
    best = max(goals, default=None)
    if out:
        return GoldFate(best, out, CUT)
    if won:
        return GoldFate(best, 0, WON)
    return GoldFate(best, pops, OUTSCORED if stopped == "complete" else LIMIT)
