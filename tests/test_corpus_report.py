"""The bigram baseline beside brute force, and the report on a corpus small enough to count."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from wordorder_lab.experiments import corpus_report as report
from wordorder_lab.experiments.bigram_baseline import BORDER, Bigrams, bigram_order
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.sentence import Sentence, Token

TEXTS = ("The bank sold a plant .", "The mayor saw the bank .", "A bank saw the new plant .")


def sentence(text: str) -> Sentence:
    words = text.split()
    return Sentence(tuple(Token((word,), "X", i - 1) for i, word in enumerate(words)), text)


BIGRAMS = Bigrams.of(map(sentence, TEXTS))


def total(units: list[str], order: tuple[int, ...]) -> float:
    words = [BORDER, *(word for i in order for word in units[i].split()), BORDER]
    return sum(BIGRAMS.gain(one, two) for one, two in pairwise(words))


def test_gain():
    # "bank" was followed by 3 kinds of words in 3 places, once by "saw"; "saw" is 2 of 22 words,
    # and 22 words are of 12 kinds, the border included.
    alone = (2 + 1) / (22 + 12 + 1)
    assert BIGRAMS.second.total() == 22 and len(BIGRAMS.second) == 12
    together = (1 + 3 * alone) / (3 + 3)
    assert pytest.approx(together / alone) == 2.718281828459045 ** BIGRAMS.gain("bank", "saw")
    assert BIGRAMS.gain("saw", "the") > 0 > BIGRAMS.gain("The", ".")
    assert BIGRAMS.gain("nobody", "saw") == 0


@pytest.mark.parametrize(
    "units",
    [
        ["bank", "saw", "The", "plant", "the", "."],
        ["The bank", "saw", "a plant", ".", "the", "new"],
        ["saw", "saw", "unseen", "."],
        ["a"],
    ],
)
def test_a_wide_beam_finds_the_best_order(units: list[str]):
    found = BIGRAMS.order(WordBag(units), beam=10_000)
    assert sorted(found) == list(range(len(units)))
    best = max(total(units, order) for order in permutations(range(len(units))))
    assert total(units, tuple(found)) == pytest.approx(best)


def test_the_order_of_the_bag_does_not_matter():
    units = [*TEXTS[0].split(), *TEXTS[1].split()]
    chance = random.Random(1)
    found = set()
    for _ in range(10):
        chance.shuffle(units)
        found.add(" ".join(units[i] for i in BIGRAMS.order(WordBag(units), beam=3)))
    assert len(found) == 1


def test_what_was_learned_comes_out():
    done = bigram_order(map(sentence, TEXTS), [sentence(TEXTS[0])])
    assert done.outputs == (TEXTS[0],) and done.scores.bleu_cased == pytest.approx(100)
    assert done.condition["system"] == "bigram-beam"
    with pytest.raises(ValueError, match="at least 1"):
        BIGRAMS.order(WordBag(["a"]), beam=0)
    with pytest.raises(ValueError, match="no sentences"):
        bigram_order(map(sentence, TEXTS), [])


TREES = """
( (S (NP-SBJ (DT The) (NN bank)) (VP (VBD sold) (NP (-NONE- *))) (. .)) )
( (S (NP-SBJ (NP (DT the) (NN mayor)) (PP (IN of) (NP (NNP Ames)))) (VP (VBD left)) (. .)) )
"""


@pytest.fixture
def counted(tmp_path: Path) -> report.Profile:
    (tmp_path / "two.mrg").write_text(TREES, encoding="utf-8")
    return report.profile("two", [tmp_path / "two.mrg"])


def test_what_is_counted(counted: report.Profile):
    assert counted.words == 10 and dict(counted.lengths) == {4: 1, 6: 1}
    assert counted.growth == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8]
    assert counted.tags["NN"] == 2 and "-NONE-" not in counted.tags
    assert counted.rules["NP -> DT NN"] == 2 and counted.rules["VP -> VBD"] == 2
    assert counted.rules["S -> NP VP ."] == 2 and counted.rules["NP -> NP PP"] == 1
    assert dict(counted.arcs) == {1: 7, 3: 1}
    assert counted.base_nps == 3


def test_the_numbers(counted: report.Profile):
    assert report.mean(counted.lengths) == 5
    assert [report.quantile(counted.lengths, share) for share in (0.5, 0.51)] == [4, 6]
    assert report.between(counted.lengths, 5, 9) == 0.5
    assert report.rules_within(counted, 10) == len(counted.rules)
    twice = sum(n == 2 for n in counted.rules.values())
    once = len(counted.rules) - twice
    assert report.rules_within(counted, 5) == pytest.approx(0.75 * twice + 0.5 * once)


@pytest.mark.slow
def test_text_and_picture(counted: report.Profile, tmp_path: Path):
    counted = counted._replace(growth=list(range(3000)))
    row = {"corpus": "two", "units": "words", "system": "random-order", "bleu_cased": 3.14159}
    made = report.text(counted, counted._replace(name="other"), [row])
    assert "| `NP -> DT NN` |" in made and "| words a sentence, mean | 5.0 | 5.0 |" in made
    assert "| two | words | random-order | 3.1 |" in made
    assert "How well" not in report.text(counted, counted)
    for name in ("a.png", "b.png"):
        report.draw(counted, counted, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
