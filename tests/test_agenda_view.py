"""The agenda view: ranks over time, what is on the screen, its sentences, its quiz."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser import go_to, ready
from random_logs import best_first_log, guided_log, wild_search
from read_off import ranks
from test_player import events, show, table
from test_player import told as narration

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import on_agenda, words_of

BY_HAND: list[tuple] = [
    ("begin", ["IBM", "bought", "Lotus"], [1, 1, 1], 3, 8),
    ("leaf", 1, 0, "IBM", "NP", 1.0, 1),
    ("leaf", 2, 1, "bought", "VBD", 3.0, 1),
    ("leaf", 3, 2, "Lotus", "NP", 1.0, 1),
    ("popped", 2, 3.0),
    ("charted", 2),
    ("popped", 1, 1.0),  # as good as 3, and made first
    ("edge", 4, 2, 1, "HeadLeft", 2.0, 0),
    ("edge", 5, 1, 2, "HeadRight", 1.5, 1),
    ("charted", 1),
    ("popped", 4, 2.0),
    ("edge_update", 0, "agenda", 5, 4, -0.5, 0.1),
    ("rescored", 3, 2.5),
    ("charted", 4),
    ("pruned", 2, "beam"),
    ("popped", 3, 2.5),
    ("edge", 6, 2, 3, "HeadLeft", -0.5, -1),
    ("charted", 3),
    ("popped", 5, 1.5),
    ("charted", 5),
]


def by_hand() -> wl.EventLog:
    """Five pops: a tie, a wrong edge, a new score, a gold edge that leaves the chart."""
    return changed()


def changed(**scores: float) -> wl.EventLog:
    """The log by hand with other scores of edges, ``e5=2.0`` of edge 5."""
    log = wl.EventLog()
    for event in BY_HAND:
        score = scores.get(f"e{event[1]}") if event[0] in ("leaf", "edge") else None
        log.record(*(event if score is None else (*event[:5], score, *event[6:])))
    return log


def told(page: Any) -> str:
    """All text of the picture."""
    return " ".join(page.locator(".wol-agenda text").all_text_contents())


# --- ranks ------------------------------------------------------------------------------------


def test_ranks_by_hand() -> None:
    log = by_hand()
    assert ranks(log, 1, 2) == [[1, 2, 1, 3, 3.0]]
    assert ranks(log, 1, 1) == [[1, 1, 2, 3, 1.0], [2, 1, 1, 2, 1.0]]
    three = [[1, 3, 3, 3, 1.0], [2, 3, 2, 2, 1.0], [3, 3, 3, 3, 1.0], [4, 3, 1, 2, 2.5]]
    assert ranks(log, 1, 3) == three
    assert ranks(log, 1, 5) == [[3, 5, 2, 3, 1.5], [4, 5, 2, 2, 1.5], [5, 5, 1, 2, 1.5]]
    gold = [row[:3] for row in ranks(log, 1)]
    assert gold == [[1, 2, 1], [2, 1, 1], [3, 5, 2], [4, 3, 1], [5, 5, 1]]
    assert ranks(log, 2, 1) == ranks(log, 1, 9) == ranks(wl.EventLog(), 0) == []


@pytest.mark.parametrize("learning", [False, True])
def test_what_is_popped_was_at_rank_1(learning: bool) -> None:
    """In logs of real searches; and gold is below rank 1 just where a wrong edge is popped."""
    log = guided_log() if learning else best_first_log()
    begins = [*(i for i, event in enumerate(log) if event[0] == "begin"), len(log)]
    wrong = 0
    for search in range(1, min(4, len(begins))):
        events = log.events[begins[search - 1] : begins[search]]
        gold = {event[1] for event in events if event[0] in ("leaf", "edge") and event[6] == 1}
        best_gold = {row[0]: row for row in ranks(log, search)}
        popped = [event for event in events if event[0] == "popped"]
        for pop, (_, serial, score) in enumerate(popped, 1):
            assert ranks(log, search, serial)[-1][:3] == [pop, serial, 1]
            assert ranks(log, search, serial)[-1][4] == score
            if learning:
                assert (best_gold[pop][2] == 1) == (serial in gold)
                wrong += serial not in gold
        assert len(popped) > 3 and bool(best_gold) == learning
    assert (wrong > 3) == learning


def test_javascript_ranks_as_python_does(module) -> None:
    """Counting only what has changed gives the same rows, also where nothing makes sense."""
    logs = [by_hand(), best_first_log(), guided_log(), guided_log("perceptron", "stop")]
    logs += [wild_search(seed, 400) for seed in range(8)] + [guided_log(only=("edge", "popped"))]
    asked = [
        (search, serial)
        for search in range(4)
        for serial in [None, *range(1, 9), 12, 20, 33, 60, 100]
    ]
    rows = module(
        """(logs, asked) => logs.map((packed) => {
          const log = new Log(packed);
          return asked.map(([search, serial]) => JSON.stringify(ranksOf(log, search, serial)));
        })""",
        logs,
        asked,
    )
    found = 0
    for log, here in zip(logs, rows, strict=True):
        for (search, serial), row in zip(asked, here, strict=True):
            assert json.loads(row) == ranks(log, search, serial), (search, serial)
            found += row != "[]"
    assert found > 80


# --- what is shown ----------------------------------------------------------------------------


def test_the_agenda_is_on_the_screen(page, tmp_path) -> None:
    """The top in its order with its scores, what is more, what was popped and where it is from."""
    log = best_first_log()
    show(page, tmp_path, log)
    page.evaluate("wordorderPlayer.setRows(6)")
    for _ in range(6):
        page.get_by_label("Forward", exact=True).click()
    state = fold(log, events(page), "agenda")
    top = on_agenda(state, 6)
    popped = state["pops"][-1][0]
    rows = page.locator(".wol-agenda-row:not(:has(.wol-chip))")
    shown = [int(row.get_attribute("data-serial")) for row in rows.all()]
    assert shown == [popped, *top]
    best = " ".join(unit for unit, _ in words_of(state, top[0])[0])
    label = rows.nth(1).get_attribute("aria-label")
    assert f"edge {top[0]}, {best}, head " in label
    score = float(label.rpartition(" ")[2].replace("−", "-"))
    assert score == pytest.approx(state["scores"][top[0] - 1], abs=0.005)
    assert "popped at pop 5" in rows.nth(0).get_attribute("aria-label")
    assert f"… and {state['agenda'] - 6} more" in told(page)
    new = [s for s in top if state["edges"][s - 1]["made"] == 5]
    assert page.get_by_text("▲ new").count() == len(new)
    assert f"◆ Pop 5: edge {popped}" in told(page)
    edge = state["edges"][popped - 1]
    chips = page.locator(".wol-agenda-row:has(.wol-chip)")
    parts = [int(chip.get_attribute("data-serial")) for chip in chips.all()]
    assert parts == [part for part in (edge["left"], edge["right"]) if part]
    assert page.get_by_role("img", name="Words so far").count() == 1
    assert page.locator(".wol-curve").count() == 3
    name = page.locator("svg.wol-agenda").get_attribute("aria-label")
    assert name.startswith(f"Agenda after 5 pops: {state['agenda']} edges; the best of them: edge")
    page.set_viewport_size({"width": 968, "height": 720})
    page.wait_for_selector(".wol-curve", state="detached")  # there is no room for them


def test_it_opens_with_the_runner_up_beside_what_was_popped(page, tmp_path) -> None:
    log = best_first_log()
    path = wl.to_html(log, tmp_path / "player.html", view="agenda")
    ready(page, path)
    state = fold(log, len(log), "agenda")
    (first,) = on_agenda(state, 1)
    assert f"◉ Pinned: edge {first}, the runner-up" in told(page)
    assert f"Edge {state['pops'][-1][0]} was popped at pop {len(state['pops'])} with" in told(page)


WHY = [
    (6, 3, "at pop 1 with 3. Edge 3 had 1 then and stood at rank 3 of 3."),
    (10, 3, "Edge 3 had the same score, but edge 1 was made first; it stood at rank 2 of 2."),
    (8, 4, "Edge 1 was popped at pop 2 with 1; edge 4 was not made yet, it came of pop 2."),
    (6, 5, "Edge 5 is not made yet: it comes of pop 2."),
    (16, 1, "Edge 1 went before edge 3. Edge 1 was popped at pop 2 with 1. Edge 3 had the same"),
    (19, 4, "Edge 4 went before edge 5. Edge 4 was popped at pop 3 with 2. Edge 5 had 1.5 then"),
    (16, 3, "Edge 3 was made at the start (at first at rank 3 of 3, with 1); it waited while 3"),
    (10, 9, "Edge 9 is not made yet."),
]


def test_why_was_this_popped_before_that(page, tmp_path) -> None:
    """The edge that was popped last against the pinned one; its rank and score are drawn."""
    show(page, tmp_path, by_hand())
    for k, pinned, answer in WHY:
        page.evaluate("wordorderPlayer.selected[0] = null")
        page.evaluate(f"wordorderPlayer.select(0, {{serial: {pinned}, search: 1}})")
        go_to(page, k)
        assert f"◉ Pinned: edge {pinned}" in told(page) and answer in told(page)
        done = len(fold(by_hand(), k, "agenda")["pops"])
        seen = any(row[0] <= done for row in ranks(by_hand(), 1, pinned))
        assert (f"◉ Rank of edge {pinned}" in told(page)) == (seen or (k, pinned) == (8, 4))


def test_when_did_gold_leave(page, tmp_path) -> None:
    """The top at pop 3, and the chart with it: said in a sentence, marked in the curve."""
    show(page, tmp_path, by_hand())
    go_to(page, 10)
    assert "No wrong edge has been popped while gold waited." in told(page)
    go_to(page, len(BY_HAND))
    text = told(page)
    assert "A wrong edge was popped once while gold waited: at pop 3." in text
    assert "edge 4 with 2 came before gold edge 5 “IBM bought” with 1.5, at rank 2 of 3" in text
    assert "Gold left the chart at pop 3: edge 2 “bought”" in text
    assert page.locator(".wol-missed").count() == 1


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (2.0, "edge 4 came before gold edge 5 “IBM bought”, at rank 2 of 3: it has the same score"),
        (1.9999, "edge 4 with 2.0000 came before gold edge 5 “IBM bought” with 1.9999, at rank 2"),
    ],
)
def test_scores_that_look_alike(page, tmp_path, score: float, said: str) -> None:
    """A tie is called one; else there are digits enough to see the order, in the list as well."""
    show(page, tmp_path, changed(e5=score))
    go_to(page, 11)
    assert said in told(page)
    assert ("2, but it was made first." in told(page)) == (score == 2.0)
    go_to(page, 10)
    rows = page.locator(".wol-agenda-row:not(:has(.wol-chip)) text:last-child")
    digits = ["1", "2", "2", "1"] if score == 2.0 else ["1.0000", "2.0000", "1.9999", "1.0000"]
    assert rows.all_text_contents() == digits


def test_the_score_when_popped_and_the_score_now(page, tmp_path) -> None:
    log = by_hand()
    log.rescored(5, -0.25)
    show(page, tmp_path, log)
    go_to(page, len(log) - 1)
    assert "score 1.5 · popped at pop 5" in told(page)
    go_to(page, len(log))
    assert "score 1.5 when popped, −0.25 now · popped at pop 5" in told(page)
    page.get_by_label("View").select_option("chart")
    detail = page.locator(".wol-detail").text_content()
    assert "gold edge 5, score 1.5 when popped, −0.25 now" in detail.lower()


def test_nothing_is_said_of_what_is_not_recorded(page, tmp_path) -> None:
    """Without `pruned` nobody knows whether gold has left the chart."""
    for only, known in ((None, True), (["begin", "leaf", "edge", "popped", "charted"], False)):
        log = wl.EventLog(only=only)
        for event in BY_HAND:
            log.record(*event)
        show(page, tmp_path, log)
        go_to(page, 10)
        assert "No wrong edge has been popped while gold waited." in told(page)
        assert ("No gold edge has left the chart." in told(page)) == known


def test_curves_stay_within_their_axes(page, tmp_path) -> None:
    """The agenda may be longest, and the chart fullest, between two pops or at the end."""
    out = """() => [...document.querySelectorAll("g[role=img]:has(.wol-here)")].filter((one) => {
      const now = Number(one.querySelector(".wol-here").getAttribute("cy"));
      const axis = one.querySelector(".wol-axis").getBBox();
      return now < axis.y - 0.2 || now > axis.y + axis.height + 0.2;
    }).map((one) => one.getAttribute("aria-label"))"""
    grown = by_hand()
    for serial in range(7, 12):
        grown.edge(serial, 1, 3, "HeadLeft", 0.5, 0)
    for log, every in ((grown, 1), (best_first_log(), 9)):
        page.set_viewport_size({"width": 2200, "height": 900})
        show(page, tmp_path, log)
        for k in range(len(log), 0, -every):
            go_to(page, k)
            assert page.evaluate(out) == []
        go_to(page, len(log))
        assert page.locator(".wol-here").count() >= 3


ENDS = [
    ("limit", "(the gold goal was not found), after 5 pops"),
    ("complete", "(a goal was popped), after 5 pops"),
    ("expansions", "(the limit: expansions), after 5 pops"),
]


def test_how_a_search_has_ended(page, tmp_path) -> None:
    for reason, said in ENDS:
        log = by_hand()
        log.stopped(reason)
        show(page, tmp_path, log)
        go_to(page, len(log))
        assert said in narration(page)
    log = by_hand()
    log.goal(5, 1.5)
    log.goal(4, 1.0)
    log.stopped("complete")
    show(page, tmp_path, log)
    go_to(page, len(log))
    assert "(the goals asked for were popped)" in narration(page)


def test_pin_by_click_by_key_and_by_words(page, tmp_path) -> None:
    show(page, tmp_path, by_hand())
    go_to(page, 10)
    page.locator('[data-serial="4"]').click()
    assert page.locator('[data-serial="4"]').first.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Tab")
    page.locator(".wol-agenda-row[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "◉ Pinned: edge 5" in told(page)
    assert page.evaluate("document.activeElement.dataset.serial") == "5"
    page.get_by_role("button", name="Unpin the edge").click()
    assert "No edge is pinned" in told(page)
    field = page.get_by_label("Edge to pin")
    field.focus()
    page.keyboard.type("ibm  Bought")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert "◉ Pinned: edge 5" in told(page) and events(page) == 10
    page.evaluate("wordorderPlayer.step(1)")
    page.wait_for_selector("input:focus")
    assert field.input_value() == "ibm  Bought"
    field.fill("3")
    page.get_by_role("button", name="Pin this edge").click()
    assert "◉ Pinned: edge 3" in told(page)
    field.fill("<b>nothing</b>")
    field.press("Enter")
    assert "So far there is no edge “<b>nothing</b>”." in page.locator(".wol-told").inner_text()


def test_the_table(page, tmp_path) -> None:
    show(page, tmp_path, by_hand())
    go_to(page, 16)
    rows = table(page)
    assert [(row["what"], row["edge"]) for row in rows] == [
        *(("popped", "3"), ("agenda", "5"), ("popped", "4"), ("popped", "1"), ("popped", "2"))
    ]
    assert rows[1]["words"] == "IBM bought" and rows[1]["rank"] == "1"
    assert [rows[0][name] for name in ("score", "popped at pop", "on the agenda")] == [
        *("2.5", "4", "1")
    ]


# --- quiz -------------------------------------------------------------------------------------


def test_quiz_hides_what_decides(page, tmp_path) -> None:
    """It stops before a pop; scores, ranks and the order are shown afterwards."""
    log = guided_log()
    show(page, tmp_path, log)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    page.get_by_label("Last").click()
    assert log.events[events(page)][0] == "popped", "not past the question"
    waiting = page.locator(".wol-agenda-row[aria-label^=rank]")
    labels = [row.get_attribute("aria-label") for row in waiting.all()]
    assert labels and all("score hidden" in label and "rank hidden" in label for label in labels)
    shown = [int(row.get_attribute("data-serial")) for row in waiting.all()]
    assert shown == sorted(shown), "in the order of their making"
    assert waiting.locator(".wol-bar").count() == 0
    page.locator(".wol-table > summary").click()
    page.locator(".wol-table tbody tr").first.wait_for()
    on_it = page.locator('.wol-table tr:has(td:first-child:text-is("agenda"))')
    assert {cell.inner_text() for cell in on_it.locator("td:nth-child(5)").all()} == {"?"}
    page.locator(".wol-question li button").first.click()
    top = page.locator(".wol-agenda-row[aria-label^='rank 1']").get_attribute("data-serial")
    assert int(top) == log.events[events(page)][1], "now it is shown"
