// Where a sweep lives: on a page, which may stand inside a notebook.

import { deletionView } from "../deletion/view.js";
import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { VIEWS } from "../player/views.js";
import { Sweep } from "./sweep.js";

function render({ model, el }) {
  const root = html("section");
  el.replaceChildren(root);
  return new Sweep(root, model.get("data"), "");
}

// Its address says which value is looked at, counted from 1: `#value=3`.
export function mountSweep({ place, source, data }) {
  VIEWS.deletion ??= deletionView;
  const root = html("section");
  place.append(root);
  const sweep = new Sweep(root, data, source);
  const read = () => {
    const [, value] = /^#value=(\d{1,3})$/.exec(window.location.hash) ?? [];
    if (value) sweep.choose(Number(value) - 1);
  };
  globalThis.wordorderSweep = sweep;
  followAddress(place, root, read);
}

export default { render };
