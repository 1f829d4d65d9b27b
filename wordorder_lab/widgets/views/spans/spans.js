// The reducer of the span-length view: the twin of trace/reducers/spans.py, which says what each
// field of a state is; a test holds the two to the same states. What concerns best-first search is
// in edges.js.

import { keepDoubts } from "../player/doubts.js";
import { addSpan, copiedSpans, countSpan, noSpans } from "./counts.js";
import { SPAN_EDGE_APPLY, spansBelow } from "./edges.js";

const SPAN_APPLY = {
  begin(state, units, counts) {
    const lengths = units.map((unit) => unit.split(" ").length);
    state.search += 1;
    state.step = 0;
    state.steps = 2 * counts.reduce((sum, count) => sum + count, 0) - 1;
    state.words = lengths.reduce((sum, length, i) => sum + length * counts[i], 0);
    state.units = Object.fromEntries(units.map((unit, i) => [`SHIFT-${unit}`, lengths[i]]));
    Object.assign(state, noSpans(), { heat: [], beam: {}, agenda: {}, next: { 0: [[], []] } });
    Object.assign(state, { edges: [], pops: 0, block: 1, doubts: null });
  },

  alternatives(state, types, forms) {
    state.units = { ...state.units }; // checkpoints share the old ones
    for (const form of forms) state.units[`SHIFT-${form}`] = form.split(" ").length;
  },

  step(state, step) {
    state.step = step;
    state.heat.push([step, []]);
    Object.assign(state, { beam: state.next, agenda: {}, next: {} });
  },

  candidate(state, serial, parent, action) {
    if (!Object.hasOwn(state.beam, parent)) return;
    const [stack] = state.beam[parent];
    const joins = action === "LEFTARC" || action === "RIGHTARC";
    const length = joins ? joinedSpan(stack) : shiftedSpan(state.units, action);
    if (length > 0) {
      state.agenda[serial] = [parent, joins ? 2 : 0, length];
      countSpan(state, "made", length, 1);
    }
  },

  kept(state, serial) {
    if (!Object.hasOwn(state.agenda, serial)) return;
    const [parent, taken, length] = state.agenda[serial];
    const [stack, before] = state.beam[parent];
    const spans = [...before];
    addSpan(spans, length, 1);
    state.next[serial] = [[...stack.slice(0, stack.length - taken), length], spans];
    countSpan(state, "kept", length, 1);
    addSpan(state.heat.at(-1)[1], length, 1);
  },

  gold(state, step, serial) {
    if (Object.hasOwn(state.agenda, serial)) countSpan(state, "gold", state.agenda[serial][2], 1);
  },

  finished(state, serial) {
    const [, built] = Object.hasOwn(state.next, serial) ? state.next[serial] : [[], []];
    const spans = state.edges.length > 0 ? spansBelow(state.edges, serial) : built;
    spans.forEach((times, length) => {
      if (times > 0) countSpan(state, "best", length, times);
    });
  },

  doubts: keepDoubts,

  ...SPAN_EDGE_APPLY,
};

function joinedSpan(stack) {
  return stack.length > 1 ? stack.at(-2) + stack.at(-1) : 0;
}

// Unit and tag may hold hyphens of their own: of several units that fit, the longest is meant.
function shiftedSpan(units, action) {
  for (let end = action.lastIndexOf("-"); end > 0; end = action.lastIndexOf("-", end - 1)) {
    const head = action.slice(0, end);
    if (Object.hasOwn(units, head)) return units[head];
  }
  return 0;
}

export function spansStart() {
  return {
    search: 0,
    step: 0,
    steps: 0,
    words: 0,
    units: {},
    ...noSpans(),
    all: noSpans(),
    heat: [],
    last: null,
    beam: {},
    agenda: {},
    next: {},
    edges: [],
    pops: 0,
    block: 1,
    doubts: null,
  };
}

export function spansApply(state, [kind, ...values]) {
  if (kind !== "doubts") state.last = null; // that says something of what was counted last
  if (Object.hasOwn(SPAN_APPLY, kind)) SPAN_APPLY[kind](state, ...values);
}

export function spansCopy(state) {
  const last = state.heat.slice(-1).map(([step, counts]) => [step, [...counts]]);
  return {
    ...state,
    ...copiedSpans(state),
    all: copiedSpans(state.all),
    heat: [...state.heat.slice(0, -1), ...last],
    agenda: { ...state.agenda },
    next: { ...state.next },
    edges: state.edges.slice(),
  };
}
