// The span-length view: how many spans of each length a search makes, keeps, and ought to make.

import { agendaView } from "../agenda/view.js";
import { beamView } from "../beam/view.js";
import { SPAN_KINDS } from "./counts.js";
import { spansLegend } from "./legend.js";
import { saySpans } from "./narration.js";
import { drawSpans } from "./picture.js";
import { spansApply, spansCopy, spansStart } from "./spans.js";

export const spansView = {
  title: "Span lengths",
  suits: (log) => log.orders && !log.summarises,
  start: spansStart,
  apply: spansApply,
  copy: spansCopy,
  draw: drawSpans,
  get legend() {
    return spansLegend();
  },
  describe: saySpans,
  table: spansTable,
  told: (log) => (log.bestFirst ? agendaView : beamView),
};

function spansTable(state) {
  const longest = Math.max(0, ...SPAN_KINDS.map((name) => state.all[name].length - 1));
  const all = SPAN_KINDS.map((name) => `${name}, all searches`);
  const rows = [];
  for (let length = 1; length <= longest; length += 1) {
    const here = SPAN_KINDS.map((name) => state[name][length] ?? 0);
    rows.push([length, ...here, ...SPAN_KINDS.map((name) => state.all[name][length] ?? 0)]);
  }
  return { head: ["words in the span", ...SPAN_KINDS, ...all], rows };
}
