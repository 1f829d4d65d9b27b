// The tree of what is looked at stays in sight: where it would stand below the edge of a place that
// scrolls, it is lifted over what is there, until one has scrolled down to it. Gold's cards and the
// one that was chosen are not covered: for them it is lower, and if nothing was chosen not lifted.

import { svg } from "./dom.js";

const DOCK_SHARE = { chosen: 0.5, usual: 0.42 }; // of the place that it may cover
const DOCK_LEAST = 200; // pixels: in a lower place there is no room for it
const DOCK_HEAD = 64; // pixels: so much of it is seen at least
const DOCK_EDGE = 6; // pixels around it
const DOCK_SPARES = ".wol-card:is(.wol-gold, .wol-chosen) > rect, .wol-mark-frame";

// `chosen`: whether something was chosen in this picture; `spared`, an element, is not covered.
export function dock(stage, chosen, spared = null) {
  const tree = undock(stage);
  if (!tree) return;
  const { scrollHeight, clientHeight } = stage;
  if (scrollHeight <= clientHeight || clientHeight < DOCK_LEAST) return;
  const [box, place] = [tree, stage].map((one) => one.getBoundingClientRect());
  const share = DOCK_SHARE[chosen ? "chosen" : "usual"];
  const most = Math.min(box.height + DOCK_EDGE, share * clientHeight);
  const all = [...stage.querySelectorAll(DOCK_SPARES), spared];
  const free = Math.min(most, freeFor(box, place, all));
  const seen = chosen ? Math.max(DOCK_HEAD, free) : free;
  const over = box.top - (place.top + clientHeight - seen);
  if (over <= 0 || seen < DOCK_HEAD) return;
  const { x, y, width, height } = tree.getBBox();
  const whole = pastCards(stage, box, box.top - over) * (width / box.width);
  tree.prepend(svg("rect", {
    class: "wol-dock-ground", x: x - DOCK_EDGE, y: y - DOCK_EDGE,
    width: whole + 2 * DOCK_EDGE, height: height + 2 * DOCK_EDGE,
  }));
  tree.style.translate = `0 ${-Math.round(over)}px`;
  if (tree.nextSibling) tree.parentElement.append(tree); // over what it covers
}

// The tree is where the picture has it; before a picture is drawn that keeps it.
export function undock(stage) {
  const tree = stage.querySelector("svg[viewBox] .wol-detail");
  tree?.querySelector(":scope > .wol-dock-ground")?.remove();
  tree?.style.removeProperty("translate");
  return tree;
}

// How many pixels are free below what is to be spared, if it is in sight and as far to the left.
function freeFor(box, place, spared) {
  return Math.min(...spared.map((one) => {
    const { left, right, bottom } = one?.getBoundingClientRect() ?? {};
    return left < box.right + DOCK_EDGE && right > box.left - DOCK_EDGE && bottom <= place.bottom
      ? place.bottom - bottom - 2 * DOCK_EDGE : Infinity;
  }));
}

// How wide it is if no card stands out to its right by a part.
function pastCards(stage, { left, right }, top) {
  const ends = [...stage.querySelectorAll(".wol-card > rect")]
    .map((one) => one.getBoundingClientRect())
    .filter((one) => one.left < right + DOCK_EDGE && one.right > right && one.bottom > top);
  return Math.max(right, ...ends.map((one) => one.right)) - left;
}
