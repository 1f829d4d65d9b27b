"""A notebook that was run and exported still plays: no kernel, no network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from house_rules import ROOT
from jupyter import SMALL_LOG, own_folders, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Page


def export(folder: Path) -> Path:
    """The page that ``make pages`` would make of a notebook with a player."""
    write_notebook(folder / "player.ipynb", SMALL_LOG, "wl.play(log, view='beam')")
    config = str(ROOT / "notebooks" / "pages.json")
    command = [sys.executable, "-m", "nbconvert", "--config", config, "--execute", "--to", "html"]
    environment = own_folders(folder / "jupyter")
    done = subprocess.run(
        [*command, "player.ipynb"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "player.html"


def test_an_exported_notebook_plays_offline(page: Page, tmp_path: Path) -> None:
    page.goto(export(tmp_path).as_uri())
    player = page.frame_locator("iframe").get_by_role("region", name="Player")
    player.get_by_text("event 1 of 9").wait_for()
    player.get_by_label("Step size").select_option("event")
    player.get_by_role("button", name="Forward").click()
    player.get_by_text("event 2 of 9").wait_for()
    page.keyboard.press("End")
    player.get_by_text("event 9 of 9").wait_for()
