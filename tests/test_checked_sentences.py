"""What a sentence or pair may not be is refused when it is made, and by line where it is read."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.corpora.plain_text import plain_text
from wordorder_lab.structures.messages import UNFIT

TREE = "(S (NP (NN rain)) (VP (VBD fell)))"


def sentence(*heads: int) -> wl.Sentence:
    return wl.Sentence(tuple(wl.Token((f"w{h}",), "X", h) for h in heads), "file.conllu:7")


@pytest.mark.parametrize(
    ("heads", "why"),
    [
        ((1, 0), "0 roots"),
        ((-1, 2, 1), "unit 1 is its own ancestor"),
        ((-1, 3), "unit 1 has head 3, which is not in the sentence"),
        ((-1, -2), "unit 1 has head -2"),
        ((-1, -1), "2 roots instead of one"),
        ((), "0 roots"),
    ],
)
def test_heads_that_are_no_tree(heads: tuple[int, ...], why: str) -> None:
    with pytest.raises(ValueError, match=f"the sentence 'file.conllu:7' are no tree: {why}"):
        sentence(*heads)


def test_crossing_arcs_are_a_tree_and_a_pickle_is_not_checked_again() -> None:
    crossing = sentence(2, 3, -1, 2)
    assert not crossing.tree.is_projective()
    assert pickle.loads(pickle.dumps(crossing)) == crossing


def test_tokens_that_are_none() -> None:
    for wrong in ({"words": "rain"}, {"head": 1.5}, {"head": None}, {"pos": None}, {"label": 1}):
        with pytest.raises(TypeError, match="a token is a tuple of words, a tag, a head"):
            wl.Token(**{"words": ("rain",), "pos": "NN", "head": -1, **wrong})
    for words in ((), ("",)):
        with pytest.raises(ValueError, match="has no words"):
            wl.Token(words, "NN", -1)
    with pytest.raises(TypeError, match="a sentence is a tuple of tokens"):
        wl.Sentence((None,))


def test_pairs_that_are_none() -> None:
    tree, endless = wl.parse_tree(TREE), wl.parse_tree(TREE)
    endless.append(endless)
    for source, targets, alignment, why in (
        (tree, (), (), "has no reference"),
        (endless, (tree,), (), "holds itself"),
        (tree, (endless,), (), "holds itself"),
        (Tree("S", []), (tree,), (), "no words"),
        (Tree("S", [Tree("X", [None])]), (tree,), (), "no words, or something else"),
        (tree, (tree,), ((0, 2),), "the alignment has 0-2, which points outside"),
        (tree, (tree,), ((-1, 0),), "the alignment has -1-0, which points outside"),
        (tree, (tree,), ((0,),), r"pairs like \(0, 0\)"),
        (tree, (tree,), ((0.5, 0),), r"pairs like \(0, 0\)"),
    ):
        with pytest.raises(ValueError, match=f"report.4.* {why}"):
            wl.CompressionPair(source, targets, alignment, "report.4")
    with pytest.raises(TypeError, match=r"report\.4: trees are nltk\.Tree"):
        wl.CompressionPair(TREE, (tree,), (), "report.4")


def rows(word: str) -> str:
    return f"1\train\t_\tNN\tNN\t_\t2\tSUB\t_\t_\n2\t{word}\t_\tVBD\tVBD\t_\t0\tROOT\t_\t_\n\n"


def pairs(word: str) -> str:
    return json.dumps({"source_tree": TREE, "target_tree": f"(S (NN rain{word}))"})


def texts(word: str) -> str:
    return json.dumps({"text": "rain fell", "summaries": [f"rain{word}fell"]})


READERS: list[tuple[str, Callable[[str], str], Callable[[Path], Any], int]] = [
    ("a.conllu", lambda c: rows(f"fe{c}ll"), lambda p: wl.load_corpus(p).split("train"), 2),
    ("a.conllu.gz", lambda c: rows(f"fe{c}ll"), lambda p: wl.load_corpus(p).split("train"), 2),
    ("a.conllu", lambda c: rows(f"fe{c}ll"), lambda p: wl.load_lemma_trees(p).split("train"), 2),
    ("a.mrg", lambda c: f"\n{TREE}\n(S (X a{c}b))", lambda p: wl.load_corpus(p).split("train"), 3),
    ("a.txt", lambda c: f"rain fell\nfe{c}ll", lambda p: list(plain_text(p)), 2),
    ("p.jsonl", lambda c: f"\n{pairs(c)}", lambda p: wl.load_compressions(p).split("train"), 2),
    ("t.jsonl", lambda c: f"\n{texts(c)}", lambda p: wl.load_texts(p).split("train"), 2),
]


@pytest.mark.parametrize("character", UNFIT)
@pytest.mark.parametrize(("name", "text", "read", "line"), READERS)
def test_a_character_of_no_word_is_refused_with_its_line(
    tmp_path: Path, character: str, name: str, text: Any, read: Any, line: int
) -> None:
    """JSON may spell it as an escape, which is the same character."""
    data = text(character).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(ValueError, match=rf"line {line}\b.*U\+{ord(character):04X}"):
        read(tmp_path / name)


def test_a_broken_sentence_may_still_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(
        rows("fe\0ll").replace("SUB", "nsubj").replace("ROOT", "root") * 2
        + "1\train\train\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" * 20
    )
    read = wl.load_lemma_trees(path, skip_bad=True)
    assert sum(sum(read.skipped(split).values()) for split in ("train", "dev", "test")) == 2
