// Curves over the pops of a search, up to now. What stands at n is what there was when n pops were
// done and the next one came; at the end of each curve stands what there is now.

import { clip, svg, textWidth } from "../player/dom.js";
import { round1, stackBlocks } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { agendaRank, bestOf, isWaiting, ranksOf, waitingGold } from "./ranks.js";

const POP_CURVE = { left: 46, height: 62, head: 25, foot: 17 };

// The agenda, the score that is popped, the chart.
export function drawSearchCurves(at, width) {
  const { state, facts } = at;
  const done = state.pops.length;
  const before = (place, one) => [
    ...state.pops.map((pop, i) => [i, pop[place] + one]),
    [done, place === 2 ? state.agenda : state.chart.length],
  ];
  return stackCurves(at, width, [
    {
      title: "Score of the popped edge",
      points: state.pops.map(([, score], i) => [i + 1, score]),
      low: facts.low,
      high: facts.high,
    },
    { title: "Edges on the agenda", points: before(2, 1), low: 0, high: facts.agenda },
    { title: "Edges in the chart", points: before(3, 0), low: 0, high: facts.chart },
  ]);
}

// The rank and the score of the pinned edge, as long as it is on the agenda.
export function drawPinnedCurves(at, width) {
  const { state, log, pinned } = at;
  const rows = pinned ? rowsSoFar(at, ranksOf(log, state.search, pinned), pinned) : [];
  if (!rows.length) return [null, 0];
  const scores = rows.map((row) => row[3]);
  return stackCurves(at, width, [
    {
      title: `◉ Rank of edge ${pinned}`,
      points: rows,
      ranks: true,
      high: Math.max(...rows.map((row) => row[2])),
    },
    {
      title: `◉ Score of edge ${pinned}`,
      points: rows.map((row) => [row[0], row[3]]),
      low: Math.min(0, ...scores),
      high: Math.max(0, ...scores),
    },
  ]);
}

// The rank of the best gold edge, with a mark where something else was popped.
export function drawGoldCurve(at, width) {
  const { state, log } = at;
  const rows = rowsSoFar(at, ranksOf(log, state.search), bestOf(state, waitingGold(state, log)));
  if (!rows.length) return [null, 0];
  const marks = rows.filter(([done, rank]) => rank > 1 && done < state.pops.length);
  return stackCurves(at, width, [
    {
      title: "★ Rank of the best gold edge, ✕ wrong pop",
      points: rows,
      marks,
      ranks: true,
      high: Math.max(...rows.map((row) => row[2])),
      gold: true,
    },
  ]);
}

// [pops done, rank, waiting, score] up to now, and now if the edge waits and nothing is hidden.
function rowsSoFar({ state, room }, ranks, serial) {
  const done = state.pops.length;
  const rows = ranks
    .filter(([pop]) => pop <= done)
    .map(([pop, , rank, waiting, score]) => [pop - 1, rank, waiting, score]);
  if (serial && isWaiting(state, serial) && !room.masked)
    rows.push([done, agendaRank(state, serial), state.agenda, state.scores[serial - 1]]);
  return rows;
}

function stackCurves(at, width, curves) {
  return stackBlocks(
    curves.map((curve) =>
      drawPopCurve(at, { low: curve.ranks ? 1 : 0, broken: Boolean(curve.ranks), ...curve }, width),
    ),
    6 * at.scale,
  );
}

// One curve with its last value. Ranks go down from 1 at the top, by their logarithm.
function drawPopCurve(at, curve, width) {
  const { state, facts, scale } = at;
  const [left, top, height] = [
    POP_CURVE.left * scale,
    POP_CURVE.head * scale,
    POP_CURVE.height * scale,
  ];
  const right = width - 8 * scale;
  const x = (done) => left + ((right - left) * done) / Math.max(1, facts.pops);
  const share = curve.ranks ? (value) => 1 - Math.log(value) / Math.log(Math.max(2, curve.high))
    : (value) => (curve.high > curve.low ? (value - curve.low) / (curve.high - curve.low) : 0);
  const y = (value) => top + height * (1 - share(value));
  const places = curve.points.map(([done, value]) => [x(done), y(value), done]);
  const last = curve.points[curve.points.length - 1];
  const when = last && last[0] === state.pops.length ? "now" : `before pop ${last?.[0] + 1}`;
  const said = last ? `${number(last[1])} ${when}` : "";
  const label = (value) =>
    svg("text",
      { x: left - 5 * scale, y: y(value) + 4 * scale, "text-anchor": "end", class: "wol-quiet" },
      curveNumber(value));
  const ends = curve.high > curve.low ? [curve.low, curve.high] : [curve.low];
  const zero =
    curve.low < 0 && curve.high > 0
      ? svg("line", { x1: left, x2: right, y1: y(0), y2: y(0), class: "wol-rule" })
      : null;
  const here = svg("line", {
    x1: x(state.pops.length),
    x2: x(state.pops.length),
    y1: top,
    y2: top + height,
    class: "wol-now",
  });
  const element = svg("g",
    { role: "img", "aria-label": `${curve.title}: ${said || "nothing yet"}` },
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" },
      clip(curve.title, (right - textWidth(said, true) * scale - 14) / scale, { bold: true })),
    svg("text", { x: right, y: 14 * scale, "text-anchor": "end" }, said),
    svg("path", { d: `M${left} ${top}V${top + height}H${right}`, class: "wol-axis" }),
    zero,
    here,
    ends.map(label),
    svg("path", {
      d: pathOfPops(places, curve.broken),
      class: curve.gold ? "wol-curve wol-curve-gold" : "wol-curve",
    }),
    (curve.marks ?? []).map(([done, value]) =>
      svg("path", {
        d: `M${round1(x(done) - 3)} ${round1(y(value) - 3)}l6 6m0 -6l-6 6`,
        class: "wol-missed",
      }),
    ),
    last
      ? svg("circle", {
          cx: round1(x(last[0])),
          cy: round1(y(last[1])),
          r: 3 * scale,
          class: "wol-here",
        })
      : null,
    svg("text", { x: left, y: top + height + 12 * scale, class: "wol-quiet" }, "start"),
    svg("text",
      { x: right, y: top + height + 12 * scale, "text-anchor": "end", class: "wol-quiet" },
      plural(facts.pops, "pop")));
  return [element, top + height + POP_CURVE.foot * scale];
}

// A path through the points. Of those that fall on the same pixel only the outermost are kept;
// where a pop is missing, the path breaks if it is to.
function pathOfPops(places, broken) {
  let [d, at, before] = ["", null, null];
  const flush = () => {
    if (!at) return;
    d += `${at.starts ? "M" : "L"}${at.x} ${round1(at.first)}`;
    if (at.low < at.first) d += `V${round1(at.low)}`;
    if (at.high > at.low) d += `V${round1(at.high)}`;
  };
  for (const [x, y, done] of places) {
    const column = round1(x);
    const starts = before === null || (broken && done > before + 1);
    if (at && !starts && Math.abs(column - at.x) < 1) {
      at.low = Math.min(at.low, y);
      at.high = Math.max(at.high, y);
    } else {
      flush();
      at = { x: column, first: y, low: y, high: y, starts };
    }
    before = done;
  }
  flush();
  return d;
}

function curveNumber(value) {
  return Math.abs(value) >= 10000 ? `${Math.round(value / 1000)}k` : number(value);
}
