// A sweep: one bag searched with each value of one setting. A table of what came out, the curve
// over other sentences beside it, and below them the player of the value that is chosen.

import { becomePage } from "../compressions/frame.js";
import { alignWords, markedWords } from "../player/aligned.js";
import { button, html, svg } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { round1 } from "../player/pictures.js";
import { Player } from "../player/player.js";
import { number } from "../player/words.js";

const CURVE = { width: 260, height: 164, left: 26, right: 22, top: 44, low: 120, foot: 142 };
const PATIENT = 60000; // milliseconds until a search is said to take long
const SPARE = 7; // numbers that stand beside each other along a curve

export class Sweep {
  constructor(root, data, host) {
    Object.assign(this, { root, host, at: -1, player: null, theme: "auto" });
    this.themes = becomePage(root, "Sweep", "wol-sweep", (chosen) => {
      this.theme = chosen;
      this.player?.setTheme(chosen);
    });
    this.scene = html("div", { class: "wol-sweep-scene" });
    this.fill(data);
  }

  // With these runs; the value that was looked at stays, or the first right one is chosen.
  fill(data) {
    const before = this.data?.runs[this.at]?.label;
    this.data = data;
    this.at = -1;
    this.build();
    const { runs } = data;
    const right = data.known ? runs.findIndex(({ exact }) => exact) : 0;
    const same = runs.findIndex(({ label }) => label === before);
    this.choose(same >= 0 ? same : Math.max(0, right));
  }

  build() {
    const { data, host } = this;
    const last = data.runs.length - 1;
    this.range = html("input", {
      type: "range", min: 0, max: last, step: 1, "aria-label": `Value of ${data.knob}`,
      oninput: () => this.choose(Number(this.range.value)),
    });
    this.value = html("output", { class: "wol-sweep-value" });
    this.rows = data.runs.map((run, i) => this.row(run, i));
    this.curve = this.drawCurve();
    this.says = html("p", { class: "wol-narration", "aria-live": "polite" }, data.says);
    this.root.replaceChildren(
      html("h2", {}, data.title),
      html("div", { class: "wol-toolbar" },
        html("label", { class: "wol-sweep-knob" }, this.value, this.range), this.field(),
        this.themes,
        button("Save the runs as CSV", "CSV", () => this.saveRows()),
        button("Save as a page", "HTML", () =>
          host.page((page) => save("wordorder-sweep.html", "text/html", page)))),
      this.says,
      html("div", { class: "wol-sweep-top" },
        html("div", { class: "wol-outcomes", role: "group", tabindex: 0, "aria-label": "All runs" },
          this.table()), this.curve),
      this.scene,
    );
  }

  // Where a kernel is behind the page: any other value of a number.
  field() {
    const { further, knob } = this.data;
    if (!further || !this.host.search) return null;
    const input = html("input", {
      type: "number", step: further.whole ? 1 : "any", class: "wol-sweep-further",
      min: further.least ?? undefined, max: further.most ?? undefined,
      "aria-label": `Another value of ${knob}: ${further.says}`, placeholder: "another",
    });
    const go = button(`Search with another ${knob}`, "search", () => this.searchWith(input, go));
    input.addEventListener("keydown", ({ key }) => key === "Enter" && this.searchWith(input, go));
    return html("span", { class: "wol-sweep-field" }, input, go);
  }

  // The line above the rows says what goes on, and why nothing was found.
  async searchWith(input, go) {
    if (go.disabled) return;
    const { knob, further } = this.data;
    const name = `${knob.replaceAll("_", " ")} ${input.value}`;
    if (input.value === "") {
      this.says.textContent = `No search: ${knob} is ${further.says}.`;
      return;
    }
    go.disabled = true;
    this.says.textContent = `Searching with ${name} …`;
    const late = setTimeout(() => {
      this.says.textContent = `Still searching with ${name}, or the kernel does not answer.`;
    }, PATIENT);
    const { at, sorry } = await this.host.search(Number(input.value));
    clearTimeout(late);
    go.disabled = false;
    if (sorry) this.says.textContent = `No search: ${sorry}`;
    else this.choose(at);
    this.root.querySelector(".wol-sweep-further").focus(); // rows and field are new
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
    this.dots = null;
    if (!runs.some(({ dev }) => dev !== null)) return null;
    const { width, height, left, right, top, low: base, foot } = CURVE;
    const scores = runs.map(({ dev }) => dev);
    const ends = runs.map(({ dev, interval }) => interval ?? [dev, dev]);
    const [low, high] = [Math.min(...ends.flat()), Math.max(...ends.flat())];
    const x = (i) => round1(left + ((width - left - right) * i) / Math.max(1, runs.length - 1));
    const y = (score) => round1(base - ((base - top) * (score - low)) / (high - low || 1));
    const along = (end) => ends.map((one, i) => `${x(i)} ${y(one[end])}`);
    const every = Math.ceil(runs.length / SPARE);
    this.dots = scores.map((score, i) => svg("circle", { class: "wol-dot", cx: x(i), cy: y(score) },
      svg("title", {}, `${knob} ${runs[i].label}: ${measure} ${score.toFixed(1)}, 95 % interval ` +
        ends[i].map((end) => end.toFixed(1)).join(" to "))));
    this.dots.forEach((dot, i) => dot.addEventListener("click", () => this.choose(i)));
    const named = (i) => runs.length <= SPARE || i === scores.indexOf(Math.max(...scores));
    const told = scores.map((score, i) => `${runs[i].label}: ${score.toFixed(1)}`).join(", ");
    return svg("svg", {
      class: "wol-picture wol-sweep-curve", viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `${measure} over dev by ${knob}: ${told}`,
    },
    svg("text", { x: 2, y: 13, class: "wol-title" }, `${measure} over dev`),
    svg("text", { x: width - 2, y: 13, class: "wol-quiet", "text-anchor": "end" },
      "shaded: 95 % interval"),
    svg("path", { class: "wol-sweep-band",
      d: `M${along(1).join("L")}L${along(0).reverse().join("L")}Z` }),
    svg("path", { class: "wol-axis", d: `M2 ${foot}H${width - 2}` }),
    svg("path", { class: "wol-curve", d: `M${scores.map((s, i) => `${x(i)} ${y(s)}`).join("L")}` }),
    this.dots,
    scores.map((score, i) => (named(i) ? svg("text", besideCurve(scores, i, x(i), y(score)),
      score.toFixed(1)) : null)),
    runs.map(({ label }, i) => (i % every ? null : svg("text", {
      x: x(i), y: height - 6, class: "wol-quiet", "text-anchor": "middle" }, label))));
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
      moved() {}, guessed() {}, ask: null, page: (use) => this.host.page(use),
    };
    this.player = new Player(root, { ...data, view: view ?? data.view, title }, host);
    this.player.setTheme(this.theme);
  }

  saveRows() {
    const head = [this.data.knob, "output", ...this.facts.map(([name]) => name),
      `${this.data.measure} over dev`, "95 % interval"];
    const rows = this.data.runs.map((run) =>
      [run.label, run.words.join(" "), ...this.facts.map(([, text]) => text(run) ?? ""),
        run.dev ?? "", run.interval?.join(" to ") ?? ""]);
    save("wordorder-sweep.csv", "text/csv", csvText({ head, rows }));
  }
}

// A number stands where its curve does not go: below a valley and the lower end, above a peak,
// beside a slope.
function besideCurve(scores, i, x, y) {
  const [before, after] = [scores[i - 1] ?? scores[i], scores[i + 1] ?? scores[i]];
  const below = before >= scores[i] && after >= scores[i] && before + after > 2 * scores[i];
  const slope = (before - scores[i]) * (after - scores[i]) < 0;
  const anchor = !slope ? "middle" : after > scores[i] ? "end" : "start";
  return { x: x + { middle: 0, end: 2, start: -2 }[anchor], y: y + (below ? 18 : -9),
    "text-anchor": anchor };
}
