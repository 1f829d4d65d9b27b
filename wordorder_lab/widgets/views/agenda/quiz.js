// The agenda view's quiz: which edge is popped next?

import { questionsOf, scoredQuestion } from "../player/questions.js";
import { plural } from "../player/words.js";
import { quotedEdge } from "../search/edges.js";
import { edgeOf, onAgenda, searchApply, searchStart } from "../search/search.js";
import { searchFacts } from "./ranks.js";

const RIVALS = 40; // of an agenda that may hold thousands

const popQuestion = questionsOf(
  { start: searchStart, apply: searchApply },
  (log, k) => log.kinds[k] === "popped" && searchFacts(log).asks[k] === 1,
  askNextPop,
);

// Scores are hidden from the moment when those come that decide on the pop.
export const agendaQuiz = {
  suits: (log) => log.counts.popped > 0 && log.counts.leaf > 0,
  asks: (log, k) => popQuestion(log, k) !== null,
  ask: popQuestion,
  masked(log, k) {
    const { next, fresh } = searchFacts(log);
    return fresh[k] || next[k] === k ? next[k] : -1;
  },
};

function askNextPop(log, k, state) {
  const [, serial] = log.event(k);
  const offer = (value) => ({ value, score: state.scores[value - 1] });
  return scoredQuestion({
    k,
    kind: "next pop",
    told: "popped next is",
    question: (count) =>
      `Pop ${state.pops.length + 1}: ${plural(state.agenda, "edge")} wait. Which of these ` +
      `${count} is popped next?`,
    answer: offer(serial),
    rivals: onAgenda(state, RIVALS).filter((one) => one !== serial).map(offer),
    label: (value) => sayOption(state, value),
  });
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
