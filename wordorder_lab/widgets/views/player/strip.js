// Curves below the timeline, on its axis: the best score, and where gold is known its rank. A press
// on them goes there.

import { html, svg, textWidth } from "./dom.js";

const TALL = 26;
const NAME = 12; // pixels of the height of a name
const EDGE = 8; // half of the slider's knob: the axis begins and ends there

export class Strip {
  constructor(player, timeline) {
    this.player = player;
    this.timeline = timeline;
    this.series = player.logs.flatMap((log, which) => seriesOf(log).map((one) => ({
      ...one,
      name: player.logs.length > 1 ? `${"AB"[which]}: ${one.name}` : one.name,
      kind: `${one.kind}${which ? " wol-other" : ""}`,
      points: one.points.map(([k, value]) => [player.clock.tickOf(k, which), value]),
    })));
    this.picture = svg("svg", {
      class: "wol-strip", width: "100%", height: TALL, role: "img",
      "aria-label": `Curves: ${this.series.map(({ name }) => name).join(", ")}`,
      onclick: (event) => this.press(event),
    });
    this.element = html("div", { class: "wol-strip-room", hidden: !this.series.length },
      this.picture);
  }

  draw(width) {
    if (!this.series.length) return;
    const last = Math.max(1, this.timeline.stops.length - 1);
    const x = (tick) => EDGE + (this.timeline.place(tick) / last) * Math.max(1, width - 2 * EDGE);
    const names = this.series.map(({ name }) => name);
    const lines = this.series.map(({ points, upside }) => {
      const values = points.map(([, value]) => (upside ? -value : value));
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const y = (value) => TALL - 3 - ((value - low) / (high - low || 1)) * (TALL - 6);
      return points.map(([tick], i) => [x(tick), y(values[i])]);
    });
    const beside = placesBeside(names, lines, width);
    this.picture.setAttribute("height", beside ? TALL : TALL + NAME + 2);
    this.picture.replaceChildren(
      svg("title", {}, `${names.join(" · ")}: press to go there`),
      ...lines.map((line, i) => svg("path", {
        class: `wol-strip-line ${this.series[i].kind}`,
        d: `M${line.map((place) => place.map((one) => one.toFixed(1)).join(" ")).join("L")}`,
      })),
      ...(beside ? beside.map(([left, top], i) => nameAt(names[i], left, top + 10))
        : this.namesBelow(names)),
      (this.now = svg("line", { class: "wol-now", y1: 0, y2: TALL })),
    );
    this.x = x;
    this.show(this.player.tick);
  }

  // Where no place is free of curves: in a line below, each after a piece of its curve.
  namesBelow(names) {
    let x = EDGE;
    return names.flatMap((name, i) => {
      const from = x;
      x += 22 + textWidth(name) + 18;
      const line = { class: `wol-strip-line ${this.series[i].kind}`, d: `M${from} ${TALL + 8}h17` };
      return [svg("path", line), nameAt(name, from + 22, TALL + NAME)];
    });
  }

  show(tick) {
    if (!this.now) return;
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, this.x(tick));
  }

  press(event) {
    const { left, width } = this.picture.getBoundingClientRect();
    const share = (event.clientX - left - EDGE) / Math.max(1, width - 2 * EDGE);
    const { stops } = this.timeline;
    const at = Math.round(Math.max(0, Math.min(1, share)) * (stops.length - 1));
    this.player.go(stops[at], true);
  }
}

function nameAt(name, x, y) {
  return svg("text", { x, y, class: "wol-strip-name" }, name);
}

// Where the names of curves stand: beside their own, and neither on a curve nor on another name;
// null where there is no such place for one of them.
function placesBeside(names, lines, width) {
  const taken = [];
  for (const [i, name] of names.entries()) {
    const wide = textWidth(name);
    let best = [Infinity];
    for (const top of [0, TALL - NAME]) {
      for (let left = EDGE; left + wide < width - EDGE; left += NAME) {
        const [from, to] = [left - 4, left + wide + 4];
        const far = ([low, high]) => Math.max(low - top - NAME, top - high);
        const clear = lines.every((line) => far(heights(line, from, to)) > 0) &&
          taken.every(([other, above, end]) => above !== top || other > to || end < from);
        const away = Math.min(far(heights(lines[i], from, to)), ...beyond(lines[i], from, to, top));
        if (clear && away < best[0]) best = [away, left, top];
      }
    }
    const [, left, top] = best;
    if (left === undefined) return null;
    taken.push([left, top, left + wide]);
  }
  return taken;
}

// The lowest and the highest y of a line between two places.
function heights(line, from, to) {
  const found = line.flatMap(([x, y], i) => {
    const [before, its] = line[i - 1] ?? [x, y];
    if (x < from || before > to) return [];
    const at = (place) => (x === before ? y : its + ((y - its) * (place - before)) / (x - before));
    return [at(Math.max(from, before)), at(Math.min(to, x))];
  });
  return found.length ? [Math.min(...found), Math.max(...found)] : [Infinity, Infinity];
}

// How far a name that stands before or behind its line is from there.
function beyond(line, from, to, top) {
  const gap = ([x, y], side) => (side < 0 ? Infinity : side + Math.abs(y - top - NAME / 2));
  return [gap(line[0], line[0][0] - to), gap(line.at(-1), from - line.at(-1)[0])];
}

// What a log's curves are: points of (number of events, value). A rank is drawn upside down: the
// first is on top.
function seriesOf(log) {
  const [scores, ranks] = [[], []];
  const made = new Map();
  log.kinds.forEach((kind, i) => {
    if (!["candidate", "kept", "popped", "gold"].includes(kind)) return;
    const [, one, two, three, four] = log.event(i);
    if (kind === "candidate") made.set(one, four);
    if (kind === "kept" && two === 0) scores.push([i + 1, made.get(one) ?? 0]);
    if (kind === "popped") scores.push([i + 1, two]);
    if (kind === "gold" && three >= 0) ranks.push([i + 1, three + 1]);
  });
  const best = log.bestFirst ? "score of the popped edge" : "best score in the beam";
  return [
    { name: best, kind: "wol-strip-score", points: scores, upside: false },
    { name: "rank of gold", kind: "wol-strip-gold", points: ranks, upside: true },
  ].filter(({ points }) => points.length > 1);
}
