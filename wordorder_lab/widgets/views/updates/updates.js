// The reducer of the view of parameter updates: the twin of trace/reducers/updates.py, which says
// what is meant; and what follows from an update's changes.

import { beamApply, beamCopy, beamStart } from "../beam/beam.js";
import { edgeOf, searchApply, searchCopy, searchStart } from "../search/search.js";

const CHANGES_KEPT = 10000;

export function updatesStart() {
  return {
    search: 0,
    best_first: searchStart(),
    transition: beamStart(),
    updates: 0,
    update: null,
    past: [],
  };
}

export function updatesCopy(state) {
  const { update } = state;
  return {
    ...state,
    best_first: searchCopy(state.best_first),
    transition: beamCopy(state.transition),
    update: update && { ...update, after: update.after.slice(), weights: update.weights.slice() },
    past: state.past.slice(),
  };
}

function endUpdate(state) {
  if (state.update) {
    const { number: count, search, example, reason, margin, step, weights, more } = state.update;
    const changes = weights.length + more;
    state.past.push({ number: count, search, example, reason, margin, step, changes });
  }
  state.update = null;
}

function newUpdate(state, more) {
  endUpdate(state);
  state.updates += 1;
  state.update = {
    number: state.updates,
    search: state.search,
    ...more,
    after: [null, null],
    weights: [],
    more: 0,
    rescored: 0,
  };
}

const UPDATE_EVENTS = {
  begin(state) {
    endUpdate(state);
    state.search += 1;
  },
  edge_update(state, example, reason, positive, negative, margin, step) {
    const books = state.best_first;
    const before = [positive, negative].map((serial) =>
      edgeOf(books, serial) ? books.scores[serial - 1] : null,
    );
    newUpdate(state, { example, reason, margin, step, actions: 0, positive, negative, before });
  },
  update(state, example, actions, reason, gold, predicted) {
    const column = state.transition.columns.findLast((one) => one.step === actions);
    const [positive, negative] = [column?.gold ?? -1, column?.states[0]?.serial ?? -1];
    newUpdate(state, {
      example,
      reason,
      margin: gold - predicted,
      step: 1,
      actions,
      positive,
      negative,
      before: [gold, predicted],
    });
  },
  weight({ update }, ...change) {
    if (!update) return;
    if (update.weights.length < CHANGES_KEPT) update.weights.push(change);
    else update.more += 1;
  },
  rescored({ update }, serial, score) {
    if (!update) return;
    update.rescored += 1;
    if (update.positive === serial) update.after[0] = score;
    if (update.negative === serial) update.after[1] = score;
  },
};

export function updatesApply(state, event) {
  UPDATE_EVENTS[event[0]]?.(state, ...event.slice(1));
  searchApply(state.best_first, event);
  beamApply(state.transition, event);
}

// Whether an update is about two edges, and not about two prefixes in the beam.
export function isOfEdges(update) {
  return update.actions === 0;
}

// The features that an update is about, one row each: by how much more the positive structure has
// it (difference), and what it brought to the margin (points = weight before x difference).
export function changesOf({ weights, step }) {
  const rows = new Map();
  weights.forEach(([feature, action, before, after]) => {
    const key = `${action}\n${feature}`;
    const row = rows.get(key);
    if (row) row.after = after;
    else rows.set(key, { index: rows.size, feature, action, before, after });
  });
  const found = [...rows.values()];
  for (const row of found) {
    row.difference = step ? (row.after - row.before) / step : 0;
    row.points = row.before * row.difference;
  }
  return found;
}

export const NEARLY = 1e-9;
const PERCEPTRONS = new WeakMap();

// Whether a log of guided learning is the perceptron's: it always moves the weights by 1, the other
// two by as much as it takes. Found out once a log.
function isPerceptron(log) {
  if (!PERCEPTRONS.has(log)) {
    const steps = log.kinds.flatMap((kind, i) =>
      kind === "edge_update" ? log.event(i).slice(-1) : [],
    );
    PERCEPTRONS.set(log, steps.every((step) => step === 0 || step === 1));
  }
  return PERCEPTRONS.get(log);
}

// What an update's rows come to. Points are what the features had brought to the margin; moving by
// step x difference adds step x squared length.
export function reckon(update, rows, log) {
  let [points, added, size] = [0, 0, 1];
  for (const row of rows) {
    points += row.points;
    added += (row.after - row.before) * row.difference;
    size += Math.abs(row.points);
  }
  const adds = Math.abs(points - update.margin) <= NEARLY * size;
  const after = update.margin + added;
  // The perceptron of guided learning looks at the last action of an edge only: what it changes may
  // count several times in the whole edge.
  const lastOnly = isOfEdges(update) && isPerceptron(log);
  const [positive, negative] = update.after;
  const rescored = positive === null || negative === null ? null : positive - negative;
  return {
    points,
    added,
    adds,
    lastOnly,
    rescored,
    after: rescored ?? (lastOnly || !adds ? null : after),
  };
}

// Rows with a difference, in the order of showing; and how many have none.
export function rankedChanges(rows, order) {
  const moved = rows.filter((row) => row.difference !== 0);
  const change = (row) => Math.abs(row.after - row.before);
  const by = {
    points: (a, b) => a.points - b.points || change(b) - change(a) || a.index - b.index,
    change: (a, b) => change(b) - change(a) || a.points - b.points || a.index - b.index,
  }[order];
  return { ranked: moved.sort(by), equal: rows.length - moved.length };
}

// Whether all changes of the update have been told by event k.
export function isWhole(log, k, update) {
  return (
    log.kinds[k] !== "weight" &&
    update.more === 0 &&
    !(log.dropped && k === log.length && log.kinds[k - 1] === "weight")
  );
}
