// The features that the two structures do not share, as bars: what each brought to the margin
// before the update, and brings after it; or, of a side that was pressed, what makes its score.

import { barKey, drawBars } from "../parts/bars.js";
import { foldRows } from "../parts/compared.js";
import { svg, textWidth } from "../player/dom.js";
import { drawSentences, pressButtons, stackBlocks } from "../player/pictures.js";
import { capital, plural } from "../player/words.js";
import { featureBriefly } from "./features.js";
import { chooseWeight } from "./history.js";
import { NEARLY, rankedChanges, reckon } from "./updates.js";
import { costliest, featureText, fine, saySums, signed } from "./words.js";

const ORDERS = [
  ["points", "most points lost first"],
  ["change", "largest change first"],
];
const MOST_COST = "◀ cost the most";
const BEFORE_AFTER = [["wol-bar-before", "before"], ["", "after the update"]];
const OF_SIDES = [["wol-bar-gold", "★ +"], ["wol-bar-rival", "−"]];

// The element, its height, and how much of it is notes, which need not fit.
export function drawChanges(update, rows, whole, room, width, scale) {
  const { side = null } = room.kept;
  const { ranked, equal } = rankedChanges(rows, room.kept.order ?? "points");
  if (side !== null) ranked.sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const most = (costliest(rows)?.points ?? -Infinity) + NEARLY;
  const features = ranked.map((row, i) =>
    featureRow(update, row, room, { first: i === 0, cost: row.points <= most }));
  const told = side === null ? marginRows(update, features, rows, whole, room)
    : sideRows(update, features, side, room);
  const kinds = side === null ? BEFORE_AFTER : [side, 1 - side].flatMap((one) => {
    const [kind, sign] = OF_SIDES[one];
    return BEFORE_AFTER.map(([when, says]) => [`${kind} ${when}`, `${sign} ${says}`]);
  });
  const title = side === null ? "What the margin is made of" : "What the scores are made of";
  const bars = drawBars(told, width, scale, title,
    { kinds: kinds.map(([kind]) => kind), turns: true });
  const above = stackBlocks([drawChangesHead(title, kinds, room, width, scale), bars], 4 * scale);
  const notes = drawSentences([
    ...equal ? [`${plural(equal, "feature")} of both, as often in the one as in the other, ` +
      "cancel out."] : [],
    ...saySums(update, rows, whole, room),
    ...scaledNote(rows),
  ], width, scale);
  return [...stackBlocks([above, notes], 4 * scale), notes[1]];
}

// Title, what the bars stand for, and the orders: on one line where there is room.
function drawChangesHead(title, kinds, room, width, scale) {
  const from = (textWidth(title, true) + 20) * scale;
  const [key, wide, lines] = barKey(kinds, scale, width);
  const order = room.kept.order ?? "points";
  const buttons = (kinds === BEFORE_AFTER ? ORDERS : []).map(([serial, words]) => ({
    serial, words, label: `Sort: ${words}`, chosen: serial === order,
    press: () => {
      room.kept.order = serial;
      room.redraw();
    },
  }));
  const [drawn, all, high] = pressButtons(buttons, width, scale);
  const fits = from + wide + all <= width;
  const below = from + wide > width ? 20 * scale : 0;
  key.setAttribute("transform", `translate(${below ? 0 : from} ${below})`);
  const low = below + (4 + 18 * lines) * scale;
  drawn.setAttribute("transform", `translate(${fits ? width - all : 0} ${fits ? 0 : low})`);
  const text = svg("text", { x: 0, y: 14 * scale, class: "wol-title" }, title);
  return [svg("g", {}, text, key, drawn), fits ? Math.max(low, high) : low + high];
}

// A feature in words and by its name, and where its weight goes; pressed, it shows its history.
function featureRow(update, row, room, { first, cost }) {
  const { before, after, difference, points } = row;
  const name = featureText(row);
  const words = featureBriefly(row);
  const weight = `${fine(before)} → ${fine(after)}`;
  const { weight: kept } = room.kept;
  return {
    row,
    name: words === name ? name : capital(words),
    note: `${words === name ? "" : `${name} · `}weight ${weight}, × ${signed(difference)}` +
      (cost ? ` ${MOST_COST}` : ""),
    values: [points, after * difference],
    press: {
      first,
      serial: `${update.number}.${row.index}`, // another update has other rows
      label: `${name}: in + minus in − ${signed(difference)}, weight ${fine(before)} to ` +
        `${fine(after)}, ${fine(points)} points before, ${fine(after * difference)} after` +
        `${cost ? ", the most that any cost" : ""}. ` +
        `In words: ${words}. Its history`,
      chosen: kept?.feature === row.feature && kept.action === row.action,
      onclick: () => chooseWeight(room, row),
    },
  };
}

function shownFeatures(features, room) {
  return foldRows(features, room.rows, (count) => plural(count, "more feature"),
    ({ press }) => press.chosen);
}

// Points of all features come to the margin, before and after.
function marginRows(update, features, rows, whole, room) {
  const shown = shownFeatures(features, room);
  if (!whole || update.more || !rows.length) return shown;
  const { points, after, lastOnly } = reckon(update, rows, room.log);
  const margins = [update.margin, after ?? undefined];
  const together = [points, rows.reduce((sum, row) => sum + row.after * row.difference, 0)];
  const rest = restOf(margins, together);
  const name = lastOnly ? "what their parts brought" : "what the log does not tell";
  return [
    ...shown,
    ...rest.some((one) => Math.abs(one) > NEARLY * (1 + Math.abs(points)))
      ? [{ name, values: rest, plain: true }] : [],
    { name: "margin: the sum", values: margins, sum: true, plain: true },
  ];
}

// What one side has more of is its own; all else of a score the update has not told of.
function sideRows({ before, after }, features, side, room) {
  const both = [side, 1 - side];
  const nothing = [undefined, undefined];
  const own = features.map((one) => {
    const mine = (one.row.difference > 0 ? 0 : 1) === side;
    const values = one.values.map(Math.abs).map((value, i) =>
      Math.sign([one.row.before, one.row.after][i]) * value);
    return { ...one, values: mine ? [...values, ...nothing] : [...nothing, ...values] };
  });
  const scores = both.flatMap((one) => [before[one] ?? undefined, after[one] ?? undefined]);
  const together = scores.map((_, i) =>
    own.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const rest = restOf(scores, together);
  const alike = Math.abs(rest[0] - rest[2]) <= NEARLY * (1 + Math.abs(rest[0]));
  return [
    ...shownFeatures(own, room),
    { name: "what sets them apart, together", values: together, sum: true, plain: true },
    { name: alike ? "what both have alike" : "the rest of each score", values: rest, plain: true },
    { name: "score: the sum", values: scores, sum: true, plain: true },
  ];
}

function restOf(whole, together) {
  return whole.map((value, i) => value === undefined ? undefined : value - together[i]);
}

function scaledNote(rows) {
  const whole = rows.every((row) => Math.abs(row.difference - Math.round(row.difference)) < 1e-6);
  return whole ? [] : ["Differences are parts of 1, since each edge's counts are divided by how " +
    "many actions it took (scaled)."];
}
