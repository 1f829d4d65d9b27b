// Dependency arcs over the words of a state, with their labels where it has any, from right to left
// where the words are read so; words on the stack are underlined. `lit` are places of words and of
// dependents, whose words and arcs another structure has not got.

import { readsLeft } from "./bidi.js";
import { svg, textWidth } from "./dom.js";

export function drawArcs(one, width, scale, lit = null) {
  const words = one.order.map(([unit, tag, label], place) => ({ unit, tag, label, place }));
  const wide = (word) => wordWidth([word.unit, word.tag, word.label]) * scale;
  let from = words.length;
  let room = wordsWidth(one) * scale <= width ? Infinity : width - 80 * scale;
  while (from > 0 && (room -= wide(words[from - 1])) >= 0) from -= 1;
  const middles = new Map();
  let x = from ? 70 * scale : 0;
  for (const word of words.slice(from)) {
    middles.set(word.place, x + wide(word) / 2);
    x += wide(word);
  }
  const rest = `… ${from} more`;
  const left = from ? svg("text", { x: 0, y: 0, class: "wol-quiet" }, rest) : null;
  if (readsLeft(words.map(({ unit }) => unit).join(" "))) {
    middles.forEach((middle, place) => middles.set(place, x - middle));
    left?.setAttribute("x", x - textWidth(rest) * scale);
  }
  const levels = arcLevels(one.heads);
  const hasLabels = words.some(({ label }) => label);
  const step = (hasLabels ? 20 : 15) * scale;
  const height = Math.max(0, ...levels) * step + (hasLabels ? 26 : 18) * scale;
  const texts = words
    .slice(from)
    .map((word) =>
      drawWord(word, middles.get(word.place), height, scale, [
        one.stack.includes(word.place) ? "wol-onstack" : "wol-done",
        lit?.words.has(word.place) && "wol-differs",
      ]),
    );
  const arcs = one.heads.map((head, place) =>
    middles.has(head) && middles.has(place)
      ? drawArc(
          middles.get(head),
          middles.get(place),
          height - 16 * scale,
          levels[place] * step,
          words[place].label,
          lit?.arcs.has(place),
        )
      : null,
  );
  left?.setAttribute("y", height);
  const shown = words.map((word) => word.unit).join(" ") || "no words yet";
  return [
    svg("g", { role: "img", "aria-label": `Words so far: ${shown}` }, arcs, texts, left),
    height + 18 * scale,
    middles,
  ];
}

export function wordWidth([unit, tag, label = ""]) {
  return Math.max(textWidth(unit, true), textWidth(tag), textWidth(label)) + 16;
}

// The width that all words of a state take.
export function wordsWidth({ order }) {
  return order.reduce((sum, word) => sum + wordWidth(word), 0);
}

function drawWord(word, x, y, scale, looks) {
  return svg(
    "g",
    {},
    svg(
      "text",
      { x, y, "text-anchor": "middle", class: looks.filter(Boolean).join(" ") },
      word.unit,
    ),
    svg("text", { x, y: y + 15 * scale, "text-anchor": "middle", class: "wol-quiet" }, word.tag),
  );
}

function drawArc(head, dependent, y, height, label = "", differs = false) {
  const inner = dependent + (head > dependent ? 4 : -4);
  const outer = head + (head > dependent ? -3 : 3);
  return svg(
    "g",
    differs ? { class: "wol-differs" } : {},
    svg("path", {
      class: "wol-arc",
      d: `M${outer} ${y}C${outer} ${y - height * 1.25} ${inner} ${y - height * 1.25} ${inner} ${y}`,
    }),
    svg("path", { class: "wol-arrow", d: `M${inner} ${y + 2}l-3.5 -7h7z` }),
    label
      ? svg("text", {
          x: (outer + inner) / 2, y: y - 0.94 * height - 3, "text-anchor": "middle",
          class: "wol-quiet",
        }, label)
      : null,
  );
}

// How high an arc must be to pass over those inside it.
function arcLevels(heads) {
  const levels = heads.map(() => 0);
  const arcs = heads.flatMap((head, place) =>
    head < 0 ? [] : [{ place, low: Math.min(head, place), high: Math.max(head, place) }],
  );
  arcs.sort((a, b) => a.high - a.low - (b.high - b.low) || a.place - b.place);
  for (const arc of arcs) {
    const inside = arcs
      .filter((one) => one !== arc && one.low >= arc.low && one.high <= arc.high)
      .map((one) => levels[one.place]);
    levels[arc.place] = 1 + Math.max(0, ...inside);
  }
  return levels;
}
