// An event log, unpacked from columns, and its replay: the state of a view after k events.

const CHECKPOINT = 256;
const CHECKPOINTS = 64; // of a longer log: each holds every edge that there is by then

// Kinds that tell of a state's expansion: what it may become, and what it may not.
export function expands(kind) {
  return kind === "candidate" || kind === "forbidden";
}

// Kinds after which weights or scores may go on changing for the same reason.
export const UPDATES = ["edge_update", "update"];
const LEARNING = [...UPDATES, "weight", "rescored"];

// Kinds that only a log of tree transduction has.
const TRANSDUCTION_KINDS = [
  "source", "application", "points", "cell", "combined", "filled", "compressed", "violation",
  "solved",
];

// Kinds that only a log of parsing has, and one of compression by deletion.
const PARSING_KINDS = ["constituent", "out_of_beam", "parsed"];
const DELETION_KINDS = ["bigram", "path", "demand", "programme"];

// Kinds that tell of a training as a whole; a log may have no others.
export const SUMMARIES = ["learned", "epoch"];
const WITHOUT_SEARCHES = [...SUMMARIES, "weight"];

export class Log {
  constructor(packed) {
    this.columns = Object.fromEntries(Object.entries(packed.columns).map(([kind, columns]) =>
      [kind, columns.map(fromSteps)]));
    this.dropped = packed.dropped;
    this.why = packed.why ?? null; // of each search, by number
    this.kinds = Array.from(packed.kinds, (letter) => packed.letters[letter]);
    this.length = this.kinds.length;
    const seen = {};
    this.rows = Int32Array.from(this.kinds, (kind) => (seen[kind] = (seen[kind] ?? -1) + 1));
    this.counts = Object.fromEntries(Object.keys(seen).map((kind) => [kind, seen[kind] + 1]));
    this.bestFirst = Boolean(this.counts.leaf || this.counts.popped);
    this.parses = PARSING_KINDS.some((kind) => this.counts[kind]);
    this.deletes = !this.parses && DELETION_KINDS.some((kind) => this.counts[kind]);
    this.transduces = !this.parses && !this.deletes &&
      TRANSDUCTION_KINDS.some((kind) => this.counts[kind]);
    this.orders = !this.transduces && !this.parses && !this.deletes;
    this.spots = this.parses || this.deletes ? spotsOf(this) : null;
    const without = Object.keys(this.counts).every((kind) => WITHOUT_SEARCHES.includes(kind));
    this.summarises = without && SUMMARIES.some((kind) => this.counts[kind]);
    this.ccg = Boolean(packed.columns.leaf?.[6]?.names.some((category) => category));
    // Words are put one behind the other, and nothing is attached.
    this.leftToRight = Boolean(this.counts.candidate) &&
      !packed.columns.candidate[2].names.some((action) => action.endsWith("ARC"));
    this.falls = this.bestFirst
      ? goldFalls(this)
      : this.kinds.map((kind, i) => kind === "gold" && isFall(this.event(i)));
  }

  // The i-th event as [kind, ...columns], as Python has it.
  event(i) {
    const row = this.rows[i];
    const values = this.columns[this.kinds[i]].map((column) =>
      Array.isArray(column) ? column[row] : column.names[column.ids[row]]);
    return [this.kinds[i], ...values];
  }

  // Whether the state after k events is worth a stop: at the end of an event (of a run of features'
  // points, which may be hundreds), of one state's
  // expansion (or TOP-K), of a step of the beam, of a sentence; or at the end of an update.
  stops(k, size) {
    if (k === 0 || k === this.length) return true;
    const [now, next] = [this.kinds[k - 1], this.kinds[k]];
    if (size === "event") return now !== "points" || next !== "points";
    if (size === "update")
      return LEARNING.includes(now) && !(LEARNING.includes(next) && !UPDATES.includes(next));
    if (next === "begin" || SUMMARIES.includes(now)) return true;
    if (size === "sentence") return false;
    if (this.bestFirst) return this.stopsAtPop(now, next, size);
    if (this.transduces) return this.stopsAtCell(now, next, size);
    if (this.spots) return this.spots[k] !== this.spots[k - 1];
    if (["step", "finished", "update"].includes(next)) return true;
    if (size === "step" || next === "weight") return false;
    const selecting = (kind) => kind === "kept" || kind === "cut";
    if (selecting(next)) return !selecting(now);
    return !expands(now) || !expands(next) || this.parent(k) !== this.parent(k - 1);
  }

  // One step is one pop with all that comes of it; one expansion also stops after an update.
  stopsAtPop(now, next, size) {
    if (["popped", "stopped"].includes(next) || (next === "finished" && now !== "goal"))
      return true;
    return size === "expansion" && LEARNING.includes(now) && !LEARNING.includes(next);
  }

  // One step is one cell, and then the outputs; one expansion is one combination.
  stopsAtCell(now, next, size) {
    if (
      ["cell", "violation", "solved"].includes(next) ||
      (next === "compressed" && now !== "compressed")
    )
      return true;
    return size === "expansion" && (now === "combined" || now === "filled");
  }

  // The state that the i-th event expands.
  parent(i) {
    return this.event(i)[this.kinds[i] === "candidate" ? 2 : 1];
  }
}

// Many whole numbers come as the steps from each to the next.
function fromSteps(column) {
  let value = 0;
  return column.steps ? column.steps.map((step) => (value += step)) : column;
}

// Whether the gold state is cut here: before, it was in the beam; later it is out of reach.
function isFall([, , serial, rank]) {
  return rank < 0 && serial >= 0;
}

// Where gold edges leave the chart.
function goldFalls(log) {
  let gold = new Set();
  return log.kinds.map((kind, i) => {
    if (kind === "begin") gold = new Set();
    if (!["leaf", "edge", "pruned"].includes(kind)) return false;
    const event = log.event(i);
    if (kind !== "pruned" && event[6] === 1) gold.add(event[1]);
    return kind === "pruned" && gold.has(event[1]);
  });
}

// Of a parser's chart the cell, of a lattice the word, and else the stretch that an event belongs
// to: numbers, each other than the one before where something else begins.
function spotsOf(log) {
  let [spot, last] = [0, ""];
  return log.kinds.map((kind, i) => {
    const [, , two, three] = log.event(i);
    const told = { constituent: `${two} ${three}`, bigram: `${two}`, programme: "demand" };
    const here = kind === "out_of_beam" ? last : (told[kind] ?? kind);
    spot += here !== last;
    last = kind === "programme" ? "" : here;
    return spot;
  });
}

// JSON holds finite numbers only, as in Python; a fold never makes others.
export class Replay {
  constructor(log, view) {
    this.log = log;
    this.view = view;
    this.copy = view.copy ?? ((state) => structuredClone(state)); // a method it must not be
    this.every = Math.max(CHECKPOINT, Math.ceil(log.length / CHECKPOINTS));
    this.checkpoints = [view.start()];
    this.k = 0;
    this.state = view.start();
  }

  // The state after k events. Going on is folding on; going back starts at a checkpoint.
  at(k) {
    const nearest = Math.min(Math.floor(k / this.every), this.checkpoints.length - 1);
    if (k < this.k || nearest * this.every > this.k) {
      this.state = this.copy(this.checkpoints[nearest]);
      this.k = nearest * this.every;
    }
    while (this.k < k) {
      this.view.apply(this.state, this.log.event(this.k));
      this.k += 1;
      if (this.k === this.checkpoints.length * this.every)
        this.checkpoints.push(this.copy(this.state));
    }
    return this.state;
  }
}
