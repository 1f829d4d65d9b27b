"""Claims of papers: read from specifications, judged by records, wrong ones seen as wrong."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise, permutations, product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from command_line import EXPERIMENT
from scipy.stats import false_discovery_control, fisher_exact, spearmanr

from wordorder_lab.experiments.measures.claims import (
    ALIKE,
    CANNOT,
    EXCLUDED,
    FACT,
    LARGER,
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    REPRODUCED,
    SAME,
    SMALLER,
    Verdict,
    judge,
    rank_correlation,
    read_claims,
)
from wordorder_lab.experiments.measures.measure import all_measures
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import read_specification
from wordorder_lab.metrics.bleu import bleu_of_counts, bleus_of_counts, sentence_counts
from wordorder_lab.metrics.randomisation import (
    compare,
    compare_bins,
    holm,
    p_in_words,
    sentences_needed,
)
from wordorder_lab.metrics.significance import (
    BLEU,
    SENTENCE_SCORES,
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


def test_what_is_hardly_apart_is_not_significant(monkeypatch) -> None:
    near = record_of(0.50, 0.52)
    monkeypatch.setattr("wordorder_lab.experiments.measures.claims.FREE", 100)
    for corpus, wanted in (("gazette", SAME), ("ptb-sample", CANNOT)):
        for row in near["rows"]:
            row["corpus"] = corpus
        told = verdict(near, better="good", than="bad")
        assert told.verdict == wanted and told.corpus == corpus
        assert told.needed is not None and told.needed > 100 and f"{told.needed:,}" in told.told
    assert verdict(near, better="bad", than="good").verdict == NOT


def test_the_size_is_judged_beside_the_direction() -> None:
    apart, near = record_of(0.2, 0.8), record_of(0.45, 0.5)
    found = verdict(apart, better="good", than="bad")
    assert found.interval is not None
    low, high = found.interval
    for printed, wanted in ((low - 1, LARGER), ((low + high) / 2, REPRODUCED), (high + 1, SMALLER)):
        assert verdict(apart, better="good", than="bad", printed=printed).verdict == wanted
    assert verdict(apart, better="bad", than="good", printed=1).verdict == OPPOSITE
    ends = verdict(near, better="good", than="bad").interval
    assert ends is not None
    assert verdict(near, better="good", than="bad", printed=ends[1] + 1).verdict == EXCLUDED
    assert verdict(near, better="bad", than="good", printed=1 - ends[0]).verdict == EXCLUDED
    assert verdict(near, better="bad", than="good", printed=-ends[0] - 0.1).verdict == NOT


def test_rows_of_another_record_are_named() -> None:
    here, there = record_of(0.2, 0.8), record_of(0.9, 0.1)
    theirs: dict[str, Any] = {"experiment": "other", "beam": 1}
    names = {"ours": {"beam": 64}, "theirs": theirs}
    claims = read_claims([{"says": "so", "better": "theirs", "than": "ours", "on": BLEU}], names)
    choose = all_measures()["end"].meant
    (found,) = judge(claims, names, here, choose, {"other": (there, choose)})
    assert found.verdict == REPRODUCED
    (found,) = judge(claims, names, here, choose)
    assert found.verdict == NOT_JUDGED and "theirs" in found.told
    fewer = {**there, SENTENCE_SCORES: [of_counts(sentence_counts(*texts(0.1, 5, 59)))] * 2}
    (found,) = judge(claims, names, here, choose, {"other": (fewer, choose)})
    assert found.verdict == CANNOT and "other sentences" in found.told
    (found,) = judge(claims, names, here, choose, {"other": (there, lambda *_: [])})
    assert found.verdict == NOT_JUDGED, "their measure says which of their rows are meant"


def test_a_level_of_the_papers_own() -> None:
    record = record_of(0.45, 0.55)
    told = verdict(record, better="good", than="bad")
    assert told.verdict == REPRODUCED and told.p_value is not None
    assert verdict(record, better="good", than="bad", p=told.p_value / 2).verdict == SAME


def test_less_is_better_of_time_outs_and_nothing_tests_them() -> None:
    told = verdict(record_of(0.2, 0.8), better="good", than="bad", on="timeouts")
    assert told.verdict == CANNOT and told.p_value is None and "no test" in told.told


def test_counts_alone_are_tested_as_counts() -> None:
    record = record_of(0.2, 0.8)
    for row, learned in zip(record["rows"], (90, 60)):
        ends = {"sentences_finished": learned, "sentences_limit": 100 - learned}
        row.update(ends, sentences_stopped=0, sentences=100)
    for on in ("sentences_finished", "timeouts"):
        told = verdict(record, better="good", than="bad", on=on)
        table = [[90, 10], [60, 40]] if on == "sentences_finished" else [[20, 80], [80, 20]]
        assert told.verdict == REPRODUCED and told.interval is not None
        assert told.p_value == pytest.approx(float(fisher_exact(table).pvalue))
        low, high = told.interval
        assert low < (told.difference or 0.0) < high and low * high > 0


def test_the_interval_of_two_shares_is_newcombes() -> None:
    """His first example: 56 of 70 against 48 of 80, 5.24 to 33.39 points (Newcombe 1998)."""
    record = record_of(0.2, 0.8)
    for row, (yes, no) in zip(record["rows"], ((56, 14), (48, 32))):
        row.update(sentences_finished=yes, sentences_limit=no, sentences_stopped=0)
    told = verdict(record, better="good", than="bad", on="sentences_finished")
    assert told.difference == pytest.approx(20) and told.interval == pytest.approx(
        (5.24, 33.39), abs=0.005
    )


def test_what_is_within_so_many_points_is_not_what_a_claim_says() -> None:
    record = record_of(0.2, 0.8)
    for row, learned in zip(record["rows"], (1000, 998)):
        row.update(sentences_finished=learned, sentences_limit=1000 - learned, sentences_stopped=0)
    sides = {"better": "good", "than": "bad", "on": "sentences_finished"}
    assert verdict(record, **sides).verdict == CANNOT  # it would take more sentences than there are
    told = verdict(record, **sides, within=10)
    assert told.verdict == EXCLUDED and "within 10 is not" in told.told
    assert verdict(record, **sides, within=0.1).verdict == CANNOT
    record = record_of(0.45, 0.55)  # significant, and of a size
    for within, wanted in ((1, REPRODUCED), (90, EXCLUDED)):
        assert verdict(record, better="good", than="bad", within=within).verdict == wanted


def test_times_are_compared_sentence_by_sentence() -> None:
    rows = [
        {"beam": beam, "number": number, "ms": number * (1 + beam), "log10_ms": beam / 64}
        for beam in (64, 1)
        for number in range(1, 21)
    ]
    record = {"rows": rows, SENTENCE_SCORES: [{}] * len(rows)}
    for on in ("ms", "log10_ms"):
        told = verdict(record, better="bad", than="good", on=on)
        assert told.verdict == REPRODUCED and told.sentences == 20
    del rows[-1]
    assert verdict(record, better="bad", than="good", on="ms").verdict == CANNOT


def test_p_is_the_share_of_exchanges_that_move_the_score_as_far() -> None:
    """Of eight sentences all 256 exchanges are tried here: of values, of F1 and of BLEU."""
    chance = random.Random(4)
    values = [[chance.random() for _ in range(8)] for _ in range(2)]
    parts = [[[chance.randint(0, 5) for _ in range(8)], [9] * 8] for _ in range(2)]
    counts = [sentence_counts(*texts(wrong, 6, 8)) for wrong in (0.3, 0.8)]
    of: list[Any] = [
        ([[v, 1.0] for v in values[0]], [[v, 1.0] for v in values[1]]),
        tuple([*map(list, zip(*each))] for each in parts),
        tuple(each.tolist() for each in counts),
    ]
    kept = [[{"values": each}] for each in values], [[{"parts": each}] for each in parts]
    groups: list[Any] = [*kept, [of_counts(each)[BLEU] for each in counts]]
    for rows, group, on in zip(of, groups, ("x", "f1", BLEU)):

        def score(some: Any, on: str = on) -> float:
            sums = np.array([sum(column) for column in zip(*some)])
            return bleu_of_counts(sums) if on == BLEU else sums[0] / sums[1]

        def apart(turned: tuple[bool, ...], rows: Any = rows, score: Any = score) -> float:
            pairs = [pair[::-1] if t else pair for t, pair in zip(turned, zip(*rows))]
            sides: list[Any] = [*zip(*pairs)]
            return float(score(sides[1]) - score(sides[0]))

        every = [apart(turned) for turned in product((False, True), repeat=8)]
        exact = sum(abs(one) >= abs(every[0]) - 1e-9 for one in every) / len(every)
        found = compare([[{on: one}] for one in group], on)
        assert found.p_value == pytest.approx(exact, abs=0.02), on
        scale = 100 if on == "f1" else 1
        assert found.change == pytest.approx(scale * every[0]), on
        assert found.low <= found.change <= found.high and found.sentences == 8


def test_an_error_over_trainings_is_added_to_that_over_sentences() -> None:
    """Of two independent errors the squares add up; p follows the interval."""
    found = compare(
        [[{"x": [{"values": [0.0] * 40}]}], [{"x": [{"values": [0.0, 1.0] * 20}]}]], "x"
    )
    error = (found.high - found.low) / (2 * 1.959964)
    wider = found.over_trainings(3 * error**2)
    assert wider.high - wider.low == pytest.approx(2 * (found.high - found.low), abs=1e-6)
    assert wider.change == found.change and found.p_value < wider.p_value
    normal = NormalDist()
    z = normal.inv_cdf(found.p_value / 2)
    assert wider.p_value == pytest.approx(2 * normal.cdf(z / 2))
    for away in (9, 20, 30):  # where 1 - 0.99... has no digits left
        p_value = math.erfc(away / math.sqrt(2))
        again = found._replace(p_value=p_value).over_trainings(3 * error**2).p_value
        assert again == pytest.approx(math.erfc(away / 2 / math.sqrt(2)), rel=1e-6)
    assert found.over_trainings(0.0) == found
    far = found._replace(change=9.0, low=7.04, high=10.96, p_value=math.erfc(9 / math.sqrt(2)))
    assert far.over_trainings(63.0).p_value == pytest.approx(0.26, abs=0.01)  # z from 9 to 9 / 8
    sure = found._replace(change=5.0, low=5.0, high=5.0).over_trainings(4.0)
    assert sure.low == pytest.approx(5 - 2 * 1.96, abs=1e-3) and sure.p_value < 0.05


def test_the_far_tail_is_that_of_a_normal_curve() -> None:
    """Forty sentences that all gain the same: one of 2 ** 40 turns does as much."""
    found = compare([[{"x": [{"values": [0.0] * 40}]}], [{"x": [{"values": [1.0] * 40}]}]], "x")
    assert 1e-13 < found.p_value < 1e-8
    assert p_in_words(found.p_value) == "p < 0.0001" and p_in_words(0.0123) == "p = 0.012"


def test_trainings_that_differ_take_a_claim_its_certainty() -> None:
    """Three of each: where one is far from the others, chance may have made the difference."""
    record = record_of(0.3, 0.8)
    rows = [
        {**row, "shuffle": True, "training_seed": n} for row in record["rows"] for n in (1, 2, 3)
    ]
    scores = [kept for kept in record[SENTENCE_SCORES] for _ in range(3)]
    same = {"rows": rows, SENTENCE_SCORES: scores}
    found = verdict(same, better="good", than="bad")
    assert found.verdict == REPRODUCED and "single trainings" in found.told
    apart = [
        {**row, "bleu_cased": row["bleu_cased"] + add} for row, add in zip(rows, (-60, 0, 60) * 2)
    ]
    wider = verdict({"rows": apart, SENTENCE_SCORES: scores}, better="good", than="bad")
    assert wider.verdict not in (REPRODUCED, OPPOSITE) and wider.difference == found.difference
    assert wider.p_value is not None and wider.p_value > 0.05


def test_bleu_of_many_sums_is_bleu_of_each() -> None:
    counts = sentence_counts(*texts(0.5, 7, 30))
    sums = [counts[a:b].sum(axis=0) for a, b in ((0, 30), (3, 9), (29, 30))]
    sums += [counts[0] * 0, [9, 9, 9, 0, 0, 0, 9, 8, 7, 6]]
    for one, many in zip(sums, bleus_of_counts(np.array(sums))):
        assert many == pytest.approx(bleu_of_counts(np.array(one)))


def test_a_trend_is_of_the_same_sentences() -> None:
    """Three groups; the middle one has no weight, the first and last move the line."""
    kept = [[of_counts(sentence_counts(*texts(wrong, 5)))] for wrong in (0.8, 0.1, 0.3)]
    found = compare(kept, BLEU)
    first, middle, last = found.scores
    assert first < last < middle
    assert found.change == pytest.approx(last - first) and found.p_value < 0.01
    assert found.change == pytest.approx(compare([kept[0], kept[2]], BLEU).change)


@pytest.mark.parametrize("nested", [False, True])
def test_bins_of_lengths_are_filled_by_chance(nested: bool) -> None:
    counts = [sentence_counts(*texts(wrong, seed, 40)) for seed, wrong in ((1, 0.1), (2, 0.9))]
    bins = [counts[0], np.vstack(counts) if nested else counts[1]]
    found = compare_bins([[of_counts(some)] for some in bins], BLEU, nested)
    for some, score in zip(bins, found.scores):
        assert score == pytest.approx(bleu_of_counts(some.sum(axis=0)))
    assert found.p_value < 0.001 and found.low < found.change < found.high < 0
    assert found.sentences == 80
    alike = [sentence_counts(*texts(0.5, seed, 40)) for seed in (1, 2)]
    assert compare_bins([[of_counts(some)] for some in alike], BLEU, False).p_value > 0.05


def test_corrected_p_values_and_sentences_needed() -> None:
    p_values = [0.01, 0.04, 0.03, 0.005]
    assert holm(p_values) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert all(a <= b for a, b in zip(false_discovery_control(p_values), holm(p_values)))
    many = [sentences_needed(2.0, 2 - half, 2 + half, 100) for half in (1.0, 2.0, 4.0)]
    assert many == sorted(many) and many[1] == pytest.approx(100 * (2.8016 / 1.96) ** 2, abs=1)
    assert [b / a for a, b in pairwise(many)] == pytest.approx([4, 4], rel=0.05)


def test_alike_and_the_same() -> None:
    near = record_of(0.5, 0.52)
    gap = verdict(near, better="good", than="bad")
    assert gap.difference is not None and gap.interval is not None
    little, much = abs(gap.difference) + 0.01, max(map(abs, gap.interval)) + 0.01
    assert verdict(near, alike=["good", "bad"], within=much).verdict == ALIKE
    assert verdict(near, alike=["good", "bad"], within=little).verdict in (SAME, CANNOT)
    assert verdict(near, alike=["good", "bad"], within=little / 2).verdict == NOT
    assert verdict(record_of(0.1, 0.9), alike=["good", "bad"], within=2).verdict == OPPOSITE
    record = record_of(0.5, 0.5)
    assert verdict(record, same="good", value=0.5, on="timeouts").verdict == REPRODUCED
    assert verdict(record, same="good", value=0.4, on="timeouts").verdict == NOT
    assert verdict(record, same="good", value=0.4, within=0.2, on="timeouts").verdict == REPRODUCED
    assert verdict(record, same="good", value=0.5, on="timeouts", fact=True).verdict == FACT
    more = record_of(0.2, 0.1)
    assert verdict(more, better="good", than="bad", on="timeouts", fact=True).verdict == FACT
    assert verdict(more, better="bad", than="good", on="timeouts", fact=True).verdict == NOT


@pytest.mark.parametrize(
    ("values", "kind", "wanted"),
    [
        ([1, 2, 3, 4, 5, 6], "rises", REPRODUCED),
        ([1, 2, 3, 4, 5, 6], "falls", OPPOSITE),
        ([1, 2, 3, 4], "rises", CANNOT),  # 2 of 24 orders are as straight
        ([1, 2, 3, 4, 5], "rises", REPRODUCED),  # 2 of 120
        ([1, 3, 2, 1, 3, 2], "rises", SAME),
        ([1, 3, 2, 1, 3, 2], "falls", NOT),
        ([2, 2, 2, 2, 2], "falls", NOT),
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


def test_scores_are_those_of_sacrebleu_and_p_is_of_the_size_of_its() -> None:
    first, references = texts(0.45, 5)
    second, _ = texts(0.55, 5)
    kept = [of_counts(sentence_counts(outputs, references)) for outputs in (first, second)]
    ours = compare([[kept[1]], [kept[0]]], BLEU)
    theirs = paired_bootstrap(second, first, references)
    assert ours.scores[1] == pytest.approx(theirs.system.score)
    assert ours.change == pytest.approx(theirs.difference)
    assert ours.low < ours.change < ours.high
    counts = sentence_counts(first, references)
    assert (unpacked(packed(counts)) == counts).all()
    pooled = {BLEU: [one for scores in kept for one in scores[BLEU]]}
    added = counts.sum(axis=0) + sentence_counts(second, references).sum(axis=0)
    assert compare([[pooled], kept[:1]], BLEU).scores[0] == pytest.approx(bleu_of_counts(added))
    assert compare([[pooled], kept], BLEU).p_value == 1


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
