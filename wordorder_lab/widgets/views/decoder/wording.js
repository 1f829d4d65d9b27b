// What the game says: its options, its verdicts, its end.

import { INITIAL, shifted, successor } from "../beam/beam.js";
import { actionText } from "../beam/cards.js";
import { number, plural, tellApart } from "../player/words.js";
import { edgeText, ruleOf } from "../search/edges.js";
import { edgeOf } from "../search/search.js";
import { rankIn } from "./turns.js";

const STATES = new WeakMap();

// A state of a beam with its words, heads and stack, by the actions that led to it.
export function stateOfGame(game, serial) {
  if (!serial) return INITIAL;
  if (!STATES.has(game)) STATES.set(game, new Map());
  const known = STATES.get(game);
  if (!known.has(serial)) {
    const one = game.made.get(serial);
    const before = stateOfGame(game, one.parent);
    known.set(serial, { ...one, ...successor(before, one.action, game) });
  }
  return known.get(serial);
}

export function optionText(game, serial) {
  if (!game.books) {
    const { action } = game.made.get(serial);
    const [unit, tag] = shifted(action, game.names);
    if (action.startsWith("SHIFT-") && !tag) return `SHIFT ${unit}`;
    return actionText(action, game.names);
  }
  const edge = edgeOf(game.books, serial);
  const words = (part) => `“${edgeText(game.books, part)}”`;
  if (!edge.left) return `${words(serial)} ${edge.category || edge.pos}`;
  const { sign, side } = ruleOf(edge);
  const parts = [edge.left, edge.right].filter(Boolean).map(words);
  const arrow = { HeadLeft: " → ", HeadRight: " ← " }[side || edge.action] ?? " ";
  return edge.category
    ? `${parts.join(" + ")} = ${edge.category} by ${sign}`
    : parts.join(arrow);
}

export function questionText(game, turn) {
  const { options, waiting } = turn;
  const some = options.length < waiting ? `${options.length} of ${waiting}` : `${waiting}`;
  if (!game.books) return `Which action comes next? ${some} possible ones, in any order:`;
  const pop = turn.state.toLocaleString("en");
  return `Pop ${pop}: which edge is popped next? ${some} that wait, in any order:`;
}

// What came of a choice, in sentences.
export function verdictText(game, turn) {
  const scores = new Map(turn.options);
  const label = (serial) => optionText(game, serial);
  const { choice, gold, model } = turn;
  const [mine, its] = tellApart(scores.get(choice), scores.get(model));
  const said = [
    `You chose ${label(choice)}: the model gives it ${mine}, rank ${rankIn(turn, choice)} of ` +
      `${plural(turn.waiting, "option")}.`,
  ];
  if (choice !== model) said.push(`It would have taken ${label(model)}, with ${its}.`);
  if (gold.includes(choice)) said.push("Your choice is gold.");
  else if (gold.length === 1)
    said.push(`Gold is ${label(gold[0])}, with ${number(scores.get(gold[0]))}, rank ` +
      `${rankIn(turn, gold[0])}.`);
  else if (gold.length) said.push(`Gold are ${plural(gold.length, "other")}, marked ★.`);
  else said.push("Gold is no option here, or the log does not know it.");
  said.push(turn.point ? "A point." : "No point.", fateText(game, turn));
  return said.filter(Boolean).join(" ");
}

function fateText(game, { fate, place, margin, choice, model }) {
  if (game.books) return choice === model ? "" : "The search goes on with its own pop.";
  if (fate === "kept") return `The beam keeps it, at rank ${place} of this step.`;
  const why = {
    cut: `The beam has cut it: rank ${place} of this step, ${sayBehind(margin)}`,
    recombined: "The beam has given it up for another state that is as good for all that follows",
    unknown: "The log does not say what became of it",
  }[fate];
  return `${why}. We go on from the best state that was kept.`;
}

function sayBehind(margin) {
  if (!(margin > 0)) return "as good as the last state that was kept, but made later";
  return `${number(margin)} behind the last state that was kept`;
}

export function totalText(turns) {
  const sum = (name) => turns.reduce((points, turn) => points + (turn[name] ?? 0), 0);
  const done = turns.filter((turn) => turn.choice !== undefined).length;
  return {
    points: sum("point"),
    so_far: `${plural(sum("point"), "point")} in ${plural(done, "turn")}`,
    end: `The game is over: you have ${plural(sum("point"), "point")} in ` +
      `${plural(done, "turn")}; the model would have got ${sum("model_point")}.`,
  };
}
