// The sentence as it grows: the words of the best state so far, in large letters.

import { svg } from "../player/dom.js";

export const sentenceView = {
  title: "Sentence",
  suits: (log) => Boolean(log.counts.candidate),
  start: () => ({ words: { 0: [] }, best: 0 }),
  apply: sentenceApply,
  draw: drawSentence,
  describe: tellSentence,
  legend: [["large letters", "the words of the best state so far"]],
  table: ({ words, best }) => ({ head: ["place", "word"], rows: words[best].map((w, i) => [i + 1, w]) }),
};

// The fold: what is on the screen after one more event.
function sentenceApply(state, [kind, serial, parent, action]) {
  if (kind === "begin") Object.assign(state, sentenceView.start());
  if (kind === "candidate") {
    const word = action.startsWith("SHIFT-") ? [action.split("-").slice(1, -1).join("-")] : [];
    state.words[serial] = [...(state.words[parent] ?? []), ...word];
  }
  if (kind === "kept" && parent === 0) state.best = serial; // rank 0
}

function drawSentence(state, room) {
  const text = state.words[state.best].join(" ") || "…";
  const width = Math.max(room.width, 320);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} 80`, width, height: 80, class: "wol-picture", role: "img", "aria-label": text },
    svg("text", { x: 12, y: 50, "font-size": 24, fill: "currentColor" }, text),
  );
}

function tellSentence(state, event) {
  return event ? `${state.words[state.best].length} words stand.` : "No word stands yet.";
}
