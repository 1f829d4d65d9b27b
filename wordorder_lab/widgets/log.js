// An event log, unpacked from columns, and its replay: the state of a view after k events.

const CHECKPOINT = 256;

// Kinds that tell of a state's expansion: what it may become, and what it may not.
function expands(kind) {
  return kind === "candidate" || kind === "forbidden";
}

class Log {
  constructor(packed) {
    this.columns = packed.columns;
    this.dropped = packed.dropped;
    this.kinds = Array.from(packed.kinds, (letter) => packed.letters[letter]);
    this.length = this.kinds.length;
    const seen = {};
    this.rows = Int32Array.from(this.kinds, (kind) => (seen[kind] = (seen[kind] ?? -1) + 1));
    this.counts = Object.fromEntries(Object.keys(seen).map((kind) => [kind, seen[kind] + 1]));
  }

  // The i-th event as [kind, ...columns], as Python has it.
  event(i) {
    const row = this.rows[i];
    const values = this.columns[this.kinds[i]].map((column) =>
      Array.isArray(column) ? column[row] : column.names[column.ids[row]]);
    return [this.kinds[i], ...values];
  }

  // Whether the state after k events is worth a stop: at the end of an event, of one state's
  // expansion (or TOP-K), of a step of the beam, of a sentence.
  stops(k, size) {
    if (k === 0 || k === this.length || size === "event") return true;
    const [now, next] = [this.kinds[k - 1], this.kinds[k]];
    if (next === "begin") return true;
    if (size === "sentence") return false;
    if (["step", "finished", "update"].includes(next)) return true;
    if (size === "step" || next === "weight") return false;
    const selecting = (kind) => kind === "kept" || kind === "cut";
    if (selecting(next)) return !selecting(now);
    return !expands(now) || !expands(next) || this.parent(k) !== this.parent(k - 1);
  }

  // The state that the i-th event expands.
  parent(i) {
    return this.event(i)[this.kinds[i] === "candidate" ? 2 : 1];
  }
}

// JSON holds finite numbers only, as in Python; a fold never makes others.
class Replay {
  constructor(log, view) {
    this.log = log;
    this.view = view;
    this.copy = view.copy ?? structuredClone;
    this.checkpoints = [view.start()];
    this.k = 0;
    this.state = view.start();
  }

  // The state after k events. Going on is folding on; going back starts at a checkpoint.
  at(k) {
    const nearest = Math.min(Math.floor(k / CHECKPOINT), this.checkpoints.length - 1);
    if (k < this.k || nearest * CHECKPOINT > this.k) {
      this.state = this.copy(this.checkpoints[nearest]);
      this.k = nearest * CHECKPOINT;
    }
    while (this.k < k) {
      this.view.apply(this.state, this.log.event(this.k));
      this.k += 1;
      if (this.k === this.checkpoints.length * CHECKPOINT) this.checkpoints.push(this.copy(this.state));
    }
    return this.state;
  }
}

async function unsqueeze(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
