"""The scores of a compression system over many sentences, as tables report them.

Cohn & Lapata 2009, sections 5.3 and 6: the compression rate and relation F1; with them the n-gram
F1s that later papers print. An F1 says nothing without its rate: compare systems at about the
same rate, beside the floors of ``compression_floors``.
Unigram F1 hardly tells systems apart: keeping every word already gets above 80 % on the corpora of
Clarke & Lapata.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.metrics.bag_f1 import BagScore, Shared, check_golds, score_bags
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.metrics.significance import SAMPLES, SEED
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.plain_tree import Tree

ORDERS = ("unigram", "bigram", "trigram", "fourgram")


@dataclass(frozen=True, slots=True)
class CompressionScores:
    """What an evaluation of compressions reports; shares, rates and F1s are between 0 and 1.

    ``rate`` is all words out by all words in, ``mean_rate`` the mean of the sentences' rates,
    ``gold_rate`` that of the references (of several their mean). ``exact_match`` is the share of
    outputs that are, word for word, one of their references. Precision, recall and F1 add up the
    counts of all sentences; ``..._f1_mean`` averages the sentences' F1s, and
    ``relation_f1_interval`` is the 95 % interval of ``relation_f1`` by drawing sentences.
    ``references`` says how several references count: "mean" or "best", see ``bag_f1``.
    """

    sentences: int
    references: str
    rate: float
    mean_rate: float
    gold_rate: float
    relation_precision: float
    relation_recall: float
    relation_f1: float
    relation_f1_interval: tuple[float, float]
    relation_f1_mean: float
    relation_precision_labelled: float
    relation_recall_labelled: float
    relation_f1_labelled: float
    relation_f1_labelled_interval: tuple[float, float]
    relation_f1_labelled_mean: float
    unigram_f1: float
    bigram_f1: float
    trigram_f1: float
    fourgram_f1: float
    unigram_f1_mean: float
    bigram_f1_mean: float
    trigram_f1_mean: float
    fourgram_f1_mean: float
    exact_match: float

    def to_dict(self) -> dict[str, object]:
        """The scores as JSON-ready values; an interval is a list of its two ends."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}

    def __str__(self) -> str:
        """A table to print; F1s, precision and recall in percent, as papers print them."""
        percent = {
            "rate": f"{self.rate:>7.2%}  (references {self.gold_rate:.2%})",
            "relation F1": self._relation_line(""),
            "  labelled": self._relation_line("_labelled"),
            **{
                f"{order} F1": f"{getattr(self, f'{order}_f1'):>7.2%}  "
                f"(mean of the sentences {getattr(self, f'{order}_f1_mean'):.2%})"
                for order in ORDERS
            },
            "exact match": f"{self.exact_match:>7.2%}",
        }
        lines = [f"{'sentences':<14}{self.sentences:>6}"]
        return "\n".join(lines + [f"{name:<14}{value}" for name, value in percent.items()])

    def _relation_line(self, kind: str) -> str:
        low, high = getattr(self, f"relation_f1{kind}_interval")
        precision, recall = (getattr(self, f"relation_{x}{kind}") for x in ("precision", "recall"))
        score = f"{getattr(self, f'relation_f1{kind}'):>7.2%}  (95 %: {low:.2%} to {high:.2%};"
        return f"{score} precision {precision:.2%}, recall {recall:.2%})"


def score_compressions(
    outputs: Sequence[Tree],
    pairs: Sequence[CompressionPair],
    *,
    references: str = "mean",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> CompressionScores:
    """All scores of a system; ``samples`` and ``seed`` are those of the intervals.

    Raises ``ValueError`` for lists that do not fit, and a broken tree, by its number from 1.
    """
    golds = [pair.targets for pair in pairs]
    plain, labelled = (
        relation_f1(outputs, golds, labelled=kind, references=references) for kind in (False, True)
    )
    words = [list(output.leaves()) for output in outputs]
    gold_words = [[list(target.leaves()) for target in pair.targets] for pair in pairs]
    sources = [pair.source for pair in pairs]
    f1s: dict[str, Any] = {}
    for kind, relation in (("", plain), ("_labelled", labelled)):
        f1s[f"relation_precision{kind}"] = relation.precision
        f1s[f"relation_recall{kind}"] = relation.recall
        f1s[f"relation_f1{kind}"] = relation.f1
        f1s[f"relation_f1{kind}_interval"] = relation.interval(samples=samples, seed=seed)
        f1s[f"relation_f1{kind}_mean"] = relation.mean_f1
    for n, order in enumerate(ORDERS, 1):
        ngram = corpus_ngram_f1(words, gold_words, n, references=references)
        f1s[f"{order}_f1"], f1s[f"{order}_f1_mean"] = ngram.f1, ngram.mean_f1
    return CompressionScores(
        sentences=len(pairs),
        references=references,
        rate=compression_rate(outputs, sources),
        mean_rate=mean_rate(outputs, sources),
        gold_rate=gold_rate(pairs),
        **f1s,
        exact_match=sum(out in several for out, several in zip(words, gold_words)) / len(words),
    )


# --- the compression rate -------------------------------------------------------------------------


def compression_rate(outputs: Sequence[Tree], sources: Sequence[Tree]) -> float:
    """All words out by all words in: 1 if nothing was deleted.

    Like the other rates, raises ``ValueError`` for lists that do not fit and sources without words.
    """
    out, into = _lengths(outputs, sources)
    return sum(out) / sum(into)


def mean_rate(outputs: Sequence[Tree], sources: Sequence[Tree]) -> float:
    """The mean of the sentences' rates: a short sentence counts as much as a long one."""
    out, into = _lengths(outputs, sources)
    return math.fsum(kept / length for kept, length in zip(out, into)) / len(out)


def gold_rate(pairs: Sequence[CompressionPair]) -> float:
    """The rate of the references; of a sentence with several the mean length counts."""
    check_golds(pairs, [pair.targets for pair in pairs])
    lengths = [[len(target.leaves()) for target in pair.targets] for pair in pairs]
    words_in = _words_in([pair.source for pair in pairs])
    return math.fsum(sum(several) / len(several) for several in lengths) / sum(words_in)


def _lengths(outputs: Sequence[Tree], sources: Sequence[Tree]) -> tuple[list[int], list[int]]:
    check_golds(outputs, [(source,) for source in sources])
    return [len(output.leaves()) for output in outputs], _words_in(sources)


def _words_in(sources: Sequence[Tree]) -> list[int]:
    words_in = [len(source.leaves()) for source in sources]
    if 0 in words_in:
        raise ValueError(f"the source of sentence {words_in.index(0) + 1} has no words")
    return words_in


# --- n-grams --------------------------------------------------------------------------------------


def ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The stretches of ``n`` words, as a bag, without pads; a shorter sentence counts as one
    stretch.

    Raises ``ValueError`` for ``n`` below 1.
    """
    if n < 1:
        raise ValueError(f"n-grams of {n} words: n is at least 1")
    n = min(n, len(words)) or 1
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def ngram_f1(output: Sequence[str], reference: Sequence[str], n: int) -> float:
    """F1 of the n-grams of one sentence against one reference, given as words; from 0 to 1."""
    return Shared.of(ngrams(output, n), ngrams(reference, n)).f1


def corpus_ngram_f1(
    outputs: Sequence[Sequence[str]],
    golds: Sequence[Sequence[Sequence[str]]],
    n: int,
    *,
    references: str = "mean",
) -> BagScore:
    """Precision, recall and F1 of the n-grams of many outputs, each with one reference or more."""
    made = [ngrams(words, n) for words in outputs]
    gold = [[ngrams(words, n) for words in several] for several in golds]
    return score_bags(made, gold, references=references)
