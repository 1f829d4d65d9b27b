// Why a score is what it is: the points that a page brings with it, and what they add up to.

import { compareParts } from "../parts/compared.js";

const ALIKE = 1e-9;
const LANGUAGE_MODEL = "language model, all words";
const TELLS = [
  "begin", "candidate", "leaf", "edge", "bigram", "path", "programme", "constituent",
];
const DECISIONS = "decisions of heads, all";

// The reasons of one search: the points of each item's last step, and of which items it was made.
class Reasons {
  constructor(log, packed, search) {
    const { names, points, items, counts, parts, divisor, scaled } = packed;
    Object.assign(this, { names, points, parts, divisor, scaled, places: new Map() });
    let from = 0;
    items.forEach((item, i) => {
      this.places.set(item, [from, from + counts[i]]);
      from += counts[i];
    });
    this.made = madeIn(log, search);
  }

  has(item) {
    return this.places.has(this.keyOf(item)) && (this.made.has(item) || item === 0);
  }

  // By what name the points of an item were packed.
  keyOf(item) {
    return this.made.get(item)?.key ?? String(item);
  }

  // What its last step adds: [name, points] each.
  own(item) {
    return this.parts.slice(...(this.places.get(this.keyOf(item)) ?? [0, 0])).map((part) =>
      [this.names.names[this.names.ids[part]], this.points[part] / this.divisor]);
  }

  partsOf(item) {
    return this.made.get(item)?.parts ?? [];
  }

  score(item) {
    return this.made.get(item)?.score
      ?? this.own(item).reduce((sum, [, points]) => sum + points, 0);
  }

  // By how many steps a sum is divided.
  steps(item) {
    if (!this.scaled) return 1;
    return this.partsOf(item).reduce((sum, part) => sum + this.steps(part), 1);
  }

  // All that an item was made of, itself too.
  below(item) {
    const found = new Set([item]);
    for (const one of found) this.partsOf(one).forEach((part) => found.add(part));
    return found;
  }

  // What adds up to the score of an item: name -> {value}, and item -> {value, item} for what is
  // there as a whole, since `rival` has it as well, or nothing is told of it.
  sumsOf(item, rival) {
    const shared = rival === null ? null : this.below(rival);
    const [found, steps] = [new Map(), this.steps(item)];
    const add = (key, value, more) =>
      found.set(key, { ...more, value: (found.get(key)?.value ?? 0) + value / steps });
    const walk = (one) => {
      this.own(one).forEach(([name, points]) => add(name, points, { name }));
      for (const part of this.partsOf(one)) {
        if (shared && !shared.has(part) && this.has(part)) walk(part);
        else add(part, this.score(part) * this.steps(part), { item: part });
      }
    };
    walk(item);
    foldParts(found, LANGUAGE_MODEL, /^language model\b/);
    foldParts(found, DECISIONS, /^decision of its head\b/);
    const missing = [...found.values()].reduce((rest, { value }) => rest - value, this.score(item));
    if (Math.abs(missing) > ALIKE * (1 + Math.abs(this.score(item))) * found.size)
      add("what the page does not tell", missing * steps, { name: "what the page does not tell" });
    return found;
  }

  // Both sides of each part, and the two scores.
  compare(item, rival = null) {
    const both = rival === null ? [item] : [item, rival];
    const sides = both.map((one, i) => this.sumsOf(one, both[1 - i] ?? null));
    return { ...compareParts(sides), scores: both.map((one) => this.score(one)) };
  }
}

// What n-grams say of several steps is one part, and so are the decisions of heads.
function foldParts(found, name, pattern) {
  const keys = [...found.keys()].filter((key) => pattern.test(key));
  if (keys.length < 2) return;
  const value = keys.reduce((sum, key) => sum + found.get(key).value, 0);
  keys.forEach((key) => found.delete(key));
  found.set(name, { name, value });
}

// Of each item of a search: its score, and the items that it was made of.
function madeIn(log, search) {
  const made = new Map();
  const lattice = { layer: 0, last: 0, backs: new Map(), words: 0 };
  let [now, k] = [0, 0];
  for (; k < log.length && now <= search; k += 1) {
    const kind = log.kinds[k];
    if (kind === "begin") now += 1;
    if (now !== search || !TELLS.includes(kind)) continue;
    const event = log.event(k);
    if (kind === "begin") lattice.words = event[1].length;
    else if (kind === "bigram") addBigram(made, lattice, event);
    else if (kind === "path") made.set(`path ${event[1]}`, { parts: [], score: event[2] });
    else if (kind === "constituent")
      made.set(event[1], { parts: event.slice(6).filter((part) => part), score: event[5] });
    else if (kind === "programme") made.set(kind, { parts: [], score: event[3] });
    else if (kind === "candidate") made.set(event[1], { parts: [event[2]], score: event[4] });
    else {
      const parts = kind === "edge" ? [event[2], event[3]].filter((part) => part) : [];
      made.set(event[1], { parts, score: event[5] });
    }
  }
  return made;
}

// The bigrams of a lattice by number, from 1, each after the best way to its left word.
function addBigram(made, lattice, [, left, right, , score, back]) {
  const { last, backs, words } = lattice;
  if (!made.size || right < last || (right === last && left <= lattice.left)) lattice.layer += 1;
  const { layer } = lattice;
  const item = made.size + 1;
  if (back) backs.set(`${layer} ${right}`, item);
  const before = backs.get(`${layer - (layer > 1 && right <= words)} ${left}`);
  made.set(item, { parts: before ? [before] : [], score, key: `${left} ${right}` });
  Object.assign(lattice, { last: right, left });
}

const REASONS_OF = new WeakMap();

// The reasons of a search in a log, or null; unpacked when they are first asked for.
export function reasonsIn(log, search) {
  if (!log.why?.[search]) return null;
  if (!REASONS_OF.has(log)) REASONS_OF.set(log, new Map());
  const known = REASONS_OF.get(log);
  if (!known.has(search)) known.set(search, new Reasons(log, log.why[search], search));
  return known.get(search);
}
