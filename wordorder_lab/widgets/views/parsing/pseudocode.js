// CKY, line by line.

const CKY = {
  title: "CKY with a beam",
  source: "Cocke, Kasami, Younger; probabilities as in Klein & Manning 2003; in our words",
  lines: [
    "for all words: every tag that it may have, with its score",
    "for all lengths, from 2 up; for all runs of words of this length",
    "  for all places at which it can be split",
    "    for all rules A → B C, with B on the left and C on the right",
    "      score ← rule + B + C; keep it if it is the best A here",
    "  for all rules A → B, with B in this cell: the same",
    "  labels that are too bad fall out of the beam",
    "read the best tree off the back-pointers, from the root down",
  ],
  litBy: (state, [kind, ...values]) => {
    if (kind !== "constituent") return { begin: 1, out_of_beam: 7, parsed: 8 }[kind] ?? null;
    return values[6] ? 5 : values[5] ? 6 : 1;
  },
};

export function parsingPrograms() {
  return [CKY];
}
