// Where compressions stand side by side: on a page, which may stand inside a notebook.

import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { Compressions } from "./compressions.js";

function render({ model, el }) {
  const root = html("section");
  el.replaceChildren(root);
  return new Compressions(root, model.get("data"));
}

export function mountCompressions({ place, data }) {
  const root = html("section");
  place.append(root);
  globalThis.wordorderCompressions = new Compressions(root, data);
  followAddress(place, root);
}

export default { render };
