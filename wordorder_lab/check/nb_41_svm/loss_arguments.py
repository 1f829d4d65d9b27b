"""Exercise 41.1: losses and their arguments on paper, judged by the losses that training uses.

Cohn & Lapata 2009, section 3.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, NotAnswered, Wrong, is_number
from wordorder_lab.transduction.losses import compression_loss

REFERENCE = Tree.fromstring(
    "(S (NP (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (NN harbor))))"
)
PREDICTED = Tree.fromstring(
    "(S (NP (NP (DT the) (NN storm)) (PP (IN in) (NP (DT the) (NN night))))"
    " (VP (VBD closed) (NP (DT the) (NN harbor))))"
)
"""What is asked about. *the* is three times in the prediction, and twice in the reference."""

ASKED = {
    "hamming-tokens": ("TP", "FP", "the loss"),
    "hamming-cfg": ("TP", "FP", "the loss"),
    "edit": ("the loss",),
    "f1": ("the loss",),
}
"""The losses, and what is wanted of each."""


def numbers(name: str) -> tuple[float, ...]:
    """The numbers that are wanted of a loss."""
    loss = compression_loss(name, REFERENCE)
    counts = loss.of_tree(PREDICTED)
    arguments = counts if len(ASKED[name]) > 1 else ()
    return (*arguments, loss.value(counts))


def _judge(answer: Any) -> str:
    if not isinstance(answer, Mapping) or set(answer) != set(ASKED):
        raise Wrong(f"A dictionary is wanted, with the keys {', '.join(ASKED)}.")
    given = {name: _listed(answer[name]) for name in ASKED}
    if any(value is ... for values in given.values() for value in values):
        raise NotAnswered
    for name, wanted in ASKED.items():
        if len(given[name]) != len(wanted):
            raise Wrong(f"{name}: wanted is {', '.join(wanted)}, so {len(wanted)} numbers.")
        for what, yours, right in zip(wanted, given[name], numbers(name), strict=True):
            if not is_number(yours):
                raise Wrong(f"{name}, {what}: a number is wanted, not {yours!r}.")
            if not isclose(yours, right, abs_tol=0.005):
                raise Wrong(f"{name}, {what}: {float(yours):g} it is not. {_why(name, what)}")
    return "The same three words too many cost 2, 4, 3 or 0.23. Losses are not to be compared."


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def _why(name: str, what: str) -> str:
    """What to look at again."""
    if name.startswith("hamming"):
        if what == "the loss":
            return "Equation 12 is FP + max(l - (TP + FP), 0), and divides by nothing."
        kind = "word" if name == "hamming-tokens" else "production, those of words included,"
        return f"Every {kind} of the prediction counts, and each time; is it in the reference?"
    return "Here a word is right at most as often as it is in the reference."


def _solve() -> str:
    lines = []
    for name, wanted in ASKED.items():
        values = zip(wanted, numbers(name), strict=True)
        lines.append(f"{name}: {', '.join(f'{what} {value:.4g}' for what, value in values)}")
    return (
        "\n".join(lines) + "\nTokens: in and night are wrong; all three the's are right, since "
        "Hamming does not count how often. Productions: [NP NP PP], [PP IN NP], in and night are "
        "wrong. Edit and F1: 8 words and 5 words, 5 of them in common, the third the is not."
    )


EXERCISES = (
    Exercise(
        "41.1",
        "Arguments and values of four losses, by hand.",
        (
            "Go through the words of the prediction one by one: is it in the reference? For "
            "Hamming losses it does not matter how often. So TP + FP is 8.",
            "Productions: [S NP VP] is one, [NN storm] is one. The prediction has 15, 9 + 6.",
            "edit is p + r - 2 x (words in common), F1 is 1 - 2PR / (P + R). Both clip: the third "
            "the has no partner.",
        ),
        _judge,
        _solve,
    ),
)
