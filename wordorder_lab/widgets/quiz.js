// Quiz mode: the player stops before an outcome, hides it, and asks. A guess is a plain object, so
// that the tally can go back to Python as rows of a frame.

// Beam: once all candidates of a step are made, which of them ranks first?
VIEWS.beam.quiz = {
  // Whether the question comes after k events, told from the kinds alone. What is forbidden is no
  // candidate: it is never offered, and a step with a single candidate left asks nothing.
  asks(log, k) {
    if (log.kinds[k] !== "kept" || !log.counts.step) return false;
    let made = 0;
    for (let i = k - 1; made < 2 && expands(log.kinds[i]); i -= 1) made += log.kinds[i] === "candidate";
    return made > 1;
  },
  ask(log, k, state) {
    const answer = log.event(k)[1];
    const others = state.candidates.filter((one) => one.serial !== answer)
      .sort((a, b) => b.score - a.score || a.serial - b.serial).slice(0, 3);
    const options = state.candidates.filter((one) => one.serial === answer || others.includes(one));
    const parent = (one) => findState(state, one.parent, 1);
    return {
      question: `Step ${state.step}: which of these ${options.length} candidates ranks first?`,
      answer,
      options: options.map((one) => ({
        value: one.serial,
        label: `${actionText(one.action, state.units)} after ${stackText(parent(one))}`,
      })),
    };
  },
};

// An event as it may be told while scores are hidden.
function withoutScore(event) {
  const places = { candidate: [4], leaf: [5], edge: [5], rescored: [2], weight: [4], combined: [5, 6, 7] }[event[0]];
  return places ? event.map((value, i) => (places.includes(i) ? NaN : value)) : event;
}

class Quiz {
  constructor(log, view, guesses) {
    this.log = log;
    this.view = view;
    this.on = false;
    this.guesses = guesses;
    this.recall();
  }

  // Which questions of this view are answered.
  recall() {
    this.answered = new Set(this.guesses.filter((one) => one.view === this.view.title).map((one) => one.position));
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

  // Scores are hidden from the first candidate of a step until its question is answered; a view that
  // hides them elsewhere says which event is the one that is asked about (or -1).
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
    this.guesses.push({ view: title, position: k, question: asked.question, guess: label(value), answer: label(asked.answer), right });
    return right ? `Right: ${label(value)}.` : `No: ${asked.told ?? "first comes"} ${label(asked.answer)}.`;
  }

  tally() {
    const right = this.guesses.filter((one) => one.right).length;
    return this.guesses.length ? `${right} of ${this.guesses.length} right` : "no guess yet";
  }
}

function quizBox(asked, commit, skip) {
  const choices = asked.options.map((one) =>
    html("li", {}, html("button", { type: "button", onclick: () => commit(one.value) }, one.label)));
  return html("div", { class: "wol-question", role: "group", "aria-label": "Quiz" },
    html("p", {}, asked.question), html("ol", {}, choices),
    html("button", { type: "button", class: "wol-skip", onclick: skip }, "Show me"));
}
