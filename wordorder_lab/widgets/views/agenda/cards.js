// The edge that was popped and the one that is pinned, in full: words, arcs, score, where from.

import { barKey, drawBars } from "../parts/bars.js";
import { clip, svg } from "../player/dom.js";
import { choosable, drawSentences, headline, stackBlocks, wrapped } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { drawEdgeTree } from "../search/derivations.js";
import { briefEdge, ruleText, sayEdge } from "../search/edges.js";
import { bagSize, sayScore } from "../search/narration.js";
import { edgeOf, wordsOf } from "../search/search.js";
import { differingArcs, differingSteps } from "../updates/differing.js";
import { isWaiting } from "./ranks.js";
import { sayFate, sayWait, whyBefore } from "./why.js";

export function drawPopped(at, width) {
  const { state } = at;
  const pop = state.pops.length;
  if (!pop)
    return drawAgendaLines(at, width, "Nothing is popped yet", [
      "The best edge of the agenda goes first: the one at rank 1.",
    ]);
  const [serial] = state.pops[pop - 1];
  const wrong = edgeOf(state, serial).gold === 0 ? " · not gold" : "";
  const told = [
    `${sayScore(state, serial)}${wrong} · ${sayFate(state, serial)}`,
    sayWait(state, at.log, serial),
  ];
  return drawEdgeCard(at, width, serial, `◆ Pop ${pop.toLocaleString("en")}: edge ${serial}`, told);
}

const APART = 3; // features

// Why this edge and not its rival, the pinned one or the runner-up: what sets their scores apart
// most, where the page knows.
export function drawApart({ state, room, scale, pinned, top }, width) {
  const [popped] = state.pops.at(-1) ?? [];
  const rival = pinned && pinned !== popped ? pinned : top[0];
  const rows = popped && rival && !room.masked ? room.apart?.(popped, rival, APART) : null;
  if (!rows) return [null, 0];
  const said = `Why edge ${popped} and not edge ${rival}?`;
  const kinds = [["", `◆ popped: ${popped}`], ["wol-bar-rival", `its rival: ${rival}`]];
  const [key, , lines] = barKey(kinds, scale, width);
  return stackBlocks([[headline(said, 2, 15 * scale, width / scale - 2), 20 * scale],
    [key, 18 * lines * scale], drawBars(rows, width, scale, said)], 0);
}

const HOW_TO_PIN =
  "Click an edge, or press Enter on it, to follow it: its rank from pop to pop, and why others " +
  "came first.";

export function drawPinned(at, width) {
  const { state, room, pinned } = at;
  if (!pinned) return drawAgendaLines(at, width, "No edge is pinned", [HOW_TO_PIN]);
  const why = at.room.masked ? [] : [whyBefore(state, at.log, pinned)];
  if (!edgeOf(state, pinned)) return drawAgendaLines(at, width, `◉ Pinned: edge ${pinned}`, why);
  const score = room.masked && isWaiting(state, pinned) ? "score ?" : sayScore(state, pinned);
  const next = at.top[0] === pinned && !room.masked ? ", the runner-up" : "";
  return drawEdgeCard(at, width, pinned, `◉ Pinned: edge ${pinned}${next}`, [
    `${score} · ${sayFate(state, pinned, room.masked)}`,
    ...why,
  ]);
}

function drawEdgeCard(at, width, serial, title, lines) {
  const { state, scale } = at;
  const star = edgeOf(state, serial).gold === 1 ? " ★ gold" : "";
  const [tree, height] = drawEdgeTree(state, serial, width - 8, scale, litBeside(at, serial));
  const [origin, below] = drawEdgeOrigin(at, serial, width);
  const [told, under] = drawSentences(lines, width, scale);
  told.setAttribute("transform", `translate(0 ${20 * scale})`);
  tree.setAttribute("transform", `translate(4 ${20 * scale + under})`);
  const y = 20 * scale + under + height;
  origin.setAttribute("transform", `translate(0 ${y})`);
  return [
    svg("g", {}, headline(`${title}${star}`, 2, 15 * scale, width / scale - 2), told, tree, origin),
    y + below,
  ];
}

// What sets the popped and the pinned edge apart, where most of them is alike.
function litBeside({ state, pinned }, serial) {
  const [popped] = state.pops.at(-1) ?? [];
  const other = serial === popped ? pinned : popped;
  if (serial === other || !edgeOf(state, other ?? 0)) return null;
  if (edgeOf(state, serial).category) return differingSteps(state, other);
  const one = wordsOf(state, serial);
  const lit = differingArcs(one, wordsOf(state, other));
  return 2 * lit.words.size > one.order.length ? null : lit;
}

export function drawAgendaLines(at, width, title, lines) {
  const [told, height] = drawSentences(lines, width, at.scale);
  told.setAttribute("transform", `translate(0 ${20 * at.scale})`);
  return [
    svg("g", {}, headline(title, 2, 15 * at.scale, width / at.scale - 2), told),
    20 * at.scale + height,
  ];
}

// Where an edge came from: its two parts to click at, or that it is a leaf.
function drawEdgeOrigin(at, serial, width) {
  const { state, room, scale } = at;
  const edge = edgeOf(state, serial);
  const when = edge.made ? `made after pop ${edge.made}` : "made at the start";
  const side = edge.category
    ? `, by ${ruleText(edge)}`
    : ({ HeadLeft: ", head on the left", HeadRight: ", head on the right" }[edge.action] ??
      `, ${edge.action}`);
  const whole = bagSize(state);
  const most = at.facts.goal < whole ? "at most " : ""; // words may be left out
  const size = `${edge.size} of ${most}${plural(whole, "unit")}`;
  const line = edge.left
    ? `${size} · ${when}${side}, of`
    : `${size} · a leaf: one word with its ${edge.category ? "category" : "tag"}, ${when}`;
  const parts = [edge.left, edge.right].filter((part) => part);
  const chip = (width - 8 * scale) / 2;
  const lines = wrapped(line, (1.1 * width) / scale, (1.1 * width) / scale, 4); // the type is small
  const y = (3 + 17 * lines.length) * scale;
  const chips = parts.map((part, i) =>
    choosable(
      ["wol-agenda-row"],
      {
        serial: part, said: `made of: ${sayEdge(state, part)}`, chosen: part === at.pinned,
        focused: false, press: () => room.select(part),
      },
      svg("rect", {
        x: 1 + i * (chip + 8 * scale),
        y,
        width: chip - 2,
        height: 22 * scale,
        rx: 4,
        class: "wol-back wol-chip",
      }),
      svg("text", { x: 7 + i * (chip + 8 * scale), y: y + 15 * scale },
        clip(
          `${edge.right ? ["left", "right"][i] : "of"}: ${briefEdge(state, part)}`,
          (chip - 14) / scale,
        )),
    ),
  );
  return [
    svg("g", {},
      lines.map((one, i) =>
        svg("text", { x: 2, y: (14 + 17 * i) * scale, class: "wol-quiet" }, one),
      ),
      chips),
    y + (parts.length ? 26 * scale : 0),
  ];
}
