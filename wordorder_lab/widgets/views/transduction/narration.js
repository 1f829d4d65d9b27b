// Tree transduction in plain sentences.

import { narrate } from "../beam/narration.js";
import { capital, number, plural } from "../player/words.js";
import { frontierOf, itemOf, itemWords, sidesOf, sourceWords } from "./items.js";
import { cellApplications, combinationWords } from "./look.js";
import { frontierNodes, ruleRead } from "./rules.js";

export function sayNode(state, node) {
  const label = state.source?.labels[node];
  if (label === undefined) return `node ${node}`;
  return `node ${node}, ${label} “${clipWords(sourceWords(state.source, node))}”`;
}

function clipWords(words, most = 6) {
  return words.length > most
    ? `${words.slice(0, most - 2).join(" ")} … ${words[words.length - 1]}`
    : words.join(" ");
}

export function sayCell(state, { node, category }) {
  return `${sayNode(state, node)}, as ${category}`;
}

export function sayOriginOfRule(origin) {
  const names = { extracted: "seen in training", copy: "a copy rule", delete: "a deletion rule" };
  return origin.split("+").map((one) => names[one] ?? one).join(" and ");
}

// A rule in words: what it turns into what, and what becomes of the parts.
export function sayRule(text) {
  const rule = ruleRead(text);
  if (!rule) return text;
  const parts = frontierNodes(rule.source);
  const labels = (list) => list.map(({ label }) => label).join(" ");
  const kept = parts.filter(({ index }) => index > 0);
  const gone = parts.filter(({ index }) => index === 0);
  const moved = kept.some(({ index }, i) => i && index < kept[i - 1].index);
  const told = [
    kept.length ? `keeps ${labels(kept)}${moved ? " in another order" : ""}` : "",
    gone.length ? `leaves out ${labels(gone)}` : "",
  ].filter(Boolean);
  return [`${rule.source.label} → ${rule.target.label}`, ...told].join(", ");
}

export function sayOutput(state, { rank, words }) {
  const rate = state.source
    ? sourceWords(state.source, state.source.labels.length - 1).length
    : state.units.length;
  const which = rank ? `output ${rank + 1}` : "the best output";
  return `${which} has ${words.length} of ${plural(rate, "word")}`;
}

export function sayOtherOutput({ other, name }) {
  const side = "AB"["BA".indexOf(name)];
  const best = other.outputs?.[0];
  return best
    ? `Beside ${side}: “${best.words.join(" ")}”, score ${number(best.score)}.`
    : `${side} has no output yet.`;
}

// What a log of learning tells of the search's margin and of the programme that was solved last.
export function sayLearning({ violation, solved }) {
  const lines = [];
  if (violation) lines.push(sayViolation(violation));
  const last = solved[solved.length - 1];
  if (last)
    lines.push(
      `Programme ${last[0]}: ${plural(last[1], "constraint")}, primal ${number(last[2])}, ` +
        `dual ${number(last[3])}; the objective over all outputs is ${number(last[4])}.`,
    );
  return lines;
}

function sayViolation({ example, loss, margin, violation }) {
  return (
    `Example ${example}: the output that violates its margin most has loss ${number(loss)}, ` +
    `and gold is ahead of it by ${number(margin)}: a violation of ${number(violation)}.`
  );
}

export function sayRanks(state, { application, ranks }) {
  const sides = sidesOf(state, application);
  return ranks
    .map(
      (rank, k) =>
        `“${itemWords(state, sides[k]?.[rank]).join(" ") || "no words"}” (rank ${rank + 1})`,
    )
    .join(" and ");
}

// A log tells how many items a cell may have, and not how many combinations may be taken for it:
// that shows where a cell ends with fewer items although some wait.
function sayLimit(state, cell) {
  const ended = cell.taken.length && cell.items && (!state.beam || cell.items.length < state.beam);
  const waiting =
    ended &&
    cellApplications(state, cell).some(
      (application) => frontierOf(state, cell, application).length,
    );
  return waiting ? ", and no more since the limit of combinations was reached" : "";
}

const SAY_OUTCOME = {
  new: (item) => `a new item, ${item}`, better: (item) => `item ${item} is better reached so`,
  worse: (item) => `no better than what item ${item} is already`,
};

export function sayTaken(state, one, masked = false) {
  const filled = one.ranks.length ? ` with ${sayRanks(state, one)}` : "";
  const told = masked
    ? ""
    : `, score ${number(one.score)}${one.loss ? `, loss ${number(one.loss)}` : ""}: ` +
      `${SAY_OUTCOME[one.outcome]?.(one.item) ?? one.outcome}`;
  return (
    `Combination ${one.serial}: application ${one.application}${filled}, heuristic ` +
    `${number(one.heuristic)}${told}; “${combinationWords(state, one)}”`
  );
}

const SAY_TRANSDUCTION = {
  begin: (state, units, counts, items, beam) => {
    const room = beam ? `at most ${plural(beam, "item")}` : "room for all items";
    return (
      `Search ${state.search} begins: ${plural(units.length, "word")}, ` +
      `${plural(items, "rule application")} that match, and ${room} in a cell.`
    );
  },
  source: (state) =>
    `The source tree has ${plural(state.source.labels.length, "node")}; they are numbered ` +
    "children first, the root last.",
  application: (state, application, node, category, rule, origin, children, deleted, score) => {
    const gone = deleted.map((one) => sayNode(state, one)).join(" and ");
    return (
      `Application ${application}: at ${sayNode(state, node)} matches the rule ${sayRule(rule)}; ` +
      `${sayOriginOfRule(origin)}, score ${number(score)}${gone && `; it deletes ${gone}`}.`
    );
  },
  points: (state, application, feature, points) =>
    `Application ${application} has ${number(points)} of the feature ${feature}.`,
  cell: (state, cell, node, category) =>
    `Cell ${cell}: what can ${sayNode(state, node)} become, as ${category}? ` +
    `${plural(cellApplications(state, { node, category }).length, "rule")} may build it.`,
  combined: (state, serial, application, ranks, heuristic, score, ngrams, loss, item, outcome) => {
    const one = { serial, application, ranks, heuristic, score, ngrams, loss, item, outcome };
    return `${sayTaken(state, one, !Number.isFinite(score))}.`;
  },
  filled: (state, cell, items) => {
    const found = state.cells.findLast((one) => one.cell === cell);
    const out = found ? new Set(found.taken.map((one) => one.item)).size - items.length : 0;
    const best = items.length
      ? ` The best: “${itemWords(state, items[0]).join(" ")}”, score ` +
        `${number(itemOf(state, items[0])?.score)}.`
      : "";
    const done = state.beam && items.length === state.beam ? "full" : "done";
    const fallen = out > 0 ? `, ${out} out by the beam` : "";
    const limit = found ? sayLimit(state, found) : "";
    return `Cell ${cell} is ${done}: ${plural(items.length, "item")}${fallen}${limit}.${best}`;
  },
  compressed: (state, rank, score, applications, words) =>
    `${capital(sayOutput(state, { rank, words }))}: “${words.join(" ")}”, score ` +
    `${number(score)}, by ${plural(applications.length, "rule")}` +
    (rank ? "." : `, after a look at ${plural(combinationsOf(state), "combination")}.`) +
    (rank && state.outputs.length > 1
      ? ` The picture shows the best: “${state.outputs[0].words.join(" ")}”.`
      : ""),
  violation: (state, example, loss, margin, violation) =>
    sayViolation({ example, loss, margin, violation }),
  solved: (state) => sayLearning({ violation: null, solved: state.solved })[0],
};

function combinationsOf({ cells }) {
  return cells.reduce((sum, { taken }) => sum + taken.length, 0);
}

export function sayTransduction(state, event) {
  if (!event) return "Nothing has happened yet.";
  return SAY_TRANSDUCTION[event[0]]?.(state, ...event.slice(1)) ?? narrate(state, event);
}

// What a whole cell has come to, or the rules that match, once a stride has ended there.
export function sumUpCell(state, event) {
  if (["application", "points"].includes(event[0])) {
    const kinds = new Set(state.applications.map(({ rule }) => rule)).size;
    return (
      `${plural(state.applications.length, "application")} of ${plural(kinds, "rule")} match ` +
      "the source tree, at " +
      `${plural(new Set(state.applications.map(({ node }) => node)).size, "node")}.`
    );
  }
  if (event[0] === "compressed") {
    const [best] = state.outputs;
    return (
      `The search is over: ${plural(state.outputs.length, "derivation")} found. ` +
      `${SAY_TRANSDUCTION.compressed(state, best.rank, best.score, best.applications, best.words)}`
    );
  }
  const cell = state.cells[state.cells.length - 1];
  if (event[0] !== "filled" || cell?.cell !== event[1]) return null;
  const rules = cellApplications(state, cell).length;
  return (
    `Cell ${cell.cell}, ${sayCell(state, cell)}: ${plural(cell.taken.length, "combination")} ` +
    "taken; " +
    `${plural(rules, "rule")} ${rules === 1 ? "matches" : "match"}. ` +
    `${SAY_TRANSDUCTION.filled(state, event[1], event[2])}`
  );
}
