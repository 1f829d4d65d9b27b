// The question that only reasons can answer: who wins, and by which feature.

import { HOW_NEAR, isAbove, levelOf, MOST_OTHERS, shuffled } from "../player/questions.js";
import { number, tellApart } from "../player/words.js";
import { featureBriefly } from "../updates/features.js";

const NEAR_FEATURES = 0.05; // of two that differ by less than this share, nobody is asked

// "Which of these two wins, and which feature decides?" `pair` are two items of which there are
// reasons; `say` tells what they are. Right is what differs most in points, and only where that
// speaks for the winner.
export function decidingQuestion({ k, reasons, pair, say, ...more }) {
  if (!pair.every((one) => reasons?.has(one))) return null;
  const { differ, scores } = reasons.compare(...pair);
  const lead = ({ values: [mine = 0, its = 0] }) => mine - its;
  const winner = scores[0] > scores[1] ? 0 : 1;
  const side = (row) => (lead(row) > 0 ? 0 : 1);
  const [first, second] = differ;
  const size = (row) => Math.abs(row ? lead(row) : 0);
  if (!first || side(first) !== winner || !isAbove(scores[winner], scores[1 - winner])
    || size(second) >= (1 - NEAR_FEATURES) * size(first)) return null;
  const other = differ.find((row) => side(row) !== winner);
  const offered = [first, other, ...differ.slice(1).filter((row) => row !== other)]
    .filter(Boolean).slice(0, MOST_OTHERS + 1);
  const told = new Map(offered.map((row) => [sayDecider(row, side(row)), row]));
  if (told.size < MOST_OTHERS) return null;
  const answer = sayDecider(first, winner);
  const difficulty = levelOf(1 - size(second) / size(first));
  const [high, low] = tellApart(scores[winner], scores[1 - winner]);
  return {
    ...more,
    kind: "which feature decides",
    difficulty,
    question: `${more.question} A: ${say(pair[0])}. B: ${say(pair[1])}. Which of these two wins, ` +
      `and which feature decides? ${HOW_NEAR[difficulty]}`,
    told: "the answer is",
    answer,
    options: shuffled([...told.keys()].map((value) => ({ value, label: value })), k),
    why: () => `${"AB"[winner]} has ${high}, ${"AB"[1 - winner]} has ${low}; of that this ` +
      `feature makes ${number(size(first))}, more than any other.`,
    pair: () => [pair[winner], pair[1 - winner]],
  };
}

// A feature that only the other one has speaks for this one by what it costs.
function sayDecider({ name, values }, side) {
  const whose = values[side] === undefined ? `, which costs ${"AB"[1 - side]} points` : "";
  return `${"AB"[side]} wins: ${featureBriefly({ feature: name })}${whose}`;
}
