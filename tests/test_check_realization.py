"""The exercises on surface realization: what is asked, what is true of it, what is shown."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_50_realization
from wordorder_lab.check.desk import EXERCISES
from wordorder_lab.check.nb_50_realization import (
    sentences_in_a_tree,
    spans_pruned,
    trees_at_hand,
    which_forms,
)
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.inflection.agreement import agreement_of
from wordorder_lab.inflection.candidates import BE, BE_MANY, FORMS_OF_BE
from wordorder_lab.inflection.gold_mapping import map_to_reference
from wordorder_lab.structures.lemma_tree import LemmaTree

SOLUTIONS = Path(__file__).resolve().parents[1] / "notebooks" / "solutions"
BEST_FIRST = "zhang-clark-2015-realization"
BAGS = [["a", "an"], ["went"], ["children"], ["is", "are"], ["are"]]
SMALL: dict[str, Any] = {"english": False, "folds": 1, "capitals": False}


def one_more_order(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> int:
    return sentences_in_a_tree.how_many(tree, forms) + (len(tree) > 1)


def mean_dist(pairs: Sequence[tuple[str, str]]) -> float:
    edits = nb_50_realization.edit_distance
    ratios = [1 - edits(a, b) / max(len(a), len(b)) for a, b in pairs]
    return 100 * sum(ratios) / len(ratios)


def conj_alone(tree: LemmaTree) -> str:
    return "are" if any(node.label == "conj" for node in tree.nodes) else "is"


# An exercise, a wrong answer, and what is said about it.
WRONG: list[tuple[str, Any, str]] = [
    ("50.1", [["a"], *BAGS[1:]], "Row 1, a (determiner): there is one more"),
    ("50.1", [*BAGS[:4], ["is", "are"]], "is does not fit what is known"),
    ("50.1", BAGS[:2], "A list of 5 lists"),
    ("50.1", ["went", *BAGS[1:]], "also where there is one form"),
    ("50.2", one_more_order, "and your function says"),
    ("50.2", lambda tree, forms: "many", "a number is wanted"),
    ("50.2", 12, "Hand in the function itself"),
    ("50.3", [8, 1, [0, 1], [3, 5]], "mappings before anything is pruned: not 8"),
    ("50.3", [16, 1, [0, 2], [3, 5]], "the subject and all below it: [first, last]"),
    ("50.3", [16, 1], "Four things are wanted"),
    ("50.3", [16, "one", [0, 1], [3, 5]], "a number is wanted"),
    ("50.4", lambda tree: "is", "Your rule says is"),
    ("50.4", conj_alone, "Your rule says are"),
    ("50.4", lambda tree: "am", "is it 'is' or 'are'?"),
    ("50.5", mean_dist, "That is the mean over sentences"),
    ("50.5", lambda pairs: None, "a number is wanted"),
]


@pytest.mark.parametrize(("number", "answer", "says"), WRONG)
def test_wrong_answers_are_told_where(number: str, answer: Any, says: str) -> None:
    verdict = Desk()(number, answer)
    assert verdict.right is False and says in verdict.text


@pytest.fixture(scope="module")
def model() -> Any:
    how = {**SMALL, "progress": False, "engine": "reference", "epochs": 10}
    trees = nb_50_realization.small_trees()
    return wl.train(BEST_FIRST, trees, **how)


@pytest.fixture(scope="module")
def log(model: Any) -> wl.EventLog:
    log = wl.EventLog()
    how = {"k": 12, "signature": "none", "engine": "reference"}
    model.realize(nb_50_realization.honest_person(), trace=log, **how)
    return log


def test_solutions_are_right(log: wl.EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: dict[str, Any] = {}
    monkeypatch.setattr(
        "wordorder_lab.check.check", lambda number, answer, **_: judged.update({number: answer})
    )
    monkeypatch.setattr("wordorder_lab.check.trained", lambda *_, **__: Told(log))
    runpy.run_path(str(SOLUTIONS / "50_surface_realization.py"))
    mine = [number for number in EXERCISES if number.startswith("50.")]
    assert list(judged) == mine == [f"50.{n}" for n in range(1, 7)]
    desk = Desk()
    for number, answer in judged.items():
        given = {"log": log} if number == "50.6" else {}
        assert desk(number, answer, **given).right, number
        for _ in EXERCISES[number].hints:
            desk.hint(number)
        assert desk.solution(number).text


class Told:
    """A model whose search has been told already."""

    def __init__(self, log: wl.EventLog) -> None:
        self.log = log

    def realize(self, tree: LemmaTree, *, trace: wl.EventLog, **_: Any) -> None:
        for kind, *values in self.log:
            trace.record(kind, *values)


def test_pops_of_a_form_are_found_in_the_log(log: wl.EventLog) -> None:
    edge, goal = nb_50_realization.first_pops(log, "a")
    assert 0 < edge < goal
    assert nb_50_realization.first_pops(log, "the") == (0, 0)
    desk = Desk()
    assert desk("50.6", [edge, goal], log=log).right
    assert "the first goal" in desk("50.6", [edge, goal + 1], log=log).text
    assert "log=log" in desk("50.6", [edge, goal]).text


# --- what is shown --------------------------------------------------------------------------------


def test_the_papers_examples_come_out_right_and_were_not_learned(model: Any) -> None:
    examples = nb_50_realization.honest_person(), nb_50_realization.tom_and_sally()
    for tree in examples:
        assert tree.reference not in [one.reference for one in nb_50_realization.small_trees()]
        assert model.realize(tree, engine="reference").text == " ".join(tree.reference)
    rows = nb_50_realization.candidate_rows(model, examples[1])
    assert sorted(row["forms"] for row in rows if "|" in row["forms"]) == ["is | are"]
    counted = nb_50_realization.forms_counted(model, examples)
    assert counted["forms a lemma"] == 10 / 8 and counted["right one among them"] == 1
    assert nb_50_realization.most_open(model, examples) in examples


def test_sentences_of_a_tree_are_counted_as_they_are_enumerated(model: Any) -> None:
    for tree, forms in sentences_in_a_tree.cases():
        every = list(sentences_in_a_tree.every_sentence(tree, forms))
        assert len(every) == sentences_in_a_tree.how_many(tree, forms)
        assert len({*every}) == len(every)
    honest = nb_50_realization.honest_person()
    how = {"signature": "none", "engine": "reference"}
    rows = nb_50_realization.scored_rows(model, honest, k=12, **how)
    every = list(nb_50_realization.every_sentence(honest, model.candidates(honest)))
    assert {row["sentence"] for row in rows} == {" ".join(one) for one in every}


def test_spans_are_pruned_as_the_mapping_does_it() -> None:
    for tree in (spans_pruned.TREE, *nb_50_realization.small_trees()):
        forms = [(node.form or "",) for node in tree.nodes]
        rows = spans_pruned.spans_upwards(tree, forms)
        mapped = map_to_reference(tree, forms, tree.reference)
        assert rows[-1]["ways"] == mapped.ways >= 1
    rows = spans_pruned.spans_upwards(spans_pruned.TREE, spans_pruned.FORMS)
    before = spans_pruned.before_pruning(spans_pruned.TREE, spans_pruned.FORMS)
    spans = {row["label"]: row["its span"] for row in rows}
    subject, of_object = ([*map(int, spans[label].split("-"))] for label in ("nsubj", "obj"))
    assert (before, rows[-1]["ways"], subject, of_object) == spans_pruned.RIGHT


@pytest.mark.parametrize(
    ("subject", "known"), [("who/PRON", ()), ("child/NOUN", (("Number", "Plur"),))]
)
def test_forms_of_be_are_those_that_agreement_leaves_open(
    subject: str, known: tuple[tuple[str, str], ...]
) -> None:
    """Rows 4 and 5 of exercise 50.1."""
    lemma = subject.split("/")[0]
    plain = nb_50_realization.tree_of(f"{lemma}/{subject}/2/nsubj is/be/AUX/0/root")
    tree = replace(plain, nodes=(replace(plain.nodes[0], features=known), plain.nodes[1]))
    agreed = agreement_of(tree, 1)
    (right,) = (row[3] for row in which_forms.ASKED[3:] if lemma in row[2])
    assert {"is", "are"} & (BE.get(agreed, BE_MANY) if agreed else FORMS_OF_BE) == right


def test_without_a_treebank_the_gazette_stands_in_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(*_: Any) -> Any:
        raise CorpusError("the lists of inflection are not here")

    monkeypatch.setattr(trees_at_hand, "inflection_lists", absent)
    given = nb_50_realization.material("no-such-treebank", learned=5, tried=3)
    assert given.name == "gazette" and len(given.train) == 5 and len(given.held_out) == 3
    assert not given.english and "no-such-treebank" in str(given) and "lists" in str(given)
    assert all(tree.is_projective() for tree in given.train)


def test_outputs_stand_beside_each_other(model: Any) -> None:
    trees = nb_50_realization.honest_person(), nb_50_realization.tom_and_sally()
    given = nb_50_realization.Material("invented", trees, trees, False)
    models = nb_50_realization.learned(given, lambda *_, **__: model, [BEST_FIRST])
    made = nb_50_realization.outputs(models, trees)
    (row,) = nb_50_realization.score_rows(made, trees)
    assert row["right order"] == row["right forms"] == 1 and row["DIST"] == 100
    assert nb_50_realization.telling_tree(made, trees) == 0, "all make the same of them"
    beside = nb_50_realization.sentences_beside(made, trees, 1)
    assert {one["sentence"] for one in beside} == {"Tom and Sally are here"}
    faults = nb_50_realization.fault_rows(made[BEST_FIRST], trees)
    assert all(fault["places"] == 0 for fault in faults)
    assert nb_50_realization.forms_by_search(model, model, trees) == []
    assert nb_50_realization.as_drawn(trees[0]).label() == "person/root"
