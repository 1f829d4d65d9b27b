// Several compressions of one sentence below each other, each word under the word it comes from.

import { button, chooser, html, setText, textWidth } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { number, plural } from "../player/words.js";
import { becomePage } from "./frame.js";

const RUNS = [1, 2, 3, 4].map((n) => [String(n), n === 1 ? "words" : `runs of ${n} words`]);
const HEAD = 150; // pixels of a name
const LETTER = 14 / 12; // widths are measured at 12 pixels

export class Compressions {
  constructor(root, data) {
    Object.assign(this, { root, data, run: 2, width: 0 });
    this.build();
    this.sizes = new ResizeObserver(() => {
      if (this.width !== this.grid.clientWidth) this.draw();
    });
    this.sizes.observe(this.grid);
  }

  build() {
    const { data } = this;
    const theme = becomePage(this.root, "Compressions side by side", "wol-compressions");
    const humans = data.shortened.some(({ human }) => human);
    this.told = html("p", { class: "wol-narration", "aria-live": "polite" });
    this.grid = html("div", { class: "wol-compressions-grid" });
    this.facts = html("div", { class: "wol-outcomes" });
    this.root.replaceChildren(
      html("h2", {}, data.title),
      html("div", { class: "wol-toolbar" },
        humans ? html("label", { class: "wol-label" }, html("span", {}, "mark shared"),
          chooser("Shared with a reference", RUNS, String(this.run), (run) => {
            this.run = Number(run);
            this.draw();
          })) : null,
        theme, button("Save as CSV", "CSV", () => this.saveRows())),
      this.told, this.grid, this.facts, html("footer", {}, compressionSigns(humans)),
    );
  }

  draw() {
    this.width = this.grid.clientWidth;
    this.grid.replaceChildren(...this.blocks().map((block) => this.table(block)));
    this.facts.replaceChildren(this.factsTable());
    setText(this.told, this.sentence());
  }

  // The sentence in pieces that fit the width: [from, to] each.
  blocks() {
    const { words, shortened } = this.data;
    const room = Math.max(220, this.width - HEAD - 12);
    const found = [];
    let [from, left] = [0, room];
    words.forEach((word, i) => {
      const texts = [word, ...shortened.map(({ below }) => cellWords(word, below[i]))];
      const wide = Math.max(...texts.map((text) => textWidth(text, true))) * LETTER + 11;
      if (wide > left && i > from) {
        found.push([from, i]);
        [from, left] = [i, room];
      }
      left -= wide;
    });
    return [...found, [from, words.length]];
  }

  table([from, to]) {
    const { words, shortened } = this.data;
    const head = html("tr", {}, html("th", { scope: "row" }, "source"),
      words.slice(from, to).map((word) => html("th", { scope: "col" }, word)));
    const rows = shortened.map((one) => html("tr", one.human ? { class: "wol-human" } : {},
      html("th", { scope: "row", title: one.name }, one.name),
      words.slice(from, to).map((word, i) => this.cell(one, word, from + i))));
    return html("table", { class: "wol-below" }, html("thead", {}, head), html("tbody", {}, rows));
  }

  // Kept, left out, or replaced; and marked, where it is part of a run that a reference has.
  cell(one, word, place) {
    const [kept, fresh, before] = one.below[place];
    const added = [...before, ...fresh].join(" ");
    const shared = !one.human && this.sharedWords(one);
    const mine = this.placesIn(one).get(place) ?? [];
    const said = [kept ? "stays" : "left out", added ? `new: ${added}` : ""]
      .filter(Boolean).join("; ");
    const marks = mine.map(([index, text, isNew]) => html("span", {
      class: [isNew ? "wol-fresh-word" : "wol-kept-word",
        shared && shared.has(index) ? "wol-shared-word" : ""].join(" "),
    }, text));
    return html("td", { title: `${word}: ${said}`, class: kept ? "wol-stays" : "" },
      marks.length ? marks.flatMap((mark, i) => (i ? [" ", mark] : [mark]))
        : html("span", { class: "wol-gone-word", "aria-label": "left out" }, "·"));
  }

  // For each source place the words of the output that stand there: [index, text, is it new].
  placesIn(one) {
    if (one.places) return one.places;
    one.places = new Map();
    let index = 0;
    one.below.forEach(([kept, fresh, before], place) => {
      const here = [];
      const put = (text, isNew) => {
        here.push([index, text, isNew]);
        index += 1;
      };
      before.forEach((text) => put(text, true));
      if (kept) put(one.words[index] ?? this.data.words[place], false);
      fresh.forEach((text) => put(text, true));
      if (here.length) one.places.set(place, here);
    });
    return one.places;
  }

  // The places of words that are part of a run which a reference has, too.
  sharedWords(one) {
    const { run } = this;
    const found = new Set();
    const key = (words, i) => words.slice(i, i + run).join(" ").toLowerCase();
    const known = new Set(this.data.shortened.filter(({ human }) => human)
      .flatMap(({ words }) => words.map((_, i) => i + run <= words.length && key(words, i))));
    one.words.forEach((_, i) => {
      if (i + run <= one.words.length && known.has(key(one.words, i)))
        for (let j = i; j < i + run; j += 1) found.add(j);
    });
    return found;
  }

  factsTable() {
    const { words, shortened } = this.data;
    const most = Math.max(...shortened.map(({ f1 }) => f1.length));
    const head = ["", "words", "rate", "score",
      ...Array.from({ length: most }, (_, i) => `${i + 1}-gram F1`)];
    const rows = shortened.map((one) => [
      one.name, one.words.length, `${Math.round((100 * one.words.length) / words.length)} %`,
      one.score === null ? "–" : number(one.score),
      ...Array.from({ length: most }, (_, i) =>
        one.f1[i] === undefined ? "–" : number(100 * one.f1[i])),
    ]);
    return html("table", {}, html("thead", {}, html("tr", {}, head.map((name) =>
      html("th", { scope: "col" }, name)))),
    html("tbody", {}, rows.map(([name, ...values]) =>
      html("tr", {}, html("th", { scope: "row" }, name),
        values.map((one) => html("td", {}, one))))));
  }

  sentence() {
    const { words, shortened } = this.data;
    const systems = shortened.filter(({ human }) => !human);
    const all = words.map((_, i) => i).filter((i) => systems.every(({ below }) => below[i][0]));
    const empty = ([kept, fresh, before]) => !kept && !fresh.length && !before.length;
    const none = words.map((_, i) => i)
      .filter((i) => systems.every(({ below }) => empty(below[i])));
    const named = (list) => `“${list.map((i) => words[i]).join(" ")}”`;
    const sizes = systems.map((one) => `${one.name} keeps ${one.words.length}`).join(", ");
    const told = `Of ${plural(words.length, "word")} ${sizes}.`;
    if (systems.length < 2) return told;
    return `${told} ${all.length ? `All keep ${named(all)}` : "No word is kept by all"}` +
      `${none.length ? `; all leave out ${named(none)}` : ""}.`;
  }

  saveRows() {
    const head = ["name", "text", "words", "rate", "score", "1-gram F1", "2-gram F1", "3-gram F1",
      "4-gram F1"];
    const rows = this.data.shortened.map((one) => [
      one.name, one.words.join(" "), one.words.length, one.words.length / this.data.words.length,
      one.score ?? "", ...[0, 1, 2, 3].map((i) => one.f1[i] ?? ""),
    ]);
    save("wordorder-compressions.csv", "text/csv", csvText({ head, rows }));
  }
}

// What stands below a source word, for its width.
function cellWords(word, [kept, fresh, before]) {
  return [...before, ...(kept ? [word] : []), ...fresh].join(" ");
}

function compressionSigns(humans) {
  const told = [
    ["a word", "it stays, below the word that it comes from"],
    ["·", "the word above is left out"],
    ["blue, dashed", "a word that is new here: a system that may rewrite has put it in"],
    ["rate", "words that are left, of those of the source"],
    ["score", "the model’s own: two models’ scores cannot be compared"],
    ...(humans ? [
      ["underlined", "part of a run of words that a reference has, too"],
      ["n-gram F1", "how many runs of n words are shared with the references, both ways: 100 is " +
        "the same; of several references the mean"],
    ] : []),
  ];
  return html("details", { class: "wol-legend" }, html("summary", {}, "signs"),
    html("div", {}, told.map(([sign, words]) =>
      html("span", {}, html("strong", {}, sign), ` ${words}`))));
}
