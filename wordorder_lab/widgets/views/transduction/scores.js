// What a combination's score is made of, as bars: its rule's features, n-grams, the items in its
// variables.

import { AGENDA_ROW, drawScoreBar } from "../agenda/rows.js";
import { clip, svg, textWidth } from "../player/dom.js";
import { titled } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { itemOf, itemWords, sidesOf } from "./items.js";
import { pointsOf } from "./look.js";
import { chipOf } from "./trees.js";

export function drawScoreParts(at, width) {
  const { state, combination, application, scale } = at;
  const told = state.applications[application];
  if (!told) return [null, 0];
  const rows = scoreRows(at, told);
  const values = rows.map((row) => row.value).filter(Number.isFinite);
  const widest =
    Math.max(40, ...values.map((value) => textWidth(number(value)))) * scale + 12 * scale;
  const name = 0.46 * width;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const unit = high > low ? (width - name - widest - 8 * scale) / (high - low) : 0;
  const lay = { unit, zero: name - low * unit };
  const drawn = rows.map((row, i) =>
    scoreLine(row, lay, i * AGENDA_ROW * scale, name, width, scale),
  );
  const title = combination
    ? `Combination ${combination.serial}: its score`
    : `Application ${application}: its score`;
  const said = rows.map((row) => `${row.name} ${number(row.value)}`).join("; ");
  const group = svg(
    "g",
    { role: "img", "aria-label": `${title}: ${said}`, class: "wol-score-parts" },
    drawn,
  );
  return titled(title, [group, (rows.length * AGENDA_ROW + 4) * scale], scale);
}

// The rows: those that add up, then their sum. What the log does not tell is a row, too.
function scoreRows({ state, room, combination, masked }, told) {
  const points = pointsOf(state, told.application);
  const shown = points.slice(0, Math.max(room.rows, 3));
  const rest = points.slice(shown.length).reduce((sum, [, value]) => sum + value, 0);
  const known = points.reduce((sum, [, value]) => sum + value, 0);
  const rows = shown.map(([feature, value]) => ({ name: feature, value }));
  if (points.length > shown.length)
    rows.push({ name: plural(points.length - shown.length, "more feature"), value: rest });
  if (points.length && isFar(known, told.score))
    rows.push({ name: "other features", value: told.score - known });
  rows.push({
    name: points.length ? "the rule, in all" : "the rule",
    value: told.score,
    sum: points.length > 0,
  });
  return combination ? [...rows, ...combinationRows(state, combination, told, masked)] : rows;
}

function combinationRows(state, one, told, masked) {
  const sides = sidesOf(state, told.application);
  const parts = one.ranks.map((rank, k) => ({ k, item: sides[k]?.[rank] }));
  const rows = [{ name: "n-grams made here", value: masked ? NaN : one.ngrams }];
  rows.push(
    ...parts.map(({ k, item }) => ({
      name: `“${itemWords(state, item).join(" ")}”`,
      chip: k + 1,
      value: itemOf(state, item)?.score,
    })),
  );
  const sum = rows.reduce((total, row) => total + (row.value ?? NaN), told.score);
  if (isFar(sum, one.score))
    rows.push({ name: "what the log does not tell", value: one.score - sum });
  rows.push({ name: "score", value: masked ? NaN : one.score, sum: true });
  rows.push({ name: "heuristic", value: one.heuristic });
  if (one.loss) rows.push({ name: "loss so far", value: masked ? NaN : one.loss });
  return rows;
}

function isFar(a, b) {
  return Number.isFinite(a) && Math.abs(a - b) > 1e-6 * (1 + Math.abs(b));
}

function scoreLine({ name, value, chip, sum }, lay, y, left, width, scale) {
  const from = chip ? 20 * scale : 4 * scale;
  return svg("g", {}, svg("title", {}, `${name}: ${number(value)}`),
    sum ? svg("path", { d: `M0 ${y}H${width}`, class: "wol-rule" }) : null,
    chip ? chipOf(chip, 9 * scale, y + 12 * scale, 0.85 * scale) : null,
    svg(
      "text",
      { x: from, y: y + 16.5 * scale, class: sum ? "wol-title" : "" },
      clip(name, (left - from) / scale - 6, { bold: Boolean(sum) }),
    ),
    Number.isFinite(value) ? drawScoreBar(value, Boolean(sum), lay, y, scale) : null,
    svg(
      "text",
      {
        x: width - 4 * scale,
        y: y + 16.5 * scale,
        "text-anchor": "end",
        class: sum ? "wol-title" : "",
      },
      number(value),
    ),
  );
}
