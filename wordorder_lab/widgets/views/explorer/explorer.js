// The explorer: histograms that are brushed, a table of sentences, the row that is looked at, and
// a player in their place when its search is played.

import { button, chooser, html, labelled } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { Player } from "../player/player.js";
import { onTheme, themeOf } from "../player/theme.js";
import { plural } from "../player/words.js";
import { drawPlayButtons, drawRow } from "./detail.js";
import { Histogram } from "./histogram.js";
import { Measured } from "./measured.js";
import { ExplorerRows } from "./rows.js";
import { ExplorerTable } from "./table.js";

const EXAMPLES = 3;
const THEMES_OF_EXPLORER = [["auto", "auto"], ["light", "light"], ["dark", "dark"]];

export class Explorer {
  constructor(root, data, host) {
    Object.assign(this, { root, data, host, place: null, player: null, theme: "auto" });
    this.rows = new ExplorerRows(data);
    this.histograms = data.columns
      .filter((column) => column.histogram)
      .map((column) => new Histogram(this, column));
    this.table = new ExplorerTable(this);
    this.measured = new Measured(this);
    this.build();
    this.observe();
    this.rows.setAll(data.filter ?? {});
    this.draw();
  }

  build() {
    this.count = html("output", { class: "wol-place", "aria-live": "polite" });
    this.text = html("input", {
      type: "search", class: "wol-note-of", size: 16, "aria-label": "Find words",
      placeholder: "find words",
      oninput: (event) => this.filterBy("text", event.target.value || null),
    });
    this.status = html("p", { class: "wol-narration", role: "status", hidden: true });
    this.clearAll = button("Clear all filters", "clear", () => this.setFilter({}));
    this.back = button("Back to the table", "◁ table", () => this.closePlayer());
    this.detail = html("section", { class: "wol-row-detail", "aria-label": "The chosen sentence" });
    this.lookRoom = html("div", { class: "wol-explored" }, this.table.element, this.detail);
    this.tools = html("div", { class: "wol-toolbar" }, this.text, this.clearAll, this.count,
      this.saveButtons(),
      labelled("colours", chooser("Colours", THEMES_OF_EXPLORER, "auto", (theme) =>
        this.setTheme(theme))));
    this.above = html("div", { class: "wol-histograms" },
      this.histograms.map(({ element }) => element));
    this.scene = html("div", { class: "wol-scene", hidden: true });
    this.backBar = html("div", { class: "wol-toolbar", hidden: true }, this.back);
    this.root.className = "wol-player wol-explorer";
    this.root.tabIndex = -1;
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-label", "Explorer");
    this.root.setAttribute("data-lm-suppress-shortcuts", "true");
    this.root.addEventListener("keydown", (event) => event.stopPropagation());
    this.root.replaceChildren(html("h2", {}, this.data.title), this.tools, this.backBar,
      this.status, this.above, this.measured.element, this.lookRoom, this.scene);
  }

  saveButtons() {
    const { typed, values } = this.data;
    const what = typed === "bag" ? "bags" : "trees";
    return html("span", { class: "wol-group" },
      button(`Save the selected ${what} as text`, what, () => this.saveTexts(typed, "txt")),
      values.conllu
        ? button("Save the selected bags as CoNLL-U", "CoNLL-U", () =>
            this.saveTexts("conllu", "conllu"))
        : null,
      button("Save the selected rows as CSV", "CSV", () => this.saveRows()),
      button("Save as a page", "HTML", () =>
        this.host.page(
          (text) => save("wordorder-explorer.html", "text/html", text),
          (why) => this.say(why))));
  }

  observe() {
    this.stopThemes = onTheme(() => this.setTheme(this.theme));
    this.setTheme("auto");
  }

  destroy() {
    this.player?.destroy();
    this.stopThemes();
    this.table.resize.disconnect();
    clearTimeout(this.measured.waits);
  }

  setTheme(theme) {
    this.theme = theme;
    this.root.dataset.theme = themeOf(theme);
    this.player?.setTheme(theme);
  }

  say(text) {
    this.status.hidden = !text;
    this.status.textContent = text;
  }

  // --- filters ---------------------------------------------------------------------------------

  filterBy(name, wanted) {
    this.rows.setOne(name, wanted);
    this.draw();
    this.host.filtered(this.rows.filter);
  }

  setFilter(filter) {
    this.rows.setAll(filter);
    this.draw();
    this.host.filtered(this.rows.filter);
  }

  sortBy(name, way) {
    this.rows.sort(name, way);
    this.table.drawHead();
    this.table.element.scrollTop = 0;
    this.table.draw();
  }

  draw() {
    const { count, size, filter } = this.rows;
    this.count.textContent = `${count.toLocaleString("en")} of ${plural(size, "sentence")}`;
    this.clearAll.setAttribute("aria-disabled", String(!Object.keys(filter).length));
    if (this.text !== document.activeElement) this.text.value = filter.text ?? "";
    this.histograms.forEach((histogram) => histogram.draw());
    this.table.draw();
    this.measured.draw();
    if (!this.detail.hasChildNodes()) this.look(null);
  }

  // A few examples of a kind of error, for its button's tooltip.
  examplesOf({ name }, kind) {
    const where = this.data.values[name.replace(/^error/, "where")];
    if (!name.startsWith("error") || !where) return [];
    const kinds = this.data.values[name];
    return where.filter((text, i) => text && kinds[i] === kind).slice(0, EXAMPLES);
  }

  // --- the row that is looked at ---------------------------------------------------------------

  look(place) {
    this.place = place;
    const drawn = drawRow(this);
    this.detail.replaceChildren(...[drawn].flat(2).filter(Boolean));
    this.detail.scrollTop = 0;
    if (place !== null) this.table.light();
    this.host.looked(place === null ? 0 : this.data.values.number[place]);
  }

  lookAtNumber(wanted) {
    const place = this.data.values.number.indexOf(wanted);
    this.look(place < 0 ? null : place);
    const { at } = this.table;
    if (at >= 0) this.table.reach(at);
  }

  canPlay() {
    return this.data.live || this.data.plays[`${this.place} 0`] !== undefined;
  }

  playButtons() {
    return drawPlayButtons(this.data.names, this.canPlay(), (which) => this.play(which));
  }

  // --- its search, played ----------------------------------------------------------------------

  async play(which = [0]) {
    if (this.place === null || !this.canPlay()) return;
    const { place } = this;
    this.say("Recording the search …");
    try {
      const told = [];
      for (const one of which)
        told.push(this.data.plays[`${place} ${one}`] ?? (await this.host.play(place, one)));
      this.say("");
      this.openPlayer(told, which);
    } catch (error) {
      this.say(error.message);
    }
  }

  openPlayer(told, which) {
    const root = html("section");
    this.scene.replaceChildren(root);
    this.swap(true);
    const names = which.map((one) => this.data.names[one]);
    const logs = told.flatMap((one) => one.logs);
    const sorry = "The page of the explorer holds this search: save that one.";
    const host = {
      moved() {}, guessed() {}, ask: null, page: (use, why) => why(sorry),
    };
    this.player = new Player(root, { ...told[0], logs, names }, host);
    this.player.setTheme(this.theme);
    root.focus({ preventScroll: true });
  }

  closePlayer() {
    this.player?.destroy();
    this.player = null;
    this.scene.replaceChildren();
    this.swap(false);
    this.table.draw();
    const { at } = this.table;
    if (at >= 0) this.table.reach(at);
    this.detail.querySelector("button")?.focus();
  }

  swap(plays) {
    this.scene.hidden = !plays;
    this.backBar.hidden = !plays;
    for (const part of [this.tools, this.above, this.measured.element, this.lookRoom])
      part.hidden = plays;
  }

  // --- what is taken home ----------------------------------------------------------------------

  // The selected rows in the order of the sentences.
  get selected() {
    return [...this.rows.chosen.subarray(0, this.rows.count)].sort((a, b) => a - b);
  }

  saveTexts(name, end) {
    const texts = this.selected.map((place) => this.data.values[name][place]);
    const whole = texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
    if (texts.length) save(`wordorder-selected.${end}`, "text/plain", whole);
    this.say(texts.length ? "" : "No row is selected.");
  }

  saveRows() {
    const head = this.data.columns.map(({ name }) => name);
    const rows = this.selected.map((place) => head.map((name) => this.data.values[name][place]));
    save("wordorder-selected.csv", "text/csv", csvText({ head, rows }));
  }
}
