"""Best-first search with labels and alternatives (section 5.7), and whole trees in the end."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from edge_oracles import phrases_of
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import projective_trees
from test_best_first_engines import RandomWeights, same_learning, same_run
from test_input_constraints import has_heads, random_tree

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.features import contexts, edge_features
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.guided_learning_fast import FastGuided
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trees import is_projective
from wordorder_lab.systems.zhang_clark_2015_dependency import DependencyModel, gold_example
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import check_interleaving

TEMPLATES = load_edge_templates("zhang_clark_2015_section_5_7")
WORDS, TAGS, LABELS = ["a", "an", "b", "c", "d", "e"], ["X", "Y"], ["det", "mod", "subj"]
KEYS = EdgeKeys.of(TEMPLATES, WORDS, TAGS, labels=LABELS)
ALL = 10**9


def problem_of(bag: wl.WordBag, labels: tuple[str, ...] = ("mod", "subj")) -> OrderingProblem:
    return OrderingProblem.of(bag, lambda unit: ("X", "Y"), labels=lambda tag: labels)


def test_the_copy_of_table_2() -> None:
    """28 templates of Table 2 have dir: each is there again with the label of the new arc."""
    table_2 = load_edge_templates("zhang_clark_2015_table_2").templates
    assert TEMPLATES.templates[:38] == table_2[:38]
    with_dir = [t for t in table_2 if any(atom.slot == "dir" for atom in t.atoms)]
    copies = [t for t in TEMPLATES.templates if any(atom.attribute == "l" for atom in t.atoms)]
    assert len(with_dir) == len(copies) == 28 and len(TEMPLATES) == 75 + 28
    for old, new in zip(with_dir, copies, strict=True):
        label = [(atom.slot, atom.attribute) for atom in {*new.atoms} - {*old.atoms}]
        assert label == [("m", "l")] and {*old.atoms} < {*new.atoms}


def test_a_label_has_a_key_and_an_unseen_one_has_none() -> None:
    index = next(
        i for i, t in enumerate(TEMPLATES.templates) if t.name == "POS(h)·POS(m)·LABEL(m)·dir"
    )
    for label in LABELS:
        key = KEYS.key((index, "X", "Y", label, 1))
        assert key is not None and KEYS.feature(key) == (index, "X", "Y", label, 1)
    assert KEYS.key((index, "X", "Y", "obl", 1)) is None


def features_of(label: str) -> list[Feature]:
    items = [Item(0, ("a",), "a", "X", None, "det"), Item(1, ("b",), "b", "Y", None, label)]
    groups = edge_features(TEMPLATES, contexts((0, 1), (-1, 0), 1, items, False))
    return [feature for group in groups for feature in group]


def test_a_label_that_is_not_known_silences_its_templates() -> None:
    named, silent = features_of("mod"), features_of("")
    assert [f for f in named if "mod" not in f] == silent and len(named) > len(silent)


class ByName(RandomWeights):
    def __init__(self, keys: EdgeKeys, weights: dict[tuple, float]) -> None:
        super().__init__(keys)
        self.weights = weights

    def __call__(self, feature: Feature) -> float:
        name = TEMPLATES.templates[int(feature[0])].name
        weight = self.weights.get((name, *feature[1:]), 0.0)
        if weight and (key := self.keys.key(feature)) is not None:
            self.seen[key] = weight
        return weight


def wins(bag: wl.WordBag, weights: dict[tuple, float], signature: str) -> str:
    tags = {"DT", "JJ", "NN", "NNP", "CC", "VB"}
    words = {
        word for unit in bag.unit_types for form in (unit.words, *unit.others) for word in form
    }
    labels = {"det", "amod", "nsubj", "conj", "cc", "cop"}
    keys = EdgeKeys.of(TEMPLATES, words, tags, labels=labels)

    problem = OrderingProblem.of(bag, lambda unit: ("NN",))
    how = SearchSettings(0, k=ALL, signature=signature)  # the first goal need not be the best one
    (found, *_), *_ = same_run(problem, ByName(keys, weights), how, TEMPLATES)
    assert sorted(problem.items[i].type for i in found.items) == list(range(len(bag)))
    return " ".join(problem.items[i].form for i in found.items)


@pytest.mark.parametrize(("form", "adjective"), [("an", "honest"), ("a", "tall")])
@pytest.mark.parametrize("signature", ["none", "words"])
def test_an_honest_person(form: str, adjective: str, signature: str) -> None:
    """N-grams tell *an honest person* and *a honest person* apart."""
    bag = wl.WordBag(
        ["a", adjective, "person"],
        ["DT", "JJ", "NN"],
        [2, 2, -1],
        labels=["det", "amod", None],
        alternatives=[["an"], None, None],
    )
    weights = {
        ("POS(h)·POS(m)·LABEL(m)·dir", "NN", "DT", "det", 0): 1.0,
        ("POS(h)·POS(m)·LABEL(m)·dir", "NN", "JJ", "amod", 0): 2.0,
        ("POS(m)·POS(s)·LABEL(m)·dir", "DT", "JJ", "det", 0): 1.0,
        ("WORD(B-1)·WORD(B)", "an", "honest"): 1.0,
        ("WORD(B-1)·WORD(B)", "a", "tall"): 1.0,
    }
    assert wins(bag, weights, signature) == f"{form} {adjective} person"


@pytest.mark.parametrize(("second", "verb"), [("Sally", "are"), (None, "is")])
@pytest.mark.parametrize("signature", ["none", "words"])
def test_tom_and_sally_are(second: str | None, verb: str, signature: str) -> None:
    """Features of higher order tell them apart: a subject with a conjunct on its right.

    The verb takes its place before the subject comes; a signature must not settle its form there.
    """
    words, tags = ["is", "Tom", "here"], ["VB", "NNP", "JJ"]
    heads, labels = [2, 2, -1], ["cop", "nsubj", None]
    if second:
        words, tags = [*words, second, "and"], [*tags, "NNP", "CC"]
        heads, labels = [*heads, 1, 3], [*labels, "conj", "cc"]
    bag = wl.WordBag(
        words, tags, heads, labels=labels, alternatives=[["are"], *[None] * (len(words) - 1)]
    )
    weights = {
        ("POS(h)·POS(m)·LABEL(m)·dir", "JJ", "VB", "cop", 0): 3.0,
        ("POS(h)·POS(m)·LABEL(m)·dir", "JJ", "NNP", "nsubj", 0): 2.0,
        ("POS(m)·POS(s)·LABEL(m)·dir", "NNP", "VB", "nsubj", 0): 2.0,
        ("POS(h)·POS(m)·LABEL(m)·dir", "NNP", "NNP", "conj", 1): 2.0,
        ("POS(h)·POS(m)·LABEL(m)·dir", "NNP", "CC", "cc", 0): 2.0,
        ("WORD(m)·WORD(s)·LABEL(m)·dir", "Tom", "is", "nsubj", 0): 0.5,
        ("POS(B-2)·WORD(B-1)·POS(B)", "CC", "Sally", "VB"): 0.0,
        ("WORD(B-2)·WORD(B-1)·WORD(B)", "and", "Sally", "are"): 2.0,
    }
    said = f"Tom and {second} {verb} here" if second else f"Tom {verb} here"
    assert wins(bag, weights, signature) == said


Unit = tuple[str, str, str]
"""A form, a tag and a label."""


def every_labelled_tree(bag: wl.WordBag, open_labels: tuple[str, ...]) -> Counter[Any]:
    """Each sentence that keeps all that is given, whatever forms and labels are chosen."""
    found: Counter[Any] = Counter()
    units = bag.unit_types
    choices: list[list[Unit]] = [
        [
            (" ".join(form), tag, label)
            for form in (kind.words, *kind.others)
            for tag in ([kind.pos] if kind.pos else ["X", "Y"])
            for label in ([kind.label] if kind.label else open_labels)
        ]
        for kind in units
    ]
    for order in itertools.permutations(range(len(bag))):
        if all(order.index(first) < order.index(then) for first, then in bag.before):
            trees = [t for t in projective_trees(len(bag)) if has_heads(bag, order, t)]
            for chosen in itertools.product(*(choices[unit] for unit in order)):
                found.update((chosen, tree) for tree in trees)
    return found


BAGS = {
    "alternatives": wl.WordBag(
        ["a", "b", "c"], ["X", "X", "Y"], alternatives=[["an"], None, ["d"]]
    ),
    "equal words": wl.WordBag(["a", "a", "b"], ["X"] * 3, alternatives=[["an"], ["an"], None]),
    "labels": wl.WordBag(["a", "b", "c"], ["X"] * 3, [1, None, None], labels=["det", None, "mod"]),
    "a phrase": wl.WordBag(["b", "c"], None, labels=["det", None], alternatives=[["the a"], None]),
    "orders": wl.WordBag(
        ["a", "b", "c", "d"], ["X"] * 4, [1, -1, 1, 2], [(0, 2)], alternatives=[["an"], *[None] * 3]
    ),
}


@pytest.mark.parametrize("name", BAGS)
def test_every_tree_and_the_best(name: str) -> None:
    """Both engines: each goal once, all of them, and the best is the optimum."""
    check_every_tree(BAGS[name])


def test_every_tree_over_five_words() -> None:
    check_every_tree(
        wl.WordBag(
            ["a", "b", "c", "d", "e"],
            ["X", "Y", "X", "Y", "X"],
            [1, None, 1, None, 1],
            labels=["det", "mod", None, "mod", "subj"],
            alternatives=[["an"], None, ["unseen"], None, None],
        )
    )


def check_every_tree(bag: wl.WordBag) -> None:
    labels = ("mod", "subj")
    truth = every_labelled_tree(bag, labels)
    problem = problem_of(bag, labels)
    weight = RandomWeights(KEYS)
    how = SearchSettings(0, scaled=False, k=ALL)
    found, _, log = same_run(problem, weight, how, TEMPLATES)

    @cache
    def local(words: tuple[Unit, ...], heads: tuple[int, ...], left: int, whole: bool) -> float:
        items = [
            Item(i, (f,), f.split()[-1], tag, None, la) for i, (f, tag, la) in enumerate(words)
        ]
        groups = edge_features(TEMPLATES, contexts(range(len(items)), heads, left, items, whole))
        return sum(weight(feature) for group in groups for feature in group)

    goals: dict[Any, float] = {}
    for one in found:
        items = [problem.items[i] for i in one.items]
        goals[tuple((i.form, i.pos, i.label) for i in items), one.heads] = one.score
    assert len(goals) == len(found) and goals.keys() == truth.keys()
    for tree, score in goals.items():
        expected = sum([local(*phrase) for phrase in phrases_of(*tree)])
        assert score == pytest.approx(expected, abs=1e-9)
    assert found[0].score == max(goals.values())
    several = any(kind.others for kind in bag.unit_types)
    assert any(event[0] == "alternatives" for event in log) == several


@st.composite
def labelled_bags(draw: st.DrawFn) -> wl.WordBag:
    """Up to five units with all that may be given; labels and tags that training never saw."""
    n = draw(st.integers(1, 5))
    chance = random.Random(draw(st.integers(0, 2**20)))
    share = chance.choice([0, 0.5, 1, 1])
    heads = [head if chance.random() < share else None for head in random_tree(chance, n)]
    return wl.WordBag(
        chance.choices([*WORDS, "the a", "unseen"], k=n),
        [chance.choice([*TAGS, "?", None]) for _ in range(n)],
        heads,
        [(0, 1)] if n > 2 and chance.random() < 0.3 else [],
        labels=[chance.choice([*LABELS, "unseen", None]) for _ in range(n)],
        alternatives=[chance.choice([None, None, ["an"], ["b", "the e"]]) for _ in range(n)],
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    bag=labelled_bags(),
    signature=st.sampled_from(["none", "ends", "words"]),
    beam=st.sampled_from([0, 1, 4]),
    expansions=st.sampled_from([0, 3, 12, 40]),
    default=st.sampled_from(["2015", "tree"]),
    scaled=st.booleans(),
)
def test_engines_agree(bag: wl.WordBag, signature: str, **how: Any) -> None:
    problem = problem_of(bag)
    limits = Limits(expansions=how.pop("expansions"))
    chosen = SearchSettings(signature=signature, limits=limits, k=2, **how)
    found, *_ = same_run(problem, RandomWeights(KEYS), chosen, TEMPLATES)
    for one in found:
        used = Counter(problem.items[i].type for i in one.items)
        assert all(count <= problem.counts[t] for t, count in used.items())


SENTENCES = [
    (("an", "e", "b"), ("X", "Y", "X"), (2, 2, -1), ("det", "mod", "subj"), ("a", None, "c")),
    (("b", "an", "d"), ("X", "X", "Y"), (1, 2, -1), ("det", "subj", "mod"), ("c", None, "c")),
    (("d", "an", "d"), ("Y", "X", "Y"), (-1, 2, 0), ("subj", "det", "mod"), (None, "a", None)),
]


def lessons(labels: float) -> list[OrderingExample]:
    """Bags with the wrong form first, so that the right one has to be learned."""
    found = []
    for words, tags, heads, given_labels, others in SENTENCES:
        tokens = [wl.Token((w,), *rest) for w, *rest in zip(words, tags, heads, given_labels)]
        first = [other or word for word, other in zip(words, others)]
        alternatives = [[word] if other else None for word, other in zip(words, others)]
        known = [label if labels else None for label in given_labels]
        bag = wl.WordBag(first, tags, heads, labels=known, alternatives=alternatives)
        found.append(OrderingExample(bag, Sentence(tuple(tokens), " ".join(words)), (0, 1, 2)))
    return found


@pytest.mark.parametrize("signature", ["none", "words"])
@pytest.mark.parametrize("labels", [0, 1])
def test_learners_agree(labels: float, signature: str) -> None:
    examples: list[Example] = []
    for one in lessons(labels):
        problem = problem_of(one.bag, tuple(LABELS))
        examples.append(gold_example(one.gold, problem, one.places))
    how = GuidedSettings(4, "single", "scaled", "expand", 60, signature)
    reference, fast = GuidedLearner(TEMPLATES, how, EventLog()), FastGuided(KEYS, how)
    order = [0, 1, 2] * 4
    for i in order:
        reference.learn(examples[i])
    same_learning(reference, fast, examples, order, EventLog())


@pytest.fixture(scope="module")
def model() -> DependencyModel:
    found = wl.train(
        "zhang-clark-2015-dependency", lessons(1), labels=True, deps=1, epochs=8, progress=False
    )
    assert isinstance(found, DependencyModel)
    return found


def test_it_learns_forms_and_labels(model: DependencyModel, tmp_path: Any) -> None:
    """Given labels come out; those that are not given are found; so after loading the file."""
    model.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    assert model.settings["templates"] == "zhang_clark_2015_section_5_7"
    assert model.unknown_labels(wl.WordBag(["a"], labels=["obl"])) == ["obl"]
    for one in lessons(1):
        result = model.order(one.bag)
        assert result.text == one.gold.text and result.tree == one.gold.tree
        assert result.k_best[0].tree.labels == one.gold.tree.labels
        open_bag = wl.WordBag(one.bag.words, one.bag.pos, one.bag.heads)
        for engine in ("reference", None):
            free = again.order(open_bag, engine=engine)
            assert set(free.tree.labels) <= set(LABELS)
            assert free == model.order(open_bag, engine=engine)


def test_an_unseen_label_is_no_error(model: DependencyModel) -> None:
    bag = wl.WordBag(["a", "c", "d"], ["X", "X", "Y"], labels=["det", "obl", None])
    result = model.order(bag, engine="reference")
    assert sorted(result.order) == [0, 1, 2] and "obl" in result.tree.labels


def test_a_model_without_labels_passes_them_on() -> None:
    plain = wl.train("zhang-clark-2015-dependency", lessons(1), epochs=1, progress=False)
    assert "labels" not in plain.settings and "signature" not in plain.settings
    for one in lessons(1):
        tree = plain.order(one.bag).tree
        assert sorted(tree.labels) == sorted(one.gold.tree.labels)


@pytest.mark.parametrize("seed", range(4))
def test_a_stopped_search_gives_a_whole_tree(seed: int) -> None:
    """Every unit once, every head kept, every order that a tree can keep; no arcs cross."""
    chance = random.Random(seed)
    for _ in range(12):
        n = chance.randint(1, 9)
        heads = random_tree(chance, n)
        pairs = [tuple(sorted(chance.sample(range(n), 2))) for _ in range(n // 2)] if n > 1 else []
        others = [chance.choice([None, ["b", "an"]]) for _ in range(n)]
        words = chance.choices(WORDS, k=n)
        bag = wl.WordBag(words, ["X"] * n, heads, pairs, alternatives=others)
        problem = problem_of(bag)
        try:
            check_interleaving(problem)
        except ValueError:
            continue
        limits = Limits(expansions=chance.choice([0, 2, 10, 30]))
        how = SearchSettings(chance.choice([0, 3]), limits=limits, default="tree")
        search = BestFirstDependency(problem, TEMPLATES, RandomWeights(KEYS), how)
        (found,) = search.run()
        order = search.links.assign_units(found.items, found.heads)
        assert sorted(order) == list(range(n))
        above = {unit: order[h] if h >= 0 else -1 for unit, h in zip(order, found.heads)}
        assert [above[unit] for unit in range(n)] == heads
        assert all(order.index(i) < order.index(j) for i, j in bag.before)
        assert is_projective(found.heads)


@pytest.mark.parametrize("signature", ["ends", "words"])
def test_with_a_signature_there_is_still_a_goal(signature: str) -> None:
    """Whatever is given: an endless search finds one exactly where there is a tree."""
    chance = random.Random(signature)
    goals: Counter[bool] = Counter()
    for _ in range(40):
        n = chance.randint(2, 5)
        share = chance.choice([0.5, 1])
        heads = [head if chance.random() < share else None for head in random_tree(chance, n)]
        pairs = [tuple(chance.sample(range(n), 2)) for _ in range(chance.randint(0, 2))]
        try:
            bag = wl.WordBag(WORDS[:n], ["X"] * n, heads, pairs, labels=["mod"] * n)
            problem = problem_of(bag)
            check_interleaving(problem)
        except ValueError:
            continue
        how = SearchSettings(0, signature=signature)
        search = BestFirstDependency(problem, TEMPLATES, RandomWeights(KEYS), how)
        search.run()
        goals[search.stopped == "complete"] += 1
    assert goals.keys() == {True}
