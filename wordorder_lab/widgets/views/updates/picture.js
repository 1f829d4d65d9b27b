// The view of parameter updates: why the weights change; the positive and the negative structure;
// the features they do not share; the history of one weight.

import { INITIAL, successor } from "../beam/beam.js";
import { actionText } from "../beam/cards.js";
import { drawArcs, wordsWidth } from "../player/arcs.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { paragraph, pictureOf, pressButtons } from "../player/pictures.js";
import { capital, plural } from "../player/words.js";
import { drawEdgeTree, edgeTreeWidth } from "../search/derivations.js";
import { sayOrigin } from "../search/narration.js";
import { edgeOf, wordsOf } from "../search/search.js";
import { causeButtons } from "./cause.js";
import { drawChanges } from "./changes.js";
import { differingArcs, differingSteps } from "./differing.js";
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
  if (update) blocks.push(drawStructures(state, room, rows, inner, scale));
  let notes = 0; // below the rows: they need not fit
  if (rows.length && update.step) {
    const [element, tall, below] = drawChanges(update, rows, whole, room, wide, scale);
    blocks.push([element, tall]);
    notes = below;
  }
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
  const said = update
    ? `Update ${update.number}: ${sayMargin(update, rows, whole, room.log)}. ` +
      `${sayCost(rows, whole)}`
    : "No update in this search yet";
  const fit = Math.ceil((beside ? height : bottom) - notes);
  return pictureOf(width, height, scale, said, parts, { look: "wol-updates", "data-fit": fit });
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
  if (!update) {
    const tally = paragraph(tallyUpdates(state), 0, 16 * scale, width, scale, {
      class: "wol-quiet",
    });
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
  const y = 16 * scale;
  const [cause, wide] = causeButtons(update, room, scale);
  const aside = wide && width - wide > 380 * scale; // else it has a line of its own
  const [head, under] = paragraph(title, 0, y, aside ? width - wide - 8 * scale : width, scale, {
    class: "wol-head",
  });
  const reasons = `${sayWhy(update)} ${tallyUpdates(state)}`;
  const [why, below] = paragraph(reasons, 0, under + 19 * scale, width, scale);
  const counts = [`step ${fine(update.step)}`, sayChanged(update, rows, whole, room),
    ...(isOfEdges(update) ? [`${plural(update.rescored, "edge")} rescored`] : [])].join(" · ");
  const line = capital(sayMargin(update, rows, whole, room.log));
  const one = (textWidth(line, true) + textWidth(counts) + 30) * scale < width;
  const numbers = [
    svg("text", { x: 0, y: below + 21 * scale, class: "wol-title" }, line),
    svg("text",
      { x: one ? (textWidth(line, true) + 16) * scale : 0, y: below + (one ? 21 : 38) * scale },
      clip(counts, width / scale - 4)),
  ];
  const last = below + (one ? 21 : 38) * scale;
  const [old] = sayOldScores(update);
  const [more, bottom] = old ? paragraph(old, 0, last + 19 * scale, width, scale) : [null, last];
  cause?.setAttribute("transform", aside ? `translate(${width - wide} ${y - 15 * scale})`
    : `translate(0 ${bottom + 8 * scale})`);
  const end = bottom + (wide && !aside ? 34 : 5) * scale;
  return [svg("g", {}, head, why, numbers, more, cause), end];
}

function drawStructures(state, room, rows, width, scale) {
  const told = rows.length && state.update.step;
  const pair = (isOfEdges(state.update) ? edgePair(state) : prefixPair(state)).map((one, side) =>
    ({ ...one, why: told ? sideButton(room, one, side) : null }));
  const [first, second] = pair.map(({ room }) => Math.max(room + 28, 250) * scale);
  const free = width - UPDATE_GAP * scale;
  const beside = width / scale > 560 && first + second <= free;
  const left = Math.max(first, Math.min(free / 2, free - second));
  const wides = beside ? [left, free - left] : [width, width];
  const boxes = pair.map((one, i) => drawStructure(one, wides[i], scale));
  const height = Math.max(...boxes.map((box) => box[1]));
  let top = 0;
  const drawn = boxes.map(([element, tall, frame], i) => {
    frame.setAttribute("height", beside ? height : tall);
    element.setAttribute(
      "transform",
      beside ? `translate(${i * (left + UPDATE_GAP * scale)} 0)` : `translate(0 ${top})`,
    );
    top += tall + 8 * scale;
    return element;
  });
  return [svg("g", {}, drawn), beside ? height : top - 8 * scale];
}

// What the score of a side is made of, beside the other's; once more: the margin again.
function sideButton({ kept, redraw }, { sign, title }, side) {
  const chosen = kept.side === side;
  return {
    serial: `side ${side}`, words: "why?", chosen,
    label: `Why? What the score is made of, ${sign} ${title}`,
    press: () => {
      kept.side = chosen ? null : side;
      redraw();
    },
  };
}

function drawStructure({ sign, title, score, tree: draw, below, gold, why }, width, scale) {
  const frame = svg("rect", { x: 0, y: 0, width, rx: 6, class: gold ? "wol-plus" : "wol-minus" });
  const [press, wide] = why ? pressButtons([why], width, scale) : [null, 0];
  press?.setAttribute("transform", `translate(${width - wide - 5 * scale} ${4 * scale})`);
  const fitting = (width - wide) / scale - 20;
  const [tree, height] = draw ? draw(width - 28 * scale, scale) : [null, 0];
  const name = clip(`${sign} ${title}`, fitting, { bold: true });
  const one = textWidth(name, true) + textWidth(score) + 14 <= fitting;
  const rest = fitting - textWidth(name, true) - textWidth(score) - 28;
  const beside = textWidth(below) <= rest; // what it says fits into the first line
  const top = one ? 29 : 44;
  tree?.setAttribute("transform", `translate(${14 * scale} ${top * scale})`);
  const low = (top - 2) * scale + height;
  const [note, bottom] = beside
    ? [svg("text", {
      x: (36 + textWidth(name, true) + textWidth(score)) * scale, y: 17 * scale,
      class: "wol-quiet",
    }, below), low]
    : paragraph(below, 8 * scale, low + 16 * scale, width - 16 * scale, scale,
      { class: "wol-quiet" });
  const element = svg("g", { role: "group", "aria-label": `${title}; ${score}. ${below}` }, frame,
    svg("text", { x: 8 * scale, y: 17 * scale, class: "wol-title" }, name),
    svg("text", {
      x: (one ? 22 + textWidth(name, true) : 8) * scale, y: (one ? 17 : 34) * scale,
    }, clip(score, fitting)),
    press,
    tree,
    note);
  return [element, bottom + 8 * scale, frame];
}

const SIDES = [
  { sign: "★ +", gold: true, name: "positive" },
  { sign: "−", gold: false, name: "negative" },
];

function edgePair({ best_first: books, update }) {
  const others = [update.negative, update.positive];
  return SIDES.map((side, i) => {
    const serial = update[side.name];
    const there = edgeOf(books, serial) !== null;
    const [before, after] = [update.before[i], update.after[i]];
    const score =
      before === null
        ? "score not in the log"
        : `score ${fine(before)}${after === null ? "" : ` → ${fine(after)}`}`;
    const gold = edgeOf(books, serial)?.gold === 1 ? "gold " : "";
    return {
      ...side,
      title: `${side.name}: ${gold}edge ${serial}`,
      score,
      room: there ? edgeTreeWidth(books, serial, 1) : 0,
      tree: there
        ? (wide, scale) => drawEdgeTree(books, serial, wide, scale, litIn(books, serial, others[i]))
        : null,
      below: there ? `Made of ${sayOrigin(books, serial)}.` : "The edge is not in the log.",
    };
  });
}

// What one edge has and the other has not, as their grammar draws it.
function litIn(books, serial, other) {
  if (!edgeOf(books, other)) return null;
  if (edgeOf(books, serial).category) return differingSteps(books, other);
  return differingArcs(wordsOf(books, serial), wordsOf(books, other));
}

function prefixPair({ transition: books, update }) {
  const index = books.columns.findLastIndex((one) => one.step === update.actions);
  const pair = [goldPrefix(books, index), prefixAt(books, index, update.negative)];
  return SIDES.map((side, i) => {
    const found = pair[i];
    const lit = differingArcs(found?.one, pair[1 - i]?.one);
    const place = found?.column === index ? "" : `, known up to ${found?.column ?? 0}`;
    const what = i ? "best state" : "gold prefix";
    const below = !found ? "It is not in the log."
      : found.column === index ? `It ends with ${actionText(found.one.action, books.names)}.`
        : "Then the beam cut it, and what comes after is not in the log.";
    return {
      ...side,
      title: `${side.name}: ${what}, ${plural(update.actions, "action")}${place}`,
      score: `score ${fine(update.before[i])}`,
      room: found ? wordsWidth(found.one) : 0,
      tree: found ? (width, scale) => drawArcs(found.one, width, scale, lit) : null,
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
  return { one: { ...cut, ...successor(parent, cut.action, books) }, column: index };
}

// The gold prefix as far as the log has it.
function goldPrefix(books, index) {
  for (let i = index; i > 0; i -= 1) {
    const found = prefixAt(books, i, books.columns[i].gold);
    if (found) return found;
  }
  return null;
}
