// Compression by deletion in plain sentences.

import { capital, number, plural } from "../player/words.js";
import { changedBy, sayDropped, wordAt } from "./look.js";

function quotedWord(state, place) {
  const word = wordAt(state, place);
  return place > 0 && place <= state.units.length ? `“${word}”` : word;
}

function sayLeftOut(state, left, right) {
  const out = sayDropped(state, left, right);
  return out ? `, “${out}” left out,` : "";
}

const SAY_DELETION = {
  begin: (state) =>
    `A sentence of ${plural(state.units.length, "word")}: which of them stay? Those are a way ` +
    "through a lattice, from its start to its end.",
  bigram: (state, left, right, score, total, back) =>
    `${capital(quotedWord(state, right))} straight after ${quotedWord(state, left)}` +
    `${sayLeftOut(state, left, right)} scores ${number(score)}; so the best way that ends like ` +
    `this has ${number(total)}: ` +
    `${back ? `the best into ${quotedWord(state, right)} so far` : "no better"}.`,
  path: (state, rank, score, kept, words) =>
    `${rank ? `Path ${rank + 1}` : state.bigrams.length ? "The best path"
      : "Whatever the rows say, the best choice"} keeps ${kept.length} of ` +
    `${plural(state.units.length, "word")}, score ${number(score)}: “${words.join(" ")}”.`,
  demand: (state, name, says, words, broken) =>
    `A row of the programme, ${name}: ${says}${/[.!?]$/.test(says) ? "" : "."} ` +
    (broken ? "The best path breaks it." : "The best path keeps to it."),
  programme: (state, names, kept, objective) => {
    const { more, less } = changedBy(state.programmes.at(-1), state.paths[0]);
    const told = [
      more.length ? `it keeps “${wordsAt(state, more)}” as well` : "",
      less.length ? `it leaves “${wordsAt(state, less)}” out` : "",
    ].filter(Boolean).join(", and ");
    const demands = state.programmes.at(-1)?.demands ?? [];
    const rows = demands.length ? plural(demands.length, "row") : names.join(", ");
    return `Under ${rows || "no constraints"} the programme keeps ${kept.length} of ` +
      `${plural(state.units.length, "word")}, value ${number(objective)}: ` +
      `“${wordsAt(state, kept)}”` +
      `${told ? `; beside the best choice without them, ${told}` : ""}.`;
  },
};

function wordsAt(state, places) {
  return places.map((place) => state.units[place] ?? "?").join(" ");
}

export function tellDeletion(state, event) {
  if (!event) return "Nothing has been scanned yet: press the right arrow key.";
  return SAY_DELETION[event[0]]?.(state, ...event.slice(1)) ?? "";
}

// After a step of a whole word: how many ways there were, and which of them won.
export function sumUpDeletion(state, [kind, , right]) {
  if (kind !== "bigram") return null;
  const mine = state.bigrams.filter((one) => one[1] === right && one[4] === state.layer);
  const won = state.bigrams[state.backs[`${state.layer} ${right}`]];
  if (!won) return null;
  const scan = state.layer > 1 ? ` (scan ${state.layer}, for as many words)` : "";
  return `${capital(quotedWord(state, right))}${scan}: ${plural(mine.length, "way")} into it. ` +
    `The best comes straight from ${quotedWord(state, won[0])}` +
    `${sayLeftOut(state, won[0], right)} with ` +
    `score ${number(won[2])}, ${number(won[3])} in all.`;
}
