// The lattice: a place for every word, and arcs between words that are neighbours in what stays.

import { svg, textWidth } from "../player/dom.js";
import { round1 } from "../player/pictures.js";
import { number } from "../player/words.js";
import { lineUps, onLines } from "../sentences/lines.js";
import { backsSoFar, changedBy, sayDropped, wordAt } from "./look.js";

const KEPT_ROW = { tall: 128, least: 15, edge: 24 };

// The element, and its height.
export function drawKeptArcs(at, laid) {
  const { scale } = at;
  const base = KEPT_ROW.tall * scale;
  const drawn = [
    lineUps(laid.lines, laid.middles, base, scale),
    ...keptArcPaths(at, laid, base),
    ...keptScores(at, laid, base),
    ...laid.middles.map((_, place) => keptWord(at, laid, place, base)),
  ];
  return [svg("g", { class: "wol-kept" }, drawn), base + laid.lines.tall];
}

// Where the words stand: as wide as they are, if they can so that there is room beside them; or on
// several lines where one is too short for them.
export function layKeptWords(at, aside) {
  const { state, width, scale } = at;
  const words = ["⊢", ...state.units.map((word, i) => signOf(at, i + 1) + word), "⊣"];
  const wides = words.map((word) => (textWidth(word, true) + 11) * scale);
  wides[0] = wides[wides.length - 1] = KEPT_ROW.edge * scale;
  const whole = wides.reduce((sum, one) => sum + one, 0);
  const [free, spare] = [width, width - aside].map((room) => (room - whole) / wides.length);
  const apart = Math.min((aside ? 12 : 36) * scale, Math.max(0, spare));
  const even = Math.max(KEPT_ROW.least * scale, width / wides.length);
  let x = 0;
  const middles = wides.map((one) => {
    const wide = free < 0 ? even : one + apart;
    x += wide;
    return x - wide / 2;
  });
  return { middles, width: x, lines: onLines(words, middles, x, scale) };
}

// Whether a programme keeps a word that the best path does not, or the other way round.
function signOf({ programme, path, shown }, place) {
  if (!shown || shown !== programme) return "";
  const { more, less } = changedBy(programme, path);
  return more.includes(place - 1) ? "+" : less.includes(place - 1) ? "−" : "";
}

function keptArc(laid, base, [left, right]) {
  const [from, to] = [laid.middles[left], laid.middles[right]];
  const share = (to - from) / Math.max(1, laid.middles.at(-1) - laid.middles[0]);
  const high = base - 18 - (base - 24) * Math.sqrt(Math.min(1, share));
  const [x, low, end] = [round1(from), round1(base - 3), round1(to)];
  return {
    d: `M${x} ${low}C${x} ${round1(high)} ${end} ${round1(high)} ${end} ${low}`,
    x: (from + to) / 2,
    y: base - 0.75 * (base - high),
  };
}

// First what is faint, then the thick way, then the arc that was scanned last.
function keptArcPaths(at, laid, base) {
  const { state, way, place, searching } = at;
  const line = (pairs, look) =>
    svg("path", { class: look, d: pairs.map((pair) => keptArc(laid, base, pair).d).join("") });
  const inside = ([left, right]) => left >= 0 && left < right && right < laid.middles.length;
  const now = state.bigrams.at(-1);
  const into = at.ways.map((one) => one.slice(0, 2)).filter(inside);
  const backs = backsSoFar(state).filter(inside)
    .filter(([, right]) => !searching || right < place);
  const thick = way.slice(1).map((right, i) => [way[i], right]).filter(inside);
  return [
    line(backs, "wol-thread"),
    line(searching || at.shown === null ? into : [], "wol-kept-into"),
    line(thick, "wol-way"),
    searching && now && inside(now) && now[1] === place
      ? line([now.slice(0, 2)], "wol-kept-now") : null,
  ];
}

// The score of each arc of the thick way, where there is room for it.
function keptScores({ state, way, layer, scale }, laid, base) {
  let right = -Infinity;
  return way.slice(1).map((to, i) => {
    const from = way[i];
    const found = state.bigrams.findLast((one) => one[0] === from && one[1] === to) ??
      state.bigrams.find((one) => one[0] === from && one[1] === to && one[4] === layer);
    if (!found || from >= to || laid.middles[to] === undefined) return null;
    const { x: top, y } = keptArc(laid, base, [from, to]);
    const said = number(found[2]);
    const wide = textWidth(said) * scale * 0.88 + 4;
    const x = Math.max(top, wide / 2);
    if (x - wide / 2 < right) return null;
    right = x + wide / 2;
    return svg("text", {
      x: round1(x), y: round1(Math.max(11 * scale, y - 2)), "text-anchor": "middle",
      class: "wol-kept-score",
    }, said);
  });
}

// A word: on the way, left out by it, or not reached; a press asks for the ways into it.
function keptWord(at, laid, place, base) {
  const { state, room, scale, way } = at;
  const reached = way.length ? way.at(-1) : 0;
  const kept = way.includes(place);
  const sign = signOf(at, place);
  const look = [
    "wol-on-line", kept ? "wol-kept-on" : place < reached ? "wol-struck" : "",
    { "+": "wol-kept-more", "−": "wol-kept-less" }[sign] ?? "",
  ].join(" ");
  const { shown: text, wide, x, y } = laid.lines.laid[place];
  const low = base + y;
  const word = svg("text", {
    x: round1(x), y: round1(low), "text-anchor": "middle", class: look,
  }, text);
  const fate = kept ? "stays" : place < reached ? "left out" : "not reached";
  const name = `${wordAt(state, place)}, ${fate}${sign ? ` (${sign})` : ""}`;
  if (place === 0) return svg("g", { role: "img", "aria-label": "the start" }, word);
  const asks = state.bigrams.length ? "the ways into it" : hasReasons(at) ? "why" : "";
  if (!asks) return svg("g", { role: "img", "aria-label": name }, word);
  return svg("g", {
    class: `wol-press${room.selected === place ? " wol-chosen" : ""}`, role: "button",
    tabindex: place === 1 ? 0 : -1, "data-serial": place, "aria-label": name,
    onclick: () => room.select(place),
  }, svg("title", {}, `${name}; press for ${asks}`),
  svg("rect", {
    x: round1(x - wide / 2 - 2), y: round1(low - 13 * scale), width: round1(wide + 4),
    height: 17 * scale, rx: 4,
  }), word);
}

// Whether the page tells what the score of a choice is made of.
export function hasReasons({ state, room }) {
  return Boolean(room.log.why?.[state.search]);
}

// What stands in a list for an arc: where it comes from, and what it leaves out.
export function sayArc(state, [left, right]) {
  const out = sayDropped(state, left, right);
  const from = left > 0 ? `after “${wordAt(state, left)}”` : "from the start";
  return out ? `${from}, without “${out}”` : from;
}
