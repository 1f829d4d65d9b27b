// What the signs of the span-length view mean.

export function spansLegend() {
  return [
    ["span", "neighbouring words that are one phrase; its length is how many words it has"],
    ["made", "all that the search has built"],
    ["kept", "what stayed in the beam, or entered the chart"],
    ["gold", "the spans of the sentence as it was written"],
    ["best", "those of the sentence that won"],
    ["bars", "a bar says which share of the spans has this length"],
    ["press a length", "or draw over several: the spans behind the bars, each with the way to " +
      "where it was made"],
    ["the map", "lengths from bottom to top, steps or pops from left to right: the darker a " +
      "cell, the more spans; the line is their mean length"],
    ["12+", "this row has all longer ones, too"],
  ];
}
