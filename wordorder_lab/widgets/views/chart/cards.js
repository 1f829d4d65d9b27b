// An edge of the chart as a card: its number, its words with the root marked, its score; below, if
// there is something to say, what has just become of it.

import { searchFacts } from "../agenda/ranks.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { foldedLines, foldTogether } from "../player/folding.js";
import { choosable } from "../player/pictures.js";
import { capital, number } from "../player/words.js";
import { chanceText, edgesToFold, edgeText, edgeWords, isCcg, sayEdge } from "../search/edges.js";
import { edgeOf } from "../search/search.js";
import { chartPicks } from "./cells.js";
import { compareMark } from "./compare.js";

export const WHY_OUT = {
  beam: "out: lowest of its beam",
  negative: "out in place of gold",
  discarded: "wrong, not expanded",
  signature: "out: one like it stays",
};

const CARD_CLASSES = {
  chart: "wol-kept",
  popped: "wol-open",
  goal: "wol-goal",
  agenda: "wol-open",
  out: "wol-cut",
  gone: "wol-cut",
};

const CARD_LINES = 4;

// The cards of edges that stand below each other, with their heights; `width` gives their widths.
export function layChartEdges(at, edges, width) {
  const { state, room, scale, size, compared } = at;
  const cards = edges.map((one) => {
    const { serial, status } = one;
    const { category, chance, gold } = edgeOf(state, serial);
    const sign = `${gold === 1 ? "★" : ""}${serial}`;
    return {
      serial, status, gold: gold === 1, sign,
      width: width(one),
      score: number(state.scores[serial - 1]),
      note: chartNote(state, serial, status),
      mark: compared && status === "chart" ? compareMark(compared, serial, room.name) : "",
      from: 14 + textWidth(sign),
      category: category && category + chanceText(chance),
    };
  });
  const items = edgesToFold(state, cards.map(({ serial }) => serial), edgeText);
  foldTogether(items.map((item, i) => {
    const { serial, category, mark, from, score } = cards[i];
    const { left, pos } = edgeOf(state, serial);
    const right = textWidth(score, true) + 14 + (mark ? textWidth(mark) + 6 : 0);
    const rest = cards[i].width / scale - from - 8;
    const tag = left || category ? 0 : textWidth(` ${pos}`, true);
    return { ...item, first: rest + 8 - right - tag, rest };
  }), CARD_LINES, true).forEach((words, i) => {
    const { note, category } = cards[i];
    const lines = words.lines.length - (category ? 0 : 1);
    const height = size.line + lines * size.note + (note ? size.note + 3 * scale : 0);
    Object.assign(cards[i], { words, height });
  });
  return new Map(cards.map((card) => [card.serial, card]));
}

// What is told below an edge.
function chartNote(state, serial, status) {
  if (status === "chart") {
    return serial === state.chart[state.chart.length - 1] &&
      state.pops[state.pops.length - 1]?.[0] === serial
      ? "+ entered at this pop"
      : "";
  }
  if (status === "popped") return "◆ popped, being expanded";
  if (status === "goal")
    return isCcg(state) ? "☆ goal: all words it must have" : "☆ goal: no word is missing";
  if (status === "agenda") return "waits on the agenda";
  const left = state.outs.findLast(([one]) => one === serial);
  if (!left) return "✂ not in the chart";
  return status === "out"
    ? `✂ ${WHY_OUT[left[1]] ?? left[1]}`
    : `✂ out since pop ${left[2].toLocaleString("en")}`;
}

export function drawChartCard(at, card) {
  const { state, room, scale, chosen, lit } = at;
  const { serial, status, x, y, width, height } = card;
  const mine = serial === chosen;
  const looks = ["wol-card", CARD_CLASSES[status], card.gold && "wol-gold",
    lit.has(serial) && "wol-on-path", mine && "wol-chosen"];
  const pick = chartPicks(state, room).indexOf(serial);
  const text = (words, more) => svg("text", { y: y + 16 * scale, ...more }, words);
  const under = y + (18 + 15 * card.words.lines.length) * scale;
  const note = card.category ? under + 15 * scale : under;
  const said = chartCardLabel(at, card, pick);
  return choosable(
    looks,
    { serial, said, chosen: mine },
    svg("title", {}, said),
    svg("rect", { x, y, width, height, rx: 5 }),
    chartWords(at, card),
    card.category
      ? text(clip(card.category, width / scale - card.from - 8), {
          x: x + card.from * scale,
          y: under - 2 * scale,
          class: "wol-category",
        })
      : null,
    card.mark
      ? text(card.mark, {
          x: x + width - (textWidth(card.score, true) + 14) * scale,
          "text-anchor": "end",
          class: "wol-quiet",
        })
      : null,
    text(card.score, { x: x + width - 7 * scale, "text-anchor": "end", class: "wol-score" }),
    card.note
      ? text(clip(card.note, (1.08 * width) / scale - 14), {
          x: x + 7 * scale,
          y: note,
          class: "wol-note",
        })
      : null,
    pick >= 0 ? pickMark(pick, x, y, scale) : null,
  );
}

// The number and the words of a card; the root, the word that a link is made to, is underlined.
function chartWords({ state, scale }, { serial, x, y, from, words, sign }) {
  const { left, pos, category } = edgeOf(state, serial);
  const at = (i) => ({ x: x + from * scale, y: y + (16 + 15 * i) * scale });
  return svg("text", { class: "wol-action" },
    svg("tspan", { x: x + 7 * scale, y: y + 16 * scale, class: "wol-quiet" }, sign),
    foldedLines(words, at, "wol-onstack"),
    left || category ? null : svg("tspan", { class: "wol-quiet" }, ` ${pos}`));
}

// Lines that are drawn for all cards at once: at the foot how good a score is among all that are
// popped in this search, and on the left a bar where an edge is part of the one that is looked at.
export function cardLines({ state, room, lit, scale }, cards) {
  const scores = cards.map((card) => state.scores[card.serial - 1]);
  const { low, high } = searchFacts(room.log).searches[state.search];
  const foot = cards.map(({ x, y, width, height }, i) => {
    const share = Math.min(1, Math.max(0, (scores[i] - low) / (high - low)));
    return Number.isFinite(share)
      ? `M${x + 7 * scale} ` +
          `${y + height - 3 * scale}h${Math.max(2, share * (width - 14 * scale)).toFixed(1)}`
      : "";
  });
  const side = cards
    .filter((card) => lit.has(card.serial))
    .map(({ x, y, height }) => `M${x + 2 * scale} ${y + 2 * scale}v${height - 4 * scale}`);
  return [
    svg("path", { d: foot.join(""), class: "wol-scorebar" }),
    svg("path", { d: side.join(""), class: "wol-lit-part" }),
  ];
}

function pickMark(pick, x, y, scale) {
  return svg(
    "g",
    { class: "wol-pick" },
    svg("circle", { cx: x + 9 * scale, cy: y + scale, r: 7 * scale }),
    svg("text", { x: x + 9 * scale, y: y + 5 * scale, "text-anchor": "middle" }, pick + 1),
  );
}

function chartCardLabel({ state }, { serial, status, note, gold, score, mark }, pick) {
  const { order, heads } = edgeWords(state, serial);
  const plain = (text) => text.replace(/^\W+/, "");
  const told = [
    status === "chart" ? "in the chart" : "",
    plain(note),
    plain(mark),
    gold ? "gold" : "",
    pick < 0 ? "" : `picked as number ${pick + 1}`,
  ].filter(Boolean);
  return (
    `${capital(sayEdge(state, serial))}, score ${score}, ${isCcg(state) ? "head" : "root"} ` +
    `${order[heads.indexOf(-1)]?.[0] ?? "not known"}: ${told.join(", ")}`
  );
}
