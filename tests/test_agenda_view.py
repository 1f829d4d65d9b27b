"""The agenda view: ranks over time, what is on the screen, its sentences, its quiz."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from counting import hold_light, most_work
from random_logs import best_first_log, guided_log, wild_search
from test_player import CONTROLS, LUMINANCE, download, events, show

import wordorder_lab as wl
from wordorder_lab.commands.bench_players import wide_log
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import on_agenda, ranks, words_of

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
    log = wl.EventLog()
    for event in BY_HAND:
        log.record(*event)
    return log


def repeated(log: wl.EventLog, times: int) -> wl.EventLog:
    """The same searches again and again: a longer log."""
    again = wl.EventLog()
    for event in list(log) * times:
        again.record(*event)
    return again


def told(page: Any) -> str:
    """All text of the picture."""
    return " ".join(page.locator(".wol-agenda text").all_text_contents())


def go(page: Any, k: int) -> None:
    page.evaluate(f"wordorderPlayer.go({k})")


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


def test_javascript_ranks_as_python_does(module: Any) -> None:
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


def test_the_agenda_is_on_the_screen(page: Any, tmp_path: Path) -> None:
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
    assert page.locator(".wol-curve").count() == 0, "there is no room for them"
    name = page.locator("svg.wol-agenda").get_attribute("aria-label")
    assert name.startswith(f"Agenda after 5 pops: {state['agenda']} edges; the best of them: edge")


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


def test_why_was_this_popped_before_that(page: Any, tmp_path: Path) -> None:
    """The edge that was popped last against the pinned one; its rank and score are drawn."""
    show(page, tmp_path, by_hand())
    for k, pinned, answer in WHY:
        page.evaluate("wordorderPlayer.selected[0] = null")
        page.evaluate(f"wordorderPlayer.select(0, {{serial: {pinned}, search: 1}})")
        go(page, k)
        assert f"◉ Pinned: edge {pinned}" in told(page) and answer in told(page)
        done = len(fold(by_hand(), k, "agenda")["pops"])
        seen = any(row[0] <= done for row in ranks(by_hand(), 1, pinned))
        assert (f"◉ Rank of edge {pinned}" in told(page)) == (seen or (k, pinned) == (8, 4))


def test_when_did_gold_leave(page: Any, tmp_path: Path) -> None:
    """The top at pop 3, and the chart with it: said in a sentence, marked in the curve."""
    show(page, tmp_path, by_hand())
    go(page, 10)
    assert "No wrong edge has been popped while gold waited." in told(page)
    go(page, len(BY_HAND))
    text = told(page)
    assert "A wrong edge was popped once while gold waited: at pop 3." in text
    assert "edge 4 with 2 came before gold edge 5 “IBM bought” with 1.5, at rank 2 of 3" in text
    assert "Gold left the chart at pop 3: edge 2 “bought”" in text
    assert page.locator(".wol-missed").count() == 1


def changed(**scores: float) -> wl.EventLog:
    """The log by hand with other scores of edges, ``e5=2.0`` of edge 5."""
    log = wl.EventLog()
    for event in BY_HAND:
        score = scores.get(f"e{event[1]}") if event[0] in ("leaf", "edge") else None
        log.record(*(event if score is None else (*event[:5], score, *event[6:])))
    return log


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (2.0, "edge 4 came before gold edge 5 “IBM bought”, at rank 2 of 3: it has the same score"),
        (1.9999, "edge 4 with 2.0000 came before gold edge 5 “IBM bought” with 1.9999, at rank 2"),
    ],
)
def test_scores_that_look_alike(page: Any, tmp_path: Path, score: float, said: str) -> None:
    """A tie is called one; else there are digits enough to see the order, in the list as well."""
    show(page, tmp_path, changed(e5=score))
    go(page, 11)
    assert said in told(page)
    assert ("2, but it was made first." in told(page)) == (score == 2.0)
    go(page, 10)
    rows = page.locator(".wol-agenda-row:not(:has(.wol-chip)) text:last-child")
    digits = ["1", "2", "2", "1"] if score == 2.0 else ["1.0000", "2.0000", "1.9999", "1.0000"]
    assert rows.all_text_contents() == digits


def test_the_score_when_popped_and_the_score_now(page: Any, tmp_path: Path) -> None:
    log = by_hand()
    log.rescored(5, -0.25)
    show(page, tmp_path, log)
    go(page, len(log) - 1)
    assert "score 1.5 · popped at pop 5" in told(page)
    go(page, len(log))
    assert "score 1.5 when popped, −0.25 now · popped at pop 5" in told(page)
    page.get_by_label("View").select_option("chart")
    detail = page.locator(".wol-detail").text_content()
    assert "gold edge 5, score 1.5 when popped, −0.25 now" in detail.lower()


def test_nothing_is_said_of_what_is_not_recorded(page: Any, tmp_path: Path) -> None:
    """Without `pruned` nobody knows whether gold has left the chart."""
    for only, known in ((None, True), (["begin", "leaf", "edge", "popped", "charted"], False)):
        log = wl.EventLog(only=only)
        for event in BY_HAND:
            log.record(*event)
        show(page, tmp_path, log)
        go(page, 10)
        assert "No wrong edge has been popped while gold waited." in told(page)
        assert ("No gold edge has left the chart." in told(page)) == known


def test_curves_stay_within_their_axes(page: Any, tmp_path: Path) -> None:
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
            go(page, k)
            assert page.evaluate(out) == []
        go(page, len(log))
        assert page.locator(".wol-here").count() >= 3


ENDS = [
    ("limit", "(a limit was reached, or nothing was left to pop), after 5 pops"),
    ("complete", "(a goal was popped), after 5 pops"),
    ("expansions", "(the limit: expansions), after 5 pops"),
]


def test_how_a_search_has_ended(page: Any, tmp_path: Path) -> None:
    for reason, said in ENDS:
        log = by_hand()
        log.stopped(reason)
        show(page, tmp_path, log)
        go(page, len(log))
        assert said in page.locator(".wol-narration").inner_text()
    log = by_hand()
    log.goal(5, 1.5)
    log.goal(4, 1.0)
    log.stopped("complete")
    show(page, tmp_path, log)
    go(page, len(log))
    assert "(the goals asked for were popped)" in page.locator(".wol-narration").inner_text()


def test_pin_by_click_by_key_and_by_words(page: Any, tmp_path: Path) -> None:
    show(page, tmp_path, by_hand())
    go(page, 10)
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


def test_the_table(page: Any, tmp_path: Path) -> None:
    show(page, tmp_path, by_hand())
    go(page, 16)
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    assert [(row["what"], row["edge"]) for row in rows] == [
        *(("popped", "3"), ("agenda", "5"), ("popped", "4"), ("popped", "1"), ("popped", "2"))
    ]
    assert rows[1]["words"] == "IBM bought" and rows[1]["rank"] == "1"
    assert [rows[0][name] for name in ("score", "popped at pop", "on the agenda")] == [
        *("2.5", "4", "1")
    ]


def test_every_moment_of_what_is_not_whole(page: Any, tmp_path: Path) -> None:
    """Cut logs, logs without some kinds, and nonsense: no error, pinned or not, quiz or not.

    By sevens, so that every rest of a division by 40 and by 11 is met.
    """
    logs = [wild_search(9, 500), guided_log(max_events=700), by_hand()]
    logs += [guided_log(only=only) for only in (("leaf", "popped"), ("popped", "pruned"))]
    for log in logs:
        show(page, tmp_path, log, view="agenda", max_events=600)
        drawn = page.evaluate(
            """() => {
              const player = wordorderPlayer;
              let [drawn, asked] = [0, 0];
              for (let tick = player.clock.last; tick >= 0; tick -= 7) {
                player.go(tick);
                player.select(0, {serial: 1 + (tick % 11), search: player.state(0).search});
                if (tick % 40 === 0) player.toggleQuiz();
                drawn += player.stages[0].querySelector("svg[viewBox]") !== null;
                player.tableOf(0);
              }
              return drawn - Math.floor(player.clock.last / 7) - 1;
            }"""
        )
        assert drawn == 0


def test_words_are_text(page: Any, tmp_path: Path) -> None:
    evil = ["<script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>"]
    log = wl.EventLog()
    log.begin(evil, [1, 1], 2, 2)
    for serial, word in enumerate(evil, 1):
        log.leaf(serial, serial - 1, word, "<b>", 1.0, -1)
    log.popped(1, 1.0)
    log.edge(3, 1, 2, "<i>", 2.0, -1)
    log.pruned(1, "<u>")
    player = show(page, tmp_path, log)
    page.evaluate("wordorderPlayer.select(0, {serial: 3, search: 1})")
    go(page, len(log))
    page.locator(".wol-table > summary").click()
    assert " ".join(evil) in page.locator('[data-serial="3"]').get_attribute("aria-label")
    assert player.locator("script, img, b, i, u").count() == 0
    assert page.evaluate("window.hacked") is None


# --- quiz -------------------------------------------------------------------------------------


def test_quiz_which_is_popped_next(page: Any, tmp_path: Path) -> None:
    """It stops before a pop, hides what decides, and shows it afterwards; also in learning."""
    log = guided_log()
    show(page, tmp_path, log)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    page.get_by_label("Last").click()
    first = events(page)
    assert log.events[first][0] == "popped", "not past the question"
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
    for right in (True, False):
        asked = page.evaluate(
            "wordorderPlayer.quiz.view.quiz.ask(wordorderPlayer.logs[0], wordorderPlayer.tick,"
            " wordorderPlayer.state(0))"
        )
        assert asked["answer"] == log.events[events(page)][1] and len(asked["options"]) > 1
        choice = next(
            i
            for i, one in enumerate(asked["options"])
            if (one["value"] == asked["answer"]) == right
        )
        page.locator(".wol-question li button").nth(choice).click()
        said = "Right: " if right else "No: popped next is "
        assert page.locator(".wol-narration").inner_text().startswith(said)
        top = page.locator(".wol-agenda-row[aria-label^='rank 1']").get_attribute("data-serial")
        assert int(top) == asked["answer"], "now it is shown"
        page.get_by_label("Last").click()
    assert page.get_by_role("button", name="Quiz").inner_text() == "quiz: 1 of 2 right"


# --- everybody, everywhere --------------------------------------------------------------------


def test_names_themes_and_widths(page: Any, tmp_path: Path) -> None:
    """Every control has a name; text stands out in both themes; nothing is wider than the page."""
    show(page, tmp_path, guided_log())
    page.evaluate("wordorderPlayer.go(400); wordorderPlayer.select(0, {serial: 5, search: 1})")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    nodes = [node for node in tree if node.get("role", {}).get("value") in CONTROLS]
    names = [node.get("name", {}).get("value") for node in nodes]
    assert all(names) and any("rank 1" in name for name in names)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f".wol-player[data-theme={scheme}]").wait_for()
        found = page.evaluate(LUMINANCE)
        assert found["ink"] > 7 and found["quiet"] > 4.5
    for width in (420, 900, 2000):
        page.set_viewport_size({"width": width, "height": 800})
        inside = """() => {
          const svg = document.querySelector("svg.wol-agenda"), box = svg.getBoundingClientRect();
          const drawn = [...svg.querySelectorAll("text, rect")];
          const wide = drawn.map((one) => one.getBoundingClientRect());
          return wide.filter((one) => one.right > box.right + 2 || one.left < box.left - 2).length;
        }"""
        page.wait_for_function(f"() => ({inside})() === 0")  # drawn anew after a moment


def test_a_page_of_it_exports_itself(page: Any, tmp_path: Path) -> None:
    log = best_first_log()
    show(page, tmp_path, log)
    (tmp_path / "again.html").write_text(download(page, "HTML"), encoding="utf-8")
    ready(page, tmp_path / "again.html")
    page.get_by_label("Last").click()
    assert events(page) == len(log)
    assert "On the agenda: " in download(page, "SVG")


def test_the_live_widget_begins_with_it(page: Any, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    player = wl.play(best_first_log())
    assert player.data["view"] == "agenda"
    player.position = 30
    (tmp_path / "kept.html").write_text(player.page, encoding="utf-8")
    ready(page, tmp_path / "kept.html")
    assert events(page) == 30 and "On the agenda: " in told(page)


MANY = {"beam": 100, "k": 300, "expansions": 550}
PIN = """
const { search, pops } = wordorderPlayer.state(0);
wordorderPlayer.select(0, {serial: pops[pops.length - 2][0] + 2, search});"""


@pytest.mark.parametrize(
    ("log", "blocks"), [("real", 400_000), ("learned", 20_000), ("huge", 3_500_000)]
)
def test_a_long_log_steps_at_once(page: Any, tmp_path: Path, log: str, blocks: int) -> None:
    """10,000 events, and an agenda of 100,000: a step looks at each waiting edge a few times only.

    A jump reads the whole log once, for the ranks.
    """
    made = {
        "real": lambda: best_first_log(" ".join(f"w{i}" for i in range(45)), **MANY),
        "learned": lambda: repeated(guided_log(), 3),
        "huge": lambda: wide_log(100_000, 50),
    }[log]()
    most = 200_000 if log == "huge" else 10_000
    pin = "" if log == "learned" else PIN
    works = most_work(page, tmp_path, made, "agenda", before=pin, max_events=most)
    assert ("Pinned" in told(page)) == (log != "learned")
    if log == "huge":
        go(page, len(made))
        state = page.evaluate("wordorderPlayer.state(0).agenda")
        assert state > 99_000 and f"… and {state - 6:,} more" in told(page)
    else:
        assert events(page) <= 10_000 <= len(made)
    hold_light(works, min(most, len(made)), drawn=750, blocks=blocks, books=True)
