// The mean of what is selected, its interval and, of two models, the paired test: the bootstrap
// over sentences, as Python's `means_of` has it, to the last bit.

import { html } from "../player/dom.js";
import { plural } from "../player/words.js";

const RESAMPLED = 1000;
const BEYOND_ENDS = RESAMPLED / 40 - 1; // at each end: 95 % are between
const RESAMPLED_FROM = 12345;
const MIXING = [[15, 0x9e3779b1], [16, 0x85ebca6b], [13, 0xc2b2ae35]];
const MEASURED_AFTER = 60; // milliseconds without a change: a brush that moves is not held up

// For each column of values, one a sentence: { mean, low, high, p }, p of the mean being 0.
function meansOf(columns) {
  const count = columns[0].length;
  if (!count) return columns.map(() => null);
  const sums = columns.map(() => new Float64Array(RESAMPLED));
  for (let i = 0; i < RESAMPLED; i += 1) {
    for (let j = 0; j < count; j += 1) {
      const place = drawnPlace(i * count + j + RESAMPLED_FROM, count);
      for (let c = 0; c < columns.length; c += 1) sums[c][i] += columns[c][place];
    }
  }
  return columns.map((values, c) =>
    meanBetween(sums[c].map((sum) => sum / count), addedUp(values) / count));
}

function meanBetween(sampled, mean) {
  const centre = addedUp(sampled) / RESAMPLED;
  const apart = Math.abs(mean) - 1e-12;
  const beyond = sampled.filter((one) => Math.abs(one - centre) >= apart).length;
  const ranked = sampled.sort();
  const [low, high] = [ranked[BEYOND_ENDS], ranked[RESAMPLED - 1 - BEYOND_ENDS]];
  return { mean, low, high, p: (beyond + 1) / (RESAMPLED + 1) };
}

function addedUp(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

function drawnPlace(serial, count) {
  let mixed = serial >>> 0;
  for (const [shift, factor] of MIXING) mixed = Math.imul(mixed ^ (mixed >>> shift), factor);
  mixed = (mixed ^ (mixed >>> 16)) >>> 0;
  return Math.floor((mixed / 2 ** 32) * count);
}

// The line above the table.
export class Measured {
  constructor(explorer) {
    this.explorer = explorer;
    this.columns = explorer.rows.columns.filter(({ name }) =>
      /^(bleu|relation_f1)(_[ab])?$|^difference$/.test(name));
    this.element = html("p", { class: "wol-measured" });
  }

  draw() {
    clearTimeout(this.waits);
    this.element.setAttribute("aria-busy", "true");
    this.waits = setTimeout(() => this.measure(), MEASURED_AFTER);
  }

  measure() {
    const { rows, selected } = this.explorer;
    this.means = meansOf(this.columns.map(({ name }) =>
      Float64Array.from(selected, (place) => rows.numbers[name][place])));
    this.element.removeAttribute("aria-busy");
    const told = this.columns.map((column, i) => this.means[i] && this.tell(column, this.means[i]));
    this.element.replaceChildren(
      html("span", {}, `Mean of ${plural(selected.length, "sentence")}:`),
      ...(selected.length ? told : ["none is selected"]));
  }

  tell({ name, label }, { mean, low, high, p }) {
    const { relation_f1: share, relation_f1_a: shares } = this.explorer.rows.numbers;
    const shown = (value) => value.toFixed(share || shares ? 3 : 2).replace("-", "−");
    const apart = name === "difference";
    const test = apart ? `, p ${p < 0.0011 ? "≤ 0.001" : `= ${p.toFixed(3)}`}` : "";
    const says = "95 % of a thousand resampled means are between these two (bootstrap over " +
      `sentences)${apart ? "; p: how often chance alone moves the mean so far from 0" : ""}`;
    return html("span", { title: says }, html("b", {}, `${label} ${shown(mean)}`),
      ` (95 %: ${shown(low)} to ${shown(high)})${test}`);
  }
}
