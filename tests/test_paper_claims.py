"""The papers' numbers beside ours, as notebook 90 shows them: each printed value is there, what was
not run has no number of ours, and every reason is tested by a claim that there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_90
from wordorder_lab.check.nb_90 import REASONS, values_beside
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import trained_once
from wordorder_lab.experiments.measures.claims import (
    EXCLUDED,
    NOT,
    NOT_JUDGED,
    OPPOSITE,
    REPRODUCED,
    SAME,
    SMALLER,
    Claim,
    Verdict,
)
from wordorder_lab.experiments.paper_values import OURS
from wordorder_lab.experiments.records import names
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.plots import BLUE, Difference, Mark, differences, verdict_marks

BEAMS, FINAL = "liu-2015-figure-7", "zhang-clark-2015-table-9-ptb"


@pytest.mark.parametrize("name", [BEAMS, FINAL])
def test_every_printed_number_stands_in_the_table(name: str) -> None:
    table = wl.paper_table(name)
    assert set(table["experiment"]) == {name}
    for value in load_specification(name).paper["values"]:
        for key, printed in value.items():
            quantity = OURS.get(key, key)
            if quantity in {"bleu_cased", "brevity"}:
                mine = table[(table["quantity"] == quantity) & (table["paper"] == printed)]
                assert len(mine) >= 1, f"{key} = {printed} of {value}"


def test_what_was_not_run_here_has_no_number_of_ours() -> None:
    table = wl.paper_table(FINAL).set_index("the paper's row")
    wan = next(row for row in table.index if row.startswith("Wan et al."))
    assert math.isnan(table.loc[wan, "ours"]) and not table.loc[wan, "our row"]
    known = table[table["ours"].notna()]
    assert len(known) and (known["difference"] == known["ours"] - known["paper"]).all()
    inside = (known["low"] <= known["ours"]) & (known["ours"] <= known["high"])
    assert inside[known["low"].notna()].all() and known["low"].notna().any()


def test_a_table_and_a_picture_of_nothing_are_refused(monkeypatch, tmp_path: Any) -> None:
    for asked in (wl.paper_table, wl.paper_figure):
        with pytest.raises(SpecificationError, match="liu-2015-figure-77"):
            asked("liu-2015-figure-77")
    monkeypatch.setattr("wordorder_lab.experiments.report.record_file", tmp_path.joinpath)
    with pytest.raises(records.RecordError, match=f"wordorder-lab reproduce {BEAMS}"):
        wl.paper_figure(BEAMS)


def test_a_picture_says_what_it_is_of_and_draws_each_beam() -> None:
    figure = wl.paper_figure(BEAMS)
    beams = {run["beam"] for run in load_specification(BEAMS).runs}
    panels = [axes for axes in figure.axes if axes.lines]
    assert panels and all(len(axes.lines) >= len(beams) for axes in panels)
    assert load_specification(BEAMS).title in figure.get_suptitle()


def test_a_table_to_read_leaves_out_what_all_its_rows_have() -> None:
    whole, read = wl.paper_table(BEAMS), values_beside(BEAMS)
    assert list(read["paper"]) == list(whole["paper"])
    assert list(read["the paper's row"]) == ["beam 64", "beam 128"]
    assert "no POS" in whole["the paper's row"][0]


def of(verdict: str, says: str = "a", ours: bool = False) -> Verdict:
    return Verdict(Claim(says, "better", ("x", "y"), "bleu_cased", ours=ours), verdict, "told")


def test_every_reason_names_claims_that_there_are() -> None:
    known = {name: [claim.says for claim in load_specification(name).claims] for name in names()}
    for reason in REASONS:
        assert reason.tests and reason.explains
        for name, words in reason.tests:
            assert words in known[name], f"{reason.says}: {name} has no claim {words!r}"
        for name, part in reason.explains:
            assert any(part in words for words in known[name]), f"{name}: no claim has {part!r}"


@pytest.mark.parametrize(
    ("found", "stand"),
    [
        ((REPRODUCED, REPRODUCED), nb_90.STANDS),
        ((REPRODUCED, SAME), nb_90.OPEN),
        ((REPRODUCED, NOT), nb_90.OPEN),
        ((REPRODUCED, OPPOSITE), nb_90.AGAINST),
        ((REPRODUCED, SMALLER), nb_90.STANDS),
        ((REPRODUCED, NOT_JUDGED), NOT_JUDGED),
    ],
)
def test_a_reason_stands_if_all_its_tests_came_out(found: tuple[str, str], stand: str) -> None:
    papers: Mapping[str, Any] = {
        "P": {"e": [of(found[0], "one")], "f": [of(found[1], "two"), of(NOT, "asked")]}
    }
    reason = nb_90.Reason("because", (("f", "ask"),), (("e", "one"), ("f", "two")))
    assert nb_90.standing(reason, papers) == stand
    lost = nb_90.Reason("because", (("f", "ask"),), (("e", "three"),))
    with pytest.raises(KeyError, match="e has no claim 'three'"):
        nb_90.standing(lost, papers)


def test_only_a_papers_own_claims_are_failures() -> None:
    every = (NOT, EXCLUDED, OPPOSITE, SAME, REPRODUCED)
    papers = {"P": {"e": [*map(of, every), of(NOT, ours=True)]}}
    rows = nb_90.failure_rows(papers)
    assert [row["verdict"] for row in rows] == [NOT, EXCLUDED, OPPOSITE]
    assert {row["reason"] for row in rows} == {nb_90.NOT_TESTED}


def test_what_did_not_come_out_has_a_tested_reason_or_what_it_would_take() -> None:
    rows = nb_90.failure_rows(nb_90.judged_papers())
    assert len(rows) > 50
    assert not [row for row in rows if row["reason"] == nb_90.NOT_TESTED]


def test_a_reason_is_told_of_claims_that_did_not_come_out_and_of_no_others() -> None:
    lost = [
        (name, one.claim.says)
        for papers in nb_90.judged_papers().values()
        for name, mine in papers.items()
        for one in mine
        if one.verdict in nb_90.FAILURES and not one.claim.ours
    ]
    for reason in REASONS:
        for of, words in reason.explains:
            hit = [name for name, says in lost if trained_once(name) == of and words in says]
            assert hit, f"{of}: what says {words!r} came out; {reason.says} explains nothing there"
    for one in nb_90.UNTESTED:
        for of, words in one["explains"]:
            hit = [name for name, says in lost if name.startswith(of) and words in says]
            assert hit, f"{of}: what says {words!r} came out; {one['would']} is not wanted there"


def test_marks_say_what_they_are_and_a_reader_hears_their_number() -> None:
    row = {"theirs": [Mark(OPPOSITE, "a < b"), Mark(REPRODUCED, "c")], "ours": []}
    html = verdict_marks({"Liu": row}, {"Liu": "#liu"}).data
    assert f'aria-label="1 {REPRODUCED}; 1 {OPPOSITE}"' in html and 'href="#liu"' in html
    assert html.index('title="c"') < html.index('title="a &lt; b"')
    with pytest.raises(ValueError, match="wonderful"):
        verdict_marks({"Liu": {"theirs": [Mark("wonderful", "")]}})


def test_differences_stand_where_the_papers_and_ours_say() -> None:
    points = [Difference(2.0, 0.5, -0.5, 1.5, SAME), Difference(7.0, 6.0, 5.0, 7.5, REPRODUCED)]
    (axes,) = differences({"Liu": points}).axes
    (first, *_), (second, *_) = axes.containers
    assert first.get_xydata().tolist() == [[2.0, 0.5]]
    assert second.get_xydata().tolist() == [[7.0, 6.0]]
    assert first.get_markerfacecolor() == "none" and first.get_color() == BLUE


@pytest.mark.parametrize(
    ("number", "wrong", "told"),
    [
        ("90.1", lambda difference, p: REPRODUCED, "not 'reproduced'"),
        ("90.1", lambda difference, p: "yes", "none of"),
        ("90.1", lambda d, p: (REPRODUCED, OPPOSITE)[d < 0] if p <= 0.05 else SAME, "-2, 0.3"),
        ("90.2", (10, 0, 190), "one direction or the other"),
        ("90.2", (5, 5), "A list of 3 answers"),
        ("90.3", lambda low, high, printed: (high > 0, low <= printed <= high), "direction"),
        ("90.3", lambda low, high, printed: (low > 0, True), "of the size you say True"),
        ("90.4", lambda rows: [], "(0, 1) is missing"),
        ("90.4", lambda rows: [(0, 1)], "(0, 1) is too many"),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(number: str, wrong: Any, told: str) -> None:
    verdict = Desk()(number, wrong)
    assert verdict.right is False and told in verdict.text


def test_an_interval_that_is_not_read_yet_is_no_answer() -> None:
    assert Desk()("90.3", lambda low, high, printed: (..., ...)).right is None
