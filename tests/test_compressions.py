"""Compression pairs: read from files and from the Gazette, aligned, and prepared for a system."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from house_rules import ROOT
from nltk.tree import Tree

from wordorder_lab.corpora import CorpusError, gazette_corpus, load_compressions
from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.corpora.readers.word_alignment import deletion_alignment, parse_alignment
from wordorder_lab.structures.compression import prepared, prepared_pair, presented

RAIN = "( (S (NP-SBJ (NN Rain)) (VP (VBD fell) (NP-TMP (-NONE- *T*-1)) (ADVP (RB again))) (. .)) )"
SHORT = "(S (NP (NN Rain)) (VP (VBD fell)) (. .))"
ROW = {"id": "r", "source_tree": RAIN, "target_tree": SHORT}


def rows_file(path: Path, *rows: dict[str, Any]) -> Path:
    text = "\n\n".join(map(json.dumps, rows)) + "\n"
    data = text.encode("utf-8")
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def test_a_row_becomes_a_pair_of_bare_trees(tmp_path):
    other = "(S (NP (NN Rain)) (. .))"
    more = {"source_tree": RAIN, "target_trees": [SHORT, other], "alignment": "3-2 0-0 1-1 0-0"}
    path = rows_file(tmp_path / "x.jsonl.gz", {**ROW, "kind": "deletion"}, *[more] * 9)
    corpus = load_compressions(path)
    assert repr(corpus).endswith("train: not read yet; dev: not read yet; test: not read yet>")
    first, *others = corpus.train
    assert (len(corpus.train), len(corpus.dev), len(corpus.test)) == (8, 1, 1)
    assert str(first.source) == "(S (NP (NN Rain)) (VP (VBD fell) (ADVP (RB again))) (. .))"
    assert (first.name, first.kind, str(first.target)) == ("r", "deletion", SHORT)
    assert first.alignment == ((0, 0), (1, 1), (3, 2)) == others[0].alignment
    assert [str(tree) for tree in others[0].targets] == [SHORT, other]
    assert [pair.name for pair in others[:2]] == ["x.jsonl:3", "x.jsonl:5"]
    assert "train: 8 pairs" in repr(corpus)


def test_a_folder_has_the_splits_of_its_files(tmp_path):
    rows_file(tmp_path / "train.jsonl", ROW)
    rows_file(tmp_path / "test.jsonl.gz", ROW, ROW)
    corpus = load_compressions(tmp_path)
    assert corpus.splits == ("train", "test") and len(corpus.split("test")) == 2
    with pytest.raises(CorpusError, match="has no dev split"):
        corpus.split("dev")
    with pytest.raises(CorpusError, match="empty"):
        load_compressions(rows_file(tmp_path / "one.jsonl", ROW)).split("train")


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"source_tree": "(S (NP (NN Rain)) (VP (VBD fell))"}, "source_tree: a closing bracket"),
    ({"source_tree": None}, "source_tree is missing"),
    ({"source_tree": ["Rain"]}, "source_tree should be text with brackets"),
    ({"target_tree": " "}, "target_tree: there is no tree here"),
    ({"target_tree": "(S (NP (-NONE- *)))"}, "target_tree: .* no words"),
    ({"target_trees": [SHORT]}, "not both"),
    ({"target_tree": "(S (NN Snow))"}, "with words left out, so give an alignment"),
    ({"target_tree": "(S (VBD fell) (NN Rain))"}, "with words left out"),
    ({"alignment": [[0, 0], [4, 1]]}, "alignment: the pair 4-1 points outside"),
    ({"alignment": [[0, 3]]}, "the source has 4 words and the target 3"),
    ({"alignment": [[0, -1]]}, "points outside"),
    ({"alignment": "0-0 1:1"}, "alignment: '1:1' is no pair"),
    ({"alignment": [[0, 0], [1]]}, "alignment should be pairs"),
    ({"alignment": [[0, True]]}, "alignment should be pairs"),
    ({"alignment": 3}, "alignment should be pairs"),
]


@pytest.mark.parametrize(("change", "told"), BROKEN)
def test_what_is_wrong_with_a_row_is_told_with_its_line(tmp_path, change, told):
    path = rows_file(tmp_path / "x.jsonl", ROW, {**ROW, **change})
    with pytest.raises(CorpusError, match=f"^line 3 of .*x.jsonl: .*{told}"):
        load_compressions(path).split("train")


def test_several_references_say_which_is_broken(tmp_path):
    row = {"source_tree": RAIN, "target_trees": [SHORT, "(S"]}
    with pytest.raises(CorpusError, match=r"line 1 of .*target_trees\[1\]: "):
        load_compressions(rows_file(tmp_path / "x.jsonl", row)).split("test")
    row["target_trees"] = []
    with pytest.raises(CorpusError, match="target_trees should be a list"):
        load_compressions(rows_file(tmp_path / "x.jsonl", row)).split("test")


def test_what_is_no_file_of_pairs(tmp_path):
    for text, told in (
        (json.dumps(ROW) + "\n{'id'}\n", r"^line 2 of .*: this is no JSON"),
        ("[1]\n", r"^line 1 of .*: a JSON object"),
        ("\n", "holds no pairs"),
    ):
        (tmp_path / "x.jsonl").write_text(text)
        with pytest.raises(CorpusError, match=told):
            load_compressions(tmp_path / "x.jsonl").split("dev")
    with pytest.raises(CorpusError, match="give a path, or 'gazette'"):
        load_compressions("gazete")
    with pytest.raises(CorpusError, match="holds no compression pairs"):
        load_compressions(tmp_path)


def test_a_typed_tree_is_made_bare():
    assert str(parse_tree(f"\n{RAIN}\n", "here")) == (
        "(S (NP (NN Rain)) (VP (VBD fell) (ADVP (RB again))) (. .))"
    )
    assert str(parse_tree("(-LRB- -LRB-)", "here")) == "(-LRB- -LRB-)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no tree here"),
        ("rain fell", "outside the brackets of a tag .'rain'."),
        ("(S rain fell)", "a closing bracket should follow"),
        ("(S (NP rain) fell)", "outside the brackets"),
        ("(S)", "hold nothing"),
        ("(S (NN rain))) ", "there is a closing bracket too many"),
        ("( (NP (NN rain)) (VP (VBD fell)) )", "'rain fell' has no label"),
        ("(S ((NN rain)))", "an opening bracket without a label"),
        ("(S (=NP (NN rain)))", "'rain' has no label"),
        ("(S (NN rain)", "a closing bracket is missing"),
        ("(NN rain) (VBD fell)", "2 trees"),
        ("(X " * 300 + "(NN a)" + ")" * 300, "more than 200 brackets"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_place(text, told):
    with pytest.raises(ValueError, match=f"^the tree you gave: .*{told}"):
        parse_tree(text, "the tree you gave")


def every_way(source: list[str], target: list[str]) -> list[tuple[int, ...]]:
    """All places that the words of the target can have in the source."""
    ways = combinations(range(len(source)), len(target))
    return [way for way in ways if [source[i] for i in way] == target]


def runs(way: tuple[int, ...]) -> int:
    return sum(i == 0 or way[i - 1] + 1 != place for i, place in enumerate(way))


def test_the_deletions_are_those_that_enumeration_finds():
    """Fewest runs, then the rightmost places, the last word's first."""
    chance = random.Random(1)
    several = none = 0
    for _ in range(600):
        source = [chance.choice("abc") for _ in range(chance.randint(1, 8))]
        target = [chance.choice("abc") for _ in range(chance.randint(1, 4))]
        ways = every_way(source, target)
        found = deletion_alignment(source, target)
        several += len(ways) > 1
        none += not ways
        if not ways:
            assert found is None
            continue
        fewest = min(map(runs, ways))
        best = max((way for way in ways if runs(way) == fewest), key=lambda way: way[::-1])
        assert found == tuple(zip(best, range(len(target)), strict=True))
    assert several > 100 and none > 100


def test_capitals_count_unless_nothing_is_found_with_them():
    assert deletion_alignment(["the", "rain", "The"], ["the"]) == ((0, 0),)
    assert deletion_alignment(["today", "the", "rain"], ["The", "rain"]) == ((1, 0), (2, 1))
    assert deletion_alignment(["a"], []) == ()


def test_alignments_as_aligners_write_them():
    assert parse_alignment("0-0 3-2 1-1 3-2", "here") == ((0, 0), (1, 1), (3, 2))
    assert parse_alignment(" \n", "here") == ()
    with pytest.raises(ValueError, match=r"^line 4: '0-x' is no pair"):
        parse_alignment("0-0 0-x", "line 4")


def test_the_gazette_has_trees_on_both_sides():
    corpus = load_compressions("gazette")
    sizes = {"train": (938, 767), "dev": (91, 80), "test": (94, 74)}
    for split, (size, deletions) in sizes.items():
        pairs = corpus.split(split)
        assert (len(pairs), sum(p.kind == "deletion" for p in pairs)) == (size, deletions)
        for pair in pairs:
            words, shorter = pair.source.leaves(), pair.target.leaves()
            assert {j for _, j in pair.alignment} == set(range(len(shorter)))
            same = [words[i].lower() == shorter[j].lower() for i, j in pair.alignment]
            assert all(same) or pair.kind == "substitution"
            labels = {n.label() for t in (pair.source, pair.target) for n in t.subtrees()}
            assert not any("-" in label for label in labels), pair.name
    assert "938 pairs" in repr(corpus) and corpus.name == "gazette"


def test_most_alignments_of_the_gazette_are_found_again():
    pairs = [p for p in load_compressions("gazette").dev if p.kind == "deletion"]
    found = [deletion_alignment(p.source.leaves(), p.target.leaves()) for p in pairs]
    equal = sum(one == p.alignment for one, p in zip(found, pairs, strict=True))
    assert None not in found and equal > 0.95 * len(pairs)


def test_files_of_the_gazette_that_do_not_fit_say_what_to_do(tmp_path, monkeypatch):
    for kind in ("mrg", "compressions.jsonl"):
        shutil.copy(ROOT / "data" / "gazette" / f"dev.{kind}", tmp_path)
    monkeypatch.setattr(gazette_corpus, "folder", lambda: tmp_path)
    assert load_compressions("gazette").dev
    rows = tmp_path / "dev.compressions.jsonl"
    text = rows.read_text()
    rows.write_text(text.replace("target_tree", "tree", 1))
    with pytest.raises(
        CorpusError, match=r"line 1 of .* old: write them again with: wordorder-lab"
    ):
        load_compressions("gazette").split("dev")
    rows.write_text(text.replace('"id": "dev-', '"id": "dev-1', 1))
    with pytest.raises(CorpusError, match=r"line 1 of .* has other words: write them again"):
        load_compressions("gazette").split("dev")


@pytest.mark.parametrize(
    ("tree", "first"),
    [
        ("(S (DT The) (NN rain))", "the"),
        ("(S (`` ``) (DT The) (NN rain))", "the"),
        ("(S (DT A) (NNP Ruiz))", "a"),
        ("(NN Rain)", "rain"),
        ("(S (-LRB- -LRB-) (NN Rain))", "rain"),
        ("(S (NNP The) (NNP Hague))", "The"),
        ("(S (NNPS Giants))", "Giants"),
        ("(S (PRP I) (VBD left))", "I"),
        ("(S (NN GDP) (VBD fell))", "GDP"),
        ("(S (JJ U.S.) (NNS officials))", "U.S."),
        ("(S (CD 1,200) (NNS Workers))", "1,200"),
        ("(S (JJ Écologique))", "écologique"),
    ],
)
def test_the_capital_of_a_beginning_is_undone_and_comes_back(tree, first):
    given = Tree.fromstring(tree)
    before, words = str(given), given.leaves()
    made = prepared(given)
    at = next(i for i, word in enumerate(words) if word[0].isalnum())
    assert made.leaves() == [*words[:at], first, *words[at + 1 :]]
    assert prepared(made) == made
    assert presented(made) == given and presented(made.leaves()) == words
    assert str(given) == before


def test_what_has_a_capital_inside_and_what_has_no_words_stays():
    assert presented(["eBay", "fell"]) == ["eBay", "fell"]
    assert presented(["''", "."]) == ["''", "."] and presented([]) == []
    assert presented(["``", "rain"]) == ["``", "Rain"]
    assert prepared(Tree.fromstring("(S (. .))")) == Tree.fromstring("(S (. .))")


def test_both_sides_of_a_pair_write_a_word_alike():
    """What is first on one side only would otherwise be another word on the other."""
    raw = 0
    for split in ("train", "dev", "test"):
        for pair in load_compressions("gazette").split(split):
            made = prepared_pair(pair)
            assert presented(made.source) == pair.source and presented(made.target) == pair.target
            for i, j in pair.alignment:
                raw += pair.source.leaves()[i] != pair.target.leaves()[j]
                words = made.source.leaves()[i], made.target.leaves()[j]
                assert words[0] == words[1] or words[0].lower() != words[1].lower(), pair.name
    assert raw > 200
