// You are the decoder: you choose what a search does next, then the model's score and rank of your
// choice are shown, and gold's.

import { searchApply, searchCopy, searchStart } from "../search/search.js";
import { decoderPicture, decoderRows } from "./picture.js";
import { decoderLegend } from "./legend.js";

export const decoderView = {
  title: "You are the decoder",
  suits: (log) => log.orders && Boolean(log.counts.candidate || log.counts.popped),
  alone: true,
  least: 12,
  start: searchStart, // which search it is, and what the pseudo-code asks for
  apply: searchApply,
  copy: searchCopy,
  draw: decoderPicture,
  get legend() {
    return decoderLegend();
  },
  describe: (state) =>
    state.search
      ? "Choose below what the search does next."
      : "No search has begun yet: press the right arrow key.",
  table: decoderRows,
};
