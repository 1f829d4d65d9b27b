// View 1, agenda evolution: its place among the views, its table and its quiz.

import { plural } from "../player/words.js";
import { edgeText, isCcg, quotedEdge } from "../search/edges.js";
import { narrateSearch, sumUpPop } from "../search/narration.js";
import { edgeOf, onAgenda, searchApply, searchCopy, searchStart } from "../search/search.js";
import { drawAgenda } from "./picture.js";
import { searchFacts } from "./ranks.js";

export const agendaView = {
  title: "Agenda evolution",
  suits: (log) => log.bestFirst,
  start: searchStart,
  apply: searchApply,
  copy: searchCopy,
  draw: drawAgenda,
  describe: narrateSearch,
  summary: sumUpPop,
  table: agendaTable,
  // Which edge is popped next? Scores are hidden from the moment when those come that decide on it.
  quiz: {
    suits: (log) => log.counts.popped > 0 && log.counts.leaf > 0,
    asks: (log, k) => log.kinds[k] === "popped" && searchFacts(log).asks[k] === 1,
    ask: askNextPop,
    masked(log, k) {
      const { next, fresh } = searchFacts(log);
      return fresh[k] || next[k] === k ? next[k] : -1;
    },
  },
};

function askNextPop(log, k, state) {
  const answer = log.event(k)[1];
  const others = onAgenda(state, 4).filter((serial) => serial !== answer).slice(0, 3);
  // As they were made: the order tells nothing.
  const options = [answer, ...others].sort((a, b) => a - b);
  return {
    question:
      `Pop ${state.pops.length + 1}: ${plural(state.agenda, "edge")} wait. Which of these ` +
      `${options.length} is popped next?`,
    answer,
    told: "popped next is",
    options: options.map((serial) => ({ value: serial, label: sayOption(state, serial) })),
  };
}

// Two edges may have the same words in the same order and differ in their heads.
function sayOption(state, serial) {
  const edge = edgeOf(state, serial);
  const parts = [edge.left, edge.right]
    .filter((part) => part)
    .map((part) => quotedEdge(state, part));
  const how = edge.left ? `${parts.join(" + ")}, ${edge.action}` : `leaf, tag ${edge.pos}`;
  return `${quotedEdge(state, serial)} (edge ${serial}: ${how})`;
}

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
