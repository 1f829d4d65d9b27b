// Below the lattice: the ways into a word, and the best paths.

import { clip, svg, textWidth } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { choosable, titled } from "../player/pictures.js";
import { capital, number, plural } from "../player/words.js";
import { hasReasons, sayArc } from "./arcs.js";
import { wordAt } from "./look.js";

const DELETION_ROW = 19;
const PATH_LEAST = 300;

// All ways into the word that is looked at, the best first; two columns of numbers.
export function drawWays(at, width) {
  const { state, room, scale, ways, place } = at;
  const shown = ways.slice(0, room.rows);
  const right = width - 4;
  const widths = (which) => shown.map((one) => textWidth(number(one[which]), true));
  const wide = (which) => 14 + Math.max(48, ...widths(which));
  const [totals, scores] = [right, right - wide(3) * scale];
  const quiet = (x, said) =>
    svg("text", { x, y: -8 * scale, "text-anchor": "end", class: "wol-quiet" }, said);
  const head = svg("g", {}, quiet(totals, "total"), quiet(scores, "score"));
  const rows = shown.map((one, i) => {
    const y = (12 + DELETION_ROW * i) * scale;
    const free = scores / scale - wide(2) - 14;
    const text = clip(sayArc(state, one), free, { bold: i === 0 });
    return svg("g", { role: "img", "aria-label": sayWay(state, one, i) },
      svg("text", { x: 14 * scale, y, class: i ? null : "wol-title" }, text),
      i ? null : svg("text", { x: 2, y, class: "wol-title" }, "▸"),
      svg("text", { x: scores, y, "text-anchor": "end" }, number(one[2])),
      svg("text", { x: totals, y, "text-anchor": "end", class: i ? null : "wol-title" },
        number(one[3])));
  });
  const more = ways.length - shown.length;
  const low = DELETION_ROW * shown.length;
  const rest = more > 0
    ? svg("text", { x: 14 * scale, y: (low + 12) * scale, class: "wol-quiet" },
      `… and ${plural(more, "more way")}`)
    : null;
  const into = place > 0 && place < at.end ? `“${wordAt(state, place)}”` : "the end";
  const title = `Ways into ${into}`;
  return titled(clip(title, (scores - 70 * scale) / scale, { bold: true }),
    [svg("g", {}, head, rows, rest), (low + (more > 0 ? 18 : 2)) * scale], scale);
}

function sayWay(state, one, i) {
  return `${i ? `Way ${i + 1}` : "The best way"}: ${sayArc(state, one)}, score ` +
    `${number(one[2])}, total ${number(one[3])}`;
}

// What can be looked at in the lattice: what a programme keeps, and the best paths. A press shows
// one of them, once more what was shown before.
export function drawPaths(at, width) {
  const { state, room, scale, shown, programme } = at;
  const listed = state.paths.slice(0, Math.max(room.rows, 3));
  const ours = programme ? [[null, "with the rows", programme]] : [];
  const called = ({ rank }) => !ours.length ? String(rank + 1)
    : rank ? `with the rows, ${rank + 1}` : "without them";
  const choices = [...ours, ...listed.map((one) => [one.rank, called(one), one])];
  const texts = choices.map(([, , one]) =>
    (one.words?.length ? one.words : one.kept.map((place) => state.units[place] ?? "?")).join(" "));
  const values = choices.map(([, , one]) => number(one.score ?? one.objective));
  const widest = (some) => Math.max(...some.map((text) => textWidth(text, true)));
  const left = widest(choices.map(([, name]) => name)) + 18;
  const beside = width / scale - left - widest(values) - 24;
  // Where the words have little room beside their names, they stand below them.
  const under = ours.length > 0 && beside < PATH_LEAST;
  const folded = foldTogether(texts.map((text) =>
    ({ text, first: under ? width / scale - 20 : beside, bold: true })), 3);
  let y = 0;
  const drawn = choices.map(([rank, name, one], i) => {
    const tall = DELETION_ROW + 15 * (folded[i].lines.length - (under ? 0 : 1));
    const row = { rank, name, one, value: values[i], text: texts[i], lines: folded[i], under, left,
      y, tall, said: ours.length ? capital(name) : `Path ${name}` };
    y += (tall + 3) * scale;
    return drawPath(at, row, width);
  });
  const more = state.paths.length - listed.length;
  const asks = !state.bigrams.length && hasReasons(at) ? "; press a word for why" : "";
  const title = ours.length ? `What stays${asks}`
    : state.paths.length > 1
      ? `The ${state.paths.length} best paths${more ? `, ${listed.length} of them here` : ""}`
      : "The best path";
  return titled(title, [svg("g", {}, drawn), y], scale);
}

function drawPath({ state, room, scale, shown }, row, width) {
  const { rank, name, one, value, text, y } = row;
  const isShown = shown === one;
  const told = `${row.said}, score ${value}, ${one.kept.length} of ` +
    `${plural(state.units.length, "word")}: ${text}`;
  const press = () => {
    const again = room.kept.rank?.rank === rank && room.kept.rank.search === state.search;
    room.kept.rank = again || rank === null ? null : { rank, search: state.search };
    room.redraw();
  };
  const [x, first] = row.under ? [8, 29] : [row.left, 14];
  const serial = rank === null ? "programme" : `path${rank}`;
  return choosable(["wol-press", "wol-order", isShown && "wol-chosen"],
    { serial, said: told, chosen: isShown, focused: false, press },
    svg("title", {}, told),
    svg("rect", { x: 1, y, width: width - 6, height: row.tall * scale, rx: 4 }),
    svg("text", { x: 8 * scale, y: y + 14 * scale }, name),
    foldedText(row.lines, (i) => ({ x: x * scale, y: y + (first + 15 * i) * scale }),
      { class: isShown ? "wol-title" : "" }),
    svg("text", { x: width - 12 * scale, y: y + 14 * scale, "text-anchor": "end" }, value));
}
