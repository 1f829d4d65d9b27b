// The picture of the span-length view: the map of map.js says when spans come, and bars how many of
// each length there are (Liu et al. 2015, Figure 9), in this search and in all. Bars differ in
// their fill pattern, so nothing hangs on colour alone. The patterns are plain paths: a <pattern>
// needs an id, and ids of two players would clash.

import { svg, textWidth } from "../player/dom.js";
import { paragraph, round1 } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { meanLength, SPAN_KINDS, spanTotal } from "./counts.js";
import { anyUnary } from "./edges.js";
import { spanChoosers, spanExamples } from "./examples.js";
import { sayGrowth, spanMap } from "./map.js";
import {
  SPAN_INK,
  SPAN_MARGIN,
  spanBox,
  spanGroups,
  spanPath,
  spansOfEdges,
  spanText,
  spanTitle,
  within,
} from "./shapes.js";

const SPANS_BESIDE = 54; // letters across from which map and bars stand beside each other
const SPANS_AROUND = 6.2; // lines of a plot above and below its bars
const SPAN_SERIES = [
  { name: "made", colour: "var(--wol-paper)", lines: "" },
  { name: "kept", colour: "var(--wol-sky)", lines: "" },
  { name: "gold", colour: "var(--wol-orange)", lines: "across" },
  { name: "best", colour: "var(--wol-green)", lines: "along" },
];
const SPAN_LABELS = {
  beam: {
    made: "made by the search",
    kept: "kept in the beam",
    gold: "in the right sentence (gold)",
    best: "in the output (best)",
  },
  edges: {
    made: "made by the search",
    kept: "kept in the chart",
    gold: "in the right sentence (gold)",
    best: "in the output (best)",
  },
};
const SPAN_IS =
  "A span is a run of words that the search has joined to one phrase; a single word is one, too. " +
  "Its length is the number of its words.";
const UNARY_SPANS =
  "Edges of unary rules count again, but not in the best at the end: their words are a span " +
  "already.";

export function drawSpans(state, room) {
  const font = room.projector ? 17 : 12;
  const width = Math.max(320, room.width);
  const sheet = { font, width, left: SPAN_MARGIN * font, right: width - font, y: 0, nodes: [] };
  if (state.search > 0) drawPlots(sheet, state, room);
  else spanTitle(sheet, "No search has begun: there are no spans yet.");
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

// What is seen in a line, and what a span is; below it the map, or the spans of a length that was
// pressed, and beside it the bars, of this search and of all.
function drawPlots(sheet, state, room) {
  const { font, left, right, width } = sheet;
  const [said, last] = paragraph(sayGrowth(state), 0, 1.3 * font, width, font / 12,
    { class: "wol-head" });
  const [what, low] = paragraph(SPAN_IS, 0, last + 1.4 * font, width, font / 12);
  sheet.nodes.push(...said, ...what);
  sheet.y = low + 0.2 * font;
  const beside = right > SPANS_BESIDE * font;
  const half = beside ? 0.5 * (width - 2 * font) : right;
  const top = sheet.y;
  sheet.right = half;
  if (room.kept.range) spanExamples(sheet, state, room, room.kept.range);
  else spanMap(sheet, state, room.tall / font);
  const foot = sheet.y;
  if (beside) Object.assign(sheet, { left: half + (2 + SPAN_MARGIN) * font, right, y: top });
  drawBarsOfSpans(sheet, state, room, room.tall + sheet.y - top);
  Object.assign(sheet, { left, right, y: Math.max(foot, sheet.y) });
}

// Down to `end`, if that leaves the bars neither too low nor too high.
function drawBarsOfSpans(sheet, state, room, end) {
  const { font } = sheet;
  const series = SPAN_SERIES.filter(
    (one) => one.name === "made" || one.name === "kept" || spanTotal(state.all[one.name]) > 0,
  );
  const longest = Math.max(state.words, ...SPAN_KINDS.map((name) => state.all[name].length - 1), 1);
  const several = state.search > 1;
  spanLegend(sheet, series, state);
  const plots = several ? 2 : 1;
  const tall = within(((end - sheet.y) / font - 0.7) / plots - SPANS_AROUND, 8, 16);
  const shared = { longest, last: state.last, tall };
  const plot = (title, counted, more) => spanBars(sheet, series, counted,
    `${title}: ${sayMeans(series, counted)}`, { ...shared, ...more });
  spanChoosers(sheet, room,
    plot("How many of each length", state, { hint: "; press one to see its spans" }));
  if (several) plot(`In all ${state.search} searches`, state.all);
}

function sayMeans(series, counted) {
  const told = series.filter(({ name }) => spanTotal(counted[name]))
    .map(({ name }) => `${meanLength(counted[name]).toFixed(1)} ${name}`);
  return told.length ? `mean ${told.join(", ")}` : "no spans yet";
}

// --- bars ------------------------------------------------------------------------------------

function spanLegend(sheet, series, state) {
  const { font } = sheet;
  const from = sheet.left - SPAN_MARGIN * font;
  let x = from;
  sheet.y += 1.5 * font;
  for (const one of series) {
    const label = SPAN_LABELS[spansOfEdges(state) ? "edges" : "beam"][one.name];
    const text = `${label} (${spanTotal(state[one.name]).toLocaleString("en")})`;
    const room = 1.6 * font + (textWidth(text) * font) / 12;
    if (x > from && x + room > sheet.right) {
      x = from;
      sheet.y += 1.5 * font;
    }
    spanFill(sheet, one, [[x + 1, sheet.y - 0.85 * font, font, font]]);
    spanText(sheet, x + 1.5 * font, sheet.y, text);
    x += room + font;
  }
  if (!anyUnary(state)) return;
  const [said, last] = paragraph(UNARY_SPANS, from, sheet.y + 1.5 * font, sheet.right - from,
    font / 12, { class: "wol-quiet" });
  sheet.nodes.push(...said);
  sheet.y = last;
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

function spanBars(sheet, series, counted, title, { longest, last, tall, hint = "" }) {
  const { font, left, right } = sheet;
  const fitting = Math.floor((right - left) / (series.length * 0.95 * font + 6));
  const groups = Math.min(longest, Math.max(2, fitting));
  const counts = series.map((one) => spanGroups(counted[one.name], groups));
  const totals = counts.map((row) => Math.max(1, spanTotal(row)));
  const highest = Math.max(...counts.flatMap((row, i) => row.map((count) => count / totals[i])));
  const top = [0.1, 0.2, 0.4, 0.6, 0.8].find((share) => highest <= share) ?? 1;
  const slot = (right - left) / groups;
  const bar = Math.min((slot - 6) / series.length, 4 * font);
  spanTitle(sheet, title);
  const head = sheet.y + 1.7 * font;
  const digits = Math.max(...counts.flat().map((count) => String(count).length));
  const fits = digits * 0.65 * font < bar; // then all bars have their numbers, else the newest
  const plot = { head, foot: head + tall * font, slot, bar, top, fits, groups, longest };
  spanShares(sheet, plot);
  series.forEach((one, i) =>
    spanSeries(sheet, plot, one, i - series.length / 2, counts[i], totals[i], last),
  );
  spanLengths(sheet, plot, hint);
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
  const { head, foot, slot, bar, top, fits, groups } = plot;
  const boxes = [];
  counts.forEach((count, i) => {
    if (count === 0) return;
    const height = ((foot - head) * count) / total / top;
    const x = left + (i + 0.5) * slot + place * bar;
    boxes.push([x + 0.5, foot - height, bar - 1, height]);
    const newest = last !== null && last[0] === one.name && Math.min(last[1], groups) === i + 1;
    if (newest || fits)
      spanCount(sheet, x + bar / 2, foot - height - 0.3 * font, count, newest);
  });
  spanFill(sheet, one, boxes);
}

// How many they are, where a bar has room for it; the one that was counted last always has it.
function spanCount(sheet, x, y, count, newest) {
  const { font } = sheet;
  const clear = sheet.left + 0.35 * font * String(count).length; // of the axis
  spanText(sheet, Math.max(x, clear), y, count, {
    "text-anchor": "middle", "font-weight": newest ? "bold" : null,
  });
  if (newest)
    spanPath(sheet, `M${round1(x)} ${round1(y - font)}l-4 -6h8z`, { fill: SPAN_INK });
}

function spanLengths(sheet, { foot, slot, groups, longest }, hint) {
  const { font, left, right } = sheet;
  for (let i = 0; i < groups; i += 1) {
    const text = i === groups - 1 && longest > groups ? `${groups}+` : i + 1;
    spanText(sheet, left + (i + 0.5) * slot, foot + 1.2 * font, text, { "text-anchor": "middle" });
  }
  const more = longest > groups ? `, longer ones in ${groups}+` : "";
  const text = `length in words${more}${hint}`;
  sheet.y = foot + 2.5 * font;
  spanText(sheet, (left + right) / 2, sheet.y, text, { "text-anchor": "middle" });
}
