"""Searches of the learner: for the best derivation of a pair by score, or by score and loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.check.common.small_transducer import problem_of
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.systems.cohn_lapata_2009 import begin_trace
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.features import NGRAM_ID, application_scores
from wordorder_lab.transduction.losses import compression_loss
from wordorder_lab.transduction.problem import BEAMS, TransductionInput


def decoded(example: Any, weights: np.ndarray, loss: Any = None, trace: Any = None) -> Any:
    """The best derivation of a learner's example by score, or with ``loss`` by score and loss."""
    scores = application_scores(example.rows, weights)
    weight = float(weights[NGRAM_ID])
    given = TransductionInput(example.problem, scores, example.ngrams, weight, loss)
    if trace is not None:
        begin_trace(example.problem, scores, BEAMS["training"], trace)
    return StsgChart(given, BEAMS["training"], trace=trace).run().best[0]


def chart_items(pair: CompressionPair, loss: str | None) -> int:
    """How many items an exact chart has that is searched by this loss alone, or by nothing.

    Raises ``ValueError`` for an unknown loss.
    """
    pair = prepared_pair(pair)
    of_pair = None if loss is None else compression_loss(loss, pair.target)
    return _by_loss_alone(problem_of(pair.source), of_pair).counters["items"]


def highest_loss(example: Any) -> float:
    """The highest loss that any output of a learner's example has."""
    return float(_by_loss_alone(example.problem, example.loss).best[0].loss)


def _by_loss_alone(problem: Any, loss: Any) -> Any:
    silent = estimate([["nothing"]], 1)  # no contexts: only the loss tells items apart
    scores = [0.0] * len(problem.applications)
    return StsgChart(TransductionInput(problem, scores, silent, 0.0, loss), BEAMS["exact"]).run()
