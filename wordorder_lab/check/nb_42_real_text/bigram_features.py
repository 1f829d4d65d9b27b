"""Which features a bigram of kept words has, and what each of them weighs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from nltk.tree import Tree

from wordorder_lab.systems.mcdonald_2006 import DeletionModel, sentence_of

START, END = "start", "end"


def features_of(model: DeletionModel, tree: Tree, i: int, j: int, most: int = 8) -> list[dict]:
    """The features of keeping position j straight after i, those that weigh most as rows.

    A position is 0 for the start, 1 to n for words, n + 1 for the end. The last row has what all
    others add up to.
    """
    parts = model.features.parts(sentence_of(tree))
    names = {number: key for key, number in model.features.numbers.items()}
    weighed = []
    for row in parts.bigram(i, j):
        for number in parts.ids[parts.starts[row] : parts.starts[row + 1]].tolist():
            weighed.append((model.features.name(names[number]), float(model.weights[number])))
    weighed.sort(key=lambda one: -abs(one[1]))
    rows = [{"feature": name, "weight": weight} for name, weight in weighed[:most]]
    rest = weighed[most:]
    if rest:
        others = 0.0
        for _, weight in rest:
            others += weight
        rows.append({"feature": f"{len(rest)} more", "weight": others})
    return rows


def widest_bigram(model: DeletionModel, tree: Tree) -> tuple[int, int]:
    """The bigram of the best compression that drops most, as positions; the first of several."""
    found = model.compress(tree)
    ends = [0, *(place + 1 for place in found.kept), len(found.source) + 1]
    return max(pairwise(ends), key=lambda pair: pair[1] - pair[0])


def bigram_named(tree: Tree, i: int, j: int) -> str:
    """Both words and what is dropped between them, to print."""
    words = [START, *sentence_of(tree).words, END]
    dropped = " ".join(words[i + 1 : j]) or "nothing"
    return f"{words[i]} … {words[j]}, dropped: {dropped}"


def score_of(model: DeletionModel, tree: Tree, i: int, j: int) -> float:
    """What the lattice has for that bigram."""
    scores: Any = model.bigram_scores(sentence_of(tree))
    return float(scores[i, j])
