// The view of parameter updates: why the weights change; the positive and the negative structure;
// the features they do not share; the history of one weight.

import { INITIAL, successor } from "../beam/beam.js";
import { actionText } from "../beam/cards.js";
import { drawArcs, wordsWidth } from "../player/arcs.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { paragraph } from "../player/pictures.js";
import { capital, plural } from "../player/words.js";
import { drawEdgeTree, edgeTreeWidth } from "../search/derivations.js";
import { sayOrigin } from "../search/narration.js";
import { edgeOf } from "../search/search.js";
import { drawChanges } from "./changes.js";
import { drawHistory } from "./history.js";
import { changesOf, isOfEdges, isWhole } from "./updates.js";
import {
  fine,
  reasonName,
  sayChanged,
  sayCost,
  sayMargin,
  sayOldScores,
  sayWhy,
  tallyUpdates,
} from "./words.js";

const UPDATE_GAP = 14;
const UPDATES_BESIDE = 1150; // from this width on the history stands beside the features

export function drawUpdates(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(300, room.width);
  const inner = width - 12;
  const { update } = state;
  const rows = update ? changesOf(update) : [];
  const whole = Boolean(update) && isWhole(room.log, room.k, update);
  const chosen = room.kept.weight;
  const beside = chosen && inner / scale > UPDATES_BESIDE;
  const wide = beside ? 0.6 * inner - UPDATE_GAP * scale : inner;
  const blocks = [drawUpdateHead(state, room, rows, whole, inner, scale)];
  if (update) blocks.push(drawStructures(state, inner, scale));
  if (rows.length && update.step) blocks.push(drawChanges(update, rows, whole, room, wide, scale));
  const [parts, bottom] = stacked(blocks, 6, 4, scale);
  let height = bottom;
  if (chosen) {
    const top = beside ? bottom - blocks.at(-1)[1] - UPDATE_GAP * scale : bottom;
    const [more, below] = stacked(
      [drawHistory(state, room, chosen, beside ? 0.4 * inner : inner, scale)],
      beside ? 6 + 0.6 * inner : 6,
      top,
      scale,
    );
    parts.push(...more);
    height = Math.max(height, below);
  }
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: "wol-picture wol-updates",
      role: "group",
      "aria-label": update
        ? `Update ${update.number}: ${sayMargin(update, rows, whole, room.log)}. ` +
          `${sayCost(rows, whole)}`
        : "No update in this search yet",
      style: `font-size: ${12 * scale}px`,
    },
    parts,
  );
}

// Blocks below each other, each an element with its height.
function stacked(blocks, x, y, scale) {
  const drawn = blocks.map(([element, height]) => {
    element.setAttribute("transform", `translate(${x} ${y})`);
    y += height + UPDATE_GAP * scale;
    return element;
  });
  return [drawn, y];
}

function drawUpdateHead(state, room, rows, whole, width, scale) {
  const { update } = state;
  const tally = paragraph(tallyUpdates(state), 0, 16 * scale, width, scale, { class: "wol-quiet" });
  if (!update) {
    const told = state.search ? `No update in search ${state.search} yet.` : "No update yet.";
    const [lines, y] = paragraph(told, 0, tally[1] + 22 * scale, width, scale, {
      class: "wol-head",
    });
    const [hint, bottom] = paragraph(
      "Choose steps “by one update” and go forward: each brings the next one.",
      0,
      y + 18 * scale,
      width,
      scale,
    );
    return [svg("g", {}, tally[0], lines, hint), bottom + 6 * scale];
  }
  const title =
    `${update.step ? "▲ Update" : "△ No update"} ${update.number} ` +
    `(${reasonName(update.reason)}): search ${update.search}, example ${update.example}`;
  const y = tally[1] + 24 * scale;
  const [head, under] = paragraph(title, 0, y, width, scale, { class: "wol-head" });
  const [why, below] = paragraph(sayWhy(update), 0, under + 19 * scale, width, scale);
  const counts = [`step ${fine(update.step)}`, sayChanged(update, rows, whole, room),
    ...(isOfEdges(update) ? [`${plural(update.rescored, "edge")} rescored`] : [])].join(" · ");
  const line = capital(sayMargin(update, rows, whole, room.log));
  const one = (textWidth(line, true) + textWidth(counts) + 30) * scale < width;
  const numbers = [
    svg("text", { x: 0, y: below + 21 * scale, class: "wol-title" }, line),
    svg(
      "text",
      { x: one ? (textWidth(line, true) + 16) * scale : 0, y: below + (one ? 21 : 38) * scale },
      clip(counts, width / scale - 4),
    ),
  ];
  const last = below + (one ? 21 : 38) * scale;
  const [old] = sayOldScores(update);
  const [more, bottom] = old ? paragraph(old, 0, last + 19 * scale, width, scale) : [null, last];
  return [svg("g", {}, tally[0], head, why, numbers, more), bottom + 5 * scale];
}

function drawStructures(state, width, scale) {
  const pair = isOfEdges(state.update) ? edgePair(state) : prefixPair(state);
  const half = (width - UPDATE_GAP * scale) / 2;
  const beside = width / scale > 560 && pair.every(({ room }) => room * scale <= half - 16 * scale);
  const wide = beside ? half : width;
  const boxes = pair.map((one) => drawStructure(one, wide, scale));
  const height = Math.max(...boxes.map((box) => box[1]));
  let top = 0;
  const drawn = boxes.map(([element, tall, frame], i) => {
    frame.setAttribute("height", beside ? height : tall);
    element.setAttribute(
      "transform",
      beside ? `translate(${i * (wide + UPDATE_GAP * scale)} 0)` : `translate(0 ${top})`,
    );
    top += tall + 8 * scale;
    return element;
  });
  return [svg("g", {}, drawn), beside ? height : top - 8 * scale];
}

function drawStructure({ sign, title, score, tree: draw, below, gold }, width, scale) {
  const frame = svg("rect", { x: 0, y: 0, width, rx: 6, class: gold ? "wol-plus" : "wol-minus" });
  const fitting = width / scale - 16;
  const [tree, height] = draw ? draw(width - 16 * scale, scale) : [null, 16 * scale];
  tree?.setAttribute("transform", `translate(${8 * scale} ${42 * scale})`);
  const [note, bottom] = paragraph(
    below,
    8 * scale,
    (tree ? 58 : 52) * scale + (tree ? height : 0),
    width - 16 * scale,
    scale,
    { class: "wol-quiet" },
  );
  const element = svg(
    "g",
    { role: "group", "aria-label": `${title}; ${score}. ${below}` },
    frame,
    svg(
      "text",
      { x: 8 * scale, y: 17 * scale, class: "wol-title" },
      clip(`${sign} ${title}`, fitting, { bold: true }),
    ),
    svg("text", { x: 8 * scale, y: 34 * scale }, clip(score, fitting)),
    tree,
    note,
  );
  return [element, bottom + 8 * scale, frame];
}

const SIDES = [
  { sign: "★ +", gold: true, name: "positive" },
  { sign: "−", gold: false, name: "negative" },
];

function edgePair({ best_first: books, update }) {
  return SIDES.map((side, i) => {
    const serial = update[side.name];
    const there = edgeOf(books, serial) !== null;
    const [before, after] = [update.before[i], update.after[i]];
    const score =
      before === null
        ? "score not in the log"
        : `ranked by ${fine(before)}${after === null ? "" : `, rescored ${fine(after)}`}`;
    const gold = edgeOf(books, serial)?.gold === 1 ? "gold " : "";
    return {
      ...side,
      title: `${side.name}: ${gold}edge ${serial}`,
      score,
      room: there ? edgeTreeWidth(books, serial, 1) : 0,
      tree: there ? (width, scale) => drawEdgeTree(books, serial, width, scale) : null,
      below: there ? `Made of ${sayOrigin(books, serial)}.` : "The edge is not in the log.",
    };
  });
}

function prefixPair({ transition: books, update }) {
  const index = books.columns.findLastIndex((one) => one.step === update.actions);
  return SIDES.map((side, i) => {
    const found = i ? prefixAt(books, index, update.negative) : goldPrefix(books, index);
    const place = found?.column === index ? "" : `, known up to ${found?.column ?? 0}`;
    const what = i ? "best state" : "gold prefix";
    const below = !found ? "It is not in the log."
      : found.column === index ? `It ends with ${actionText(found.one.action, books.units)}.`
        : "Then the beam cut it, and what comes after is not in the log.";
    return {
      ...side,
      title: `${side.name}: ${what}, ${plural(update.actions, "action")}${place}`,
      score: `score ${fine(update.before[i])}`,
      room: found ? wordsWidth(found.one) : 0,
      tree: found ? (width, scale) => drawArcs(found.one, width, scale) : null,
      below,
    };
  });
}

// A state in column number `index`: kept, or cut and then made from its parent.
function prefixAt(books, index, serial) {
  const column = books.columns[index];
  const kept = column?.states.find((one) => one.serial === serial);
  if (kept) return { one: kept, column: index };
  const cut = column?.cut.find((one) => one.serial === serial);
  if (!cut) return null;
  const parent =
    books.columns[index - 1]?.states.find((one) => one.serial === cut.parent) ?? INITIAL;
  return { one: { ...cut, ...successor(parent, cut.action, books.units) }, column: index };
}

// The gold prefix as far as the log has it.
function goldPrefix(books, index) {
  for (let i = index; i > 0; i -= 1) {
    const found = prefixAt(books, i, books.columns[i].gold);
    if (found) return found;
  }
  return null;
}
