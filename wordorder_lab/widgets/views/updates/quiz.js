// The quiz of the parameter updates: before the weights come, does this one go up, down, or
// neither?

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
  masked: (log, k) => (updatesQuiz.asks(log, k) ? k : -1),
};

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
  const answer = pick(Object.keys(moves).filter((name) => moves[name].length));
  if (!answer) return null;
  const row = pick(moves[answer]);
  const difficulty = weightLevel(row, answer, rows);
  return {
    kind: "where a weight goes",
    difficulty,
    question:
      `Update ${update.number}: the weight of ${featureText(row)} ` +
      `goes up, down, or stays? ${HOW_MIXED[difficulty]}`,
    answer,
    told: "the answer is",
    why: () => sayWhereto(row, answer, here.has(featureText(row))),
    options: shuffled(
      ["up", "down", "unchanged"].map((value) => ({ value, label: value })),
      `${k} ${update.number}`,
    ),
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
