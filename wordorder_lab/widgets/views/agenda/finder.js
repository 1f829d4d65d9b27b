// A field above the agenda: pin an edge by its number or by its words.

import { button, html, labelled, setText } from "../player/dom.js";
import { edgeText, isCcg } from "../search/edges.js";
import { edgeOf } from "../search/search.js";

// The form is made once a log and kept, so that what is typed stays while the search goes on.
export function agendaFinder(state, room) {
  const kept = room.kept;
  kept.form ??= finderForm(kept);
  Object.assign(kept, { state, room });
  if (kept.search !== state.search) kept.told.textContent = "";
  kept.search = state.search;
  kept.field.placeholder = isCcg(state) ? "number, words or category" : "number or words";
  kept.unpin.hidden = room.selected === null;
  if (document.activeElement === kept.field)
    queueMicrotask(() => kept.field.focus({ preventScroll: true }));
  return kept.form;
}

function finderForm(kept) {
  kept.field = html("input", {
    type: "text",
    size: 24,
    autocomplete: "off",
    "aria-label": "Edge to pin: number or words",
    onkeydown: (event) => keyInField(event, kept),
  });
  kept.told = html("output", { class: "wol-told" });
  kept.unpin = button("Unpin the edge", "unpin", () => kept.room.select(kept.room.selected));
  return html(
    "div",
    { class: "wol-row wol-finder", role: "group", "aria-label": "Pin an edge" },
    labelled("pin an edge", kept.field),
    button("Pin this edge", "pin", () => pinTyped(kept)),
    kept.unpin,
    kept.told,
  );
}

// Keys that are typed are neither the player's nor the notebook's.
function keyInField(event, kept) {
  event.stopPropagation();
  if (event.key === "Enter") pinTyped(kept);
}

function pinTyped(kept) {
  const { state, room } = kept;
  const typed = kept.field.value.trim();
  const found = typed ? edgesCalled(state, typed) : [];
  const next = found[(found.indexOf(room.selected) + 1) % found.length];
  setText(kept.told, !typed
    ? ""
    : !found.length
      ? `So far there is no edge “${typed}”.`
      : found.length > 1
        ? `${found.length} edges are “${typed}”; this is number ${found.indexOf(next) + 1}.`
        : "");
  if (next !== undefined && next !== room.selected) room.select(next);
}

// The edges with this number, or else with this category or these words in this order, or else with
// these as a part of their words; the shortest first.
function edgesCalled(state, typed) {
  if (/^\d+$/.test(typed) && edgeOf(state, Number(typed))) return [Number(typed)];
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ");
  const wanted = plain(typed);
  const serials = (test) => state.edges.filter(test).map(({ serial }) => serial);
  const named = serials(({ serial, category }) =>
    category === typed || plain(edgeText(state, serial)) === wanted);
  if (named.length) return named;
  const parts = serials(({ serial }) => plain(edgeText(state, serial)).includes(wanted));
  return parts.sort((a, b) => edgeOf(state, a).size - edgeOf(state, b).size || a - b);
}
