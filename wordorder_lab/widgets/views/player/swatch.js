// Small samples of frames, bars and lines for the legends of the views.

import { svg } from "./dom.js";

const SOFT = "fill: none; stroke: var(--wol-soft); stroke-width: 1.4;";
const SAMPLES = {
  plain: "fill: var(--wol-faint); stroke: var(--wol-soft); stroke-width: 1.4;",
  dotted: `${SOFT} stroke-dasharray: 2 3;`,
  dashed: `${SOFT} stroke-dasharray: 5 3;`,
  empty: SOFT,
  blue: "fill: var(--wol-faint); stroke: var(--wol-blue); stroke-width: 3;",
  orange: "fill: var(--wol-faint); stroke: var(--wol-orange); stroke-width: 3;",
  sky: "fill: var(--wol-sky); stroke: var(--wol-blue); stroke-width: 1;",
  won: "fill: var(--wol-blue); stroke: none;",
  red: "fill: var(--wol-vermillion); stroke: none;",
  gold: "fill: var(--wol-orange); stroke: none;",
};

function sample(shape) {
  return svg(
    "svg",
    { width: 24, height: 14, viewBox: "0 0 24 14", "aria-hidden": "true" },
    shape,
  );
}

// A frame or a bar in one of these looks.
export function swatch(look) {
  return sample(svg("rect", { x: 2, y: 2, width: 20, height: 10, rx: 2, style: SAMPLES[look] }));
}

// A line, by the name of its colour.
export function swatchLine(colour, dashed = false) {
  const style = `fill: none; stroke: var(--wol-${colour}); stroke-width: 2;`;
  const dashes = dashed ? "4 3" : null;
  return sample(svg("path", { d: "M1 10C8 10 14 4 23 4", style, "stroke-dasharray": dashes }));
}
