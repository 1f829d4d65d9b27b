// The derivation of one edge beside the agenda and the chart: the pinned one, the goal, or the last
// that was popped.

import { drawChartEdge } from "../chart/edge.js";
import { svg } from "../player/dom.js";
import { nothingYet } from "../player/pictures.js";
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
  const chosen = shownEdge(state, room.selected);
  if (!chosen) return nothingYet(room.width, scale);
  const [drawn, height, wide] = drawChartEdge({ state, room, scale, chosen }, room.width - 12);
  const width = Math.max(room.width, Math.ceil(wide) + 12);
  drawn.setAttribute("transform", "translate(6 4)");
  const why = chosen === room.selected ? "pinned" : state.finished ? "the outcome" : "popped last";
  return svg("svg", {
    viewBox: `0 0 ${width} ${Math.ceil(height + 8)}`, width, height: Math.ceil(height + 8),
    class: "wol-picture", role: "group", "aria-label": `${sayEdge(state, chosen)}: ${why}`,
    style: `font-size: ${12 * scale}px`,
    onclick: ({ target }) => {
      const part = target.closest("[data-serial]");
      if (part) room.select(Number(part.dataset.serial));
    },
  }, drawn);
}

function shownEdge(state, pinned) {
  if (pinned && edgeOf(state, pinned)) return pinned;
  if (state.finished && edgeOf(state, state.finished.serial)) return state.finished.serial;
  return state.pops.at(-1)?.[0] ?? null;
}
