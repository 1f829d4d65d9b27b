// Below the lattice: the ways into a word, the best paths, and the rows of an integer programme.

import { clip, svg, textWidth } from "../player/dom.js";
import { choosable, drawSentences, titled, wrapped } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { sayArc } from "./arcs.js";
import { wordAt } from "./look.js";

const DELETION_ROW = 19;

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

// The k best: a press shows one of them in the lattice.
export function drawPaths(at, width) {
  const { state, room, scale, shown } = at;
  const listed = state.paths.slice(0, Math.max(room.rows, 3));
  const drawn = listed.map((one, i) => {
    const y = i * (DELETION_ROW + 3) * scale;
    const said = `${one.rank + 1}`;
    const value = number(one.score);
    const words = one.words.length
      ? one.words : one.kept.map((place) => state.units[place] ?? "?");
    const free = (width - 54 * scale) / scale - textWidth(value, true);
    const name = `Path ${said}, score ${value}, ${one.kept.length} of ` +
      `${plural(state.units.length, "word")}: ${words.join(" ")}`;
    const press = () => {
      const again = room.kept.rank?.rank === one.rank && room.kept.rank.search === state.search;
      room.kept.rank = again ? null : { rank: one.rank, search: state.search };
      room.redraw();
    };
    const chosen = shown === one;
    return choosable(["wol-press", "wol-order", chosen && "wol-chosen"],
      { serial: `path${one.rank}`, said: name, chosen, focused: false, press },
      svg("title", {}, name),
    svg("rect", { x: 1, y, width: width - 6, height: DELETION_ROW * scale, rx: 4 }),
    svg("text", { x: 8 * scale, y: y + 14 * scale }, said),
    svg("text", { x: 26 * scale, y: y + 14 * scale }, clip(words.join(" "), free, { bold: true })),
    svg("text", { x: width - 12 * scale, y: y + 14 * scale, "text-anchor": "end" }, value));
  });
  const more = state.paths.length - listed.length;
  const title = state.paths.length > 1
    ? `The ${state.paths.length} best paths${more ? `, ${listed.length} of them here` : ""}`
    : "The best path";
  return titled(title, [svg("g", {}, drawn), listed.length * (DELETION_ROW + 3) * scale], scale);
}

// The rows of the programme that was solved, or is about to be: what each demands.
export function drawDemands(at, width) {
  const { state, scale, programme, room } = at;
  const demands = state.demands.length ? state.demands : programme.demands;
  const ordered = [...demands.filter((one) => one.broken), ...demands.filter((one) => !one.broken)];
  const most = Math.max(room.rows, 4);
  const broken = demands.filter((one) => one.broken).length;
  let y = 0;
  const drawn = ordered.slice(0, most).flatMap((one) => {
    const said = `${one.name}: ${one.says}`;
    const lines = wrapped(said, (width - 24 * scale) / scale, (width - 24 * scale) / scale, 2);
    const group = svg("g", {
      role: "img", transform: `translate(0 ${y})`,
      "aria-label": `${one.broken ? "Broken by the best path" : "Kept by the best path"}: ${said}`,
    }, svg("text", { x: 2, y: 13 * scale, class: one.broken ? "wol-fallen" : "wol-quiet" },
      one.broken ? "✗" : "✓"),
    lines.map((line, i) => svg("text", { x: 18 * scale, y: (13 + 15 * i) * scale }, line)));
    y += (15 * lines.length + 5) * scale;
    return group;
  });
  if (ordered.length > most) {
    drawn.push(svg("text", { x: 18 * scale, y: y + 12 * scale, class: "wol-quiet" },
      `… and ${plural(ordered.length - most, "more row")}`));
    y += 18 * scale;
  }
  if (!ordered.length)
    return titled("A programme without constraints",
      drawSentences(["It keeps what the best path keeps."], width, scale), scale);
  const title = `${plural(demands.length, "row")} of the programme; the best path breaks ${broken}`;
  return titled(clip(title, width / scale, { bold: true }), [svg("g", {}, drawn), y], scale);
}
