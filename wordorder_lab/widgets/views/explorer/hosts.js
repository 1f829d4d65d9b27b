// Where an explorer lives: in a notebook with a kernel behind it, or on a page of its own.

import { html } from "../player/dom.js";
import { followAddress } from "../player/height.js";
import { Explorer } from "./explorer.js";

const SETTLED = 120; // milliseconds without a change until Python hears of a filter
const PATIENT = 60000; // milliseconds that a recording may take

// anywidget asks for this. The filter and the row that is looked at go back to Python.
function render({ model, el }) {
  let explorer = null;
  let late = null;
  const asked = new Map();
  let questions = 0;
  const ask = (message) => {
    questions += 1;
    const id = questions;
    model.send({ ...message, id });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error("The kernel does not answer: run the cell again first.")),
        PATIENT,
      );
      asked.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  };
  const keep = (name, value) => {
    if (JSON.stringify(model.get(name)) === JSON.stringify(value)) return;
    model.set(name, structuredClone(value));
    model.save_changes();
  };
  const host = {
    filtered(filter) {
      clearTimeout(late);
      late = setTimeout(() => keep("filter", filter), SETTLED);
    },
    looked: (row) => keep("row", row),
    play: (row, which) => ask({ wants: "play", row, which }),
    page: (use, sorry) => ask({ wants: "page" }).then(use, (error) => sorry(error.message)),
  };
  const root = html("section");
  el.replaceChildren(root);
  const [filter, row] = [model.get("filter"), model.get("row")];
  explorer = new Explorer(root, { ...model.get("data"), filter }, { ...host, looked() {} });
  explorer.host = host;
  if (row) explorer.lookAtNumber(row);
  const refiltered = () =>
    JSON.stringify(model.get("filter")) !== JSON.stringify(explorer.rows.filter) &&
    explorer.setFilter(model.get("filter"));
  const relooked = () => {
    const now = explorer.place === null ? 0 : explorer.data.values.number[explorer.place];
    if (model.get("row") !== now) explorer.lookAtNumber(model.get("row"));
  };
  const answered = (message) => {
    asked.get(message.id)?.(message.answer);
    asked.delete(message.id);
  };
  model.on("change:filter", refiltered);
  model.on("change:row", relooked);
  model.on("msg:custom", answered);
  return () => {
    model.off("change:filter", refiltered);
    model.off("change:row", relooked);
    model.off("msg:custom", answered);
    explorer.destroy();
  };
}

// A page of its own. Its address says which sentence is looked at: `#row=12`.
export function mountExplorer({ place, source, data }) {
  const root = html("section");
  place.append(root);
  const alone = window.parent === window;
  const looked = (row) => {
    try {
      if (alone) window.history.replaceState(null, "", row ? `#row=${row}` : "#");
    } catch {
      // an address that may not change stays as it is
    }
  };
  const host = {
    filtered() {}, looked() {}, page: (use) => use(source),
    play: () => Promise.reject(new Error("This page has no recording of this sentence.")),
  };
  const explorer = new Explorer(root, data, host);
  explorer.look(firstToLookAt(data, [...explorer.rows.order]));
  host.looked = looked;
  globalThis.wordorderExplorer = explorer;
  const read = () => {
    const [, row] = /^#row=(\d{1,9})$/.exec(window.location.hash) ?? [];
    if (row) explorer.lookAtNumber(Number(row));
  };
  followAddress(place, root, read);
}

// The first row whose search can be played here, or else the first that came out wrong.
function firstToLookAt({ plays, values }, order) {
  const error = values.error ?? values.error_a ?? [];
  const wrong = (place) => error[place] !== undefined && error[place] !== "right";
  return order.find((place) => `${place} 0` in plays) ?? order.find(wrong) ?? null;
}

export default { render };
