// Whose score a state's is laid beside: gold's, that of the best, of the last that was kept.

import { actionText, derivationOf } from "../beam/cards.js";

export const beamReasons = {
  name(state, serial) {
    if (!serial) return "the start";
    const one = derivationOf(state, serial).get(serial)
      ?? state.candidates.find((other) => other.serial === serial);
    return `state ${serial}${one ? `, ${actionText(one.action, state.names)}` : ""}`;
  },

  rivals(state, serial) {
    const has = (list) => list.some((one) => one.serial === serial);
    const column = state.columns.findLast(({ states, cut }) => has(states) || has(cut))
      ?? state.columns.at(-1);
    if (!column) return [];
    const { states, cut, gold } = column;
    const open = states.length ? [] : state.candidates.slice().sort((a, b) => b.score - a.score);
    const kept = has(states);
    const best = [states[0]?.serial ?? open[0]?.serial, "the best"];
    const others = kept ? [best, [states[1]?.serial, "the second best"]]
      : [[states.at(-1)?.serial, "the last that was kept"], best];
    const next = [cut[0]?.serial ?? open[1]?.serial, states.length ? "cut" : "the second best"];
    return [[gold > 0 ? gold : undefined, "gold"], ...others, next];
  },
};
