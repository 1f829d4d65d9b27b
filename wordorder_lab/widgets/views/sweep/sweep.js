// A sweep: one bag searched with each value of one setting. A table of what came out, the curve
// over other sentences beside it, and below them the player of the value that is chosen.

import { becomePage } from "../compressions/frame.js";
import { alignWords, markedWords } from "../player/aligned.js";
import { button, html, svg } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { round1 } from "../player/pictures.js";
import { Player } from "../player/player.js";
import { number } from "../player/words.js";

const CURVE = { width: 200, height: 140, left: 16, right: 16, top: 34, low: 100, foot: 120 };
const SPARE = 7; // numbers that stand beside each other along a curve

export class Sweep {
  constructor(root, data, source) {
    Object.assign(this, { root, data, source, at: -1, player: null, theme: "auto" });
    this.build();
    const { runs } = data;
    this.choose(Math.max(0, data.known ? runs.findIndex(({ exact }) => exact) : 0));
  }

  build() {
    const { data } = this;
    const last = data.runs.length - 1;
    const theme = becomePage(this.root, "Sweep", "wol-sweep", (chosen) => {
      this.theme = chosen;
      this.player?.setTheme(chosen);
    });
    this.range = html("input", {
      type: "range", min: 0, max: last, step: 1, "aria-label": `Value of ${data.knob}`,
      oninput: () => this.choose(Number(this.range.value)),
    });
    this.value = html("output", { class: "wol-sweep-value" });
    this.rows = data.runs.map((run, i) => this.row(run, i));
    this.curve = this.drawCurve();
    this.scene = html("div", { class: "wol-sweep-scene" });
    this.root.replaceChildren(
      html("h2", {}, data.title),
      html("div", { class: "wol-toolbar" },
        html("label", { class: "wol-sweep-knob" }, this.value, this.range), theme,
        button("Save the runs as CSV", "CSV", () => this.saveRows()),
        this.source ? button("Save as a page", "HTML", () =>
          save("wordorder-sweep.html", "text/html", this.source)) : null),
      html("p", { class: "wol-narration", "aria-live": "polite" }, data.says),
      html("div", { class: "wol-sweep-top" },
        html("div", { class: "wol-outcomes", role: "group", tabindex: 0, "aria-label": "All runs" },
          this.table()), this.curve),
      this.scene,
    );
  }

  // --- all runs --------------------------------------------------------------------------------

  // What is known of some run: a heading, and its text of each.
  get facts() {
    const { runs, work } = this.data;
    const told = [
      ["score", ({ score }) => number(score), "the model’s own"],
      [work, (run) => run.work?.toLocaleString("en"), "what the search costs"],
      ["gold’s tree", ({ fate, kept }) => fate && `${kept ? "✓" : "✗"} ${fate}`,
        "which the search may lose and still find the same words: the step or pop at which it did"],
      ["fault", ({ fault, exact }) => (exact ? "–" : fault?.replace(" error", "")),
        "whose fault it is: gold scores more (search), less (model), the same (tie)"],
    ];
    return told.filter(([head, text]) => head && runs.some((run) => text(run)));
  }

  table() {
    const { data, facts } = this;
    const beside = html("tr", { class: "wol-sweep-reference" },
      html("th", { scope: "row" }, "reference"),
      html("td", { class: "wol-line", colspan: facts.length + 1 }, data.reference.join(" ")));
    const unlike = `output, lit where unlike ${data.known ? "the reference" : "the last"}`;
    const heads = [[data.knob.replaceAll("_", " ")], [unlike], ...facts];
    return html("table", {},
      html("thead", {}, html("tr", {}, heads.map(([head, , says]) =>
        html("th", { scope: "col", title: says }, head)))),
      html("tbody", {}, data.known ? beside : null, this.rows));
  }

  // Words that differ from the reference, or from the last value's output, are lit; those that are
  // not there are named.
  row(run, i) {
    const { reference } = this.data;
    const marks = alignWords(reference, run.words);
    const missing = reference.filter((_, j) => marks.reference[j] === "alone").join(" ");
    const right = run.exact ? html("b", { title: "every word in its place" }, "✓ ") : null;
    return html("tr", { onclick: () => this.choose(i) },
      html("th", { scope: "row" }, button(`${this.data.knob} ${run.label}`, run.label,
        () => this.choose(i), { "aria-pressed": "false" })),
      html("td", { class: "wol-line" }, right,
        run.words.length ? markedWords(run.words, marks.output) : html("i", {}, "(no words)"),
        missing && html("span", { class: "wol-soft" }, `without “${missing}”`)),
      this.facts.map(([, text]) => html("td", { class: "wol-sweep-fact" }, text(run) ?? "")));
  }

  // --- over other sentences --------------------------------------------------------------------

  drawCurve() {
    const { runs, measure, knob } = this.data;
    if (!runs.some(({ dev }) => dev !== null)) return null;
    const { width, height, left, right, top, low: base, foot } = CURVE;
    const scores = runs.map(({ dev }) => dev);
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const x = (i) => round1(left + ((width - left - right) * i) / Math.max(1, runs.length - 1));
    const y = (score) => round1(base - ((base - top) * (score - low)) / (high - low || 1));
    const every = Math.ceil(runs.length / SPARE);
    this.dots = scores.map((score, i) => svg("circle", { class: "wol-dot", cx: x(i), cy: y(score) },
      svg("title", {}, `${knob} ${runs[i].label}: ${measure} ${score.toFixed(1)}`)));
    this.dots.forEach((dot, i) => dot.addEventListener("click", () => this.choose(i)));
    const named = (i) => runs.length <= SPARE || i === scores.indexOf(high);
    const valley = (i) => [scores[i - 1], scores[i + 1]].every((one) => !(one <= scores[i]));
    const told = scores.map((score, i) => `${runs[i].label}: ${score.toFixed(1)}`).join(", ");
    return svg("svg", {
      class: "wol-picture wol-sweep-curve", viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `${measure} over dev by ${knob}: ${told}`,
    },
    svg("text", { x: 2, y: 12, class: "wol-title" }, `${measure} over dev`),
    svg("path", { class: "wol-axis", d: `M2 ${foot}H${width - 2}` }),
    svg("path", { class: "wol-curve", d: `M${scores.map((s, i) => `${x(i)} ${y(s)}`).join("L")}` }),
    this.dots,
    scores.map((score, i) => (named(i) ? svg("text", {
      x: x(i), y: y(score) + (valley(i) ? 17 : -9), "text-anchor": "middle",
    }, score.toFixed(1)) : null)),
    runs.map(({ label }, i) => (i % every ? null : svg("text", {
      x: x(i), y: height - 5, class: "wol-quiet", "text-anchor": "middle" }, label))));
  }

  // --- one run ---------------------------------------------------------------------------------

  choose(i) {
    const { runs, knob, title } = this.data;
    if (i === this.at || !runs[i]) return;
    this.at = i;
    const name = `${knob.replaceAll("_", " ")} ${runs[i].label}`;
    this.value.textContent = name;
    this.range.value = i;
    this.range.setAttribute("aria-valuetext", name);
    this.rows.forEach((row, j) => {
      row.classList.toggle("wol-sweep-chosen", i === j);
      row.querySelector("button").setAttribute("aria-pressed", String(i === j));
    });
    this.rows[i].scrollIntoView({ block: "nearest" });
    this.dots?.forEach((dot, j) => dot.setAttribute("r", i === j ? 6 : 3.5));
    this.play(runs[i].player, `${title} – ${name}`);
  }

  // The player of a run, in the view that was looked at last.
  play(data, title) {
    const view = this.player?.shownAs;
    this.player?.destroy();
    this.player = null;
    if (!data) {
      this.scene.replaceChildren(html("p", { class: "wol-soft" },
        "This search has no steps that could be played."));
      return;
    }
    const root = html("section");
    this.scene.replaceChildren(root);
    const host = {
      moved() {}, guessed() {}, ask: null, page: (use) => use(this.source),
    };
    this.player = new Player(root, { ...data, view: view ?? data.view, title }, host);
    this.player.setTheme(this.theme);
  }

  saveRows() {
    const head = [this.data.knob, "output", ...this.facts.map(([name]) => name),
      `${this.data.measure} over dev`];
    const rows = this.data.runs.map((run) =>
      [run.label, run.words.join(" "), ...this.facts.map(([, text]) => text(run) ?? ""),
        run.dev ?? ""]);
    save("wordorder-sweep.csv", "text/csv", csvText({ head, rows }));
  }
}
