// The spans behind a bar: which phrases of this length a search has made, to press.

import { shifted } from "../beam/beam.js";
import { clip, svg } from "../player/dom.js";
import { plural } from "../player/words.js";
import { SPAN_INK, SPAN_MARGIN, spansOfEdges, spanText, spanTitle } from "./shapes.js";

const SPANS_READ = new WeakMap(); // a log -> the spans of each of its searches
const EXAMPLE_ROWS = 12;

// Every span of a search as {at, serial, length, text, gold, kept}: `at` counts events up to where
// it was made, `kept` up to where it was kept. The log is read once, when somebody first asks.
function spansOf(log, search) {
  if (!SPANS_READ.has(log)) SPANS_READ.set(log, readSpans(log));
  return SPANS_READ.get(log)[search] ?? [];
}

function readSpans(log) {
  const searches = [[]];
  let books = null;
  for (let i = 0; i < log.length; i += 1) {
    const [kind, ...values] = log.event(i);
    if (kind === "begin") {
      books = { units: values[0], made: new Map(), stacks: new Map([[0, []]]), spans: [] };
      searches.push(books.spans);
    } else if (books) EXAMPLE_READ[kind]?.(books, i + 1, ...values);
  }
  return searches;
}

function noteSpan(books, at, serial, text, gold = 0) {
  const one = { at, serial, text, length: text.split(" ").length, gold: gold === 1, kept: null };
  books.made.set(serial, one);
  books.spans.push(one);
}

function keepSpan(books, at, serial) {
  const one = books.made.get(serial);
  if (one) one.kept ??= at;
}

const EXAMPLE_READ = {
  leaf: (books, at, serial, item, form, pos, score, gold) =>
    noteSpan(books, at, serial, form, gold),
  edge(books, at, serial, left, right, action, score, gold) {
    const parts = [left, right].filter((part) => part).map((part) => books.made.get(part));
    if (!parts.includes(undefined))
      noteSpan(books, at, serial, parts.map(({ text }) => text).join(" "), gold);
  },
  charted: keepSpan,
  goal: keepSpan,
  candidate(books, at, serial, parent, action) {
    const stack = books.stacks.get(parent);
    if (!stack) return;
    const shifts = action.startsWith("SHIFT-");
    const phrase = shifts ? shifted(action, books.units)[0] : stack.slice(-2).join(" ");
    books.stacks.set(serial, [...(shifts ? stack : stack.slice(0, -2)), phrase]);
    noteSpan(books, at, serial, phrase);
  },
  alternatives(books, at, types, forms) {
    books.units = [...books.units, ...forms];
  },
  kept: keepSpan,
  gold(books, at, step, serial) {
    const one = books.made.get(serial);
    if (one) one.gold = true;
  },
};

// The phrases behind the lengths that were chosen, those that are kept first; a press goes to where
// one was kept, or made, last.
export function spanExamples(sheet, state, room, [low, high]) {
  const { font, left } = sheet;
  const there = spansOf(room.log, state.search)
    .filter(({ at, length }) => at <= room.k && length >= low && length <= high);
  const phrases = phrasesOf(there, room.k);
  const lengths = low === high ? plural(low, "word") : `${low} to ${high} words`;
  const kept = phrases.reduce((sum, one) => sum + one.kept, 0);
  spanTitle(sheet, `${plural(there.length, "span")} of ${lengths}, ${kept} kept: ` +
    `${plural(phrases.length, "phrase")}; press one to see its search`);
  phrases.slice(0, EXAMPLE_ROWS).forEach((one, i) => examplePhrase(sheet, state, room, one, i));
  sheet.y += 1.8 * font;
  const more = phrases.length - EXAMPLE_ROWS;
  if (more > 0) spanText(sheet, left, sheet.y, `… and ${more.toLocaleString("en")} more`,
    { class: "wol-quiet", fill: SPAN_INK });
}

// Spans of the same words: how often they were made and kept, and which one to go to.
function phrasesOf(there, k) {
  const phrases = new Map();
  for (const one of there) {
    const stays = one.kept !== null && one.kept <= k;
    const same = phrases.get(one.text) ?? { text: one.text, made: 0, kept: 0, gold: false };
    same.made += 1;
    same.kept += stays;
    same.gold ||= one.gold;
    if (stays || !same.kept) same.shown = one;
    phrases.set(one.text, same);
  }
  return [...phrases.values()].sort((a, b) => b.kept - a.kept || b.shown.at - a.shown.at);
}

function examplePhrase(sheet, state, room, { text, made, kept, gold, shown }, i) {
  const { font, right } = sheet;
  const left = sheet.left - SPAN_MARGIN * font;
  const y = (sheet.y += 1.9 * font);
  const name = `${gold ? "★ " : ""}${text}`;
  const fate = `made ${plural(made, "time")}, ${kept ? `kept ${kept}` : "never kept"}`;
  const view = spansOfEdges(state) ? "agenda" : "beam";
  sheet.nodes.push(svg("g", {
    class: "wol-press wol-order", role: "button", tabindex: i ? -1 : 0,
    "data-serial": `span ${shown.serial}`, "aria-label": `${name}: ${fate}. Go there`,
    onclick: () => room.show({ event: shown.at, view, pin: shown.serial }),
  },
  svg("rect", { x: left, y: y - 1.2 * font, width: right - left, height: 1.7 * font, rx: 4 }),
  svg("text", { x: left + 0.6 * font, y, "font-weight": kept ? "bold" : "normal" },
    clip(name, ((right - left) * 12) / font - 170, { bold: kept > 0 })),
  svg("text", { x: right - 0.6 * font, y, "text-anchor": "end", class: "wol-quiet" }, fate)));
}

// Over the bars of each length: press it, or draw over several; once more, and all is shown again.
export function spanChoosers(sheet, room, { head, foot, slot, groups, longest }) {
  const { left } = sheet;
  const range = room.kept.range ?? [0, 0];
  const choose = (from, to) => {
    const ends = [Math.min(from, to), Math.max(from, to)];
    if (ends[1] === groups) ends[1] = longest; // the last group has all longer ones
    const same = ends[0] === range[0] && ends[1] === range[1];
    room.kept.range = same ? null : ends;
    room.redraw();
  };
  for (let i = 1; i <= groups; i += 1) {
    const chosen = i >= range[0] && i <= range[1];
    sheet.nodes.push(svg("g", {
      class: `wol-press wol-length${chosen ? " wol-chosen" : ""}`, role: "button", tabindex: 0,
      "data-serial": `length ${i}`, "aria-pressed": String(chosen),
      "aria-label": `Spans of ${plural(i, "word")}: show them`,
      onpointerdown: (event) => {
        room.kept.from = i;
        event.target.releasePointerCapture?.(event.pointerId);
      },
      onpointerup: () => {
        choose(room.kept.from ?? i, i);
        room.kept.from = null;
      },
      onclick: (event) => event.detail || choose(event.shiftKey && range[0] ? range[0] : i, i),
    }, svg("title", {}, "Press, or draw over several, to see these spans"),
    svg("rect", { x: left + (i - 1) * slot + 1, y: head - 4, width: slot - 2,
      height: foot - head + 22, rx: 4 })));
  }
}
