"""Claims of papers: read from specifications, judged by records, wrong ones seen as wrong."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from command_line import EXPERIMENT
from scipy.stats import spearmanr, wilcoxon

from wordorder_lab.experiments.measures.claims import (
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    REPRODUCED,
    SAME,
    Verdict,
    judge,
    rank_correlation,
    read_claims,
)
from wordorder_lab.experiments.measures.measure import all_measures
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import read_specification
from wordorder_lab.metrics.bleu import bleu_of_counts, sentence_counts
from wordorder_lab.metrics.significance import (
    BLEU,
    SENTENCE_SCORES,
    compare,
    of_counts,
    packed,
    paired_bootstrap,
    unpacked,
)

NAMES = {"good": {"beam": 64}, "bad": {"beam": 1}}


def texts(wrong: float, seed: int, sentences: int = 60) -> tuple[list[str], list[str]]:
    """Outputs with so many sentences shuffled, and their references."""
    chance = random.Random(seed)
    references = [" ".join(chance.choices("abcdefghij", k=9)) for _ in range(sentences)]
    outputs = []
    for number, reference in enumerate(references):
        words = reference.split()
        if number < wrong * sentences:
            chance.shuffle(words)
        outputs.append(" ".join(words))
    return outputs, references


def record_of(*shares: float) -> dict[str, Any]:
    """A record of two rows whose outputs are wrong in these shares."""
    rows: list[dict[str, Any]] = []
    scores = []
    for beam, share in zip((64, 1), shares, strict=True):
        outputs, references = texts(share, 5)
        scores.append(of_counts(sentence_counts(outputs, references)))
        bleu = bleu_of_counts(sentence_counts(outputs, references).sum(axis=0))
        rows.append({"beam": beam, "bleu_cased": bleu, "timeouts": share})
    return {"rows": rows, SENTENCE_SCORES: scores}


def verdict(record: Any, **claim: Any) -> Verdict:
    claims = read_claims([{"says": "so", "on": "bleu_cased", **claim}], NAMES)
    (found,) = judge(claims, NAMES, record, all_measures()["end"].meant)
    return found


def test_a_claim_and_its_opposite() -> None:
    record = record_of(0.2, 0.8)
    right = verdict(record, better="good", than="bad")
    assert right.verdict == REPRODUCED and right.difference is not None
    assert right.interval is not None and right.interval[0] > 0
    wrong = verdict(record, better="bad", than="good")
    assert wrong.verdict == OPPOSITE and wrong.difference == -right.difference
    exchanged = {**record, "rows": record["rows"][::-1]}
    exchanged[SENTENCE_SCORES] = record[SENTENCE_SCORES][::-1]
    for row, beam in zip(exchanged["rows"], (64, 1)):
        row["beam"] = beam
    assert verdict(exchanged, better="good", than="bad").verdict == OPPOSITE


def test_what_is_equal_is_not_significant() -> None:
    equal = verdict(record_of(0.5, 0.5), better="good", than="bad")
    assert equal.verdict == NOT and equal.difference == 0 and equal.p_value == 1
    assert "not significant" in equal.told


def test_what_is_hardly_apart_is_not_significant() -> None:
    near = record_of(0.50, 0.52)
    assert verdict(near, better="good", than="bad").verdict == SAME
    assert verdict(near, better="bad", than="good").verdict == NOT


def test_a_level_of_the_papers_own() -> None:
    record = record_of(0.45, 0.55)
    told = verdict(record, better="good", than="bad")
    assert told.verdict == REPRODUCED and told.p_value is not None
    assert verdict(record, better="good", than="bad", p=told.p_value / 2).verdict == SAME


def test_less_is_better_of_time_outs_and_nothing_tests_them() -> None:
    told = verdict(record_of(0.2, 0.8), better="good", than="bad", on="timeouts")
    assert told.verdict == SAME and told.p_value is None and "no test" in told.told


def test_ties_among_values_of_four_digits_share_a_rank() -> None:
    """1/2 - 1/3 is kept as 0.5 - 0.3333, and 1/3 - 1/6 as 0.3333 - 0.1667: the same difference."""
    first, second = [0.5, 0.3333, 0.1667, 1.0] * 3, [0.3333, 0.1667, 0.3333, 0.5] * 3
    rows = [{"beam": beam, "relation_f1": 0.0} for beam in (64, 1)]
    kept = [{"relation_f1": [{"values": values}]} for values in (first, second)]
    told = verdict(
        {"rows": rows, SENTENCE_SCORES: kept}, better="good", than="bad", on="relation_f1"
    )
    exact = [1 / 2 - 1 / 3, 1 / 2 - 1 / 3, -(1 / 2 - 1 / 3), 1 / 2] * 3
    assert told.p_value == pytest.approx(float(wilcoxon(exact).pvalue))


def test_alike_and_the_same() -> None:
    near = record_of(0.5, 0.52)
    gap = verdict(near, better="good", than="bad")
    assert gap.difference is not None and gap.interval is not None
    little, much = abs(gap.difference) + 0.01, max(map(abs, gap.interval)) + 0.01
    assert verdict(near, alike=["good", "bad"], within=much).verdict == REPRODUCED
    assert verdict(near, alike=["good", "bad"], within=little).verdict == SAME
    assert verdict(near, alike=["good", "bad"], within=little / 2).verdict == NOT
    assert verdict(record_of(0.1, 0.9), alike=["good", "bad"], within=2).verdict == OPPOSITE
    record = record_of(0.5, 0.5)
    assert verdict(record, same="good", value=0.5, on="timeouts").verdict == REPRODUCED
    assert verdict(record, same="good", value=0.4, on="timeouts").verdict == NOT
    assert verdict(record, same="good", value=0.4, within=0.2, on="timeouts").verdict == REPRODUCED


@pytest.mark.parametrize(
    ("values", "kind", "wanted"),
    [
        ([1, 2, 3, 4, 5, 6], "rises", REPRODUCED),
        ([1, 2, 3, 4, 5, 6], "falls", OPPOSITE),
        ([1, 2, 3, 4], "rises", SAME),  # 2 of 24 orders are as straight
        ([1, 2, 3, 4, 5], "rises", REPRODUCED),  # 2 of 120
        ([1, 3, 2], "rises", SAME),
        ([1, 3, 2], "falls", NOT),
        ([2, 2, 2, 2], "falls", NOT),
    ],
)
def test_curves(values: list[int], kind: str, wanted: str) -> None:
    rows = [{"beam": 64, "epoch": i, "seconds": value} for i, value in enumerate(values, 1)]
    names = {"curve": {"beam": 64, "epoch": list(range(9))}}
    claim = {"says": "so", kind: "curve", "along": "epoch", "on": "seconds"}
    record = {"rows": rows, SENTENCE_SCORES: [None] * len(rows)}
    (found,) = judge(read_claims([claim], names), names, record, all_measures()["epochs"].meant)
    assert found.verdict == wanted


def test_the_p_of_a_rank_correlation_is_counted_over_all_orders() -> None:
    values = [3.0, 1.0, 2.0, 5.0, 4.0]
    rho, p = rank_correlation(range(5), values)
    others = [abs(spearmanr(range(5), other).statistic) for other in permutations(values)]
    assert rho == pytest.approx(spearmanr(range(5), values).statistic)
    assert p == pytest.approx(sum(one >= abs(rho) - 1e-9 for one in others) / 120)


@pytest.mark.parametrize(
    ("power", "noise", "wanted"),
    [(1.5, 0.1, REPRODUCED), (2.5, 0.1, OPPOSITE), (1.95, 1.0, SAME), (2.2, 1.0, NOT)],
)
def test_a_power(power: float, noise: float, wanted: str) -> None:
    chance = random.Random(3)
    lengths = list(range(4, 40)) * 3
    rows = [{"n": n, "ms": n**power * 2 ** chance.gauss(0, noise)} for n in lengths]
    names: dict[str, dict[str, Any]] = {"all": {}}
    claim = {"says": "so", "power": "all", "along": "n", "on": "ms", "value": 2}
    record = {"rows": rows, SENTENCE_SCORES: [None] * len(rows)}
    (found,) = judge(read_claims([claim], names), names, record, all_measures()["time"].meant)
    assert found.verdict == wanted


def test_an_order_is_as_good_as_its_worst_pair() -> None:
    names = {**NAMES, "third": {"beam": 16}}
    record = record_of(0.1, 0.9)
    outputs, references = texts(0.9, 5)
    record["rows"].append({**record["rows"][1], "beam": 16})
    record[SENTENCE_SCORES].append(of_counts(sentence_counts(outputs, references)))
    for order, wanted in (
        (["good", "bad"], REPRODUCED),
        (["good", "bad", "third"], NOT),
        (["good", "third", "bad"], NOT),
        (["bad", "good", "third"], OPPOSITE),
    ):
        claims = read_claims([{"says": "so", "order": order, "on": "bleu_cased"}], names)
        (found,) = judge(claims, names, record, all_measures()["end"].meant)
        assert found.verdict == wanted


def test_without_scores_of_sentences_nothing_is_judged() -> None:
    record = record_of(0.2, 0.8)
    del record[SENTENCE_SCORES]
    assert verdict(record, better="good", than="bad").verdict == NOT_JUDGED
    assert verdict(None, better="good", than="bad").verdict == NOT_JUDGED


def test_the_test_is_the_paired_bootstrap() -> None:
    """The same scores as sacrebleu's, and a p-value of the same size."""
    first, references = texts(0.45, 5)
    second, _ = texts(0.55, 5)
    ours = compare(
        [of_counts(sentence_counts(first, references))],
        [of_counts(sentence_counts(second, references))],
        "bleu_cased",
    )
    theirs = paired_bootstrap(second, first, references)
    assert ours.first == pytest.approx(theirs.system.score)
    assert ours.difference == pytest.approx(theirs.difference)
    assert ours.low < ours.difference < ours.high
    counts = sentence_counts(first, references)
    assert (unpacked(packed(counts)) == counts).all()
    both = [of_counts(sentence_counts(outputs, references)) for outputs in (first, second)]
    pooled = {BLEU: [kept for scores in both for kept in scores[BLEU]]}
    added = counts.sum(axis=0) + sentence_counts(second, references).sum(axis=0)
    assert compare([pooled], both[1:], BLEU).first == bleu_of_counts(added)
    assert compare([pooled], both, BLEU).p_value == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('than = "second"', 'than = "third"', "claim 1: no rows are called 'third'"),
        ('than = "second"', "", "claim 1: has no 'than'"),
        ("\non = ", "\nob = ", "claims[1] has no key 'ob'"),
        ("says =", 'order = ["first"]\nsays =', "claim 1: compares by one of"),
        (
            "{ seed = 1 }",
            '{ split = "a", system = "b" }',
            "names.first: no run has system 'b'; there",
        ),
        ('"gazette"', '"gazete"', "no corpus and no file 'gazete'"),
        (
            'measure = "end"',
            'measure = "ends"',
            "no measure 'ends' (did you mean 'end'?); there are",
        ),
    ],
)
def test_what_is_misspelt_in_ones_own_is_named(tmp_path, old: str, new: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    assert old in EXPERIMENT
    path.write_text(EXPERIMENT.replace(old, new, 1))
    with pytest.raises(SpecificationError) as error:
        read_specification(path)
    told = str(error.value)
    assert told.startswith("mine.toml: ") and said in told and "\n" not in told


def test_claims_come_last_and_are_not_in_the_checksum(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EXPERIMENT)
    checksum = read_specification(path).checksum
    path.write_text(EXPERIMENT.replace("the first order is better", "so it is"))
    assert read_specification(path).checksum == checksum
    path.write_text(EXPERIMENT.partition("[names]")[0])
    assert read_specification(path).checksum == checksum
    path.write_text(EXPERIMENT.replace("[1, 2]", "[1, 3]").replace("seed = 2", "seed = 3"))
    assert read_specification(path).checksum != checksum
    run, _, claims = EXPERIMENT.partition("[names]")
    path.write_text(
        'title = "two orders"\nmeasure = "end"\n[names]' + claims + run.partition('"end"')[2]
    )
    with pytest.raises(SpecificationError, match="come last"):
        read_specification(path)


def test_claims_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EXPERIMENT)
    (claim,) = read_specification(path).claims
    assert claim.groups == ("first", "second") and json.dumps(claim.says)
