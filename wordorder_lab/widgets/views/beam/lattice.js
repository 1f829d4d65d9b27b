// The whole search with a beam as a lattice: a dot a state, a column a step, the best on top. The
// winner's way and gold's are lines; what was cut is hollow and stands below the beam.

import { svg } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { actionText, chosenSerial, derivationOf } from "./cards.js";
import { stepsInAll } from "./steps.js";

const ZOOMS = [1, 2, 4];
const CUT_SHOWN = 8;
const NEAR = 400; // squared pixels: a press farther from every dot means none

// The lattice as an element. Every step has its place from the start, so that nothing moves while
// the search goes on. `press(one, column)` is told which state was pressed; with `cards` below it
// the dots are a map of them, and those have the serials.
export function drawLattice(state, room, width, height, press, cards = false) {
  const scale = room.projector ? 1.4 : 1;
  const chosen = chosenSerial(state, room.selected);
  const path = derivationOf(state, chosen);
  const lay = layLattice(state, room, width, height, scale, path, chosen);
  const gold = goldWay(state);
  const shown = lay.columns.filter((column) => lay.x(column.step) !== null);
  const plain = (status) => shown.flatMap((column) => column.states.filter((one) =>
    one.status === status).map((one) => `M${lay.x(column.step)} ${lay.y(one)}h0`)).join("");
  const special = shown.flatMap((column) => column.states
    .filter(({ serial }) => path.has(serial) || gold.has(serial) || serial === chosen)
    .map((one) => latticeDot(state, column, one, lay, { room, path, gold, chosen, cards })));
  const steps = Math.max(state.columns.length - 1, stepsInAll(state, room.log));
  const said = `Lattice: ${plural(state.columns.length - 1, "step")} of ${steps}`;
  const ground = svg("rect", { x: 0, y: lay.head, width, height: height - lay.head,
    class: "wol-latticed-room" });
  const dots = (status, kind, size) => svg("path", { d: plain(status), class: `wol-dots ${kind}`,
    style: `stroke-width: ${round1(2 * lay.radius * size)}px` });
  const drawn = svg("g", { class: "wol-lattice", role: "group", "aria-label": said },
    svg("title", {}, cards ? "Press a dot to see its cards" : "Press a dot to look at its state"),
    ground, threads(shown, lay),
    dots("kept", "", 1), dots("cut", "wol-cut", 1), dots("cut", "wol-hollow", 0.55),
    wayLine(shown, gold, lay, "wol-way wol-way-gold"), wayLine(shown, path, lay, "wol-way"),
    special,
    shown.map((column) => columnHead(column, lay, scale)),
    shown.map((column) => fallenMark(column, lay)),
    zoomButtons(room, width, scale));
  drawn.addEventListener("click", (event) => {
    if (event.target.closest("[role=button]")) return;
    const hit = nearestDot(event, drawn, shown, lay);
    if (hit) press(...hit);
  });
  return drawn;
}

// The serials of the gold states, as far as gold was in the beam, and the one that was cut.
function goldWay(state) {
  return new Set(state.columns.map(({ gold }) => gold).filter((gold) => gold !== null));
}

function layLattice(state, room, width, height, scale, path, chosen) {
  const columns = state.columns.map((column) => ({
    ...column,
    states: [
      ...column.states.map((one, i) => ({ ...one, row: i, status: "kept" })),
      ...nearestCut(column).map((one, i) => ({ ...one, row: i, status: "cut" })),
    ],
  }));
  const steps = Math.max(columns.length - 1, stepsInAll(state, room.log));
  const most = Math.max(2, Math.ceil((steps + 1) / (room.kept.zoom ?? 1)));
  const middle = path.get(chosen)?.column ?? columns.length - 1;
  const first = Math.max(0, Math.min(steps + 1 - most, Math.round(middle - most / 2)));
  const pitch = (width - 74 * scale) / Math.max(1, most - 1);
  const head = 20 * scale;
  const kept = Math.max(1, ...columns.map((column) => column.states.length - cutOf(column)));
  const cut = Math.max(0, ...columns.map(cutOf));
  const row = Math.min(22 * scale, (height - head - 6 * scale) / (kept + cut + 1));
  const x = (step) => (step < first || step > first + most - 1
    ? null : round1(12 * scale + (step - first) * pitch));
  const y = (one) => round1(head + row * (one.row + 0.5 + (one.status === "cut" ? kept + 0.7 : 0)));
  const radius = Math.max(1.3, Math.min(6 * scale, 0.38 * row, 0.3 * pitch));
  return { columns, x, y, head, radius, pitch };
}

function cutOf({ states }) {
  return states.filter(({ status }) => status === "cut").length;
}

// Those that lost by the least, and gold wherever it is.
function nearestCut({ cut, gold }) {
  const ranked = cut.slice().sort((a, b) => a.margin - b.margin || a.serial - b.serial);
  return ranked.filter((one, i) => i < CUT_SHOWN || one.serial === gold);
}

// From each state to what was made of it: one path of many lines, which is drawn at once.
function threads(columns, lay) {
  const lines = columns.flatMap((column) => {
    const before = lay.columns[column.step - 1];
    const from = lay.x(column.step - 1);
    if (!before || from === null) return [];
    const places = new Map(before.states.filter((one) => one.status === "kept")
      .map((one) => [one.serial, lay.y(one)]));
    return column.states.filter((one) => places.has(one.parent)).map((one) =>
      `M${from} ${places.get(one.parent)}L${lay.x(column.step)} ${lay.y(one)}`);
  });
  return svg("path", { class: "wol-thread", d: lines.join("") });
}

// A line through the states of a way, from column to column.
function wayLine(columns, way, lay, kind) {
  const points = columns.flatMap((column) => {
    const one = column.states.find(({ serial }) => way.has(serial));
    return one ? [`${lay.x(column.step)} ${lay.y(one)}`] : [];
  });
  return points.length > 1 ? svg("path", { class: kind, d: `M${points.join("L")}` }) : null;
}

function latticeDot(state, column, one, lay, { room, path, gold, chosen, cards }) {
  const isGold = gold.has(one.serial);
  const kind = [
    "wol-latticed", `wol-${one.status}`, path.has(one.serial) && "wol-on-path",
    isGold && "wol-gold",
    one.serial === chosen && (cards ? "wol-looked-at" : "wol-chosen"),
  ].filter(Boolean).join(" ");
  const score = room.masked ? "" : `, score ${number(one.score)}`;
  const place = one.status === "cut" ? `cut, ${number(one.margin)} behind` : `rank ${one.row + 1}`;
  const action = one.action ? actionText(one.action, state.names) : "start";
  const said = `Step ${column.step}, ${place}: ${action}${score}${isGold ? ", gold" : ""}`;
  const pressed = cards ? {} : {
    role: "button", "data-serial": one.serial, "data-in": "lattice",
    tabindex: one.serial === chosen ? 0 : -1, "aria-label": said,
    "aria-pressed": String(one.serial === chosen), onclick: () => room.select(one.serial),
  };
  return svg("g", { class: kind, ...pressed }, svg("title", {}, said), svg("circle", {
    cx: lay.x(column.step), cy: lay.y(one), r: round1(lay.radius * 1.25 + 0.4),
  }));
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
  return svg("text", {
    x: lay.x(column.step) + lay.radius + 4, y: (one ? lay.y(one) : lay.head) + 4,
    class: "wol-fallen", role: "img", "aria-label": "gold is cut here",
  }, svg("title", {}, `Step ${column.step}: gold is cut`), "✕");
}

// The state whose dot is nearest to where somebody pressed, with its column.
function nearestDot(event, drawn, columns, lay) {
  const at = new window.DOMPoint(event.clientX, event.clientY)
    .matrixTransform(drawn.getScreenCTM().inverse());
  const dots = columns.flatMap((column) => column.states.map((one) => {
    const [x, y] = [lay.x(column.step) - at.x, lay.y(one) - at.y];
    return [x * x + y * y, one, column];
  }));
  const [best] = dots.sort(([a], [b]) => a - b);
  return best && best[0] < NEAR ? best.slice(1) : null;
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
