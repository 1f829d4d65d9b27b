// A player for single sentences: a parser's chart, and compression, by rules of trees or by
// deletion. The page of a player without them is smaller.

import { deletionView } from "../deletion/view.js";
import { parsingView } from "../parsing/view.js";
import { mountPlayer, renderPlayer } from "../player/mounting.js";
import { VIEWS } from "../player/views.js";
import { transductionView } from "../transduction/view.js";

function addSentences() {
  VIEWS.transduction ??= transductionView;
  VIEWS.parsing ??= parsingView;
  VIEWS.deletion ??= deletionView;
}

function render(given) {
  addSentences();
  return renderPlayer(given);
}

export function mountSentences(page) {
  addSentences();
  mountPlayer(page);
}

export default { render };
