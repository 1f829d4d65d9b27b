"""What the views say of CCG searches holds: who stayed for whom, goals, ends; and it fits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ccg_logs import ccg_log, ccg_search
from test_ccg_views import drawn_steps, expected_steps, narration, opened

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.settings import Limits
from wordorder_lab.trace.reducers.best_so_far import best_so_far
from wordorder_lab.trace.reducers.replay import fold


def pruned_pairs(log: wl.EventLog, signature: str, monkeypatch: Any) -> list[tuple[Edge, Edge]]:
    """The loser and the winner of each comparison, as the search itself has them."""
    pairs: list[tuple[Edge, Edge]] = []
    compare = BestFirstCCG.compare_in_chart

    def noted(search: BestFirstCCG, edge: Edge) -> tuple[Edge | None, Edge]:
        loser, winner = compare(search, edge)
        if loser is not None:
            pairs.append((loser, winner))
        return loser, winner

    monkeypatch.setattr(BestFirstCCG, "compare_in_chart", noted)
    ccg_search(4, log, signature=signature).run()
    return pairs


@pytest.mark.parametrize("signature", ["2011", "2015"])
def test_who_stayed_in_place_of_whom(
    page: Any, tmp_path: Path, signature: str, monkeypatch: Any
) -> None:
    """The other edge by its number, which came first, and which one scores higher."""
    log = wl.EventLog()
    pairs = pruned_pairs(log, signature, monkeypatch)
    opened(page, tmp_path, log, "agenda", 0)
    places = [k for k, e in enumerate(log, 1) if e[0] == "pruned" and e[2] == "signature"]
    told = set()
    for k, (loser, winner) in zip(places, pairs, strict=True):
        page.evaluate(f"wordorderPlayer.size = 'event'; wordorderPlayer.go({k})")
        popped = [e[1] for e in log.events[:k] if e[0] == "popped"][-1]
        where = "was popped" if winner.serial == popped else "was in the chart"
        lead = (winner.score > loser.score) - (winner.score < loser.score)
        said = narration(page)
        assert (
            f"is out: edge {winner.serial}, which {where}, has the same category and head" in said
        )
        assert loser.items == winner.items and "the same words in the same order; " in said
        assert ("scores higher" in said) == (lead > 0)
        assert ("stays, though it scores lower" in said) == (lead < 0)
        told.add((where, lead))
    first = {("was in the chart", lead) for lead in (1, 0)}
    other = ("was in the chart", -1) if signature == "2011" else ("was popped", 1)
    assert told == {*first, other}, "in 2011 the first one stays, whatever its score"


def test_alike_in_another_order(page: Any, tmp_path: Path) -> None:
    """Inside four outer words two have changed places: alike in 2015."""
    log = wl.EventLog()
    log.begin([*"abcdef"], [1] * 6, 6, 8)
    for serial, word in enumerate("abcdef", 1):
        log.leaf(serial, serial - 1, word, "T", 2.0, -1, "N")
    pairs = [(1, 2), (3, 4), (4, 3), (5, 6), (7, 8), (7, 9), (11, 10), (12, 10)]
    for serial, (left, right) in enumerate(pairs, 7):
        side = "HeadRight" if {left, right} == {3, 4} and left == 4 else "HeadLeft"
        log.edge(serial, left, right, f"< {side}", 1.0, -1, "N")
    for serial in (13, 14):
        log.popped(serial, 1.0)
        if serial == 13:
            log.charted(serial)
    log.pruned(14, "signature")
    player = opened(page, tmp_path, log, "chart", len(log))
    why = "has the same category, head and words, in another order with the same outer ones"
    said = "Edge 14 “a b d c e f” · N is out: edge 13, which was in the chart, "
    assert narration(page) == f"{said}{why}; it was there first, and stays."
    row = player.get_by_role("group", name="Left the chart").get_by_role("button")
    assert f"{why}; it was there first" in row.get_attribute("aria-label")


def with_words_left_out() -> wl.EventLog:
    """A bag of up to four words, of which two make a goal."""
    log = wl.EventLog()
    log.begin(["man", "guitar"], [1, 3], 2, 8)
    log.leaf(1, 0, "man", "NN", 2.0, -1, "N")
    log.leaf(2, 1, "guitar", "NN", 1.0, -1, "N/N")
    log.popped(1, 2.0)
    log.charted(1)
    log.popped(2, 1.0)
    log.edge(3, 2, 1, "> HeadRight", 1.5, -1, "N")
    log.charted(2)
    log.popped(3, 1.5)
    log.goal(3, 1.5)
    log.finished(3, 1.5)
    log.stopped("complete")
    return log


def test_a_goal_that_leaves_words_out(page: Any, tmp_path: Path) -> None:
    log = with_words_left_out()
    player = opened(page, tmp_path, log, "agenda", len(log) - 2)
    assert page.locator("h2").inner_text() == "Ordering some of: man · guitar ×3"
    said = "It is a goal, with 2 of at most 4 units: it has every word that it must have, "
    assert narration(page) == f"{said}and others may be left out."
    assert "2 of at most 4 units" in player.locator(".wol-agenda").text_content()
    page.get_by_label("View", exact=True).select_option("chart")
    shown = player.locator('.wol-card[data-serial="3"]').first.text_content()
    assert "goal: all words it must have" in shown and "missing" not in shown


@pytest.mark.parametrize("view", ["agenda", "chart", "spans"])
def test_every_view_ends_alike(page: Any, tmp_path: Path, view: str) -> None:
    """At `return e` after a goal, which is said, or how long its spans are; at the loop's test
    where there was none."""
    log = ccg_log()
    opened(page, tmp_path, log, view, len(log))
    pops = sum(event[0] == "popped" for event in log)
    ended = f"The search has ended (a goal was popped), after {pops} pops. "
    sentence = f"Its sentence: “{' '.join(best_so_far(log)[-1].units)}”."
    more = "In this search the mean length in words is: " if view == "spans" else sentence
    assert narration(page).startswith(ended + more)
    assert page.locator(".wol-lit").evaluate("(line) => line.value") == 7
    if view == "spans":
        note = "Edges of unary rules count again, but not in the best at the end"
        assert note in page.locator(".wol-spans").text_content()
        page.evaluate("wordorderPlayer.size = 'event'; wordorderPlayer.step(-1)")
        assert re.fullmatch(
            r"The best goal is edge \d+, built of 11 spans, the longest of 7 words\.",
            narration(page),
        )
    short = ccg_log(limits=Limits(expansions=9))
    opened(page, tmp_path, short, view, len(short))
    assert "(the limit: expansions), after 9 pops" in narration(page)
    assert page.locator(".wol-lit").evaluate("(line) => line.value") == 3


def test_the_frame_of_a_step_is_around_all_of_it(page: Any, tmp_path: Path) -> None:
    """Around its sign, its line and its category; and the goal's category is not grey."""
    log = ccg_log()
    player = opened(page, tmp_path, log, "chart", len(log))
    goal = fold(log, len(log), "chart")["finished"]["serial"]
    last = player.locator(f'.wol-step[data-serial="{goal}"]')
    assert "wol-quiet" not in last.locator(".wol-category").get_attribute("class")
    for step in player.locator(".wol-step").all():
        frame = step.locator("rect").bounding_box()
        for part in step.locator("text, path").all():
            box = part.bounding_box()
            assert frame["x"] <= box["x"] and frame["y"] < box["y"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"]
            assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1


def test_a_wide_derivation_of_the_chart_can_be_opened(page: Any, tmp_path: Path) -> None:
    """Folded it fits the picture; opened, all steps are there, and the picture scrolls."""
    log = ccg_log()
    state = fold(log, len(log), "chart")
    page.set_viewport_size({"width": 420, "height": 900})
    player = opened(page, tmp_path, log, "chart", len(log))
    stage = player.locator(".wol-stage")
    room = "(stage) => stage.scrollWidth - stage.clientWidth"
    assert player.locator(".wol-folded").count() and stage.evaluate(room) <= 0
    page.get_by_role("button", name="open all phrases").focus()
    page.keyboard.press("Enter")
    assert player.locator(".wol-folded").count() == 0 and stage.evaluate(room) > 0
    drawing = player.locator(".wol-derivation")
    assert drawn_steps(drawing) == expected_steps(state, state["finished"]["serial"])
    page.get_by_role("button", name="fold phrases").click()
    assert player.locator(".wol-folded").count() and stage.evaluate(room) <= 0
