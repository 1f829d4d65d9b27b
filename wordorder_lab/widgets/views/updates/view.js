// The view of parameter updates, and its table.

import { beamSentence } from "../beam/sentence.js";
import { edgeSentence } from "../search/sentence.js";
import { updatesLegend } from "./legend.js";
import { drawUpdates } from "./picture.js";
import { updatesQuiz } from "./quiz.js";
import { changesOf, rankedChanges, updatesApply, updatesCopy, updatesStart } from "./updates.js";
import { sumUpUpdate, tellUpdates } from "./words.js";

export const updatesView = {
  title: "Parameter updates",
  suits: (log) => log.orders && Boolean(log.counts.edge_update || log.counts.update),
  start: updatesStart,
  apply: updatesApply,
  copy: updatesCopy,
  draw: drawUpdates,
  get legend() {
    return updatesLegend();
  },
  describe: tellUpdates,
  summary: sumUpUpdate,
  table: updatesTable,
  quiz: updatesQuiz,
  least: 2,
  sentence({ best_first: edges, transition }, log) {
    return log.bestFirst ? { ...edgeSentence(edges, log), books: edges }
      : { ...beamSentence(transition, log), books: transition };
  },
};

function updatesTable({ update }) {
  const head = [
    "update", "search", "example", "reason", "margin", "step", "feature", "action", "difference",
    "before", "after", "points",
  ];
  if (!update) return { head, rows: [] };
  const { number: count, search, example, reason, margin, step } = update;
  const first = [count, search, example, reason, margin, step];
  const { ranked } = rankedChanges(changesOf(update), "points");
  const rows = ranked.map((row) => [
    ...first, row.feature, row.action, row.difference, row.before, row.after, row.points,
  ]);
  return { head, rows: rows.length ? rows : [first] };
}
