"""A compression model whose rules and n-grams come from some pairs, and whose weights from others.

Cohn & Lapata 2009 (end of section 4) say that reading the grammar off the pairs that weights are
learned from makes the learner dislike the coverage rules, and that other pairs would be a way out.
They leave it to future work; notebook 41 tries it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, learn, prepare, prepared_with
from wordorder_lab.systems.compression_examples import PairNGrams
from wordorder_lab.systems.training_run import TrainingOptions


def trained_apart(
    for_rules: Sequence[CompressionPair],
    for_weights: Sequence[CompressionPair],
    engine: str | None = None,
    **settings: Any,
) -> CompressionModel:
    """As ``wl.train``, but grammar and n-grams are read off ``for_rules``, and nothing else is.

    Pairs of ``for_weights`` that this grammar does not link are passed over. Raises ``ValueError``
    as ``wl.train``, and where the grammar links none of them.
    """
    chosen = Settings(**settings)
    first = prepare(for_rules, replace(chosen, folds=1), engine)
    pairs = [prepared_pair(pair) for pair in for_weights]
    ngrams = PairNGrams(first.ngrams, [first.ngrams])
    ready = prepared_with(pairs, chosen, first.grammar, ngrams, engine)
    return learn(ready, chosen, TrainingOptions(progress=False))
