// What a combination's score is made of, as bars: its rule's features, n-grams, the items in its
// variables; beside those of a rival, where a question was about two.

import { barKey, drawBars } from "../parts/bars.js";
import { compareParts, foldRows } from "../parts/compared.js";
import { clip } from "../player/dom.js";
import { stackBlocks, titled } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { itemOf, itemWords, sidesOf } from "./items.js";
import { combinationWords, pointsOf } from "./look.js";

export function drawScoreParts(at, width) {
  const { state, combination, rival, application, scale } = at;
  const told = state.applications[application];
  if (!told) return [null, 0];
  const title = rival ? `Combinations ${combination.serial} and ${rival.serial}: their scores`
    : combination ? `Combination ${combination.serial}: its score`
      : `Application ${application}: its score`;
  const bars = drawBars(scoreRows(at, told), width, scale, title);
  const says = (one) => `${one.serial}: “${combinationWords(state, one)}”`;
  const keys = rival ? [["", combination], ["wol-bar-rival", rival]].map(([kind, one]) =>
    [barKey([[kind, clip(says(one), width / scale - 30)]], scale)[0], 18 * scale]) : [];
  const [group, height] = stackBlocks([...keys, bars], 0);
  return titled(title, [group, height + 4 * scale], scale);
}

// The rows: those that add up, then their sum. What the log does not tell is a row, too.
function scoreRows({ state, room, combination, rival, masked }, told) {
  const both = [{ one: combination, told }];
  if (rival) both.push({ one: rival, told: state.applications[rival.application] });
  const sides = both.map((side) => ({ ...side, points: pointsOf(state, side.told.application) }));
  const { differ, alike } = compareParts(sides.map(({ points }) =>
    new Map(points.map(([name, value]) => [name, { name, value }]))));
  const each = (name, value) => ({ name, values: sides.map(value) });
  const rest = each("other features", ({ points, told: { score } }) =>
    score - points.reduce((sum, [, value]) => sum + value, 0));
  const rules = each(rival ? "the rules, in all" : "the rule, in all", (side) => side.told.score);
  const rows = sides.some(({ points }) => points.length) ? [
    ...foldRows(rival ? differ : [...differ, ...alike], Math.max(room.rows, 3),
      (count) => plural(count, "more feature")),
    ...rival ? foldRows(alike, 0, (count) => `${plural(count, "feature")} that both have alike`)
      : [],
    ...knownRest(rest, rules),
    { ...rules, sum: true, plain: Boolean(rival) },
  ] : [{ ...rules, name: "the rule" }];
  return combination ? [...rows, ...combinationRows(state, sides, masked)] : rows;
}

// Unless all is told.
function knownRest(rest, { values }) {
  const far = (one, i) => Number.isFinite(one) && Math.abs(one) > 1e-6 * (1 + Math.abs(values[i]));
  return rest.values.some(far) ? [rest] : [];
}

function combinationRows(state, sides, masked) {
  const each = (name, value) =>
    ({ name, values: sides.map(({ one }) => masked ? NaN : value(one)) });
  const items = sides.flatMap(({ one, told }, side) => {
    const grid = sidesOf(state, told.application);
    return one.ranks.map((rank, k) => {
      const item = grid[k]?.[rank];
      const score = itemOf(state, item)?.score ?? NaN;
      return {
        name: `“${itemWords(state, item).join(" ")}”`, chip: side ? undefined : k + 1,
        values: sides.map((_, i) => i === side ? score : undefined),
      };
    });
  });
  const ngrams = each("n-grams made here", (one) => one.ngrams);
  const scores = each("score", (one) => one.score);
  const rest = { name: "what the log does not tell", values: scores.values.map((score, i) =>
    [ngrams, ...items].reduce((left, { values }) => left - (values[i] ?? 0), score) -
      sides[i].told.score) };
  return [
    ngrams, ...items, ...knownRest(rest, scores),
    { ...scores, sum: true, plain: sides.length > 1 },
    { name: "heuristic", values: sides.map(({ one }) => one.heuristic) },
    ...sides.some(({ one }) => one.loss) ? [each("loss so far", (one) => one.loss)] : [],
  ];
}
