// What the signs of the picture of parameter updates mean.

import { swatch, swatchLine } from "../player/swatch.js";

export function updatesLegend() {
  return [
    ["▲ Update", "weights change here; △: there was a reason to look, but no weight moves"],
    ["★ +", "the positive side: what ought to have been ahead, gold"],
    ["−", "the negative side: what the search preferred"],
    ["margin", "the score of the positive side minus that of the negative side; below 0 the " +
      "wrong one is ahead"],
    ["step", "how far the weights move, times the difference"],
    ["rescored", "edges that were made before and have a new score now"],
    ["difference", "how many times more the positive side has a feature"],
    ["0.5 → 1.5 ▲", "the weight before and after; ▲ up, ▽ down"],
    ["points", "what a feature brings to the margin: its weight × the difference, before the " +
      "update and after it"],
    [swatch("orange"), "the positive side"],
    [swatch("dashed"), "the negative side"],
    [swatchLine("vermillion"), "words, arcs and steps in this colour: the other side has not got " +
      "them, or not in this order"],
    [swatch("dashed"), "a bar to the left, hollow: points lost, for the wrong side"],
    [swatch("sky"), "a bar to the right: points won, for the right side"],
    ["WORD, POS", "the word itself, and its tag; (h): of the head, (m): of the dependent, (s): " +
      "of its neighbour on the same side"],
    ["dir, dist", "on which side the dependent stands, and how far away"],
    ["S0w, S1p", "the word at the top of the stack, the tag of the one below it; ,l and ,r: its " +
      "outermost dependents"],
    ["w-1w0", "the last two words of the sentence so far; p: their tags"],
    ["feature", "in plain words, and below them its template with the values; press it for its " +
      "history"],
  ];
}
