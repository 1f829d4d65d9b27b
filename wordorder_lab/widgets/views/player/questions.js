// What the quizzes of all views share: questions are found while a log is folded, options stand in
// a seeded order, the right one is strictly the best of them, and scores say why and how hard.

import { tellApart } from "./words.js";

const NEAR_TIE = 1e-9;
export const MOST_OTHERS = 3;

// Whether a score is above another one by more than the noise of the last bits.
export function isAbove(score, other) {
  return score - other > NEAR_TIE * Math.max(1, Math.abs(score), Math.abs(other));
}

// (log, k) -> the question that comes after k events, or null. The log is folded once, forward and
// only as far as somebody asks; `find(log, k, state)` is called where `mayAsk(log, k)`.
export function questionsOf({ start, apply }, mayAsk, find) {
  const folded = new WeakMap();
  return (log, k) => {
    if (k < 0 || k >= log.length) return null;
    if (!folded.has(log)) folded.set(log, { state: start(), k: 0, asked: new Map() });
    const here = folded.get(log);
    for (; here.k <= k; here.k += 1) {
      const asked = mayAsk(log, here.k) ? find(log, here.k, here.state) : null;
      if (asked) here.asked.set(here.k, asked);
      apply(here.state, log.event(here.k));
    }
    return here.asked.get(k) ?? null;
  };
}

// A question about scores: `answer` and its `rivals` are {value, score}. Null where a rival is as
// good or better, so that no tie is asked about, and where none is behind. What is offered lies
// nearest; no two read alike.
export function scoredQuestion({ k, question, answer, rivals, label, ...more }) {
  if (!Number.isFinite(answer.score)) return null;
  const known = rivals.filter(({ score }) => Number.isFinite(score));
  if (known.some(({ score }) => !isAbove(answer.score, score))) return null;
  const below = known.sort((a, b) => b.score - a.score);
  const options = [{ ...answer, label: label(answer.value) }];
  for (const rival of below) {
    if (options.length > MOST_OTHERS) break;
    const told = { ...rival, label: label(rival.value) };
    if (!options.some((one) => one.label === told.label)) options.push(told);
  }
  if (options.length < 2) return null;
  const spread = answer.score - below[below.length - 1].score;
  const share = (answer.score - options[1].score) / spread;
  const difficulty = below.length === 1 ? "middle" : levelOf(share);
  return {
    pair: (value) => [answer.value, besideAnswer(options, value).value],
    ...more,
    difficulty,
    question: `${question(options.length)} ${HOW_NEAR[difficulty]}`,
    answer: answer.value,
    options: shuffled(options, k),
    why: (value) => sayScores(options, value, more.measure ?? ""),
  };
}

export const HOW_NEAR = {
  easy: "Easy: the first of these is far ahead.",
  middle: "Middling: the first of these is some way ahead.",
  hard: "Hard: the first two of these lie close together.",
};

// The lead of the first as a share of the way from the first to the last.
export function levelOf(share) {
  return share < 0.1 ? "hard" : share < 0.35 ? "middle" : "easy";
}

// Beside the answer, which is first, stands the guess, or the next best.
function besideAnswer([first, next, ...rest], value) {
  return value === first.value ? next : rest.find((one) => one.value === value) ?? next;
}

// The answer's score beside that of the guess, or of the next best.
function sayScores(options, value, measure) {
  const [first, next] = options;
  const other = besideAnswer(options, value);
  const [its, others] = tellApart(first.score, other.score);
  const than = value === other.value ? other.label : `the next best of these, ${other.label},`;
  return `It has ${measure}${its}; ${than} has ${others}.`;
}

// The options in an order that follows from the place in the log and from what they say.
export function shuffled(options, k) {
  const next = chancesFrom(`${k} ${options.map(({ label }) => label).join("\n")}`);
  const order = options.slice();
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// Numbers from 0 to below 1, always the same after the same text.
export function chancesFrom(text) {
  let seed = 0x811c9dc5;
  for (const letter of text) seed = Math.imul(seed ^ letter.codePointAt(0), 0x01000193);
  return () => {
    seed = (seed + 0x9e3779b9) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}
