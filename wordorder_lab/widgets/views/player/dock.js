// The tree of what is looked at stays in sight: where it would stand below the edge of a place that
// scrolls, it is lifted over what is there, until one has scrolled down to it.

import { svg } from "./dom.js";

const DOCK_SHARE = { chosen: 0.5, usual: 0.34 }; // of the place that it may cover
const DOCK_LEAST = 200; // pixels: in a lower place there is no room for it
const DOCK_EDGE = 6; // pixels around it

// `chosen`: whether something was chosen in this picture.
export function dock(stage, chosen) {
  const tree = stage.querySelector("svg[viewBox] .wol-detail");
  if (!tree) return;
  tree.querySelector(":scope > .wol-dock-ground")?.remove();
  tree.classList.remove("wol-docked");
  tree.style.translate = "";
  const { scrollHeight, clientHeight } = stage;
  if (scrollHeight <= clientHeight || clientHeight < DOCK_LEAST) return;
  const [box, place] = [tree, stage].map((one) => one.getBoundingClientRect());
  const share = DOCK_SHARE[chosen ? "chosen" : "usual"];
  const seen = Math.min(box.height + DOCK_EDGE, share * clientHeight);
  const over = box.top - (place.top + clientHeight - seen);
  if (over <= 0) return;
  const { x, y, width, height } = tree.getBBox();
  tree.prepend(svg("rect", {
    class: "wol-dock-ground", x: x - DOCK_EDGE, y: y - DOCK_EDGE, width: width + 2 * DOCK_EDGE,
    height: height + 2 * DOCK_EDGE,
  }));
  tree.classList.add("wol-docked");
  tree.style.translate = `0 ${-Math.round(over)}px`;
  if (tree.nextSibling) tree.parentElement.append(tree); // over what it covers
}
