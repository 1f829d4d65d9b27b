"""Corpora of CCG derivations: base NPs, the Gazette's derivations, files, folders and errors."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import re
from pathlib import Path

import pytest

from wordorder_lab.cli import main
from wordorder_lab.corpora import CORPORA, Corpus, CorpusError, load_corpus
from wordorder_lab.corpora.ccg_corpora import TREEBANKS
from wordorder_lab.corpora.readers.ccgbank import (
    base_np_spans,
    format_derivation,
    is_np,
    parse_auto,
    with_base_nps,
    with_units,
)
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Sentence, Token


def derivation(text: str) -> Derivation:
    r"""A derivation from brackets: ``(NP (N dogs))``; a tag is the category's first letter.

    Braces are the brackets inside a category.
    """
    parts = text.replace("(", " ( ").replace(")", " ) ").split()

    def node() -> str:
        assert parts.pop(0) == "("
        category, inside = parts.pop(0).replace("{", "(").replace("}", ")"), []
        while parts[0] != ")":
            inside.append(node() if parts[0] == "(" else parts.pop(0))
        parts.pop(0)
        if inside[0].startswith("(<"):
            return f"(<T {category} 0 {len(inside)}> {' '.join(inside)} )"
        tag = category.lstrip("(")[0]
        return f"(<L {category} {tag} {tag} {inside[0]} {category}>)"

    return parse_auto(node(), "here")[0].derivation


def shown(one: Derivation) -> list[str]:
    return [f"{leaf.word}/{leaf.pos} {leaf.category}" for leaf in one.leaves()]


RAISED = r"(S (S/{S\NP} (NP (N (N/N old) (N dogs)))) (S\NP bark))"
OF = r"(S (NP (NP[nb] (NP[nb]/N the) (N end)) (NP\NP ({NP\NP}/NP of) (NP it))) (S\NP nears))"
BOTH = r"(NP (NP (N Ann)) (NP[conj] (conj and) (NP[nb] (NP[nb]/N a) (N cat))))"
WHOSE = r"(NP (NP[nb]/N (NP[nb] (NP[nb]/N the) (N cat)) ({NP[nb]/N}\NP 's)) (N tail))"
CHAIN = r"(S (NP (NP[nb] (NP[nb]/N the) (N cat))) (S\NP sat))"
LATE = r"(S (NP (N He)) (S\NP (S\NP left) ({S\NP}\{S\NP} (NP (N (N/N this) (N year))))))"


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        (RAISED, ["old dogs/NP NP", r"bark/S S\NP"]),
        (OF, ["the end/NP NP[nb]", r"of/N (NP\NP)/NP", "it/NP NP", r"nears/S S\NP"]),
        (BOTH, ["Ann/NP NP", "and/c conj", "a cat/NP NP[nb]"]),
        (WHOSE, ["the cat/NP NP[nb]", r"'s/N (NP[nb]/N)\NP", "tail/N N"]),
        (CHAIN, ["the cat/NP NP", r"sat/S S\NP"]),
        (LATE, ["He/NP NP", r"left/S S\NP", "this year/NP NP"]),
        ("(NP[thr] there)", ["there/NP NP[thr]"]),
        ("(S (S/S so) (S be))", ["so/S S/S", "be/S S"]),
    ],
)
def test_the_units_of_a_derivation(text, leaves):
    assert shown(with_base_nps(derivation(text))) == leaves


def test_what_is_done_to_a_whole_phrase_stays():
    kept = with_base_nps(derivation(RAISED))
    assert str(kept.children[0].category) == r"S/(S\NP)" and kept.children[0].rule == "tr"
    late = with_base_nps(derivation(LATE)).children[1].children[1]
    assert late.rule == "tc" and late.words() == ("this year",)
    assert late.heads() == (-1,)


def test_phrases_of_one_word_may_stay_words():
    kept = with_base_nps(derivation(LATE), min_words=2)
    assert shown(kept) == ["He/N N", r"left/S S\NP", "this year/NP NP"]
    assert kept.children[0].category.text == "NP" and kept.children[0].children[0].word == "He"
    # "it" is kept single, and yet an NP inside another.
    assert base_np_spans(derivation(OF)) == [(0, 2), (3, 4)]


def test_other_units_than_our_own():
    whose = derivation(WHOSE)
    kept = with_units(whose, [(0, 3)])
    assert kept is not None and shown(kept) == ["the cat 's/NP NP[nb]/N", "tail/N N"]
    assert with_units(whose, [(2, 4)]) is None  # "'s tail" is no phrase
    assert with_units(whose, []) == whose


def base_nps_by_the_definition(one: Derivation) -> list[str]:
    """The NPs that do not recursively contain other NPs, straight from the paper."""
    nps = [node for node in one.nodes() if is_np(node.category)]
    found = []
    for node in nps:
        smaller = (m for m in node.nodes() if is_np(m.category) and m.words() != node.words())
        if not any(smaller) and not (node.children and is_np(node.children[0].category)):
            found.append(" ".join(node.words()))
    return found


def of(sentence: Sentence) -> Derivation:
    assert sentence.derivation is not None
    return sentence.derivation


def fits(sentence: Sentence) -> bool:
    leaves = [(leaf.word, leaf.pos) for leaf in of(sentence).leaves()]
    return leaves == [(token.form, token.pos) for token in sentence]


@pytest.mark.parametrize(("units", "least"), [("words", 1), ("base-np", 1), ("base-np", 2)])
@pytest.mark.slow
def test_every_sentence_of_the_gazette_has_a_derivation_over_its_units(units, least):
    corpus = load_corpus("gazette", units=units, min_np_words=least)
    sentences = [sentence for split in corpus.splits for sentence in corpus.split(split)]
    assert len(sentences) == 2400 and all(map(fits, sentences))
    assert all(of(sentence).problem() is None for sentence in sentences)
    categories = {
        leaf.category.text
        for sentence in sentences
        for leaf in of(sentence).leaves()
        if " " in leaf.word
    }
    assert categories == ({"NP", "NP[nb]", "NP[nb]/N"} if units == "base-np" else set())


def test_base_nps_as_the_paper_defines_them():
    for sentence in load_corpus("gazette", units="words").train[:300]:
        one = of(sentence)
        words = one.words()
        found = [" ".join(words[start:end]) for start, end in base_np_spans(one)]
        assert found == base_nps_by_the_definition(one)
        whole = with_base_nps(one)
        assert [leaf.word for leaf in whole.leaves() if leaf.pos == "NP"] == found
        assert " ".join(whole.words()) == " ".join(words) and whole.problem() is None


def test_a_derivation_changes_nothing_for_those_who_do_not_ask():
    with_one = load_corpus("gazette").dev[0]
    without = Sentence(with_one.tokens, with_one.name)
    assert with_one == without and hash(with_one) == hash(without)
    assert repr(with_one) == repr(without)


def test_a_deep_derivation_can_be_copied_and_sent_to_another_process():
    deep = derivation("(S so)")
    for _ in range(900):
        deep = Derivation.binary(deep.category, deep, derivation("(. !)"))
    sentence = Sentence((Token(("so",), "RB", -1),), "deep", deep)
    assert pickle.loads(pickle.dumps(sentence)).derivation == deep
    assert copy.deepcopy(sentence).derivation == deep


CLAUSE = r"(S[dcl] (NP (N {0})) (S[dcl]\NP ({{S[dcl]\NP}}/NP saw) (NP (N Ada))))"
ODD = r"(S (NP (N Ada)) (NP (N Bob)))"


def auto(*names: str | int) -> str:
    lines = [format_derivation(derivation(CLAUSE.format(f"w{name}"))) for name in names]
    return "".join(f"ID=own.{i} PARSER=GOLD\n{line}\n" for i, line in enumerate(lines, 1))


def words(corpus: Corpus) -> dict[str, list[str]]:
    return {split: [s.surface[0] for s in corpus.split(split)] for split in corpus.splits}


def test_a_file_is_cut_in_three_by_different_sentences(tmp_path):
    path = tmp_path / "own.auto.gz"
    path.write_bytes(gzip.compress(auto(0, *range(8), 8, 3, 9, 9, 0).encode()))
    corpus = load_corpus(path)
    assert corpus.units == "words" and corpus.name == "own.auto.gz"
    assert words(corpus) == {"train": [f"w{i}" for i in range(8)], "dev": ["w8"], "test": ["w9"]}
    assert [corpus.skipped(split) for split in corpus.splits] == [
        {"repeated": 1},
        {},
        {"repeated": 3},  # what was left out counts with the sentence that follows
    ]
    first = corpus.train[0]
    assert first.name == "own.1" and fits(first)
    assert [(token.words, token.pos, token.head) for token in first] == [
        (("w0",), "N", -1),
        (("saw",), "S", 0),
        (("Ada",), "N", 1),
    ]
    assert [token.pos for token in load_corpus(path, units="base-np").train[0]] == ["NP", "S", "NP"]


@pytest.mark.parametrize("inside", ["AUTO", "data/AUTO", "ccgbank_1_1/data/AUTO", "."])
def test_ccgbank_with_the_splits_of_the_papers(tmp_path, monkeypatch, inside):
    for i in range(5):  # a folder of files without sections
        (tmp_path / f"{i}.auto").write_text(auto(f"{i}a", f"{i}b"))
    assert words(load_corpus(tmp_path)) | {"train": []} == {
        "train": [],
        "dev": ["w4a"],
        "test": ["w4b"],
    }
    for section in range(2, 24):
        place = tmp_path / inside / f"{section:02}"
        place.mkdir(parents=True)
        (place / f"wsj_{section:02}01.auto").write_text(auto(section, section))
    corpus = load_corpus(tmp_path)
    assert words(load_corpus(tmp_path, dev_section=22))["dev"] == ["w22", "w22"]
    assert corpus.units == "base-np" and corpus.train[0].tokens[0].pos == "NP"
    assert [s.surface[0] for s in corpus.train[::2]] == [f"w{i}" for i in range(2, 22)]
    assert [s.surface[0] for s in corpus.test] == ["w23", "w23"]
    with pytest.raises(CorpusError, match=r"no section 00: this split needs it"):
        len(corpus.dev)
    monkeypatch.setenv("WORDORDER_LAB_CCGBANK", str(tmp_path))
    assert load_corpus("ccgbank", units="words").test[0].tokens[0].pos == "N"
    monkeypatch.setenv("WORDORDER_LAB_CCGBANK", str(tmp_path / "elsewhere"))
    with pytest.raises(CorpusError, match=r"LDC2005T13.*WORDORDER_LAB_CCGBANK is .*elsewhere"):
        load_corpus("ccgbank")


@pytest.mark.parametrize("name", TREEBANKS)
def test_a_small_treebank_that_is_missing(tmp_path, name):
    assert name in CORPORA
    with pytest.raises(CorpusError, match=rf"{name} is not here.*ccg_small/.*\(looked in .*\)"):
        load_corpus(name, data=tmp_path)


GOOD = auto(1).splitlines()[1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (GOOD[: len(GOOD) // 2], "line 6 of .*: character .*(a word is written|not closed)"),
        (GOOD.replace("<T NP 0 1>", "<T NP 0 2>", 1), "line 6 of .*says 2 children and has 1"),
        (format_derivation(derivation(ODD)), "line 6 of .*no rule makes S of NP and NP in 'Ada B"),
    ],
)
def test_a_broken_line_is_one_clear_error(tmp_path, capsys, line, said):
    path = tmp_path / "own.auto"
    path.write_text(f"{auto('a', 'b')}ID=own.3\n{line}\n{auto(*range(9))}")
    with pytest.raises(CorpusError, match=said) as error:
        len(load_corpus(path).train)
    assert str(path) in str(error.value)
    assert main(["corpora", str(path)]) == 2
    complaint = capsys.readouterr().err
    assert re.search(said, complaint) and len(complaint.splitlines()) == 1


def test_how_many_steps_of_no_rule_may_be_noise(tmp_path):
    path, odd = tmp_path / "own.auto", format_derivation(derivation(ODD))
    path.write_text(auto(*range(19)) + odd + "\n")
    assert len(load_corpus(path).train) == 16  # one in twenty
    path.write_text(auto(*range(18)) + odd + "\n")
    with pytest.raises(CorpusError, match=r"1 of 19 derivations have such a step.*strict=False"):
        len(load_corpus(path).train)
    assert load_corpus(path, strict=False).test[-1].text == "Ada Bob"
    path.write_text(auto(*range(99)) + odd + "\n")
    with pytest.raises(CorpusError, match=r"line 199 of .*own.auto: no rule makes"):
        len(load_corpus(path, strict=True).train)


def test_a_base_np_is_not_written_to_a_file():
    with pytest.raises(ValueError, match="cannot hold the leaf 'old dogs'"):
        format_derivation(with_base_nps(derivation(RAISED)))


def test_the_command_describes_derivations(tmp_path, capsys):
    path = tmp_path / "own.auto"
    path.write_text(auto(*range(39)) + format_derivation(derivation(ODD)) + "\n")
    assert main(["corpora", str(path)]) == 0
    out = capsys.readouterr().out
    assert "40 CCG derivations, 2 lexical categories, 1.00 for a unit" in out
    assert "1 with a step that follows from no rule, first own.auto:40: no rule makes S" in out
    assert main(["corpora", str(path), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["ccg"]["derivations"] == 40


SIZES = {
    "sick-candc": [739, 92, 93],
    "sick-easyccg": [739, 92, 93],
    "sick-depccg": [739, 92, 93],
    "fracas-candc": [468, 59, 59],
    "fracas-easyccg": [473, 59, 60],
    "geometry": [63, 62],
    "tatoeba": [50, 50],
}


@pytest.mark.corpus
@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("units", ["words", "base-np"])
@pytest.mark.slow
def test_the_small_treebanks_by_name(name, units):
    try:
        corpus = load_corpus(name, units=units)
    except CorpusError as error:
        pytest.skip(str(error))
    parts = [corpus.split(split) for split in corpus.splits]
    assert [len(part) for part in parts] == SIZES[name]
    sentences = [sentence for part in parts for sentence in part]
    assert all(map(fits, sentences))
    for sentence in sentences:
        assert of(sentence).heads() == tuple(token.head for token in sentence)
        assert len(sentence.tree.heads) == len(sentence)  # which looks whether it is a tree
    if name not in ("geometry", "tatoeba"):  # whose makers cut them
        assert len({sentence.surface for sentence in sentences}) == len(sentences)
    assert any(len(token.words) > 1 for token in sentences[0]) == (units == "base-np")
    if units == "words":
        for sentence in sentences:
            one = of(sentence)
            found = [" ".join(one.words()[start:end]) for start, end in base_np_spans(one)]
            assert found == base_nps_by_the_definition(one), Path(sentence.name)
