// Moments: the place in the address, and bookmarks with a note.

import { button, html } from "./dom.js";

const WAIT = 250; // milliseconds: browsers refuse an address that changes too often

export class Moments {
  constructor(player, list = []) {
    this.player = player;
    this.list = list.map((one) => ({ view: player.viewName, note: "", ...one }));
    this.box = html("span", { class: "wol-moments" });
  }

  controls() {
    this.note = html("input", {
      type: "text", class: "wol-note-of", "aria-label": "Note of the bookmark",
      placeholder: "a note", size: 18,
      onkeydown: (event) => {
        event.stopPropagation();
        if (event.key === "Enter") this.add();
      },
    });
    this.draw();
    return [this.note, button("Bookmark this moment", "add", () => this.add()), this.box];
  }

  // The event, view and pinned card or edge that are on the screen.
  here() {
    const { player } = this;
    const [event] = player.clock.at(player.tick);
    return { event, view: player.shownAs, pin: player.selected[0]?.serial ?? null };
  }

  add() {
    this.list.push({ ...this.here(), note: this.note.value });
    this.list.sort((a, b) => a.event - b.event);
    this.note.value = "";
    this.changed();
  }

  remove(one) {
    this.list.splice(this.list.indexOf(one), 1);
    this.changed();
  }

  changed() {
    this.player.host.marked?.(this.list);
    this.draw();
    this.player.drawTimeline();
  }

  draw() {
    this.box.replaceChildren(...this.list.map((one) => {
      const name = one.note || `event ${one.event}`;
      return html("span", { class: "wol-moment" },
        button(`Go to ${name}`, name, () => this.player.show(one)),
        button(`Remove ${name}`, "×", () => this.remove(one)));
    }));
  }

  // The note of the moment that is on the screen, if it has one.
  noteHere() {
    const { event } = this.here();
    return this.list.filter((one) => one.event === event).map((one) => one.note).join(" ");
  }
}

// `#event=120&view=agenda&pin=17` as a moment; what is no number or no view is left out.
function momentOf(address) {
  const fields = new window.URLSearchParams(address.replace(/^#/, ""));
  const digits = (name) =>
    /^\d{1,9}$/.test(fields.get(name) ?? "") ? Number(fields.get(name)) : null;
  return {
    event: digits("event"), view: fields.get("view"), pin: digits("pin"),
    quiz: fields.get("mode") === "quiz", presents: fields.get("mode") === "present",
  };
}

function addressOf({ event, view, pin }, mode) {
  const fields = new window.URLSearchParams({ event, view });
  if (pin !== null) fields.set("pin", pin);
  if (mode) fields.set("mode", mode);
  return `#${fields}`;
}

// Keep the address of a page at the place; where a page may not, it goes on without.
export class Address {
  constructor(player) {
    this.player = player;
    this.late = null;
  }

  follow() {
    clearTimeout(this.late);
    this.late = setTimeout(() => this.write(), WAIT);
  }

  write() {
    const { player } = this;
    const mode = player.presents ? "present" : player.quiz.on ? "quiz" : "";
    this.written = addressOf(player.moments.here(), mode);
    try {
      window.history.replaceState(null, "", this.written);
    } catch {
      this.late = null;
    }
  }

  read() {
    const { hash } = window.location;
    if (hash && hash !== this.written) this.player.show(momentOf(hash));
  }
}
