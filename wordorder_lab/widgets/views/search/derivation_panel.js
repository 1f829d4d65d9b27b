// The derivation of one edge beside the agenda and the chart: the pinned one, the goal, or the last
// that was popped.

import { drawChartEdge } from "../chart/edge.js";
import { nothingYet, pictureOf } from "../player/pictures.js";
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
  const onclick = ({ target }) => {
    const part = target.closest("[data-serial]");
    if (part) room.select(Number(part.dataset.serial));
  };
  return pictureOf(width, Math.ceil(height + 8), scale, `${sayEdge(state, chosen)}: ${why}`, drawn,
    { onclick });
}

function shownEdge(state, pinned) {
  if (pinned && edgeOf(state, pinned)) return pinned;
  if (state.finished && edgeOf(state, state.finished.serial)) return state.finished.serial;
  return state.pops.at(-1)?.[0] ?? null;
}
