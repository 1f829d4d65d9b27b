"""Plain text as trees of lemmas: labels, lemmas, and what a realizer makes of them again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pandas
import pytest
from command_line import PLAIN, typed
from fake_parser import FakeParser, Parse

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora.readers.penn import bare_tree, without_traces
from wordorder_lab.corpora.readers.penn_labels import PENN_LABELS, penn_labels, with_functions
from wordorder_lab.inflection.candidates import CELL_OF_TAG, Inflector
from wordorder_lab.inflection.counted_forms import CountedForms
from wordorder_lab.inflection.english_rules import BASE, CELLS, inflected, uninflected
from wordorder_lab.inflection.lemmatizer import Lemmatizer
from wordorder_lab.systems.parsed_trees import lemma_tree, lemma_trees_of

GOLD = wl.load_lemma_trees("gazette")
SOME = [tree for tree in GOLD.train if len(tree) <= 9][:60]


class Bracketed(FakeParser):
    """Knows the trees of what it was given; of all else it makes flat ones."""

    def parse(self, words: Any) -> Any:
        self.asked.append(tuple(words))
        found = brackets().get(tuple(words))
        return super().parse(words) if found is None else Parse(found)


@cache
def brackets() -> dict[tuple[str, ...], Any]:
    """The Gazette's trees by their words, bare as a parser gives them."""
    trees = [without_traces(one.tree) for one in wl.load_treebank("gazette").dev]
    return {tuple(tree.leaves()): bare_tree(tree, "here") for tree in trees if tree is not None}


@cache
def realizer() -> Any:
    how: dict[str, Any] = {"epochs": 2, "engine": "reference", "progress": False, "english": False}
    return wl.train("liu-2015-realization", SOME, **how)


LINES = [" ".join(tree.reference) for tree in GOLD.dev if len(tree) <= 8][:4]


# --- labels and lemmas ----------------------------------------------------------------------------


def test_labels_of_bare_trees_are_those_of_the_treebank() -> None:
    """With its function tags all of them; without, as places tell them."""
    pairs = list(zip(GOLD.dev, wl.load_treebank("gazette").dev, strict=True))
    right = words = 0
    for gold, one in pairs:
        whole = without_traces(one.tree)
        assert whole is not None
        labels = tuple(node.label for node in gold.nodes)
        assert penn_labels(whole) == labels and set(labels) <= set(PENN_LABELS)
        guessed = penn_labels(with_functions(bare_tree(whole, "here")))
        right += sum(map(str.__eq__, guessed, labels))
        words += len(labels)
    assert right / words > 0.995


def test_subjects_and_predicates_by_their_place() -> None:
    tree = wl.parse_tree(
        "(SINV (S (NP (NN rain)) (VP (VBZ is) (ADJP (JJ rare)))) (, ,) (VP (VBD said))"
        " (NP (DT the) (NN broker)) (NP (DT this) (NN week)))"
    )
    labels = dict(zip(tree.leaves(), penn_labels(with_functions(tree)), strict=True))
    assert labels["rain"] == labels["broker"] == "SUB" and labels["rare"] == "PRD"
    assert labels["week"] == "VMOD" and labels["said"] == "ROOT"


def test_a_form_goes_back_to_its_lemma() -> None:
    lemmas = "walk hope hop try die make stop box house class create visit call bet lie fly see use"
    for cell in CELLS:
        for lemma in lemmas.split():
            form = inflected(lemma, cell)
            assert lemma in uninflected(form, cell), (form, cell)
            assert all(inflected(one, cell) == form for one in uninflected(form, cell))
            if lemma not in ("bet", "see"):
                assert uninflected(form, cell)[0] == lemma or cell == BASE, (form, cell)
    assert uninflected("zzz", CELL_OF_TAG["VBD"]) == ()


def test_lemmas_are_counted_known_listed_or_made_by_rule() -> None:
    lists = {"past": {"think": ("thought",), "thinck": ("thought",), "talke": ("talked",)}}
    plain = Lemmatizer(Inflector(CountedForms(()), lists))
    for form, tag, lemma in [
        ("thought", "VBD", "think"), ("wugged", "VBD", "wug"), ("zorps", "NNS", "zorp"),
        ("n't", "RB", "not"), ("'ll", "MD", "will"), ("them", "PRP", "they"), ("an", "DT", "a"),
        ("'re", "VBP", "be"), ("Rome", "NNP", "Rome"), ("Israeli", "JJ", "Israeli"),
        ("iPhones", "NNS", "iphone"), ("TV", "NN", "TV"), ("zzz", "VBD", "zzz"),
    ]:  # fmt: skip
        assert plain.lemma(form, tag) == lemma, form
    assert plain.lemma("Several", "JJ", is_first=True) == "several"
    counted = Lemmatizer(Inflector(CountedForms(GOLD.train)))
    nodes = [node for tree in GOLD.dev for node in tree.nodes]
    right = sum(counted.lemma(n.form, n.xpos, n.position == 0) == n.lemma for n in nodes)
    assert right / len(nodes) > 0.997  # without the lists


def test_a_tree_has_heads_labels_tags_and_its_words_in_no_order() -> None:
    lemmatizer = Lemmatizer(Inflector(CountedForms(GOLD.train)))
    tree = wl.parse_tree(
        "(S (NP (NNS dogs)) (VP (VBP have) (RB not) (VP (VBN denied)"
        " (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained)))))) (. .))"
    )
    made = lemma_tree(tree, lemmatizer, "mine")
    assert made == lemma_tree(tree, lemmatizer, "mine") != made.placed()
    assert made.problem() is None and made.reference == tuple(tree.leaves())
    nodes = {node.form: node for node in made.placed().nodes}
    tags = {form: node.upos for form, node in nodes.items()}
    assert tags["have"] == "AUX" and tags["denied"] == "VERB" and tags["that"] == "SCONJ"
    assert (
        tags["not"] == "PART" and nodes["denied"].lemma == "deny" and nodes["denied"].label == "VC"
    )


# --- a realizer and text --------------------------------------------------------------------------


def test_text_is_realized_as_its_trees_are() -> None:
    model, parser = realizer(), Bracketed()
    trees = model.trees_of(LINES, parser)
    assert [" ".join(tree.reference) for tree in trees] == LINES
    how: dict[str, Any] = {"engine": "reference"}
    done = wl.evaluate(model, LINES, parser=parser, **how)
    assert done.outputs == tuple(model.realize(tree, **how) for tree in trees)
    assert done.scores == wl.evaluate(model, trees, **how).scores
    assert "BLEU, cased" in str(done)
    column = pandas.DataFrame({"text": LINES})["text"]
    assert wl.evaluate(model, column, parser=parser, **how).outputs == done.outputs
    assert model.realize(LINES[0].split(), parser=parser, **how) == done.outputs[0]
    assert model.outputs(LINES[:2], parser=parser, **how) == [*done.outputs[:2]]


def test_what_text_cannot_be() -> None:
    model, parser = realizer(), FakeParser(longest=5)
    for wrong, said in {"": "no words", "a " * 6: "6 words"}.items():
        with pytest.raises(ValueError, match=said):
            model.realize(wrong, parser=parser)
    with pytest.raises(ValueError, match="text:2: 6 words"):
        model.trees_of(["a", "a " * 6], parser)
    with pytest.raises(TypeError, match="system parser, not 3"):
        model.realize("a", parser=3)
    with pytest.raises(ValueError, match="takes no pos"):
        wl.evaluate(model, ["a"], pos=1)
    with pytest.raises(ValueError, match="does not know its words"):
        wl.evaluate(model, [replace(SOME[0], reference=())])
    with pytest.raises(ValueError, match=r"liu-2015-realization does neither: wl\.evaluate"):
        wl.explore(model, ["a"])


# --- the command line -----------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch) -> Any:
    realizer().save(tmp_path / "real.wol")
    (tmp_path / "own.txt").write_text("\n\n".join(LINES) + "\n", encoding="utf-8")
    monkeypatch.setattr("wordorder_lab.commands.realize.open_parser", lambda _: Bracketed())
    monkeypatch.chdir(tmp_path)
    return ["realize", "--model", "real.wol", *PLAIN]


def test_a_text_comes_from_anywhere(files, monkeypatch, capsys) -> None:
    outputs = realizer().outputs(LINES, parser=Bracketed(), engine="reference")
    shown = []
    for one, line in zip(outputs, LINES, strict=True):
        shown += [one.text] if one.text == line else [one.text, f"  the line  {line}"]
    for more, given in ((["own.txt"], ""), (["-"], "\n".join(LINES)), ([], "\n".join(LINES))):
        typed(monkeypatch, given)
        assert main([*files, *more]) == 0
        said = capsys.readouterr()
        assert said.out.splitlines() == shown
        assert " of 4 as in the text, BLEU " in said.err
    assert main([*files, LINES[0]]) == 0
    assert capsys.readouterr().out.splitlines() == shown[: 1 + (outputs[0].text != LINES[0])]


def test_what_is_wrong_with_a_text_is_a_line(files, monkeypatch, capsys, tmp_path) -> None:
    (tmp_path / "own.conllu").write_text("")
    wrong = {
        ("no.txt",): "there is no file no.txt",
        ("own.conllu",): "give it as --conllu own.conllu",
        ("own.txt", "--conllu", "own.conllu"): "leave one of the two out",
        ("rain", "--file", "own.txt"): "leave one of them out",
    }
    for more, told in wrong.items():
        assert main([*files, *more]) == 2, more
        said = capsys.readouterr().err
        assert told in said and said.count("\n") == 1
    typed(monkeypatch, "rain\n" + "rain " * 80 + "\nfell\n")
    assert main([*files, "-", "--skip-bad"]) == 0
    said = capsys.readouterr()
    assert "left out: line 2 of the input: 80 words" in said.err and len(said.out.splitlines()) >= 2


def test_text_teaches_a_realizer(files, monkeypatch, capsys) -> None:
    """Which then takes text, in English without being told."""
    for place in ("learning", "evaluate"):
        where = f"wordorder_lab.commands.{place}.common.open_parser"
        monkeypatch.setattr(where, lambda _: Bracketed())
    learn = ["train", "bohnet-2011", "--corpus", "own.txt", "--epochs", "1", "--out", "new.wol"]
    assert main([*learn, "--parser", "default", "--eval", "test", *PLAIN, "--quiet"]) == 0
    model = wl.load_model("new.wol")
    assert model.settings["english"] and model.settings["parser"] == "default"
    assert set(model.known_labels) <= set(PENN_LABELS)
    asked = ["evaluate", "--model", "new.wol", "--split", "test", *PLAIN]
    assert main(asked) == 0 and "BLEU, cased" in capsys.readouterr().out
    assert main([*asked, "--corpus", "gazette", "--parser", "default"]) == 2
    assert "gazette has trees" in capsys.readouterr().err
    with pytest.raises(ValueError, match="is text, and has no trees"):
        wl.load_lemma_trees("own.txt")
    assert lemma_trees_of("own.txt", Bracketed()).test[0].reference == tuple(LINES[-1].split())
