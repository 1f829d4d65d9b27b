// View 1, agenda evolution: its place among the views, and its table.

import { edgeText, isCcg } from "../search/edges.js";
import { edgeFates } from "../search/fates.js";
import { narrateSearch, sumUpPop } from "../search/narration.js";
import { edgeSentence } from "../search/sentence.js";
import { edgeOf, onAgenda, searchApply, searchCopy, searchStart } from "../search/search.js";
import { agendaLegend } from "./legend.js";
import { drawAgenda } from "./picture.js";
import { agendaQuiz } from "./quiz.js";

export const agendaView = {
  title: "Agenda evolution",
  suits: (log) => log.bestFirst,
  start: searchStart,
  apply: searchApply,
  copy: searchCopy,
  pins: (state) => (state.pops.length ? onAgenda(state, 1)[0] ?? null : null), // the runner-up
  draw: drawAgenda,
  get legend() {
    return agendaLegend();
  },
  describe: narrateSearch,
  summary: sumUpPop,
  table: agendaTable,
  fates: edgeFates,
  sentence: edgeSentence,
  quiz: agendaQuiz,
};

const AGENDA_TABLED = 400;

// What is on the screen: the top of the agenda, what went out with this pop, and every pop so far.
function agendaTable(state, masked = false) {
  const top = onAgenda(state, AGENDA_TABLED);
  const ranked = masked ? top.slice().sort((a, b) => a - b) : top;
  const hidden = (value) => (masked ? "?" : value);
  const rows = ranked.map((serial, i) =>
    agendaTableRow(state, "agenda", serial, hidden(i + 1), hidden(state.scores[serial - 1])),
  );
  const more =
    state.agenda > top.length ? [["agenda", "", "", `${state.agenda - top.length} more`]] : [];
  const outs = state.outs
    .filter(([, , pop]) => pop === state.pops.length)
    .map(([serial, reason]) =>
      agendaTableRow(state, `out: ${reason}`, serial, "", state.scores[serial - 1]),
    );
  const pops = state.pops.map(([serial, score, agenda, chart], i) => [
    ...agendaTableRow(state, "popped", serial, "", score),
    i + 1,
    agenda,
    chart,
  ]);
  return {
    head: [
      "what", "rank", "edge", "words", ...(isCcg(state) ? ["category"] : []), "score", "gold",
      "left", "right", isCcg(state) ? "rule" : "action", "made after pop", "popped at pop",
      "on the agenda", "in the chart",
    ],
    rows: [...pops.slice(-1), ...rows, ...more, ...outs, ...pops.slice(0, -1).reverse()],
  };
}

function agendaTableRow(state, what, serial, rank, score) {
  const edge = edgeOf(state, serial);
  const gold = { 1: "gold", 0: "not gold" }[edge.gold] ?? "";
  return [
    what, rank, serial, edgeText(state, serial), ...(edge.category ? [edge.category] : []), score,
    gold, edge.left || "", edge.right || "", edge.action, edge.made,
  ];
}
