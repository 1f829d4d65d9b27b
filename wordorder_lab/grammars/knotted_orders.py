"""Orders between words of two given trees: whether a state can still be completed.

One given tree can be put into a gap of another, so one word of each does not settle which tree
comes first. Then only looking ahead tells whether a state leads anywhere. The look-ahead makes the
moves first that can do no harm, so it seldom has to turn back; but in the worst case its time grows
exponentially with the number of trees that orders knot together. It ends as soon as what remains
cannot fail: orders inside one tree and orders of lone words never do (``given_orders``).
"""

from __future__ import annotations

from collections.abc import Hashable

from wordorder_lab.grammars.linearization_actions import (
    allowed_actions,
    apply_action,
    initial_state,
    is_complete,
    is_untouched,
)
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.state import SHIFT, State

MOST = 20_000
"""States that one look-ahead goes through before it gives up."""


def can_be_completed(state: State, problem: OrderingProblem) -> bool:
    """Whether some sequence of actions from here ends with all that is given.

    What was found out about a state is kept with the problem. Raises ``ValueError`` where it was
    not found out after ``MOST`` states.
    """
    known = problem.completable
    todo: list[State] = [state]
    seen: set[Hashable] = set()
    while todo:
        here = todo.pop()
        key = _key(here, problem)
        if known.get(key) or not any(here.bag[first] for first, _ in problem.given.knots):
            known[_key(state, problem)] = True
            return True
        if key in known or key in seen:
            continue
        seen.add(key)
        if len(seen) > MOST:
            raise ValueError(
                "the orders tie together too many words of different given trees to see whether "
                "they can all be kept: give more of the heads between them, or fewer orders"
            )
        moves = promising_actions(here, problem)
        todo += [apply_action(here, action, problem) for action in reversed(moves)]
    known.update(dict.fromkeys(seen, False))
    return False


def _key(state: State, problem: OrderingProblem) -> Hashable:
    """All that the future of a state depends on."""
    words = ((problem.type_of(node), is_complete(node, problem)) for node in state.stack)
    return tuple(words), state.bag


def promising_actions(state: State, problem: OrderingProblem) -> list[int]:
    """The actions to try: one alone if it does no harm, whatever comes later."""
    given = problem.given
    actions = allowed_actions(state, problem)
    if actions and actions[0] < SHIFT:
        return actions[:1]
    types = dict.fromkeys(problem.items[action - SHIFT].type for action in actions)
    first = {t: next(a for a in actions if problem.items[a - SHIFT].type == t) for t in types}
    if state.stack and is_complete(top := state.stack[-1], problem):
        head = given.heads[problem.type_of(top)]
        if head is not None and head != ROOT and head in first:
            return [first[head]]
    waited_for = {t for earlier in given.before for t in earlier}
    for t in types:
        if given.is_free(t) and t in waited_for:
            return [first[t]]
    pending = {given.tops[t] for knot in given.knots if state.bag[knot[0]] for t in knot}
    trees: dict[int, list[int]] = {}
    for t in types:
        if given.tops[t] in pending or not is_untouched(state, given.component(t), problem):
            trees.setdefault(given.tops[t], []).append(first[t])
    for root, moves in trees.items():
        if not waits_for_others(state, given.component(root), problem):
            return moves
    return [action for moves in trees.values() for action in moves]


def waits_for_others(state: State, tree: range, problem: OrderingProblem) -> bool:
    """Whether anything outside a given tree must come before what is left of it.

    If not, all of it may come now: whatever would have come in between may come after it.
    """
    return any(
        state.bag[t] and state.bag[earlier]
        for t in tree
        for earlier in problem.given.before[t]
        if earlier not in tree
    )


def check_knots(problem: OrderingProblem) -> None:
    """Raise ``ValueError`` for orders that no projective tree with the given heads allows."""
    if problem.given.knots and not can_be_completed(initial_state(problem), problem):
        forms = {item.type: item.form for item in problem.items}
        knots = dict.fromkeys(f"{forms[i]!r} < {forms[j]!r}" for i, j in problem.given.knots)
        raise ValueError(
            "no order of the words keeps all that is given, since subtrees do not mix: with the "
            f"given heads these orders exclude each other, {', '.join(knots)} "
            "(< says: stands before): leave one of them out"
        )
