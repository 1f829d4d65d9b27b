// Small curves over a training: one value each, over the sentences in the order of learning.

import { drawPlot } from "../parts/curves.js";
import { svg } from "../player/dom.js";
import { fine } from "../updates/words.js";
import { learningFacts, trendOf } from "./facts.js";

const TREND_BIN = 5; // pixels of a mean, at least
const TREND_AXIS = 100; // pixels beside a curve
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
  const sentences = learningFacts(at.log).ends.length;
  const most = Math.floor((width / at.scale - TREND_AXIS) / TREND_BIN);
  const count = Math.max(1, Math.min(sentences, most));
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

// One curve, its value beside its end: a press on it goes to the sentence there.
export function drawTrend(at, { title, more = title, after, low, high, ...line }, width) {
  const { scale, all, done, tall, log } = at;
  const last = line.points.findLast(([, value]) => value !== null);
  const name = last ? fine(last[1]) : "";
  // Where a curve has ended before, its value stands with the reason.
  const ended = after && last && (done - last[0]) / all > 0.02;
  const plot = {
    title, low, high, all, scale, tall, turns: learningFacts(log).turns,
    unit: log.counts.learned ? "example" : "epoch",
  };
  const shown = [{ ...line, name: ended ? "" : name }];
  return drawPlot(plot, shown, width, ({ x, y, left, right, top, foot }) => [
    svg("title", {}, `${more}; press a place to go there`),
    svg("line", { class: "wol-now", x1: x(done), x2: x(done), y1: top, y2: foot }),
    ...ended
      ? sayAfter(scale, after, name, [x(last[0]), x(done), right], [top, y(last[1]), foot]) : [],
    svg("rect", {
      class: "wol-there", x: left, y: top, width: right - left, height: foot - top, role: "img",
      "aria-label": `${more}; now ${name || "nothing yet"}. Press a place to go there`,
      onclick: (press) => goThere(at, press),
    }),
  ]);
}

// A curve that ends before the present moment goes on dashed, and says why, where it leaves room.
function sayAfter(scale, { says, stays }, name, [from, now, right], [top, y, foot]) {
  const first = y < (top + foot) / 2 ? 20 : -8 - 13 * (says.length - 1);
  return [
    svg("line", {
      class: "wol-curve wol-after", x1: from, x2: stays ? now : Math.min(now, from + 14 * scale),
      y1: y, y2: y,
    }),
    ...[`${name}: ${says[0]}`, ...says.slice(1)].map((text, i) => svg("text", {
      class: "wol-quiet", "text-anchor": "end",
      x: right - 6 * scale, y: y + (first + 13 * i) * scale,
    }, text)),
  ];
}

// The moment at which the sentence under the pointer had been learned; without sentences, an epoch.
function goThere({ log, room }, press) {
  const box = press.currentTarget.getBoundingClientRect();
  const share = (press.clientX - box.left) / Math.max(1, box.width);
  const { ends, whereEpochs } = learningFacts(log);
  const places = ends.length ? ends : whereEpochs;
  room.go(places[Math.max(0, Math.min(places.length - 1, Math.round(share * places.length) - 1))]);
}
