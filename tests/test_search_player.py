"""The player on best-first searches: steps, pseudo-code, and two logs on one clock."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import go_to, menu
from ccg_logs import ccg_guided_log, ccg_log
from random_logs import best_first_log, guided_log, ordering_log
from test_player import events, forward, show, told

import wordorder_lab as wl
from wordorder_lab.best_first import ccg as best_first_ccg
from wordorder_lab.best_first import dependency as best_first_dependency
from wordorder_lab.best_first import guided_learning
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.transition import beam as transition_beam


def kinds(log: wl.EventLog) -> list[str]:
    return [event[0] for event in log]


def test_one_step_is_one_pop(page, tmp_path) -> None:
    """After each step the next edge is about to be popped; the sentence sums the pop up."""
    log = best_first_log()
    show(page, tmp_path, log)
    popped = [i for i, kind in enumerate(kinds(log)) if kind == "popped"]
    assert [forward(page) for _ in popped[:6]] == popped[:6]
    state = fold(log, popped[5], "agenda")
    serial = state["pops"][-1][0]
    assert told(page).startswith(f"Pop 5: edge {serial} “")
    assert f"{state['agenda']} on the agenda, {len(state['chart'])} in the chart" in told(page)
    page.get_by_label("Last").click()
    assert "The search has ended" in told(page)
    assert page.locator(".wol-lit").inner_text() == "while not TIMEOUT() do"


def test_an_expansion_also_stops_after_an_update(page, tmp_path) -> None:
    log = guided_log()
    show(page, tmp_path, log)
    names = kinds(log)
    page.get_by_label("Step size").select_option("expansion")
    learning = {"edge_update", "weight", "rescored"}
    ends = [k for k in range(1, len(log)) if names[k - 1] in learning and names[k] not in learning]
    stops = set()
    while events(page) < ends[2]:
        stops.add(forward(page))
    assert stops >= set(ends[:3])
    page.get_by_label("Step size").select_option("step")
    page.keyboard.press("Home")
    steps = {forward(page) for _ in range(10)}
    assert all(names[k] in ("popped", "stopped", "begin") for k in steps)


def numbered(doc: str | None) -> dict[int, str]:
    """The lines of pseudo-code at the head of a file, by number."""
    found = re.findall(r"^    (\d{1,2}) +(.*(?:\n {14,}\S.*)*)$", doc or "", re.MULTILINE)
    return {int(number): " ".join(line.split()) for number, line in found}


@pytest.mark.parametrize(
    ("make", "file"),
    [
        (lambda: ordering_log(2), transition_beam),
        (best_first_log, best_first_dependency),
        (ccg_log, best_first_ccg),
        (guided_log, guided_learning),
        (ccg_guided_log, guided_learning),
    ],
    ids=["beam", "links", "ccg", "learning", "ccg learning"],
)
def test_the_pseudo_code_is_that_of_the_files(page, tmp_path, make: Any, file: Any) -> None:
    show(page, tmp_path, make())
    wanted = numbered(file.__doc__)
    lines = page.locator(".wol-program li")
    shown = {
        line.evaluate("(line) => line.value"): " ".join(
            line.inner_text().replace("←", "<-").replace("∅", "{}").split()
        )
        for line in lines.all()
    }
    assert len(shown) == lines.count() >= 10
    assert shown == wanted


def test_the_line_of_an_update(page, tmp_path) -> None:
    """Line 12 for a wrong edge that was popped; 44 where a gold edge would fall off the chart."""
    log = guided_log()
    show(page, tmp_path, log)
    page.get_by_label("Kind of event").select_option("edge_update")
    seen = set()
    for i in [i for i, event in enumerate(log) if event[0] == "edge_update" and event[-1]]:
        go_to(page, i + 2)
        reason = log.events[i][2]
        lit = page.locator(".wol-lit").evaluate("(line) => line.value")
        assert lit == {"agenda": 12, "chart": 44}[reason]
        assert "The weight of" in told(page)
        seen.add(reason)
    assert seen == {"agenda", "chart"}


def test_two_best_first_searches_go_pop_by_pop(page, tmp_path) -> None:
    a, b = best_first_log(beam=2), best_first_log(beam=6)
    show(page, tmp_path, a, b, names=("two", "six"))
    for pop in range(8):
        forward(page)
        ks = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")
        assert [len(fold(log, k, "agenda")["pops"]) for log, k in zip((a, b), ks)] == [pop, pop]
    menu(page).get_by_label("Level of the difference").select_option("all")
    page.get_by_label("First difference").click()
    first = next(i for i, (x, y) in enumerate(zip(a, b)) if i and x[:-1] != y[:-1])
    assert events(page) == first + 1


def test_scores_make_no_difference(page, tmp_path) -> None:
    """Two models that do the same tell the same, whatever their scores."""
    log, other = best_first_log(), wl.EventLog()
    for event in log:
        scored = event[0] in ("popped", "goal", "finished")
        event = (*event[:-1], 2 * event[-1]) if scored else event
        other.record(*((*event[:5], 1.5, event[6]) if event[0] in ("leaf", "edge") else event))
    show(page, tmp_path, log, other)
    page.get_by_label("First difference").click()
    assert "There is no difference" in told(page)


def test_best_first_beside_a_beam(page, tmp_path) -> None:
    """Each log has its view; by the clock, as many edges are popped as states were expanded."""
    a, b = best_first_log(), ordering_log(3)
    show(page, tmp_path, a, b, names=("best-first", "beam"))
    titles = page.get_by_label("View").locator("option").all_inner_texts()
    assert titles == ["Agenda evolution", "Chart contents", "Beam states", "Span lengths"]
    assert page.locator(".wol-program").count() == 2
    for _ in range(6):
        forward(page)
        k, m = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")
        pops = len(fold(a, k, "agenda")["pops"])
        steps = [event for event in b.events[:m] if event[0] in ("step", "candidate")]
        begun = max(i for i, event in enumerate(steps) if event[0] == "step") if steps else 0
        before = len({event[2] for event in steps[:begun] if event[0] == "candidate"})
        after = before + len({e[2] for e in steps[begun:] if e[0] == "candidate"})
        assert before <= pops <= max(after, 1), (pops, before, after)
    assert "A: " in told(page) and "B: " in told(page)
    for view in ("chart", "beam", "spans", "agenda"):
        page.get_by_label("View").select_option(view)
        assert page.locator(".wol-stage .wol-picture").count() == 2


def test_gold_that_leaves_is_marked(page, tmp_path) -> None:
    """Where gold is known, the timeline has a mark for every gold edge that leaves the chart."""
    log, marked = best_first_log(beam=2), wl.EventLog()
    for event in log:
        gold = event[0] in ("leaf", "edge")
        marked.record(*((*event[:6], 1) if gold else event))
    show(page, tmp_path, marked)
    assert any(kind == "pruned" for kind in kinds(log))
    assert page.locator(".wol-timeline .wol-mark-fallen").count() > 0
    assert "gold is cut" in page.locator(".wol-legend").text_content()


def test_one_tally_for_the_quizzes_of_all_views(page, tmp_path) -> None:
    """A guess in one view is no answer to another view's question, and none is lost."""
    show(page, tmp_path, best_first_log())
    guesses: list[str] = []
    for view in ("agenda", "chart", "agenda"):
        page.get_by_label("View").select_option(view)
        quiz = page.get_by_label("Quiz", exact=True)
        if quiz.get_attribute("aria-pressed") == "false":
            quiz.click()
        page.keyboard.press("Home")
        page.get_by_label("Last", exact=True).click()
        page.locator(".wol-question li button").first.click()
        guesses = page.evaluate("wordorderPlayer.guesses.map((one) => one.view)")
    assert guesses == ["Agenda evolution", "Chart contents", "Agenda evolution"]
    positions = page.evaluate("wordorderPlayer.guesses.map((one) => one.position)")
    assert positions[2] > positions[0]
    assert " of 3 right" in page.get_by_label("Quiz", exact=True).inner_text()
