// What the signs of a parser's chart mean.

import { swatch, swatchLine } from "../player/swatch.js";

export function parsingLegend() {
  return [
    ["cell", "a run of words; it holds every label that they can have, each with its best score"],
    ["NP −12.3", "a label with the log probability of its best tree: nearer to 0 is better"],
    ["= DT + NN", "the two parts it is made of: this split won over all others"],
    ["NP~base^S", "a label as the grammar has it: with marks of its own, and of what is above it"],
    ["@", "a label inside a rule with more than two parts; the tree leaves it out"],
    ["struck out", "fell out of the beam: too far below the best of its cell"],
    [swatch("empty"), "a cell that is not filled, or has no label"],
    [swatch("plain"), "a cell with labels; its best one is written in it"],
    [swatch("orange"), "the cell that is looked at: press another one, and again to go back"],
    [swatch("sky"), "a part of the tree of that cell's constituent"],
    [swatchLine("blue"), "back-pointers: from a constituent to its parts"],
  ];
}
