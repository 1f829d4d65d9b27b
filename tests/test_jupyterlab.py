"""A player in JupyterLab, as a student meets it: run all, click, drag, press keys, read it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browser import watched
from jupyter import BEST_FIRST_LOGS, SMALL_LOG, jupyterlab, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

CELLS = (
    SMALL_LOG,
    "player = wl.play(log)\nplayer",
    """\
from ipywidgets import Button, VBox
from wordorder_lab.widgets.live import Keys
VBox([Button(description="Run it"), Keys()], _dom_classes=["wol-form"])""",
    "player.position = 4",
    'print(f"{player.position} of {len(log)}, guesses: {[*player.quiz.guess]}")',
)
DRIVEN = (
    BEST_FIRST_LOGS,
    "player = wl.play(log, view='chart', drive=model.drive(bag))\nplayer",
    "wl.play(lesson, view='updates')",
    'print(f"{player.position} of {len(log)}, guesses: {len(player.quiz)}")',
)

EXPLORED = (
    BEST_FIRST_LOGS,
    "explorer = wl.explore(model, [sentence], engine='reference')\nexplorer",
    'print(f"{len(explorer.selected)} of {len(explorer.frame)}, {explorer.filter}")',
)

SWEPT = (
    BEST_FIRST_LOGS,
    "sweep = wl.sweep(model, bag, beam=(1, 8), engine='reference')\nsweep",
    "print([run.value for run in sweep.runs])",
)
NOTEBOOKS = {"beam": CELLS, "chart": DRIVEN, "explorer": EXPLORED, "sweep": SWEPT}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of one JupyterLab with all notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "notebooks").mkdir()
    for name, cells in NOTEBOOKS.items():
        write_notebook(folder / "notebooks" / f"{name}.ipynb", *cells)
    with jupyterlab(folder / "notebooks", folder) as own:
        yield own


@pytest.fixture
def lab(request, chromium, server: str) -> Iterator[Page]:
    """A notebook with a player in JupyterLab, after Run All; the parameter is its name."""
    with watched(chromium, server) as page:
        page.set_viewport_size({"width": 1300, "height": 1500})
        page.goto(f"{server}/lab/workspaces/{request.param}/tree/{request.param}.ipynb")
        # Cells that are run before the kernel is there are now and then not run at all.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.locator(".wol-player").first.wait_for()
        yield page


def read_back(page: Page, expected: str) -> None:
    """Run the last cell until Python says what is expected; the browser tells it a little later."""
    said: list[str] = []
    while expected not in said and len(said) < 10:
        cell = page.locator(".jp-CodeCell").last
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        for _ in range(1000):
            if re.fullmatch(r"\[\d+\]:", prompt.inner_text()) and prompt.inner_text() != before:
                break
            page.wait_for_timeout(50)
        said.append(cell.locator(".jp-OutputArea-output").inner_text().strip())
    assert expected in said, said


def drag_to_the_end(page: Page, timeline: Locator) -> None:
    timeline.scroll_into_view_if_needed()
    box = timeline.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, middle, steps=5)
    page.mouse.move(box["x"] + box["width"] + 10, middle, steps=5)
    page.mouse.up()


@pytest.mark.parametrize("lab", ["beam"], indirect=True)
def test_a_player_in_jupyterlab(lab) -> None:
    player = lab.get_by_role("region", name="Player")
    cells = lab.locator(".jp-CodeCell")
    player.get_by_text("event 4 of 14").wait_for(state="attached")  # as Python has set it

    player.get_by_label("Step size").select_option("event")
    for _ in range(2):
        player.get_by_role("button", name="Forward").click()
    read_back(lab, "6 of 14, guesses: []")
    drag_to_the_end(lab, player.get_by_role("slider", name="Timeline"))
    read_back(lab, "14 of 14, guesses: []")

    player.get_by_role("slider", name="Timeline").focus()
    for key in ("Home", "ArrowRight", "a", "b", "x", "d", "d", "m", "Shift+Enter", "Control+Enter"):
        lab.keyboard.press(key)
    player.get_by_text("event 1 of 14").wait_for(state="attached")
    player.locator(".wol-narration").click()  # not a control, and yet inside the player
    lab.keyboard.press("b")
    lab.keyboard.press("ArrowRight")
    player.get_by_text("event 2 of 14").wait_for(state="attached")
    assert cells.count() == len(CELLS)

    player.get_by_role("button", name="Quiz").click()
    player.get_by_role("button", name="Last").click()
    player.get_by_role("group", name="Quiz").get_by_role("button").first.click()
    read_back(lab, "11 of 14, guesses: ['SHIFT Lotus/NNP after [bought]']")

    guarded = lab.locator("[data-lm-suppress-shortcuts]").get_by_role("button", name="Run it")
    guarded.focus()
    lab.keyboard.press("b")
    assert cells.count() == len(CELLS)

    lab.locator(".jp-CodeCell").last.locator(".cm-content").click()
    lab.keyboard.press("Escape")
    lab.keyboard.press("b")  # outside the player, JupyterLab gets its key
    cells.nth(len(CELLS)).wait_for()


@pytest.mark.parametrize("lab", ["chart"], indirect=True)
def test_driving_in_jupyterlab(lab) -> None:
    """Two edges of the chart are picked, and the model behind the notebook says what they make;
    then the agenda's quiz, and a lesson, update by update."""
    player = lab.get_by_role("region", name="Player").first
    drive = player.get_by_role("group", name="Drive")
    for word in ("IBM", "bought"):
        card = player.locator("[data-serial]").filter(has_text=word).first
        card.focus()
        lab.keyboard.press("p")
    drive.get_by_role("button", name="Ask the model").click()
    drive.get_by_text("an edge with score").first.wait_for()
    rows = drive.locator("tbody tr").all_inner_texts()
    assert len(rows) == 4 and all("\u2713 an edge with score" in row for row in rows)
    drive.get_by_role("button", name="Lay the second edge down").click()
    assert drive.locator("tbody tr").count() == 0

    player.get_by_label("View").select_option("agenda")
    player.get_by_role("button", name="First", exact=True).click()
    player.get_by_role("button", name="Quiz", exact=True).click()
    player.get_by_role("button", name="Last", exact=True).click()
    player.get_by_role("group", name="Quiz").get_by_role("button").first.click()
    asked = player.get_by_label("Position").text_content() or ""
    asked = asked.partition("event ")[2]
    read_back(lab, f"{asked}, guesses: 1")

    lesson = lab.get_by_role("region", name="Player").nth(1)
    lesson.get_by_role("button", name="First", exact=True).click()
    lesson.get_by_label("Step size").select_option("update")
    lesson.get_by_role("button", name="Forward", exact=True).click()
    lesson.get_by_text("Update 1 (").first.wait_for()


@pytest.mark.parametrize("lab", ["explorer"], indirect=True)
def test_exploring_in_jupyterlab(lab) -> None:
    """A selection comes back to Python, and a row is recorded on the spot and played."""
    explorer = lab.get_by_role("region", name="Explorer")
    explorer.get_by_label("words from").fill("4")
    explorer.get_by_label("words from").press("Enter")
    explorer.get_by_text("0 of 1 sentence").wait_for()
    read_back(lab, "0 of 1, {'words': [4, None]}")
    explorer.get_by_role("button", name="Clear all filters").click()
    read_back(lab, "1 of 1, {}")
    explorer.locator(".wol-grid-row").click()
    lab.keyboard.press("b")  # outside the explorer this would make a cell
    explorer.get_by_role("button", name="Play the search").click()
    player = explorer.get_by_role("region", name="Player")
    player.get_by_text("IBM").first.wait_for()
    assert lab.locator(".jp-CodeCell").count() == len(EXPLORED)


@pytest.mark.parametrize("lab", ["sweep"], indirect=True)
def test_a_live_sweep_in_jupyterlab(lab) -> None:
    """Its field says why a value cannot be searched with, and searches with any other: there is a
    new row, which Python has, too, and one can type on."""
    sweep = lab.get_by_role("region", name="Sweep")
    field = sweep.get_by_role("spinbutton", name="Another value of beam")
    field.fill("-1")
    field.press("Enter")
    sweep.get_by_text("No search: beam is a whole number from 0").wait_for()
    field.fill("3")
    field.press("Enter")
    sweep.get_by_role("button", name="beam 3", pressed=True).wait_for()
    assert field.evaluate("(one) => one === document.activeElement")
    read_back(lab, "[1, 3, 8]")
