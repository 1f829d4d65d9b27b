"""What the structured SVM learns compression from: pairs with their gold derivations.

Cohn & Lapata (2009), section 3.5: for a pair the search looks for the derivation that is both high
scoring and has a high loss (equation 11).
Pairs dealt into folds, and the text that n-grams are counted in.

A source that three people have shortened is three pairs to learn from (their names end in ``#1``,
``#2``, ``#3``). Its words are in the text once all the same, and no fold learns from a document
that another one is scored on: whoever has read the news of half past six knows its names.

Differences
- *Paper silent*: Cohn & Lapata (2009), section 6.1, has the n-grams of other text, the BNC, and so
  no need of folds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.features import (
    NGRAM_ID,
    FeatureRows,
    RuleFeatures,
    application_scores,
    derivation_features,
)
from wordorder_lab.transduction.gold import NoDerivation, gold_derivation, why_unlinked
from wordorder_lab.transduction.grammar import GrammarSettings, SynchronousGrammar
from wordorder_lab.transduction.losses import Loss, compression_loss
from wordorder_lab.transduction.problem import (
    Beam,
    TransductionInput,
    TransductionProblem,
    transduction_problem,
)
from wordorder_lab.transduction.working_set import Constraint

Search = Callable[[int, np.ndarray], tuple[tuple[int, ...], float]]
"""From the number of a pair and the weights to the derivation found, and its loss."""


class Example(NamedTuple):
    """A pair made ready: where rules match, their features, the gold derivation and its own."""

    name: str
    ngrams: NGramModel
    problem: TransductionProblem
    target: PhraseNodes
    rows: FeatureRows
    loss: Loss
    gold: tuple[int, ...]
    features: dict[int, float]


class PairNGrams(NamedTuple):
    """The n-grams of a training: ``whole`` scores outputs, a pair is learned with its fold's.

    ``fold`` has the fold of each pair; without it all are of the first.
    """

    whole: NGramModel
    folds: Sequence[NGramModel]
    fold: Sequence[int] = ()

    def of(self, i: int) -> NGramModel:
        """The model that pair ``i`` is learned with."""
        return self.folds[self.fold[i] if self.fold else 0]


@dataclass(frozen=True)
class ExampleOptions:
    """How pairs become examples, and how they are searched; ``rules`` says how the grammar was
    extracted. Without ``ngram_feature`` the value of the n-gram feature is 0 in every derivation,
    so that it never gets a weight.
    """

    loss: str
    penalty: float
    gold: str
    seed: int
    beam: Beam
    engine: str
    rules: GrammarSettings = field(default_factory=GrammarSettings)
    ngram_feature: bool = True


class CompressionExamples:
    """The pairs of a training, for ``StructuredSVM``.

    ``unreachable`` counts pairs that the grammar does not link, by reason (``unlinked``); they are
    passed over.
    """

    def __init__(
        self,
        pairs: Sequence[CompressionPair],
        grammar: SynchronousGrammar,
        features: RuleFeatures,
        ngrams: PairNGrams,
        options: ExampleOptions,
        progress: bool = False,
    ) -> None:
        self.options = options
        self.unreachable: Counter[str] = Counter()
        self.examples: list[Example] = []
        matched: dict[PhraseNodes, tuple[TransductionProblem, FeatureRows]] = {}
        shown = progress_bar(pairs, desc="matching rules", unit=" pairs", wanted=progress, delay=2)
        for i, pair in enumerate(shown):
            nodes, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
            if nodes not in matched:  # several people have shortened it
                problem = transduction_problem(nodes, grammar)
                matched[nodes] = problem, features.rows(problem)
            problem, rows = matched[nodes]
            scored = compression_loss(options.loss, pair.target, options.penalty)
            try:
                found = self._gold(pair.name, problem, target, None)
            except NoDerivation:
                nodes, links = problem.nodes, pair.alignment
                why = why_unlinked(nodes, target, links, grammar, options.rules)
                self.unreachable[why] += 1
                continue
            one = Example(pair.name, ngrams.of(i), problem, target, rows, scored, found, {})
            self.examples.append(one._replace(features=self._described(one, found)))
        self._search = self._reference if options.engine == "reference" else self._fast()

    def __len__(self) -> int:
        return len(self.examples)

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The derivation with the highest loss and score, as a constraint."""
        one = self.examples[i]
        applications, loss = self._search(i, weights)
        found = self._described(one, applications)
        difference = dict(one.features)
        for number, value in found.items():
            difference[number] = difference.get(number, 0.0) - value
        ids = sorted(number for number, value in difference.items() if value)
        values = [difference[number] for number in ids]
        return Constraint(np.array(ids, np.int64), np.array(values, np.float64), loss)

    def choose_gold(self, weights: np.ndarray) -> None:
        """Choose the gold derivations anew, by their scores under these weights (footnote 10)."""
        for i, one in enumerate(self.examples):
            scores = application_scores(one.rows, weights)
            found = self._gold(one.name, one.problem, one.target, scores)
            self.examples[i] = one._replace(gold=found, features=self._described(one, found))

    def _described(self, one: Example, applications: tuple[int, ...]) -> dict[int, float]:
        """Psi of a derivation."""
        ngrams = 0.0
        if self.options.ngram_feature:
            ngrams = one.ngrams.score(one.problem.target_tree(applications).leaves())
        return derivation_features(one.rows, applications, ngrams)

    def _gold(
        self,
        name: str,
        problem: TransductionProblem,
        target: PhraseNodes,
        scores: Sequence[float] | None,
    ) -> tuple[int, ...]:
        by_score = self.options.gold.endswith("score")
        gold = "max-rules" if by_score and scores is None else self.options.gold
        return gold_derivation(problem, target, gold, scores, f"{self.options.seed} {name}")

    def _reference(self, i: int, weights: np.ndarray) -> tuple[tuple[int, ...], float]:
        one = self.examples[i]
        given = _given(one, application_scores(one.rows, weights), weights)
        best = StsgChart(given, self.options.beam).run().best[0]
        return best.applications, best.loss

    def _fast(self) -> Search:
        """The same in the fast engine, with the numbers of each pair made once."""
        from wordorder_lab.transduction.chart_fast import FastChart
        from wordorder_lab.transduction.combine_fast import (
            FastLoss,
            FastProblem,
            fast_application_scores,
        )

        problems: dict[tuple[int, int], FastProblem] = {}
        for one in self.examples:
            key = id(one.problem), id(one.ngrams)
            problems[key] = problems.get(key) or FastProblem.of(one.problem, one.ngrams)
        ready = [
            (problems[id(one.problem), id(one.ngrams)], FastLoss.of(one.loss, one.problem))
            for one in self.examples
        ]

        def search(i: int, weights: np.ndarray) -> tuple[tuple[int, ...], float]:
            """The derivation of pair ``i`` that violates most, and its loss."""
            one, (problem, loss) = self.examples[i], ready[i]
            scores = fast_application_scores(one.rows, weights).tolist()
            given = _given(one, scores, weights)
            best = FastChart(given, self.options.beam, problem=problem, loss=loss).run().best[0]
            return best.applications, best.loss

        return search


def _given(one: Example, scores: Sequence[float], weights: np.ndarray) -> TransductionInput:
    """What the search for the derivation that violates most takes."""
    weight = float(weights[NGRAM_ID])
    return TransductionInput(one.problem, scores, one.ngrams, weight, one.loss)


ANNOTATOR = re.compile(r"#\d+$")
SENTENCE = re.compile(r"\.\d+$")


def folds_of(pairs: Sequence[CompressionPair], folds: int) -> list[int]:
    """The fold of each pair, a number from 0; pairs of one document are in one fold.

    The documents are dealt out as they come, each to the fold that has the fewest pairs so far, of
    equal ones to the first. With fewer documents than ``folds`` there are so many folds.
    """
    sizes: dict[Hashable, int] = {}
    documents = [document_of(pair) for pair in pairs]
    for document in documents:
        sizes[document] = sizes.get(document, 0) + 1
    dealt = [0] * min(folds, len(sizes))
    fold_of: dict[Hashable, int] = {}
    for document, size in sizes.items():
        fold = fold_of[document] = dealt.index(min(dealt))
        dealt[fold] += size
    return [fold_of[document] for document in documents]


def ngram_text(pairs: Sequence[CompressionPair]) -> Iterator[list[str]]:
    """The sentences of the pairs: each source once, whoever has shortened it, and every target."""
    seen = set()
    for pair in pairs:
        source = _sentence(pair)
        if source not in seen:
            seen.add(source)
            yield pair.source.leaves()
        yield pair.target.leaves()


def _sentence(pair: CompressionPair) -> tuple[str, ...]:
    """What pairs of one source have in common: the name without the annotator, and the words."""
    return (ANNOTATOR.sub("", pair.name), *pair.source.leaves())


def document_of(pair: CompressionPair) -> Hashable:
    """What pairs of one document have in common: a name without the number of the sentence.

    Names that have none, as the Gazette's, are a document each; of pairs without a name those with
    the same source are one.
    """
    name = ANNOTATOR.sub("", pair.name)
    return SENTENCE.sub("", name) if name else tuple(pair.source.leaves())
