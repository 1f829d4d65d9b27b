// The chart view's picture: what the chart holds, what has left it, and the edge that is looked at,
// beside the chart where its words have room there, else below it.

import { bagWidth } from "../player/arcs.js";
import { clip, html, svg, textWidth } from "../player/dom.js";
import {
  headline, keptPiece, nothingYet, setIfNew, settledPicture, settlePieces, wrapped,
} from "../player/pictures.js";
import { plural } from "../player/words.js";
import { isCcg } from "../search/edges.js";
import { edgeOf } from "../search/search.js";
import { cardLines, drawChartCard, layChartEdges } from "./cards.js";
import {
  chartChosen, chartColumns, chartKind, chartParts, chartPicks, chartUnits,
} from "./cells.js";
import { chartSizes, drawChartMap } from "./chart_map.js";
import { chartCompared, sayCompared } from "./compare.js";
import { chartClick, chartDrive, chartKey } from "./drive.js";
import { drawChartEdge, drawLeft } from "./edge.js";

const CHART_COLUMN = { width: 216, narrow: 190, gap: 16, cell: 17, line: 25, note: 15, space: 6 };

const SIDE = { least: 320, gap: 24 }; // pixels of the edge beside the chart, and between them
const BANDS_FROM = 150; // pixels above the first band of columns
const BAND = 110; // pixels of each
const DETAIL_SEEN = 210; // pixels of the edge below that are in sight without scrolling

export function drawChart(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const whole = Math.max(room.width, 300);
  const side = chartSide(state, room, whole, scale);
  const at = { state, room, scale, whole, side, width: whole - side,
    chosen: chartChosen(state, room.selected) };
  at.lit = new Set(at.chosen === null ? [] : chartParts(state, at.chosen));
  at.compared = room.other?.chart && room.name ? chartCompared(state, room.other) : null;
  const picture = state.edges.length ? chartPicture(at) : nothingYet(whole, scale);
  const drive = room.beside && !room.ask ? null : chartDrive(state, room, at.chosen);
  const { kept } = room;
  kept.now = [state, room];
  kept.frame ??= html("div", {
    onclick: (event) => chartClick(event, ...kept.now),
    onkeydown: (event) => chartKey(event, ...kept.now),
    onpointerover: (event) => pointAt(event, room),
  });
  setIfNew(kept.frame, "data-fit", String(at.fit ?? ""));
  return settlePieces(kept.frame, [picture, drive].filter(Boolean));
}

// Lines on the map from the edge that is pointed at to its parts.
function pointAt({ target }, room) {
  const serial = Number(target.closest?.("[data-serial]")?.dataset.serial);
  if (serial) room.kept.over?.(serial);
}

// How many pixels beside the chart an edge has: as many as all words take, so that it stays there
// while the search goes on, if two columns of the chart have room then.
function chartSide(state, room, width, scale) {
  if (isCcg(state) || room.beside?.includes("derivation")) return 0;
  const wide = (Math.max(SIDE.least, bagWidth(state.forms, state.counts)) + SIDE.gap) * scale;
  return width - wide < 2 * (CHART_COLUMN.narrow + CHART_COLUMN.gap) * scale ? 0 : wide;
}

function chartPicture(at) {
  const { state, room, width, side, scale } = at;
  const [head, under] = chartHead(at);
  const shown = shownSizes(at);
  const now = chartMoment(at);
  const keep = (name, key, draw) => keptPiece(room, name, [now, key], draw);
  const [map, mapped, over] = keep("map", shown, () => drawChartMap(at, shown));
  setIfNew(map, "transform", `translate(0 ${under})`);
  room.kept.over = over;
  const [columns, bottom] = keep("bands", [under + mapped, shown], () =>
    chartBands(at, under + mapped, shown));
  const apart = room.beside?.includes("derivation"); // the edge has a picture of its own
  at.fit = Math.ceil(bottom + (apart || side ? 0 : DETAIL_SEEN * scale));
  // A derivation takes more room than arcs.
  const beside = !apart && !side && width > (isCcg(state) ? 860 : 700) * scale;
  const split = beside ? Math.round(0.62 * width) : side ? side - SIDE.gap * scale : width;
  const [detail, low, wide] = apart ? [svg("g"), 0, 0]
    : keep("detail", [split, beside, room.kept.unfolded], () =>
      drawChartEdge(at, split - (beside ? 24 * scale : 0)));
  const [left, deep] = keep("left", [split, beside], () =>
    drawLeft(at, beside ? width - split : split));
  const [x, y] = side ? [at.whole - split, 0] : [0, bottom + 14 * scale];
  const both = beside && wide <= split;
  setIfNew(detail, "transform", `translate(${x} ${y})`);
  setIfNew(left, "transform", both ? `translate(${split} ${y})`
    : `translate(${x} ${y + low + 8 * scale})`);
  const height = Math.max(bottom, y + (both ? Math.max(low, deep) : low + deep + 8 * scale));
  const full = Math.max(at.whole, x + wide);
  const rule = side ? null
    : svg("line", { x1: 0, x2: width, y1: bottom, y2: bottom, class: "wol-rule" });
  return settledPicture(room, full, height, scale, chartLabel(state),
    [head, map, columns, rule, left, detail].filter(Boolean), { look: "wol-chart" });
}

function chartLabel(state) {
  const cells = new Set(state.chart.map((serial) => JSON.stringify(chartUnits(state, serial))))
    .size;
  return (
    `Chart after pop ${state.pops.length.toLocaleString("en")}: ` +
    `${plural(state.chart.length, "edge")} in ${plural(cells, "cell")}`
  );
}

// What the chart holds in all, and where gold is.
function chartHead({ state, room, width, scale, compared }) {
  const beams = chartPlaces(state, chartKind(room.log)) + sayOverfull(state, room.log);
  const lines = [`${beams} · ${plural(state.agenda, "edge")} on the agenda`, ...chartGold(state)];
  if (compared) lines.push(sayCompared(compared, room.name));
  if (!state.chart.length)
    lines.push("The chart is empty: an edge enters it once it has been popped and expanded.");
  const free = width / scale - 8;
  // Where there is room the first of them stands beside the headline.
  const title = chartLabel(state);
  const [first] = lines;
  const beside = 1.1 * (textWidth(title, true) + textWidth(first)) + 24 < free && lines.shift();
  const told = lines.flatMap((line) => wrapped(line, free, free, 4));
  return [
    svg("g", {}, headline(title, 2, 15 * scale, width / scale - 4), beside &&
        svg("text", { x: width - 2, y: 15 * scale, "text-anchor": "end" }, beside),
      told.map((line, i) => svg("text", { x: 2, y: (33 + 17 * i) * scale }, line))),
    (24 + 17 * told.length) * scale,
  ];
}

// How many places there are, as far as the log tells.
function chartPlaces({ chart, beam }, kind) {
  const places = plural(beam, "place");
  if (!beam) return "there is room for all";
  if (kind === "sizes") return `${places} for each number of units`;
  if (kind !== "single") return `no beam of ${places} is full`;
  return chart.length > beam
    ? `${chart.length} edges for ${places}: too full`
    : `${chart.length} of ${places} taken`;
}

// In learning a beam may hold more gold edges than it has places.
function sayOverfull({ chart, beam, edges }, log) {
  const kind = chartKind(log);
  if (!beam || !kind || !log.counts.edge_update) return "";
  const counts = new Map();
  for (const serial of chart) {
    const one = kind === "sizes" ? edges[serial - 1].size : 0;
    counts.set(one, (counts.get(one) ?? 0) + (edges[serial - 1].gold === 1));
  }
  return Math.max(0, ...counts.values()) > beam ? " (gold edges are never dropped)" : "";
}

// Where the gold edges are that have been made; nothing where gold is not known.
function chartGold(state) {
  const places = { chart: 0, agenda: 0, out: 0, popped: 0, goal: 0 };
  let made = 0;
  for (const edge of state.edges) {
    if (edge.gold !== 1) continue;
    made += 1;
    places[state.places[edge.serial - 1]] += 1;
  }
  if (!made) return [];
  const names = {
    chart: "in the chart",
    agenda: "on the agenda",
    popped: "popped",
    goal: "the goal",
    out: "out",
  };
  const parts = Object.keys(names)
    .filter((name) => places[name])
    .map((name) => `${places[name]} ${names[name]}`);
  return [`★ gold: ${plural(made, "edge")} made so far: ${parts.join(", ")}`];
}

const ALL = 1000; // rows with which everything is asked for

// Columns have one width for the whole search, and those of the edge that is looked at, or of the
// number that was pressed on the map, are in sight: the first and the last of them, and how many
// stand beside each other.
function shownSizes({ state, room, width, side, scale, chosen, compared }) {
  const sizes = chartSizes(room.log, state.search);
  const fits = (wide) => Math.max(1, Math.floor(
    (width - 2 + CHART_COLUMN.gap * scale) / ((wide + CHART_COLUMN.gap) * scale)));
  // A little narrower, if all have room then.
  const all = !compared && fits(CHART_COLUMN.narrow) >= sizes;
  const fitting = all ? sizes : fits(CHART_COLUMN.width);
  if (room.rows >= ALL) return [1, sizes, fitting];
  // Without an edge below there is room for more than one band of columns.
  const bands = side || room.beside?.includes("derivation")
    ? Math.max(1, Math.floor((room.tall / scale - BANDS_FROM) / BAND)) : 1;
  const pressed = room.kept.size;
  const stays = pressed?.search === state.search && pressed.chosen === room.selected;
  const size = stays ? pressed.size : (edgeOf(state, chosen)?.size ?? 1);
  const seen = fitting * bands;
  const first = Math.max(1, Math.min(sizes - seen + 1, size - Math.ceil(seen / 2)));
  return [first, first + seen - 1, fitting];
}

// What is drawn again only where it has changed: most events make edges that go on the agenda.
function chartMoment(at) {
  const { state, room, compared, chosen } = at;
  const last = state.pops.length ? state.places[state.pops[state.pops.length - 1][0] - 1] : "";
  return JSON.stringify([
    state.search,
    state.pops.length,
    state.outs.length,
    state.chart,
    state.chart.map((serial) => state.scores[serial - 1]),
    last,
    chosen,
    state.places[chosen - 1],
    state.scores[chosen - 1],
    room.selected,
    state.scores[room.selected - 1],
    room.rows,
    room.masked,
    at.width,
    at.side,
    at.scale,
    chartPicks(state, room),
    compared && [...compared.both],
  ]);
}

// The columns from left to right, in as many bands as they take.
function chartBands(at, top, [first, last, fitting]) {
  const size = Object.fromEntries(
    Object.entries(CHART_COLUMN).map(([name, value]) => [name, value * at.scale]),
  );
  size.width = Math.min(
    fitting > 1 ? 1.6 * size.width : at.width,
    (at.width - 2 + size.gap) / fitting - size.gap,
  );
  const here = { ...at, size, cards: [], frames: [] };
  const columns = chartColumns(at.state, at.room);
  const drawn = [];
  let y = top;
  for (let from = first; from <= last; from += fitting) {
    const band = columns
      .filter((column) => column.size >= from && column.size < from + fitting)
      .map((column) =>
        drawChartColumn(here, column, 1 + (column.size - from) * (size.width + size.gap), y));
    drawn.push(...band.map(([group]) => group));
    if (band.length) y = Math.max(...band.map(([, bottom]) => bottom)) + 12 * at.scale;
  }
  const frames = svg("path", { d: here.frames.join(""), class: "wol-cell" });
  return [svg("g", {}, frames, drawn, cardLines(here, here.cards)), y];
}

function drawChartColumn(at, column, x, top) {
  const { state, room, size, scale } = at;
  const places =
    chartKind(room.log) === "sizes" && state.beam
      ? ` of ${plural(state.beam, "place")}`
      : ` in the chart`;
  const title = plural(column.size, "unit");
  const held = `${column.inside}${places}`;
  const nodes = [
    svg("text", { x, y: top + 13 * scale, class: "wol-head" }, title),
    svg("text",
      { x: x + size.width, y: top + 13 * scale, class: "wol-quiet", "text-anchor": "end" },
      held),
  ];
  let y = top + 20 * scale;
  const framed = new Set(column.cells.filter(isFramed).flatMap(({ edges }) => edges));
  const inset = (one) => (framed.has(one) ? 3 * scale : 0);
  const cards = layChartEdges(at, column.cells.flatMap(({ edges }) => edges),
    (one) => size.width - 2 * inset(one));
  for (const cell of column.cells) {
    const [drawn, height] = drawCell(at, cell, cards, x, y);
    nodes.push(...drawn);
    y += height + size.space;
  }
  if (column.more) {
    const text = `${plural(column.more, "more edge")} in ${plural(column.moreCells, "more cell")}`;
    nodes.push(svg("text", { x, y: y + 8 * scale, class: "wol-quiet" }, text));
    y += 14 * scale;
  }
  return [svg("g", { role: "group", "aria-label": `${title}: ${held}` }, nodes), y];
}

function isFramed({ edges, more }) {
  return edges.length + more > 1;
}

// A cell: the edges over one set of words. Where there are several, they have a frame around them.
function drawCell(at, cell, cards, x, top) {
  const { size, scale } = at;
  const framed = isFramed(cell);
  const inset = framed ? 3 * scale : 0;
  const words = `{ ${cell.units.join(" · ")} }`;
  const nodes = framed
    ? [
        svg("text", { x: x + 6 * scale, y: top + 12 * scale, class: "wol-quiet" },
          clip(words, (1.08 * size.width) / scale - 14)),
      ]
    : [];
  let y = top + (framed ? size.cell : 0);
  for (const one of cell.edges) {
    const card = Object.assign(cards.get(one.serial), { x: x + inset, y });
    y += card.height + 3 * scale;
    at.cards.push(card);
    nodes.push(drawChartCard(at, card));
  }
  if (cell.more)
    nodes.push(
      svg("text", { x: x + 7 * scale, y: y + 11 * scale, class: "wol-quiet" },
        `${cell.more} more of these words`),
    );
  if (cell.more) y += 15 * scale;
  if (framed) at.frames.push(`M${x} ${top}h${size.width}v${y - top + scale}h${-size.width}z`);
  return [nodes, y - top + scale];
}
