"""The exercises on surface realization: what is asked, what is true of it, what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from exercise_cases import wrong_answers

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_50
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.inflection.agreement import agreement_of
from wordorder_lab.inflection.candidates import BE, BE_MANY, FORMS_OF_BE
from wordorder_lab.inflection.gold_mapping import map_to_reference
from wordorder_lab.metrics.realization import edit_distance
from wordorder_lab.structures.lemma_tree import LemmaTree

BEST_FIRST = "zhang-clark-2015-realization"
BAGS = [["a", "an"], ["went"], ["children"], ["is", "are"], ["are"]]
SMALL: dict[str, Any] = {"english": False, "folds": 1, "capitals": False}


def one_more_order(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> int:
    return nb_50.how_many(tree, forms) + (len(tree) > 1)


def mean_dist(pairs: Sequence[tuple[str, str]]) -> float:
    ratios = [1 - edit_distance(a, b) / max(len(a), len(b)) for a, b in pairs]
    return 100 * sum(ratios) / len(ratios)


def conj_alone(tree: LemmaTree) -> str:
    return "are" if any(node.label == "conj" for node in tree.nodes) else "is"


WRONG: list[tuple[str, Any, str]] = [
    ("50.1", [["a"], *BAGS[1:]], "Row 1, a (determiner): there is one more"),
    ("50.1", [*BAGS[:4], ["is", "are"]], "is does not fit what is known"),
    ("50.1", BAGS[:2], "A list of 5 lists"),
    ("50.1", ["went", *BAGS[1:]], "also where there is one form"),
    ("50.2", one_more_order, "it is 4, not 5"),
    ("50.3", [8, 1, [0, 1], [3, 5]], "mappings before anything is pruned: it is not 8"),
    ("50.3", [16, 1, [0, 2], [3, 5]], "all below it, [first, last]: it is not [0, 2]"),
    ("50.4", lambda tree: "is", "it is 'are', not 'is'"),
    ("50.4", conj_alone, "it is 'is', not 'are'"),
    ("50.5", mean_dist, "That is the mean over sentences"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


@pytest.fixture(scope="module")
def model() -> Any:
    how = {**SMALL, "progress": False, "engine": "reference", "epochs": 10}
    trees = nb_50.small_trees()
    return wl.train(BEST_FIRST, trees, **how)


@pytest.fixture(scope="module")
def log(model: Any) -> wl.EventLog:
    log = wl.EventLog()
    how = {"k": 12, "signature": "none", "engine": "reference"}
    model.realize(nb_50.honest_person(), trace=log, **how)
    return log


def test_pops_of_a_form_are_found_in_the_log(log: wl.EventLog) -> None:
    edge, goal = nb_50.first_pops(log, "a")
    assert 0 < edge < goal
    assert nb_50.first_pops(log, "the") == (0, 0)
    desk = Desk()
    assert desk("50.6", [edge, goal], log=log).right
    assert "the first goal" in desk("50.6", [edge, goal + 1], log=log).text
    assert "log=log" in desk("50.6", [edge, goal]).text


# --- what is shown --------------------------------------------------------------------------------


def test_the_papers_examples_come_out_right_and_were_not_learned(model: Any) -> None:
    examples = nb_50.honest_person(), nb_50.tom_and_sally()
    for tree in examples:
        assert tree.reference not in [one.reference for one in nb_50.small_trees()]
        assert model.realize(tree, engine="reference").text == " ".join(tree.reference)
    rows = nb_50.candidate_rows(model, examples[1])
    assert [row["forms"] for row in rows if "|" in str(row["forms"])] == ["is | are"]
    counted = nb_50.forms_counted(model, examples)
    assert counted["forms a lemma"] == 10 / 8 and counted["right one among them"] == 1
    assert nb_50.most_open(model, examples) in examples


def test_sentences_of_a_tree_are_counted_as_they_are_enumerated(model: Any) -> None:
    for tree, forms in nb_50.trees_to_count():
        every = list(nb_50.every_sentence(tree, forms))
        assert len(every) == nb_50.how_many(tree, forms)
        assert len({*every}) == len(every)
    honest = nb_50.honest_person()
    how = {"signature": "none", "engine": "reference"}
    rows = nb_50.scored_rows(model, honest, k=12, **how)
    every = list(nb_50.every_sentence(honest, model.candidates(honest)))
    assert {row["sentence"] for row in rows} == {" ".join(one) for one in every}


def test_spans_are_pruned_as_the_mapping_does_it() -> None:
    for tree in (nb_50.TREE, *nb_50.small_trees()):
        forms = [(node.form or "",) for node in tree.nodes]
        rows = nb_50.spans_upwards(tree, forms)
        mapped = map_to_reference(tree, forms, tree.reference)
        assert rows[-1]["ways"] == mapped.ways >= 1
    rows = nb_50.spans_upwards(nb_50.TREE, nb_50.FORMS)
    before = nb_50.before_pruning(nb_50.TREE, nb_50.FORMS)
    spans = {row["label"]: row["its span"] for row in rows}
    subject, of_object = ([*map(int, str(spans[label]).split("-"))] for label in ("nsubj", "obj"))
    assert [before, rows[-1]["ways"], subject, of_object] == nb_50.before_and_after()


@pytest.mark.parametrize(
    ("subject", "known"), [("who/PRON", ()), ("child/NOUN", (("Number", "Plur"),))]
)
def test_forms_of_be_are_those_that_agreement_leaves_open(
    subject: str, known: tuple[tuple[str, str], ...]
) -> None:
    """Rows 4 and 5 of exercise 50.1."""
    lemma = subject.split("/")[0]
    plain = nb_50.tree_of(f"{lemma}/{subject}/2/nsubj is/be/AUX/0/root")
    tree = replace(plain, nodes=(replace(plain.nodes[0], features=known), plain.nodes[1]))
    agreed = agreement_of(tree, 1)
    (right,) = (row[3] for row in nb_50.ASKED[3:] if lemma in row[2])
    assert {"is", "are"} & (BE.get(agreed, BE_MANY) if agreed else FORMS_OF_BE) == right


def test_without_a_treebank_the_gazette_stands_in_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(*_: Any) -> Any:
        raise CorpusError("the lists of inflection are not here")

    monkeypatch.setattr(nb_50, "inflection_lists", absent)
    given = nb_50.material("no-such-treebank", learned=5, tried=3)
    assert given.name == "gazette" and len(given.train) == 5 and len(given.held_out) == 3
    assert not given.english and "no-such-treebank" in str(given) and "lists" in str(given)
    assert all(tree.is_projective() for tree in given.train)


def test_outputs_stand_beside_each_other(model: Any) -> None:
    trees = nb_50.honest_person(), nb_50.tom_and_sally()
    given = nb_50.Material("invented", trees, trees, False)
    models = nb_50.learned(given, lambda *_, **__: model, [BEST_FIRST])
    made = nb_50.outputs(models, trees)
    (row,) = nb_50.score_rows(made, trees)
    assert row["right order"] == row["right forms"] == 1 and row["DIST"] == 100
    assert nb_50.telling_tree(made, trees) == 0, "all make the same of them"
    beside = nb_50.sentences_beside(made, trees, 1)
    assert {one["sentence"] for one in beside} == {"Tom and Sally are here"}
    faults = nb_50.fault_rows(made[BEST_FIRST], trees)
    assert all(fault["places"] == 0 for fault in faults)
    assert nb_50.forms_by_search(model, model, trees) == []
    assert nb_50.as_drawn(trees[0]).label() == "person/root"
