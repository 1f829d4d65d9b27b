// Viterbi over bigrams of kept words, and the integer programme, line by line.

const LATTICE_VITERBI = {
  title: "The best compression by deletion",
  source: "McDonald 2006, section 3; in our words",
  lines: [
    "best[start] ← 0",
    "for all positions j after it, from left to right do",
    "  for all positions i before j do",
    "    total ← best[i] + score(j kept straight after i)",
    "    if total > best[j]: best[j] ← total, back[j] ← i",
    "follow back from the end: the words that stay",
  ],
  litBy: (state, [kind, ...values]) =>
    kind === "bigram"
      ? values[4] ? 5 : 4
      : ({ begin: 1, path: 6 }[kind] ?? null),
};

const DELETION_PROGRAMME = {
  title: "The same as an integer programme",
  source: "Clarke & Lapata 2008; in our words",
  lines: [
    "a variable, 0 or 1, for every word: does it stay?",
    "and one for every pair: are they neighbours in what stays?",
    "maximise the sum of the scores of the pairs that are",
    "so that they are one way from the start to the end",
    "and every row of every family of constraints holds",
  ],
  litBy: (state, [kind]) => ({ demand: 5, programme: 3, path: 3 }[kind] ?? null),
};

export function deletionPrograms({ counts }) {
  if (!counts.demand && !counts.programme) return [LATTICE_VITERBI];
  return counts.bigram ? [LATTICE_VITERBI, DELETION_PROGRAMME] : [DELETION_PROGRAMME];
}
