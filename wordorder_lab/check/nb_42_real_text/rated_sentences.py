"""What is rated, and answers of a class that was never asked: invented, to show the analysis.

A simulation: each system has a true quality, each rater is strict or kind, each sentence hard or
easy, and there is chance; the sum is rounded to the five points of the scale.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from nltk.tree import Tree

QUALITY: dict[str, tuple[float, float]] = {"careful": (4.2, 3.6), "hasty": (3.1, 3.4)}
"""Of two invented systems: how grammatical they are, and how much of importance they keep."""
OTHERS = (3.6, 3.5)
"""The same of any other system."""
SPREAD = {"rater": 0.4, "sentence": 0.5, "chance": 0.6}
"""Standard deviations, in points."""


def shortened_most(
    sources: Sequence[Tree], outputs: Mapping[str, Sequence[Tree]], most: int
) -> list[int]:
    """The places of sentences of which systems left most out, by the system that left out least."""

    def rate(place: int) -> float:
        longest = max(len(made[place].leaves()) for made in outputs.values())
        return longest / len(sources[place].leaves())

    return sorted(sorted(range(len(sources)), key=rate)[:most])


def invented_answers(
    form: Any, quality: Mapping[str, tuple[float, float]] = QUALITY, seed: int = 42
) -> list[dict[str, Any]]:
    """Answers to all items of a rating form, as its ``answers`` has them; the same for a seed."""
    chance = random.Random(seed)
    raters = {rater: chance.gauss(0, SPREAD["rater"]) for rater in form.plan}
    sentences: dict[int, float] = {}
    for items in form.plan.values():
        for item in sorted(items, key=lambda one: one.sentence):
            if item.sentence not in sentences:
                sentences[item.sentence] = chance.gauss(0, SPREAD["sentence"])
    for rater, items in form.plan.items():
        for number, item in enumerate(items):
            names = ("grammaticality", "importance")
            for name, true in zip(names, quality.get(item.system, OTHERS), strict=True):
                points = true + raters[rater] + sentences[item.sentence]
                points += chance.gauss(0, SPREAD["chance"])
                form.rate(rater, number, name, min(5, max(1, round(points))))
    return list(form.answers)
