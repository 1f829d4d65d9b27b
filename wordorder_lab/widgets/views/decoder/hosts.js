// A player that has the game "you are the decoder" in its list of views; the page of a player
// without it is smaller.

import { mountPlayer, renderPlayer } from "../player/mounting.js";
import { VIEWS } from "../player/views.js";
import { decoderView } from "./view.js";

function addDecoder() {
  VIEWS.decoder ??= decoderView;
}

function render(given) {
  addDecoder();
  return renderPlayer(given);
}

export function mountDecoder(page) {
  addDecoder();
  mountPlayer(page);
}

export default { render };
