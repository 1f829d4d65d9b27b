// The transduction view's picture: source tree, rule, target tree; below them the rules that match,
// the grid of cube pruning, and what a score is made of. Each is a block, and a block is drawn anew
// only if something in it has changed: laying out text is what takes a browser most time.

import { clip, html, svg } from "../player/dom.js";
import {
  keptPiece, nothingYet, round1, setIfNew, settlePieces, wrapped,
} from "../player/pictures.js";
import { capital, number, plural } from "../player/words.js";
import { madeByApplications, onlyShorter, sayFates } from "./fates.js";
import { drawGrid } from "./grid.js";
import { flyRule } from "./flight.js";
import { cellAt } from "./items.js";
import { momentKey, transductionLook } from "./look.js";
import { sayCell, sayLearning, sayOtherOutput, sayOutput } from "./narration.js";
import { drawApplications } from "./rows.js";
import { drawScoreParts } from "./scores.js";
import { drawSentenceMarks } from "./sentence.js";
import { swapKey, swapPanel } from "./swap.js";
import {
  drawRule,
  drawSourceTree,
  drawTarget,
  LEAST_SCALE,
  targetShown,
  wholeSource,
} from "./three.js";

const NO_SOURCE = "There is no source tree here: the log was recorded without it, or begins later.";
const SCORE_ROOM = 340; // pixels that bars with their names take at least

export function drawTransduction(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  if (!state.source && !state.cells.length && !state.applications.length) {
    const told = room.log.counts.source && room.log.counts.begin ? undefined
      : sayLearning(state).join(" ") || NO_SOURCE;
    return html("div", {}, nothingYet(width, scale, told));
  }
  const at = { state, room, scale, width, full: width, ...transductionLook(state, room) };
  const blocks = transductionBlocks(at);
  const panel = keptBlock(at, "swap", swapKey(at), () => [swapPanel(at)])[0];
  const frame = transductionFrame(at, blocks, panel);
  flyRule(at, frame);
  return frame;
}

// The frame stays where it is in the page; in it only those blocks are put that are not there
// already.
function transductionFrame(at, { placed, low }, panel) {
  const { room, full, scale } = at;
  room.kept.frame ??= html(
    "div",
    {},
    svg("svg", { class: "wol-picture wol-transduction", role: "group" }),
  );
  const { frame } = room.kept;
  const [picture] = frame.children;
  const told = {
    viewBox: `0 0 ${full} ${low}`,
    width: full,
    height: low,
    "aria-label": transductionLabel(at),
    style: `font-size: ${12 * scale}px`,
  };
  for (const [name, value] of Object.entries(told)) setIfNew(picture, name, String(value));
  const slots = placed.map(([element, x, y]) => {
    const slot =
      element.parentElement?.parentElement === picture
        ? element.parentElement
        : svg("g", {}, element);
    setIfNew(slot, "transform", `translate(${round1(x)} ${round1(y)})`);
    return slot;
  });
  settlePieces(picture, slots);
  if ((frame.children[1] ?? null) !== panel)
    frame.replaceChildren(...[picture, panel].filter(Boolean));
  return frame;
}

function keptBlock({ room, state, width, scale }, name, key, draw) {
  return keptPiece(room, name, [state.search, width, scale, key], draw);
}

// [element, x, y] of each block, and how far down they reach.
function transductionBlocks(at) {
  const { width, scale } = at;
  const placed = [];
  const put = ([element, height], x, y) => {
    if (element) placed.push([element, x, y]);
    return y + height + (element ? 8 * scale : 0);
  };
  const now = momentKey(at);
  const grid = (across) => keptBlock(at, "grid", [...now, across, ...besideKey(at)], () =>
    drawGrid(at, across));
  // Of two searches the grids are compared: they stand on top.
  const top = put(drawTransductionHead(at), 0, at.room.other ? put(grid(width), 0, 0) : 0);
  const wide = width >= 700 * scale;
  const whole = wide && width < 880 * scale; // the grid has all the width, below the score
  // The score stands beside the trees where there is room for three, else beside the rules.
  const third = Math.round(Math.max(SCORE_ROOM * scale, 0.27 * width));
  const three = width >= 1100 * scale && wholeSource(at) * scale <= 0.6 * (width - third);
  const rest = !wide ? width : three ? third : Math.round(0.4 * width - 10 * scale);
  const left = wide ? width - rest - 26 * scale : width;
  const [under, free] = putTrees(at, put, top, three ? left : width, left);
  const rows = put(
    keptBlock(at, "rows", [...now, left], () => drawApplications(at, left)),
    0,
    under,
  );
  const score = keptBlock(at, "score", [...now, rest], () => drawScoreParts(at, rest));
  const scored = wide ? put(score, width - rest, three ? top : free) : under;
  const low = whole ? Math.max(rows, scored) : rows;
  const below = at.room.other ? low : put(grid(whole ? width : left), 0, low);
  return { placed, low: Math.ceil(wide ? Math.max(below, scored) : put(score, 0, below)) };
}

// What the grid shows of the search beside this one.
function besideKey({ room: { other } }) {
  return [other?.cells.length, other?.cells.at(-1)?.items?.length, other?.applications.length];
}

// Source and target beside each other where both can be whole, the rule below the source; else the
// source has all the width, and the others stand below it. Nothing is folded beside empty space.
// What comes back is how low that is, and from where on the right side is free.
function putTrees(at, put, top, width, left) {
  const { state, room, scale, node, cell, application, output } = at;
  const gap = 24 * scale;
  const whole = wholeSource(at) * scale + 8;
  const shown = targetShown(at);
  const beside = width >= 640 * scale && width - gap - whole >= 0.5 * whole;
  const share = beside ? whole : width;
  const rest = beside ? width - share - gap : width;
  // A target gets a line of its own where it needs one, or is drawn a little smaller.
  const own = LEAST_SCALE * shown.whole * scale > rest;
  const free = own ? width : rest;
  const source = keptBlock(
    at,
    "source",
    [
      state.source?.labels.length, state.applications.length, node, cell?.node, application,
      output?.rank, room.kept.unfolded, share,
    ],
    () => drawSourceTree(at, share),
  );
  const ruled = beside && !own ? left : rest;
  const rule = keptBlock(at, "rule", [application, state.applications.length, ruled], () =>
    drawRule(at, ruled),
  );
  const target = keptBlock(at, "target", [shown.key, node, free], () =>
    drawTarget(at, shown, free),
  );
  const marks = keptBlock(at, "marks", [shown.key, state.source?.labels.length], () =>
    state.source && !onlyShorter(state, shown.made)
      ? drawSentenceMarks(state, shown.made, width, scale) : [null, 0],
  );
  at.full = Math.max(at.width, source[2], own ? Math.ceil(shown.whole * scale) : 0);
  const from = put(marks, 0, top);
  const below = put(source, 0, from);
  const all = !beside ? put(rule, 0, put(target, 0, below))
    : own ? put(target, 0, Math.max(below, put(rule, share + gap, from))) : null;
  if (all !== null) return [all, all];
  const level = Math.max(below, put(target, share + gap, from));
  return [put(rule, 0, below), level];
}

function transductionLabel({ state, open, output }) {
  if (output) return `Compressed: “${output.words.join(" ")}”`;
  return open
    ? `Cell ${open.cell}: ${sayCell(state, open)}`
    : `${plural(state.applications.length, "rule")} match the source tree so far`;
}

function drawTransductionHead(at) {
  const { state, room, output, open } = at;
  const lines = [];
  if (output)
    lines.push(
      `${output.rank ? `${capital(sayOutput(state, output))}, score` : "Its score is"} ` +
      `${number(output.score)}${sayEnds(at)}.`,
    );
  const full = state.cells.filter((cell) => cell.items).length;
  if (!output)
    lines.push(
      `${plural(state.applications.length, "rule application")}; ${plural(full, "cell")} done` +
        (state.beam ? `; at most ${plural(state.beam, "item")} a cell.` : "; no bound on a cell."),
    );
  if (output && room.other && room.name) lines.push(sayOtherOutput(room));
  lines.push(...sayLearning(state));
  const title = output
    ? sayFates(state, madeByApplications(state, output.applications))
    : open
      ? `Cell ${open.cell}: ${sayCell(state, open)}`
      : "The rules that match";
  return keptBlock(at, "head", [title, lines], () => drawHeadLines(at, title, lines));
}

function drawHeadLines({ width, scale }, title, lines) {
  const told = lines.flatMap((line) => wrapped(line, width / scale - 8, width / scale - 8, 4));
  return [
    svg(
      "g",
      {},
      svg(
        "text",
        { x: 2, y: 15 * scale, class: "wol-head" },
        clip(title, (0.92 * width) / scale, { bold: true }),
      ),
      told.map((line, i) => svg("text", { x: 2, y: (33 + 17 * i) * scale }, line)),
    ),
    (24 + 17 * told.length) * scale,
  ];
}

// What an output has more than its item at the root: n-grams that reach over the ends of the
// sentence.
function sayEnds({ state, output, derivation }) {
  const root = cellAt(state, state.source?.labels.length - 1, derivation.tree.label);
  const step = root?.taken.find((one) => one.serial === derivation.steps.get(root.node));
  if (!step) return "";
  return (
    `: ${number(step.score)} of item ${step.item} at the root, and ` +
    `${number(output.score - step.score)} of the n-grams at both ends`
  );
}

