// The fold of the view of tree transduction: the twin of trace/reducers/transduction.py, which says
// what is meant.

import { sidesOf } from "./items.js";

export function transductionStart() {
  return {
    search: 0,
    units: [],
    beam: 0,
    expected: 0,
    source: null,
    applications: [],
    points: [],
    cells: [],
    places: {},
    items: [],
    outputs: [],
    violation: null,
    solved: [],
  };
}

export function transductionCopy(state) {
  const copy = { ...state, places: { ...state.places } };
  for (const name of ["applications", "points", "cells", "items", "outputs", "solved"])
    copy[name] = state[name].slice();
  const last = copy.cells.pop();
  if (last) copy.cells.push({ ...last, taken: last.taken.slice() });
  return copy;
}

const TRANSDUCTION_EVENTS = {
  begin(state, units, counts, items, beam) {
    const { search, solved } = state;
    Object.assign(state, transductionStart(), {
      search: search + 1,
      solved,
      units,
      beam,
      expected: items,
    });
  },
  source(state, labels, parents, words) {
    state.source = { labels, parents, words };
  },
  application(state, application, node, category, rule, origin, children, deleted, score) {
    if (application !== state.applications.length) return; // one before it is missing
    state.applications.push({
      application,
      node,
      category,
      rule,
      origin,
      children,
      deleted,
      score,
    });
  },
  points(state, ...told) {
    state.points.push(told);
  },
  cell(state, cell, node, category) {
    state.places[`${node} ${category}`] = state.cells.length;
    state.cells.push({ cell, node, category, taken: [], items: null });
  },
  combined(state, serial, application, ranks, heuristic, score, ngrams, loss, item, outcome) {
    if (!state.cells.length) return;
    const told = { application, ranks, heuristic, score, ngrams, loss, serial };
    state.cells[state.cells.length - 1].taken.push({ ...told, item, outcome });
    const known = application >= 0 && application < state.applications.length;
    if (!known || item < 1 || item > state.items.length + 1 || outcome === "worse") return;
    const sides = sidesOf(state, application);
    const parts = ranks
      .map((rank, k) => sides[k]?.[rank] ?? null)
      .map((part) => (part && part < item ? part : null));
    state.items[item - 1] = { item, place: state.cells.length - 1, parts, ...told };
  },
  filled(state, cell, items) {
    const place = state.cells.findLastIndex((one) => one.cell === cell);
    if (place >= 0) state.cells[place] = { ...state.cells[place], items };
  },
  compressed(state, rank, score, applications, words) {
    state.outputs.push({ rank, score, applications, words });
  },
  violation(state, example, loss, margin, violation) {
    state.violation = { example, loss, margin, violation };
  },
  solved(state, ...told) {
    state.solved.push(told);
  },
};

export function transductionApply(state, event) {
  TRANSDUCTION_EVENTS[event[0]]?.(state, ...event.slice(1));
}
