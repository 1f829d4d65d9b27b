// What the signs of learning over time mean.

import { swatchLine } from "../player/swatch.js";

export function learningLegend() {
  return [
    ["examples", "sentences in the order of learning; each comes once an epoch"],
    ["┊", "a new epoch begins; the dashed line is now"],
    ["margin", "by how much the right side was ahead when the weights had to move; below 0 the " +
      "wrong one was"],
    ["before the first mistake", "actions (of a best-first search, pops) that were gold, until " +
      "the first that was not, of all of the sentence"],
    ["norm", "the root of the sum of all squared weights"],
    [swatchLine("blue"), "a curve so far; press a place on it to go there"],
    ["moved", "by how much a weight went up and down, added up"],
  ];
}
