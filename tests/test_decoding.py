"""You are the decoder: the turns of the game, in Python and in the browser, and its page."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_guided_log, ccg_log, wild_ccg
from decoder_turns import MOST_OPTIONS, Turn, turns
from random_logs import (
    best_first_log,
    figure_4_log,
    guided_log,
    ordering_log,
    training_log,
    wild_log,
    wild_search,
)
from test_race import left_to_right_log
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.trace.reducers.decoding import MOST_TURNS, first_question


def logs() -> list[wl.EventLog]:
    real = [ordering_log(3), training_log(), best_first_log(), guided_log(), ccg_log()]
    real += [ccg_guided_log(), figure_4_log(), left_to_right_log(), compression_log()]
    wild = [make(seed, 300) for make in (wild_log, wild_search, wild_ccg) for seed in range(4)]
    return real + wild


def played(log: wl.EventLog, search: int, chance: random.Random) -> list[int]:
    """Choices at random, to the end."""
    chosen: list[int] = []
    while (game := turns(log, search, chosen)) and "choice" not in game[-1]:
        chosen.append(chance.choice(game[-1]["options"])[0])
    return chosen


# --- the turns --------------------------------------------------------------------------------


def beam_log(gold: bool = True) -> wl.EventLog:
    """Two steps with a beam of 2: gold is kept at rank 2, then it is cut."""
    log = wl.EventLog()
    log.begin(["a", "b", "c"], [1, 1, 1], 3, 2)
    log.step(1)
    for serial, unit, score in [(1, "a", 3.0), (2, "b", 3.0), (3, "c", 1.0)]:
        log.candidate(serial, 0, f"SHIFT-{unit}-N", score)
    log.kept(1, 0)
    log.kept(2, 1)
    log.cut(3, 2.0)
    if gold:
        log.gold(1, 2, 1)
    log.step(2)
    for serial, parent, unit, score in [
        (4, 1, "b", 9.0),
        (5, 1, "c", 8.0),
        (6, 2, "a", 7.0),
        (7, 2, "c", 4.0),
    ]:
        log.candidate(serial, parent, f"SHIFT-{unit}-N", score)
    log.kept(4, 0)
    log.kept(5, 1)
    log.cut(6, 1.0)
    log.cut(7, 4.0)
    if gold:
        log.gold(2, 6, -1)
    log.finished(4, 9.0)
    return log


def test_gold_has_the_point_where_it_is_known() -> None:
    first, second = turns(beam_log(), 1, [2, 7])
    assert (first["ranks"], first["gold"], first["model"]) == ([1, 1, 3], [2], 1)
    assert (first["point"], first["model_point"], first["fate"]) == (1, 0, "kept")
    assert (second["state"], second["gold"], second["fate"]) == (2, [6], "cut")
    assert (second["point"], second["model_point"]) == (0, 1)
    assert (second["place"], second["margin"]) == (4, 4.0)


@pytest.mark.parametrize("choice", [1, 2])
def test_equals_are_all_right(choice: int) -> None:
    """Where nothing is known of gold, the first rank has the point, and both are at it."""
    first, _ = turns(beam_log(gold=False), 1, [choice])
    assert (first["point"], first["model_point"]) == (1, 1)


def test_what_the_beam_cuts_is_left_for_the_best_state() -> None:
    first, second = turns(beam_log(), 1, [3])
    assert (first["fate"], first["margin"], first["place"]) == ("cut", 2.0, 3)
    assert second["state"] == 1 and "choice" not in second


def test_a_phrase_comes_two_steps_after_its_state() -> None:
    """In a beam from left to right; what was recombined is left for the best state of its step."""
    game = turns(left_to_right_log(), 1, [1, 5])
    assert [serial for serial, _ in game[1]["options"]] == [5, 8]
    assert game[1]["fate"] == "recombined" and game[2]["state"] == 3


@pytest.mark.parametrize("make", [best_first_log, guided_log])
def test_pops_go_on_whatever_is_chosen(make: Any) -> None:
    log = make()
    chance = random.Random(1)
    game = turns(log, 1, played(log, 1, chance))
    popped = [event[1] for event in log if event[0] == "popped"]
    assert 1 < len(game) <= MOST_TURNS
    assert all(turn["model"] == popped[turn["state"] - 1] for turn in game)
    assert all(len(turn["options"]) <= MOST_OPTIONS for turn in game)
    assert any(turn["model_point"] == 0 for turn in game) or make is best_first_log
    models = turns(log, 1, [turn["model"] for turn in game])
    assert all(turn["point"] == turn["model_point"] for turn in models)


def test_what_is_not_offered_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match="99 is not offered; there are 1, 2, 3"):
        turns(beam_log(), 1, [99])
    assert turns(beam_log(), 2, []) == [] and first_question(beam_log()) == 2


PLAY = """(logs, games) => logs.map((packed, i) => {
  const log = new Log(packed);
  return games[i].map(([search, chosen]) => JSON.stringify(turnsOf(log, search, chosen)));
})"""


def test_javascript_plays_as_python_does(module) -> None:
    """The same turns to the last number, at the start, in the middle and at the end of games."""
    chance = random.Random(5)
    every, games = logs(), []
    for log in every:
        whole = [(search, played(log, search, chance)) for search in (1, 2, 3)]
        halves = [(search, chosen[: len(chosen) // 2]) for search, chosen in whole]
        games.append([*whole, *halves, (1, [])])
    told = module(PLAY, [*every], games)
    seen: list[Turn] = []
    for log, games_of, turns_of in zip(every, games, told, strict=True):
        for (search, chosen), answer in zip(games_of, turns_of, strict=True):
            expected = turns(log, search, chosen)
            assert json.loads(answer) == json.loads(json.dumps(expected))
            seen += expected
    fates = {turn.get("fate") for turn in seen}
    assert {"kept", "cut", "recombined", None} <= fates and len(seen) > 150
    assert {turn.get("point") for turn in seen} == {0, 1, None}


# --- the page ---------------------------------------------------------------------------------


def opened(page: Any, folder: Path, log: wl.EventLog) -> Any:
    path = wl.to_html(log, folder / "game.html", view="decoder")
    ready(page, path)
    return page.locator(".wol-player")


def test_the_game_by_keyboard(page, tmp_path) -> None:
    """Tab and Enter alone: no score is shown before the choice, then all are, and the total."""
    player = opened(page, tmp_path, beam_log())
    options = player.locator(".wol-decoder-options")
    assert sorted(options.locator("button").all_inner_texts()) == [
        "SHIFT a/N",
        "SHIFT b/N",
        "SHIFT c/N",
    ]
    options.get_by_text("SHIFT b/N").focus()
    page.keyboard.press("Enter")
    told = player.locator(".wol-narration")
    assert "the model gives it 3, rank 1 of 3 options" in told.inner_text()
    assert "Your choice is gold. A point. The beam keeps it" in told.inner_text()
    assert options.locator("li").all_inner_texts()[2].split() == ["3.", "SHIFT", "c/N", "1"]
    assert page.evaluate("document.activeElement.textContent") == "Next turn"
    page.keyboard.press("Enter")
    assert "[b]" in player.locator(".wol-decoder svg").text_content()
    options.get_by_text("SHIFT c/N").focus()
    page.keyboard.press("Enter")
    assert "Gold is SHIFT a/N, with 7, rank 1. No point." in told.inner_text()
    assert "you have 1 point in 2 turns; the model would have got 1." in told.inner_text()
    go_to(page, 2)
    tally = player.locator(".wol-decoder-tally")
    assert tally.inner_text() == "Turn 1: you have 1 point in 2 turns"
    rows = page.evaluate("wordorderPlayer.tableOf(0).rows")
    assert [(row[1], row[7], row[8]) for row in rows] == [("SHIFT b/N", 1, 0), ("SHIFT c/N", 0, 1)]
    player.locator("[data-next]").focus()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.textContent") == "Once more"
    page.keyboard.press("Enter")
    assert tally.inner_text().startswith("Turn 1: you have 0")


HIDES = """() => [...document.querySelectorAll(".wol-narration, .wol-decoder")]
  .map((one) => one.innerText).join(" ")"""


@pytest.mark.parametrize("make", [lambda: ordering_log(16), best_first_log, ccg_log, guided_log])
def test_a_whole_game_on_one_screen(page, tmp_path, make: Any) -> None:
    """Played to its end at four widths; options are buttons with other names, no score among
    them."""
    log = make()
    player = opened(page, tmp_path, log)
    game = len(turns(log, 1, []) and turns(log, 1, played(log, 1, random.Random(2))))
    for turn, (width, height) in enumerate([(968, 900), (1280, 720), (1920, 1080), (700, 800)] * 9):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(30)
        buttons = player.locator(".wol-decoder-options button")
        names = buttons.all_inner_texts()
        assert len(names) > 1
        box = player.bounding_box()
        assert box["height"] <= (height if width > 1400 else 700) and box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        asked = page.evaluate(HIDES)
        assert "score" not in asked and "★" not in asked and "gives it" not in asked
        buttons.nth(turn % len(names)).click()
        assert "the model gives it" in player.locator(".wol-narration").inner_text()
        onward = player.locator(".wol-decoder [data-next]")
        if onward.inner_text() == "Once more":
            break
        onward.click()
    assert turn + 1 >= min(game, 5)
    assert "The game is over" in player.locator(".wol-narration").inner_text()


def test_the_game_is_in_no_other_page(page, tmp_path) -> None:
    """With two logs, and in a page of another view, the list of views is without it."""
    log = ordering_log(2)
    views = "[...document.querySelector('[aria-label=View]').options].map((one) => one.value)"
    path = wl.to_html(log, tmp_path / "other.html")
    ready(page, path)
    assert "decoder" not in page.evaluate(views)
    opened(page, tmp_path, log)
    assert page.evaluate(views)[-2:] == ["decoder", "together"]
    assert page.evaluate("wordorderPlayer.viewName") == "decoder"
    with pytest.raises(ValueError, match="no view 'decoder' of this log"):
        wl.to_html(log, tmp_path / "two.html", log, view="decoder")
    with pytest.raises(ValueError, match="no view 'decoder' of this log"):
        wl.to_html(compression_log(), tmp_path / "two.html", view="decoder")


def test_a_lecture_may_hold_the_game(page, tmp_path) -> None:
    path = wl.lecture([(beam_log(), [(2, "What now?")], "decoder")], tmp_path / "day.html")
    ready(page, path)
    assert page.locator(".wol-decoder-options button").count() == 3
