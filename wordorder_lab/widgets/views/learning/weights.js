// The weights that moved most: each in plain words beside its template, with its way as a small
// curve; and one of them, over all its updates, as a large one.

import { clip, svg } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { featureWords } from "../updates/features.js";
import { featureText, fine } from "../updates/words.js";
import { changesOver } from "./facts.js";
import { drawTrend } from "./trends.js";

const MOVER = { row: 40, spark: 84, tall: 16 };

// The list; a press on a row shows that weight over all its updates.
export function drawMovers(at, width) {
  const { scale, room, movers, chosen } = at;
  const title = "Weights that moved most";
  const note = movers.length
    ? "ups and downs added up; press one for its way"
    : at.log.counts.weight
      ? "No weight has moved yet."
      : "The log was recorded without weights.";
  const ways = changesOver(at.log, room.k, movers);
  const rows = movers.map((mover, i) =>
    drawMover(at, mover, ways[i], width, (36 + MOVER.row * i) * scale, {
      rank: i,
      isChosen: chosen?.feature === mover.feature && chosen.action === mover.action,
    }));
  return [svg("g", { role: "group", "aria-label": title },
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" }, title),
    svg("text", { x: 2, y: 30 * scale, class: "wol-quiet" }, clip(note, width / scale)),
    rows), (40 + MOVER.row * movers.length) * scale];
}

function drawMover(at, mover, way, width, y, { rank, isChosen }) {
  const { scale, room } = at;
  const words = featureWords(mover);
  const about = `moved by ${fine(mover.moved)} in ${plural(mover.times, "change")}, now ` +
    fine(mover.value);
  const said = `${featureText(mover)}${words ? `: ${words}` : ""}; ${about}`;
  const fitting = width / scale - 14;
  const below = `${words ? featureText(mover) : about}`;
  const text = (left, down, shown, more = {}) =>
    svg("text", { x: left, y: y + down * scale, ...more }, shown);
  return svg("g", {
    class: `wol-press wol-mover${isChosen ? " wol-chosen" : ""}`,
    role: "button", tabindex: rank ? -1 : 0, "data-serial": `mover${rank}`,
    "aria-label": said, "aria-pressed": String(isChosen),
    onclick: () => {
      room.kept.weight = isChosen ? null : { feature: mover.feature, action: mover.action };
      room.redraw();
    },
  },
  svg("rect", { x: 0, y, width: width - 2, height: (MOVER.row - 3) * scale, rx: 4 }),
  svg("title", {}, said),
  text(6 * scale, 15, clip(words || featureText(mover), fitting)),
  text(6 * scale, 31, clip(below, fitting - MOVER.spark - 54), { class: "wol-quiet" }),
  text(width - (MOVER.spark + 14) * scale, 31, fine(mover.value), { "text-anchor": "end" }),
  sparkLine(at, way, width - (MOVER.spark + 6) * scale, y + 19 * scale));
}

function sparkLine({ scale, all }, way, left, top) {
  const values = way.flatMap(([, before, after]) => [before, after]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (sentence) => round1(left + (MOVER.spark * scale * sentence) / all);
  const y = (value) =>
    round1(top + ((high - value) / Math.max(high - low, 1e-12)) * MOVER.tall * scale);
  const end = left + MOVER.spark * scale;
  return [
    svg("line", { class: "wol-rule", x1: left, x2: end, y1: y(0), y2: y(0) }),
    svg("path", { class: "wol-spark", d: wayPath(way, x, y) }),
  ];
}

// Steps at the changes that the log has. Between them other sentences may have moved the weight.
function wayPath(way, x, y) {
  if (!way.length) return "";
  const steps = way.map(([sentence, before, after]) =>
    `L${x(sentence)} ${y(before)}V${y(after)}`);
  return `M${x(way[0][0])} ${y(way[0][1])}${steps.join("")}h0`;
}

// The chosen weight, or the one that moved most.
export function chosenTrend(at) {
  const chosen = at.chosen ?? at.movers[0];
  if (!chosen) return null;
  const [way] = changesOver(at.log, at.room.k, [chosen]);
  const values = way.flatMap(([, before, after]) => [before, after]);
  const points = way.map(([sentence, , after]) => [sentence, after]);
  const { learned, begin } = at.log.counts;
  const some = learned && begin < learned
    ? ["no later change in the log: it", `has weights of ${begin} of ${learned} examples`]
    : null;
  return (width) => drawTrend(at, {
    after: { says: some ?? ["not moved since"], stays: !some },
    title: [featureWords(chosen), featureText(chosen)].filter(Boolean)
      .map((text) => `Weight: ${text}`),
    points,
    dots: points.length <= 60 ? points : [],
    low: Math.min(0, ...values),
    high: Math.max(0, ...values),
    path: (x, y) => wayPath(way, x, y),
  }, width);
}
