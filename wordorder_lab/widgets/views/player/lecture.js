// A lecture: scenes one after the other, each a text or a moment of a log with its note, in one
// page. PageUp and PageDown, or the buttons, go from scene to scene; inside one the player plays.

import { button, html, setText } from "./dom.js";
import { pictureNow, printSlides } from "./film.js";
import { Player } from "./player.js";

export class Lecture {
  constructor(root, data, host) {
    Object.assign(this, { root, data, host, at: 0, player: null, shown: null });
    this.place = html("output", { class: "wol-place", "aria-label": "Scene" });
    this.text = html("p", { class: "wol-scene-text", "aria-live": "polite" });
    this.room = html("div", { class: "wol-scene" });
    this.back = button("Previous scene", "◁", () => this.go(this.at - 1));
    this.forward = button("Next scene", "▷", () => this.go(this.at + 1));
    this.bar = html("div", { class: "wol-lecture-bar wol-toolbar" },
      this.back, this.forward, this.place,
      button("Fullscreen", "fullscreen", () => this.fullscreen()),
      button("Slides", "slides", () => this.slides(), { title: "A page a moment, to print" }));
    root.className = "wol-player wol-lecture";
    root.tabIndex = -1;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Lecture");
    root.replaceChildren(html("h2", {}, data.title), this.bar, this.text, this.room);
    root.addEventListener("keydown", (event) => this.key(event), true);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const retheme = () => (root.dataset.theme = dark.matches ? "dark" : "light");
    dark.addEventListener("change", retheme);
    retheme();
    this.go(0);
  }

  // Whatever has the focus, keys work: what is no way to another scene is the player's.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const words = this.room.hidden;
    const turns = { PageUp: -1, PageDown: 1, ...(words ? { ArrowLeft: -1, ArrowRight: 1 } : {}) };
    const way = turns[event.key];
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      this.go(this.at + way);
    } else if (words && event.key === "Escape" && this.player?.presents) this.player.present();
    else if (!words && event.target === this.root) this.player.key(event);
  }

  go(at) {
    const focused = this.root.contains(document.activeElement);
    this.at = Math.max(0, Math.min(this.data.scenes.length - 1, at));
    const scene = this.data.scenes[this.at];
    setText(this.text, scene.text);
    this.place.textContent = `scene ${this.at + 1} of ${this.data.scenes.length}`;
    this.back.setAttribute("aria-disabled", String(this.at === 0));
    this.forward.setAttribute("aria-disabled", String(this.at === this.data.scenes.length - 1));
    this.root.classList.toggle("wol-words-only", scene.log === undefined);
    this.room.hidden = scene.log === undefined;
    if (scene.log !== undefined) this.open(scene);
    // What is hidden or gone has no focus: without one, no key would come here.
    const kept = this.root.contains(document.activeElement) &&
      !(this.room.hidden && this.room.contains(document.activeElement));
    if (focused && !kept) this.root.focus({ preventScroll: true });
    this.host.moved();
  }

  // The player of a scene's log, made when it is first wanted and kept while scenes are its own.
  open(scene) {
    const presents = this.player?.presents;
    if (this.shown !== scene.log) {
      this.player?.destroy();
      const root = html("section");
      this.room.replaceChildren(root);
      const data = { ...this.data.players[scene.log], position: scene.event };
      this.player = new Player(root, data, { ...this.host, ask: null, screen: this.root });
      this.shown = scene.log;
    }
    this.player.show({ ...scene, presents });
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.().catch(() => null);
  }

  // Every scene as a page of its own, for the browser's print (to paper, or into a PDF).
  slides() {
    const before = this.at;
    const pages = this.data.scenes.map((scene, i) => {
      this.go(i);
      const picture = scene.log === undefined ? null : pictureNow(this.player);
      return { text: scene.text, picture };
    });
    this.go(before);
    printSlides(this.root, pages);
  }
}
