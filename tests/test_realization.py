"""Systems that make sentences of trees of lemmas: what they learn from, and what comes out.

That their two engines agree is shown where these are compiled: ``realizer_engines``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lemma_sentences import lemma_trees

import wordorder_lab as wl
from wordorder_lab.inflection.kept_inflector import inflector_of_part, inflector_part
from wordorder_lab.inflection.left_open import left_open
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.tokens import detokenized
from wordorder_lab.structures.trees import is_projective, lifted, tree_problem
from wordorder_lab.systems.realization import with_all
from wordorder_lab.systems.realization_examples import learn_inflector, realization_examples

SYSTEMS = ("liu-2015-realization", "zhang-clark-2015-realization")
BY_HEADS = ("bohnet-2011", "guo-2011")
"""Those of ``test_linearization``, which order head by head."""
SMALL: dict[str, Any] = {"epochs": 2, "english": False, "progress": False}
TRAIN, UNSEEN = lemma_trees(60), lemma_trees(12, first=1000)


def train_small(system: str, trees: Sequence[LemmaTree] = TRAIN, **more: Any) -> Any:
    others = {"bohnet-2011": {**SMALL, "bits": 14}, "guo-2011": {"english": False}}
    how = {"engine": "reference", **others.get(system, SMALL), **more}
    return wl.train(system, trees, **how)


trained = cache(train_small)


@pytest.fixture(params=SYSTEMS)
def model(request: Any) -> Any:
    return trained(request.param)


@pytest.fixture(params=(*SYSTEMS, *BY_HEADS))
def realizer(request: Any) -> Any:
    return trained(request.param)


def test_every_lemma_stands_once_and_sentences_begin_with_a_capital(realizer: Any) -> None:
    for tree in UNSEEN:
        done = realizer.realize(tree, engine="reference")
        assert sorted(done.order) == list(range(len(tree)))
        assert done.words[0][0].isupper() and not any(w[0].isupper() for w in done.words[1:])
        assert [w.lower() for w in done.words] == [done.forms[i].lower() for i in done.order]


def test_forms_are_among_the_candidates(model: Any) -> None:
    for tree in UNSEEN:
        forms = model.realize(tree, engine="reference").forms
        assert all(a in some for a, some in zip(forms, model.candidates(tree), strict=True))


def test_most_small_sentences_come_out_right(realizer: Any) -> None:
    """An honest person and a honest person are told apart by n-grams (section 5.7)."""
    outputs = realizer.outputs(UNSEEN, engine="reference")
    right = [tuple(t.reference) == one.words for t, one in zip(UNSEEN, outputs, strict=True)]
    assert sum(right) >= 8, [one.text for one in outputs]


def test_several_outputs_and_settings_of_the_search(model: Any) -> None:
    found = model.realizations(UNSEEN[0], k=3, engine="reference", beam=16)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True) and 1 <= len(found) <= 3
    assert found[0].result is not None and found[0].result.tree.labels


def test_what_is_unknown_says_nothing(realizer: Any) -> None:
    """A label, tag, feature or lemma that training never saw is realized all the same."""
    tree = UNSEEN[0]
    node = tree.nodes[0]
    for odd in (
        replace(node, label="nsubj:odd"),
        replace(node, xpos="ODD"),
        replace(node, lemma="zebra"),
        replace(node, features=(("Odd", "Yes"),)),
    ):
        nodes = (odd, *tree.nodes[1:])
        done = realizer.realize(replace(tree, nodes=nodes), engine="reference")
        assert sorted(done.order) == list(range(len(tree)))


def test_orders_of_the_input_are_kept(realizer: Any) -> None:
    """Also where some of a head's dependents are told to stand the wrong way round."""
    for seed, tree in enumerate(UNSEEN):
        ranks = list(range(-3, 0)) + list(range(1, 4))
        random.Random(seed).shuffle(ranks)
        nodes = list(tree.nodes)
        for i, rank in zip(tree.dependents[tree.root], ranks):
            nodes[i] = replace(nodes[i], rank=rank)
        for ranked in (tree.ranked(), replace(tree, nodes=tuple(nodes))):
            order = realizer.realize(ranked, engine="reference").order
            assert ranked.before
            assert all(order.index(i) < order.index(j) for i, j in ranked.before)


def test_a_pipeline_takes_first_candidates() -> None:
    model = train_small(SYSTEMS[0], TRAIN[:20], inflection="first", labels=False)
    for tree in UNSEEN:
        done = model.realize(tree, engine="reference")
        assert list(done.forms) == [some[0] for some in model.inflector.forms(tree)]


@pytest.mark.parametrize("system", ["liu-2015-realization", *BY_HEADS])
def test_trees_without_words_teach_nothing(system: str) -> None:
    bare = [
        replace(tree, reference=(), nodes=tuple(replace(n, form=None) for n in tree.nodes))
        for tree in TRAIN[:2]
    ]
    with pytest.raises(ValueError, match=r"none of the 2 trees (can be learned from|has words)"):
        train_small(system, bare)


def test_candidates_are_those_of_an_inflector_that_has_not_seen_the_tree() -> None:
    """In training, too, there is something to decide; and the right form is always there."""
    seen_once = _one_with_its_own_verb(TRAIN[0])
    made = realization_examples([seen_once, *TRAIN[1:]], english=False)
    bag: Any = made.examples[0].bag
    gold = made.examples[0].gold
    node = next(i for i, one in enumerate(seen_once.nodes) if one.label == "root")
    forms = [words[0] for words in (bag.words[node], *bag.alternatives[node])]
    assert "zzz" in forms and forms[0] != "zzz"
    assert gold.tokens[made.examples[0].places.index(node)].form == "zzz"
    knowing = realization_examples([seen_once, *TRAIN[1:]], english=False, folds=1)
    assert made.numbers["forms"] > knowing.numbers["forms"]


def _one_with_its_own_verb(tree: LemmaTree) -> LemmaTree:
    nodes = [replace(n, lemma="zz", form="zzz") if n.label == "root" else n for n in tree.nodes]
    return replace(tree, nodes=tuple(nodes))


def test_plain_references_are_mapped() -> None:
    bare = [
        replace(tree, nodes=tuple(replace(n, form=None, position=None) for n in tree.nodes))
        for tree in TRAIN[:10]
    ]
    made = realization_examples([*bare, *TRAIN[10:]], english=False)
    told = realization_examples(TRAIN, english=False)
    golds = [one.gold.surface for one in made.examples]
    assert golds == [one.gold.surface for one in told.examples] and made.numbers["unmapped"] == 0


def test_crossing_arcs_are_lifted_or_left_out() -> None:
    tree = TRAIN[0].placed()
    last = len(tree) - 1  # "." hangs below the subject's article: its arc crosses the root's
    nodes = (*tree.nodes[:last], replace(tree.nodes[last], head=0))
    crossing = replace(tree, nodes=nodes)
    assert not crossing.is_projective()
    made = realization_examples([crossing, *TRAIN[1:]], english=False)
    counts = ("lifted", "left_out", "trees")
    assert [made.numbers[name] for name in counts] == [1, 0, len(TRAIN)]
    assert made.examples[0].gold.tree.is_projective()
    without = realization_examples([crossing, *TRAIN[1:]], english=False, lift=False)
    assert [without.numbers[name] for name in counts] == [0, 1, len(TRAIN) - 1]


@given(st.lists(st.integers(0, 99), min_size=1, max_size=9), st.randoms())
@settings(max_examples=60, deadline=None)
def test_lifting_makes_any_tree_projective(numbers: list[int], chance: Any) -> None:
    heads = [-1] + [number % i for i, number in enumerate(numbers, start=1)]
    order = list(range(len(heads)))
    chance.shuffle(order)
    mixed = [-1] * len(heads)
    for i, head in enumerate(heads):
        mixed[order[i]] = order[head] if head >= 0 else -1
    projective, lifts = lifted(mixed)
    assert is_projective(projective) and tree_problem(projective) is None
    assert (lifts == 0) == is_projective(mixed) == (projective == tuple(mixed))


def test_an_inflector_comes_back_from_its_rows() -> None:
    english = learn_inflector(TRAIN, lists=False)
    lists = {"plural": {"mouse": ("mice",)}, "past": {"go": ("went",), "walk": ("walked",)}}
    kept = replace(english, lists=lists)
    part = inflector_part(kept)
    assert ["past", "walk", "walked"] not in part["lists"] and len(part["lists"]) == 2
    back = inflector_of_part(part)
    assert inflector_part(back) == part
    assert [back.forms(tree) for tree in UNSEEN] == [kept.forms(tree) for tree in UNSEEN]
    wrong = {"words": [["a", "b", 1]], "english": 1, "companies": [["a", 0]], "lists": [["a"]]}
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=r"english|values|number|a form"):
            inflector_of_part({**part, name: value})


def test_what_a_search_left_out_stands_behind_its_head() -> None:
    tree = TRAIN[0].placed()
    full = list(range(len(tree)))
    assert with_all(tree, full) == tuple(full)
    for gone in full:
        rest = [i for i in full if i != gone]
        order = with_all(tree, rest)
        head = tree.nodes[gone].head
        assert sorted(order) == full
        assert order.index(gone) == (order.index(head) + 1 if head >= 0 else 0)
    assert sorted(with_all(tree, [])) == full


def test_sentences_as_people_write_them() -> None:
    told = """He said , " It 's a dog , do n't you see ? " ( Yes ) ."""
    words = tuple(map(str, told.split()))
    assert detokenized(words) == "He said, \"It's a dog, don't you see?\" (Yes)."


def test_what_a_tree_decides_is_not_left_open() -> None:
    """a, not and be keep their forms, and a verb in the present whose subject is open; of a noun
    with two plurals, of a dash, of a verb with its tag the first form is taken."""
    nodes = [
        LemmaNode("be", "AUX", "", (("Tense", "Pres"),), "cop", 1),
        LemmaNode("formula", "NOUN", "NNS", (("Number", "Plur"),), "root", -1),
        LemmaNode("a", "DET", "DT", (), "det", 1),
        LemmaNode("not", "PART", "RB", (), "advmod", 1),
        LemmaNode("-", "PUNCT", ":", (), "punct", 1),
        LemmaNode("hold", "VERB", "", (("Tense", "Pres"),), "conj", 1),
        LemmaNode("find", "VERB", "VBD", (("Tense", "Past"),), "conj", 1),
    ]
    several = [("is", "are"), ("formulas", "formulae"), ("a", "an"), ("not", "n't"), ("-", "—")]
    several += [("holds", "hold"), ("found", "founded")]
    kept = left_open(LemmaTree(tuple(nodes)), several)
    assert [len(some) for some in kept] == [2, 1, 2, 2, 1, 2, 1]
    assert all(some == tuple(all_)[: len(some)] for some, all_ in zip(kept, several, strict=True))


def test_a_realization_is_a_picture_in_a_notebook(model: Any) -> None:
    """Sentence and score, and below them the tree with its labels and the next best sentences."""
    best, *others = model.realizations(UNSEEN[0], k=3, engine="reference")
    page = best._repr_html_()
    assert f"<b>{best.text}</b>" in page and f"score {best.score:.2f}" in page
    assert all(label in page for label in best.result.tree.labels if label != "root")
    shown = replace(best.result, k_best=(best.result, *(one.result for one in others)))
    with_list = replace(best, result=shown)._repr_html_()
    assert others and all(one.result.text in with_list for one in others)


def test_a_realization_without_a_search_is_its_sentence() -> None:
    made = Realization(("A", "<b>", "\x00"), (0, 1, 2), ("a", "<b>", "\x00"), -1.25)
    assert "<b>A &lt;b&gt; \ufffd</b>" in made._repr_html_() and "score -1.25" in made._repr_html_()


def test_what_is_no_tree_of_lemmas_is_told_where_to_get_one(realizer: Any) -> None:
    for wrong in (None, UNSEEN[:1], 3, b"a dog", {"a": "dog"}, {"dog"}):
        with pytest.raises(
            TypeError, match=r"a line of text .*, or a LemmaTree .*load_lemma_trees"
        ):
            realizer.realize(wrong)
    with pytest.raises(TypeError, match="several"):
        realizer.outputs("a dog")
    with pytest.raises(ValueError, match="is no tree"):
        realizer.realize(replace(UNSEEN[0], nodes=UNSEEN[0].nodes[:1] * 2))


def test_text_is_no_use_to_a_model_of_other_labels(realizer: Any) -> None:
    for wrong in ("a dog", ["a", "dog"]):
        with pytest.raises(ValueError, match=r"SUB.*others \(amod, det, nsubj.*--corpus gazette"):
            realizer.realize(wrong)
