// A plot of curves over the examples of a training: its axes end at round numbers, epochs stand
// below, and beside the end of each curve what it is, or what it has come to.

import { clip, svg, textWidth } from "../player/dom.js";
import { round1, roundTicks } from "../player/pictures.js";
import { number, plural } from "../player/words.js";

const PLOT = { left: 46, head: 24, foot: 21, line: 14, note: 15, gap: 12 };

// The height of a plot without its curves.
export function plotFrame(note) {
  return PLOT.head + PLOT.foot + (note ? PLOT.note : 0);
}

// A `plot` is {title, note, low, high, all, unit, turns, tall, scale}: its curves lie between `low`
// and `high`, over `all` units, of which those at `turns` begin an epoch. `lines` are {points,
// name, colour, look, path, dots}; `path` says how one goes where its points do not, `look` are
// attributes of one among several. `more` is asked for what else is drawn over them: it gets
// {x, y, left, right, top, foot}. The element, and its height.
export function drawPlot(plot, lines, width, more = () => []) {
  const { title, note, scale, tall } = plot;
  const ticks = roundTicks(plot.low, plot.high);
  const [low, high] = [ticks[0], ticks.at(-1)];
  const names = lines.map(({ name, colour }) => textWidth(name) + (colour ? 14 : 0));
  const aside = Math.max(32, ...names) + PLOT.gap + 4;
  const left = PLOT.left * scale;
  const right = width - Math.min(aside * scale, 0.34 * width);
  const top = (PLOT.head + (note ? PLOT.note : 0)) * scale;
  const foot = top + tall * scale;
  const at = {
    scale, left, right, top, foot,
    x: (place) => round1(left + ((right - left) * place) / plot.all),
    y: (value) => round1(foot - ((foot - top) * (value - low)) / (high - low || 1)),
  };
  return [svg("g", { class: "wol-trend" },
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" },
      clip(title, width / scale - 4, { bold: true, middle: true })),
    note ? svg("text", { x: 2, y: 29 * scale, class: "wol-quiet" }, note) : null,
    svg("path", { class: "wol-axis", d: `M${left} ${top}V${foot}H${right}` }),
    low < 0 && high > 0
      ? svg("line", { class: "wol-rule", x1: left, x2: right, y1: at.y(0), y2: at.y(0) }) : null,
    plotTicks(ticks, at),
    plotEpochs(plot, at),
    lines.map((line) => plotCurve(line, at)),
    plotEnds(lines, at, width),
    ...more(at)), foot + PLOT.foot * scale];
}

// Numbers beside the axis: all where they have room, else its ends, and 0 if it is clear of them.
function plotTicks(ticks, { left, scale, y }) {
  const apart = (a, b) => Math.abs(y(a) - y(b)) > 13 * scale;
  const ends = [...new Set([ticks[0], ticks.at(-1)])];
  const zero = ticks.includes(0) && ends.every((end) => apart(end, 0)) ? [0] : [];
  const shown = ticks.length > 1 && apart(ticks[0], ticks[1]) ? ticks : [...ends, ...zero];
  return shown.map((value) => plotQuiet(number(value),
    { x: left - 5 * scale, y: y(value) + 4 * scale, "text-anchor": "end" }));
}

// The epochs below the axis, where each is as wide as its number, else how many units there are.
function plotEpochs({ turns, all, unit }, { x, left, right, top, foot, scale }) {
  const y = foot + 16 * scale;
  const begins = [0, ...turns];
  const wide = (i) => (x(begins[i + 1] ?? all) - x(begins[i])) / scale;
  const fits = (text, i) => 0.92 * textWidth(text) < wide(i);
  const first = [`1: ${plural(begins[1] ?? all, unit)}`, "1"].find((text) => fits(text, 0));
  const lines = turns.map((turn) =>
    svg("line", { class: "wol-turn", x1: x(turn), x2: x(turn), y1: top, y2: foot }));
  if (!turns.length || !first || !begins.every((_, i) => fits(String(i + 1), i)))
    return [...lines, plotQuiet("start", { x: left, y }),
      plotQuiet(plural(all, unit), { x: right, y, "text-anchor": "end" })];
  return [...lines, plotQuiet("epoch", { x: left - 5 * scale, y, "text-anchor": "end" }),
    ...begins.map((begin, i) => plotQuiet(i ? i + 1 : first,
      { x: round1(x(begin) + (wide(i) * scale) / 2), y, "text-anchor": "middle" }))];
}

// A line through the points, broken where there is none.
function plotCurve({ points, colour, look, path, dots = [] }, { x, y, scale }) {
  let [d, open] = ["", false];
  for (const [place, value] of path ? [] : points) {
    if (value !== null) d += `${open ? "L" : "M"}${x(place)} ${y(value)}`;
    open = value !== null;
  }
  const as = (what) => (colour ? `${what}: ${colour}` : null);
  return svg("g", look,
    svg("path", {
      class: "wol-curve", style: as("stroke"), d: path ? path(x, y) : d && `${d}h0`,
    }),
    dots.map(([place, value]) => svg("circle", {
      class: "wol-dot", style: as("fill"), cx: x(place), cy: y(value), r: 3 * scale,
    })));
}

// By the end of the one curve; of several moved apart where they would lie on each other, and a
// thin line leads there.
function plotEnds(lines, { x, y, right, top, foot, scale }, width) {
  const last = ({ points }) => points.findLast(([, value]) => value !== null);
  const there = lines.map((line) => ({ ...line, end: last(line) })).filter(({ end }) => end)
    .sort((a, b) => y(a.end[1]) - y(b.end[1]));
  const step = PLOT.line * scale;
  const gap = PLOT.gap * scale;
  const alone = there.length === 1 && x(there[0].end[0]) < right - 4 * gap;
  const left = right + gap;
  let free = top;
  return there.map(({ name, colour, look, end: [place, value] }, i) => {
    const line = Math.max(free, Math.min(y(value), foot - step * (there.length - 1 - i)));
    free = line + step;
    const shown = clip(name, (width - left) / scale - (colour ? 14 : 0));
    return svg("g", look,
      alone ? null : svg("path", {
        class: "wol-rule", "stroke-dasharray": "none",
        d: `M${x(place) + 2} ${y(value)}L${left - 3} ${line}`,
      }),
      colour ? null
        : svg("circle", { class: "wol-here", cx: x(place), cy: y(value), r: 3 * scale }),
      svg("text", alone
        ? { x: x(place) + 4 * scale, y: y(value) + (y(value) - top > 24 * scale ? -8 : 18) * scale }
        : { x: left, y: line + 4 * scale },
      colour ? svg("tspan", { style: `fill: ${colour}` }, "● ") : null, shown));
  });
}

function plotQuiet(text, more) {
  return svg("text", { class: "wol-quiet", ...more }, text);
}
