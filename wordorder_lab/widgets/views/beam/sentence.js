// What the beam view says of the sentence: the best state, and gold as far as the log has it.

import { formsOf } from "../player/forms.js";
import { bySearch } from "../player/sentence.js";
import { findState, shifted } from "./beam.js";

export function beamSentence(state, log) {
  const column = state.columns.findLast((one) => one.states.length);
  const best = state.finished ? findState(state, state.finished.serial, 0) : column?.states[0];
  return {
    words: (best?.order ?? []).map(([unit]) => unit),
    over: state.finished !== null,
    gold: log.counts.gold ? goldOfBeam(log, state.search) : null,
  };
}

// Words stand in the order in which they are put on the stack.
const goldOfBeam = bySearch((log, from, end) => {
  const made = new Map();
  const [, units, counts] = log.event(from);
  let [names, gold] = [units, 0];
  for (let i = from; i < end; i += 1) {
    const [kind, one, two, three] = log.event(i);
    if (kind === "alternatives") names = formsOf(units, one, two).flat();
    if (kind === "candidate" && two < one) made.set(one, [two, three]); // a parent is older
    if (kind === "gold" && made.has(two)) gold = two;
  }
  const words = [];
  for (; made.has(gold); [gold] = made.get(gold)) {
    const [, action] = made.get(gold);
    if (action.startsWith("SHIFT-")) words.unshift(shifted(action, names)[0]);
  }
  return words.length ? { words, whole: words.length === sizeOf(counts) } : null;
});

function sizeOf(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
