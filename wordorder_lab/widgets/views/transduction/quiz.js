// The quiz of tree transduction: which combination does cube pruning take next? And, once a cell's
// are all taken: which item comes first? Scores are hidden until then; heuristics are not.

import { number } from "../player/words.js";
import { byRanks, frontierOf, itemOf, itemWords, lastMoved } from "./items.js";
import { cellApplications } from "./look.js";
import { sayCell, sayRanks } from "./narration.js";

const TRANSDUCTION_QUESTIONS = new WeakMap();
const ASKED_AT = 2; // a cell's third combination: by then its grid has begun to fill

// k -> "next" or "best"; and for each k the question about the first item that its cell leads to
// (or -1).
function transductionQuestions(log) {
  if (!TRANSDUCTION_QUESTIONS.has(log))
    TRANSDUCTION_QUESTIONS.set(log, findTransductionQuestions(log));
  return TRANSDUCTION_QUESTIONS.get(log);
}

function findTransductionQuestions(log) {
  const questions = new Map();
  const hides = new Int32Array(log.length + 1).fill(-1);
  let [from, taken] = [-1, []];
  for (let i = 0; i < log.length; i += 1) {
    const kind = log.kinds[i];
    if (kind === "cell") [from, taken] = [i + 1, []];
    if (kind === "combined" && from >= 0) taken.push(log.event(i));
    if (kind === "filled" && from >= 0) {
      if (log.kinds[from + ASKED_AT] === "combined" && choicesAt(taken, ASKED_AT) > 1)
        questions.set(from + ASKED_AT, "next");
      if (new Set(taken.map((event) => event[8])).size > 1 && log.event(i)[2].length) {
        questions.set(i, "best");
        hides.fill(i, from, i + 1);
      }
    }
    if (kind === "filled" || kind === "begin") from = -1;
  }
  return { questions, hides };
}

// Of the combinations that are still to come, how many wait in the queue already: the best of
// everything, or what follows on something that was taken.
function choicesAt(taken, from) {
  const before = new Set(
    taken.slice(0, from).map(([, , application, ranks]) => `${application} ${ranks}`),
  );
  return taken.slice(from).filter(([, , application, ranks]) => {
    const last = lastMoved(ranks);
    return last < 0 || before.has(`${application} ${ranks.map((rank, i) => rank - (i === last))}`);
  }).length;
}

export const transductionQuiz = {
  suits: (log) => Boolean(log.counts.cell && log.counts.combined),
  asks: (log, k) => transductionQuestions(log).questions.has(k),
  masked: (log, k) => transductionQuestions(log).hides[k] ?? -1,
  ask: (log, k, state) =>
    transductionQuestions(log).questions.get(k) === "next"
      ? askNextCombination(log, k, state)
      : askBestItem(log, k, state),
};

// What is offered: the one that is taken, and others of the frontier, those first that are taken
// soon.
function askNextCombination(log, k, state) {
  const cell = state.cells[state.cells.length - 1];
  const [, , application, ranks] = log.event(k);
  const key = (one) => `${one.application} ${one.ranks}`;
  const answer = key({ application, ranks });
  const open = cellApplications(state, cell).flatMap((one) =>
    frontierOf(state, cell, one).map((place) => ({ application: one, ranks: place })),
  );
  const soon = new Map();
  for (let i = k; log.kinds[i] === "combined"; i += 1)
    soon.set(key({ application: log.event(i)[2], ranks: log.event(i)[3] }), i);
  const when = (one) => soon.get(key(one)) ?? Infinity;
  const others = open
    .filter((one) => key(one) !== answer)
    .sort((a, b) => (when(a) > when(b)) - (when(a) < when(b)))
    .slice(0, 3);
  const options = [{ application, ranks }, ...others].sort(
    (a, b) => a.application - b.application || byRanks(a.ranks, b.ranks),
  );
  return {
    question:
      `Cell ${cell.cell}, ${sayCell(state, cell)}: ` +
      "which of these combinations is taken next?",
    answer,
    told: "taken next is",
    options: options.map((one) => ({ value: key(one), label: sayOffer(state, one) })),
  };
}

function sayOffer(state, one) {
  const filled = one.ranks.length ? ` with ${sayRanks(state, one)}` : "";
  return (
    `application ${one.application}, ` +
    `${state.applications[one.application]?.rule ?? "?"}${filled}`
  );
}

function askBestItem(log, k, state) {
  const cell = state.cells[state.cells.length - 1];
  const [answer] = log.event(k)[2];
  const others = [...new Set(cell.taken.map((one) => one.item))]
    .filter((item) => item !== answer)
    .map((item) => itemOf(state, item))
    .filter(Boolean)
    .sort((a, b) => b.score - a.score || a.item - b.item)
    .slice(0, 3)
    .map(({ item }) => item);
  // As they were made: the order tells nothing.
  const options = [answer, ...others].sort((a, b) => a - b);
  return {
    question:
      `Cell ${cell.cell}, ${sayCell(state, cell)}, has all its combinations. Which item will ` +
      "come first?",
    answer,
    told: "first comes",
    options: options.map((item) => ({
      value: item,
      label:
        `item ${item}: ` +
        `“${itemWords(state, item).join(" ") || "no words"}”${sayMadeBy(state, item)}`,
    })),
  };
}

function sayMadeBy(state, item) {
  const found = itemOf(state, item);
  return found ? `, by application ${found.application}, heuristic ${number(found.heuristic)}` : "";
}
