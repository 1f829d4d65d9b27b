// A parser's chart in plain sentences.

import { number, plural } from "../player/words.js";
import { cellOver, chartItem, countOut, plainLabel, sayParts, wordsOver, topItem } from "./look.js";

const SAY_PARSING = {
  begin: (state) =>
    `A sentence of ${plural(state.units.length, "word")}: every run of its words gets a cell` +
    `${state.beam ? `, with at most ${plural(state.beam, "label")}` : ""}.`,
  constituent: (state, serial, first, end, label, score) =>
    `“${wordsOver(state, first, end)}” can be ${plainLabel({ label })}, score ${number(score)}: ` +
    `${sayParts(state, chartItem(state, serial) ?? { start: first, left: 0, right: 0 })}.`,
  out_of_beam: (state, serial) => {
    const item = chartItem(state, serial);
    const over = item && `${plainLabel(item)} over “${wordsOver(state, item.start, item.end)}”`;
    return `${over ?? "A label"} falls out of the beam.`;
  },
  parsed: (state, serial, score, brackets, fallback) =>
    fallback
      ? "The grammar has no parse of this sentence: a rule for that puts a tree together."
      : `The parse, log probability ${number(score)}: ${plural(state.units.length, "word")} ` +
        "under one root, read off the back-pointers.",
};

export function tellParsing(state, event) {
  if (!event) return "Nothing has been parsed yet: press the right arrow key.";
  return SAY_PARSING[event[0]]?.(state, ...event.slice(1)) ?? "";
}

// After a step of a whole cell: how many labels it has, which one is best, and where it is split.
export function sumUpParsing(state, [kind, serial]) {
  if (kind !== "constituent" && kind !== "out_of_beam") return null;
  const item = chartItem(state, serial);
  const cell = item && cellOver(state, item.start, item.end);
  const best = cell && topItem(state, cell);
  if (!best) return null;
  const out = countOut(state, cell);
  return `“${wordsOver(state, item.start, item.end)}” has ${plural(cell[2].length, "label")}` +
    `${out ? `, of which ${out} fell out of the beam` : ""}. Best is ${plainLabel(best)}, score ` +
    `${number(best.score)}: ${sayParts(state, best)}.`;
}
