// What the views of a best-first search say of the sentence: the goal or the longest edge that was
// popped, and gold as far as the log has it.

import { bySearch } from "../player/sentence.js";
import { edgeWords } from "./edges.js";
import { edgeOf } from "./search.js";

export function edgeSentence(state, log) {
  const serial = bestEdge(state);
  return {
    words: serial ? edgeWords(state, serial).order.map(([unit]) => unit) : [],
    over: state.finished !== null || state.stopped !== null,
    gold: goldOfEdges(log, state.search),
  };
}

// The goal that is the outcome, or the longest edge so far, of equals the one with the best score.
export function bestEdge(state) {
  const goal = state.finished?.serial || state.places.indexOf("goal") + 1;
  if (goal && edgeOf(state, goal)) return goal;
  let [best, most, score] = [0, 0, 0];
  for (const [serial, its] of state.pops) {
    const { size } = edgeOf(state, serial);
    if (size > most || (size === most && its > score)) [best, most, score] = [serial, size, its];
  }
  return best;
}

const goldOfEdges = bySearch((log, from, end) => {
  const words = new Map();
  const [, , counts] = log.event(from);
  let gold = [];
  for (let i = from; i < end; i += 1) {
    const kind = log.kinds[i];
    if (kind !== "leaf" && kind !== "edge") continue;
    const [, serial, left, right, , , known] = log.event(i);
    if (known !== 1) continue;
    const mine = kind === "leaf" ? [right]
      : [...(words.get(left) ?? []), ...(words.get(right) ?? [])];
    words.set(serial, mine);
    if (mine.length > gold.length) gold = mine;
  }
  const whole = gold.length === counts.reduce((sum, count) => sum + count, 0);
  return gold.length > 1 || whole ? { words: gold, whole } : null;
});
