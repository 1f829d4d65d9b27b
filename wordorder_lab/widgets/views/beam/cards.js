// What is on the cards of the beam view: which states a column shows, and what each says.

import { number, plural } from "../player/words.js";
import { findState, lastColumn, shifted, successor } from "./beam.js";

// The states of a column in the order of showing: the new beam by rank, candidates that TOP-K has
// not judged yet, then of those that were cut gold and the nearest; gold and the way that is
// followed are always among them. `hidden` counts what is not shown.
export function cardsOf(state, index, rows, masked, path, chosen = null) {
  const column = state.columns[index];
  const last = index === state.columns.length - 1;
  const kept = column.states.map((one) => ({ ...one, status: "kept" }));
  const open = last ? undecided(state, column, masked) : [];
  const gold = ({ serial }) => Number(serial === column.gold);
  const cut = column.cut.map((one) => ({ ...one, status: "cut" }))
    .sort((a, b) => gold(b) - gold(a) || a.margin - b.margin || a.serial - b.serial);
  const fallen = cut.some(gold); // its card takes the place of one
  const ghosts = Math.max(2, Math.floor(rows / 2));
  const followed = ({ serial }) => serial === column.gold || path.has(serial);
  const shown = [
    ...topOf(kept, fallen ? Math.max(2, rows - 1) : rows, followed),
    ...topOf(open, Math.max(2, rows - kept.length), ({ serial }) => serial === chosen),
    ...topOf(cut, ghosts, followed),
  ];
  const forbidden = forbiddenIn(state, index);
  for (const card of shown) {
    card.column = index;
    card.gold = column.gold === card.serial;
    card.forbidden = (card.status === "kept" && forbidden.get(card.serial)) || 0;
    if (!card.stack) {
      const parent = findState(state, card.parent, state.columns.length - index);
      Object.assign(card, successor(parent, card.action, state));
    }
  }
  const cutInAll = last ? cut.length : column.made - kept.length;
  const hidden = {
    kept: kept.length - shown.filter((card) => card.status === "kept").length,
    open: open.length - shown.filter((card) => card.status === "open").length,
    cut: Math.max(0, cutInAll - shown.filter((card) => card.status === "cut").length),
  };
  return { shown, hidden };
}

function topOf(cards, rows, followed) {
  const late = cards.slice(rows).filter(followed);
  return [...cards.slice(0, Math.max(0, rows - late.length)), ...late];
}

function undecided(state, column, masked) {
  const judged = new Set([...column.states, ...column.cut].map((one) => one.serial));
  const open = state.candidates.filter((one) => !judged.has(one.serial));
  if (!masked) open.sort((a, b) => b.score - a.score || a.serial - b.serial);
  return open.map((one) => ({ ...one, status: "open", masked }));
}

// The nodes on the stack, the top last: the units that each covers, and which of them is its head.
function stackNodes({ order, heads, stack }) {
  const first = (node) => {
    const left = heads.findIndex((head, place) => head === node && place < node);
    return left < 0 ? node : first(left);
  };
  const starts = stack.map(first);
  return starts.map((from, i) => ({
    units: order.slice(from, starts[i + 1] ?? order.length).map(([unit]) => unit),
    head: stack[i] - from,
  }));
}

export function stackText(one) {
  return stackNodes(one).map(({ units }) => `[${units.join(" ")}]`).join(" ") || "[ ]";
}

// Where the heads stand in this text, in letters; a unit alone needs no mark.
export function stackMarks(one) {
  let end = -2;
  return stackNodes(one).flatMap(({ units, head }) => {
    const from = end + 3 + ["", ...units.slice(0, head)].join(" ").length;
    end += 3 + units.join(" ").length;
    return units.length > 1 ? [{ from, length: units[head].length }] : [];
  });
}

// What is still in the bag: each unit with its count.
export function bagLeft(state, one) {
  const left = state.counts.slice();
  for (const [unit] of one.order) {
    const type = state.forms.findIndex((forms, i) => forms.includes(unit) && left[i] > 0);
    if (type >= 0) left[type] -= 1;
  }
  return state.forms.flatMap((forms, i) =>
    left[i] > 0 ? [forms.join("|") + (left[i] > 1 ? ` ×${left[i]}` : "")] : []);
}

export function actionText(action, units) {
  if (!action.startsWith("SHIFT-")) return action || "not in the log";
  const [unit, tag] = shifted(action, units);
  return `SHIFT ${unit}${tag && `/${tag}`}`;
}

export function cardLabel(state, card) {
  const where = { kept: `rank ${card.rank + 1}`, open: "candidate", cut: "cut" }[card.status];
  const score = card.masked ? "score hidden" : `score ${number(card.score)}`;
  const margin = card.margin === undefined ? "" : `, ${number(card.margin)} behind`;
  const not = card.forbidden ? `, ${plural(card.forbidden, "action")} forbidden` : "";
  return (
    `${where}${card.gold ? ", gold" : ""}: state ${card.serial}, ` +
    `${actionText(card.action, state.names)}, ` +
    `${score}${margin}, stack ${stackText(card)}${not}`
  );
}

// The derivation that the picture follows: serial -> the state, back to the initial one.
export function derivationOf(state, serial) {
  const path = new Map();
  if (!state.columns.some(({ states, cut }) =>
    [...states, ...cut].some((one) => one.serial === serial)))
    serial = state.candidates.find((one) => one.serial === serial)?.parent ?? serial;
  for (let i = state.columns.length - 1; i >= 0; i -= 1) {
    const one = state.columns[i].states.find((other) => other.serial === serial)
      ?? state.columns[i].cut.find((other) => other.serial === serial);
    if (one) {
      path.set(one.serial, { ...one, column: i });
      serial = one.parent;
    }
  }
  return path;
}

// The state that is looked at: the one that was chosen, the outcome, or the best so far; where
// something is forbidden, the one that is being expanded.
export function chosenSerial(state, selected) {
  const there = (serial) => state.columns.some((column) =>
    [...column.states, ...column.cut].some((one) => one.serial === serial))
    || state.candidates.some((one) => one.serial === serial);
  if (selected !== null && there(selected)) return selected;
  if (state.finished) return state.finished.serial;
  const expanded = expandedSerial(state);
  if (expanded !== null && there(expanded)) return expanded;
  const column = state.columns.findLast((one) => one.states.length);
  return column ? column.states[0].serial : 0;
}

// Where something is forbidden the table has one column more: the reason.
export function beamTable(state) {
  const [reasons, none] = isConstrained(state) ? [["reason"], [""]] : [[], []];
  const rows = state.columns.flatMap((column) => {
    const more =
      column === lastColumn(state) ? 0 : column.made - column.states.length - column.cut.length;
    return [
      ...column.states.map((one) => [...tableRow(state, column, one, "kept"), ...none]),
      ...column.cut.map((one) => [...tableRow(state, column, one, "cut"), ...none]),
      ...(more > 0 ? [[column.step, `${more} more cut`]] : []),
      ...column.forbidden.map(({ parent, action, reason }) =>
        [column.step, "forbidden", "", "", parent, action, "", "", "", "", reason]),
    ];
  });
  return {
    head: [
      "step", "outcome", "rank", "state", "parent", "action", "score", "margin", "stack", "gold",
      ...reasons,
    ],
    rows,
  };
}

function tableRow(state, column, one, outcome) {
  const stack = one.stack ? stackText(one) : "";
  const gold = column.gold === one.serial ? "gold" : "";
  const rank = one.rank === undefined ? "" : one.rank + 1;
  return [
    column.step, outcome, rank, one.serial, one.parent, one.action, one.score, one.margin ?? "",
    stack, gold,
  ];
}

export function isConstrained(state) {
  return state.columns.some((column) => column.forbidden.length > 0);
}

// The state that is being expanded, or null once TOP-K has begun.
export function expandedSerial(state) {
  const column = lastColumn(state);
  if (!isConstrained(state) || column.states.length || column.cut.length) return null;
  return (state.candidates.at(-1) ?? column.forbidden.at(-1))?.parent ?? null;
}

// How many actions are forbidden to each state of a column, by serial.
function forbiddenIn(state, index) {
  const counts = new Map();
  for (const { parent } of state.columns[index + 1]?.forbidden ?? [])
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  return counts;
}
