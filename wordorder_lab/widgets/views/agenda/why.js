// "Why was this edge popped before that one?" and "when did gold leave the top?", in sentences.

import { number, plural, tellApart } from "../player/words.js";
import { sayEdge } from "../search/edges.js";
import { sayOut } from "../search/narration.js";
import { edgeOf } from "../search/search.js";
import { agendaRank, ranksOf, searchFacts } from "./ranks.js";

// Why the edge that was popped last came before the pinned one, or why that one came before it.
export function whyBefore(state, log, pinned) {
  const pop = state.pops.length;
  if (!edgeOf(state, pinned)) return notYet(state, log, pinned);
  if (!pop) return "Nothing has been popped yet.";
  const [popped] = state.pops[pop - 1];
  if (popped === pinned) return sayWait(state, log, pinned);
  const earlier = state.pops.findIndex(([serial]) => serial === pinned) + 1;
  if (!earlier) return compareAt(state, log, pop, pinned);
  return `Edge ${pinned} went before edge ${popped}. ${compareAt(state, log, earlier, popped)}`;
}

// The edge that was popped at a pop against one that was not: how that one stood then.
function compareAt(state, log, pop, other) {
  const [popped, score] = state.pops[pop - 1];
  const row = ranksOf(log, state.search, other).find(([when]) => when === pop);
  const [, , rank, waiting, then] = row ?? [];
  const [its, others] = tellApart(score, then);
  const told = `Edge ${popped} was popped at pop ${pop} with ${its}`;
  const { made } = edgeOf(state, other);
  if (made >= pop) return `${told}; edge ${other} was not made yet, it came of pop ${made}.`;
  if (!row) return `${told}; edge ${other} was not on the agenda then.`;
  const place = `and stood at rank ${rankText(rank, waiting)}`;
  if (then < score) return `${told}. Edge ${other} had ${others} then ${place}.`;
  if (then === score && popped < other) {
    return (
      `${told}. Edge ${other} had the same score, but edge ${popped} was made first; it stood ` +
      `at rank ${rankText(rank, waiting)}.`
    );
  }
  return (
    `${told}. Edge ${other} had ${others} then ${place}; the log does not say why it had to ` +
    "wait."
  );
}

function notYet(state, log, pinned) {
  const first = ranksOf(log, state.search, pinned)[0];
  if (!first) return `Edge ${pinned} is not made yet.`;
  return first[0] === 1 ? `Edge ${pinned} is not made yet: it is one of the leaves to come.`
    : `Edge ${pinned} is not made yet: it comes of pop ${first[0] - 1}.`;
}

// How an edge that has just been popped came to the top.
export function sayWait(state, log, serial) {
  const { made } = edgeOf(state, serial);
  const pop = state.pops.length;
  const when = made ? `after pop ${made}` : "at the start";
  const waited = pop - made - 1;
  if (!waited) return `Edge ${serial} was made ${when} and was the best at once.`;
  const rows = ranksOf(log, state.search, serial);
  const first = rows[0]
    ? ` (at first at rank ${rankText(rows[0][2], rows[0][3])}, with ${number(rows[0][4])})`
    : "";
  return (
    `Edge ${serial} was made ${when}${first}; it waited while ${plural(waited, "other edge")} ` +
    `${waited === 1 ? "was" : "were"} popped.`
  );
}

function rankText(rank, waiting) {
  return `${rank.toLocaleString("en")} of ${waiting.toLocaleString("en")}`;
}

// Where an edge is now.
export function sayFate(state, serial, masked) {
  const place = state.places[serial - 1];
  if (place === "agenda") {
    return masked
      ? "on the agenda"
      : `on the agenda, at rank ${rankText(agendaRank(state, serial), state.agenda)}`;
  }
  const out = state.outs.findLast(([one]) => one === serial);
  if (place === "out" && out) return `out since pop ${out[2]}: ${sayOut(state, out)}`;
  const pop = state.pops.findIndex(([one]) => one === serial) + 1;
  const popped = pop ? `popped at pop ${pop}` : "not popped";
  return { popped, chart: `${popped}, in the chart`, goal: `${popped}, a goal` }[place] ?? "out";
}

// What has become of gold so far: where it was not at the top when something was popped, and where
// it left the chart. Nothing where gold is not known.
export function sayGold(state, log) {
  if (!edgeOf(state, searchFacts(log).searches[state.search].gold[0])) return [];
  const rows = ranksOf(log, state.search).filter(([pop]) => pop <= state.pops.length);
  const late = rows.filter(([, , rank]) => rank > 1);
  const times = late.length === 1 ? "once" : `${late.length} times`;
  const lines = late.length
    ? [
        `A wrong edge was popped ${times} while gold waited: ${atPops(late.map(([pop]) => pop))}.`,
        sayLate(state, late.at(-1)),
      ]
    : [
        state.pops.length
          ? "No wrong edge has been popped while gold waited."
          : "Gold edges have a star.",
      ];
  return [...lines, ...sayGoneGold(state, log)];
}

function sayLate(state, [pop, serial, rank, waiting, score]) {
  const [popped, than] = state.pops[pop - 1];
  const [its, golds] = tellApart(than, score);
  const gold = `gold ${sayEdge(state, serial)}`;
  const place = `at rank ${rankText(rank, waiting)}`;
  if (than === score && popped < serial) {
    return (
      `The last time, at pop ${pop}: edge ${popped} came before ${gold}, ${place}: it has the ` +
      `same score, ${its}, but it was made first.`
    );
  }
  return (
    `The last time, at pop ${pop}: edge ${popped} with ${its} came before ${gold} with ` +
    `${golds}, ${place}.`
  );
}

// A log that was recorded without `pruned` says nothing of it.
function sayGoneGold(state, log) {
  if (!log.counts.pruned) return [];
  const gone = state.outs.filter(([serial]) => edgeOf(state, serial).gold === 1);
  const saved = state.outs.filter(([, reason]) => reason === "negative");
  const left = gone.map(
    (out) =>
      `Gold left the chart at pop ${out[2]}: ${sayEdge(state, out[0])} (${sayOut(state, out)}).`,
  );
  if (!left.length && state.pops.length) left.push("No gold edge has left the chart.");
  if (saved.length)
    left.push(
      `Gold was about to leave it ${atPops(saved.map(([, , pop]) => pop))}; a wrong edge ` +
        "went in its place.",
    );
  return left;
}

function atPops(pops, most = 8) {
  const distinct = [...new Set(pops)];
  const shown = distinct.slice(-most);
  const before = distinct.length > most ? "… " : "";
  return `at ${distinct.length === 1 ? "pop" : "pops"} ${before}${shown.join(", ")}`;
}
