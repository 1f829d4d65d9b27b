// The sentence and what becomes of it: its words above, those of the target below, a line between
// what belongs together. Crossed out: left out; a bent line: moved; a dashed one: replaced.

import { svg, textWidth } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { fatesOf } from "./fates.js";

const STRIP = { name: 52, gap: 9, least: 4, down: 44, line: 18 };
const SAY_FATE = { kept: "", replaced: " (replaced)", out: " (left out)", away: "" };

export function drawSentenceMarks(state, made, width, scale) {
  const fates = fatesOf(state, made);
  const said =
    `Sentence: ${fates.leaves.map(({ word, fate }) => word + SAY_FATE[fate]).join(" ")}. ` +
    `Target: ${fates.words.map(({ word, moved }) => word + (moved ? " (moved)" : "")).join(" ")}`;
  const [drawn, height] = layStrip(fates, width / scale);
  // Sizes are those of 12 px here, and all of it is scaled.
  const strip = svg("g", { transform: `scale(${scale})`, style: "font-size: 12px" }, drawn);
  const label = { role: "img", "aria-label": said, class: "wol-marks" };
  return [svg("g", label, strip), height * scale];
}

// On one line each where they fit; else as running text, the lines between left out.
function layStrip({ leaves, words }, width) {
  const room = width - STRIP.name - 4;
  const [wide, more] = [leaves, words].map((list) =>
    list.reduce((sum, { word }) => sum + textWidth(word, true), 0));
  const most = Math.max(leaves.length, words.length, 2) - 1;
  const gap = Math.min(STRIP.gap, (room - Math.max(wide, more)) / most);
  if (gap < STRIP.least) return runningText(leaves, words, width);
  const above = inARow(leaves.map(({ word }) => textWidth(word)), gap, () => 0, room);
  const below = inARow(
    words.map(({ word }) => textWidth(word, true)),
    gap,
    (i) => (words[i].leaf >= 0 && !words[i].moved ? above[words[i].leaf] : 0),
    room,
  );
  const links = words.map((one, i) => one.leaf >= 0 && linkOf(one,
    above[one.leaf] + textWidth(leaves[one.leaf].word) / 2, below[i] + textWidth(one.word) / 2));
  return [
    [
      ...sentenceNames(STRIP.down + 14), ...links.filter(Boolean),
      ...leaves.map((one, i) => leafText(one, STRIP.name + above[i], 14)),
      ...words.map((one, i) => wordText(one, STRIP.name + below[i], STRIP.down + 14)),
    ],
    STRIP.down + 20,
  ];
}

// From left to right, each where it would like to stand if those after it still fit.
function inARow(widths, gap, wish, room) {
  let rest = widths.reduce((sum, width) => sum + width + gap, -gap);
  let from = 0;
  return widths.map((width, i) => {
    const x = Math.max(from, Math.min(wish(i), room - rest));
    rest -= width + gap;
    from = x + width + gap;
    return x;
  });
}

function sentenceNames(low) {
  return [[14, "source"], [low, "target"]].map(([y, name]) =>
    svg("text", { x: 2, y, class: "wol-quiet" }, name));
}

function linkOf({ moved, same }, from, to) {
  const [x, u, y, v] = [STRIP.name + from, STRIP.name + to, 20, STRIP.down + 1].map(round1);
  const middle = round1((y + v) / 2);
  const kind = moved ? "wol-link-moved" : same ? "wol-link-kept" : "wol-link-new";
  return svg("path", { d: `M${x} ${y}C${x} ${middle} ${u} ${middle} ${u} ${v}`, class: kind });
}

function leafText({ word, fate }, x, y) {
  const looks = { out: "wol-struck", away: "wol-quiet" };
  return svg("text", { x: round1(x), y, class: `wol-leaf ${looks[fate] ?? ""}` }, word);
}

function wordText({ word, leaf, same, moved }, x, y) {
  const look = moved ? "wol-word-moved" : leaf < 0 || !same ? "wol-word-new" : "";
  return svg("text", { x: round1(x), y, class: `wol-outword ${look}` }, word);
}

function runningText(leaves, words, width) {
  const drawn = [];
  const flow = (list, top, draw) => {
    let [x, y] = [STRIP.name, top];
    for (const one of list) {
      const wide = textWidth(one.word);
      if (x > STRIP.name && x + wide > width - 4) [x, y] = [STRIP.name, y + STRIP.line];
      drawn.push(draw(one, x, y));
      x += wide + 5;
    }
    return y;
  };
  const low = flow(leaves, 14, leafText) + STRIP.line + 4;
  const end = flow(words, low, wordText);
  return [[...sentenceNames(low), ...drawn], end + 8];
}
