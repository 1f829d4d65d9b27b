"""``bench --growth`` and the corpus that it grows on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from command_line import write_corpus
from test_gazette import UNIVERSAL as UPOS

from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.corpora.free_english import UNIVERSAL, with_universal_tags
from wordorder_lab.corpora.readers.conllu import parse_conllu
from wordorder_lab.experiments import growth

CPU = "training_cpu_seconds"
PARTS = ("ptb-sample", "ewt", "gum", "gazette")


def test_every_tag_of_the_gazette_has_a_universal_one() -> None:
    sentences = load_corpus("gazette", units="words").train
    mapped = [with_universal_tags(sentence) for sentence in sentences]
    assert {token.pos for sentence in mapped for token in sentence} <= UPOS
    first, second = sentences[0], mapped[0]
    assert (first.text, first.name, first.tree.heads) == (
        *(second.text, second.name, second.tree.heads),
    )
    assert [t.pos for t in second] == [UNIVERSAL[t.pos] for t in first]
    odd = replace(first.tokens[0], pos="QX")
    with pytest.raises(CorpusError, match=r"'QX' is no tag of the Penn Treebank"):
        with_universal_tags(replace(first, tokens=(odd, *first.tokens[1:])))


def test_upos_is_read_where_it_is_asked_for() -> None:
    text = "1\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
    parts = [parse_conllu(text, "x", universal=asked) for asked in (False, True)]
    tags = [part.sentences[0].tokens[0].pos for part in parts]
    assert tags == ["VB", "VERB"]


@pytest.mark.corpus
def test_the_free_corpora_are_one() -> None:
    try:
        whole = load_corpus("free-english")
        parts = [load_corpus(name, units="words") for name in PARTS]
    except CorpusError as error:
        pytest.skip(str(error))
    for split in ("dev", "test"):
        names = [sentence.name for part in parts for sentence in part.split(split)]
        assert [sentence.name for sentence in whole.split(split)] == names
        assert {token.pos for sentence in whole.split(split) for token in sentence} <= UPOS
        left_out = sum(sum(part.skipped(split).values()) for part in parts)
        assert sum(whole.skipped(split).values()) == left_out > 0
    with pytest.raises(CorpusError, match="plain words"):
        load_corpus("free-english", units="base-np")


def test_the_exponent_and_its_interval() -> None:
    sizes = (100, 200, 400, 800)
    rows: list[dict[str, Any]] = [
        {"system": "a", "sentences": n, "training_seconds": 0.01 * n, CPU: 1e-4 * n**1.5}
        for n in sizes
    ]
    by_cpu, by_wall = growth.exponents([*rows, {**rows[0], "system": "b"}])
    assert by_cpu["system"] == by_wall["system"] == "a" and by_cpu["points"] == 4
    assert by_cpu["power"] == 1.5 and by_cpu["power_interval"] == [1.5, 1.5]
    assert by_wall["power"] == 1
    # One size that takes twice as long makes a wide interval of few points: Student's t.
    rows[1][CPU] *= 2
    low, high = growth.exponents(rows)[0]["power_interval"]
    assert low < 0.5 and high > 2


@pytest.mark.slow
def test_growth_of_a_small_corpus(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(growth, "PLANS", growth.PLANS[:1])
    monkeypatch.setattr(growth, "PARTS", (4, 2, 1))
    corpus, out = write_corpus(tmp_path, 80), tmp_path / "growth.json"
    argv = ["bench", "--growth", "--corpus", str(corpus), "--epochs", "1", "--json", str(out)]
    assert main(argv) == 0
    assert "training seconds of the processor grow as n^" in capsys.readouterr().out
    data = json.loads(out.read_text())
    assert [row["share"] for row in data["rows"]] == ["1/4", "1/2", "1/1"]
    assert [row["sentences"] for row in data["rows"]] == [16, 32, 64]
    assert {row["system"] for row in data["rows"]} == {"liu-2015"}
    for row in data["rows"]:
        assert row["reading_mib"] <= row["training_mib"] <= row["peak_mib"]
        assert row["bleu_cased_interval"][0] <= row["bleu_cased"] <= row["bleu_cased_interval"][1]
    assert data["command"] == f"wordorder-lab bench --growth --corpus {corpus} --epochs 1"
    assert out.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
