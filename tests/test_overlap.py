"""No text of a picture stands on another one, and none sticks out: in all views, at many moments.

A line of text has room above and below its letters; what is compared is the middle of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ccg_logs import ccg_log
from nltk.tree import Tree
from random_logs import best_first_log, guided_log, ordering_log, training_log
from sentence_logs import WORDS, deletion_log, parsing_log
from test_transduction_view import LONG
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.transduction.problem import Beam

BAG = "Harvard-University boats near the pier of old red harbour boats"


def long_sentence() -> wl.EventLog:
    return compression_log(Beam(20, 40), source=Tree.fromstring(LONG))


LOGS: dict[str, list[Any]] = {
    "beam": [lambda: ordering_log(16), lambda: ordering_log(6, BAG)],
    "agenda": [best_first_log, lambda: best_first_log(BAG)],
    "chart": [ccg_log, lambda: best_first_log(BAG, expansions=300)],
    "updates": [guided_log, training_log],
    "spans": [lambda: ordering_log(16), lambda: ordering_log(6, BAG)],
    "transduction": [compression_log, long_sentence],
    "parsing": [parsing_log, lambda: parsing_log(WORDS, fails=True)],
    "deletion": [deletion_log, lambda: deletion_log(WORDS * 2)],
    "together": [
        lambda: ordering_log(6, BAG),
        ccg_log,
        lambda: best_first_log(BAG),
        training_log,
    ],
}
SCREENS = [
    (968, 900, 20),
    (1280, 720, 10),
    (700, 800, 5),
    (1920, 1080, 5),
    (700, 600, 5, "present"),
]

# The pairs of texts that overlap and the texts that stick out, each once; at every third moment
# something else is pressed.
WALK = """(moments) => {
  const player = wordorderPlayer, wrong = new Map();
  let seen = 0;
  const boxesOf = (picture) => [...picture.querySelectorAll("text")].flatMap((text) => {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode, range = document.createRange();
      if (node.parentElement.nodeName === "title" || !node.data.trim()) continue;
      range.selectNodeContents(node);
      const { left, right, top, bottom, width, height } = range.getBoundingClientRect();
      const spare = 0.15 * height;
      if (width) found.push({
        text, words: node.data, left: left + 0.5, right: right - 0.5,
        top: top + spare, bottom: bottom - spare,
      });
    }
    return found;
  });
  for (let i = 1; i <= moments; i += 1) {
    const tick = Math.round((player.clock.last * i) / moments);
    player.go(tick);
    const pressable = player.root.querySelectorAll(".wol-stages svg [data-serial]");
    if (i % 3 === 2 && pressable.length)
      pressable[(7 * i) % pressable.length].dispatchEvent(
        new MouseEvent("click", { bubbles: true }));
    const say = (kind, ...texts) => {
      const key = `${kind}: ` + texts.map((one) => `“${one.words}”`).join(" on ");
      const places = texts.map(({left, top}) => `${Math.round(left)},${Math.round(top)}`);
      if (!wrong.has(key)) wrong.set(key, `tick ${tick}: ${key} at ${places.join(" and ")}`);
    };
    for (const picture of player.root.querySelectorAll(".wol-stages svg[viewBox]")) {
      const frame = picture.getBoundingClientRect();
      if (!frame.width || picture.parentElement.closest("svg")) continue;
      const boxes = boxesOf(picture).sort((a, b) => a.left - b.left);
      seen += boxes.length;
      boxes.forEach((one, at) => {
        if (one.left < frame.left - 1 || one.right > frame.right + 1 ||
            one.top < frame.top - 1 || one.bottom > frame.bottom + 1) say("sticks out", one);
        for (let next = at + 1; boxes[next]?.left < one.right; next += 1) {
          const other = boxes[next];
          if (other.text !== one.text && other.top < one.bottom && one.top < other.bottom)
            say("overlaps", other, one);
        }
      });
    }
  }
  return [seen, [...wrong.values()]];
}"""


@pytest.mark.parametrize(
    ("view", "which"), [(view, which) for view, logs in LOGS.items() for which in range(len(logs))]
)
def test_texts_keep_apart(page: Any, tmp_path: Path, view: str, which: int) -> None:
    path = wl.to_html(LOGS[view][which](), tmp_path / "player.html", view=view)
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    for width, height, moments, *presents in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)  # drawn anew for this width
        if presents:
            page.evaluate("wordorderPlayer.present()")
        seen, wrong = page.evaluate(WALK, moments)
        assert not wrong, width
        assert seen > 5 * moments, "a walk that sees no texts"
