// The applications of rules in a cell, or at a node that was chosen, a row each: what each has come
// to.

import { clip, svg, textWidth } from "../player/dom.js";
import { drawSentences, titled } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { homeCell } from "./items.js";
import { cellApplications, chooseIn, combinationWords, resultOf } from "./look.js";
import { sayCell, sayNode, sayOriginOfRule } from "./narration.js";
import { fragmentText, ruleRead } from "./rules.js";

const RULE_ROW = 24;

export function drawApplications(at, width) {
  const { state, cell, node, scale } = at;
  const all =
    node !== null ? cellApplications(state, { node }) : cell ? cellApplications(state, cell) : [];
  if (!all.length)
    return titled("Rules that match", drawSentences([sayNoRules(at)], width, scale), scale);
  const { shown, more } = topApplications(at, all);
  const drawn = shown.map((application, i) =>
    applicationRow(at, application, i * RULE_ROW * scale, width),
  );
  const low = shown.length * RULE_ROW * scale;
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

function applicationRow(at, application, y, width) {
  const { state, room, scale, cell, derivation, masked } = at;
  const told = state.applications[application];
  const home = homeCell(state, application);
  const { taken, heuristic, best } = resultOf(home, application);
  const used = derivation?.used.get(told.node) === application;
  const busy =
    cell?.items === null && cell.taken[cell.taken.length - 1]?.application === application;
  const mark = used ? "✓ used" : busy ? "▸ now" : "";
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
  const rule = ruleRead(told.rule);
  const free = width / scale - 82 - 0.9 * textWidth(end) - 14;
  const shape = rule ? fragmentText(rule.target) : told.rule;
  const chosen = application === at.application;
  const words = best && !hidden ? ` gives “${combinationWords(state, best)}”` : "";
  const said =
    `${told.rule}, ${sayOriginOfRule(told.origin)}, score ` +
    `${number(told.score)}${used ? ", used" : ""}${end ? `, ${end}` : ""}${words}`;
  return svg(
    "g",
    {
      class: `wol-agenda-row${chosen ? " wol-chosen" : ""}`,
      role: "button",
      tabindex: chosen ? 0 : -1,
      "data-serial": `application ${application}`,
      "aria-label": `Application ${application}: ${said}`,
      "aria-pressed": String(chosen),
      onclick: () => chooseIn(state, room, { application, item: null }),
    },
    svg("title", {}, said),
    svg("rect", {
      x: 1,
      y: y + 1.5 * scale,
      width: width - 2,
      height: (RULE_ROW - 3) * scale,
      rx: 4,
      class: "wol-back",
    }),
    svg("text", { x: 6 * scale, y: y + 16 * scale, class: "wol-small" }, mark),
    svg("text", { x: 54 * scale, y: y + 16 * scale, class: "wol-quiet" }, application),
    svg(
      "text",
      { x: 82 * scale, y: y + 16 * scale },
      svg("tspan", { class: "wol-title" }, clip(shape, free, { bold: true })),
      words ? clip(words, Math.max(0, free - textWidth(shape, true))) : null,
    ),
    svg(
      "text",
      { x: width - 6 * scale, y: y + 16 * scale, "text-anchor": "end", class: "wol-small" },
      end,
    ),
  );
}
