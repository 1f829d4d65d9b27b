"""Exercise 42.4: which family of constraints has made which output?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.deletion.constraints import NAMES, constraints
from wordorder_lab.deletion.integer_programme import solve
from wordorder_lab.structures.deletion import DeletionSentence

TREE = Tree.fromstring(
    "(S (NP (PRP He)) (VP (VBD did) (RB not) (VP (VB sell) (NP (PRP$ his) (JJ old) (NNS shares)) "
    "(PRN (-LRB- -LRB-) (NP (CD ten)) (-RRB- -RRB-)))) (. .))"
)
"""The sentence; its scores are ours, so small that each family tells."""
POINTS = (-1.0, -1.0, -0.5, 2.0, -0.5, 1.0, -0.5, -1.0, 1.5, -1.0, 0.5)
"""What keeping a word brings, whatever stands beside it."""
ASKED = ("negation", "brackets", "pronouns", "modifiers")
"""The families that were switched on, one at a time; outputs 1, 2, ... are in this order."""


def points_as_scores(points: Sequence[float]) -> np.ndarray:
    """Scores of bigrams that know only their right word: float64 of shape (n + 2, n + 2)."""
    scores = np.zeros((len(points) + 2, len(points) + 2))
    scores[:, 1:-1] = points
    return scores


def output_under(names: Sequence[str]) -> str:
    """What stays under these families."""
    sentence = DeletionSentence.of_tree(TREE)
    found = solve(points_as_scores(POINTS), constraints(sentence, names))
    assert found is not None, "every family can be obeyed here"
    return " ".join(sentence.words[place] for place in found.kept)


def four_outputs() -> list[dict[str, str]]:
    """The sentence, what stays without constraints, and with each family, as rows."""
    rows = [{"": "all words", "stays": " ".join(TREE.leaves())}]
    rows.append({"": "no constraints", "stays": output_under(())})
    for number, name in enumerate(ASKED, 1):
        rows.append({"": f"output {number}", "stays": output_under([name])})
    return rows


def _judge(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong(f"A list of {len(ASKED)} names is wanted, for outputs 1 to {len(ASKED)}.")
    for number, (yours, right) in enumerate(zip(answer, ASKED, strict=True), 1):
        if yours not in NAMES:
            raise Wrong(f"Output {number}: {yours!r} is no family; there are {', '.join(NAMES)}.")
        if output_under([yours]) != output_under([right]):
            raise Wrong(f"Output {number}: with {yours} it would be: {output_under([yours])}")
    return "Each family looks at something else in the tree, and at nothing besides."


def _solve() -> str:
    return f"{list(ASKED)}"


EXERCISES = (
    Exercise(
        "42.4",
        "Which constraint made which output?",
        (
            "Compare each output with the one without constraints: which word came, which went?",
            "A word that came is one that something else needs; the tree says what.",
            "The families are " + ", ".join(NAMES) + ".",
        ),
        _judge,
        _solve,
    ),
)
