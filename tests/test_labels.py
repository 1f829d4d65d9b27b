"""Labels of arcs and alternative forms: in bags, in items, in what is told, and in pictures."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bags import bags
from hypothesis import assume, given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora.readers.conllu import parse_conllu
from wordorder_lab.models.tag_dictionary import LabelDictionary
from wordorder_lab.structures.bag import OrderingExample, places
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, bag_of_lemmas, placed_sentence
from wordorder_lab.structures.problem import begin
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.trees import DependencyTree, describe

TOM = [
    ("Tom", "NNP", 3, "nsubj"),
    ("and", "CC", 2, "cc"),
    ("Sally", "NNP", 0, "conj"),
    ("are", "VBP", -1, "root"),
]
SENTENCE = wl.Sentence(tuple(wl.Token((word,), tag, head, label) for word, tag, head, label in TOM))
"""*Tom and Sally are*: Zhang & Clark 2015, section 5.7."""
PERSON = wl.WordBag(
    ["person", "a", "honest"],
    ["NN", "DT", "JJ"],
    [-1, 0, 0],
    labels=["root", "det", "amod"],
    alternatives=[None, ["an", "a", "an"], []],
)


def tags(unit: tuple[str, ...]) -> tuple[str, ...]:
    return ("A", "B") if len(unit[-1]) > 1 else ("A",)


def test_what_is_kept_of_labels_and_forms() -> None:
    assert PERSON.alternatives == ((), (("an",),), ())
    assert PERSON.has_alternatives and not PERSON.has_choices
    assert wl.WordBag(["a"]).labels == (None,) and wl.WordBag(["a"]).alternatives == ((),)
    assert wl.WordBag(["a"], labels=[""]) == wl.WordBag(["a"])
    phrase = wl.WordBag(["is not"], alternatives=[["isn't", ("is", "n't"), "is  not"]])
    assert phrase.alternatives == ((("isn't",), ("is", "n't")),)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"labels": ["x"]}, ValueError, "2 words but 1 labels"),
        ({"labels": "xy"}, ValueError, "not the string 'xy'"),
        ({"labels": [None, 3]}, TypeError, "label of 'b' is of the type int"),
        ({"alternatives": [["c"]]}, ValueError, "2 words but 1 alternatives"),
        ({"alternatives": ["c", None]}, TypeError, "alternatives of 'a' are 'c': give a list"),
        ({"alternatives": [[7], None]}, TypeError, "an alternative of 'a' is of the type int"),
        ({"alternatives": [None, ["c", " "]]}, ValueError, "an alternative of 'b' has no words"),
        ({"alternatives": [[("c", "")], None]}, ValueError, "an alternative of 'a' has no words"),
    ],
)
def test_what_cannot_be_is_refused(given: dict, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        wl.WordBag(["a", "b"], **given)


@st.composite
def rich_bags(draw: st.DrawFn) -> wl.WordBag:
    """Any bag of few words, with labels and other forms on any of its units."""
    words = st.sampled_from(["a", "an", "is", "was", "b"])
    bag = draw(bags(words))
    n = len(bag)
    labels = draw(st.lists(st.none() | st.sampled_from("xy"), min_size=n, max_size=n))
    forms = draw(st.lists(st.none() | st.lists(words, max_size=2), min_size=n, max_size=n))
    given = {"pos": bag.pos, "heads": bag.heads, "before": bag.before}
    return wl.WordBag(bag.words, **given, labels=labels, alternatives=forms)


def labels_of(tag: str) -> tuple[str, ...]:
    return {"A": ("x", "y"), "B": ("z",)}.get(tag, ())


@given(rich_bags(), st.randoms(use_true_random=False))
def test_the_order_of_a_bag_does_not_matter(bag: wl.WordBag, chance: random.Random) -> None:
    shuffled = chance.sample(range(len(bag)), len(bag))
    back = sorted(range(len(bag)), key=shuffled.__getitem__)
    assert bag.select(shuffled).select(back) == bag
    problems = []
    for one in (bag, bag.select(shuffled)):
        try:
            problems.append(wl.OrderingProblem.of(one, tags, labels=labels_of))
        except ValueError:
            assume(False)
    first, second = problems
    assert (first.items, first.given, first.counts) == (second.items, second.given, second.counts)
    assert first.size == len(bag)
    for t, units in enumerate(first.units):
        kinds = {bag.unit_types[unit] for unit in units}
        assert len(kinds) == 1  # units of one type say the same, labels and forms included
        kind = kinds.pop()
        assert first.forms[t] == (kind.words, *kind.others)
        wanted = {
            (form, tag, label)
            for form in first.forms[t]
            for tag in ((kind.pos,) if kind.pos else tags(form))
            for label in ((kind.label,) if kind.label else labels_of(tag) or ("",))
        }
        mine = [item for item in first.items if item.type == t]
        assert {(i.unit, i.pos, i.label) for i in mine} == wanted and len(mine) == len(wanted)
        assert first.ahead[t][0] == kind.words[-1]
        if kind.label:
            assert first.ahead_labels[t] == kind.label


@given(rich_bags())
def test_where_nothing_is_known_of_labels_nothing_changes(bag: wl.WordBag) -> None:
    plain = wl.WordBag(bag.words, bag.pos, bag.heads, bag.before)
    try:
        problem = wl.OrderingProblem.of(plain, tags)
    except ValueError:
        assume(False)
    assert not any(item.label for item in problem.items)
    assert set(problem.ahead_labels) == {None}
    log = wl.EventLog()
    begin(log, problem, 4)
    assert [kind for kind, *_ in log] == ["begin"]


def test_a_search_tells_forms_and_labels_first() -> None:
    log = wl.EventLog()
    problem = wl.OrderingProblem.of(PERSON, tags)
    begin(log, problem, 8)
    assert list(log) == [
        ("begin", ["person", "a", "honest"], [1, 1, 1], 4, 8),
        ("alternatives", [1, 1], ["a", "an"]),
        ("labels", ["root", "det", "det", "amod"]),
    ]
    assert problem.ahead_labels == ("root", "det", "amod")


@pytest.mark.parametrize("system", ["ngram-beam", "wan-2009-cle"])
def test_who_cannot_choose_a_form_says_so(system: str) -> None:
    sentences = [wl.Sentence(SENTENCE.tokens, str(i)) for i in range(6)]
    model = wl.train(system, sentences)
    with pytest.raises(ValueError, match=f"{system} cannot choose .* Tom or Thomas: leave out"):
        model.order(wl.WordBag(["are", "Tom"], alternatives=[None, ["Thomas"]]))


def test_shares_of_labels_leave_the_other_draws_alone() -> None:
    for share in (0, 0.4, 0.5, 1):
        bag = wl.bag_of(SENTENCE, 0.5, 0.5, 7, share)
        plain = wl.bag_of(SENTENCE, 0.5, 0.5, 7)
        assert (bag.words, bag.pos, bag.heads) == (plain.words, plain.pos, plain.heads)
        given = [label for label in bag.labels or () if label]
        assert len(given) == {0: 0, 0.4: 1, 0.5: 2, 1: 4}[share]  # of three arcs; the root with all
        for token, unit in zip(SENTENCE, places(SENTENCE, 7), strict=True):
            assert (bag.labels or ())[unit] in (None, token.label)
    with pytest.raises(ValueError, match="labels is a share"):
        wl.bag_of(SENTENCE, labels=2)


def test_deprel_is_the_label_of_a_token() -> None:
    rows = ["1\tTom\t_\tX\t_\t_\t2\tnsubj\t_\t_", "2\tsat\t_\tX\t_\t_\t0\t_\t_\t_", "", ""]
    (sentence,) = parse_conllu("\n".join(rows), "here").sentences
    assert [token.label for token in sentence] == ["nsubj", ""]
    assert sentence.tree.labels == ("nsubj", "")
    bare = wl.Sentence((wl.Token(("Tom",), "X", -1),))
    assert bare.tree.labels == () and bare.tree == DependencyTree(("Tom",), ("X",), (-1,))


def test_labels_of_a_tag_are_those_that_it_was_seen_with() -> None:
    more = wl.Sentence((wl.Token(("x",), "NNP", -1, "root"), wl.Token(("y",), "X", 0)))
    found = LabelDictionary.of([SENTENCE, more])
    assert found.labels("NNP") == ("conj", "nsubj", "root") and found.labels("CC") == ("cc",)
    assert found.labels("X") == found.labels("new") == found.every
    assert found.every == ("cc", "conj", "nsubj", "root")
    assert LabelDictionary.from_entries(found.entries()) == found
    wrong: list[list[list[Any]]] = [[["NN"]], [["NN", ""]], [["NN", "b", "a"]], [["NN", 1]], [[]]]
    for rows in wrong:
        with pytest.raises(ValueError, match="label"):
            LabelDictionary.from_entries(rows)


def test_an_example_is_a_bag_with_its_sentence() -> None:
    example = OrderingExample.of(SENTENCE, 1, 1, 3, 1)
    assert example.places == tuple(places(SENTENCE, 3))
    bag = wl.WordBag(["is", "Tom"], ["VBZ", None], labels=["root", None], alternatives=[["'s"], []])
    gold = wl.Sentence(
        (wl.Token(("Tom",), "NNP", 1, "nsubj"), wl.Token(("'s",), "VBZ", -1, "root"))
    )
    assert OrderingExample(bag, gold, (1, 0)).gold is gold
    for wrong, said in [((0, 1), "'Tom' .* the words"), ((1, 1), "one to one")]:
        with pytest.raises(ValueError, match=said):
            OrderingExample(bag, gold, wrong)
    other = wl.Sentence((gold.tokens[0], wl.Token(("'s",), "VBZ", -1, "cop")))
    with pytest.raises(ValueError, match="the label that its unit 0"):
        OrderingExample(bag, other, (1, 0))


def test_a_tree_of_lemmas_is_a_bag() -> None:
    nodes = (
        LemmaNode("honest", "ADJ", "JJ", (), "amod", 1, form="honest", position=1),
        LemmaNode("person", "NOUN", "NN", (), "root", -1, form="person", position=2),
        LemmaNode("a", "DET", "", (), "det", 1, rank=-1, form="an", position=0),
    )
    tree = LemmaTree(nodes, "here")
    forms = [["honest"], ["person", "persons"], ["a", "an"]]
    bag = bag_of_lemmas(tree, forms)
    assert bag.words == (("honest",), ("person",), ("a",)) and bag.heads == (1, -1, 1)
    assert bag.pos == ("JJ", "NN", "DET") and bag.labels == ("amod", "root", "det")
    assert bag.alternatives == ((), (("persons",),), (("an",),)) and bag.before == tree.before
    assert bag_of_lemmas(tree, forms, labels=False).labels == (None,) * 3
    sentence = placed_sentence(tree)
    assert sentence.text == "an honest person" and sentence.name == "here"
    assert next((t.pos, t.head, t.label) for t in sentence) == ("DET", 2, "det")
    assert placed_sentence(tree, ["honest", "persons", "a"]).text == "a honest persons"
    assert OrderingExample(bag, sentence, (2, 0, 1)).bag is bag
    with pytest.raises(ValueError, match="3 nodes but forms for 2"):
        bag_of_lemmas(tree, forms[:2])
    with pytest.raises(ValueError, match=r"node 1 .'person'. has no form: give at least one"):
        bag_of_lemmas(tree, [["honest"], [], ["a"]])
    with pytest.raises(ValueError, match=r"node 2 .'a'. of here has no form"):
        placed_sentence(tree, ["honest", "person", ""])
    with pytest.raises(ValueError, match="places of the nodes of here are not known"):
        placed_sentence(LemmaTree((LemmaNode("a", "X", "", (), "root", -1, form="a"),), "here"))


def test_a_realization_has_every_node_once() -> None:
    assert Realization(("An", "idea"), (1, 0), ("idea", "an"), 1.5).text == "An idea"
    with pytest.raises(ValueError, match="each of its 2 nodes once"):
        Realization(("An",), (1,), ("idea", "an"), 0.0)


def test_a_picture_has_the_labels_and_room_for_them() -> None:
    long = "nmod:in_comparison_with"
    tree = DependencyTree(("x", "y"), ("A", "B"), (1, -1), (long, "top"))
    picture = ElementTree.fromstring(tree._repr_svg_())
    (label,) = [node for node in picture.iter() if node.get("class") == "wol-label"]
    (mark,) = [node for node in picture.iter() if node.get("class") == "wol-root-mark"]
    words = [float(n.get("x", 0)) for n in picture.iter() if n.get("class") == "wol-word"]
    assert (label.text, mark.text) == (long, "top")
    assert words[0] < float(label.get("x", 0)) < words[1] and words[1] - words[0] > 6 * len(long)
    assert describe(tree).endswith(f"Root: y; y has x ({long})")
    assert str(tree) == f"y/B top\n  < x/A {long}"
    plain = DependencyTree(tree.forms, tree.pos, tree.heads)
    assert "wol-label" not in plain._repr_svg_() and str(plain) == "y/B\n  < x/A"


def test_the_next_best_may_differ_in_its_labels_alone() -> None:
    def result(label: str) -> Result:
        tree = DependencyTree(("x", "y"), ("A", "B"), (1, -1), (label, "root"))
        return Result((("x",), ("y",)), (0, 1), tree, 1.0)

    best = result("obj")
    html = Result(best.units, best.order, best.tree, 1.0, k_best=(best, result("nsubj")))
    assert "the same tree with other labels" in html._repr_html_()


def test_gold_marks_look_at_labels_and_forms() -> None:
    gold = wl.Sentence((wl.Token(("an",), "DT", 1, "det"), wl.Token(("idea",), "NN", -1, "root")))

    def log(labels: list[str], *, forms: bool = True) -> wl.EventLog:
        made = wl.EventLog()
        made.begin(["idea", "a"], [1, 1], 3, 0)
        if forms:
            made.alternatives([1, 1], ["a", "an"])
        made.labels(labels)
        for serial, (item, form, tag) in enumerate(
            [(0, "idea", "NN"), (1, "a", "DT"), (2, "an", "DT")], 1
        ):
            made.leaf(serial, item, form, tag, 0.0, 0)
        return made

    def marks(log: wl.EventLog) -> list[int]:
        return [event[6] for event in wl.marked_gold(log, gold) if event[0] == "leaf"]

    assert marks(log(["root", "det", "det"])) == [1, 0, 1]
    assert marks(log(["root", "det", "amod"])) == [1, 0, 0]
    assert marks(log(["root", "", ""])) == [1, 0, 1]  # without a label for each, none is looked at
    with pytest.raises(ValueError, match="another bag"):
        marks(log(["root", "det", "det"], forms=False))


def test_a_label_that_training_never_saw_is_noted_once(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    how: dict[str, Any] = {"engine": "reference", "progress": False, "epochs": 1, "beam": 2}
    path = tmp_path / "labels.wol"
    wl.train("liu-2015", [SENTENCE], labels=True, **how).save(path)
    typed = "are/VBP>0 Tom/NNP>1:nsubj\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed + typed.replace("nsubj", "doer") * 2))
    assert main(["order", "--model", str(path), "--engine", "reference"]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert said.err.count("never saw the label doer") == 1 and "nsubj" not in said.err
