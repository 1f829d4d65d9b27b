// Source tree, rule and target tree.

import { clip, svg } from "../player/dom.js";
import {
  drawSentences,
  sideBySide,
  stackBlocks,
  titled,
  unfoldButton,
} from "../player/pictures.js";
import { number } from "../player/words.js";
import { bestItem, itemOf, itemTreeInParts, nodesBelow, NOT_KNOWN, treeWords } from "./items.js";
import { madeByApplications, madeByCombination, madeByItem, sayRuleFates } from "./fates.js";
import { cellApplications, combinationTree, inThisSearch } from "./look.js";
import { sayNode, sayOriginOfRule, sayRule } from "./narration.js";
import { kidsOf, matchedNodes, ruleRead } from "./rules.js";
import { drawPhrase, fragmentTree, layPhrase } from "./trees.js";

const WHOLE_SOURCES = new WeakMap();
const FOR_MARKS = 60; // pixels for the signs of most rules: little moves between steps

// How wide the source tree is when nothing is folded.
export function wholeSource(at) {
  const { source } = at.state;
  if (!source) return 0;
  if (!WHOLE_SOURCES.has(source))
    WHOLE_SOURCES.set(
      source,
      layPhrase(sourceTree({ ...at, derivation: null, node: null, cell: null, application: null }))
        .width + FOR_MARKS,
    );
  return Math.max(WHOLE_SOURCES.get(source), layPhrase(sourceTree(at)).width + 4);
}

// The source tree with what is known of each node.
export function drawSourceTree(at, width) {
  const { state, scale, node } = at;
  if (!state.source)
    return [
      svg(
        "text",
        { x: 2, y: 14 * scale, class: "wol-quiet" },
        "The log does not tell the source tree.",
      ),
      20 * scale,
      0,
    ];
  const first = new Set();
  const tree = sourceTree(at, first);
  const folds = layPhrase(tree).width * scale > width - 4;
  const whole = at.room.kept.unfolded && folds ? Infinity : width;
  const [drawn, height, wide] = drawPhrase(tree, whole, scale, first);
  const group = svg(
    "g",
    { role: "group", "aria-label": "Source tree", class: "wol-source" },
    drawn,
  );
  const title =
    node === null ? "Source" : `Source: you look at ${sayNode(state, node)}${sayDeletion(at)}`;
  const [shown, low] = titled(
    clip(title, (width - 150 * scale) / scale, { bold: true }),
    [group, height],
    scale,
  );
  if (folds) shown.append(unfoldButton(at, width - 130 * scale));
  return [shown, low, Math.ceil(wide)]; // where it is wider, the picture is scrolled
}

function sayDeletion({ state, node, derivation }) {
  if (!derivation?.deleted.has(node)) return "";
  let gone = node;
  while (derivation.deleted.has(state.source.parents[gone])) gone = state.source.parents[gone];
  const by = [...derivation.used.values()].find((application) =>
    state.applications[application].deleted.includes(gone),
  );
  return `; deleted by application ${by} at node ${state.applications[by]?.node}`;
}

// `first`, if given, gets the nodes on the way to what is looked at.
function sourceTree(at, first = null) {
  const { state, derivation, node, cell, application } = at;
  if (!state.source) return NOT_KNOWN;
  const told = state.applications[application];
  const rule = told && ruleRead(told.rule);
  const marks = new Map();
  if (rule)
    matchedNodes(state, told.node, rule.source).forEach((place, fragment) =>
      marks.set(place, fragment),
    );
  const struck =
    derivation?.deleted ??
    new Set((told?.deleted ?? []).flatMap((one) => [...nodesBelow(state.source, one)]));
  const roots = new Set(
    derivation
      ? [...derivation.deleted].filter((one) => !derivation.deleted.has(state.source.parents[one]))
      : (told?.deleted ?? []),
  );
  const focus = node ?? cell?.node ?? null;
  const build = (place) => {
    const kids = (kidsOf(state.source)[place] ?? []).map(build);
    const fragment = marks.get(place);
    const look = [
      place === focus && "wol-here-now",
      fragment && fragment.index < 0 && "wol-rule-here",
      place === node && "wol-chosen",
      derivation?.used.has(place) && "wol-used",
    ]
      .filter(Boolean)
      .join(" ");
    const made = {
      label: state.source.labels[place],
      kids,
      ...(kids.length ? {} : { word: state.source.words[place] ?? "" }),
      look,
      chip: fragment?.index > 0 ? fragment.index : 0,
      struck: roots.has(place) ? "here" : struck.has(place) ? "below" : "",
      press: pressNode(at, place, focus),
    };
    if (first && (place === focus || marks.has(place) || kids.some((kid) => first.has(kid))))
      first.add(made);
    return made;
  };
  return build(state.source.labels.length - 1);
}

function pressNode({ state, room, node, derivation }, place, focus) {
  const used = derivation?.used.has(place)
    ? `, rule used: ${sayRule(state.applications[derivation.used.get(place)].rule)}`
    : "";
  const gone = derivation?.deleted.has(place) ? ", deleted" : "";
  return {
    role: "button",
    tabindex: place === (focus ?? state.source.labels.length - 1) ? 0 : -1,
    "data-serial": `node ${place}`,
    "aria-label":
      `${sayNode(state, place)}: rules that match: ` +
      `${cellApplications(state, { node: place }).length}${gone}${used}`,
    "aria-pressed": String(place === node),
    onclick: () => room.select(place),
  };
}

// The rule of the application that is looked at: source side, arrow, target side.
export function drawRule(at, width) {
  const { state, application, scale } = at;
  const told = state.applications[application];
  if (!told)
    return titled("Rule", drawSentences(["No rule is looked at yet."], width, scale), scale);
  const rule = ruleRead(told.rule);
  const kind = `${sayOriginOfRule(told.origin)}, score ${number(told.score)}`;
  if (!rule) return titled("Rule", drawSentences([told.rule, kind], width, scale), scale);
  const text = drawSentences([kind], width, scale);
  const trees = drawRulePair(rule, width, scale);
  const title = `Rule: application ${application}: ${sayRuleFates(rule)}`;
  const shown = titled(clip(title, width / scale - 4, { bold: true }),
    stackBlocks([trees, text], 0), scale);
  shown[0].setAttribute("class", "wol-rule-shown");
  return shown;
}

const LEAST_RULE = 0.6; // so small a side of a rule may be; one that is wider yet is folded

// Both sides of a rule as small trees, beside each other where they fit; [element, height, width].
export function drawRulePair(rule, width, scale) {
  const [left, right] = [fragmentTree(rule.source), fragmentTree(rule.target)];
  const room = width - 30 * scale;
  const widths = [left, right].map((tree) => (layPhrase(tree).width + 2) * scale);
  const beside = widths[0] + widths[1] <= room;
  const arrow = (x, y) => [
    svg("text", { x, y, class: "wol-head", "aria-hidden": "true" }, beside ? "→" : "↓"),
    18 * scale,
  ];
  const drawn = [left, right].map((tree, i) => {
    const small = beside ? 1 : Math.max(LEAST_RULE, Math.min(1, width / widths[i]));
    return drawPhrase(tree, widths[i] * small > width ? width : Infinity, scale * small);
  });
  const widest = Math.min(width, Math.max(...widths));
  return beside
    ? [
        ...sideBySide(
          [drawn[0], arrow(8 * scale, 14 * scale), drawn[1]],
          [0, widths[0], widths[0] + 30 * scale],
        ),
        widths[0] + 30 * scale + widths[1],
      ]
    : [...stackBlocks([drawn[0], arrow(0.4 * widest, 14 * scale), drawn[1]], 0), widest];
}

export const LEAST_SCALE = 0.84; // so small a target tree may be, to stand beside the source
const NEVER_FOLDED = 15; // words of a target tree that is always whole

// The target tree, with its words below it.
export function drawTarget(at, { title, tree, whole }, width) {
  if (!tree)
    return titled(
      title,
      drawSentences(["Nothing has been built in this cell yet."], width, at.scale),
      at.scale,
    );
  const first = new Set();
  const lit = litTree(tree, at.application, first);
  const small = Math.min(at.scale, Math.max(LEAST_SCALE * at.scale, width / (whole || 1)));
  const [drawn, height] = drawPhrase(lit, Math.max(width, whole * small), small, first);
  const words = treeWords(tree).join(" ");
  const group = svg(
    "g",
    { role: "img", "aria-label": `${title}: “${words}”`, class: "wol-target" },
    drawn,
  );
  return titled(
    title,
    words
      ? [group, height]
      : stackBlocks([[group, height], drawSentences(["no words"], width, at.scale)], 0),
    at.scale,
  );
}

// The target tree: of the chosen combination; else of the output; else, while a cell is filled, of
// what was combined last; else of the cell's best item. `key` tells one from all others of the
// search, `whole` is how wide it is where it must not be folded (0: it may be). Variables are
// marked if they are those of the rule that is shown beside it.
export function targetShown(at) {
  const { state, cell, application, combination, derivation, output, masked, room } = at;
  const show = (kind, title, tree, key, made = null) => ({
    title,
    tree,
    made,
    whole: tree && treeWords(tree).length <= NEVER_FOLDED ? layPhrase(tree).width + 4 : 0,
    key: [kind, key, output?.rank, application],
  });
  const combined = (one) =>
    show(
      "combination",
      `Target: combination ${one.serial}`,
      markedFor(at, one, combinationTree(state, one)),
      one.serial,
      madeByCombination(state, one),
    );
  if (combination && combination.serial === inThisSearch(state, room.kept.chosen)?.item)
    return combined(combination);
  if (derivation) {
    const { tree } = derivation;
    return show(
      "output",
      `Target${output.rank ? `: output ${output.rank + 1}` : ""}`,
      tree,
      output.rank,
      madeByApplications(state, output.applications),
    );
  }
  const last = cell?.taken[cell.taken.length - 1];
  if (combination && cell.items === null) return combined(combination);
  if (masked && last) return combined(last);
  const best = cell && bestItem(state, cell);
  if (!best) return show("nothing", "Target", null, null);
  const item = itemOf(state, best);
  return show(
    "item",
    `Target: best item${cell.items ? "" : " so far"}, ${best}`,
    item ? markedFor(at, item, itemTreeInParts(state, best)) : NOT_KNOWN,
    item?.serial,
    madeByItem(state, best),
  );
}

// The numbers of variables are those of one rule: they go where another one is shown.
function markedFor({ application }, one, tree) {
  const bare = (node) => ({
    ...node,
    chip: 0,
    ...(node.kids ? { kids: node.kids.map(bare) } : {}),
  });
  return one.application === application ? tree : bare(tree);
}

// The same tree with the part lit that one application made.
function litTree(tree, application, first) {
  if (tree.word !== undefined) return tree;
  const kids = tree.kids.map((kid) => litTree(kid, application, first));
  const here = tree.by !== undefined && tree.by === application;
  const root = here && tree.from !== undefined ? " wol-here-now" : "";
  const made = { ...tree, kids, look: here ? `wol-made-now${root}` : (tree.look ?? "") };
  if (here || kids.some((kid) => first.has(kid))) first.add(made);
  return made;
}
