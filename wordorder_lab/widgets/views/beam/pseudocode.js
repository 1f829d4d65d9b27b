// The beam search and its learner, line by line as the papers print them.

export const ALGORITHM_1 = {
  title: "Algorithm 1: transition-based linearization",
  source: "Liu et al. 2015, section 3.1",
  lines: [
    "candidates ← ([], set(1..n), ∅)",
    "agenda ← ∅",
    "for i ← 1..2n do",
    "  for s in candidates do",
    "    for action in GETPOSSIBLEACTIONS(s, C) do",
    "      agenda ← APPLY(s, action)",
    "  candidates ← TOP-K(agenda)",
    "  agenda ← ∅",
    "best ← BEST(candidates)",
    "return best",
  ],
  lit: { begin: 1, step: 3, candidate: 6, forbidden: 5, kept: 7, cut: 7, finished: 9 },
};

export const LEFT_TO_RIGHT = {
  title: "N-gram beam: from left to right",
  source: "after Schmaltz, Rush & Shieber 2016",
  lines: [
    "beam(0) ← (<s>, the whole bag)",
    "for m ← 1..number of words do",
    "  for each unit u left over by an h of beam(m - words of u) do",
    "    score ← score(h) + log p(u | the last words of h)",
    "    agenda ← (score + future cost of what is left over)",
    "  of those that nothing to come can tell apart, keep the best",
    "  beam(m) ← the best of the agenda",
    "return the best of the last beam",
  ],
  lit: { begin: 1, step: 2, candidate: 5, forbidden: 3, pruned: 6, kept: 7, cut: 7, finished: 8 },
};

export const EARLY_UPDATE = {
  title: "The learner around it: averaged perceptron",
  source: "Liu et al. 2015, section 3.1; Collins & Roark 2004",
  lines: [
    "after every step: where is the gold state?",
    "early update: it has been cut: stop here",
    "max-violation: go on; where does the best state lead most?",
    "at the end: is the best state the gold one?",
    "add 1 to the features of the gold actions",
    "take 1 from those of the best state's actions",
  ],
  lit: { gold: 1 },
};
