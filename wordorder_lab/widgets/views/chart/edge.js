// The edge that is looked at, in full: its dependency arcs, below them the edges that it was built
// of (each a bar over its words), or its CCG derivation, which shows both; and what has become of
// it. And the edges that have left the chart.

import { drawArcs, wordWidth } from "../player/arcs.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { choosable, headline, unfoldButton, wrapped } from "../player/pictures.js";
import { capital, number } from "../player/words.js";
import { drawDerivation, edgeTreeWidth } from "../search/derivations.js";
import { briefEdge, edgeWords, isCcg, sayEdge, sayJoin } from "../search/edges.js";
import { sayOrigin, sayOut, sayScore } from "../search/narration.js";
import { edgeOf } from "../search/search.js";
import { WHY_OUT } from "./cards.js";

export function drawChartEdge(at, width) {
  const { state, chosen, scale, room } = at;
  if (chosen === null) {
    const text = "No edge has been popped yet. Click an edge to see how it was built.";
    return [
      svg("text", { x: 2, y: 14 * scale, class: "wol-quiet" }, clip(text, width / scale)),
      20 * scale,
      0,
    ];
  }
  // A longer one is cut.
  const whole = Math.min(edgeTreeWidth(state, chosen, scale) + 8, Math.max(width, 6000));
  const folds = isCcg(state) && whole > width;
  const wide = folds && !room.kept.unfolded ? width : whole;
  const life = chartLife(state, chosen).flatMap((line) =>
    wrapped(line, width / scale - 8, width / scale - 8, 4),
  );
  const told = 17 * life.length * scale; // of arcs below them, as their bars come first
  const y = 24 * scale + (isCcg(state) ? told : 0);
  const [tree, deep] = isCcg(state) ? chartDerivation(at, wide, y) : chartArcs(at, wide, y);
  const from = isCcg(state) ? 32 * scale : deep + 16 * scale;
  const gold = edgeOf(state, chosen).gold === 1 ? "★ gold " : "";
  const title = capital(`${gold}edge ${chosen}, ${sayScore(state, chosen)}`);
  const free = width / scale - (folds ? 144 : 4);
  return [
    svg("g", { class: "wol-detail" }, headline(title, 2, 14 * scale, free),
      folds
        ? unfoldButton(at, (Math.min(free, 1.05 * textWidth(title, true)) + 14) * scale) : null,
      tree,
      life.map((line, i) => svg("text", { x: 2, y: from + 17 * i * scale }, line))),
    deep + 12 * scale + (isCcg(state) ? 0 : told),
    wide,
  ];
}

function chartArcs(at, wide, y) {
  const words = edgeWords(at.state, at.chosen);
  const [arcs, height, middles] = drawArcs({ ...words, stack: [] }, wide, at.scale, null,
    at.side ? undefined : FLAT);
  arcs.setAttribute("transform", `translate(4 ${y})`);
  const [bars, deep] = derivationBars(at, words.order, middles, y + height + 8 * at.scale);
  return [[arcs, bars], deep];
}

// The derivation; its steps are the edges that it was built of, to look at or to pick.
function chartDerivation({ state, chosen, scale }, wide, y) {
  const [drawn, height] = drawDerivation(state, chosen, wide - 4, scale, (edge) => {
    const inside = state.places[edge.serial - 1] === "chart";
    const how = edge.left ? `, ${sayJoin(edge)}` : "";
    return {
      class: `wol-step${edge.serial === chosen ? " wol-chosen" : ""}`,
      role: "button",
      tabindex: -1,
      "data-serial": edge.serial,
      "aria-label":
        "Built of " +
        `${sayEdge(state, edge.serial)}${how}${inside ? ", in the chart" : ", not in the chart"}`,
      "aria-pressed": String(edge.serial === chosen),
    };
  });
  drawn.setAttribute("transform", `translate(4 ${y})`);
  return [drawn, y + height];
}

// When an edge was made, popped, let into the chart, and dropped.
function chartLife(state, serial) {
  const edge = edgeOf(state, serial);
  const made = edge.made ? `after pop ${edge.made}` : "at the start";
  const pop = state.pops.findIndex(([one]) => one === serial);
  const place = state.places[serial - 1];
  const left = place === "out" && state.outs.findLast(([one]) => one === serial);
  const popped = pop < 0 ? "" : `popped at pop ${pop + 1} with ${number(state.pops[pop][1])}`;
  const now = left
    ? `out since pop ${left[2]}: ${sayOut(state, left)}`
    : ({
        agenda: "waits on the agenda",
        chart: "is in the chart",
        goal: "is a goal",
        popped: "is being expanded",
      }[place] ?? "");
  return [
    `Made ${made} of ${sayOrigin(state, serial)}.`,
    `${capital([popped, now].filter(Boolean).join("; "))}.`,
  ];
}

const FLAT = 30; // pixels of arcs below the chart, where there is little room
const PART = 18; // pixels of a bar and the space below it

// The derivation as a tree of edges: a bar over the words of each, higher up in the tree further
// down.
function derivationBars(at, tokens, middles, top) {
  const { state, chosen, scale } = at;
  const rows = [];
  const place = (serial, from) => {
    const edge = edgeOf(state, serial);
    const parts = [edge.left, edge.right].filter((part) => part);
    let level = parts.length ? 0 : -1;
    let start = from;
    for (const part of parts) {
      level = Math.max(level, place(part, start));
      start += edgeOf(state, part).size;
    }
    rows.push({ serial, from, to: from + edge.size - 1, level: level + 1 });
    return level + 1;
  };
  if (tokens.length <= 400) place(chosen, 0);
  const bars = rows
    .map((row) => derivationBar(at, row, tokens, middles, top + PART * scale * row.level))
    .filter(Boolean);
  const levels = rows.length ? rows[rows.length - 1].level + 1 : 0;
  return [
    svg("g", { role: "group", "aria-label": `The edges that edge ${chosen} was built of` }, bars),
    top + PART * scale * levels,
  ];
}

function derivationBar({ state, room, scale, chosen }, { serial, from, to }, tokens, middles, y) {
  if (!middles.has(from) || !middles.has(to)) return null;
  const ends = [from, to].sort((a, b) => middles.get(a) - middles.get(b));
  const [wideLeft, wideRight] = ends.map((place) => (wordWidth(tokens[place]) * scale) / 2 - 2);
  const left = 4 + middles.get(ends[0]) - wideLeft;
  const right = 4 + middles.get(ends[1]) + wideRight;
  const edge = edgeOf(state, serial);
  const side = edge.left ? ` ${edge.action}` : "";
  const inside = state.places[serial - 1] === "chart";
  const names = [
    `${edge.gold === 1 ? "★" : ""}${serial}${side}`,
    `${edge.gold === 1 ? "★" : ""}${serial}`,
  ];
  const text = names.find((name) => textWidth(name) * 0.92 <= (right - left) / scale - 2) ?? serial;
  const name = `${sayEdge(state, serial)}${side}`;
  return choosable(
    ["wol-card", "wol-part", inside ? "wol-kept" : "wol-cut", edge.gold === 1 && "wol-gold"],
    {
      serial, said: `Built of ${name}${inside ? ", in the chart" : ", not in the chart"}`,
      chosen: serial === chosen, focused: false,
    },
    svg("title", {}, name),
    svg("rect", { x: left, y, width: right - left, height: (PART - 2) * scale, rx: 3 }),
    svg("text", { x: (left + right) / 2, y: y + 12.5 * scale, "text-anchor": "middle" }, text),
  );
}

// The edges that have left the chart or were not let in: gold first, then the latest.
export function drawLeft(at, width) {
  const { state, room, scale } = at;
  const gold = state.outs.filter(([serial]) => edgeOf(state, serial).gold === 1).reverse();
  const latest = state.outs
    .slice(-room.rows - gold.length)
    .reverse()
    .filter(([serial]) => edgeOf(state, serial).gold !== 1);
  const shown = [...gold, ...latest].slice(
    0,
    Math.max(room.rows, Math.min(gold.length, 2 * room.rows)),
  );
  const more = state.outs.length - shown.length;
  const lines = shown.map((row, i) => leftLine(at, row, (22 + 24 * i) * scale, width));
  const rest =
    more > 0
      ? svg(
          "text",
          { x: 2, y: (38 + 24 * shown.length) * scale, class: "wol-quiet" },
          `${more.toLocaleString("en")} more`,
        )
      : null;
  const none = room.log.counts.pruned
    ? "Nothing has left the chart yet"
    : "In this log nothing leaves the chart";
  const title = state.outs.length
    ? `Left the chart, or not let in: ${state.outs.length.toLocaleString("en")}`
    : none;
  return [
    svg("g", { role: "group", "aria-label": title },
      headline(title, 2, 14 * scale, width / scale - 4),
      lines,
      rest),
    (30 + 24 * shown.length + (rest ? 16 : 0)) * scale,
  ];
}

function leftLine({ state, scale, chosen }, out, y, width) {
  const [serial, reason, pop] = out;
  const gold = edgeOf(state, serial).gold === 1;
  const why = WHY_OUT[reason] ?? reason;
  const mark = gold ? "★ gold" : "✂";
  const text = `${mark} pop ${pop.toLocaleString("en")}: ${briefEdge(state, serial)} `;
  const free = width / scale - 14 - textWidth(why);
  const said = `${gold ? "Gold " : ""}${sayEdge(state, serial)} left at pop ${pop}: ` +
    `${sayOut(state, out)}`;
  return choosable(
    ["wol-card", "wol-part", "wol-cut", gold && "wol-gold"],
    { serial, said, chosen: serial === chosen, focused: false },
    svg("rect", { x: 1, y, width: width - 2, height: 21 * scale, rx: 3 }),
    svg("text", { x: 6 * scale, y: y + 15 * scale }, clip(text, free)),
    svg("text",
      { x: width - 7 * scale, y: y + 15 * scale, "text-anchor": "end", class: "wol-quiet" },
      why),
  );
}
