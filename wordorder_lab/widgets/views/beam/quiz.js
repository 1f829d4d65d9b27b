// The beam view's quiz: once all candidates of a step are made, which of them ranks first?

import { expands } from "../player/log.js";
import { findState } from "./beam.js";
import { actionText, stackText } from "./cards.js";

export const beamQuiz = {
  // Whether the question comes after k events, told from the kinds alone. What is forbidden is no
  // candidate: it is never offered, and a step with a single candidate left asks nothing.
  asks(log, k) {
    if (log.kinds[k] !== "kept" || !log.counts.step) return false;
    let made = 0;
    for (let i = k - 1; made < 2 && expands(log.kinds[i]); i -= 1)
      made += log.kinds[i] === "candidate";
    return made > 1;
  },
  ask(log, k, state) {
    const answer = log.event(k)[1];
    const others = state.candidates.filter((one) => one.serial !== answer)
      .sort((a, b) => b.score - a.score || a.serial - b.serial).slice(0, 3);
    const options = state.candidates.filter((one) => one.serial === answer || others.includes(one));
    const parent = (one) => findState(state, one.parent, 1);
    return {
      question: `Step ${state.step}: which of these ${options.length} candidates ranks first?`,
      answer,
      options: options.map((one) => ({
        value: one.serial,
        label: `${actionText(one.action, state.units)} after ${stackText(parent(one))}`,
      })),
    };
  },
};
