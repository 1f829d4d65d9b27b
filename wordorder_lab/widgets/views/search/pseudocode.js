// Best-first search and its learner, line by line as the papers print them.

export const ALGORITHM_4 = {
  title: "Algorithm 4: best-first dependency-based word ordering",
  source: "Zhang & Clark 2015, section 4.3",
  lines: [
    "a ← INITAGENDA()",
    "c ← INITCHART()",
    "while not TIMEOUT() do",
    "  new ← []",
    "  e ← POPBEST(a)",
    "  if GOALTEST(e) then",
    "    return e",
    "  for e~ in c do",
    "    if CANCOMBINE(e, e~) then",
    "      e' ← COMBINE(e, e~, HeadLeft);  APPEND(new, e')",
    "      e' ← COMBINE(e, e~, HeadRight); APPEND(new, e')",
    "    if CANCOMBINE(e~, e) then",
    "      e' ← COMBINE(e~, e, HeadLeft);  APPEND(new, e')",
    "      e' ← COMBINE(e~, e, HeadRight); APPEND(new, e')",
    "  for e' in new do",
    "    ADD(a, e')",
    "  ADD(c, e)",
  ],
  lit: {
    begin: 1,
    leaf: 1,
    popped: 5,
    goal: 7,
    edge: 16,
    charted: 17,
    pruned: 17,
    finished: 7,
    stopped: 3,
  },
};

export const CCG_ALGORITHM_1 = {
  title: "Algorithm 1: best-first CCG word ordering",
  source: "Zhang & Clark 2015, section 3.4; 2011, Figure 1",
  lines: [
    "a ← INITAGENDA()",
    "c ← INITCHART()",
    "while not TIMEOUT() do",
    "  new ← []",
    "  e ← POPBEST(a)",
    "  if GOALTEST(e) then",
    "    return e",
    "  (e', e~) ← DPCHARTPRUNE(c, e)",
    "  if e' is e then",
    "    continue",
    "  for e' in UNARY(e, grammar) do",
    "    APPEND(new, e')",
    "  for e~ in c do",
    "    if CANCOMBINE(e, e~, grammar) then",
    "      e' ← BINARY(e, e~, grammar); APPEND(new, e')",
    "    if CANCOMBINE(e~, e, grammar) then",
    "      e' ← BINARY(e~, e, grammar); APPEND(new, e')",
    "  for e' in new do",
    "    ADD(a, e')",
    "  ADD(c, e)",
  ],
  lit: {
    begin: 1,
    leaf: 1,
    popped: 5,
    goal: 7,
    edge: 19,
    charted: 20,
    pruned: 20,
    finished: 7,
    stopped: 3,
  },
};

export const ALGORITHM_3 = {
  title: "Algorithm 3: learning with negative examples expanded",
  source: "Zhang & Clark 2015, section 3.5 (Algorithm 2 has line 14 in place of all up to 24)",
  lines: [
    "a ← INITAGENDA(); c ← INITCHART()",
    "while not TIMEOUT() do",
    "  e ← POPBEST(a)",
    "  if GOLDSTANDARD(e) and GOALTEST(e) then",
    "    return e",
    "  if not GOLDSTANDARD(e) then",
    "    e- ← e; e+ ← MINGOLD(a)",
    "    UPDATEPARAMETERS(e+, e-); RECOMPUTESCORES(a, c)",
    "    Algorithm 2: continue   or stop the sentence, if there was an update",
    "  (e', e~) ← DPCHARTPRUNE(c, e)",
    "  if GOLDSTANDARD(e') then",
    "    UPDATEPARAMETERS(e', e~); REMOVE(c, e~); ADD(c, e')",
    "  else if e' is e then continue",
    "  new ← what comes of e, by UNARY, and by BINARY with every edge in c",
    "  ADD(a, new)",
    "  e' ← ADD(c, e)",
    "  if GOLDSTANDARD(e') then",
    "    e~ ← MAXNONGOLD(c)",
    "    UPDATEPARAMETERS(e', e~); REMOVE(c, e~); ADD(c, e')",
  ],
  numbers: [1, 3, 5, 6, 7, 9, 10, 12, 14, 15, 16, 17, 21, 25, 38, 41, 42, 43, 44],
  lit: { begin: 1, leaf: 1, popped: 5, goal: 7, edge: 38, charted: 41, stopped: 3 },
};

const UPDATE_LINES = { chart: 44, signature: 17 };
const PRUNED_LINES = { beam: 41, discarded: 14, signature: 21 };

// In learning, what changes weights and scores belongs to the line of the last update.
export function litInLearning(state, [kind, ...values]) {
  if (kind === "pruned") return PRUNED_LINES[values[1]] ?? UPDATE_LINES[state.update?.reason] ?? 44;
  if (["edge_update", "weight", "rescored"].includes(kind))
    return UPDATE_LINES[state.update?.reason] ?? 12;
  return ALGORITHM_3.lit[kind] ?? null;
}

// The ends that a goal brings about: a search stops at `return e`.
export const GOAL_ENDS = ["complete", "finished"];

// Whether this is the edge that was popped last.
export function isLastPop({ pops }, serial) {
  return pops[pops.length - 1]?.[0] === serial;
}
