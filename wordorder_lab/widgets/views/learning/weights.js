// The weights that moved most: each in plain words, with its way as a small curve; and one of them,
// over all its updates, as a large one.

import { clip, svg } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { round1 } from "../player/pictures.js";
import { capital, plural } from "../player/words.js";
import { featureBriefly, featureWords } from "../updates/features.js";
import { featureText, fine } from "../updates/words.js";
import { changesOver } from "./facts.js";
import { drawTrend } from "./trends.js";

const MOVER = { line: 15, lines: 4, pad: 10, spark: 84, tall: 14, value: 60 };

// The list; a press on a row shows that weight over all its updates.
export function drawMovers(at, width) {
  const { scale, room, movers, chosen } = at;
  const title = "Weights that moved most, up and down";
  const note = movers.length
    ? "press one for its way"
    : at.log.counts.weight
      ? "No weight has moved yet."
      : "The log was recorded without weights.";
  const ways = changesOver(at.log, room.k, movers);
  const first = width / scale - MOVER.spark - MOVER.value - 20;
  const names = foldTogether(movers.map((mover) =>
    ({ text: capital(featureBriefly(mover)), first })), MOVER.lines);
  let y = 38 * scale;
  const rows = movers.map((mover, i) => {
    const tall = (MOVER.line * names[i].lines.length + MOVER.pad) * scale;
    const row = { mover, way: ways[i], name: names[i], y, tall, rank: i,
      isChosen: chosen?.feature === mover.feature && chosen.action === mover.action };
    y += tall;
    return drawMover(at, row, width);
  });
  const head = (x, text) =>
    svg("text", { x, y: 30 * scale, class: "wol-quiet", "text-anchor": "end" }, text);
  return [svg("g", { role: "group", "aria-label": title },
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" }, title),
    svg("text", { x: 2, y: 30 * scale, class: "wol-quiet" }, clip(note, first)),
    movers.length ? head(width - (MOVER.spark + 14) * scale, "now") : null,
    rows), y + 2];
}

function drawMover(at, { mover, way, name, y, tall, rank, isChosen }, width) {
  const { scale, room } = at;
  const words = featureWords(mover);
  const said = `${featureText(mover)}${words ? `: ${words}` : ""}; moved by ${fine(mover.moved)} ` +
    `in ${plural(mover.times, "change")}, now ${fine(mover.value)}`;
  return svg("g", {
    class: `wol-press wol-mover${isChosen ? " wol-chosen" : ""}`,
    role: "button", tabindex: rank ? -1 : 0, "data-serial": `mover${rank}`,
    "aria-label": said, "aria-pressed": String(isChosen),
    onclick: () => {
      room.kept.weight = isChosen ? null : { feature: mover.feature, action: mover.action };
      room.redraw();
    },
  },
  svg("rect", { x: 0, y, width: width - 2, height: tall - 3 * scale, rx: 4 }),
  svg("title", {}, said),
  foldedText(name, (i) => ({ x: 6 * scale, y: y + (15 + MOVER.line * i) * scale })),
  svg("text", {
    x: width - (MOVER.spark + 14) * scale, y: y + 15 * scale, "text-anchor": "end",
  }, fine(mover.value)),
  sparkLine(at, way, width - (MOVER.spark + 6) * scale, y + 4 * scale));
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
    title: `Weight: ${featureBriefly(chosen)}`,
    points,
    dots: points.length <= 60 ? points : [],
    low: Math.min(0, ...values),
    high: Math.max(0, ...values),
    path: (x, y) => wayPath(way, x, y),
  }, width);
}
