"""What the score of a bigram of kept words is made of: its features, in words.

A path is the sum of its bigrams. Of the ways into a word those are explained that come first, and
all of the paths that were told of, since the others are many and nobody asks why they lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wordorder_lab.deletion.features import DeletionFeatures, Key, SentenceParts
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.structures.reasons import Parts, Reasons
from wordorder_lab.structures.trace import Event

WAYS = 3
"""Of the ways into a word so many are explained, the best."""
SAYS = {
    "kept": "kept word",
    "pair": "both kept words",
    "dropped": "dropped word",
    "left": "dropped word beside the one on its left",
    "right": "dropped word beside the one on its right",
    "whole": "phrase that is dropped",
    "begun": "phrase without its beginning",
    "ended": "phrase without its end",
}
LOOKS = {
    "t0": "tag",
    "t-1": "tag before",
    "t+1": "tag after",
    "t-2": "second tag before",
    "t+2": "second tag after",
    "w0": "word",
    "ht": "tag of its head",
    "wh": "its head",
    "ti": "tag on the left",
    "tj": "tag on the right",
    "ti+1": "tag after the left one",
    "tj-1": "tag before the right one",
    "wi": "word on the left",
    "wj": "word on the right",
    "ti-1": "tag before the left one",
    "tj+1": "tag after the right one",
    "gap": "words between",
    "c": "label",
    "p": "label above",
    "cl": "label on its left",
    "cr": "label on its right",
    "head": "tag of its head",
    "hw": "its head",
}
"""What templates look at, where the name alone does not say it."""


def told_choices(events: Sequence[Event]) -> Iterator[tuple[str, list[int]]]:
    """Choices of words that a log tells of whole, by their names there, and their places from 0:
    ``path 0`` is the best whatever a programme demands, ``programme`` what that keeps."""
    for kind, *values in events:
        if kind == "path":
            yield f"path {values[0]}", values[2]
        elif kind == "programme":
            yield "programme", values[1]


@dataclass(frozen=True)
class BigramReasons:
    """Explains the bigrams of one sentence; ``bonus`` is that for every kept word."""

    features: DeletionFeatures
    weights: np.ndarray
    sentence: DeletionSentence
    bonus: float

    def __call__(self, events: Sequence[Event]) -> Reasons:
        """The points of the bigrams that are shown, by both words: "2 5"."""
        keys, parts = [*self.features.numbers], self.features.parts(self.sentence)
        shown = sorted({*self._shown(events)})
        return Reasons({f"{i} {j}": self.points(i, j, keys, parts) for i, j in shown})

    def _shown(self, events: Sequence[Event]) -> Iterator[tuple[int, int]]:
        ways: dict[int, dict[int, float]] = {}
        for kind, *values in events:
            if kind == "bigram":
                left, right, _, total, _ = values
                known = ways.setdefault(right, {})
                known[left] = max(total, known.get(left, total))
        for _, kept in told_choices(events):
            yield from pairwise([0, *(place + 1 for place in kept), len(self.sentence) + 1])
        for right, known in ways.items():
            best = sorted(known, key=lambda left: (-known[left], left))
            yield from ((left, right) for left in best[:WAYS])

    def points(self, i: int, j: int, keys: Sequence[Key], parts: SentenceParts) -> Parts:
        """What keeping j straight after i scores."""
        found = []
        for row in parts.bigram(i, j):
            for number in parts.ids[parts.starts[row] : parts.starts[row + 1]].tolist():
                found.append((self.says(keys[number]), float(self.weights[number])))
        if self.bonus and j <= len(self.sentence):
            found.append(("bonus for a kept word", self.bonus))
        return [(text, points) for text, points in found if points]

    def says(self, key: Key) -> str:
        """A feature in words: "dropped word: tag “JJ”"."""
        template = self.features.templates.every[int(key[0])]
        looks = [LOOKS.get(atom, atom) for atom in template.atoms]
        told = ", ".join(f"{look} “{value}”" for look, value in zip(looks, key[1:], strict=True))
        return f"{SAYS[template.part]}: {told}"
