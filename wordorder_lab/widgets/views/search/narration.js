// Best-first search in plain sentences.

import { narrate } from "../beam/narration.js";
import { sayAlternatives, sayLabels } from "../player/forms.js";
import { capital, number, plural, tellApart } from "../player/words.js";
import { sayAlike } from "./alike.js";
import { edgeText, isCcg, leafKind, sayEdge, sayJoin } from "./edges.js";
import { edgeOf } from "./search.js";
import { bestEdge } from "./sentence.js";

// Where an edge came from: its word and tag, or its parts and how they were joined.
export function sayOrigin(state, serial) {
  const edge = edgeOf(state, serial);
  if (!edge) return "it is not in the log";
  if (!edge.left) return `the word “${edge.form}” ${leafKind(edge)}`;
  if (!edge.right)
    return edge.category
      ? `${sayEdge(state, edge.left)}, ${sayJoin(edge)}`
      : `${edge.action} of ${sayEdge(state, edge.left)}`;
  return `${sayEdge(state, edge.left)} and ${sayEdge(state, edge.right)}, ${sayJoin(edge)}`;
}

const OUT = {
  beam: "its beam is too full, and it has the lowest score there",
  negative: "it goes in place of the gold edge that would have been dropped",
  discarded: "it is not gold, and wrong edges are not expanded here",
};

// Why an edge is out.
export function sayOut(state, [serial, reason, pop]) {
  return reason === "signature" ? sayAlike(state, serial, pop) : OUT[reason] ?? reason;
}

export const NO_UPDATE = {
  equal: "both have the same features, so there is nothing to update",
  satisfied:
    "under the present weights the gold edge is ahead by enough already, so nothing is updated",
};

export const WHY_UPDATE = {
  agenda: "a wrong edge was popped",
  chart: "a gold edge was about to fall off the chart",
  signature: "a gold edge was about to lose to one with the same signature",
};

const STOPPED = {
  complete: "a goal was popped",
  "agenda empty": "nothing is left to pop",
  finished: "the gold goal was popped",
  stopped: "learning of this sentence ends with an update",
  limit: "the gold goal was not found",
};

// How a search ended; "complete" of one that was asked for several goals says so.
export function sayStopped(reason, goals, pops) {
  const why =
    reason === "complete" && goals > 1
      ? "the goals asked for were popped"
      : (STOPPED[reason] ?? `the limit: ${reason}`);
  return `The search has ended (${why}), after ${plural(pops, "pop")}.`;
}

// A goal with fewer units than the bag may give: some words could be left out, or used several
// times.
function sayGoal(state, serial) {
  const whole = bagSize(state);
  const { size } = edgeOf(state, serial) ?? { size: whole };
  if (!isCcg(state)) return "It is a goal: all units of the bag are in it.";
  if (size === whole) return "It is a goal: it has every word that it must have.";
  return (
    `It is a goal, with ${size} of at most ${plural(whole, "unit")}: it has every word that it ` +
    "must have, and others may be left out."
  );
}

// The units of the bag, or where a word may be used several times or not at all, the most.
export function bagSize({ counts }) {
  return counts.reduce((sum, count) => sum + count, 0);
}

// The score of an edge; in learning also the one that it was popped with, where that was another.
export function sayScore(state, serial) {
  const now = state.scores[serial - 1];
  const [, popped] = state.pops.findLast(([one]) => one === serial) ?? [serial, now];
  const [then, later] = tellApart(popped, now);
  return then === later ? `score ${later}` : `score ${then} when popped, ${later} now`;
}

export const SAY_SEARCH = {
  begin: (state, units, counts, items, beam) => {
    const room = beam
      ? `a beam of the chart has room for ${plural(beam, "edge")}`
      : "the chart has room for all edges";
    return (
      `Search ${state.search} begins: ${plural(bagSize(state), "unit")} in the bag, offered as ` +
      `${plural(items, "item")}; ${room}.`
    );
  },
  leaf: (state, serial, item, form, pos, score, gold, category) =>
    `Leaf ${serial}: ${goldWord(gold)}“${form}” ` +
    `${leafKind({ pos, category, chance: state.chances[item] })} goes on the agenda with score ` +
    `${number(score)}.`,
  edge: (state, serial, left, right, action, score, gold) =>
    `New ${goldWord(gold)}${sayEdge(state, serial)}, score ${number(score)}, made of ` +
    `${sayOrigin(state, serial)}.`,
  popped: (state, serial, score) =>
    `Pop ${state.pops.length}: ${sayEdge(state, serial)} is popped, score ${number(score)}; ` +
    `made of ${sayOrigin(state, serial)}.`,
  goal: (state, serial) => sayGoal(state, serial),
  charted: (state, serial) =>
    `${capital(sayEdge(state, serial))} has been expanded and enters the chart, which holds ` +
    `${state.chart.length} now.`,
  pruned: (state, serial, reason) =>
    `${goldEdge(state, serial)} is out: ${sayOut(state, [serial, reason, state.pops.length])}.`,
  edge_update: (state, example, reason, positive, negative, margin, step) => {
    const pair =
      `gold ${sayEdge(state, positive)} against ${sayEdge(state, negative)}, margin ` +
      `${number(margin)}`;
    if (!step) return `No update (${pair}): ${NO_UPDATE[reason] ?? reason}.`;
    return (
      `Update ${state.updates}, since ${WHY_UPDATE[reason] ?? reason}: ${pair}; the weights ` +
      `move by ${number(step)} times the difference of their features.`
    );
  },
  weight: (state, feature, action, before, after) =>
    `The weight of ${feature} goes ${after > before ? "up" : "down"} from ${number(before)} ` +
    `to ${number(after)}.`,
  labels: sayLabels,
  alternatives: sayAlternatives,
  supertags: (state, probabilities) =>
    "A supertagger read the sentence; " +
    `${plural(probabilities.length, "pair")} of word and category have its probability.`,
  rescored: (state, serial, score) =>
    `${capital(sayEdge(state, serial))} has the new score ${number(score)}.`,
  finished: (state, serial, score) =>
    `The best goal is ${sayEdge(state, serial)}, with score ${number(score)}.`,
  stopped: (state, reason) =>
    sayStopped(reason, countGoals(state), state.pops.length) + sayLastWord(state),
};

function countGoals({ places }) {
  return places.filter((place) => place === "goal").length;
}

// The last word of a search: its sentence, or how far it came.
function sayLastWord(state) {
  const best = bestEdge(state);
  if (!best) return "";
  const words = `“${edgeText(state, best)}”`;
  return countGoals(state) ? ` Its sentence: ${words}.`
    : ` No goal was popped; the longest edge that was: ${words}.`;
}

function goldWord(gold) {
  return gold === 1 ? "gold " : "";
}

function goldEdge(state, serial) {
  return edgeOf(state, serial)?.gold === 1
    ? `The gold ${sayEdge(state, serial)}`
    : capital(sayEdge(state, serial));
}

export function narrateSearch(state, event) {
  if (!event) return "Nothing has happened yet.";
  return SAY_SEARCH[event[0]]?.(state, ...event.slice(1)) ?? narrate(state, event);
}

// What a whole pop has come to.
export function sumUpPop(state, event) {
  if (!["edge", "charted", "pruned"].includes(event[0]) || !state.pops.length) return null;
  const pop = state.pops.length;
  const [serial] = state.pops[pop - 1];
  const out = state.outs.filter(([, , when]) => when === pop);
  let made = 0;
  while (state.edges[state.edges.length - 1 - made]?.made === pop) made += 1;
  const why = out.find(([which]) => which === serial);
  const fate = why === undefined ? "" : ` It is out: ${sayOut(state, why)}.`;
  const others = out.filter(([which]) => which !== serial);
  const gold = others
    .filter(([which]) => edgeOf(state, which).gold === 1)
    .map(([which]) => ` The gold ${sayEdge(state, which)} has left the chart.`);
  return (
    `Pop ${pop}: ${goldWord(edgeOf(state, serial).gold)}${sayEdge(state, serial)}, ` +
    `${sayScore(state, serial)}. ` +
    `${plural(made, "new edge")}; ${state.agenda.toLocaleString("en")} on the agenda, ` +
    `${state.chart.length} in the chart` +
    `${others.length ? `, ${others.length} dropped from it` : ""}.${fate}${gold.join("")}`
  );
}
