"""A legality test of one's own: held against the truth, and plugged into the reference engine.

A function is asked in every state that can be reached with any forest over a few words, and what
it says is compared with what is true: whether all that is given can still be had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from wordorder_lab.check.common.moments import Moment, difference
from wordorder_lab.check.common.workbench import SENTENCES, problem_of
from wordorder_lab.check.nb_20_21_32_transition.given_trees import forests
from wordorder_lab.check.nb_20_21_32_transition.states import bare_name, seen
from wordorder_lab.check.nb_20_21_32_transition.ties import BEAM, taught
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import apply_action, initial_state, possible_actions
from wordorder_lab.transition.beam import BeamSearch
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import SHIFT, Node, State

ShiftLegal = Callable[[str, list[str], list[str], dict[str, str], dict[str, set[str]]], Any]
"""``shift_legal(word, stack, bag, given, attached)``."""


class View(NamedTuple):
    """A state as a student's function sees it, all in words; the top of the stack is last.

    ``given`` is the given head of each word that has one, ``attached`` what hangs directly below
    each word of the stack so far.
    """

    stack: list[str]
    bag: list[str]
    given: dict[str, str]
    attached: dict[str, set[str]]

    @classmethod
    def of(cls, state: State, problem: OrderingProblem) -> View:
        """The words of a problem must all be different, and none of them the given root."""
        forms = {item.type: item.form for item in problem.items}
        heads = enumerate(problem.given.heads)

        def form(node: Node) -> str:
            return forms[problem.type_of(node)]

        return cls(
            *seen(state, problem),
            {forms[t]: forms[head] for t, head in heads if head not in (None, ROOT)},
            {form(n): {form(child) for child in (*n.left, *n.right)} for n in state.stack},
        )

    def __str__(self) -> str:
        arcs = ", ".join(f"{head} → {word}" for word, head in self.given.items())
        hangs = [f"{word} → {d}" for word, below in self.attached.items() for d in sorted(below)]
        text = f"Given {arcs or 'nothing'}; stack {self.stack}, bag {self.bag}"
        return f"{text}, attached {', '.join(hangs)}" if hangs else text


class Difference(NamedTuple):
    """Where a legality test says something else than the truth."""

    view: View
    action: str
    yours: bool
    why: str


def states_of_forests(longest: int) -> Iterator[tuple[State, OrderingProblem]]:
    """Every state that is no dead end, once, for each shape of given forest; small ones first."""
    for n in range(2, longest + 1):
        for heads in forests(n):
            problem = problem_of("abcdef"[:n], heads=heads)
            todo, known = [initial_state(problem)], set()
            for state in todo:
                for action in possible_actions(state, problem):
                    after = apply_action(state, action, problem)
                    if (looks := str(View.of(after, problem))) not in known:
                        known.add(looks)
                        todo.append(after)
                yield state, problem


def differences(shift_legal: ShiftLegal, longest: int = 4) -> Iterator[Difference]:
    """Where this SHIFTLEGAL is wrong, over all forests of up to ``longest`` words.

    ``yours`` True: it leads into a dead end, and ``why`` says by what. False: it forbids for
    nothing, and ``why`` are actions that end well.
    """
    for state, problem in states_of_forests(longest):
        if state.stack:  # Algorithm 2 asks nothing while it is empty
            view = View.of(state, problem)
            reasons = dict(forbidding(state, problem))
            for index, item in enumerate(problem.items):
                if not state.bag[item.type]:
                    continue
                yours = bool(shift_legal(item.form, *copied(view)))
                if yours == (SHIFT + index in reasons):
                    why = reasons.get(SHIFT + index) or _ending(state, SHIFT + index, problem)
                    yield Difference(view, f"SHIFT-{item.form}", yours, why)


def copied(view: View) -> tuple[Any, ...]:
    """The fields of a view, for a function that may change them."""
    attached = {word: {*below} for word, below in view.attached.items()}
    return [*view.stack], [*view.bag], {**view.given}, attached


def _ending(state: State, action: int, problem: OrderingProblem) -> str:
    """An action, and others that end well after it."""
    names = []
    actions = [action]
    while actions:
        names.append(bare_name(actions[0], problem))
        state = apply_action(state, actions[0], problem)
        actions = possible_actions(state, problem)
    return " ".join(names)


class Plugged(BeamSearch):
    """The reference engine with another SHIFTLEGAL."""

    shift_legal: ShiftLegal

    def possible(self, state: State) -> list[int]:
        """Algorithm 2 with the student's function in line 10."""
        usual = possible_actions(state, self.problem)
        if not state.stack:
            return usual
        view = View.of(state, self.problem)
        shifts = [
            SHIFT + index
            for index, item in enumerate(self.problem.items)
            if state.bag[item.type] and self.shift_legal(item.form, *copied(view))
        ]
        return [action for action in usual if action < SHIFT] + shifts


def same_searches(shift_legal: ShiftLegal) -> int:
    """Order the small world's bags with half of their heads; in how many all events are equal."""
    return sum(usual == plugged for usual, plugged in searches_with(shift_legal))


def first_other_search(shift_legal: ShiftLegal) -> Moment | None:
    """The first of these searches that goes another way, where it does so first."""
    for usual, plugged in searches_with(shift_legal):
        if usual != plugged:
            names = ("the engine's", "yours")
            at = difference(usual, plugged)
            return Moment(usual, at, "SHIFTLEGAL", "beam", plugged, names)
    return None


def searches_with(shift_legal: ShiftLegal) -> Iterator[tuple[EventLog, EventLog]]:
    """For each bag the search of the engine, and that with another SHIFTLEGAL."""
    learner, _ = taught()
    for sentence in SENTENCES:
        bag = bag_of(sentence, deps=0.5)
        heads = list(bag.heads or ())
        words = [bag.form(i) for i in range(len(bag))]
        problem = problem_of(words, [tag or "X" for tag in bag.pos or ()], heads)
        logs = EventLog(), EventLog()
        for engine, log in zip((BeamSearch, Plugged), logs):
            search = engine(problem, learner.search(problem).scores, BEAM, trace=log)
            if isinstance(search, Plugged):
                search.shift_legal = shift_legal
            search.run()
        yield logs
