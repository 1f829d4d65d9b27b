// What the view of deletion looks at: a word of the lattice, and the way that is drawn thick: that
// of the search so far, a path that was chosen, or what a programme keeps.

import { wayTo } from "./deletion.js";

// Everything that the parts of the picture share about this moment.
export function deletionLook(state, room) {
  const { bigrams, paths, units } = state;
  const last = bigrams.at(-1);
  const end = units.length + 1;
  const looks = bigrams.length > 0 && room.selected !== null && room.selected <= end;
  const chosen = looks ? room.selected : null;
  const place = chosen ?? (paths.length ? end : (last?.[1] ?? null));
  const layer = layerOf(state, place);
  const programme = state.programmes.at(-1) ?? null;
  const rank = room.kept.rank?.search === state.search ? room.kept.rank.rank : 0;
  const path = paths.find((one) => one.rank === rank) ?? paths[0] ?? null;
  const shown = chosen !== null ? null : programme && !room.kept.rank ? programme : path;
  const way = shown
    ? [0, ...shown.kept.map((kept) => kept + 1), end]
    : place === null ? [] : wayTo(state, layer, place);
  return {
    place, layer, way, path, programme, shown, end,
    searching: !paths.length && !programme,
    ways: place === null ? [] : waysInto(state, layer, place),
  };
}

// The scan that a place of the lattice is looked at in: the last that has been there.
function layerOf(state, place) {
  const found = state.bigrams.findLast(([, right]) => right === place);
  return found ? found[4] : state.layer;
}

// All ways into a place that were scanned, the best first; of equals the first one.
function waysInto(state, layer, place) {
  const found = state.bigrams.filter((one) => one[1] === place && one[4] === layer);
  return found.slice().sort((a, b) => b[3] - a[3]);
}

// The best way into each place so far, of the last scan that was there: [left, right].
export function backsSoFar(state) {
  const found = new Map();
  for (const [where, at] of Object.entries(state.backs)) {
    const [scan, right] = where.split(" ").map(Number);
    if ((found.get(right)?.scan ?? 0) < scan)
      found.set(right, { scan, pair: [state.bigrams[at][0], right] });
  }
  return [...found.values()].map(({ pair }) => pair);
}

// The word at a place of the lattice.
export function wordAt({ units }, place) {
  if (place <= 0) return "the start";
  return place > units.length ? "the end" : units[place - 1];
}

// What the words between two places are called when they are left out.
export function sayDropped({ units }, left, right, most = 6) {
  const out = units.slice(left, Math.max(left, right - 1));
  if (!out.length) return "";
  return out.length > most
    ? `${out.slice(0, most - 2).join(" ")} … ${out.at(-1)}`
    : out.join(" ");
}

// What a programme keeps that the best path does not, and the other way round: places from 0.
export function changedBy(programme, path) {
  if (!programme || !path) return { more: [], less: [] };
  const [ours, theirs] = [new Set(programme.kept), new Set(path.kept)];
  return {
    more: programme.kept.filter((kept) => !theirs.has(kept)),
    less: path.kept.filter((kept) => !ours.has(kept)),
  };
}
