"""A notebook that was run and exported still plays: no kernel, no network."""

from __future__ import annotations

import subprocess
import sys

import pytest
from house_rules import ROOT
from jupyter import BEST_FIRST_LOGS, SMALL_LOG, own_folders, write_notebook

from wordorder_lab.check import Desk

CELLS = (
    SMALL_LOG,
    "wl.play(log, view='beam', at=1)",
    BEST_FIRST_LOGS,
    "wl.play(log, view='agenda')",
    "wl.play(log, view='chart', drive=model.drive(bag))",
    "wl.play(lesson, view='updates')",
    "from wordorder_lab.check import check",
    "check('12.1', 3)",
    "check('12.1', 5)",
    "check('12.1', 'four')",
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> str:
    """The page that ``make pages`` would make of a notebook of these cells."""
    folder = tmp_path_factory.mktemp("exported")
    write_notebook(folder / "player.ipynb", *CELLS)
    config = str(ROOT / "notebooks" / "pages.json")
    command = [sys.executable, "-m", "nbconvert", "--config", config, "--execute", "--to", "html"]
    done = subprocess.run(
        [*command, "player.ipynb"],
        cwd=folder,
        env=own_folders(folder / "jupyter"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return (folder / "player.html").as_uri()


def test_it_plays_offline(page, exported: str) -> None:
    """A beam, then agenda, chart and updates; nothing that needs a kernel is shown."""
    page.goto(exported)
    frames = [page.frame_locator("iframe").nth(i) for i in range(5)]
    player, agenda, chart, updates, _ = (
        frame.get_by_role("region", name="Player") for frame in frames
    )
    player.get_by_text("event 1 of 14").wait_for()
    player.get_by_label("Step size").select_option("event")
    player.get_by_role("button", name="Forward").click()
    player.get_by_text("event 2 of 14").wait_for()
    page.keyboard.press("End")
    player.get_by_text("event 14 of 14").wait_for()
    ended = "The search has ended"
    for player, said in ((agenda, ended), (chart, ended), (updates, "Epoch 1 is over")):
        # By key: frames grow while others are loading, and a mouse may miss what moves.
        player.get_by_role("slider", name="Timeline").press("End")
        player.locator(".wol-narration").get_by_text(said).wait_for()
    assert "IBM bought Lotus" in (agenda.locator(".wol-stage").text_content() or "")
    assert not chart.locator(".wol-drive").count()
    updates.get_by_label("More", exact=True).press("Enter")
    updates.get_by_label("Kind of event").select_option("edge_update")
    updates.get_by_role("button", name="Previous of this kind").press("Enter")
    updates.locator(".wol-narration").get_by_text("Update").wait_for()


def test_a_wrong_answer_is_followed_by_a_player_where_it_fails(page, exported: str) -> None:
    """A right one is not, nor is one that is no answer to the question."""
    page.goto(exported)
    moment = Desk()("12.1", 3).moment
    assert moment is not None and page.locator("iframe").count() == 5
    page.get_by_text("12.1: not yet. With a chart of 3 comes").wait_for()
    player = page.frame_locator("iframe").nth(4).get_by_role("region", name="Player")
    player.get_by_text(f"event {moment.at} of {len(moment.log)}").wait_for()
    player.get_by_text("A chart of 3").wait_for()
