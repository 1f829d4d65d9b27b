// Where the board of constraints lives: on a page, which may stand inside a notebook.

import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { Board } from "./board.js";

function render({ model, el }) {
  const root = html("section");
  el.replaceChildren(root);
  return new Board(root, model.get("data"));
}

export function mountBoard({ place, data }) {
  const root = html("section");
  place.append(root);
  globalThis.wordorderBoard = new Board(root, data);
  followAddress(place, root);
}

export default { render };
