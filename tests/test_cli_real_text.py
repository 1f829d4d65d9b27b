"""The command line on compression of real text: words that a parser gives trees."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PLAIN, own_pairs
from fake_parser import FakeParser

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.commands.answers import tokenisation_hint
from wordorder_lab.commands.common import parser_for
from wordorder_lab.systems import parser

WORDS = [
    "the robin sang again today .",
    "a boat left the shore early .",
    "rain fell here again .",
]


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    return own_pairs(tmp_path_factory.mktemp("own"))


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of pairs of text, two annotators each; the default parser is a flat one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parser, "default_parser", FakeParser)
    folder = tmp_path / "texts"
    folder.mkdir()
    for split in ("train", "dev"):
        rows = []
        for i, words in enumerate(WORDS):
            one = words.split()
            shorter = [" ".join([*one[:3], "."]), " ".join([*one[:2], "."])]
            rows.append(json.dumps({"id": f"{split}.{i}", "text": words, "summaries": shorter}))
        (folder / f"{split}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return str(folder)


def test_train_and_evaluate_on_text(texts, tmp_path, capsys) -> None:
    out, numbers = tmp_path / "m.wol", tmp_path / "m.json"
    size = ["--beam", "5", "--iterations", "2", *PLAIN]
    line = ["train", "cohn-lapata-2009", "--corpus", texts, *size, "--out", str(out)]
    assert main(line) == 0
    model = wl.load_model(out)
    assert (model.settings["pairs"], model.settings["parser"]) == (6, "default")
    assert (model.settings["variables"], model.settings["nodes"]) == (10, 40)
    assert main([*line, "--variables", "3", "--jobs", "2"]) == 0
    narrow = wl.load_model(out).settings
    assert (narrow["variables"], narrow["nodes"]) == (3, 40)
    assert narrow["rules"] < model.settings["rules"]
    line = ["evaluate", "--model", str(out), "--rate", "gold", "--json", str(numbers), *PLAIN]
    assert main(line) == 0
    shown = capsys.readouterr().out
    for told in ("parsed anew", "at its own rate", "first clause", "4-gram F1", "keep all"):
        assert told in shown
    told = json.loads(numbers.read_text())
    assert (told["corpus"], told["parser"], told["sentences"]) == (texts, "default", 3)
    assert told["reparsed"]["refused"] == 0 and told["at_own_rate"]["bonus"] == 0


def test_compress_takes_plain_text(own, texts, tmp_path, capsys) -> None:
    path = tmp_path / "out.json"
    line = ["compress", "--model", own.model, "--parser", "default", "--json", str(path), *PLAIN]
    assert main([*line, WORDS[0], "It didn't rain."]) == 0
    shown = capsys.readouterr()
    first, _ = json.loads(path.read_text())
    assert first["source"].startswith("(S (NN the) (NN robin)") and first["words"]
    assert shown.err.count("is this text tokenised?") == 1 and "sentence 2" in shown.err
    assert '"didn\'t" looks like two words' in shown.err and "did n't" in shown.err
    assert main([*line, "(S (NP (NN rain)) (VP (VBD fell)))"]) == 2
    assert "sentence 1: this is a tree" in capsys.readouterr().err
    assert main([*line, "word " * 61]) == 2
    assert "sentence 1: 61 words, and 60 are the most" in capsys.readouterr().err
    assert main(["compress", "--model", own.model, *PLAIN, "rain fell ."]) == 2
    assert "this is plain text: give --parser default" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("It rained.", "rained ."),
        ("He said, again", "said ,"),
        ("She's here .", "She 's"),
        ('"Rain fell .', '" Rain'),
        ("it isn't rain .", "is n't"),
        ("the end) .", "end )"),
    ],
)
def test_text_that_is_not_tokenised_gets_a_hint(text, apart) -> None:
    assert repr(apart) in tokenisation_hint(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Smith of Acme Corp. did n't say , `` never '' , at 5:30 p.m. in the U.S. .",
        "He 's 5,000 years old : 3.5 % more -- cease-fires ... -LRB- ok -RRB- ( ok )",
    ],
)
def test_tokenised_text_gets_none(text) -> None:
    assert not tokenisation_hint(text)


def test_a_parser_by_its_file(own, tmp_path, capsys) -> None:
    trees = [pair.source for pair in wl.load_compressions("gazette").dev[:5]]
    path = tmp_path / "parser.wol"
    parser = wl.train("parser", trees)
    parser.save(path)
    found = parser_for(str(path), own.pairs)
    assert found is not None and found.checksum == parser.checksum
    assert parser_for(None, own.pairs) is None
    assert main(["compress", "--model", own.model, "--parser", own.model, *PLAIN, "a"]) == 2
    assert "that is wordorder-lab compress" in capsys.readouterr().err


def test_corpora_describes_text(texts, capsys) -> None:
    assert main(["corpora", texts]) == 0
    shown = capsys.readouterr().out
    assert "rate of each annotator" in shown and "66.7% 50.0%" in shown
