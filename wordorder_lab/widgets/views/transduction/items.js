// What follows from the books of a tree transduction: the twin of trace/reducers/transduction.py. A
// target tree is {label, kids, word, ...}: a preterminal has a word, what is not known the label
// "?".

import { kidsOf, ruleRead } from "./rules.js";

// The items of the cells of an application's variables, best first: the sides of its grid.
export function sidesOf(state, application) {
  const told = state.applications[application];
  const categories = told ? (ruleRead(told.rule)?.categories ?? []) : [];
  return told
    ? told.children
        .slice(0, categories.length)
        .map((node, k) => cellAt(state, node, categories[k])?.items ?? [])
    : [];
}

export function cellAt(state, node, category) {
  const place = state.places[`${node} ${category}`];
  return place === undefined ? null : state.cells[place];
}

// The cell that an application builds items for.
export function homeCell(state, application) {
  const { node, category } = state.applications[application];
  return cellAt(state, node, category);
}

export function itemOf(state, item) {
  return state.items[item - 1] ?? null;
}

export const NOT_KNOWN = { label: "?", kids: [] };
const ITEM_TREES = new WeakMap();
const ITEM_WORDS = new WeakMap();

// The target tree of an item, remembered: items never change. `from` is the source node that a part
// of it was made at.
export function itemTree(state, item) {
  const found = itemOf(state, item);
  if (!found) return NOT_KNOWN;
  if (!ITEM_TREES.has(found))
    ITEM_TREES.set(
      found,
      filledTree(
        state,
        found.application,
        found.parts.map((part) => itemTree(state, part)),
      ),
    );
  return ITEM_TREES.get(found);
}

// The same, with the number of the variable on each part that fills one.
export function itemTreeInParts(state, item) {
  const found = itemOf(state, item);
  if (!found) return NOT_KNOWN;
  return filledTree(
    state,
    found.application,
    found.parts.map((part, k) => ({ ...itemTree(state, part), chip: k + 1 })),
  );
}

// The target side of an application's rule with these trees for its variables.
export function filledTree(state, application, below) {
  const told = state.applications[application];
  const rule = told && ruleRead(told.rule);
  if (!rule) return NOT_KNOWN;
  const filled = (node) => {
    if (typeof node === "string") return { word: node };
    if (node.index >= 0) return below[node.index - 1] ?? NOT_KNOWN;
    return { label: node.label, kids: node.children.map(filled), by: application };
  };
  const tree = filled(rule.target);
  return rule.target.index >= 0 ? tree : { ...tree, from: told.node };
}

export function itemWords(state, item) {
  const found = itemOf(state, item);
  if (!found) return ["?"];
  if (!ITEM_WORDS.has(found)) ITEM_WORDS.set(found, treeWords(itemTree(state, item)));
  return ITEM_WORDS.get(found);
}

export function treeWords(tree) {
  return tree.word !== undefined ? [tree.word] : (tree.kids ?? []).flatMap(treeWords);
}

// The best item of a cell: the first of a full one, the best so far of one that is not.
export function bestItem(state, cell) {
  if (cell.items) return cell.items[0] ?? null;
  let best = null;
  for (const { item } of cell.taken) {
    const one = itemOf(state, item);
    const ahead = one && best ? (one.score + one.loss) - (best.score + best.loss) : 0;
    if (one && (!best || ahead > 0 || (ahead === 0 && one.item < best.item))) best = one;
  }
  return best?.item ?? null;
}

// What waits in the queue of cube pruning: at first the best of everything, then what follows on
// something that was taken, one step on in its last dimension that is not 0, or in a later one.
export function frontierOf(state, cell, application) {
  const sizes = sidesOf(state, application).map((side) => side.length);
  if (sizes.includes(0)) return [];
  const taken = takenOf(cell, application).map((one) => one.ranks);
  if (!taken.length) return [sizes.map(() => 0)];
  const keys = new Set(taken.map(String));
  const found = new Map();
  for (const ranks of taken) {
    for (let k = Math.max(0, lastMoved(ranks)); k < Math.min(sizes.length, ranks.length); k += 1) {
      const next = ranks.map((rank, i) => rank + (i === k));
      if (next[k] < sizes[k] && !keys.has(String(next))) found.set(String(next), next);
    }
  }
  return [...found.values()].sort(byRanks);
}

// The last dimension that is not 0; -1 where all are.
export function lastMoved(ranks) {
  return ranks.findLastIndex((rank) => rank !== 0);
}

function byRanks(a, b) {
  const k = a.findIndex((rank, i) => rank !== b[i]);
  return k < 0 ? 0 : a[k] - b[k];
}

const DERIVATIONS = new WeakMap();

// An output taken apart: its target tree; source node -> the application that was used there, and
// the serial of its combination (steps); and the source nodes that were deleted, with all below
// them.
export function derivationIn(state, output) {
  if (!DERIVATIONS.has(output)) DERIVATIONS.set(output, takeApart(state, output.applications));
  return DERIVATIONS.get(output);
}

function takeApart(state, applications) {
  const [ahead, used, steps, deleted] = [applications.slice(), new Map(), new Map(), new Set()];
  const build = () => {
    const told = state.applications[ahead.shift()];
    if (!told) return { tree: NOT_KNOWN, item: null };
    used.set(told.node, told.application);
    told.deleted.forEach((node) => nodesBelow(state.source, node, deleted));
    const parts = told.children.map(build);
    const step = combinationOf(state, told, parts.map(({ item }) => item));
    if (step) steps.set(told.node, step.serial);
    return {
      tree: filledTree(
        state,
        told.application,
        parts.map(({ tree }) => tree),
      ),
      item: step?.item ?? null,
    };
  };
  return { tree: build().tree, used, steps, deleted };
}

// The combination of an application with these items for its variables.
function combinationOf(state, told, parts) {
  const sides = sidesOf(state, told.application);
  const mine = (one) =>
    one.application === told.application &&
    parts.every((part, k) => part !== null && sides[k]?.[one.ranks[k]] === part);
  return cellAt(state, told.node, told.category)?.taken.find(mine);
}

export function nodesBelow(source, node, found = new Set()) {
  found.add(node);
  (kidsOf(source)[node] ?? []).forEach((child) => nodesBelow(source, child, found));
  return found;
}

// The words of a source node.
export function sourceWords(source, node) {
  if (!source) return [];
  const below = kidsOf(source)[node] ?? [];
  return below.length
    ? below.flatMap((child) => sourceWords(source, child))
    : [source.words[node] ?? ""].filter(Boolean);
}

const TAKEN_OF = new WeakMap();

// The combinations of an application in a cell, each with its turn there; more are only added.
export function takenOf(cell, application) {
  if (!cell) return [];
  if (!TAKEN_OF.has(cell.taken)) TAKEN_OF.set(cell.taken, { count: 0, found: new Map() });
  const kept = TAKEN_OF.get(cell.taken);
  for (; kept.count < cell.taken.length; kept.count += 1) {
    const one = { ...cell.taken[kept.count], order: kept.count + 1 };
    if (!kept.found.has(one.application)) kept.found.set(one.application, []);
    kept.found.get(one.application).push(one);
  }
  return kept.found.get(application) ?? [];
}
