"""Who reads players: text stands out and controls have names, in both themes and both modes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import ready
from random_logs import figure_4_log, guided_log
from test_one_screen import LOGS
from test_player import CONTROLS

import wordorder_lab as wl

MADE = {view: logs[0] for view, logs in LOGS.items()}
MADE |= {"beam": figure_4_log, "together": guided_log}

# Texts whose contrast with what they stand on is below 4.5, each once with its contrast, and how
# many were looked at. Opacity of all around a text counts; below it lies the last rectangle that
# was drawn under its middle, or the background of an element around it.
FAINT = """(moments) => {
  const player = wordorderPlayer, faint = new Map();
  let seen = 0;
  const parts = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], below, opacity = 1) =>
    [r, g, b].map((one, i) => one * a * opacity + below[i] * (1 - a * opacity));
  const light = (color) => {
    const [r, g, b] = color.map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opacityOf = (one) => (one === player.root ? 1
    : Number(getComputedStyle(one).opacity) * opacityOf(one.parentElement));
  const backOf = (one) => {
    const own = parts(getComputedStyle(one).backgroundColor);
    return own[3] ? over(own, own[3] < 1 ? backOf(one.parentElement) : [0, 0, 0])
      : one === player.root ? [255, 255, 255] : backOf(one.parentElement);
  };
  const under = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let found = backOf(text.closest("svg").parentElement);
    for (const one of text.closest("svg").querySelectorAll("rect, circle")) {
      if (one.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const { fill, fillOpacity } = getComputedStyle(one);
      if (fill === "none" || x < left || x > right || y < top || y > bottom) continue;
      found = over(parts(fill), found, fillOpacity * opacityOf(one));
    }
    return found;
  };
  const judge = (one, color, below) => {
    seen += 1;
    const ink = over(parts(color), below, opacityOf(one));
    const [a, b] = [light(ink), light(below)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const key = `${one.getAttribute("class")} in ${one.parentElement.getAttribute("class")}`;
    if (contrast < 4.5 && !faint.has(key))
      faint.set(key, `${contrast.toFixed(2)}: ${key}: ${one.textContent.slice(0, 40)}`);
  };
  for (let i = 1; i <= moments; i += 1) {
    player.go(Math.round((player.clock.last * i) / moments));
    for (const one of player.root.querySelectorAll("*")) {
      const words = [...one.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
      if (!words || !one.getClientRects().length || one.closest("[aria-disabled=true]")) continue;
      const style = getComputedStyle(one);
      if (style.visibility === "hidden" || one.matches("title, option")) continue;
      if (one.matches("text, tspan")) judge(one, style.fill, under(one.closest("text")));
      else judge(one, style.color, backOf(one));
    }
  }
  return [seen, [...faint.values()]];
}"""


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
