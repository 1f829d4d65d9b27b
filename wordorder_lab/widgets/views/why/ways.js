// Why a way into a word of the lattice is the best one: it is laid beside the next best. Without a
// lattice, what a programme keeps is laid beside the best choice without its rows.

import { sayArc } from "../deletion/arcs.js";
import { deletionLook, wordAt } from "../deletion/look.js";

// The ways into a word as numbers of bigrams, from 1, the best first.
function waysOf(state, place) {
  const { ways } = deletionLook(state, { selected: place, kept: {} });
  return ways.map((one) => state.bigrams.indexOf(one) + 1);
}

const CHOICES_SAID = { programme: "the choice with the rows", "path 0": "the choice without them" };

export const wayReasons = {
  item: (state, place) => state.bigrams.length ? waysOf(state, place)[0]
    : state.programmes.length ? "programme" : "path 0",

  name(state, item) {
    const bigram = state.bigrams[item - 1];
    return CHOICES_SAID[item]
      ?? (bigram ? `“${wordAt(state, bigram[1])}” ${sayArc(state, bigram)}` : "the start");
  },

  rivals: (state, place) => state.bigrams.length
    ? waysOf(state, place).slice(1).map((way, i) =>
      [way, i ? "another way" : "the next best way"])
    : state.programmes.length ? [["path 0", "beside it"]] : [],
};
