"""The view of parameter updates: its books, the sums it shows, one weight's history, its quiz."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from browser import menu
from random_logs import guided_log, some_of, training_log, wild_log, wild_search
from test_player import events, forward, show, table, told

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.updates import WEIGHTS, history

EVIL = "<script>window.hacked=1</script>"
BAG = ["IBM", EVIL, "bought"]
STEP = 3.5 / 6  # leaves a margin of 1: 2.5 behind, and the squares of 1, -1 and 2 add up to 6

BY_HAND: list[tuple] = [
    ("begin", BAG, [1, 1, 1], 3, 4),
    ("leaf", 1, 0, "IBM", "NP", 1.0, 1),
    ("leaf", 2, 1, EVIL, "NP", 0.5, 1),
    ("leaf", 3, 2, "bought", "VBD", 0.25, 1),
    ("edge", 4, 1, 3, "HeadRight", -1.5, 1),
    ("edge", 5, 3, 1, "HeadLeft", 1.0, 0),
    ("popped", 5, 1.0),
    ("edge_update", 7, "agenda", 4, 5, -2.5, STEP),
    ("weight", "dir = left", "", 0.5, 0.5 + STEP),
    ("weight", "dir = right", "", 2.0, 2.0 - STEP),
    ("weight", "size = 2", "", -0.5, -0.5 + 2 * STEP),
    ("rescored", 4, 1.5),
    ("rescored", 5, 0.5),
    ("popped", 4, 1.5),
    ("edge_update", 7, "equal", 4, 5, 1.0, 0.0),
    ("stopped", "limit"),
    ("begin", ["Lotus"], [1], 1, 4),
    ("leaf", 1, 0, "Lotus", "NP", 0.0, 1),
    ("edge_update", 8, "chart", 1, 9, -3.0, 1.0),  # the perceptron, on an edge that is not there
    ("weight", "dir = right", "", 2.0 - STEP, 3.0 - STEP),
    ("rescored", 1, 1.0),
]


def by_hand() -> wl.EventLog:
    """An update whose numbers are easy, one without a step, and one of the perceptron."""
    log = wl.EventLog()
    for event in BY_HAND:
        log.record(*event)
    return log


def picture(page: Any) -> str:
    return page.locator(".wol-updates").first.text_content()


def by_updates(page: Any, times: int = 1) -> None:
    """Forward to the end of an update, so many times."""
    page.get_by_label("Step size").select_option("update")
    for _ in range(times):
        forward(page)


# --- the books --------------------------------------------------------------------------------


def test_the_books_by_hand() -> None:
    """One shape for all updates; an update ends with its search; the past is kept."""
    log = by_hand()
    update = fold(log, 13, "updates")["update"]
    assert {name: update[name] for name in ("number", "search", "example", "reason", "margin")} == {
        "number": 1, "search": 1, "example": 7, "reason": "agenda", "margin": -2.5,
    }  # fmt: skip
    assert (update["positive"], update["negative"]) == (4, 5)
    assert (update["before"], update["after"]) == ([-1.5, 1.0], [1.5, 0.5])
    assert update["weights"][1] == ["dir = right", "", 2.0, 2.0 - STEP]
    assert fold(log, 17, "updates")["update"] is None
    last = fold(log, len(log), "updates")
    assert last["update"]["before"] == [0.0, None] and last["update"]["after"] == [1.0, None]
    assert [one["changes"] for one in last["past"]] == [3, 0] and last["updates"] == 3
    many = some_of(log, 0, 8)
    for i in range(WEIGHTS + 3):
        many.weight(f"f{i}", "", 0.0, 1.0)
    update = fold(many, len(many), "updates")["update"]
    assert (len(update["weights"]), update["more"]) == (WEIGHTS, 3)


@pytest.mark.parametrize("reason", ["early", "max-violation"])
def test_the_two_prefixes(reason: str) -> None:
    """The gold prefix is the fold's gold candidate after that step; the best one its first."""
    log = training_log(reason)
    found = [i + 1 for i, event in enumerate(log) if event[0] == "update"]
    assert found
    for k in found:
        state = fold(log, k, "updates")
        update = state["update"]
        column = next(one for one in fold(log, k)["columns"] if one["step"] == update["actions"])
        assert update["negative"] == column["states"][0]["serial"] != update["positive"]
        assert update["positive"] == (-1 if column["gold"] is None else column["gold"])
        assert update["before"] == [log.events[k - 1][4], log.events[k - 1][5]]


RECKON = """(packed) => {
  const log = new Log(packed), replay = new Replay(log, VIEWS.updates), found = [];
  for (let k = 1; k <= log.length; k += 1) {
    if (!log.stops(k, "update")) continue;
    const {update} = replay.at(k);
    if (!update?.step) continue;
    found.push({...reckon(update, changesOf(update), log), margin: update.margin});
  }
  return found;
}"""


def test_the_sums_add_up(module) -> None:
    """Points make the margin before, and what follows for after is what the learner rescored."""
    for update in ("large-margin", "scaled"):
        for negatives in ("expand", "stop"):
            found = module(RECKON, guided_log(update, negatives))
            assert len(found) >= 8 and all(one["adds"] for one in found)
            assert [one["after"] for one in found] == pytest.approx([1.0] * len(found))
            rescored = [one["rescored"] for one in found if one["rescored"] is not None]
            assert rescored == pytest.approx([1.0] * len(rescored))
            assert len(rescored) >= 20 or negatives == "stop"
    for reason in ("early", "max-violation"):
        found = module(RECKON, training_log(reason))
        assert len(found) >= 8 and all(one["adds"] for one in found)
        afters = [one["margin"] + one["added"] for one in found]
        assert [one["after"] for one in found] == pytest.approx(afters)
    found = module(RECKON, guided_log("perceptron", "discard"))
    assert len(found) >= 20 and not all(one["adds"] for one in found)
    assert all(one["lastOnly"] and one["after"] == one["rescored"] for one in found)


HISTORIES = """(packed, asked) => {
  const log = new Log(packed);
  return asked.map(([k, feature, action]) => weightHistory(log, k, feature, action));
}"""


def test_the_history_of_a_weight(module) -> None:
    """By hand, and the same in the player, on real and wild logs, at any moment."""
    log = by_hand()
    moves = history(log, len(log), "dir = right")
    assert [(one["update"], one["example"], one["units"]) for one in moves] == [
        (1, 7, BAG),
        (3, 8, ["Lotus"]),
    ]
    assert moves[0]["after"] == moves[1]["before"] == 2.0 - STEP
    assert history(log, 9, "dir = right") == [] == history(log, len(log), "dir = up")
    with pytest.raises(ValueError, match="not among"):
        history(log, len(log) + 1, "dir = right")
    chance = random.Random(4)
    logs = [log, guided_log(), training_log(), wild_log(2, 300), wild_search(2, 300)]
    for one in [*logs, some_of(guided_log(), 200, 900, only=["weight"])]:
        weights = [event for event in one if event[0] == "weight"]
        asked = [
            [chance.randint(0, len(one)), *event[1:3]] for event in chance.choices(weights, k=25)
        ]
        found = module(HISTORIES, one, asked)
        mine = [history(one, *each) for each in asked]
        assert json.loads(json.dumps(mine)) == found
        assert any(mine) or one is log


# --- on the screen ----------------------------------------------------------------------------


def test_an_update_is_on_the_screen(page, tmp_path) -> None:
    """Both edges, the features by points, the sums, the reason; no word becomes HTML."""
    player = show(page, tmp_path, by_hand(), view="updates")
    assert "No update in search 1 yet" in picture(page)
    by_updates(page)
    assert events(page) == 13
    label = page.locator(".wol-updates").get_attribute("aria-label")
    assert label.startswith("Update 1: margin −2.5 → 1. dir = right cost the most")
    shown = picture(page)
    assert "positive: gold edge 4" in shown and "negative: edge 5" in shown
    assert "since a wrong edge was popped" in shown and "Margin −2.5 → 1" in shown
    bars = page.locator(".wol-updates .wol-bar").all()
    fills = {bar.evaluate("(one) => getComputedStyle(one).fill") for bar in bars}
    assert len(bars) > 4 and "rgba(0, 0, 0, 0)" not in fills
    assert "margin: the sum−2.50 → 1.00" in shown.replace("margin: the sum: −2.50 | 1.00", "")
    assert page.locator(".wol-updates .wol-arc").count() == 2
    rows = page.locator(".wol-press:not(.wol-order)")
    names = [row.get_attribute("aria-label") for row in rows.all()]
    assert [name.split(":")[0] for name in names] == ["dir = right", "size = 2", "dir = left"]
    assert "weight 2 to 1.42, −2 points before, −1.42 after" in names[0]
    page.get_by_role("button", name="Sort: largest change first").click()
    assert rows.first.get_attribute("aria-label").startswith("size = 2: in + minus in − +2")
    assert told(page).startswith("Update 1: a wrong edge was popped. Gold, “")
    outcome = "3 weights changed, and now it is 1 ahead."
    assert re.search(rf"was 2\.5 behind “.*”; {outcome}", told(page))
    assert " = " not in told(page), "names of features stand beside their bars"
    by_updates(page)
    assert "No update 2 (equal features)" in picture(page) and "Without a step" in picture(page)
    by_updates(page)
    assert "The edge is not in the log" in picture(page)
    assert player.locator("script, img").count() == 0
    assert page.evaluate("window.hacked") is None


PERCEPTRON = "The perceptron takes the features of the last action of each edge alone."


def test_a_log_is_the_perceptrons_as_a_whole(page, tmp_path) -> None:
    """All its steps are 1. Where others are not, a step of 1 is a chance, and nothing is said."""
    show(page, tmp_path, by_hand(), view="updates", at=len(BY_HAND))
    assert PERCEPTRON not in picture(page)
    show(page, tmp_path, some_of(by_hand(), 16, 21), view="updates", at=5)
    assert PERCEPTRON in picture(page) and "what their parts brought−4.42" in picture(page)
    assert "What the margin is now, the log does not say" in picture(page)


OLD = "By the scores they were ranked by the margin was −2.5; these were old"


def test_old_scores_and_fresh_ones(page, tmp_path) -> None:
    """Boxes have what edges were ranked by; where the margin is another one, that is said."""
    log = wl.EventLog()
    for event in BY_HAND[:13]:
        fresh = event[0] == "edge_update"
        log.record(*((*event[:5], -1.25, STEP) if fresh else event))
    for one, old in ((by_hand(), False), (log, True)):
        show(page, tmp_path, one, view="updates")
        by_updates(page)
        assert "score −1.5 → 1.5" in picture(page)
        assert (OLD in picture(page)) == old
    assert "Margin −1.25" in picture(page)


def test_weights_that_are_not_in_the_log(page, tmp_path) -> None:
    """Cut after the update, or recorded without them: not told is not unchanged."""
    missing = "its weights are not in the log"
    without = some_of(by_hand(), 0, 13, only=["begin", "leaf", "edge", "edge_update", "rescored"])
    prefixes = some_of(training_log(only=("update",)), 0, 1)
    cut = some_of(by_hand(), 0, 13, max_events=8)
    for log in (without, prefixes, cut, some_of(by_hand(), 0, 8)):
        show(page, tmp_path, log, view="updates", at=len(log))
        assert missing in picture(page) and "weights changed" not in picture(page)
    show(page, tmp_path, some_of(by_hand(), 0, 13, max_events=10), view="updates", at=10)
    assert "2 weights changed so far" in picture(page)
    assert "The log ends before all of them have been told" in picture(page)
    page.evaluate("wordorderPlayer.go(8)")
    assert "its weights come next" in picture(page)


def test_the_history_is_on_the_screen(page, tmp_path) -> None:
    """Enter on a row shows its weight's past, and only that; again, or the cross, closes it."""
    show(page, tmp_path, by_hand(), view="updates")
    by_updates(page, 3)
    page.locator('.wol-press[data-serial="3.0"]').focus()
    page.keyboard.press("Enter")
    moves = page.get_by_role("list", name="Updates that moved it").get_by_role("listitem")
    assert [one.get_attribute("aria-label") for one in moves.all()] == [
        "update 3, example 8, fell off the chart: 1.42 → 2.42, in the bag: Lotus",
        f"update 1, example 7, agenda: 2 → 1.42, in the bag: IBM · {EVIL} · bought",
    ]
    assert "…" not in "".join(moves.all_text_contents()), "nothing of it is cut"
    assert "2.42 now; moved by 2 of 2 updates with a step" in picture(page)
    assert page.evaluate("document.activeElement.dataset.serial") == "3.0"
    page.keyboard.press("ArrowLeft")
    assert moves.count() == 1, "the past only"
    menu(page).get_by_label("Rows").select_option("3")
    page.get_by_role("button", name="Close the history").click()
    assert moves.count() == 0


def test_long_lists_are_counted(page, tmp_path) -> None:
    log = by_hand()
    log.edge_update(9, "agenda", 1, 1, 0.0, 0.5)
    for i in range(1, 41):
        log.weight(f"f{i}", "", -i, 0.5 - i)
    show(page, tmp_path, log, view="updates", at=len(log))
    assert re.search("3[3-8] more features", picture(page))
    assert "f40 cost the most" in page.locator(".wol-updates").get_attribute("aria-label")


def test_prefixes_on_the_screen(page, tmp_path) -> None:
    """The transition learner: both prefixes; each weight once, though it may change twice."""
    log = training_log()
    show(page, tmp_path, log, view="updates")
    by_updates(page, 3)
    k = events(page)
    update = fold(log, k, "updates")["update"]
    assert f"gold prefix, {update['actions']} action" in picture(page)
    rows = table(page)
    changes: dict[tuple[str, str], list[float]] = {}
    for feature, action, before, after in update["weights"]:
        changes.setdefault((feature, action), [before, after])[1] = after
    moved = {name: pair for name, pair in changes.items() if pair[0] != pair[1]}
    shown = {
        (row["feature"], row["action"]): [float(row["before"]), float(row["after"])] for row in rows
    }
    assert shown == moved and len(moved) > 10
    points = [float(row["points"]) for row in rows]
    assert points == sorted(points)


def test_two_learners_on_one_clock(page, tmp_path) -> None:
    """Each draws its own; a step is the next update of either."""
    logs = guided_log("perceptron"), guided_log("scaled")
    show(page, tmp_path, *logs, view="updates", names=("perceptron", "scaled"))
    stops = set()
    for _ in range(6):
        by_updates(page)
        stops.add(tuple(page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")))
    assert len(stops) == 6
    updates = [fold(log, k, "updates")["updates"] for log, k in zip(logs, max(stops), strict=True)]
    shown = page.locator(".wol-updates").all_text_contents()
    for count, text in zip(updates, shown, strict=True):
        assert f"{count} update" in text


def test_what_differs_is_lit_and_the_cause_is_a_press_away(page, tmp_path) -> None:
    """Words and arcs of one side alone; features in words; the pop, or where gold fell."""
    show(page, tmp_path, by_hand(), view="updates")
    by_updates(page)
    lit = page.locator(".wol-updates .wol-differs")
    # IBM <- bought against bought -> IBM: one word keeps its place, both arcs are different.
    assert lit.locator(".wol-arc").count() == 2
    assert page.locator(".wol-updates text.wol-differs").count() == 2
    row = page.locator('.wol-press[data-serial="1.0"]').text_content()
    assert "Side of the dependent: “left”" in row and "dir = left" in row
    page.locator('[data-serial="cause"]').click()
    assert [event[0] for event in BY_HAND[:7]][-1] == "popped" and events(page) == 7
    assert page.evaluate("wordorderPlayer.viewName") == "agenda"
    assert page.evaluate("wordorderPlayer.selected[0].serial") == 5
    log = training_log()
    show(page, tmp_path, log, view="updates")
    by_updates(page)
    page.locator('[data-serial="cause"]').click()
    kind, _, _, rank = log.events[events(page) - 1]
    assert (kind, rank) == ("gold", -1) and page.evaluate("wordorderPlayer.viewName") == "beam"
