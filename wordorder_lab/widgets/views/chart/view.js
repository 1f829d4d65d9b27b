// The chart view: the edges that were popped, expanded and accepted, in cells by their words.

import { isCcg } from "../search/edges.js";
import { edgeFates } from "../search/fates.js";
import { narrateSearch, sumUpPop } from "../search/narration.js";
import { edgeSentence } from "../search/sentence.js";
import { edgeOf, searchApply, searchCopy, searchStart, wordsOf } from "../search/search.js";
import { chartUnits } from "./cells.js";
import { chartLegend } from "./legend.js";
import { drawChart } from "./picture.js";
import { chartQuiz } from "./quiz.js";

export const chartView = {
  title: "Chart contents",
  suits: (log) => log.bestFirst,
  least: 2, // rows; gold, what is new and what is looked at stand beyond them
  start: searchStart,
  apply: searchApply,
  copy: searchCopy,
  draw: drawChart,
  get legend() {
    return chartLegend();
  },
  describe: narrateSearch,
  summary: sumUpPop,
  table: chartTable,
  fates: edgeFates,
  sentence: edgeSentence,
  quiz: chartQuiz,
};

// First the chart as it is shown, by size and score; then what is being expanded, goals, and what
// is out.
function chartTable(state) {
  const popped = new Map(state.pops.map(([serial], i) => [serial, i + 1]));
  const order = (a, b) =>
    edgeOf(state, a).size - edgeOf(state, b).size ||
    state.scores[b - 1] - state.scores[a - 1] ||
    a - b;
  const at = (place) => [...popped.keys()].filter((serial) => state.places[serial - 1] === place);
  const rows = [...state.chart.slice().sort(order), ...at("popped"), ...at("goal")].map((serial) =>
    chartTableRow(state, serial, popped, "", ""),
  );
  const outs = state.outs
    .slice()
    .reverse()
    .map(([serial, reason, pop]) => chartTableRow(state, serial, popped, pop, reason));
  return {
    head: [
      "where", "units", "cell", "edge", "words",
      ...(isCcg(state) ? ["category", "rule"] : ["action"]), "left", "right", "score", "gold",
      "made after pop", "popped at pop", "out at pop", "reason",
    ],
    rows: [...rows, ...outs],
  };
}

function chartTableRow(state, serial, popped, pop, reason) {
  const { size, category, action, left, right, gold, made } = edgeOf(state, serial);
  const words = wordsOf(state, serial).order.map(([unit, tag]) => `${unit}/${tag}`).join(" ");
  const cell = chartUnits(state, serial).join(", ");
  return [
    state.places[serial - 1], size, cell, serial, words, ...(category ? [category] : []), action,
    left || "", right || "", state.scores[serial - 1], { 1: "gold", 0: "not gold" }[gold] ?? "",
    made, popped.get(serial) ?? "", pop, reason,
  ];
}
