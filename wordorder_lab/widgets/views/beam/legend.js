// What the signs of the beam's picture mean.

import { swatch, swatchLine } from "../player/swatch.js";

export function beamLegend() {
  return [
    ["SHIFT led/VBD", "the action that led to this state: put the word “led” with the tag VBD " +
      "on the stack"],
    ["LEFTARC", "the top of the stack takes the word below it as a dependent on its left"],
    ["RIGHTARC", "the word below the top takes the top as a dependent on its right"],
    ["2.", "rank in the beam: the best score is 1"],
    ["4.13", "score: the sum of the weights of all features so far"],
    ["[the dog] [saw]", "the stack: phrases that are built, the newest on the right"],
    ["(saw → dog)", "an arc from head to dependent: in this it differs from a state that reads " +
      "alike; (dog/NN): a tag"],
    ["bag: a ×2", "words that are not used yet, here “a” twice"],
    ["✂ 0.4 behind", "cut: its score is 0.4 below that of the last state that was kept; tie: as " +
      "good, but made later"],
    ["● ○", "in the map above: a state that was kept, one that was cut; a column is a step, the " +
      "best is on top"],
    ["★", "gold: a state on the way to the sentence as it was written"],
    ["2 forbidden", "so many actions are not allowed here by what is given; the reasons stand " +
      "below (✓ possible, → taken, ✕ forbidden)"],
    [swatch("plain"), "a state in the beam"],
    [swatch("dotted"), "a candidate that is not judged yet"],
    [swatch("dashed"), "a state that is cut"],
    [swatch("blue"), "the state that is looked at, and those that led to it"],
    [swatch("orange"), "the gold state"],
    [swatchLine("soft"), "from a state to what was made of it"],
    [swatchLine("green"), "an arc from a head to its dependent"],
    ["underlined", "a word that is still on the stack: it has no head yet"],
    ["▲ update", "here the learner changes weights: + up, − down"],
  ];
}
