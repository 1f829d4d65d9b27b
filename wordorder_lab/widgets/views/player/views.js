// The views, in the order of the chooser. What a view is: its title, which logs it suits, a fold
// (start, apply, copy), what it draws and tells of a state, its table, and perhaps a quiz.

import { agendaView } from "../agenda/view.js";
import { latticePanel, statePanel } from "../beam/panels.js";
import { beamView } from "../beam/view.js";
import { chartView } from "../chart/view.js";
import { learningView } from "../learning/view.js";
import { derivationPanel } from "../search/derivation_panel.js";
import { spansView } from "../spans/view.js";
import { updatesView } from "../updates/view.js";

export const VIEWS = {
  agenda: agendaView,
  chart: chartView,
  beam: beamView,
  updates: updatesView,
  learning: learningView,
  spans: spansView,
};

// What is on some pages only: `Why`, the panel of reasons.
export const EXTRAS = {};

// What is only shown beside other views of the same search.
export const PANELS = {
  derivation: derivationPanel,
  lattice: latticePanel,
  state: statePanel,
};
