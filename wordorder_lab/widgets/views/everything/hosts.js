// A player with every view there is, as a notebook has it: which log it will be given next, nobody
// knows.

import { decoderView } from "../decoder/view.js";
import { deletionView } from "../deletion/view.js";
import { parsingView } from "../parsing/view.js";
import { mountPlayer, renderPlayer } from "../player/mounting.js";
import { VIEWS } from "../player/views.js";

function addEverything() {
  VIEWS.parsing ??= parsingView;
  VIEWS.deletion ??= deletionView;
  VIEWS.decoder ??= decoderView;
}

function render(given) {
  addEverything();
  return renderPlayer(given);
}

export function mountEverything(page) {
  addEverything();
  mountPlayer(page);
}

export default { render };
