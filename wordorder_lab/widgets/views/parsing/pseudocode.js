// CKY, line by line.

const CKY = {
  title: "CKY with a beam",
  source: "Cocke, Kasami, Younger; probabilities as in Klein & Manning 2003; in our words",
  lines: [
    "for all ends, from left to right; for all starts before it, from right to left",
    "  of one word: every tag that it may have, with its score",
    "  of more: for all places at which they can be split",
    "    for all rules A → B C, with B on the left and C on the right",
    "      score ← rule + B + C; keep it if it is the best A here",
    "  for all chains of rules A → B, with B in this cell: the same",
    "  labels that are too far below the best fall out of the beam",
    "read the best tree off the back-pointers, from the root down",
  ],
  litBy: (state, [kind, ...values]) => {
    if (kind !== "constituent") return { begin: 1, out_of_beam: 7, parsed: 8 }[kind] ?? null;
    return values[6] ? 5 : values[5] ? 6 : 2;
  },
};

export function parsingPrograms() {
  return [CKY];
}
