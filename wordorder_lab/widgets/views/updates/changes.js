// The features that the two structures do not share, as rows with bars: how much more the positive
// one has of each, the weight before and after, and the points it brought to the margin.

import { clip, svg, textWidth } from "../player/dom.js";
import { foldedText, foldTogether } from "../player/folding.js";
import { paragraph } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { featureWords } from "./features.js";
import { chooseWeight } from "./history.js";
import { NEARLY, rankedChanges } from "./updates.js";
import { costliest, featureText, fine, sayCost, saySums, signed } from "./words.js";

const CHANGE_ROW = 21;
const TEMPLATE_LINE = 15;
const FEATURE_LINES = 4;
const MOST_COST = "◀ most";
const ORDERS = [
  ["points", "most points lost first"],
  ["change", "largest change first"],
];

export function drawChanges(update, rows, whole, room, width, scale) {
  const order = room.kept.order ?? "points";
  const { ranked, equal } = rankedChanges(rows, order);
  const shown = ranked.slice(0, room.rows);
  const most = costliest(rows);
  const name = "Features they do not share";
  const title = svg(
    "text",
    { x: 0, y: 14 * scale, class: "wol-title" },
    clip(name, width / scale, { bold: true }),
  );
  const [buttons, beside] = orderButtons(order, room, width, textWidth(name, true) + 16, scale);
  const [cost, below] = paragraph(sayCost(rows, whole), 0, beside + 18 * scale, width, scale, {
    class: "wol-cost",
  });
  const top = below + 4 * scale;
  const at = columnsOf(width, scale);
  const heads = drawHeads(at, top + 16 * scale);
  const start = top + 24 * scale;
  const titles = sayFeatures(shown, most, at, scale);
  let y = start;
  const longest = Math.max(...shown.map((row) => Math.abs(row.points)), 1e-12);
  const drawn = shown.map((row, i) => {
    const told = titles[i];
    const tall = (at.lines * CHANGE_ROW + TEMPLATE_LINE * told.lines) * scale;
    const place = { y, tall, turn: update.number, first: i === 0, longest, ...told };
    y += tall;
    return drawChange(row, place, at, room, width, scale);
  });
  const under = y;
  const notes = [
    ...restText(ranked.slice(shown.length), equal),
    ...saySums(update, rows, whole, room),
    ...scaledNote(rows),
  ];
  y += 16 * scale;
  const texts = notes.map((text) => {
    const [lines, bottom] = paragraph(
      text,
      0,
      y,
      width,
      scale,
      text.startsWith("…") ? { class: "wol-quiet" } : {},
    );
    y = bottom + 18 * scale;
    return lines;
  });
  return [
    svg(
      "g",
      {},
      title,
      cost,
      buttons,
      heads,
      svg(
        "g",
        { role: "group", "aria-label": "Features they do not share: choose one for its history" },
        drawn,
      ),
      texts.flat(),
    ),
    y - 12 * scale,
    y - under - 16 * scale,
  ];
}

// The features of all rows in words and by their names, each on a few lines; a row says, too,
// whether no other one cost more.
function sayFeatures(rows, most, at, scale) {
  const wide = at.feature / scale - 8;
  const costs = rows.map(({ points }) => points <= (most?.points ?? -Infinity) + NEARLY);
  const fold = (texts, bold) => foldTogether(texts.map((text, i) => ({
    text, first: wide - (costs[i] ? textWidth(`  ${MOST_COST}`, bold) : 0), rest: wide,
  })), FEATURE_LINES, bold);
  const words = rows.map(featureWords);
  const titles = fold(words.map((text, i) => text || featureText(rows[i])), true);
  const names = fold(words.map((text, i) => text && featureText(rows[i])), false);
  return rows.map((_, i) => {
    const lines = titles[i].lines.length + names[i].lines.length - 1;
    return { title: titles[i], name: names[i], lines, cost: costs[i] };
  });
}

function restText(rest, equal) {
  let points = 0;
  for (const row of rest) points += row.points;
  const more = rest.length
    ? [`… and ${rest.length.toLocaleString("en")} more, ${fine(points)} points together`]
    : [];
  return equal
    ? [
        ...more,
        `… ${plural(equal, "feature")} of both, as often in the one as in the other, cancel out`,
      ]
    : more;
}

function scaledNote(rows) {
  const whole = rows.every((row) => Math.abs(row.difference - Math.round(row.difference)) < 1e-6);
  return whole
    ? []
    : [
        "Differences are parts of 1, since each edge's counts are divided by how many actions it " +
        "took (scaled).",
      ];
}

// Where the columns are. On a narrow screen a row has two lines, and the feature the first of them;
// on a very narrow one the bar has a line of its own.
function columnsOf(width, scale) {
  const lines = width / scale < 340 ? 3 : width / scale < 620 ? 2 : 1;
  const bar = [Math.min(260 * scale, 0.26 * width), 0.38 * width, width - 60 * scale][lines - 1];
  const weight = lines > 1 ? 72 * scale : width - bar - 150 * scale;
  const difference =
    lines > 1 ? { x: 0, "text-anchor": "start" } : { x: weight - 16 * scale, "text-anchor": "end" };
  return {
    lines,
    bar,
    middle: width - bar / 2,
    weight,
    difference,
    feature: lines > 1 ? width : weight - 82 * scale,
  };
}

function drawHeads(at, y) {
  const quiet = (text, place) => svg("text", { ...place, y, class: "wol-quiet" }, text);
  return svg(
    "g",
    { "aria-hidden": "true" },
    at.lines > 1 ? null : quiet("feature", { x: 0 }),
    quiet("difference", at.difference),
    quiet("weight", { x: at.weight }),
    quiet(at.lines > 1 ? "points" : "points = before × difference", {
      x: at.middle,
      "text-anchor": "middle",
    }),
  );
}

function drawChange(row, place, at, room, width, scale) {
  const { y, tall, turn, first, longest, cost, title, name } = place;
  const { points, before, after } = row;
  const chosen =
    room.kept.weight?.feature === row.feature && room.kept.weight.action === row.action;
  const base = at.lines === 1 ? y + 15 * scale : y + tall - 6 * scale;
  const numbers = at.lines < 3 ? base : base - CHANGE_ROW * scale;
  const words = featureWords(row);
  const said =
    `${featureText(row)}: in + minus in − ${signed(row.difference)}, weight ${fine(before)} ` +
    `to ${fine(after)}, ` +
    `${fine(points)} points${cost ? ", the most that any cost" : ""}. Its history`;
  const meant = words ? `. In words: ${words}` : "";
  const text = (x, words, more = {}) => svg("text", { x, y: numbers, ...more }, words);
  const lineFrom = (from) => (i) => ({ x: 0, y: y + 15 * (1 + from + i) * scale });
  const length = (0.5 * at.bar - 4 * scale) * Math.abs(points) / longest;
  const side = points < 0 ? -1 : 1;
  return svg(
    "g",
    {
      class: `wol-press${cost ? " wol-most" : ""}${chosen ? " wol-chosen" : ""}`,
      role: "button",
      tabindex: first ? 0 : -1,
      "data-serial": `${turn}.${row.index}`, // another update has other rows
      "aria-label": said + meant,
      "aria-pressed": String(chosen),
      onclick: () => chooseWeight(room, row),
    },
    svg("rect", {
      class: "wol-row-back",
      x: -4 * scale,
      y: y + scale,
      width: width + 6 * scale,
      height: tall - 2 * scale,
      rx: 4,
    }),
    svg("title", {}, said + meant),
    foldedText(title, lineFrom(0), {}),
    cost ? text(at.feature - 8 * scale, MOST_COST, {
      y: y + 15 * scale, "text-anchor": "end", class: "wol-update" }) : null,
    name.lines.length ? foldedText(name, lineFrom(title.lines.length), { class: "wol-quiet" })
      : null,
    text(0, signed(row.difference), at.difference),
    text(at.weight, clip(`${fine(before)} → ${fine(after)} ${after > before ? "▲" : "▽"}`,
      Math.min(146, (at.lines < 3 ? at.middle - at.bar / 2 : width) / scale - at.weight / scale))),
    svg("line", {
      class: "wol-rule",
      x1: at.middle,
      x2: at.middle,
      y1: base - 13 * scale,
      y2: base + 4 * scale,
    }),
    svg("rect", {
      class: side < 0 ? "wol-lost" : "wol-won",
      x: side < 0 ? at.middle - length : at.middle,
      y: base - 10 * scale,
      width: length,
      height: 11 * scale,
    }),
    besideZero(at, signed(points), side, base, scale),
  );
}

// The points stand on the side where there is no bar; where that is too narrow for them, they end
// at its edge.
function besideZero(at, words, side, y, scale) {
  const [near, far] = [at.middle - side * 5 * scale, at.middle - side * (0.5 * at.bar - scale)];
  const fits = textWidth(words) * scale <= Math.abs(far - near);
  const away = (side < 0) === fits;
  return svg("text", { x: fits ? near : far, y, "text-anchor": away ? "start" : "end" }, words);
}

// Two buttons: by points, by change; beside the title or, where there is no room, below it. What
// comes back is where the next line may stand.
function orderButtons(order, room, width, left, scale) {
  const wides = ORDERS.map(([, label]) => (textWidth(label, true) + 18) * scale);
  const all = wides.reduce((sum, wide) => sum + wide + 8 * scale, 0);
  const fits = left * scale + all <= width;
  let [x, line] = fits ? [left * scale, 0] : [0, 22 * scale];
  const drawn = ORDERS.map(([name, label], i) => {
    const wide = wides[i];
    if (x && x + wide > width) [x, line] = [0, line + 26 * scale];
    const press = () => {
      room.kept.order = name;
      room.redraw();
    };
    const one = svg(
      "g",
      {
        class: `wol-press wol-order${name === order ? " wol-chosen" : ""}`,
        role: "button",
        tabindex: 0,
        "data-serial": name,
        "aria-label": `Sort: ${label}`,
        "aria-pressed": String(name === order),
        onclick: press,
      },
      svg("rect", { x, y: line, width: wide, height: 21 * scale, rx: 5 }),
      svg("text", { x: x + 9 * scale, y: line + 15 * scale }, label),
    );
    x += wide + 8 * scale;
    return one;
  });
  return [drawn, line + 20 * scale];
}
