// The whole chart as a map: a column for each number of units, a tile for each edge that was
// popped, in the order of popping. Every tile has its place from the start of the search, so one
// sees the chart fill, and what is pruned fades where it stood.

import { searchFacts } from "../agenda/ranks.js";
import { svg } from "../player/dom.js";
import { choosable, round1 } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { edgeOf } from "../search/search.js";

const TILES = { height: 36, head: 18, most: 15, least: 2, gap: 10 };
const TILED = new WeakMap(); // a log -> for each of its searches where the tiles stand
const SHADES = 3;

// Serial -> [size, place in its column], and how many each column has in the end.
function tilesOf(log, search) {
  if (!TILED.has(log)) TILED.set(log, findTiles(log));
  return TILED.get(log)[search] ?? { places: new Map(), counts: [] };
}

function findTiles(log) {
  const searches = [];
  let [sizes, tiles] = [new Map(), null];
  for (let i = 0; i < log.length; i += 1) {
    const kind = log.kinds[i];
    if (!["begin", "leaf", "edge", "popped"].includes(kind)) continue;
    const [, serial, left, right] = log.event(i);
    if (kind === "begin") {
      sizes = new Map();
      searches.push((tiles = { places: new Map(), counts: [] }));
    } else if (kind === "leaf") sizes.set(serial, 1);
    else if (kind === "edge") sizes.set(serial, (sizes.get(left) ?? 0) + (sizes.get(right) ?? 0));
    else if (tiles && sizes.has(serial) && !tiles.places.has(serial)) {
      const size = sizes.get(serial);
      tiles.counts[size] = (tiles.counts[size] ?? 0) + 1;
      tiles.places.set(serial, [size, tiles.counts[size] - 1]);
    }
  }
  return [null, ...searches]; // searches are counted from 1
}

// How many columns a search has in the end: the size of its largest edge.
export function chartSizes(log, search) {
  return Math.max(1, tilesOf(log, search).counts.length - 1);
}

// The map as an element, its height, and what draws lines from an edge to what it was made of.
export function drawChartMap(at, focus) {
  const { state, room, scale, width, lit, chosen } = at;
  const { places, counts } = tilesOf(room.log, state.search);
  const sizes = Math.max(1, counts.length - 1);
  const [head, tall, gap] = [TILES.head * scale, TILES.height * scale, TILES.gap * scale];
  const wide = width / sizes - gap;
  const tile = tileSize(counts, wide, tall, scale);
  const across = Math.max(1, Math.floor(wide / tile));
  const corner = (serial) => {
    const [size, i] = places.get(serial) ?? [0, 0];
    if (!size) return null;
    return [(size - 1) * (wide + gap) + (i % across) * tile, head + Math.floor(i / across) * tile];
  };
  const boxes = new Map();
  const put = (kind, serial) => {
    const place = corner(serial);
    const [x, y] = place ?? [];
    const side = Math.max(1, tile - 1.5);
    if (place)
      boxes.set(kind, `${boxes.get(kind) ?? ""}M${round1(x)} ${round1(y)}` +
        `h${side}v${side}h${-side}z`);
  };
  const shade = shadeOf(at);
  for (const [serial] of state.pops) put(tileKind(state, serial, shade), serial);
  for (const serial of lit) put("wol-tile-lit", serial);
  if (chosen) put("wol-tile-chosen", chosen);
  const lines = svg("path", { class: "wol-tile-lines" });
  const middle = (serial) => {
    const [x, y] = corner(serial);
    return `${round1(x + tile / 2)} ${round1(y + tile / 2)}`;
  };
  const over = (serial) => {
    const edge = edgeOf(state, serial);
    const parts = [edge?.left, edge?.right].filter((part) => part && places.has(part));
    lines.setAttribute("d", places.has(serial) ? parts.map((part) =>
      `M${middle(serial)}L${middle(part)}`).join("") : "");
  };
  const hit = (event) => tileAt(event, drawn, state.pops.map(([serial]) => serial), corner, tile);
  const said = `Map of the chart: ${plural(state.pops.length, "edge")} popped so far, by their ` +
    "number of units";
  const ground = svg("rect", { width, height: head + tall, class: "wol-latticed-room" });
  const drawn = svg("g", { class: "wol-chart-map", role: "group", "aria-label": said,
    onclick: (event) => select(event, room, hit), onpointermove: (event) => over(hit(event)),
    onpointerleave: () => over(null) },
  ground, [...boxes].map(([kind, d]) => svg("path", { class: `wol-tile ${kind}`, d })), lines,
  Array.from({ length: sizes }, (_, i) => sizeLabel(i + 1, i * (wide + gap), wide, at, focus)));
  return [drawn, head + tall + 6 * scale, over];
}

// As large as all columns allow at their fullest.
function tileSize(counts, wide, tall, scale) {
  const fullest = Math.max(1, ...counts.filter(Boolean));
  let size = TILES.most * scale;
  const fits = () => Math.floor(wide / size) * Math.floor(tall / size) >= fullest;
  while (size > TILES.least && !fits()) size -= 0.5;
  return size;
}

// Scores on one scale for the whole search.
function shadeOf({ state, room }) {
  const { low, high } = searchFacts(room.log).searches[state.search] ?? { low: 0, high: 1 };
  return (serial) => {
    const share = (state.scores[serial - 1] - low) / (high - low || 1);
    return Math.max(0, Math.min(SHADES - 1, Math.floor(share * SHADES)));
  };
}

function tileKind(state, serial, shade) {
  const place = state.places[serial - 1];
  if (place === "goal") return "wol-tile-goal";
  if (place === "popped") return "wol-tile-now";
  if (place !== "chart") return "wol-tile-out";
  return edgeOf(state, serial).gold === 1 ? "wol-tile-gold" : `wol-tile-${shade(serial)}`;
}

// The tile at which somebody points.
function tileAt(event, drawn, serials, corner, tile) {
  const at = new window.DOMPoint(event.clientX, event.clientY)
    .matrixTransform(drawn.getScreenCTM().inverse());
  return serials.find((serial) => {
    const place = corner(serial);
    return place && at.x >= place[0] && at.x < place[0] + tile
      && at.y >= place[1] && at.y < place[1] + tile;
  }) ?? null;
}

function select(event, room, hit) {
  const serial = event.target.closest("[role=button]") ? null : hit(event);
  if (!serial) return;
  event.stopPropagation();
  room.select(serial);
}

// A number of units, to press: its cards stand below.
function sizeLabel(size, x, wide, { room, scale, state }, [first, last]) {
  const here = size >= first && size <= last;
  const press = (event) => {
    event.stopPropagation();
    room.kept.size = { search: state.search, size, chosen: room.selected };
    room.redraw();
  };
  const said = `Cards of ${plural(size, "unit")}`;
  return choosable(["wol-press", "wol-size", here && "wol-size-here"],
    { serial: `size ${size}`, said, chosen: here, focused: true, press },
  svg("title", {}, said),
  svg("rect", { x, y: 0, width: Math.max(8, wide), height: 15 * scale, rx: 3 }),
  svg("text", { x: x + 3 * scale, y: 12 * scale, class: "wol-quiet" },
    wide > 52 * scale ? plural(size, "unit") : size));
}
