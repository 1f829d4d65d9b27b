// Texts, paths and boxes: what the bars and the map of the span-length view are drawn with.

import { svg } from "../player/dom.js";
import { paragraph, round1 } from "../player/pictures.js";

export const SPAN_INK = "var(--wol-ink)";
export const SPAN_MARGIN = 4.2; // letters before a plot: its axis and what is measured

// Whether the spans are edges of a best-first search, so that there are pops and no steps.
export function spansOfEdges(state) {
  return state.edges.length > 0;
}

export function spanText(sheet, x, y, text, more = {}) {
  const node = svg("text", { x: round1(x), y: round1(y), fill: SPAN_INK, ...more }, String(text));
  sheet.nodes.push(node);
  return node;
}

export function spanPath(sheet, d, more) {
  if (d) sheet.nodes.push(svg("path", { d, fill: "none", ...more }));
}

export function spanBox(x, y, width, height) {
  return `M${round1(x)} ${round1(y)}h${round1(width)}v${round1(height)}h${-round1(width)}z`;
}

export function spanTitle(sheet, title) {
  const { font, left, right } = sheet;
  const from = left - SPAN_MARGIN * font;
  const [said, last] = paragraph(title, from, sheet.y + 2 * font, right - from, font / 12,
    { class: "wol-title", fill: SPAN_INK });
  sheet.nodes.push(...said);
  sheet.y = last;
}

// Counts by length, from 1 on, in so many groups; the last group takes what is longer.
export function spanGroups(counts, groups) {
  const grouped = new Array(groups).fill(0);
  counts.forEach((count, length) => {
    if (length > 0) grouped[Math.min(length, groups) - 1] += count;
  });
  return grouped;
}

export function within(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
