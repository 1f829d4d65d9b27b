// What the model does not know of an output: how a view keeps it, and the line that says it.

import { capital } from "./words.js";

export function keepDoubts(state, says, unknown, ties) {
  state.doubts = { says, unknown, ties };
}

export function doubtsLine({ doubts }, name) {
  return doubts?.says ? `${name && `${name}: `}${capital(doubts.says)}.` : null;
}
