"""The player as a page, in a real browser: what it shows, what its controls do, what it takes."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import grows_in_presentation_mode, menu, ready
from ccg_logs import ccg_guided_log, ccg_log, wild_ccg
from random_logs import (
    best_first_log,
    figure_4_log,
    guided_log,
    ordering_log,
    some_of,
    training_log,
    wild_log,
    wild_search,
)
from sentence_logs import deletion_log, parsing_log, wild_sentence
from transduction_logs import compression_log, wild_transduction

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import VIEWS, fold, views_of
from wordorder_lab.widgets.module import style_text


def show(page: Any, folder: Path, log: wl.EventLog, other: wl.EventLog | None = None, **how: Any):
    """Write the player as a page, open it at its begin with six rows, wait until it plays."""
    how = {"at": int(log.events[0][0] == "begin"), **how}
    path = wl.to_html(log, folder / "player.html", other, **how)
    ready(page, path)
    page.evaluate("wordorderPlayer.setRows(6)")
    return page.locator(".wol-player")


def place(page: Any) -> str:
    """Where the player says it is: ``event 3 of 40``."""
    return page.get_by_label("Position").inner_text().partition(" · ")[2]


def events(page: Any) -> int:
    """The same as a number, for the first log."""
    return int(place(page).split()[1].replace(",", ""))


def told(page: Any) -> str:
    """The sentence about the moment."""
    return page.locator(".wol-narration").inner_text()


def forward(page: Any) -> int:
    """One step; returns the event at which it ends."""
    page.get_by_label("Forward", exact=True).click()
    return events(page)


def download(page: Any, what: str) -> str:
    """What an export button gives."""
    with page.expect_download() as waiting:
        menu(page).get_by_label(f"Export {what}").click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def table(page: Any) -> list[dict[str, str]]:
    """The table of a view, as it is exported."""
    return list(csv.DictReader(io.StringIO(download(page, "CSV"))))


ASKED = """() => {
  const player = wordorderPlayer;
  return player.quiz.view.quiz.ask(player.logs[0], player.tick, player.state(0));
}"""


# --- the fold ---------------------------------------------------------------------------------


@cache
def logs_of_all_sorts() -> list[wl.EventLog]:
    """Real and wild ones, for reading only."""
    logs = [ordering_log(3), ordering_log(16), training_log(), training_log("max-violation")]
    logs += [wild_log(seed, 300) for seed in range(12)] + [figure_4_log()]
    logs += [best_first_log(), guided_log(), guided_log("perceptron", "discard")]
    logs += [wild_search(seed, 300) for seed in range(12)]
    logs += [wild_ccg(seed, 300) for seed in range(6)] + [ccg_log(), ccg_guided_log()]
    logs += [wild_transduction(seed, 300) for seed in range(12)] + [compression_log()]
    logs += [wild_sentence(seed, 300) for seed in range(8)]
    return [*logs, parsing_log(), deletion_log(), deletion_log(length=5)]


def folded(log: wl.EventLog, ks: list[int], view: str) -> list[Any]:
    """What ``fold`` gives after so many events each, as JSON has it, in one pass over the log."""
    state, shown = VIEWS[view].start(), {}
    for k, event in enumerate([None, *log]):
        if event is not None:
            VIEWS[view].apply(state, event)
        if k in ks:
            shown[k] = json.loads(json.dumps(state))
    assert shown[max(ks)] == json.loads(json.dumps(fold(log, max(ks), view)))
    return [shown[k] for k in ks]


@pytest.fixture(scope="module")
def sent(module) -> None:
    """They are in the browser."""
    module("(logs) => { sent = logs.map((log) => new Log(log)); }", logs_of_all_sorts())


@pytest.mark.usefixtures("sent")
@pytest.mark.parametrize("view", VIEWS)
def test_javascript_folds_as_python_does(module, view: str) -> None:
    """The same state to the last number, at random moments of real and of wild logs."""
    chance = random.Random(3)
    logs = logs_of_all_sorts()
    ks = [[*sorted(chance.choices(range(len(log) + 1), k=12)), len(log), 0] for log in logs]
    told = module(
        """(ks, view) => sent.map((log, i) => {
          const replay = new Replay(log, VIEWS[view]);
          return ks[i].map((k) => JSON.stringify(replay.at(k)));
        })""",
        ks,
        view,
    )
    for log, places, states in zip(logs, ks, told, strict=True):
        for k, state, wanted in zip(places, states, folded(log, places, view), strict=True):
            assert json.loads(state) == wanted, k


# --- transport --------------------------------------------------------------------------------


def test_buttons_keys_and_steps(page, tmp_path) -> None:
    log = ordering_log(3)
    kinds = [event[0] for event in log]
    show(page, tmp_path, log)
    assert events(page) == 1
    page.get_by_label("Forward", exact=True).click()
    assert kinds[events(page)] == "step" and events(page) > 1
    made = fold(log, events(page))["columns"][1]["made"]
    summary = f"Step 1: {made} candidates made, 3 kept, {made - 3} cut."
    assert told(page).startswith(summary)
    page.get_by_label("Step size").select_option("event")
    here = events(page)
    page.get_by_label("Forward", exact=True).press("ArrowRight")
    assert events(page) == here + 1
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert events(page) == here - 1
    page.get_by_label("Step size").select_option("sentence")
    page.get_by_label("Back", exact=True).click()
    assert events(page) == 0
    page.keyboard.press("End")
    assert events(page) == len(log)
    assert page.get_by_label("Forward", exact=True).get_attribute("aria-disabled") == "true"
    page.keyboard.press("Home")
    assert events(page) == 0
    slider = page.get_by_label("Timeline")
    slider.fill("3")  # the begin, and two steps
    assert kinds[events(page)] == "step" and kinds[: events(page)].count("step") == 2
    here = events(page)
    page.get_by_label("Step size").select_option("event")
    slider.press("ArrowRight")
    assert events(page) == here + 1
    slider.press(" ")
    page.get_by_label("Pause").wait_for()
    while events(page) < here + 3:
        page.wait_for_timeout(20)
    slider.press(" ")
    page.get_by_label("Play", exact=True).wait_for()


def test_no_key_leaves_the_player(page, tmp_path) -> None:
    """Jupyter listens on the document: `b` would insert a cell, `d d` delete one."""
    player = show(page, tmp_path, ordering_log(3))
    page.evaluate(
        "() => { window.heard = []; document.onkeydown = (event) => heard.push(event.key); }"
    )
    page.get_by_label("Forward", exact=True).focus()
    for key in ["b", "d", "d", "ArrowRight", "Home", " ", "Escape", "Enter"]:
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    assert player.get_attribute("data-lm-suppress-shortcuts") == "true"


def test_jumps(page, tmp_path) -> None:
    log = training_log()
    kinds = [event[0] for event in log]
    show(page, tmp_path, log)
    page.get_by_label("Kind of event").select_option("update")
    updates = [i + 1 for i, kind in enumerate(kinds) if kind == "update"]
    for wanted in updates[:3]:
        page.get_by_label("Jump to").click()
        assert events(page) == wanted
    menu(page).get_by_label("Previous of this kind").click()
    assert events(page) == updates[1]
    page.get_by_label("Last").click()
    page.get_by_label("Jump to").click()
    assert events(page) == updates[0] and "this is the first update event" in told(page)


def test_two_logs_on_one_clock(page, tmp_path) -> None:
    """Beams of 2 and of 4 tell the same until the narrow one cuts what the wide one keeps."""
    a, b = ordering_log(2), ordering_log(4)
    show(page, tmp_path, a, b, names=("two", "four"))
    menu(page).get_by_label("Level of the difference").select_option("all")
    page.get_by_label("First difference").click()
    first = next(i for i, (x, y) in enumerate(zip(a, b)) if i and x != y)
    assert events(page) == first + 1
    said = told(page)
    assert "A: " in said and "is cut" in said and "B: TOP-K keeps" in said
    page.get_by_label("Step size").select_option("step")
    steps = sum(event[0] == "step" for event in a)
    page.keyboard.press("Home")
    page.get_by_label("Forward", exact=True).click()
    for step in range(1, steps + 1):
        page.get_by_label("Forward", exact=True).click()
        ks = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)")
        here = [fold(log, k)["step"] for log, k in zip((a, b), ks)]
        assert here == [step, step]
    page.keyboard.press("End")
    assert page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)") == [len(a), len(b)]
    show(page, tmp_path, a, ordering_log(2))
    page.get_by_label("First difference").click()
    assert "There is no difference" in told(page)


def made_of(log: wl.EventLog) -> dict[int, tuple[str, ...]]:
    """The actions that lead to each state of a search with a beam."""
    paths: dict[int, tuple[str, ...]] = {0: ()}
    for kind, *values in log:
        if kind == "candidate":
            paths[values[0]] = (*paths[values[1]], values[2])
    return paths


def test_differences_of_what_is_kept_and_of_winners(page, tmp_path) -> None:
    """What is only scored and cut is none; numbers of states are none either."""
    a, b = ordering_log(2), ordering_log(4)
    show(page, tmp_path, a, b)
    paths = [made_of(log) for log in (a, b)]
    kept = [
        [(paths[i][event[1]], k) for k, event in enumerate(log, 1) if event[0] == "kept"]
        for i, log in enumerate((a, b))
    ]
    wanted = next([x[1], y[1]] for x, y in zip(*kept) if x[0] != y[0])
    menu(page).get_by_label("Level of the difference").select_option("kept")
    page.get_by_label("First difference").click()
    here = "wordorderPlayer.clock.at(wordorderPlayer.tick)"
    assert all(k >= least for k, least in zip(page.evaluate(here), wanted))
    at = page.evaluate("wordorderPlayer.differenceAt('kept')")
    assert at == max(
        page.evaluate("([k, i]) => wordorderPlayer.clock.tickOf(k, i)", [k, i])
        for i, k in enumerate(wanted)
    )
    show(page, tmp_path, best_first_log(beam=12), best_first_log(beam=12))
    for level in ("kept", "winner"):
        menu(page).get_by_label("Level of the difference").select_option(level)
        page.get_by_label("First difference").click()
        assert "There is no difference" in told(page)


def test_first_difference_is_where_the_winners_part(page, tmp_path) -> None:
    """Unasked: the first action that leads to the one winner and not to the other is told."""
    a, b = ordering_log(1), ordering_log(16)
    paths = [made_of(log) for log in (a, b)]
    ends = [next(event[1] for event in log if event[0] == "finished") for log in (a, b)]
    ways = [path[end] for path, end in zip(paths, ends)]
    parted = next(i for i, (x, y) in enumerate(zip(*ways)) if x != y)
    show(page, tmp_path, a, b)
    page.get_by_label("First difference").click()
    for path, way, said in zip(paths, ways, told(page).split(" B: "), strict=True):
        (serial,) = (serial for serial, made in path.items() if made == way[: parted + 1])
        assert f"candidate {serial}," in said
    states = page.evaluate("[0, 1].map((i) => wordorderPlayer.state(i).step)")
    assert states == [parted + 1, parted + 1]


# --- what is shown ----------------------------------------------------------------------------


def test_the_beam_is_on_the_screen(page, tmp_path) -> None:
    log = ordering_log(3)
    show(page, tmp_path, log)
    page.keyboard.press("Tab")
    page.get_by_label("Last").click()
    state = fold(log, len(log))
    best = state["columns"][-1]["states"][0]
    card = page.locator(f'[data-serial="{best["serial"]}"]')
    assert "rank 1" in card.get_attribute("aria-label")
    assert " ".join(unit for unit, _ in best["order"]) in card.get_attribute("aria-label")
    lit = page.locator(".wol-lit")
    assert lit.inner_text() == "best ← BEST(candidates)"
    assert lit.get_attribute("aria-current") == "step"
    assert "The search is over" in told(page)
    page.locator(".wol-table > summary").click()
    page.locator(".wol-table tbody tr").nth(9).wait_for()
    arcs = page.locator(".wol-detail .wol-arc").count()
    assert arcs == len(best["order"]) - 1
    other = page.locator(".wol-card.wol-kept").nth(1)
    other.click()
    assert page.locator(".wol-chosen").count() == 1
    assert page.locator(".wol-chosen").get_attribute("aria-pressed") == "true"


def test_early_update_is_on_the_screen(page, tmp_path) -> None:
    """Gold is starred until it is cut; then it is a ghost, and the learner's line is lit."""
    log = training_log()
    show(page, tmp_path, log)
    page.get_by_label("Kind of event").select_option("update")
    page.get_by_label("Jump to").click()
    page.keyboard.press("Tab")
    ghost = page.locator(".wol-card.wol-gold.wol-cut")
    assert "★" in ghost.text_content() and "gold" in ghost.get_attribute("aria-label")
    assert page.get_by_text("✕ gold is cut").count() == 1
    assert "Early update" in told(page)
    assert page.locator(".wol-lit").inner_text().startswith("early update")
    weights = fold(log, events(page) + 3)["update"]["weights"]
    page.get_by_label("Step size").select_option("event")
    for _ in range(3):
        page.get_by_label("Forward", exact=True).click()
    assert weights[0][0] in page.locator(".wol-detail").text_content()


def test_a_cut_log_says_so(page, tmp_path) -> None:
    show(page, tmp_path, training_log(), max_events=50)
    page.get_by_label("Last").click()
    kept = sum(event[0] in ("learned", "epoch") for event in training_log())  # these always stay
    assert 50 < events(page) <= 50 + kept and "(cut)" in place(page)
    assert "more events were left out" in told(page)


def test_words_are_text(page, tmp_path) -> None:
    """A word that looks like HTML is a word: on cards, in the title, in tables, in exports."""
    evil = [
        '<script>window.hacked="1"</script>',
        "<img src=x onerror=window.hacked=1>",
        "</script>",
    ]
    log = wl.EventLog()
    log.begin([*evil, "&amp;"], [1] * 4, 4, 2)
    for step, word in enumerate(evil, 1):
        log.step(step)
        log.candidate(step, step - 1, f"SHIFT-{word}-<b>", 1.0)
        log.kept(step, 0)
    player = show(page, tmp_path, log, at=len(log))
    page.locator(".wol-table > summary").click()
    page.locator(".wol-table tbody tr").nth(2).wait_for()
    label = page.locator('[data-serial="3"]').get_attribute("aria-label")
    assert all(word in label for word in evil)
    page.get_by_label("View", exact=True).select_option("spans")
    assert player.locator("script, img, b").count() == 0
    assert page.evaluate("window.hacked") is None
    assert evil[0] in page.title()


DRAW = """(view) => {
  const player = wordorderPlayer, { clock, root } = player, wrong = [];
  player.rows = 1000;
  const least = player.viewName === "learning" ? 17 : 3; // each is slow to draw whole
  const by = Math.max(least, Math.round(clock.last / 25));
  for (let tick = clock.last, i = 0; tick >= 0; tick -= by, i += 1) {
    if (player.viewName !== view) wrong.push(`${player.viewName} at ${tick}`);
    if (i % 3 === 1) player.select(0, { serial: 1 + (tick % 11), search: player.state(0).search });
    else if (i % 3 === 0) player.selected = [null];
    if (i % 10 === 0 && (player.quiz.on || player.quiz.possible)) player.toggleQuiz();
    player.go(tick, i % 2);
    const picture = player.stages[0].querySelector("svg[viewBox]");
    if (!picture) wrong.push(`no picture at ${tick}`);
    const rows = i % 10 === 1 ? JSON.stringify(player.tableOf(0)) : "";
    if (/NaN|undefined|Infinity|\\[object/.test(root.textContent + picture?.ariaLabel + rows))
      wrong.push(`a hole at ${tick}`);
    if (root.querySelector("script, img, b, i, u") || window.hacked) wrong.push(`HTML at ${tick}`);
    const press = i % 3 === 2 ? root.querySelectorAll(".wol-stages svg [data-serial]") : [];
    press[(7 * i) % press.length]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    if (player.viewName !== view) player.setView(view); // where the press has led
  }
  return wrong;
}"""


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.torture)])
@pytest.mark.parametrize("view", VIEWS)
def test_every_moment_can_be_drawn(page, tmp_path, view: str, half: int) -> None:
    """Wild, gappy and cut logs and whole trainings, backwards, whatever is chosen, quiz or not.

    There is a picture at some 25 moments each, no hole in any sentence, and no word is markup. Of
    the logs that a view can show every second one is for the night, other ones in the next view.
    """
    logs = [training_log("max-violation"), wild_log(4, 400), figure_4_log()]
    logs += [best_first_log(), wild_search(4, 400), guided_log(max_events=900)]
    logs += [compression_log(), wild_transduction(4, 400)]
    logs += [parsing_log(fails=True), deletion_log(length=4)]
    logs += [wild_sentence(4, 400), wild_sentence(5, 400)]
    logs += [
        training_log(max_events=50),
        guided_log(only=("leaf", "popped", "edge_update", "weight")),
    ]
    logs += [some_of(guided_log(), 333, 1200), some_of(training_log(), 77, 700)]
    logs += [wild_ccg(2, 300)]
    begin = ([*VIEWS].index(view) + half) % 2
    for log in [log for log in logs if view in views_of(log)][begin::2]:
        show(page, tmp_path, log, view=view)
        assert page.evaluate(DRAW, view) == []


# --- exports ----------------------------------------------------------------------------


def test_focus_and_choice_keep_their_place(page, tmp_path) -> None:
    """Keys work at once, after any click, without a card; a choice ends with its search."""
    log = training_log()
    show(page, tmp_path, log, log)
    page.keyboard.press("ArrowRight")
    before = events(page)
    assert before > 1
    page.locator(".wol-stage").nth(1).locator(".wol-card").nth(1).click()
    inside = "wordorderPlayer.stages.map((stage) => stage.contains(document.activeElement))"
    assert page.evaluate(inside) == [False, True]
    chosen = page.locator(".wol-stage").nth(1).locator(".wol-chosen").get_attribute("data-serial")
    page.get_by_label("Step size").select_option("sentence")
    page.locator(".wol-narration").click()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert events(page) > before
    state = fold(log, events(page))
    best = (state["finished"] or state["columns"][-1]["states"][0])["serial"]
    stage = page.locator(".wol-stage").nth(1)
    assert stage.locator(".wol-chosen").get_attribute("data-serial") == str(best)
    assert state["search"] > 1 and chosen is not None


def test_exports(page, tmp_path) -> None:
    log = ordering_log(3)
    show(page, tmp_path, log)
    page.get_by_label("Last").click()
    picture = ElementTree.fromstring(download(page, "SVG"))
    texts = ["".join(each.itertext()) for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert any("SHIFT" in text for text in texts)
    styles = [element.get("style") or "" for element in picture.iter()]
    assert any("stroke: rgb" in style for style in styles)
    rows = table(page)
    last = [row for row in rows if row["step"] == str(fold(log, len(log))["step"])]
    scores = [one["score"] for one in fold(log, len(log))["columns"][-1]["states"]]
    assert [float(row["score"]) for row in last if row["outcome"] == "kept"] == scores
    (tmp_path / "again.html").write_text(download(page, "HTML"), encoding="utf-8")
    ready(page, tmp_path / "again.html")
    page.get_by_label("Last").click()
    assert events(page) == len(log)


def test_a_page_is_small(tmp_path) -> None:
    """Ten words at beam 16, and the whole player with it."""
    log = ordering_log(16, "boats near the pier unseen by old green x .")
    size = wl.to_html(log, tmp_path / "ten.html").stat().st_size
    print(f"{size:,} bytes for {len(log):,} events")
    # It was 212,572 before serials were packed as steps; with a reason for each score a page may
    # have 450 KB.
    assert size < 180_000


# --- everybody can use it ---------------------------------------------------------------------

CONTROLS = {"button", "combobox", "slider", "checkbox", "textbox", "DisclosureTriangle"}


def named_controls(page: Any, roles: set[str] = CONTROLS) -> list[dict[str, Any]]:
    """What the accessibility tree has of controls; each of them has a name there."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    nodes = [one for one in tree if one.get("role", {}).get("value") in roles]
    assert not [one for one in nodes if not one.get("name", {}).get("value")]
    return nodes


def test_every_control_has_a_name_and_can_be_reached(page, tmp_path) -> None:
    """The accessibility tree names all controls; the Tab key comes by each of them."""
    show(page, tmp_path, ordering_log(3), ordering_log(2), at=len(ordering_log(3)))
    menu(page)
    assert len(named_controls(page)) > 20
    expected = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, summary")]
          .filter((one) => one.checkVisibility()).map((one, i) => (one.dataset.number = i))"""
    )
    page.evaluate("document.activeElement.blur()")
    reached, cards = set(), 0
    for _ in range(len(expected) + 14):
        page.keyboard.press("Tab")
        number, card = page.evaluate(
            "[document.activeElement.dataset.number, document.activeElement.dataset.serial]"
        )
        reached.add(number)
        cards += card is not None
    assert {str(number) for number in expected} <= reached
    assert cards >= 2, "a card of each picture"
    card = page.locator("[data-serial][tabindex='0']").first
    card.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.serial") is not None
    assert page.locator(".wol-narration").get_attribute("aria-live") == "polite"


def test_themes_and_projector(page, tmp_path) -> None:
    """The theme follows the system and Jupyter, or is chosen."""
    player = show(page, tmp_path, ordering_log(3))
    paper = "(one) => getComputedStyle(one).backgroundColor"
    light = player.evaluate(paper)
    page.emulate_media(color_scheme="dark")
    page.locator(".wol-player[data-theme=dark]").wait_for()
    assert player.evaluate(paper) != light
    menu(page).get_by_label("Theme").select_option("light")
    assert player.evaluate(paper) == light
    menu(page).get_by_label("Theme").select_option("auto")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.locator(".wol-player[data-theme=light]").wait_for()
    grows_in_presentation_mode(page, ".wol-card rect")


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"log": wl.EventLog()}, "empty"),
        ({"log": [("step", 1)]}, "EventLog"),
        ({"view": "agenda"}, "of this log; there are beam, spans"),
        ({"names": ("A",)}, "two"),
        ({"max_events": 0}, "at least 1"),
    ],
    ids=str,
)
def test_what_cannot_be_played(tmp_path, wrong: dict, match: str) -> None:
    log = wl.EventLog()
    log.step(1)
    given = {"log": log, **wrong}
    with pytest.raises(ValueError, match=match):
        wl.to_html(given.pop("log"), tmp_path / "x.html", **given)
    assert not list(tmp_path.iterdir())


def test_the_style_sheet_keeps_to_the_player() -> None:
    """Every rule is below .wol-player: other pictures on a notebook's page keep their look."""
    rules = re.sub(r"/\*.*?\*/|@(?:media|container)[^{]*\{", "", style_text(), flags=re.DOTALL)
    selectors = [one for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",\n")]
    assert len(selectors) > 50
    assert not [one.strip() for one in selectors if not one.strip().startswith(".wol-player")]
