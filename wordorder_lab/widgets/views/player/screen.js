// The player's screen: its elements, its theme, and the drawing of one moment.

import { Annotating, drawNotes, tellNotes } from "./annotating.js";
import { toolbar } from "./controls.js";
import { divider } from "./divider.js";
import { dock, undock } from "./dock.js";
import { button, html, setText } from "./dom.js";
import { doubtsLine } from "./doubts.js";
import { tableElement } from "./export.js";
import { tellCutsApart } from "./folding.js";
import { formsLine } from "./forms.js";
import { mayGrow } from "./height.js";
import { Linked } from "./linked.js";
import { moveBetween, placesOn, stopMotion } from "./motion.js";
import { narration } from "./narration.js";
import { besides, Overview } from "./overview.js";
import { Panels } from "./panels.js";
import { lightLines, litLine, programs, programsOf } from "./programs.js";
import { quizBox, withoutScore } from "./quiz.js";
import { sentenceStrip } from "./sentence.js";
import { onTheme, themeOf } from "./theme.js";
import { Timeline } from "./timeline.js";
import { EXTRAS } from "./views.js";
import { Whole } from "./whole.js";
import { withCommas } from "./words.js";

const LEAST_ROWS = 3;
const MOST_ROWS = 12;
const ROW_MOST = 60; // pixels: no row of any view is higher

export class Screen {
  build() {
    this.annotating = new Annotating(this);
    const { row, controls } = toolbar(this);
    this.timeline = new Timeline(this);
    Object.assign(this, { controls, range: this.timeline.range, quizButton: controls.quiz });
    this.narration = html("p", { class: "wol-narration", "aria-live": "polite" });
    this.sentence = html("div", { class: "wol-sentence", role: "group", "aria-label": "Sentence" });
    this.forms = html("p", { class: "wol-forms", title: "Of each unit one of these is used" });
    this.doubts = html("p", { class: "wol-doubts", role: "status" });
    this.note = html("p", { class: "wol-presenter", role: "status" });
    this.question = html("div");
    this.programs = programs(this.logs);
    this.stages = this.logs.map((_, i) =>
      html(
        "div",
        { class: "wol-stage", role: "group", "aria-label": "Picture" },
        this.logs.length > 1 ? html("h3", {}, `${"AB"[i]} · ${this.data.names[i]}`) : null,
        html("div", { class: "wol-picture-room" }),
      ),
    );
    this.overviews = this.stages.map((stage, i) =>
      new Overview(stage, () => dock(stage, this.selected[i] !== null)));
    this.panels = new Panels(this);
    this.linked = new Linked(this);
    this.whole = new Whole(this.root);
    this.why = EXTRAS.Why && new EXTRAS.Why(this);
    this.table = html(
      "details",
      { class: "wol-table", ontoggle: () => this.drawTable() },
      html("summary", {}, "as a table"),
      html("div"),
    );
    this.legend = html(
      "details",
      { class: "wol-legend" },
      html("summary", {}, "signs"),
      html("div"),
    );
    const two = this.logs.length > 1 ? " wol-two" : "";
    const body = html("div", { class: `wol-body${two}` });
    body.append(
      html(
        "div",
        { class: "wol-programs", role: "group", tabindex: 0, "aria-label": "Pseudo-code" },
        this.programs.map((one) => one.element),
      ),
      divider(body),
      html("div", { class: "wol-stages" }, this.stages, this.panels.element,
        this.overviews.map(({ element }) => element), this.whole.element,
        this.why?.element),
    );
    this.root.replaceChildren(
      html("div", { class: "wol-top" },
        html("h2", {}, this.data.back && this.host.back
          ? button("Back to the training", "← training", () => this.host.back()) : null,
        this.data.back ? " " : null, this.data.title ?? "Player"),
        this.legend, this.table),
      row,
      this.timeline.row,
      this.annotating.element,
      this.narration,
      html("div", { class: "wol-said" }, this.sentence, this.forms, this.doubts),
      this.note,
      this.question,
      body,
    );
    this.root.className = "wol-player";
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-label", "Player");
    this.root.setAttribute("data-lm-suppress-shortcuts", "true");
    this.root.tabIndex = -1; // a click on no control focuses the player, not the notebook's cell
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  observe() {
    this.stopThemes = onTheme(() => this.setTheme(this.theme));
    const stages = this.stages[0].parentElement;
    // Known at once where the page is there already; a frame's height still follows what it shows.
    if (window.parent === window) this.width = stages.clientWidth;
    if (this.width) this.fitting = MOST_ROWS;
    this.resize = new ResizeObserver(() => {
      if (this.width === stages.clientWidth) return;
      this.width = stages.clientWidth;
      this.fitting = MOST_ROWS;
      this.panels.fitting = {};
      this.drawTimeline();
      this.draw();
    });
    this.resize.observe(stages);
    this.setTheme("auto");
  }

  destroy() {
    this.pause();
    this.stopThemes();
    for (const { sizes } of [{ sizes: this.resize }, ...this.overviews]) sizes.disconnect();
  }

  setTheme(theme) {
    this.theme = theme;
    this.root.dataset.theme = themeOf(theme);
    this.host.themed?.(this.root.dataset.theme);
  }

  drawTimeline() {
    this.timeline.draw(this.timeline.row.clientWidth || 900);
  }

  // All is put there before any of it is measured: the browser lays a step out once.
  draw() {
    if (!this.controls) return;
    const places = this.clock.at(this.tick);
    const inside = this.root.contains(document.activeElement);
    const focused = inside
      ? document.activeElement.closest("[data-serial], svg [tabindex]")
      : null;
    const around = focused?.closest(".wol-stage, .wol-panel");
    const pictures = this.drawStages(places);
    this.tell(places);
    this.light(places);
    this.fitStages(pictures);
    if (focused && document.activeElement !== focused) this.focusAgain(around, focused.dataset);
    this.linked.relight();
    this.whole.settle();
    this.why?.draw();
    tellNotes(this);
    // What had the focus may be gone: keys go on working.
    if (inside) queueMicrotask(() =>
      document.activeElement === document.body && this.root.focus({ preventScroll: true }));
  }

  // What is said around the pictures.
  tell(places) {
    const lines = this.logs.map((_, i) => formsLine(this.state(i), this.viewOf(i)));
    this.sentence.replaceChildren(...this.logs.flatMap((log, i) => this.sentenceOf(log, i)));
    this.forms.replaceChildren(...lines.flat().filter(Boolean));
    setText(this.doubts, this.logs.map((_, i) =>
      doubtsLine(this.state(i), this.logs.length > 1 ? "AB"[i] : "")).filter(Boolean).join(" "));
    this.tellPlace(places);
    this.narrate(places);
    this.drawQuestion(places[0]);
    this.drawTable();
    this.drawLegend();
    for (const [name, off] of [
      ["first", this.tick === 0],
      ["back", this.tick === 0],
      ["forward", this.tick === this.clock.last],
      ["last", this.tick === this.clock.last],
    ]) {
      this.controls[name].setAttribute("aria-disabled", String(off));
    }
  }

  // A view may leave its sentence to another one of the same log.
  sentenceOf(log, i) {
    const view = this.viewOf(i).told?.(log) ?? this.viewOf(i);
    return sentenceStrip(view, this.stateIn(i, view), log, this.logs.length > 1 ? "AB"[i] : "",
      this.data.references ?? []);
  }

  // The words that a log ends with.
  outcomeOf(log, i) {
    const view = this.viewOf(i).told?.(log) ?? this.viewOf(i);
    return view.sentence?.(this.stateIn(i, view, log.length), log)?.words.join(" ") ?? "";
  }

  // All logs through the chosen view, or one log through several views at once.
  drawStages(places) {
    const beside = this.showsTogether;
    this.panels.element.hidden = !beside;
    this.stages.forEach((stage) => (stage.hidden = beside));
    const pictures = beside
      ? this.panels.shown.map(({ name, view, scroll }) => ({
        stage: scroll, view, i: 0, sizes: (this.panels.fitting[name] ??= { fitting: MOST_ROWS }),
      }))
      : this.stages.map((stage, i) => ({ stage, view: this.viewOf(i), i, sizes: this }));
    for (const one of pictures) {
      stopMotion(one.stage);
      one.before = this.moves ? placesOn(one.stage) : null;
      undock(one.stage);
    }
    for (const one of pictures) this.drawStage(one, places[one.i]);
    return pictures;
  }

  // Two logs have as many rows: the first is drawn again where the second has no room for them.
  fitStages(pictures) {
    for (const one of pictures) this.fitStage(one);
    for (const one of pictures) if (one.drawn !== this.rowsOf(one)) this.fitStage(one);
    for (const { stage, i, mine, before, later } of pictures) {
      later.forEach((act) => act());
      const overview = this.overviewOf(stage);
      overview?.draw();
      if (overview) dock(stage, mine);
      if (before) moveBetween(before, placesOn(stage), stage);
    }
  }

  overviewOf(stage) {
    return this.overviews.find((one) => one.stage === stage);
  }

  // How many rows a picture has: where that is left open, as many as have fitted so far.
  rowsOf({ sizes, least }) {
    return this.rows || Math.max(sizes.fitting, least);
  }

  // Where the focus was before all was drawn anew: on the same card, in the same picture.
  focusAgain(around, { serial, in: inside }) {
    const again = [...around.querySelectorAll(`[data-serial="${serial}"]`)];
    const same = again.find((one) => one.dataset.in === inside) ?? this.root;
    same.focus({ preventScroll: true });
  }

  // Draw one log through one view into a place that scrolls.
  drawStage(one, k) {
    const { stage, view, i } = one;
    const overview = this.overviewOf(stage);
    const free = (stage.clientWidth || 900) - 4;
    const width = Math.max(300, free - (overview ? besides(stage) : 0));
    const state = this.stateIn(i, view);
    one.least = view.least ?? LEAST_ROWS - (this.logs.length > 1 || !overview);
    const chosen = this.selected[i];
    const mine = chosen && chosen.search === state.search && chosen.start === view.start;
    const { root, logs } = this;
    const later = []; // what has to wait until the picture is laid out
    const rows = this.rowsOf(one);
    const room = {
      width,
      rows,
      projector: this.presents,
      masked: this.quiz.masks(k),
      log: this.logs[i],
      k,
      selected: mine ? chosen.serial : null,
      select: (serial) => this.select(i, { serial, search: state.search, start: view.start }),
      other: this.otherState(i),
      beside: overview ? null : this.panels.shown.map((one) => one.name),
      get tall() {
        return stage.clientHeight + Math.floor(mayGrow(root) / logs.length);
      },
      name: this.logs.length > 1 ? "AB"[i] : "",
      ask: this.host.ask && this.data.live?.[i] ? (question) => this.host.ask(i, question) : null,
      why: this.why?.asker(i, state.search),
      apart: this.why?.apart(i, state.search),
      again: this.host.again && this.data.again ? () => this.host.again(k) : null,
      kept: this.keptFor(i, view),
      redraw: () => this.draw(),
      say: (text) => this.say(text),
      go: (event) => this.go(this.clock.tickOf(event, i), true),
      show: (moment) => (i ? this.go(this.clock.tickOf(moment.event, i)) : this.show(moment)),
      moves: Boolean(this.moves),
      later: (act) => later.push(act),
    };
    const [drawn, place] = [view.draw(state, room), stage.lastElementChild];
    // What stays in its place need not be laid out anew.
    if (drawn.parentElement !== place) place.replaceChildren(drawn);
    tellCutsApart(place);
    Object.assign(one, { k, mine, later, drawn: rows, place, fit: drawn.dataset.fit });
  }

  // Where the number of rows is left open, as many as fit on the screen: never more than before.
  fitStage(one) {
    const { stage, sizes, least } = one;
    if (one.drawn !== this.rowsOf(one)) this.drawStage(one, one.k);
    const grown = one.i === 0 ? drawNotes(this, one.place, stage) : 0;
    const over = (one.fit ? Number(one.fit) + grown : one.place.offsetHeight) - stage.clientHeight;
    if (this.rows || over <= 0 || sizes.fitting <= least) return;
    const less = Math.max(1, Math.floor(over / ROW_MOST));
    sizes.fitting = Math.max(least, sizes.fitting - less);
    this.moves = false;
    one.before = null;
    this.fitStage(one);
  }

  // Which step it is, and which event of the log.
  tellPlace(places) {
    const events = this.logs.map((log, i) =>
      `event ${withCommas(places[i])} of ${withCommas(log.length)}${log.dropped ? " (cut)" : ""}`)
      .join(" | ");
    const told = this.logs.map((_, i) => this.timeline.told(i, places[i]));
    const steps = [...new Set(told)].join(" | ");
    this.controls.place.replaceChildren(steps,
      html("span", { class: "wol-events" }, ` · ${events}`));
    this.controls.place.title = `${steps}; ${events}`;
    this.timeline.show(this.tick, `${steps}, event ${places.join(" and ")}`);
    if (!this.presents) return;
    // What is set on the root is asked about by all that is in it: only where it is seen.
    const share = this.timeline.place(this.tick) / Math.max(1, this.timeline.stops.length - 1);
    this.root.style.setProperty("--wol-done", `${100 * share}%`);
  }

  // What the signs mean: those of the timeline, and those of the view.
  drawLegend() {
    const view = this.viewOf(0);
    if (this.legend.told === view) return;
    this.legend.told = view;
    const signs = [...(view.legend ?? []), ...this.timeline.legend()];
    this.legend.hidden = !signs.length;
    this.legend.lastElementChild.replaceChildren(
      ...signs.map(([sign, words]) => html("span", {}, html("strong", {}, sign), ` ${words}`)),
    );
  }

  // The state of the other log, where both are looked at through the same view.
  otherState(i) {
    const other = 1 - i;
    return this.logs.length > 1 && this.viewOf(other) === this.viewOf(i) ? this.state(other) : null;
  }

  // The k-th event, without its score while the quiz hides that. Doubts have a line of their own:
  // there the search has ended as it says before them.
  toldEvent(log, k) {
    if (k > 1 && log.kinds[k - 1] === "doubts") return this.toldEvent(log, k - 1);
    const event = k ? log.event(k - 1) : null;
    return event && this.quiz.masks(k) ? withoutScore(event) : event;
  }

  narrate(places) {
    setText(this.narration, narration(this, places));
  }

  drawQuestion(k) {
    const quiz = this.quiz;
    this.quizButton.setAttribute("aria-pressed", String(quiz.on));
    this.quizButton.textContent = quiz.on ? `quiz: ${quiz.tally()}` : "quiz";
    if (!quiz.pending(k)) return this.question.replaceChildren();
    const asked = quiz.view.quiz.ask(this.logs[0], k, this.state(0));
    this.question.replaceChildren(quizBox(asked, (value) => this.commit(k, asked, value)));
  }

  light(places) {
    for (const program of this.programs)
      lightLines(program, this.logs.map((log, i) => programsOf(log).includes(program.program)
        && litLine(program.program, this.toldEvent(log, places[i]), this.state(i))));
  }

  // What is on the screen as rows; what a quiz hides there is hidden here.
  tableOf(i) {
    return this.viewOf(i).table(this.state(i), this.quiz.masks(this.clock.at(this.tick)[i]));
  }

  drawTable() {
    if (!this.table?.open) return;
    this.table.lastElementChild.replaceChildren(
      ...this.logs.map((_, i) => tableElement(this.tableOf(i))),
    );
  }
}
