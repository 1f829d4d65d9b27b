"""Exercise 41.2: choose the output that violates its margin most, as the chart does.

Cohn & Lapata 2009, equation 11. A few pairs of the Gazette are so short that every derivation can
be written down. The student chooses among all of them; the chart, which never sees the list, must
not find a better one.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.small_transducer import derivation_count, derivations
from wordorder_lab.corpora.compressions import load_compressions
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, prepare
from wordorder_lab.systems.compression_examples import Example
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.features import (
    NGRAM_ID,
    application_scores,
    derivation_features,
)
from wordorder_lab.transduction.problem import BEAMS, TransductionInput
from wordorder_lab.transduction.structured_svm import StructuredSVM, SvmSettings

PAIRS, LONGEST, MOST = 6, 7, 4000
"""So many pairs with so many words at most, of which so many derivations may be written down."""
CLOSE = 1e-9


class Output(NamedTuple):
    """An output as the student sees it: its words, score and loss."""

    text: str
    score: float
    loss: float


class Case(NamedTuple):
    """A search: the score of gold, all outputs, and the highest H that the chart finds."""

    source: str
    gold: float
    outputs: tuple[Output, ...]
    best: float


@cache
def cases() -> tuple[Case, ...]:
    """Every pair, with the weights before, during and after a training."""
    pairs = load_compressions("gazette").train
    few = [pair for pair in pairs if len(pair.source.leaves()) <= LONGEST][:PAIRS]
    ready = prepare(few, Settings(order=2, C=1.0, beam="exact"), "reference")
    svm = StructuredSVM(ready.examples, len(ready.features), SvmSettings(C=1.0, max_iterations=4))
    moments = [svm.weights]
    svm.run(on_iteration=lambda row, weights: moments.append(svm.given))
    ranked = [
        _case(example, weights)
        for example in ready.examples.examples
        if derivation_count(example.problem) <= MOST
        for weights in (moments[0], moments[1], moments[-1])
    ]
    return tuple(ranked)


def _case(example: Example, weights: np.ndarray) -> Case:
    scores = application_scores(example.rows, weights)
    given = TransductionInput(
        example.problem, scores, example.ngrams, float(weights[NGRAM_ID]), example.loss
    )
    gold = sum(weights[number] * value for number, value in example.features.items())
    best = StsgChart(given, BEAMS["exact"]).run().best[0]
    outputs = tuple(
        _output(example, applications, weights) for applications in derivations(example.problem)
    )
    source = " ".join(example.problem.nodes.leaves)
    return Case(source, float(gold), outputs, best.loss + best.score - float(gold))


def _output(example: Example, applications: tuple[int, ...], weights: np.ndarray) -> Output:
    tree = example.problem.target_tree(applications)
    words = tree.leaves()
    described = derivation_features(example.rows, applications, example.ngrams.score(words))
    score = sum(weights[number] * value for number, value in described.items())
    return Output(" ".join(words), float(score), example.loss.value(example.loss.of_tree(tree)))


def violation(case: Case, output: Output) -> float:
    """H of an output."""
    return output.loss - (case.gold - output.score)


def _judge(answer: Any) -> str:
    choose = function_of(answer, "most_violated")
    for case in cases():
        place = choose(case.gold, [*case.outputs])
        if not isinstance(place, int | np.integer) or not 0 <= place < len(case.outputs):
            last = len(case.outputs) - 1
            raise Wrong(f"The place of an output is wanted, 0 to {last} here, not {place!r}.")
        output = case.outputs[place]
        if violation(case, output) < case.best - CLOSE:
            raise Wrong(_differs(case, output))
    most = max(len(case.outputs) for case in cases())
    return (
        f"Among up to {most:,} outputs yours finds, in {len(cases())} searches, what the chart "
        "finds without writing them down."
    )


def _differs(case: Case, output: Output) -> str:
    right = max(case.outputs, key=lambda candidate: violation(case, candidate))
    rows = [
        f"  {who}: {candidate.text!r}, score {candidate.score:.3f}, loss {candidate.loss:g}, "
        f"H = {violation(case, candidate):.3f}"
        for who, candidate in (("yours", output), ("the chart's", right))
    ]
    return "\n".join([f"For {case.source!r}, gold has a score of {case.gold:.3f}.", *rows])


TEXT = """def most_violated(gold_score, outputs):
    loud = [one.loss - (gold_score - one.score) for one in outputs]
    return loud.index(max(loud))"""


def most_violated(gold_score: float, outputs: list[Output]) -> int:
    """The place of the highest H."""
    loud = [output.loss - (gold_score - output.score) for output in outputs]
    return loud.index(max(loud))


EXERCISES = (
    Exercise(
        "41.2",
        "Choose the output that violates its margin most.",
        (
            "Equation 11: H = loss - (score of gold - score of the output).",
            "A high loss alone will not do, once there are weights; nor will a high score alone.",
            "The score of gold is the same for all outputs. So loss + score decides; and a list "
            "has .index(...).",
        ),
        _judge,
        lambda: f"{TEXT}\n{_judge(most_violated)}",
    ),
)
