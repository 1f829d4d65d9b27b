// The part of the span-length view that is about best-first search: what its events count, and the
// sentence that says so. The twin of trace/reducers/spans.py.

import { plural } from "../player/words.js";
import { sayStopped } from "../search/narration.js";
import { addSpan, countSpan } from "./counts.js";

const SPAN_BLOCKS = 60; // rows of the map, at most

export const SPAN_EDGE_APPLY = {
  leaf(state, serial, item, form, pos, score, gold) {
    makeSpan(state, serial, 0, 0, form.split(" ").length, gold);
  },

  edge(state, serial, left, right, action, score, gold) {
    const parts = right ? [left, right] : [left]; // a rule for one edge has no right one
    if (parts.some((part) => !(part > 0 && part <= state.edges.length))) return;
    const length = parts.reduce((sum, part) => sum + state.edges[part - 1][0], 0);
    makeSpan(state, serial, left, right, length, gold);
  },

  popped(state) {
    if (state.heat.length === SPAN_BLOCKS && state.pops % state.block === 0) {
      state.heat = spanRowsInPairs(state.heat);
      state.block *= 2;
    }
    state.pops += 1;
    const row = Math.floor((state.pops - 1) / state.block) + 1;
    if (row > state.heat.length) state.heat.push([row, []]);
    state.step = row;
    state.steps = row;
  },

  charted(state, serial) {
    if (!(serial > 0 && serial <= state.edges.length)) return;
    const [length] = state.edges[serial - 1];
    countSpan(state, "kept", length, 1);
    if (state.heat.length > 0) addSpan(state.heat.at(-1)[1], length, 1);
  },

  goal(state, serial) {
    SPAN_EDGE_APPLY.charted(state, serial);
  },
};

function makeSpan(state, serial, left, right, length, gold) {
  if (serial !== state.edges.length + 1) return; // an edge before it is missing
  state.edges.push([length, left, right]);
  countSpan(state, "made", length, 1);
  if (gold === 1) countSpan(state, "gold", length, 1);
}

// The spans of an edge and of all that it was built of, counted. A unary rule makes no new one: its
// words are a span already.
export function spansBelow(edges, serial) {
  const spans = [];
  const todo = [serial];
  while (todo.length > 0) {
    const one = todo.pop();
    if (!(one > 0 && one <= edges.length)) continue;
    const [length, left, right] = edges[one - 1];
    if (right || !left) addSpan(spans, length, 1);
    todo.push(left, right);
  }
  return spans;
}

// Every two rows as one.
function spanRowsInPairs(heat) {
  const rows = [];
  for (let first = 0; first < heat.length; first += 2) {
    const counts = [];
    for (const [, some] of heat.slice(first, first + 2)) {
      some.forEach((times, length) => addSpan(counts, length, times));
    }
    rows.push([first / 2 + 1, counts]);
  }
  return rows;
}

// Whether a unary rule has made an edge: then there are more edges than spans.
export function anyUnary({ edges }) {
  return edges.some(([, left, right]) => left && !right);
}

// An edge and its length, as far as the log lets us know.
function sayEdgeSpan(state, serial) {
  const length = state.edges[serial - 1]?.[0];
  return length ? `Edge ${serial}, a span of ${plural(length, "word")},` : `Edge ${serial}`;
}

export const SPAN_EDGE_SENTENCES = {
  leaf: (state, [, serial]) =>
    state.last === null
      ? `Edge ${serial} cannot be followed here: not counted.`
      : `Edge ${serial} is a unit of the bag: a span of ` +
 `${plural(state.edges[serial - 1][0], "word")}.`,

  edge(state, [, serial, left, right]) {
    if (state.last === null) return `Edge ${serial} cannot be followed here: not counted.`;
    const [length] = state.edges[serial - 1];
    if (!right)
      return `Edge ${serial}: the span of edge ${left} once more, of ${plural(length, "word")}.`;
    const parts = [left, right].map((part) => state.edges[part - 1][0]);
    return (
      `Edge ${serial}: spans of ${parts[0]} and ${plural(parts[1], "word")} become one of ` +
      `${length}.`
    );
  },

  popped: (state, [, serial]) =>
    `Pop ${state.pops}: ${sayEdgeSpan(state, serial)} is the best of the agenda, whatever ` +
 "its length.",

  charted: (state, [, serial]) => `${sayEdgeSpan(state, serial)} enters the chart: it is kept.`,

  goal: (state, [, serial]) => `${sayEdgeSpan(state, serial)} is a goal: it is kept.`,

  pruned: (state, [, serial, reason]) => `${sayEdgeSpan(state, serial)} is out (${reason}).`,

  edge_update: () => "The learner updates its weights; no span is made by that.",

  rescored: (state, [, serial]) =>
    `${sayEdgeSpan(state, serial)} has a new score; no span is made by that.`,

  stopped: (state, [, reason]) => sayStopped(reason, 1, state.pops),
};
