"""A structured SVM that fits on a sheet of paper: three sentences, two features, all outputs known.

Each sentence has words that may go, modifiers or an object. Its outputs are all ways to leave some
of them out; the two features of an output count the modifiers and the objects that it leaves out.
The loss is the token Hamming loss of Cohn & Lapata (2009), section 3.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from nltk.tree import Tree

from wordorder_lab.transduction.losses import compression_loss
from wordorder_lab.transduction.working_set import Constraint

LINES = (
    "the old/m! storm closed the_harbor/o",
    "the long/m! dull/m! speech ended",
    "the old/m man slept",
)
"""What may go has a kind, m for a modifier and o for an object; what goes in the gold output has an
exclamation mark. The third sentence disagrees with the others about modifiers."""
KINDS = "mo"
NAMES = ("modifiers left out", "objects left out")


class Output(NamedTuple):
    """One output: its words, its two features, its loss against the gold output."""

    text: str
    features: tuple[float, float]
    loss: float


class KnownOutputs:
    """Examples for ``StructuredSVM`` whose outputs are all written down.

    ``outputs`` has a list for every example, ``gold`` the place of the right one in each.
    """

    def __init__(self, outputs: Sequence[Sequence[Output]], gold: Sequence[int]) -> None:
        self.outputs, self.gold = [[*candidates] for candidates in outputs], [*gold]

    def __len__(self) -> int:
        return len(self.outputs)

    def differences(self, i: int) -> np.ndarray:
        """Psi(gold) - Psi(output) for every output of an example, shape (outputs, features)."""
        features = np.array([output.features for output in self.outputs[i]], float)
        return features[self.gold[i]] - features

    def violations(self, i: int, weights: np.ndarray) -> np.ndarray:
        """H of every output (equation 11): its loss, less the margin that gold has over it."""
        losses = np.array([output.loss for output in self.outputs[i]])
        return losses - self.differences(i) @ weights

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The output with the highest H, the first of several."""
        place = int(np.argmax(self.violations(i, weights)))
        difference = self.differences(i)[place]
        ids = np.flatnonzero(difference)
        return Constraint(ids, difference[ids], float(self.outputs[i][place].loss))

    def mean_slack(self, weights: np.ndarray) -> float:
        """The mean over the examples of the highest H; it is at least 0, as gold has H = 0."""
        return float(np.mean([self.violations(i, weights).max() for i in range(len(self))]))

    def objective(self, weights: np.ndarray, C: float) -> float:
        """Equation 10 with the best slacks for these weights."""
        return float(weights @ weights) / 2 + C * self.mean_slack(weights)


def three_sentences() -> KnownOutputs:
    """The sentences of ``LINES``."""
    return KnownOutputs(*zip(*(_outputs(line) for line in LINES)))


def one_output(difference: Sequence[float], loss: float) -> KnownOutputs:
    """One example with one other output, dPsi and loss as given; gold has no features."""
    gold = Output("gold", (0.0,) * len(difference), 0.0)  # type: ignore[arg-type]
    other = tuple(-float(value) for value in difference)
    return KnownOutputs([[gold, Output("other", other, float(loss))]], [0])  # type: ignore[arg-type]


def _outputs(line: str) -> tuple[list[Output], int]:
    """All outputs of a line, the whole sentence first, and the place of the gold one."""
    pieces = [_piece(text) for text in line.split()]
    optional = [place for place, (_, kind, _) in enumerate(pieces) if kind]
    gold = {place for place, (*_, goes) in enumerate(pieces) if goes}
    reference = _tree([words for place, (words, *_) in enumerate(pieces) if place not in gold])
    loss, right = compression_loss("hamming-tokens", reference), -1
    outputs: list[Output] = []
    for choice in product((False, True), repeat=len(optional)):
        out = {place for place, goes in zip(optional, choice) if goes}
        tree = _tree([words for place, (words, *_) in enumerate(pieces) if place not in out])
        counts = [float(len([p for p in out if pieces[p][1] == kind])) for kind in KINDS]
        if out == gold:
            right = len(outputs)
        text = " ".join(tree.leaves())
        outputs.append(Output(text, (counts[0], counts[1]), loss.value(loss.of_tree(tree))))
    return outputs, right


def _piece(text: str) -> tuple[list[str], str, bool]:
    """The words of a piece, its kind or "", and whether it goes in the gold output."""
    words, _, kind = text.removesuffix("!").partition("/")
    return words.split("_"), kind, text.endswith("!")


def _tree(pieces: Sequence[Sequence[str]]) -> Tree:
    """A flat tree: tokens are all that this loss looks at."""
    return Tree("S", [Tree("W", [word]) for words in pieces for word in words])
