"""Outputs for pairs of sentences, by their rate and F1, and what random deletion would give."""

from __future__ import annotations

from collections.abc import Sequence

from nltk.tree import Tree

from wordorder_lab.metrics.compression import compression_rate
from wordorder_lab.metrics.compression_floors import random_deletion
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair


def rate_and_f1(outputs: Sequence[Tree], pairs: Sequence[CompressionPair]) -> tuple[float, float]:
    """Compression rate and relation F1 of an output for each pair.

    Raises ``ValueError`` for no pairs, or another number of outputs.
    """
    golds = [prepared_pair(pair) for pair in pairs]
    trees = [prepared(tree) for tree in outputs]
    rate = compression_rate(trees, [gold.source for gold in golds])
    return rate, relation_f1(trees, [gold.targets for gold in golds]).f1


def random_outputs(pairs: Sequence[CompressionPair], rate: float) -> list[Tree]:
    """Sources with words deleted at random, always the same ones, so that about ``rate`` is left.

    Raises ``ValueError`` for a rate that is not above 0 and at most 1.
    """
    return [random_deletion(pair, rate, seed=1) for pair in pairs]
