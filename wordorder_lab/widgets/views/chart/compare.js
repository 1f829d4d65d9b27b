// The difference of two charts, where both logs are looked at on one clock.

import { plural } from "../player/words.js";
import { edgeWords } from "../search/edges.js";
import { edgeOf } from "../search/search.js";

const CHART_SHAPES = new WeakMap();

// What makes two edges of two searches the same: their words with tags, in order, and their heads;
// in CCG every step of their derivations.
function chartShape(state, serial) {
  const edge = edgeOf(state, serial);
  let shape = CHART_SHAPES.get(edge);
  if (!shape)
    CHART_SHAPES.set(
      edge,
      (shape = edge.category ? chartSteps(state, edge) : JSON.stringify(edgeWords(state, serial))),
    );
  return shape;
}

function chartSteps(state, { form, pos, category, action, left, right }) {
  const parts = [left, right].filter((part) => part).map((part) => chartShape(state, part));
  const names = left ? [category, action] : [category, form, pos];
  return `[${[...names.map((text) => JSON.stringify(text)), ...parts]}]`;
}

// Which edges of this chart are in the other one too; how many are in one of them alone.
export function chartCompared(state, other) {
  const there = new Set(other.chart.map((serial) => chartShape(other, serial)));
  const here = new Set(state.chart.map((serial) => chartShape(state, serial)));
  const both = new Set(state.chart.filter((serial) => there.has(chartShape(state, serial))));
  const shared = [...here].filter((shape) => there.has(shape)).length;
  return { both, shared, here: here.size - shared, there: there.size - shared };
}

export function sayCompared({ shared, here, there }, name) {
  const other = name === "A" ? "B" : "A";
  return (
    `Beside ${other}: ${shared} of ${plural(shared + here + there, "different edge")} in ` +
    "both charts (=) · " +
    `${here} only in ${name} (◇) · ${there} only in ${other}`
  );
}

// The mark of an edge of the chart: a shape and a word.
export function compareMark(compared, serial, name) {
  return compared.both.has(serial) ? "= both" : `◇ only ${name}`;
}
