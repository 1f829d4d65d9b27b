// Several trainings: each measure is a picture with a curve for each, its name where it ends.

import { becomePage } from "../compressions/frame.js";
import { drawPlot } from "../parts/curves.js";
import { button, html, svg } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { number } from "../player/words.js";

const PLOT_WIDTH = 390;
const PLOT_TALL = 160;
const COLOURS = ["blue", "vermillion", "green", "purple", "orange", "ink"];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 2", "1 2"];

export class Trainings {
  constructor(root, data, source) {
    Object.assign(this, { root, data });
    const themes = becomePage(root, "Trainings", "wol-trainings");
    const ends = data.pictures.flatMap(({ lines }) => lines.flatMap((line) =>
      line.map(([examples]) => examples)));
    this.most = Math.max(...ends);
    root.replaceChildren(
      html("h2", {}, data.title),
      html("div", { class: "wol-toolbar" }, themes,
        button("Save the curves as CSV", "CSV", () => this.saveCurves()),
        source ? button("Save as a page", "HTML", () =>
          save("wordorder-trainings.html", "text/html", source)) : null),
      html("p", { class: "wol-narration" }, data.says),
      html("div", { class: "wol-trainings-grid" }, data.pictures.map((one) => this.picture(one)),
        html("div", { class: "wol-outcomes", tabindex: 0, role: "group", "aria-label": "The ends" },
          this.table())));
    root.addEventListener("pointerover", (event) => this.light(event));
  }

  picture({ title, note, lines, epochs }) {
    const { names, last } = this.data;
    const values = lines.flatMap((line) => line.map(([, value]) => value));
    const zero = epochs && title.startsWith("Norm") ? [0] : [];
    const [[count, size]] = last;
    const alike = last.every(([its, own]) => its === count && own === size);
    const plot = {
      title, note, low: Math.min(...values, ...zero), high: Math.max(...values, ...zero),
      all: this.most, unit: "example", scale: 1, tall: PLOT_TALL,
      turns: alike ? Array.from({ length: count - 1 }, (_, i) => (i + 1) * size) : [],
    };
    const drawn = lines.map((points, i) => ({
      points, name: names[i], dots: epochs ? points : [], colour: `var(--wol-${COLOURS[i]})`,
      look: { "stroke-dasharray": DASHES[i], "data-training": i },
    }));
    const [picture, height] = drawPlot(plot, drawn, PLOT_WIDTH);
    return svg("svg", {
      class: "wol-picture", viewBox: `0 0 ${PLOT_WIDTH} ${Math.ceil(height)}`, role: "img",
      "aria-label": `${title}: ${lines.map((line, i) => line.length
        ? `${names[i]} ends at ${number(line.at(-1)[1])}` : "").join(", ")}`,
    }, picture);
  }

  // What is pointed at, a name, a curve or a row, stands out in all pictures.
  light(event) {
    const lit = event.target.closest("[data-training]")?.dataset.training;
    for (const one of this.root.querySelectorAll("[data-training]"))
      one.classList.toggle("wol-trainings-pale", lit !== undefined && one.dataset.training !== lit);
  }

  table() {
    const { head, names, last } = this.data;
    return html("table", {},
      html("thead", {}, html("tr", {}, ["at the end", ...head].map((one) =>
        html("th", { scope: "col" }, one)))),
      html("tbody", {}, last.map((row, i) => html("tr", { "data-training": i },
        html("th", { scope: "row" }, names[i]),
        row.map((one) => html("td", {}, one === null ? ""
          : Number.isInteger(one) ? one.toLocaleString("en") : number(one)))))));
  }

  saveCurves() {
    const { pictures, names } = this.data;
    const rows = pictures.flatMap(({ title, lines }) => lines.flatMap((line, i) =>
      line.map(([at, value]) => [title, names[i], at, value])));
    const head = ["measure", "training", "examples", "value"];
    save("wordorder-trainings.csv", "text/csv", csvText({ head, rows }));
  }
}
