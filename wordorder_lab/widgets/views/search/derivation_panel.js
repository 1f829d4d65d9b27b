// The derivation of one edge beside the agenda and the chart: the pinned one, the goal, or the last
// that was popped.

import { svg } from "../player/dom.js";
import { headline, nothingYet } from "../player/pictures.js";
import { drawDerivation, drawEdgeTree, edgeTreeWidth } from "./derivations.js";
import { sayEdge } from "./edges.js";
import { narrateSearch, sumUpPop } from "./narration.js";
import { edgeOf, searchApply, searchCopy, searchStart } from "./search.js";

export const derivationPanel = {
  title: "Derivation",
  start: searchStart,
  apply: searchApply,
  copy: searchCopy,
  draw: drawDerivationPanel,
  describe: narrateSearch,
  summary: sumUpPop,
};

function drawDerivationPanel(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const serial = shownEdge(state, room.selected);
  if (!serial) return nothingYet(room.width, scale);
  const edge = edgeOf(state, serial);
  const press = (part) => ({
    role: "button", tabindex: part.serial === serial ? 0 : -1, "data-serial": part.serial,
    "aria-label": sayEdge(state, part.serial), onclick: () => room.select(part.serial),
  });
  // All of it, at a size that can be read: what is wider than the panel scrolls.
  const width = Math.max(room.width, Math.ceil(edgeTreeWidth(state, serial, scale)) + 16);
  const [tree, height] = edge.category
    ? drawDerivation(state, serial, width - 12, scale, press)
    : drawEdgeTree(state, serial, width - 12, scale);
  const placed = svg("g", { transform: `translate(6 ${24 * scale})` },
    edge.category ? tree : svg("g", press(edge), tree));
  const why = serial === room.selected ? "pinned" : state.finished ? "the outcome" : "popped last";
  const title = `${sayEdge(state, serial)}: ${why}`;
  const whole = Math.ceil(height + 32 * scale);
  return svg("svg", {
    viewBox: `0 0 ${width} ${whole}`, width, height: whole, class: "wol-picture",
    role: "group", "aria-label": title, style: `font-size: ${12 * scale}px`,
  }, headline(title, 2, 14 * scale, room.width / scale - 4), placed);
}

function shownEdge(state, pinned) {
  if (pinned && edgeOf(state, pinned)) return pinned;
  if (state.finished && edgeOf(state, state.finished.serial)) return state.finished.serial;
  return state.pops.at(-1)?.[0] ?? null;
}
