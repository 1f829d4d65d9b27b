// CCG derivations as linguists draw them: words on top, a line for every step with the rule's sign
// at its right end, the category below. Where there is not room for all, inner phrases are folded:
// their words stand on one line, dashed, and what was built last is still seen.

import { drawArcs, wordsWidth } from "../player/arcs.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { edgeText, quotedEdge, ruleOf, ruleText, sayEdge, sayJoin } from "./edges.js";
import { edgeOf, wordsOf } from "./search.js";

const STEP = { top: 12, height: 32, gap: 12, stub: 14, folded: 110 };

// The drawing as an element, its height and its width. `press` gives the attributes of a step that
// can be pressed; without it the drawing is one image. `lit` says of an edge whether its step is.
export function drawDerivation(state, serial, width, scale, press = null, lit = null) {
  const tree = fittingTree(state, serial, width / scale - 2);
  const drawn = [];
  placeStep(tree, 1, (node, x) => drawn.push(drawStep(state, node, x, scale, press, lit)));
  const said = `Derivation of ${quotedEdge(state, serial)}: ${sayDerivation(state, serial)}`;
  return [
    svg("g", { role: press ? "group" : "img", "aria-label": said, class: "wol-derivation" }, drawn),
    (STEP.top + 28 + STEP.height * tree.level) * scale,
    (tree.width + 2) * scale,
  ];
}

// What an edge was built of, in the way of its grammar: a derivation, or arcs over its words.
// `lit` is what drawDerivation or drawArcs takes.
export function drawEdgeTree(state, serial, width, scale, lit = null) {
  if (edgeOf(state, serial).category)
    return drawDerivation(state, serial, width, scale, null, lit);
  return drawArcs({ ...wordsOf(state, serial), stack: [] }, width, scale, lit);
}

// How wide the whole of it is.
export function edgeTreeWidth(state, serial, scale) {
  return edgeOf(state, serial).category
    ? derivationWidth(state, serial, scale)
    : wordsWidth(wordsOf(state, serial)) * scale;
}

function derivationWidth(state, serial, scale) {
  return (stepTree(state, serial).width + 2) * scale;
}

// The last step, for those who hear the picture.
function sayDerivation(state, serial) {
  const edge = edgeOf(state, serial);
  if (!edge.left) return `a leaf with category ${edge.category}`;
  const parts = [edge.left, edge.right]
    .filter((part) => part)
    .map((part) => edgeOf(state, part).category);
  return `${parts.join(" and ")} become ${edge.category} by ${ruleText(edge)}`;
}

// The tree with as few phrases folded as the width asks for: from the root on, what fits is opened.
function fittingTree(state, serial, width) {
  const open = new Set();
  let tree = stepTree(state, serial, open);
  const phrases = [serial];
  for (const one of phrases) {
    const { left, right } = edgeOf(state, one);
    if (!left) continue;
    const wider = stepTree(state, serial, open.add(one));
    if (wider.width > width) open.delete(one);
    else {
      tree = wider;
      phrases.push(...[left, right].filter((part) => part));
    }
  }
  return tree.width <= width ? tree : { ...tree, width };
}

// A node: its edge, its parts, how wide it is, and how many lines stand above its own. Phrases that
// are not `open` are folded; by default none is.
function stepTree(state, serial, open = null) {
  const edge = edgeOf(state, serial);
  const folded = Boolean(edge.left && open && !open.has(serial));
  const parts = folded
    ? []
    : [edge.left, edge.right].filter((part) => part).map((part) => stepTree(state, part, open));
  const label = textWidth(stepLabel(edge));
  const words = parts.length ? "" : edgeText(state, serial);
  const above = parts.length ? besideWidth(parts) : textWidth(words);
  const sign = edge.left && !folded ? textWidth(ruleOf(edge).sign) + 2 : 0;
  const shown = folded ? Math.min(above, Math.max(label, STEP.folded)) : above;
  return {
    edge,
    parts,
    words,
    folded,
    sign,
    width: Math.max(shown, label, STEP.stub + sign),
    level: parts.length ? 1 + Math.max(...parts.map((part) => part.level)) : 0,
  };
}

function stepLabel({ gold, category }) {
  return `${gold === 1 ? "★ " : ""}${category}`;
}

function besideWidth(parts) {
  return parts.reduce((sum, part) => sum + part.width, STEP.gap * (parts.length - 1));
}

// Give every node its left edge; the parts stand in the middle above their line.
function placeStep(node, x, place) {
  let left = x + (node.width - besideWidth(node.parts)) / 2;
  for (const part of node.parts) {
    placeStep(part, left, place);
    left += part.width + STEP.gap;
  }
  place(node, x);
}

function drawStep(state, { edge, parts, words, folded, sign, width, level }, x, scale, press, lit) {
  const middle = (x + width / 2) * scale;
  const y = (STEP.top + 6 + STEP.height * level) * scale;
  const end = x + width - sign;
  const text = (words, more) => svg("text", { "text-anchor": "middle", ...more }, words);
  const out =
    press && ["agenda", "out"].includes(state.places[edge.serial - 1]) ? " wol-quiet" : "";
  const top = parts.length ? y - 9 * scale : 0; // the frame goes around the sign, and around a word
  return svg("g",
    { class: lit?.(edge) ? "wol-step wol-differs" : "wol-step", ...(press?.(edge) ?? {}) },
    svg("title", {},
      `${sayEdge(state, edge.serial)}${edge.left ? `, ${sayJoin(edge)}` : `, tag ${edge.pos}`}`),
    press
      ? svg("rect", {
          x: (x - 2) * scale,
          y: top,
          width: (width + 4) * scale,
          height: y + 20 * scale - top,
          rx: 3,
        })
      : null,
    parts.length
      ? null
      : text(clip(words, width), {
          x: middle,
          y: STEP.top * scale,
          class: folded ? "wol-quiet" : "",
        }),
    svg("path", {
      class: folded ? "wol-line wol-folded" : "wol-line",
      d: `M${round1(x * scale)} ${y}H${round1(end * scale)}`,
    }),
    sign
      ? text(ruleOf(edge).sign, {
          x: round1((end + 1 + sign / 2) * scale),
          y: y + 3 * scale,
          class: "wol-sign-of-rule",
        })
      : null,
    text(clip(stepLabel(edge), width), {
      x: round1(middle),
      y: y + 15 * scale,
      class: `wol-category${out}`,
    }));
}
