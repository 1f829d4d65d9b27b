// What a combination's score is made of, as bars: its rule's features, n-grams, the items in its
// variables.

import { drawBars } from "../parts/bars.js";
import { titled } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { itemOf, itemWords, sidesOf } from "./items.js";
import { pointsOf } from "./look.js";

export function drawScoreParts(at, width) {
  const { state, combination, application, scale } = at;
  const told = state.applications[application];
  if (!told) return [null, 0];
  const title = combination
    ? `Combination ${combination.serial}: its score`
    : `Application ${application}: its score`;
  const [group, height] = drawBars(scoreRows(at, told), width, scale, title);
  return titled(title, [group, height + 4 * scale], scale);
}

// The rows: those that add up, then their sum. What the log does not tell is a row, too.
function scoreRows({ state, room, combination, masked }, told) {
  const points = pointsOf(state, told.application);
  const shown = points.slice(0, Math.max(room.rows, 3));
  const rest = points.slice(shown.length).reduce((sum, [, value]) => sum + value, 0);
  const known = points.reduce((sum, [, value]) => sum + value, 0);
  const rows = shown.map(([feature, value]) => ({ name: feature, values: [value] }));
  if (points.length > shown.length)
    rows.push({ name: plural(points.length - shown.length, "more feature"), values: [rest] });
  if (points.length && isFar(known, told.score))
    rows.push({ name: "other features", values: [told.score - known] });
  rows.push({
    name: points.length ? "the rule, in all" : "the rule",
    values: [told.score],
    sum: points.length > 0,
  });
  return combination ? [...rows, ...combinationRows(state, combination, told, masked)] : rows;
}

function combinationRows(state, one, told, masked) {
  const sides = sidesOf(state, told.application);
  const parts = one.ranks.map((rank, k) => ({ k, item: sides[k]?.[rank] }));
  const rows = [{ name: "n-grams made here", values: [masked ? NaN : one.ngrams] }];
  rows.push(
    ...parts.map(({ k, item }) => ({
      name: `“${itemWords(state, item).join(" ")}”`,
      chip: k + 1,
      values: [itemOf(state, item)?.score ?? NaN],
    })),
  );
  const sum = rows.reduce((total, row) => total + row.values[0], told.score);
  if (isFar(sum, one.score))
    rows.push({ name: "what the log does not tell", values: [one.score - sum] });
  rows.push({ name: "score", values: [masked ? NaN : one.score], sum: true });
  rows.push({ name: "heuristic", values: [one.heuristic] });
  if (one.loss) rows.push({ name: "loss so far", values: [masked ? NaN : one.loss] });
  return rows;
}

function isFar(a, b) {
  return Number.isFinite(a) && Math.abs(a - b) > 1e-6 * (1 + Math.abs(b));
}
