// The quiz of the parameter updates: before the weights come, does this one go up, down, or
// neither?

import { UPDATES } from "../player/log.js";
import { changesOf } from "./updates.js";
import { featureText } from "./words.js";

// The weight events that follow from event k on, as [feature, action, before, after].
function weightsFrom(log, k) {
  const found = [];
  for (let i = k; log.kinds[i] === "weight"; i += 1) found.push(log.event(i).slice(1));
  return found;
}

// The weight that is asked about, picked by the number of the update: one that goes up, one that
// goes down, or one that stays: this update cancels it out, or it is the last update's own.
function askedWeight(log, k, step, count) {
  const rows = changesOf({ weights: weightsFrom(log, k), step });
  const key = (row) => featureText(row);
  const here = new Set(rows.map(key));
  const still = rows.filter((row) => !row.difference);
  const candidates = {
    up: rows.filter((row) => row.after > row.before),
    down: rows.filter((row) => row.after < row.before),
    unchanged: still.length ? still : otherWeights(log, k).filter((row) => !here.has(key(row))),
  };
  const names = Object.keys(candidates).filter((name) => candidates[name].length);
  const answer = names[(count * 7919) % names.length];
  const row = candidates[answer][(count * 104729) % candidates[answer].length];
  return { answer, row };
}

// The weights of the update before.
function otherWeights(log, k) {
  let i = k - 2;
  while (i >= 0 && log.kinds[i] !== "weight") i -= 1;
  const rows = [];
  for (; i >= 0 && log.kinds[i] === "weight"; i -= 1) rows.push(log.event(i).slice(1));
  return changesOf({ weights: rows.reverse(), step: 1 });
}

const TOLD = {
  up: "the positive side has it more often, so the answer is",
  down: "the negative side has it more often, so the answer is",
  unchanged: "neither side has it more often, so the answer is",
};

export const updatesQuiz = {
  suits: (log) => Boolean(log.counts.weight),
  asks: (log, k) => log.kinds[k] === "weight" && UPDATES.includes(log.kinds[k - 1]),
  ask(log, k, { update }) {
    const { answer, row } = askedWeight(log, k, update.step || 1, update.number);
    return {
      question:
        `Update ${update.number}: the weight of ${featureText(row)} ` +
        "goes up, down, or stays?",
      answer,
      options: [
        ["up", "up"],
        ["down", "down"],
        ["unchanged", "unchanged"],
      ].map(([value, label]) => ({ value, label })),
      told: TOLD[answer],
    };
  },
  masked(log, k) {
    return this.asks(log, k) ? k : -1;
  },
};
