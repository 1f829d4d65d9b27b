// The agenda as ranked bars: what was popped last, the best that wait, and what went out with it.

import { drawBar } from "../parts/bars.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { choosable } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { edgeName, edgesToFold, headSpan } from "../search/edges.js";
import { sayOut } from "../search/narration.js";
import { edgeOf } from "../search/search.js";
import { agendaRank, isWaiting } from "./ranks.js";

const AGENDA_ROW = 25;
const ROW_LINE = 14;
const ROW_MOST_LINES = 3;
const OUTS_SHOWN = 3;

// The list as an element, and its height. `at` is {state, room, scale, pinned}.
export function drawAgendaList(at, width) {
  const { state, room, scale } = at;
  const rows = agendaRows(at);
  const told = rows.filter((row) => row.serial && !row.masked);
  const scoreOf = (row) => row.score ?? state.scores[row.serial - 1];
  const scores = told.map(scoreOf);
  const digits = digitsOf(told.filter((row) => row.says !== "out").map(scoreOf));
  const widest =
    Math.max(40, ...scores.map((score) => textWidth(withDigits(score, digits)))) * scale;
  const lay = {
    digits,
    ...layRow(width, scale, Math.min(0, ...scores), Math.max(0, ...scores), widest + 12 * scale),
  };
  sayRows(at, rows, lay);
  let y = 0;
  const drawn = rows.map((row) => {
    const top = y;
    y += (row.serial ? rowHeight(row) : row.head ? 27 : 20) * scale;
    return row.serial
      ? drawAgendaRow(at, row, lay, top)
      : drawAgendaNote(row, width / scale, y - 7 * scale);
  });
  const zero = scores.some((score) => score < 0)
    ? svg("line", { x1: lay.zero, x2: lay.zero, y1: 24 * scale, y2: y, class: "wol-rule" })
    : null;
  return [svg("g", {}, zero, drawn), y + 6 * scale];
}

// The words of all rows, each on at most three lines.
function sayRows({ state, scale, pinned }, rows, { words }) {
  const told = rows.filter((row) => row.serial);
  const sign = (serial) =>
    `${serial === pinned ? "◉ " : ""}${edgeOf(state, serial).gold === 1 ? "★ " : ""}`;
  const items = edgesToFold(state, told.map(({ serial }) => serial), edgeName, sign);
  foldTogether(items.map((item) => ({ ...item, first: words / scale })), ROW_MOST_LINES, true)
    .forEach((one, i) => (told[i].words = one));
}

function rowHeight({ words }) {
  return AGENDA_ROW + ROW_LINE * (words.lines.length - 1);
}

function drawAgendaNote({ head, note }, width, y) {
  if (head)
    return svg("text", { x: 2, y, class: "wol-head" }, clip(head, width / 1.05, { bold: true }));
  return svg("text", { x: 2, y, class: "wol-quiet" }, clip(note, width / 0.9));
}

// What stands in the list, from top to bottom: rows of edges, heads and notes between them.
function agendaRows(at) {
  const { state, room, top, pinned } = at;
  const pop = state.pops.length;
  const rows = [];
  if (pop) {
    const [serial, score] = state.pops[pop - 1];
    rows.push(
      { head: `Popped: pop ${pop.toLocaleString("en")}${sayAhead(at, score)}` },
      { serial, score, mark: "◆", says: "popped" },
    );
  }
  rows.push({
    head:
      "On the agenda: " +
      `${plural(state.agenda, "edge")}${room.masked ? `; the best ${top.length}, unranked` : ""}`,
  });
  const shown = room.masked ? top.slice().sort((a, b) => a - b) : top;
  rows.push(...shown.map((serial, i) => agendaRow(at, serial, i + 1)));
  const more = state.agenda - top.length;
  const below = pinned && isWaiting(state, pinned) && !top.includes(pinned);
  if (more)
    rows.push({
      note: `… and ${more.toLocaleString("en")} more${below ? "; among them the pinned one" : ""}`,
    });
  if (below) rows.push(agendaRow(at, pinned, room.masked ? 0 : agendaRank(state, pinned)));
  if (!state.agenda) rows.push({ note: "It is empty." });
  return [...rows, ...outRows(state)];
}

// Why this one and not the next: by how much it was ahead of the best that waits.
function sayAhead({ state, room, top }, score) {
  if (room.masked || !top.length) return "";
  const next = state.scores[top[0] - 1];
  if (next === score) return ", in a tie with the next: the oldest goes first";
  return score > next
    ? `, ${number(score - next)} ahead of the next`
    : `, ${number(next - score)} behind what was made since`;
}

function agendaRow({ state, room }, serial, rank) {
  const fresh = edgeOf(state, serial).made === state.pops.length;
  return { serial, rank, mark: fresh ? "▲" : "", says: fresh ? "new" : "", masked: room.masked };
}

function outRows(state) {
  const outs = state.outs.filter(([, , pop]) => pop === state.pops.length);
  if (!outs.length) return [];
  const shown = outs.slice(0, OUTS_SHOWN).flatMap((out) => [
    { serial: out[0], mark: "✕", says: "out" }, { note: `     ${sayOut(state, out)}` }]);
  const more = outs.length > OUTS_SHOWN ? [{ note: `… and ${outs.length - OUTS_SHOWN} more` }] : [];
  return [{ head: `Pruned with this pop: ${outs.length}` }, ...shown, ...more];
}

// How many digits set most neighbours in the list apart, so that its order can be read off; two at
// least.
function digitsOf(scores) {
  const apart = (digits) =>
    scores.filter(
      (score, i) => i && withDigits(score, digits) !== withDigits(scores[i - 1], digits),
    ).length;
  let best = 2;
  for (let digits = 3; digits <= 6; digits += 1) if (apart(digits) > apart(best)) best = digits;
  return best;
}

function withDigits(score, digits) {
  return digits > 2 && Number.isFinite(score)
    ? score.toFixed(digits).replace("-", "−")
    : number(score);
}

// Where the parts of a row stand: rank and mark, the edge's number, words, bar, score.
function layRow(width, scale, low, high, score) {
  const [mark, serial] = [66 * scale, 40 * scale];
  const bar = Math.max(64 * scale, 0.28 * (width - mark - serial - score));
  const from = width - score - bar;
  const unit = high > low ? (bar - 4 * scale) / (high - low) : 0;
  return {
    width,
    mark,
    serial: mark + serial - 6 * scale,
    words: from - mark - serial - 6 * scale,
    unit,
    zero: from + -low * unit,
    right: width - 6 * scale,
  };
}

function drawAgendaRow(at, row, lay, y) {
  const { state, room, scale, pinned } = at;
  const { serial } = row;
  const score = row.score ?? state.scores[serial - 1];
  const gold = edgeOf(state, serial).gold === 1;
  const text = (x, words, more = {}) =>
    svg("text", { x, y: y + 16.5 * scale, ...more }, ...[words].flat());
  const rank = row.masked ? "?" : row.rank ? `${row.rank.toLocaleString("en")}.` : "";
  const chosen = serial === pinned;
  return choosable(
    ["wol-agenda-row", row.says && `wol-agenda-${row.says}`, chosen && "wol-chosen"],
    {
      serial, said: rowLabel(state, row, withDigits(score, lay.digits)), chosen,
      focused: serial === at.focus, press: () => room.select(serial),
    },
    svg("title", {}, `Edge ${serial}: ${edgeName(state, serial)}`),
    svg("rect", {
      x: 1,
      y: y + 1.5 * scale,
      width: lay.width - 2,
      height: (rowHeight(row) - 3) * scale,
      rx: 4,
      class: "wol-back",
    }),
    text(6, clip(`${rank} ${row.mark}${row.says ? ` ${row.says}` : ""}`.trim(), lay.mark / scale), {
      class: "wol-small",
    }),
    text(lay.serial, serial, { "text-anchor": "end", class: "wol-quiet" }),
    foldedText(row.words, (i) => ({
      x: lay.serial + 8 * scale, y: y + (16.5 + ROW_LINE * i) * scale,
    }), { class: "wol-words", mark: "wol-headword" }),
    row.masked ? null : drawBar(score, gold ? "wol-bar-gold" : "", lay,
      y + 6 * scale, (AGENDA_ROW - 11) * scale),
    text(lay.right, row.masked ? "?" : withDigits(score, lay.digits), { "text-anchor": "end" }),
  );
}

function rowLabel(state, row, score) {
  const { serial } = row;
  const where =
    row.says === "popped"
      ? `popped at pop ${state.pops.length}`
      : row.says === "out"
        ? "pruned"
        : row.masked
          ? "rank hidden"
          : `rank ${row.rank}`;
  const told = row.masked ? "score hidden" : `score ${score}`;
  const gold = { 1: ", gold", 0: ", not gold" }[edgeOf(state, serial).gold] ?? "";
  return (
    `${where}${row.says === "new" ? ", new" : ""}${gold}: edge ${serial}, ` +
    `${edgeName(state, serial)}${sayHead(state, serial)}, ${told}`
  );
}

function sayHead(state, serial) {
  const span = headSpan(state, serial);
  return span ? `, head ${edgeName(state, serial).slice(span.from, span.from + span.length)}` : "";
}
