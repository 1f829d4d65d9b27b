// The grid of a rule with three variables and more that have a choice.

import { clip, svg, textWidth } from "../player/dom.js";
import { number, plural } from "../player/words.js";
import { itemWords } from "./items.js";
import { chooseIn } from "./look.js";
import { sayTaken } from "./narration.js";

export const OUTCOMES = { new: "+ new", better: "↑ better", worse: "no better" };
const MOST_LINES = 40;

// Three variables and more: a line for each combination, its ranks as a vector.
export function drawVectors(at, grid, width) {
  const { room, scale, combination } = at;
  const taken = [...grid.taken.values()];
  const most = Math.min(MOST_LINES, room.rows);
  const shown = taken.filter(
    (one, i) => i >= taken.length - most || one.serial === combination?.serial,
  );
  const frontier = grid.frontier.slice(0, most);
  const lines = [
    ...(taken.length > shown.length
      ? [{ note: `${plural(taken.length - shown.length, "earlier one")}` }]
      : []),
    ...shown.map((one) => ({ one })),
    ...frontier.map((ranks) => ({ ranks })),
    ...(grid.frontier.length > frontier.length
      ? [{ note: `${grid.frontier.length - frontier.length} more on the frontier` }]
      : []),
  ];
  const drawn = lines.map((line, i) => vectorLine(at, grid, line, i * 24 * scale, width));
  return [svg("g", { class: "wol-grid" }, drawn), (24 * lines.length + 4) * scale];
}

function vectorLine(at, { sides }, { one, ranks, note }, y, width) {
  const { state, scale } = at;
  if (note) return svg("text", { x: 6 * scale, y: y + 15 * scale, class: "wol-quiet" }, note);
  const vector = one?.ranks ?? ranks;
  const words = vector
    .map((rank, k) => itemWords(state, sides[k]?.[rank]).join(" ") || "no words")
    .join(" · ");
  const text = `(${vector.map((rank) => rank + 1).join(", ")}) ${words}`;
  if (one) return vectorTaken(at, one, text, y, width);
  return svg(
    "g",
    { class: "wol-frontier", role: "img", "aria-label": `On the frontier: ${text}` },
    svg("rect", { x: 2, y: y + 2 * scale, width: width - 6, height: 20 * scale, rx: 4 }),
    svg(
      "text",
      { x: 8 * scale, y: y + 16 * scale, class: "wol-quiet" },
      clip(`frontier: ${text}`, width / scale - 20),
    ),
  );
}

function vectorTaken(at, one, text, y, width) {
  const { state, room, scale, masked, combination } = at;
  const score =
    `${masked ? "score ?" : `${OUTCOMES[one.outcome] ?? one.outcome} ${number(one.score)}`} ` +
    `(${number(one.heuristic)})`;
  const chosen = one.serial === combination?.serial;
  return svg(
    "g",
    {
      class: `wol-taken-cell${chosen ? " wol-chosen" : ""}`,
      role: "button",
      tabindex: chosen ? 0 : -1,
      "data-serial": `combination ${one.serial}`,
      "aria-label": sayTaken(state, one, masked),
      "aria-pressed": String(chosen),
      onclick: () => chooseIn(state, room, { item: one.serial, application: one.application }),
    },
    svg("rect", { x: 2, y: y + 2 * scale, width: width - 6, height: 20 * scale, rx: 4 }),
    svg(
      "text",
      { x: 8 * scale, y: y + 16 * scale },
      clip(`${one.order}. ${text}`, width / scale - 24 - textWidth(score)),
    ),
    svg("text", { x: width - 10 * scale, y: y + 16 * scale, "text-anchor": "end" }, score),
  );
}
