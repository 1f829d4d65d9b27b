// The beam view: a column a step, a card a state.

import { beamApply, beamCopy, beamStart } from "./beam.js";
import { beamTable } from "./cards.js";
import { stateFates } from "./fates.js";
import { beamLegend } from "./legend.js";
import { narrate, sumUp } from "./narration.js";
import { drawBeam } from "./picture.js";
import { beamQuiz } from "./quiz.js";
import { beamSentence } from "./sentence.js";

export const beamView = {
  title: "Beam states",
  suits: (log) => !log.bestFirst && log.orders && !log.summarises,
  start: beamStart,
  apply: beamApply,
  copy: beamCopy,
  draw: drawBeam,
  get legend() {
    return beamLegend();
  },
  describe: narrate,
  summary: sumUp,
  table: beamTable,
  fates: stateFates,
  sentence: beamSentence,
  quiz: beamQuiz,
};
