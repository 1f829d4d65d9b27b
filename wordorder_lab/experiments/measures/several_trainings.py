"""Rows of a model that was trained several times, from other orders of its sentences: the score of
each training, and how far their mean may be off."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, variance

from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.metrics.randomisation import rise
from wordorder_lab.metrics.significance import SCALES

Rows = Sequence[Table]
SEEDS = ("training_seed", "seed")
"""Columns that say from which order of the sentences a model learned."""


def told_of_each(rows: Rows, first: Sequence[int], second: Sequence[int], on: str) -> str:
    """The scores of single trainings, where models were trained several times."""
    scores = [scores_of_each(rows, of, on) for of in (first, second)]
    if not all(scores) or max(map(len, scores)) < 2:
        return ""
    of = (" ".join(f"{one:.2f}" for one in group) for group in scores)
    return f"; single trainings {' against '.join(of)}"


def scores_of_each(rows: Rows, group: Sequence[int], on: str) -> list[float]:
    """The score of each training, in points: where each order of the sentences was learned from
    under several settings, their mean. Nothing where rows differ in something else alone."""
    orders: dict[object, list[float]] = {}
    for i in group:
        orders.setdefault(seed_of(rows[i]), []).append(SCALES.get(on, 1.0) * rows[i][on])
    several = all(rows[i].get("shuffle") for i in group)
    alike = len({*map(len, orders.values())}) == 1
    return [mean(orders[one]) for one in orders] if len(group) == 1 or (several and alike) else []


def rises_of_each(rows: Rows, points: Sequence[Sequence[int]], on: str) -> list[float]:
    """How far the line through the points of each training rises, in points of the score."""
    several = [scores_of_each(rows, point, on) for point in points]
    alike = len({*map(len, several)}) == 1
    return [rise(curve) for curve in zip(*several, strict=True)] if alike else []


def variance_of_mean(several: Sequence[float]) -> float:
    """The variance of the mean of several trainings; of one nothing is known, and it is 0."""
    return variance(several) / len(several) if len(several) > 1 else 0.0


def seed_of(row: Table) -> object:
    """Which order of the sentences a row's model learned from."""
    return next((row[name] for name in SEEDS if name in row), None)
