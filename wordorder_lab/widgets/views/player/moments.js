// Moments: the place in the address, and bookmarks with a note and annotations. A moment is plain
// data: {event, view, note, pin, item: what the note speaks of, marks: [{item, text}]}.

import { button, html } from "./dom.js";

const WAIT = 250; // milliseconds: browsers refuse an address that changes too often
const ADDRESS_LONGEST = 2000; // letters: longer ones are cut on their way by mail and chat
const ITEM_LONGEST = 80;
export const MARK_LONGEST = 120;

export class Moments {
  constructor(player, list = []) {
    this.player = player;
    this.list = list; // those of a lecture are its scenes themselves
    for (const one of list) Object.assign(one, { view: player.viewName, note: "", ...one });
    this.fresh = new Set(); // annotations that were made here: a link tells them
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
    return [this.note, button("Bookmark this moment", "add", () => this.add()),
      button("Notes and annotations in the picture", "notes", () => this.player.toggleNotes()),
      this.box];
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
    const { host } = this.player;
    host.marked?.(this.list);
    host.moved(this.here().event);
    this.draw();
    this.player.drawTimeline();
    this.player.draw();
  }

  draw() {
    this.box.replaceChildren(...this.list.map((one) => {
      const name = one.note || one.marks?.[0]?.text || `event ${one.event}`;
      return html("span", { class: "wol-moment" },
        button(`Go to ${name}`, name, () => this.player.show(one)),
        button(`Remove ${name}`, "×", () => this.remove(one)));
    }));
  }

  // The moments that are on the screen, and the annotations of them.
  get now() {
    const { event } = this.here();
    return this.list.filter((one) => one.event === event);
  }

  get marks() {
    return this.now.flatMap(({ marks = [] }) => marks);
  }

  markAt(item) {
    return this.marks.find((one) => one.item === item) ?? null;
  }

  // Write on an item of the moment on the screen, which is a bookmark then; no text: delete it.
  annotate(item, text) {
    const there = this.markAt(item);
    const moment = there ? this.now.find(({ marks = [] }) => marks.includes(there))
      : this.now[0] ?? this.begin();
    const mark = { item, text };
    moment.marks = [...(moment.marks ?? []).filter((one) => one !== there), mark]
      .filter((one) => one.text);
    this.fresh.delete(there);
    if (text) this.fresh.add(mark);
    else if (!moment.marks.length && this.begun?.has(moment) && !moment.note)
      this.list.splice(this.list.indexOf(moment), 1);
    this.changed();
  }

  // A bookmark without a note.
  begin() {
    const moment = { ...this.here(), note: "" };
    this.list.push(moment);
    this.list.sort((a, b) => a.event - b.event);
    (this.begun ??= new Set()).add(moment);
    return moment;
  }

  // What of the annotations here a link tells: those that the page did not bring.
  linked(address = "") {
    const fields = new window.URLSearchParams();
    for (const mark of this.marks.filter((one) => this.fresh.has(one))) {
      fields.append("mark", mark.item);
      fields.append("says", mark.text);
    }
    const more = `${fields}`;
    return address.length + more.length <= ADDRESS_LONGEST && { more };
  }

  // The note and the annotations on the screen, as `drawMarks` takes them.
  written(edit) {
    const notes = this.now.filter(({ note }) => note)
      .map(({ note, item, pin }) => ({ text: note, item: item ?? numbered(pin), mark: null }));
    return [...notes, ...this.marks.map((mark) =>
      ({ ...mark, mark, edit: () => edit(mark.item, mark) }))];
  }

  // A moment that a link has told: its annotations are kept with those there are.
  take({ event, view, marks = [] }) {
    if (!marks.length || event === null) return;
    const there = this.list.find((one) => one.event === event) ??
      this.list[this.list.push({ event, view: view ?? this.player.viewName, note: "" }) - 1];
    const has = (one) => there.marks?.some(({ item, text }) =>
      item === one.item && text === one.text);
    const fresh = marks.filter((one) => !has(one));
    there.marks = [...(there.marks ?? []), ...fresh];
    for (const one of fresh) this.fresh.add(one);
    this.changed();
  }
}

function numbered(pin) {
  return pin === null || pin === undefined ? null : String(pin);
}

// The annotations of a link: items and what is said of them, in turn.
function marksOf(fields) {
  const says = fields.getAll("says");
  return fields.getAll("mark").slice(0, says.length)
    .map((item, i) => ({ item: item.slice(0, ITEM_LONGEST), text: says[i].slice(0, MARK_LONGEST) }))
    .filter(({ item, text }) => item && text);
}

// `#event=120&view=agenda&pin=17` as a moment; what is no number or no view is left out.
export function momentOf(address) {
  const fields = new window.URLSearchParams(address.replace(/^#/, ""));
  const digits = (name) =>
    /^\d{1,9}$/.test(fields.get(name) ?? "") ? Number(fields.get(name)) : null;
  return {
    event: digits("event"), view: fields.get("view"), pin: digits("pin"),
    quiz: fields.get("mode") === "quiz", presents: fields.get("mode") === "present",
    marks: marksOf(fields),
  };
}

function addressOf({ event, view, pin }, mode) {
  const fields = new window.URLSearchParams({ event, view });
  if (pin !== null) fields.set("pin", pin);
  if (mode) fields.set("mode", mode);
  return `#${fields}`;
}

// With the annotations, where they fit.
export function withMarks(address, moments) {
  const { more = "" } = moments?.linked(address) || {};
  return more ? `${address}&${more}` : address;
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
    const place = addressOf(player.moments.here(), mode);
    this.written = withMarks(place, player.moments);
    try {
      window.history.replaceState(null, "", this.written);
    } catch {
      this.late = null;
    }
  }

  read() {
    const { hash } = window.location;
    if (!hash || hash === this.written) return;
    const moment = momentOf(hash);
    this.player.moments.take(moment);
    this.player.show(moment);
  }
}
