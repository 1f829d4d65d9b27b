// One clock for one log or two. A tick of it is one event; with two logs they go step by step (of
// best-first searches pop by pop, of transductions node by node) together: whoever is done with a
// step of the search first waits for the other. A best-first search beside one with a beam goes by
// expansions: so many edges are popped as there are states that the beam expands.

import { expands } from "./log.js";

export class Clock {
  constructor(logs) {
    this.logs = logs;
    this.mixed = new Set(logs.map((log) => log.bestFirst)).size > 1;
    this.places =
      logs.length === 1
        ? [Int32Array.from({ length: logs[0].length + 1 }, (_, k) => k)]
        : merge(logs, this.mixed);
    this.last = this.places[0].length - 1;
  }

  // How many events of each log are over at this tick.
  at(tick) {
    return this.places.map((places) => places[tick]);
  }

  // The first tick at which log number `which` has come to k events.
  tickOf(k, which = 0) {
    const places = this.places[which];
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < k) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // A stop: every log is at one, and one of them has just moved.
  stops(tick, size) {
    if (tick === 0 || tick === this.last) return true;
    const moves = this.places.map((places) => places[tick] !== places[tick - 1]);
    if (size === "update")
      return this.logs.some((log, i) => moves[i] && log.stops(this.places[i][tick], size));
    return (
      this.logs.every(
        (log, i) => (size === "expansion" && !moves[i]) || log.stops(this.places[i][tick], size),
      ) && moves.some(Boolean)
    );
  }

  next(tick, size, way) {
    let to = tick + way;
    while (to > 0 && to < this.last && !this.stops(to, size)) to += way;
    return Math.max(0, Math.min(this.last, to));
  }

  // The next tick after `tick` (or before) at which an event of this kind has just happened.
  nextOfKind(tick, kind, way) {
    for (let to = tick + way; to > 0 && to <= this.last; to += way) {
      const hit = this.logs.some((log, i) => {
        const k = this.places[i][to];
        return k !== this.places[i][to - 1] && log.kinds[k - 1] === kind;
      });
      if (hit) return to;
    }
    return null;
  }

  // The tick after which the two runs have done something different for the first time. How wide
  // a beam is does not count, nor how high a score is: two models seldom agree on that. Neither is
  // something that happened.
  firstDifference() {
    const [a, b] = this.logs;
    const told = (log, k) => {
      const event = log.event(k - 1);
      return JSON.stringify(
        event[0] === "begin"
          ? event.slice(0, 4)
          : event.filter((_, i) => !MEASURED[event[0]]?.includes(i)),
      );
    };
    for (let tick = 1; tick <= this.last; tick += 1) {
      const [i, j] = this.at(tick);
      const [before, other] = this.at(tick - 1);
      if (i === before || j === other || told(a, i) !== told(b, j)) return tick;
    }
    return null;
  }
}

// Where events hold what is measured and not done: scores, margins, weights.
const MEASURED = {
  candidate: [4],
  cut: [2],
  finished: [2],
  update: [4, 5],
  weight: [3, 4],
  leaf: [5],
  edge: [5],
  popped: [2],
  goal: [2],
  edge_update: [5, 6],
  rescored: [2],
  application: [8],
  points: [3],
  combined: [4, 5, 6, 7],
  compressed: [2],
  violation: [2, 3, 4],
  solved: [3, 4, 5],
  constituent: [5],
  parsed: [2],
  bigram: [3, 4],
  path: [2],
  programme: [3, 4],
  learned: [5],
  epoch: [4, 5],
};

// Cut both logs where a search begins, a step begins or ends, and let the pieces of the same name
// begin together; a piece that one log has not is waited for.
function merge(logs, mixed) {
  const pieces = logs.map((log) => piecesOf(log, mixed));
  const places = logs.map(() => [0]);
  const done = [0, 0];
  const move = (which) => {
    const sizes = which.map((i) => pieces[i][done[i]].size);
    const from = places.map((list) => list[list.length - 1]);
    for (let t = 1; t <= Math.max(...sizes); t += 1) {
      places.forEach((list, i) => {
        const size = which.includes(i) ? pieces[i][done[i]].size : 0;
        list.push(from[i] + Math.min(t, size));
      });
    }
    which.forEach((i) => (done[i] += 1));
  };
  while (done[0] < pieces[0].length || done[1] < pieces[1].length) {
    const [a, b] = [pieces[0][done[0]], pieces[1][done[1]]];
    if (a && b && a.order === b.order) move([0, 1]);
    else move([!b || (a && a.order < b.order) ? 0 : 1]);
  }
  return places.map((list) => Int32Array.from(list));
}

const ENDING = ["finished", "compressed", "parsed", "path", "demand", "programme"];

// Cells of a parser's chart: by their last word, and of those the short ones first.
function spotOrder([, , from, to]) {
  return to * 1000 - from;
}

function piecesOf(log, mixed) {
  const pieces = [];
  let [search, step, expanded, parent] = [0, 0, 0, null];
  log.kinds.forEach((kind, i) => {
    const begins =
      ["begin", "step", "popped", "finished", "update", "cell", "compressed"].includes(kind) &&
      !(log.bestFirst && kind === "finished") ||
      (log.spots && log.spots[i] !== log.spots[i - 1]);
    if (kind === "begin") [search, step, expanded, parent] = [search + 1, 0, 0, null];
    if (kind === "popped") step += 1;
    if (kind === "cell") step = 1 + log.event(i)[2]; // cells of one node together
    if (kind === "step") [step, parent] = [mixed ? expanded + 1 : step + 1, null];
    if (mixed && expands(kind) && log.parent(i) !== parent)
      [expanded, parent] = [expanded + 1, log.parent(i)];
    if (kind === "constituent") step = spotOrder(log.event(i));
    if (kind === "bigram") step = log.event(i)[2];
    if (ENDING.includes(kind)) step = 1e6;
    if (kind === "update") step = 2e6;
    if (begins || !pieces.length) pieces.push({ order: search * 1e7 + step, size: 0 });
    pieces[pieces.length - 1].size += 1;
  });
  return pieces;
}
