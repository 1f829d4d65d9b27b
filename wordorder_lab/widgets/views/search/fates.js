// Which forms of a unit a best-first search has used, and when it popped an edge with each last.

import { plural } from "../player/words.js";
import { edgeWords } from "./edges.js";
import { edgeOf } from "./search.js";

// Of a form [sign, note]: once there is a goal, the forms in it have won, the others have fallen.
export function edgeFates(state) {
  const goal = state.finished?.serial || state.places.indexOf("goal") + 1;
  const times = (serial, form) =>
    edgeWords(state, serial).order.filter(([unit]) => unit === form).length;
  return (form) => {
    let [pops, last, most] = [0, 0, 0];
    state.pops.forEach(([serial], i) => {
      if (!times(serial, form)) return;
      pops += 1;
      last = i + 1;
      most = Math.max(most, edgeOf(state, serial).size);
    });
    const used = goal && times(goal, form);
    if (used) return ["✓", used > 1 ? `×${used}` : ""];
    const never = goal ? "never popped" : "not popped yet";
    if (goal) return ["✕", last ? `last popped at ${last}, in ${plural(most, "unit")}` : never];
    return ["", pops ? `${plural(pops, "pop")}, up to ${plural(most, "unit")}` : never];
  };
}
