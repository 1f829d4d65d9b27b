"""Features of the applications of a source tree as numbers, and the score that they add up to.

The first feature is the only one that is no application's: the log-probability of the n-grams
(Cohn & Lapata 2009, section 4). Names get their numbers in the order in which they are first seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.messages import cited
from wordorder_lab.transduction.problem import Application, TransductionProblem
from wordorder_lab.transduction.templates import SOURCE_TERMINALS, RuleTemplates

NGRAM = "n-gram log-probability"
NGRAM_ID = 0
MAX_KEPT = 500_000
"""Rules whose features are kept."""


class FeatureRows(NamedTuple):
    """The features of each application: those of ``a`` are at ``starts[a]:starts[a + 1]``. ``ids``:
    int64, ``values``: float64."""

    starts: np.ndarray
    ids: np.ndarray
    values: np.ndarray


class RuleFeatures:
    """Names and numbers of features; a rule's are made once and kept. While it is ``growing`` a new
    name gets the next number; afterwards it is left out, as its weight is 0."""

    def __init__(self, templates: RuleTemplates, names: Iterable[str] = (NGRAM,)) -> None:
        self.templates = templates
        self.numbers = {name: i for i, name in enumerate(names)}
        if self.numbers.get(NGRAM) != NGRAM_ID:
            raise ValueError(f"the first feature is {cited(NGRAM)}")
        self.growing = True
        self._kept: dict[tuple[str, int], tuple[list[int], list[float]]] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def freeze(self) -> None:
        """From now on names that are not known are left out."""
        self.growing = False
        self._kept.clear()

    def names(self) -> list[str]:
        """The names in the order of their numbers."""
        return list(self.numbers)

    def rows(self, problem: TransductionProblem) -> FeatureRows:
        """The features of every application of a source tree."""
        starts, ids, values = [0], [], []
        for application in problem.applications:
            rule_ids, rule_values = self._of(application)
            ids += rule_ids
            values += rule_values
            if self.templates.counts_source and application.consumed:
                ids += self._numbered(SOURCE_TERMINALS)
                values += [float(application.consumed)] * (len(ids) - len(values))
            starts.append(len(ids))
        return FeatureRows(
            np.array(starts, np.int64), np.array(ids, np.int64), np.array(values, np.float64)
        )

    def _of(self, application: Application) -> tuple[list[int], list[float]]:
        rule, origin = application.rule, application.origin
        kept = self._kept.get((rule.text, origin))  # another thread may clear what is kept
        if kept is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            ids: list[int] = []
            values: list[float] = []
            for name, value in self.templates.features(rule, origin):
                ids += self._numbered(name)
                values += [value] * (len(ids) - len(values))
            kept = self._kept[rule.text, origin] = ids, values
        return kept

    def _numbered(self, name: str) -> list[int]:
        if self.growing:
            return [self.numbers.setdefault(name, len(self.numbers))]
        return [self.numbers[name]] if name in self.numbers else []


def application_scores(rows: FeatureRows, weights: np.ndarray) -> list[float]:
    """The score of each application: weight times value, added from left to right."""
    ids, values, starts = rows.ids.tolist(), rows.values.tolist(), rows.starts.tolist()
    scores = []
    for begin, end in pairwise(starts):
        score = 0.0
        for i in range(begin, end):
            score += float(weights[ids[i]]) * values[i]
        scores.append(score)
    return scores


def derivation_features(
    rows: FeatureRows, derivation: Sequence[int], ngrams: float
) -> dict[int, float]:
    """Psi of a derivation, equation 6: feature number -> value; zeros may be among them. ``ngrams``
    is the log-probability of the output, which is feature ``NGRAM_ID``."""
    psi = {NGRAM_ID: ngrams}
    for application in derivation:
        for i in range(rows.starts[application], rows.starts[application + 1]):
            number = int(rows.ids[i])
            psi[number] = psi.get(number, 0.0) + float(rows.values[i])
    return psi
