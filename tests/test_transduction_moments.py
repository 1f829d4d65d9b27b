"""The view of tree transduction at any moment: what it shows and says belongs to that moment."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from browser import go_to, menu
from nltk.tree import Tree
from test_player import events, forward, show, told
from test_transduction_view import rule_is_shown
from transduction_logs import LONG, compression_log, frontier_of

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.transduction import sides_of, words_of
from wordorder_lab.transduction.problem import Beam

FOURTEEN = Tree.fromstring(
    "(S (NP (DT the) (JJ old) (NN mayor)) (VP (VBD opened) (NP (DT the) (JJ new) (NN bridge)) (PP"
    " (IN over) (NP (DT the) (JJ wide) (NN river))) (PP (IN on) (NP (NNP Monday)))) (. .))"
)

KEPT_AND_FRESH = """(moments) => {
  const player = wordorderPlayer;
  const shown = () => player.stages[0].lastElementChild.innerHTML;
  const kept = () => player.keptFor(0, player.viewOf(0));
  const visit = ([k, node, chosen]) => {
    player.go(k);
    const {search} = player.state(0);
    player.selected = [node === null ? null : {serial: node, search}];
    kept().chosen = chosen && {...chosen, search};
    player.draw();
  };
  return moments.filter((moment) => {
    visit(moment);
    const before = shown();
    Object.assign(kept(), {blocks: {}, frame: undefined});
    player.draw();
    const fresh = shown();
    visit(moments[0]); // so that what is kept is of another moment
    return before !== fresh;
  });
}"""

ANSWERED_BEFORE = """(k) => {
  const player = wordorderPlayer;
  player.quiz.answered.clear();
  for (let i = 0; i < k; i += 1) player.quiz.answered.add(i);
  player.go(k);
}"""

NAMES = ("application", "node", "category", "rule", "origin", "children", "deleted", "score")


def moments(log: wl.EventLog, seed: int) -> list[list[Any]]:
    """[events, chosen node, chosen application and combination], with and without choices."""
    chance = random.Random(seed)
    found: list[list[Any]] = []
    for _ in range(60):
        chosen = {"application": chance.randrange(40), "item": chance.randrange(60)}
        node = chance.choice([None, None, chance.randrange(12)])
        found.append([chance.randrange(len(log) + 1), node, chance.choice([None, chosen])])
    return found


def copied(log: wl.EventLog) -> wl.EventLog:
    """The same search with one output: the whole sentence, by the rules that copy."""
    applications = [dict(zip(NAMES, event[1:])) for event in log if event[0] == "application"]

    def below(node: int) -> list[int]:
        for one in applications:
            if one["node"] == node and "copy" in one["origin"] and not one["deleted"]:
                return [one["application"], *[a for child in one["children"] for a in below(child)]]
        raise AssertionError(f"no rule copies node {node}")

    found = wl.EventLog()
    for event in log:
        if event[0] != "compressed":
            found.record(*event)
    words = next(event[3] for event in log if event[0] == "source")
    root = max(one["node"] for one in applications)
    found.compressed(0, 1.5, below(root), [word for word in words if word])
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_left_of_other_moments(page, tmp_path, seed: int) -> None:
    """What was drawn before is used again only where it would be drawn alike."""
    log = compression_log(Beam(6, 12), seed=seed, loss="hamming-tokens" if seed == 2 else "")
    show(page, tmp_path, log)
    assert page.evaluate(KEPT_AND_FRESH, moments(log, seed)) == []


def test_the_rule_that_is_told_of_is_shown(page, tmp_path) -> None:
    """While the log tells which rules match: the rule, and where it stands in the source."""
    log = compression_log()
    show(page, tmp_path, log)
    for k in (4, 9, [event[0] for event in log].index("points") + 3):
        go_to(page, k)
        event = log.events[k - 1]
        one = fold(log, k, "transduction")["applications"][event[1]]
        text = page.locator(".wol-transduction").text_content()
        assert f"Rule: application {event[1]}" in text
        rule_is_shown(page, one)


def test_one_step_passes_over_the_features(page, tmp_path) -> None:
    log = compression_log()
    kinds = [event[0] for event in log]
    first = kinds.index("points")
    run = kinds.count("points")
    show(page, tmp_path, log)
    page.get_by_label("Step size").select_option("event")
    go_to(page, first)
    forward(page)
    assert events(page) == first + run and "match the source tree" in told(page)
    forward(page)
    assert events(page) == first + run + 1
    page.get_by_label("Back", exact=True).click()
    page.get_by_label("Back", exact=True).click()
    assert events(page) == first


def test_rule_and_target_are_of_one_combination(page, tmp_path) -> None:
    """The target is the combination that is told of; at a cell's end the winner, with its rule."""
    log = compression_log(Beam(6, 12))
    show(page, tmp_path, log)
    other = 0
    for k, event in enumerate(log, 1):
        if event[0] not in ("combined", "filled"):
            continue
        go_to(page, k)
        label = page.locator(".wol-target").get_attribute("aria-label")
        chips = page.locator(".wol-target .wol-chip-of").count()
        if event[0] == "combined":
            assert label.startswith(f"Target: combination {event[1]}: ")
            assert chips == len(event[3])
            last = event[2]
        else:
            item = fold(log, k, "transduction")["items"][event[2][0] - 1]
            assert label.startswith(f"Target: best item, {event[2][0]}: ")
            assert chips == len(item["ranks"])
            title = page.locator(".wol-transduction").text_content()
            assert f"Rule: application {item['application']}" in title
            other += item["application"] != last
    assert other > 2


@pytest.mark.parametrize(("beam", "full", "limit"), [((2, 0), True, False), ((20, 3), False, True)])
def test_how_a_cell_ends(page, tmp_path, beam: tuple[int, int], full: bool, limit: bool) -> None:
    """Full with as many items as there may be; done with fewer, by the limit where some wait."""
    log = compression_log(Beam(*beam))
    show(page, tmp_path, log)
    ends = {"full": 0, "limit": 0}
    for k, event in enumerate(log, 1):
        if event[0] != "filled":
            continue
        go_to(page, k)
        assert f"is {'full' if len(event[2]) == beam[0] else 'done'}: " in told(page)
        before = fold(log, k - 1, "transduction")
        place = len(before["cells"]) - 1
        cell = before["cells"][place]
        waiting = any(
            frontier_of(before, place, one["application"])
            for one in before["applications"]
            if (one["node"], one["category"]) == (cell["node"], cell["category"])
        )
        at_limit = waiting and len(event[2]) < beam[0]
        assert ("limit of combinations" in told(page)) == at_limit
        ends = {
            "full": ends["full"] + (len(event[2]) == beam[0]),
            "limit": ends["limit"] + at_limit,
        }
    assert (ends["full"] > 2, ends["limit"] > 2) == (full, limit)


@pytest.mark.parametrize("width", [700, 1400])
def test_an_output_of_fourteen_words_is_whole(page, tmp_path, width: int) -> None:
    """Every word below its own label, and none beside another's."""
    log = copied(compression_log(source=FOURTEEN))
    page.set_viewport_size({"width": width, "height": 900})
    show(page, tmp_path, log, at=len(log))
    target = page.locator(".wol-target")
    shown = target.locator(".wol-word").all_text_contents()
    assert [text for text in shown if text] == FOURTEEN.leaves()
    words = " ".join(FOURTEEN.leaves())
    assert target.get_attribute("aria-label") == f"Target: “{words}”"
    boxes = [one.bounding_box() for one in target.locator(".wol-word").all()]
    boxes.sort(key=lambda box: box["x"])
    for one, after in itertools.pairwise(boxes):
        assert one["x"] + one["width"] <= after["x"] + 1
    picture = page.locator(".wol-transduction").bounding_box()
    assert boxes[-1]["x"] + boxes[-1]["width"] <= picture["x"] + picture["width"]


def test_sides_of_one_item_are_left_out_of_the_grid(page, tmp_path) -> None:
    """Three variables, a choice for two: a matrix, and the third one is named below it."""
    log = compression_log(Beam(20, 40), source=LONG)
    show(page, tmp_path, log)
    menu(page).get_by_label("Rows").select_option("1000")
    found = {}
    for k in [k for k, event in enumerate(log, 1) if event[0] == "combined"]:
        event = log.events[k - 1]
        if len(event[3]) < 2 or not any(event[3]):
            continue
        sides = sides_of(fold(log, k, "transduction"), event[2])
        found[len(sides), sum(len(side) > 1 for side in sides)] = k, sides
    for variables, left in [(2, 1), (3, 1), (3, 2)]:
        k, sides = found[variables, left]
        go_to(page, k)
        state = fold(log, k, "transduction")
        grid = page.locator(".wol-grid")
        text = grid.text_content()
        assert text.count("In all of them") == 1
        for number, side in enumerate(sides, 1):
            words = " ".join(words_of(state, side[0]))
            assert f"Variable {number}, rank 1: “{words}”" in text
            assert (f"Variable {number}, rank 2" in text) == (len(side) > 1)
        boxes = [one.bounding_box() for one in grid.locator(".wol-taken-cell").all()]
        low, high = [end(box["y"] for box in boxes) for end in (min, max)]
        assert len(boxes) > 1 and (high - low < boxes[0]["height"] / 2 or left == 2)


def test_the_quiz_lights_no_outcome(page, tmp_path) -> None:
    """While a score is hidden one line is lit, whatever came of the combination."""
    log = compression_log(Beam(20, 40), seed=4)
    show(page, tmp_path, log)
    page.get_by_label("Quiz", exact=True).click()
    lit: dict[bool, set[str]] = {True: set(), False: set()}
    for k, event in enumerate(log, 1):
        if event[0] != "combined":
            continue
        page.evaluate(ANSWERED_BEFORE, k)
        if page.evaluate("(k) => wordorderPlayer.quiz.masks(k)", k):
            lit[event[9] == "worse"].add(page.locator(".wol-lit").first.inner_text())
    assert lit[True] == lit[False] and len(lit[True]) == 1
