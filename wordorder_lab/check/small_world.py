"""What exercises are built from: a few sentences, all states of a few words, gold followed.

The sentences are our own and so few that everything about them can be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT, Sentence, Token
from wordorder_lab.transition.actions import apply_action, initial_state, possible_actions
from wordorder_lab.transition.averaged_perceptron import EARLY, Example, Perceptron, successor
from wordorder_lab.transition.features import state_context
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.packed_weights import ActionTable
from wordorder_lab.transition.state import State
from wordorder_lab.transition.templates import load_templates

_LINES = """
    IBM/NP>1 bought/VBD Lotus/NP>1 ./.>1
    the_dog/NP>1 slept/VBD in/IN>1 the_garden/NP>2 ./.>1
    an_old_man/NP>1 saw/VBD the_dog/NP>1 in/IN>1 the_park/NP>3 ./.>1
    yesterday/RB>2 the_boats/NP>2 left/VBD the_harbour/NP>2 ./.>2
    the_harbour/NP>1 was/VBD quiet/JJ>1 and/CC>2 cold/JJ>2 ./.>1
    she/NP>1 said/VBD that/IN>1 the_boats/NP>4 left/VBD>2 early/RB>4 ./.>1
    he/NP>1 bought/VBD a_book/NP>1 for/IN>2 an_old_man/NP>3 ./.>1
    the_garden/NP>4 of/IN>0 the_old_house/NP>1 usually/RB>4 sleeps/VBZ ./.>4
"""


def sentence(line: str) -> Sentence:
    """A sentence from ``the_dog/NP>1 slept/VBD``: unit, tag, place of the head (none: the root)."""
    tokens = []
    for part in line.split():
        unit, _, rest = part.partition("/")
        pos, _, head = rest.partition(">")
        tokens.append(Token(tuple(unit.split("_")), pos, int(head) if head else ROOT))
    return Sentence(tuple(tokens), "made up")


SENTENCES = tuple(map(sentence, _LINES.strip().splitlines()))


def problem_of(
    units: Sequence[str],
    pos: Sequence[str] | None = None,
    heads: Sequence[int | None] | None = None,
) -> OrderingProblem:
    """A bag made ready, every unit with one tag."""
    tags = pos or ["X"] * len(units)
    return OrderingProblem.of(WordBag(list(units), list(tags), heads), lambda _unit: ("X",))


Possible = Callable[[State, OrderingProblem], Sequence[int]]
"""The actions that are possible in a state."""


def every_state(problem: OrderingProblem, possible: Possible = possible_actions) -> Iterator[State]:
    """Every state that can be reached, each as often as there are ways to it."""
    todo = [initial_state(problem)]
    while todo:
        state = todo.pop()
        yield state
        actions = reversed(possible(state, problem))
        todo += [apply_action(state, action, problem) for action in actions]


def derivations(
    problem: OrderingProblem, legal: Callable[[State, int], bool] = lambda _state, _action: True
) -> Iterator[State]:
    """The final state of every action sequence, or of those whose actions are all ``legal``."""

    def allowed(state: State, problem: OrderingProblem) -> list[int]:
        return [action for action in possible_actions(state, problem) if legal(state, action)]

    for state in every_state(problem, allowed):
        if not possible_actions(state, problem):
            yield state


def small_bags(words: str = "abc", longest: int = 4) -> Iterator[tuple[str, ...]]:
    """Every bag of up to ``longest`` of these words, some of them more than once."""
    for size in range(1, longest + 1):
        yield from combinations_with_replacement(words, size)


class Course(NamedTuple):
    """What became of the gold state step by step: its place in the beam (-1: out), scores."""

    ranks: list[int]
    best: list[float]
    gold: list[float]


def course(learner: Perceptron, example: Example) -> Course:
    """Decode an example to the end and follow its gold state, also outside the beam."""
    problem = example.problem
    search = learner.search(problem)
    candidates = search.begin()
    gold, followed = candidates[0], Course([], [], [])
    for step, action in enumerate(example.gold, 1):
        candidates = search.top_k(search.expand(candidates, step))
        after = successor(gold, action, candidates)
        if after is None:
            gain = search.scores.of(state_context(gold, problem))[action]
            after = apply_action(gold, action, problem, gold.score + gain, serial=-1)
        gold = after
        followed.ranks.append(candidates.index(gold) if gold in candidates else -1)
        followed.best.append(candidates[0].score)
        followed.gold.append(gold.score)
    return followed


def examples_of(sentences: Sequence[Sentence], pos: float = 1) -> list[Example]:
    """Training examples of these sentences, with this share of their tags."""
    lookup = TagDictionary.of(sentences).lookup
    problems = [OrderingProblem.of(bag_of(s, pos), lookup) for s in sentences]
    return [Example(p, tuple(gold_actions(s, p))) for s, p in zip(sentences, problems)]


def learner_of(sentences: Sequence[Sentence], beam: int, update: str = EARLY) -> Perceptron:
    """A reference learner that has learned nothing yet."""
    templates = load_templates("liu_2015_table_2_corrected")
    return Perceptron(templates, ActionTable.of(sentences), beam, update)
