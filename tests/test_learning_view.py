"""Learning over time: what a training tells of its sentences and epochs, and the view of it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from oracles import random_sentences
from random_logs import guided_log, training_log
from read_off import movers
from test_player import events, show

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold, views_of

HOW = {"beam": 3, "epochs": 3, "progress": False}
LEARNERS: dict[str, dict[str, Any]] = {
    "early": {"system": "liu-2015"},
    "max-violation": {"system": "liu-2015", "update": "max-violation"},
    "scaled": {"system": "zhang-clark-2015-dependency", "expansions": 40},
    "perceptron": {
        "system": "zhang-clark-2015-dependency",
        "expansions": 40,
        "update": "perceptron",
        "negatives": "discard",
    },
}
SENTENCES = random_sentences(9, 5, longest=6)


def training(learner: str, log: wl.EventLog, engine: str, **more: Any) -> Any:
    """Three epochs over the same few sentences."""
    how = {**HOW, **LEARNERS[learner], **more}
    return wl.train(how.pop("system"), SENTENCES, trace=log, engine=engine, **how)


# --- what a training tells --------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_engines_tell_the_same_of_a_sample(learner: str) -> None:
    """Whole searches of every third sentence, and what every sentence and epoch came to."""
    logs = {}
    for engine in ("reference", "fast"):
        logs[engine] = wl.EventLog(every=3)
        training(learner, logs[engine], engine, on_epoch=lambda epoch, _: 1.5 * epoch)
    assert logs["reference"] == logs["fast"]
    whole = wl.EventLog()
    training(learner, whole, "reference", on_epoch=lambda epoch, _: 1.5 * epoch)
    sampled = wl.EventLog(every=3)
    for event in whole:
        sampled.record(*event)
    assert sampled == logs["fast"], "what is not told to the log is what it would have left out"
    quiet = wl.EventLog(only=["learned", "epoch"])
    training(learner, quiet, "fast")
    assert [event[:-1] for event in quiet] == [
        event[:-1] for event in whole if event[0] in ("learned", "epoch")
    ]
    assert [event[-1] for event in whole if event[0] == "epoch"] == [[1.5], [3.0], [4.5]]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_lesson_sums_up_its_search(learner: str) -> None:
    """Updates, lowest margin and gold prefix are those of the events before."""
    log = wl.EventLog()
    training(learner, log, "fast")
    weights: dict[tuple[str, str], float] = {}
    margins: list[float] = []
    right: list[bool] = []
    gold: dict[int, int] = {}
    lessons = 0
    for kind, *values in log:
        if kind == "begin":
            margins, right, gold = [], [], {}
        elif kind == "update":
            margins.append(values[3] - values[4])
        elif kind == "edge_update" and values[5]:
            margins.append(values[4])
        elif kind == "gold":
            right.append(values[2] >= 0)
        elif kind in ("leaf", "edge"):
            gold[values[0]] = values[5]
        elif kind == "popped":
            right.append(gold[values[0]] == 1)
        elif kind == "weight":
            weights[values[0], values[1]] = values[3]
        elif kind == "learned":
            _, example, _, updates, margin, prefix, length = values
            assert (example, updates, margin) == (lessons, len(margins), min(margins, default=0))
            assert prefix == [*right, False].index(False) and length >= len(right) > 0
            lessons += 1
        elif kind == "epoch":
            assert values[2] == sum(weight != 0 for weight in weights.values())
            norm = math.sqrt(math.fsum(weight**2 for weight in weights.values()))
            assert math.isclose(values[3], norm)
    assert lessons == 3 * sum(event[1] == 1 for event in log if event[0] == "learned")


def test_what_the_view_needs() -> None:
    """A log without searches has this view alone; a score that is no number is none."""
    log = wl.EventLog(only=["learned", "epoch"])
    training("early", log, "reference", on_epoch=lambda *_: "fine")
    assert views_of(log) == ["learning"] and views_of(training_log())[-2:] == ["learning", "spans"]
    state = fold(log, len(log), "learning")
    assert [epoch["scores"] for epoch in state["epochs"]] == [[], [], []]
    assert sum(epoch["updates"] for epoch in state["epochs"]) == state["updates"] > 0
    with pytest.raises(ValueError, match="not among 0"):
        movers(log, len(log) + 1)


# --- the view ---------------------------------------------------------------------------------


MOVED = """(packed, places) => {
  const log = new Log(packed);
  return places.map((k) => movedMost(log, k, 7));
}"""


def test_the_weights_that_moved_most_are_those_of_python(module) -> None:
    chance = random.Random(2)
    for log in (training_log("max-violation"), guided_log()):
        places = [*chance.choices(range(len(log)), k=6), len(log)]
        found = module(MOVED, log, places)
        assert found == [movers(log, k, 7) for k in places] and len(found[-1]) == 7


def test_a_press_goes_to_the_sentence_and_shows_the_weight(page, tmp_path) -> None:
    """The middle of a curve is the middle of the training; a row has its weight drawn large."""
    log = guided_log()
    player = show(page, tmp_path, log, view="learning", at=len(log))
    first = movers(log, len(log))[1]
    player.locator(".wol-mover").nth(1).click()
    assert player.locator(".wol-mover.wol-chosen").count() == 1
    told = player.locator(".wol-mover.wol-chosen").get_attribute("aria-label")
    assert first["feature"] in told and f"{first['times']} change" in told
    player.locator(".wol-there").first.click()
    state = fold(log, events(page), "learning")
    everything = fold(log, len(log), "learning")["sentences"]
    assert log.events[events(page) - 1][0] == "learned"
    assert abs(state["sentences"] - everything / 2) <= 1
    page.get_by_label("Step size").select_option("sentence")
    for kind in ("epoch", "learned"):
        page.get_by_label("Forward", exact=True).click()
        assert log.events[events(page) - 1][0] == kind


def test_what_is_seen_is_said(page, tmp_path) -> None:
    """The caption compares the epochs, axes end at round numbers, and a curve whose weight moved
    only where the log did not look says so."""
    log = wl.EventLog(every=4)
    training("scaled", log, "reference")
    show(page, tmp_path, log, view="learning", at=len(log))
    *before, last = (f"{event[2]:,}" for event in log if event[0] == "epoch")
    told = page.locator(".wol-narration").inner_text()
    assert f"{last} updates, after {', '.join(before)};" in told
    axes = page.locator('.wol-trend text.wol-quiet[text-anchor="end"]').all_text_contents()
    ends = [text for text in axes if not any(letter.isalpha() for letter in text)]
    assert len(ends) >= 8 and all(len(text.strip("−0.").replace(".", "")) <= 2 for text in ends)
    searches = sum(event[0] == "begin" for event in log)
    learned = sum(event[0] == "learned" for event in log)
    whole = " ".join(page.locator(".wol-trend").last.locator("text").all_text_contents())
    assert f"weights of {searches} of {learned} examples" in whole
