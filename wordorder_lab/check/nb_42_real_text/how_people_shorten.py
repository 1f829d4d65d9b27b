"""How people shorten, in numbers: rates by annotator, and how far two of them agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from wordorder_lab.check.nb_42_real_text.own_kappa import kappa
from wordorder_lab.check.nb_42_real_text.pairs_at_hand import Material
from wordorder_lab.plots.lines import lines
from wordorder_lab.structures.compression import TextPair

BINS = 10
"""Bars of the histogram, from 0 to 1."""


def rates_by_annotator(material: Material) -> dict[str, list[float]]:
    """Words kept by words there, a number for each sentence, by who shortened it."""
    if not material.is_real:
        pairs = (*material.train, *material.held_out)
        rates = [len(pair.target.leaves()) / len(pair.source.leaves()) for pair in pairs]
        return {f"{material.name}, by rule": rates}
    people = max(len(text.targets) for text in material.texts)
    return {
        f"annotator {number + 1}": [
            len(text.targets[number]) / len(text.source)
            for text in material.texts
            if number < len(text.targets)
        ]
        for number in range(people)
    }


def histogram(rates: Mapping[str, Sequence[float]]) -> Any:
    """A curve for each annotator: the share of sentences by rate."""
    curves = {}
    for name, values in rates.items():
        counts = [0] * (BINS + 1)
        for value in values:
            counts[int(value * BINS)] += 1
        curves[name] = {i / BINS: count / len(values) for i, count in enumerate(counts)}
    return lines(curves, "rate (words kept by words there)", "share of sentences", percent="xy")


def agreement(material: Material) -> list[dict[str, Any]]:
    """For two annotators the share of words on which they agree, and kappa, over all sentences.

    Empty where only one has shortened each sentence.
    """
    rows = []
    for a, b in combinations(range(max((len(t.keeps) for t in material.texts), default=0)), 2):
        first, second = _kept(material.texts, a, b)
        same = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
        rows.append(
            {
                "annotators": f"{a + 1} and {b + 1}",
                "words": len(first),
                "same answer": same,
                "kappa": kappa(first, second),
            }
        )
    return rows


def _kept(texts: Sequence[TextPair], a: int, b: int) -> tuple[list[bool], list[bool]]:
    """What two annotators say of every word, sentence after sentence."""
    first: list[bool] = []
    second: list[bool] = []
    for text in texts:
        if max(a, b) < len(text.keeps):
            one, other = text.keeps[a], text.keeps[b]
            if one is not None and other is not None:
                first += one
                second += other
    return first, second
