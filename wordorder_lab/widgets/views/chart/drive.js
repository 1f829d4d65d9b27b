// "Drive": two edges are picked, and the grammar says what it makes of them. The model in Python is
// asked; without it, the log still says what this search has made of the two.

import { keepFocus, KERNEL_LATE } from "../player/asking.js";
import { button, html } from "../player/dom.js";
import { number, sayReason } from "../player/words.js";
import { edgeText, isCcg, sayEdge, sayJoin } from "../search/edges.js";
import { edgeOf } from "../search/search.js";
import { chartPicks } from "./cells.js";
import { sayMet } from "./met.js";

const OTHER_SCORES =
  "The model's scores are not this log's: the weights went on changing as it learned, and the " +
  "model has their average.";

// Pick an edge, or lay it down again; a third one takes the place of the second.
function pickEdge(state, room, serial) {
  const before = chartPicks(state, room);
  const serials = before.includes(serial)
    ? before.filter((one) => one !== serial)
    : [...before.slice(0, 1), serial];
  room.kept.picks = { search: state.search, serials };
  room.redraw();
}

// One listener for all edges: a click looks at an edge, with shift it picks it; so does the key p.
export function chartClick(event, state, room) {
  const card = event.target.closest?.("[data-serial]");
  if (!card) return;
  if (event.shiftKey) pickEdge(state, room, Number(card.dataset.serial));
  else room.select(Number(card.dataset.serial));
}

export function chartKey(event, state, room) {
  const card = event.target.closest?.("[data-serial]");
  const serial = Number(card?.dataset.serial); // a button has none
  if (event.key === "p" && serial) pickEdge(state, room, serial);
}

// An edge as Python is told of it: how it was built.
function toldEdge(state, serial) {
  const { left, right, action, category, item, form, pos } = edgeOf(state, serial);
  const kind = category ? { category } : {};
  return left
    ? { action, ...kind, left: toldEdge(state, left), right: right ? toldEdge(state, right) : null }
    : { item, form, pos, ...kind };
}

function askDrive(state, room, [left, right], key) {
  room.kept.answers ??= {};
  const { answers } = room.kept;
  const answered = (answer) => {
    answers[key] = answer;
    room.redraw();
  };
  answered(null);
  const late = setTimeout(() => answered({ why: KERNEL_LATE }), 5000);
  room.ask({ left: toldEdge(state, left), right: toldEdge(state, right) }).then((answer) => {
    clearTimeout(late);
    answered(answer);
  });
}

// Without a model the panel is there once something is picked: the log knows what it made of two.
export function chartDrive(state, room, chosen) {
  const picks = chartPicks(state, room);
  if (!room.ask && !picks.length) return null;
  const key = `${state.search} ${picks.join(" ")}`;
  const off = room.masked ? "Switched off while the quiz asks."
    : picks.length < 2 ? "Pick two edges first." : "";
  const slots = [0, 1].map((i) => pickSlot(state, room, picks[i], i));
  const look =
    chosen === null
      ? null
      : button(
          "Pick the edge that is looked at",
          picks.includes(chosen) ? `lay edge ${chosen} down` : `pick edge ${chosen}`,
          () => pickEdge(state, room, chosen),
          { "data-drive": "pick" },
        );
  const ask = room.ask && button(
    "Ask the model",
    "what do they make?",
    () => off || askDrive(state, room, picks, key),
    { "aria-disabled": String(off !== ""), title: off || "Ask the model", "data-drive": "ask" },
  );
  const panel = html(
    "div",
    { class: "wol-drive", role: "group", "aria-label": "Drive" },
    html(
      "p",
      {},
      html("strong", {}, "Drive: "),
      "pick two edges (shift-click, or p), and see what the ",
      room.ask ? "grammar makes of them: " : "search made of them: ",
    ),
    html("div", { class: "wol-row" }, look, slots, ask),
    room.masked ? html("p", { class: "wol-soft" }, off) : null,
    room.ask && room.log.counts.edge_update ? html("p", { class: "wol-soft" }, OTHER_SCORES) : null,
    picks.length === 2 && !room.masked
      ? driveOutcomes(state, room, picks, room.kept.answers?.[key])
      : null,
  );
  keepFocus(room.kept, panel);
  return panel;
}

function pickSlot(state, room, serial, i) {
  const name = ["first", "second"][i];
  if (!serial) return html("span", { class: "wol-slot" }, `${i + 1}: no edge`);
  return html(
    "span",
    { class: "wol-slot" },
    `${i + 1}: ${sayEdge(state, serial)} `,
    button(`Lay the ${name} edge down`, "✕", () => pickEdge(state, room, serial), {
      "data-drive": name,
    }),
  );
}

// The outcomes: what the model says of each, and what the log says of it.
function driveOutcomes(state, room, [left, right], answer) {
  if (answer === null)
    return html("p", { class: "wol-soft", role: "status" }, "asking the model …");
  if (answer?.why) return html("p", { role: "status" }, `No answer: ${sayReason(answer.why)}`);
  const found = joinedInLog(state, left, right);
  const rows = [
    ["left right", left, right],
    ["right left", right, left],
  ].flatMap(([order, one, other]) => {
    const told = answer?.outcomes.filter((outcome) => outcome.order === order) ?? [];
    const made = found.filter((edge) => edge.left === one && edge.right === other);
    return driveJoins(state, told, made).map(([name, outcome, edge]) =>
      html(
        "tr",
        {},
        [
          `“${edgeText(state, one)} ${edgeText(state, other)}”`,
          name,
          answer ? sayOutcome(outcome) : null,
          sayMade(state, edge, [one, other], room),
        ]
          .filter((cell) => cell !== null)
          .map((cell) => html("td", {}, cell)),
      ),
    );
  });
  const head = [
    "words",
    isCcg(state) ? "category and rule" : "the head comes from the",
    ...(answer ? ["what the grammar says"] : []),
    "in the log so far",
  ];
  return html(
    "div",
    { class: "wol-outcomes" },
    html(
      "table",
      {},
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          head.map((name) => html("th", { scope: "col" }, name)),
        ),
      ),
      html("tbody", {}, rows),
    ),
  );
}

// For one order of the two: [name, what the model says, the edge of the log] of each join. Of links
// there are always two, in CCG as many as there are rules.
function driveJoins(state, told, made) {
  const same =
    ({ action, category }) =>
    (one) =>
      one.action === action && (one.category ?? "") === (category ?? "");
  if (!isCcg(state)) {
    return ["HeadLeft", "HeadRight"].map((action) => [
      sideName(action),
      told.find(same({ action })),
      made.find(same({ action })),
    ]);
  }
  const rules = [
    ...told.filter(({ action }) => action),
    ...made.filter((edge) => !told.some(same(edge))),
  ];
  if (!rules.length) return [["none", told[0]]];
  return rules.map((rule) => [
    `${rule.category} ${sayJoin(rule)}`,
    told.find(same(rule)),
    made.find(same(rule)),
  ]);
}

function sideName(action) {
  return `${{ HeadLeft: "left", HeadRight: "right" }[action]} edge (${action})`;
}

function joinedInLog(state, left, right) {
  const mine = (edge) =>
    (edge.left === left && edge.right === right) || (edge.left === right && edge.right === left);
  return state.edges.filter(mine);
}

function sayOutcome(told) {
  if (!told) return "";
  return told.why === null ? `✓ an edge with score ${number(told.score)}` : `✕ no: ${told.why}`;
}

// What the log knows of one outcome.
function sayMade(state, made, pair, { log, k }) {
  if (!made) return sayMet(state, log, k, pair);
  const place = {
    agenda: "on the agenda",
    chart: "in the chart",
    goal: "a goal",
    popped: "popped",
    out: "out",
  }[state.places[made.serial - 1]];
  return `edge ${made.serial}, score ${number(state.scores[made.serial - 1])}, ${place}`;
}
