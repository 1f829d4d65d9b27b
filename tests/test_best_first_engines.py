"""Best-first search and guided learning: both engines give the same, to the last bit and event."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from hashlib import md5
from typing import Any

import numpy as np
import pytest
from ccg_oracles import Weights, rules_of
from test_ccg_learning import random_example, start_with

import wordorder_lab as wl
from wordorder_lab.best_first import arrays_fast as edge_arrays_fast
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_fast import FastCCGSearch
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.chart import SIGNATURES
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_fast import FastDependencySearch
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.guided_learning_fast import FastGuided
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights, RawEdgeWeights
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import (
    EdgeTemplates,
    load_ccg_templates,
    load_edge_templates,
    parse_edge_templates,
)
from wordorder_lab.best_first.updates import GUIDED, NEGATIVES
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.corpora import load_corpus
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example
from wordorder_lab.systems.zhang_clark_ccg import gold_example as ccg_example
from wordorder_lab.systems.zhang_clark_ccg import keys_of
from wordorder_lab.trace.log import EventLog

TEMPLATES = load_edge_templates("zhang_clark_2015_table_2")
WORDS, TAGS = ["a", "b", "c", "d", "e", "f", "g"], ["X", "Y", "Z"]


class RandomWeights:
    """A weight for two features of three, fixed by the feature; those that were asked for."""

    def __init__(self, keys: EdgeKeys, highest: float = 0.5) -> None:
        self.keys = keys
        self.highest = highest
        self.seen: dict[int, float] = {}

    def __call__(self, feature: Feature) -> float:
        key = self.keys.key(feature)
        if key is None:
            return 0.0
        number = int(md5(str(key).encode()).hexdigest()[:8], 16)
        weight = number / 2**32 - 1 + self.highest if number % 3 else 0.0
        if weight:
            self.seen[key] = weight
        return weight

    def packed(self) -> PackedEdgeWeights:
        keys = np.array(sorted(self.seen), np.int64)
        return PackedEdgeWeights(keys, np.array([self.seen[key] for key in keys.tolist()]))


KEYS = EdgeKeys.of(TEMPLATES, WORDS, TAGS)


def same_run(
    problem: OrderingProblem,
    weights: RandomWeights,
    settings: SearchSettings,
    templates: EdgeTemplates = TEMPLATES,
    reference: Any = BestFirstDependency,
    fast: Any = FastDependencySearch,
) -> tuple[list[Ordering], dict[str, int], EventLog]:
    logs = EventLog(), EventLog()
    search = reference(problem, templates, weights, settings, logs[0])
    expected = search.run(), search.stopped, search.counters
    decoder = fast(weights.keys, EdgeTable.of(weights.packed()))
    assert decoder.run(problem, settings, logs[1]) == expected
    assert decoder.run(problem, settings) == expected
    assert logs[0] == logs[1]
    return expected[0], search.counters, logs[0]


def same_search(
    problem: OrderingProblem, *, highest: float = 0.5, with_rules: bool = False, **settings: Any
) -> dict[str, int]:
    """The counters of both engines under random weights."""
    if not with_rules:
        return same_run(problem, RandomWeights(KEYS, highest), SearchSettings(**settings))[1]
    decoders = partial(BestFirstCCG, rules=RULES), partial(FastCCGSearch, rules=RULES)
    weights = RandomWeights(CCG_KEYS, highest)
    return same_run(problem, weights, SearchSettings(**settings), TABLE_1, *decoders)[1]


def same_learning(
    reference: GuidedLearner,
    fast: FastGuided,
    examples: list,
    order: list[int],
    log: EventLog | None,
) -> None:
    """The fast learner goes the way that the other has gone: events, counts and weights."""
    fast.prepare(examples)
    fast.learn(order, log)
    assert (fast.updates, fast.sentences) == (reference.updates, reference.sentences)
    assert log is None or log == reference.trace
    same_weights(fast.raw(), reference.weights.raw(fast.keys))


def same_weights(one: RawEdgeWeights, other: RawEdgeWeights) -> None:
    for name, array in one.arrays().items():
        assert array.tobytes() == other.arrays()[name].tobytes(), name


def random_problem(chance: random.Random, most: int = 6) -> OrderingProblem | None:
    """A bag with all that may be given, words repeated; ``None`` if it contradicts itself."""
    n = chance.randint(1, most)
    words = [chance.choice([*WORDS, "the a", "x unseen"]) for _ in range(n)]
    pos = [chance.choice([*TAGS, "?", None]) for _ in words]
    tree = [-1] + [chance.randrange(i) for i in range(1, n)]
    share = chance.choice([0, 0, 0.4, 1])
    heads = [head if chance.random() < share else None for head in tree]
    before = [(0, 1), (n - 1, 1)][: chance.choice([0, 0, 1, 2])] if n > 2 else []
    try:
        bag = wl.WordBag(words, pos, heads, before)
        return OrderingProblem.of(bag, lambda unit: ("X", "Y"))
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(8))
def test_decoders_agree_on_random_bags(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(15):
        problem = random_problem(chance)
        if problem is None:
            continue
        small = problem.size < 5
        same_search(
            problem,
            k=chance.choice([1, 1, 3, 10**6]),
            limits=Limits(expansions=chance.choice([None, 0, 3, 50] if small else [10, 60])),
            beam=chance.choice([0, 1, 2, 5, 20]),
            chart=chance.choice(["single", "sizes"]),
            scaled=chance.random() < 0.5,
            default=chance.choice(["2015", "2011"]),
        )


@pytest.fixture
def small_rooms(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Arrays that begin small; how often each kind of them has grown."""
    for name, room in (("FIRST_EDGES", 16), ("FIRST_ENTRIES", 512), ("FIRST_SETS", 4)):
        monkeypatch.setattr(edge_arrays_fast, name, room)
    grown: Counter[int] = Counter()
    grow = edge_arrays_fast.Room.grow

    def counted(room: edge_arrays_fast.Room, status: int) -> None:
        grown[status] += 1
        grow(room, status)

    monkeypatch.setattr(edge_arrays_fast.Room, "grow", counted)
    return grown


ALL_KINDS = {
    edge_arrays_fast.MORE_EDGES,
    edge_arrays_fast.MORE_ENTRIES,
    edge_arrays_fast.MORE_SETS,
}


@pytest.mark.slow
def test_decoders_agree_when_arrays_grow(small_rooms: Counter[int]) -> None:
    """Weights below zero bring small edges first, so that there are many of them."""
    problem = OrderingProblem.of(wl.WordBag(WORDS), lambda unit: ("Q", "R", "X", "Y", "Z"))
    settings: dict[str, Any] = {"beam": 0, "chart": "single", "scaled": False, "highest": -0.2}
    counters = same_search(problem, limits=Limits(expansions=70), **settings)
    assert counters["edges"] > 2000
    assert small_rooms.keys() == ALL_KINDS
    assert same_search(problem, limits=Limits(memory=1), **settings)["edges"] >= 512


@pytest.mark.slow
def test_decoders_agree_on_long_bags_with_many_tags() -> None:
    """Coverage, kinds with orders and sets of tags of more than 64 bits; kinds that straddle two
    words of 64."""
    chance = random.Random(7)
    words = [*(f"w{i}" for i in range(80)), *["a"] * 20, *["b"] * 60]
    tags = [*(f"T{i:02}" for i in range(80)), *["X"] * 20, *["Y"] * 60]
    bag = wl.WordBag(words, tags, [None] * 159 + [chance.randrange(100)], [(0, 1), (79, 90)])
    problem = OrderingProblem.of(bag, lambda unit: ())
    settings: dict[str, Any] = {"beam": 30, "chart": "sizes", "scaled": False, "highest": -0.2}
    counters = same_search(problem, limits=Limits(expansions=110), **settings)
    assert counters["edges"] > 1000


def test_the_fast_engine_refuses_more_groups_than_its_keys_hold() -> None:
    pairs = [*itertools.combinations(("h", "m", "s", "s2", "m_l", "m_r", "h-1", "h+1", "m-1"), 2)]
    lines = "; ".join(f"POS({one})·POS({other})" for one, other in pairs)
    groups = "; ".join(f"{one} {other}" for one, other in pairs)
    text = f"Dependency syntax\n{lines}\nGroups\nDependency syntax\n{groups}\n"
    keys = EdgeKeys.of(parse_edge_templates(text), WORDS, TAGS)
    with pytest.raises(ValueError, match="36 groups"):
        FastDependencySearch(keys, EdgeTable())


def settings_of_learning() -> Iterator[Any]:
    """Every rule, chart and beam; the everyday check takes the beam of 4."""
    grid = itertools.product(GUIDED, NEGATIVES, ["single", "sizes"], [1, 4, 0])
    for update, negatives, chart, beam in grid:
        if beam or negatives != "expand":
            settings = {"update": update, "negatives": negatives, "chart": chart, "beam": beam}
            name = "-".join(map(str, settings.values()))
            yield pytest.param(settings, id=name, marks=[pytest.mark.slow] * (beam != 4))


@pytest.fixture(scope="module")
def gazette() -> tuple[EdgeKeys, list[list]]:
    """Short sentences under three conditions, as examples."""
    sentences = [s for s in wl.load_corpus("gazette", units="base-np").train if len(s) <= 9][:5]
    dictionary = TagDictionary.of(sentences)
    tokens = [token for sentence in sentences for token in sentence]
    keys = EdgeKeys.of(TEMPLATES, (t.words[-1] for t in tokens), (t.pos for t in tokens))
    conditions = [(1, 0), (0, 0.5), (0.5, 1)]
    return keys, [[example_of(s, dictionary, *some) for s in sentences] for some in conditions]


def example_of(sentence: Sentence, dictionary: TagDictionary, pos: float, deps: float) -> Example:
    problem = OrderingProblem.of(bag_of(sentence, pos, deps), dictionary.lookup)
    return gold_example(sentence, problem, places(sentence))


@pytest.mark.parametrize("settings", [*settings_of_learning()])
def test_learners_agree(gazette: tuple[EdgeKeys, list[list]], settings: dict) -> None:
    keys, conditions = gazette
    chosen = GuidedSettings(**settings, expansions=40)
    for examples in conditions:
        reference = GuidedLearner(TEMPLATES, chosen, EventLog())
        order = [*range(len(examples))] * 2
        for i in order:
            reference.learn(examples[i])
        for log in (EventLog(), None):
            same_learning(reference, FastGuided(keys, chosen), examples, order, log)


@pytest.mark.parametrize("update", GUIDED)
@pytest.mark.slow
def test_learners_agree_where_all_kinds_of_things_happen(
    gazette: tuple[EdgeKeys, list[list]], small_rooms: Counter[int], update: str
) -> None:
    """Equal words, twins, orders, unknown tags; every reason and every end; arrays that grow."""
    sentences = [
        sentence_of("no way is no way .", (1, 2, -1, 4, 2, 2), "D N V D N P"),
        sentence_of("so so so so", (-1, 0, 1, 2), "A A A B"),
        sentence_of("to be or not to be", (1, -1, 1, 4, 5, 1), "T V C R T V"),
    ]
    dictionary = TagDictionary.of(sentences)
    tokens = [token for sentence in sentences for token in sentence]
    keys = EdgeKeys.of(TEMPLATES, (t.words[-1] for t in tokens), (t.pos for t in tokens))
    some = [(0, 0, 0), (1, 1, 0), (0.5, 0.5, 1), (0, 0, 2)]
    examples = [ordered_example(s, dictionary, *how) for s in sentences for how in some]
    happened: Counter[str] = Counter()
    for beam, expansions, negatives in ((0, 40, "expand"), (2, 25, "expand"), (3, 9, "discard")):
        settings = GuidedSettings(beam, "sizes", update, negatives, expansions)
        reference = GuidedLearner(TEMPLATES, settings, EventLog())
        fast = FastGuided(keys, settings)
        fast.table = fast.search.table = EdgeTable(1)
        order = [*range(len(examples))] * 3
        for i in order:
            reference.learn(examples[i])
        same_learning(reference, fast, examples, order, EventLog())
        happened.update(+Counter(fast.updates) + Counter(fast.sentences))
    assert small_rooms.keys() == ALL_KINDS
    assert {"agenda", "chart", "equal", "overfull", "finished", "limit"} <= happened.keys()
    assert update != "large-margin" or "satisfied" in happened


def sentence_of(words: str, heads: tuple[int, ...], tags: str) -> Sentence:
    tokens = [wl.Token((w,), t, h) for w, t, h in zip(words.split(), tags.split(), heads)]
    return Sentence(tuple(tokens), words)


def ordered_example(
    sentence: Sentence, dictionary: TagDictionary, pos: float, deps: float, orders: int
) -> Example:
    """An example with so many orders from the sentence itself."""
    bag, place = bag_of(sentence, pos, deps), places(sentence)
    before = [(place[i], place[-1 - i]) for i in range(orders)]
    problem = OrderingProblem.of(
        wl.WordBag(bag.words, bag.pos, bag.heads, before), dictionary.lookup
    )
    return gold_example(sentence, problem, place)


TABLE_1 = load_ccg_templates("zhang_clark_2015_table_1")
SENTENCES = [one for one in load_corpus("gazette", units="words").train[:120] if len(one) < 16]
RULES = CCGRules.of(sentence.derivation for sentence in SENTENCES if sentence.derivation)
LEXICON = CategoryDictionary.of(SENTENCES, seen=3)
CCG_WORDS = sorted({token.form for sentence in SENTENCES for token in sentence})
CCG_TAGS = sorted({token.pos for sentence in SENTENCES for token in sentence})
CCG_KEYS: EdgeKeys = keys_of(TABLE_1, CCG_WORDS, CCG_TAGS, RULES, LEXICON)
OUTSIDE = ["N/PP", "S[wq]", "NP"]
"""Categories from outside, of which the grammar knows the last."""


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
def test_decoders_agree_on_random_bags_with_rules(seed: int) -> None:
    chance = random.Random(seed)
    goals = 0
    for _ in range(12):
        problem = OrderingProblem.of(random_bag(chance), lambda unit: ("DT", "NN"), LEXICON.lookup)
        counters = same_search(
            problem,
            with_rules=True,
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
    small_rooms: Counter[int],
) -> None:
    """70 units, among them ten equal ones; every array that CCG needs grows on the way."""
    tokens = [token for one in SENTENCES for token in one][:60]
    words = [token.form for token in tokens] + ["the"] * 10
    bag = wl.WordBag(words, [token.pos for token in tokens] + ["DT"] * 10, before=[(3, 0)])
    problem = OrderingProblem.of(bag, lambda unit: ("DT",), LEXICON.lookup)
    how: dict[str, Any] = {"beam": 0, "chart": "single", "scaled": True, "signature": "2015"}
    counters = same_search(
        problem, with_rules=True, k=1, limits=Limits(expansions=500), highest=0.6, **how
    )
    assert counters["edges"] > 500 and counters["goals"] == 0
    assert small_rooms[edge_arrays_fast.MORE_EDGES] > 3
    assert small_rooms[edge_arrays_fast.MORE_ENTRIES] > 0


WAYS = [
    ("scaled", "expand", "single", "2015", 12),
    ("scaled", "expand", "sizes", "2011", 3),
    ("perceptron", "discard", "sizes", "2011", 8),
    ("large-margin", "discard", "single", "2015", 16),
    ("perceptron", "expand", "single", "none", 2),
    ("large-margin", "stop", "single", "2015", 16),
]


@pytest.mark.parametrize(("update", "negatives", "chart", "signature", "beam"), WAYS)
def test_learners_agree_on_rules(
    update: str, negatives: str, chart: str, signature: str, beam: int
) -> None:
    examples = [
        ccg_example(one, lambda unit: tuple(CCG_TAGS), LEXICON.lookup, pos=pos)
        for one, pos in zip(SENTENCES, (1, 1, 0.5, 1, 1, 1), strict=False)
    ]
    settings = GuidedSettings(beam, chart, update, negatives, 120, signature)
    decoder = partial(BestFirstCCG, rules=RULES)
    reference = GuidedLearner(TABLE_1, settings, EventLog(), decoder)
    for example in examples:
        reference.learn(example)
    search, order = partial(FastCCGSearch, rules=RULES), [*range(len(examples))]
    for log in (EventLog(), None):
        same_learning(reference, FastGuided(CCG_KEYS, settings, search), examples, order, log)
    assert reference.updates["agenda"] > 0


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
        settings = GuidedSettings(beam, chart, update, "expand", 300, signature)
        rules = rules_of(rows)
        decoder = partial(BestFirstCCG, rules=rules)
        reference = GuidedLearner(TABLE_1, settings, EventLog(), decoder)
        start_with(reference, example.problem, rows, Weights(seed))
        keys = keys_for(example.problem, rules)
        fast = FastGuided(keys, settings, partial(FastCCGSearch, rules=rules))
        fast.restore(reference.weights.raw(keys))
        reference.learn(example)
        same_learning(reference, fast, [example], [0], EventLog())
        updates.update(reference.updates)
    assert updates["signature"] > 0 and updates["agenda"] > 10, updates


def keys_for(problem: OrderingProblem, rules: CCGRules) -> EdgeKeys:
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
