// Parameter updates in plain sentences: why the weights change, what the features come to.

import { narrate, SAY } from "../beam/narration.js";
import { number, plural } from "../player/words.js";
import { quotedEdge } from "../search/edges.js";
import { narrateSearch, NO_UPDATE, SAY_SEARCH, WHY_UPDATE } from "../search/narration.js";
import { edgeOf } from "../search/search.js";
import { changesOf, isOfEdges, NEARLY, reckon } from "./updates.js";

const WHY_PREFIXES = {
  early: "the gold state has left the beam",
  "max-violation": "after these actions the best state leads the gold one by most",
  end: "at the end the best state is not the gold one",
};

const REASONS = {
  agenda: "agenda",
  chart: "fell off the chart",
  signature: "DP-pruned",
  early: "early update",
  "max-violation": "max-violation",
  end: "at the end",
  equal: "equal features",
  satisfied: "margin satisfied",
};

export function reasonName(reason) {
  return REASONS[reason] ?? reason;
}

export function sayWhy({ reason, step }) {
  if (!step) return `No weight moves, since ${NO_UPDATE[reason] ?? reason}.`;
  return `The weights move, since ${whyMoved(reason)}.`;
}

function whyMoved(reason) {
  return WHY_UPDATE[reason] ?? WHY_PREFIXES[reason] ?? reason;
}

// Points and weights are small: three digits, and no noise of the last bits.
export function fine(value) {
  if (Math.abs(value) < NEARLY) return "0";
  return Math.abs(value) < 100
    ? String(Number(value.toPrecision(3))).replace("-", "−")
    : number(value);
}

export function signed(value) {
  return value > 0 ? `+${fine(value)}` : fine(value);
}

export function featureText({ feature, action }) {
  return action ? `${feature} with ${action}` : feature;
}

// How many updates there were so far, by reason; what had no step is counted apart.
export function tallyUpdates(state) {
  const all = state.update ? [...state.past, state.update] : state.past;
  const count = (found) => {
    const counts = new Map();
    for (const { reason } of found) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts]
      .map(([reason, times]) => `${times.toLocaleString("en")} ${reasonName(reason)}`)
      .join(", ");
  };
  const [moved, not] = [all.filter((one) => one.step), all.filter((one) => !one.step)];
  const first = moved.length
    ? `${plural(moved.length, "update")} so far: ${count(moved)}.`
    : "No weights have moved so far.";
  return not.length ? `${first} Without a step: ${count(not)}.` : first;
}

// Which features cost the most points: the lowest row first, and how many share its place.
export function costliest(rows) {
  const lowest = Math.min(0, ...rows.map((row) => row.points));
  const found = rows.filter((row) => row.points <= lowest + NEARLY);
  return lowest < -NEARLY ? { row: found[0], more: found.length - 1, points: lowest } : null;
}

export function sayCost(rows, whole) {
  if (!rows.length) return "";
  const most = costliest(rows);
  if (!most) {
    return rows.every((row) => row.points === 0)
      ? "No feature cost points: all these weights were 0 before."
      : "No feature cost points: each one spoke for the positive side, or was 0.";
  }
  const so = whole ? "" : " so far";
  const verb = most.more ? `and ${most.more} more cost the most${so}` : `cost the most${so}`;
  const each = most.more ? " each" : "";
  return `${featureText(most.row)} ${verb}: ${fine(most.points)} points${each}.`;
}

// What the points add up to, and what becomes of the margin; only what follows from the log.
export function saySums(update, rows, whole, { log, k }) {
  if (!update.step) return [];
  if (update.more)
    return [`${plural(update.more, "change")} more are not kept here, so there are no sums.`];
  if (!whole && k === log.length)
    return ["The log ends before all of them have been told, so there are no sums."];
  if (!whole)
    return [
      `${plural(rows.length, "feature")} told so far; the sums come when all have been told.`,
    ];
  const sums = reckon(update, rows, log);
  const unknown = sums.after === null ? ["What the margin is now, the log does not say."] : [];
  if (sums.lastOnly)
    return ["The perceptron takes the features of the last action of each edge alone.", ...unknown];
  if (!sums.adds) return ["Some changes are not in the log.", ...unknown];
  const step = update.step === 1 ? "" : `${fine(update.step)} × `;
  return [
    `Each weight moves by step × difference: margin after = ${fine(update.margin)} + ` +
    `${step}${fine(sums.added / update.step)} (the squares of the differences) = ` +
    `${fine(update.margin + sums.added)}.`,
  ];
}

// How many weights have moved; a log that was cut, or recorded without them, does not tell.
export function sayChanged(update, rows, whole, { log, k }) {
  if (update.step && !rows.length)
    return log.kinds[k] === "weight" ? "its weights come next" : "its weights are not in the log";
  return (
    `${plural(rows.filter((row) => row.difference).length, "weight")} ` +
    `changed${whole ? "" : " so far"}`
  );
}

// Edges are ranked by the scores that they were given last. An update counts afresh, and where
// these scores were old, the margin is not the difference of those in the boxes.
export function sayOldScores(update) {
  const [positive, negative] = update.before;
  if (!isOfEdges(update) || positive === null || negative === null) return [];
  const ranked = positive - negative;
  if (Math.abs(ranked - update.margin) <= NEARLY) return [];
  return [
    `By the scores they were ranked by the margin was ${fine(ranked)}; these were old: the ` +
      "update uses fresh scores.",
  ];
}

export function sayMargin(update, rows, whole, log) {
  const after = update.step && whole && rows.length ? reckon(update, rows, log).after : null;
  return `margin ${fine(update.margin)}${after === null ? "" : ` → ${fine(after)}`}`;
}

// What has happened, in plain words; which features it is about stands beside their bars.
export function sumUpUpdate(state, [kind], log) {
  const { update } = state;
  if (!update || !["edge_update", "update", "weight", "rescored"].includes(kind)) return null;
  const rows = changesOf(update);
  if (!rows.length) return null;
  const { positive, negative, margin, reason, step } = update;
  const books = state.best_first;
  const there = isOfEdges(update) && [positive, negative].every((one) => edgeOf(books, one));
  const [gold, other] = there
    ? [`Gold, ${quotedEdge(books, positive)},`, quotedEdge(books, negative)]
    : ["Gold", isOfEdges(update) ? "the wrong edge" : "the best state"];
  const after = step && update.more === 0 ? reckon(update, rows, log).after : null;
  const changed = rows.filter((row) => row.difference).length;
  return (
    `Update ${update.number}: ${whyMoved(reason)}. ${gold} was ${ahead(margin, other)}; ` +
    `${plural(changed, "weight")} changed` +
    `${after === null ? "" : `, and now it is ${ahead(after)}`}.`
  );
}

// How far gold is before another, or behind it.
function ahead(margin, other = "") {
  const how = margin < 0 ? "behind" : other ? "ahead of" : "ahead";
  return Math.abs(margin) < NEARLY ? `level ${other && `with ${other}`}`.trim()
    : `${fine(Math.abs(margin))} ${how} ${other}`.trim();
}

// An event belongs to the books of the one search or the other; some kinds both have.
export function tellUpdates(state, event) {
  if (!event) return "Nothing has happened yet.";
  const [kind, ...values] = event;
  if (kind === "begin") {
    const [, counts, items, beam] = values;
    const bag = counts.reduce((sum, count) => sum + count, 0);
    return (
      `Search ${state.search} begins: ${plural(bag, "unit")} in the bag, ` +
      `offered as ${plural(items, "item")}; ` +
      `${beam ? `the beam holds ${beam}` : "nothing is cut"}.`
    );
  }
  const edges =
    !SAY[kind] ||
    (kind === "weight" ? values[1] === "" : SAY_SEARCH[kind] && state.best_first.edges.length > 0);
  return edges ? narrateSearch(state.best_first, event) : narrate(state.transition, event);
}
