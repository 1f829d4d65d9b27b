// Which forms of a unit are still in the beam, and when the last state that could use one was cut.

import { plural } from "../player/words.js";
import { findState } from "./beam.js";

// Of a form [sign, note]: states may use it as long as a unit of the kind is in their bag.
export function stateFates(state) {
  const columns = state.columns.filter((column) => column.states.length);
  const best = state.finished && findState(state, state.finished.serial, 0);
  const times = (one, forms) => one.order.filter(([unit]) => forms.includes(unit)).length;
  return (form, own, count) => {
    const may = (one) => times(one, [form]) > 0 || times(one, own) < count;
    const used = best && times(best, [form]);
    if (used) return ["✓", used > 1 ? `×${used}` : ""];
    const last = columns.findLastIndex((column) => column.states.some(may));
    const cut = columns[last + 1];
    if (cut) return ["✕", `out of the beam at step ${cut.step}`];
    if (best) return ["✕", "in the beam to the end"];
    const now = columns.at(-1)?.states ?? [];
    const using = now.filter((one) => times(one, [form])).length;
    return ["", `in ${using} of ${plural(now.length, "state")}`];
  };
}
