// The agenda view's quiz: what does the next pop join? Which comes first, gold or its rival?

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

// A leaf is no question: there only a word's own score decides.
function askNextPop(log, k, state) {
  const [, serial] = log.event(k);
  const joined = onAgenda(state, RIVALS).filter((one) => edgeOf(state, one)?.left);
  if (!joined.includes(serial)) return null;
  const offer = (value) => ({ value, score: state.scores[value - 1] });
  const asked = (rivals, more) => scoredQuestion({
    k, told: "popped next is", answer: offer(serial),
    rivals: rivals.filter((one) => one !== serial).map(offer), ...more,
  });
  const wait = `Pop ${state.pops.length + 1}: ${plural(state.agenda, "edge")} wait.`;
  const isGold = (one) => edgeOf(state, one).gold;
  const rival = joined.find((one) => isGold(one) + isGold(serial) === 1);
  const star = (value) => (isGold(value) === 1 ? "★ gold: " : "");
  const next = rival ?? joined.find((one) => one !== serial);
  return (state.pops.length % 3 === 1 && next && log.deciding?.(state.search, {
    k, pair: [serial, next].sort((a, b) => a - b),
    question: wait, say: (value) => star(value) + sayOption(state, value), telling: 2,
  })) || (state.pops.length % 2 && rival && asked([rival], {
    kind: "gold or its rival",
    telling: 1,
    question: () => `${wait} Which of these two wins, and is popped first?`,
    label: (value) => star(value) + sayOption(state, value),
  })) || asked(joined, {
    kind: "next pop",
    question: (count) => `${wait} What does the next pop join? It is one of these ${count}.`,
    label: (value) => sayOption(state, value),
  });
}

// Two edges may have the same words in the same order and differ in their heads.
function sayOption(state, serial) {
  const edge = edgeOf(state, serial);
  const parts = [edge.left, edge.right]
    .filter((part) => part)
    .map((part) => quotedEdge(state, part));
  return `${parts.join(" + ")} (edge ${serial}: ${quotedEdge(state, serial)}, ${edge.action})`;
}
