"""Both engines against the enumerated truth, and against each other bit for bit."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from both_engines import ENGINES
from both_engines import both as same
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import (
    EVERY_COUNT,
    LEXICON,
    TABLE_2,
    Enumeration,
    Kind,
    Scorer,
    many_words,
    naive_beam,
    names_in,
    random_sentences,
)

import wordorder_lab as wl
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trees import DependencyTree, is_projective, tree_problem
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.transition.averaged_perceptron import UPDATES, Example, Perceptron, Weights
from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.packed_weights import ActionTable, PackedWeights, RawWeights
from wordorder_lab.transition.templates import (
    FeatureKeys,
    TemplateSet,
    parse_templates,
    template_files,
)
from wordorder_lab.transition.templates import load_templates as load
from wordorder_lab.transition.weights_fast import LearningTable

TABLE_2_NAMES = [name for table in TABLE_2.values() for name in names_in(table)]
COUNTS = parse_templates(EVERY_COUNT, "counts")
COUNT_NAMES = [template.name for template in COUNTS.templates]


def bag_of(kinds: tuple[Kind, ...]) -> wl.WordBag:
    """The bag of these kinds; a tag is given where there is just one."""
    units = [kind for kind in kinds for _ in range(kind.copies)]
    return wl.WordBag(
        [kind.form for kind in units],
        [kind.tags[0] if len(kind.tags) == 1 else None for kind in units],
    )


def model_of(kinds: tuple[Kind, ...], weigh: Scorer, templates: TemplateSet) -> LinearizationModel:
    """A model with the scorer's weights for all features that it has met."""
    words = {w for kind in kinds for w in kind.form.split()[-1:]} - weigh.unseen
    shifts = {(kind.form.split()[-1], tag) for kind in kinds for tag in kind.tags}
    actions = ActionTable(tuple(sorted(s for s in shifts if s[0] in words)))
    keys = FeatureKeys.of(templates, words, {tag for kind in kinds for tag in kind.tags})
    names = ["LEFTARC", "RIGHTARC", *(f"SHIFT-{word}-{tag}" for word, tag in actions.pairs)]
    index = {template.name: i for i, template in enumerate(templates.templates)}
    rows = {}
    for feature in weigh.features:
        key = keys.key((index[feature[0]], *feature[1:]))
        assert key is not None
        weights = [(a, weigh.weight(feature, name)) for a, name in enumerate(names)]
        if any(weight for _, weight in weights):  # a row without entries is left out of models
            rows[key] = [(a, w) for a, w in weights if w]
    entries = [entry for key in sorted(rows) for entry in rows[key]]
    packed = PackedWeights(
        np.array(sorted(rows), np.int64),
        np.array([len(rows[key]) for key in sorted(rows)], np.int32),
        np.array([a for a, _ in entries], np.int32),
        np.array([w for _, w in entries], np.int64),
        divisor=4,
    )
    packed.check(len(actions))
    tags = [(k.form.split()[-1], len(k.form.split()) > 1, *k.tags) for k in kinds]
    return LinearizationModel(keys, actions, TagDictionary.from_entries(tags), packed)


@cache
def truth(
    kinds: tuple[Kind, ...], seed: int, templates: TemplateSet, unseen: str = ""
) -> tuple[Enumeration, LinearizationModel]:
    """All derivations of a bag under made-up weights, and the model with these weights."""
    names = TABLE_2_NAMES if templates is not COUNTS else COUNT_NAMES
    weigh = Scorer(names, seed, frozenset([unseen] if unseen else []))
    kinds = tuple(sorted(kinds))
    return Enumeration(kinds, weigh), model_of(kinds, weigh, templates)


def facts(result: Result) -> tuple:
    """Score, actions, and what they have built, in the oracle's form."""
    tree = result.tree
    return result.score * 4, result.actions, tuple(zip(tree.forms, tree.pos)), tree.heads


def last_beam_of(
    model: LinearizationModel, bag: wl.WordBag, beam: int, engine: str
) -> list[Result]:
    """All derivations that a search ends with, best first; of some the tree is the same."""
    problem = model.problem(bag)
    found, counters = model.search(problem, beam=beam, k=beam, engine=engine)
    return [next(model._results(bag, problem, ([one], counters))) for one in found]


def check_k_best(model: LinearizationModel, bag: wl.WordBag, beam: int, k: int) -> None:
    """Of each tree the best derivation, whatever the engine; of other tags it is another tree."""
    for engine in ENGINES:
        expected: dict[DependencyTree, tuple] = {}
        for one in last_beam_of(model, bag, beam, engine):
            expected.setdefault(one.tree, facts(one))
        found = model.order(bag, beam=beam, k=k, engine=engine)
        assert [facts(one) for one in found.k_best] == [*expected.values()][:k]
        assert facts(found) == facts(found.k_best[0])


def check_all(every: Enumeration, model: LinearizationModel, engine: str) -> None:
    """With room for everything the last beam is the set of all derivations, best first."""
    n = len(every.derivations)
    found = last_beam_of(model, bag_of(every.kinds), n, engine)
    scores = [result.score for result in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0].score * 4 == every.best
    assert found[0].counters["candidates"] == every.steps
    assert Counter(map(facts, found)) == Counter(
        (d.score, d.actions, d.final.shifted, d.final.heads) for d in every.derivations
    )
    check_k_best(model, bag_of(every.kinds), n, n)


PRINTED = load("liu_2015_table_2")
SMALL = {
    "one": (Kind("go", ("VB",)),),
    "one, three tags": (Kind("go", ("NN", "VB", "X")),),
    "four": tuple(Kind(word, ("T",)) for word in "abcd"),
    "the same twice": (Kind("no", ("UH",), 2),),
    "tags": (Kind("a", ("A", "N")), Kind("b", ("N", "V")), Kind("c", ("V",))),
    "repeated, tags": (Kind("no", ("DT", "RB"), 2), Kind("yes", ("UH",))),
    "six times the same": (Kind("no", ("RB",), 6),),
    "two by two": (Kind("no", ("RB",), 2), Kind("yes", ("UH",), 2), Kind("a pier", ("NP",))),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("templates", [PRINTED, COUNTS], ids=["table_2", "counts"])
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.slow
def test_all_derivations(name: str, templates: TemplateSet, engine: str) -> None:
    every, model = truth(SMALL[name], 7, templates)
    check_all(every, model, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_all_derivations_with_an_unseen_word(engine: str) -> None:
    kinds = (Kind("a", ("A", "N")), Kind("blorp", ("N",)), Kind("c", ("V",)))
    for seed in range(3):
        check_all(*truth(kinds, seed, PRINTED, unseen="blorp"), engine)


FIVE_AND_SIX = {
    "five": (Kind("a", ("T",), 2), *(Kind(word, ("T",)) for word in "bcd")),
    "six": (Kind("a", ("T",), 4), Kind("b", ("T",)), Kind("c", ("U",))),
}


@pytest.mark.parametrize("name", FIVE_AND_SIX)
@pytest.mark.slow
def test_five_and_six_words(name: str) -> None:
    """13,440 and 40,320 derivations: the best 500, and the number of all steps."""
    every, model = truth(FIVE_AND_SIX[name], 5, PRINTED)
    n = len(every.derivations)
    found = last_beam_of(model, bag_of(every.kinds), n, "fast")
    ranked = sorted((d.score for d in every.derivations), reverse=True)
    assert n == (13_440 if name == "five" else 40_320)
    assert found[0].counters["candidates"] == every.steps
    assert [result.score * 4 for result in found[:500]] == ranked[:500]
    scores = {d.actions: d.score for d in every.derivations}
    assert all(scores[result.actions] == result.score * 4 for result in found[:500])
    assert len({result.actions for result in found}) == n


kinds_of_bags = st.lists(
    st.builds(
        Kind,
        st.sampled_from(["a", "b", "c", "d e", "f e"]),
        st.sampled_from([("A",), ("B",), ("A", "B")]),
        st.sampled_from([1, 1, 1, 2]),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda kind: kind.form.split()[-1],
).map(tuple)


@settings(max_examples=60)
@given(kinds_of_bags, st.integers(0, 999), st.sampled_from([1, 2, 3, 5, 17]), st.booleans())
def test_beam_against_a_naive_one(
    kinds: tuple[Kind, ...], seed: int, beam: int, counts: bool
) -> None:
    """The whole last beam in its order, ties too, from both engines."""
    weigh = Scorer(COUNT_NAMES if counts else TABLE_2_NAMES, seed)
    expected = naive_beam(tuple(sorted(kinds)), weigh, beam)
    model = model_of(kinds, weigh, COUNTS if counts else PRINTED)
    for engine in ENGINES:
        found = last_beam_of(model, bag_of(kinds), beam, engine)
        assert [facts(result)[:2] for result in found] == [d[:2] for d in expected]
    check_k_best(model, bag_of(kinds), beam, 3)


class Leaning(Scorer):
    """Weights that prefer some actions by far, whatever the state."""

    def __init__(self, favourites: tuple[str, ...]) -> None:
        super().__init__(COUNT_NAMES, seed=3)
        self.favourites = favourites

    def _weight(self, feature: tuple, action: str) -> int:
        bonus = 0
        if feature[0] == "p-1p0" and action in self.favourites:
            bonus = 100 * (1 + self.favourites.index(action))
        return super()._weight(feature, action) + bonus


@pytest.mark.parametrize(
    ("favourites", "counts"),
    [
        (("LEFTARC", "SHIFT-a-T"), "S0pS0vl = 6; S0pS0dl = 7; S0pS0n = 7; S0pS1pd = 7"),
        (("SHIFT-a-T", "RIGHTARC"), "S0pS0vr = 6; S0pS0dr = 7; S0pS0n = 7; S1pS1vr = 6"),
    ],
    ids=["left", "right"],
)
def test_every_bin_of_the_counts(favourites: tuple[str, ...], counts: str) -> None:
    """Words with up to thirteen dependents on one side, far away."""
    kinds = (Kind("a", ("T",), 14),)
    weigh = Leaning(favourites)
    expected = naive_beam(kinds, weigh, 3)
    for line in counts.split("; "):
        name, most = line.split(" = ")
        met = {feature[-1] for feature in weigh.features if feature[0] == name}
        assert met >= set(range(1, int(most) + 1)), name
    for engine in ENGINES:
        found = last_beam_of(model_of(kinds, weigh, COUNTS), bag_of(kinds), 3, engine)
        assert [facts(result)[:2] for result in found] == [d[:2] for d in expected]


@cache
def trained(templates: str, pos: float = 1) -> LinearizationModel:
    sentences, labels = lessons(random_sentences(3, 40, longest=6), templates)
    settings = {"beam": 4, "epochs": 2, "pos": pos, "templates": templates, "progress": False}
    return wl.train("liu-2015", sentences, engine="fast", labels=labels, **settings)


def lessons(sentences: list[wl.Sentence], templates: str) -> tuple[list[wl.Sentence], bool]:
    """These sentences; with labels where the templates look at some, and whether they do."""
    if not load(templates).has_labels:
        return sentences, False
    labelled = [
        wl.Sentence(
            tuple(
                wl.Token(t.words, t.pos, t.head, f"{t.pos}-{'left' if i < t.head else 'right'}")
                for i, t in enumerate(sentence)
            ),
            sentence.name,
        )
        for sentence in sentences
    ]
    return labelled, True


@cache
def trained_on_many_words() -> LinearizationModel:
    sentences = [*random_sentences(4, 20), *many_words(200)]
    return wl.train("liu-2015", sentences, engine="fast", beam=2, epochs=1, progress=False)


def model_named(name: str) -> LinearizationModel:
    return trained_on_many_words() if name == "many words" else trained(name)


UNITS = [*sorted({form for form, _ in LEXICON}), "unseen", "an unseen phrase", "a007", "z003"]
TAGS = [None, None, *sorted({tag for _, tag in LEXICON}), "UNSEEN"]
units_with_tags = st.lists(
    st.tuples(st.sampled_from(UNITS), st.sampled_from(TAGS)), min_size=1, max_size=12
)


def both(model: LinearizationModel, bag: wl.WordBag, beam: int, k: int) -> Result:
    """The result of both engines, of whose last beam each tree is there once."""
    found = same(model, bag, beam=beam, k=k)
    trees = {one.tree for one in last_beam_of(model, bag, beam, "fast")}
    assert len(found.k_best) == min(k, len(trees))
    return found


def check_result(found: Result, bag: wl.WordBag) -> None:
    """A permutation of the bag under a projective tree, with the tags that were given."""
    assert sorted(found.order) == list(range(len(bag)))
    assert found.words == [bag.form(i) for i in found.order] == list(found.tree.forms)
    assert bag.pos is not None
    given_tags = [bag.pos[i] for i in found.order]
    assert all(want in (None, tag) for want, tag in zip(given_tags, found.tree.pos, strict=True))
    assert tree_problem(found.tree.heads) is None and is_projective(found.tree.heads)
    assert len(found.actions) == 2 * len(bag) - 1


@pytest.mark.parametrize("name", [*template_files(), "many words"])
def test_engines_are_equal(name: str) -> None:
    @settings(max_examples=40)
    @given(units_with_tags, st.integers(1, 8), st.integers(1, 4))
    def check(units: list, beam: int, k: int) -> None:
        bag = wl.WordBag(*map(list, zip(*units)))
        check_result(both(model_named(name), bag, beam, k), bag)

    check()


@pytest.mark.parametrize("templates", template_files())
@pytest.mark.parametrize("update", UPDATES)
def test_learners_are_equal(tmp_path: Path, templates: str, update: str) -> None:
    """Model files to the last byte, and every event; with a trace and without."""
    logs, files, number = {}, {}, template_files().index(templates)
    how = {"templates": templates, "update": update, "beam": 3, "epochs": 2, "progress": False}
    how |= {"pos": (1, 0, 0.5)[number % 3], "shuffle": number % 2 == 1}
    for engine in [*ENGINES, "untraced"]:
        logs[engine] = log = None if engine == "untraced" else wl.EventLog()
        with_engine = {"engine": "fast" if engine == "untraced" else engine, "trace": log}
        given, labels = lessons(random_sentences(5, 8, longest=5), templates)
        model = wl.train("liu-2015", given, labels=labels, **with_engine, **how)
        model.save(tmp_path / engine)
        files[engine] = (tmp_path / engine).read_bytes()
    assert logs["fast"] == logs["reference"]
    assert files["fast"] == files["reference"] == files["untraced"]
    assert {"update", "weight", "gold"} <= {event[0] for event in logs["fast"] or ()}


def examples_of(sentences: list[wl.Sentence]) -> list[Example]:
    lookup = TagDictionary.of(sentences).lookup
    problems = [OrderingProblem.of(wl.bag_of(sentence), lookup) for sentence in sentences]
    return [
        Example(problem, tuple(gold_actions(sentence, problem)))
        for sentence, problem in zip(sentences, problems, strict=True)
    ]


def assert_same(one: RawWeights, other: RawWeights) -> None:
    assert one.examples == other.examples
    for name, array in one.arrays().items():
        assert np.array_equal(array, other.arrays()[name]), name
        assert array.dtype == other.arrays()[name].dtype, name


@pytest.mark.parametrize("templates", [COUNTS, PRINTED], ids=["counts", "table_2"])
def test_learners_have_equal_weights(templates: TemplateSet) -> None:
    """Features that are seen with 260 actions, and a table that grows."""
    sentences = [*random_sentences(9, 20), *many_words(260)]
    tokens = [token for sentence in sentences for token in sentence]
    keys = FeatureKeys.of(templates, (t.words[-1] for t in tokens), (t.pos for t in tokens))
    actions, examples = ActionTable.of(sentences), examples_of(sentences)
    slow, fast = Perceptron(templates, actions, 4), FastPerceptron(keys, actions, 4)
    fast.prepare(examples)
    for _ in range(2):
        fast.learn(np.arange(len(examples)))
        for example in examples:
            slow.learn(example)
    assert fast.updates == slow.updates > 0
    assert_same(fast.raw(), slow.weights.raw(keys))


def test_sums_beyond_four_bytes() -> None:
    """Where no sum of weights fits, both engines score the same, and so do both learners."""
    sentences = random_sentences(4, 12)
    model = wl.train("liu-2015", sentences, beam=4, epochs=1, progress=False)
    weights = replace(model.weights, values=model.weights.values * 10**9)
    larger, bag = replace(model, weights=weights), wl.bag_of(sentences[0])
    assert both(larger, bag, 4, 3).score == both(model, bag, 4, 3).score * 10**9
    keys, actions, examples = model.keys, model.actions, examples_of(sentences)
    slow = Perceptron(keys.templates, actions, 4)
    fast = FastPerceptron(keys, actions, 4)
    fast.prepare(examples)
    for _ in range(2):
        fast.learn(np.arange(len(examples)))
        for example in examples:
            slow.learn(example)
        assert_same(fast.raw(), slow.weights.raw(keys))
        raw = fast.raw()
        raw = replace(raw, w=raw.w * 10**8)
        slow.weights = Weights.of_raw(raw, keys)
        fast.restore(raw)


def random_changes(seed: int, n: int) -> tuple[int, np.ndarray]:
    """Lines (key, action, change, 0, 0): some keys with all actions, many with a few."""
    chance = random.Random(seed)
    n_actions = (40, 300, 300, 200)[seed % 4]
    heavy, light = (10, 1, 70, 20)[seed % 4], chance.choice([30, 5000])
    lines = []
    for _ in range(n):
        key = chance.randrange(heavy) if chance.random() < 0.8 else 100 + chance.randrange(light)
        action = chance.randrange(-1, n_actions if key < heavy else min(n_actions, 150))
        lines.append((key * 7_919_000_003, action, chance.choice([1, -1]), 0, 0))
    return n_actions, np.array(lines, np.int64)


@pytest.mark.parametrize("seed", range(8))
def test_learning_table_against_a_dict(seed: int) -> None:
    n_actions, changes = random_changes(seed, 24_000)
    table = LearningTable(n_actions, places=16, entries=16)
    plain: dict[int, dict[int, list[int]]] = {}
    examples = 0
    for begin in range(0, len(changes), 800):
        part = changes[begin : begin + 800].copy()
        for key, action, change, _, _ in part.tolist():
            if action >= 0:
                entry = plain.setdefault(key, {}).setdefault(action, [0, 0])
                entry[0] += change
                entry[1] += change * examples
        table.add(part, len(part))
        last = {(key, action): after for key, action, _, after, _ in part.tolist()}
        assert all(plain[k][a][0] == after for (k, a), after in last.items() if a >= 0)
        examples += seed
        table.used[2] = examples
        if begin % 8000 == 0:
            raw = table.raw()
            assert table_as_dict(raw) == plain and raw.examples == examples
            table = LearningTable.of_raw(raw, n_actions)
    assert table_as_dict(table.raw()) == plain
    assert_same(LearningTable.of_raw(table.raw(), n_actions).raw(), table.raw())


def table_as_dict(raw: RawWeights) -> dict[int, dict[int, list[int]]]:
    entries = list(zip(raw.actions.tolist(), raw.w.tolist(), raw.u.tolist(), strict=True))
    rows, at = {}, 0
    assert raw.keys.tolist() == sorted(set(raw.keys.tolist()))
    for key, length in zip(raw.keys.tolist(), raw.lengths.tolist(), strict=True):
        row = entries[at : at + length]
        assert [a for a, _, _ in row] == sorted({a for a, _, _ in row})
        rows[key] = {a: [w, u] for a, w, u in row}
        at += length
    assert at == len(entries)
    return rows


def test_averages_leave_zeros_out() -> None:
    raw = RawWeights(
        *(np.array([3, 9, 12]), np.array([2, 1, 1], np.int32), np.array([0, 5, 1, 0], np.int32)),
        *(np.array([2, 1, 0, 1]), np.array([6, 4, -7, 3]), 3),
    )
    packed = raw.averaged()
    assert packed.keys.tolist() == [3, 9] and packed.lengths.tolist() == [1, 1]
    assert [dict(packed.row(key)) for key in (3, 9, 12, 4, None)] == [{5: -1}, {1: 7}, {}, {}, {}]


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None  # so Python believes that there is no such module
import wordorder_lab as wl
from oracles import random_sentences
sentences = random_sentences(1, 6)
for engine in (None, "reference"):
    model = wl.train("liu-2015", sentences, beam=2, epochs=1, progress=False, engine=engine)
    model.save(sys.argv[1])
    found_words = wl.load_model(sys.argv[1]).order(wl.bag_of(sentences[0]), engine=engine)
    assert found_words.text
try:
    model.order(wl.bag_of(sentences[0]), engine="fast")
except ValueError as error:
    assert "numba" in str(error), error
else:
    raise SystemExit("the fast engine ran without numba")
"""


def run_python(program: str, *arguments: str, **variables: str) -> None:
    here = Path(__file__).resolve().parent
    paths = [str(here.parent), str(here), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **variables}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_reference_works_without_numba(tmp_path: Path) -> None:
    run_python(WITHOUT_NUMBA, str(tmp_path / "m.wol"))
