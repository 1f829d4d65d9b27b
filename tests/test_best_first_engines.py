"""Best-first search and guided learning: both engines give the same, to the last bit and event."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import md5
from typing import Any

import numpy as np
import pytest
from edge_oracles import MadeUp, Tree, every_tree, phrases_of

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.features import contexts, edge_features
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import (
    load_edge_templates,
    parse_edge_templates,
)
from wordorder_lab.best_first.updates import NEGATIVES, UPDATES
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example
from wordorder_lab.trace.log import EventLog

pytest.importorskip("numba")

from wordorder_lab.best_first import arrays_fast as edge_arrays_fast
from wordorder_lab.best_first.dependency_fast import FastDependencySearch
from wordorder_lab.best_first.guided_learning_fast import FastGuided
from wordorder_lab.best_first.weights_fast import EdgeTable

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


def same_search(
    problem: OrderingProblem, *, k: int = 1, limits: Limits, **settings: Any
) -> dict[str, int]:
    """Run both engines, the fast one with a trace and without; return the counters."""
    default, highest = settings.pop("default", "2015"), settings.pop("highest", 0.5)
    weights, logs = RandomWeights(KEYS, highest), (EventLog(), EventLog())
    chosen = SearchSettings(limits=limits, k=k, default=default, **settings)
    reference = BestFirstDependency(problem, TEMPLATES, weights, chosen, logs[0])
    found = reference.run()
    fast = FastDependencySearch(KEYS, EdgeTable.of(weights.packed()))
    expected = (found, reference.stopped, reference.counters)
    assert fast.run(problem, chosen, logs[1]) == expected
    assert fast.run(problem, chosen) == expected
    assert logs[0] == logs[1]
    return reference.counters


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


@pytest.mark.slow
def test_every_tree_over_five_words() -> None:
    """21,225 edges, each goal once, and the best of them is the optimum."""
    bag = wl.WordBag(WORDS[:5], ["X", "Y", "X", "Z", "Y"])
    weights = MadeUp(3)
    seen: dict[int, float] = {}
    best: dict[Tree, float] = {}

    @cache
    def local(*phrase) -> float:
        words, heads, left_size, whole = phrase
        items = [Item(i, (form,), form, tag) for i, (form, tag) in enumerate(words)]
        total = 0.0
        for group in edge_features(
            TEMPLATES, contexts(range(len(words)), heads, left_size, items, whole)
        ):
            for feature in group:
                seen[KEYS.key(feature) or 0] = weights(feature)
                total += weights(feature)
        return total

    for tree in every_tree(bag):
        best[tree] = 0.0
        for phrase in phrases_of(*tree):
            best[tree] += local(*phrase)
    kept = {key: weight for key, weight in sorted(seen.items()) if weight}
    packed = PackedEdgeWeights(np.array([*kept], np.int64), np.array([*kept.values()]))
    problem = OrderingProblem.of(bag, lambda unit: ())
    search = FastDependencySearch(KEYS, EdgeTable.of(packed))
    settings = SearchSettings(0, scaled=False, k=10**6)
    found, stopped, counters = search.run(problem, settings)
    assert (stopped, counters["edges"], counters["goals"]) == ("agenda empty", 21_225, 17_160)
    goals = {}
    for one in found:
        items = [problem.items[i] for i in one.items]
        goals[tuple((item.form, item.pos) for item in items), one.heads] = one.score
    assert goals == best  # whole numbers: any order of additions gives the same
    assert found[0].score == max(best.values())


def settings_of_learning() -> Iterator[Any]:
    """Every rule, chart and beam; the everyday check takes the beam of 4."""
    grid = itertools.product(UPDATES, NEGATIVES, ["single", "sizes"], [1, 4, 0])
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
        logs = EventLog(), EventLog()
        reference = GuidedLearner(TEMPLATES, chosen, logs[0])
        order = [*range(len(examples))] * 2
        for i in order:
            reference.learn(examples[i])
        traced, plain = (FastGuided(keys, chosen) for _ in range(2))
        for fast, log in ((traced, logs[1]), (plain, None)):
            fast.prepare(examples)
            fast.learn(order, log)
            assert (fast.updates, fast.sentences) == (reference.updates, reference.sentences)
            one, other = reference.weights.raw(keys), fast.raw()
            for name in ("keys", "w", "u"):
                assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
        assert logs[0] == logs[1]


@pytest.mark.parametrize("update", UPDATES)
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
        logs = EventLog(), EventLog()
        reference = GuidedLearner(TEMPLATES, settings, logs[0])
        fast = FastGuided(keys, settings)
        fast.table = fast.search.table = EdgeTable(1)
        fast.prepare(examples)
        order = [*range(len(examples))] * 3
        for i in order:
            reference.learn(examples[i])
        fast.learn(order, logs[1])
        assert logs[0] == logs[1]
        one, other = reference.weights.raw(keys), fast.raw()
        for name in ("keys", "w", "u"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
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


def test_learning_goes_on_where_it_was(gazette: tuple[EdgeKeys, list[list]]) -> None:
    keys, (examples, *_) = gazette
    settings = GuidedSettings(4, "single", "scaled", "expand", 40)
    whole, first, second = (FastGuided(keys, settings) for _ in range(3))
    for learner in (whole, first, second):
        learner.prepare(examples)
    whole.learn([0, 1, 2, 3])
    first.learn([0, 1])
    second.restore(first.raw())
    second.learn([2, 3])
    for name in ("keys", "w", "u"):
        assert getattr(whole.raw(), name).tobytes() == getattr(second.raw(), name).tobytes()
