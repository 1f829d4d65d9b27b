// The sentence under the caption: the bag as tiles, those that the best so far has taken pale; the
// best so far, which at the end is the output; and gold, with each word right or wrong.

import { alignWords, markedWords } from "./aligned.js";
import { html } from "./dom.js";

// A view's `sentence(state, log)` tells {words: of the best so far, over, gold: {words, whole} or
// null}; of a task that begins with a sentence, and no bag, `given` as well; and where the bag is
// kept, if not in the state, as `books`. Where a log knows no gold there may be a reference, of
// tokens: a unit may be several.
export function sentenceStrip(view, state, log, name, references) {
  const said = view.sentence?.(state, log);
  if (!said) return [];
  const { over, given, books = state } = said;
  const begun = books.search ? books : firstBag(log);
  const tiles = given ? givenTiles(begun.units, said.words) : bagTiles(begun, said.words);
  const reference = said.gold?.whole ? null : references[Math.max(0, books.search - 1)];
  const gold = reference ? { words: reference.split(" "), whole: true } : said.gold;
  const words = reference ? said.words.flatMap((word) => word.split(" ")) : said.words;
  const marks = gold ? alignWords(gold.words, words) : null;
  const known = gold && (over || books.update);
  const done = !given && (known || over);
  const kept = given && tiles.filter(({ taken }) => !taken).map(({ text }) => text);
  const same = (these) => these && these.join("\n") === words.join("\n");
  const lines = [
    done && (known || tiles.every(({ taken }) => taken)) ? null
      : lineOf(given ? "sentence" : "bag", tiles.map(tileOf)),
    words.length && (known || !same(kept))
      ? lineOf(over ? "output" : "best so far", markedWords(words, marks?.output)) : null,
    known ? lineOf(reference ? "reference" : gold.whole ? "gold" : "gold so far",
      same(gold.words) ? ["✓ the same"] : markedWords(gold.words, marks.reference)) : null,
  ].filter(Boolean);
  return name ? [html("div", { class: "wol-run" }, html("strong", {}, name), lines)] : lines;
}

function firstBag(log) {
  const begin = log.kinds.indexOf("begin");
  const [, units, counts] = begin < 0 ? [null, [], []] : log.event(begin);
  return { units, counts, forms: units.map((unit) => [unit]) };
}

const MOST_ALIKE = 9; // tiles of one unit

function bagTiles({ forms, counts }, words) {
  const left = words.slice();
  return forms.flatMap((own, i) => Array.from({ length: Math.min(counts[i], MOST_ALIKE) }, () => {
    const at = left.findIndex((word) => own.includes(word));
    if (at >= 0) left.splice(at, 1);
    return { text: own.join("|"), taken: at >= 0 };
  }));
}

// What is left out is pale, once something is.
function givenTiles(units, words) {
  const marks = words.length ? alignWords(units, words).reference : [];
  return units.map((text, i) => ({ text, taken: marks[i] === "alone" }));
}

function tileOf({ text, taken }) {
  return html("span", { class: taken ? "wol-bag-word wol-taken-word" : "wol-bag-word" }, text);
}

function lineOf(label, children) {
  return html("p", { class: "wol-line" }, html("span", { class: "wol-soft" }, label), " ",
    children);
}

// Of each search of a log what `find` makes of its events, remembered.
export function bySearch(find) {
  const kept = new WeakMap();
  return (log, search) => {
    if (!kept.has(log)) {
      const begins = log.kinds.flatMap((kind, i) => (kind === "begin" ? [i] : []));
      kept.set(log, begins.map((from, i) => [from, begins[i + 1] ?? log.length]));
    }
    const all = kept.get(log);
    const found = all[search - 1];
    if (Array.isArray(found)) all[search - 1] = find(log, ...found) ?? null;
    return all[search - 1] ?? null;
  };
}
