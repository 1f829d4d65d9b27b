// What the signs of the picture of tree transduction mean.

import { swatch } from "../player/swatch.js";

export function transductionLegend() {
  return [
    ["S → VP", "a rule, as two small trees: at a source node S it builds a target phrase VP"],
    ["application", "a rule at one node of the source tree, with its number"],
    ["①", "a variable: what stands at it on the left is translated and goes to the same number " +
      "on the right"],
    ["ε, struck out", "deleted: the rule leaves these words out"],
    ["— ⤫ ┄", "from a source word to the word it became: in its place, moved, replaced"],
    ["click a node", "the rules that match there"],
    ["cell", "everything that can be built at a source node with one target category"],
    ["item", "one result of a cell: a target phrase with its score"],
    ["rank 2", "the second best item of a child's cell, with a guess at the n-grams that are " +
      "still open at its left edge"],
    ["−1.15 (−2.73)", "the right score, and in brackets the heuristic: the guess without the " +
      "n-grams at the seams (of single words instead), by which combinations are taken"],
    ["frontier", "combinations that wait in the queue: one of them is taken next"],
    ["new, better, worse", "it made an item, replaced a worse one with the same ends, or lost to " +
      "one"],
    ["n-grams", "the log probability of word sequences that arise at the seams"],
    ["loss", "in learning: how wrong it is, counted as a bonus, to find the worst mistake"],
    ["✓ used, ▸ now", "in the output that is shown; being combined now"],
    [swatch("orange"), "the node whose cell is filled, the combination taken last, a word that " +
      "has moved"],
    ["blue label", "the rule that is shown stands at this node"],
    [swatch("blue"), "what you chose: press a node for the rules that match there; where the " +
      "rule stands in both trees; a word that is new"],
    [swatch("sky"), "a combination that was taken"],
    [swatch("dashed"), "the frontier"],
    ["★ item 2", "it is kept, as the second best item of its cell"],
    ["hatched", "skipped: nobody has looked at it; where it was taken, the search beside has not"],
  ];
}
