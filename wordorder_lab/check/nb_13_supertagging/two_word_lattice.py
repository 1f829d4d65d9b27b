r"""Exercise 13.3: forward and backward sums over two words, on paper."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.supertagging.features import FIRST
from wordorder_lab.supertagging.forward_backward import forward_backward

NAMES = ("her: NP[nb]/N", "her: NP", "duck: N", r"duck: S[b]\NP")
"""The four probabilities that are asked for."""
HER = (0.7, 0.3)
"""p(category of her), at the beginning of the sentence."""
DUCK = ((0.9, 0.02), (0.1, 0.4))
"""p(category of duck | category of her); a row for each of the latter."""
NEAR = 0.006


def lattice() -> list[dict[str, Any]]:
    """The numbers as rows of a table."""
    names = [name.partition(": ")[2] for name in NAMES]
    heads = [f"p({name} | her)" for name in names[2:]]
    return [
        {"her is": name, "p(her)": first, **dict(zip(heads, behind, strict=True))}
        for name, first, behind in zip(names, HER, DUCK)
    ]


def marginals() -> list[float]:
    """What the supertagger's own sums give, in the order of ``NAMES``."""

    def local(i: int, _before: int, last: int) -> tuple[float, ...]:
        return HER if i == 0 else DUCK[last - FIRST]

    (her, duck) = forward_backward([[0, 1], [0, 1]], local, width=0.0)
    return [*her, *duck]


def _judge_lattice(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != len(NAMES):
        raise Wrong(f"A list of {len(NAMES)} probabilities is wanted: {', '.join(NAMES)}.")
    for yours, right, name in zip(answer, marginals(), NAMES, strict=True):
        if not is_number(yours):
            raise Wrong(f"{name}: a number is wanted, not {yours!r}.")
        if abs(yours - right) <= NEAR:
            continue
        alone = name.startswith("her") and abs(yours - HER[NAMES.index(name)]) <= NEAR
        more = " That is what it was before anybody looked at duck." if alone else ""
        raise Wrong(f"{name}: {yours:g} is not its share of all sequences.{more}")
    return (
        "The second word has changed what we think of the first: her was a determiner with 0.70, "
        f"and is one with {marginals()[0]:.2f} now. That is what the backward sums are for."
    )


def _solve_lattice() -> str:
    parts = [HER[i] * DUCK[i][j] for i in (0, 1) for j in (0, 1)]
    shown = ", ".join(f"{part:.3f}" for part in parts)
    rounded = [round(value, 3) for value in marginals()]
    return (
        f"The four sequences have {shown}, together {sum(parts):.3f}. A category's share is what "
        f"its two sequences have of that: {rounded}."
    )


EXERCISES = (
    Exercise(
        "13.3",
        "Forward-backward sums over two words.",
        (
            "There are four sequences. Each has a product of two numbers.",
            "The products do not add up to 1: duck has other categories, which are no candidates "
            "here. So divide by their sum.",
            "P(her is NP) is what the two sequences with that NP have, over the sum of all four.",
        ),
        _judge_lattice,
        _solve_lattice,
    ),
)
