// A lecture: scenes one after the other, each a text or a moment of a log, in one page. PageUp and
// PageDown, or the buttons, go from scene to scene; inside one the player plays. What a moment has
// to say stands in its picture; what only the presenter reads, in a window of its own. One bar has
// it all; keys work wherever the focus is.

import { barPieces } from "./controls.js";
import { button, html, setText } from "./dom.js";
import { laySlides, slideNow } from "./film.js";
import { withMarks } from "./moments.js";
import { Player } from "./player.js";
import { Presenter } from "./presenter.js";

const TYPED = "input:not([type=range]), select, textarea";

export class Lecture {
  constructor(root, data, host) {
    Object.assign(this, { root, data, host, scenes: data.scenes, at: 0, player: null });
    this.brought = new Set(data.scenes); // others were made here, by an annotation
    this.presents = false;
    this.build();
    document.addEventListener("keydown", (event) => this.key(event), true);
    document.addEventListener("fullscreenchange", () => this.filledOrNot());
    window.addEventListener("beforeprint", () => this.slides());
    window.addEventListener("pagehide", () => this.presenter.close());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.setTheme());
    this.setTheme();
    this.go(0);
  }

  build() {
    const { root } = this;
    this.text = html("p", { class: "wol-scene-text", "aria-live": "polite" });
    this.room = html("div", { class: "wol-scene" });
    this.title = html("h2");
    this.place = button("Back to the moment of this scene", "", () => this.go(this.at));
    this.back = button("Previous scene", "◁", () => this.go(this.at - 1));
    this.forward = button("Next scene", "▷", () => this.go(this.at + 1));
    [this.steps, this.tools, this.more] = [1, 2, 3].map(() =>
      html("span", { class: "wol-pieces" }));
    this.presenter = new Presenter(this);
    this.presentButton = button("Presentation mode", "present", () => this.present(),
      { "aria-pressed": "false" });
    const bar = html("div", { class: "wol-lecture-bar wol-toolbar" },
      html("span", { class: "wol-group", role: "group", "aria-label": "Scenes" },
        this.back, this.place, this.forward),
      this.title, this.steps, this.tools, this.presenter.button, this.presentButton, this.more);
    root.className = "wol-player wol-lecture";
    root.tabIndex = -1;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Lecture");
    root.replaceChildren(bar, this.text, this.room);
  }

  get scene() {
    return this.scenes[this.at];
  }

  // Of all keys but those of a text field and of a chooser: scenes and notes first; all others are
  // the player's, which has heard those that came from inside it.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED)) return;
    const words = this.room.hidden;
    const press = event.target.closest?.("button, summary");
    const [back, on] = [() => this.go(this.at - 1), () => this.go(this.at + 1)];
    const keys = {
      PageUp: back, PageDown: on, n: () => this.presenter.toggle(),
      ...(words ? { ArrowLeft: back, ArrowRight: on, ...(press ? {} : { " ": on }) } : {}),
      ...(words && this.presents ? { Escape: () => this.present(), b: () =>
        this.root.classList.toggle("wol-black") } : {}),
    };
    const pressed = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (pressed) {
      event.preventDefault();
      event.stopPropagation();
      pressed();
    } else if (!words && !this.player.root.contains(event.target)) this.player.key(event);
  }

  go(at) {
    const focused = this.root.contains(document.activeElement);
    this.at = Math.max(0, Math.min(this.scenes.length - 1, at));
    const { scene } = this;
    const words = scene.log === undefined;
    setText(this.text, words ? scene.note : "");
    setText(this.title, words ? this.data.title : this.data.players[scene.log].title);
    this.title.title = this.title.textContent;
    this.tellPlace();
    this.root.classList.toggle("wol-words-only", words);
    this.room.hidden = words;
    this.player?.annotating.escape();
    if (!words) this.open(scene);
    // What is hidden or gone has no focus.
    const kept = this.root.contains(document.activeElement) &&
      !(words && document.activeElement.closest(".wol-scene, .wol-pieces"));
    if (focused && !kept) this.root.focus({ preventScroll: true });
    this.moved();
  }

  tellPlace() {
    const [here, all] = [this.at + 1, this.scenes.length];
    setText(this.place, `${here} of ${all}`);
    this.place.setAttribute("aria-label", `Scene ${here} of ${all}: back to its moment`);
    this.back.setAttribute("aria-disabled", String(here === 1));
    this.forward.setAttribute("aria-disabled", String(here === all));
    this.root.style.setProperty("--wol-done", `${(100 * here) / all}%`);
  }

  // The player of a scene's log, made when it is first wanted and kept while scenes are its own.
  open(scene) {
    if (this.shown !== scene.log) {
      this.player?.destroy();
      this.player = null; // until the new one is there, nothing is told of it
      this.shown = scene.log;
      const root = html("section");
      this.room.replaceChildren(root);
      const moments = this.scenes.filter(({ log }) => log === scene.log);
      const data = { ...this.data.players[scene.log], position: scene.event, moments };
      this.player = new Player(root, data, this.hostOf(scene.log));
      const { steps, annotate, menu } = barPieces(this.player);
      this.steps.replaceChildren(...steps);
      this.tools.replaceChildren(annotate);
      this.more.replaceChildren(menu);
      const { legend, table, sentence } = this.player;
      sentence.after(html("div", { class: "wol-asides" }, legend, table));
    }
    // Nothing of the scene before is asked or chosen any more.
    for (const quiz of Object.values(this.player.quizzes)) quiz.on = false;
    this.player.selected.fill(null);
    this.player.why?.close();
    if (this.presents !== this.player.presents) this.player.showAs(this.presents);
    this.player.show(scene);
  }

  hostOf(log) {
    return {
      ...this.host, ask: null, screen: this.root,
      moved: () => this.moved(),
      marked: (list) => this.keep(log, list),
      present: () => this.present(),
      slides: () => window.print(),
      themed: (theme) => this.setTheme(theme),
    };
  }

  // Moments that were made in a player are scenes, too: each behind the one that it comes from.
  keep(log, list) {
    const { scene } = this;
    const gone = this.scenes.filter((one) => one.log === log && !list.includes(one));
    const left = this.scenes.filter((one) => one === scene || !gone.includes(one));
    for (const one of list.filter((moment) => !this.scenes.includes(moment))) {
      Object.assign(one, { log });
      left.splice(left.indexOf(scene) + 1, 0, one);
    }
    this.scenes = left;
    this.at = left.indexOf(scene);
    this.tellPlace();
    this.moved();
  }

  moved() {
    this.presenter.draw();
    this.host.moved();
  }

  // `#scene=3`; with annotations that were made here, of another moment its event, too.
  get address() {
    const brought = this.scenes.slice(0, this.at + 1).filter((one) => this.brought.has(one)).length;
    const place = `#scene=${brought}`;
    if (this.room.hidden || !this.player) return place;
    const { event } = this.player.moments.here();
    const told = withMarks(`${place}&event=${event}`, this.player.moments);
    return told.includes("&mark=") ? told : place;
  }

  // A scene by its number; and the annotations that a link tells.
  visit(scene, moment) {
    this.go(scene - 1);
    if (!moment.marks.length || this.room.hidden) return;
    const event = Math.min(moment.event ?? this.scene.event, this.player.logs[0].length);
    this.player.moments.take({ ...moment, event });
    this.player.show({ event });
  }

  setTheme(theme = this.player && this.player.root.dataset.theme) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.root.dataset.theme = theme ?? (dark ? "dark" : "light");
    this.presenter.draw();
  }

  // Large type and no bar.
  present() {
    this.presents = !this.presents;
    this.presenter.begin();
    this.root.classList.toggle("wol-presents", this.presents);
    this.root.classList.remove("wol-black");
    this.presentButton.setAttribute("aria-pressed", String(this.presents));
    this.player?.showAs(this.presents);
    if (this.presents) this.root.requestFullscreen?.().catch(() => null);
    else if (document.fullscreenElement) document.exitFullscreen();
    this.root.focus({ preventScroll: true });
  }

  // The browser's own Escape leaves fullscreen, and no key is heard.
  filledOrNot() {
    const fills = document.fullscreenElement === this.root;
    if (this.filled && !fills && this.presents) this.present();
    this.filled = fills;
  }

  // Every scene as a page of its own, whenever the page is printed (to paper, or into a PDF).
  slides() {
    const [before, event] = [this.at, this.player?.moments.here().event];
    this.root.dataset.theme = "light";
    const pages = this.scenes.map((scene, i) => {
      this.go(i);
      if (scene.log === undefined) return { text: scene.note, picture: null };
      this.player.root.dataset.theme = "light";
      return slideNow(this.player, scene.note);
    });
    this.go(before);
    if (!this.room.hidden) this.player.show({ event });
    this.player?.setTheme(this.player.theme);
    this.setTheme();
    laySlides(this.root, pages);
  }
}
