"""Notebook 41, learning to compress: its exercises, and what it looks at (Cohn & Lapata 2009).

The structured SVM that fits on a sheet of paper has three sentences and two features, and all its
outputs are known. Each sentence has words that may go, modifiers or an object. Its outputs are all
ways to leave some of them out; the two features of an output count the modifiers and the objects
that it leaves out. The loss is the token Hamming loss of section 3.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import isclose
from typing import Any, NamedTuple

import numpy as np
from nltk.tree import Tree

from wordorder_lab.check import judges
from wordorder_lab.check.exercise import Wrong
from wordorder_lab.check.judges import Case, Number, exercise
from wordorder_lab.check.small_transducer import derivation_count, derivations, problem_of
from wordorder_lab.corpora.compressions import load_compressions
from wordorder_lab.metrics.compression import compression_rate, gold_rate
from wordorder_lab.metrics.compression_floors import random_deletion
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.plots.cutting_planes import Constraint as Line
from wordorder_lab.plots.cutting_planes import Stage
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair
from wordorder_lab.systems import cohn_lapata_2009_training as training
from wordorder_lab.systems import train
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel, begin_trace
from wordorder_lab.systems.cohn_lapata_2009_training import Example, Settings, prepare
from wordorder_lab.systems.compression_grid import HeldOut, on_held_out
from wordorder_lab.systems.language_models import FoldedModels
from wordorder_lab.systems.training_run import TrainingOptions
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction import problem as transduction
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.features import NGRAM_ID, application_scores, derivation_features
from wordorder_lab.transduction.losses import Loss, compression_loss
from wordorder_lab.transduction.problem import BEAMS, TransductionInput, TransductionProblem
from wordorder_lab.transduction.structured_svm import Iteration, Learned, StructuredSVM, SvmSettings
from wordorder_lab.transduction.working_set import Constraint

Pairs = Sequence[CompressionPair]


LINES = (
    "the old/m! storm closed the_harbor/o",
    "the long/m! dull/m! speech ended",
    "the old/m man slept",
)
"""What may go has a kind, m for a modifier and o for an object; what goes in the gold output has an
exclamation mark."""
KINDS = "mo"
NAMES = ("modifiers left out", "objects left out")


class KnownOutput(NamedTuple):
    """One output: its words, its features, its loss against the gold output."""

    text: str
    features: tuple[float, ...]
    loss: float


class KnownOutputs:
    """Examples for ``StructuredSVM`` whose outputs are all written down; ``gold`` has places."""

    def __init__(self, outputs: Sequence[Sequence[KnownOutput]], gold: Sequence[int]) -> None:
        self.outputs, self.gold = [[*candidates] for candidates in outputs], [*gold]

    def __len__(self) -> int:
        return len(self.outputs)

    def differences(self, i: int) -> np.ndarray:
        """Psi(gold) - Psi(output) for every output of an example, shape (outputs, features)."""
        features = np.array([output.features for output in self.outputs[i]], float)
        return np.asarray(features[self.gold[i]] - features)

    def violations(self, i: int, weights: np.ndarray) -> np.ndarray:
        """H of every output (equation 11): its loss, less the margin that gold has over it."""
        losses = np.array([output.loss for output in self.outputs[i]])
        return np.asarray(losses - self.differences(i) @ weights)

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The output with the highest H, the first of several."""
        place = int(np.argmax(self.violations(i, weights)))
        difference = self.differences(i)[place]
        ids = np.flatnonzero(difference)
        return Constraint(ids, difference[ids], float(self.outputs[i][place].loss))

    def mean_slack(self, weights: np.ndarray) -> float:
        """The mean over the examples of the highest H; it is at least 0, as gold has H = 0."""
        return float(np.mean([self.violations(i, weights).max() for i in range(len(self))]))

    def objective(self, weights: np.ndarray, C: float) -> float:
        """Equation 10 with the best slacks for these weights."""
        return float(weights @ weights) / 2 + C * self.mean_slack(weights)


def three_sentences() -> KnownOutputs:
    """The sentences of ``LINES``."""
    return KnownOutputs(*zip(*map(_outputs, LINES), strict=True))


def one_output(difference: Sequence[float], loss: float) -> KnownOutputs:
    """One example with one other output, dPsi and loss as given; gold has no features."""
    gold = KnownOutput("gold", (0.0,) * len(difference), 0.0)
    other = KnownOutput("other", tuple(-float(value) for value in difference), float(loss))
    return KnownOutputs([[gold, other]], [0])


def _outputs(line: str) -> tuple[list[KnownOutput], int]:
    """All outputs of a line, the whole sentence first, and the place of the gold one."""
    parts = [text.removesuffix("!").partition("/") for text in line.split()]
    optional = [place for place, (*_, kind) in enumerate(parts) if kind]
    gold = {place for place, text in enumerate(line.split()) if text.endswith("!")}

    def left(out: set[int]) -> Tree:
        """A flat tree: tokens are all that this loss looks at."""
        kept = [words.split("_") for i, (words, *_) in enumerate(parts) if i not in out]
        return Tree("S", [Tree("W", [word]) for words in kept for word in words])

    loss, choices = compression_loss("hamming-tokens", left(gold)), []
    outputs: list[KnownOutput] = []
    for choice in product((False, True), repeat=len(optional)):
        choices.append({place for place, goes in zip(optional, choice) if goes})
        tree, kinds = left(choices[-1]), [parts[place][2] for place in choices[-1]]
        counts = tuple(float(kinds.count(kind)) for kind in KINDS)
        outputs.append(KnownOutput(" ".join(tree.leaves()), counts, loss.value(loss.of_tree(tree))))
    return outputs, choices.index(gold)


TITLES = ("at first", "then", "and then")


def run_by_stages(examples: KnownOutputs, C: float) -> tuple[Learned, list[Stage]]:
    """What was learned with a slack for each example, and the constraints and weights by moment."""
    settings = SvmSettings(C=C, formulation="n-slack", tolerance=1e-9)
    learner = StructuredSVM(examples, 2, settings)
    stages = [Stage(TITLES[0], [], np.zeros(2))]

    def keep(row: Iteration, _weights: np.ndarray) -> None:
        title = TITLES[min(row.iteration, len(TITLES) - 1)]
        stages.append(Stage(title, [*_constraints(learner)], learner.weights.copy()))

    return learner.run(on_iteration=keep), stages


def _constraints(learner: StructuredSVM) -> Iterator[Line]:
    working, begin = learner.working, 0
    for example, length, loss in zip(working.groups, working.lengths, working.losses):
        difference, here = np.zeros(2), slice(begin, begin + length)
        difference[working.features[here]] = working.values[here]
        yield Line(int(example), difference, float(loss))
        begin += int(length)


def rate_and_f1(outputs: Sequence[Tree], pairs: Pairs) -> tuple[float, float]:
    """Compression rate and relation F1 of an output for each pair."""
    golds = [prepared_pair(pair) for pair in pairs]
    trees = [prepared(tree) for tree in outputs]
    rate = compression_rate(trees, [gold.source for gold in golds])
    return rate, relation_f1(trees, [gold.targets for gold in golds]).f1


def random_outputs(pairs: Pairs, rate: float) -> list[Tree]:
    """Sources with words deleted at random, always the same ones; ``rate``, above 0, is left."""
    return [random_deletion(pair, rate, seed=1) for pair in pairs]


def decoded(
    example: Example, weights: np.ndarray, loss: Loss | None = None, trace: EventLog | None = None
) -> transduction.Derived:
    """The best derivation of a learner's example by score, or with ``loss`` by score and loss."""
    given = _input(example, weights, loss)
    if trace is not None:
        begin_trace(example.problem, given.scores, BEAMS["training"], trace)
    return StsgChart(given, BEAMS["training"], trace=trace).run().best[0]


def _input(example: Example, weights: np.ndarray, loss: Loss | None) -> TransductionInput:
    scores, of_ngrams = application_scores(example.rows, weights), float(weights[NGRAM_ID])
    return TransductionInput(example.problem, scores, example.ngrams, of_ngrams, loss)


def chart_items(pair: CompressionPair, loss: str | None) -> int:
    """How many items an exact chart has that is searched by this loss alone, or by nothing."""
    pair = prepared_pair(pair)
    of_pair = None if loss is None else compression_loss(loss, pair.target)
    return _by_loss_alone(problem_of(pair.source), of_pair).counters["items"]


def highest_loss(example: Example) -> float:
    """The highest loss that any output of a learner's example has."""
    return float(_by_loss_alone(example.problem, example.loss).best[0].loss)


def _by_loss_alone(problem: TransductionProblem, loss: Loss | None) -> transduction.Transduced:
    silent = estimate_ngrams([["nothing"]], 1)  # no contexts: only the loss tells items apart
    scores = [0.0] * len(problem.applications)
    return StsgChart(TransductionInput(problem, scores, silent, 0.0, loss), BEAMS["exact"]).run()


def trained_apart(
    for_rules: Pairs, for_weights: Pairs, engine: str | None = None, **settings: Any
) -> CompressionModel:
    """As ``wl.train``, but grammar and n-grams are read off ``for_rules``, and nothing else is.

    Cohn & Lapata (end of section 4) leave this to future work. Pairs that this grammar does not
    link are passed over. Raises ``ValueError`` where it links none.
    """
    chosen = Settings(**settings)
    first = prepare(for_rules, replace(chosen, folds=1), engine)
    pairs = [prepared_pair(pair) for pair in for_weights]
    ngrams = FoldedModels(first.ngrams, (first.ngrams,))
    ready = training.prepared_with(pairs, chosen, first.grammar, ngrams, engine)
    return training.learn(ready, chosen, TrainingOptions(progress=False))


# --- exercises ------------------------------------------------------------------------------------

REFERENCE = Tree.fromstring(
    "(S (NP (DT the) (NN storm)) (VP (VBD closed) (NP (DT the) (NN harbor))))"
)
PREDICTED = Tree.fromstring(
    "(S (NP (NP (DT the) (NN storm)) (PP (IN in) (NP (DT the) (NN night))))"
    " (VP (VBD closed) (NP (DT the) (NN harbor))))"
)
"""What is asked about. *the* is three times in the prediction, and twice in the reference."""

HAMMING = "Every {} of the prediction counts, and each time; is it in the reference?"
LOSSES = {
    "hamming-tokens": HAMMING.format("word"),
    "hamming-cfg": HAMMING.format("production, those of words included,"),
    "edit": "Here a word is right at most as often as it is in the reference.",
    "f1": "Here a word is right at most as often as it is in the reference.",
}


def _numbers_of(name: str) -> Iterator[Case]:
    loss = compression_loss(name, REFERENCE)
    counts = loss.of_tree(PREDICTED)
    why = LOSSES[name]
    if name.startswith("hamming"):
        for what, count in zip(("TP", "FP"), counts, strict=True):
            yield Case(f"{name}, {what}", count, mistakes=[(..., why)])
        why = "Equation 12 is FP + max(l - (TP + FP), 0), and divides by nothing."
    yield Case(f"{name}, the loss", loss.value(counts), mistakes=[(..., why)])


def _judge_losses(answer: object) -> str:
    if not isinstance(answer, Mapping) or set(answer) != set(LOSSES):
        raise Wrong(f"A dictionary is wanted, with the keys {', '.join(LOSSES)}.")
    for name in LOSSES:
        cases, given = [*_numbers_of(name)], answer[name]
        values = given if isinstance(given, list | tuple) else [given]
        what = ", ".join(case.about.partition(", ")[2] for case in cases)
        shape = f"{name}: wanted is {what}, so {len(cases)} numbers."
        for yours, case in zip(judges.listed(values, len(cases), shape), cases, strict=True):
            judges.compare(yours, case, Number(near=0.005), tells=False)
    return "The same three words too many cost 2, 4, 3 or 0.23. Losses are not to be compared."


@exercise("41.1", judge=_judge_losses)
def my_losses() -> dict[str, object]:
    """Arguments and values of four losses, by hand.

    - Go through the words of the prediction one by one: is it in the reference? For Hamming losses
      it does not matter how often. So TP + FP is 8.
    - Productions: [S NP VP] is one, [NN storm] is one. The prediction has 15, 9 + 6.
    - edit is p + r - 2 x (words in common), F1 is 1 - 2PR / (P + R). Both clip: the third the has
      no partner.

    Tokens: *in* and *night* are wrong, 6 others right (*the* three times; Hamming does not count
    how often). Productions: [NP NP PP], [PP IN NP], [IN in] and [NN night] are wrong, 11 of 15
    right. Edit: 8 + 5 - 2 · 5, as the third *the* has no partner. F1: precision 5/8, recall 1, so
    F1 = 10/13.
    """
    return {"hamming-tokens": [6, 2, 2], "hamming-cfg": [11, 4, 4], "edit": 3, "f1": 3 / 13}


PAIRS, LONGEST, MOST = 6, 7, 4000
"""So many pairs with so many words at most, of which so many derivations may be written down."""


class Output(NamedTuple):
    """An output as the student sees it: its words, score and loss."""

    text: str
    score: float
    loss: float


class Searched(NamedTuple):
    """A search: the score of gold, all outputs, and the highest H that the chart finds."""

    source: str
    gold: float
    outputs: tuple[Output, ...]
    best: float

    def violation(self, output: Output) -> float:
        """H of an output."""
        return output.loss - (self.gold - output.score)


@cache
def searches() -> tuple[Searched, ...]:
    """Every pair, with the weights before, during and after a training."""
    pairs = load_compressions("gazette").train
    few = [pair for pair in pairs if len(pair.source.leaves()) <= LONGEST][:PAIRS]
    ready = prepare(few, Settings(order=2, C=1.0, beam="exact"), "reference")
    svm = StructuredSVM(ready.examples, len(ready.features), SvmSettings(C=1.0, max_iterations=4))
    moments = [svm.weights]
    svm.run(on_iteration=lambda _row, _weights: moments.append(svm.given))
    return tuple(
        _searched(example, weights)
        for example in ready.examples.examples
        if derivation_count(example.problem) <= MOST
        for weights in (moments[0], moments[1], moments[-1])
    )


def _searched(example: Example, weights: np.ndarray) -> Searched:
    def score(features: Mapping[int, float]) -> float:
        return float(sum(weights[number] * value for number, value in features.items()))

    gold, outputs = score(example.features), []
    for applications in derivations(example.problem):
        tree = example.problem.target_tree(applications)
        of_ngrams = example.ngrams.score(tree.leaves())
        described = derivation_features(example.rows, applications, of_ngrams)
        loss = example.loss.value(example.loss.of_tree(tree))
        outputs.append(Output(" ".join(tree.leaves()), score(described), loss))
    best = StsgChart(_input(example, weights, example.loss), BEAMS["exact"]).run().best[0]
    source = " ".join(example.problem.nodes.leaves)
    return Searched(source, gold, tuple(outputs), best.loss + best.score - gold)


class _Place(judges.Wanted[int]):
    """The place of an output that violates its margin as much as the chart's."""

    def read(self, value: object) -> int:
        if not isinstance(value, int | np.integer):
            raise Wrong(f"the place of an output is wanted, from 0, not {value!r}.")
        return int(value)

    def same(self, yours: int, right: Searched) -> bool:
        if not 0 <= yours < len(right.outputs):
            last = len(right.outputs) - 1
            raise Wrong(f"The place of an output is wanted, 0 to {last} here, not {yours}.")
        return right.violation(right.outputs[yours]) >= right.best - 1e-9

    def difference(self, yours: int, right: Searched) -> str:
        loudest = max(right.outputs, key=right.violation)
        rows = [
            f"  {who}: {output.text!r}, score {output.score:.3f}, loss {output.loss:g}, "
            f"H = {right.violation(output):.3f}"
            for who, output in (("yours", right.outputs[yours]), ("the chart's", loudest))
        ]
        return "\n".join([f"gold has a score of {right.gold:.3f}", *rows])


def _searches() -> Iterator[Case]:
    for one in searches():
        yield Case(f"For {one.source!r}", one, (one.gold, [*one.outputs]))


@exercise("41.2", _searches, _Place())
def most_violated(gold_score: float, outputs: list[Output]) -> int:
    """Choose the output that violates its margin most.

    - Equation 11: H = loss - (score of gold - score of the output).
    - A high loss alone will not do, once there are weights; nor will a high score alone.
    - The score of gold is the same for all outputs. So loss + score decides; and a list has
      .index(...).

    The score of gold is the same for all, so it makes no difference whether it is there.

    Right: Among up to 318 outputs yours finds, in {count} searches, what the chart finds
    without writing them down.
    """
    loud = [one.loss - (gold_score - one.score) for one in outputs]
    return loud.index(max(loud))


def solved(examples: KnownOutputs, features: int, **settings: Any) -> Learned:
    """The learner, run to the end."""
    return StructuredSVM(examples, features, SvmSettings(tolerance=1e-9, **settings)).run()


@cache
def problems() -> tuple[Case, ...]:
    """Problems of one constraint, (dPsi, loss, C), each with the weights that the learner finds."""
    made_up: list[tuple[list[float], float, float]] = [
        ([2.0, 0.0], 1.0, 0.1),
        ([2.0, 0.0], 1.0, 10.0),
        ([1.0, -1.0, 0.0], 3.0, 1.0),
        ([0.0, 0.0], 2.0, 1.0),  # an output with the features of gold
    ]
    rng = np.random.default_rng(41)
    for _ in range(36):
        difference = rng.integers(-3, 4, size=int(rng.integers(1, 5))).astype(float).tolist()
        made_up.append((difference, float(rng.integers(1, 6)), float(np.exp(rng.normal(-1, 2)))))
    cases = []
    for difference, loss, C in made_up:
        right = solved(one_output(difference, loss), len(difference), C=C).weights + 0.0
        about = f"dPsi = {difference}, loss {loss:g}, C = {C:.4g}"
        cases.append(Case(about, [*right], (difference, loss, C)))
    return tuple(cases)


WEIGHTS = judges.Numbers(
    "a list of weights",
    lambda place: f"the learner's weight {place + 1}",
    Number(near=1e-6, share=1e-4),
    divides="Where the output has the features of gold, dPsi is 0. Which weights are shortest?",
)


@exercise("41.3", problems, WEIGHTS)
def best_weights(difference: list[float], loss: float, C: float) -> list[float]:
    """The best weights where there is one constraint, in closed form.

    - w can only be a x dPsi: any other direction makes w longer and the margin no larger. So look
      for the best a, at least 0.
    - The margin is then a |dPsi|², and the objective is a² |dPsi|² / 2 + C (loss - a |dPsi|²) as
      long as the margin is below the loss. Where is its derivative 0?
    - At a = C. But beyond the a that makes margin and loss equal there is nothing to gain any more.
      If all of dPsi is 0, w = 0 is best.

    Any part of w that is not along dPsi makes w longer and changes no margin, so w = a · dPsi. With
    L = |dPsi|² the objective is a² L / 2 + C · max(0, loss - a L). As long as the margin is below
    the loss, its slope is a L - C L, so it falls until a = C; beyond a = loss / L it rises in any
    case.

    Right: Yours and the learner's weights are the same in {count} problems.
    """
    length = sum(value**2 for value in difference)
    a = min(C, loss / length) if length else 0
    return [a * value for value in difference]


def measured() -> Iterator[Case]:
    """Up, down or the same, of three numbers with a small and a large C, and of scaled weights."""
    examples = three_sentences()
    small, large = (solved(examples, 2, C=C) for C in (0.3, 3.0))
    scaled = solved(examples, 2, C=0.03, scaling=10.0)
    long, longer, as_long = (float(np.linalg.norm(one.weights)) for one in (small, large, scaled))
    slacks = [examples.mean_slack(one.weights) for one in (small, large)]
    for what, before, after in (
        ("the length of w", long, longer),
        ("the mean slack", slacks[0], slacks[1]),
        ("the objective", small.bound, large.bound),
        ("the weights with scaling 10", longer, as_long),
    ):
        changed = "up" if after > before else "down"
        right = "same" if isclose(before, after, rel_tol=1e-4) else changed
        yield Case(f"{what} (from {before:.3f} to {after:.3f})", right)


@exercise("41.4", measured, judges.OneOf(("up", "down", "same")))
def my_guess() -> list[str]:
    """What does a larger C do?

    - C is the price of slack. What will be bought instead, when slack becomes dear?
    - The objective: take the best weights for the large C, and look what they cost with the small
      one. Can the best ones for the small C cost more than that?
    - Scaling 10: every margin is <w, 10 dPsi>. So w may be ten times as short, and |w|² is 100
      times as small. What must C be for the same balance? The weights that are given back are those
      for features as they were.

    Slack becomes dear, so w gets longer and slack smaller. The objective goes up: the best weights
    for the large C would cost no more with the small one, and the best for the small one can only
    be cheaper. With scaling 10 all that counts is C s², and 0.03 · 100 = 3: nothing changes.

    Right: As the learner has it: {cases}.
    """
    return ["up", "down", "up", "same"]


NEAR, HIGHEST = 0.04, 5.0  # near enough to the references' rate; the largest penalty


def rate_with(penalty: float, pairs: Pairs, held_out: Pairs, how: Mapping[str, Any]) -> HeldOut:
    """A model trained with this penalty, on pairs that it has not seen."""
    settings = {**how, "penalty": float(penalty)}
    model = train("cohn-lapata-2009", pairs, progress=False, **settings)
    return on_held_out(model, held_out, how.get("engine"))


def _judge_rate(answer: object, pairs: Pairs, held_out: Pairs, how: Mapping[str, Any]) -> str:
    if not judges.is_number(answer) or not 0 <= answer <= HIGHEST:
        raise Wrong(f"A penalty from 0 to {HIGHEST:g} is wanted, not {answer!r}.")
    wanted, scores = gold_rate(held_out), rate_with(answer, pairs, held_out, how)
    rates = f"rate is {scores.rate:.1%}; the references have {wanted:.1%}"
    if abs(scores.rate - wanted) > NEAR:
        longer = "longer" if scores.rate < wanted else "shorter"
        raise Wrong(f"With {float(answer):g} the {rates}. Outputs should be {longer}.")
    return f"The {rates}; relation F1 is {scores.relation_f1:.1%}."


@exercise("41.5", judge=_judge_rate, needs=("pairs", "held_out", "how"))
def my_penalty(pairs: Pairs, held_out: Pairs, how: Mapping[str, Any]) -> float:
    """A length penalty that gives the references' rate.

    - A smaller penalty makes shorter outputs cheaper. Nobody says that it has to be below 1; the
      paper wanted shorter outputs.
    - Train with 1 and with 2, look at the rates, and go to the middle, as one looks up a word in a
      dictionary.
    - A loop: for penalty in (1, 1.25, 1.5, 2): print(penalty, looks(compressed(learned(**how,
      penalty=penalty)))).

    Larger than 1! With its large C this model deletes too much (section 7), and a penalty above 1
    pulls the other way. 1 is too little, so try 2, then what lies between or beyond.
    """
    return next(
        penalty
        for penalty in (1.0, 2.0, 1.5, 1.75, 1.25, 2.5, 3.0, 0.75, 0.5, 4.0)
        if abs(rate_with(penalty, pairs, held_out, how).rate - gold_rate(held_out)) <= NEAR
    )
