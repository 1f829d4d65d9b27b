// Rules in text, as structures/synchronous_rule.py writes them: `<S, VP> -> <[S NP_eps VP_1],
// VP_1>`. A node is {label, index, children}: index -1 of one with children, 0 of one that is
// deleted, else the number of a variable. Words are plain strings. A backslash takes the meaning
// from what follows it.

const RULES_READ = new Map();

// The rule of a text, {source, target, categories (of the variables)}; null where it is none.
export function ruleRead(text) {
  if (!RULES_READ.has(text)) RULES_READ.set(text, readRule(text));
  return RULES_READ.get(text);
}

function readRule(text) {
  try {
    const tokens = ruleTokens(text);
    const roots = [
      expectToken(tokens, "<"), tokens.shift(), expectToken(tokens, ","), tokens.shift(),
      expectToken(tokens, ">"),
    ];
    for (const one of ["-", ">", "<"]) expectToken(tokens, one);
    const source = readFragment(tokens);
    expectToken(tokens, ",");
    const target = readFragment(tokens);
    expectToken(tokens, ">");
    const right =
      !tokens.length &&
      isRule(source, target) &&
      source.label === unescapeName(roots[1]) &&
      target.label === unescapeName(roots[3]);
    return right
      ? {
          ...renumbered(source, target),
          categories: frontierNodes(target).map(({ label }) => label),
        }
      : null;
  } catch (error) {
    if (error instanceof RuleError) return null;
    throw error;
  }
}

class RuleError extends Error {}

function ruleTokens(text) {
  const one = /\s*(?:([[\]<>,])|((?:\\.|[^\\[\]<>,\s])+))|\s+$/suy;
  const tokens = [];
  while (one.lastIndex < text.length) {
    const match = one.exec(text);
    if (!match) throw new RuleError("a backslash before nothing");
    if (match[1] ?? match[2]) tokens.push(match[1] ?? match[2]);
  }
  return tokens;
}

function expectToken(tokens, wanted) {
  if (tokens.shift() !== wanted) throw new RuleError(`${wanted} is expected`);
}

function readFragment(tokens) {
  const first = tokens.shift();
  if (first === "[") {
    const label = readName(tokens.shift() ?? "", /^((?:\\.|[^\\])+)$/su)[0];
    const children = [];
    while (tokens[0] !== "]") children.push(readFragment(tokens));
    tokens.shift();
    if (!children.length) throw new RuleError("a node without children has an index");
    return { label, index: -1, children };
  }
  const [name, index] = readName(first ?? "", /^((?:\\.|[^\\_])+)(?:_(eps|[1-9]\d*))?$/su);
  return index === undefined
    ? name
    : { label: name, index: index === "eps" ? 0 : Number(index), children: [] };
}

function readName(token, pattern) {
  const match = /^[[\]<>,]?$/.test(token) ? null : pattern.exec(token);
  if (!match) throw new RuleError("a name is expected");
  return [unescapeName(match[1]), match[2]];
}

function unescapeName(text) {
  return (text ?? "").replace(/\\(.)/gsu, "$1");
}

// The nodes without children from left to right.
export function frontierNodes(node) {
  if (typeof node === "string") return [];
  return node.index >= 0 ? [node] : node.children.flatMap(frontierNodes);
}

// Both sides are trees with the same variables, each once; words have nodes of their own; and
// nothing is inserted.
function isRule(source, target) {
  if (
    typeof source === "string" ||
    typeof target === "string" ||
    source.index >= 0 ||
    hasBareWords(source) ||
    hasBareWords(target)
  )
    return false;
  const [there, here] = [source, target].map((side) =>
    frontierNodes(side).map(({ index }) => index),
  );
  const sorted = (indices) => indices.sort((a, b) => a - b).join(" ");
  return (
    !here.includes(0) &&
    new Set(here).size === here.length &&
    sorted(there.filter((index) => index > 0)) === sorted(here)
  );
}

function hasBareWords({ children }) {
  return children.some((child) =>
    typeof child === "string" ? children.length > 1 : hasBareWords(child),
  );
}

// Variables have their numbers in the order of the target.
function renumbered(source, target) {
  const numbers = new Map(frontierNodes(target).map(({ index }, i) => [index, i + 1]));
  const again = (node) =>
    typeof node === "string"
      ? node
      : {
          ...node,
          index: numbers.get(node.index) ?? node.index,
          children: node.children.map(again),
        };
  return { source: again(source), target: again(target) };
}

// Which nodes of the source tree the source side of a rule stands on: a map from the fragment's
// nodes.
export function matchedNodes(state, node, fragment, found = new Map()) {
  found.set(fragment, node);
  const below = kidsOf(state.source)[node] ?? [];
  const children = fragment.children.filter((child) => typeof child !== "string");
  children.forEach(
    (child, i) => below[i] !== undefined && matchedNodes(state, below[i], child, found),
  );
  return found;
}

const KIDS = new WeakMap();

// The children of every source node, from left to right. In post-order a parent comes after them.
export function kidsOf(source) {
  if (!source) return [];
  if (!KIDS.has(source)) {
    const kids = source.labels.map(() => []);
    source.parents.forEach((parent, node) => parent > node && kids[parent]?.push(node));
    KIDS.set(source, kids);
  }
  return KIDS.get(source);
}
