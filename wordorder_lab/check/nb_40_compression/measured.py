"""What notebook 40 measures: scores beside the floors, and what cube pruning saves and loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wordorder_lab.metrics.compression import CompressionScores, score_compressions
from wordorder_lab.metrics.compression_floors import keep_all, random_deletion
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel

BONUSES = (-1, -0.5, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.2, 2)
RATES = (0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0)
WIDE = 1000
"""Items a cell of the search with which others are compared."""

LOUDER = {"n-gram log-probability": 0.5, "Word count: target terminals": 2.5}
"""Weights with which n-grams have more to say; words need a bonus then, or hardly one stays."""

Measured = dict[float, CompressionScores]


def held_against_floors(
    model: CompressionModel, pairs: Sequence[CompressionPair]
) -> tuple[Measured, Measured, CompressionScores]:
    """The model's scores by the bonus for a word, random deletion's by rate, and keep all's."""

    def scores(outputs: list) -> CompressionScores:
        return score_compressions(outputs, pairs, samples=200)

    by_bonus: Measured = {}
    for bonus in BONUSES:
        by_bonus[bonus] = scores([model.compress(p.source, bonus=bonus).tree for p in pairs])
    rates = {*RATES, by_bonus[0.0].gold_rate}
    at_random: Measured = {}
    for rate in sorted(rates):
        at_random[rate] = scores([random_deletion(pair, rate, seed=1) for pair in pairs])
    return by_bonus, at_random, scores([keep_all(pair) for pair in pairs])


def louder_ngrams(model: CompressionModel) -> CompressionModel:
    """The same model with other weights for n-grams and words, those of ``LOUDER``."""
    values = model.weights.copy()
    for name, weight in LOUDER.items():
        values[model.features.numbers[name]] = weight
    return replace(model.unshared(), weights=values)


def by_beam(
    model: CompressionModel, pairs: Sequence[CompressionPair], beams: Sequence[int], search: str
) -> tuple[dict[int, float], dict[int, float]]:
    """Combinations a sentence by beam, and the share of sentences whose best derivation is lost.

    The best is what a beam of ``WIDE`` items finds.
    """
    best = [model.compress(pair.source, beam=WIDE).score for pair in pairs]
    work, lost = {}, {}
    for beam in beams:
        ends = [model.compress(pair.source, beam=beam, search=search) for pair in pairs]
        work[beam] = sum(end.counters["combinations"] for end in ends) / len(pairs)
        lost[beam] = sum(end.score < score for end, score in zip(ends, best)) / len(pairs)
    return work, lost
