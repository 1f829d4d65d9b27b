// The view of tree transduction, and its table.

import { itemOf } from "./items.js";
import { transductionLegend } from "./legend.js";
import { combinationWords } from "./look.js";
import { sayTransduction, sumUpCell } from "./narration.js";
import { drawTransduction } from "./picture.js";
import { transductionQuiz } from "./quiz.js";
import { transductionApply, transductionCopy, transductionStart } from "./transduction.js";

export const transductionView = {
  title: "Tree transduction",
  suits: (log) => log.transduces,
  start: transductionStart,
  apply: transductionApply,
  copy: transductionCopy,
  draw: drawTransduction,
  get legend() {
    return transductionLegend();
  },
  describe: sayTransduction,
  summary: sumUpCell,
  table: transductionTable,
  quiz: transductionQuiz,
  sentence: ({ outputs }) => ({
    given: true, words: outputs[0]?.words ?? [], over: outputs.length > 0, gold: null,
  }),
};

// What is on the screen as rows: the outputs, then the cells, the latest first, with their
// combinations.
function transductionTable(state, masked = false) {
  const hidden = (value, cell) =>
    masked && cell === state.cells[state.cells.length - 1] ? "?" : value;
  const head = [
    "what", "cell", "node", "label", "category", "order", "application", "rule", "ranks",
    "heuristic", "n-grams", "loss", "score", "item", "outcome", "rank in the cell", "words",
  ];
  const outputs = state.outputs.map((one) => [
    "output", "", "", "", "", one.rank + 1, one.applications.join(" "), "", "", "", "", "",
    one.score, "", "", "", one.words.join(" "),
  ]);
  const cells = state.cells
    .slice()
    .reverse()
    .flatMap((cell) =>
      cell.taken.map((one, i) => {
        const rank = (cell.items ?? []).indexOf(one.item);
        const place =
          one.outcome !== "worse" && rank >= 0 && itemOf(state, one.item)?.serial === one.serial
            ? rank + 1
            : "";
        return [
          "combination",
          cell.cell,
          cell.node,
          state.source?.labels[cell.node] ?? "",
          cell.category,
          i + 1,
          one.application,
          state.applications[one.application]?.rule ?? "",
          one.ranks.map((each) => each + 1).join(" "),
          one.heuristic,
          hidden(one.ngrams, cell),
          one.loss,
          hidden(one.score, cell),
          one.item,
          hidden(one.outcome, cell),
          hidden(place, cell),
          combinationWords(state, one),
        ];
      }),
    );
  return { head, rows: [...outputs, ...cells] };
}
