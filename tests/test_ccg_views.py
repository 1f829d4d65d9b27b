"""The agenda, chart, updates and span views of CCG searches: categories, rules, derivations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import expose
from ccg_logs import EVIL, TRANSITIVE, ccg_guided_log, ccg_log, ccg_search
from random_logs import best_first_log
from test_ccg_trace import told
from test_chart_drive import live, outcomes
from test_player import show, table
from test_player import told as narration

import wordorder_lab as wl
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import edge_of, words_of


def opened(page: Any, folder: Path, log: wl.EventLog, view: str, k: int, **how: Any) -> Any:
    player = show(page, folder, log, view=view, **how)
    page.evaluate(f"wordorderPlayer.go({k})")
    return player


def steps_of(state: dict[str, Any], serial: int) -> list[dict[str, Any]]:
    """What an edge was built of, itself last, parts before wholes and left before right."""
    edge = edge_of(state, serial)
    assert edge is not None
    below = [steps_of(state, part) for part in (edge["left"], edge["right"]) if part]
    return [*(one for steps in below for one in steps), edge]


def drawn_steps(drawing: Any) -> list[tuple[str, str]]:
    """(category, sign) of each step of a derivation on the page, in the order of drawing."""
    steps = drawing.locator(".wol-step").all()
    signs = [step.locator(".wol-sign-of-rule").all_text_contents() for step in steps]
    names = [step.locator(".wol-category").text_content() for step in steps]
    return [(name.removeprefix("★ "), "".join(sign)) for name, sign in zip(names, signs)]


def expected_steps(state: dict[str, Any], serial: int) -> list[tuple[str, str]]:
    found = steps_of(state, serial)
    return [(e["category"], e["action"].split(" ")[0] if e["left"] else "") for e in found]


def test_the_agenda_names_categories_and_draws_derivations(page, tmp_path) -> None:
    log = ccg_log()
    end = fold(log, len(log), "agenda")
    goal = end["finished"]["serial"]
    page.set_viewport_size({"width": 2600, "height": 900})
    player = opened(page, tmp_path, log, "agenda", len(log))
    assert drawn_steps(player.locator(".wol-derivation").first) == expected_steps(end, goal)
    assert player.locator(".wol-arc").count() == 0
    label = player.locator(".wol-derivation").first.get_attribute("aria-label")
    assert "S[dcl] and . become S[dcl] by p (punctuation)" in label
    row = next(row for row in table(page) if row["what"] == "popped")
    assert (row["edge"], row["category"], row["rule"]) == (str(goal), "S[dcl]", "p HeadLeft")
    finder = page.get_by_label("Edge to pin")
    assert finder.get_attribute("placeholder") == "number, words or category"
    finder.fill(TRANSITIVE)
    page.get_by_label("Pin this edge").click()
    pinned = page.evaluate("wordorderPlayer.selected[0].serial")
    assert edge_of(end, pinned)["category"] == TRANSITIVE  # type: ignore[index]
    assert page.evaluate("window.hacked") is None and EVIL in player.inner_text()


def test_every_event_is_told(page, tmp_path) -> None:
    """A leaf with its category, unary and binary rules, what is out since it is like another."""
    log = ccg_log()
    opened(page, tmp_path, log, "agenda", 0)
    said: dict[str, list[tuple[int, str]]] = {}
    for k, (kind, *values) in enumerate(log.events):
        if kind in ("leaf", "goal") or (kind == "edge" and values[3] in ("tc", "> HeadLeft")):
            page.evaluate(f"wordorderPlayer.size = 'event'; wordorderPlayer.go({k + 1})")
            said.setdefault(kind, []).append((k, narration(page)))
        if kind == "pruned" and values[1] == "signature":
            page.evaluate(f"wordorderPlayer.size = 'event'; wordorderPlayer.go({k + 1})")
            popped = next(e for e in reversed(log.events[:k]) if e[0] == "popped")[1]
            line = page.locator(".wol-lit").evaluate("(line) => line.value")
            mine = popped == values[0]
            assert line == (10 if mine else 8)
            assert "has the same category" in narration(page)
            said.setdefault("alike", []).append((k, str(mine)))
    assert {told for _, told in said["alike"]} == {"True", "False"}
    k, leaf = said["leaf"][0]
    form, category = log.events[k][3], log.events[k][7]
    assert f"“{form}” with category {category} (tag T) goes on the agenda" in leaf
    texts = [text for _, text in said["edge"]]
    assert any("“IBM” · NP, score" in text and "“IBM” · N, by tc (type-" in text for text in texts)
    assert any(text.endswith("by > (forward application), the head on the left.") for text in texts)
    assert said["goal"][0][1] == "It is a goal: it has every word that it must have."


def test_a_chart_of_categories(page, tmp_path) -> None:
    """A card says its category; the derivation's steps are edges to look at; the table has both."""
    log = ccg_log()
    end = fold(log, len(log), "chart")
    goal = end["finished"]["serial"]
    player = opened(page, tmp_path, log, "chart", len(log))
    page.evaluate("wordorderPlayer.setRows(1000)")
    for serial in end["chart"]:
        card = player.locator(f'.wol-card[data-serial="{serial}"]').first
        edge = edge_of(end, serial)
        assert edge is not None
        assert card.locator(".wol-category").text_content() == edge["category"]
        order, heads = words_of(end, serial)
        words, label = " ".join(unit for unit, _ in order), card.get_attribute("aria-label")
        assert f"“{words}” · {edge['category']}, score" in label
        assert f", head {order[heads.index(-1)][0]}: in the chart" in label
    drawing = player.locator(".wol-derivation")
    assert drawn_steps(drawing) == expected_steps(end, goal)
    part = next(edge for edge in steps_of(end, goal) if edge["left"] and not edge["right"])
    step = drawing.locator(f'[data-serial="{part["serial"]}"]')
    assert "type-changing" in step.get_attribute("aria-label")
    step.click()
    assert page.evaluate("wordorderPlayer.selected[0].serial") == part["serial"]
    assert drawn_steps(player.locator(".wol-derivation")) == expected_steps(end, part["serial"])
    rows = {row["edge"]: row for row in table(page)}
    assert rows[str(goal)]["category"] == "S[dcl]" and rows[str(goal)]["rule"] == "p HeadLeft"


def test_driving_ccg(page, tmp_path) -> None:
    """Without a model the log's own rules are shown; with one, what the grammar says as well."""
    log = ccg_log(beam=0)
    state = fold(log, len(log), "chart")
    inside = [e for e in state["edges"] if {e["left"], e["right"]} <= {*state["chart"]}]
    edge = next(e for e in inside if e["action"] == "> HeadLeft" and e["left"] != e["right"])
    left, right = edge["left"], edge["right"]
    opened(page, tmp_path, log, "chart", len(log))
    picks = f"wordorderPlayer.keptFor(0).picks = {{search: 1, serials: [{left}, {right}]}}"
    page.evaluate(f"{picks}; wordorderPlayer.draw()")
    found = outcomes(page)
    name = f"{edge['category']} by > (forward application), the head on the left"
    assert found[0][1] == name and found[0][2].startswith(f"edge {edge['serial']}, score")
    assert found[1][1:] == ["none", "tried, and refused"] and len(found) == 2
    expose(page, "askPython", Drive(ccg_search()))
    live(page, "(which, question) => askPython(question)")
    page.get_by_role("button", name="Ask the model").click()
    page.locator(".wol-outcomes td").nth(3).wait_for()
    found = outcomes(page)
    assert found[0][1] == name and found[0][2].startswith("✓ an edge with score")
    assert found[1][2].startswith("✕ no: training had no rule for")


def test_a_question_is_told_as_python_wants_it(module) -> None:
    """Every edge of a log, put together again."""
    log = ccg_log()
    told_edges = "(state) => state.edges.map(({serial}) => toldEdge(state, serial))"
    asked = module(told_edges, fold(log, len(log), "chart"))
    assert dict(enumerate(asked, 1)) == told(log)


def test_updates_of_two_derivations(page, tmp_path) -> None:
    log = ccg_guided_log()
    kinds = [event[0] for event in log]
    update = next(i for i, e in enumerate(log) if e[0] == "edge_update" and e[2] == "chart")
    after = next(k for k in range(update + 1, len(log)) if kinds[k] not in ("weight", "rescored"))
    state = fold(log, after, "updates")["best_first"]
    page.set_viewport_size({"width": 1500, "height": 900})
    player = opened(page, tmp_path, log, "updates", after)
    for drawing, serial in zip(player.locator(".wol-derivation").all(), log.events[update][3:5]):
        assert drawn_steps(drawing) == expected_steps(state, serial)
    assert player.locator(".wol-derivation").count() == 2
    assert player.locator(".wol-arc").count() == 0
    assert page.locator(".wol-lit").evaluate("(line) => line.value") == 44


@pytest.mark.parametrize("width", [380, 2600])
def test_a_wide_derivation_is_folded_and_stays_inside(page, tmp_path, width: int) -> None:
    """The innermost phrases become one; nothing of the drawing is wider than its card."""
    log = ccg_log()
    page.set_viewport_size({"width": width, "height": 900})
    player = opened(page, tmp_path, log, "agenda", len(log))
    boxes = page.evaluate(
        """() => [".wol-derivation", ".wol-agenda"].map((name) => {
          const {left, right} = document.querySelector(name).getBoundingClientRect();
          return [left, right];
        })"""
    )
    assert boxes[1][0] - 1 <= boxes[0][0] and boxes[0][1] <= boxes[1][1] + 1
    folded = player.locator(".wol-derivation .wol-folded").count()
    assert (folded > 0) == (width < 500)
    last = player.locator(".wol-derivation").first.locator(".wol-step").last
    assert last.locator(".wol-category").text_content() == "S[dcl]"


def test_spans_with_unary_rules(page, tmp_path) -> None:
    log = ccg_log()
    k = next(i for i, e in enumerate(log) if e[0] == "edge" and e[3] == 0)
    two = next(e[1] for e in log if e[0] == "leaf" and (e[3], e[7]) == ("Lotus Corp.", "N"))
    opened(page, tmp_path, log, "spans", k + 1)
    serial, left = log.events[k][1:3]
    span = f"the span of edge {left} once more, of {'2 words' if left == two else '1 word'}."
    assert narration(page) == f"Edge {serial}: {span}"


def test_ccg_beside_dependencies(page, tmp_path) -> None:
    """Each log is told in its own way, and has its own pseudo-code."""
    show(page, tmp_path, ccg_log(), best_first_log(), names=("CCG", "trees"), view="chart")
    assert page.locator(".wol-program").count() == 2
    page.get_by_label("Last").click()
    stages = page.locator(".wol-stage")
    assert stages.nth(0).locator(".wol-derivation").count() == 1
    assert stages.nth(1).locator(".wol-derivation").count() == 0
    assert stages.nth(1).locator(".wol-card .wol-category").count() == 0
