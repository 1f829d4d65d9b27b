"""Searching again with the weights of an update: the log's own search, once more and then better.

The weights that a log tells are the learner's, and the player of a notebook shows both searches.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from browser import expose
from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.analysis.search_again import UPDATES
from wordorder_lab.trace.reducers.replay import fold

SENTENCES = random_sentences(5, 4)
SYSTEMS = ("zhang-clark-2015-dependency", "liu-2015")


@cache
def trained(system: str, engine: str = "reference") -> tuple[Any, wl.EventLog]:
    """A small training with the log of everything."""
    log = wl.EventLog()
    beam = 4 if system == "liu-2015" else 64  # in a full chart a learner keeps gold
    how = {"beam": beam, "epochs": 2, "engine": engine, "progress": False}
    return wl.train(system, SENTENCES, trace=log, **how), log


def updates(log: wl.EventLog) -> list[int]:
    """After how many events each update stands, without its weights."""
    return [i + 1 for i, event in enumerate(log) if event[0] in UPDATES]


@pytest.mark.parametrize("system", SYSTEMS)
def test_until_its_first_update_a_search_is_the_log_s(system: str) -> None:
    """Event by event, with the weights before; and with those after it, it is another one."""
    model, log = trained(system)
    again = wl.SearchAgain(model, SENTENCES, log)
    checked = other = 0
    for at in updates(log):
        begin = max(i for i in range(at) if log.events[i][0] == "begin")
        if any(begin < earlier < at for earlier in updates(log)):
            continue
        lesson = log.events[begin : at - 1]
        found = again(at)
        assert found.before.events[: len(lesson)] == lesson
        assert 0 < found.at <= len(found.before)
        checked += 1
        other += found.before.events != found.after.events
    assert checked >= 3 and other >= 1


def test_it_opens_where_the_mistake_is_made() -> None:
    """At the pop of the negative edge, or at the step of the update."""
    model, log = trained(SYSTEMS[0])
    at = updates(log)[0]
    found = wl.SearchAgain(model, SENTENCES, log)(at)
    kind, serial, _ = found.before.events[found.at - 1]
    assert kind == "popped"
    books = fold(found.before, found.at, "agenda")
    assert books["edges"][serial - 1]["gold"] == 0
    model, log = trained(SYSTEMS[1])
    at = updates(log)[0]
    found = wl.SearchAgain(model, SENTENCES, log)(at)
    assert found.before.events[found.at - 1][:2] == ("gold", log.events[at - 1][2])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_last_weights_are_the_learner_s(system: str) -> None:
    """What a training without averaging would order with: the search after is the model's own."""
    how = {"averaged": False} if system == SYSTEMS[0] else {}
    log = wl.EventLog()
    model = wl.train(
        system, SENTENCES, trace=log, beam=4, epochs=1, engine="reference", progress=False, **how
    )
    again = wl.SearchAgain(model, SENTENCES, log)
    found = again(len(log))
    if how:
        begin = max(i for i in range(updates(log)[-1]) if log.events[i][0] == "begin")
        words = sorted(log.events[begin][1])
        sentence = next(one for one in SENTENCES if sorted(t.form for t in one) == words)
        own = wl.EventLog()
        model.order(wl.bag_of(sentence), trace=own, engine="reference")
        assert wl.marked_gold(own, sentence) == found.after
    assert again(len(log)) == found, "asking changes nothing"


def test_what_cannot_be_searched_again_says_why() -> None:
    model, log = trained(SYSTEMS[0])
    with pytest.raises(ValueError, match="no update yet: go forward"):
        wl.SearchAgain(model, SENTENCES, log)(1)
    with pytest.raises(ValueError, match="no sentence has the words of this search"):
        wl.SearchAgain(model, random_sentences(1, 2), log)(len(log))
    later = wl.EventLog()
    first = next(i for i, event in enumerate(log) if event[0] == "weight")
    for event in log.events[:1] + log.events[first + 1 :]:
        later.record(*event)
    with pytest.raises(ValueError, match="does not tell all changes"):
        wl.SearchAgain(model, SENTENCES, later)(len(later))


# --- the player -------------------------------------------------------------------------------


def test_python_shows_both_searches_and_goes_back() -> None:
    pytest.importorskip("anywidget")
    model, log = trained(SYSTEMS[0])
    again = wl.SearchAgain(model, SENTENCES, log)
    player = wl.play(log, view="updates", again=again)
    position, data = player.position, player.data
    assert data["again"] and "again" not in json.loads(json.dumps(wl.play(log).data))["logs"][0]
    player._heard(None, {"wants": "again", "at": position}, None)
    found = again(position)
    assert player.data["back"] and player.position == found.at and not player.data.get("again")
    assert [len(packed["kinds"]) for packed in player.data["logs"]] == [
        len(found.before),
        len(found.after),
    ]
    assert "Back to the training" not in player.page.partition("<script")[0]
    player._heard(None, {"wants": "back"}, None)
    assert player.data == data and player.position == position
    told: list[Any] = []
    player.send = told.append
    player._heard(None, {"wants": "again", "at": 1}, None)
    assert told == [
        {"sorry": "No search: no update yet: go forward to one, by steps of one update"}
    ]
    assert player.data == data


LIVE_PLAYER = """async ([module, style, state]) => {
  const heard = {};
  const hear = (now) => {
    Object.assign(state, now);
    heard["change:data"]();
    if (now.told) heard["msg:custom"](now.told);
  };
  const model = {
    get: (name) => state[name], set: (name, value) => { state[name] = value; }, save_changes() {},
    send: (message) => window.kernel(message).then(hear),
    on: (name, listener) => { heard[name] = listener; }, off: (name) => { delete heard[name]; },
  };
  const url = URL.createObjectURL(new Blob([module], {type: "text/javascript"}));
  const {default: view} = await import(url);
  document.head.append(Object.assign(document.createElement("style"), {textContent: style}));
  document.body.replaceChildren(document.createElement("div"));
  view.render({model, el: document.body.firstChild});
}"""


def test_the_button_asks_and_the_way_back_is_there(page) -> None:
    """The module in a browser, with Python's answers; a page without a kernel has no button."""
    pytest.importorskip("anywidget")
    model, log = trained(SYSTEMS[0])
    again = wl.SearchAgain(model, SENTENCES, log)
    updates = [i for i, event in enumerate(log) if event[0] in ("update", "edge_update")]
    player = wl.play(log, view="updates", again=again, at=updates[0] + 1)

    def ask(message: dict[str, Any]) -> dict[str, Any]:
        player._heard(None, message, None)
        return {name: getattr(player, name) for name in ("data", "position", "guesses", "moments")}

    page.goto("about:blank")
    expose(page, "kernel", ask)
    page.evaluate(LIVE_PLAYER, [player._esm, player._css, ask({})])
    button = page.get_by_role("button", name="Search again: before this update, and after it")
    button.click()
    back = page.get_by_role("button", name="Back to the training")
    back.wait_for()
    assert page.locator(".wol-stage h3").all_text_contents() == [
        "A · before the update",
        "B · after it",
    ]
    assert "is popped" in page.locator(".wol-narration").inner_text()
    assert page.get_by_role("button", name="Search again").count() == 0
    back.click()
    button.wait_for()
    player.data = {**player.data, "again": False}
    page.evaluate(LIVE_PLAYER, [player._esm, player._css, ask({})])
    page.locator(".wol-updates").wait_for()
    assert button.count() == 0
