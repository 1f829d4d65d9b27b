// The chart view's quiz: the popped edge meets the chart; with which of these edges can it be
// joined?

import { sayEdge } from "../search/edges.js";

const CHART_QUESTIONS = new WeakMap();

// Where a pop is expanded at once and both kinds of edges are in the chart: k -> the popped edge,
// its partners, and the others. One pass over the log, made when it is first asked for.
function chartQuestions(log) {
  if (!CHART_QUESTIONS.has(log)) CHART_QUESTIONS.set(log, findChartQuestions(log));
  return CHART_QUESTIONS.get(log);
}

function findChartQuestions(log) {
  const questions = new Map();
  const chart = new Set();
  let open = null;
  for (let i = 0; i < log.length; i += 1) {
    const kind = log.kinds[i];
    if (!["begin", "popped", "edge", "charted", "pruned"].includes(kind)) continue;
    const event = log.event(i);
    if (kind === "begin") chart.clear();
    if (kind === "popped")
      open = { k: i + 1, serial: event[1], there: [...chart], partners: new Set() };
    if (kind === "edge" && open && event[3])
      open.partners.add(event[2] === open.serial ? event[3] : event[2]);
    if (kind === "charted") {
      chart.add(event[1]);
      if (open?.serial === event[1] && log.kinds[open.k] === "edge")
        addChartQuestion(questions, open);
    }
    if (kind === "pruned") chart.delete(event[1]);
    if (["begin", "charted", "pruned"].includes(kind)) open = null;
  }
  return questions;
}

function addChartQuestion(questions, { k, serial, there, partners }) {
  const [fit, rest] = [
    there.filter((one) => partners.has(one)),
    there.filter((one) => !partners.has(one)),
  ];
  if (fit.length && rest.length) questions.set(k, { serial, fit, rest });
}

export const chartQuiz = {
  suits: (log) =>
    log.bestFirst && Boolean(log.counts.popped && log.counts.edge && log.counts.charted),
  asks: (log, k) =>
    log.kinds[k - 1] === "popped" && log.kinds[k] === "edge" && chartQuestions(log).has(k),
  masked: (log, k) => (chartQuiz.asks(log, k) ? k : -1),
  ask(log, k, state) {
    const { serial, fit, rest } = chartQuestions(log).get(k);
    const best = (serials, most) =>
      serials
        .slice()
        .sort((a, b) => state.scores[b - 1] - state.scores[a - 1] || a - b)
        .slice(0, most);
    const [answer] = best(fit, 1);
    const options = [answer, ...best(rest, 3)].sort((a, b) => a - b);
    return {
      question:
        `Pop ${state.pops.length}: ${sayEdge(state, serial)} is popped. Which of these edges ` +
        "of the chart can it be joined with?",
      answer,
      options: options.map((one) => ({ value: one, label: sayEdge(state, one) })),
      told: "it can be joined with",
    };
  },
};
