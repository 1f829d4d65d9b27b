// Cube pruning and the learner around it, line by line.

export const CUBE_PRUNING = {
  title: "Algorithm 4 with cube pruning",
  source: "Cohn & Lapata 2009, section 3.4; Chiang 2007; in our words",
  lines: [
    "for all source nodes v, bottom-up do",
    "  for all rules r that match at v do",
    "    score r by its features",
    "for all cells (v, Y), bottom-up do",
    "  queue ← every rule at v with root Y, each variable with its cell's best item",
    "  until the beam is full, or no combination is left or allowed do",
    "    take the combination with the best heuristic",
    "    queue its neighbours: one variable with its next best item",
    "    score it: rule + items + n-grams at the seams",
    "    item ← the best with this n-gram context (and loss)",
    "  sort the items by score, and keep the beam",
    "best ← the best item at the root",
    "return its derivation, by back-pointers",
  ],
  // A score that is hidden hides what came of it, too.
  litBy: (state, [kind, ...values]) =>
    kind === "combined"
      ? values[8] === "worse" || !Number.isFinite(values[4])
        ? 9
        : 10
      : ({ begin: 1, source: 1, application: 2, points: 3, cell: 5, filled: 11, compressed: 13 }[
          kind
        ] ?? null),
};

export const CUTTING_PLANES = {
  title: "The learner around it: structured SVM by cutting planes",
  source: "Cohn & Lapata 2009, section 3.5; Tsochantaridis et al. 2005",
  lines: [
    "for all examples do",
    "  search the output that violates the margin most, with its loss added",
    "  if it does so by more than the tolerance: it is a new constraint",
    "solve the quadratic programme over all constraints: new weights",
    "until there is no new constraint",
  ],
  litBy: (state, [kind]) => ({ violation: 3, solved: 4 }[kind] ?? 2),
};
