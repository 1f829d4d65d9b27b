"""Exercises 21.4 and 21.5: REDUCABLE and SHIFTLEGAL of one's own (Liu et al. 2015, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.workbench import SENTENCES
from wordorder_lab.check.nb_20_21_32_transition.legality import (
    View,
    copied,
    differences,
    first_other_search,
    same_searches,
    states_of_forests,
)
from wordorder_lab.transition.actions import reducable
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import LEFTARC, RIGHTARC

# --- 21.4: REDUCABLE ----------------------------------------------------------------------------


def _judge_reducable(answer: Any) -> str:
    function, asked = function_of(answer, "my_reducable"), 0
    for state, problem in states_of_forests(4):
        if len(state.stack) < 2:
            continue
        view, (j, i) = View.of(state, problem), state.stack[-2:]
        *_, below, top = view.stack
        pairs = ((LEFTARC, j, i, below, top), (RIGHTARC, i, j, top, below))
        for action, dependent, head, *words in pairs:
            *_, given, attached = copied(view)
            asked += 1
            yours = bool(function(*words, given, attached))
            if yours != reducable(dependent, head, problem):
                why = dict(forbidding(state, problem)).get(
                    action, "nothing given speaks against it"
                )
                raise Wrong(
                    f"{view}. Below {words[1]} you would put {words[0]}: {yours}. But {why}."
                )
    return f"It is right about all {asked:,} pairs, in all states of all forests of four words."


def my_reducable(
    dependent: str, head: str, given: Mapping[str, str], attached: Mapping[str, set[str]]
) -> bool:
    """No other head is given, and all given dependents have come."""
    waiting = {word for word in given if given[word] == dependent} - attached[dependent]
    return given.get(dependent, head) == head and not waiting


# --- 21.5: SHIFTLEGAL ---------------------------------------------------------------------------


def _judge_shift_legal(answer: Any) -> str:
    function = function_of(answer, "my_shift_legal")
    for case in differences(function):
        if case.yours:
            raise Wrong(f"{case.view}. You allow {case.action}: a dead end, since {case.why}.")
        raise Wrong(f"{case.view}. You forbid {case.action}, yet this ends well: {case.why}")
    same = same_searches(function)
    share = f"{same} of {len(SENTENCES)} bags, event by event, as with its own"
    if same < len(SENTENCES):
        said = f"All is well with four words; but the reference engine orders only {share}."
        raise Wrong(said, first_other_search(function))
    return f"No dead end, and nothing forbidden for nothing. The reference engine orders {share}."


def my_shift_legal(
    word: str,
    stack: list[str],
    bag: list[str],
    given: Mapping[str, str],
    attached: Mapping[str, set[str]],
) -> bool:
    """By the anchor, as in ``transition/actions``."""

    def line(unit: str) -> list[str]:
        return [unit, *line(given[unit])] if unit in given else [unit]

    def complete(unit: str) -> bool:
        return not {d for d in given if given[d] == unit} - attached[unit]

    anchor = next((unit for unit in reversed(stack) if unit in given or not complete(unit)), None)
    touched = {line(unit)[-1] for unit in {*given, *given.values()} - {*bag}}
    if anchor is None or line(word)[-1] not in touched:
        return True
    top = given[anchor] if complete(anchor) else anchor
    return top in line(word) and (top == anchor or top in bag)


def _solve_reducable() -> str:
    return (
        "def my_reducable(dependent, head, given, attached):\n"
        "    waiting = {word for word in given if given[word] == dependent} - attached[dependent]\n"
        "    return given.get(dependent, head) == head and not waiting\n"
        f"{_judge_reducable(my_reducable)}"
    )


def _solve_shift_legal() -> str:
    return (
        "def my_shift_legal(word, stack, bag, given, attached):\n"
        "    def line(one):  # a word, its head, the head of that, and so on\n"
        "        return [one, *line(given[one])] if one in given else [one]\n"
        "    def complete(one):\n"
        "        return not {d for d in given if given[d] == one} - attached[one]\n"
        "    anchors = [one for one in stack if one in given or not complete(one)]\n"
        "    touched = {line(one)[-1] for one in {*given, *given.values()} - {*bag}}\n"
        "    if not anchors or line(word)[-1] not in touched:\n"
        "        return True\n"
        "    anchor = anchors[-1]\n"
        "    if complete(anchor):  # it waits for its head\n"
        "        return given[anchor] in bag and given[anchor] in line(word)\n"
        "    return anchor in line(word)\n"
        f"{_judge_shift_legal(my_shift_legal)}"
    )


EXERCISES = (
    Exercise(
        "21.4",
        "Write REDUCABLE: may this word be attached to that head for good?",
        (
            "Two things may speak against it: another head is given; or something is missing.",
            "given.get(dependent) is None where no head is given.",
            "Its given dependents are the words w with given[w] == dependent. Which of them are "
            "not in attached[dependent]?",
        ),
        _judge_reducable,
        _solve_reducable,
    ),
    Exercise(
        "21.5",
        "Write your own legality test: may this word be shifted onto this stack?",
        (
            "Say True to everything, and look at the dead end that you are shown.",
            "Find the anchor: the topmost word of the stack that has a given head or waits for a "
            "given dependent. Without an anchor all is well.",
            "A word whose tree has not been begun may always come. Otherwise: if the anchor waits "
            "for dependents, only what is below it in the given tree may come.",
            "If the anchor waits for its head, and that is in the bag, the head may come, or what "
            "is below the head. If the head lies on the stack already, nothing of a begun tree.",
        ),
        _judge_shift_legal,
        _solve_shift_legal,
    ),
)
