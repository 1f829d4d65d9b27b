// Where a sweep lives: in a notebook with a kernel behind it, or on a page, which may stand inside
// another one.

import { deletionView } from "../deletion/view.js";
import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { VIEWS } from "../player/views.js";
import { transductionView } from "../transduction/view.js";
import { Sweep } from "./sweep.js";

// anywidget asks for this. A value that was not run is searched by the kernel.
function render({ model, el }) {
  VIEWS.transduction ??= transductionView;
  VIEWS.deletion ??= deletionView;
  const root = html("section");
  el.replaceChildren(root);
  const asked = new Map();
  const ask = (message) => new Promise((resolve) => {
    asked.set(asked.size + 1, resolve);
    model.send({ ...message, id: asked.size });
  });
  const host = {
    page: (use) => ask({ wants: "page" }).then(use),
    search: (value) => ask({ wants: "run", value }),
  };
  const sweep = new Sweep(root, model.get("data"), host);
  const answered = (message) => asked.get(message.id)?.(message.answer);
  const changed = () => sweep.fill(model.get("data"));
  model.on("msg:custom", answered);
  model.on("change:data", changed);
  return () => {
    model.off("msg:custom", answered);
    model.off("change:data", changed);
    sweep.player?.destroy();
  };
}

// Its address says which value is looked at, counted from 1: `#value=3`. As a part of another page
// it may be small, without the players: `#small`.
export function mountSweep({ place, source, data }) {
  VIEWS.transduction ??= transductionView;
  VIEWS.deletion ??= deletionView;
  const root = html("section");
  place.append(root);
  const sweep = new Sweep(root, data, { page: (use) => use(source), search: null });
  root.classList.toggle("wol-sweep-small", window.location.hash === "#small");
  const read = () => {
    const [, value] = /^#value=(\d{1,3})$/.exec(window.location.hash) ?? [];
    if (value) sweep.choose(Number(value) - 1);
  };
  globalThis.wordorderSweep = sweep;
  followAddress(place, root, read);
}

export default { render };
