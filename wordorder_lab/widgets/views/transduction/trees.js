// Phrase structure trees, drawn from the root down. A node is {label, kids} or {label, word}, and
// what is to be seen of it: chip (the number of a variable), struck (deleted), look (classes),
// press (attributes of a node that can be pressed). Where there is not room for all, phrases are
// folded: their words stand on one line below a triangle.

import { clip, svg, textWidth } from "../player/dom.js";
import { chipOf, round1 } from "../player/pictures.js";
import { treeWords } from "./items.js";

const PHRASE = { level: 32, gap: 9, foot: 36, folded: 96, chip: 17 };

// The tree as an element, its height and its width. `first` holds nodes that are opened before
// others.
export function drawPhrase(tree, width, scale, first = new Set()) {
  const laid = fittingPhrase(tree, width / scale - 2, first);
  const [lines, nodes] = [[], []];
  placePhrase(laid, 1, 0, { lines, nodes, scale });
  const drawn = [svg("path", { d: lines.join(""), class: "wol-branch" }), ...nodes];
  return [
    svg("g", { class: "wol-tree", style: `font-size: ${12 * scale}px` }, drawn),
    (PHRASE.level * laid.level + PHRASE.foot) * scale,
    (laid.width + 2) * scale,
  ];
}

// From the root on, what fits is opened; nodes of `first` come before others.
function fittingPhrase(tree, width, first) {
  const whole = layPhrase(tree);
  if (whole.width <= width) return whole;
  const open = new Set();
  let laid = layPhrase(tree, open);
  const waiting = [tree];
  while (waiting.length) {
    const [node] = waiting.splice(Math.max(0, waiting.findIndex((one) => first.has(one))), 1);
    const kids = phraseKids(node);
    if (!kids.length) continue;
    const wider = layPhrase(tree, open.add(node));
    if (wider.width > width && !first.has(node)) open.delete(node);
    else {
      laid = wider;
      waiting.push(...kids);
    }
  }
  return laid;
}

// The nodes below one, without words.
function phraseKids(node) {
  return (node.kids ?? []).filter((kid) => kid.word === undefined || kid.label !== undefined);
}

// A word alone stands with its preterminal.
function ownWord(node) {
  const [kid] = node.kids ?? [];
  return (
    node.word ??
    (node.kids?.length === 1 && kid.word !== undefined && kid.label === undefined ? kid.word : "")
  );
}

// A node with its parts, how wide it is, and how many levels there are below it. Nodes that are not
// `open` are folded; by default none is.
export function layPhrase(node, open = null) {
  const word = ownWord(node);
  const folded = Boolean(!word && node.kids?.length && open && !open.has(node));
  const parts =
    word || folded
      ? []
      : (node.kids ?? []).map((kid) =>
          kid.label === undefined ? layWord(kid) : layPhrase(kid, open),
        );
  const words = folded ? treeWords(node).join(" ") : word;
  const label = textWidth(labelText(node), true) + (node.chip ? PHRASE.chip : 0) + 4;
  const below = parts.length
    ? parts.reduce((sum, part) => sum + part.width, PHRASE.gap * (parts.length - 1))
    : textWidth(words);
  const shown = folded ? Math.min(below, Math.max(label, PHRASE.folded)) : below;
  return {
    node,
    parts,
    words,
    folded,
    width: Math.max(shown, label),
    level: parts.length ? 1 + Math.max(...parts.map((part) => part.level)) : 0,
  };
}

// A word beside others below one node: it hangs where their labels stand.
function layWord(kid) {
  return {
    node: { label: "", bare: kid.word },
    parts: [],
    words: "",
    folded: false,
    width: textWidth(kid.word),
    level: 0,
  };
}

function labelText(node) {
  return node.struck === "here" ? `${node.label} ε` : node.label;
}

function placePhrase(laid, x, level, sheet) {
  const { lines, nodes, scale } = sheet;
  const [middle, y] = [(x + laid.width / 2) * scale, level * PHRASE.level * scale];
  const inner = laid.parts.reduce(
    (sum, part) => sum + part.width,
    PHRASE.gap * (laid.parts.length - 1),
  );
  let left = x + (laid.width - inner) / 2;
  for (const part of laid.parts) {
    const to = (left + part.width / 2) * scale;
    lines.push(
      `M${round1(middle)} ${round1(y + 18 * scale)}L${round1(to)} ` +
        `${round1(y + (PHRASE.level + 1) * scale)}`,
    );
    placePhrase(part, left, level + 1, sheet);
    left += part.width + PHRASE.gap;
  }
  nodes.push(drawPhraseNode(laid, middle, y, scale));
}

function drawPhraseNode({ node, words, folded, width }, middle, y, scale) {
  if (node.bare !== undefined)
    return svg(
      "text",
      { x: round1(middle), y: y + 14 * scale, "text-anchor": "middle" },
      node.bare,
    );
  const text = labelText(node);
  const wide = (textWidth(text, true) + (node.chip ? PHRASE.chip : 0)) * scale;
  const struck = node.struck ? " wol-struck" : "";
  const below = y + 30 * scale;
  const press = node.press ?? {};
  return svg("g", { ...press, class: `wol-node ${node.look ?? ""}` },
    folded ? svg("title", {}, words) : null,
    svg("rect", {
      x: round1(middle - wide / 2 - 3 * scale),
      y: y + scale,
      width: round1(wide + 6 * scale),
      height: 17 * scale,
      rx: 4,
    }),
    svg(
      "text",
      { x: round1(middle - wide / 2), y: y + 14 * scale, class: `wol-label-of${struck}` },
      text,
    ),
    node.chip ? chipOf(node.chip, middle + wide / 2 - 7 * scale, y + 9.5 * scale, scale) : null,
    folded
      ? svg("path", {
          d:
            `M${round1(middle)} ${y + 18 * scale}l${-0.5 * Math.min(60, width) * scale} ` +
            `${5 * scale}h${Math.min(60, width) * scale}z`,
          class: "wol-branch",
        })
      : null,
    words
      ? svg(
          "text",
          {
            x: round1(middle),
            y: below + (folded ? 3 * scale : 0),
            "text-anchor": "middle",
            class: `wol-word${struck}${folded ? " wol-quiet" : ""}`,
          },
          folded ? clip(words, width) : words,
        )
      : null,
  );
}

// A fragment of a rule as a tree: variables with their chips, what is deleted with ε.
export function fragmentTree(fragment) {
  if (typeof fragment === "string") return { word: fragment };
  if (fragment.index > 0) return { label: fragment.label, kids: [], chip: fragment.index };
  if (fragment.index === 0) return { label: fragment.label, kids: [], struck: "here" };
  return { label: fragment.label, kids: fragment.children.map(fragmentTree) };
}
