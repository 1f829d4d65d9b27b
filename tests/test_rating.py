"""The rating form: who sees what, what is saved, and what the answers say."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import watched
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.metrics.ratings import variance
from wordorder_lab.structures.rating_plan import COLUMNS, QUESTIONS, rating_plan

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SOURCES = [f'sentence {i} is long <b>&amp;</b> "odd", isn\'t it ?' for i in range(6)]
OUTPUTS = {s: [f"{s} {i} </script><img src=x>" for i in range(6)] for s in ("one", "two", "three")}


def answered(form: Any, points: dict[str, int]) -> None:
    for rater, items in form.plan.items():
        for number, item in enumerate(items):
            low = number % 2  # nobody says the same all the time
            form.rate(rater, number, "grammaticality", points[item.system] - low)
            form.rate(rater, number, "importance", 3 + low)


@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 9), st.integers(0, 99))
def test_every_sentence_once_and_every_system_as_often(sentences, systems, raters, seed):
    sources = [f"s{i}" for i in range(sentences)]
    outputs = {f"m{m}": [f"m{m} of s{i}" for i in range(sentences)] for m in range(systems)}
    plan = rating_plan(sources, outputs, raters, seed)
    assert plan == rating_plan(sources, outputs, raters, seed) and len(plan) == raters
    for rater, items in plan.items():
        assert sorted(item.sentence for item in items) == list(range(1, sentences + 1))
        seen = Counter(item.system for item in items)
        often = [seen[system] for system in outputs]
        assert max(often) - min(often) <= 1
        for item in items:
            assert item.rater == rater and item.source == f"s{item.sentence - 1}"
            assert item.output == f"{item.system} of {item.source}"
    square = [item for rater in list(plan)[:systems] for item in plan[rater]]
    assert len({(item.sentence, item.system) for item in square}) == len(square)


@pytest.mark.parametrize(
    ("sources", "outputs", "raters", "said"),
    [
        ([], OUTPUTS, 2, "nothing to judge"),
        (SOURCES, {}, 2, "nothing to judge"),
        (SOURCES, {"one": ["x"]}, 2, "'one' has 1 outputs for 6 sources"),
        (SOURCES, OUTPUTS, 0, "raters are a number from 1 up"),
        (SOURCES, OUTPUTS, ["ann", "ann"], "each once"),
        (SOURCES, OUTPUTS, ["ann", "=1+1"], "'=1\\+1' begins like a formula"),
        (SOURCES, {"@one": SOURCES}, 2, "'@one' begins like a formula"),
    ],
)
def test_a_form_that_cannot_be(sources, outputs, raters, said):
    with pytest.raises(ValueError, match=said):
        wl.rating_form(sources, outputs, raters=raters)


def test_sentences_may_be_trees_words_or_text():
    tree = Tree.fromstring("(S (NN rain) (VBD fell))")
    form = wl.rating_form([tree], {"a": [["rain", "fell"]], "b": ["rain"]}, raters=["ann"])
    (item,) = form.plan["ann"]
    assert item.source == "rain fell" and item.output in ("rain fell", "rain")


def test_answers_are_saved_and_analysed(tmp_path: Path):
    form = wl.rating_form(SOURCES, OUTPUTS, raters=6, seed=3)
    assert form.answers == [] and form.given("rater 1", 0) == {}
    form.rate("rater 1", 0, "importance", 4)
    assert form.answers == []  # the other question is open
    answered(form, {"one": 2, "two": 3, "three": 5})
    assert len(form.answers) == 36
    path = tmp_path / "ratings.csv"
    form.save(path)
    with path.open(encoding="utf-8", newline="") as file:
        assert tuple(next(csv.reader(file))) == COLUMNS
    found = wl.analyse_ratings(path)
    assert found.to_dict() == wl.analyse_ratings(form.answers).to_dict()
    means = {row["system"]: row["mean"] for row in found.means["grammaticality"]}
    assert means["three"] > means["two"] > means["one"]
    assert found.by_raters["grammaticality"].p_value < 0.001
    assert found.by_sentences["grammaticality"].rows == 6
    tukey = {(row["first"], row["second"]): row for row in found.tukey["grammaticality"]}
    assert tukey["one", "three"]["p_value"] < 0.01 and tukey["one", "three"]["high"] < 0
    assert "by sentences F(2, 10)" in str(found) and "one - three" in str(found)
    for wrong in (("nobody", 0, "importance", 3), ("rater 1", 9, "importance", 3)):
        with pytest.raises(ValueError, match="there is no item"):
            form.rate(*wrong)
    with pytest.raises(ValueError, match="from 1 to 5"):
        form.rate("rater 1", 0, "importance", 6)


def test_variance_of_a_table_by_hand():
    """Four rows, three systems; squares added up on paper: 8/1 between, 4/6 left over."""
    found = variance([[1, 2, 3], [2, 3, 4], [1, 3, 4], [2, 2, 3]])
    means = [6 / 4, 10 / 4, 14 / 4]
    assert found.between == 2 and found.within == 6
    between = 4 * sum((mean - 2.5) ** 2 for mean in means) / 2
    rows = [2, 3, 8 / 3, 7 / 3]
    table = [[1, 2, 3], [2, 3, 4], [1, 3, 4], [2, 2, 3]]
    left = sum((table[i][j] - rows[i] - means[j] + 2.5) ** 2 for i in range(4) for j in range(3))
    assert found.F == pytest.approx(between / (left / 6)) == pytest.approx(18)
    assert variance([[1, 1], [2, 2]]).p_value == 1
    assert math.isinf(variance([[1, 2], [2, 3]]).F)
    with pytest.raises(ValueError, match="two are the least"):
        variance([[1, 2]])


def test_two_systems_are_the_test_of_paired_differences():
    """With two columns F is the square of Student's t of the differences."""
    from scipy.stats import ttest_rel

    table = [[1, 2], [3, 3], [2, 5], [4, 4], [1, 3]]
    t = ttest_rel(*zip(*table))
    found = variance(table)
    assert math.isclose(found.F, t.statistic**2) and math.isclose(found.p_value, t.pvalue)


ROW = {"rater": "ann", "sentence": 1, "system": "one", "grammaticality": 3, "importance": 3}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "0 system"),
        ([ROW], "1 system"),
        ([ROW, ROW], "judged sentence 1 twice"),
        ([ROW | {"importance": 6}], "answer 1: importance is from 1 to 5: 6"),
        ([ROW | {"sentence": "x"}], "answer 1: sentence, .* are whole numbers"),
        *(([ROW | {"importance": points}], "whole numbers") for points in (3.7, "3.7", math.inf)),
        ([ROW, ROW | {"sentence": 2, "system": "two"}], "two are the least"),
    ],
)
def test_answers_that_cannot_be_analysed(rows, said):
    with pytest.raises(ValueError, match=said):
        wl.analyse_ratings(rows)


def test_a_file_that_is_none(tmp_path: Path):
    path = tmp_path / "x.csv"
    path.write_text("rater,system\nann,one\n")
    with pytest.raises(ValueError, match="should begin with the columns rater, sentence"):
        wl.analyse_ratings(path)
    path.write_text(",".join(COLUMNS) + "\nann,1,one,3,none\n")
    with pytest.raises(ValueError, match="line 2 of"):
        wl.analyse_ratings([path])


def test_the_form_in_a_notebook(tmp_path: Path):
    pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")
    from wordorder_lab.widgets.form_view import RatingView

    form = wl.rating_form(SOURCES, OUTPUTS, raters=["ann", "bob"])
    view = RatingView(form)
    assert "<img" not in view.item.value and "&lt;img" in view.item.value
    for name in QUESTIONS:
        view.points[name].value = 4
    assert "1 of 6, 1 judged" in view.status.value
    view.next.click()
    assert all(choice.value is None for choice in view.points.values())
    view.back.click()
    assert view.points["importance"].value == 4
    view.rater.value = "bob"
    assert "1 of 6, 0 judged" in view.status.value and view.points["importance"].value is None
    view.file.value = str(tmp_path / "out.csv")
    view.save.click()
    assert "1 answers are in" in view.status.value and (tmp_path / "out.csv").exists()
    view.file.value = str(tmp_path / "no" / "where.csv")
    view.save.click()
    assert "not saved" in view.status.value
    bundle = form._repr_mimebundle_()
    assert "text/html" in bundle and "RatingForm(2 raters, 1 answers)" in bundle["text/plain"]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """One of a context of its own: the form keeps what was answered in the browser."""
    with watched(chromium) as page:
        yield page


def test_the_page_asks_nobody_and_saves_what_was_said(page: Page, tmp_path: Path):
    raters = ["ann", 'bob, "the" second']
    form = wl.rating_form(SOURCES, OUTPUTS, raters=raters, title="<i>Judge</i>")
    file = tmp_path / "form.html"
    form.to_html(file)
    page.goto(file.as_uri())
    assert page.locator("h1").inner_text() == "<i>Judge</i>"
    for rater, items in form.plan.items():
        page.get_by_label("You are").select_option(rater)
        for number, item in enumerate(items[:2]):
            assert page.locator("#source").inner_text() == item.source
            assert page.locator("#output").inner_text() == item.output
            for box, points in zip(page.locator("fieldset").all(), (number + 1, 5), strict=True):
                box.get_by_label(str(points), exact=True).check()
            page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Back").click()
    assert page.locator("fieldset input:checked").count() == 2
    assert "2 of 6, 2 judged" in page.locator("#progress").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the answers").click()
    with open(saved.value.path(), encoding="utf-8", newline="") as answers:
        rows = list(csv.DictReader(answers))
    assert [row["rater"] for row in rows] == [name for name in raters for _ in "12"]
    for row, item in zip(rows, [i for items in form.plan.values() for i in items[:2]], strict=True):
        assert (row["sentence"], row["system"]) == (str(item.sentence), item.system)
    assert [row["grammaticality"] for row in rows] == ["1", "2"] * 2
