// The beam view's quiz: once all candidates of a step are made, does gold survive TOP-K? Which of
// gold and its best rival scores higher? Which candidate ranks first?

import { expands } from "../player/log.js";
import { questionsOf, scoredQuestion, shuffled } from "../player/questions.js";
import { number, plural } from "../player/words.js";
import { beamApply, beamStart, findState } from "./beam.js";
import { actionText, stackText } from "./cards.js";

// What is forbidden is no candidate: it is never offered.
const beamQuestion = questionsOf(
  { start: beamStart, apply: beamApply },
  (log, k) => asksAt(log, k),
  askStep,
);

export const beamQuiz = {
  suits: (log) => Boolean(log.counts.step && log.counts.kept),
  asks: (log, k) => beamQuestion(log, k) !== null,
  ask: beamQuestion,
};

function asksAt(log, k) {
  return log.kinds[k] === "kept" && k > 0 && expands(log.kinds[k - 1]);
}

// The first words alone are no question: there only a word's own score decides.
function askStep(log, k, state) {
  const parents = state.candidates.map(({ parent }) => findState(state, parent, 1));
  if (!parents.some(({ order }) => order.length)) return null;
  const ahead = goldAhead(log, k);
  const gold = ahead && state.candidates.find(({ serial }) => serial === ahead.serial);
  const made = new Map(state.candidates.map((one) => [one.serial, one]));
  const label = (value) => {
    const { action, parent } = made.get(value);
    return `${value === gold?.serial ? "★ gold: " : ""}${actionText(action, state.names)} after ` +
      stackText(findState(state, parent, 1));
  };
  if (gold && survivals(log).has(k)) return askSurvival(state, k, ahead, gold, label);
  return (state.step % 3 === 1 && askDecider(log, k, state, gold, label))
    || (gold && state.step % 2 && askOfTwo(state, k, gold, label))
    || askFirstRank(log, k, state, label);
}

// What this step will come to for gold: its candidate, and its rank, or -1.
function goldAhead(log, k) {
  let i = k;
  while (["kept", "cut", "pruned"].includes(log.kinds[i])) i += 1;
  if (log.kinds[i] !== "gold") return null;
  const [, step, serial, rank] = log.event(i);
  return serial >= 0 && step > 1 ? { serial, rank } : null;
}

const SURVIVALS = new WeakMap();

// The places where gold falls, and as many where it nearly does: each answer is right as often.
function survivals(log) {
  if (!SURVIVALS.has(log)) {
    const all = log.kinds.flatMap((_, k) => {
      const ahead = asksAt(log, k) ? goldAhead(log, k) : null;
      return ahead ? [{ k, ...ahead }] : [];
    });
    const falls = all.filter(({ rank }) => rank < 0);
    const stays = all.filter(({ rank }) => rank >= 0).sort((a, b) => b.rank - a.rank || a.k - b.k);
    const both = Math.min(falls.length, stays.length);
    const asked = [...falls.slice(0, both), ...stays.slice(0, both)];
    SURVIVALS.set(log, new Set(asked.map(({ k }) => k)));
  }
  return SURVIVALS.get(log);
}

function askSurvival(state, k, { rank }, gold, label) {
  const ranked = state.candidates.slice().sort((a, b) => b.score - a.score);
  const last = ranked[Math.min(state.beam, ranked.length) - 1];
  const place = rank < 0 ? `is cut: the last that is kept has ${number(last.score)}`
    : `is number ${rank + 1} of the beam`;
  return {
    kind: "whether gold survives",
    difficulty: "middle",
    question:
      `Step ${state.step}: of ${plural(state.candidates.length, "candidate")} the best ` +
      `${state.beam} are kept. Gold is ${label(gold.serial).replace("★ gold: ", "")}. Will it ` +
      "survive this step? Middling: as often it does as it does not.",
    answer: rank < 0 ? "no" : "yes",
    told: "the answer is",
    why: () => `Gold has ${number(gold.score)} and ${place}.`,
    telling: rank < 0 ? 3 : 1,
    pair: () => [gold.serial, (rank < 0 ? last : ranked.find((one) => one !== gold)).serial],
    options: shuffled(["yes", "no"].map((value) => ({ value, label: value })), k),
  };
}

// The best of those that are not this one.
function rivalOf(state, gold) {
  const others = state.candidates.filter((one) => one !== gold);
  return others.length
    ? others.reduce((best, one) => (one.score > best.score ? one : best)) : null;
}

// Gold and its rival, or without gold the two best.
function askDecider(log, k, state, gold, label) {
  const one = gold ?? rivalOf(state, null);
  const other = one && rivalOf(state, one);
  return other && log.deciding?.(state.search, {
    k, pair: [one, other].map(({ serial }) => serial)
      .sort((a, b) => a - b),
    question: `Step ${state.step}.`, say: label, telling: 2,
  });
}

function askOfTwo(state, k, gold, label) {
  const rival = rivalOf(state, gold);
  if (!rival) return null;
  const [first, second] = gold.score > rival.score ? [gold, rival] : [rival, gold];
  return scoredQuestion({
    k,
    kind: "gold or its rival",
    telling: 1,
    told: "higher scores",
    question: () => `Step ${state.step}: which of these two wins?`,
    answer: { value: first.serial, score: first.score },
    rivals: [{ value: second.serial, score: second.score }],
    label,
  });
}

function askFirstRank(log, k, state, label) {
  const [, serial] = log.event(k);
  const answer = state.candidates.find((one) => one.serial === serial);
  if (!answer) return null;
  const offer = ({ serial: value, score }) => ({ value, score });
  return scoredQuestion({
    k,
    kind: "first of a step",
    told: "first comes",
    question: (count) =>
      `Step ${state.step}: which of these ${count} candidates ranks first?`,
    answer: offer(answer),
    rivals: state.candidates.filter((one) => one !== answer).map(offer),
    label: (value) => label(value).replace("★ gold: ", ""),
  });
}
