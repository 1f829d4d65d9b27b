// Quiz mode: the player stops before an outcome, hides it, and asks. A guess is a plain object, so
// that the tally can go back to Python as rows of a frame.

import { html } from "./dom.js";
import { expands } from "./log.js";
import { capital } from "./words.js";

// What the button that shows the answer commits: it is no guess, and the tally leaves it out.
const SHOW_ME = null;

// An event as it may be told while scores are hidden.
export function withoutScore(event) {
  const places = {
    candidate: [4],
    leaf: [5],
    edge: [5],
    rescored: [2],
    weight: [4],
    combined: [5, 6, 7],
  }[event[0]];
  return places ? event.map((value, i) => (places.includes(i) ? NaN : value)) : event;
}

export class Quiz {
  constructor(log, view, guesses) {
    this.log = log;
    this.view = view;
    this.on = false;
    this.guesses = guesses;
    this.shown = [];
    this.recall();
  }

  // Which questions of this view are answered, by a guess or by "show me".
  recall() {
    const mine = this.guesses.filter((one) => one.view === this.view.title);
    this.answered = new Set([...this.shown, ...mine.map((one) => one.position)]);
  }

  get possible() {
    return Boolean(this.view.quiz) && (this.view.quiz.suits?.(this.log) ?? true);
  }

  pending(k) {
    return this.on && this.possible && !this.answered.has(k) && this.view.quiz.asks(this.log, k);
  }

  // The first k of a question that has no answer yet, from `from` to before `to`.
  firstPending(from, to) {
    for (let k = from; k < to; k += 1) if (this.pending(k)) return k;
    return null;
  }

  // Where to go back to if nothing is asked from k on: to what tells most, of equals the one that
  // is nearest to the middle, where much is decided.
  begins(k) {
    const { length } = this.log;
    if (this.firstPending(k, length) !== null) return null;
    const open = Array.from({ length: k }, (_, i) => i).filter((i) => this.pending(i));
    const telling = (i) => this.view.quiz.ask(this.log, i).telling ?? 0;
    const far = (i) => Math.abs(2 * i - length);
    const better = (a, b) => telling(a) - telling(b) || far(b) - far(a);
    return open.length ? open.reduce((best, i) => (better(i, best) > 0 ? i : best)) : null;
  }

  // Scores are hidden from the first candidate of a step until its question is answered; a view
  // that hides them elsewhere says which event is the one that is asked about (or -1).
  masks(k) {
    if (!this.on || !this.possible) return false;
    if (this.view.quiz.masked) return this.pending(this.view.quiz.masked(this.log, k));
    let next = k;
    while (next < this.log.length && expands(this.log.kinds[next])) next += 1;
    return this.pending(next);
  }

  // Take a guess down, and say whether it is right and why; or only show the answer.
  answer(k, asked, value) {
    const label = (wanted) => asked.options.find((one) => one.value === wanted).label;
    const told = `${asked.told ?? "first comes"} ${label(asked.answer)}`;
    this.answered.add(k);
    if (value === SHOW_ME) {
      this.shown.push(k);
      return `${capital(told)}. ${asked.why(asked.answer)}`;
    }
    const right = value === asked.answer;
    this.guesses.push({
      view: this.view.title,
      position: k,
      kind: asked.kind,
      difficulty: asked.difficulty,
      question: asked.question,
      guess: label(value),
      answer: label(asked.answer),
      right,
    });
    return `${right ? `Right: ${label(value)}` : `No: ${told}`}. ${asked.why(value)}`;
  }

  tally() {
    const right = this.guesses.filter((one) => one.right).length;
    return this.guesses.length ? `${right} of ${this.guesses.length} right` : "no guess yet";
  }
}

export function quizBox(asked, commit) {
  const choices = asked.options.map((one) =>
    html("li", {}, html("button", { type: "button", onclick: () => commit(one.value) }, one.label)),
  );
  const show = { type: "button", class: "wol-skip", onclick: () => commit(SHOW_ME) };
  return html(
    "div",
    { class: "wol-question", role: "group", "aria-label": "Quiz" },
    html("p", {}, asked.question),
    html("ol", {}, choices),
    html("button", show, "Show me"),
  );
}
