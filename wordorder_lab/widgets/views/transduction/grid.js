// The grid of cube pruning: for each variable of a rule the items of its cell, best first; in the
// grid the combinations that were taken, in their order, the frontier, from which the next one
// comes, and, hatched, what was skipped: by this search, or by the one beside it.

import { clip, svg, textWidth } from "../player/dom.js";
import { chipOf, drawSentences, round1, titled, wrapped } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { frontierOf, homeCell, itemOf, itemWords, sidesOf, takenOf } from "./items.js";
import { chooseIn } from "./look.js";
import { sayNode, sayRule, sayTaken } from "./narration.js";
import { ruleRead } from "./rules.js";
import { drawVectors, OUTCOMES } from "./vectors.js";

const GRID = { row: 38, low: 24, name: 0.24, least: 34, full: 78, column: 150, most: 40, rows: 6 };
const SIGNS_OF = { new: "+", better: "↑", worse: "–" };
const HATCH = 9; // pixels between two lines

export function drawGrid(at, width) {
  const { state, cell, application, scale } = at;
  if (!cell || application === null || state.applications[application] === undefined)
    return [null, 0];
  const grid = gridOf(at);
  const rule = sayRule(state.applications[application].rule);
  const title = `Grid at ${sayNode(state, state.applications[application].node)}`;
  const told = drawSentences([`Rule ${rule}.`, ...sayGrid(at, grid)], width, scale);
  const drawn = grid.sides.some((side) => !side.length)
    ? drawSentences([sayEmptySide(state, application, grid)], width, scale)
    : grid.axes.length > 2
      ? drawVectors(at, grid, width)
      : drawMatrix(at, grid, width);
  drawn[0].setAttribute("transform", `translate(0 ${told[1]})`);
  const both = [svg("g", {}, told[0], drawn[0]), told[1] + drawn[1]];
  const [element, height] = titled(clip(title, width / scale, { bold: true }), both, scale);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label",
    `Grid of application ${application}: ${grid.taken.size} taken. ${sayGrid(at, grid).join(" ")}`);
  return [element, height];
}

// How much of the grid was looked at.
function sayGrid(at, grid) {
  const { taken, frontier, sides, beside, done } = grid;
  const all = sides.reduce((product, side) => product * side.length, 1);
  if (!all) return [];
  const left = all - taken.size - frontier.length;
  const rest = [
    frontier.length && `${frontier.length} on the frontier`,
    left && `${left.toLocaleString("en")} ${done ? "skipped" : "not looked at"}`,
  ].filter(Boolean);
  const looked = `${taken.size} of ${plural(all, "combination")} looked at`;
  return [`${[looked, ...rest].join(", ")}.`, ...(beside && done ? [sayBeside(at, grid)] : [])];
}

// What the search beside this one has spared, and whether it has lost anything by it.
function sayBeside({ state, cell, room }, { taken, beside, ...grid }) {
  const keys = new Map([...taken.values()].map((one) => [cubeKey(grid, one.ranks), one.serial]));
  const spared = [...keys].filter(([key]) => !beside.has(key));
  const more = [...beside].filter((key) => !keys.has(key)).length;
  const other = room.name === "A" ? "B" : "A";
  if (!spared.length)
    return more ? `${other} has looked at ${more} more.` : `${other} has looked at the same.`;
  const kept = new Set((cell.items ?? []).map((item) => itemOf(state, item)?.serial));
  const lost = spared.filter(([, serial]) => kept.has(serial)).length;
  const items = plural(kept.size, "item");
  return `${other} has skipped ${spared.length} of them; ` +
    `${lost || "none"} of these ${lost > 1 ? "are" : "is"} among the ${items} kept here.`;
}

// `taken` has the combinations by their ranks, each with its order in the cell; `axes` the
// variables that can be chosen; `beside` what the search beside this one has taken, by the words.
function gridOf({ state, room, cell, application }) {
  const sides = sidesOf(state, application);
  const words = sides.map((side) => side.map((item) => itemWords(state, item).join(" ")));
  const taken = new Map(takenOf(cell, application).map((one) => [String(one.ranks), one]));
  const free = [...sides.keys()].filter((k) => sides[k].length > 1);
  const done = cell.items !== null;
  return {
    sides,
    words,
    axes: free.length || !sides.length ? free : [0],
    taken,
    frontier: done ? [] : frontierOf(state, cell, application),
    done,
    beside: besideOf(state, room, application),
    application,
  };
}

// Where the other search has the same rule at the same node, and is done with its cell.
function besideOf(state, { other, name }, application) {
  const its = name && other?.applications[application];
  if (!its || its.rule !== state.applications[application].rule) return null;
  const cell = homeCell(other, application);
  if (!cell?.items) return null;
  const words = sidesOf(other, application).map((side) =>
    side.map((item) => itemWords(other, item).join(" ")));
  return new Set(takenOf(cell, application).map(({ ranks }) =>
    cubeKey({ words, application }, ranks)));
}

// A combination by its words: the same one in two searches.
function cubeKey({ words, application }, ranks) {
  return `${application}: ${ranks.map((rank, k) => words[k][rank]).join(" | ")}`;
}

function sayEmptySide(state, application, { sides }) {
  const told = state.applications[application];
  const k = sides.findIndex((side) => !side.length);
  return (
    `Nothing can be combined: there is no ${ruleRead(told.rule).categories[k]} at ` +
    `${sayNode(state, told.children[k])}, variable ${k + 1}.`
  );
}

// One variable with a choice: a row. Two: rows are items of the first, columns of the second. None:
// one combination. Variables with one item only stand below. Where cells are narrow they hold the
// turn alone, and the rest is said to who points at them.
function drawMatrix(at, grid, width) {
  const { scale } = at;
  const { down, across, vertical, horizontal, columns, rows, size, heads } =
    layMatrix(at, grid, width);
  const place = (i, j) => ({ x: size.name + j * size.column, y: size.head + i * size.row });
  const ranksAt = (row, column) => grid.sides.map((_, k) =>
    (k === vertical ? row : k === horizontal ? column : 0));
  const nodes = [...heads, gridLines(size, rows.length, columns.length)];
  rows.forEach((rank, i) => down && nodes.push(
    sideHead(at, down, rank, vertical + 1, 2, place(i, 0).y + 2 * scale, size.name - 12 * scale,
      size.lines[i])));
  nodes.push(...matrixCells(at, grid, size, { rows, columns, place, ranksAt }));
  const fixed = drawFixed(at, grid, size.head + rows.length * size.row, width);
  nodes.push(...fixed.drawn);
  const more = [moreOf(down, rows, vertical + 1), moreOf(across, columns, horizontal + 1)];
  const note = across ? more.filter(Boolean).join("; ")
    : "The rule has no variables: there is one combination.";
  if (note) nodes.push(svg("text", { x: 2, y: fixed.low + 15 * scale, class: "wol-quiet" }, note));
  return [svg("g", { class: "wol-grid" }, nodes), fixed.low + (note ? 22 : 6) * scale];
}

// Which items stand where, and how large the cells are.
function layMatrix(at, grid, width) {
  const { scale, room } = at;
  const [vertical, horizontal] = grid.axes.length === 2 ? grid.axes : [null, grid.axes[0] ?? null];
  const [down, across] = [vertical, horizontal].map((k) => grid.sides[k] ?? null);
  const last = at.combination?.ranks ?? [];
  const name = down ? Math.min(210 * scale, GRID.name * width) : 6 * scale;
  const fitting = Math.max(1, Math.floor((width - name) / (GRID.least * scale)));
  const columns = across ? shownRanks(across.length, last[horizontal] ?? 0, fitting) : [0];
  const most = Math.max(GRID.rows, Math.min(room.rows, GRID.most));
  const rows = down ? shownRanks(down.length, last[vertical] ?? 0, most) : [0];
  const column = Math.min(GRID.column * scale, (width - name) / columns.length);
  const full = column >= GRID.full * scale;
  const lines = rows.map((rank) =>
    (full && down ? headLines(at, down, rank, name - 12 * scale, 2) : []));
  const high = Math.max(GRID.row, 23 + 15 * Math.max(0, ...lines.map((one) => one.length)));
  const size = { name, column, full, lines, row: (full ? high : GRID.low) * scale };
  const heads = columnHeads(at, across, columns, horizontal, size);
  size.head = heads.low;
  return { down, across, vertical, horizontal, columns, rows, size, heads: heads.drawn };
}

function matrixCells(at, grid, size, { rows, columns, place, ranksAt }) {
  const frontier = new Set(grid.frontier.map(String));
  let hatched = "";
  const cells = rows.flatMap((row, i) => columns.map((column, j) => {
    const ranks = ranksAt(row, column);
    const one = grid.taken.get(String(ranks));
    const spared = !one || (grid.beside && !grid.beside.has(cubeKey(grid, ranks)));
    if (grid.done && spared) hatched += hatch(place(i, j), size);
    if (one) return takenCell(at, grid, one, place(i, j), size);
    return frontier.has(String(ranks)) ? frontierCell(at, place(i, j), size)
      : skippedCell(grid, ranks, place(i, j), size);
  }));
  return [svg("path", { class: "wol-hatch", d: hatched }), ...cells];
}

// Lines from low left to high right inside a cell.
function hatch({ x, y }, { column, row }) {
  let drawn = "";
  for (let from = HATCH; from < column + row; from += HATCH) {
    const [low, left] = [Math.min(from, row), Math.max(0, from - row)];
    const over = Math.max(0, from - column);
    drawn += `M${round1(x + left)} ${round1(y + low)}`;
    drawn += `L${round1(x + from - over)} ${round1(y + over)}`;
  }
  return drawn;
}

// The variables that have one item only, below the grid: all its combinations have that.
function drawFixed(at, { sides, axes }, top, width) {
  const fixed = [...sides.keys()].filter((k) => !axes.includes(k));
  if (!fixed.length) return { drawn: [], low: top };
  const { scale } = at;
  const from = top + 20 * scale;
  const text = svg(
    "text",
    { x: 2, y: from - 4 * scale, class: "wol-quiet" },
    "In all of them, since there is no other item:",
  );
  const share = Math.min(150 * scale, width / fixed.length);
  const heads = fixed.map((k, i) =>
    sideHead(at, sides[k], 0, k + 1, 2 + i * share, from, share - 8 * scale,
      headLines(at, sides[k], 0, share - 8 * scale, 1)));
  return { drawn: [text, ...heads], low: from + GRID.row * scale };
}

// The best items, as many as are shown; and the one that the last combination has.
function shownRanks(length, last, most) {
  const count = Math.max(1, Math.min(length, most));
  const ranks = Array.from({ length: count }, (_, rank) => rank);
  if (last >= count && last < length) ranks[count - 1] = last;
  return ranks;
}

function moreOf(side, shown, variable) {
  return side && side.length > shown.length
    ? `${plural(side.length - shown.length, "more item")} of variable ${variable}`
    : "";
}

function gridLines({ name, column, row, head }, rows, columns) {
  const across = Array.from(
    { length: rows + 1 },
    (_, i) => `M${round1(name)} ${round1(head + i * row)}h${round1(columns * column)}`,
  );
  const down = Array.from(
    { length: columns + 1 },
    (_, j) => `M${round1(name + j * column)} ${round1(head)}v${round1(rows * row)}`,
  );
  return svg("path", { d: [...across, ...down].join(""), class: "wol-cell" });
}

// The heads of the columns, and how low they reach; where cells are narrow, ranks alone.
function columnHeads(at, across, columns, horizontal, { name, column, full }) {
  const { state, scale } = at;
  if (!across) return { drawn: [], low: 4 * scale };
  const wide = column - 6 * scale;
  const lines = columns.map((rank) => (full ? headLines(at, across, rank, wide, 4) : []));
  const most = Math.max(0, ...lines.map((one) => one.length));
  const drawn = columns.map((rank, j) => {
    const x = name + j * column + 3 * scale;
    return full ? sideHead(at, across, rank, horizontal + 1, x, 0, wide, lines[j])
      : svg("g", {}, svg("title", {}, sayItem(state, across, rank, horizontal + 1)),
        svg("text", { x: x + 2, y: 13 * scale }, `${rank + 1}.`));
  });
  return { drawn, low: (20 + 15 * most) * scale };
}

function headLines({ state, scale }, side, rank, width, most) {
  const words = itemWords(state, side[rank]).join(" ") || "no words";
  return wrapped(words, width / scale, width / scale, most);
}

function sayItem(state, side, rank, variable) {
  const words = itemWords(state, side[rank]).join(" ") || "no words";
  return `${rank + 1}. ${words}. Variable ${variable}, rank ${rank + 1}: “${words}”, ` +
    `score ${number(itemOf(state, side[rank])?.score)}`;
}

// The head of a row or column: an item of the variable's cell, its rank, its score; below them its
// words, or in a low row beside the rank.
function sideHead({ state, scale }, side, rank, variable, x, y, width, lines) {
  const score = number(itemOf(state, side[rank])?.score);
  const words = itemWords(state, side[rank]).join(" ") || "no words";
  const free = width / scale - 22 - textWidth(score);
  return svg("g", {},
    svg("title", {}, sayItem(state, side, rank, variable)),
    chipOf(variable, x + 7 * scale, y + 9 * scale, 0.85 * scale),
    svg("text", { x: x + 17 * scale, y: y + 13 * scale },
      lines.length ? `${rank + 1}.` : clip(`${rank + 1}. ${words}`, free)),
    svg("text", { x: x + width - 2, y: y + 13 * scale, "text-anchor": "end", class: "wol-quiet" },
      score),
    lines.map((text, i) => svg("text", { x, y: y + (29 + 15 * i) * scale }, text)));
}

function takenCell(at, grid, one, { x, y }, { column, row, full }) {
  const { state, room, scale, masked, cell, combination } = at;
  const last = cell.taken[cell.taken.length - 1].serial === one.serial;
  const kept = !masked && cell.items?.includes(one.item) &&
    itemOf(state, one.item)?.serial === one.serial;
  const [inset, free] = [2 * scale, column / scale - 12];
  const score = masked ? "score ?" : number(one.score);
  const both = `${score} (${number(one.heuristic)})`;
  const outcome = masked ? "" : kept ? `★ item ${cell.items.indexOf(one.item) + 1}`
    : (OUTCOMES[one.outcome] ?? one.outcome);
  const sign = kept ? "★" : (SIGNS_OF[one.outcome] ?? "");
  const chosen = one.serial === combination?.serial;
  const classes = [
    "wol-taken-cell", last && !grid.done && "wol-last", chosen && "wol-chosen",
    kept && "wol-kept-item", one.outcome === "worse" && !masked && "wol-worse",
  ];
  const first = `${one.order}. ${outcome}`;
  const at0 = { x: round1(x + 6 * scale), y: round1(y + 16 * scale) };
  return svg(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      role: "button",
      "data-serial": `combination ${one.serial}`,
      "data-twin": cubeKey(grid, one.ranks),
      tabindex: chosen ? 0 : -1,
      "aria-label": sayTaken(state, one, masked),
      "aria-pressed": String(chosen),
      onclick: () => chooseIn(state, room, { item: one.serial, application: one.application }),
    },
    svg("title", {}, sayTaken(state, one, masked)),
    boxIn({ x, y }, inset, column, row),
    full
      ? svg("text", { ...at0, class: "wol-title" },
        textWidth(first, true) <= free ? first : `${one.order}. ${masked ? "" : sign}`)
      : svg("text", { x: round1(x + column / 2), y: at0.y, "text-anchor": "middle",
        class: "wol-title" }, `${one.order}. ${masked ? "" : sign}`),
    full
      ? svg("text", { x: at0.x, y: round1(y + 30 * scale) },
        textWidth(both) <= free ? both : clip(score, free))
      : null,
  );
}

function boxIn({ x, y }, inset, column, row) {
  return svg("rect", {
    x: round1(x + inset), y: round1(y + inset), width: round1(column - 2 * inset),
    height: round1(row - 2 * inset), rx: 4,
  });
}

// What nobody has looked at: a place to point at, so that the other search's is lit.
function skippedCell(grid, ranks, place, { column, row }) {
  return svg("g", { class: "wol-skipped-cell", "data-serial": `skipped ${ranks}`,
    "data-twin": cubeKey(grid, ranks) }, boxIn(place, 1, column, row));
}

function frontierCell({ scale }, { x, y }, { column, row, full }) {
  return svg(
    "g",
    { class: "wol-frontier", role: "img", "aria-label": "On the frontier" },
    boxIn({ x, y }, 4 * scale, column, row),
    svg(
      "text",
      {
        x: round1(x + column / 2),
        y: round1(y + row / 2 + 4 * scale),
        "text-anchor": "middle",
        class: "wol-quiet",
      },
      full ? "frontier" : "?",
    ),
  );
}
