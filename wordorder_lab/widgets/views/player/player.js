// The player: one clock, one or two logs, one view at a time. Everything happens in the browser.

import { Clock } from "./clock.js";
import { icon } from "./dom.js";
import { firstDifferent } from "./difference.js";
import { csvText, save, standalone } from "./export.js";
import { film } from "./film.js";
import { keyPressed } from "./keys.js";
import { Log, Replay } from "./log.js";
import { elementOf } from "./marks.js";
import { Moments } from "./moments.js";
import { Quiz } from "./quiz.js";
import { Screen } from "./screen.js";
import { VIEWS } from "./views.js";

const TOGETHER = "together";

export class Player extends Screen {
  constructor(root, data, host) {
    super();
    Object.assign(this, {
      root,
      data,
      host,
      size: "step",
      speed: "1000",
      viewName: data.view,
      rows: 0, // as many as fit
      fitting: 6,
      together: false,
    });
    this.logs = data.logs.map((packed) => new Log(packed));
    this.clock = new Clock(this.logs);
    this.views = Object.keys(VIEWS).filter((name) =>
      this.logs.some((log) => VIEWS[name].suits(log)) &&
      (this.logs.length === 1 || !VIEWS[name].alone), // a game is played in one search
    );
    if (!this.views.includes(this.viewName)) this.viewName = this.views[0];
    this.tick = 0;
    this.timer = null;
    this.theme = "auto";
    this.selected = this.logs.map(() => null);
    this.said = "";
    this.replays = this.logs.map(() => new Map());
    this.quizzes = {};
    this.guesses = [...(data.guesses ?? [])]; // of all views: one tally
    this.kept = {};
    this.presents = false;
    this.notesHidden = false;
    this.about = []; // the events that the sentence tells, where not the last ones
    this.moments = new Moments(this, data.moments);
    this.build();
    this.observe();
    this.drawTimeline();
    this.choose(data.view);
    // Opened after an update, the sentence tells the update and not its last weight.
    const last = this.logs[0].kinds[(data.position ?? 0) - 1];
    const learned = ["weight", "rescored"].includes(last);
    if (!(data.apart && data.position === this.logs[0].length && this.winnersPart())) {
      this.tick = this.clock.tickOf(data.position ?? this.clock.last);
      this.logs.forEach((_, i) => this.pinAtFirst(i));
      this.go(this.tick, learned);
    }
  }

  // The view of a log: the chosen one, or the first that suits it, as beside a log of another
  // search.
  viewOf(which) {
    const suits = (name) => VIEWS[name].suits(this.logs[which]);
    return VIEWS[suits(this.viewName) ? this.viewName : this.views.find(suits)];
  }

  get quiz() {
    const view = this.viewOf(0);
    return (this.quizzes[view.title] ??= new Quiz(this.logs[0], view, this.guesses));
  }

  // What a view sets beside its outcome as it opens, such as the runner-up.
  pinAtFirst(i) {
    const [view, state] = [this.viewOf(i), this.state(i)];
    const serial = this.together ? null : view.pins?.(state) ?? null;
    const { search } = state;
    if (serial !== null) this.selected[i] = { serial, search, start: view.start };
  }

  // Several views at once. A quiz is about one view: others would give its answers away.
  get showsTogether() {
    return this.together && !this.quiz.on;
  }

  state(which) {
    return this.stateIn(which, this.viewOf(which));
  }

  // Views that show the same books share one replay.
  stateIn(which, view, k = this.clock.at(this.tick)[which]) {
    const replays = this.replays[which];
    if (!replays.has(view.start)) replays.set(view.start, new Replay(this.logs[which], view));
    return replays.get(view.start).at(k);
  }

  // What the chooser of views and the address say.
  get shownAs() {
    return this.together ? TOGETHER : this.viewName;
  }

  // What a view remembers between two drawings, such as edges that were picked.
  keptFor(which, view = this.viewOf(which)) {
    return (this.kept[`${view.title} ${which}`] ??= {});
  }

  // Go to a tick; in quiz mode not past a question that waits for its answer. After a stride of
  // many events the sentence sums them up.
  go(tick, stride = false, about = []) {
    Object.assign(this, { stride, about });
    let to = Math.max(0, Math.min(this.clock.last, Math.round(tick)));
    if (to > this.tick && this.quiz.on) {
      const k = this.quiz.firstPending(this.clock.at(this.tick)[0], this.clock.at(to)[0]);
      if (k !== null) to = this.clock.tickOf(k);
    }
    if (to !== this.tick) this.said = "";
    this.tick = to;
    this.draw();
    this.host.moved(this.clock.at(to)[0]);
    if (to === this.clock.last || this.quiz.pending(this.clock.at(to)[0])) this.pause();
  }

  step(way) {
    const to = this.clock.next(this.tick, this.size, way);
    this.moves = !this.timer; // while it plays, nobody waits for motion
    this.go(to, this.size !== "event" || Math.abs(to - this.tick) > 1);
    this.moves = false;
  }

  // To the next event of a kind; after the last of them to the first.
  jump(way) {
    const { clock, kind, tick } = this;
    const next = clock.nextOfKind(tick, kind, way);
    const to = next ?? clock.nextOfKind(way > 0 ? 0 : clock.last + 1, kind, way);
    if (to === tick) return this.say(`There is no other ${kind} event.`);
    this.go(to);
    if (next === null)
      this.say(`There is none ${way > 0 ? "after" : "before"} it: this is the ` +
        `${way > 0 ? "first" : "last"} ${kind} event.`);
  }

  firstDifference() {
    const { level } = this;
    if (level === "winner" && this.winnersPart()) return;
    const found = level === "all" ? null : firstDifferent(this.logs, level);
    const to = level === "all" ? this.clock.firstDifference() : this.differenceAt(level, found);
    if (to === null) this.say("There is no difference: both logs tell the same.");
    else this.go(to, false, found ?? []);
  }

  // Go to where the winner of B leaves the way of A's, if both have one and they differ.
  winnersPart() {
    const found = this.level === "winner" && firstDifferent(this.logs, "winner");
    if (!found || found.some((k, which) => k === this.logs[which].length)) return false;
    this.selected = this.logs.map((log, which) => this.madeAt(log, found[which], which));
    this.go(this.differenceAt("winner", found), false, found);
    const [a, b] = this.logs.map((log, which) => this.outcomeOf(log, which));
    if (a && b)
      this.say("Here the ways of the two winners part: " +
        (a === b ? `both end with “${a}”.` : `A ends with “${a}”, B with “${b}”.`));
    return true;
  }

  // The state or edge that the k-th event of a log has made, as something that is pinned.
  madeAt(log, k, which) {
    const search = log.kinds.slice(0, k).filter((kind) => kind === "begin").length;
    return { serial: log.event(k - 1)[1], search, start: this.viewOf(which).start };
  }

  // The first tick at which both logs have come to where they differ.
  differenceAt(level, found = firstDifferent(this.logs, level)) {
    return found && Math.max(...found.map((k, which) => this.clock.tickOf(k, which)));
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.tick === this.clock.last) this.go(0);
    this.narration.setAttribute("aria-live", "off");
    this.timer = setInterval(() => this.step(1), Number(this.speed));
    this.showPlaying("Pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.narration.setAttribute("aria-live", "polite");
    this.showPlaying("Play");
  }

  showPlaying(name) {
    this.controls.play.replaceChildren(icon(name.toLowerCase()));
    this.controls.play.setAttribute("aria-label", name);
    this.controls.play.title = name;
  }

  setSpeed(value) {
    this.speed = value;
    if (this.timer) {
      this.pause();
      this.toggle();
    }
  }

  // A view by its name, or several at once: the sentence is then that of the first of them.
  choose(name) {
    this.together = name === TOGETHER && this.panels.possible;
    if (this.views.includes(name)) this.viewName = name;
    else if (this.together)
      this.viewName = this.panels.names.find((one) => this.views.includes(one)) ?? this.viewName;
    this.controls.view.value = this.shownAs;
    this.root.classList.toggle("wol-together", this.together);
    this.panels.settle();
  }

  setView(name) {
    this.choose(name);
    this.draw();
    this.host.moved(this.clock.at(this.tick)[0]);
  }

  // Go to a moment: an event, and perhaps a view, a pinned card or edge, and a mode.
  show({ event, view, pin, item, quiz, presents }) {
    if (this.views.includes(view) || view === TOGETHER) this.setView(view);
    for (const stage of this.stages) stage.scrollTop = 0;
    if (event !== null && event !== undefined) this.go(this.clock.tickOf(event), true);
    if (pin !== null && pin !== undefined) {
      this.pin(pin);
      this.why?.open(0);
      this.draw();
    } else if (/^\d+$/.test(item) && !elementOf(this.pictureOf(0), item)) {
      this.pin(Number(item)); // a view shows what is chosen among what it would leave out
      this.draw();
    }
    if (quiz && !this.quiz.on) this.toggleQuiz();
    if (presents && !this.presents) this.present();
  }

  pin(serial) {
    const { start } = this.viewOf(0);
    this.selected[0] = { serial, search: this.state(0).search, start };
  }

  // What fills the screen: the player, or all around it that belongs to it, as a lecture's text.
  get fills() {
    return this.host.screen ?? this.root;
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.fills.requestFullscreen) this.fills.requestFullscreen().catch(() =>
      this.say("This page may not fill the screen."));
    else this.say("This browser cannot fill the screen.");
  }

  film() {
    this.pause();
    this.say("Recording the steps from here to the end.");
    film(this).then(
      (frames) => this.say(`A film of ${frames} pictures has been saved.`),
      (why) => this.say(why.message),
    );
  }

  // Large type and no more than a line of progress; keys as slides have them.
  present() {
    if (this.host.present) return this.host.present(); // all around it is presented, too
    this.showAs(!this.presents);
    if (this.presents) {
      this.root.focus({ preventScroll: true });
      this.root.requestFullscreen?.().catch(() => null);
    } else if (document.fullscreenElement === this.root) document.exitFullscreen();
    this.host.moved(this.clock.at(this.tick)[0]);
  }

  showAs(presents) {
    this.presents = presents;
    this.root.classList.toggle("wol-presents", presents);
    this.fills.classList.remove("wol-black");
    this.controls.present.setAttribute("aria-pressed", String(presents));
    this.draw();
  }

  toggleNotes() {
    this.notesHidden = !this.notesHidden;
    this.draw();
  }

  setRows(rows) {
    this.rows = rows;
    this.draw();
  }

  toggleQuiz() {
    const quiz = this.quiz;
    if (this.logs.length > 1)
      return this.say("There is no quiz with two logs: one would give the other's answers away.");
    if (!quiz.possible)
      return this.say(`The view “${this.viewOf(0).title}” has no quiz for this log.`);
    quiz.on = !quiz.on;
    const k = quiz.on ? quiz.begins(this.clock.at(this.tick)[0]) : null;
    if (k === null) return this.draw();
    this.go(this.clock.tickOf(k));
  }

  commit(k, asked, value) {
    const said = this.quiz.answer(k, asked, value);
    this.host.guessed(this.quiz.guesses);
    this.openReasons(asked.pair?.(value));
    this.say(said);
    this.controls.forward.focus();
  }

  // The bars of what a question was about: a view's own, or where there are reasons their panel.
  openReasons(pair) {
    if (!pair) return;
    const { start, quiz } = this.viewOf(0);
    const { search } = this.state(0);
    if (!quiz.open) return this.why?.beside(start, this.state(0), pair);
    const to = quiz.open(this.keptFor(0), search, pair);
    if (to) this.go(this.clock.tickOf(to), true);
  }

  // Guesses that were made in another view of the same widget.
  recall(guesses) {
    this.guesses.splice(0, Infinity, ...guesses);
    Object.values(this.quizzes).forEach((quiz) => quiz.recall());
    this.draw();
  }

  select(which, { start = this.viewOf(which).start, ...place }) {
    const chosen = { ...place, start };
    const before = this.selected[which];
    const same = (part) => before && before[part] === chosen[part];
    const again = same("serial") && same("search") && same("start");
    this.selected[which] = again ? null : chosen;
    this.why?.open(which);
    this.draw();
  }

  say(text) {
    this.said = text;
    this.draw();
  }

  // The picture of a log; of several views that of the first.
  pictureOf(which) {
    const around = this.showsTogether ? this.panels.shown[0].scroll : this.stages[which];
    return around.querySelector("svg[viewBox]");
  }

  exportAs(what) {
    const name = `wordorder-${this.viewName}-${this.clock.at(this.tick)[0]}`;
    if (what === "HTML")
      return this.host.page(
        (text) => save("wordorder-player.html", "text/html", text),
        (why) => this.say(why),
      );
    this.logs.forEach((_, i) => {
      const part = this.logs.length > 1 ? `-${"AB"[i]}` : "";
      if (what === "SVG")
        save(
          `${name}${part}.svg`,
          "image/svg+xml",
          standalone(this.pictureOf(i)),
        );
      else save(`${name}${part}.csv`, "text/csv", csvText(this.tableOf(i)));
    });
  }

  key(event) {
    keyPressed(this, event);
  }
}
