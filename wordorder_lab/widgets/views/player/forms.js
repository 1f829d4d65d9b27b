// Units that have several forms, of which one is used each time: what they are called, and the line
// that says which of their forms a search has let go, and when.

import { html } from "./dom.js";
import { plural } from "./words.js";

// For each unit of a begin its forms, as an event `alternatives` has told them: the twin of
// trace/reducers/__init__.py.
export function formsOf(units, types = [], forms = []) {
  const several = units.map((_, type) => forms.filter((_, row) => types[row] === type));
  return units.map((unit, type) => (several[type].length ? several[type] : [unit]));
}

function severalForms({ forms = [] }) {
  return forms.filter((own) => own.length > 1);
}

// What stands for a unit in any of its forms: `a|an`.
export function unitName(state, form) {
  return (severalForms(state).find((own) => own.includes(form)) ?? [form]).join("|");
}

export function sayAlternatives(state, types, forms) {
  const told = forms.map((form, i) => (types[i] === types[i - 1] ? " or " : i ? "; " : "") + form);
  return `Units with several forms, of which one is used each time: ${told.join("")}.`;
}

export function sayLabels(state, labels) {
  const given = labels.filter((label) => label).length;
  return `Of ${plural(labels.length, "item")} ${given} with a label for the arc into the word.`;
}

// Units with the same forms are one entry. A form that has won, one that has fallen (struck
// through), one that is open: `fates` of the view says of a form, and how many units have it, the
// sign (✓, ✕ or nothing) and a note.
export function formsLine(state, { fates }) {
  const several = severalForms(state);
  if (!fates || !several.length) return null;
  const [fate, units] = [fates(state), new Map()];
  state.forms.forEach((own, type) => {
    if (own.length < 2) return;
    const name = own.join("|");
    units.set(name, [own, (units.get(name)?.[1] ?? 0) + state.counts[type]]);
  });
  return [...units.values()].map(([own, count]) => html("span", {}, own.flatMap((form, i) => {
    const [sign, note] = fate(form, own, count);
    const name = { "✓": "strong", "✕": "del" }[sign] ?? "span";
    return [i ? " | " : "", sign && `${sign} `, html(name, {}, form), " ",
      html("span", { class: "wol-soft" }, note)];
  }), count > 1 ? ` (${count} units)` : ""));
}
