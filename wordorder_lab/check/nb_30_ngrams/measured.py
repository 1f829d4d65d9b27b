"""What notebook 30 measures: the cost of a word by its place, whose fault, two systems compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from wordorder_lab.analysis.gold_score import MODEL, RIGHT, SEARCH, TIE
from wordorder_lab.experiments.runs.evaluate import Evaluation
from wordorder_lab.exploring.explore import errors
from wordorder_lab.metrics.significance import paired_bootstrap
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ngram_beam import NGramOrderer

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

    ``mean log p`` is that of the outputs. Raises ``ValueError`` for no sentences.
    """
    frame = errors(model, sentences, pos=0, **search)
    faults = Counter(frame["fault"])
    return {
        "right": faults[RIGHT],
        "search error": faults[SEARCH],
        "model error or tie": faults[MODEL] + faults[TIE],
        "mean log p": float(frame["score"].mean()),
    }


def beside(baseline: Evaluation, system: Evaluation) -> tuple[float, float]:
    """By how many points of BLEU the second is better, and p of the paired bootstrap.

    Raises ``ValueError`` where they are of different sentences.
    """
    compared = paired_bootstrap(baseline.outputs, system.outputs, system.references)
    return compared.difference, compared.p_value
