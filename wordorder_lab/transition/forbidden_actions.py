"""Why an action is forbidden: one sentence for each action that what is given takes away.

The sentences are for people; nothing is decided here. What is possible, and what the anchor is, is
told in ``actions``. Where several things forbid an action, one of them is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.structures.messages import listed
from wordorder_lab.structures.problem import OrderingProblem, named, order_between, quoted
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.transition.actions import (
    apply_action,
    can_be_completed,
    find_anchor,
    is_complete,
    is_untouched,
    possible_actions,
    shift_legal,
)
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, Node, State


def forbidding(
    state: State, problem: OrderingProblem, possible: Sequence[int] | None = None
) -> list[tuple[int, str]]:
    """The actions that would be possible if nothing were given, and are not, each with the reason.

    In the order of the actions. ``possible`` are those that are possible, where they are known
    already; otherwise they are asked for, and ``ValueError`` is raised as by ``possible_actions``.
    """
    taken = set(possible_actions(state, problem) if possible is None else possible)
    anchor = find_anchor(state, problem)
    forbidden = []
    for action in _without_constraints(state, problem):
        if action not in taken:
            if action < SHIFT:
                reason = _why_no_arc(state, action, problem)
            else:
                reason = _why_no_shift(state, anchor, problem.items[action - SHIFT].type, problem)
            forbidden.append((action, reason or _why_tangled(state, action, problem)))
    return forbidden


def _without_constraints(state: State, problem: OrderingProblem) -> list[int]:
    """The actions of Figure 3: arcs between two words, SHIFT of whatever is left."""
    arcs = [LEFTARC, RIGHTARC] if len(state.stack) >= 2 else []
    return arcs + [SHIFT + i for i, item in enumerate(problem.items) if state.bag[item.type]]


def _why_no_arc(state: State, action: int, problem: OrderingProblem) -> str | None:
    j, i = state.stack[-2:]
    dependent, head = (j, i) if action == LEFTARC else (i, j)
    one, other = problem.items[dependent.item].type, problem.items[head.item].type
    given = problem.given.heads[one]
    if given == ROOT:
        return f"{quoted(one, problem)} is the root of the sentence and has no head"
    if given is not None and given != other:
        right, wrong = quoted(given, problem), quoted(other, problem)
        another = "another " if right == wrong else ""
        return f"the head of {quoted(one, problem)} is {another}{right}, not {wrong}"
    if not is_complete(dependent, problem):
        return f"{quoted(one, problem)} still waits for {_awaited(dependent, problem)}"
    return None


def _why_no_shift(
    state: State, anchor: Node | None, kind: int, problem: OrderingProblem
) -> str | None:
    given = problem.given
    if missing := [t for t in given.before[kind] if state.bag[t]]:
        last = [t for t in missing if not any(t in given.before[one] for one in missing)]
        return order_between(last[0], "must come before", kind, problem)
    for one in given.line[kind]:
        twin = given.twins[one]
        if twin is not None and is_untouched(state, given.family[twin], problem):
            return f"another {quoted(one, problem)} has an equal tree, which is begun first"
    if anchor is None or shift_legal(state, anchor, kind, problem):
        return None
    waiting = quoted(problem.items[anchor.item].type, problem)
    awaited = _awaited(anchor, problem)
    if is_untouched(state, given.component[kind], problem):
        root = quoted(given.tops[kind], problem)
        rule = f"the tree of the root {root} takes in all that is on the stack"
        return f"{rule}, but {waiting} still waits for {awaited}"
    shifted = named(kind, problem)
    another = "another " if shifted == waiting else ""
    return f"{another}{shifted} would cut off {waiting} from {awaited}"


def _why_tangled(state: State, action: int, problem: OrderingProblem) -> str:
    """Which of the orders between given trees could not be kept after an action."""
    after = apply_action(state, action, problem)
    pairs = [pair for pair in problem.given.interleaving if after.bag[pair[0]]]
    if not pairs:
        return "this legality test forbids it"  # it is not the grammar's
    lost = next((pair for pair in pairs if _is_lost(pair, after, problem)), None)
    if lost is not None:
        return order_between(lost[0], "could no longer come before", lost[1], problem)
    orders = [order_between(first, "before", then, problem) for first, then in pairs]
    return f"no way would be left to keep {listed(orders)}"


def _is_lost(pair: tuple[int, int], state: State, problem: OrderingProblem) -> bool:
    """Whether this order alone, of all that are given, cannot be kept any more."""
    first, then = pair
    alone = tuple((first,) if t == then else () for t in range(len(problem.units)))
    given = replace(problem.given, before=alone)
    try:
        return not can_be_completed(state, replace(problem, given=given))
    except ValueError:  # not found out
        return False


def _awaited(node: Node, problem: OrderingProblem) -> str:
    """What a word waits for: its missing dependents, or else its head."""
    kind, given = problem.items[node.item].type, problem.given
    if is_complete(node, problem):
        head = given.heads[kind]
        return f"its head {quoted(head, problem)}" if head not in (None, ROOT) else "nothing"
    there = [problem.items[child.item].type for child in (*node.left, *node.right)]
    missing = [
        quoted(t, problem)
        for t in given.family[kind]
        if given.heads[t] == kind and t != kind
        for _ in range(len(problem.units[t]) - there.count(t))
    ]
    return f"its dependent{'s' if len(missing) > 1 else ''} {listed(missing)}"
