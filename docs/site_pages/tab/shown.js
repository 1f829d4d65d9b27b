// What came of a search: its sentences, what is told of them, and the player.

import player from "./player.js";

// The player knows the page as it knows a notebook: `model` is what anywidget would give it.
class Behind {
  constructor(data, python, showing) {
    Object.assign(this, { python, showing, heard: {} });
    this.values = { data, position: data.position, guesses: [], moments: data.moments };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
  }

  save_changes() {}

  on(kind, listener) {
    this.heard[kind] = listener;
  }

  off() {}

  async send({ wants }) {
    const hear = this.heard["msg:custom"];
    if (wants !== "page") return hear({ sorry: "This page cannot do that." });
    const { page, error } = await this.python.ask({ do: "page" });
    hear(page ? { page } : { sorry: error });
  }
}

export class Shown {
  constructor({ place, results, python, moved }) {
    Object.assign(this, { place, results, python });
    this.player = null;
    this.away = null; // takes the player off the page
    let late = null;
    const soon = () => {
      clearTimeout(late);
      late = setTimeout(moved, 300);
    };
    for (const kind of ["pointerup", "keyup", "change"]) place.addEventListener(kind, soon);
  }

  // The player of this data, at a moment of it where one is given.
  play(data, moment = null) {
    this.away?.();
    const showing = (made) => (this.player = made);
    this.away = player.render({ model: new Behind(data, this.python, showing), el: this.place });
    if (moment) this.player.show(moment);
    this.opened = this.here;
  }

  // Event, view and what is pinned, once somebody has gone there.
  get here() {
    return this.player?.moments.here() ?? {};
  }

  get moment() {
    const now = this.here;
    const same = Object.keys(now).every((name) => now[name] === this.opened[name]);
    return same ? {} : now;
  }

  // A sentence for each result; of two, each with its setting.
  tell(results, names = []) {
    const line = (kind, text) => Object.assign(document.createElement("p"), {
      className: kind, textContent: text, dir: "auto",
    });
    this.results.replaceChildren(...results.flatMap((one, i) => [
      line("text", one.text),
      line("more", [results.length > 1 ? names[i] : "", about(one)].filter(Boolean).join(" · ")),
    ]));
  }
}

function about({ seconds, stopped, doubts, counters = {} }) {
  const counted = Object.entries(counters).map(([name, n]) => `${n.toLocaleString("en")} ${name}`);
  const limit = stopped && stopped !== "complete" ? `stopped: ${stopped}` : "";
  const took = seconds === undefined ? "" : `${seconds.toFixed(2)} s`;
  return [took, limit, counted.join(", "), doubts].filter(Boolean).join(" · ");
}

// A file to keep: a text, or bytes in base64.
export function save(name, type, content, packed = false) {
  const bytes = packed ? Uint8Array.from(atob(content), (one) => one.charCodeAt(0)) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
