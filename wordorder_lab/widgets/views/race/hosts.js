// Where a race lives: in a notebook, or on a page of its own.

import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { Race } from "./race.js";

// anywidget asks for this. The page is made in Python.
function render({ model, el }) {
  const root = html("section");
  const waiting = [];
  el.replaceChildren(root);
  const host = {
    page(use) {
      waiting.push(use);
      model.send({ wants: "page" });
    },
  };
  const race = new Race(root, model.get("data"), host);
  const answered = (message) => message.page && waiting.shift()?.(message.page);
  model.on("msg:custom", answered);
  return () => {
    model.off("msg:custom", answered);
    race.destroy();
  };
}

export function mountRace({ place, source, data }) {
  const root = html("section");
  place.append(root);
  const race = new Race(root, data, { page: (use) => use(source) });
  globalThis.wordorderRace = race;
  followAddress(place, root);
}

export default { render };
