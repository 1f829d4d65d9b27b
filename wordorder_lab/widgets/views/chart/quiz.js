// The chart view's quiz: the popped edge meets the chart; with which of these edges can it be
// joined?

import { questionsOf, shuffled } from "../player/questions.js";
import { number } from "../player/words.js";
import { isCcg, quotedEdge, sayEdge } from "../search/edges.js";
import { edgeOf, searchApply, searchStart } from "../search/search.js";
import { chartUnits } from "./cells.js";

const OTHERS = 3;

const joinQuestion = questionsOf(
  { start: searchStart, apply: searchApply },
  (log, k) => log.kinds[k] === "edge" && k > 0 && log.kinds[k - 1] === "popped",
  askPartner,
);

export const chartQuiz = {
  suits: (log) =>
    log.bestFirst && Boolean(log.counts.popped && log.counts.edge && log.counts.charted),
  asks: (log, k) => joinQuestion(log, k) !== null,
  masked: (log, k) => (chartQuiz.asks(log, k) ? k : -1),
  ask: joinQuestion,
};

// What comes of the popped edge: partner -> the first edge made with it; null where the log does
// not tell all of it.
function partnersFrom(log, k, popped) {
  const partners = new Map();
  let i = k;
  for (; log.kinds[i] === "edge"; i += 1) {
    const [, serial, left, right, , score] = log.event(i);
    const partner = left === popped ? right : left;
    if (right && !partners.has(partner)) partners.set(partner, { serial, score });
  }
  return log.kinds[i] === "charted" && log.event(i)[1] === popped ? partners : null;
}

// One that can be joined, and others of the chart whose scores are nearest to its own.
function askPartner(log, k, state) {
  const popped = log.event(k - 1)[1];
  const partners = edgeOf(state, popped) && partnersFrom(log, k, popped);
  if (!partners) return null;
  const score = (serial) => state.scores[serial - 1];
  const [fit, rest] = [true, false].map((wanted) =>
    state.chart.filter((serial) => partners.has(serial) === wanted));
  const [answer] = fit.sort((a, b) => score(b) - score(a) || a - b);
  if (answer === undefined || !rest.length) return null;
  const far = (serial) => Math.abs(score(serial) - score(answer));
  const others = rest.sort((a, b) => far(a) - far(b) || a - b).slice(0, OTHERS);
  const clashes = new Map(others.map((serial) => [serial, clashOf(state, popped, serial)]));
  const difficulty = joinLevel(state, clashes);
  const why = (value) =>
    clashes.has(value)
      ? `${sayClash(state, popped, value, clashes.get(value))} ` +
        sayWhatComes(state, partners.get(answer), answer)
      : sayWhatComes(state, partners.get(answer), answer);
  return {
    kind: "what can be joined",
    difficulty,
    question:
      `Pop ${state.pops.length}: ${sayEdge(state, popped)} is popped. Which of these edges ` +
      `of the chart can it be joined with? ${HOW_ALIKE[difficulty]}`,
    answer,
    told: "it can be joined with",
    pair: () => [partners.get(answer).serial, popped],
    why,
    options: shuffled(
      [answer, ...others].map((value) => ({ value, label: sayEdge(state, value) })), k),
  };
}

// The units of which two edges together have more than the bag gives.
function clashOf(state, popped, other) {
  const used = new Map();
  for (const unit of [...chartUnits(state, popped), ...chartUnits(state, other)])
    used.set(unit, (used.get(unit) ?? 0) + 1);
  return [...used.keys()].filter((unit) => {
    const type = state.forms.findIndex((own) => own.join("|") === unit);
    return used.get(unit) > (type < 0 ? 1 : state.counts[type]);
  });
}

const HOW_ALIKE = {
  easy: "Easy: each wrong one has no word that the popped edge has not.",
  middle: "Middling: a wrong one has some words in common with it, and others of its own.",
  hard: "Hard: a wrong one has no word too many, and still it cannot.",
};

// Hardest is what words do not rule out, then what they rule out only in part.
function joinLevel(state, clashes) {
  let level = "easy";
  for (const [serial, clash] of clashes) {
    if (!clash.length) return "hard";
    if (clash.length < new Set(chartUnits(state, serial)).size) level = "middle";
  }
  return level;
}

function sayClash(state, popped, other, clash) {
  const name = `Edge ${other} cannot`;
  if (clash.length)
    return (
      `${name}: the bag has no second ${clash.map((unit) => `“${unit}”`).join(", ")} for both ` +
      "of them."
    );
  const rule = isCcg(state) ? "no rule joins their categories" : "the search made no edge of them";
  return `${name}: ${rule} (${quotedEdge(state, popped)} and ${quotedEdge(state, other)}).`;
}

function sayWhatComes(state, made, answer) {
  return `With edge ${answer} it makes edge ${made.serial}, score ${number(made.score)}.`;
}
