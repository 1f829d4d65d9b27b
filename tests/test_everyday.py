"""The model that comes along, words that training never saw, and plain text as input."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from everyday_sentences import sentences

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.models.packed_file import pack, unpack
from wordorder_lab.models.word_classes import WordClasses
from wordorder_lab.systems.everyday import FILES, FOLDER, SOURCES, everyday_model, everyday_realizer

PLAIN = 0.45
INVENTED = 0.25
"""Shares of the held-out sentences that come out word for word, at least."""


def exact(texts: list[str], **search: object) -> float:
    """The share of texts whose words come out in the order of the text."""
    done = wl.evaluate(everyday_model(), texts, pos=0, **search)
    return float(done.scores.exact_match)


def test_everyday_sentences() -> None:
    pairs = sentences("held_out")
    assert len(pairs) == len(set(pairs)) == 100
    assert not set(pairs) & set(sentences("tuning"))
    assert exact([real for real, _ in pairs], beam=64) >= PLAIN
    assert exact([invented for _, invented in pairs], beam=64) >= INVENTED
    assert wl.random_order([real for real, _ in pairs]).scores.exact_match <= 0.02


def test_everyday_sentences_are_realized() -> None:
    """Parsed, lemmatized, shuffled: many come out word for word, first letters aside."""
    texts = [real for real, _ in sentences("held_out")]
    done = wl.evaluate(everyday_realizer(), texts, engine="reference")
    assert done.scores.exact >= 0.6
    found = wl.realize("The dogs chased a cat.")
    assert found.text == "The dogs chased a cat ." and found.result is not None
    assert "dog" in {node.lemma for node in everyday_realizer().tree_of("The dogs ran .").nodes}
    column = pd.DataFrame({"text": texts[:2]})["text"]
    assert wl.evaluate(everyday_realizer(), column).outputs == done.outputs[:2]


def test_everyday_sentences_are_made_shorter(capsys: pytest.CaptureFixture[str]) -> None:
    """Plain text is parsed first; sentences of the Gazette's test part come out as theirs do."""
    pairs = wl.load_compressions("gazette").test[:40]
    texts = [" ".join(pair.source.leaves()) for pair in pairs]
    found = [wl.compress(text, engine="reference") for text in texts]
    right = [one.text == " ".join(pair.target.leaves()) for one, pair in zip(found, pairs)]
    assert sum(right) >= 12
    words = "After lunch , the man who lives next door walked slowly to the old shop .".split()
    short = "The man walked slowly to the old shop ."
    for engine in ("fast", "reference"):
        results = [wl.compress(words, engine=engine, **how) for how in ({}, {"k": 3}, {"rate": 1})]
        assert results[0].text == results[1].k_best[0].text == short
        assert len(results[1].k_best) == 3 and list(results[2].words) == words
    assert len(wl.compress("She sleeps, and he waits.", length=3).words) == 3
    for typed, out in (
        (" ".join(words), short),
        ("(S (NP (NN rain)) (VP (VBD fell)))", "Rain fell"),
    ):
        assert main(["compress", typed]) == 0
        assert capsys.readouterr().out.split(maxsplit=1)[1] == f"{out}\n"


def test_engines_agree_on_what_was_never_seen() -> None:
    for real, invented in sentences("tuning")[:12]:
        for text in (real, invented):
            found = {}
            for engine in ("fast", "reference"):
                log = wl.EventLog()
                result = wl.order(text.split(), beam=4, k=2, engine=engine, trace=log)
                found[engine] = result, result.k_best, list(log)
            assert found["fast"] == found["reference"]
            assert wl.order(text.split()[::-1], beam=4).text == found["fast"][0].text


def test_what_is_not_known_is_said() -> None:
    result = wl.order("my wug ate the zorp .")
    assert result.text.startswith("my ")
    assert result.unknown == ("wug", "zorp")
    assert result.ties == (swapped(result.text, "wug", "zorp"),)
    assert "2 of 6 words were never seen in training (wug, zorp)" in result.doubts
    assert result.ties[0] in result.doubts and result.doubts in result._repr_html_()
    again = everyday_model().order(wl.WordBag(result.ties[0].split()))
    assert again.text == result.text  # the alphabet decides, whatever the order of the bag
    known = wl.order("the dog ran .")
    assert known.unknown == known.ties == () and known.doubts == ""
    cased = wl.order("The Dog RAN .")
    assert cased.unknown == () and cased.text.lower() == known.text


def swapped(text: str, one: str, other: str) -> str:
    return " ".join({one: other, other: one}.get(word, word) for word in text.split())


def test_word_classes_stand_for_rare_words_alone() -> None:
    classes = WordClasses.of("the dog saw the dog Zorping".split(), 2)
    assert [classes(word) for word in ("dog", "Dog", "saw", "zorping")] == [
        *("dog", "\u2039Capital\u203a", "\u2039lower\u203a", "\u2039lower-ing\u203a")
    ]
    lower = WordClasses.of("The the".split(), 2, lower_case=True)
    assert lower("THE") == "the" and lower("Zorping") == "\u2039lower-ing\u203a"


def test_back_off_is_learned_and_kept(tmp_path: Path) -> None:
    train = wl.load_corpus("gazette", units="words").train[:80]
    how = {"beam": 4, "epochs": 2, "pos": 0, "progress": False}
    settings = {"min_count": 2, "lower_case": True, "tag_share": 0.2, "lm_order": 2}
    models = {}
    for engine in ("fast", "reference"):
        model = wl.train("liu-2015", train, engine=engine, **how, **settings)
        model.save(tmp_path / engine)
        models[engine] = wl.load_model(tmp_path / engine)
    assert (tmp_path / "fast").read_bytes() == (tmp_path / "reference").read_bytes()
    line = "The zorping blick CLOSED ."
    assert models["fast"].order(line) == models["reference"].order(line, engine="reference")
    plain = wl.train("liu-2015", train, **how)
    assert not {"min_count", "lower_case", "tag_share"} & plain.settings.keys()
    assert plain.order(line).unknown == ("CLOSED", "blick", "zorping")


def test_packed_files(tmp_path: Path) -> None:
    arrays = {
        "keys": np.array([3, 7, 1 << 40]),
        "values": np.array([-5, 300, 0], np.int32),
        "logs": np.array([-1.5, -0.015625]),
        "none": np.zeros(0, np.int64),
    }
    with pytest.raises(ValueError, match="logs has values"):
        pack(tmp_path / "m.zip", {"system": "x"}, arrays, {})
    pack(tmp_path / "m.zip", {"system": "x"}, arrays, {"logs": 64})
    header, found = unpack(tmp_path / "m.zip")
    assert header["system"] == "x"
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].tolist() == array.tolist()
    (tmp_path / "m.zip").write_bytes((tmp_path / "m.zip").read_bytes()[:200])
    with pytest.raises(ModelError, match="install it again"):
        unpack(tmp_path / "m.zip")


def test_the_models_are_those_that_are_described() -> None:
    about = json.loads(SOURCES.read_text())
    most = {"order": 6_000_000, "realize": 3_000_000, "parse": 200_000, "compress": 200_000}
    for task, name in FILES.items():
        file = FOLDER / f"{name}.zip"
        assert about[name] == hashlib.sha256(file.read_bytes()).hexdigest()
        assert file.stat().st_size == about["bytes"][name] <= most[task]
    assert "CC BY-SA 4.0" in (FOLDER / "LICENSE.md").read_text()


TEXTS = ["the dog ran .", "It's my cat."]
CALLS = {
    "evaluate lines": lambda ngrams: wl.evaluate(everyday_model(), TEXTS, pos=0),
    "evaluate lists of words": lambda ngrams: wl.evaluate(everyday_model(), [["a", "dog"]], pos=0),
    "evaluate a column": lambda ngrams: wl.evaluate(everyday_model(), column(), pos=0),
    "evaluate a line": lambda ngrams: wl.evaluate(everyday_model(), "the dog ran ."),
    "evaluate with heads": lambda ngrams: wl.evaluate(everyday_model(), TEXTS, deps=1),
    "evaluate nothing": lambda ngrams: wl.evaluate(everyday_model(), []),
    "evaluate numbers": lambda ngrams: wl.evaluate(everyday_model(), [1, 2]),
    "evaluate n-grams": lambda ngrams: wl.evaluate(ngrams, TEXTS),
    "random order": lambda ngrams: wl.random_order(TEXTS),
    "train n-grams": lambda ngrams: wl.train("ngram-beam", TEXTS),
    "train n-grams on a column": lambda ngrams: wl.train("ngram-beam", column()),
    "train on lines": lambda ngrams: wl.train("liu-2015", TEXTS),
    "train best-first on lines": lambda ngrams: wl.train("zhang-clark-2015-dependency", TEXTS),
    "train on a line": lambda ngrams: wl.train("liu-2015", "the dog ran ."),
    "train a compressor on lines": lambda ngrams: wl.train("mcdonald-2006", TEXTS),
    "train a parser on lines": lambda ngrams: wl.train("parser", TEXTS),
    "explore lines": lambda ngrams: wl.explore(everyday_model(), TEXTS),
    "order nothing": lambda ngrams: wl.order(""),
    "order a list": lambda ngrams: wl.order(["ran", "dog", "the"]),
    "order None": lambda ngrams: wl.order(None),
    "load a folder": lambda ngrams: wl.load_model("tests"),
    "load a text": lambda ngrams: wl.load_corpus("nothing.txt"),
}


def column() -> object:
    return pd.DataFrame({"text": TEXTS})["text"]


@pytest.fixture(scope="module")
def ngrams() -> object:
    return wl.train("ngram-beam", TEXTS, min_count=1)


@pytest.mark.parametrize("call", CALLS)
def test_natural_calls(call: str, ngrams: object) -> None:
    """Each does what it says, or says in a line what it needs."""
    told = "a line without an error"
    try:
        CALLS[call](ngrams)
    except (ValueError, TypeError, OSError) as error:
        told = str(error)
    assert 10 < len(told) < 400
    assert not re.search(r"has no attribute|not subscriptable|unexpected keyword", told)
