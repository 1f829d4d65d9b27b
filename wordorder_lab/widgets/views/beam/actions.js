// Below the beam: what a state may do, and what is forbidden there and why. Only a search on a bag
// with given heads or orders has such lists.

import { clip, svg, textWidth } from "../player/dom.js";
import { wrapped } from "../player/pictures.js";
import { lastColumn, shifted } from "./beam.js";
import { actionText, expandedSerial, isConstrained } from "./cards.js";
import { sayState } from "./narration.js";

// The possible and the forbidden actions of a state, as far as they are told; null if it has not
// been expanded. A finished step in which nothing was forbidden tells nothing.
function actionsOf(state, serial) {
  const index = state.columns.findIndex((column) =>
    column.states.some((one) => one.serial === serial),
  );
  const next = index < 0 ? undefined : state.columns[index + 1];
  if (!next) return null;
  const finished = next !== lastColumn(state);
  const mine = (one) => one.parent === serial;
  const possible = (finished ? next.possible : state.candidates).filter(mine);
  const forbidden = next.forbidden.filter(mine);
  return finished || possible.length || forbidden.length ? { serial, possible, forbidden } : null;
}

// One row for the tags of a unit that share a reason: SHIFT a team/NP or NN.
function actionRows(actions, units, path) {
  const rows = new Map();
  for (const { action, reason, serial } of actions) {
    const taken = serial !== undefined && path.has(serial);
    const [unit, tag] = action.startsWith("SHIFT-") ? shifted(action, units) : [action, null];
    const key = JSON.stringify([unit, tag === null, reason ?? "", taken]);
    const row = rows.get(key);
    if (row)
      Object.assign(row, {
        text: tag === null ? row.text : `${row.text} or ${tag}`,
        count: row.count + 1,
      });
    else rows.set(key, { text: actionText(action, units), reason, taken, count: 1 });
  }
  return [...rows.values()];
}

const ROW = 17;
const INDENT = 16;
const SIDE_BY_SIDE = 620;

// Returns the lists as an element, null if there are none, and the height that they take.
export function drawActions(state, one, path, x, top, width, scale, most) {
  const found = isConstrained(state)
    ? (actionsOf(state, one.serial) ?? actionsOf(state, one.parent))
    : null;
  if (!found?.possible.length && !found?.forbidden.length) return [null, 0];
  const soFar = expandedSerial(state) === found.serial ? " so far" : "";
  const here = found.serial === one.serial;
  const where = here ? `here${soFar}` : `just before, in ${sayState(found.serial)}`;
  const beside = width / scale > SIDE_BY_SIDE;
  const wide = beside ? [0.36 * width - 16, 0.64 * width] : [width, width];
  const list = (name, actions, left, y, room) => {
    const title = `${actions.length || "None"} ${name} `;
    // The other title says the rest.
    const brief = beside && !here && name === "possible" ? "just before" : where;
    return drawActionList(
      [title + where, title + brief],
      actionRows(actions, state.names, path),
      left,
      y,
      room,
      scale,
      most,
    );
  };
  const [possible, height] = list("possible", found.possible, x, top, wide[0]);
  const [forbidden, more] = beside
    ? list("forbidden", found.forbidden, x + 0.36 * width, top, wide[1])
    : list("forbidden", found.forbidden, x, top + height + 6 * scale, wide[1]);
  return [
    svg("g", { class: "wol-actions" }, possible, forbidden),
    beside ? Math.max(height, more) : height + 6 * scale + more,
  ];
}

function drawActionList([title, brief], rows, x, y, width, scale, most) {
  const shown = rows.slice(0, most);
  const left = rows.slice(most).reduce((sum, row) => sum + row.count, 0);
  let line = 1;
  const drawn = shown.map((row) => {
    const [element, lines] = drawAction(row, x, y + line * ROW * scale, width / scale, scale);
    line += lines;
    return element;
  });
  const more = left
    ? svg(
        "text",
        { x, y: y + line * ROW * scale, class: "wol-quiet", role: "listitem" },
        `… and ${left} more`,
      )
    : null;
  const element = svg("g", {},
    svg("text", { x, y, class: "wol-title", "aria-hidden": "true" },
      clip(brief, width / scale, { bold: true })),
    svg("g", { role: "list", "aria-label": title }, drawn, more));
  return [element, (line + (left ? 1 : 0)) * ROW * scale];
}

// A forbidden action is greyed out, struck through and marked, and its reason stands beside it.
function drawAction({ text, reason, taken }, x, y, width, scale) {
  const forbidden = reason !== undefined;
  const mark = forbidden ? "✕ " : taken ? "→ " : "✓ ";
  const action = clip(text, (forbidden ? 0.6 : 1) * (width - INDENT), { bold: taken });
  const lines = forbidden
    ? wrapped(reason, width - textWidth(`${mark}${action}  `), width - INDENT)
    : [];
  const said = forbidden ? `${text} is forbidden: ${reason}` : `${text}${taken ? ", taken" : ""}`;
  const element = svg("g", { role: "listitem", "aria-label": said },
    svg("title", {}, said),
    svg("text", { x, y, "aria-hidden": "true" }, mark,
      svg("tspan", { class: forbidden ? "wol-forbidden" : taken ? "wol-taken" : null }, action),
      lines.map((line, i) =>
        svg("tspan", i ? { x: x + INDENT * scale, y: y + i * ROW * scale } : { dx: "0.4em" },
          ` ${line} `),
      ),
    ),
  );
  return [element, Math.max(1, lines.length)];
}
