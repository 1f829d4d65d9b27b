// What is pointed at, or has the focus, in one picture is lit in all others: a state or an edge,
// and a word wherever it stands. Two pictures of one kind scroll together.

import { twinOf } from "./difference.js";

const WORDS = ".wol-word, .wol-bag-word, mark, svg text";

export class Linked {
  constructor(player) {
    this.player = player;
    this.units = new Set(player.logs.flatMap(bagsOf));
    this.item = null; // {which, start, serial, twin, search}
    this.word = null;
    const { root, stages, panels } = player;
    for (const kind of ["pointerover", "focusin"])
      root.addEventListener(kind, ({ target }) => this.light(target, kind === "focusin"));
    root.addEventListener("pointerleave", () => this.light(null));
    this.panes = [
      ...stages.map((scroll, which) => ({ element: scroll, scroll, which })),
      ...panels.panels.map((one) => ({ ...one, which: 0 })),
    ];
    this.led = new Set(); // those that are scrolled by another one
    for (const from of stages) from.addEventListener("scroll", () => this.follow(from));
  }

  // What is shown there: a panel has its own view, a stage that of its log.
  viewIn({ view, which }) {
    return view ?? this.player.viewOf(which);
  }

  light(target, focused = false) {
    const pane = this.panes.find(({ element }) => element.contains(target));
    const item = pane && this.itemOf(pane, target.closest("[data-serial]"));
    const text = target?.closest?.(WORDS)?.firstChild?.textContent.trim();
    const word = this.units.has(text) ? text : null;
    const same = item?.key === this.item?.key && item?.start === this.item?.start;
    if (same && item?.which === this.item?.which && word === this.word && !focused) return;
    Object.assign(this, { item, word });
    this.relight(focused ? pane : null);
  }

  itemOf(pane, one) {
    if (!one) return null;
    const { serial, twin } = one.dataset;
    const { start } = this.viewIn(pane);
    return { which: pane.which, start, serial, twin, key: twin ?? serial };
  }

  // After a drawing all elements are new. What is lit beside the pane `from` comes into sight.
  relight(from = null) {
    const { root } = this.player;
    for (const one of root.querySelectorAll(".wol-pointed, .wol-pointed-word"))
      one.classList.remove("wol-pointed", "wol-pointed-word");
    if (this.word)
      for (const one of root.querySelectorAll(WORDS))
        if (one.firstChild?.textContent.trim() === this.word)
          one.classList.add("wol-pointed-word");
    if (!this.item) return;
    for (const pane of this.panes) {
      if (pane.element.hidden || this.viewIn(pane).start !== this.item.start) continue;
      const lit = this.sameIn(pane);
      for (const one of lit) one.classList.add("wol-pointed");
      if (from && pane !== from && lit.length) this.bring(pane.scroll, lit[0]);
    }
  }

  // The item in a pane: by its own name, and in the picture of another log by what it is made of.
  sameIn({ element, which }) {
    const { serial, twin, start, which: mine } = this.item;
    if (twin) return [...element.querySelectorAll("[data-twin]")].filter((one) =>
      one.dataset.twin === twin);
    const numbered = /^\d+$/.test(serial);
    if (which !== mine && !numbered && !/^(node|application) \d+$/.test(serial)) return [];
    if (which === mine && !numbered) return [];
    const { logs } = this.player;
    const search = (one) => this.player.stateIn(one, { start }).search;
    const found = which === mine || !numbered ? serial
      : twinOf(logs[mine], search(mine), Number(serial), logs[which], search(which));
    return found === null ? [] : element.querySelectorAll(`[data-serial="${found}"]`);
  }

  // Scroll a pane alone, no further than it takes.
  bring(scroll, one) {
    const [inner, outer] = [one.getBoundingClientRect(), scroll.getBoundingClientRect()];
    const by = (low, high, from, to) => (low < from ? low - from : high > to ? high - to : 0);
    const down = by(inner.top, inner.bottom, outer.top, outer.bottom);
    const across = by(inner.left, inner.right, outer.left, outer.right);
    if (!down && !across) return;
    this.led.add(scroll);
    scroll.scrollBy(across, down);
  }

  follow(from) {
    if (this.led.delete(from)) return;
    if (this.viewIn({ which: 0 }) !== this.viewIn({ which: this.player.logs.length - 1 })) return;
    for (const one of this.player.stages) {
      const { scrollTop, scrollLeft } = one;
      if (one === from) continue;
      one.scrollTo(from.scrollLeft, from.scrollTop);
      if (one.scrollTop !== scrollTop || one.scrollLeft !== scrollLeft) this.led.add(one);
    }
  }
}

// The units of all bags, and their tokens.
function bagsOf(log) {
  const bags = log.kinds.flatMap((kind, i) => (kind === "begin" ? [log.event(i)[1]] : []));
  return bags.flat().flatMap((unit) => [unit, ...unit.split(" ")]);
}
