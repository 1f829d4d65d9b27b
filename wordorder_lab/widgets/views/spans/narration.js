// What an event does to the spans, in a plain sentence.

import { narrate, sayState } from "../beam/narration.js";
import { number, plural, sayReason } from "../player/words.js";
import { meanLength, spanTotal } from "./counts.js";
import { SPAN_EDGE_SENTENCES } from "./edges.js";

const SPAN_SENTENCES = {
  begin: (state, [, units, counts]) =>
    `Search ${state.search} begins: ${spanTotal(counts)} units, ` +
 `${plural(state.words, "word")} in all, ` +
    `and a whole derivation makes ${plural(state.steps, "span")}.`,

  step: (state) =>
    `Step ${state.step} of ${state.steps}: each state of the beam is about to be expanded; ` +
    "every candidate has one new span on top of its stack.",

  candidate(state, [, serial, parent, action]) {
    if (state.last === null) return `Candidate ${serial} cannot be followed here: not counted.`;
    const [, taken, length] = state.agenda[serial];
    if (taken === 0)
      return `Candidate ${serial}, ${action}: a new span of ${plural(length, "word")}.`;
    const [left, right] = state.beam[parent][0].slice(-2);
    return (
      `Candidate ${serial}, ${action}: the two topmost spans, of ${left} and ` +
      `${plural(right, "word")}, become one of ${length}.`
    );
  },

  forbidden: (state, [, parent, action, reason]) =>
    `In ${sayState(parent)}, ${action} is forbidden, so no span is made by that: ` +
 `${sayReason(reason)}`,

  kept: (state, [, serial]) =>
    state.last === null
      ? `Candidate ${serial} entered the beam; its span is not known here.`
      : `Candidate ${serial} entered the beam: its span of ${plural(state.last[1], "word")} is ` +
 "kept.",

  cut(state, [, serial]) {
    const length = Object.hasOwn(state.agenda, serial) ? state.agenda[serial][2] : 0;
    const whose = length > 0 ? `its span of ${plural(length, "word")}` : "its span";
    return `Candidate ${serial} did not enter the beam; ${whose} was made, but not kept.`;
  },

  gold(state, [, step, serial, rank]) {
    if (serial < 0) return `Step ${step}: the gold state was lost before; its spans are unknown.`;
    if (state.last === null) return `Step ${step}: the gold state's span is not known here.`;
    const fate = rank < 0 ? ", but the state was cut" : "";
    const words = plural(state.last[1], "word");
    return `Step ${step}: the gold state has made a span of ${words}${fate}.`;
  },

  finished(state, [, serial]) {
    const edges = state.edges.length > 0;
    if (state.last === null) return `The search ended with ${edges ? "edge" : "state"} ${serial}.`;
    const longest = `the longest of ${plural(state.last[1], "word")}`;
    if (edges)
      return (
        `The best goal is edge ${serial}, built of ${plural(spanTotal(state.best), "span")}, ` +
        `${longest}.`
      );
    return (
      `The search ended; its best outcome took ${spanTotal(state.best)} actions and so made as ` +
      `many spans, ${longest}.`
    );
  },

  update: (state, [, , step]) =>
    `The learner updates on the first ${step} actions; no span is made by that.`,

  weight: (state, [, feature, action]) =>
    `The weight of ${feature}${action && ` for ${action}`} has changed; no span is made by that.`,

  ...SPAN_EDGE_SENTENCES,

  epoch: (state, [, epoch]) => `Epoch ${epoch} is over. ${sayLengths(state)}`,
  stopped: (state, event) => `${SPAN_EDGE_SENTENCES.stopped(state, event)} ${sayLengths(state)}`,
};

const OF_SPANS = [
  ["made", "spans that are made"], ["kept", "that are kept"], ["gold", "of gold"],
  ["best", "of the best at the end"],
];

// How long spans are on the mean, in the searches so far: what the picture shows, as numbers.
function sayLengths({ all, search }) {
  const told = OF_SPANS.filter(([name]) => spanTotal(all[name]))
    .map(([name, who]) => `${who} ${number(meanLength(all[name]))}`);
  const where = search > 1 ? `In ${search.toLocaleString("en")} searches` : "In this search";
  return `${where} the mean length in words is: ${told.join(", ")}.`;
}

export function saySpans(state, event) {
  if (!event) return "Nothing has happened yet: no spans.";
  return SPAN_SENTENCES[event[0]]?.(state, event) ?? narrate(state, event);
}
