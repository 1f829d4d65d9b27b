// Small histograms above the table. A drag across one brushes it; its two number fields say the
// same and take the keyboard; of kinds there is a button each.

import { button, html, svg } from "../player/dom.js";
import { capital, number } from "../player/words.js";

const HIGH = 56;
const WIDE = 150;

export class Histogram {
  constructor(explorer, column) {
    this.explorer = explorer;
    this.column = column;
    this.binned = explorer.rows.binned[column.name];
    this.clear = button(`Clear the filter of ${column.label}`, "×", () => this.choose(null), {
      class: "wol-clear",
    });
    const title = html("span", { title: column.says || column.label }, capital(column.label));
    this.body = column.kind === "choice" ? this.kinds() : this.bars();
    this.element = html(
      "div",
      { class: `wol-histogram wol-of-${column.kind}`, role: "group", "aria-label": column.label },
      html("div", { class: "wol-histogram-head" }, title, this.clear),
      this.body,
    );
  }

  choose(wanted) {
    this.explorer.filterBy(this.column.name, wanted);
  }

  get wanted() {
    return this.explorer.rows.filter[this.column.name] ?? null;
  }

  // --- numbers ----------------------------------------------------------------------------------

  bars() {
    const { bins } = this.binned;
    const wide = WIDE / bins;
    const bar = (kind, i) =>
      svg("rect", { class: kind, x: i * wide + 0.4, width: Math.max(0.6, wide - 0.8), y: HIGH });
    const each = (kind) => Array.from({ length: bins }, (_, i) => bar(kind, i));
    this.every = each("wol-every");
    this.here = each("wol-selected");
    this.brush = svg("rect", { class: "wol-brush", y: 0, height: HIGH, visibility: "hidden" });
    this.picture = svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" },
      this.every,
      this.here,
      this.brush,
    );
    this.picture.addEventListener("pointerdown", (event) => this.drag(event));
    this.ends = ["from", "to"].map((end, i) => this.field(end, i));
    return html(
      "div",
      {},
      this.picture,
      html("div", { class: "wol-ends" }, this.ends[0], "–", this.ends[1]),
    );
  }

  field(end, i) {
    return html("input", {
      type: "number",
      step: "any",
      "aria-label": `${this.column.label} ${end}`,
      placeholder: number(i ? this.binned.most : this.binned.least),
      onchange: (event) => {
        const typed = event.target.value === "" ? null : Number(event.target.value);
        const range = this.wanted ? [...this.wanted] : [null, null];
        range[i] = typed;
        this.choose(range.every((value) => value === null) ? null : range);
      },
    });
  }

  binAt(event) {
    const box = this.picture.getBoundingClientRect();
    const share = (event.clientX - box.left) / (box.width || 1);
    return Math.max(0, Math.min(this.binned.bins - 1, Math.floor(share * this.binned.bins)));
  }

  // From where the pointer goes down to where it is; drawn once a frame.
  drag(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.picture.setPointerCapture(event.pointerId);
    const from = this.binAt(event);
    let [to, waits] = [from, false];
    const brush = () => {
      waits = false;
      const bins = [Math.min(from, to), Math.max(from, to)];
      this.choose(this.explorer.rows.rangeOf(this.column.name, ...bins));
    };
    const moved = (later) => {
      to = this.binAt(later);
      if (!waits) requestAnimationFrame(brush);
      waits = true;
    };
    this.picture.addEventListener("pointermove", moved);
    this.picture.addEventListener(
      "pointerup",
      () => this.picture.removeEventListener("pointermove", moved),
      { once: true },
    );
    brush();
  }

  // --- kinds ------------------------------------------------------------------------------------

  kinds() {
    this.buttons = this.binned.names.map((name) => {
      const bar = html("span", { class: "wol-kind-bar" });
      const count = html("span", { class: "wol-kind-count" });
      const examples = this.explorer.examplesOf(this.column, name);
      const press = button(
        name,
        [bar, html("span", { class: "wol-kind-name" }, name), count],
        () => this.toggle(name),
        { "aria-pressed": "false", title: [name, ...examples].join("\n"), class: "wol-kind" },
      );
      return { name, press, bar, count };
    });
    return html("div", { class: "wol-kinds" }, this.buttons.map(({ press }) => press));
  }

  toggle(name) {
    const now = this.wanted ?? [];
    const next = now.includes(name) ? now.filter((other) => other !== name) : [...now, name];
    this.choose(next.length ? next : null);
  }

  // --- what has changed -------------------------------------------------------------------------

  draw() {
    const { every, here } = this.explorer.rows.counts(this.column.name);
    const most = Math.max(1, ...every);
    this.clear.hidden = this.wanted === null;
    if (this.buttons) return this.drawKinds(every, here, most);
    const resize = (bar, count) => {
      const high = count ? Math.max(1, (count / most) * HIGH) : 0;
      bar.setAttribute("height", high);
      bar.setAttribute("y", HIGH - high);
    };
    every.forEach((count, i) => resize(this.every[i], count));
    here.forEach((count, i) => resize(this.here[i], count));
    this.drawBrush();
    const range = this.wanted ? `, from ${this.wanted[0] ?? "-"} to ${this.wanted[1] ?? "-"}` : "";
    const { least, most: last } = this.binned;
    this.picture.setAttribute(
      "aria-label",
      `Histogram of ${this.column.label}, ${number(least)} to ${number(last)}${range}`,
    );
  }

  drawKinds(every, here, most) {
    const wanted = this.wanted ?? [];
    this.buttons.forEach(({ name, press, bar, count }, i) => {
      bar.style.width = `${(100 * here[i]) / most}%`;
      count.textContent = here[i] === every[i] ? `${here[i]}` : `${here[i]} of ${every[i]}`;
      press.setAttribute("aria-pressed", String(wanted.includes(name)));
      press.setAttribute("aria-label", `${this.column.label}: ${name}, ${here[i]} of ${every[i]}`);
    });
  }

  drawBrush() {
    const { edges } = this.binned;
    const [low, high] = this.wanted ?? [null, null];
    const at = (value, otherwise) => {
      const share = ((value ?? otherwise) - edges[0]) / (edges[edges.length - 1] - edges[0]);
      return Math.max(0, Math.min(1, share)) * WIDE;
    };
    const [left, right] = [at(low, -Infinity), at(high, Infinity)];
    this.brush.setAttribute("visibility", this.wanted ? "visible" : "hidden");
    this.brush.setAttribute("x", left);
    this.brush.setAttribute("width", Math.max(1.5, right - left));
    this.ends.forEach((end, i) => {
      if (end !== document.activeElement) end.value = this.wanted?.[i] ?? "";
    });
  }
}
