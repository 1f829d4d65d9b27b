// Swapping a rule: at a source node another application is forced, and the model finds the best
// output with it. Without a model the log still tells what each application gave there.

import { keepFocus, KERNEL_LATE } from "../player/asking.js";
import { button, chooser, clip, html, labelled, svg } from "../player/dom.js";
import { number, plural, sayReason, tellApart } from "../player/words.js";
import { madeByApplications, madeByRules } from "./fates.js";
import { bestItem, homeCell, itemOf, itemWords } from "./items.js";
import { combinationWords, inThisSearch, momentKey, resultOf } from "./look.js";
import { sayNode, sayRule } from "./narration.js";
import { drawSentenceMarks } from "./sentence.js";
import { drawPhrase } from "./trees.js";

// The model is asked {node, application, category, rule} and answers {score, words, rules}, the
// rules as text in pre-order; or {why}.
function askSwap(at, told, key) {
  const { room } = at;
  room.kept.answers ??= {};
  const answered = (answer) => {
    room.kept.answers[key] = answer;
    room.redraw();
  };
  answered(null);
  const late = setTimeout(() => answered({ why: KERNEL_LATE }), 30000);
  const { node, application, category, rule } = told;
  room.ask({ node, application, category, rule }).then((answer) => {
    clearTimeout(late);
    answered(answer);
  });
}

// What the panel shows.
export function swapKey(at) {
  const { room, application } = at;
  return [
    momentKey(at),
    Boolean(room.ask),
    room.masked,
    at.state.outputs.length,
    room.kept.answers?.[`${at.state.search} ${application}`] ??
      `${`${at.state.search} ${application}` in (room.kept.answers ?? {})}`,
  ];
}

// Without a model nothing can be swapped: there stand the outputs to choose from, and what the log
// says of a rule that was chosen.
export function swapPanel(at) {
  const { state, room, output, node, application } = at;
  const told = state.applications[application];
  const key = `${state.search} ${application}`;
  const looked = room.ask ? node !== null || output
    : inThisSearch(state, room.kept.chosen)?.application === application;
  const parts = [
    room.ask ? swapAsk(at, told, key) : null,
    outputChooser(at),
    told && looked && !room.masked ? html("p", {}, sayInLog(at, told)) : null,
    output && !room.masked && key in (room.kept.answers ?? {})
      ? swapOutcome(at, output, room.kept.answers[key])
      : null,
  ].flat().filter(Boolean);
  if (!parts.length) return null;
  const panel = html("div", { class: "wol-drive", role: "group",
    "aria-label": room.ask ? "Swap a rule" : "Outputs and rules" }, parts);
  keepFocus(room.kept, panel);
  return panel;
}

function swapAsk(at, told, key) {
  const { state, room, output, application } = at;
  const used = told && at.derivation?.used.get(told.node) === application;
  const off = room.masked ? "Switched off while the quiz asks."
    : !output ? "First let the search come to its end."
      : !told ? "Choose a node of the source tree, and one of its rules."
        : used ? "This rule is the one that was used: choose another one of the same node."
          : "";
  return [
    html("p", {}, html("strong", {}, "Swap a rule: "),
      "choose a node and one of the rules that match there, and see what would change: "),
    html("span", { class: "wol-slot" },
      told ? `${sayNode(state, told.node)}: ${sayRule(told.rule)}` : "no rule"),
    button("Swap the rule in", "what if this rule is used?", () => off || askSwap(at, told, key),
      { "aria-disabled": String(off !== ""), title: off || "Swap the rule in",
        "data-drive": "swap" }),
    off ? html("p", { class: "wol-soft" }, off) : null,
  ];
}

// Which of the k best outputs is looked at. Several derivations may give the same words: the first
// counts.
function outputChooser({ state, room, output }) {
  const different = new Map(
    state.outputs
      .slice()
      .reverse()
      .map((one) => [one.words.join(" "), one]),
  );
  const shown = [...new Set([output, ...[...different.values()].reverse()])]
    .filter(Boolean)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 40);
  if (shown.length < 2) return null;
  const choices = shown.map((one) => [
    String(one.rank),
    clip(`${one.rank + 1}: ${one.words.join(" ")}`, 360),
  ]);
  return labelled(
    "output",
    chooser("Output", choices, String(output.rank), (rank) => {
      room.kept.output = { search: state.search, rank: Number(rank) };
      room.redraw();
    }),
  );
}

// What the log knows: the best that the application gave in its cell, beside the cell's best.
function sayInLog({ state }, told) {
  const cell = homeCell(state, told.application);
  const what = `application ${told.application}`;
  if (!cell)
    return (
      `In the log: the cell of ${told.category} at ${sayNode(state, told.node)} has not been ` +
      `filled${state.outputs.length ? "" : " yet"}.`
    );
  const { best, rank } = resultOf(cell, told.application);
  if (!best)
    return cell.items
      ? `In the log: ${what} was never taken in its cell; cube pruning had enough without it, ` +
          "or nothing could fill its variables."
      : `In the log: ${what} was never taken in its cell so far.`;
  const where = !cell.items
    ? ""
    : rank < 0
      ? "; the beam has dropped it"
      : `, at rank ${rank + 1} of the ${plural(cell.items.length, "item")} of its cell`;
  const top = bestItem(state, cell);
  const first =
    rank === 0
      ? ""
      : ` First there is “${itemWords(state, top).join(" ")}”, score ` +
        `${number(itemOf(state, top)?.score)}.`;
  return (
    `In the log: the best that ${what} gave is “${combinationWords(state, best)}”, score ` +
    `${number(best.score)}${where}.${cell.items ? first : ""}`
  );
}

// The answer beside the output: what differs is marked in the words and in both trees.
function swapOutcome(at, output, answer) {
  const { state, room } = at;
  if (answer === null)
    return html("p", { class: "wol-soft", role: "status" }, "asking the model …");
  if (answer.why) return html("p", { role: "status" }, `No answer: ${sayReason(answer.why)}`);
  const [before, after] = tellApart(output.score, answer.score);
  const [mine, theirs] = [
    madeByApplications(state, output.applications),
    madeByRules(state, answer.rules ?? []),
  ];
  const width = Math.max(300, Math.min(room.width - 40, 560));
  const shown = [
    ["the output", before, output.words, mine, theirs],
    ["with this rule", after, differentWords(output.words, answer.words), theirs, mine],
  ].map(([name, score, words, made, other]) =>
    html(
      "div",
      {},
      html(
        "p",
        {},
        html("strong", {}, `${name}, score ${score}: `),
        Array.isArray(words) ? words.join(" ") : words,
      ),
      made ? madePicture(at, made, other, width) : null,
    ),
  );
  return html(
    "div",
    { class: "wol-outcomes", role: "status" },
    html("div", { class: "wol-swapped" }, shown),
    mine && theirs
      ? html("p", { class: "wol-soft" }, "Framed: nodes that another rule has made.")
      : null,
  );
}

// A derivation as its sentence with marks and its target tree; what another rule has made is
// framed.
function madePicture({ state, scale }, made, other, width) {
  const rules = new Map(); // source node -> the rule used there in the other derivation
  const note = (one) => one && (rules.set(one.told.node, one.rule), one.below.forEach(note));
  note(other);
  const tree = madeTree(made, rules);
  const [marks, high] = drawSentenceMarks(state, made, width, scale);
  const [drawn, low, wide] = drawPhrase(tree, width, scale);
  const height = high + low;
  const target = svg("g", { transform: `translate(0 ${high})` }, drawn);
  return svg("svg", {
    viewBox: `0 0 ${Math.max(width, wide)} ${height}`, width: Math.max(width, wide), height,
    class: "wol-picture wol-made-tree", role: "group", style: `font-size: ${12 * scale}px`,
    "aria-label": "The sentence and the target tree",
  }, marks, target);
}

function madeTree({ told, rule, below }, others) {
  const look = others.size && others.get(told.node) !== rule ? "wol-differs" : "";
  const grow = (node) => {
    if (typeof node === "string") return { word: node };
    if (node.index < 0) return { label: node.label, kids: node.children.map(grow), look };
    const part = below[node.index - 1];
    return part?.rule ? madeTree(part, others) : { label: node.label, kids: [] };
  };
  return rule ? grow(rule.target) : { label: "?", kids: [] };
}

// The longest common subsequence of two outputs: what is in the first alone, what in the second
// alone. A capital makes no difference: outputs in a log have none at their beginning.
function differentWords(before, after) {
  const same = (i, j) => before[i].toLowerCase() === after[j].toLowerCase();
  const size = before.map(() => []).concat([[]]);
  for (let i = before.length; i >= 0; i -= 1) {
    for (let j = after.length; j >= 0; j -= 1) {
      size[i][j] = i === before.length || j === after.length ? 0
        : same(i, j) ? 1 + size[i + 1][j + 1] : Math.max(size[i + 1][j], size[i][j + 1]);
    }
  }
  const shown = [];
  for (let [i, j] = [0, 0]; i < before.length || j < after.length;) {
    if (i < before.length && j < after.length && same(i, j))
      [shown[shown.length], i, j] = [`${after[j]} `, i + 1, j + 1];
    else if (j === after.length || (i < before.length && size[i + 1][j] >= size[i][j + 1]))
      [shown[shown.length], i] = [[html("del", {}, before[i]), " "], i + 1];
    else [shown[shown.length], j] = [[html("ins", {}, after[j]), " "], j + 1];
  }
  return html("span", {}, shown.flat());
}
