// Views of one search side by side, on one clock. Each is a panel that can be closed or enlarged;
// what was closed can be had back.

import { button, html } from "./dom.js";
import { PANELS, VIEWS } from "./views.js";

const SEARCHES = { best: ["chart", "agenda", "derivation"], beam: ["lattice", "state"] };

// The panels that suit a log, the first of them the view that the sentence and the quiz belong to.
export function panelsOf(log) {
  if (!log.orders || log.summarises) return [];
  if (VIEWS.updates.suits(log)) return ["updates", log.bestFirst ? "agenda" : "lattice"];
  return log.bestFirst ? SEARCHES.best : SEARCHES.beam;
}

export class Panels {
  constructor(player) {
    this.player = player;
    this.names = player.logs.length > 1 ? [] : panelsOf(player.logs[0]);
    this.closed = new Set();
    this.large = null;
    this.fitting = {};
    this.back = html("span", { class: "wol-closed" });
    this.panels = this.names.map((name) => this.panel(name));
    this.element = html("div", { class: "wol-panels", hidden: true });
  }

  get possible() {
    return this.names.length > 1;
  }

  // The panels that are open, to be drawn.
  get shown() {
    if (this.large) return this.panels.filter((one) => one.name === this.large);
    return this.panels.filter((one) => !this.closed.has(one.name));
  }

  panel(name) {
    const view = VIEWS[name] ?? PANELS[name];
    const enlarge = button(`Enlarge ${view.title}`, "enlarge", () => this.enlarge(name), {
      "aria-pressed": "false",
    });
    const head = html("div", { class: "wol-panel-head" },
      html("h3", {}, view.title), enlarge,
      button(`Close ${view.title}`, "×", () => this.close(name)));
    const scroll = html("div", { class: "wol-panel-scroll" },
      html("div", { class: "wol-picture-room" }));
    const element = html("section", { class: "wol-panel", "aria-label": view.title }, head, scroll);
    return { name, view, element, head, scroll, enlarge };
  }

  enlarge(name) {
    this.large = this.large ? null : name;
    this.show();
  }

  // The last panel stays: there would be nothing left to look at.
  close(name) {
    if (this.large) this.large = null;
    else if (this.shown.length > 1) this.closed.add(name);
    this.show();
  }

  open(name) {
    this.closed.delete(name);
    this.show();
  }

  show() {
    this.settle();
    this.player.draw();
  }

  // Which panels stand there, and the buttons of those that do not.
  settle() {
    this.fitting = {};
    if (!this.player.together) return this.element.replaceChildren();
    this.element.replaceChildren(...this.panels.map((one) => one.element));
    for (const one of this.panels) {
      one.element.hidden = !this.shown.includes(one);
      one.enlarge.setAttribute("aria-pressed", String(this.large === one.name));
    }
    this.element.dataset.open = this.shown.length;
    this.back.replaceChildren(...this.panels.filter((one) => this.closed.has(one.name)).map(
      ({ name, view }) => button(`Open ${view.title}`, `+ ${view.title}`, () => this.open(name))));
    this.shown[0]?.head.append(this.back);
  }
}
