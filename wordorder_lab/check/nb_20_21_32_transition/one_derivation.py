"""Exercise 20.7: a legality test of one's own, plugged into the grammar: one tree, one derivation.

Arc-standard builds many a tree in several ways, and each way takes a place in the beam. Which
action would one have to forbid, and where?
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.workbench import derivations, problem_of
from wordorder_lab.check.nb_20_21_32_transition.states import bare_name
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, State


def outcome(final: State, problem: OrderingProblem) -> tuple:
    """What a derivation has built: the words in order, and the arcs between them."""
    return tuple(problem.items[item].form for item in final.order), tuple(final.arcs)


def kind(action: int) -> str:
    """LEFTARC, RIGHTARC or SHIFT."""
    return {LEFTARC: "LEFTARC", RIGHTARC: "RIGHTARC"}.get(action, "SHIFT")


def _judge_legal(answer: Any) -> str:
    legal: Callable[..., Any] = function_of(answer, "legal")
    counted = []
    for units in ("ab", "abc", "abcd"):
        problem = problem_of(units)
        wanted = {outcome(final, problem) for final in derivations(problem)}
        ways: dict[tuple, list[State]] = {}
        for final in derivations(problem, lambda state, action: bool(legal(state, kind(action)))):
            ways.setdefault(outcome(final, problem), []).append(final)
        for built in sorted(wanted - ways.keys())[:1]:
            raise Wrong(f"Nothing builds {_shown(built)} any more: your rule forbids too much.")
        for built, finals in ways.items():
            if len(finals) > 1:
                first, second = (_actions(final, problem) for final in finals[:2])
                raise Wrong(f"{_shown(built)} can still be built twice:\n{first}\n{second}")
        counted.append(f"{len(wanted):,}")
    return f"Bags of 2, 3 and 4 words: {', '.join(counted)} ordered trees, each built exactly once."


def _shown(built: tuple) -> str:
    words, arcs = built
    return f"'{' '.join(words)}' with " + ", ".join(f"{words[h]} → {words[d]}" for h, d in arcs)


def _actions(final: State, problem: OrderingProblem) -> str:
    return "  ".join(bare_name(action, problem) for _, action in final.derivation())


def right_arcs_first(state: State, action: str) -> bool:
    """A word that has a left dependent takes no right one any more."""
    return action != "RIGHTARC" or not state.stack[-2].left


def _solve_legal() -> str:
    return (
        "def legal(state, action):\n"
        '    return action != "RIGHTARC" or not state.stack[-2].left\n'
        "A word with dependents on both sides can take them in several orders. Let it take the "
        "right ones first, as Table 1 does, and one order is left.\n"
        f"{_judge_legal(right_arcs_first)}"
    )


EXERCISES = (
    Exercise(
        "20.7",
        "Forbid just so much that every tree is built by exactly one sequence of actions.",
        (
            "Hand in lambda state, action: True, and look at the two sequences that you are shown.",
            "They differ in the order of a LEFTARC and a RIGHTARC with the same head. Choose one "
            "order, as Table 1 does, and forbid the other.",
            "state.stack[-2] would be the head of a RIGHTARC. Its left dependents so far are in "
            "state.stack[-2].left",
        ),
        _judge_legal,
        _solve_legal,
    ),
)
