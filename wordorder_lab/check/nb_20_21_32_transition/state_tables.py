"""What notebooks 20 and 21 look at: states as rows of a table, and walks that end well or do not.

Words, arcs and reasons as one would write them; the algorithms themselves are in ``transition``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.check.nb_20_21_32_transition.legality import ShiftLegal, differences
from wordorder_lab.check.nb_20_21_32_transition.states import bare_name, seen
from wordorder_lab.plots.tables import table
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    find_anchor,
    initial_state,
    is_complete,
    possible_actions,
)
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import State

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Possible = Callable[[State, OrderingProblem], Sequence[int]]
"""The actions that are possible in a state."""


def states_on_the_way(actions: Sequence[int], problem: OrderingProblem) -> list[dict[str, Any]]:
    """A row for each action: the stack after it (its top on the right), the bag, the new arc."""
    state, rows = initial_state(problem), []
    old: set[str] = set()
    for number, action in enumerate(actions, 1):
        state = apply_action(state, action, problem)
        spoken = [problem.items[item].form for item in state.order]
        arcs = {f"{spoken[head]} → {spoken[dependent]}" for head, dependent in state.arcs}
        stack, bag = seen(state, problem)
        rows.append(
            {
                "": number,
                "action": action_name(action, problem),
                "stack": " | ".join(stack),
                "bag": " | ".join(bag),
                "new arc": "".join(arcs - old),
            }
        )
        old = arcs
    return rows


def typed_problem(line: str) -> OrderingProblem:
    """A bag as one types it, made ready; a unit without a tag gets the tag X.

    Raises ``ValueError`` for a line that is no bag, or whose arcs and orders contradict each other.
    """
    return OrderingProblem.of(parse_bag(line), lambda unit: ("X",))


def _after(names: Sequence[str], problem: OrderingProblem) -> State:
    state = initial_state(problem)
    for name in names:
        possible = possible_actions(state, problem)
        by_name = {bare_name(a, problem).removeprefix("SHIFT-"): a for a in possible}
        state = apply_action(state, by_name[name], problem)
    return state


def look(line: str, *names: str) -> Styler:
    """A table of every action after some others (each a word to shift, LEFTARC or RIGHTARC).

    Of what is forbidden it tells why. Raises ``ValueError`` as ``typed_problem``, ``KeyError`` for
    an action that is not possible.
    """
    problem = typed_problem(line)
    state = _after(names, problem)
    rows = dict.fromkeys(possible_actions(state, problem), "") | dict(forbidding(state, problem))
    return table(
        {"action": action_name(action, problem), "possible": "✕" if why else "✓", "why not": why}
        for action, why in sorted(rows.items())
    )


def stack_of(line: str, *names: str) -> Styler:
    """A table of the stack after some actions, the top first, and of what each word waits for.

    Raises ``ValueError`` and ``KeyError`` as ``look``.
    """
    problem = typed_problem(line)
    state = _after(names, problem)
    anchor = find_anchor(state, problem)
    forms = {item.type: item.form for item in problem.items} | {-1: "none: the root", None: ""}
    rows = []
    for node in reversed(state.stack):
        head, complete = problem.given.heads[problem.type_of(node)], is_complete(node, problem)
        loose = "loose" if complete and head is None else ""
        row = {
            "on the stack": problem.items[node.item].form,
            "complete": "yes" if complete else "no",
            "given head": forms[head],
            "so it is": "the anchor" if node is anchor else loose,
        }
        rows.append(row)
    return table(rows)


def wrong(shift_legal: ShiftLegal, most: int = 6) -> Styler:
    """A table of the first states in which a SHIFTLEGAL is wrong; prints how many there are."""
    wrong_in = list(differences(shift_legal))
    print(f"wrong in {len(wrong_in)} cases, of these dead ends: {sum(d.yours for d in wrong_in)}")
    return table(
        {
            "given": ", ".join(f"{head} → {word}" for word, head in one.view.given.items()),
            "stack": " ".join(one.view.stack),
            "action": one.action,
            "it says": "yes" if one.yours else "no",
            "but": f"dead end: {one.why}" if one.yours else f"this ends well: {one.why}",
        }
        for one in wrong_in[:most]
    )


def stuck(line: str, possible: Possible, walks: int = 1000) -> float:
    """The share of random walks, any ``possible`` action at a time, that end with more than one
    word on the stack. Raises ``ValueError`` as ``typed_problem``."""
    problem, chance, ends = typed_problem(line), random.Random(21), 0
    for _ in range(walks):
        state = initial_state(problem)
        while actions := possible(state, problem):
            state = apply_action(state, chance.choice(actions), problem)
        ends += len(state.stack) > 1
    return ends / walks


def reached(line: str, possible: Possible) -> tuple[int, int]:
    """The number of orders that can be reached, and by how many derivations.

    Raises ``ValueError`` as ``typed_problem``.
    """
    problem = typed_problem(line)
    todo, orders, derivations = [initial_state(problem)], set(), 0
    while todo:
        state = todo.pop()
        if len(state.stack) == 1 and not any(state.bag):
            orders.add(state.order)
            derivations += 1
        todo += [apply_action(state, action, problem) for action in possible(state, problem)]
    return len(orders), derivations
