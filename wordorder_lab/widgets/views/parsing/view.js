// The view of a parser's chart, and its table.

import { parsingLegend } from "./legend.js";
import { rankedItems, sayParts, wordsOver } from "./look.js";
import { sumUpParsing, tellParsing } from "./narration.js";
import { parsingApply, parsingCopy, parsingStart } from "./parsing.js";
import { drawParsing } from "./picture.js";
import { parsingPrograms } from "./pseudocode.js";

export const parsingView = {
  title: "Parser's chart",
  suits: (log) => log.parses,
  least: 12, // the chart is as high as it is: fewer rows would not make it lower
  programs: parsingPrograms,
  start: parsingStart,
  apply: parsingApply,
  copy: parsingCopy,
  draw: drawParsing,
  get legend() {
    return parsingLegend();
  },
  describe: tellParsing,
  summary: sumUpParsing,
  table: parsingTable,
  sentence: () => ({ given: true, words: [], over: false, gold: null }),
};

// The cells, the latest first, with their labels, the best first.
function parsingTable(state) {
  const head = ["from", "to", "words", "rank", "label", "score", "made of", "out of the beam"];
  const rows = state.cells.slice().reverse().flatMap((cell) =>
    rankedItems(state, cell).map((one, i) => [
      one.start + 1, one.end, wordsOver(state, one.start, one.end, 99), i + 1, one.label,
      one.score, sayParts(state, one), one.out ? "yes" : "",
    ]));
  return { head, rows: rows.length ? rows : [["none yet"]] };
}
