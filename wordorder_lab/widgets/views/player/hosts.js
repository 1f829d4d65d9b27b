// The player's module: what anywidget and a page of its own ask for.

import { mountPlayer, renderPlayer } from "./mounting.js";

function render(given) {
  return renderPlayer(given);
}

export function mountPage(page) {
  mountPlayer(page);
}

export default { render };
