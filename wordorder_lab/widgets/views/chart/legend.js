// What the signs of the chart's picture mean.

import { swatch } from "../player/swatch.js";

export function chartLegend() {
  return [
    ["edge", "a phrase that is built: words in an order, with their heads or a category"],
    ["17", "the number of an edge: it was made as the 17th"],
    ["0.92", "its score; the line at the foot says how good that is among all that are popped"],
    [swatch("sky"), "in the map: an edge of the chart, the darker the better its score; a column " +
      "is a number of units, to press"],
    [swatch("gold"), "a gold edge there; green is a goal, a hollow tile an edge that is out"],
    ["{ a · dog }", "a cell: all edges over these words, in any order, stand in its frame"],
    ["underlined", "the root of the edge: the word that a link is made to"],
    ["NP, VBD", "the tag of a word that stands alone"],
    ["S\\NP", "a CCG category: a sentence that still needs a noun phrase on its left; / on its " +
      "right"],
    ["p 0.90", "the probability that a supertagger gave a word's category"],
    ["◆", "popped: it meets every edge of the chart, and what they make goes on the agenda"],
    ["+", "it has entered the chart at this pop"],
    ["☆", "a goal: an edge that has all the words"],
    ["✂", "not in the chart any more, and why"],
    ["★", "gold: a part of the sentence as it was written"],
    ["= both, ◇ only A", "with two logs: whether the other chart has the same edge"],
    ["L, R; ①", "the left and the right part that an edge was made of; the edges that you " +
      "picked (shift-click, or p)"],
    [swatch("plain"), "an edge in the chart"],
    [swatch("dotted"), "one that is being expanded, or waits"],
    [swatch("dashed"), "one that is out"],
    [swatch("blue"), "the edge that is looked at, and its parts; these have a bar on their left"],
    [swatch("orange"), "a gold edge"],
  ];
}
