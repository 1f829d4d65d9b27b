"""The chart view's "drive": two edges are picked; the log tells what it knows, a model the rest."""

from __future__ import annotations

from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest
from browser import expose
from random_logs import best_first_log, guided_log
from test_chart_view import card, chart
from test_drive import model_and_log, told

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.trace.reducers.replay import fold


def pick(page: Any, *serials: int) -> None:
    """By keyboard: focus the card, press p."""
    for serial in serials:
        card(page, serial).focus()
        page.keyboard.press("p")


def outcomes(page: Any) -> list[list[str]]:
    rows = page.locator(".wol-outcomes tbody tr")
    return [row.locator("td").all_text_contents() for row in rows.all()]


def live(page: Any, ask: str) -> None:
    """From now on this function of the page answers, as if there were a model behind it."""
    page.evaluate(
        f"wordorderPlayer.host.ask = {ask}; wordorderPlayer.data.live = [true];"
        "wordorderPlayer.draw()"
    )


def test_without_a_model_the_log_still_knows(page: Any, tmp_path: Path) -> None:
    """No box of what is switched off; once two are picked, what they made is told."""
    log = best_first_log(beam=0)
    player = chart(page, log, tmp_path)
    assert not player.locator(".wol-drive").count()
    state = fold(log, len(log), "chart")
    inside = [
        e for e in state["edges"] if e["left"] in state["chart"] and e["right"] in state["chart"]
    ]
    edge = next(e for e in inside if e["left"] != e["right"])
    pick(page, edge["left"], edge["right"])
    assert player.locator(".wol-pick").count() == 2
    found = outcomes(page)
    mine = 0 if edge["action"] == "HeadLeft" else 1
    assert found[mine][-1].startswith(f"edge {edge['serial']}, score")
    made = {(e["left"], e["right"], e["action"]) for e in state["edges"]}
    sides = [
        (*pair, side)
        for pair in ((edge["left"], edge["right"]), (edge["right"], edge["left"]))
        for side in ("HeadLeft", "HeadRight")
    ]
    assert [row[-1].startswith("edge") for row in found] == [one in made for one in sides]
    assert all(row[-1] == "tried, and refused" for row, one in zip(found, sides) if one not in made)
    assert not player.get_by_role("button", name="Ask the model").count()
    first = player.get_by_role("button", name="Lay the first edge down")
    first.focus()
    page.keyboard.press("Enter")
    assert player.locator(".wol-pick").count() == 1
    player.get_by_role("button", name="Lay the first edge down").press("Enter")
    assert not player.locator(".wol-drive").count()
    assert page.evaluate("wordorderPlayer.root === document.activeElement"), "keys go on working"


MEETINGS = """(packed, searches, last) => {
  const log = new Log(packed), serials = Array.from({length: last}, (_, i) => i + 1);
  return Array.from({length: searches}, (_, i) => serials.flatMap((one) => serials
    .filter((other) => one < other && haveMet(log, i + 1, log.length, [other, one]))
    .map((other) => [one, other])));
}"""


@pytest.mark.parametrize("negatives", ["", "expand", "discard"])
def test_who_has_met_whom(module: Any, monkeypatch: Any, negatives: str) -> None:
    """The log tells which pairs were tried, though both may have left the chart since."""
    tried: dict[BestFirstDependency, set[tuple[int, int]]] = {}
    expand = BestFirstDependency.expand

    def watched(search: BestFirstDependency, e: Edge) -> list[Edge]:
        if search.trace is not None:
            pairs = [sorted((e.serial, other.serial)) for other in search.chart]
            tried.setdefault(search, set()).update((one, other) for one, other in pairs)
        return expand(search, e)

    monkeypatch.setattr(BestFirstDependency, "expand", watched)
    guided, best_first = unwrap(guided_log), unwrap(best_first_log)  # the search is watched: anew
    log = guided("perceptron", negatives) if negatives else best_first(beam=4)
    last = max(event[1] for event in log if event[0] == "edge")
    found = module(MEETINGS, log, len(tried), last)
    assert [{tuple(pair) for pair in pairs} for pairs in found] == list(tried.values())
    assert sum(map(len, found)) > 50


def test_a_pair_that_has_left_the_chart(page: Any, tmp_path: Path) -> None:
    """It was tried, and refused, if it met; or one had gone before the other came; or it waits."""
    log = best_first_log(beam=4)
    state = fold(log, len(log), "chart")
    since = {event[1]: i for i, event in enumerate(log) if event[0] == "charted"}
    until = {event[1]: i for i, event in enumerate(log) if event[0] == "pruned"}
    made = {frozenset((edge["left"], edge["right"])) for edge in state["edges"]}
    pairs = [(a, b) for a in since for b in since if since[a] < since[b] and a in until]
    met = [pair for pair in pairs if since[pair[1]] < until[pair[0]]]
    refused = next(pair for pair in met if frozenset(pair) not in made)
    apart = next(pair for pair in pairs if since[pair[1]] > until[pair[0]])
    waiting = state["places"].index("agenda") + 1
    chart(page, log, tmp_path)
    for pair, said in [
        (refused, "tried, and refused"),
        (apart, f"not tried: edge {apart[0]} had left the chart by then"),
        ((apart[0], waiting), f"not tried: edge {waiting} still waits on the agenda"),
    ]:
        picks = f"{{search: 1, serials: {list(pair)}}}"
        page.evaluate(f"wordorderPlayer.keptFor(0).picks = {picks}; wordorderPlayer.draw()")
        assert [row[-1] for row in outcomes(page)] == [said] * 4
    silent = wl.EventLog(only={event[0] for event in log} - {"pruned"})
    for event in log:
        silent.record(*event)
    chart(page, silent, tmp_path)
    page.evaluate(f"wordorderPlayer.keptFor(0).picks = {picks}; wordorderPlayer.draw()")
    assert outcomes(page)[0][-1] == "the log does not tell"


OTHER_SCORES = "The model's scores are not this log's"


def test_a_model_is_not_its_training(page: Any, tmp_path: Path) -> None:
    """Where the log is one of learning, the panel says that scores differ."""
    for log in (guided_log(), best_first_log()):
        player = chart(page, log, tmp_path)
        assert not player.locator(".wol-drive").count()
        live(page, "() => Promise.resolve({outcomes: []})")
        shown = OTHER_SCORES in player.locator(".wol-drive").inner_text()
        assert shown == any(event[0] == "edge_update" for event in log)


def test_the_model_answers(page: Any, tmp_path: Path) -> None:
    """With a model behind it: an edge with its score, or why there is none; the focus stays."""
    model, bag, log = model_and_log()
    expose(page, "askPython", model.drive(bag))
    player = chart(page, log, tmp_path)
    live(page, "(which, question) => askPython(question)")
    leaves = {edge["form"]: serial for serial, edge in told(log).items() if "form" in edge}
    near, unseen = leaves["near"], leaves["unseen"]
    page.evaluate(f"wordorderPlayer.select(0, {{serial: {near}, search: 1}})")
    card(page, near).click(modifiers=["Shift"])
    page.evaluate(f"wordorderPlayer.select(0, {{serial: {unseen}, search: 1}})")
    pick_it = player.get_by_role("button", name="Pick the edge that is looked at")
    pick_it.focus()
    page.keyboard.press("Enter")
    assert pick_it.inner_text() == f"lay edge {unseen} down"
    ask = player.get_by_role("button", name="Ask the model")
    ask.focus()
    page.keyboard.press("Enter")
    player.locator(".wol-outcomes td").nth(2).wait_for()
    answers = [row[2] for row in outcomes(page)]
    assert answers[2:] == ["✕ no: “near” must come before “unseen”"] * 2
    assert answers[1] == "✕ no: “near” still waits for its dependent “the pier”"
    assert answers[0].startswith("✓ an edge with score")
    assert page.evaluate("document.activeElement.dataset.drive") == "ask"
    page.evaluate("wordorderPlayer.host.ask = () => Promise.resolve({why: '<b>another bag</b>'})")
    pick(page, next(one for one in fold(log, len(log), "chart")["chart"] if one != near))
    ask.click()
    player.get_by_text("No answer: <b>another bag</b>.").wait_for()


def test_the_widget_asks_its_model() -> None:
    """A live player takes the model's callable and sends back what it says."""
    pytest.importorskip("anywidget")
    model, bag, log = model_and_log()
    player = wl.play(log, view="chart", drive=model.drive(bag))
    assert player.data["live"] == [True]
    sent: list[dict] = []
    player.send = sent.append
    edges = told(log)
    question = {"left": edges[1], "right": edges[2]}
    player._handle_custom_msg({"wants": "answer", "which": 0, "id": 7, "question": question}, [])
    assert sent == [{"id": 7, "answer": model.drive(bag)(question)}]
    assert len(sent[0]["answer"]["outcomes"]) == 4
