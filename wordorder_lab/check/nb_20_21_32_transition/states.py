"""Exercises 20.1 to 20.3: states and actions (Liu et al. 2015, section 3, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.workbench import derivations, problem_of, small_bags
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.state import SHIFT, State

# --- 20.1: a state after some actions ---------------------------------------------------------

UNITS, TAGS = ("IBM", "bought", "Lotus", "."), ("NP", "VBD", "NP", ".")
PREFIX = ("SHIFT-IBM-NP", "SHIFT-bought-VBD", "SHIFT-Lotus-NP", "RIGHTARC")
"""The actions of exercise 20.1."""


def state_after(names: Sequence[str], problem: OrderingProblem) -> State:
    """Take the actions with these names, one after the other, from the initial state."""
    state = initial_state(problem)
    for name in names:
        action = {action_name(a, problem): a for a in possible_actions(state, problem)}[name]
        state = apply_action(state, action, problem)
    return state


def seen(state: State, problem: OrderingProblem) -> tuple[list[str], list[str]]:
    """Stack and bag of a state as words, the top of the stack last, the bag sorted."""
    stack = [problem.items[node.item].form for node in state.stack]
    forms = {item.type: item.form for item in problem.items}
    bag = [forms[kind] for kind, count in enumerate(state.bag) for _ in range(count)]
    return stack, sorted(bag)


def _judge_state(answer: Any) -> str:
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise Wrong("Hand in two things: check('20.1', (stack, bag)).")
    stack, bag = answer
    if not all(isinstance(words, tuple | list | set) for words in answer):
        raise Wrong("Stack and bag are lists of words: check('20.1', (['IBM', ...], [...])).")
    problem = problem_of(UNITS, TAGS)
    right_stack, right_bag = seen(state_after(PREFIX, problem), problem)
    if list(stack) != right_stack:
        also = "" if sorted(bag) != right_bag else " The bag is right."
        turned = (
            " It is upside down: the top comes last." if list(stack)[::-1] == right_stack else ""
        )
        raise Wrong(f"The stack is not {list(stack)}.{turned}{also}")
    if sorted(bag) != right_bag:
        raise Wrong(f"The stack is right; the bag is not {sorted(bag)}.")
    return "Lotus has left the stack, but not the sentence: it hangs below bought."


def _solve_state() -> str:
    problem = problem_of(UNITS, TAGS)
    shown = [seen(state_after(PREFIX[:i], problem), problem) for i in range(len(PREFIX) + 1)]
    names = ["(start)", *PREFIX]
    return "\n".join(f"{name}:  stack {s}, bag {b}" for name, (s, b) in zip(names, shown))


# --- 20.2: how many actions --------------------------------------------------------------------


def _judge_length(answer: Any) -> str:
    length = function_of(answer, "actions_for")
    for n in range(1, 5):
        problem = problem_of([f"w{i}" for i in range(n)])
        lengths = {len(final.derivation()) for final in derivations(problem)}
        given = length(n)
        if {given} != lengths:
            says = f"For n = {n} every derivation has {lengths.pop()} actions, not {given}."
            paper = " The paper's 2n counts an arc for every word. Has the root one?"
            raise Wrong(says + paper * (given == 2 * n))
    return "Every derivation of every bag of up to four words has been counted."


def _solve_length() -> str:
    return (
        "def actions_for(n):\n    return 2 * n - 1\n"
        "n SHIFTs, one a word. Then every word but the root gets its head, by one arc each: n - 1."
    )


# --- 20.3: your own legality test --------------------------------------------------------------


def states_of(problem: OrderingProblem) -> Iterator[State]:
    """Every state that can be reached, each as often as there are ways to it."""
    todo = [initial_state(problem)]
    while todo:
        state = todo.pop()
        yield state
        todo += [apply_action(state, a, problem) for a in possible_actions(state, problem)]


def bare_name(action: int, problem: OrderingProblem) -> str:
    """An action without the tag: LEFTARC, RIGHTARC, SHIFT-word."""
    if action < SHIFT:
        return action_name(action, problem)
    return f"SHIFT-{problem.items[action - SHIFT].form}"


def names_of(state: State, problem: OrderingProblem) -> set[str]:
    """The names of what is possible in a state."""
    return {bare_name(action, problem) for action in possible_actions(state, problem)}


def _judge_possible(answer: Any) -> str:
    possible = function_of(answer, "possible")
    looked_at: set[tuple] = set()
    for units in small_bags():
        problem = problem_of(units)
        for state in states_of(problem):
            stack, bag = seen(state, problem)
            key = tuple(stack), tuple(bag)
            if key not in looked_at:
                looked_at.add(key)
                _compare(possible(list(stack), list(bag)), names_of(state, problem), stack, bag)
    return f"Your function and the grammar agree on all {len(looked_at):,} states of small bags."


def _compare(yours: Any, right: set[str], stack: list[str], bag: list[str]) -> None:
    where = f"With stack {stack} and bag {bag}"
    if yours is None or isinstance(yours, str):
        raise Wrong(f"{where} your function returned {yours!r}: a set of action names is wanted.")
    if missing := right - set(yours):
        raise Wrong(f"{where} {min(missing)} is possible, too.")
    if extra := set(yours) - right:
        raise Wrong(f"{where} {min(extra)} is not possible.")


def _solve_possible() -> str:
    return (
        "def possible(stack, bag):\n"
        '    arcs = {"LEFTARC", "RIGHTARC"} if len(stack) >= 2 else set()\n'
        '    return arcs | {f"SHIFT-{word}" for word in bag}'
    )


EXERCISES = (
    Exercise(
        "20.1",
        "Stack and bag after SHIFT IBM, SHIFT bought, SHIFT Lotus, RIGHTARC.",
        (
            "Take the actions one by one on paper. SHIFT moves a word from the bag to the top.",
            "RIGHTARC makes the top a dependent of the word below it, and takes the top away.",
        ),
        _judge_state,
        _solve_state,
    ),
    Exercise(
        "20.2",
        "How many actions does a bag of n words take?",
        (
            "How many SHIFTs are there? And what does every arc do to the stack?",
            "The stack grows by one with a SHIFT, shrinks by one with an arc, and ends at one.",
        ),
        _judge_length,
        _solve_length,
    ),
    Exercise(
        "20.3",
        "Write your own legality test: which actions are possible with this stack and this bag?",
        (
            "An arc joins the two topmost words. When are there two?",
            "What can be shifted does not depend on the stack at all.",
            "Return a set: {'LEFTARC', 'RIGHTARC'} or the empty set, and a 'SHIFT-...' a word.",
        ),
        _judge_possible,
        _solve_possible,
    ),
)
