// The timeline: a place for every step, pop or cell, with the important events marked above it.

import { html, svg } from "./dom.js";
import { Strip } from "./strip.js";
import { withCommas, plural } from "./words.js";

const MARKED = {
  fallen: { shape: "M-3 4l6 6m0 -6l-6 6", says: "gold is cut" },
  update: { shape: "M-4 11h8l-4 -8z", says: "update" },
  goal: { shape: "M0 2l2 4l4 0l-3 3l1 4l-4 -2l-4 2l1 -4l-3 -3l4 0z", says: "a goal is popped" },
  moment: { shape: "M-3 2h6v10l-3 -3l-3 3z", says: "bookmark" },
  begin: { shape: "M0 0v14", says: "a search begins" },
  finished: { shape: "M0 7m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", says: "a search ends" },
};
const SPOTTED = { parsed: "finished", path: "finished", programme: "finished" };
const MARKED_AS = { edge_update: "update", solved: "update", compressed: "finished", ...SPOTTED };
const MARKS_APART = 14; // pixels from mark to mark

export class Timeline {
  constructor(player) {
    this.player = player;
    this.stops = [0];
    for (let tick = 1; tick <= player.clock.last; tick += 1)
      if (player.clock.stops(tick, "step")) this.stops.push(tick);
    // The range is a real one: it scrubs, and arrow keys on it step as they do everywhere.
    this.range = html("input", {
      type: "range", min: 0, max: this.stops.length - 1, step: 1, value: 0,
      "aria-label": "Timeline",
      oninput: (event) => player.go(this.stops[Number(event.target.value)], true),
    });
    this.marks = svg("svg", { class: "wol-markers", height: 15, width: "100%" });
    this.strip = new Strip(player, this);
    this.row = html("div", { class: "wol-timeline" }, this.marks, this.range, this.strip.element);
    this.events = this.important();
    this.units = player.logs.map(unitsOf);
  }

  // The number of steps that are over, and how many there are.
  place(tick) {
    let [low, high] = [0, this.stops.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.stops[middle] <= tick) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  show(tick, told) {
    this.range.value = this.place(tick);
    this.range.setAttribute("aria-valuetext", told);
    this.strip.show(tick);
  }

  // How far a log is, in its own unit: "step 3 of 17", "pop 5 of 34".
  told(which, k) {
    const { name, done } = this.units[which];
    return `${name} ${withCommas(done[k])} of ${withCommas(done[done.length - 1])}`;
  }

  important() {
    const { logs, clock } = this.player;
    return logs.flatMap((log, which) =>
      log.kinds.flatMap((kind, i) => {
        if (kind === "begin" && log.counts.begin === 1) return [];
        const name = log.falls[i] ? "fallen" : MARKED_AS[kind] ?? kind;
        return MARKED[name] ? [{ name, tick: clock.tickOf(i + 1, which) }] : [];
      }));
  }

  // At most one mark in so many pixels: the most important one, with how many there are.
  draw(width) {
    const bins = new Map();
    const wide = Math.max(1, width - 16);
    const last = Math.max(1, this.stops.length - 1);
    const all = [...this.events, ...this.player.moments.list.map(({ event, note }) =>
      ({ name: "moment", tick: this.player.clock.tickOf(event), note }))];
    for (const one of all) {
      const x = (this.place(one.tick) / last) * wide;
      const bin = Math.floor(x / MARKS_APART);
      if (!bins.has(bin)) bins.set(bin, []);
      bins.get(bin).push({ ...one, x });
    }
    const names = Object.keys(MARKED);
    const drawn = [...bins.values()].map((inside) => {
      inside.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name) || a.tick - b.tick);
      return this.mark(inside);
    });
    this.marks.replaceChildren(...drawn);
    this.strip.draw(width);
  }

  mark(inside) {
    const [top] = inside;
    const counts = {};
    for (const { name } of inside) counts[name] = (counts[name] ?? 0) + 1;
    const told = Object.entries(counts).map(([name, count]) =>
      count > 1 ? `${MARKED[name].says} (${count} here)` : MARKED[name].says).join("; ");
    const note = top.note ? `: ${top.note}` : "";
    const go = () => this.player.go(top.tick);
    return svg(
      "g",
      { class: "wol-mark-press", role: "button", tabindex: -1, onclick: go,
        "aria-label": `Go to: ${told}${note}`,
        transform: `translate(${8 + top.x} 0)` },
      svg("title", {}, `${told}${note}: ${plural(this.place(top.tick), "step")} from the start`),
      svg("rect", { x: -6, y: 0, width: 12, height: 15, class: "wol-mark-room" }),
      svg("path", { d: MARKED[top.name].shape, class: `wol-mark wol-mark-${top.name}` }),
      counts[top.name] > 1
        ? svg("text", { x: 5, y: 6, class: "wol-mark-count" }, counts[top.name])
        : null,
    );
  }

  // The signs that this timeline has, with their meaning.
  legend() {
    const there = new Set(this.events.map(({ name }) => name));
    return Object.keys(MARKED).filter((name) => there.has(name)).map((name) => [
      svg("svg", { width: 12, height: 14, viewBox: "-6 0 12 14", "aria-hidden": "true" },
        svg("path", { d: MARKED[name].shape, class: `wol-mark wol-mark-${name}` })),
      MARKED[name].says,
    ]);
  }
}

// What a log is counted in, and how many of them are over after k events.
function unitsOf(log) {
  const [kind, name] = log.bestFirst
    ? ["popped", "pop"]
    : log.summarises ? ["learned", "example"]
    : log.transduces ? ["cell", "cell"]
    : log.parses ? ["constituent", "cell"]
    : log.counts.bigram ? ["bigram", "word"]
    : log.deletes ? ["programme", "programme"] : ["step", "step"];
  const done = new Int32Array(log.length + 1);
  const fresh = (i) => !log.spots || log.spots[i] !== log.spots[i - 1] || kind === "programme";
  log.kinds.forEach((one, i) => (done[i + 1] = done[i] + (one === kind && fresh(i))));
  return { name, done };
}
