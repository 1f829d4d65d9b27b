// Several trainings: each measure is a picture with a curve for each, its name where it ends.

import { becomePage } from "../compressions/frame.js";
import { button, clip, html, svg } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { roundEnds, round1 } from "../player/pictures.js";
import { number } from "../player/words.js";

const PLOT = { width: 400, height: 176, left: 44, right: 112, top: 28, foot: 150 };
const COLOURS = ["blue", "vermillion", "green", "purple", "orange", "ink"];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 2", "1 2"];
const LINE = 14; // pixels from one name to the next

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
      html("div", { class: "wol-trainings-grid" }, data.pictures.map((one) => this.picture(one))),
      html("div", { class: "wol-outcomes", tabindex: 0, role: "group", "aria-label": "The ends" },
        this.table()));
  }

  picture({ title, lines, epochs }) {
    const { width, height, left, right, top, foot } = PLOT;
    const values = lines.flatMap((line) => line.map(([, value]) => value));
    const zero = epochs && title.startsWith("Norm") ? [0] : [];
    const [low, high] = roundEnds(Math.min(...values, ...zero), Math.max(...values, ...zero));
    const x = (examples) => round1(left + ((width - right - left) * examples) / this.most);
    const y = (value) => round1(foot - ((foot - top) * (value - low)) / (high - low || 1));
    const quiet = (text, more) => svg("text", { class: "wol-quiet", ...more }, text);
    const ends = [...new Set([low, high, ...(low < 0 && high > 0 ? [0] : [])])];
    return svg("svg", {
      class: "wol-picture", viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `${title}: ${lines.map((line, i) => line.length
        ? `${this.data.names[i]} ends at ${number(line.at(-1)[1])}` : "").join(", ")}`,
    },
    svg("text", { x: 2, y: 14, class: "wol-title" }, title),
    svg("path", { class: "wol-axis", d: `M${left} ${top}V${foot}H${width - right}` }),
    ends.map((end) =>
      quiet(number(end), { x: left - 6, y: y(end) + 4, "text-anchor": "end" })),
    quiet("start", { x: left, y: foot + 16 }),
    quiet(`${this.most.toLocaleString("en")} examples`,
      { x: width - right, y: foot + 16, "text-anchor": "end" }),
    lines.flatMap((line, i) => this.curve(line, i, x, y, epochs)),
    this.names(lines, x, y));
  }

  curve(line, i, x, y, dots) {
    if (!line.length) return [];
    const stroke = `stroke: var(--wol-${COLOURS[i]})`;
    return [
      svg("path", {
        class: "wol-trainings-line", "stroke-dasharray": DASHES[i], style: stroke,
        d: `M${line.map(([at, value]) => `${x(at)} ${y(value)}`).join("L")}h0`,
      }),
      ...(dots ? line : []).map(([at, value]) => svg("circle", {
        cx: x(at), cy: y(value), r: 2.6, style: `fill: var(--wol-${COLOURS[i]})`,
      })),
    ];
  }

  // Beside the ends, moved apart where they would lie on each other; a thin line leads there.
  names(lines, x, y) {
    const { width, right, top, foot } = PLOT;
    const there = lines.map((line, i) => ({ i, end: line.at(-1) })).filter(({ end }) => end)
      .sort((a, b) => y(a.end[1]) - y(b.end[1]));
    let free = top;
    return there.flatMap(({ i, end: [at, value] }, place) => {
      const line = Math.max(free, Math.min(y(value), foot - LINE * (there.length - 1 - place)));
      free = line + LINE;
      const left = width - right + 12;
      return [
        svg("path", { class: "wol-rule", d: `M${x(at) + 2} ${y(value)}L${left - 3} ${line}` }),
        svg("text", { x: left, y: line + 4 }, svg("title", {}, this.data.names[i]),
          svg("tspan", { style: `fill: var(--wol-${COLOURS[i]})` }, "● "),
          clip(this.data.names[i], right - 28)),
      ];
    });
  }

  table() {
    const { head, names, last } = this.data;
    return html("table", {},
      html("thead", {}, html("tr", {}, ["at the end", ...head].map((one) =>
        html("th", { scope: "col" }, one)))),
      html("tbody", {}, last.map((row, i) => html("tr", {},
        html("th", { scope: "row" }, names[i]),
        row.map((one) => html("td", {}, one === null ? "" : number(one)))))));
  }

  saveCurves() {
    const { pictures, names } = this.data;
    const rows = pictures.flatMap(({ title, lines }) => lines.flatMap((line, i) =>
      line.map(([at, value]) => [title, names[i], at, value])));
    const head = ["measure", "training", "examples", "value"];
    save("wordorder-trainings.csv", "text/csv", csvText({ head, rows }));
  }
}
