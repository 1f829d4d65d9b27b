// What becomes of every word of the source: kept, moved, replaced, crossed out. A derivation is
// {told, rule, below}: an application, and what fills its variables; null where that is not known.

import { plural } from "../player/words.js";
import { itemOf, nodesBelow, sidesOf } from "./items.js";
import { kidsOf, matchedNodes, ruleRead } from "./rules.js";

// From applications in pre-order, as outputs have them.
export function madeByApplications(state, applications) {
  const ahead = applications.slice();
  const build = () => {
    const told = state.applications[ahead.shift()];
    return told ? { told, rule: ruleRead(told.rule), below: told.children.map(build) } : null;
  };
  return build();
}

// From the texts of rules in pre-order, as a model answers: where each stands follows from the
// tree. Null where they do not fit the tree.
export function madeByRules(state, texts) {
  const ahead = texts.slice();
  const build = (node) => {
    const rule = node === undefined ? null : ruleRead(ahead.shift() ?? "");
    if (!rule || state.source?.labels[node] !== rule.source.label) return null;
    const [children, deleted] = [[], []];
    matchedNodes(state, node, rule.source).forEach((place, { index }) => {
      if (index > 0) children[index - 1] = place;
      if (index === 0) deleted.push(place);
    });
    const below = children.map(build);
    return below.includes(null) ? null : { told: { node, children, deleted }, rule, below };
  };
  const made = build((state.source?.labels.length ?? 0) - 1);
  return ahead.length ? null : made;
}

export function madeByItem(state, item) {
  const book = itemOf(state, item);
  if (!book) return null;
  const told = state.applications[book.application];
  const below = book.parts.map((part) => madeByItem(state, part));
  return told ? { told, rule: ruleRead(told.rule), below } : null;
}

export function madeByCombination(state, { application, ranks }) {
  const told = state.applications[application];
  const sides = sidesOf(state, application);
  const below = ranks.map((rank, k) => madeByItem(state, sides[k]?.[rank]));
  return told ? { told, rule: ruleRead(told.rule), below } : null;
}

// Whether words were only left out: that the line of the sentence tells already.
export function onlyShorter(state, made) {
  return fatesOf(state, made).words.every(({ leaf, same, moved }) => leaf >= 0 && same && !moved);
}

// `leaves`: every source word with its fate (kept, replaced, out; away: not below this node).
// `words`: every word of the target with the leaf that it comes from (-1: from none), and whether
// it has moved.
export function fatesOf(state, made) {
  const kids = kidsOf(state.source);
  const nodes = [...kids.keys()].filter((node) => !kids[node].length && state.source.words[node]);
  const places = new Map(nodes.map((node, i) => [node, i]));
  const words = made ? wordsMade(state, made, places) : [];
  const inside = made ? nodesBelow(state.source, made.told.node) : new Set();
  const leaves = nodes.map((node) => ({
    node, word: state.source.words[node], fate: inside.has(node) ? "out" : "away",
  }));
  words.forEach(({ leaf, same }) => leaf >= 0 && (leaves[leaf].fate = same ? "kept" : "replaced"));
  const still = longestRising(words.map(({ leaf }) => leaf));
  const moved = (one, i) => one.leaf >= 0 && !still.has(i);
  return { leaves, words: words.map((one, i) => ({ ...one, moved: moved(one, i) })) };
}

// Which words go, those that follow each other together, and how many are others or elsewhere.
export function sayFates(state, made) {
  const { leaves, words } = fatesOf(state, made);
  const gone = [];
  leaves.forEach(({ fate, word }, i) => {
    if (fate !== "out") return;
    if (leaves[i - 1]?.fate === "out") gone.at(-1).push(word);
    else gone.push([word]);
  });
  const told = gone.map((run) => `“${run.join(" ")}”`);
  const count = gone.flat().length;
  const changed = words.filter(({ same }) => !same).length;
  const moved = words.filter((one) => one.same && one.moved).length;
  return [
    count ? `${plural(count, "word")} ${count === 1 ? "goes" : "go"}: ${told.join(", ")}`
      : "No word goes",
    changed ? `${plural(changed, "word")} ${changed === 1 ? "is" : "are"} new` : "",
    moved ? `${plural(moved, "word")} ${moved === 1 ? "stands" : "stand"} elsewhere` : "",
  ].filter(Boolean).join("; ");
}

// What a rule does in a few words: which parts of its source it drops, and which go on.
export function sayRuleFates(rule) {
  const over = wordsIn(rule.target);
  const dropped = [];
  const parts = [];
  const walk = (one) => {
    if (typeof one === "string") {
      const place = over.indexOf(one);
      if (place < 0) dropped.push(`“${one}”`);
      else over.splice(place, 1);
    } else if (one.index === 0) dropped.push(one.label);
    else if (one.index > 0) parts.push(one.index);
    else one.children.forEach(walk);
  };
  walk(rule.source);
  const fresh = over.map((word) => `“${word}”`);
  return [
    dropped.length ? `drops ${dropped.join(", ")}` : "drops nothing",
    fresh.length ? `writes ${fresh.join(", ")}` : "",
    parts.length ? `${parts.sort((a, b) => a - b).join(", ")} by rules of their own` : "",
  ].filter(Boolean).join("; ");
}

// The words of a target from left to right. A word of a rule comes from the same word on its other
// side; else from one that is left over there.
function wordsMade(state, { told, rule, below }, places) {
  if (!rule) return [{ word: "?", leaf: -1, same: false }];
  const over = [];
  matchedNodes(state, told.node, rule.source).forEach((place, { children }) => {
    if (typeof children[0] === "string") over.push({ place, word: children[0].toLowerCase() });
  });
  const wanted = wordsIn(rule.target).map((word) => word.toLowerCase());
  const sources = wanted.map((word) => takeOut(over, (one) => one.word === word));
  const own = sources.map((same) => ({ same: Boolean(same), from: same ?? over.shift() }));
  const made = (node) => {
    if (typeof node === "string") {
      const { same, from } = own.shift();
      return [{ word: node, leaf: places.get(from?.place) ?? -1, same }];
    }
    if (node.index < 0) return node.children.flatMap(made);
    const part = below[node.index - 1];
    return part ? wordsMade(state, part, places) : [{ word: "?", leaf: -1, same: false }];
  };
  return made(rule.target);
}

function wordsIn(fragment) {
  return typeof fragment === "string" ? [fragment] : fragment.children.flatMap(wordsIn);
}

function takeOut(list, suits) {
  const place = list.findIndex(suits);
  return place < 0 ? undefined : list.splice(place, 1)[0];
}

// The places of a longest rising subsequence, without numbers below zero: words that stay in order.
function longestRising(leafPlaces) {
  const runs = [];
  leafPlaces.forEach((leaf, i) => {
    let [size, before] = [leaf < 0 ? 0 : 1, -1];
    for (let j = 0; j < i && leaf >= 0; j += 1)
      if (leafPlaces[j] >= 0 && leafPlaces[j] < leaf && runs[j].size >= size)
        [size, before] = [runs[j].size + 1, j];
    runs.push({ size, before });
  });
  const most = Math.max(0, ...runs.map(({ size }) => size));
  const still = new Set();
  let at = most ? runs.findIndex(({ size }) => size === most) : -1;
  for (; at >= 0; at = runs[at].before) still.add(at);
  return still;
}
