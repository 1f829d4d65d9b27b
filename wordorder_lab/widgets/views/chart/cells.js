// What the chart view shows. Word order is free, so a cell is a set of words: a column for each
// number of units, in it the cells, in a cell the edges over these words, the best first.

import { unitName } from "../player/forms.js";
import { edgeWords } from "../search/edges.js";
import { edgeOf, searchApply, searchStart } from "../search/search.js";

const CHART_UNITS = new WeakMap();

// The units of an edge, sorted. Edges with the same ones share a cell, whatever their order and
// heads.
export function chartUnits(state, serial) {
  const edge = edgeOf(state, serial);
  let units = CHART_UNITS.get(edge);
  if (!units)
    CHART_UNITS.set(
      edge,
      (units = edgeWords(state, serial)
        .order.map(([unit]) => unitName(state, unit))
        .sort()),
    );
  return units;
}

// Everything that an edge was built of, itself first.
export function chartParts(state, serial) {
  const found = new Set([serial]);
  for (const one of found) {
    const edge = edgeOf(state, one);
    if (edge?.left) found.add(edge.left);
    if (edge?.right) found.add(edge.right);
  }
  return found;
}

// The edge that is looked at: the one that was chosen, the outcome, or the one that was popped
// last.
export function chartChosen(state, selected) {
  if (selected !== null && edgeOf(state, selected)) return selected;
  if (state.finished && edgeOf(state, state.finished.serial)) return state.finished.serial;
  return state.pops.length ? state.pops[state.pops.length - 1][0] : null;
}

// Serial -> what it is here: those in the chart, the popped one, goals, what was pruned at this
// very pop; besides, as ghosts, the edges that are picked, and those that the chosen one is built
// of.
function chartEntries(state, room) {
  const entries = new Map(state.chart.map((serial) => [serial, "chart"]));
  const now = state.pops.length;
  const status = (serial) => {
    const place = state.places[serial - 1];
    if (place === "out")
      return state.outs.findLast(([one]) => one === serial)?.[2] === now ? "out" : "gone";
    return place === "popped" && state.pops[now - 1]?.[0] !== serial ? "gone" : place;
  };
  const add = (serial) => edgeOf(state, serial) && entries.set(serial, status(serial));
  for (let i = state.outs.length - 1; i >= 0 && state.outs[i][2] === now; i -= 1)
    add(state.outs[i][0]);
  if (now && state.places[state.pops[now - 1][0] - 1] === "popped") add(state.pops[now - 1][0]);
  state.pops
    .filter(([serial]) => state.places[serial - 1] === "goal")
    .forEach(([serial]) => add(serial));
  if (room.selected !== null) chartParts(state, room.selected).forEach(add);
  chartPicks(state, room).forEach(add);
  return entries;
}

// The columns in the order of showing. `more` counts edges of the chart that are not shown.
export function chartColumns(state, room) {
  const sizes = new Map();
  for (const [serial, status] of chartEntries(state, room)) {
    const { size } = edgeOf(state, serial);
    if (!sizes.has(size)) sizes.set(size, []);
    sizes.get(size).push({ serial, status });
  }
  const seen = chartMustSee(state, room);
  const first = Math.min(...sizes.keys()); // between others, empty ones, too
  return Array.from({ length: Math.max(0, Math.max(...sizes.keys()) + 1 - first) }, (_, i) =>
    chartColumn(state, room, first + i, sizes.get(first + i) ?? [], seen));
}

function chartColumn(state, room, size, entries, seen) {
  entries.sort(
    (a, b) => state.scores[b.serial - 1] - state.scores[a.serial - 1] || a.serial - b.serial,
  );
  const inside = entries.filter((one) => one.status === "chart").length;
  let [free, gold] = [room.rows, room.rows];
  const cells = new Map();
  for (const one of entries) {
    const units = chartUnits(state, one.serial);
    const key = JSON.stringify(units);
    if (!cells.has(key)) cells.set(key, { units, edges: [], more: 0 });
    const cell = cells.get(key);
    const top = one.status === "chart" && (free -= 1) >= 0;
    const star =
      !top && one.status === "chart" && edgeOf(state, one.serial).gold === 1 && (gold -= 1) >= 0;
    if (top || star || seen.has(one.serial) || one.status !== "chart") cell.edges.push(one);
    else cell.more += 1;
  }
  const all = [...cells.values()];
  const shown = all.filter((cell) => cell.edges.length);
  const hidden = all.filter((cell) => !cell.edges.length);
  const more = hidden.reduce((sum, cell) => sum + cell.more, 0);
  return { size, inside, cells: shown, more, moreCells: hidden.length };
}

// What is shown beyond the top: the best of gold, the newest, and what is looked at with its parts.
function chartMustSee(state, room) {
  const seen = new Set([state.chart[state.chart.length - 1], ...chartPicks(state, room)]);
  if (room.selected !== null)
    chartParts(state, room.selected).forEach((serial) => seen.add(serial));
  return seen;
}

const CHART_KINDS = new WeakMap();

// Whether the chart is one beam ("single") or one for each number of units ("sizes"). The log does
// not say it, but it shows when an edge is dropped although its size, or the whole, would have
// room; "" if it never does.
export function chartKind(log) {
  if (!CHART_KINDS.has(log)) CHART_KINDS.set(log, findChartKind(log));
  return CHART_KINDS.get(log);
}

function findChartKind(log) {
  if (!log.counts.pruned || !log.columns.pruned[1].names.includes("beam")) return "";
  const state = searchStart();
  for (let i = 0; i < log.length; i += 1) {
    if (["weight", "rescored"].includes(log.kinds[i])) continue;
    const event = log.event(i);
    if (event[0] === "pruned" && event[2] === "beam" && state.places[event[1] - 1] === "chart") {
      const { size } = edgeOf(state, event[1]);
      const alike = state.chart.filter((serial) => edgeOf(state, serial).size === size).length;
      if (
        state.chart.length <= state.beam ||
        (!log.counts.edge_update && state.chart.length > state.beam + 1)
      )
        return "sizes";
      if (alike <= state.beam) return "single";
    }
    searchApply(state, event);
  }
  return "";
}

// The picked edges of this search, at most two, the first one first.
export function chartPicks(state, room) {
  const picks = room.kept.picks;
  return picks?.search === state.search
    ? picks.serials.filter((serial) => edgeOf(state, serial))
    : [];
}
