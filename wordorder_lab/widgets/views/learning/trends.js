// Small curves over a training: one value each, over the sentences in the order of learning.

import { clip, svg, textWidth } from "../player/dom.js";
import { round1, roundEnds } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { learningFacts, trendOf } from "./facts.js";

const TREND = { left: 46, head: 24, height: 62, foot: 18, bin: 5 };
const OF_SENTENCES = [
  ["updates", "Updates a sentence"],
  ["margin", "Margin at updates"],
  ["prefix", "% gold before an error"],
];
const OF_EPOCHS = [
  ["norm", "Norm of the weights"],
  ["score", "Score after each epoch"],
];

// What there is to draw, each as a function of a width.
export function trendsOf(at) {
  const { counts } = at.log;
  const scores = at.log.columns.epoch?.[4].some((one) => one.length);
  return [
    ...(counts.learned ? OF_SENTENCES : []).map(([name, title]) => (width) =>
      drawSentenceTrend(at, name, title, width)),
    ...(counts.epoch ? OF_EPOCHS : [])
      .filter(([name]) => name !== "score" || scores)
      .map(([name, title]) => (width) => drawEpochTrend(at, name, title, width)),
  ];
}

function drawSentenceTrend(at, name, title, width) {
  const plot = width - (TREND.left + 10) * at.scale;
  const sentences = learningFacts(at.log).ends.length;
  const count = Math.max(1, Math.min(sentences, Math.floor(plot / (TREND.bin * at.scale))));
  const { points, low, high } = trendOf(at.log, name, at.state.sentences, count);
  const more = `${title}: means of ${Math.max(1, Math.round(sentences / count))} sentences`;
  return drawTrend(at, { title, more, points, low, high }, width);
}

// A point an epoch, where it ends; its place and its value.
function epochPoints(at, name) {
  const { log, state } = at;
  const { turns, ends } = learningFacts(log);
  const value = ({ norm, scores }) => (name === "norm" ? norm : scores[0] ?? null);
  const over = state.epochs.filter((one) => one.norm !== null);
  return over.map((one, i) => [turns[i] ?? (ends.length || i + 1), value(one)]);
}

function drawEpochTrend(at, name, title, width) {
  const columns = at.log.columns.epoch;
  const all = name === "norm" ? columns[3] : columns[4].flat();
  const low = name === "norm" ? 0 : Math.min(...all);
  const dots = epochPoints(at, name).filter(([, value]) => value !== null);
  return drawTrend(at, { title, points: dots, dots, low, high: Math.max(...all) }, width);
}

// One curve: a press on it goes to the sentence there. `path` says how it goes, where the points
// do not.
export function drawTrend(at, { title, points, dots = [], path, ...curve }, width) {
  const more = curve.more ?? [title].flat()[0];
  const { scale, all } = at;
  const [low, high] = roundEnds(curve.low, curve.high);
  const [left, top, tall] = [TREND.left, TREND.head, TREND.height].map((one) => one * scale);
  const right = width - 8 * scale;
  const x = (sentence) => round1(left + ((right - left) * sentence) / all);
  const y = (value) => round1(top + (high > low ? ((high - value) / (high - low)) * tall : tall));
  const known = points.filter(([, value]) => value !== null);
  const last = known.at(-1);
  const said = last ? number(last[1]) : "";
  const now = x(at.done);
  const clear = (value) => value >= low && value <= high && [low, high].every((end) =>
    end === value || Math.abs(y(end) - y(value)) > 13 * scale);
  const quiet = (text, more) => svg("text", { class: "wol-quiet", ...more }, text);
  return [svg("g", { class: "wol-trend" },
    svg("title", {}, `${more}; press a place to go there`),
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" },
      titleFor(title, (right - textWidth(said, true) * scale - 14) / scale)),
    svg("text", { x: right, y: 14 * scale, "text-anchor": "end" }, said),
    learningFacts(at.log).turns.map((turn) =>
      svg("line", { class: "wol-turn", x1: x(turn), x2: x(turn), y1: top, y2: top + tall })),
    svg("path", { class: "wol-axis", d: `M${left} ${top}V${top + tall}H${right}` }),
    low < 0 && high > 0
      ? svg("line", { class: "wol-rule", x1: left, x2: right, y1: y(0), y2: y(0) })
      : null,
    svg("line", { class: "wol-now", x1: now, x2: now, y1: top, y2: top + tall }),
    [...new Set([low, high, 0])].filter((value) => value !== 0 || clear(value)).map((value) =>
      quiet(number(value), { x: left - 5 * scale, y: y(value) + 4 * scale, "text-anchor": "end" })),
    svg("path", { class: "wol-curve", d: path ? path(x, y) : brokenLine(points, x, y) }),
    dots.map(([place, value]) =>
      svg("circle", { class: "wol-dot", cx: x(place), cy: y(value), r: 3 * scale })),
    last ? svg("circle", { class: "wol-here", cx: x(last[0]), cy: y(last[1]), r: 3 * scale })
      : null,
    last && curve.after ? sayAfter(at, curve.after, [x(last[0]), now, right], y(last[1])) : null,
    quiet("start", { x: left, y: top + tall + 13 * scale }),
    quiet(plural(all, at.log.counts.learned ? "example" : "epoch"),
      { x: right, y: top + tall + 13 * scale, "text-anchor": "end" }),
    svg("rect", {
      class: "wol-there", x: left, y: top, width: right - left, height: tall, role: "img",
      "aria-label": `${more}; now ${said || "nothing yet"}. Press a place to go there`,
      onclick: (press) => goThere(at, press),
    })), top + tall + TREND.foot * scale];
}

// Of several titles the first that has room.
function titleFor(titles, room) {
  const every = [titles].flat();
  return every.find((one) => textWidth(one, true) <= room) ??
    clip(every.at(-1), room, { bold: true, middle: true });
}

// A curve that ends before the present moment goes on dashed, and says why, where it leaves room.
function sayAfter({ scale }, { says, stays }, [from, now, right], y) {
  if (now - from < 4 * scale) return null;
  const low = y < (TREND.head + TREND.height / 2) * scale;
  const first = low ? 20 : -8 - 13 * (says.length - 1);
  return [
    svg("line", {
      class: "wol-curve wol-after", x1: from, x2: stays ? now : Math.min(now, from + 14 * scale),
      y1: y, y2: y,
    }),
    ...says.map((text, i) => svg("text", {
      class: "wol-quiet", "text-anchor": "end",
      x: right - 6 * scale, y: y + (first + 13 * i) * scale,
    }, text)),
  ];
}

// A line through the points, broken where there is none.
function brokenLine(points, x, y) {
  let [d, open] = ["", false];
  for (const [place, value] of points) {
    if (value !== null) d += `${open ? "L" : "M"}${x(place)} ${y(value)}`;
    open = value !== null;
  }
  return d && `${d}h0`;
}

// The moment at which the sentence under the pointer had been learned; without sentences, an epoch.
function goThere({ log, room }, press) {
  const box = press.currentTarget.getBoundingClientRect();
  const share = (press.clientX - box.left) / Math.max(1, box.width);
  const { ends, whereEpochs } = learningFacts(log);
  const places = ends.length ? ends : whereEpochs;
  room.go(places[Math.max(0, Math.min(places.length - 1, Math.round(share * places.length) - 1))]);
}
