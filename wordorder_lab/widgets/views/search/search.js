// The fold of the agenda and chart views: the twin of trace/reducers/search.py, which says what is
// meant.

import { keepDoubts } from "../player/doubts.js";
import { formsOf } from "../player/forms.js";

export function searchStart() {
  return {
    search: 0,
    units: [],
    counts: [],
    beam: 0,
    forms: [],
    labels: [],
    edges: [],
    scores: [],
    places: [],
    pops: [],
    outs: [],
    agenda: 0,
    chart: [],
    update: null,
    updates: 0,
    finished: null,
    stopped: null,
    doubts: null,
    chances: [],
    tagged: [],
  };
}

export function searchCopy(state) {
  return {
    ...state,
    edges: state.edges.slice(),
    scores: state.scores.slice(),
    places: state.places.slice(),
    pops: state.pops.slice(),
    outs: state.outs.slice(),
    chart: state.chart.slice(),
  };
}

export function edgeOf(state, serial) {
  return state.edges[serial - 1] ?? null;
}

// The words of an edge, [unit, tag] each in their order, and their heads by place (-1: root).
// Where the arc into a word has a label, that is the third.
export function wordsOf(state, serial) {
  const edge = edgeOf(state, serial);
  if (!edge) return { order: [], heads: [] };
  if (!edge.left)
    return { order: [[edge.form, edge.pos, edge.label].slice(0, edge.label ? 3 : 2)], heads: [-1] };
  const left = wordsOf(state, edge.left);
  if (!edge.right) return left;
  const right = wordsOf(state, edge.right);
  const place = left.order.length;
  const [root, other] = [left.heads.indexOf(-1), place + right.heads.indexOf(-1)];
  const heads = left.heads.concat(right.heads.map((head) => (head < 0 ? head : head + place)));
  if (edge.action.endsWith("HeadRight")) heads[root] = other;
  else heads[other] = root;
  return { order: left.order.concat(right.order), heads };
}

// The serials at the top of the agenda, at most so many: by score, then the one made first. One
// pass over all edges, so that an agenda of 100,000 takes no longer than a frame.
export function onAgenda(state, most) {
  const { scores, places } = state;
  const top = [];
  const before = (i, j) => scores[i] > scores[j] || (scores[i] === scores[j] && i < j);
  for (let i = 0; i < places.length; i += 1) {
    if (places[i] !== "agenda" || (top.length === most && !before(i, top[most - 1]))) continue;
    let [low, high] = [0, top.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(top[middle], i)) low = middle + 1;
      else high = middle;
    }
    top.splice(low, 0, i);
    if (top.length > most) top.pop();
  }
  return top.map((i) => i + 1);
}

function makeEdge(state, serial, edge, score, gold) {
  if (serial !== state.edges.length + 1) return; // an edge before it is missing
  state.edges.push({ serial, ...edge, gold, made: state.pops.length });
  state.scores.push(score);
  state.places.push("agenda");
  state.agenda += 1;
}

// Put an edge elsewhere; false if there is no such edge.
function moveEdge(state, serial, place) {
  if (!edgeOf(state, serial)) return false;
  const before = state.places[serial - 1];
  if (before === "agenda") state.agenda -= 1;
  if (before === "chart") state.chart.splice(state.chart.indexOf(serial), 1);
  state.places[serial - 1] = place;
  return true;
}

const SEARCH_EVENTS = {
  begin(state, units, counts, items, beam) {
    const { search, updates, tagged: chances } = state;
    const kept = { search: search + 1, updates, chances };
    Object.assign(state, searchStart(), kept, { units, counts, beam, forms: formsOf(units) });
  },
  alternatives(state, types, forms) {
    state.forms = formsOf(state.units, types, forms);
  },
  labels(state, labels) {
    state.labels = labels;
  },
  leaf(state, serial, item, form, pos, score, gold, category = "") {
    makeEdge(
      state,
      serial,
      {
        left: 0, right: 0, action: "leaf", form, pos, item, label: state.labels[item] ?? "",
        category, size: 1, chance: state.chances[item] ?? -1,
      },
      score,
      gold,
    );
  },
  edge(state, serial, left, right, action, score, gold, category = "") {
    const parts = [left, right].filter((part) => part).map((part) => edgeOf(state, part));
    if (parts.includes(null)) return;
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    makeEdge(
      state,
      serial,
      { left, right, action, form: "", pos: "", item: -1, label: "", category, chance: -1, size },
      score,
      gold,
    );
  },
  popped(state, serial, score) {
    if (moveEdge(state, serial, "popped"))
      state.pops.push([serial, score, state.agenda, state.chart.length]);
  },
  goal(state, serial) {
    moveEdge(state, serial, "goal");
  },
  charted(state, serial) {
    if (moveEdge(state, serial, "chart")) state.chart.push(serial);
  },
  pruned(state, serial, reason) {
    if (moveEdge(state, serial, "out")) state.outs.push([serial, reason, state.pops.length]);
  },
  edge_update(state, example, reason, positive, negative, margin, step) {
    state.updates += 1;
    state.update = { example, reason, positive, negative, margin, step, pop: state.pops.length };
  },
  rescored(state, serial, score) {
    if (edgeOf(state, serial)) state.scores[serial - 1] = score;
  },
  finished(state, serial, score) {
    state.finished = { serial, score };
  },
  stopped(state, reason) {
    state.stopped = reason;
  },
  doubts: keepDoubts,
  supertags(state, probabilities) {
    state.tagged = probabilities;
  },
};

export function searchApply(state, event) {
  SEARCH_EVENTS[event[0]]?.(state, ...event.slice(1));
}
