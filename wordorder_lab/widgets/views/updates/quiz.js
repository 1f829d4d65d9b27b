// The quiz of the parameter updates: before the weights come, does this one go up, down, or
// neither? Which weight moves, and which way?

import { UPDATES } from "../player/log.js";
import { chancesFrom, isAbove, questionsOf, shuffled } from "../player/questions.js";
import { changesOf, updatesApply, updatesStart } from "./updates.js";
import { featureText, fine, signed } from "./words.js";

const weightQuestion = questionsOf(
  { start: updatesStart, apply: updatesApply },
  (log, k) => log.kinds[k] === "weight" && k > 0 && UPDATES.includes(log.kinds[k - 1]),
  askWeight,
);

export const updatesQuiz = {
  suits: (log) => Boolean(log.counts.weight),
  asks: (log, k) => weightQuestion(log, k) !== null,
  ask: weightQuestion,
  // The bars of the whole update, with those of the weight that was asked about.
  open(kept, search, { row: { feature, action }, end }) {
    kept.weight = { feature, action };
    return end;
  },
  masked: (log, k) => (updatesQuiz.asks(log, k) ? k : -1),
};

const ANSWERED = new WeakMap(); // log -> how often each answer was right: questions come in order

// A weight that goes up, one that goes down, or one that stays: this update cancels it out, or it
// is the last update's own.
function askWeight(log, k, { update }) {
  let end = k;
  while (log.kinds[end] === "weight") end += 1;
  if (!update || (log.dropped && end === log.length)) return null; // not all of it is told
  const rows = rowsBetween(log, k, end, update.step || 1);
  const here = new Set(rows.map(featureText));
  const strange = rowsBefore(log, k - 1).filter((row) => !here.has(featureText(row)));
  const still = rows.filter((row) => !row.difference);
  const moves = { up: [], down: [], unchanged: still.length ? still : strange };
  for (const row of rows) if (verdictOf(row)) moves[verdictOf(row)].push(row);
  const next = chancesFrom(`${k} ${rows.length}`);
  const pick = (all) => all[Math.floor(next() * all.length)];
  // What was the answer more seldom, and at every fifth update neither.
  const tally = ANSWERED.get(log) ?? { up: 0, down: 0, unchanged: 0 };
  const [first, second] = tally.up > tally.down ? ["down", "up"] : ["up", "down"];
  const ways = [...(update.number % 5 ? [] : ["unchanged"]), first, second, "unchanged"];
  const answer = ways.find((way) => moves[way].length);
  if (!answer) return null;
  tally[answer] += 1;
  ANSWERED.set(log, tally);
  const row = pick(moves[answer]);
  const difficulty = weightLevel(row, answer, rows);
  const mixed = HOW_MIXED[difficulty];
  const more = { difficulty, telling: -update.margin, pair: () => ({ row, end }) };
  const which = update.number % 2 && answer !== "unchanged"
    ? askWhich(update, moves, row, answer, pick, k) : null;
  if (which) return { ...which, ...more, question: `${which.question} ${mixed}` };
  return {
    ...more,
    kind: "where a weight goes",
    question:
      `Update ${update.number}: the weight of ${featureText(row)} ` +
      `goes up, down, or stays? ${mixed}`,
    answer,
    told: "the answer is",
    why: () => sayWhereto(row, answer, here.has(featureText(row))),
    options: shuffled(
      ["up", "down", "unchanged"].map((value) => ({ value, label: value })),
      `${k} ${update.number}`,
    ),
  };
}

// One that moves as is said; of others the wrong way is said.
function askWhich(update, moves, row, way, pick, k) {
  const wrong = { up: "down", down: "up", unchanged: k % 2 ? "up" : "down" };
  const say = (one, where) => `${featureText(one)}: ${where}`;
  const others = Object.keys(moves).flatMap((name) => {
    const left = moves[name].filter((one) => featureText(one) !== featureText(row));
    return left.length ? [[pick(left), name]] : [];
  });
  if (!others.length) return null;
  const answer = say(row, way);
  const told = [answer, ...others.map(([one, name]) => say(one, wrong[name]))];
  return {
    kind: "which weight moves",
    question: `Update ${update.number}: which weight moves, and which way? One of these is so.`,
    answer,
    told: "it is",
    why: () => sayWhereto(row, way, true),
    options: shuffled(told.map((value) => ({ value, label: value })), k),
  };
}

// "" where it moves by no more than noise: nobody is asked about that.
function verdictOf({ before, after }) {
  return isAbove(after, before) ? "up" : isAbove(before, after) ? "down" : "";
}

function rowsBetween(log, from, to, step) {
  const weights = [];
  for (let i = from; i < to; i += 1) weights.push(log.event(i).slice(1));
  return changesOf({ weights, step });
}

// The weights of the update before.
function rowsBefore(log, k) {
  let end = k;
  while (end > 0 && log.kinds[end - 1] !== "weight") end -= 1;
  let from = end;
  while (from > 0 && log.kinds[from - 1] === "weight") from -= 1;
  return rowsBetween(log, from, end, 1);
}

const HOW_MIXED = {
  easy: "Easy: no feature of its kind goes another way.",
  middle: "Middling: one feature of its kind goes another way.",
  hard: "Hard: several features of its kind go other ways.",
};

// How many features of the same template do something else in this update.
function weightLevel(row, answer, rows) {
  const template = ({ feature }) => feature.split(" = ")[0];
  const others = rows.filter(
    (one) => template(one) === template(row) && (verdictOf(one) || "unchanged") !== answer,
  ).length;
  return others > 1 ? "hard" : others ? "middle" : "easy";
}

const WHO_HAS_IT = {
  up: "the positive side has it more often",
  down: "the negative side has it more often",
  unchanged: "both sides have it equally often",
};

function sayWhereto({ before, after, difference }, answer, here) {
  if (!here) return "No side has it more often: it is not among the weights of this update.";
  if (answer === "unchanged") return `It stays at ${fine(after)}, since ${WHO_HAS_IT.unchanged}.`;
  return (
    `It goes from ${fine(before)} to ${fine(after)}, since ${WHO_HAS_IT[answer]} ` +
    `(difference ${signed(difference)}).`
  );
}
