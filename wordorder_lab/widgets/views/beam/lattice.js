// The whole search with a beam as a lattice: a dot a state, a column a step, the best on top. The
// winner's way and gold's are lines; what was cut is hollow and stands below the beam.

import { svg } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { actionText, chosenSerial, derivationOf } from "./cards.js";

const MOST_LINES = 1500;
const ZOOMS = [1, 2, 4];
const CUT_SHOWN = 8;

// The lattice as an element, and its height. Every step has its place from the start, so that
// nothing moves while the search goes on.
export function drawLattice(state, room, width, height) {
  const scale = room.projector ? 1.4 : 1;
  const chosen = chosenSerial(state, room.selected);
  const path = derivationOf(state, chosen);
  const lay = layLattice(state, room, width, height, scale, path, chosen);
  const gold = goldWay(state);
  const shown = lay.columns.filter((column) => lay.x(column.step) !== null);
  const links = shown.flatMap((column) => latticeLinks(column, lay));
  const ways = [
    wayLine(shown, gold, lay, "wol-way wol-way-gold"),
    wayLine(shown, path, lay, "wol-way"),
  ];
  const dots = shown.flatMap((column) =>
    column.states.map((one) => drawDot(state, column, one, lay, { room, path, gold, chosen })));
  const said = `Lattice: ${plural(state.columns.length - 1, "step")}, ` +
    `${plural(dots.length, "state")}; press one to look at it`;
  return [
    svg("g", { class: "wol-lattice", role: "group", "aria-label": said },
      shown.map((column) => columnHead(column, lay, scale)),
      room.masked ? null : zoomButtons(room, width, scale),
      links.slice(0, MOST_LINES), ways, dots,
      shown.map((column) => fallenMark(column, lay))),
    height,
  ];
}

// The serials of the gold states, as far as gold was in the beam, and the one that was cut.
function goldWay(state) {
  return new Map(state.columns.filter(({ gold }) => gold !== null && gold >= 0)
    .map(({ gold }) => [gold, true]));
}

function layLattice(state, room, width, height, scale, path, chosen) {
  const columns = state.columns.map((column) => ({
    ...column,
    states: [
      ...column.states.map((one, i) => ({ ...one, row: i, status: "kept" })),
      ...nearestCut(column).map((one, i) => ({ ...one, row: i, status: "cut" })),
    ],
  }));
  const steps = Math.max(columns.length - 1, latticeSteps(state));
  const zoom = room.kept.zoom ?? 1;
  const most = Math.max(2, Math.ceil((steps + 1) / zoom));
  const middle = path.get(chosen)?.column ?? columns.length - 1;
  const first = Math.max(0, Math.min(steps + 1 - most, Math.round(middle - most / 2)));
  const pitch = (width - 74 * scale) / Math.max(1, most - 1);
  const head = 24 * scale;
  const kept = Math.max(1, ...columns.map((column) => column.states
    .filter((one) => one.status === "kept").length));
  const cut = Math.max(0, ...columns.map((column) => column.states
    .filter((one) => one.status === "cut").length));
  const row = Math.min(22 * scale, (height - head - 10 * scale) / (kept + cut + 1));
  const x = (step) => (step < first || step > first + most - 1
    ? null : round1(20 * scale + (step - first) * pitch));
  const y = (one) => round1(head + row * (one.row + 0.5 + (one.status === "cut" ? kept + 0.7 : 0)));
  return { columns, x, y, head, pitch, radius: Math.max(1.6, Math.min(6 * scale, 0.38 * row,
    0.3 * pitch)) };
}

// Those that lost by the least, and gold wherever it is.
function nearestCut({ cut, gold }) {
  const ranked = cut.slice().sort((a, b) => a.margin - b.margin || a.serial - b.serial);
  return ranked.filter((one, i) => i < CUT_SHOWN || one.serial === gold);
}

// Every unit is shifted once, and all but the root are attached once.
function latticeSteps(state) {
  return 2 * state.counts.reduce((sum, count) => sum + count, 0) - 1;
}

function latticeLinks(column, lay) {
  const before = lay.columns[column.step - 1];
  const from = lay.x(column.step - 1);
  if (!before || from === null) return [];
  const places = new Map(before.states.filter((one) => one.status === "kept")
    .map((one) => [one.serial, lay.y(one)]));
  return column.states.filter((one) => places.has(one.parent)).map((one) => svg("line", {
    class: one.status === "cut" ? "wol-thread wol-cut" : "wol-thread",
    x1: from, y1: places.get(one.parent), x2: lay.x(column.step), y2: lay.y(one),
  }));
}

// A line through the states of a way, from column to column.
function wayLine(columns, way, lay, kind) {
  const points = columns.flatMap((column) => {
    const one = column.states.find(({ serial }) => way.has(serial));
    return one ? [`${lay.x(column.step)} ${lay.y(one)}`] : [];
  });
  return points.length > 1 ? svg("path", { class: kind, d: `M${points.join("L")}` }) : null;
}

function drawDot(state, column, one, lay, { room, path, gold, chosen }) {
  const isGold = gold.has(one.serial);
  const kind = [
    "wol-latticed", `wol-${one.status}`, path.has(one.serial) && "wol-on-path",
    isGold && "wol-gold", one.serial === chosen && "wol-chosen",
  ].filter(Boolean).join(" ");
  const score = room.masked ? "" : `, score ${number(one.score)}`;
  const place = one.status === "cut" ? `cut, ${number(one.margin)} behind` : `rank ${one.row + 1}`;
  const action = one.action ? actionText(one.action, state.units) : "start";
  const said = `Step ${column.step}, ${place}: ${action}${score}${isGold ? ", gold" : ""}`;
  const [x, y] = [lay.x(column.step), lay.y(one)];
  return svg("g", {
    class: kind, role: "button", "data-serial": one.serial, "data-in": "lattice",
    tabindex: one.serial === chosen ? 0 : -1, "aria-label": said,
    "aria-pressed": String(one.serial === chosen), onclick: () => room.select(one.serial),
  }, svg("title", {}, said),
  svg("circle", { cx: x, cy: y, r: lay.radius + 3, class: "wol-latticed-room" }),
  svg("circle", { cx: x, cy: y, r: round1(lay.radius * (path.has(one.serial) ? 1.25 : 1)) }));
}

// Where columns stand close together, every fifth has its number.
function columnHead(column, lay, scale) {
  if (column.step % (lay.pitch < 18 * scale ? 5 : 1)) return null;
  return svg("text", {
    x: lay.x(column.step), y: 14 * scale, "text-anchor": "middle", class: "wol-quiet",
  }, column.step);
}

// Where gold fell out of the beam.
function fallenMark(column, lay) {
  if (column.gold_rank !== -1 || column.gold === null || column.gold < 0) return null;
  const one = column.states.find(({ serial }) => serial === column.gold);
  const x = lay.x(column.step);
  return svg("text", { x: x + lay.radius + 3, y: (one ? lay.y(one) : lay.head) + 5,
    class: "wol-fallen", role: "img", "aria-label": "gold is cut here" }, "✕");
}

// Closer or farther: fewer columns around the state that is looked at, or all.
function zoomButtons(room, width, scale) {
  const zoom = room.kept.zoom ?? 1;
  return [["−", -1, "Show more steps"], ["+", 1, "Show fewer steps, larger"]].map(
    ([sign, way, said], i) => {
      const to = ZOOMS[ZOOMS.indexOf(zoom) + way];
      const x = width - (44 - 22 * i) * scale;
      const press = () => {
        if (!to) return;
        room.kept.zoom = to;
        room.redraw();
      };
      return svg("g", {
        class: "wol-press wol-order", role: "button", tabindex: 0, "data-serial": `zoom ${way}`,
        "aria-label": said, "aria-disabled": String(!to), onclick: press,
      }, svg("title", {}, said),
      svg("rect", { x, y: 0, width: 19 * scale, height: 18 * scale, rx: 4 }),
      svg("text", { x: x + 9.5 * scale, y: 14 * scale, "text-anchor": "middle" }, sign));
    });
}
