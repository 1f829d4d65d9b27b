// The picture of the span-length view: bars for the shares of the lengths (Liu et al. 2015,
// Figure 9), of this search and of all searches; below them the map of map.js. Bars differ
// in their fill pattern, so nothing hangs on colour alone. The patterns are plain paths: a
// <pattern> needs an id, and ids of two players would clash.

import { clip, svg } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { SPAN_KINDS, spanTotal } from "./counts.js";
import { anyUnary } from "./edges.js";
import { spanChoosers, spanExamples } from "./examples.js";
import { spanMap } from "./map.js";
import {
  SPAN_INK,
  SPAN_MARGIN,
  spanBox,
  spanGroups,
  spanPath,
  spansOfEdges,
  spanText,
  spanTitle,
} from "./shapes.js";

const SPANS_BESIDE = 54; // letters across from which two plots stand beside each other
const SPAN_SERIES = [
  { name: "made", colour: "var(--wol-paper)", lines: "" },
  { name: "kept", colour: "var(--wol-sky)", lines: "" },
  { name: "gold", colour: "var(--wol-orange)", lines: "across" },
  { name: "best", colour: "var(--wol-green)", lines: "along" },
];
const SPAN_LABELS = {
  beam: {
    made: "made: all candidates",
    kept: "kept in the beam",
    gold: "gold state",
    best: "best at the end",
  },
  edges: {
    made: "made: all edges",
    kept: "kept in the chart",
    gold: "gold edges",
    best: "best at the end",
  },
};
const UNARY_SPANS =
  "Edges of unary rules count again, but not in the best at the end: their words are a span " +
  "already.";

export function drawSpans(state, room) {
  const font = room.projector ? 17 : 12;
  const width = Math.max(320, room.width);
  const sheet = { font, width, left: SPAN_MARGIN * font, right: width - font, y: 0, nodes: [] };
  const series = SPAN_SERIES.filter(
    (one) => one.name === "made" || one.name === "kept" || spanTotal(state.all[one.name]) > 0,
  );
  const longest = Math.max(state.words, ...SPAN_KINDS.map((name) => state.all[name].length - 1), 1);
  if (state.search > 0) {
    spanLegend(sheet, series, state);
    drawSpanPlots(sheet, series, state, room, longest);
    if (room.kept.range) spanExamples(sheet, state, room, room.kept.range);
    else spanMap(sheet, state);
  } else {
    spanTitle(sheet, "No search has begun: there are no spans yet.");
  }
  const height = Math.ceil(sheet.y + 0.6 * font);
  const attributes = {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    class: "wol-picture wol-spans",
    role: "group",
    "aria-label": spanSummary(state),
    "font-size": font,
  };
  return svg("svg", attributes, ...sheet.nodes);
}

function spanSummary(state) {
  const counts = SPAN_KINDS.map((name) => `${spanTotal(state[name])} ${name}`).join(", ");
  const when = spansOfEdges(state)
    ? plural(state.pops, "pop")
    : `step ${state.step} of ${state.steps}`;
  return `Span lengths after ${when}: spans ${counts}. See the table.`;
}

// This search and, where there are several, all of them: beside each other where there is room, so
// that the map below is in sight.
function drawSpanPlots(sheet, series, state, room, longest) {
  const { font, left, right, y } = sheet;
  const several = state.search > 1;
  const beside = several && right > SPANS_BESIDE * font;
  const half = (right + left - SPAN_MARGIN * font - 2 * font) / 2;
  if (beside) sheet.right = half;
  const title = `Spans of search ${state.search}, by length`;
  spanChoosers(sheet, room, spanBars(sheet, series, state, title, longest, state.last));
  if (beside) Object.assign(sheet, { left: half + (2 + SPAN_MARGIN) * font, right, y });
  if (several) {
    const title = `Spans of all ${state.search} searches so far`;
    spanBars(sheet, series, state.all, title, longest, state.last);
  }
  Object.assign(sheet, { left, right });
}

// --- bars ------------------------------------------------------------------------------------

function spanLegend(sheet, series, state) {
  const { font } = sheet;
  let x = 0;
  sheet.y = 1.3 * font;
  for (const one of series) {
    const label = SPAN_LABELS[spansOfEdges(state) ? "edges" : "beam"][one.name];
    const text = `${label} (${spanTotal(state[one.name]).toLocaleString("en")})`;
    const room = 1.6 * font + 0.56 * font * text.length;
    if (x > 0 && x + room > sheet.right) {
      x = 0;
      sheet.y += 1.5 * font;
    }
    spanFill(sheet, one, [[x + 1, sheet.y - 0.85 * font, font, font]]);
    spanText(sheet, x + 1.5 * font, sheet.y, text);
    x += room + 1.5 * font;
  }
  if (!anyUnary(state)) return;
  sheet.y += 1.5 * font;
  spanText(sheet, 0, sheet.y, clip(UNARY_SPANS, sheet.right * 12 / font), { class: "wol-quiet" });
}

// Boxes [x, y, width, height] in the pattern of a series.
function spanFill(sheet, one, boxes) {
  const outline = boxes.map((box) => spanBox(...box)).join("");
  spanPath(sheet, outline, { fill: one.colour, stroke: SPAN_INK });
  const lines = boxes.map((box) => spanHatch(one.lines, ...box)).join("");
  spanPath(sheet, lines, { stroke: SPAN_INK, "stroke-width": 0.8 });
}

function spanHatch(lines, x, y, width, height) {
  let d = "";
  if (lines === "across") {
    for (let at = y + height - 4; at > y + 1; at -= 4)
      d += `M${round1(x)} ${round1(at)}h${round1(width)}`;
  } else if (lines === "along") {
    for (let at = x + 4; at < x + width - 1; at += 4)
      d += `M${round1(at)} ${round1(y)}v${round1(height)}`;
  }
  return d;
}

function spanBars(sheet, series, counted, title, longest, last) {
  const { font, left, right } = sheet;
  const fitting = Math.floor((right - left) / (series.length * 0.95 * font + 6));
  const groups = Math.min(longest, Math.max(2, fitting));
  const counts = series.map((one) => spanGroups(counted[one.name], groups));
  const totals = counts.map((row) => Math.max(1, spanTotal(row)));
  const highest = Math.max(...counts.flatMap((row, i) => row.map((count) => count / totals[i])));
  const top = [0.1, 0.2, 0.4, 0.6, 0.8].find((share) => highest <= share) ?? 1;
  const slot = (right - left) / groups;
  const bar = Math.min((slot - 6) / series.length, 4 * font);
  const digits = Math.max(...counts.flat().map((count) => String(count).length));
  const upright = digits * 0.6 * font > bar; // turn the labels where a bar is too narrow
  spanTitle(sheet, title);
  const head = sheet.y + 0.9 * font + (upright ? digits * 0.6 * font : font);
  const plot = { head, foot: head + 9 * font, slot, bar, top, upright, groups, longest };
  spanShares(sheet, plot);
  series.forEach((one, i) =>
    spanSeries(sheet, plot, one, i - series.length / 2, counts[i], totals[i], last),
  );
  spanLengths(sheet, plot);
  return plot;
}

function spanShares(sheet, { head, foot, top }) {
  const { font, left, right } = sheet;
  let grid = "";
  for (const part of [0, 0.5, 1]) {
    const y = foot - part * (foot - head);
    grid += `M${round1(left)} ${round1(y)}H${round1(right)}`;
    const text = `${Math.round(100 * top * part)}%`;
    spanText(sheet, left - 0.4 * font, y + 0.35 * font, text, { "text-anchor": "end" });
  }
  spanPath(sheet, grid, { stroke: "var(--wol-soft)", "stroke-opacity": 0.5 });
  const x = left + (0.9 - SPAN_MARGIN) * font;
  const y = (head + foot) / 2;
  const turned = { "text-anchor": "middle", transform: `rotate(-90 ${round1(x)} ${round1(y)})` };
  spanText(sheet, x, y, "share of spans", turned);
}

function spanSeries(sheet, plot, one, place, counts, total, last) {
  const { font, left } = sheet;
  const { head, foot, slot, bar, top, upright, groups } = plot;
  const boxes = [];
  counts.forEach((count, i) => {
    if (count === 0) return;
    const height = ((foot - head) * count) / total / top;
    const x = left + (i + 0.5) * slot + place * bar;
    boxes.push([x + 0.5, foot - height, bar - 1, height]);
    const newest = last !== null && last[0] === one.name && Math.min(last[1], groups) === i + 1;
    spanCount(sheet, x + bar / 2, foot - height - 0.3 * font, count, upright, newest);
  });
  spanFill(sheet, one, boxes);
}

function spanCount(sheet, x, y, count, upright, newest) {
  const { font } = sheet;
  const anchor = upright ? "start" : "middle";
  const weight = newest ? { "font-weight": "bold" } : {};
  const at = upright ? x + 0.32 * font : x;
  const turned = upright ? { transform: `rotate(-90 ${round1(at)} ${round1(y)})` } : {};
  spanText(sheet, at, y, count, {
    "text-anchor": anchor,
    "font-size": 0.85 * font,
    ...weight,
    ...turned,
  });
  if (newest) {
    const tip = y - (upright ? 0.62 * font * String(count).length : 0.8 * font) - 3;
    spanPath(sheet, `M${round1(x)} ${round1(tip)}l-4 -6h8z`, { fill: SPAN_INK });
  }
}

function spanLengths(sheet, { foot, slot, groups, longest }) {
  const { font, left, right } = sheet;
  for (let i = 0; i < groups; i += 1) {
    const text = i === groups - 1 && longest > groups ? `${groups}+` : i + 1;
    spanText(sheet, left + (i + 0.5) * slot, foot + 1.2 * font, text, { "text-anchor": "middle" });
  }
  const more = longest > groups ? `, ${longest - groups} more lengths in the last` : "";
  const text = `length in words${more}`;
  sheet.y = foot + 2.5 * font;
  spanText(sheet, (left + right) / 2, sheet.y, text, { "text-anchor": "middle" });
}
