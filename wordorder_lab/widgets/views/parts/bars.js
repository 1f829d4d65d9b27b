// Bars of what adds up to a score, one below the other; of two scores, both sides of each. Numbers
// are rounded so that what is shown adds up to the sum that is shown.

import { svg, textWidth } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { chipOf, round1 } from "../player/pictures.js";
import { number } from "../player/words.js";

const BARS_ROW = 25;
const BAR_SIDE = 13;
const BAR_LINE = 15;
const BAR_LINES = 4;
const TWO_SIDES = ["", "wol-bar-rival"];

// Rows as an element, and its height. A row is {name, note, values, title, chip, sum, plain,
// press}: `values` of one side or more, of which a missing one is not there; `sum`: of those
// above; `plain`: a number without a bar; `whole`: the score of another item; `press`: {serial,
// label, chosen, onclick} of a row that can be pressed. `said` begins what is said of them all. Of
// each side the bars have a kind; `turns`: two sides each are before and after.
export function drawBars(rows, width, scale, said, { kinds = TWO_SIDES, turns = false } = {}) {
  const shown = barTexts(rows);
  const every = rows.filter((row) => !row.plain).flatMap(({ values }) => values)
    .filter(Number.isFinite);
  const widest = Math.max(40, ...rows.flatMap((row, i) =>
    (row.plain && !turns ? [] : shown[i]).map((text) => textWidth(text, true)))) * scale;
  const name = (rows[0]?.values.length > 1 ? 0.6 : 0.46) * width;
  const [low, high] = [Math.min(0, ...every), Math.max(0, ...every)];
  const unit = high > low ? (width - name - widest - 20 * scale) / (high - low) : 0;
  const lay = { unit, zero: name - low * unit, width, scale, kinds, turns };
  const free = (row) => name / scale - nameFrom(row) - 8;
  const [names, notes] = ["name", "note"].map((part) => foldLong(rows.map((row) =>
    ({ text: row[part] ?? "", first: free(row), bold: Boolean(row.sum) }))));
  let y = 0;
  const drawn = rows.map((row, i) => {
    const [line, height] = drawBarRow(row, names[i], notes[i], shown[i], lay, y);
    y += height;
    return line;
  });
  const sides = (texts) => texts.map((text) => text || "not there").join(" against ");
  const told = `${said}: ${rows.map((row, i) => `${row.name} ${sides(shown[i])}`).join("; ")}`;
  const how = rows.some(({ press }) => press) ? { role: "group", "aria-label": said }
    : { role: "img", "aria-label": told };
  return [svg("g", { ...how, class: "wol-score-parts" }, drawn), y];
}

// What fits into a line is left as it is: folding is slow.
function foldLong(texts) {
  const isLong = ({ text, first, bold }) => textWidth(text, bold) > first;
  const folded = foldTogether(texts.filter(isLong), BAR_LINES);
  return texts.map((one) => isLong(one) ? folded.shift()
    : { text: one.text, lines: one.text ? [[{ text: one.text, marked: false }]] : [] });
}

function nameFrom({ chip }) {
  return chip ? 20 : 4;
}

function drawBarRow(row, name, note, shown, lay, y) {
  const { scale, width } = lay;
  const { title, chip, sum, press } = row;
  const numbers = numbersOf(row, shown, lay);
  const lines = BAR_LINE * (name.lines.length + note.lines.length);
  // A number without a bar stands below its name where both do not fit into a line.
  const all = nameFrom(row) + textWidth(name.text, sum) + textWidth(numbers[0]?.text ?? "", sum);
  const below = lines - (numbers.length === 1 ? 4 : 1);
  const under = row.plain && all + 28 > width / scale ? below : 0;
  const high = under + BAR_SIDE * numbers.length + 5;
  const height = Math.max(BARS_ROW, lines + 8, high) * scale;
  const side = (i) => y + (under + (numbers.length === 1 ? 6 : 3 + BAR_SIDE * i)) * scale;
  const bold = sum ? "wol-title" : "";
  const line = (from) => (i) =>
    ({ x: nameFrom(row) * scale, y: y + (16.5 + BAR_LINE * (from + i)) * scale });
  return [svg("g", press ? pressed(press) : {},
    press ? svg("rect", { x: 0, y: y + 1, width, height: height - 2, rx: 4 }) : null,
    svg("title", {}, press?.label ?? title ?? `${row.name}: ${shown.join(" | ")}`),
    sum ? svg("path", { d: `M0 ${y}H${width}`, class: "wol-rule" }) : null,
    chip ? chipOf(chip, 9 * scale, y + 12 * scale, 0.85 * scale) : null,
    foldedText(name, line(0), { class: bold }),
    row.note ? foldedText(note, line(name.lines.length), { class: "wol-quiet" }) : null,
    numbers.map(({ value, kind }, i) => drawBar(value, kind, lay, side(i), BAR_SIDE * scale)),
    numbers.map(({ dot }, i) => dot === undefined ? null : svg("rect", {
      x: round1(width - (16 + textWidth(numbers[i].text, sum)) * scale), y: side(i) + 3 * scale,
      width: 7 * scale, height: 7 * scale, class: `wol-bar ${dot}`,
    })),
    numbers.map(({ text }, i) => svg("text", {
      x: width - 4 * scale, y: side(i) + 10.5 * scale, "text-anchor": "end", class: bold,
    }, text)),
  ), height];
}

// One below the other: each with its bar; or with a dot of its side, where there are two, and what
// was before and what is after in one.
function numbersOf({ values, plain, sum }, shown, { kinds, turns }) {
  const there = [...shown.keys()].filter((i) => shown[i]);
  if (!plain) return there.map((i) =>
    ({ text: shown[i], value: values[i], kind: kinds[i] + (sum ? " wol-bar-gold" : "") }));
  const told = turns ? there.filter((i) => i % 2 === 0) : there;
  return told.map((i) => ({
    text: turns ? [shown[i], shown[i + 1]].filter(Boolean).join(" → ") : shown[i],
    value: NaN, dot: told.length > 1 ? kinds[turns ? i + 1 : i] : undefined,
  }));
}

function pressed({ serial, label, chosen, first, onclick }) {
  return {
    class: `wol-press${chosen ? " wol-chosen" : ""}`, role: "button", tabindex: first ? 0 : -1,
    "data-serial": serial, "aria-label": label, "aria-pressed": String(chosen), onclick,
  };
}

// What the kinds of bars stand for, in lines of at most this width: the element, its width, and how
// many lines it has.
export function barKey(kinds, scale, most = Infinity) {
  let [x, line, widest] = [0, 0, 0];
  const drawn = kinds.map(([kind, says]) => {
    const wide = (textWidth(says) + 24) * scale;
    if (x && x + wide > most) [x, line] = [0, line + 1];
    const one = svg("g", { transform: `translate(${round1(x)} ${18 * scale * line})` },
      svg("rect", {
        y: 3 * scale, width: 18 * scale, height: 11 * scale, class: `wol-bar ${kind}`,
      }),
      svg("text", { x: 24 * scale, y: 13 * scale }, says));
    x += wide + 16 * scale;
    widest = Math.max(widest, x);
    return one;
  });
  return [svg("g", {}, drawn), widest, line + 1];
}

// Right of zero is above it, left of it below; what is below is also hollow.
export function drawBar(value, kind, lay, y, height) {
  const length = Math.abs(value) * lay.unit;
  if (!(length > 0)) return null;
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
  const sides = rows[0]?.values.map((_, i) => roundedSide(rows.map((row) =>
    ({ ...row, value: row.values[i] })), digits));
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

// What is missing goes, a unit each, to what stands for many, where equal ones would look unequal;
// then to those that were rounded most the other way.
function shareOut(parts, whole, rows, unit, missing) {
  const way = Math.sign(missing);
  const lost = (k) => way * (rows[k].value * unit - whole[k]);
  const many = (k) => Number(Boolean(rows[k].plain));
  const order = parts.sort((a, b) => many(b) - many(a) || lost(b) - lost(a));
  for (const k of order.slice(0, Math.abs(missing)))
    whole[k] += way;
}
