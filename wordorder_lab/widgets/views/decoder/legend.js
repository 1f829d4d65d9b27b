// What the signs of the game mean.

import { swatch, swatchLine } from "../player/swatch.js";

export function decoderLegend() {
  return [
    ["SHIFT led/VBD", "put the word “led” with the tag VBD behind the words so far, on the stack"],
    ["LEFTARC", "the top of the stack takes the word below it as a dependent on its left"],
    ["RIGHTARC", "the word below the top takes the top as a dependent on its right"],
    ["edge", "a phrase that is built; the one that is popped next is joined with others"],
    ["“the” ← “dog”", "two phrases become one: the arrow goes from the head to its dependent"],
    ["= S\\NP by >", "a CCG category that two phrases get, and the sign of the rule"],
    ["◉", "your choice"],
    ["▲", "what the model would do: its best score, of equal ones the one made first"],
    ["★", "gold: a part of the sentence as it was written"],
    ["2.", "the model’s rank among all options, also those that are not shown; equals share one"],
    ["a point", "for a choice that is gold; where gold is no option or is not known, for one " +
      "that the model ranks first"],
    [swatch("blue"), "your choice, framed"],
    [swatch("orange"), "gold, framed"],
    [swatchLine("green"), "an arc from a head to its dependent"],
  ];
}
