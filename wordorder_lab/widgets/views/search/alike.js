// Two edges that are one to DPCHARTPRUNE: which of them stayed, what they share, and why it was
// that one. The log has only the loser; words, heads and scores tell the rest.

import { edgeWords } from "./edges.js";
import { edgeOf } from "./search.js";

const SHARED = {
  same: "has the same category and head, and the same words in the same order",
  another: "has the same category, head and words, in another order with the same outer ones",
  "": "has the same category, head and words, perhaps in another order with the same outer ones",
};

// How two edges are alike: the same words in the "same" order, or in "another" one with the same
// two at either end; "" if they are not.
function likeness(state, one, other) {
  const [a, b] = [one, other].map((serial) => edgeOf(state, serial));
  if (!a || !b || a.category !== b.category || a.size !== b.size) return "";
  const [mine, its] = [one, other].map((serial) => edgeSigns(state, serial));
  if (mine.head !== its.head) return "";
  if (mine.units === its.units) return "same";
  return mine.outer === its.outer && mine.bag === its.bag ? "another" : "";
}

// What the signatures look at: words with their tags, and in that of 2011 the plain words in order.
function edgeSigns(state, serial) {
  const { order, heads } = edgeWords(state, serial);
  const pairs = order.map((pair) => JSON.stringify(pair));
  const [units, outer, bag] = [
    order.map(([unit]) => unit),
    [pairs.slice(0, 2), pairs.slice(-2)],
    pairs.slice().sort(),
  ].map((one) => JSON.stringify(one));
  return { head: pairs[heads.indexOf(-1)], units, outer, bag, all: JSON.stringify(pairs) };
}

// The edge of the chart that an edge lost to when it was popped; null where the log leaves several.
function stayedFor(state, serial, pop) {
  const gone = new Set(state.outs.filter(([, , when]) => when < pop).map(([one]) => one));
  const before = state.pops.slice(0, pop - 1).map(([one]) => one);
  const found = before.filter(
    (one) => one !== serial && !gone.has(one) && likeness(state, serial, one),
  );
  const { all } = found.length > 1 ? edgeSigns(state, serial) : {};
  const same = found.length > 1 ? found.filter((one) => edgeSigns(state, one).all === all) : found;
  return same.length === 1 ? same[0] : null;
}

// By how much an edge scored higher; not known any more where a learner has changed weights since.
function scoreLead(state, one, other, pop) {
  return state.update?.pop > pop ? NaN : state.scores[one - 1] - state.scores[other - 1];
}

// Why an edge is out whose like stays: it was in the chart and the popped one took its place, or it
// was popped and lost to one in the chart.
export function sayAlike(state, serial, pop) {
  const popped = state.pops[pop - 1]?.[0];
  if (popped && popped !== serial) {
    const better = scoreLead(state, popped, serial, pop) > 0 ? "it scores higher and " : "it ";
    return (
      `edge ${popped}, which was popped, ${SHARED[likeness(state, serial, popped)]}; ` +
      `${better}takes its place`
    );
  }
  const other = stayedFor(state, serial, pop);
  if (other === null) return `another edge, which was in the chart, ${SHARED[""]}; it stays`;
  const lead = scoreLead(state, other, serial, pop);
  const why =
    lead > 0
      ? "was there first and scores higher, so it stays"
      : lead < 0
        ? "was there first and stays, though it scores lower"
        : "was there first, and stays";
  return (
    `edge ${other}, which was in the chart, ${SHARED[likeness(state, serial, other)]}; it ` +
    `${why}`
  );
}
