// Beside each other: the lattice of a search with a beam, and one state of it in full.

import { wordsWidth } from "../player/arcs.js";
import { nothingYet, pictureOf } from "../player/pictures.js";
import { beamApply, beamCopy, beamStart } from "./beam.js";
import { beamTable, chosenSerial, derivationOf } from "./cards.js";
import { drawLattice } from "./lattice.js";
import { beamLegend } from "./legend.js";
import { narrate, sumUp } from "./narration.js";
import { detailState, drawDetail } from "./picture.js";
import { beamQuiz } from "./quiz.js";

const PANEL = 220; // pixels of its height, at least

const FOLD = {
  start: beamStart,
  apply: beamApply,
  copy: beamCopy,
  describe: narrate,
  summary: sumUp,
  table: beamTable,
};

export const latticePanel = {
  ...FOLD,
  title: "Lattice",
  suits: (log) => !log.bestFirst && log.orders,
  draw: (state, room) => {
    const tall = Math.max(PANEL, room.tall - 4);
    const press = (one) => room.select(one.serial);
    return panelOf(state, room, [drawLattice(state, room, room.width, tall, press), tall]);
  },
  get legend() {
    return beamLegend();
  },
  quiz: beamQuiz,
};

export const statePanel = { ...FOLD, title: "State", draw: drawState };

function drawState(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const chosen = chosenSerial(state, room.selected);
  const path = derivationOf(state, chosen);
  const words = wordsWidth(detailState(state, chosen, path)) * scale;
  const width = Math.max(room.width, Math.ceil(words) + 24); // what is wider scrolls
  const [detail, tall, more] = drawDetail(state, chosen, path, [width, width], scale, room);
  detail.lastChild.setAttribute("transform", `translate(0 ${tall})`);
  return panelOf(state, room, [detail, tall + more], width);
}

function panelOf(state, room, [element, height], width = room.width) {
  const scale = room.projector ? 1.4 : 1;
  if (!state.columns.length) return nothingYet(room.width, scale);
  return pictureOf(width, height, scale, `Beam after step ${state.step}`, element);
}
