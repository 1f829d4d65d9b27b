// The history of one weight: which updates of the log have moved it, from the first event on. The
// twin of `history` in trace/reducers/updates.py.

import { clip, svg, textWidth } from "../player/dom.js";
import { paragraph } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { featureText, fine, reasonName } from "./words.js";

const OWNERS = new WeakMap();

// For each weight event of a log: after how many events it is over, and the update it belongs to.
// Made once a log.
function ownersOf(log) {
  if (OWNERS.has(log)) return OWNERS.get(log);
  const owners = [];
  let now = { update: 0, search: 0, example: -1, reason: "", units: [] };
  log.kinds.forEach((kind, i) => {
    if (kind === "weight") owners.push([i + 1, now]);
    else if (kind === "begin") now = { ...now, search: now.search + 1, units: log.event(i)[1] };
    else if (kind === "edge_update" || kind === "update") {
      const event = log.event(i);
      now = {
        ...now,
        update: now.update + 1,
        example: event[1],
        reason: event[kind === "update" ? 3 : 2],
      };
    }
  });
  OWNERS.set(log, owners);
  return owners;
}

function weightHistory(log, k, feature, action = "") {
  const [features, actions, before, after] = log.columns.weight ?? [];
  const wanted = [features?.names.indexOf(feature) ?? -1, actions?.names.indexOf(action) ?? -1];
  const found = [];
  if (wanted.includes(-1)) return found;
  const owners = ownersOf(log);
  for (let row = 0; row < owners.length && owners[row][0] <= k; row += 1) {
    if (features.ids[row] !== wanted[0] || actions.ids[row] !== wanted[1]) continue;
    const now = owners[row][1];
    if (found.at(-1)?.update !== now.update) found.push({ ...now, before: before[row] });
    found.at(-1).after = after[row];
  }
  return found;
}

const CURVE_HEIGHT = 96;

// The value of the weight over the updates so far, as steps, and the latest updates that moved it.
export function drawHistory(state, room, chosen, width, scale) {
  const found = weightHistory(room.log, room.k, chosen.feature, chosen.action);
  const line = (y, words, more = {}) =>
    svg(
      "text",
      { x: 0, y: y * scale, ...more },
      clip(words, width / scale - 4, { bold: more.class === "wol-title" }),
    );
  const close = svg(
    "g",
    {
      class: "wol-press",
      role: "button",
      tabindex: -1,
      "data-serial": "close",
      "aria-label": "Close the history",
      onclick: () => chooseWeight(room, null),
    },
    svg("rect", { x: width - 24 * scale, y: 0, width: 22 * scale, height: 20 * scale, rx: 4 }),
    svg("text", { x: width - 13 * scale, y: 14.5 * scale, "text-anchor": "middle" }, "✕"),
  );
  const title = svg(
    "text",
    { x: 0, y: 14 * scale, class: "wol-title" },
    clip(`History of ${featureText(chosen)}`, width / scale - 34, { bold: true }),
  );
  const head = [title, close, svg("title", {}, featureText(chosen))];
  if (!found.length)
    return [svg("g", {}, head, line(34, "No update so far has moved this weight.")), 44 * scale];
  const last = Math.max(state.updates, found.at(-1).update, 1);
  const curve = drawCurve(found, last, width, scale);
  const shown = found.slice(-2 * room.rows).reverse(); // a feature's row has two lines
  const top = 42 + CURVE_HEIGHT + 36;
  let bottom = top;
  const rows = shown.map((one, i) => {
    const move = sayMove(one, shown[i - 1]);
    const [texts, end] = paragraph(move, 0, bottom * scale, width - 4 * scale, scale);
    bottom = end / scale + 17;
    return svg("g", { role: "listitem", "aria-label": move }, texts);
  });
  const more = found.length - shown.length;
  // Others move no weight.
  const moving = [...state.past, state.update].filter((one) => one?.step).length;
  const moved =
    `moved by ${found.length.toLocaleString("en")} of ` +
    `${plural(Math.max(moving, found.length), "update")}`;
  const said =
    `Value over ${plural(last, "update")}: ${fine(found.at(-1).after)} now, moved ` +
    `${plural(found.length, "time")}`;
  return [
    svg(
      "g",
      { role: "group", "aria-label": `History of ${featureText(chosen)}` },
      head,
      line(31, `${fine(found.at(-1).after)} now; ${moved} with a step`, { class: "wol-quiet" }),
      svg("g", { role: "img", "aria-label": said }, curve),
      svg("g", { role: "list", "aria-label": "Updates that moved it, the latest first" }, rows),
      more
        ? line(bottom, `… and ${more.toLocaleString("en")} more before`, { class: "wol-quiet" })
        : null,
    ),
    (bottom + (more ? 10 : -6)) * scale,
  ];
}

function sayMove({ update, search, example, reason, before, after, units }, above) {
  const bag =
    above?.search === search
      ? "the same bag"
      : units.length
        ? `in the bag: ${units.join(" · ")}`
        : "its bag is not in the log";
  return (
    `update ${update}, example ${example}, ${reasonName(reason)}: ${fine(before)} → ` +
    `${fine(after)}, ${bag}`
  );
}

function drawCurve(found, last, width, scale) {
  const values = [0, ...found.flatMap(({ before, after }) => [before, after])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const labels = [...new Set([high, 0, low])];
  const left = (12 + Math.max(...labels.map((value) => textWidth(fine(value))))) * scale;
  const [top, height] = [42 * scale, CURVE_HEIGHT * scale];
  const x = (update) => left + ((width - left - 12 * scale) * update) / last;
  const y = (value) => top + (high > low ? ((high - value) / (high - low)) * height : height / 2);
  const path = found
    .map(
      ({ update, before, after }) =>
        `H${x(update).toFixed(1)}V${y(before).toFixed(1)}V${y(after).toFixed(1)}`,
    )
    .join("");
  const dots = found
    .slice(-200)
    .map(({ update, after }) =>
      svg("circle", { class: "wol-dot", cx: x(update), cy: y(after), r: 3 * scale }),
    );
  const apart = labels.filter(
    (value, i) => i === 0 || Math.abs(y(value) - y(labels[i - 1])) > 13 * scale,
  );
  return [
    ...apart.map((value) =>
      svg(
        "text",
        { x: left - 6 * scale, y: y(value) + 4 * scale, "text-anchor": "end", class: "wol-quiet" },
        fine(value),
      ),
    ),
    svg("line", { class: "wol-rule", x1: left, x2: x(last), y1: y(0), y2: y(0) }),
    svg("path", { class: "wol-curve", d: `M${x(0)} ${y(found[0].before)}${path}H${x(last)}` }),
    ...dots,
    svg("text", { x: left, y: top + height + 15 * scale, class: "wol-quiet" }, "start"),
    svg(
      "text",
      { x: x(last), y: top + height + 15 * scale, "text-anchor": "end", class: "wol-quiet" },
      `update ${last.toLocaleString("en")}`,
    ),
  ];
}

// Look at this weight's history, or at none.
export function chooseWeight(room, row) {
  const before = room.kept.weight;
  const again = before && row && before.feature === row.feature && before.action === row.action;
  room.kept.weight = row && !again ? { feature: row.feature, action: row.action } : null;
  room.redraw();
}
