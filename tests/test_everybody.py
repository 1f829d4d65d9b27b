"""Who reads players: text stands out and controls have names, in both themes and both modes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import ready
from counting import page_script
from random_logs import figure_4_log, guided_log
from test_one_screen import LOGS
from test_player import CONTROLS

import wordorder_lab as wl

MADE = {view: logs[0] for view, logs in LOGS.items()}
MADE |= {"beam": figure_4_log, "together": guided_log}

FAINT = page_script("faint.js")


def opened(page: Any, folder: Path, view: str) -> None:
    path = wl.to_html(MADE[view](), folder / "player.html", view=view)
    ready(page, path)


@pytest.mark.parametrize("view", MADE)
def test_all_text_stands_out(page: Any, tmp_path: Path, view: str) -> None:
    opened(page, tmp_path, view)
    for mode in ("page", "presentation"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.locator(f".wol-player[data-theme={scheme}]").wait_for()
            seen, faint = page.evaluate(FAINT, 3)
            assert seen > 60 and not faint, (mode, scheme)
        page.evaluate("wordorderPlayer.present()")


@pytest.mark.parametrize("view", MADE)
def test_all_controls_have_names(page: Any, tmp_path: Path, view: str) -> None:
    """In the accessibility tree, as screen readers read it; the picture has a name, too."""
    opened(page, tmp_path, view)
    page.evaluate("wordorderPlayer.go(wordorderPlayer.clock.last * 0.6)")
    session = page.context.new_cdp_session(page)
    for least in (6, 0):  # a presentation has no toolbar
        tree = session.send("Accessibility.getFullAXTree")["nodes"]
        nodes = [one for one in tree if one.get("role", {}).get("value") in CONTROLS]
        assert len(nodes) >= least and all(one.get("name", {}).get("value") for one in nodes)
        told = page.locator(".wol-stages svg[role][viewBox]:visible").all()
        assert told and all(one.get_attribute("aria-label") for one in told)
        page.evaluate("wordorderPlayer.present()")
