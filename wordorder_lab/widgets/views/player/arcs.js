// Dependency arcs over the words of a state, with their labels where it has any, from right to left
// where the words are read so; words on the stack are underlined. `lit` are places of words and of
// dependents, whose words and arcs another structure has not got.

import { readsLeft } from "./bidi.js";
import { sayWhole, svg, textWidth } from "./dom.js";
import { keptParts, nearestFirst } from "./folding.js";

const ARCS_HIGH = 60; // pixels of arcs without labels, if not told: many lie closer

export function drawArcs(one, width, scale, lit = null, high = ARCS_HIGH) {
  const words = one.order.map(([unit, tag, label], place) => ({ unit, tag, label, place }));
  const shown = shownWords(one, words, width, scale, lit);
  const middles = new Map();
  const gaps = [];
  let x = 0;
  words.forEach((word, i) => {
    if (shown.has(i)) middles.set(i, x + widthOfWord(word) * scale / 2);
    else if (!i || shown.has(i - 1)) gaps.push({ from: i, x, end: i });
    else return (gaps.at(-1).end = i);
    x += (shown.has(i) ? widthOfWord(word) : GAP) * scale;
    return null;
  });
  const leftward = readsLeft(words.map(({ unit }) => unit).join(" "));
  if (leftward) middles.forEach((middle, place) => middles.set(place, x - middle));
  const levels = arcLevels(one.heads);
  const hasLabels = words.some(({ label }) => label);
  const most = Math.max(1, ...levels);
  const step = (hasLabels ? 20 : Math.min(15, high / most)) * scale;
  const height = (levels.some(Boolean) ? most * step : 0) + (hasLabels ? 26 : 18) * scale;
  const texts = words.filter(({ place }) => shown.has(place)).map((word) =>
    drawWord(word, middles.get(word.place), height, scale, [
      one.stack.includes(word.place) ? "wol-onstack" : "wol-done",
      lit?.words.has(word.place) && "wol-differs",
    ]));
  const folded = gaps.map(({ from, x: left, end }) => sayWhole(
    svg("text", { x: leftward ? x - left : left, y: height, class: "wol-quiet",
      "text-anchor": leftward ? "end" : "start" }, `… ${end + 1 - from} more`),
    words.slice(from, end + 1).map(({ unit }) => unit).join(" ")));
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
  const said = words.map((word) => word.unit).join(" ") || "no words yet";
  return [
    svg("g", { role: "img", "aria-label": `Words so far: ${said}` }, arcs, texts, folded),
    height + 18 * scale,
    middles,
  ];
}

const GAP = 70; // of words that are folded

// All words, or those that fit: what is lit first, then what stands near it, near the top of the
// stack, or near the end.
function shownWords(one, words, width, scale, lit) {
  if (wordsWidth(one) * scale <= width) return new Set(words.keys());
  const ends = [...(lit?.arcs ?? [])].flatMap((place) => [place, one.heads[place]]);
  const apart = new Set([...(lit?.words ?? []), ...ends].filter((place) => place >= 0));
  const near = nearestFirst(words.length, [...apart, ...one.stack.slice(-1), words.length - 1]);
  const order = [...near.filter((i) => apart.has(i)), ...near.filter((i) => !apart.has(i))];
  return keptParts(order, 1, (kept) => {
    let room = width / scale;
    words.forEach((word, i) => {
      if (kept.has(i)) room -= widthOfWord(word);
      else if (!i || kept.has(i - 1)) room -= GAP;
    });
    return room >= 0;
  });
}

function widthOfWord({ unit, tag, label }) {
  return wordWidth([unit, tag, label]);
}

// Of states and edges that read alike (by `key`), the arcs in which each differs from the first of
// them, the first from the second, and the tags; "" of all others.
export function arcsApart(all) {
  const groups = new Map();
  for (const one of all) groups.set(one.key, [...(groups.get(one.key) ?? []), one]);
  return all.map((one) => {
    const { order, heads } = one;
    const [first, second] = groups.get(one.key);
    const other = one === first ? second : first;
    return !other ? "" : order.flatMap(([unit, tag], place) =>
      heads[place] !== other.heads[place] ? [`${order[heads[place]]?.[0] ?? "no head"} → ${unit}`]
        : tag !== other.order[place]?.[1] ? [`${unit}/${tag}`] : []).join(" · ");
  });
}

export function wordWidth([unit, tag, label = ""]) {
  return Math.max(textWidth(unit, true), textWidth(tag), textWidth(label)) + 16;
}

// The width that all units of a bag take, each in its widest form.
export function bagWidth(forms, counts) {
  return forms.reduce((sum, all, i) =>
    sum + counts[i] * Math.max(...all.map((unit) => wordWidth([unit, "VBZ"]))), 0);
}

// The width that all words of a state take.
export function wordsWidth({ order }) {
  return order.reduce((sum, word) => sum + wordWidth(word), 0);
}

function drawWord(word, x, y, scale, looks) {
  return svg("g", {},
    svg("text", { x, y, "text-anchor": "middle", class: looks.filter(Boolean).join(" ") },
      word.unit),
    svg("text", { x, y: y + 15 * scale, "text-anchor": "middle", class: "wol-quiet" }, word.tag));
}

function drawArc(head, dependent, y, height, label = "", differs = false) {
  const inner = dependent + (head > dependent ? 4 : -4);
  const outer = head + (head > dependent ? -3 : 3);
  return svg("g", differs ? { class: "wol-differs" } : {},
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
      : null);
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
