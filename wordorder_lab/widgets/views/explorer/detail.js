// The sentence that is looked at: reference and outputs, what stands elsewhere marked, and how the
// search went; from here one gets to the moment when gold was lost.

import { button, html } from "../player/dom.js";
import { doubtsLine } from "../player/doubts.js";
import { alignWords, markedWords } from "../player/aligned.js";
import { cellText } from "./table.js";

const FATES_SAID = {
  won: "Gold is the output.",
  cut: "Gold was cut",
  outscored: "Gold was there to the end and another one scored higher",
  limit: "The search was stopped before it came to gold",
};

export function drawRow(explorer) {
  const { place, rows, data } = explorer;
  if (place === null)
    return html("p", { class: "wol-soft" }, "Choose a row: its words are compared here.");
  const words = (name) => rows.values[name][place].split(" ").filter(Boolean);
  const ends = data.names.length === 1 ? [""] : ["_a", "_b"];
  const reference = words("reference");
  // Beside one output the reference is marked, too; beside two it would not be clear by which.
  const alone = ends.length === 1;
  const marked = alone ? alignWords(reference, words("output")).reference : null;
  const source = rows.values.source ? explorerLine("Source", words("source"), null) : null;
  const said = (end, i) => (alone ? "Output" : "AB"[i]);
  return [
    html("h3", {}, `Sentence ${rows.values.number[place]}`),
    source,
    explorerLine("Reference", reference, marked),
    ends.map((end, i) => {
      const output = words(`output${end}`);
      return explorerLine(said(end, i), output, alignWords(reference, output).output);
    }),
    explorer.playButtons(),
    ends.map((end) => drawOutput(explorer, end)),
  ];
}

function drawOutput({ rows, place, data }, end) {
  const value = (name) => rows.values[`${name}${end}`]?.[place] ?? null;
  const facts = rows.columns
    .filter(({ name, kind }) => ownsFact(name, end, data.names.length) && kind !== "text")
    .map((column) => [column.label, cellText(column, rows.values[column.name][place])])
    .filter(([, text]) => text !== "");
  const which = end === "_b" ? 1 : 0;
  const doubts = doubtsLine({ doubts: { says: value("doubts") } }, "");
  return html(
    "div",
    { class: "wol-output" },
    data.names.length > 1 ? html("h4", {}, `${"AB"[which]} · ${data.names[which]}`) : null,
    html("p", { class: "wol-error-of" }, html("b", {}, value("error")), sayWhere(value("where"))),
    sayGoldFate(value("fate"), value("lost")),
    doubts ? html("p", { class: "wol-doubts" }, doubts) : null,
    html("dl", { class: "wol-facts" }, facts.map(([label, text]) =>
      html("div", {}, html("dt", {}, label), html("dd", {}, text)))),
  );
}

function ownsFact(name, end, models) {
  if (["number", "words", "difference"].includes(name)) return false;
  if (["error", "fate", "lost"].includes(name.replace(/_[ab]$/, ""))) return false;
  return models === 1 || name.endsWith(end);
}

function sayWhere(where) {
  return where ? `: ${where}` : "";
}

function sayGoldFate(fate, lost) {
  if (!FATES_SAID[fate]) return null;
  const when = lost === null ? "" : ` (${fate === "cut" ? "at" : "after"} step ${lost}).`;
  return html("p", { class: "wol-soft" }, `${FATES_SAID[fate]}${when}`);
}

function explorerLine(label, words, marks) {
  const nothing = words.length ? null : html("i", {}, "(no words)");
  return html("p", { class: "wol-line" }, html("b", {}, `${label}: `), markedWords(words, marks),
    nothing);
}

// The buttons that open players; where there is nothing to play, the reason.
export function drawPlayButtons(names, possible, play) {
  if (!possible)
    return html("p", { class: "wol-soft" },
      "This page has no recording of this sentence; in a notebook each row has one.");
  const each = names.map((name, which) =>
    button(
      names.length > 1 ? `Play the search of ${"AB"[which]}` : "Play the search",
      names.length > 1 ? `▷ Play the search of ${"AB"[which]}` : "▷ Play the search",
      () => play([which]),
      { title: `${name}: opens where gold was lost` },
    ),
  );
  const both = names.length > 1
    ? button("Play both searches on one clock", "▷ Play both", () => play([0, 1]))
    : null;
  return html("div", { class: "wol-row" }, each, both);
}
