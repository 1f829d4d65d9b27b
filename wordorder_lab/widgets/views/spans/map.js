// The map of the span-length view: a column a step, a row a length, and in every
// cell how many of the states kept in that step have made a span of that length. For a best-first
// search a column is a pop, or a block of several, and a cell counts edges that entered the chart.

import { round1 } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { addSpan, meanLength, spanTotal } from "./counts.js";
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

const SPAN_ROWS = 20; // lengths in the map; longer ones share the last row
const SPAN_CELLS = [0.45, 0.65, 0.82, 1]; // the side of a cell and its strength, few to many

export function spanMap(sheet, state, tall) {
  const { font, left, right } = sheet;
  const pops = spansOfEdges(state);
  const steps = Math.max(pops ? state.step : state.steps, pops ? 12 : 1);
  const columns = Math.min(steps, Math.floor((right - left) / (0.75 * font)));
  const first = Math.max(1, Math.min(state.step - columns + 3, steps - columns + 1));
  const unit = state.block > 1 ? `a column for ${state.block} pops` : "pop by pop";
  const more = steps > columns
    ? ` (${first} to ${first + columns - 1} of ${steps}: ${steps - columns} more)` : "";
  spanTitle(sheet, pops
    ? `When do long spans come? Those in the chart, ${unit}${more}`
    : `When do long spans come? Those kept, step by step${more}`);
  const rows = Math.min(Math.max(state.words, 1), SPAN_ROWS);
  const high = Math.max(0.95 * font, Math.min(3 * font, (within(tall - 13, 15, 36) * font) / rows));
  const wide = Math.min((right - left) / columns, 6 * font);
  const head = sheet.y + 0.6 * font + 8; // the mark of the present step stands below the title
  const map = { head, foot: head + rows * high, high, wide, rows, columns, first };
  spanFrame(sheet, map, state);
  const heat = state.heat.filter(([step]) => step >= first && step < first + columns);
  spanCells(sheet, map, heat);
  spanMeans(sheet, map, heat);
  spanNow(sheet, map, state.step);
}

function spanFrame(sheet, map, state) {
  const { font, left } = sheet;
  const { head, foot, high, wide, rows, columns } = map;
  spanPath(sheet, spanBox(left, head, columns * wide, foot - head), { stroke: "var(--wol-soft)" });
  const every = high < 1.1 * font ? 2 : 1;
  for (let length = 1; length <= rows; length += 1) {
    const pooled = length === rows && state.words > rows;
    if (!pooled && ((length - 1) % every || (every > 1 && length > rows - 2))) continue;
    const y = foot - (length - 0.5) * high + 0.35 * font;
    spanText(sheet, left - 0.4 * font, y, pooled ? `${length}+` : length, { "text-anchor": "end" });
  }
  const x = left + (0.9 - SPAN_MARGIN) * font;
  const y = (head + foot) / 2;
  const turned = { "text-anchor": "middle", transform: `rotate(-90 ${round1(x)} ${round1(y)})` };
  const title = ["length in words", "length", ""].find(
    (one) => 0.62 * font * one.length < foot - head,
  );
  spanText(sheet, x, y, title, turned);
  sheet.y = foot + 2 * font;
}

// Cells of one strength are one path, so that a long sentence draws as fast as a short one.
function spanCells(sheet, map, heat) {
  const cells = heat.flatMap(([step, counts]) =>
    spanGroups(counts, map.rows).map((count, row) => ({ column: step - map.first, row, count })),
  ).filter(({ count }) => count > 0);
  const most = cells.reduce((found, { count }) => Math.max(found, count), 0);
  const levels = Math.min(most, SPAN_CELLS.length);
  const paths = new Array(levels).fill("");
  for (const { column, row, count } of cells) {
    const level = Math.ceil((count * levels) / most) - 1;
    const [x, y] = [sheet.left + (column + 0.5) * map.wide, map.foot - (row + 0.5) * map.high];
    const side = SPAN_CELLS[SPAN_CELLS.length - levels + level];
    const [w, h] = [side * (map.wide - 1), side * (map.high - 1)];
    paths[level] += spanBox(x - w / 2, y - h / 2, w, h);
  }
  paths.forEach((d, level) => spanPath(sheet, d, spanStrength(levels, level)));
  spanKey(sheet, levels, most);
}

// The mean length of what is kept, from step to step.
function spanMeans(sheet, map, heat) {
  const places = heat.filter(([, counts]) => spanTotal(counts)).map(([step, counts]) => [
    round1(sheet.left + (step - map.first + 0.5) * map.wide),
    round1(map.foot - (Math.min(meanLength(counts), map.rows) - 0.5) * map.high),
  ]);
  if (!places.length) return;
  spanPath(sheet, `M${places.map((place) => place.join(" ")).join("L")}h0`, {
    stroke: "var(--wol-vermillion)", "stroke-width": 2.5, "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
}

// When long spans come, and how fast what is kept grows; for the whole of a search so far.
export function sayGrowth(state) {
  const rows = state.heat.filter(([, counts]) => spanTotal(counts));
  const kept = spansOfEdges(state) ? "enters the chart" : "is kept";
  if (!rows.length) return `No span ${kept} yet.`;
  const half = Math.ceil(state.words / 2);
  const first = rows.find(([, counts]) => counts.length > half);
  const third = Math.ceil(rows.length / 3);
  const mean = (some) => meanLength(some.reduce((sum, [, counts]) => {
    counts.forEach((count, length) => addSpan(sum, length, count));
    return sum;
  }, [])).toFixed(1);
  const long = `span of ${plural(half, "word")} or more, half the sentence`;
  const come = first ? `The first ${long}, ${kept} ${whenOf(state, first[0])}`
    : `No ${long}, ${kept} so far`;
  return rows.length < 3 ? `${come}.`
    : `${come}; the mean length goes from ${mean(rows.slice(0, third))} in the first third to ` +
      `${mean(rows.slice(-third))} in the last.`;
}

function whenOf(state, row) {
  if (!spansOfEdges(state)) return `at step ${row} of ${state.steps}`;
  const { block, pops } = state;
  return `${block > 1 ? `by pop ${Math.min(row * block, pops)}` : `at pop ${row}`} of ${pops}`;
}

function spanStrength(levels, level) {
  const side = SPAN_CELLS[SPAN_CELLS.length - levels + level];
  return {
    fill: "var(--wol-sky)",
    "fill-opacity": round1(0.7 * side),
    stroke: SPAN_INK,
    "stroke-opacity": 0.6,
  };
}

// Which counts a cell of each strength stands for.
function spanKey(sheet, levels, most) {
  const { font } = sheet;
  let x = sheet.left;
  for (let level = 0; level < levels; level += 1) {
    const low = Math.floor((most * level) / levels) + 1;
    const high = Math.floor((most * (level + 1)) / levels);
    const text = low === high ? `${low}` : `${low}–${high}`;
    const side = SPAN_CELLS[SPAN_CELLS.length - levels + level] * font;
    const middle = [x + font / 2 - side / 2, sheet.y + 0.65 * font - side / 2];
    spanPath(sheet, spanBox(...middle, side, side), spanStrength(levels, level));
    spanText(sheet, x + 1.4 * font, sheet.y + font, text);
    x += (2.6 + 0.6 * text.length) * font;
  }
  if (levels > 0) {
    const says = "spans";
    spanText(sheet, x, sheet.y + font, says);
    x += (0.6 * says.length + 1) * font;
    const line = `M${round1(x)} ${round1(sheet.y + 0.65 * font)}h${1.4 * font}`;
    spanPath(sheet, line, { stroke: "var(--wol-vermillion)", "stroke-width": 2.5 });
    spanText(sheet, x + 2 * font, sheet.y + font, "mean length");
  }
  sheet.y += 1.6 * font;
}

function spanNow(sheet, { head, foot, wide, columns, first }, now) {
  const { font, left } = sheet;
  const every = [1, 2, 5, 10, 20, 50, 100].find((n) => n * wide >= 2.2 * font) ?? 200;
  const center = (step) => left + (step - first + 0.5) * wide;
  const y = foot + 1.2 * font;
  for (let step = first; step < first + columns; step += 1) {
    const clear = now < first || Math.abs(step - now) * wide >= 2 * font;
    if ((step === 1 || step % every === 0) && step !== now && clear) {
      spanText(sheet, center(step), y, step, { "text-anchor": "middle" });
    }
  }
  if (now < first || now >= first + columns) return;
  const box = spanBox(center(now) - wide / 2, head, wide, foot - head);
  spanPath(sheet, box, { stroke: SPAN_INK, "stroke-width": 2 });
  const bold = { "text-anchor": "middle", "font-weight": "bold" };
  spanText(sheet, center(now), y, now, bold);
  spanPath(sheet, `M${round1(center(now))} ${round1(head - 1)}l-5 -7h10z`, { fill: SPAN_INK });
}
