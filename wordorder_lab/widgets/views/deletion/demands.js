// The rows of an integer programme, below the words that they are about: a dot for each word, full
// where it stays, and what the row demands of them.

import { svg } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { drawSentences, round1, titled } from "../player/pictures.js";
import { plural } from "../player/words.js";

const DEMAND = { line: 15, pad: 7, dot: 4.5, beside: 220 };

// Whether there is room for what the rows say beside the words.
function demandsBeside({ width, scale }, wide) {
  return width - wide > DEMAND.beside * scale;
}

// `laid` are the words as the lattice has them; the rows of the programme that was solved, or is
// about to be.
export function drawDemands(at, laid) {
  const { state, scale, programme, room, width } = at;
  const demands = state.demands.length ? state.demands : programme.demands;
  const broken = demands.filter((one) => one.broken);
  const ordered = [...broken, ...demands.filter((one) => !one.broken)];
  const shown = ordered.slice(0, Math.max(room.rows, 4));
  if (!ordered.length)
    return titled("A programme without constraints",
      drawSentences(["It keeps what the best path keeps."], width, scale), scale);
  const beside = demandsBeside(at, laid.width);
  const left = beside ? laid.width + 12 * scale : 2;
  const texts = foldTogether(shown.map((one) =>
    ({ ...sayDemand(at, one), first: (width - left) / scale - 22 })), 3);
  let y = 0;
  const drawn = shown.map((one, i) => {
    const [row, tall] = drawDemand(at, laid, one, texts[i], { left, beside });
    row.setAttribute("transform", `translate(0 ${round1(y)})`);
    y += tall;
    return row;
  });
  if (ordered.length > shown.length) {
    drawn.push(svg("text", { x: left + 18 * scale, y: y + 12 * scale, class: "wol-quiet" },
      `… and ${plural(ordered.length - shown.length, "more row")}`));
    y += 18 * scale;
  }
  return titled(`The programme obeys ${plural(demands.length, "row")}; without them ` +
    `${broken.length || "none"} would be broken`,
  [svg("g", {}, keptColumns(at, laid, y), drawn), y], scale);
}

// What a row demands, the words that stay marked; and which words would break it.
function sayDemand({ state, way }, { name, says, words, broken }) {
  const path = broken ? state.paths[0] : null;
  const named = (places) => `“${places.map((place) => state.units[place] ?? "?").join(" ")}”`;
  const [stay, go] = [true, false].map((there) =>
    words.filter((place) => path?.kept.includes(place) === there));
  const missed = [stay.length ? `${named(stay)} would stay` : "",
    go.length ? `${named(go)} would go` : ""].filter(Boolean).join(", ");
  const marks = words.filter((place) => way.includes(place + 1)).flatMap((place) => {
    const found = [...` ${says}`.matchAll(/[^\s,]+/gu)]
      .filter(([word]) => word === state.units[place]);
    return found.length === 1
      ? [{ from: name.length + 1 + found[0].index, length: found[0][0].length }] : [];
  });
  return { text: `${name}: ${says}${path ? `; without it ${missed}` : ""}`, marks };
}

// Faint lines from the words that stay down through all rows. A log that is cut or of another's
// making may keep a word that its sentence does not have.
function keptColumns({ way }, { middles }, tall) {
  const d = way.slice(1, -1).filter((place) => middles[place] !== undefined)
    .map((place) => `M${round1(middles[place])} 0V${round1(tall)}`);
  return svg("path", { class: "wol-demand-column", d: d.join("") });
}

function drawDemand(at, { middles }, demand, said, { left, beside }) {
  const { scale, way } = at;
  const { name, says, words, broken } = demand;
  const text = DEMAND.line * said.lines.length;
  const tall = (beside ? Math.max(13, text) : text + 15) + DEMAND.pad;
  const y = (beside ? 9 : text + 9) * scale;
  const places = words.map((word) => word + 1).filter((place) => middles[place] !== undefined);
  const ends = places.map((place) => middles[place]);
  const kept = places.filter((place) => way.includes(place));
  return [svg("g", {
    role: "img", class: "wol-demand",
    "aria-label": `${name}: ${says}; ${kept.length} of ${plural(places.length, "word")} of this ` +
      `row ${kept.length === 1 ? "stays" : "stay"}; ` +
      `${broken ? "broken" : "obeyed, too,"} by the best choice without rows`,
  },
  ends.length ? svg("path", {
    class: "wol-demand-line", d: `M${round1(Math.min(...ends))} ${y}H${round1(Math.max(...ends))}`,
  }) : null,
  places.map((place) => svg("circle", {
    class: way.includes(place) ? "wol-demand-kept" : "wol-demand-out",
    cx: round1(middles[place]), cy: y, r: DEMAND.dot * scale,
  })),
  svg("text", { x: left, y: 13 * scale, class: broken ? "wol-fallen" : "wol-quiet" },
    broken ? "✗" : "✓"),
  foldedText(said, (i) => ({ x: left + 18 * scale, y: (13 + DEMAND.line * i) * scale }),
    { mark: "wol-title" })), tall * scale];
}
