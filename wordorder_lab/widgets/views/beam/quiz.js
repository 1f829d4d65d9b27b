// The beam view's quiz: once all candidates of a step are made, which of them ranks first?

import { expands } from "../player/log.js";
import { questionsOf, scoredQuestion } from "../player/questions.js";
import { beamApply, beamStart, findState } from "./beam.js";
import { actionText, stackText } from "./cards.js";

// What is forbidden is no candidate: it is never offered.
const beamQuestion = questionsOf(
  { start: beamStart, apply: beamApply },
  (log, k) => log.kinds[k] === "kept" && k > 0 && expands(log.kinds[k - 1]),
  askFirstRank,
);

export const beamQuiz = {
  suits: (log) => Boolean(log.counts.step && log.counts.kept),
  asks: (log, k) => beamQuestion(log, k) !== null,
  ask: beamQuestion,
};

function askFirstRank(log, k, state) {
  const [, serial] = log.event(k);
  const answer = state.candidates.find((one) => one.serial === serial);
  if (!answer) return null;
  const made = new Map(state.candidates.map((one) => [one.serial, one]));
  const offer = ({ serial: value, score }) => ({ value, score });
  return scoredQuestion({
    k,
    kind: "first of a step",
    told: "first comes",
    question: (count) =>
      `Step ${state.step}: which of these ${count} candidates ranks first?`,
    answer: offer(answer),
    rivals: state.candidates.filter((one) => one !== answer).map(offer),
    label(value) {
      const { action, parent } = made.get(value);
      return `${actionText(action, state.names)} after ${stackText(findState(state, parent, 1))}`;
    },
  });
}
