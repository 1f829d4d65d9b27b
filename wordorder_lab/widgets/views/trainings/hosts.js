// Where trainings over each other live: on a page, which may stand inside a notebook.

import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { Trainings } from "./trainings.js";

function render({ model, el }) {
  const root = html("section");
  el.replaceChildren(root);
  return new Trainings(root, model.get("data"), "");
}

export function mountTrainings({ place, source, data }) {
  const root = html("section");
  place.append(root);
  globalThis.wordorderTrainings = new Trainings(root, data, source);
  followAddress(place, root, () => null);
}

export default { render };
