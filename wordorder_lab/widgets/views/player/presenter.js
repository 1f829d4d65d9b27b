// What the presenter reads: the note of the scene and what stands below it, what is on the screen,
// what comes next, and the clock. In a window of its own, which this page fills; where the browser
// opens none, below the picture.

import { button, html, setText } from "./dom.js";

const SECOND = 1000;
const WINDOW = "popup,width=820,height=640";

export class Presenter {
  constructor(lecture) {
    Object.assign(this, { lecture, window: null, began: null, opened: false });
    this.button = button("Notes for the presenter", "notes", () => this.toggle(),
      { "aria-pressed": "false" });
  }

  // Made anew for each window: a browser takes all listeners from what was in one that is gone.
  build() {
    const { lecture } = this;
    const part = (name) => html("p", { class: `wol-talk-${name}` });
    [this.place, this.clock, this.said, this.note, this.aside, this.now, this.next] =
      ["place", "clock", "said", "note", "aside", "now", "next"].map(part);
    const head = (text, ...children) =>
      html("section", {}, html("h3", {}, text), ...children);
    this.element = html("section", {
      class: "wol-player wol-talk", "aria-label": "Notes for the presenter",
    },
    html("header", {},
      button("Previous scene", "◁", () => lecture.go(lecture.at - 1)),
      button("Next scene", "▷", () => lecture.go(lecture.at + 1)),
      this.place, this.clock,
      button("Start the clock again", "start again", () => this.begin(true))),
    this.said,
    html("div", { class: "wol-talk-parts" },
      head("Now", this.note, this.aside),
      head("On the screen", this.now),
      head("Next", this.next)));
  }

  toggle() {
    if (this.opened) this.close();
    else this.open();
  }

  begin(again = false) {
    if (again || this.began === null) this.began = window.Date.now();
    this.tick();
  }

  open() {
    this.lecture.filled = false; // a browser may leave fullscreen for another window
    this.window = window.open("", "", WINDOW);
    this.opened = true;
    this.build();
    this.button.setAttribute("aria-pressed", "true");
    if (this.window) this.fill(this.window);
    else this.lecture.root.append(this.element);
    this.said.hidden = Boolean(this.window);
    setText(this.said, "This browser opens no second window here: the notes are below.");
    this.timer = setInterval(() => this.tick(), SECOND);
    this.begin();
    this.draw();
  }

  // The other window is empty: it gets our styles, our element, and our keys.
  fill({ document: page }) {
    page.title = `Notes: ${this.lecture.data.title}`;
    page.documentElement.lang = "en";
    page.head.append(...[...document.querySelectorAll("style")].map((one) => one.cloneNode(true)));
    page.body.replaceChildren(this.element);
    page.addEventListener("keydown", (event) => this.lecture.key(event), true);
    this.window.addEventListener("pagehide", () => this.close());
  }

  close() {
    if (!this.opened) return;
    const [other, below] = [this.window, this.element.parentElement === this.lecture.root];
    Object.assign(this, { opened: false, window: null });
    clearInterval(this.timer);
    this.button.setAttribute("aria-pressed", "false");
    if (below) this.element.remove();
    other?.close();
    this.lecture.root.focus({ preventScroll: true });
  }

  tick() {
    if (this.window?.closed) return this.close();
    if (!this.opened) return;
    const seconds = Math.floor((window.Date.now() - this.began) / SECOND);
    const two = (digits) => String(digits).padStart(2, "0");
    setText(this.clock, `${Math.floor(seconds / 60)}:${two(seconds % 60)} since the start`);
  }

  draw() {
    const { at, scenes, scene, player, root, room } = this.lecture;
    if (!this.opened || !(player || room.hidden)) return;
    const next = scenes[at + 1];
    this.element.dataset.theme = root.dataset.theme;
    setText(this.place, `scene ${at + 1} of ${scenes.length}`);
    setText(this.note, scene.note || "No note.");
    setText(this.aside, scene.aside ?? "");
    setText(this.now, room.hidden ? "This text alone."
      : `${player.controls.place.textContent}. ${player.narration.textContent}`);
    setText(this.next, next ? next.note || "No note." : "This is the last scene.");
  }
}
