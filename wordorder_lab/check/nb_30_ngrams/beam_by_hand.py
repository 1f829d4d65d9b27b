"""Exercises 30.4 and 30.5: what a beam keeps with future cost, and what may be recombined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, NotAnswered, Wrong, function_of, is_blank

# --- 30.4: two beams ------------------------------------------------------------------------------

COSTS = {"the": -1.5, "of": -2.0, "closed": -6.0, "harbour": -7.0}
"""log p(word | nothing) of the four words of the bag."""
BEAM = 2
_BEGINNINGS = {
    "A": ("the of", -6.0),
    "B": ("the harbour", -7.5),
    "C": ("harbour of", -10.5),
    "D": ("of the", -4.8),
    "E": ("harbour closed", -11.0),
}


def _row(name: str) -> dict[str, Any]:
    begins, score = _BEGINNINGS[name]
    left = [word for word in COSTS if word not in begins.split()]
    costs = " and ".join(f"{word} ({COSTS[word]})" for word in left)
    return {"name": name, "begins": begins, "score": score, "left over": costs}


HYPOTHESES = tuple(map(_row, _BEGINNINGS))
"""The agenda that exercise 30.4 asks about: five hypotheses of two words."""


def totals(future_cost: bool) -> dict[str, float]:
    """What each hypothesis is ranked by."""
    ranked = {}
    for name, (begins, score) in _BEGINNINGS.items():
        left = sum(cost for word, cost in COSTS.items() if word not in begins.split())
        ranked[name] = score + left if future_cost else score
    return ranked


def kept(future_cost: bool) -> set[str]:
    """The names that a beam of two keeps."""
    ranked = totals(future_cost)
    return set(sorted(ranked, key=lambda name: -ranked[name])[:BEAM])


def _judge_beams(answer: Any) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong('Hand in two sets of names: ({"A", "B"}, {"A", "B"}).')
    for names, future_cost in zip(answer, (False, True), strict=True):
        how = "With" if future_cost else "Without"
        if not isinstance(names, str | set | frozenset | tuple | list):
            raise Wrong(f"{how} future cost: a set of two names is wanted, not {names!r}.")
        if is_blank(list(names)):
            raise NotAnswered
        yours, ranked = set(names), totals(future_cost)
        if len(yours) != BEAM or not yours <= ranked.keys():
            raise Wrong(f"{how} future cost: two of {', '.join(ranked)} are wanted.")
        if wrong := yours - kept(future_cost):
            name = min(wrong)
            better = min(kept(future_cost) - yours)
            raise Wrong(
                f"{how} future cost {name} stands at {ranked[name]:.1f}, and {better} is better."
            )
    return "By scores alone the cheap words come first, and what is dear stays for the end."


def _solve_beams() -> str:
    lines = []
    for future_cost, how in ((False, "without"), (True, "with")):
        each = ", ".join(f"{name} {total:.1f}" for name, total in totals(future_cost).items())
        lines.append(f"{how}: {' and '.join(sorted(kept(future_cost)))}, of {each}")
    return "\n".join(lines)


# --- 30.5: recombination --------------------------------------------------------------------------

ORDERS = (1, 2, 3, 4)
_BAG = "abcd"


def can_recombine(one: Sequence[str], two: Sequence[str], order: int) -> bool:
    """Whether all that may follow two beginnings of one bag is worth the same."""
    seen = order - 1
    same_end = not seen or list(one[-seen:]) == list(two[-seen:])
    return Counter(one) == Counter(two) and same_end


def _beginnings() -> list[list[str]]:
    return [[*one] for length in (1, 2, 3, 4) for one in permutations(_BAG, length)]


def _judge_recombining(answer: Any) -> str:
    same_future = function_of(answer, "same_future")
    pairs = 0
    for order in ORDERS:
        for one in _beginnings():
            for two in _beginnings():
                if len(one) != len(two):
                    continue
                yours, right = same_future([*one], [*two], order), can_recombine(one, two, order)
                if yours not in (True, False):
                    raise Wrong(f"True or False is wanted, not {yours!r}.")
                if bool(yours) != right:
                    raise Wrong(_why(one, two, order, right))
                pairs += 1
    return f"The same for {pairs:,} pairs of beginnings."


def _why(one: Sequence[str], two: Sequence[str], order: int, right: bool) -> str:
    told = f"'{' '.join(one)}' and '{' '.join(two)}' under an n-gram model of order {order}"
    if right:
        return f"{told}: the same is left over, and the model sees no difference."
    if Counter(one) != Counter(two):
        return f"{told}: different words are left over."
    return f"{told}: the next word is asked after {order - 1} words, and these differ."


def _solve_recombining() -> str:
    return (
        "def same_future(one, two, order):\n"
        "    first = max(0, len(one) - (order - 1))\n"
        "    return sorted(one) == sorted(two) and one[first:] == two[first:]\n"
        "With order 1 nothing is seen: one[-0:] would be the whole list."
    )


EXERCISES = (
    Exercise(
        "30.4",
        "Which two hypotheses does a beam keep, without and with future cost?",
        (
            "Without: the two highest scores. All are below 0, so the highest are nearest to 0.",
            "With: add to each score the costs of the words that are left over.",
        ),
        _judge_beams,
        _solve_beams,
    ),
    Exercise(
        "30.5",
        "Write when two hypotheses may be recombined.",
        (
            "What decides what may follow, and what it is worth? Two things.",
            "The words left over: two beginnings of one bag leave the same if they have the same.",
            "And the last order - 1 words. Mind order 1: one[-0:] is the whole list.",
        ),
        _judge_recombining,
        _solve_recombining,
    ),
)
