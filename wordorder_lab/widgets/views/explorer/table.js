// The table: only the rows that are in sight are elements. Up and Down go from row to row.

import { isolated } from "../player/bidi.js";
import { html } from "../player/dom.js";
import { number } from "../player/words.js";
import { linesOf } from "./lines.js";

const GRID_LINE = 19;
const GRID_SPACE = 7; // of a row, above and below its lines
const LEAST_TEXT = 200; // pixels of the sentence's column; it is as wide as there is room in sight
const MORE = 4; // rows above and below those in sight

export class ExplorerTable {
  constructor(explorer) {
    this.explorer = explorer;
    this.rows = explorer.rows;
    this.columns = this.rows.columns.filter(({ shown }) => shown);
    this.drawn = new Map(); // place among the selected rows -> its element
    const width = ({ kind, label, name }) => {
      if (kind === "text") return "var(--wol-text)";
      if (kind === "choice") return name.startsWith("error") ? "8.6em" : "7em";
      return `${Math.max(4.4, 1.4 + label.length * 0.56)}em`;
    };
    this.widths = this.columns.map(width).join(" ");
    this.head = html("div", { class: "wol-grid-head", role: "row", "aria-rowindex": 1 });
    this.head.style.gridTemplateColumns = this.widths;
    this.body = html("div", { class: "wol-grid-body", role: "rowgroup" });
    this.none = html("p", { class: "wol-none", hidden: true }, "No row is selected.");
    this.element = html(
      "div",
      {
        class: "wol-grid", role: "grid", "aria-label": "Sentences", tabindex: -1,
        "aria-colcount": this.columns.length, onscroll: () => this.drawRows(),
      },
      html("div", { role: "rowgroup" }, this.head),
      this.body,
      this.none,
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.high = GRID_SPACE + GRID_LINE * (1 + explorer.data.names.length);
    this.element.style.setProperty("--wol-row", `${this.high}px`);
    this.resize = new ResizeObserver(() => this.drawWidth());
    this.resize.observe(this.element);
    this.drawHead();
  }

  drawHead() {
    const { sorted } = this.rows;
    const named = document.activeElement?.dataset?.column;
    this.head.replaceChildren(...this.columns.map(({ name, label, says }) => {
      const is = sorted.name === name;
      const way = is ? (sorted.way > 0 ? "ascending" : "descending") : "none";
      const press = html("button", {
        type: "button", "data-column": name, title: says || `Sort by ${label}`,
        onclick: () => this.explorer.sortBy(name, is ? -sorted.way : 1),
      }, `${label}${is ? (sorted.way > 0 ? " ↑" : " ↓") : ""}`);
      return html("div", { role: "columnheader", "aria-sort": way }, press);
    }));
    if (named) this.head.querySelector(`[data-column="${named}"]`)?.focus();
  }

  // What is selected, or the order, has changed. Elements stay and get other words: making them is
  // what would cost the time of a frame.
  draw() {
    this.body.style.height = `${this.rows.count * this.high}px`;
    this.element.setAttribute("aria-rowcount", this.rows.count + 1);
    this.none.hidden = this.rows.count > 0;
    this.drawRows();
  }

  // The sentence takes what the columns before it leave.
  drawWidth() {
    const at = this.columns.findIndex(({ kind }) => kind === "text");
    const left = this.head.children[at].offsetLeft;
    const room = Math.max(LEAST_TEXT, this.element.clientWidth - left - 2);
    if (room !== this.room) {
      this.room = room;
      this.element.style.setProperty("--wol-text", `${room}px`);
      this.drawn.forEach((element) => delete element.dataset.place);
    }
    this.drawRows();
  }

  drawRows() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.high) - MORE);
    const last = Math.min(this.rows.count, first + Math.ceil(clientHeight / this.high) + 2 * MORE);
    const spare = [];
    this.drawn.forEach((element, at) => {
      if (at >= first && at < last) return;
      if (at < this.rows.count && element.contains(document.activeElement)) return;
      spare.push(element);
      this.drawn.delete(at);
    });
    for (let at = first; at < last; at += 1)
      if (!this.drawn.has(at)) this.drawn.set(at, spare.pop() ?? this.emptyRow());
    spare.forEach((element) => element.remove());
    this.drawn.forEach((element, at) => this.fillRow(element, at));
    this.light();
  }

  emptyRow() {
    const element = html("div", {
      class: "wol-grid-row", role: "row",
      onclick: () => this.go(Number(element.dataset.at)), ondblclick: () => this.explorer.play(),
    }, this.columns.map(({ kind }, i) =>
      html("div", { role: "gridcell", "aria-colindex": i + 1, class: `wol-cell-${kind}` })));
    element.style.gridTemplateColumns = this.widths;
    this.body.append(element);
    return element;
  }

  fillRow(element, at) {
    const place = this.rows.chosen[at];
    if (element.dataset.at !== String(at)) {
      element.dataset.at = at;
      element.setAttribute("aria-rowindex", at + 2);
      element.style.top = `${at * this.high}px`;
    }
    if (element.dataset.place === String(place)) return;
    element.dataset.place = place;
    element.classList.toggle("wol-plays", `${place} 0` in this.explorer.data.plays);
    this.columns.forEach((column, i) => {
      if (column.kind === "text") {
        element.children[i].replaceChildren(...linesOf(this.explorer, place, this.room));
        return;
      }
      const text = isolated(cellText(column, this.rows.values[column.name][place]));
      if (element.children[i].textContent !== text) element.children[i].textContent = text;
    });
  }

  // The row that is looked at; the keyboard comes to it, or to the first in sight.
  light() {
    const here = this.at;
    const focusable = this.drawn.has(here) ? here : Math.min(...this.drawn.keys());
    this.drawn.forEach((element, at) => {
      element.setAttribute("aria-selected", String(at === here));
      element.setAttribute("tabindex", at === focusable ? 0 : -1);
    });
  }

  // Where the row that is looked at stands among the selected ones; -1 where it is not.
  get at() {
    if (this.explorer.place === null) return -1;
    return this.rows.chosen.subarray(0, this.rows.count).indexOf(this.explorer.place);
  }

  go(at) {
    const to = Math.max(0, Math.min(this.rows.count - 1, at));
    if (to < 0 || this.rows.count === 0) return;
    this.explorer.look(this.rows.chosen[to]);
    this.reach(to);
    this.drawn.get(to)?.focus({ preventScroll: true });
  }

  // Scroll so that a row is in sight.
  reach(at) {
    const { scrollTop, clientHeight } = this.element;
    const [top, room] = [at * this.high, clientHeight - this.head.offsetHeight - this.high];
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top > scrollTop + room) this.element.scrollTop = top - room;
    this.drawRows();
  }

  key(event) {
    if (!event.target.closest(".wol-grid-row")) return;
    const at = Number(event.target.closest(".wol-grid-row").dataset.at);
    const screen = Math.max(1, Math.floor(this.element.clientHeight / this.high) - 2);
    const moves = {
      ArrowDown: () => this.go(at + 1), ArrowUp: () => this.go(at - 1),
      PageDown: () => this.go(at + screen), PageUp: () => this.go(at - screen),
      Home: () => this.go(0), End: () => this.go(this.rows.count - 1),
      " ": () => this.go(at),
      Enter: () => {
        this.go(at);
        this.explorer.play();
      },
    };
    if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moves[event.key]();
  }
}

export function cellText({ kind }, value) {
  if (value === null || value === undefined) return "";
  if (kind === "flag") return value ? "yes" : "no";
  return kind === "number" ? number(value) : String(value);
}
