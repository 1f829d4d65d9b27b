"""What notebook 31 shows of a beam: gold beside the best state, and what gold's words score."""

from __future__ import annotations

from typing import NamedTuple

from wordorder_lab.analysis.gold_survival import moment_of_loss, with_gold
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.oracle import gold_actions

SEED = 1
"""The bags are those that ``wl.bag_of`` makes."""


class Course(NamedTuple):
    """Scores step by step: of the best state in the beam, and of gold, also outside the beam."""

    best: list[float]
    gold: list[float]
    lost: int
    """The step that cut gold; 0 where none did."""


def course(model: LinearizationModel, sentence: Sentence, beam: int) -> Course:
    """How gold and the best state fare in a search. Raises ``KeyError`` for an unknown tag."""
    log = EventLog()
    bag = bag_of(sentence, seed=SEED)
    model.order(bag, beam=beam, trace=log)
    scores: dict[int, float] = {}
    best = []
    for event in log:
        if event[0] == "candidate":
            scores[event[1]] = event[4]
        elif event[0] == "kept" and event[2] == 0:
            best.append(scores[event[1]])
    problem = model.problem(bag)
    actions = gold_actions(sentence, problem, places(sentence, SEED))
    gold, lost = [], 0
    for end in range(1, len(actions) + 1):  # the fast engine follows whole derivations only
        score, lost = model.follow(problem, actions[:end], beam=beam, engine="reference")
        gold.append(score)
    return Course(best, gold, lost)


def recorded(model: LinearizationModel, sentence: Sentence, beam: int) -> tuple[EventLog, int]:
    """The log of a search in which gold is told, and after how many events gold is lost."""
    bag, log = bag_of(sentence, seed=SEED), EventLog()
    model.order(bag, beam=beam, trace=log)
    told = with_gold(model, log, bag, sentence, SEED)
    return told, moment_of_loss(told)


def in_order(sentence: Sentence) -> WordBag:
    """The bag of a sentence that allows one order only, the right one; the tree is left open."""
    chain = [(place, place + 1) for place in range(len(sentence) - 1)]
    return WordBag([t.words for t in sentence], [t.pos for t in sentence], before=chain)
