// What the view of a parser's chart looks at: a cell, one constituent of it, and the tree that this
// one's back-pointers tell of.

const HIDDEN = "@";

export function chartItem(state, serial) {
  return state.items[serial - 1] ?? null;
}

// The number of a cell, as what can be pinned is called; cells have no serials of their own.
export function cellNumber(first, end) {
  return first * 1000 + end;
}

export function cellOver(state, first, end) {
  const place = state.places[`${first} ${end}`];
  return place === undefined ? null : state.cells[place];
}

// The constituents of a cell, the best first; what fell out of the beam comes last.
export function rankedItems(state, cell) {
  const found = (cell?.[2] ?? []).map((serial) => state.items[serial - 1]);
  return found.sort((a, b) => a.out - b.out || b.score - a.score || a.serial - b.serial);
}

// Labels that came of making rules binary are no phrases of the grammar.
export function isHidden({ label }) {
  return label.startsWith(HIDDEN);
}

// The label alone, without what a grammar has marked on it: NP of NP~base^S.
export function plainLabel({ label }) {
  return label.split(/[~^>]/)[0] || label;
}

// What a cell is called in the chart: its best label that a tree may have, if there is one.
export function topItem(state, cell) {
  let [best, hidden] = [null, null];
  for (const serial of cell[2]) {
    const one = state.items[serial - 1];
    if (one.out) continue;
    if (isHidden(one)) hidden = hidden && hidden.score >= one.score ? hidden : one;
    else best = best && best.score >= one.score ? best : one;
  }
  return best ?? hidden;
}

// How many labels of a cell fell out of the beam.
export function countOut(state, cell) {
  return cell[2].filter((serial) => state.items[serial - 1].out).length;
}

// Everything that the parts of the picture share about this moment.
export function parsingLook(state, room) {
  const words = state.units.length;
  const parsed = state.parse && chartItem(state, state.parse.serial);
  const pinned = room.selected === null ? null
    : cellOver(state, Math.floor(room.selected / 1000), room.selected % 1000);
  const last = state.items.at(-1);
  const cell = pinned ??
    (state.parse ? parsed && cellOver(state, parsed.start, parsed.end)
      : last && cellOver(state, last.start, last.end)) ?? null;
  const kept = room.kept.item;
  const picked = kept?.search === state.search ? chartItem(state, kept.serial) : null;
  const here = picked && cell && picked.start === cell[0] && picked.end === cell[1];
  const own = parsed && cell && parsed.start === cell[0] && parsed.end === cell[1] ? parsed : null;
  const item = here ? picked : own ?? (cell && topItem(state, cell));
  return { words, cell, item, pinned, tree: item ? inTree(state, item) : [], parsed };
}

// The constituents of a tree, from its root down; each once.
function inTree(state, root) {
  const found = [];
  const waiting = [root];
  while (waiting.length) {
    const item = waiting.pop();
    if (!item || found.includes(item)) continue;
    found.push(item);
    waiting.push(chartItem(state, item.right), chartItem(state, item.left));
  }
  return found;
}

// The tree of a constituent as it is drawn; what came of making rules binary is taken out, but
// for the root.
export function chartTree(state, item) {
  if (!item.left && !item.right)
    return { label: plainLabel(item), word: state.units[item.start] ?? "?" };
  return { label: plainLabel(item), kids: partsBelow(state, item, new Set([item.serial])) };
}

function partsBelow(state, item, above) {
  return [item.left, item.right].filter(Boolean).flatMap((serial) => {
    const part = chartItem(state, serial);
    if (!part || above.has(serial)) return [{ label: "?", kids: [] }];
    const below = new Set(above).add(serial);
    if (isHidden(part) && part.left) return partsBelow(state, part, below);
    if (!part.left && !part.right) return [chartTree(state, part)];
    return [{ label: plainLabel(part), kids: partsBelow(state, part, below) }];
  });
}

// A tree in brackets, as a parse that the grammar does not have is told; null where it is none.
export function bracketTree(text) {
  const pieces = text.match(/[()]|[^\s()]+/g) ?? [];
  const stack = [{ kids: [] }];
  for (let i = 0; i < pieces.length; i += 1) {
    const top = stack.at(-1);
    if (pieces[i] === "(") {
      const label = pieces[i + 1] === "(" ? "" : pieces[(i += 1)] ?? "";
      stack.push({ label, kids: [] });
    } else if (pieces[i] === ")") {
      if (stack.length < 2) return null;
      stack.at(-2).kids.push(stack.pop());
    } else top.kids.push({ word: pieces[i] });
  }
  const [tree] = stack[0].kids;
  return stack.length === 1 && tree?.label !== undefined ? tree : null;
}

// The words of a cell, shortened in the middle.
export function wordsOver({ units }, first, end, most = 6) {
  const words = units.slice(first, end);
  return words.length > most
    ? `${words.slice(0, most - 2).join(" ")} … ${words.at(-1)}`
    : words.join(" ");
}

// How a constituent was made: "DT “the” + NN “boat”".
export function sayParts(state, item) {
  const parts = [item.left, item.right].filter(Boolean).map((serial) => chartItem(state, serial));
  if (!parts.length) return `the word “${state.units[item.start] ?? "?"}”`;
  const told = parts.map((part) =>
    part ? `${plainLabel(part)} “${wordsOver(state, part.start, part.end, 3)}”` : "?");
  return parts.length === 1 ? `${told[0]}, by a unary rule` : told.join(" + ");
}
