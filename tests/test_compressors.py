"""Systems that shorten real text in experiments: what they learn from, at which rate they are
scored, what is kept of a training, and counts over many sentences. A flat parser stands in."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
import small_experiments
from fake_parser import FakeParser
from nltk.tree import Tree
from small_experiments import draws, refused, specified

import wordorder_lab as wl
from wordorder_lab.corpora import texts
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.texts import google10k_sentences
from wordorder_lab.experiments.measures import compression, real_text
from wordorder_lab.experiments.measures.claims import (
    ALIKE,
    OPPOSITE,
    Verdict,
    judge,
    read_claims,
)
from wordorder_lab.experiments.measures.compression import scores_of
from wordorder_lab.experiments.measures.compression_report import (
    GOLD,
    MCDONALD,
    OWN,
    STRINGS,
    TREES,
)
from wordorder_lab.experiments.measures.corpus_sizes import sizes
from wordorder_lab.experiments.measures.measure import Setup, Specification
from wordorder_lab.experiments.measures.outputs import letters
from wordorder_lab.experiments.measures.real_text import counted, sources_of, transduced
from wordorder_lab.experiments.paper_values import pairs as printed_beside
from wordorder_lab.experiments.record_check import missing
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs import compression_training
from wordorder_lab.experiments.runs.compression_pairs import Parts, hold_out, parts_of
from wordorder_lab.experiments.runs.compression_training import checksum_of, compressor_of
from wordorder_lab.experiments.runs.settings import DEV, TENTH
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import verdicts_of
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.structures.compression import TextPair, prepared, prepared_pair
from wordorder_lab.systems.cohn_lapata_2009_training import document_of

SPECIFICATION = (Path(__file__).parent / "small/compressors.toml").read_text("utf-8")
PAIRS = 10
SYSTEM = "cohn-lapata-2009"


FlatParser = partial(FakeParser, longest=40)


@pytest.fixture(autouse=True)
def flat(monkeypatch, tmp_path_factory) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    for module in (compression, real_text):
        monkeypatch.setattr(module, "parser_called", lambda name: FlatParser())


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> Specification:
    return specified(tmp_path_factory.mktemp("small"), SPECIFICATION)


@pytest.fixture(scope="module")
def record(wanted, tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("record")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        patch.setattr(compression, "parser_called", lambda name: FlatParser())
        return small_experiments.run(wanted, folder / "own.json", sentences=PAIRS)


def row_of(record: dict, system: str, at: str, of: str = STRINGS) -> dict:
    (row,) = (
        row for row in record["rows"] if (row["system"], row["at"], row["of"]) == (system, at, of)
    )
    return row


def test_each_run_has_its_rates_and_both_kinds_of_relations(record) -> None:
    rates = {
        system: [row["at"] for row in record["rows"] if row["system"] == system]
        for system in ("mcdonald-2006", SYSTEM, "keep-all", "random-deletion")
    }
    assert rates["mcdonald-2006"] == [OWN, OWN, GOLD, GOLD]
    assert rates[SYSTEM] == [OWN, OWN, MCDONALD, MCDONALD, GOLD, GOLD]
    assert (rates["keep-all"], rates["random-deletion"]) == ([OWN, OWN], [GOLD, GOLD])
    assert {row["of"] for row in record["rows"]} == {STRINGS, TREES}
    assert {row["sentences"] for row in record["rows"]} == {PAIRS}
    assert row_of(record, "keep-all", OWN)["rate"] == 1


def test_a_model_is_brought_to_the_rate_of_another_and_of_the_references(record) -> None:
    own, theirs, gold = (row_of(record, SYSTEM, at) for at in (OWN, MCDONALD, GOLD))
    mcdonalds = row_of(record, "mcdonald-2006", OWN)["rate"]
    assert own["bonus"] == 0 != gold["bonus"]
    assert abs(gold["rate"] - gold["gold_rate"]) <= abs(own["rate"] - own["gold_rate"])
    # Found on dev, used on test: near it, not at it.
    assert abs(theirs["rate"] - mcdonalds) <= abs(own["rate"] - mcdonalds) + 0.05


def test_the_c_that_loses_least_on_dev_is_taken(record) -> None:
    losses = {one["C"]: one["loss"] for one in record["grid"]}
    assert set(losses) == {0.01, 0.1}
    assert row_of(record, SYSTEM, OWN)["C"] == min(losses, key=lambda C: (losses[C], C))


def test_scores_of_strings_are_those_of_a_new_parse() -> None:
    golds = [prepared_pair(pair) for pair in wl.load_compressions("gazette").dev[:4]]
    outputs = [pair.source for pair in golds]
    strings, trees = scores_of(outputs, golds, {"at": OWN})
    flat_trees = [FlatParser().parse(tree.leaves()).tree for tree in outputs]
    wanted = [pair.targets for pair in golds]
    assert strings["relation_f1"] == pytest.approx(relation_f1(flat_trees, wanted).f1, abs=1e-4)
    assert trees["relation_f1"] == pytest.approx(relation_f1(outputs, wanted).f1, abs=1e-4)
    assert "unigram_f1" in strings and "unigram_f1" not in trees
    for row, name in ((strings, "relation_f1"), (strings, "fourgram_f1"), (trees, "relation_f1")):
        right, every = row["sentence_scores"][name][0]["parts"]
        assert len(right) == len(every) == 4
        assert row[name] == pytest.approx(sum(right) / sum(every), abs=1e-4)


def test_an_output_that_the_parser_refuses_has_no_relations_and_is_counted() -> None:
    golds = [prepared_pair(pair) for pair in wl.load_compressions("gazette").dev[:2]]
    long = Tree("S", [Tree("NN", ["word"]) for _ in range(41)])
    strings, trees = scores_of([golds[0].source, long], golds, {"at": OWN})
    assert strings["parses_refused"] == 1 and "parses_refused" not in trees
    right, every = strings["sentence_scores"]["relation_f1"][0]["parts"]
    assert right[1] == 0 < every[1]


def test_a_pair_that_the_usual_parser_refuses_is_left_out_and_counted(monkeypatch, wanted) -> None:
    every = wl.load_compressions("gazette").test

    def pairs_of(name: str, parser: str | None = None) -> SimpleNamespace:
        return SimpleNamespace(split=lambda _: every if parser == "tenth" else every[1:])

    monkeypatch.setattr(compression, "pairs_of", pairs_of)
    monkeypatch.setattr(compression, "parts_of", lambda run, cut: None)
    run = {"system": "keep-all", "corpus": "gazette", "split": "test", "parser": "tenth"}
    here = Setup(wanted, lambda pairs: pairs[:5], run)
    _, measure = compression.MEASURES
    strings, _ = measure.rows(here)
    assert (strings["sentences"], strings["left_out"]) == (4, 1)


def judged_by(one: Verdict) -> str:
    """The statistic of a verdict as it is told: its interval and p of the paired randomisation."""
    assert one.interval is not None
    low, high = one.interval
    return f"{one.difference:+.2f} ({low:+.2f} to {high:+.2f}), p = {one.p_value:.2g}, {PAIRS} sen"


def test_whether_two_rates_are_alike_is_asked_of_the_sentences(record, wanted) -> None:
    for name, within, verdict in (("random", 100, ALIKE), ("everything", 0.1, OPPOSITE)):
        names = {**wanted.names, "everything": {"system": "keep-all"}}
        asked = {"says": "x", "alike": ["mcdonald", name], "within": within, "on": "rate"}
        (claim,) = read_claims([asked], names)
        (one,) = judge([claim], names, record, wanted.measure.meant)
        assert one.verdict == verdict and one.sentences == PAIRS
        assert judged_by(one) in one.told and f"alike is within {within:g}" in one.told
        assert one.interval is not None
        assert (max(map(abs, one.interval)) <= within) == (verdict == ALIKE)
        rows = [row_of(record, *which) for which in (("mcdonald-2006", OWN), ("keep-all", OWN))]
        if name == "everything":
            assert one.difference == pytest.approx(100 * (rows[0]["rate"] - 1), abs=0.02)


def test_table_picture_check_and_claims(record, wanted, tmp_path) -> None:
    text = table(record)
    for part in (f"At {OWN}", f"At {MCDONALD}", f"At {GOLD}", "66.6%", "somebody", "transducer"):
        assert part in text
    beside = {(pair.quantity, pair.ours is None) for pair in printed_beside(record)}
    assert beside == {("rate", False), ("relation_f1", False)}
    draws(record, wanted.plot, tmp_path)
    assert missing(record["rows"], wanted) == []
    verdicts = verdicts_of(wanted, record)
    assert [one.sentences for one in verdicts] == [PAIRS, PAIRS]
    for one in verdicts:
        assert one.interval is not None
        low, high = one.interval
        assert one.p_value is not None and 0 < one.p_value <= 1
        assert one.difference is not None and low <= one.difference <= high
        assert judged_by(one) in one.told


def test_no_sentence_is_in_a_record(record) -> None:
    text = json.dumps(record)
    for pair in wl.load_compressions("gazette").test[:PAIRS]:
        assert " ".join(pair.source.leaves()) not in text


def named(*names: str) -> list:
    (pair, *_) = wl.load_compressions("gazette").dev
    return [wl.CompressionPair(pair.source, pair.targets, pair.alignment, name) for name in names]


def test_documents_are_named_and_never_parted() -> None:
    assert [document_of(one) for one in named("a.b.7#2", "train-3", "d.1")] == [
        "a.b",
        "train-3",
        "d",
    ]
    every = named(*(f"doc{i // 3}.{i % 3}" for i in range(60)))
    learn, held = hold_out(every)
    assert {document_of(one) for one in held} == {"doc9", "doc19"}
    assert len(learn) + len(held) == 60 and not {*map(document_of, learn)} & {"doc9", "doc19"}
    learn, held = hold_out(named("a.1", "b.1", "b.2"))
    assert [one.name for one in held] == ["b.1", "b.2"] and len(learn) == 1
    with pytest.raises(ValueError, match="one document"):
        hold_out(named("a.1", "a.2"))


def test_a_tenth_of_train_may_choose_and_fewer_documents_may_teach() -> None:
    run = {"system": SYSTEM, "corpus": "gazette", "split": "dev", "choose_on": TENTH}
    parts = parts_of(run, lambda pairs: pairs)
    train = wl.load_compressions("gazette").train
    assert sorted(pair.name for part in parts for pair in part) == sorted(p.name for p in train)
    assert len(parts.choose) == len(train) // 10
    few = parts_of({**run, "documents": 7}, lambda pairs: pairs)
    assert list(few.learn) == list(parts.learn[:7]) and few.choose == parts.choose
    usual = parts_of({"system": SYSTEM, "corpus": "gazette"}, lambda pairs: pairs[:3])
    assert [len(part) for part in usual] == [3, 3] and usual.choose[0].name.startswith("dev")


def test_a_training_is_kept_and_goes_on_after_an_interruption(monkeypatch) -> None:
    run = {"system": SYSTEM, "grid": [0.01, 0.1], "order": 2, "beam": 4, "max_iterations": 2}
    run |= {"corpus": "gazette", "engine": "reference"}
    parts = parts_of(run, lambda pairs: pairs[:8])
    points = compression_training.grid_search
    asked: list[list[float]] = []

    def stopping(learn, choose, Cs, *rest, **how):
        asked.append(list(Cs))
        for point in points(learn, choose, Cs, *rest, **how):
            yield point
            raise KeyboardInterrupt

    monkeypatch.setattr(compression_training, "grid_search", stopping)
    with pytest.raises(KeyboardInterrupt):
        compressor_of(run, parts)

    def going_on(learn, choose, Cs, *rest, **how):
        asked.append(list(Cs))
        return points(learn, choose, Cs, *rest, **how)

    monkeypatch.setattr(compression_training, "grid_search", going_on)
    done = compressor_of(run, parts)
    assert asked == [[0.01, 0.1], [0.1]]
    again = compressor_of(run, parts)
    assert len(asked) == 2 and again.tried == done.tried
    assert [one["C"] for one in done.tried] == [0.01, 0.1]
    source = parts.choose[0].source
    how = {"engine": "reference", "beam": 4}
    assert again.model.compress(source, **how) == done.model.compress(source, **how)
    assert checksum_of({**run, "order": 3}, parts) != checksum_of(run, parts)
    assert checksum_of({**run, "decode_beam": 4}, parts) == checksum_of(run, parts)


SOURCE = Tree.fromstring("(S (NP (DT the) (NN rain)) (VP (VBD fell) (ADVP (RB again))))")
RULES = (  # in pre-order of the target: what becomes of VP comes before what becomes of NP
    "<S, S> -> <[S NP_2 VP_1], [S VP_1 NP_2]>",
    "<VP, VP> -> <[VP [VBD fell] ADVP_eps], [VP [VBD fell]]>",
    "<NP, NP> -> <[NP DT_eps NN_1], [NP NN_1]>",
    "<NN, NN> -> <[NN rain], [NN water]>",
)


def test_a_derivation_is_applied_from_its_text() -> None:
    made = transduced(RULES, SOURCE)
    assert made == Tree.fromstring("(S (VP (VBD fell)) (NP (NN water)))")
    with pytest.raises(ValueError, match="missing"):
        transduced(RULES[:3], SOURCE)
    with pytest.raises(ValueError, match="left over"):
        transduced((*RULES, RULES[3]), SOURCE)
    with pytest.raises(ValueError, match="does not lie"):
        transduced(RULES[1:], SOURCE)


def test_every_derivation_of_a_model_makes_its_output() -> None:
    pairs = wl.load_compressions("gazette").train[:12]
    how = {"engine": "reference", "progress": False}
    model = wl.train(SYSTEM, pairs, order=2, beam=4, max_iterations=3, **how)
    for pair in pairs:
        found = model.compress(pair.source, engine="reference", beam=4)
        source = prepared(pair.source)
        made = prepared(found.tree)
        assert transduced(found.rules, source).leaves() == made.leaves()


class Odd:
    """Deletes the first word; adds one to a sentence of three; breaks on one of four."""

    def compress(self, tree: Tree, **how) -> SimpleNamespace:
        words = tree.leaves()
        if len(words) == 4:
            raise ZeroDivisionError
        rest = words[1:] or words
        made = [*rest, "more"] if len(words) == 3 else rest
        return SimpleNamespace(tree=Tree("S", [Tree("NN", [word]) for word in made]))


def test_outputs_refusals_and_crashes_are_counted() -> None:
    sources = [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a"] * 41, ["a"]]
    row = counted(Odd(), FlatParser(), sources)
    told = {"sentences": 5, "subsequences": 2, "neither": 1, "crashes": 1, "refused": 1}
    assert {name: row[name] for name in told} == told
    assert row["crashed"] == ["sentence 3 of 4 words: ZeroDivisionError"]
    assert row["refusals"] == ["sentence 4 of 41 words: ValueError"]
    assert row["parse_fallbacks"] == 1 and row["rate"] == pytest.approx(5 / 6, abs=1e-4)


def test_an_output_that_cannot_be_looked_at_is_a_crash() -> None:
    class Without:
        def compress(self, tree: Tree, **how) -> SimpleNamespace:
            return SimpleNamespace(tree=None)

    row = counted(Without(), FlatParser(), [["a", "b"]])
    assert (row["crashes"], row["sentences"], row["rate"]) == (1, 1, 0)


def test_the_first_sentence_that_goes_through_is_done_once_before() -> None:
    class Counting(Odd):
        lengths: ClassVar[list[int]] = []

        def compress(self, tree: Tree, **how) -> SimpleNamespace:
            self.lengths.append(len(tree.leaves()))
            return super().compress(tree, **how)

    counted(Counting(), FlatParser(), [["a"] * 41, ["a"] * 4, ["a", "b"], ["a"]])
    assert Counting.lengths == [4, 2, 4, 2, 1]


@pytest.mark.corpus
def test_every_sentence_of_google10k_is_read_with_or_without_a_mask() -> None:
    try:
        pairs = wl.load_texts("google10k")
        every = {split: sources_of("google10k", split) for split in pairs.splits}
    except CorpusError as error:
        pytest.skip(str(error))
    assert [len(some) for some in every.values()] == [8000, 1000, 1000]
    assert {pair.source for pair in pairs.dev} <= set(every["dev"])
    assert [(i, len(words)) for i, words in enumerate(every["train"], 1) if len(words) > 200] == [
        (5525, 210)
    ]


def test_a_broken_row_of_google10k_is_named(tmp_path: Path) -> None:
    path = tmp_path / texts.GOOGLE
    path.parent.mkdir(parents=True)
    rows = ["\t".join(texts.COLUMNS), "g.1\tdev\ta b\tX\tX\ta\t-", "g.2\tdev\tc"]
    for some, reason in ((rows, "line 3 of"), (rows[1:], "line 1 of")):
        path.write_bytes(gzip.compress("\n".join(some).encode()))
        with pytest.raises(CorpusError, match=reason):
            google10k_sentences("dev", tmp_path)
    path.write_bytes(gzip.compress("\n".join(rows[:2]).encode()))
    assert google10k_sentences("dev", tmp_path) == [("a", "b")]
    with pytest.raises(CorpusError, match="no split"):
        google10k_sentences("all", tmp_path)


def test_sizes_of_a_part() -> None:
    pairs = [
        TextPair(("a", "b"), (("a",), ("a", "b")), (None, None), "d.1"),
        TextPair(("c", "d"), (("c", "d"), ("c", "d")), (None, None), "d.2"),
    ]
    counts = {"documents": 1, "sentences": 2, "words": 4, "references": 4, "unchanged": 1}
    assert sizes(pairs) == {**counts, "gold_rate": 0.875, "first_rate": 0.75}


def test_printed_text_is_found_among_words_that_were_cut() -> None:
    cut, whole = "by $ 350 million .", "by $350 million."
    assert letters(cut.split()) == letters(whole.split()) == "by350million"


BROKEN = [
    (('split = "test"', 'split = "dev"'), "choose_on = 'train-tenth'"),
    (('split = "test"', 'split = "train"'), "learned from"),
    (('split = "test"', 'split = "test"\nchoose_on = "half"'), "choose_on is one of"),
    (
        ('system = "mcdonald-2006"\n\n', 'system = "mcdonald-2006"\nparser = "tenth"\n\n'),
        "needs a run",
    ),
    (
        ('system = "mcdonald-2006"\n\n', 'system = "mcdonald-2006"\nparser = "mine"\n\n'),
        "no parser",
    ),
    (("the references' rate\"]", 'mine"]'), "no rate is called"),
    (('measure = "compressors"', 'measure = "compression"'), "'compressors'"),
    (('measure = "compressors"', 'measure = "corpus-sizes"'), "learns nothing"),
    (('measure = "compressors"', 'measure = "many-sentences"'), "say learned_on"),
    (('measure = "compressors"', 'measure = "printed-compressions"'), "needs paper.printed"),
    (
        ('corpus = "gazette"', 'corpus = "gazette"\ndocuments = 0'),
        "documents is a whole number of at least 1",
    ),
    (('corpus = "gazette"', 'corpus = "gazette"\nlearned_on = "gazet"'), "no corpus"),
]


@pytest.mark.parametrize(("change", "reason"), BROKEN)
def test_broken_specifications_say_why(tmp_path: Path, change, reason: str) -> None:
    refused(tmp_path, SPECIFICATION, change, reason)


TABLE_6 = ("cohn-lapata-2009-table-6-spoken", "cohn-lapata-2009-table-6-written")


@pytest.mark.parametrize("name", TABLE_6)
def test_every_number_of_table_6_is_beside_a_row_that_will_be(name: str) -> None:
    specification = load_specification(name)
    rates = [(run["system"], at) for run in specification.runs for at in run.get("rates", [])]
    for value in specification.paper["values"]:
        assert (value["system"], value["at"]) in rates
    assert specification.runs[0]["system"] == "mcdonald-2006"


def test_tables_4_and_5_never_choose_on_what_they_score() -> None:
    for table_name in ("cohn-lapata-2009-table-4-spoken", "cohn-lapata-2009-table-5-spoken"):
        runs_ = load_specification(table_name).runs
        assert {(run["split"], run.get("choose_on", DEV)) for run in runs_} == {("test", DEV)}


def test_table_7_asks_for_the_trainings_of_table_6() -> None:
    """So that they are trained once; rules are counted as the paper counts them, not by folds."""
    pairs = Parts((), ())
    every = {
        (run["corpus"], run["system"], run["annotators"]): run
        for name in TABLE_6
        for run in load_specification(name).runs
        if run.get("rule_folds", 1) == 1
    }
    for run in load_specification("cohn-lapata-2009-table-7").runs:
        other = every[run["corpus"], run["system"], run["annotators"]]
        paper = {"rates": 0, "rule_folds": 1, "lm_text": "", "grid": 0}  # each C is kept by itself
        assert {**run, **paper} == {**other, **paper}
        assert checksum_of(run, pairs) == checksum_of(other, pairs)
        assert checksum_of({**run, "rule_folds": 10}, pairs) != checksum_of(run, pairs)
    for run in load_specification("cohn-lapata-2009-google10k").runs:
        other = every["clarke-lapata-written", run["system"], run["annotators"]]
        alike = {*run} - {"corpus", "split", "rates", "learned_on", "grid"}
        assert {name: run[name] for name in alike} == {name: other[name] for name in alike}
        assert checksum_of(run, pairs) == checksum_of(other, pairs)
