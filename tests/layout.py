"""What is looked at in a player's pictures: that they fit a screen, and that texts keep apart.

A line of text has room above and below its letters; what is compared is the middle of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = ((968, 900, 20), (1280, 720, 10), (1920, 1080, 10), (700, 800, 5))
"""Widths and heights, and at how many moments they are looked at."""

# What is wrong at these moments, each kind once: parts that are out of sight, pairs of texts that
# overlap, texts that stick out. At every third moment something is pressed when texts are looked
# at. Before it, how many texts were seen.
LOOK = """([moments, most, least]) => {
  const player = wordorderPlayer, [stage] = player.stages, wrong = new Map(), shares = [];
  let seen = 0, tick = 0;
  const say = (key, more = "") => {
    if (!wrong.has(key)) wrong.set(key, `tick ${tick}: ${key}${more}`);
  };
  const boxOf = (selector) => player.root.querySelector(selector).getBoundingClientRect();
  const lookAtParts = () => {
    const whole = player.root.getBoundingClientRect();
    if (whole.height > most || whole.width > innerWidth) say("the player is too large");
    if (document.documentElement.scrollWidth > innerWidth) say("the page goes sideways");
    for (const part of [".wol-toolbar", ".wol-narration", ".wol-timeline"]) {
      const { top, bottom } = boxOf(part);
      if (top < 0 || bottom > whole.bottom) say(`${part} is out of sight`);
    }
    if (innerWidth >= 900 && boxOf(".wol-toolbar").height >= 40) say("a toolbar of two lines");
    if (!least) return;
    const picture = boxOf(".wol-stage"), { height } = boxOf(".wol-stage .wol-picture-room");
    if (picture.height < Math.min(height, 220)) say("the picture is too small");
    if (picture.bottom > whole.bottom + 1) say("the picture is out of sight");
    shares.push(stage.clientHeight / stage.scrollHeight);
  };
  // A tree that is docked covers what is below it.
  const boxesOf = (picture) => [...picture.querySelectorAll("text")].flatMap((text) => {
    if (text.closest(".wol-detail:has(> .wol-dock-ground)")) return [];
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
  const lookAtTexts = (picture) => {
    const frame = picture.getBoundingClientRect();
    if (!frame.width || picture.parentElement.closest("svg")) return;
    const boxes = boxesOf(picture).sort((a, b) => a.left - b.left);
    seen += boxes.length;
    boxes.forEach((one, at) => {
      if (one.left < frame.left - 1 || one.right > frame.right + 1 ||
          one.top < frame.top - 1 || one.bottom > frame.bottom + 1)
        say(`“${one.words}” sticks out`, ` at ${one.left}, ${one.top}`);
      for (let next = at + 1; boxes[next]?.left < one.right; next += 1) {
        const other = boxes[next];
        if (other.text !== one.text && other.top < one.bottom && one.top < other.bottom)
          say(`“${other.words}” overlaps “${one.words}”`, ` at ${one.left}, ${one.top}`);
      }
    });
  };
  const go = (i, n) => player.go((tick = Math.round((player.clock.last * i) / n)));
  for (let i = 1; most && i <= 20; i += 1) {
    go(i, 20);
    lookAtParts();
  }
  for (let i = 1; i <= moments; i += 1) {
    go(i, moments);
    const pressable = player.root.querySelectorAll(".wol-stages svg [data-serial]");
    if (i % 3 === 2 && pressable.length)
      pressable[(7 * i) % pressable.length].dispatchEvent(
        new MouseEvent("click", { bubbles: true }));
    player.root.querySelectorAll(".wol-stages svg[viewBox]").forEach(lookAtTexts);
  }
  shares.sort((a, b) => a - b);
  if (least && shares[10] < least) say("most of the picture is out of sight");
  return [seen, [...wrong.values()]];
}"""


# What a note lies on, what its arrow crosses, and what of it or of its item is out of sight.
NOTE = """() => {
  const note = document.querySelector(".wol-note-here"), wrong = [];
  if (!note) return wrong;
  const box = (one) => one.getBoundingClientRect(), place = box(note.closest(".wol-stage"));
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const [mine, item] = [".wol-mark-box", ".wol-mark-frame"].map((one) => note.querySelector(one));
  const others = ".wol-card, text, [role=img], .wol-lattice, .wol-dock-ground, .wol-agenda-row";
  for (const one of note.ownerSVGElement.querySelectorAll(others))
    if (!one.closest(".wol-marks") && box(one).width && !apart(box(one), box(mine)))
      wrong.push(`the note lies on ${one.getAttribute("aria-label") ?? one.textContent}`);
  const line = note.querySelector(".wol-mark-line"), length = line?.getTotalLength() ?? 0;
  const points = Array.from({length: Math.ceil(length)}, (_, at) =>
    line.getPointAtLength(at).matrixTransform(line.getScreenCTM()));
  for (const one of note.ownerSVGElement.querySelectorAll("text")) {
    const {left, right, top, bottom, height} = box(one), spare = 0.15 * height;
    const on = ({x, y}) => left < x && x < right && top + spare < y && y < bottom - spare;
    if (!one.closest(".wol-marks") && points.some(on))
      wrong.push(`the arrow crosses ${one.textContent}`);
  }
  for (const [name, one] of [["note", mine], ["item", item]].filter(([, one]) => one)) {
    const { left, right, top, bottom } = box(one);
    if (left < place.left - 3 || right > place.right + 3 || top < place.top - 3 ||
        bottom > place.bottom + 3) wrong.push(`the ${name} is out of sight`);
  }
  return wrong;
}"""


def look(page: Page, width: int, height: int, moments: int, picture: bool = True) -> None:
    """All is well on this screen; with ``picture``, two thirds of it are in sight mostly."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(60)  # drawn anew for this width
    most = height if width > 1400 else 700
    share = 0.66 if picture and width > 900 else 1e-9 if picture else 0
    _look(page, moments, most, share)


def look_presented(page: Page) -> None:
    """The same of the pictures alone in presentation mode."""
    page.set_viewport_size({"width": 700, "height": 600})
    page.evaluate("wordorderPlayer.present()")
    page.wait_for_timeout(60)
    _look(page, 5, 0, 0)


def _look(page: Page, moments: int, most: int, least: float) -> None:
    seen, wrong = page.evaluate(LOOK, [moments, most, least])
    assert not wrong, (page.viewport_size, wrong)
    assert seen > 5 * moments, "a walk that sees no texts"
