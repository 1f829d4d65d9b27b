// How many steps a beam search takes: of a derivation one a unit and one an arc, but for the root;
// of a sentence without arcs, from left to right, at least one a word (a phrase may have marks).

export function stepsInAll({ units, counts }, log) {
  if (!log.leftToRight) return 2 * counts.reduce((sum, count) => sum + count, 0) - 1;
  return counts.reduce((sum, count, i) => sum + count * units[i].split(" ").length, 0);
}

// Which one a column is, in words.
export function stepText({ step }, state, log) {
  return log.leftToRight ? `Step ${step}` : `Step ${step} of ${stepsInAll(state, log)}`;
}
