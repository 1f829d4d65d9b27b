// Writing on a picture: choose an item by a press or by keys, type a line, Enter. What was written
// is kept in the moment that is on the screen. A press on an annotation changes or deletes it.

import { button, html, setText } from "./dom.js";
import { drawMarks, elementOf, itemName, nameOfItem } from "./marks.js";
import { MARK_LONGEST } from "./moments.js";
import { stopsIn } from "./whole.js";

const ASKS = "Choose what to write on: press it, or go there by arrow keys and press Enter. " +
  "Escape cancels.";

export class Annotating {
  constructor(player) {
    Object.assign(this, { player, on: false, item: null, mark: null });
    this.asks = html("span", { role: "status" });
    this.line = html("input", {
      type: "text", "aria-label": "Annotation", maxlength: MARK_LONGEST,
      placeholder: "a line of text, then Enter",
    });
    this.deletes = button("Delete the annotation", "delete", () => this.write(""));
    this.element = html("p", { class: "wol-annotating", hidden: true }, this.asks, this.line,
      this.deletes, button("Cancel the annotation", "cancel", () => this.end()));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.button = button("Annotate: write on an item of the picture", "annotate",
      () => (this.on ? this.end() : this.choose()), { "aria-pressed": "false" });
    player.root.addEventListener("click", (event) => this.press(event), true);
  }

  // Wait for an item.
  choose() {
    this.player.pause();
    this.show({ on: true, item: null, mark: null });
    const first = stopsIn(this.player.pictureOf(0))[0];
    (first ?? this.player.root).focus({ preventScroll: true });
  }

  // A press on an item, or Enter, which is one.
  press(event) {
    if (!this.on || this.item !== null || this.element.contains(event.target)) return;
    const element = event.target.closest(".wol-stages [data-serial]");
    if (!element) return;
    event.preventDefault();
    event.stopPropagation();
    const item = itemName(element);
    this.ask(item, this.player.moments.markAt(item));
  }

  // Ask for the text of a new annotation, or of one that there is.
  ask(item, mark = null) {
    this.show({ on: true, item, mark });
    this.line.value = mark?.text ?? "";
    this.line.focus();
  }

  // The keys of the line are its own.
  key(event) {
    event.stopPropagation();
    if (event.key === "Escape") this.end();
    else if (event.key === "Enter" && event.target === this.line) this.write(this.line.value);
    else return;
    event.preventDefault();
  }

  // Escape while an item is waited for; whether there was something to end.
  escape() {
    if (!this.on) return false;
    this.end();
    return true;
  }

  write(value) {
    const { player, item, mark } = this;
    const text = value.trim();
    if (text || mark) player.moments.annotate(item, text); // which is announced as it is drawn
    this.end(text && !player.moments.linked()
      ? "This is too long for the link: HTML, in the menu, saves a page with it." : "");
  }

  // Where one was, there is the focus again.
  end(said = "") {
    const { item, player } = this;
    this.show({ on: false, item: null, mark: null });
    if (said) player.say(said);
    const back = item !== null && elementOf(player.pictureOf(0), item);
    (back || player.root).focus({ preventScroll: true });
  }

  show(change) {
    Object.assign(this, change);
    const { on, item, mark, player } = this;
    player.root.classList.toggle("wol-annotates", on);
    this.button.setAttribute("aria-pressed", String(on));
    this.element.hidden = !on;
    this.line.hidden = item === null;
    this.deletes.hidden = !mark;
    const name = item !== null && nameOfItem(elementOf(player.pictureOf(0), item));
    setText(this.asks, item === null ? (on ? ASKS : "") : `On ${name}:`);
  }
}

// Notes and annotations of the moment, in its picture; of several views the first has the notes.
// By how many pixels the picture has grown for them.
export function drawNotes(player, place, stage) {
  const picture = place.querySelector("svg[viewBox]");
  const edit = (item, mark) => player.annotating.ask(item, mark);
  const all = player.notesHidden ? [] : player.moments.written(edit);
  const mine = picture === player.pictureOf(0) ? all : all.filter(({ mark }) => mark);
  const chosen = player.selected[0] !== null;
  return picture ? drawMarks(picture, stage, mine, player.presents ? 1.35 : 1, chosen) : 0;
}

// The same for who hears the page; where there is no picture to write in, all read it.
export function tellNotes(player) {
  const picture = player.pictureOf(0);
  const said = player.moments.written().map(({ text, item, mark }) => {
    const name = item && picture ? nameOfItem(elementOf(picture, item)) : "";
    return `${mark ? "Annotation" : "Note"}${name ? ` on ${name}` : ""}: ${text}`;
  });
  const text = player.notesHidden ? "" : said.join(" · ");
  if (player.note.textContent !== text) setText(player.note, text);
  player.note.classList.toggle("wol-heard", Boolean(picture) || !text);
}
