"""Several searches on one bag and one clock: their rows, and the page that plays them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from ccg_logs import ccg_log
from explored import best_first, linearizer, short_sentences
from random_logs import best_first_log, ordering_log
from test_player import CONTROLS, named_controls

import wordorder_lab as wl
from wordorder_lab.trace.reducers.best_so_far import best_so_far
from wordorder_lab.widgets.race import RacePage, Racer, Row

REFERENCE = {"engine": "reference"}


def left_to_right_log() -> wl.EventLog:
    """A beam over n-grams: a phrase of two words comes two steps after its parent."""
    log = wl.EventLog()
    log.begin(["saw", "the dog", "boats"], [1, 1, 1], 3, 2)
    for step, made, kept in [
        (1, [(1, 0, "saw", -4.0), (2, 0, "boats", -3.0)], [2, 1]),
        (2, [(3, 0, "the dog", -2.5), (4, 2, "saw", -6.0), (5, 1, "boats", -6.5)], [3, 4]),
        (3, [(6, 3, "saw", -3.5), (7, 3, "boats", -5.0), (8, 1, "the dog", -9.0)], [6, 7]),
        (4, [(9, 6, "boats", -4.0), (10, 7, "saw", -7.0)], [9, 10]),
    ]:
        log.step(step)
        for serial, parent, unit, score in made:
            log.candidate(serial, parent, f"SHIFT-{unit}-", score)
        for rank, serial in enumerate(kept):
            log.kept(serial, rank)
        for serial in {one[0] for one in made} - {*kept}:
            log.pruned(serial, "recombined")
    log.finished(9, -4.0)
    return log


def test_the_best_output_so_far_of_a_beam_from_left_to_right() -> None:
    outputs = best_so_far(left_to_right_log())
    assert [(one.units, one.score) for one in outputs] == [
        (("boats",), -3.0),
        (("the dog",), -2.5),
        (("the dog", "saw"), -3.5),
        (("the dog", "saw", "boats"), -4.0),
    ]
    assert [(one.expansions, one.made) for one in outputs] == [(1, 2), (3, 5), (4, 8), (6, 10)]


@pytest.mark.parametrize("make", [best_first_log, ccg_log, lambda: ordering_log(3)])
def test_outputs_grow_with_the_work(make: Any) -> None:
    """The last is the answer of the search, and has all of its work."""
    log = make()
    outputs = best_so_far(log)
    assert all(a[:2] <= b[:2] and a[2:] != b[2:] for a, b in pairwise(outputs[:-1]))
    kinds = [event[0] for event in log]
    made = kinds.count("leaf") + kinds.count("edge") + kinds.count("candidate")
    answers = [event[2] for event in log if event[0] in ("finished", "goal")]
    assert outputs[-1].made == made
    assert outputs[-1].score in answers or (make is best_first_log and not answers)
    pops = kinds.count("popped")
    assert outputs[-1].expansions == (pops or len({e[2] for e in log if e[0] == "candidate"}))


def test_a_log_without_a_search_has_no_outputs() -> None:
    with pytest.raises(ValueError, match="no search that puts words in order"):
        best_so_far(wl.EventLog())


def test_models_race_on_one_bag() -> None:
    """The last row of each is what the model says alone; BLEU and exactness belong to the text."""
    sentence = short_sentences()[3]
    models = {"beam 4": linearizer(), "beam 1": linearizer(), "best first": best_first()}
    run = wl.race(models, sentence, search=[None, {"beam": 1}, {"expansions": 30}], **REFERENCE)
    bag = wl.bag_of(sentence, seed=1)
    alone = [
        linearizer().order(bag, **REFERENCE),
        linearizer().order(bag, beam=1, **REFERENCE),
        best_first().order(bag, expansions=30, **REFERENCE),
    ]
    for racer, result in zip(run.racers, alone, strict=True):
        last = racer.rows[-1]
        assert (last.text, last.score, racer.stopped) == (result.text, result.score, result.stopped)
        assert all(a.seconds <= b.seconds for a, b in pairwise(racer.rows)) and last.seconds > 0
        assert all(row.exact == (row.text == sentence.text) for row in racer.rows)
        assert all((row.bleu > 99.9) == row.exact for row in racer.rows)
    assert run.racers[2].rows[-1].expansions == alone[2].counters["expansions"]
    assert list(run.frame["model"].unique()) == list(models)
    assert len(run.frame) == sum(len(racer.rows) for racer in run.racers)
    json.dumps(run.contents())


BAD = [
    ({"models": 1}, "a race is between 2 to 4 models, not 1"),
    ({"models": 5}, "a race is between 2 to 4 models, not 5"),
    ({"names": ["a", "a"]}, "2 models have as many different names, not ['a', 'a']"),
    ({"search": [{}]}, "search has settings for each of 2 models, not 1"),
    ({"search": [{}, {"bean": 3}]}, "bean"),
]


@pytest.mark.parametrize(("given", "told"), BAD)
def test_what_cannot_race_is_refused(given: dict[str, Any], told: str) -> None:
    models = [linearizer()] * given.pop("models", 2)
    with pytest.raises((ValueError, TypeError)) as refused:
        wl.race(models, ["a", "b"], **given, **REFERENCE)
    assert told in str(refused.value)


def test_who_does_not_order_words_is_named() -> None:
    with pytest.raises(ValueError, match="models that order words; str does not"):
        wl.race([linearizer(), "model.wol"], ["a", "b"])


# --- the page -------------------------------------------------------------------------------

EVIL = "<b>dog</b>"


def made_up(gold: str | None = f"the {EVIL} saw boats", far: float = 40.0) -> RacePage:
    """Three models by hand: the second and the third end at once, the first much later."""

    def racer(name: str, made: str, ends: list[tuple[int, float, str]]) -> Racer:
        rows = tuple(
            Row(
                work,
                seconds,
                7 * work,
                text,
                -1.0 * work,
                None if gold is None else 100.0 * (text == gold),
                None if gold is None else text == gold,
            )
            for work, seconds, text in ends
        )
        return Racer(name, name, rows, "complete", 3 if made == "edges" else 0, made)

    whole = f"the {EVIL} saw boats"
    slow = [(3, 0.01, "the"), (70, 0.001 * far, whole)]
    racers = [
        racer("best first", "edges", slow),
        racer("beam", "candidates", [(1, 0.0004, "boats"), (9, 0.002, "boats saw the dog")]),
        racer("n-grams", "candidates", [(2, 0.0002, EVIL), (5, 0.002, whole)]),
    ]
    return RacePage(racers, "Race: three", gold)


def opened(page: Any, race: RacePage, folder: Path) -> Any:
    path = race.to_html(folder / "race.html")
    assert path.stat().st_size < 60_000
    ready(page, path)
    return page.locator(".wol-player")


@pytest.mark.browser
def test_the_race_by_keyboard(page, tmp_path) -> None:
    """It opens with who came first; keys go from output to output, on either clock."""
    race = opened(page, made_up(), tmp_path)
    told = race.locator(".wol-narration")
    states = race.locator(".wol-lane-state b")
    assert told.inner_text().startswith("beam ends first, after 2 ms")
    assert states.all_inner_texts() == ["3rd", "1st", "1st"]
    assert race.locator(".wol-exact").count() == 2
    chart = race.locator(".wol-race-chart")
    assert sorted(chart.locator(".wol-race-letter").all_text_contents()) == ["A", "B", "C"]
    curves = chart.locator("path.wol-race-line:not(.wol-race-to-come)")
    assert all(curves.nth(i).bounding_box()["width"] > 30 for i in range(3)), "all are seen"
    page.keyboard.press("Home")
    assert told.inner_text() == "All 3 begin with the same words, unordered."
    page.keyboard.press("ArrowRight")
    assert told.inner_text() == f"After 0.2 ms: n-grams has “{EVIL}” (BLEU 0)."
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Clock of expansions").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    assert states.all_inner_texts() == ["3rd", "2nd", "1st"], "on another clock, another winner"
    assert race.get_by_label("Position").inner_text() == "70 expansions of 70 expansions"
    assert page.locator("b", has_text="dog").count() == 0, "no word becomes HTML"
    ticks = [0, 1, 2, 3, 5, 9, 70]
    assert page.evaluate("wordorderRace.clock.times") == ticks
    assert page.evaluate("wordorderRace.clock.times.map((t) => wordorderRace.clock.tickAt(t))") == [
        *range(len(ticks))
    ]


@pytest.mark.browser
def test_playing_comes_to_the_end(page, tmp_path) -> None:
    opened(page, made_up(None), tmp_path)
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Pause").count() == 1
    frames = page.evaluate(
        """() => {
          let frames = 0;
          for (; wordorderRace.timer && frames < 1000; frames += 1) wordorderRace.advance();
          return frames;
        }"""
    )
    assert 100 < frames < 200
    assert page.evaluate("wordorderRace.time === wordorderRace.clock.last")
    assert "Gold" not in page.locator(".wol-player").inner_text()


MEETING = """() => {
  const boxes = [...document.querySelectorAll(".wol-race-chart text")].map((one) =>
    [one.textContent, one.getBoundingClientRect()]);
  return boxes.flatMap(([a, one], i) => boxes.slice(i + 1).filter(([, other]) =>
    one.left < other.right - 1 && other.left < one.right - 1 &&
    one.top < other.bottom - 3 && other.top < one.bottom - 3).map(([b]) => `${a} on ${b}`));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("far", [2.1, 40.0, 90_000.0])
def test_the_race_fits_one_screen(page, tmp_path, far: float) -> None:
    """Nothing goes sideways, no text stands on another, whatever the ends are apart."""
    race = opened(page, made_up(far=far), tmp_path)
    for width, height in ((968, 900), (1280, 720), (1920, 1080), (700, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        for name in ("expansions", "seconds"):
            page.get_by_role("button", name=f"Clock of {name}").click()
            for tick in range(7):
                page.evaluate("(tick) => wordorderRace.goTick(tick)", tick)
                assert not page.evaluate(MEETING), (width, name, tick)
        box = race.bounding_box()
        assert box["height"] <= 700 and box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert race.locator(".wol-race-chart svg").bounding_box()["height"] >= 150


@pytest.mark.browser
def test_the_race_has_names_for_all_controls(page, tmp_path) -> None:
    opened(page, made_up(), tmp_path)
    assert len(named_controls(page, CONTROLS | {"progressbar", "image"})) > 12
