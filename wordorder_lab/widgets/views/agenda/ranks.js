// Where an edge stood on the agenda before every pop: the rows of `ranks` in tests/read_off.py, but
// only what has changed is counted. All of it follows from the log, so it is worked out once.

import { edgeOf, onAgenda, searchApply, searchStart } from "../search/search.js";

export const FLOW_RANKS = 10; // so many of the best are followed from pop to pop

const SEARCH_FACTS = new WeakMap();
const ABOUT_AN_EDGE = ["leaf", "edge", "popped", "goal", "charted", "pruned", "rescored"];

// What one pass over a log finds: where its searches begin and end, how far their numbers go, which
// edges are gold, and who stood at the top before each pop; and for each place in it which pop
// comes next, whether that can be asked about, and whether scores that decide on it have come.
export function searchFacts(log) {
  if (!SEARCH_FACTS.has(log)) SEARCH_FACTS.set(log, findFacts(log));
  return SEARCH_FACTS.get(log);
}

function findFacts(log) {
  const [asks, fresh, next] = [
    new Uint8Array(log.length + 1),
    new Uint8Array(log.length + 1),
    new Int32Array(log.length + 1).fill(-1),
  ];
  const searches = [];
  const state = searchStart();
  for (let i = 0; i < log.length; i += 1) {
    const event = log.event(i);
    const popped = event[0] === "popped";
    if (popped) asks[i] = state.agenda > 1 && state.places[event[1] - 1] === "agenda" ? 1 : 0;
    const known = event[0] === "begin" ? 0 : state.edges.length;
    if (popped) searches[state.search]?.flow.push(onAgenda(state, FLOW_RANKS));
    searchApply(state, event);
    const one = (searches[state.search] ??= {
      from: i,
      to: i,
      pops: 0,
      agenda: 0,
      chart: 0,
      low: 0,
      high: 0,
      gold: [],
      flow: [],
      goal: Infinity,
    });
    one.to = i + 1;
    one.agenda = Math.max(one.agenda, state.agenda);
    one.chart = Math.max(one.chart, state.chart.length);
    if (state.edges[known]?.gold === 1) one.gold.push(known + 1);
    if (popped) notePop(one, state);
    if (event[0] === "goal")
      one.goal = Math.min(one.goal, edgeOf(state, event[1])?.size ?? Infinity);
    fresh[i + 1] =
      ["leaf", "edge", "rescored"].includes(event[0]) ||
      (fresh[i] && !popped && event[0] !== "begin")
        ? 1
        : 0;
  }
  for (let i = log.length - 1; i >= 0; i -= 1) {
    next[i] = log.kinds[i] === "popped" ? i : log.kinds[i] === "begin" ? -1 : next[i + 1];
  }
  return { searches, asks, fresh, next, ranks: new Map() };
}

function notePop(one, state) {
  if (!state.pops.length) return;
  const [, score] = state.pops[state.pops.length - 1];
  one.pops = state.pops.length;
  one.low = Math.min(one.low, score);
  one.high = Math.max(one.high, score);
}

// [pop, serial, rank, waiting, score] for each pop before which the edge was on the agenda; without
// a serial, of the gold edge that ranked best then.
export function ranksOf(log, search, serial = null) {
  const { searches, ranks } = searchFacts(log);
  const key = `${search} ${serial ?? "gold"}`;
  if (!ranks.has(key))
    ranks.set(key, searches[search] ? findRanks(log, searches[search], serial) : []);
  return ranks.get(key);
}

function findRanks(log, { from, to }, serial) {
  const state = searchStart();
  const rows = [];
  const gold = new Set();
  let [target, ahead] = [serial, null]; // null: to be counted again
  for (let i = from; i < to; i += 1) {
    const event = log.event(i);
    const moved = ABOUT_AN_EDGE.includes(event[0]) ? event[1] : 0;
    if (event[0] === "popped" && edgeOf(state, moved)) {
      const wanted = serial ?? bestOf(state, gold);
      if (wanted !== target) [target, ahead] = [wanted, null];
      if (target !== null && isWaiting(state, target)) {
        ahead ??= agendaRank(state, target) - 1;
        rows.push([
          state.pops.length + 1, target, ahead + 1, state.agenda, state.scores[target - 1],
        ]);
      }
    }
    const before = ahead !== null && comesFirst(state, moved, target);
    searchApply(state, event);
    if (moved === target) ahead = null;
    else if (ahead !== null) ahead += comesFirst(state, moved, target) - before;
    if (edgeOf(state, moved)?.gold === 1) gold[isWaiting(state, moved) ? "add" : "delete"](moved);
  }
  return rows;
}

export function isWaiting(state, serial) {
  return state.places[serial - 1] === "agenda";
}

// The gold edges that are on the agenda now.
export function waitingGold(state, log) {
  return searchFacts(log).searches[state.search].gold.filter((serial) => isWaiting(state, serial));
}

// Whether an edge is on the agenda and comes before another: by score, then the one made first.
function comesFirst(state, serial, other) {
  const [score, than] = [state.scores[serial - 1], state.scores[other - 1]];
  return isWaiting(state, serial) && (score > than || (score === than && serial < other));
}

export function agendaRank({ scores, places }, serial) {
  const score = scores[serial - 1];
  let rank = 1;
  for (let i = 0; i < places.length; i += 1) {
    if (scores[i] >= score && places[i] === "agenda" && (scores[i] > score || i + 1 < serial))
      rank += 1;
  }
  return rank;
}

// The one of these edges that comes first; null if there is none.
export function bestOf(state, serials) {
  let best = null;
  for (const serial of serials) if (best === null || comesFirst(state, serial, best)) best = serial;
  return best;
}
