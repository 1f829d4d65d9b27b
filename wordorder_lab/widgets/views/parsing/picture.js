// The picture of a parser's chart: a triangle of cells over the words, beside it what is in one
// cell, the best first, and the tree that its back-pointers tell of.

import { clip, svg, textWidth } from "../player/dom.js";
import {
  choosable, drawSentences, nothingYet, pictureOf, sideBySide, stackBlocks, titled,
} from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { drawPhrase } from "../transduction/trees.js";
import {
  bracketTree, chartTree, parsingLook, plainLabel, rankedItems, sayParts, wordsOver,
} from "./look.js";
import { drawTriangle } from "./triangle.js";

const CHART_GAP = 22;
const LABEL_ROW = 19;
const LABELS = 6; // at most: the tree below keeps its place

export function drawParsing(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  if (!state.units.length) return nothingYet(width, scale);
  const at = { state, room, scale, width, ...parsingLook(state, room) };
  const beside = width / scale >= 700;
  const gap = CHART_GAP * scale;
  const left = beside ? Math.round(0.56 * width) : width - 4;
  const rest = beside ? width - left - gap : width - 4;
  const chart = drawTriangle(at, left);
  const list = drawCellList(at, rest);
  const tree = drawChartTree(at, rest);
  const [drawn, height] = beside
    ? sideBySide([chart, stackBlocks([list, tree], 6 * scale)], [0, left + gap])
    : stackBlocks([chart, list, tree], 8 * scale);
  return pictureOf(width, Math.ceil(height), scale, parsingLabel(at), drawn,
    { look: "wol-parsing" });
}

function parsingLabel({ state, cell, item }) {
  if (!cell) return `A chart over ${plural(state.units.length, "word")}; no cell is full yet`;
  const best = item ? `, ${item.label} with score ${number(item.score)}` : "";
  return `Cell of “${wordsOver(state, cell[0], cell[1])}”: ` +
    `${plural(cell[2].length, "label")}${best}`;
}

// What is in the cell, the best first: a press shows the tree of one.
function drawCellList(at, width) {
  const { state, room, scale, cell, item } = at;
  const quiet = (said) => drawSentences([said], width, scale);
  if (!cell)
    return state.parse && !at.parsed
      ? [null, 0] : quiet("A cell holds every label that its words can have.");
  const ranked = rankedItems(state, cell);
  const most = Math.min(LABELS, room.rows);
  const shown = ranked.slice(0, most);
  if (item && !shown.includes(item)) shown.splice(most - 1, 1, item);
  const rows = shown.map((one, i) => labelRow(at, one, ranked, i * LABEL_ROW * scale, width));
  const more = ranked.length - shown.length;
  const low = shown.length * LABEL_ROW * scale;
  if (more > 0)
    rows.push(svg("text", { x: 8 * scale, y: low + 13 * scale, class: "wol-quiet" },
      `… and ${plural(more, "more label")}`));
  const title = `${plural(ranked.length, "label")} for “${wordsOver(state, cell[0], cell[1])}”`;
  return titled(clip(title, width / scale, { bold: true }),
    [svg("g", {}, rows), (most * LABEL_ROW + 18) * scale], scale);
}

function labelRow(at, one, ranked, y, width) {
  const { state, room, scale, item } = at;
  const value = number(one.score);
  const label = clip(one.label, Math.min(110, (0.3 * width) / scale), { bold: true });
  const from = Math.max(64, textWidth(label, true) + 16) * scale;
  const made = clip(`= ${sayParts(state, one)}`,
    (width - from - 16 * scale) / scale - textWidth(value));
  const out = one.out ? ", out of the beam" : "";
  const name = `${ranked.indexOf(one) + 1}: ${one.label}, score ${value}${out}, made of ` +
    sayParts(state, one);
  const press = () => {
    room.kept.item = { serial: one.serial, search: state.search };
    room.redraw();
  };
  return choosable(["wol-press", one === item && "wol-chosen"],
    { serial: `label${one.serial}`, said: name, chosen: one === item, focused: false, press },
    svg("title", {}, name),
  svg("rect", { x: 1, y, width: width - 4, height: (LABEL_ROW - 1) * scale, rx: 4 }),
  svg("text", {
    x: 6 * scale, y: y + 13 * scale, class: one.out ? "wol-struck" : "wol-label-of",
  }, label),
  svg("text", { x: from, y: y + 13 * scale, class: "wol-quiet" }, made),
  svg("text", { x: width - 10 * scale, y: y + 13 * scale, "text-anchor": "end" }, value));
}

// The tree below the constituent that is looked at; of a parse that was put together, its brackets.
function drawChartTree(at, width) {
  const { state, scale, item, parsed, pinned } = at;
  const whole = state.parse && !parsed && !pinned ? bracketTree(state.parse.brackets) : null;
  const tree = whole ?? (item && chartTree(state, item));
  if (!tree) return [null, 0];
  const title = whole
    ? "No parse: a tree put together by a rule for that"
    : item === parsed ? "The parse" : `The best ${plainLabel(item)} here, by its back-pointers`;
  const [drawn, height] = drawPhrase(tree, width, scale);
  return titled(clip(title, width / scale, { bold: true }), [drawn, height], scale);
}
