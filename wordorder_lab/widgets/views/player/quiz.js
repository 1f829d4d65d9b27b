// Quiz mode: the player stops before an outcome, hides it, and asks. A guess is a plain object, so
// that the tally can go back to Python as rows of a frame.

import { html } from "./dom.js";
import { expands } from "./log.js";

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
    this.recall();
  }

  // Which questions of this view are answered.
  recall() {
    this.answered = new Set(
      this.guesses.filter((one) => one.view === this.view.title).map((one) => one.position),
    );
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

  // Scores are hidden from the first candidate of a step until its question is answered; a view
  // that hides them elsewhere says which event is the one that is asked about (or -1).
  masks(k) {
    if (!this.on || !this.possible) return false;
    if (this.view.quiz.masked) return this.pending(this.view.quiz.masked(this.log, k));
    let next = k;
    while (next < this.log.length && expands(this.log.kinds[next])) next += 1;
    return this.pending(next);
  }

  answer(k, asked, value) {
    const label = (wanted) => asked.options.find((one) => one.value === wanted).label;
    const right = value === asked.answer;
    this.answered.add(k);
    const { title } = this.view;
    this.guesses.push({
      view: title,
      position: k,
      question: asked.question,
      guess: label(value),
      answer: label(asked.answer),
      right,
    });
    return right
      ? `Right: ${label(value)}.`
      : `No: ${asked.told ?? "first comes"} ${label(asked.answer)}.`;
  }

  tally() {
    const right = this.guesses.filter((one) => one.right).length;
    return this.guesses.length ? `${right} of ${this.guesses.length} right` : "no guess yet";
  }
}

export function quizBox(asked, commit, skip) {
  const choices = asked.options.map((one) =>
    html("li", {}, html("button", { type: "button", onclick: () => commit(one.value) }, one.label)),
  );
  return html(
    "div",
    { class: "wol-question", role: "group", "aria-label": "Quiz" },
    html("p", {}, asked.question),
    html("ol", {}, choices),
    html("button", { type: "button", class: "wol-skip", onclick: skip }, "Show me"),
  );
}
