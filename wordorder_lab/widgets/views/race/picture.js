// The race as a picture: how good each output is, over the clock. Lines differ in their dashes, and
// a letter stands at the end of each.

import { svg } from "../player/dom.js";
import { pictureOf, round1 } from "../player/pictures.js";

const EDGE = { left: 44, right: 26, top: 22, bottom: 34 };
const DASHES = [null, "8 4", "2 3", "10 3 2 3"];
const COLOURS = ["blue", "vermillion", "green", "purple"];
const LABEL_ROOM = 15; // pixels between two letters, one below the other

// What the height is: BLEU where gold is known, else the words of the output.
function measureOf(data) {
  const knows = data.gold !== null;
  const value = knows
    ? (row) => row.bleu
    : (row) => row.text.split(" ").filter(Boolean).length;
  const best = Math.max(1, ...data.racers.flatMap(({ rows }) => rows.map(value)));
  const name = `${knows ? "BLEU" : "words"} of the best output so far`;
  return { name, value, most: knows ? Math.min(100, 25 * Math.ceil(best / 25)) : best };
}

export function drawRace(data, clock, time, width, height) {
  const measure = measureOf(data);
  const x = (share) => round1(EDGE.left + share * (width - EDGE.left - EDGE.right));
  const y = (value) =>
    round1(height - EDGE.bottom - (value / measure.most) * (height - EDGE.top - EDGE.bottom));
  const lines = data.racers.flatMap((racer, which) =>
    drawRacerLine({ racer, which, clock, time, measure, x, y }),
  );
  const now = x(clock.share(time));
  const said = `${measure.name} over ${clock.name}, now at ${clock.say(time)}`;
  return pictureOf(width, height, 1, said, [
    svg("text", { x: 4, y: 14, class: "wol-quiet" }, measure.name),
    levels(measure.most).flatMap((level) => drawLevel(level, x, y)),
    clock.marks(80 / width).flatMap((mark) => drawMark(mark, clock, x, height)),
    svg("line", { x1: now, x2: now, y1: EDGE.top, y2: height - EDGE.bottom, class: "wol-now" }),
    lines,
    drawLetters(data, clock, time, measure, x, y),
  ], { role: "img" });
}

// Whole numbers at the side, five or so.
function levels(most) {
  const by = Math.max(1, Math.ceil(most / 4));
  return Array.from({ length: Math.floor(most / by) + 1 }, (_, i) => i * by);
}

function drawLevel(value, x, y) {
  return [
    svg("line", { x1: x(0), x2: x(1), y1: y(value), y2: y(value), class: "wol-rule" }),
    svg("text", { x: x(0) - 6, y: y(value) + 4, "text-anchor": "end", class: "wol-quiet" },
      value),
  ];
}

function drawMark(mark, clock, x, height) {
  const at = x(clock.share(mark));
  const words = clock.name === "expansions" ? mark.toLocaleString("en") : clock.say(mark);
  const base = height - EDGE.bottom;
  return [
    svg("line", { x1: at, x2: at, y1: base, y2: base + 4, class: "wol-axis" }),
    svg("text", { x: at, y: base + 17, "text-anchor": "middle", class: "wol-quiet" },
      mark ? words : "0"),
  ];
}

// What has come is drawn in full, what is to come is faint.
function drawRacerLine({ racer, which, clock, time, measure, x, y }) {
  const path = (rows, to) => {
    let drawn = `M${x(0)} ${y(0)}`;
    for (const row of rows)
      drawn += `H${x(clock.share(clock.at(row)))}V${y(measure.value(row))}`;
    return `${drawn}H${x(clock.share(to))}`;
  };
  const end = clock.ends[which];
  const come = racer.rows.filter((row) => clock.at(row) <= time);
  const more = { "stroke-dasharray": DASHES[which], style: `stroke: ${colourOf(which)}` };
  const last = racer.rows.at(-1);
  return [
    svg("path", { d: path(racer.rows, end), class: "wol-race-line wol-race-to-come", ...more }),
    svg("path", { d: path(come, Math.min(time, end)), class: "wol-race-line", ...more }),
    time >= end
      ? svg("circle", {
          cx: x(clock.share(end)), cy: y(measure.value(last)), r: 4,
          style: `fill: ${colourOf(which)}`,
        })
      : null,
  ];
}

// A letter beside the end of each line; those that would meet move apart.
function drawLetters(data, clock, time, measure, x, y) {
  const letters = data.racers.map((racer, which) => {
    const until = Math.min(time, clock.ends[which]);
    const row = clock.rowAt(racer, until);
    return { which, x: x(clock.share(until)) + 8, y: y(row ? measure.value(row) : 0) + 4 };
  });
  letters.sort((a, b) => a.y - b.y || a.which - b.which);
  letters.forEach((letter, i) => {
    for (const other of letters.slice(0, i)) {
      if (Math.abs(other.x - letter.x) < LABEL_ROOM && letter.y - other.y < LABEL_ROOM)
        letter.y = other.y + LABEL_ROOM;
    }
  });
  const over = Math.max(0, ...letters.map((letter) => letter.y - (y(0) + 4)));
  return letters.map((letter) =>
    svg("text", { x: letter.x, y: letter.y - over, class: "wol-race-letter" },
      "ABCD"[letter.which]),
  );
}

function colourOf(which) {
  return `var(--wol-${COLOURS[which]})`;
}

// The line of a racer, for its lane and for the signs.
export function lineSample(which) {
  return svg(
    "svg",
    { width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" },
    svg("path", {
      d: "M1 6H33", class: "wol-race-line", "stroke-dasharray": DASHES[which],
      style: `stroke: ${colourOf(which)}`,
    }),
  );
}
