// One plain sentence an event of a beam search or of its learner. Other searches have events of the
// same kinds; they tell them with these sentences.

import { sayAlternatives, sayLabels } from "../player/forms.js";
import { number, plural, sayReason } from "../player/words.js";
import { SAY_LEARNING } from "../learning/narration.js";
import { shifted } from "./beam.js";
import { actionText } from "./cards.js";

function sayAction(action, units) {
  if (!action.startsWith("SHIFT-")) {
    return action === "LEFTARC"
      ? "LEFTARC makes the second word on the stack a left dependent of the top"
      : "RIGHTARC makes the top of the stack a right dependent of the word below it";
  }
  const [unit, tag] = shifted(action, units);
  return `SHIFT puts “${unit}” (${tag}) on the stack`;
}

export function sayState(serial) {
  return serial ? `state ${serial}` : "the initial state";
}

export const SAY = {
  begin: (state, units, counts, items, beam) => {
    const bag = counts.reduce((sum, count) => sum + count, 0);
    return (
      `Search ${state.search} begins: ${plural(bag, "unit")} in the bag, ` +
      `offered as ${plural(items, "item")}, and a beam of ${beam}.`
    );
  },
  labels: sayLabels,
  alternatives: sayAlternatives,
  step: (state, step) => `Step ${step}: every state of the beam is expanded.`,
  candidate: (state, serial, parent, action, score) =>
    `From ${sayState(parent)}, ${sayAction(action, state.names)}: ` +
    `candidate ${serial}, score ${number(score)}.`,
  forbidden: (state, parent, action, reason) =>
    `In ${sayState(parent)}, ${actionText(action, state.names)} is forbidden: ${sayReason(reason)}`,
  kept: (state, serial, rank) =>
    `TOP-K keeps candidate ${serial} at rank ${rank + 1} of the new beam.`,
  pruned: (state, serial) =>
    `Candidate ${serial} is given up: a better one has the same words left over after the same ` +
    "last words.",
  cut: (state, serial, margin) =>
    margin > 0
      ? `Candidate ${serial} is cut: it is ${number(margin)} behind the last state that was kept.`
      : `Candidate ${serial} is cut: as good as the last state that was kept, but made later.`,
  gold: (state, step, serial, rank) => {
    if (rank >= 0) return `The gold state is candidate ${serial}, at rank ${rank + 1} of the beam.`;
    return serial < 0
      ? "The gold state is out of reach: the state that leads to it was cut before."
      : `The gold state, candidate ${serial}, has been cut: nothing in the beam can become the ` +
          "gold tree.";
  },
  finished: (state, serial, score) => {
    const words = (
      state.columns?.at(-1)?.states.find((one) => one.serial === serial)?.order ?? []
    ).map(([unit]) => unit);
    const sentence = words.length ? `: “${words.join(" ")}”` : "";
    return (
      `The search is over: state ${serial} is the best, ` +
      `with score ${number(score)}${sentence}.`
    );
  },
  update: (state, example, step, reason, gold, predicted) => {
    const why =
      {
        early: "Early update: the gold state has left the beam",
        end: "Update at the end: the best state is not the gold one",
        "max-violation": "Max-violation: here the best state leads the gold state by most",
      }[reason] ?? `Update (${reason})`;
    return (
      `${why}, so the weights change on the first ${plural(step, "action")} ` +
      `(gold ${number(gold)}, best ${number(predicted)}).`
    );
  },
  weight: (state, feature, action, before, after) =>
    `The weight of ${feature} with ${action} goes ${after > before ? "up" : "down"} ` +
    `from ${number(before)} to ${number(after)}.`,
  ...SAY_LEARNING,
};

// What a whole step of the beam has come to, once it is over; or a state's expansion that ended
// with what is forbidden.
export function sumUp(state, event) {
  const column = state.columns.at(-1);
  if (event[0] === "forbidden") return sumUpExpansion(state, column, event[1]);
  if (!["kept", "cut", "pruned", "gold"].includes(event[0]) || !column?.states.length) return null;
  const best = column.states[0];
  const gold =
    column.gold === null
      ? ""
      : column.gold_rank >= 0
        ? ` The gold state is at rank ${column.gold_rank + 1}.`
        : " The gold state is not among them any more.";
  const not = column.forbidden.length;
  const forbidden = not ? ` What is given forbids ${plural(not, "action")}.` : "";
  return (
    `Step ${state.step}: ${plural(column.made, "candidate")} made, ${column.states.length} kept, ` +
    `${column.made - column.states.length} cut.${forbidden} The best: ` +
    `${actionText(best.action, state.names)}, score ${number(best.score)}.${gold}`
  );
}

function sumUpExpansion(state, column, parent) {
  const mine = (one) => one.parent === parent;
  const not = plural(column?.forbidden.filter(mine).length ?? 0, "action");
  return (
    `From ${sayState(parent)}: ${plural(state.candidates.filter(mine).length, "candidate")}; ` +
    `what is given forbids ${not}.`
  );
}

export function narrate(state, event) {
  return event ? SAY[event[0]](state, ...event.slice(1)) : "Nothing has happened yet.";
}
