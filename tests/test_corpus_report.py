"""The report on a corpus, small enough to count."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordorder_lab.experiments import corpus_report as report

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
