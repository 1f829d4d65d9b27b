"""CCG: both engines search and learn the same, to the last bit and event."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from ccg_oracles import Weights, rules_of
from test_ccg_learning import random_example, start_with

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.chart import SIGNATURES
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import load_ccg_templates
from wordorder_lab.corpora import load_corpus
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.systems.zhang_clark_ccg import gold_example, keys_of
from wordorder_lab.trace.log import EventLog

pytest.importorskip("numba")

from test_best_first_engines import RandomWeights, small_rooms  # noqa: F401  (the last is a fixture)

from wordorder_lab.best_first.arrays_fast import MORE_EDGES, MORE_ENTRIES
from wordorder_lab.best_first.ccg_fast import FastCCGSearch
from wordorder_lab.best_first.guided_learning_fast import FastGuided
from wordorder_lab.best_first.weights_fast import EdgeTable

TABLE_1 = load_ccg_templates("zhang_clark_2015_table_1")
SENTENCES = [one for one in load_corpus("gazette", units="words").train[:120] if len(one) < 16]
RULES = CCGRules.of(sentence.derivation for sentence in SENTENCES if sentence.derivation)
LEXICON = CategoryDictionary.of(SENTENCES, seen=3)
WORDS = sorted({token.form for sentence in SENTENCES for token in sentence})
TAGS = sorted({token.pos for sentence in SENTENCES for token in sentence})
KEYS: EdgeKeys = keys_of(TABLE_1, WORDS, TAGS, RULES, LEXICON)
OUTSIDE = ["N/PP", "S[wq]", "NP"]
"""Categories from outside, of which the grammar knows the last."""


def same_search(problem: OrderingProblem, *, k: int, limits: Limits, **how: Any) -> dict[str, int]:
    """Run both engines, the fast one with a trace and without; return the counters."""
    default, highest = how.pop("default"), how.pop("highest")
    weights, logs = RandomWeights(KEYS, highest), (EventLog(), EventLog())
    settings = SearchSettings(limits=limits, k=k, default=default, **how)
    reference = BestFirstCCG(problem, TABLE_1, weights, settings, logs[0], rules=RULES)
    expected = reference.run(), reference.stopped, reference.counters
    fast = FastCCGSearch(KEYS, EdgeTable.of(weights.packed()), rules=RULES)
    assert fast.run(problem, settings, logs[1]) == expected
    assert fast.run(problem, settings) == expected
    assert logs[0] == logs[1]
    return reference.counters


def random_bag(chance: random.Random) -> wl.WordBag:
    """Words of a sentence or two, some twice, with all that a bag may leave open."""
    tokens = [token for one in chance.sample(SENTENCES, 2) for token in one]
    tokens = chance.sample(tokens, min(len(tokens), chance.randint(1, 9)))
    tokens += tokens[: chance.choice([0, 0, 1, 2])]
    n = len(tokens)
    return wl.WordBag(
        [chance.choice([token.form] * 8 + ["unseen", "the unseen"]) for token in tokens],
        [chance.choice([token.pos] * 6 + ["?", None]) for token in tokens],
        before=[(0, 1), (n - 1, 1)][: chance.choice([0, 0, 1, 2])] if n > 2 else (),
        counts=[chance.choice([None] * 5 + [(0, 1), (1, 2), (0, 3)]) for _ in tokens],
        categories=[chance.choice([None] * 8 + [OUTSIDE]) for _ in tokens],
    )


@pytest.mark.parametrize("seed", range(6))
def test_decoders_agree_on_random_bags(seed: int) -> None:
    chance = random.Random(seed)
    goals = 0
    for _ in range(12):
        problem = OrderingProblem.of(random_bag(chance), lambda unit: ("DT", "NN"), LEXICON.lookup)
        counters = same_search(
            problem,
            k=chance.choice([1, 3]),
            limits=Limits(expansions=150, memory=chance.choice([None, 0.5])),
            beam=chance.choice([0, 1, 3, 20]),
            chart=chance.choice(["single", "sizes"]),
            scaled=chance.random() < 0.5,
            signature=chance.choice(SIGNATURES),
            default=chance.choice(["2015", "2011"]),
            highest=chance.choice([0.3, 0.5, 0.7]),
        )
        goals += counters["goals"]
    assert goals > 0


def test_more_words_than_a_machine_word_has_bits(
    small_rooms: Counter[int],  # noqa: F811
) -> None:
    """70 units, among them ten equal ones; every array that CCG needs grows on the way."""
    tokens = [token for one in SENTENCES for token in one][:60]
    words = [token.form for token in tokens] + ["the"] * 10
    bag = wl.WordBag(words, [token.pos for token in tokens] + ["DT"] * 10, before=[(3, 0)])
    problem = OrderingProblem.of(bag, lambda unit: ("DT",), LEXICON.lookup)
    how = {"beam": 0, "chart": "single", "scaled": True, "signature": "2015", "highest": 0.6}
    counters = same_search(problem, k=1, limits=Limits(expansions=500), default="2015", **how)
    assert counters["edges"] > 500 and counters["goals"] == 0
    assert small_rooms[MORE_EDGES] > 3 and small_rooms[MORE_ENTRIES] > 0


WAYS = [
    ("scaled", "expand", "single", "2015", 12),
    ("scaled", "expand", "sizes", "2011", 3),
    ("perceptron", "discard", "sizes", "2011", 8),
    ("large-margin", "discard", "single", "2015", 16),
    ("perceptron", "expand", "single", "none", 2),
    ("large-margin", "stop", "single", "2015", 16),
]


@pytest.mark.parametrize(("update", "negatives", "chart", "signature", "beam"), WAYS)
def test_learners_agree(update: str, negatives: str, chart: str, signature: str, beam: int) -> None:
    examples = [
        gold_example(one, lambda unit: tuple(TAGS), LEXICON.lookup, pos=pos)
        for one, pos in zip(SENTENCES, (1, 1, 0.5, 1, 1, 1), strict=False)
    ]
    settings = GuidedSettings(beam, chart, update, negatives, 120, signature)
    logs = EventLog(), EventLog()
    decoder = partial(BestFirstCCG, rules=RULES)
    reference = GuidedLearner(TABLE_1, settings, logs[0], decoder)
    for example in examples:
        reference.learn(example)
    search = partial(FastCCGSearch, rules=RULES)
    traced, plain = (FastGuided(KEYS, settings, search) for _ in range(2))
    for learner, trace in ((traced, logs[1]), (plain, None)):
        learner.prepare(examples)
        learner.learn(range(len(examples)), trace)
        assert (learner.updates, learner.sentences) == (reference.updates, reference.sentences)
        for one, other in zip(learner.raw().arrays().values(), _raw(reference), strict=True):
            assert (one == other).all()
    assert logs[0] == logs[1] and reference.updates["agenda"] > 0


def _raw(reference: GuidedLearner) -> list[Any]:
    return list(reference.weights.raw(KEYS).arrays().values())


@pytest.mark.parametrize(
    ("update", "chart", "signature", "beam"),
    [
        ("scaled", "single", "2015", 0),
        ("perceptron", "single", "2015", 60),
        ("large-margin", "sizes", "2011", 60),
        ("scaled", "single", "2011", 0),
    ],
)
@pytest.mark.slow
def test_learners_agree_where_a_signature_costs_a_gold_edge(
    update: str, chart: str, signature: str, beam: int
) -> None:
    """Random grammars with random weights to begin with, so that much goes wrong."""
    chance, updates = random.Random(f"{update}{signature}"), Counter[str]()
    for seed in range(40):
        example, rows = random_example(chance)
        logs = EventLog(), EventLog()
        settings = GuidedSettings(beam, chart, update, "expand", 300, signature)
        rules = rules_of(rows)
        decoder = partial(BestFirstCCG, rules=rules)
        reference = GuidedLearner(TABLE_1, settings, logs[0], decoder)
        start_with(reference, example.problem, rows, Weights(seed))
        keys = keys_for(example.problem, rules)
        fast = FastGuided(keys, settings, partial(FastCCGSearch, rules=rules))
        fast.restore(reference.weights.raw(keys))
        fast.prepare([example])
        reference.learn(example)
        fast.learn([0], logs[1])
        assert logs[0] == logs[1]
        assert (fast.updates, fast.sentences) == (reference.updates, reference.sentences)
        arrays = fast.raw().arrays(), reference.weights.raw(keys).arrays()
        assert all((one == other).all() for one, other in zip(*map(dict.values, arrays)))
        updates.update(reference.updates)
    assert updates["signature"] > 0 and updates["agenda"] > 10, updates


def keys_for(problem: OrderingProblem, rules: CCGRules) -> EdgeKeys:
    """The numbers of all that a bag's features can hold."""
    items = problem.items
    labels = {str(item.category) for item in items} | set(map(str, rules.categories))
    words, tags = [item.word for item in items], [item.pos for item in items]
    return EdgeKeys.of(TABLE_1, words, tags, labels, (rule.text for rule in rules))


def test_what_the_fast_engine_has_no_room_for_is_one_clear_error() -> None:
    many = [Category.parse(f"X{i}") for i in range(70_000)]
    keys = EdgeKeys.of(TABLE_1, ["a"], ["T"], map(str, many), ["X0 => X1"])
    empty = EdgeTable.of(PackedEdgeWeights(*EdgeTable().raw().averaged().arrays().values()))
    with pytest.raises(ValueError, match=r"70,000 categories or rules .* use engine='reference'"):
        FastCCGSearch(keys, empty, rules=RULES)
