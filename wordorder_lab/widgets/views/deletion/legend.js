// What the signs of the picture of deletion mean.

import { swatchLine } from "../player/swatch.js";

export function deletionLegend() {
  return [
    ["lattice", "every word is a place; an arc says that two words are neighbours in what stays, " +
      "and all between them goes"],
    [swatchLine("blue"), "the best way so far; at the end the path that is shown"],
    [swatchLine("orange"), "the arc that was scanned last"],
    [swatchLine("soft"), "arcs into this word, and the best arc into each word before"],
    ["grey, struck out", "left out on this way"],
    ["score", "what the model gives for two neighbours and what goes between them"],
    ["total", "the score of the best way from the start that ends with this arc; a bonus for " +
      "every word, if there is one, is in it"],
    ["click a word", "all ways into it, the best first; press it again to go back"],
    ["path 2", "the second best way: press it to see it in the lattice"],
    ["●, ○", "a word that this row is about: it stays, it is left out"],
    ["✗, ✓", "whether the best choice without constraints would break a row of the programme"],
    ["+ −", "words that the programme keeps and the best path does not, and the other way round"],
  ];
}
