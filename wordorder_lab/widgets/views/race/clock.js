// The clock of a race: when each output came, in seconds or in expansions, and where that is on the
// axis.

import { plural } from "../player/words.js";

const CLOCKS = {
  seconds: { name: "seconds", at: (row) => row.seconds },
  expansions: { name: "expansions", at: (row) => row.expansions },
};
const FAR_APART = 8; // so many times as long as the first racer takes the last: a logarithmic axis

export class RaceClock {
  constructor(racers, name) {
    this.name = name;
    this.at = CLOCKS[name].at;
    this.ends = racers.map(({ rows }) => this.at(rows.at(-1)));
    this.last = Math.max(...this.ends, Number.MIN_VALUE);
    const least = Math.min(...this.ends.filter((end) => end > 0), this.last);
    this.unit = this.last > FAR_APART * least ? least / 20 : 0; // 0: an even axis
    const every = racers.flatMap(({ rows }) => rows.map((row) => this.at(row)));
    this.times = [...new Set([0, ...every])].sort((a, b) => a - b);
  }

  // Where a time stands on the axis, from 0 to 1; and the time that stands there.
  share(time) {
    if (!this.unit) return time / this.last;
    return Math.log1p(time / this.unit) / Math.log1p(this.last / this.unit);
  }

  timeAt(share) {
    if (!this.unit) return share * this.last;
    return Math.expm1(share * Math.log1p(this.last / this.unit)) * this.unit;
  }

  // The last tick that is not after a time.
  tickAt(time) {
    return Math.max(0, this.times.findLastIndex((one) => one <= time * (1 + 1e-12)));
  }

  // The output that a racer has at a time; null before the first.
  rowAt({ rows }, time) {
    return rows.findLast((row) => this.at(row) <= time) ?? null;
  }

  // Who ended before whom: 1 for the first; equal ends share a place.
  place(which) {
    return 1 + this.ends.filter((end) => end < this.ends[which]).length;
  }

  say(time) {
    if (this.name === "expansions") return plural(Math.floor(time), "expansion");
    return time >= 1 ? `${digits(time)} s` : `${digits(1000 * time)} ms`;
  }

  // Round times for the axis, of which no two stand closer than `room` of it.
  marks(room) {
    const [marks, steps] = [[0], [1, 2, 5]];
    const from = this.unit ? Math.floor(Math.log10(this.unit)) : Math.log10(this.last) - 1.4;
    for (let power = Math.floor(from); 10 ** power <= this.last; power += 1) {
      for (const step of steps) {
        const time = step * 10 ** power;
        const canBe = this.name === "seconds" || time >= 1;
        const before = this.share(marks.at(-1));
        if (canBe && time <= this.last && this.share(time) - before >= room) marks.push(time);
      }
    }
    return marks;
  }
}

function digits(value) {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}

export const CLOCK_NAMES = Object.keys(CLOCKS);
