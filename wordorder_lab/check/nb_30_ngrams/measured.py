"""What notebook 30 measures: the cost of a word by its place, whose fault, two systems compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.experiments.runs.evaluate import Evaluation
from wordorder_lab.metrics.significance import paired_bootstrap
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ngram_beam import NGramOrderer, tokens_of

NEAR = 1e-6
"""Scores of one sentence may differ by this, where they were added up in two ways."""
SHORTEST = 10
"""Words of a sentence that is cut into fifths, at least."""


def mean_cost(model: NGramModel, lines: Sequence[str], parts: int = 5) -> list[float]:
    """The mean log p(word | nothing) in each fifth of the lines, their last words left out.

    Lines of fewer than ``SHORTEST`` words do not count.
    """
    totals, counts = [0.0] * parts, [0] * parts
    for words in [line.split() for line in lines]:
        if len(words) < SHORTEST:
            continue
        for place, word in enumerate(words[:-1]):
            part = parts * place // (len(words) - 1)
            totals[part] += model.log_prob((), model.word_id(word))
            counts[part] += 1
    return [total / max(1, count) for total, count in zip(totals, counts, strict=True)]


def fault_counts(model: NGramOrderer, sentences: Sequence[Sentence], **search: Any) -> dict:
    """How many outputs are right, search errors, and model errors or ties; ``search`` as ``order``.

    ``mean log p`` is that of the outputs.
    """
    counts = {"right": 0, "search error": 0, "model error or tie": 0}
    total = 0.0
    for sentence in sentences:
        result = model.order(bag_of(sentence, pos=0), **search)
        total += result.score
        gold = model.ngrams.score(_tokens(model, sentence))
        if result.text == sentence.text:
            counts["right"] += 1
        elif gold > result.score + NEAR:
            counts["search error"] += 1
        else:
            counts["model error or tie"] += 1
    return {**counts, "mean log p": total / len(sentences)}


def _tokens(model: NGramOrderer, sentence: Sentence) -> list[str]:
    pairs = [tokens_of(unit.words, unit.pos, model.settings) for unit in sentence]
    return [token for tokens in pairs for token in tokens]


def beside(baseline: Evaluation, system: Evaluation) -> tuple[float, float]:
    """By how many points of BLEU the second is better, and p of the paired bootstrap.

    Raises ``ValueError`` where they are of different sentences.
    """
    compared = paired_bootstrap(baseline.outputs, system.outputs, system.references)
    return compared.difference, compared.p_value
