"""Compression pairs of real text: their splits, and how they come to have trees."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from fake_parser import FakeParser
from hypothesis import given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.corpora import TEXTS, CorpusError
from wordorder_lab.corpora.readers.word_alignment import edit_alignment
from wordorder_lab.corpora.texts import documents_in_three
from wordorder_lab.structures.compression import TextPair
from wordorder_lab.systems.parsed_pairs import LeftOut

ROWS = [
    {"id": "a.1", "text": "Rain fell again .", "summaries": ["Rain fell .", "It fell again ."]},
    {"id": "a.0", "text": "Snow came .", "summaries": ["Snow .", "Snow came ."]},
    {"id": "b.0", "text": "one two three four five", "summaries": ["two four", "one two three"]},
]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def folder_of(path: Path, rows: list[dict], split: str = "train") -> Path:
    path.mkdir(exist_ok=True)
    (path / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_rows_become_pairs_in_the_order_of_documents_and_their_sentences(tmp_path):
    texts = wl.load_texts(folder_of(tmp_path / "own", ROWS))
    snow, rain, _ = texts.train
    assert [pair.name for pair in texts.train] == ["a.0", "a.1", "b.0"]
    assert rain.source == ("Rain", "fell", "again", ".") and rain.document == "a"
    assert rain.keeps == ((True, True, False, True), None)
    assert rain.alignment(0) == ((0, 0), (1, 1), (3, 2)) and rain.alignment(1) is None
    assert snow.targets == (("Snow", "."), ("Snow", "came", "."))
    assert texts.splits == ("train",)


def test_a_file_is_cut_between_documents(tmp_path):
    rows = [{"id": f"d{i // 4}.{i % 4}", "text": "a b", "summaries": ["a"]} for i in range(30)]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    texts = wl.load_texts(path)
    assert [len(texts.split(split)) for split in texts.splits] == [24, 4, 2]
    documents = [{pair.document for pair in texts.split(split)} for split in texts.splits]
    assert not documents[0] & documents[1] and not documents[1] & documents[2]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "a b"}, "summaries should be a list"),
        ({"text": "a b", "summaries": []}, "summaries should be a list"),
        ({"text": "a b", "summaries": ["a", " "]}, r"summaries\[1\] should be words"),
        ({"text": 3, "summaries": ["a"]}, "text should be words"),
        ({"id": "x", "text": "a", "summaries": ["a"]}, "two sentences are called x"),
    ],
)
def test_a_broken_row_is_named(tmp_path, row, said):
    good = {"id": "x", "text": "a", "summaries": ["a"]}
    texts = wl.load_texts(folder_of(tmp_path / "own", [good, row]))
    with pytest.raises(CorpusError, match=said):
        texts.split("train")


def test_a_name_that_is_none_is_told_the_names():
    with pytest.raises(CorpusError, match="clarke-lapata-spoken"):
        wl.load_texts("clarke-lapata-sung")


def test_a_corpus_that_is_not_here_says_where_it_belongs(tmp_path):
    for name in TEXTS:
        with pytest.raises(CorpusError, match=r"is not here.* Put compression_\w+/"):
            wl.load_texts(name, data=tmp_path)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=7), st.integers(0, 20), st.integers(0, 20))
def test_documents_are_cut_as_near_as_may_be(counts, dev, test):
    """Against all ways to put the documents in three."""
    train = max(1, sum(counts) - dev - test)
    pairs = [
        TextPair(("a",), (("a",),), ((True,),), f"{document}.{i}")
        for document, count in enumerate(counts)
        for i in range(count)
    ]
    split = documents_in_three(pairs, (train, dev, test))
    found = Counter(split[pair.document] for pair in pairs)
    whole = train + dev + test
    wanted = [round(len(pairs) * part / whole) for part in (dev, test)]
    away = abs(found["dev"] - wanted[0]) + abs(found["test"] - wanted[1])
    ways = product(range(3), repeat=len(counts))
    sums = {tuple(sum(c for c, w in zip(counts, way) if w == k) for k in (1, 2)) for way in ways}
    assert away == min(abs(d - wanted[0]) + abs(t - wanted[1]) for d, t in sums)
    again = random.sample(pairs, len(pairs))
    assert documents_in_three(again, (train, dev, test)) == split


def train_pairs(name: str | os.PathLike[str], parser: Any) -> list[wl.CompressionPair]:
    return list(wl.compressions_of(name, parser).split("train"))


def test_sources_and_references_are_parsed_and_aligned(tmp_path):
    pairs = train_pairs(folder_of(tmp_path / "own", ROWS), FakeParser())
    rain = pairs[1]
    assert str(rain.source) == "(S (NN Rain) (NN fell) (NN again) (. .))"
    assert [tree.leaves() for tree in rain.targets] == [s.split() for s in ROWS[0]["summaries"]]
    assert rain.alignment == ((0, 0), (1, 1), (3, 2)) and rain.name == "a.1"


def test_each_reference_is_a_pair_of_its_own_to_learn_from(tmp_path):
    pairs = wl.as_separate(train_pairs(folder_of(tmp_path / "own", ROWS), FakeParser()))
    assert [pair.name for pair in pairs][:4] == ["a.0#1", "a.0#2", "a.1#1", "a.1#2"]
    substituted = pairs[3]
    assert (
        substituted.alignment == ((0, 0), (1, 1), (2, 2), (3, 3)) and len(substituted.targets) == 1
    )
    assert wl.as_separate(pairs) == pairs
    deleted = pairs[5]  # the second reference of "b.0"
    text = wl.load_texts(tmp_path / "own").train[2]
    assert deleted.alignment == text.alignment(1) == ((0, 0), (1, 1), (2, 2))


def test_what_the_parser_refuses_is_left_out_by_name(tmp_path):
    corpus = wl.compressions_of(folder_of(tmp_path / "own", ROWS), FakeParser(longest=3))
    assert [pair.name for pair in corpus.train] == ["a.0"]
    assert corpus.skipped("train") == {"without a tree": 2}
    why = "4 words, and 3 are the most"
    assert corpus.left_out("train")[:2] == (LeftOut("a.1#2", why), LeftOut("a.1", why))


def test_the_cache_serves_the_same_parser_only(tmp_path):
    folder, flat = folder_of(tmp_path / "own", ROWS), FakeParser()
    first = train_pairs(folder, flat)
    assert len(flat.asked) == len(set(flat.asked)) == 8  # "Snow came ." is source and reference
    assert train_pairs(folder, flat) == first and len(flat.asked) == 8
    other = FakeParser("right")
    assert train_pairs(folder, other) != first and len(other.asked) == 8
    for path in (tmp_path / "cache").rglob("*.json"):
        path.write_bytes(path.read_bytes()[:-3])  # half a file is none
    assert train_pairs(folder, flat) == first and len(flat.asked) == 16


def test_pairs_of_trees_pass_through():
    assert wl.compressions_of("gazette").dev[0].name.startswith("dev-")


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_an_edit_alignment_is_as_short_as_can_be(source, target):
    pairs = edit_alignment(source, target)
    rows = [[-1, -1], *map(list, pairs)]
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(rows))
    changed = sum(source[i] != target[j] for i, j in pairs)
    cost = len(source) + len(target) - 2 * len(pairs) + changed

    def least(a: tuple, b: tuple) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(least(a[1:], b) + 1, least(a, b[1:]) + 1, least(a[1:], b[1:]) + (a[0] != b[0]))

    assert cost == least(tuple(source), tuple(target))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("clarke-lapata-spoken", [882, 78, 410]),
        ("clarke-lapata-written", [1032, 72, 525]),
        ("google10k", [7917, 991, 992]),
    ],
)
def test_the_corpora_have_the_papers_splits_and_no_document_in_two(name, sizes):
    try:
        texts = wl.load_texts(name)
    except CorpusError as error:
        pytest.skip(str(error))
    assert [len(texts.split(split)) for split in ("train", "dev", "test")] == sizes
    names = [{pair.name for pair in texts.split(split)} for split in texts.splits]
    assert len(set.union(*names)) == sum(sizes)
    if name != "google10k":
        documents = [{pair.document for pair in texts.split(split)} for split in texts.splits]
        assert sum(map(len, documents)) == len(set.union(*documents))
    for pair in texts.every():
        for target, keep in zip(pair.targets, pair.keeps, strict=True):
            assert keep is not None
            assert target == tuple(w for w, stays in zip(pair.source, keep) if stays)
