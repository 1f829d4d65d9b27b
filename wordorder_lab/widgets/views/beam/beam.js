// The fold of the beam view: the twin of trace/reducers/beam.py, which says what is meant and why.

import { keepDoubts } from "../player/doubts.js";
import { formsOf } from "../player/forms.js";

const GHOSTS = 8;
const WEIGHTS = 200;
export const INITIAL = {
  serial: 0,
  parent: -1,
  action: "",
  score: 0,
  rank: 0,
  order: [],
  heads: [],
  stack: [],
};

export function beamStart() {
  return {
    search: 0, units: [], counts: [], beam: 0, forms: [], names: [], labels: [], step: 0,
    columns: [], candidates: [], finished: null, doubts: null, update: null, updates: 0,
  };
}

export function beamCopy(state) {
  const columns = state.columns.slice();
  const last = columns.pop();
  if (last)
    columns.push({
      ...last,
      states: last.states.slice(),
      cut: last.cut.slice(),
      forbidden: last.forbidden.slice(),
    });
  const update = state.update && { ...state.update, weights: state.update.weights.slice() };
  return { ...state, columns, update, candidates: state.candidates.slice() };
}

export function successor(before, action, state) {
  const [order, heads, stack] = [before.order.slice(), before.heads.slice(), before.stack.slice()];
  if (action.startsWith("SHIFT-")) {
    stack.push(order.length);
    const [unit, tag] = shifted(action, state.names);
    order.push([unit, ...withoutLabel(tag, state.labels)]);
    heads.push(-1);
  } else if (stack.length > 1) {
    const [top, below] = [stack.pop(), stack.pop()];
    const [head, dependent] = action === "LEFTARC" ? [top, below] : [below, top];
    heads[dependent] = head;
    stack.push(head);
  }
  return { order, heads, stack };
}

export function shifted(action, units) {
  const rest = action.slice("SHIFT-".length);
  let unit = rest.slice(0, Math.max(0, rest.lastIndexOf("-")));
  let longest = -1;
  for (const one of units) {
    const length = Array.from(one).length;
    if (rest.startsWith(one + "-") && length > longest) [unit, longest] = [one, length];
  }
  return [unit, rest.slice(unit.length + 1)];
}

// A tag, and behind it the label that `tag:label` has; both may hold colons.
function withoutLabel(tag, labels) {
  const fits = (one) => one && tag.endsWith(`:${one}`) && tag.length > one.length + 1;
  const label = labels.filter(fits).sort((a, b) => b.length - a.length)[0];
  return label ? [tag.slice(0, -label.length - 1), label] : [tag];
}

export function lastColumn(state, back = 0) {
  return state.columns[state.columns.length - 1 - back];
}

// In the last column but `back`, or further back: a phrase is a step of several words.
export function findState(state, serial, back) {
  for (let i = state.columns.length - 1 - back; i >= 0; i -= 1) {
    const kept = state.columns[i].states.find((one) => one.serial === serial);
    if (kept) return kept;
  }
  return INITIAL;
}

function findCandidate(state, serial) {
  const made = state.candidates;
  const place = made.length ? serial - made[0].serial : -1;
  return made[place]?.serial === serial
    ? made[place]
    : { serial, parent: -1, action: "", score: 0 };
}

function emptyColumn(step) {
  return {
    step,
    made: 0,
    states: [],
    cut: [],
    forbidden: [],
    possible: [],
    gold: null,
    gold_rank: null,
  };
}

function settle(column, candidates) {
  column.possible = column.forbidden.length ? candidates : [];
  const ranked = column.cut.slice().sort((a, b) => a.margin - b.margin || a.serial - b.serial);
  const gold = ranked.slice(GHOSTS).filter((one) => one.serial === column.gold);
  column.cut = ranked.slice(0, GHOSTS).concat(gold);
}

const BEAM_EVENTS = {
  begin(state, units, counts, items, beam) {
    const { search, updates } = state;
    Object.assign(state, beamStart(), { search: search + 1, updates, units, counts, beam });
    state.columns = [{ ...emptyColumn(0), states: [INITIAL] }];
    [state.names, state.forms] = [units, formsOf(units)];
  },
  alternatives(state, types, forms) {
    state.forms = formsOf(state.units, types, forms);
    state.names = state.forms.flat();
  },
  labels(state, labels) {
    state.labels = labels;
  },
  step(state, step) {
    if (state.columns.length) settle(lastColumn(state), state.candidates);
    state.step = step;
    state.candidates = [];
    state.columns.push(emptyColumn(step));
  },
  candidate(state, serial, parent, action, score) {
    state.candidates.push({ serial, parent, action, score });
    if (state.columns.length) lastColumn(state).made += 1;
  },
  forbidden(state, parent, action, reason) {
    if (state.columns.length) lastColumn(state).forbidden.push({ parent, action, reason });
  },
  kept(state, serial, rank) {
    if (!state.columns.length) return;
    const one = findCandidate(state, serial);
    const after = successor(findState(state, one.parent, 1), one.action, state);
    lastColumn(state).states.push({ ...one, rank, ...after });
  },
  cut(state, serial, margin) {
    if (state.columns.length)
      lastColumn(state).cut.push({ ...findCandidate(state, serial), margin });
  },
  gold(state, step, serial, rank) {
    if (state.columns.length) Object.assign(lastColumn(state), { gold: serial, gold_rank: rank });
  },
  finished(state, serial, score) {
    state.finished = { serial, score };
  },
  doubts: keepDoubts,
  update(state, example, step, reason, gold, predicted) {
    state.updates += 1;
    state.update = { example, step, reason, gold, predicted, weights: [], more: 0 };
  },
  weight(state, feature, action, before, after) {
    if (!state.update) return;
    if (state.update.weights.length < WEIGHTS)
      state.update.weights.push([feature, action, before, after]);
    else state.update.more += 1;
  },
};

export function beamApply(state, event) {
  BEAM_EVENTS[event[0]]?.(state, ...event.slice(1));
}
