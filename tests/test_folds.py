"""Folds and variants of experiments: who learns from what, resumption, refusals, added-up rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from wordorder_lab import load_corpus
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.folds import BLOCKS, DOCUMENTS, SECTION_00, Folds
from wordorder_lab.corpora.readers.conllu import parse_conllu
from wordorder_lab.corpora.readers.corpus import Corpus, Part
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import Item, claims_of, column_of, deciding, outcome
from wordorder_lab.experiments.measures.claims import (
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    SAME,
    Claim,
    Verdict,
    judge,
)
from wordorder_lab.experiments.measures.needs import check_corpora
from wordorder_lab.experiments.report import over_trainings
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.runs.folds import part_of
from wordorder_lab.experiments.runs.outputs import read_lines
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.experiments.variants import Variant
from wordorder_lab.metrics.bleu import corpus_bleu
from wordorder_lab.structures.sentence import Sentence

ASKED = """
title = "Beams"
measure = "end"
folds = 3
[settings]
system = "ngram-beam"
corpus = "gazette"
split = "dev"
units = "words"
order = 3
[vary]
decode_beam = [1, 4]
[names]
wide = { split = "dev", decode_beam = 4 }
narrow = { split = "dev", decode_beam = 1 }
wide-on-test = { split = "test", decode_beam = 4 }
narrow-on-test = { split = "test", decode_beam = 1 }
[[claims]]
says = "wide on dev"
better = "wide"
than = "narrow"
on = "bleu_cased"
[[claims]]
says = "wide on test"
better = "wide-on-test"
than = "narrow-on-test"
on = "bleu_cased"
"""
FEW = Override(sentences=8)


def corpus_with(documents: Mapping[str, int], splits: int = 2) -> Corpus:
    """So many sentences of each document, which go to the splits in turn."""
    every = [
        Sentence(Sentence.of_words([f"w{name}", str(i)]).tokens, f"{name}:{i}", document=name)
        for name, number in documents.items()
        for i in range(number)
    ]
    parts = {name: Part(tuple(every[i::splits])) for i, name in enumerate(("train", "dev"))}
    return Corpus("made", "words", {name: partial(parts.__getitem__, name) for name in parts})


def test_no_document_is_learned_from_and_scored_at_a_time() -> None:
    folds = Folds.of(corpus_with({"d": 9, "b": 4, "a": 4, "c": 1, "e": 3}), 3)
    assert folds.by == DOCUMENTS and [s.document for s in folds.sentences[:5]] == [*"aaaab"]
    held_out: list[Sentence] = []
    for fold in range(3):
        part = folds.part(fold)
        assert not {s.document for s in part.train} & {s.document for s in part.test}
        assert len(part.train) + len(part.test) == 21
        assert [folds.sentences[i] for i in folds.places(fold)] == list(part.test)
        held_out += part.test
    assert sorted(s.name for s in held_out) == sorted(s.name for s in folds.sentences)
    assert [folds.fold.count(fold) for fold in range(3)] == [7, 4, 10], "each to the least filled"


def test_a_corpus_without_documents_is_cut_into_blocks() -> None:
    folds = Folds.of(corpus_with({"": 10}), 4)
    assert (folds.by, folds.fold) == (BLOCKS, (0, 0, 0, 1, 1, 2, 2, 2, 3, 3))
    with pytest.raises(CorpusError, match="made has 2 documents: it cannot be cut into 3 folds"):
        Folds.of(corpus_with({"a": 4, "b": 4}), 3)


def test_documents_of_conllu_are_what_comments_say() -> None:
    word = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    text = f"# newdoc id = x\n{word}{word}# newdoc id = y\n{word}"
    assert [s.document for s in parse_conllu(text, "a.conllu", "a").sentences] == ["x", "x", "y"]


@pytest.mark.corpus
def test_the_penn_sample_has_all_of_section_00() -> None:
    try:
        folds = Folds.of(load_corpus("ptb-sample", units="words"), 10)
    except CorpusError as error:
        pytest.skip(str(error))
    about: Any = folds.described()
    assert (about["by"], about["documents"], sum(about["sentences"])) == (DOCUMENTS, 199, 3914)
    assert about["apart"] == {SECTION_00: [0, 1921]}
    assert max(about["sentences"]) < 1.2 * min(about["sentences"])


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    path = tmp_path / "asked.toml"
    path.write_text(ASKED)
    return path


def test_an_interrupted_run_goes_on_and_rows_are_of_all_sentences(asked: Path) -> None:
    specification, out = read_specification(asked), asked.with_suffix(".json")
    seen: list[str] = []

    def stop(line: str) -> None:
        seen.append(line)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(specification, out, command="", override=FEW, show=stop)
    begun = json.loads(records.partial_of(out).read_text())
    assert begun["runs"] == [1, 1, 1]
    lines: list[str] = []
    folder = asked.parent / "outputs"
    record = reproduce(
        specification, out, command="", override=FEW, show=lines.append, outputs=folder
    )
    assert len(lines) == 1 + 3, "what was done is not done again"
    (narrow, wide) = record["rows"]
    assert [row["sentences"] for row in (narrow, wide)] == [24, 24]
    assert {row["split"] for row in (narrow, wide)} == {"test"} and narrow["folds"] == 3
    folds = Folds.of(load_corpus("gazette", units="words"), 3)
    places = sorted(place for fold in range(3) for place in folds.places(fold)[:8])
    references = [folds.sentences[place].text for place in places]
    for number, row in enumerate(record["rows"], 1):
        outputs = read_lines(folder / f"row-{number:03}.txt.gz")
        for line, reference in zip(outputs, references, strict=True):
            assert sorted(line.split()) == sorted(reference.split())
        for name in ("cased", "13a_lc"):
            score = corpus_bleu(outputs, references, name).score
            assert row[f"bleu_{name}"] == pytest.approx(score, abs=1e-4)
        same = [a == b for a, b in zip(outputs, references)]
        assert row["exact_match"] == pytest.approx(sum(same) / 24, abs=1e-4)
    table = (folder / "table.csv").read_text().splitlines()
    assert len(table) == 3 and table[1].endswith(",row-001.txt.gz")
    assert record["folds"]["gazette, words"]["by"] == BLOCKS


def test_dev_and_test_are_one_in_folds(asked: Path) -> None:
    specification = read_specification(asked)
    assert [claim.says for claim in specification.claims] == ["wide on dev"]
    assert [(run["fold"], run["decode_beam"]) for run in specification.parts] == [
        (fold, beam) for fold in range(3) for beam in (1, 4)
    ]
    text = asked.read_text().replace('"wide on dev"', '"wide on dev"\nours = true')
    asked.write_text(text)
    assert [one.says for one in read_specification(asked).claims] == ["wide on test"]  # a paper's


def test_a_variant_may_look_at_the_last_epoch_alone() -> None:
    whole = load_specification("zhang-clark-2015-table-4-ptb")
    found = load_specification("zhang-clark-2015-table-4-ptb-on-gum-trees")
    assert (whole.measure.name, found.measure.name) == ("epochs", "end")
    assert (whole.plot["kind"], found.plot["kind"]) == ("lines", "bars")
    assert [{**run, "corpus": "gum-trees"} for run in whole.runs] == [*found.runs]
    assert [one.says for one in whole.claims] == [one.says for one in found.claims]


def test_a_part_that_is_reported_apart() -> None:
    parts = {"parts": [[1, 2, 3, 4], [5, 6, 7, 8]]}
    about = {"made, words": {"sentences": [2, 2], "apart": {SECTION_00: [1, 3]}}}
    row = {"corpus": "made", "units": "words"}
    rows = [{**row, "sentences": 4}, {**row, "sentences": 2}]
    record = {"rows": rows, "folds": about, "sentence_scores": [{"f1": [parts]}] * 2}
    own, of_some = part_of(record, SECTION_00)["sentence_scores"]
    assert own == {"f1": [{"parts": [[2, 3], [6, 7]]}]} and of_some is None


def base(**more: str) -> str:
    """The specification without its folds, other settings in place of its own."""
    text = ASKED.replace("folds = 3\n", "")
    for name, value in more.items():
        line = next(one for one in text.splitlines() if one.startswith(f"{name} ="))
        text = text.replace(line, value)
    return text


LEARNS = base(system='system = "liu-2015"', order="shuffle = true")


@pytest.mark.parametrize(
    ("content", "variant", "problem"),
    [
        (base(measure='measure = "time"'), Variant("a", folds=3), "cannot be added up over folds"),
        (base(corpus=""), Variant("a", corpus="ewt"), None),
        ('of = "wan-2009"\nfolds = 3\n', Variant("a", folds=3), "itself a variant of wan-2009"),
        ('of = "wan-2009"\nfolds = 3\n', None, "has the name wan-2009-in-3-folds"),
        ('of = "wan-2009"\nseed = 3\n', None, "a variant has of, corpus, units, folds, seeds"),
        (LEARNS, Variant("a", seeds=3), "orders of their own"),
        (base(), Variant("a", seeds=3), "no run has a system whose training knows orders"),
        ('of = "wan-2009"\nunits = "words"\n', None, "varies nothing"),
        ('of = "wan-2008"\nfolds = 3\n', None, "no experiment 'wan-2008'"),
    ],
)
def test_variants_that_cannot_be(
    tmp_path: Path, content: str, variant: Variant | None, problem: str | None
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(content)
    if problem is None:
        found = read_specification(path, variant)
        assert found.name == "a-on-ewt" and {run["corpus"] for run in found.runs} == {"ewt"}
        return
    with pytest.raises(SpecificationError, match=problem):
        read_specification(path, variant)


@pytest.mark.parametrize(
    ("settings", "lacking"),
    [
        ({"units": 'units = "base-np"', "corpus": 'corpus = "ewt"'}, "ewt has no base NPs"),
        (
            {"system": 'system = "zhang-clark-2011"', "corpus": 'corpus = "ewt"', "order": ""},
            "ewt has no CCG derivations, which zhang-clark-2011",
        ),
        ({"corpus": 'corpus = "geometry"', "split": 'split = "test"'}, "geometry has no test"),
    ],
)
def test_a_corpus_is_told_what_it_lacks(
    tmp_path: Path, settings: Mapping[str, str], lacking: str
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(base(**settings).partition("[names]")[0])
    try:
        with pytest.raises(CorpusError, match=lacking):
            check_corpora(read_specification(path))
    except CorpusError as error:
        pytest.skip(str(error))


def test_folds_take_the_place_of_the_sample_and_count_once(monkeypatch: Any) -> None:
    claim = Claim("wide is better", "better", ("a", "b"), "bleu_cased")
    other = Claim("wide is faster", "better", ("a", "b"), "ms_per_sentence")
    small = Verdict(claim, SAME, "", corpus="ptb-sample")
    large = Verdict(claim, OPPOSITE, "", corpus="ptb-sample, 10 folds")
    on_ewt = Verdict(claim, SAME, "", corpus="ewt")
    verdicts = {
        "one": [small, small._replace(claim=other)],
        "one-in-10-folds": [large, Verdict(other, NOT_JUDGED, "")],
        "one-on-ewt": [on_ewt],
    }
    known = {"one-in-10-folds": Variant("one", folds=10), "one-on-ewt": Variant("one", "ewt")}
    monkeypatch.setattr("wordorder_lab.experiments.claim_list.variant_called", known.get)
    left = deciding(verdicts)
    assert [one.claim for one in left["one"]] == [other]
    assert left["one-in-10-folds"] == [large] and left["one-on-ewt"] == [on_ewt]
    item = Item("A (2026)", "Table 1", "wide", (("one", "wide is better"),), "", "", "")
    assert outcome(item, verdicts) == OPPOSITE, "whatever comes out there"
    columns = [column_of(one) for _, one in claims_of(item, verdicts)]
    assert columns == ["Penn sample", "Penn sample, 10 folds", "EWT"]


def test_several_trainings_take_the_place_of_the_one(monkeypatch: Any) -> None:
    path = records.specification_file("liu-2015-table-3")
    found = read_specification(path, Variant("liu-2015-table-3", seeds=3))
    once = load_specification("liu-2015-table-3")
    orders = [{"seed": seed, "shuffle": True} for seed in (1, 2, 3)]
    assert found.name == "liu-2015-table-3-with-3-seeds"
    assert [*found.runs] == [{**run, **order} for order in orders for run in once.runs]
    claim, other = (Claim(says, "better", ("a", "b"), "bleu_cased") for says in ("wide", "deep"))
    one, several = (
        Verdict(claim, SAME, "", corpus="ewt"),
        Verdict(claim, OPPOSITE, "", corpus="ewt"),
    )
    verdicts = {
        "one": [Verdict(claim, SAME, "", corpus="ptb-sample")],
        "one-on-ewt": [one, one._replace(claim=other)],
        "one-on-ewt-with-3-seeds": [several, Verdict(other, NOT_JUDGED, "")],
    }
    known = {name: Variant("one", "ewt", seeds=3 * ("seeds" in name)) for name in [*verdicts][1:]}
    monkeypatch.setattr("wordorder_lab.experiments.claim_list.variant_called", known.get)
    assert [one.claim for one in deciding(verdicts)["one-on-ewt"]] == [other]
    item = Item("A (2026)", "Table 1", "wide", (("one", "wide"),), "", "", "")
    assert claims_of(item, verdicts)[1:] == [("one-on-ewt-with-3-seeds", several)]
    sample = several._replace(corpus="ptb-sample")
    verdicts = {"one": verdicts["one"], "one-on-ewt": [one], "one-with-3-seeds": [sample]}
    known = {"one-on-ewt": Variant("one", "ewt"), "one-with-3-seeds": Variant("one", seeds=3)}
    monkeypatch.setattr("wordorder_lab.experiments.claim_list.variant_called", known.get)
    assert outcome(item, verdicts) == OPPOSITE, "on the corpus that the list names first"
    folds = sample._replace(verdict=NOT, corpus="ptb-sample, 10 folds")
    known["one-in-10-folds"] = Variant("one", folds=10)
    assert outcome(item, {**verdicts, "one-in-10-folds": [folds]}) == NOT, (
        "folds have more sentences"
    )


def test_pictures_show_the_mean_of_several_trainings() -> None:
    row = {"system": "liu-2015", "shuffle": True, "epoch": 2, "sentences": 9}
    rows = [{**row, "seed": seed, "bleu_cased": 40.0 + seed} for seed in (1, 2, 3)]
    other = {"system": "random-order", "seed": 1, "bleu_cased": 20.0}
    found = over_trainings([*rows, {**rows[0], "epoch": 1}, other, other])
    assert [one["bleu_cased"] for one in found] == [42.0, 41.0, 20.0, 20.0]


def test_counts_of_several_trainings_are_no_more_sentences() -> None:
    row = {"system": "a", "timeouts": 0.1, "sentences": 100, "shuffle": True}
    rows = [{**row, "seed": seed} for seed in (1, 2, 3)]
    rows += [{**one, "system": "b", "timeouts": 0.2} for one in rows]
    claim = Claim("a finds more", "better", ("a", "b"), "timeouts")
    names = {name: {"system": name} for name in "ab"}
    records = [{"rows": some, "sentence_scores": [{}] * len(some)} for some in (rows, rows[::3])]
    take: Any = lambda _, places, __: places  # noqa: E731
    several, one = (judge([claim], names, record, take) for record in records)
    assert several[0].p_value == one[0].p_value and several[0].sentences == 100
    assert several[0].budget == "3 orders of the sentences" and not one[0].budget
