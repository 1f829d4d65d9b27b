// The training as a whole in plain sentences: one a sentence that was learned, one an epoch.

import { number, plural } from "../player/words.js";

const EPOCHS_TOLD = 6;

export const SAY_LEARNING = {
  learned: (_, epoch, example, sentence, updates, margin, prefix, length) =>
    `Epoch ${epoch}: example ${example.toLocaleString("en")}, sentence ` +
    `${sentence.toLocaleString("en")} of the corpus, has been learned with ` +
    `${plural(updates, "update")}${updates ? `, lowest margin ${number(margin)}` : ""}; ` +
    `${prefix} of ${length} were gold before anything went wrong.`,
  epoch: (state, epoch, updates, weights, norm, scores) =>
    `Epoch ${epoch} is over: ${plural(updates, "update")}${sayBefore(state)}; ` +
    sayPrefixes(state) +
    `${plural(weights, "weight")} not 0, norm ${number(norm)}` +
    `${scores.length ? `; score ${number(scores[0])}` : ""}.`,
};

// The updates of the epochs before: of many the first and the last.
function sayBefore({ epochs = [] }) {
  const before = epochs.slice(0, -1).map(({ updates }) => updates.toLocaleString("en"));
  if (!before.length) return "";
  const shown = before.length > EPOCHS_TOLD ? [before[0], "…", before.at(-1)] : before;
  return `, after ${shown.join(", ")}`;
}

// How much of its sentences was gold before the first mistake, beside the first epoch.
function sayPrefixes({ epochs = [] }) {
  const shares = epochs.filter(({ length }) => length)
    .map(({ prefix, length }) => Math.round((100 * prefix) / length));
  const before = shares.length > 1 ? `, after ${shares[0]}% in epoch 1` : "";
  return shares.length ? `${shares.at(-1)}% was gold before an error${before}; ` : "";
}

export function tellLearning(state, event) {
  if (!event) return "Nothing has been learned yet.";
  const told = SAY_LEARNING[event[0]];
  if (told) return told(state, ...event.slice(1));
  return (
    `Example ${state.sentences.toLocaleString("en")} is being learned; before it there were ` +
    `${plural(state.updates, "update")}.`
  );
}
