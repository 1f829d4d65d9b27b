// The grid of cube pruning: for each variable of a rule the items of its cell, best first; in the
// grid the combinations that were taken, in their order, and the frontier, from which the next one
// comes.

import { clip, svg, textWidth } from "../player/dom.js";
import { chipOf, drawSentences, round1, titled } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { frontierOf, itemOf, itemWords, sidesOf, takenOf } from "./items.js";
import { chooseIn } from "./look.js";
import { sayNode, sayTaken } from "./narration.js";
import { ruleRead } from "./rules.js";

const GRID = { head: 36, row: 38, name: 0.3, cell: 92, most: 40 };
const OUTCOMES = { new: "+ new", better: "↑ better", worse: "no better" };

export function drawGrid(at, width) {
  const { state, cell, application, scale } = at;
  if (!cell || application === null || state.applications[application] === undefined)
    return [null, 0];
  const grid = gridOf(at);
  const title =
    `Grid of application ${application}: ${grid.taken.size} ` +
    `taken${grid.frontier.length ? `, ${grid.frontier.length} on the frontier` : ""}`;
  const drawn = grid.sides.some((side) => !side.length)
    ? drawSentences([sayEmptySide(state, application, grid)], width, scale)
    : grid.axes.length > 2
      ? drawVectors(at, grid, width)
      : drawMatrix(at, grid, width);
  const [element, height] = titled(title, drawn, scale);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", title);
  return [element, height];
}

// `taken` has the combinations by their ranks, each with its order in the cell; `axes` the
// variables that have a choice of items.
function gridOf({ state, cell, application }) {
  const taken = new Map(takenOf(cell, application).map((one) => [String(one.ranks), one]));
  const done = cell.items !== null;
  const sides = sidesOf(state, application);
  const free = [...sides.keys()].filter((k) => sides[k].length > 1);
  return {
    sides,
    axes: free.length || !sides.length ? free : [0],
    taken,
    frontier: done ? [] : frontierOf(state, cell, application),
    done,
  };
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
// one combination. Variables with one item only stand below.
function drawMatrix(at, grid, width) {
  const { scale } = at;
  const [vertical, horizontal] = grid.axes.length === 2 ? grid.axes : [null, grid.axes[0] ?? null];
  const [down, across] = [vertical, horizontal].map((k) => grid.sides[k] ?? null);
  const last = at.combination?.ranks ?? [];
  const name = down ? Math.min(230 * scale, GRID.name * width) : 6 * scale;
  const fitting = Math.max(1, Math.floor((width - name) / (GRID.cell * scale)));
  const columns = across ? shownRanks(at, across.length, last[horizontal] ?? 0, fitting) : [0];
  const rows = down ? shownRanks(at, down.length, last[vertical] ?? 0, GRID.most) : [0];
  const size = {
    name,
    column: Math.min(150 * scale, (width - name) / columns.length),
    row: GRID.row * scale,
    head: across ? GRID.head * scale : 4 * scale,
  };
  const place = (i, j) => ({ x: size.name + j * size.column, y: size.head + i * size.row });
  const nodes = [gridLines(size, rows.length, columns.length)];
  columns.forEach(
    (rank, j) =>
      across &&
      nodes.push(
        sideHead(
          at,
          across,
          rank,
          horizontal + 1,
          place(0, j).x + 4 * scale,
          0,
          size.column - 8 * scale,
        ),
      ),
  );
  rows.forEach(
    (rank, i) =>
      down &&
      nodes.push(
        sideHead(at, down, rank, vertical + 1, 2, place(i, 0).y + 2 * scale, size.name - 8 * scale),
      ),
  );
  const frontier = new Set(grid.frontier.map(String));
  rows.forEach((row, i) =>
    columns.forEach((column, j) => {
      const ranks = grid.sides.map((_, k) =>
        k === vertical ? row : k === horizontal ? column : 0,
      );
      const one = grid.taken.get(String(ranks));
      if (one) nodes.push(takenCell(at, one, place(i, j), size));
      else if (frontier.has(String(ranks))) nodes.push(frontierCell(at, place(i, j), size));
    }),
  );
  const more = [moreOf(down, rows, vertical + 1), moreOf(across, columns, horizontal + 1)].filter(
    Boolean,
  );
  const fixed = drawFixed(at, grid, size.head + rows.length * size.row, width);
  nodes.push(...fixed.drawn);
  const { low } = fixed;
  const note = !across ? "The rule has no variables: there is one combination." : more.join("; ");
  if (note) nodes.push(svg("text", { x: 2, y: low + 15 * scale, class: "wol-quiet" }, note));
  return [svg("g", { class: "wol-grid" }, nodes), low + (note ? 22 : 6) * scale];
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
  const share = Math.min(220 * scale, width / fixed.length);
  const heads = fixed.map((k, i) =>
    sideHead(at, sides[k], 0, k + 1, 2 + i * share, from, share - 8 * scale),
  );
  return { drawn: [text, ...heads], low: from + GRID.head * scale };
}

// The best items, as many as are shown; and the one that the last combination has.
function shownRanks({ room }, length, last, fitting) {
  const most = Math.max(1, Math.min(length, fitting, Math.max(room.rows, 1)));
  const ranks = Array.from({ length: most }, (_, rank) => rank);
  if (last >= most && last < length) ranks[most - 1] = last;
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

// The head of a row or column: an item of the variable's cell, its rank, its words, its score.
function sideHead({ state, scale }, side, rank, variable, x, y, width) {
  const item = itemOf(state, side[rank]);
  const words = itemWords(state, side[rank]).join(" ") || "no words";
  const free = width / scale - 18;
  return svg(
    "g",
    {},
    svg(
      "title",
      {},
      `Variable ${variable}, rank ${rank + 1}: “${words}”, score ${number(item?.score)}`,
    ),
    chipOf(variable, x + 7 * scale, y + 9 * scale, 0.85 * scale),
    svg("text", { x: x + 17 * scale, y: y + 13 * scale }, clip(`${rank + 1}. ${words}`, free)),
    svg("text", { x: x + 17 * scale, y: y + 28 * scale, class: "wol-quiet" }, number(item?.score)));
}

function takenCell(at, one, { x, y }, { column, row }) {
  const { state, room, scale, masked, cell, combination } = at;
  const last = cell.taken[cell.taken.length - 1].serial === one.serial;
  const [inset, free] = [2 * scale, column / scale - 12];
  const score = masked ? "score ?" : number(one.score);
  const both = `${score} (${number(one.heuristic)})`;
  const outcome = masked ? "" : (OUTCOMES[one.outcome] ?? one.outcome);
  const classes = [
    "wol-taken-cell",
    last && "wol-last",
    one.serial === combination?.serial && "wol-chosen",
    one.outcome === "worse" && !masked && "wol-worse",
  ];
  return svg(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      role: "button",
      "data-serial": `combination ${one.serial}`,
      tabindex: one.serial === combination?.serial ? 0 : -1,
      "aria-label": sayTaken(state, one, masked),
      "aria-pressed": String(one.serial === combination?.serial),
      onclick: () => chooseIn(state, room, { item: one.serial, application: one.application }),
    },
    svg("title", {}, sayTaken(state, one, masked)),
    svg("rect", {
      x: round1(x + inset),
      y: round1(y + inset),
      width: round1(column - 2 * inset),
      height: round1(row - 2 * inset),
      rx: 4,
    }),
    svg(
      "text",
      { x: round1(x + 6 * scale), y: round1(y + 16 * scale), class: "wol-title" },
      clip(`${one.order}. ${outcome}`, free, { bold: true }),
    ),
    svg(
      "text",
      { x: round1(x + 6 * scale), y: round1(y + 30 * scale) },
      textWidth(both) <= free ? both : clip(score, free),
    ),
  );
}

function frontierCell({ scale }, { x, y }, { column, row }) {
  return svg(
    "g",
    { class: "wol-frontier", role: "img", "aria-label": "On the frontier" },
    svg("rect", {
      x: round1(x + 4 * scale),
      y: round1(y + 4 * scale),
      width: round1(column - 8 * scale),
      height: round1(row - 8 * scale),
      rx: 4,
    }),
    svg(
      "text",
      {
        x: round1(x + column / 2),
        y: round1(y + row / 2 + 4 * scale),
        "text-anchor": "middle",
        class: "wol-quiet",
      },
      clip("frontier", column / scale - 12),
    ),
  );
}

// Three variables and more: a line for each combination, its ranks as a vector.
function drawVectors(at, grid, width) {
  const { room, scale, combination } = at;
  const taken = [...grid.taken.values()];
  const most = Math.min(GRID.most, room.rows);
  const shown = taken.filter(
    (one, i) => i >= taken.length - most || one.serial === combination?.serial,
  );
  const frontier = grid.frontier.slice(0, most);
  const lines = [
    ...(taken.length > shown.length
      ? [{ note: `${plural(taken.length - shown.length, "earlier one")}` }]
      : []),
    ...shown.map((one) => ({ one })),
    ...frontier.map((ranks) => ({ ranks })),
    ...(grid.frontier.length > frontier.length
      ? [{ note: `${grid.frontier.length - frontier.length} more on the frontier` }]
      : []),
  ];
  const drawn = lines.map((line, i) => vectorLine(at, grid, line, i * 24 * scale, width));
  return [svg("g", { class: "wol-grid" }, drawn), (24 * lines.length + 4) * scale];
}

function vectorLine(at, { sides }, { one, ranks, note }, y, width) {
  const { state, scale } = at;
  if (note) return svg("text", { x: 6 * scale, y: y + 15 * scale, class: "wol-quiet" }, note);
  const vector = one?.ranks ?? ranks;
  const words = vector
    .map((rank, k) => itemWords(state, sides[k]?.[rank]).join(" ") || "no words")
    .join(" · ");
  const text = `(${vector.map((rank) => rank + 1).join(", ")}) ${words}`;
  if (one) return vectorTaken(at, one, text, y, width);
  return svg(
    "g",
    { class: "wol-frontier", role: "img", "aria-label": `On the frontier: ${text}` },
    svg("rect", { x: 2, y: y + 2 * scale, width: width - 6, height: 20 * scale, rx: 4 }),
    svg(
      "text",
      { x: 8 * scale, y: y + 16 * scale, class: "wol-quiet" },
      clip(`frontier: ${text}`, width / scale - 20),
    ),
  );
}

function vectorTaken(at, one, text, y, width) {
  const { state, room, scale, masked, combination } = at;
  const score =
    `${masked ? "score ?" : `${OUTCOMES[one.outcome] ?? one.outcome} ${number(one.score)}`} ` +
    `(${number(one.heuristic)})`;
  const chosen = one.serial === combination?.serial;
  return svg(
    "g",
    {
      class: `wol-taken-cell${chosen ? " wol-chosen" : ""}`,
      role: "button",
      tabindex: chosen ? 0 : -1,
      "data-serial": `combination ${one.serial}`,
      "aria-label": sayTaken(state, one, masked),
      "aria-pressed": String(chosen),
      onclick: () => chooseIn(state, room, { item: one.serial, application: one.application }),
    },
    svg("rect", { x: 2, y: y + 2 * scale, width: width - 6, height: 20 * scale, rx: 4 }),
    svg(
      "text",
      { x: 8 * scale, y: y + 16 * scale },
      clip(`${one.order}. ${text}`, width / scale - 24 - textWidth(score)),
    ),
    svg("text", { x: width - 10 * scale, y: y + 16 * scale, "text-anchor": "end" }, score),
  );
}
