"""Table 8 of Zhang & Clark (2015): printed sentences found in a corpus, ordered, and scored."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from command_line import write_corpus
from small_experiments import draws, refused, run, specified

from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.corpora.readers.corpus import Corpus, Part
from wordorder_lab.experiments.measures.outputs import as_words, places
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.metrics.bleu import sentence_bleu
from wordorder_lab.structures.sentence import ROOT, Sentence, Token

VINKEN = "Pierre Vinken , 61 years old , will join the board as a nonexecutive director Nov. 29 ."
QUOTED = "`` It 's -LRB- about -RRB- Elsevier N.V. , '' he said ."

SPECIFICATION = (Path(__file__).parent / "small/printed_sentences.toml").read_text("utf-8")


def sentence(text: str) -> Sentence:
    words = text.split()
    return Sentence(
        tuple(Token((word,), "X", i - 1 if i else ROOT) for i, word in enumerate(words))
    )


def corpus_of(**splits: list[str]) -> Corpus:
    parts = {split: Part(tuple(map(sentence, texts))) for split, texts in splits.items()}
    return Corpus("own", "words", {split: partial(parts.__getitem__, split) for split in parts})


def test_a_printed_sentence_is_found_whatever_its_marks() -> None:
    corpus = corpus_of(train=["a b .", "@"], dev=[VINKEN, "a b"], test=[QUOTED])
    printed = [
        "Pierre Vinken, 61 years old, will join the board as a nonexecutive director Nov. 29.",
        "“It’s (about) Elsevier N.V.,” he said.",
        "A B!",
        "Pierre Vinken, 61 years old, will join the board.",
        "...",
    ]
    found = places(corpus, printed)
    assert [place and place.split for place in found] == ["dev", "test", "train", None, None]
    assert found[0] is not None and found[0].sentence.text == VINKEN


def test_a_printed_output_is_cut_into_the_words_of_the_corpus() -> None:
    ordered = "Nov. 29, 61 years old, the board will join as a nonexecutive director Pierre Vinken."
    words = as_words(ordered, sentence(VINKEN))
    assert Counter(words.split()) == Counter(VINKEN.split())
    assert words.startswith("Nov. 29 , 61 years old , the board")
    assert as_words('he said: "It\'s Elsevier N.V., (about)."', sentence(QUOTED)) == (
        "he said: `` It 's Elsevier N.V. , -LRB- about -RRB- . ''"
    )


@pytest.fixture(scope="module")
def specification(tmp_path_factory):
    folder = tmp_path_factory.mktemp("printed")
    return specified(folder, SPECIFICATION.replace("CORPUS", str(write_corpus(folder))))


@pytest.mark.slow
def test_outputs_stand_beside_those_of_the_paper(specification, tmp_path: Path) -> None:
    record = run(specification, tmp_path / "o.json")
    whole, few, absent = record["rows"]
    gold = "the old gardener watches a teacher ."
    assert whole["split"] == "train" and whole["learned"] and whole["reference"] == gold
    assert whole["paper_exact"] and whole["paper_bleu_sentence"] == 100
    assert few["paper_output"] == "a teacher, watches gardener ."  # it has no comma of its own
    for row in (whole, few):
        assert Counter(row["output"].split()) == Counter(gold.split())
        assert row["bleu_sentence"] == pytest.approx(sentence_bleu(row["output"], gold), abs=1e-4)
        assert row["exact"] == (row["output"] == gold)
    assert few["paper_bleu_sentence"] < 50 and few["paper_brevity"] < 1
    assert absent["split"] is None and "output" not in absent
    assert [one["sentences"] for one in record["together"]] == [1, 1]
    assert [(one["table"], one["split"]) for one in record["also"]] == [
        ("Table 1", record["also"][0]["split"]),
        ("Table 1", None),
    ]
    text = table(record)
    assert "LEARNED" in text and "not in" in text and "a teacher, watches gardener ." in text
    draws(record, specification.plot, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('measure = "outputs"', 'measure = "end"', "need each other"),
        ('reference = "Nobody has written this."', "", "no 'reference'"),
        ('reference = "Nobody has written this."', 'reference = ""', "a text that is not empty"),
        ("pos = 1, deps = 1", "pos = 1, deps = 2", "deps is a number between 0 and 1"),
        ("pos = 1, deps = 1,", "pos = 1,", "has no 'deps'"),
    ],
)
def test_printed_sentences_are_checked(tmp_path: Path, old: str, new: str, reason: str) -> None:
    refused(tmp_path, SPECIFICATION.replace("CORPUS", "gazette"), (old, new), reason)


@pytest.mark.corpus
@pytest.mark.slow
def test_where_the_papers_examples_stand_in_the_penn_sample() -> None:
    """All nine of Table 8 are in dev; of Tables 5 and 6, two were learned from."""
    paper = load_specification("zhang-clark-2015-table-8").paper
    also = [text for group in paper["also"] for text in group["references"]]
    try:
        corpus = load_corpus("ptb-sample", units="base-np")
        found = places(corpus, [one["reference"] for one in paper["sentences"]])
        others = places(corpus, also)
    except CorpusError as error:
        pytest.skip(str(error))
    assert [place and place.split for place in found] == ["dev"] * 9
    names = [place.sentence.name.split(":")[0] for place in found if place]
    assert names == ["wsj_0001.mrg"] * 2 + ["wsj_0002.mrg"] + ["wsj_0003.mrg"] * 6
    assert Counter(place and place.split for place in others) == {"dev": 12, "test": 5, "train": 2}
    for one, place in zip(paper["sentences"], found):
        assert len(one["outputs"]) == 3 and place is not None
        for output in one["outputs"]:  # what is printed are words of the sentence, nothing else
            words = as_words(output["text"], place.sentence).split()
            assert not Counter(words) - Counter(place.sentence.surface)
