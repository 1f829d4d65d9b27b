"""The tree transducer: both engines find the same, to the last bit and event."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from nltk.tree import Tree
from test_stsg_chart import worked_example
from transduction_cases import (
    LABELS,
    TAGS,
    random_grammar,
    random_ngrams,
    random_tree,
)

from wordorder_lab.check.small_transducer import derivation_count
from wordorder_lab.corpora import load_compressions
from wordorder_lab.models import kneser_ney
from wordorder_lab.structures.compression import prepared_pair
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction import combine_fast
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.chart_fast import FastChart
from wordorder_lab.transduction.combine_fast import (
    ESTIMATE,
    INSIDE,
    MORE_COMBINATIONS,
    MORE_ITEMS,
    MORE_QUEUE,
    SCORE,
    FastLoss,
    FastProblem,
    Room,
    fast_application_scores,
)
from wordorder_lab.transduction.features import NGRAM_ID, RuleFeatures, application_scores
from wordorder_lab.transduction.grammar import GrammarSettings, extract_grammar, read_grammar
from wordorder_lab.transduction.losses import LOSSES, Loss, compression_loss
from wordorder_lab.transduction.problem import (
    BEAMS,
    Beam,
    Transduced,
    TransductionInput,
    TransductionProblem,
    transduction_problem,
)
from wordorder_lab.transduction.templates import load_templates

EXACT = BEAMS["exact"]
WAYS = [
    *((beam, "cube") for beam in (*BEAMS.values(), Beam(1, 1), Beam(2, 5), Beam(3, 0), Beam(0, 4))),
    *((Beam(unique, 0), "exhaustive") for unique in (0, 1, 3)),
]


def same(given: TransductionInput, beam: Beam, search: str, k: int = 1) -> Transduced:
    """Run both engines, the fast one with a trace and without; return what they found."""
    logs = EventLog(), EventLog()
    expected = StsgChart(given, beam, search, logs[0]).run(k)
    assert FastChart(given, beam, search, logs[1]).run(k) == expected
    # As text an int and a float differ, and so do 0.0 and -0.0.
    told = [json.dumps(log.to_dict()).replace("{", "\n{") for log in logs]
    assert logs[0] == logs[1] and told[0] == told[1]
    assert FastChart(given, beam, search).run(k) == expected
    best = FastChart(given, beam, search).run()
    assert (best.best, best.counters) == (expected.best[:1], expected.counters)
    assert repr(best.best) == repr(expected.best[:1])
    return expected


def random_given(
    chance: random.Random, order: int, least: int = 30, most: int = 5000
) -> TransductionInput:
    """A small tree with a random grammar and so many derivations, and random scores."""
    count = 0
    while not least <= count <= most:
        source = random_tree(chance, chance.randint(4, 7))
        grammar = random_grammar(chance, source, 20)
        problem = transduction_problem(phrase_nodes(source), grammar)
        count = derivation_count(problem)
    scores = [chance.gauss(0, 1) for _ in problem.applications]
    return TransductionInput(problem, scores, random_ngrams(chance, order), chance.choice((0.5, 2)))


def random_loss(name: str, problem: TransductionProblem, chance: random.Random) -> Loss:
    """A loss against part of the source, or against another tree with some of its words."""
    words = [*problem.words, "elsewhere"]
    reference = random_tree(chance, chance.randint(1, 6))
    for place in reference.treepositions("leaves"):
        reference[place] = chance.choice(words)
    penalty, factor = chance.choice((0.0, 0.5, 1.0)), chance.choice((1.0, 2.5))
    return compression_loss(name, reference, penalty, factor)


def with_ties(given: TransductionInput, chance: random.Random) -> TransductionInput:
    """The same with whole scores, many of them equal, and n-grams that count for little."""
    scores = [chance.choice((-1.0, -0.0, 0.0, 1.0)) for _ in given.scores]
    return replace(given, scores=scores, ngram_weight=chance.choice((0.0, -1.0)))


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(5))
def test_engines_agree_on_random_problems(seed: int, order: int) -> None:
    """Every loss and none, every kind of beam, ties, one derivation and many."""
    chance = random.Random(f"{seed} {order}")
    plain = random_given(chance, order)
    for name in (None, *LOSSES):
        loss = random_loss(name, plain.problem, chance) if name else None
        given = replace(plain, loss=loss)
        for beam, search in chance.sample(WAYS, 4):
            same(given, beam, search, chance.choice((1, 2, 20)))
        same(with_ties(given, chance), *chance.choice(WAYS), 20)


def test_items_are_compared_by_the_same_numbers() -> None:
    """Score, inside and estimate of every item, with every loss; the fast car is among them."""
    for name in (None, *LOSSES):
        given = worked_example(name)
        chart = StsgChart(given, EXACT)
        chart.run()
        search = FastChart(given, EXACT)
        search.fill()
        found = search.room.items.floats[: len(chart.items), [SCORE, INSIDE, ESTIMATE]].tolist()
        assert found == [[one.score, one.inside, one.estimate] for one in chart.items]


@cache
def gazette() -> tuple:
    pairs = [prepared_pair(pair) for pair in load_compressions("gazette").train[:70]]
    grammar = extract_grammar(pairs[:60], GrammarSettings(depth=1))
    return (
        pairs,
        grammar,
        kneser_ney.estimate_ngrams([pair.target.leaves() for pair in pairs[:60]], 3),
    )


def test_engines_agree_on_the_gazette() -> None:
    """Both beams of the paper; words that the n-gram model has not seen; kept numbers."""
    pairs, grammar, ngrams = gazette()
    features = RuleFeatures(load_templates())
    weights = np.random.default_rng(1).normal(size=20_000) * 0.3
    weights[NGRAM_ID] = 1
    unknown = combinations = 0
    for number, pair in enumerate([*pairs[:6], *pairs[-6:]]):
        problem = transduction_problem(phrase_nodes(pair.source), grammar)
        rows = features.rows(problem)
        scores = fast_application_scores(rows, weights).tolist()
        assert scores == application_scores(rows, weights)
        numbers = FastProblem.of(problem, ngrams)
        loss = compression_loss(LOSSES[number % 5], pair.target)
        for beam, chosen in (("experiments", None), ("training", loss)):
            given = TransductionInput(problem, scores, ngrams, 1.0, chosen)
            found = same(given, BEAMS[beam], "cube", 3)
            combinations += found.counters["combinations"]
            against = FastLoss.of(chosen, problem)
            assert FastChart(given, BEAMS[beam], problem=numbers, loss=against).run(3) == found
        unknown += any(ngrams.word_id(word) == ngrams.unknown for word in problem.words)
    assert unknown > 3 and combinations > 3000


def test_engines_agree_on_long_sentences() -> None:
    """Sixty words and more in one tree, decoded with every loss."""
    pairs, grammar, ngrams = gazette()
    source = Tree("S", [])
    for pair in pairs:
        if len(source.leaves()) < 60:
            source.append(pair.source)
    problem = transduction_problem(phrase_nodes(source), grammar)
    chance = random.Random(3)
    scores = [chance.gauss(0, 1) for _ in problem.applications]
    for name in (None, *LOSSES):
        loss = compression_loss(name, pairs[0].source, 0.5) if name else None
        given = TransductionInput(problem, scores, ngrams, 0.5, loss)
        assert same(given, BEAMS["experiments"], "cube").counters["combinations"] > 1000


def test_engines_agree_on_wide_nodes() -> None:
    """Twelve children with several categories each, so that copy rules have wide grids."""
    chance = random.Random(5)
    rules = [f"<{tag}, {label}> -> <[{tag} w], [{label} w]>" for tag in TAGS for label in LABELS]
    rules += [f"<{tag}, {tag}> -> <[{tag} w], [{tag} v{i}]>" for tag in TAGS for i in range(4)]
    source = Tree("S", [Tree(chance.choice(TAGS), ["w"]) for _ in range(12)])
    problem = transduction_problem(phrase_nodes(source), read_grammar(rules, ["S"]))
    assert max(map(len, problem.child_cells)) == 12
    ngrams = kneser_ney.estimate_ngrams([["w", "v1"], ["v2"], ["v3", "w", "w"]], 3)
    scores = [chance.gauss(0, 1) for _ in problem.applications]
    for name in (None, *LOSSES):
        loss = random_loss(name, problem, chance) if name else None
        given = TransductionInput(problem, scores, ngrams, 1.0, loss)
        counters = same(given, BEAMS["training"], "cube", 5).counters
        assert counters["combinations"] > 250


def test_arrays_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two lines at first, every array runs out, and the result stays the same."""
    monkeypatch.setattr(combine_fast, "FIRST_ROOM", 2)
    grown: Counter[int] = Counter()
    grow = Room.grow

    def counted(room: Room, status: int) -> None:
        grown[status] += 1
        grow(room, status)

    monkeypatch.setattr(Room, "grow", counted)
    for seed in range(4):
        chance = random.Random(seed)
        given = random_given(chance, 3)
        for name in (None, "edit", "hamming-ngrams"):
            loss = random_loss(name, given.problem, chance) if name else None
            for beam, search in ((EXACT, "cube"), (EXACT, "exhaustive"), (Beam(5, 9), "cube")):
                same(replace(given, loss=loss), beam, search, 5)
    assert min(grown[status] for status in (MORE_ITEMS, MORE_COMBINATIONS, MORE_QUEUE)) > 10


def test_numbers_of_something_else_are_refused() -> None:
    given, other = (random_given(random.Random(seed), 2) for seed in (1, 2))
    loss = random_loss("f1", given.problem, random.Random(3))
    for name, wrong in {
        "problem": {"problem": FastProblem.of(other.problem, given.ngrams)},
        "n-gram model": {"problem": FastProblem.of(given.problem, other.ngrams)},
        "loss": {"loss": FastLoss.of(loss, given.problem)},
    }.items():
        with pytest.raises(ValueError, match=f"are of another {name}"):
            FastChart(given, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 scores: give one for each"):
        FastChart(replace(given, scores=[0.0]))
    with pytest.raises(ValueError, match="choose one of cube, exhaustive"):
        FastChart(given, EXACT, "greedy")
    problem = given.problem
    backwards = replace(problem, child_cells=tuple((len(problem.cells),) for _ in problem.cell_of))
    with pytest.raises(ValueError, match="children first"):
        FastProblem.of(backwards, given.ngrams)
