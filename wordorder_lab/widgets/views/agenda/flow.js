// Rank flow: how the best edges of the agenda rose and fell from pop to pop. A column is what stood
// there just before a pop; the last one is the agenda now.

import { clip, svg } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { edgeName } from "../search/edges.js";
import { edgeOf, onAgenda } from "../search/search.js";
import { FLOW_RANKS, searchFacts } from "./ranks.js";

const FLOW = { pitch: 30, row: 15, head: 40, foot: 20, left: 22 };

// Of each edge one line; ▲ where it came, ◆ where it was popped, ✕ where it was pruned.
export function drawFlow(at, width) {
  const { state, scale, room } = at;
  const done = state.pops.length;
  if (!done) return [null, 0];
  const size = Object.fromEntries(
    Object.entries(FLOW).map(([name, value]) => [name, value * scale]),
  );
  const most = Math.max(2, Math.floor((width - size.left - 20 * scale) / size.pitch));
  const before = searchFacts(at.log).searches[state.search].flow;
  const first = Math.max(0, done + 1 - most);
  const columns = [];
  for (let pop = first; pop < done; pop += 1) columns.push({ pop, serials: before[pop] ?? [] });
  if (!room.masked) columns.push({ pop: done, serials: onAgenda(state, FLOW_RANKS), now: true });
  const lay = {
    size, scale, first, columns,
    x: (pop) => round1(size.left + (pop - first) * size.pitch),
    y: (rank) => round1(size.head + (rank - 1) * size.row),
  };
  const lines = flowLines(columns);
  const height = size.head + FLOW_RANKS * size.row + size.foot;
  const said = `Rank flow: the best ${FLOW_RANKS} of the agenda before ` +
    `${plural(done - first, "pop")}, one line an edge`;
  return [svg("g", { class: "wol-flow", role: "img", "aria-label": said },
    svg("text", { x: 2, y: 14 * scale, class: "wol-title" },
      clip("Rank flow: who rose, who was popped ◆", width / scale, { bold: true })),
    lines.map((line) => drawFlowLine(at, line, lay)),
    [1, 5, FLOW_RANKS].map((rank) => svg("text", { x: 14 * scale, y: lay.y(rank) + 4 * scale,
      "text-anchor": "end", class: "wol-quiet" }, rank)),
    flowAxis(lay, height)), height];
}

// Edges with the columns and ranks at which they stood; a line ends where its edge left the top.
function flowLines(columns) {
  const open = new Map();
  const lines = [];
  columns.forEach(({ pop, serials }) => {
    serials.forEach((serial, i) => {
      const line = open.get(serial);
      if (line && line.points.at(-1).pop === pop - 1) line.points.push({ pop, rank: i + 1 });
      else {
        const fresh = { serial, points: [{ pop, rank: i + 1 }] };
        open.set(serial, fresh);
        lines.push(fresh);
      }
    });
  });
  return lines;
}

function drawFlowLine(at, { serial, points }, lay) {
  const { state, pinned, scale } = at;
  const edge = edgeOf(state, serial);
  const [start, end] = [points[0], points.at(-1)];
  const places = points.map(({ pop, rank }) => `${lay.x(pop)} ${lay.y(rank)}`);
  const popped = state.pops[end.pop]?.[0] === serial;
  const out = state.outs.find(([one, , pop]) => one === serial && pop === end.pop + 1);
  const gone = !popped && !out && end.pop < lay.columns.at(-1).pop;
  const x = lay.x(end.pop) + lay.size.pitch / 2;
  if (popped) places.push(`${x} ${lay.size.head - 13 * scale}`);
  if (gone) places.push(`${x} ${lay.y(FLOW_RANKS + 0.6)}`);
  const kind = ["wol-flow-line", edge.gold === 1 && "wol-flow-gold",
    serial === pinned && "wol-flow-pinned", popped && "wol-flow-popped"].filter(Boolean).join(" ");
  const sign = (text, left, top, more = "") => svg("text", { x: left, y: top + 4 * scale,
    "text-anchor": "middle", class: `wol-flow-sign ${more}` }, text);
  const last = state.scores[serial - 1];
  return svg("g", { class: kind, onclick: () => at.room.select(serial) },
    svg("title", {}, `Edge ${serial}: ${edgeName(state, serial)}, ${number(last)}` +
      `${edge.gold === 1 ? ", gold" : ""}`),
    svg("path", { class: "wol-flow-room", d: `M${places.join("L")}h0` }),
    svg("path", { d: `M${places.join("L")}h0` }),
    edge.made === start.pop ? sign("▲", lay.x(start.pop), lay.y(start.rank)) : null,
    popped ? sign("◆", x, lay.size.head - 13 * scale) : null,
    out ? sign("✕", lay.x(end.pop) + 9 * scale, lay.y(end.rank), "wol-fallen") : null);
}

function flowAxis({ size, scale, columns, x }, height) {
  const every = columns.length > 12 ? 5 : 1;
  const clear = ({ pop }) => x(columns.at(-1).pop) - x(pop) > size.pitch * 0.9;
  const named = columns.filter((one) => one.now || ((one.pop + 1) % every === 0 && clear(one)));
  return named.map(({ pop, now }) => svg("text", { x: x(pop), y: height - 5 * scale,
    "text-anchor": "middle", class: "wol-quiet" }, now ? "now" : pop + 1));
}
