// A player with every view there is, as a notebook has it: which log it will be given next, nobody
// knows; and a page on which one may ask why a score is what it is.

import { decoderView } from "../decoder/view.js";
import { deletionView } from "../deletion/view.js";
import { parsingView } from "../parsing/view.js";
import { mountPlayer, renderPlayer } from "../player/mounting.js";
import { EXTRAS, VIEWS } from "../player/views.js";
import { transductionView } from "../transduction/view.js";
import { Why } from "../why/why.js";

function addEverything() {
  VIEWS.parsing ??= parsingView;
  VIEWS.transduction ??= transductionView;
  VIEWS.deletion ??= deletionView;
  VIEWS.decoder ??= decoderView;
  EXTRAS.Why = Why;
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
