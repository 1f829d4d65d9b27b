// Texts that are looked at beside each other, each on a few lines: where room is short, what they
// share is folded to "…"; what differs from a neighbour is shown, and no two read alike.

import { isolated, sentenceOf } from "./bidi.js";
import { sayWhole, setText, svg, textWidth } from "./dom.js";

const FOLDED = "… ";
const TURNS_APART = 6;

// Items are {text, marks: [{from, length}] in letters, first, rest: widths of lines}. Of each come
// its `lines`, each a list of {text, marked}, what is `shown`, and whether something is `folded`.
export function foldTogether(items, most, boldly = false) {
  const all = items.map(({ text, marks = [], first, rest = first, bold = boldly }) => {
    const pieces = lettersOf(text, marks, Math.min(first, rest), bold);
    const wraps = (kept) => wrapKept(pieces, kept, first, rest, bold);
    return { text, marks, pieces, wraps, key: JSON.stringify([text, marks]), told: new Set() };
  });
  all.forEach((one, i) => {
    one.apart = [all[i - 1], all[i + 1]].flatMap((other) => (other ? differing(one, other) : []));
    layFolded(one, most);
  });
  for (let turn = 0; turn < TURNS_APART; turn += 1) {
    const clashes = alikes(all, (one) => one.shown, (one) => one.key);
    if (!clashes.length) break;
    for (const group of clashes) {
      for (const one of group)
        for (const other of group)
          if (one.key !== other.key) for (const i of firstApart(one, other, turn)) one.told.add(i);
      for (const one of group) layFolded(one, most);
    }
  }
  return all;
}

// The groups in which all are shown alike and not all are alike.
function alikes(all, shownOf, keyOf) {
  const groups = new Map();
  for (const one of all) {
    const shown = shownOf(one);
    if (!groups.has(shown)) groups.set(shown, []);
    groups.get(shown).push(one);
  }
  return [...groups.values()].filter(([first, ...rest]) =>
    rest.some((one) => keyOf(one) !== keyOf(first)));
}

// Words with the space behind them; one that is wider than a line as its letters.
function lettersOf(text, marks, width, bold) {
  let at = 0;
  return (text.match(/\S*\s?/gu) ?? []).filter(Boolean).flatMap((word) => {
    const parts = textWidth(word.trimEnd(), bold) > width ? word.match(/\P{M}\p{M}*/gu) : null;
    return (parts ?? [word]).map((part) => {
      const [start, end] = [at, (at += part.length)];
      const marked = marks.some(({ from, length }) => start < from + length && from < end);
      return { text: part, marked };
    });
  });
}

// On which lines the kept pieces stand, and how many that are.
function wrapKept(pieces, kept, first, rest, bold) {
  const lines = [];
  let [left, folded] = [-1, false];
  const put = (piece) => {
    if (textWidth(piece.text.trimEnd(), bold) > left) {
      lines.push([]);
      left = lines.length === 1 ? first : rest;
    }
    lines.at(-1).push(piece);
    left -= textWidth(piece.text, bold);
  };
  pieces.forEach((piece, i) => {
    if (kept.has(i)) put(piece);
    else if (!i || kept.has(i - 1)) put({ text: FOLDED, marked: false, folded: (folded = true) });
  });
  return { lines, folded };
}

// As much as fits, with what must be told: the more of what is wished for the better.
function layFolded(one, most) {
  const { pieces, apart, told, wraps } = one;
  const count = pieces.length;
  const fits = (kept) => wraps(kept).lines.length <= most;
  let kept = new Set(pieces.keys());
  if (!fits(kept)) {
    const marked = pieces.flatMap((piece, i) => (piece.marked ? [i] : []));
    const wishes = [
      [...apart, ...marked, 0, count - 1], [...apart, ...marked.slice(-1)],
      [...marked.slice(-1), 0, count - 1], marked.slice(-1), count > 1 && !told.size ? [0] : [],
    ].map((wish) => new Set([...told, ...wish]));
    const anchors = wishes.find(fits) ?? wishes.at(-2);
    kept = keptParts(nearestFirst(count, anchors), anchors.size, fits);
  }
  const { lines, folded } = wraps(kept);
  one.lines = lines.map(runsOf);
  one.folded = folded;
  one.shown = JSON.stringify(one.lines);
}

// Pieces that follow each other and look alike are one; no space at an end is marked.
function runsOf(line) {
  const runs = [];
  const put = (text, marked) => {
    if (runs.at(-1)?.marked === marked) runs.at(-1).text += text;
    else if (text) runs.push({ text, marked });
  };
  line.forEach(({ text, marked }, i) => {
    const word = text.trimEnd();
    put(word, marked);
    if (i < line.length - 1) put(text.slice(word.length), marked && line[i + 1].marked);
  });
  return runs;
}

// Where what differs from the other one begins and ends, if they have something in common.
function differing({ pieces: mine }, { pieces: yours }) {
  const same = (a, b) => a?.text.trimEnd() === b?.text.trimEnd() && a?.marked === b?.marked;
  let [from, end] = [0, 0];
  while (from < mine.length && same(mine[from], yours[from])) from += 1;
  const room = Math.min(mine.length, yours.length) - from;
  while (end < room && same(mine.at(-1 - end), yours.at(-1 - end))) end += 1;
  const last = Math.max(from, mine.length - 1 - end);
  return from + end ? [from, last].filter((i) => i < mine.length) : [];
}

// The first piece in which one differs, its neighbour before it, and with each turn one more.
function firstApart(one, other, turn) {
  const [at = one.pieces.length - 1, last = at] = differing(one, other);
  return [at - 1, ...Array.from({ length: turn + 1 }, (_, i) => at + i), turn ? last : at]
    .filter((i) => i >= 0 && i < one.pieces.length);
}

// Numbers of parts, those nearest to an anchor first, of equals the one on the right.
export function nearestFirst(count, anchors) {
  const far = Array.from({ length: count }, (_, i) =>
    Math.min(...[...anchors].map((anchor) => Math.abs(anchor - i))));
  return [...far.keys()].sort((a, b) => far[a] - far[b] || b - a);
}

// As many of them in this order as fit, but at least so many.
export function keptParts(order, least, fits) {
  let [low, high] = [least, order.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(new Set(order.slice(0, middle)))) low = middle;
    else high = middle - 1;
  }
  return new Set(order.slice(0, low));
}

// The lines of one as elements; what is marked has this class. `at(i)` is where line i stands.
export function foldedLines({ lines }, at, mark) {
  return lines.map((runs, i) => {
    const [before, words, after] = withoutBrackets(runs);
    return svg("tspan", at(i), [before, ...sentenceOf(words.map(({ text, marked }) =>
      marked && mark ? svg("tspan", { class: mark }, text) : text)), after].filter(Boolean));
  });
}

// Brackets around words, and what is said behind them, are no part of the sentence, which may run
// from right to left.
function withoutBrackets(runs) {
  const text = runs.map((run) => run.text).join("");
  const begin = text.startsWith("[") ? 1 : 0;
  const end = text.includes("]") ? text.lastIndexOf("]") : text.length;
  let at = 0;
  const words = runs.map((run) => {
    const from = (at += run.text.length) - run.text.length;
    return { ...run, text: run.text.slice(Math.max(0, begin - from), Math.max(0, end - from)) };
  });
  return [text.slice(0, begin), words.filter((run) => run.text), isolated(text.slice(end))];
}

// The same as one text, which says the whole of it where it is folded.
export function foldedText(one, at, { mark, ...more } = {}) {
  const drawn = svg("text", more, foldedLines(one, at, mark));
  return one.folded ? sayWhole(drawn, one.text) : drawn;
}

// Texts in a picture that `clip` has cut to the same are cut anew, each in its own room.
export function tellCutsApart(root) {
  const cuts = [...root.querySelectorAll("text > title")].map((title) => title.parentNode)
    .filter((text) => text.cut);
  const again = new Set();
  for (let turn = 0; turn < TURNS_APART; turn += 1) {
    const clashes = alikes(cuts, ({ cut }) => cut.shown, ({ cut }) => cut.whole);
    if (!clashes.length) return;
    clashes.flat().forEach((text) => again.add(text));
    const folded = foldTogether([...again].map(({ cut: { whole, width, bold } }) =>
      ({ text: whole, first: width, bold })), 1);
    [...again].forEach((text, i) => {
      const child = [...text.childNodes].find((one) => one.nodeType === Node.TEXT_NODE);
      text.cut.shown = folded[i].lines.flat().map((run) => run.text).join("");
      setText(child, text.cut.shown);
    });
  }
}
