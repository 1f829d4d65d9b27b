// The quiz of tree transduction: which combination does cube pruning take next? And, once a cell's
// are all taken: which item comes first? Scores are hidden until then; heuristics are not.

import { questionsOf, scoredQuestion } from "../player/questions.js";
import { number } from "../player/words.js";
import { frontierOf, itemOf, itemWords, lastMoved } from "./items.js";
import { cellApplications } from "./look.js";
import { sayCell, sayRanks } from "./narration.js";
import { transductionApply, transductionStart } from "./transduction.js";

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

const cellQuestion = questionsOf(
  { start: transductionStart, apply: transductionApply },
  (log, k) => transductionQuestions(log).questions.has(k),
  (log, k, state) =>
    transductionQuestions(log).questions.get(k) === "next"
      ? askNextCombination(log, k, state)
      : askBestItem(log, k, state),
);

export const transductionQuiz = {
  suits: (log) => Boolean(log.counts.cell && log.counts.combined),
  asks: (log, k) => cellQuestion(log, k) !== null,
  masked: (log, k) => transductionQuestions(log).hides[k] ?? -1,
  ask: cellQuestion,
  // Both combinations' bars stand beside each other where scores are taken apart.
  open(kept, search, [{ application, serial: item }, { serial: rival }]) {
    kept.chosen = { search, application, item, rival };
  },
};

// What is offered: the one that is taken, and others that wait now and are taken later, so that the
// log tells their heuristics.
function askNextCombination(log, k, state) {
  const cell = state.cells[state.cells.length - 1];
  if (!cell) return null;
  const waiting = new Map(
    cellApplications(state, cell).flatMap((application) =>
      frontierOf(state, cell, application).map((ranks) => [
        `${application} ${ranks}`,
        { application, ranks },
      ]),
    ),
  );
  const offers = [];
  for (let i = k; log.kinds[i] === "combined"; i += 1) {
    const [, , application, ranks, heuristic] = log.event(i);
    const value = `${application} ${ranks}`;
    if (waiting.has(value) && !offers.some((one) => one.value === value))
      offers.push({ value, score: heuristic });
  }
  const [, , application, ranks] = log.event(k);
  if (offers[0]?.value !== `${application} ${ranks}` || !isOfParts([...waiting.values()]))
    return null;
  return scoredQuestion({
    k,
    kind: "next combination",
    pair: null,
    told: "taken next is",
    measure: "the heuristic ",
    question: () =>
      `Cell ${cell.cell}, ${sayCell(state, cell)}: ` +
      "which of these combinations is taken next?",
    answer: offers[0],
    rivals: offers.slice(1),
    label: (value) => sayOffer(state, waiting.get(value)),
  });
}

function sayOffer(state, one) {
  const filled = one.ranks.length ? ` with ${sayRanks(state, one)}` : "";
  return (
    `application ${one.application}, ` +
    `${state.applications[one.application]?.rule ?? "?"}${filled}`
  );
}

// A leaf is no question: there only its own rule's score decides.
function isOfParts(taken) {
  return taken.some(({ ranks }) => ranks.length);
}

// Items are ranked by their scores, in learning with the loss that they have so far.
function askBestItem(log, k, state) {
  const cell = state.cells[state.cells.length - 1];
  const answer = itemOf(state, log.event(k)[2][0]);
  if (!cell || !answer || !isOfParts(cell.taken)) return null;
  const offer = ({ item, score, loss }) => ({ value: item, score: score + loss });
  const others = [...new Set(cell.taken.map((one) => one.item))]
    .filter((item) => item !== answer.item)
    .map((item) => itemOf(state, item))
    .filter(Boolean);
  const asked = scoredQuestion({
    k,
    kind: "first item of a cell",
    telling: cell.taken.length,
    told: "first comes",
    question: () =>
      `Cell ${cell.cell}, ${sayCell(state, cell)}, has all its combinations. Which item will ` +
      "come first?",
    answer: offer(answer),
    rivals: others.map(offer),
    label: (item) =>
      `item ${item}: ` +
      `“${itemWords(state, item).join(" ") || "no words"}”${sayMadeBy(state, item)}`,
  });
  return asked && { ...asked, pair: (value) => asked.pair(value).map((one) => itemOf(state, one)) };
}

function sayMadeBy(state, item) {
  const found = itemOf(state, item);
  return found ? `, by application ${found.application}, heuristic ${number(found.heuristic)}` : "";
}
