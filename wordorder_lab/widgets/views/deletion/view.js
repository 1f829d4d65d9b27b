// The view of compression by deletion, and its table.

import { deletionApply, deletionCopy, deletionStart } from "./deletion.js";
import { deletionLegend } from "./legend.js";
import { wordAt } from "./look.js";
import { sumUpDeletion, tellDeletion } from "./narration.js";
import { drawDeletion } from "./picture.js";
import { deletionPrograms } from "./pseudocode.js";

export const deletionView = {
  title: "Deletion",
  suits: (log) => log.deletes,
  programs: deletionPrograms,
  start: deletionStart,
  apply: deletionApply,
  copy: deletionCopy,
  draw: drawDeletion,
  get legend() {
    return deletionLegend();
  },
  describe: tellDeletion,
  summary: sumUpDeletion,
  table: deletionTable,
  sentence: ({ units, paths, programmes }) => ({
    given: true, over: paths.length > 0, gold: null,
    words: programmes.at(-1)?.kept.map((place) => units[place] ?? "?") ?? paths[0]?.words ?? [],
  }),
};

// What was scanned, the latest first; before that paths, and rows of programmes.
function deletionTable(state) {
  const head = ["what", "rank or scan", "left", "right", "score", "total", "words"];
  const paths = state.paths.map((one) => [
    "path", one.rank + 1, "", "", one.score, "", one.words.join(" "),
  ]);
  const programmes = state.programmes.flatMap((one) => [
    ["programme", "", "", "", one.objective, "",
      one.kept.map((place) => state.units[place] ?? "?").join(" ")],
    ...one.demands.map((row) => [row.name, "", "", "", "", row.broken ? "broken" : "kept",
      row.says]),
  ]);
  const scanned = state.bigrams.slice().reverse().map(([left, right, score, total, layer]) => [
    "bigram", layer, wordAt(state, left), wordAt(state, right), score, total, "",
  ]);
  const rows = [...programmes, ...paths, ...scanned];
  return { head, rows: rows.length ? rows : [["none yet"]] };
}
