// What the signs of the agenda's picture mean.

import { swatch, swatchLine } from "../player/swatch.js";

export function agendaLegend() {
  return [
    ["edge", "a phrase that is built: words in an order, with their heads or a category"],
    ["2.", "rank on the agenda: the edge at 1 is popped next"],
    ["17", "the number of an edge: it was made as the 17th"],
    ["◆", "popped: the edge that was taken off the agenda last"],
    ["▲", "an edge that this pop has made"],
    ["✕", "out, pruned with this pop: it is in the search no more"],
    ["◉", "pinned: the edge that you follow; click another one to follow that"],
    ["★", "gold: a part of the sentence as it was written"],
    [swatch("sky"), "the score as a bar, to the right of zero"],
    [swatch("empty"), "the same below zero, to the left"],
    [swatch("gold"), "the score of a gold edge"],
    ["underlined", "the head of an edge: edges of the same words may differ in it"],
    ["(saw → dog)", "an arc from head to dependent: in this it differs from an edge that reads " +
      "alike; (of 3 + 8): its parts"],
    [swatchLine("soft"), "rank flow: an edge among the best ten, from pop to pop; press it to " +
      "follow it"],
    [swatchLine("blue"), "a number from pop to pop; the last one is now"],
    [swatchLine("orange"), "the rank of the best gold edge; ✕: a wrong edge was popped before it"],
    ["NN, VBD, …", "tags of the Penn Treebank: noun, verb in the past, …"],
    ["S\\NP", "a CCG category: a sentence that still needs a noun phrase on its left; / on its " +
      "right"],
  ];
}
