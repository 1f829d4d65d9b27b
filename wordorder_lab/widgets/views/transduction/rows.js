// The applications of rules in a cell, or at a node that was chosen, each as two small
// trees, with what it has come to.

import { clip, svg, textWidth } from "../player/dom.js";
import { drawSentences, round1, titled } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { homeCell } from "./items.js";
import { cellApplications, chooseIn, combinationWords, resultOf } from "./look.js";
import { sayCell, sayNode, sayOriginOfRule, sayRule } from "./narration.js";
import { ruleRead } from "./rules.js";
import { drawRulePair } from "./three.js";

const TILE = { head: 20, foot: 22, inset: 8, small: 0.86 };

export function drawApplications(at, width) {
  const { state, cell, node, scale } = at;
  const all =
    node !== null ? cellApplications(state, { node }) : cell ? cellApplications(state, cell) : [];
  if (!all.length)
    return titled("Rules that match", drawSentences([sayNoRules(at)], width, scale), scale);
  const { shown, more } = topApplications(at, all);
  const tiles = shown.map((application) => applicationTile(at, application, width));
  const [drawn, low] = inLines(tiles, width, 6 * scale);
  if (more)
    drawn.push(
      svg(
        "text",
        { x: 4 * scale, y: low + 14 * scale, class: "wol-quiet" },
        `${plural(more, "more rule")}`,
      ),
    );
  const where = node !== null ? sayNode(state, node) : sayCell(state, cell);
  const match = all.length === 1 ? "matches" : "match";
  const title = `${plural(all.length, "rule")} ${match} for ${where}`;
  const group = svg("g", { role: "group", "aria-label": title }, drawn);
  return titled(
    clip(title, width / scale, { bold: true }),
    [group, low + (more ? 20 : 4) * scale],
    scale,
  );
}

function sayNoRules({ state, node, cell, derivation }) {
  const place = node ?? cell?.node;
  if (place === undefined || place === null)
    return (
      "A cell holds what one source node can become, as one target category. None is filled yet."
    );
  const gone = derivation?.deleted.has(place) ? " It was deleted by a rule further up." : "";
  return `No rule matches at ${sayNode(state, place)}.${gone}`;
}

// The best first: by the best that each gave, then by its own score; the looked-at one always.
function topApplications(at, all) {
  const { state, room, masked } = at;
  const results = new Map(
    all.map((application) => [application, resultOf(homeCell(state, application), application)]),
  );
  const place = (application) =>
    masked || results.get(application).rank < 0 ? Infinity : results.get(application).rank;
  const got = (application) =>
    masked ? -Infinity : (results.get(application).best?.score ?? -Infinity);
  const own = (application) => state.applications[application].score;
  const less = (a, b) => (a > b) - (a < b);
  const ranked = all
    .slice()
    .sort((a, b) => less(place(a), place(b)) || less(got(b), got(a)) || own(b) - own(a) || a - b);
  const must = [at.application, at.derivation?.used.get(at.node ?? at.cell?.node)].filter((one) =>
    all.includes(one),
  );
  const shown = ranked.slice(0, room.rows);
  for (const one of must) if (!shown.includes(one)) shown.push(one);
  return { shown, more: all.length - shown.length };
}

// A rule that matches: its small trees, what it came to, the words of the best that it gave.
function applicationTile(at, application, most) {
  const { state, room, scale, cell, derivation, masked } = at;
  const told = state.applications[application];
  const home = homeCell(state, application);
  const { taken, heuristic, best } = resultOf(home, application);
  const used = derivation?.used.get(told.node) === application;
  const busy =
    cell?.items === null && cell.taken[cell.taken.length - 1]?.application === application;
  const hidden = masked && home === cell;
  const result = !taken
    ? home?.items
      ? "never taken"
      : ""
    : hidden
      ? `${taken} taken`
      : `${taken} taken, best ${number(best.score)}`;
  const end = [Number.isFinite(heuristic) ? `heuristic ${number(heuristic)}` : "", result]
    .filter(Boolean)
    .join(" · ");
  const words = best && !hidden ? combinationWords(state, best) : "";
  const said =
    `${sayRule(told.rule)}, ${sayOriginOfRule(told.origin)}, score ` +
    `${number(told.score)}${used ? ", used" : ""}${end ? `, ${end}` : ""}` +
    `${words ? ` gives “${words}”` : ""}`;
  const small = TILE.small * scale;
  const rule = ruleRead(told.rule);
  const [trees, high, wide] = rule
    ? drawRulePair(rule, most - 2 * TILE.inset * scale, small)
    : drawSentences([told.rule], most, small);
  const head = `${used ? "✓ used " : busy ? "▸ now " : ""}${application}`;
  const second = result || `score ${number(told.score)}`;
  const least = textWidth(`${head}   ${second}`) * scale;
  const width = Math.min(most, Math.max(least, wide ?? most) + 2 * TILE.inset * scale);
  const height = high + (TILE.head + (words ? TILE.foot : 4)) * scale;
  const chosen = application === at.application;
  const low = height - 7 * scale;
  const free = width / scale - 2 * TILE.inset;
  const attributes = {
    class: `wol-agenda-row${chosen ? " wol-chosen" : ""}`,
    role: "button",
    tabindex: chosen ? 0 : -1,
    "data-serial": `application ${application}`,
    "aria-label": `Application ${application}: ${said}`,
    "aria-pressed": String(chosen),
    onclick: () => chooseIn(state, room, { application, item: null }),
  };
  const x = TILE.inset * scale;
  const inside = [
    svg("title", {}, said),
    svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 4, class: "wol-back" }),
    svg("text", { x, y: 14 * scale, class: "wol-small" }, head),
    svg(
      "text",
      { x: width - x, y: 14 * scale, "text-anchor": "end", class: "wol-small" },
      clip(second, free - textWidth(head) - 8),
    ),
    svg("g", { transform: `translate(${x} ${TILE.head * scale})` }, trees),
    words ? svg("text", { x, y: low }, clip(`“${words}”`, free)) : null,
  ];
  const draw = (...place) =>
    svg("g", { ...attributes, transform: `translate(${place})` }, inside);
  return { width, height, draw };
}

// Tiles from left to right, line after line; [elements, height].
function inLines(tiles, width, gap) {
  let [x, y, high] = [0, 0, 0];
  const drawn = tiles.map((tile) => {
    if (x && x + tile.width > width) [x, y, high] = [0, y + high + gap, 0];
    const placed = tile.draw(round1(x), round1(y));
    x += tile.width + gap;
    high = Math.max(high, tile.height);
    return placed;
  });
  return [drawn, y + high];
}
