// What the transduction view looks at: a source node, one of its cells, one application, one
// combination. Without a choice these are the ones that the search is busy with.

import {
  cellAt,
  derivationIn,
  filledTree,
  homeCell,
  itemOf,
  itemTree,
  itemTreeInParts,
  sidesOf,
  takenOf,
  treeWords,
} from "./items.js";

// Everything that the parts of the picture share about this moment.
export function transductionLook(state, room) {
  const open = state.cells[state.cells.length - 1] ?? null;
  const output = shownOutput(state, room);
  const derivation = output && derivationIn(state, output);
  const chosen = inThisSearch(state, room.kept.chosen) ?? {};
  const node =
    room.selected !== null && state.source?.labels[room.selected] !== undefined
      ? room.selected
      : null;
  const spared = node === null && output && room.other
    ? mostSpared(state, room.other, room.name === "A" ? state : room.other)
    : null;
  const wanted = node === null ? spared : chosenAt(state, node, chosen, derivation);
  const cell = node === null && spared === null ? open
    : cellOfNode(state, node ?? state.applications[spared].node, wanted);
  const here = cell && cellApplications(state, cell);
  const picked = here?.includes(chosen.application) ? chosen.application : null;
  const busy = cell?.taken[cell.taken.length - 1]?.application;
  const winner = cell?.items?.length ? itemOf(state, cell.items[0]) : null;
  const used = cell && derivation?.used.get(cell.node);
  const told = node === null && !open ? toldLast(state) : null;
  const application =
    picked ??
    wanted ??
    (here?.includes(used) ? used : (winner?.application ?? busy ?? here?.[0] ?? told));
  const won = winner?.application === application ? winner.serial : undefined;
  const item = cell?.taken.some((one) => one.serial === chosen.item)
    ? chosen.item
    : (derivation?.steps.get(cell?.node) ?? won);
  return {
    open,
    output,
    derivation,
    node,
    cell,
    application,
    combination: lookedAt(cell, application, item),
    rival: cell?.taken.find((one) => one.serial === chosen.rival) ?? null,
    masked: room.masked && cell === open,
  };
}

const SPARED = new WeakMap();

// At the end of two searches the application whose grid they have looked at most differently: of
// those that both have looked at, if there are some, and of those that A's output goes back to.
function mostSpared(state, other, first) {
  const kept = SPARED.get(state.applications);
  if (kept?.other === other.applications && kept.count === other.cells.length) return kept.most;
  const looked = (its, one) => takenOf(homeCell(its, one), one).length;
  const used = new Set(first.outputs[0]?.applications);
  let [most, least] = [null, 0];
  for (const { application, rule } of state.applications) {
    if (other.applications[application]?.rule !== rule) continue;
    const counts = [looked(state, application), looked(other, application)];
    const weight = !Math.min(...counts) ? 1e-6 : used.has(application) ? 1e6 : 1;
    const apart = Math.abs(counts[0] - counts[1]) * weight;
    if (apart > least) [most, least] = [application, apart];
  }
  SPARED.set(state.applications, {
    other: other.applications, count: other.cells.length, most,
  });
  return most;
}

// Before the first cell: the application that the log has just told of, or of its points.
function toldLast({ applications, points }) {
  const application = points.length ? points[points.length - 1][0] : applications.length - 1;
  return applications[application] ? application : null;
}

export function inThisSearch(state, kept) {
  return kept?.search === state.search ? kept : null;
}

// Remember a choice in this search: {application} or {item}, the serial of a combination; its
// rival is laid beside it.
export function chooseIn(state, room, choice) {
  const before = inThisSearch(state, room.kept.chosen);
  room.kept.chosen = { ...before, rival: null, ...choice, search: state.search };
  room.redraw();
}

// The output that is shown: the best, or the one at the rank that was chosen.
function shownOutput(state, room) {
  const rank = inThisSearch(state, room.kept.output)?.rank ?? 0;
  return state.outputs.find((one) => one.rank === rank) ?? state.outputs[0] ?? null;
}

// The application that is looked at where a node is: the one chosen there, or the one that was
// used.
function chosenAt(state, node, { application }, derivation) {
  if (state.applications[application]?.node === node) return application;
  return derivation?.used.get(node) ?? null;
}

// The cell of a node: that of the application, or the last one that was filled there.
function cellOfNode(state, node, application) {
  const told = state.applications[application];
  return (
    (told && cellAt(state, node, told.category)) ??
    (told ? null : (state.cells.findLast((one) => one.node === node) ?? null))
  );
}

const CELL_APPLICATIONS = new WeakMap();

// The applications of a cell by number, those of a node in all its categories under "node" alone.
export function cellApplications(state, { node, category }) {
  return (
    applicationsBy(state).get(category === undefined ? String(node) : `${node} ${category}`) ?? []
  );
}

function applicationsBy(state) {
  const { applications } = state;
  const kept = CELL_APPLICATIONS.get(applications);
  if (kept?.count === applications.length) return kept.found;
  const found = new Map();
  const add = (key, application) =>
    found.has(key) ? found.get(key).push(application) : found.set(key, [application]);
  for (const { node, category, application } of applications) {
    add(String(node), application);
    add(`${node} ${category}`, application);
  }
  CELL_APPLICATIONS.set(applications, { count: applications.length, found });
  return found;
}

// The combination that is looked at: the chosen one, or the last that was taken for the
// application.
function lookedAt(cell, application, serial) {
  const mine = takenOf(cell, application);
  return mine.find((one) => one.serial === serial) ?? mine[mine.length - 1] ?? null;
}

const RESULTS_IN = new WeakMap();
const NO_RESULT = { taken: 0, heuristic: NaN, best: null, rank: -1 };

// What an application has come to in its cell: how often it was taken, its best heuristic, the best
// that it gave, and the place of that among the items of a full cell (-1: out, or the cell is not
// full).
export function resultOf(cell, application) {
  if (!cell) return NO_RESULT;
  let kept = RESULTS_IN.get(cell.taken);
  if (kept?.items !== cell.items)
    RESULTS_IN.set(
      cell.taken,
      (kept = {
        count: 0,
        items: cell.items,
        found: new Map(),
        ranks: new Map((cell.items ?? []).map((item, rank) => [item, rank])),
      }),
    );
  const { found, ranks } = kept;
  for (; kept.count < cell.taken.length; kept.count += 1) {
    const one = cell.taken[kept.count];
    const before = found.get(one.application) ?? NO_RESULT;
    const rank = ranks.get(one.item) ?? -1;
    const better =
      !before.best ||
      (rank < 0
        ? before.rank < 0 && one.score > before.best.score
        : before.rank < 0 ||
          rank < before.rank ||
          (rank === before.rank && one.score > before.best.score));
    found.set(one.application, {
      taken: before.taken + 1,
      heuristic: before.heuristic > one.heuristic ? before.heuristic : one.heuristic,
      ...(better ? { best: one, rank } : { best: before.best, rank: before.rank }),
    });
  }
  return found.get(application) ?? NO_RESULT;
}

const POINTS_OF = new WeakMap();

// The features of an application with their points, those that count most first.
export function pointsOf(state, application) {
  const { points } = state;
  let kept = POINTS_OF.get(points);
  if (kept?.count !== points.length) {
    kept = { count: points.length, found: new Map() };
    for (const [which, ...told] of points)
      (kept.found.get(which) ?? kept.found.set(which, []).get(which)).push(told);
    POINTS_OF.set(points, kept);
  }
  return (kept.found.get(application) ?? [])
    .slice()
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
}

// The words that a combination would make, although its item may be better made otherwise.
export function combinationTree(state, one) {
  if (itemOf(state, one.item)?.serial === one.serial) return itemTreeInParts(state, one.item);
  const sides = sidesOf(state, one.application);
  return filledTree(
    state,
    one.application,
    one.ranks.map((rank, k) => ({ ...itemTree(state, sides[k]?.[rank]), chip: k + 1 })),
  );
}

export function combinationWords(state, one) {
  return treeWords(combinationTree(state, one)).join(" ") || "nothing";
}

// What the rows, the grid and the score show: any change in the search, and what is looked at.
export function momentKey({
  state,
  room,
  open,
  cell,
  node,
  application,
  combination,
  rival,
  output,
  masked,
}) {
  return [
    state.applications.length, state.points.length, state.cells.length, open?.taken.length,
    open?.items?.length, cell?.cell, node, application, combination?.serial, rival?.serial,
    output?.rank, masked, room.rows,
  ];
}
