// The chart as a triangle: words below, and above them a cell for every run of words, the longest
// at the top.

import { clip, svg, textWidth } from "../player/dom.js";
import { choosable, round1 } from "../player/pictures.js";
import { number } from "../player/words.js";
import { lineUps, onLines } from "../sentences/lines.js";
import {
  cellNumber, cellOver, chartItem, countOut, plainLabel, topItem, wordsOver,
} from "./look.js";

const TRIANGLE = { tall: 380, most: 42, least: 11, label: 20 };

// The element and its height.
export function drawTriangle(at, width) {
  const { words, scale } = at;
  const wide = width / Math.max(1, words);
  const tall = scale * Math.max(
    TRIANGLE.least, Math.min(TRIANGLE.most, TRIANGLE.tall / Math.max(1, words)));
  const base = words * tall;
  const laid = { wide, tall, base };
  const [cells, labels] = [[], []];
  for (let size = words; size > 0; size -= 1)
    for (let first = 0; first + size <= words; first += 1) {
      const span = { first, end: first + size };
      const mine = cellOver(at.state, first, first + size);
      const top = mine && topItem(at.state, mine);
      cells.push(drawChartCell(at, laid, { ...span, mine, top }));
      labels.push(cellLabel(at, laid, { ...span, top }));
    }
  const middles = at.state.units.map((_, place) => (place + 0.5) * wide);
  const lines = onLines(at.state.units, middles, width, scale);
  return [
    svg("g", { class: "wol-triangle" }, cells, treeLines(at, laid), labels,
      lineUps(lines, middles, base, scale), triangleWords(at, laid, lines)),
    base + lines.tall,
  ];
}

function cellBox({ wide, tall, base }, first, end) {
  const size = end - first;
  return { x: (first + (size - 1) / 2) * wide, y: base - size * tall };
}

// A cell: not filled, without a label, or with its best one; part of the tree, or looked at.
function drawChartCell(at, laid, { first, end, mine, top }) {
  const { state, room, cell, item, tree } = at;
  const { x, y } = cellBox(laid, first, end);
  const used = tree.find((one) => one.start === first && one.end === end);
  const part = item && [item.left, item.right].map((one) => chartItem(state, one))
    .some((one) => one && one.start === first && one.end === end);
  const looks = [
    "wol-chart-cell", mine ? "wol-press" : "wol-chart-empty", used && "wol-in-tree",
    part && mine !== cell && "wol-part-here", mine && mine === cell && "wol-cell-now",
  ].filter(Boolean).join(" ");
  const box = svg("rect", {
    x: round1(x + 1), y: round1(y + 1), width: round1(Math.max(1, laid.wide - 2)),
    height: round1(Math.max(1, laid.tall - 2)), rx: Math.min(4, laid.tall / 4),
  });
  if (!mine) return svg("g", { class: looks, "aria-hidden": "true" }, box);
  const out = countOut(state, mine);
  const all = mine[2].length; // thousands of cells: toLocaleString would be slow
  const name = `“${wordsOver(state, first, end)}”: ${all} label${all === 1 ? "" : "s"}` +
    (top ? `, best ${plainLabel(top)}, ${number(top.score)}` : "") +
    (out ? `; ${out} fell out of the beam` : "");
  const serial = cellNumber(first, end);
  return choosable([looks], { serial, said: name, chosen: mine === cell,
    press: () => room.select(serial) }, svg("title", {}, name), box);
}

// What is written in a cell, over the lines: the label of the tree, or its best one.
function cellLabel({ scale, tree }, laid, { first, end, top }) {
  const used = tree.find((one) => one.start === first && one.end === end);
  const shown = used ?? top;
  if (!shown) return null;
  const said = plainLabel(shown);
  const free = (laid.wide - 5) / (textWidth(said) * scale);
  const small = Math.min(1, (laid.tall - 3) / (13 * scale), Math.max(free, 0.7));
  if (laid.wide < TRIANGLE.label * scale || small < 0.6) return null;
  const { x, y } = cellBox(laid, first, end);
  return svg("text", {
    x: round1(x + laid.wide / 2), y: round1(y + laid.tall / 2 + 4 * small * scale),
    "text-anchor": "middle", style: `font-size: ${round1(12 * small * scale)}px`,
    "aria-hidden": "true", class: used ? "wol-chart-label" : "wol-chart-label wol-on-cell",
  }, clip(said, (laid.wide - 3) / (small * scale)));
}

// Lines from each constituent of the tree to its parts.
function treeLines({ state, tree }, laid) {
  const middle = ({ start, end }) => {
    const { x, y } = cellBox(laid, start, end);
    return [x + laid.wide / 2, y + laid.tall / 2];
  };
  const lines = tree.flatMap((one) =>
    [one.left, one.right].map((serial) => chartItem(state, serial))
      .filter((part) => part && (part.start !== one.start || part.end !== one.end))
      .map((part) => {
        const [[x, y], [to, low]] = [middle(one), middle(part)];
        const edge = laid.tall / 2 - 1;
        return `M${round1(x)} ${round1(y + edge)}L${round1(to)} ${round1(low - edge)}`;
      }));
  return svg("path", { class: "wol-tree-line", d: lines.join("") });
}

// The words, on as many lines as it takes; those of the cell that is looked at are bold.
function triangleWords({ cell }, { base }, lines) {
  const inside = (place) => cell && place >= cell[0] && place < cell[1];
  return lines.laid.map(({ shown, x, y }, place) =>
    svg("text", {
      x: round1(x), y: round1(base + y), "text-anchor": "middle",
      class: `wol-on-line${inside(place) ? " wol-title" : ""}`,
    }, shown));
}
