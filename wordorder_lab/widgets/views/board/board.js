// The board of constraints: families are switched on and off, and the words that stay change. All
// programmes are solved beforehand; which rows the kept words would break is reckoned here.

import { becomePage } from "../compressions/frame.js";
import { button, chooser, html, setText } from "../player/dom.js";
import { number, plural } from "../player/words.js";

const BESIDE = [["none", "no constraints"], ["last", "the choice before"]];

export class Board {
  constructor(root, data) {
    Object.assign(this, { root, data, beside: "none", lit: null });
    this.all = data.solved.length - 1;
    this.choice = this.all;
    this.before = 0;
    this.build();
    this.draw();
  }

  build() {
    const { data } = this;
    const theme = becomePage(this.root, "Constraints", "wol-board");
    this.boxes = data.families.map((_, i) => html("input", {
      type: "checkbox", onchange: () => this.choose(this.choice ^ (1 << i)),
    }));
    this.counts = data.families.map(() => html("small"));
    const families = html("fieldset", { class: "wol-board-families" },
      html("legend", {}, "Constraints that are switched on"),
      data.families.map((name, i) => html("label", {}, this.boxes[i], ` ${name} `,
        this.counts[i])));
    this.told = html("p", { class: "wol-narration", "aria-live": "polite" });
    this.words = data.words.map((word) => html("span", {}, word));
    this.signs = data.words.map(() => html("b", { "aria-hidden": "true" }));
    const sentence = html("p", { class: "wol-board-words", "aria-label": "The sentence" },
      this.words.flatMap((word, i) => [
        html("span", { class: "wol-board-place" }, this.signs[i], word), " ",
      ]));
    this.text = html("p", { class: "wol-board-text" });
    this.rows = data.rows.map((row, i) => this.row(row, i));
    const list = html("ol", { class: "wol-board-rows", "aria-label": "What each row demands" },
      this.rows.map(({ element }) => element));
    list.addEventListener("keydown", (event) => this.key(event));
    this.root.replaceChildren(
      html("h2", {}, data.title),
      html("div", { class: "wol-toolbar" },
        button("All constraints on", "all on", () => this.choose(this.all)),
        button("All constraints off", "all off", () => this.choose(0)),
        html("label", { class: "wol-label" }, html("span", {}, "mark what changes beside"),
          chooser("Marked beside", BESIDE, this.beside, (beside) => {
            this.beside = beside;
            this.draw();
          })),
        theme),
      families, this.told, sentence, this.text, list, html("footer", {}, boardSigns()),
    );
  }

  // A row: what it demands, whether the words that stay obey it; its words light up under it.
  row({ family, says, words }, i) {
    const sign = html("b", { class: "wol-board-sign" });
    const fate = html("small");
    const light = (on) => () => this.light(on ? words : null);
    const element = html("li", {
      tabindex: i ? -1 : 0, onpointerenter: light(true), onpointerleave: light(false),
      onfocus: light(true), onblur: light(false),
    }, sign, html("span", {}, html("b", {}, this.data.families[family]), ` ${says} `), fate);
    return { element, sign, fate };
  }

  choose(choice) {
    this.before = this.choice;
    this.choice = choice;
    this.draw();
  }

  light(words) {
    this.words.forEach((word, i) =>
      word.classList.toggle("wol-board-lit", Boolean(words) && words.includes(i)));
  }

  isOn(family) {
    return Boolean(this.choice & (1 << family));
  }

  draw() {
    const { data } = this;
    const [kept, value] = data.solved[this.choice];
    const there = new Set(kept);
    const old = new Set(data.solved[this.beside === "none" ? 0 : this.before][0]);
    this.words.forEach((word, i) => {
      const fresh = there.has(i) && !old.has(i);
      const gone = !there.has(i) && old.has(i);
      this.signs[i].textContent = fresh ? "+" : gone ? "−" : "";
      word.className = [
        there.has(i) ? "wol-board-kept" : "wol-board-out",
        fresh ? "wol-board-fresh" : gone ? "wol-board-gone" : "",
      ].join(" ");
      word.title = `${data.words[i]}: ${there.has(i) ? "stays" : "left out"}`;
    });
    this.text.replaceChildren(html("b", {}, "stays: "),
      html("span", {}, kept.map((i) => data.words[i]).join(" ")));
    const broken = data.rows.map((row) => !obeyed(row, there));
    this.rows.forEach(({ element, sign, fate }, i) => {
      const on = this.isOn(data.rows[i].family);
      sign.textContent = broken[i] ? "✗" : "✓";
      element.classList.toggle("wol-board-off", !on);
      element.classList.toggle("wol-board-broken", broken[i]);
      fate.textContent = broken[i] ? on ? "given up: nothing obeys all" : "off, and broken"
        : on ? "on, and obeyed" : "off, and obeyed all the same";
    });
    this.boxes.forEach((box, i) => {
      box.checked = this.isOn(i);
      const mine = data.rows.map((row, k) => row.family === i && broken[k]).filter(Boolean);
      const all = data.rows.filter((row) => row.family === i);
      this.counts[i].textContent = `${plural(all.length, "row")}, ${mine.length} broken`;
    });
    setText(this.told, this.sentence(there, old, value, broken.filter(Boolean).length));
  }

  sentence(there, old, value, broken) {
    const { data } = this;
    const named = (list) => `“${list.map((i) => data.words[i]).join(" ")}”`;
    const [fresh, gone] = [[...there].filter((i) => !old.has(i)),
      [...old].filter((i) => !there.has(i)).sort((a, b) => a - b)];
    const on = data.families.filter((_, i) => this.isOn(i));
    const changed = [
      fresh.length ? `${named(fresh)} stays in addition` : "",
      gone.length ? `${named(gone)} goes` : "",
    ].filter(Boolean).join(", ");
    const free = data.solved[0][1];
    const cost = free - value > 1e-9 ? `, ${number(free - value)} less than without any` : "";
    const beside = this.beside === "none" ? "no constraints" : "the choice before";
    return `${on.length ? on.join(", ") : "No constraint"} on: ${there.size} of ` +
      `${plural(data.words.length, "word")} stay, value ${number(value)}${cost}. ` +
      `Beside ${beside}: ${changed || "nothing changes"}. ` +
      `${broken ? `${plural(broken, "row")} would be broken.` : "Every row is obeyed."}`;
  }

  // Up and down go from row to row.
  key(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = this.rows.findIndex(({ element }) => element === event.target);
    const next = way && this.rows[at + way];
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.element.tabIndex = 0;
    next.element.focus();
  }
}

// Whether the kept words obey a row: its sum lies between its bounds.
function obeyed({ words, times, lower, upper }, there) {
  let value = 0;
  words.forEach((place, i) => {
    if (there.has(place)) value += times[i];
  });
  return (lower === null || value >= lower - 1e-9) && (upper === null || value <= upper + 1e-9);
}

function boardSigns() {
  const told = [
    ["bold; struck out", "words that stay; words that are left out"],
    ["+ −", "stays now and did not before; went, and stayed before"],
    ["✓ ✗", "the words that stay obey this row; they break it"],
    ["value", "what the scores of neighbours that stay add up to: more rules, less value"],
    ["point at a row", "the words it is about light up"],
    ["off", "a family that is switched off demands nothing, and may be obeyed all the same"],
  ];
  return html("details", { class: "wol-legend" }, html("summary", {}, "signs"),
    html("div", {}, told.map(([sign, words]) =>
      html("span", {}, html("strong", {}, sign), ` ${words}`))));
}
