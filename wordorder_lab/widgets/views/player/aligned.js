// Output against reference: which words stand in the same order in both, which stand elsewhere, and
// which are in one alone.

import { sentenceOf } from "./bidi.js";
import { html } from "./dom.js";

export const SAME_PLACE = "same";
const SAYS = {
  elsewhere: "stands elsewhere in the other line",
  alone: "is not in the other line",
};

// For both lists of words what each word is: "same", "elsewhere" or "alone".
export function alignWords(reference, output) {
  const [there, here] = longestCommon(reference, output);
  const spare = (words, kept) => {
    const left = new Map();
    words.forEach((word, i) => kept[i] || left.set(word, (left.get(word) ?? 0) + 1));
    return left;
  };
  const marks = (words, kept, others) =>
    words.map((word, i) => {
      if (kept[i]) return SAME_PLACE;
      const left = others.get(word) ?? 0;
      others.set(word, left - 1);
      return left > 0 ? "elsewhere" : "alone";
    });
  const [inOutput, inReference] = [spare(output, here), spare(reference, there)];
  return {
    reference: marks(reference, there, inOutput),
    output: marks(output, here, inReference),
  };
}

// Words with a mark each; what a mark means is said to who points at it, and before the word.
export function markedWords(words, marks) {
  return sentenceOf(words.flatMap((word, i) => {
    const mark = marks?.[i] ?? SAME_PLACE;
    if (mark === SAME_PLACE) return [html("span", { class: "wol-word" }, word), " "];
    return [html("mark", { class: `wol-${mark}`, title: SAYS[mark] }, word), " "];
  }));
}

// Of a longest common subsequence, whether each word is in it.
function longestCommon(first, second) {
  const wide = second.length + 1;
  const lengths = new Int32Array((first.length + 1) * wide);
  for (let i = first.length - 1; i >= 0; i -= 1) {
    for (let j = second.length - 1; j >= 0; j -= 1) {
      lengths[i * wide + j] =
        first[i] === second[j]
          ? lengths[(i + 1) * wide + j + 1] + 1
          : Math.max(lengths[(i + 1) * wide + j], lengths[i * wide + j + 1]);
    }
  }
  const kept = [first.map(() => false), second.map(() => false)];
  let [i, j] = [0, 0];
  while (i < first.length && j < second.length) {
    if (first[i] === second[j]) {
      kept[0][i] = true;
      kept[1][j] = true;
      [i, j] = [i + 1, j + 1];
    } else if (lengths[(i + 1) * wide + j] >= lengths[i * wide + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}
