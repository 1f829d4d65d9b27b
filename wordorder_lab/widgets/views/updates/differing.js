// What differs between the two structures of an update: words that are not in the same order in
// both, and arcs or steps of a derivation that only one of them has.

import { edgeText } from "../search/edges.js";
import { edgeOf } from "../search/search.js";

// For drawArcs: the places of the words and arcs of `one` that `other` has not got.
export function differingArcs(one, other) {
  if (!one || !other) return null;
  const words = new Set(one.order.map((_, place) => place));
  for (const place of commonPlaces(namesOf(one), namesOf(other))) words.delete(place);
  const there = new Set(arcNames(other).values());
  const arcs = new Set();
  for (const [place, name] of arcNames(one)) if (!there.has(name)) arcs.add(place);
  return { words, arcs };
}

function namesOf({ order }) {
  return order.map(([unit, tag]) => `${unit}\n${tag}`);
}

// Dependent -> its arc by the words of both ends and the side.
function arcNames({ order, heads }) {
  const names = namesOf({ order });
  return new Map(heads.flatMap((head, place) =>
    head < 0 ? [] : [[place, `${names[head]}\n${names[place]}\n${head < place}`]]));
}

// The places in `mine` of a longest sequence that both have in this order.
function commonPlaces(mine, yours) {
  const size = [...mine, ""].map(() => new Array(yours.length + 1).fill(0));
  for (let i = mine.length - 1; i >= 0; i -= 1) {
    for (let j = yours.length - 1; j >= 0; j -= 1) {
      size[i][j] = mine[i] === yours[j] ? 1 + size[i + 1][j + 1]
        : Math.max(size[i + 1][j], size[i][j + 1]);
    }
  }
  const places = [];
  for (let [i, j] = [0, 0]; i < mine.length && j < yours.length;) {
    if (mine[i] === yours[j]) {
      places.push(i);
      [i, j] = [i + 1, j + 1];
    } else if (size[i + 1][j] >= size[i][j + 1]) i += 1;
    else j += 1;
  }
  return places;
}

// For drawDerivation: whether a step of the one edge is in the other, by category and words.
export function differingSteps(books, other) {
  const there = new Set();
  const waiting = [other];
  for (const serial of waiting) {
    const edge = edgeOf(books, serial);
    if (!edge) continue;
    there.add(`${edge.category}\n${edgeText(books, serial)}`);
    waiting.push(...[edge.left, edge.right].filter((part) => part));
  }
  return (edge) => !there.has(`${edge.category}\n${edgeText(books, edge.serial)}`);
}
