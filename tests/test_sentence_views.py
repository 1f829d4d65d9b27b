"""Players of single sentences: a parser's chart, the lattice of kept words, constraints that are
switched on and off, and compressions side by side."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from browser import ready
from sentence_logs import WORDS, deletion_log, parsing_log, way_to
from test_player import named_controls, show

import wordorder_lab as wl
from wordorder_lab.deletion.lattice import best_paths
from wordorder_lab.trace.reducers.replay import fold, views_of
from wordorder_lab.widgets.board import Board, Solved, obeys
from wordorder_lab.widgets.side_by_side import Shortened, SideBySide, below

WIDTHS = [(968, 900), (1280, 720), (1920, 1080)]


# --- the chart of a parser ----------------------------------------------------------------------


def test_a_chart_knows_its_cells_and_what_fell_out() -> None:
    log = parsing_log()
    state = fold(log, len(log), "parsing")
    words = len(state["units"])
    assert views_of(log) == ["parsing"]
    assert all(0 <= start < end <= words for start, end, _ in state["cells"])
    for start, end, serials in state["cells"]:
        inside = [state["items"][serial - 1] for serial in serials]
        assert {(one["start"], one["end"]) for one in inside} == {(start, end)}
        assert sum(not one["out"] for one in inside) <= state["beam"]
    for one in state["items"]:
        parts = [state["items"][part - 1] for part in (one["left"], one["right"]) if part]
        if parts:  # what a constituent is made of covers it, from left to right
            assert parts[0]["start"] == one["start"] and parts[-1]["end"] == one["end"]


def test_the_chart_goes_cell_by_cell(page, tmp_path) -> None:
    log = parsing_log()
    player = show(page, tmp_path, log)
    state = fold(log, len(log), "parsing")
    seen = []
    for start, end, _ in state["cells"]:
        page.keyboard.press("ArrowRight")
        seen.append(page.locator(".wol-cell-now").get_attribute("data-serial"))
        assert int(seen[-1]) == 1000 * start + end
    page.keyboard.press("End")
    assert "log probability" in player.locator(".wol-narration").inner_text()
    leaves = player.locator(".wol-tree .wol-word").all_text_contents()
    assert " ".join(leaves).split() == state["units"]
    best = sorted(
        (one for one in state["items"] if one["end"] - one["start"] == len(state["units"])),
        key=lambda one: (one["out"], -one["score"], one["serial"]),
    )
    rows = player.locator("[data-serial^=label]")
    told = [rows.nth(i).get_attribute("data-serial") for i in range(rows.count())]
    assert told == [f"label{one['serial']}" for one in best[:6]]


def test_a_cell_and_a_label_are_chosen_by_mouse_and_keys(page, tmp_path) -> None:
    log = parsing_log()
    player = show(page, tmp_path, log, at=len(log))
    state = fold(log, len(log), "parsing")
    start, end, serials = max(state["cells"][:-1], key=lambda cell: len(cell[2]))
    cell = player.locator(f'.wol-chart-cell[data-serial="{1000 * start + end}"]')
    cell.focus()
    page.keyboard.press("Enter")
    assert page.locator(".wol-cell-now").get_attribute("data-serial") == str(1000 * start + end)
    assert f"{len(serials)} label" in player.locator("svg.wol-parsing").get_attribute("aria-label")
    other = player.locator("[data-serial^=label]").last
    name = other.get_attribute("data-serial")
    other.click()
    assert page.locator(".wol-press.wol-chosen").get_attribute("data-serial") == name
    cell.click()  # once more: back to the parse
    assert player.get_by_text("The parse", exact=True).count()


def test_what_has_no_parse_is_told_so(page, tmp_path) -> None:
    player = show(page, tmp_path, parsing_log(fails=True), at=len(parsing_log(fails=True)))
    assert "no parse" in player.locator(".wol-narration").inner_text()
    assert "put together" in player.locator(".wol-stage").inner_html()


# --- the lattice of kept words --------------------------------------------------------------------


@pytest.mark.parametrize("length", [None, 1, 3])
def test_the_way_to_the_end_is_the_best_path(length: int | None) -> None:
    """The fold of a real lattice's events gives the path that the lattice gives."""
    scores = np.random.default_rng(4).normal(size=(9, 9))
    log = wl.EventLog()
    log.begin(WORDS[:7], [1] * 7, 7, 1)
    (best,) = best_paths(scores, 1, length=length, trace=log)
    state = fold(log, len(log), "deletion")
    way = way_to(state, state["layer"], 8)
    assert tuple(place - 1 for place in way[1:-1]) == best.kept


def test_the_lattice_goes_word_by_word(page, tmp_path) -> None:
    log = deletion_log(WORDS[:8])
    show(page, tmp_path, log)
    ends = [i for i in range(len(log)) if log.events[i][0] == "bigram"]
    steps = [i + 1 for i in ends if log.events[i + 1][:1] + log.events[i + 1][2:3] != ("bigram", 0)]
    for place in range(1, 10):
        page.keyboard.press("ArrowRight")
        if place == 1:
            page.keyboard.press("ArrowRight")  # the tree that the log tells first
        k = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)[0]")
        state = fold(log, k, "deletion")
        assert k in steps and state["bigrams"][-1][1] == place
        way = way_to(state, 1, place)
        kept = page.locator(".wol-kept-on").all_text_contents()
        assert len(kept) == len(way)


def test_one_of_the_best_paths_is_chosen(page, tmp_path) -> None:
    log = deletion_log()
    player = show(page, tmp_path, log, at=len(log))
    paths = fold(log, len(log), "deletion")["paths"]
    player.locator("[data-serial=path1]").click()
    kept = player.locator(".wol-kept-on").all_text_contents()
    assert kept[1:-1] == paths[1]["words"]
    gone = player.locator(".wol-kept .wol-struck").all_text_contents()
    assert len(gone) + len(paths[1]["words"]) == len(WORDS)
    word = player.locator('.wol-kept [data-serial="3"]')
    word.click()
    assert "Ways into “man”" in player.locator("svg.wol-deletion").inner_html()


# --- constraints on and off -----------------------------------------------------------------------


class Rule(NamedTuple):
    """A row of a programme."""

    name: str
    says: str
    indices: tuple[int, ...]
    coefficients: tuple[float, ...]
    lower: float
    upper: float


RULES = [
    Rule("modifiers", "“old” only with “man”", (2, 1), (1.0, -1.0), 0.0, math.inf),
    Rule("verb", "at least one verb: lives, <b>sold</b>", (4, 8), (1.0, 1.0), 1.0, math.inf),
    Rule("possessives", "“his” just with “boats”", (11, 9), (1.0, -1.0), 0.0, 0.0),
]
POINTS = {1: 2.0, 2: -1.0, 4: -3.0, 8: -2.0, 9: 1.0, 11: -0.5, 0: 1.0, 18: 1.0}


def best_choice(names: Any) -> Solved:
    """By enumeration over the words that have points."""
    rows = [row for row in RULES if row.name in names]
    choices = (
        [place for place, there in zip(sorted(POINTS), some, strict=True) if there]
        for some in product((0, 1), repeat=len(POINTS))
    )
    good = [kept for kept in choices if all(obeys(row, kept) for row in rows)]
    kept = max(good, key=lambda kept: sum(POINTS[place] for place in kept))
    return Solved(kept, sum(POINTS[place] for place in kept))


def test_every_choice_is_solved_and_none_in_vain() -> None:
    asked = []

    def solve(names: Any) -> Solved:
        asked.append(names)
        return best_choice(names)

    always = Rule("brackets", "“The” just with “.”", (0, 18), (1.0, -1.0), 0.0, 0.0)
    board = Board(WORDS, [*RULES, always], solve)  # the last one is obeyed by all choices
    for size in range(5):
        for names in combinations(board.families, size):
            kept = tuple(WORDS[place] for place in best_choice(names).kept)
            assert board.kept(*names) == kept
    assert len(asked) == 8 and len(board.solved) == 16
    with pytest.raises(ValueError, match="no family 'arguments' here; there are modifiers, verb"):
        board.kept("arguments")


def test_constraints_are_switched(page, tmp_path) -> None:
    board = Board(WORDS, RULES, best_choice)
    ready(page, board.to_html(tmp_path / "board.html"))
    root = page.locator(".wol-board")

    def kept() -> list[str]:
        return root.locator(".wol-board-kept").all_text_contents()

    assert kept() == list(board.kept(*board.families))
    boxes = root.get_by_role("checkbox")
    boxes.nth(1).focus()
    page.keyboard.press("Space")
    assert kept() == list(board.kept("modifiers", "possessives"))
    row = root.locator(".wol-board-rows li").nth(1)
    assert "✗" in row.inner_text() and "off, and broken" in row.inner_text()
    assert "<b>sold</b>" in row.inner_text()  # text, no HTML
    root.get_by_label("Marked beside").select_option("last")
    page.keyboard.press("Escape")
    boxes.nth(1).check()
    fresh = root.locator(".wol-board-fresh").all_text_contents()
    assert fresh == ["sold"] and "“sold” stays in addition" in root.inner_text()
    row.hover()
    assert root.locator(".wol-board-lit").all_text_contents() == ["lives", "sold"]
    root.get_by_label("All constraints off").click()
    assert kept() == list(board.kept())


def test_a_board_is_refused() -> None:
    many = [RULES[0]._replace(name=str(i)) for i in range(9)]
    with pytest.raises(ValueError, match="9 families can be switched in too many ways"):
        Board(WORDS, many, best_choice)
    with pytest.raises(ValueError, match="one word at least"):
        Board([], [], best_choice)


# --- side by side -------------------------------------------------------------------------------

REWRITTEN, SHORT = "Once the man sold green ships .", "The old man sold his boats ."
OUTPUTS = [
    Shortened("transducer", REWRITTEN.split(), None, -3.2, (0.5, 0.25)),
    Shortened("McDonald", [WORDS[i] for i in (0, 2, 8, 9, 11, 18)], (0, 2, 8, 9, 11, 18), 2.5),
    Shortened("<b>programme</b>", [WORDS[i] for i in (1, 2, 8)], (1, 2, 8), None),
]
HUMAN = Shortened("reference", SHORT.split())


def test_words_are_aligned() -> None:
    found = below(WORDS, OUTPUTS[0])
    assert [i for i, (kept, *_) in enumerate(found) if kept] == [0, 2, 8, 10, 18]
    assert found[0][2] == ["Once"] and [new for _, new, _ in found if new] == [["ships"]]
    assert [i for i, (kept, *_) in enumerate(below(WORDS, OUTPUTS[1])) if kept] == [
        *(0, 2, 8, 9, 11, 18)
    ]


def test_three_systems_stand_side_by_side(page, tmp_path) -> None:
    shown = SideBySide(WORDS, OUTPUTS, [HUMAN])
    page.set_viewport_size({"width": 700, "height": 800})  # in two pieces
    ready(page, shown.to_html(tmp_path / "three.html"))
    root = page.locator(".wol-compressions")
    root.locator(".wol-below").nth(1).wait_for()  # it is laid out when its width is known
    heads = root.locator(".wol-below thead th[scope=col]").all_text_contents()
    assert heads == WORDS
    rows = root.locator(".wol-below tbody tr:nth-child(3)")
    kept = " ".join(rows.locator(".wol-stays").all_text_contents())
    assert kept == "The man sold his boats ."
    assert root.locator(".wol-fresh-word").all_text_contents() == ["Once", "ships"]
    shared = rows.locator(".wol-shared-word").all_text_contents()
    assert shared == ["man", "sold", "his", "boats", "."]
    root.get_by_label("Shared with a reference").select_option("4")
    assert rows.locator(".wol-shared-word").all_text_contents() == [*shared]
    assert root.locator("b", has_text="programme").count() == 0
    assert root.get_by_text("<b>programme</b>").count() > 0
    frame = shown.frame
    assert frame["words"].tolist() == [7, 7, 6, 3] and frame["1-gram F1"].dropna().tolist() == [0.5]


def test_what_cannot_stand_side_by_side() -> None:
    with pytest.raises(ValueError, match="keeps words that are not there: places are 0 to 18"):
        SideBySide(WORDS, [Shortened("x", ["a"], (99,))])
    with pytest.raises(ValueError, match="at least one compression"):
        SideBySide(WORDS, [])


@pytest.mark.parametrize("make", [Board, SideBySide])
def test_pages_fit_a_screen_and_controls_have_names(page, tmp_path, make: Any) -> None:
    shown = Board(WORDS, RULES, best_choice) if make is Board else SideBySide(WORDS, OUTPUTS)
    path = shown.to_html(tmp_path / "page.html")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        ready(page, path)
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            box = page.locator(".wol-player").bounding_box()
            assert box["height"] <= 700 and box["width"] <= width
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator(".wol-player").get_attribute("data-theme") == theme
    named_controls(page)
