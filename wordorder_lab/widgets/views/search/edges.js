// What edges are called: by their words, and those of a CCG by their categories and the rules that
// made them, too.

import { arcsApart } from "../player/arcs.js";
import { edgeOf, wordsOf } from "./search.js";

// Whether a search is on CCG edges. Its leaves have lexical categories; dependencies have none.
export function isCcg({ edges: [first] }) {
  return Boolean(first?.category);
}

const RULE_NAMES = {
  ">": "forward application",
  "<": "backward application",
  ">B": "forward composition",
  "<B": "backward composition",
  "<B×": "backward crossed composition",
  ">B²": "forward composition, two arguments deep",
  "<B²": "backward composition, two arguments deep",
  "<B×²": "backward crossed composition, two arguments deep",
  Φ: "coordination",
  p: "punctuation",
  ">T": "forward type-raising",
  "<T": "backward type-raising",
  tc: "type-changing",
  "?": "a rule that has no name, but was seen",
};

// The action of an edge: the rule's sign, and which of two parts brings the head ("" of one part).
export function ruleOf({ action }) {
  const [, sign, side] = /^(.*?)(?: (HeadLeft|HeadRight))?$/s.exec(action);
  return { sign, side: side ?? "" };
}

export function ruleText(edge) {
  const { sign } = ruleOf(edge);
  return RULE_NAMES[sign] ? `${sign} (${RULE_NAMES[sign]})` : sign;
}

const HEAD_SIDES = { HeadLeft: "the head on the left", HeadRight: "the head on the right" };

// What a leaf is beside its word: its tag, in CCG its category first.
export function leafKind({ category, pos, chance }) {
  const sure = chanceText(chance);
  return category ? `with category ${category}${sure} (tag ${pos})` : `with tag ${pos}`;
}

// The probability that a supertagger gave a leaf's category, if one did.
export function chanceText(chance) {
  return chance >= 0 ? ` · p ${chance.toPrecision(2)}` : "";
}

// How two parts were joined, or what became of one.
export function sayJoin(edge) {
  if (!edge.category) return HEAD_SIDES[edge.action] ?? edge.action;
  const { side } = ruleOf(edge);
  return `by ${ruleText(edge)}${side ? `, ${HEAD_SIDES[side]}` : ""}`;
}

// The words of an edge, in CCG with its category behind them.
export function edgeName(state, serial) {
  const category = edgeOf(state, serial)?.category;
  return category ? `${edgeText(state, serial)} · ${category}` : edgeText(state, serial);
}

// The same with the words in quotation marks.
export function quotedEdge(state, serial) {
  const category = edgeOf(state, serial)?.category;
  return `“${edgeText(state, serial)}”${category ? ` · ${category}` : ""}`;
}

// An edge where there is little room: what stands last may be cut.
export function briefEdge(state, serial) {
  const category = edgeOf(state, serial)?.category;
  return `edge ${serial}${category ? ` · ${category} ·` : ""} “${edgeText(state, serial)}”`;
}

export function edgeText(state, serial) {
  return (
    wordsOf(state, serial)
      .order.map(([unit]) => unit)
      .join(" ") || "an edge that is not in the log"
  );
}

// An edge as a sentence names it: its number and its words, in CCG its category too.
export function sayEdge(state, serial) {
  return `edge ${serial} ${quotedEdge(state, serial)}`;
}

// Where the head stands in the words of an edge, in letters; null of a single word.
export function headSpan(state, serial) {
  const { order, heads } = edgeWords(state, serial);
  if (order.length < 2) return null;
  const head = heads.indexOf(-1);
  const units = order.map(([unit]) => unit);
  const from = units.slice(0, head).join(" ").length + (head ? 1 : 0);
  return { from, length: units[head].length };
}

// Edges that are looked at beside each other, as items to fold: behind the words, with the head
// marked, stands what tells an edge from another one that reads alike: its arcs, or its parts.
export function edgesToFold(state, serials, nameOf = edgeName, before = () => "") {
  const all = serials.map((serial) => {
    const [sign, span] = [before(serial), headSpan(state, serial)];
    const marks = span ? [{ from: sign.length + span.from, length: span.length }] : [];
    const key = `${edgeName(state, serial)}\n${span?.from}`;
    return { serial, text: sign + nameOf(state, serial), marks, key, ...edgeWords(state, serial) };
  });
  const apart = arcsApart(all);
  const twins = all.map(({ key }, i) => all.some((other, j) =>
    j !== i && other.key === key && apart[j] === apart[i]));
  return all.map(({ serial, text, marks }, i) => {
    const { left, right } = edgeOf(state, serial) ?? {};
    const parts = twins[i] && left ? `of ${left}${right ? ` + ${right}` : ""}` : "";
    const more = [apart[i], parts].filter(Boolean).join(" · ");
    return { text: more ? `${text} (${more})` : text, marks };
  });
}

const EDGE_WORDS = new WeakMap();

// The words of an edge with their heads, remembered: an edge never changes.
export function edgeWords(state, serial) {
  const edge = edgeOf(state, serial);
  const words = EDGE_WORDS.get(edge) ?? wordsOf(state, serial);
  if (edge) EDGE_WORDS.set(edge, words);
  return words;
}
