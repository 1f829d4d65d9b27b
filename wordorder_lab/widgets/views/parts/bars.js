// Bars of what adds up to a score, one below the other; of two scores, both sides of each. Numbers
// are rounded so that what is shown adds up to the sum that is shown.

import { svg, textWidth } from "../player/dom.js";
import { chipOf, round1, wrapped } from "../player/pictures.js";
import { number } from "../player/words.js";

const BARS_ROW = 25;
const BAR_SIDE = 13;

// Rows as an element, and its height. A row is {name, values, title, chip, sum, plain}: `values` of
// one side or two, of which a missing one is not there; `sum`: the sum of those above; `plain`: a
// number without a bar; `whole`: the score of another item. `said` begins what is said of them all.
export function drawBars(rows, width, scale, said) {
  const shown = barTexts(rows);
  const every = rows.filter((row) => !row.plain).flatMap(({ values }) => values)
    .filter(Number.isFinite);
  const widest = Math.max(40, ...shown.flat().map((text) => textWidth(text, true))) * scale;
  const name = (rows[0]?.values.length > 1 ? 0.56 : 0.46) * width;
  const [low, high] = [Math.min(0, ...every), Math.max(0, ...every)];
  const unit = high > low ? (width - name - widest - 20 * scale) / (high - low) : 0;
  const lay = { unit, zero: name - low * unit, name, width, scale };
  let y = 0;
  const drawn = rows.map((row, i) => {
    const [line, height] = drawBarRow(row, shown[i], lay, y);
    y += height;
    return line;
  });
  const sides = (texts) => texts.map((text) => text || "not there").join(" against ");
  const label = `${said}: ${rows.map((row, i) => `${row.name} ${sides(shown[i])}`).join("; ")}`;
  return [svg("g", { role: "img", "aria-label": label, class: "wol-score-parts" }, drawn), y];
}

function drawBarRow({ name, values, title, chip, sum, plain }, shown, lay, y) {
  const { scale, width } = lay;
  const from = (chip ? 20 : 4) * scale;
  const free = (lay.name - from) / scale - 8;
  const bold = sum ? "wol-title" : "";
  const lines = wrapped(name, free, free, 3);
  const height = Math.max(BARS_ROW, 15 * lines.length + 8, BAR_SIDE * values.length + 5) * scale;
  const side = (i) => y + (values.length === 1 ? 6 * scale : (3 + BAR_SIDE * i) * scale);
  return [svg("g", {}, svg("title", {}, title ?? `${name}: ${shown.join(" | ")}`),
    sum ? svg("path", { d: `M0 ${y}H${width}`, class: "wol-rule" }) : null,
    chip ? chipOf(chip, 9 * scale, y + 12 * scale, 0.85 * scale) : null,
    lines.map((line, i) =>
      svg("text", { x: from, y: y + (16.5 + 15 * i) * scale, class: bold }, line)),
    values.map((value, i) => plain || !Number.isFinite(value) ? null
      : drawBar(value, i ? "wol-bar-rival" : sum ? "wol-bar-gold" : "", lay, side(i),
        BAR_SIDE * scale)),
    shown.map((text, i) => svg("text", {
      x: width - 4 * scale, y: side(i) + 10.5 * scale, "text-anchor": "end", class: bold,
    }, text)),
  ), height];
}

// Right of zero is above it, left of it below; what is below is also hollow.
export function drawBar(value, kind, lay, y, height) {
  const length = Math.abs(value) * lay.unit;
  if (!length) return null;
  return svg("rect", {
    x: round1(value < 0 ? lay.zero - length : lay.zero), y,
    width: round1(Math.max(1, length)), height: height - 1,
    class: `wol-bar ${value < 0 ? "wol-bar-below " : ""}${kind}`,
  });
}

// --- numbers that add up -------------------------------------------------------------------------

// The numbers of each row as texts: as many digits as it takes to see the largest part, and the
// two sums apart.
function barTexts(rows) {
  const digits = barDigits(rows);
  const sides = rows[0]?.values.map((_, i) => roundedSide(rows.map(({ values, sum, whole }) =>
    ({ value: values[i], sum, whole })), digits));
  return rows.map((_, r) => sides.map((side) => side[r]));
}

function barDigits(rows) {
  const every = rows.flatMap(({ values }) => values).filter(Number.isFinite);
  const most = Math.max(0, ...every.map(Math.abs));
  let digits = most ? Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(most)))) : 2;
  digits = Math.max(2, digits);
  const [a, b] = rows.at(-1)?.values ?? [];
  while (digits < 12 && Number.isFinite(b) && a !== b && a.toFixed(digits) === b.toFixed(digits))
    digits += 1;
  return digits;
}

// One side: parts up to a sum are rounded up or down so that they come to it.
function roundedSide(rows, digits) {
  const unit = 10 ** digits;
  const whole = rows.map(({ value }) => Math.round(value * unit));
  let [from, sum] = [0, 0];
  rows.forEach((row, i) => {
    if (!row.sum) return;
    const parts = rows.slice(from, i).map((_, k) => from + k)
      .filter((k) => !Number.isNaN(whole[k]));
    const missing = whole[i] - sum - parts.reduce((total, k) => total + whole[k], 0);
    // What is a score elsewhere stays as it is written there, if that can be.
    const free = parts.filter((k) => !rows[k].whole && rows[k].value);
    const those = free.length >= Math.abs(missing) ? free : parts;
    if (Math.abs(missing) <= parts.length) shareOut(those, whole, rows, unit, missing);
    [from, sum] = [i + 1, whole[i]];
  });
  return whole.map((value, i) => !Number.isFinite(rows[i].value) ? missingText(rows[i].value)
    : Math.abs(value) < 1e15 ? (value / unit).toFixed(digits).replace(/^-(?=0\.?0*$)/, "")
      .replace("-", "−") : number(rows[i].value));
}

function missingText(value) {
  return value === undefined ? "" : "?";
}

// What is missing goes, a unit each, to those that were rounded most the other way.
function shareOut(parts, whole, rows, unit, missing) {
  const way = Math.sign(missing);
  const lost = (k) => way * (rows[k].value * unit - whole[k]);
  for (const k of parts.sort((a, b) => lost(b) - lost(a)).slice(0, Math.abs(missing)))
    whole[k] += way;
}
