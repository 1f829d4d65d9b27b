// The screen of the game: what there is so far, the options as buttons, then the verdict.

import { bagLeft, stackText } from "../beam/cards.js";
import { drawArcs } from "../player/arcs.js";
import { html } from "../player/dom.js";
import { headline, pictureOf } from "../player/pictures.js";
import { shuffled } from "../player/questions.js";
import { number } from "../player/words.js";
import { drawEdgeTree } from "../search/derivations.js";
import { sayEdge } from "../search/edges.js";
import { gameOf, rankIn, turnsOf } from "./turns.js";
import { optionText, questionText, stateOfGame, totalText, verdictText } from "./wording.js";

const SHOWN_TURNS = new WeakMap(); // state -> what the table shows

export function decoderPicture(state, room) {
  const { log, kept } = room;
  const { search } = state;
  const game = gameOf(log, search);
  kept.chosen ??= new Map();
  if (!kept.chosen.has(search)) kept.chosen.set(search, []);
  const turns = turnsOf(log, search, kept.chosen.get(search));
  SHOWN_TURNS.set(state, { game, turns });
  if (!turns.length)
    return html("div", { class: "wol-decoder" }, emptyPicture(room),
      html("p", {}, search ? "There is nothing to choose in this search." : "Go on to a search."));
  const at = { game, turns, room, search, place: placeOf(turns, room) };
  const turn = turns[at.place];
  const style = `width: ${room.width}px`;
  const drawn = html("div", { class: "wol-decoder", style }, tallyLine(at), soFarPicture(at, turn),
    ...(turn.choice === undefined ? questionPart(at, turn) : verdictPart(at, turn)));
  keepPlace(kept, drawn);
  return drawn;
}

// The turn that is looked at: that of the clock, or the one that has just been answered.
function placeOf(turns, { kept, k }) {
  if (kept.at?.k === k) return Math.min(kept.at.place, turns.length - 1);
  const place = turns.findLastIndex((turn) => turn.asked <= k);
  return Math.max(0, place);
}

// After a press the focus goes to what is pressed next; after a step, too, if it was in the game.
function keepPlace(kept, drawn) {
  const focused = kept.pressed || Boolean(kept.drawn?.contains(document.activeElement));
  kept.drawn = drawn;
  if (!focused) return;
  kept.pressed = false;
  const focusNext = () => kept.drawn.querySelector("[data-next]").focus({ preventScroll: true });
  queueMicrotask(focusNext);
}

// Look at a turn: the clock goes to it.
function lookAt({ room }, place, event, said = "") {
  Object.assign(room.kept, { at: { place, k: event }, pressed: true });
  room.go(event);
  room.say(said);
}

function choose(at, turn, serial) {
  const { room, search, place } = at;
  const chosen = room.kept.chosen.get(search);
  chosen.push(serial);
  const played = turnsOf(room.log, search, chosen);
  const over = played.length === chosen.length;
  const verdict = verdictText(at.game, played[place]);
  lookAt(at, place, turn.decided, over ? `${verdict} ${totalText(played).end}` : verdict);
}

function tallyLine({ turns, place, room }) {
  const { so_far: told } = totalText(turns);
  const waits = turns.findIndex((turn) => turn.choice === undefined);
  const elsewhere = waits >= 0 && waits !== place ? `; turn ${waits + 1} waits for you` : "";
  return html("p", { class: "wol-decoder-tally" }, html("b", {}, `Turn ${place + 1}`),
    room.width > 500 ? `: you have ${told}${elsewhere}` : ` · ${told}`);
}

function emptyPicture(room) {
  return pictureOf(room.width, 1, 1, "No search", [], { role: "img" });
}

// What there is before the choice: of a beam the state with its arcs and its bag, of a best-first
// search the edge that was popped before.
function soFarPicture({ game, room }, turn) {
  const scale = room.projector ? 1.7 : 1.2;
  const width = room.width - 12;
  const [title, tree, height, more] = game.books
    ? beforePop(game, turn, width, scale)
    : beforeAction(game, turn, width, scale);
  const top = 26 * scale;
  tree?.setAttribute("transform", `translate(6 ${top})`);
  const whole = Math.ceil(top + height + 8 * scale);
  const pieces = [headline(title, 6, 15 * scale, width / scale), tree];
  return [pictureOf(room.width, whole, scale, title, pieces), html("p", {}, more)];
}

function beforeAction(game, turn, width, scale) {
  const one = stateOfGame(game, turn.state);
  const bag = bagLeft(game, one).map((unit) => html("span", { class: "wol-bag-word" }, unit));
  const title = `Your stack: ${stackText(one)}`;
  const [tree, height] = one.order.length ? drawArcs(one, width, scale) : [null, 0];
  return [title, tree, height, ["In the bag: ", ...(bag.length ? bag : ["nothing"])]];
}

function beforePop({ books, asked }, turn, width, scale) {
  const [last] = books.pops[turn.state - 2] ?? [];
  const waiting = `${turn.waiting} edges wait on the agenda.`;
  if (!last) return [`${asked.length} pops are asked about`, null, 0, waiting];
  const [tree, height] = drawEdgeTree(books, last, width, scale);
  return [`Popped before: ${sayEdge(books, last)}`, tree, height, waiting];
}

function questionPart(at, turn) {
  const { game } = at;
  const options = turn.options.map(([value]) => ({ value, label: optionText(game, value) }));
  const buttons = shuffled(options, turn.asked).map(({ value, label }, i) =>
    html("li", {}, html("button",
      { type: "button", "data-next": i === 0, onclick: () => choose(at, turn, value) }, label)));
  return [
    html("h3", {}, questionText(game, turn)),
    html("ol", { class: "wol-decoder-options" }, buttons),
  ];
}

// The same options once more, now ranked and with their scores; then on to the next turn.
function verdictPart(at, turn) {
  const { game, turns, place } = at;
  const next = turns[place + 1];
  const onward = next
    ? html("button", {
        type: "button", "data-next": true, onclick: () => lookAt(at, place + 1, next.asked),
      }, "Next turn")
    : html("button", { type: "button", "data-next": true, onclick: () => again(at) }, "Once more");
  const ranked = turn.options.map(([serial, score]) =>
    html("li", { class: optionClass(turn, serial) },
      html("b", {}, `${rankIn(turn, serial).toLocaleString("en")}. `),
      `${signsOf(turn, serial)}${optionText(game, serial)}`, whyButton(at, turn, serial),
      html("i", {}, number(score))));
  return [
    html("div", { class: "wol-row" }, onward, html("h3", {}, next
      ? sayPoint(turn) : `${sayPoint(turn)} ${totalText(turns).end}`)),
    html("ol", { class: "wol-decoder-options wol-decoder-ranked" }, ranked),
  ];
}

// What shows the reasons of an option beside those of the others that matter.
function whyButton({ game, room }, turn, serial) {
  const rivals = [[turn.model, "the model’s choice"], [turn.gold[0], "gold"],
    [turn.choice, "your choice"]];
  const known = new Set(turn.options.map(([one]) => one));
  const name = (one) => known.has(one) ? optionText(game, one)
    : game.books ? sayEdge(game.books, one) : "the state before";
  const show = room.why?.(serial, rivals, name);
  return show ? html("button", {
    type: "button", "data-why": serial, onclick: show,
    "aria-label": `Why this score: ${optionText(game, serial)}`,
  }, "why?") : null;
}

function sayPoint({ point, gold, choice }) {
  const why = gold.length
    ? gold.includes(choice) ? "gold" : "not gold"
    : point ? "the model’s first" : "not the model’s first";
  return `${point ? "A point" : "No point"}: ${why}.`;
}

function optionClass({ choice, gold }, serial) {
  const classes = [gold.includes(serial) && "wol-is-gold", serial === choice && "wol-is-mine"];
  return classes.filter(Boolean).join(" ");
}

function signsOf({ choice, gold, model }, serial) {
  const signs = (serial === choice ? "◉" : "") + (serial === model ? "▲" : "") +
    (gold.includes(serial) ? "★" : "");
  return signs && `${signs} `;
}

function again(at) {
  at.room.kept.chosen.set(at.search, []);
  lookAt(at, 0, at.turns[0].asked);
}

// The turns that were played, a row each.
export function decoderRows(state) {
  const { game, turns } = SHOWN_TURNS.get(state) ?? { turns: [] };
  const rows = turns.filter((turn) => turn.choice !== undefined).map((turn, i) => {
    const scores = new Map(turn.options);
    const { choice, waiting } = turn;
    return [i + 1, optionText(game, choice), scores.get(choice), rankIn(turn, choice), waiting,
      turn.gold.map((serial) => optionText(game, serial)).join(" or "),
      optionText(game, turn.model), turn.point, turn.model_point];
  });
  return {
    head: ["turn", "your choice", "score", "rank", "options", "gold", "the model’s choice",
      "points", "the model’s points"],
    rows,
  };
}
