"""What the rate does: scores over rates, and one sentence at every length, behind stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nltk.tree import Tree

from wordorder_lab.metrics.compression import CompressionScores, score_compressions
from wordorder_lab.metrics.compression_floors import first_clause, keep_all, random_deletion
from wordorder_lab.plots.small_trees import aligned_words
from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair

RATES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of words that are asked for."""
FIRST = 3
"""The stop that is seen first."""

Scored = dict[float, CompressionScores]


def scored(outputs: Sequence[Tree], pairs: Sequence[CompressionPair]) -> CompressionScores:
    """All scores of outputs, capitals of beginnings undone on both sides."""
    return score_compressions(
        [prepared(tree) for tree in outputs], [prepared_pair(pair) for pair in pairs], samples=200
    )


def by_rate(model: Any, pairs: Sequence[CompressionPair]) -> Scored:
    """The scores of a model that deletes, by the rate that is asked of each sentence."""
    return {
        rate: scored([model.compress(pair.source, rate=rate).tree for pair in pairs], pairs)
        for rate in RATES
    }


def random_by_rate(pairs: Sequence[CompressionPair]) -> Scored:
    """The same for words deleted at random."""
    return {
        rate: scored([random_deletion(pair, rate, seed=1) for pair in pairs], pairs)
        for rate in RATES
    }


def floors(pairs: Sequence[CompressionPair]) -> dict[str, CompressionScores]:
    """Keep all, random deletion at the references' rate, and the first clause."""
    everything = scored([keep_all(pair) for pair in pairs], pairs)
    rate = everything.gold_rate
    return {
        "keep all": everything,
        "random deletion": scored([random_deletion(pair, rate, seed=1) for pair in pairs], pairs),
        "first clause": scored([first_clause(pair) for pair in pairs], pairs),
    }


def score_rows(scores: Mapping[str, CompressionScores]) -> list[dict[str, str]]:
    """Rates and F1s as rows of a table."""
    return [
        {
            "": name,
            "rate": f"{one.rate:.0%}",
            "relation F1": f"{one.relation_f1:.1%}",
            "4-gram F1": f"{one.fourgram_f1:.1%}",
            "unigram F1": f"{one.unigram_f1:.1%}",
        }
        for name, one in scores.items()
    ]


def at_every_rate(model: Any, tree: Tree) -> StepByStep:
    """A stop for each rate: the sentence, what is crossed out, and the score."""
    pages: dict[str, tuple[str, Any]] = {}
    for rate in RATES:
        found = model.compress(tree, rate=rate)
        kept = [*found.kept]
        says = f"{len(kept)} of {len(found.source)} words, score {found.score:.2f}: {found.text}"
        links = [(place, number) for number, place in enumerate(kept)]
        pages[f"{rate:.0%}"] = says, aligned_words([(found.source, found.words, links)])
    return step_by_step(pages, "One sentence at every rate", first=FIRST)
