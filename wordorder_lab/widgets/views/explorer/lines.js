// A sentence in the table: the reference, and each output beneath it with what differs lit. Where
// a line is too long, what is alike in it is folded, and not what differs.

import { html, textWidth } from "../player/dom.js";
import { alignWords, markedWords, SAME_PLACE } from "../player/aligned.js";

const TABLE_LETTER = 13 / 12; // the table's type beside that which is measured
const BEFORE_LINE = 44; // pixels of what stands before a line, and of the cell's edge
// Words beside one that differs that are shown, as many as there is room for.
const BESIDE_LIT = [5, 3, 2, 1, 0];
const FOLDED_RUN = "…";

export function linesOf({ rows, data }, place, room) {
  const words = (name) => rows.values[name][place].split(" ").filter(Boolean);
  const ends = data.names.length === 1 ? [""] : ["_a", "_b"];
  const reference = words("reference");
  const outputs = ends.map((end) => words(`output${end}`));
  const marks = outputs.map((output) => alignWords(reference, output));
  const own = reference.map((_, i) =>
    marks.map((each) => each.reference[i]).find(differsThere) ?? SAME_PLACE);
  const right = (output) => output.join(" ") === reference.join(" ");
  // Beside two outputs it would not be clear by which of them the reference is marked.
  const lit = ends.length === 1 ? own : null;
  return [
    lineOfCell("ref.", ...foldedWords(reference, own, room, lit)),
    ...outputs.map((output, i) => {
      const name = ends.length === 1 ? "out" : "AB"[i];
      if (right(output))
        return html("div", { class: "wol-cell-right" }, html("b", {}, `${name} `), "✓ right");
      return lineOfCell(name, ...foldedWords(output, marks[i].output, room, marks[i].output));
    }),
  ];
}

function lineOfCell(name, words, marks) {
  return html("div", {}, html("b", {}, `${name} `), markedWords(words, marks));
}

function differsThere(mark) {
  return mark !== SAME_PLACE;
}

// The words, and their marks, of which stretches that are alike are folded if all has no room.
function foldedWords(words, marks, room, lit) {
  const fits = (places) => BEFORE_LINE + TABLE_LETTER * places.reduce((sum, i) =>
    sum + textWidth(`${words[i] ?? FOLDED_RUN} `, differsThere(marks[i] ?? SAME_PLACE)), 0) <= room;
  let places = words.map((_, i) => i);
  if (marks.some(differsThere)) {
    for (const beside of BESIDE_LIT) {
      if (fits(places)) break;
      places = foldedRuns(marks, beside);
    }
  }
  const lights = lit && places.map((i) => lit[i] ?? SAME_PLACE);
  return [places.map((i) => words[i] ?? FOLDED_RUN), lights];
}

// The places of words that differ and of so many beside each; -1 for a stretch between.
function foldedRuns(marks, beside) {
  const near = (i) => marks.slice(Math.max(0, i - beside), i + beside + 1).some(differsThere);
  return marks.map((_, i) => (near(i) ? i : -1)).filter((i, k, all) => i >= 0 || all[k - 1] !== -1);
}
