"""Exercises 21.1 to 21.3: what given heads and orders leave (Liu et al. 2015, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.workbench import problem_of
from wordorder_lab.check.nb_20_21_32_transition.states import bare_name, names_of
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.transition.actions import (
    apply_action,
    check_knots,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.full_tree_actions import full_tree_actions
from wordorder_lab.transition.state import State

Heads = tuple[int | None, ...]

# --- 21.1: which actions are possible here ------------------------------------------------------

PARK = "[an old man] saw [the dog] in>3 [the park]>4 ."
"""The bag of exercise 21.1."""
SHIFTED = ("the park", "saw")
"""What lies on its stack."""


def in_the_park() -> tuple[State, OrderingProblem]:
    """The state of exercise 21.1."""
    problem = OrderingProblem.of(parse_bag(PARK), lambda unit: ("X",))
    state = initial_state(problem)
    for word in SHIFTED:
        by_name = {bare_name(a, problem): a for a in possible_actions(state, problem)}
        state = apply_action(state, by_name[f"SHIFT-{word}"], problem)
    return state, problem


def _judge_here(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, set | list | tuple | frozenset):
        raise Wrong('A set of names is wanted, such as {"LEFTARC", "SHIFT-saw"}.')
    state, problem = in_the_park()
    reasons = {bare_name(action, problem): why for action, why in forbidding(state, problem)}
    right = names_of(state, problem)
    for name in sorted(set(answer) - right, key=str):
        if name in reasons:
            raise Wrong(f"{name} is forbidden: {reasons[name]}.")
        raise Wrong(f"{name} is no action here. There are {', '.join(sorted(right | {*reasons}))}.")
    if missing := right - set(answer):
        raise Wrong(f"{min(missing)} is possible, too.")
    return f"Forbidden are {'; '.join(f'{name} ({why})' for name, why in reasons.items())}."


def _solve_here() -> str:
    state, problem = in_the_park()
    reasons = [f"{bare_name(a, problem)}: {why}" for a, why in forbidding(state, problem)]
    return "\n".join([f"Possible: {', '.join(sorted(names_of(state, problem)))}", *reasons])


# --- 21.2: how many orders a tree allows --------------------------------------------------------


def forests(n: int) -> list[Heads]:
    """The given heads of n words, a forest of each shape: heads come before their dependents."""
    shapes: dict[tuple, Heads] = {}
    for heads in product(*([None, *range(i)] for i in range(n))):
        shapes.setdefault(_shape(heads, None), heads)
    return list(shapes.values())


def _shape(heads: Heads, top: int | None) -> tuple:
    return tuple(sorted(_shape(heads, i) for i, head in enumerate(heads) if head == top))


def trees(n: int) -> Iterator[list[int]]:
    """A tree of each shape over n words; -1 is the head of the root, as in ``tree.heads``."""
    for heads in forests(n):
        if heads.count(None) == 1:
            yield [-1 if head is None else head for head in heads]


def orders(heads: Sequence[int]) -> int:
    """How many orders of different words a tree allows, counted one by one by Algorithm 3."""
    words = [f"w{i}" for i in range(len(heads))]
    problem = problem_of(words, heads=heads)
    count, todo = 0, [initial_state(problem)]
    while todo:
        state = todo.pop()
        count += len(state.stack) == 1 and not any(state.bag)
        actions = full_tree_actions(state, problem)
        todo += [apply_action(state, action, problem) for action in actions]
    return count


def _judge_orders(answer: Any) -> str:
    function, counted = function_of(answer, "orders_of"), 0
    for n in range(1, 6):
        for heads in trees(n):
            yours, right = function([*heads]), orders(heads)
            if yours != right:
                raise Wrong(f"The tree with the heads {heads} allows {right} orders, not {yours}.")
            counted += 1
    return f"Counted for all {counted} shapes of trees of up to five words."


def _solve_orders() -> str:
    return (
        "def orders_of(heads):\n"
        "    return prod(factorial(heads.count(i) + 1) for i in range(len(heads)))\n"
        "A word and its dependents, each with all that is below it, can be put side by side in any "
        "order: (d + 1)! ways for d dependents. And the choices at one word do not touch those at "
        "another."
    )


# --- 21.3: a contradiction that hides -----------------------------------------------------------

UNITS = 6


def _judge_contradiction(answer: Any) -> str:
    if not isinstance(answer, str):
        raise Wrong('Hand in a typed bag, a string such as "a b>1 c | 2<3".')
    try:
        bag = parse_bag(answer)
    except ValueError as error:
        raise Wrong(
            f"This is no bag: {error}. Heads alone, and orders alone, have to agree."
        ) from None
    if not (bag.has_heads and bag.before):
        raise Wrong("Give heads (>) and, after a |, orders (<). Only together they contradict.")
    if len(bag) > UNITS:
        raise Wrong(f"You took {len(bag)} units; it can be done with fewer than {UNITS}.")
    try:
        problem = OrderingProblem.of(bag, lambda unit: ("X",))
        check_knots(problem)
    except ValueError as error:
        return f"The search will not even begin: {error}."
    state = initial_state(problem)
    while actions := possible_actions(state, problem):
        state = apply_action(state, actions[0], problem)
    text = " ".join(problem.items[item].form for item in state.order)
    raise Wrong(f"There is no contradiction: '{text}' keeps all that is given.")


HIDDEN = "a b>1 c>1 d>2 | 2<3 3<4"


def _solve_contradiction() -> str:
    return (
        f'"{HIDDEN}"\nc comes between b and d, so to say. But d is in the tree of b, and the trees '
        f"of b and c, both below a, do not mix.\n{_judge_contradiction(HIDDEN)}"
    )


EXERCISES = (
    Exercise(
        "21.1",
        "Which actions are possible with the park and saw on the stack?",
        (
            "Arcs first. Which word would be the dependent? Is its head given, and is it this one?",
            "Who is loose? saw is: it has no given head and waits for nothing. So the anchor is "
            "the park, and it waits for its head.",
            "in may come, for the park. the dog would cut off the park from in. What no given arc "
            "connects with the park may always come.",
        ),
        _judge_here,
        _solve_here,
    ),
    Exercise(
        "21.2",
        "How many orders does a whole tree allow?",
        (
            "Begin with one word and d dependents. They can be put side by side in how many ways?",
            "Each dependent brings its own tree along, in one piece. So the numbers of all the "
            "words are multiplied.",
            "heads.count(i) says how many dependents word i has; math has factorial and prod.",
        ),
        _judge_orders,
        _solve_orders,
    ),
    Exercise(
        "21.3",
        "Heads that are a forest, orders that go round in no circle, and together a contradiction.",
        (
            "The trees below two dependents of one head do not mix: the one stands before the "
            "other, as a whole.",
            "So take two dependents of one head, and put something below one of them.",
            "Then ask for the one dependent before the other, and for the other before what is "
            "below the first.",
        ),
        _judge_contradiction,
        _solve_contradiction,
    ),
)
