// The beam view's picture: on top the state that is looked at, with its arcs, and beside it the map
// of all steps; below, a column a step, a card a state, lines to the parents.

import { arcsApart, bagWidth, drawArcs } from "../player/arcs.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import {
  choosable, headline, keptPiece, nothingYet, setIfNew, settledPicture, settlePieces,
} from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { drawActions } from "./actions.js";
import { findState, INITIAL, lastColumn, successor } from "./beam.js";
import {
  actionText, bagLeft, cardLabel, cardsOf, chosenSerial, derivationOf, isConstrained, stackMarks,
  stackText,
} from "./cards.js";
import { drawLattice } from "./lattice.js";
import { stepsInAll, stepText } from "./steps.js";

const CARD = { width: 216, line: 15, foot: 7, gap: 6, space: 40, head: 42 };
const CARD_MOST = { title: 2, stack: 3 };

// Of few steps the cards show all. No map is narrower, nor has less for a step.
const MAP = { height: 88, least: 5, width: 170, step: 6, sides: 74 };
// Pixels for a tree and its title, and for arcs without labels beside a map: cards stand still.
const TREE = { width: 300, height: 128 };

export function drawBeam(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const size = Object.fromEntries(
    Object.entries(CARD).map(([name, value]) => [name, value * scale]),
  );
  if (room.name) size.width *= 0.92; // beside another search there is less room
  const width = Math.max(room.width, size.width + 20);
  if (!state.columns.length) return nothingYet(width, scale);
  const fitting = Math.max(1, Math.floor((width - 8 + size.space) / (size.width + size.space)));
  size.width = (width - 8 + size.space) / fitting - size.space;
  const chosen = chosenSerial(state, room.selected);
  const path = derivationOf(state, chosen);
  const first = firstColumn(state, room, fitting);
  const shown = state.columns.slice(first, first + fitting)
    .map((column, i) => ({
      column, ...cardsOf(state, first + i, room.rows, room.masked, path, chosen),
    }));
  sayCards(state, shown.flatMap(({ shown: cards }) => cards), size, scale);
  const columns = shown.map((one, i) => layColumn(one, i, size));
  const now = [state.search, width, scale, room.rows, chosen, Boolean(room.masked)];
  const bottom = Math.max(...columns.map((column) => column.bottom));
  const links = svg("g", { class: "wol-links" },
    columns.flatMap((column, i) => linksTo(column, columns[i - 1], path)));
  const cards = columns.map((column, i) =>
    keptPiece(room, `column ${i}`, [now, columnKey(state, column, path)], () =>
      drawColumn(state, column, room, size, scale, path, chosen)));
  const wide = treeWidth(state, room, width, scale);
  const mapped = state.columns.length > Math.max(fitting, MAP.least);
  const least = mapped ? TREE.height * scale : 0;
  const [detail, tall, more] = keptPiece(room, "detail", detailKey(state, now, [wide, least], room),
    () => drawDetail(state, chosen, path, [wide, width], scale, room, least));
  const [map, under] = mapped ? drawMap(state, room, [wide, width], tall, scale) : [null, 0];
  const top = tall + under;
  const below = keptPiece(room, "below", top, () =>
    svg("g", { transform: `translate(0 ${top})` }));
  settlePieces(below, [links, ...cards]);
  setIfNew(detail.lastChild, "transform", `translate(0 ${top + bottom})`);
  return settledPicture(room, width, top + bottom + more, scale,
    `Beam after step ${state.step}`, map ? [map, detail, below] : [detail, below]);
}

// How wide the tree stands: as the whole bag, if the map of all steps has room beside it.
function treeWidth(state, room, width, scale) {
  const map = Math.max(MAP.width, MAP.sides + MAP.step * stepsInAll(state, room.log)) * scale;
  const whole = Math.max(TREE.width, bagWidth(state.forms, state.counts) + 24) * scale;
  return width - map < Math.min(whole, width / 2) ? width : Math.min(whole, width - map);
}

// All that can be seen of a column.
function columnKey(state, { column, shown, hidden, x, bottom }, path) {
  const { step, made, states, cut, forbidden, gold_rank: gold } = column;
  return [
    step, made, states.length, cut.length, forbidden.length, gold, column === lastColumn(state),
    hidden, x, bottom,
    shown.map((card) => [
      card.serial, card.status, card.rank, card.score, card.margin, card.gold, card.forbidden,
      card.says, card.left, card.title.shown, card.words.shown, card.y, card.height,
      path.has(card.serial),
    ]),
  ];
}

// What is forbidden grows with every event.
function detailKey(state, now, sizes, room) {
  return [now, sizes, isConstrained(state) ? room.k : 0, state.updates, state.update];
}

// The columns whose cards are shown: the last ones, or those around the dot that was pressed, until
// the next step.
function firstColumn(state, room, fitting) {
  const last = Math.max(0, state.columns.length - fitting);
  const { focus } = room.kept;
  if (!focus || focus.k !== room.k || focus.search !== state.search) return last;
  return Math.max(0, Math.min(last, focus.column - (fitting >> 1)));
}

// The whole lattice as a map of the cards, right of the tree or below it, and the height that it
// takes there.
function drawMap(state, room, [left, whole], tall, scale) {
  const beside = left < whole;
  const [width, height] = beside ? [whole - left, tall - 6 * scale] : [whole, MAP.height * scale];
  const { kept, select, masked } = room;
  kept.k = room.k; // what is kept is pressed later
  const press = (one, column) => {
    kept.focus = { k: kept.k, search: state.search, column: column.step };
    select(one.serial);
  };
  const { states, cut, gold, gold_rank: rank } = lastColumn(state);
  const key = [
    state.search, state.columns.length, states.length, cut.length, gold, rank, width, height, scale,
    left, chosenSerial(state, room.selected), Boolean(masked), kept.zoom,
  ];
  const map = keptPiece(room, "map", key, () => svg("g", {
    transform: beside ? `translate(${left} 0)` : `translate(0 ${tall})`,
  }, drawLattice(state, room, width, height, press, true)));
  return [map, beside ? 0 : height + 4 * scale];
}

// What all the cards that are seen say, on as many lines as it takes.
function sayCards(state, cards, size, scale) {
  const wide = (size.width - 14) / scale;
  for (const card of cards)
    card.says = card.masked ? "?" : card.status === "cut" ? behind(card.margin)
      : number(card.score);
  const titles = foldTogether(cards.map((card) => ({
    text: cardTitle(state, card), first: wide - textWidth(card.says) - 8, rest: wide,
  })), CARD_MOST.title, true);
  const stacks = cards.map((card) => ({
    text: stackText(card), marks: stackMarks(card), first: wide,
  }));
  // Of the same step, after the same action, with the same words and heads.
  const apart = arcsApart(cards.map((card, i) =>
    ({ ...card, key: JSON.stringify([card.column, card.action, stacks[i]]) })));
  const words = foldTogether(stacks.map((one, i) =>
    ({ ...one, text: apart[i] ? `${one.text} (${apart[i]})` : one.text })), CARD_MOST.stack);
  cards.forEach((card, i) => {
    const left = bagLeft(state, card);
    Object.assign(card, { title: titles[i], words: words[i], left });
    const lines = titles[i].lines.length + words[i].lines.length;
    card.height = size.foot + size.line * (lines + (left.length || card.forbidden ? 1 : 0));
  });
}

function cardTitle(state, { serial, action, status, rank, gold }) {
  const place = { kept: action ? `${rank + 1}. ` : "", cut: "✂ " }[status] ?? "";
  const name = serial === 0 && !action ? "start" : actionText(action, state.names);
  return `${gold ? "★ " : ""}${place}${name}`;
}

function layColumn({ column, shown, hidden }, place, size) {
  const x = 4 + place * (size.width + size.space);
  let y = size.head;
  let status = shown[0]?.status;
  for (const card of shown) {
    if (card.status !== status) y += size.gap + 14;
    status = card.status;
    Object.assign(card, { x, y, width: size.width });
    y += card.height + size.gap;
  }
  return { column, shown, hidden, x, bottom: y + 16 };
}

function linksTo(column, before, path) {
  if (!before) return [];
  return column.shown.flatMap((card) => {
    const parent = before.shown.find((one) => one.serial === card.parent && one.status === "kept");
    if (!parent) return [];
    const from = { x: parent.x + parent.width, y: parent.y + parent.height / 2 };
    const to = { x: card.x, y: card.y + card.height / 2 };
    const middle = (from.x + to.x) / 2;
    const kind =
      path.has(card.serial) && path.has(parent.serial) ? "wol-path" : `wol-link wol-${card.status}`;
    return [
      svg("path", {
        class: kind,
        d: `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`,
      }),
    ];
  });
}

function drawColumn(state, { column, shown, hidden, x, bottom }, room, size, scale, path, chosen) {
  const cut = column === lastColumn(state) ? column.cut.length : column.made - column.states.length;
  const judged = column.states.length > 0 && column.step > 0;
  const not = column.forbidden.length ? `, ${column.forbidden.length} forbidden` : "";
  const counts =
    column.step === 0
      ? "the initial state"
      : `${column.made} made${judged ? `, ${column.states.length} kept, ${cut} cut` : ""}${not}`;
  const more = [
    [hidden.kept, "more in the beam"],
    [hidden.open, "more candidates"],
    [hidden.cut, "more cut"],
  ]
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(" · ");
  const head = column.step ? stepText(column, state, room.log) : "Start";
  const fallen =
    column.gold_rank === -1 && column.gold >= 0
      ? svg("text", { x: x + (1.05 * textWidth(head, true) + 12) * scale, y: 14 * scale,
          class: "wol-fallen" }, "✕ gold is cut")
      : null;
  return svg(
    "g",
    { role: "group", "aria-label": `Step ${column.step}: ${counts}` },
    svg("text", { x, y: 14 * scale, class: "wol-head" }, head),
    fallen,
    svg("text", { x, y: 30 * scale, class: "wol-quiet" }, clip(counts, (1.1 * size.width) / scale)),
    shown.map((card) => drawCard(state, card, room, size, scale, path, chosen)),
    more
      ? svg("text", { x, y: bottom - 6, class: "wol-quiet" },
          clip(more, (1.1 * size.width) / scale))
      : null);
}

function drawCard(state, card, room, size, scale, path, chosen) {
  const { x, y, title, words } = card;
  const wide = (size.width - 14) / scale;
  const mine = card.serial === chosen;
  const looks = ["wol-card", `wol-${card.status}`, card.gold && "wol-gold",
    path.has(card.serial) && "wol-on-path", mine && "wol-chosen"];
  const not = card.forbidden ? `${card.forbidden} forbidden` : "";
  const lineFrom = (first) => (i) => ({ x: x + 7, y: y + size.line * (first + i) });
  const right = (line, text, look) => svg("text", {
    ...lineFrom(line)(0), x: x + size.width - 7, "text-anchor": "end", class: look }, text);
  const below = 1 + title.lines.length;
  const last = below + words.lines.length;
  return choosable(
    looks,
    {
      serial: card.serial, said: cardLabel(state, card), chosen: mine,
      press: () => room.select(card.serial),
    },
    svg("rect", { x, y, width: size.width, height: card.height, rx: 5 }),
    foldedText(title, lineFrom(1), { class: "wol-action" }),
    right(1, card.says, "wol-score"),
    foldedText(words, lineFrom(below), { mark: "wol-headword" }),
    card.left.length ? svg("text", { ...lineFrom(last)(0), class: "wol-quiet" }, clip(
      `bag: ${card.left.join(" · ")}`, wide * 1.1 - textWidth(not && `${not}  `))) : null,
    not ? right(last, not, "wol-quiet") : null,
  );
}

function behind(margin) {
  return margin > 0 ? `${number(margin)} behind` : "tie";
}

// The state that is looked at: its words and arcs, this wide; last in the element, as wide as all,
// what it may do and what changed. And how high both are.
export function drawDetail(state, serial, path, [wide, width], scale, room, least = 0) {
  const one = detailState(state, serial, path);
  const [tree, height] = drawArcs(one, wide - 16, scale);
  const score = room.masked && !path.has(serial) ? "?" : number(one.score);
  const unknown = serial ? "not in the log" : "nothing done yet";
  const told = one.action ? `${actionText(one.action, state.names)}, score ${score}` : unknown;
  const tall = Math.max(least, 34 * scale + height);
  tree.setAttribute("transform", `translate(8 ${tall - height - 2 * scale})`);
  const [actions, taken] = drawActions(state, one, path, 8, 24 * scale, width - 16, scale,
    room.rows);
  const after = actions ? taken + 12 * scale : 0;
  const update = state.update ? updateLines(state) : [];
  const lines = update.map((line, i) => svg("text", {
    x: 8, y: after + (20 + 17 * i) * scale, class: i ? "" : "wol-update",
  }, clip(line, (width - 16) / scale)));
  const title = headline(`State ${serial}: ${told}`, 8, 15 * scale, (wide - 16) / scale);
  return [svg("g", { class: "wol-detail" }, title, tree, svg("g", {}, actions, lines)),
    tall, after + (10 + 18 * update.length) * scale];
}

export function detailState(state, serial, path) {
  if (path.has(serial)) {
    const one = path.get(serial);
    if (one.stack) return one;
    const parent = findState(state, one.parent, state.columns.length - one.column);
    return { ...one, ...successor(parent, one.action, state) };
  }
  const open = state.candidates.find((one) => one.serial === serial);
  return open
    ? { ...open, ...successor(findState(state, open.parent, 1), open.action, state) }
    : INITIAL;
}

const WEIGHTS_SHOWN = 6;

// Why the weights change, and the first of those that have changed.
function updateLines({ update, updates }) {
  const count = update.weights.length + update.more;
  const changes = update.weights
    .slice(0, WEIGHTS_SHOWN)
    .map(
      ([feature, action, before, after]) =>
        `${after > before ? "+" : "−"} ${feature} with ${action}: ${number(before)} → ` +
        `${number(after)}`,
    );
  const more =
    count > changes.length ? [`… and ${plural(count - changes.length, "weight")} more`] : [];
  return [
    `▲ update ${updates} (${update.reason}) on the first ${plural(update.step, "action")}: ` +
      `gold ${number(update.gold)}, best ${number(update.predicted)}`,
    ...changes,
    ...more,
  ];
}
