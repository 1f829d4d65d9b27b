// The view of learning over time, and its table: what each epoch came to.

import { SUMMARIES } from "../player/log.js";
import { learningApply, learningCopy, learningStart } from "./learning.js";
import { learningLegend } from "./legend.js";
import { tellLearning } from "./narration.js";
import { drawLearning } from "./picture.js";

export const learningView = {
  title: "Learning over time",
  suits: (log) => log.orders && SUMMARIES.some((kind) => log.counts[kind]),
  start: learningStart,
  apply: learningApply,
  copy: learningCopy,
  draw: drawLearning,
  get legend() {
    return learningLegend();
  },
  describe: tellLearning,
  table: learningTable,
};

function learningTable({ epochs }) {
  const head = [
    "epoch", "sentences", "updates", "sentences with updates", "mean of their lowest margins",
    "gold before the first mistake", "of", "weights not 0", "norm", "score",
  ];
  const rows = epochs.map((one) => [
    one.epoch, one.sentences, one.updates, one.wrong, one.wrong ? one.margin / one.wrong : "",
    one.prefix, one.length, one.weights ?? "", one.norm ?? "", one.scores[0] ?? "",
  ]);
  return { head, rows: rows.length ? rows : [["none yet"]] };
}
