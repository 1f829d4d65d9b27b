// Best-first search in plain sentences, and the lines of the papers' pseudo-code that belong to it.

const ALGORITHM_4 = {
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
  lit: { begin: 1, leaf: 1, popped: 5, goal: 7, edge: 16, charted: 17, pruned: 17, finished: 7, stopped: 3 },
};

const CCG_ALGORITHM_1 = {
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
  lit: { begin: 1, leaf: 1, popped: 5, goal: 7, edge: 19, charted: 20, pruned: 20, finished: 7, stopped: 3 },
};

const ALGORITHM_3 = {
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
    "    Algorithm 2: continue   Zhang (2013): stop, if there was an update",
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
function litInLearning(state, [kind, ...values]) {
  if (kind === "pruned") return PRUNED_LINES[values[1]] ?? UPDATE_LINES[state.update?.reason] ?? 44;
  if (["edge_update", "weight", "rescored"].includes(kind)) return UPDATE_LINES[state.update?.reason] ?? 12;
  return ALGORITHM_3.lit[kind] ?? null;
}

function edgeText(state, serial) {
  return wordsOf(state, serial).order.map(([unit]) => unit).join(" ") || "an edge that is not in the log";
}

// An edge as a sentence names it: its number and its words, in CCG its category too.
function sayEdge(state, serial) {
  return `edge ${serial} ${quotedEdge(state, serial)}`;
}

// Where an edge came from: its word and tag, or its parts and how they were joined.
function sayOrigin(state, serial) {
  const edge = edgeOf(state, serial);
  if (!edge) return "it is not in the log";
  if (!edge.left) return `the word “${edge.form}” ${leafKind(edge)}`;
  if (!edge.right) return edge.category ? `${sayEdge(state, edge.left)}, ${sayJoin(edge)}` : `${edge.action} of ${sayEdge(state, edge.left)}`;
  return `${sayEdge(state, edge.left)} and ${sayEdge(state, edge.right)}, ${sayJoin(edge)}`;
}

const OUT = {
  beam: "its beam is too full, and it has the lowest score there",
  negative: "it goes in place of the gold edge that would have been dropped",
  discarded: "it is not gold, and wrong edges are not expanded here",
};

// Why an edge is out.
function sayOut(state, [serial, reason, pop]) {
  return reason === "signature" ? sayAlike(state, serial, pop) : OUT[reason] ?? reason;
}

// Whether this is the edge that was popped last.
function isLastPop({ pops }, serial) {
  return pops[pops.length - 1]?.[0] === serial;
}

const NO_UPDATE = {
  equal: "both have the same features, so there is nothing to update",
  satisfied: "under the present weights the gold edge is ahead by enough already, so nothing is updated",
};

const WHY_UPDATE = {
  agenda: "a wrong edge was popped",
  chart: "a gold edge was about to fall off the chart",
  signature: "a gold edge was about to lose to one with the same signature",
};

const STOPPED = {
  complete: "a goal was popped", "agenda empty": "nothing is left to pop", finished: "the gold goal was popped",
  stopped: "Zhang (2013) stops at the first update", limit: "a limit was reached, or nothing was left to pop",
};

// The ends that a goal brings about: a search stops at `return e`.
const GOAL_ENDS = ["complete", "finished"];

// How a search ended; "complete" of one that was asked for several goals says so.
function sayStopped(reason, goals, pops) {
  const why = reason === "complete" && goals > 1 ? "the goals asked for were popped" : STOPPED[reason] ?? `the limit: ${reason}`;
  return `The search has ended (${why}), after ${plural(pops, "pop")}.`;
}

// A goal with fewer units than the bag may give: some words could be left out, or used several times.
function sayGoal(state, serial) {
  const whole = bagSize(state);
  const { size } = edgeOf(state, serial) ?? { size: whole };
  if (!isCcg(state)) return "It is a goal: all units of the bag are in it.";
  if (size === whole) return "It is a goal: it has every word that it must have.";
  return `It is a goal, with ${size} of at most ${plural(whole, "unit")}: it has every word that it must have, and others may be left out.`;
}

// The units of the bag, or where a word may be used several times or not at all, the most.
function bagSize({ counts }) {
  return counts.reduce((sum, count) => sum + count, 0);
}

// The score of an edge; in learning also the one that it was popped with, where that was another.
function sayScore(state, serial) {
  const now = state.scores[serial - 1];
  const [, popped] = state.pops.findLast(([one]) => one === serial) ?? [serial, now];
  const [then, later] = tellApart(popped, now);
  return then === later ? `score ${later}` : `score ${then} when popped, ${later} now`;
}

const SAY_SEARCH = {
  begin: (state, units, counts, items, beam) =>
    `Search ${state.search} begins: ${plural(bagSize(state), "unit")} in the bag, offered as ` +
    `${plural(items, "item")}; ${beam ? `a beam of the chart has room for ${plural(beam, "edge")}` : "the chart has room for all edges"}.`,
  leaf: (state, serial, item, form, pos, score, gold, category) =>
    `Leaf ${serial}: ${goldWord(gold)}“${form}” ${leafKind({ pos, category })} goes on the agenda with score ${number(score)}.`,
  edge: (state, serial, left, right, action, score, gold) =>
    `New ${goldWord(gold)}${sayEdge(state, serial)}, score ${number(score)}, made of ${sayOrigin(state, serial)}.`,
  popped: (state, serial, score) =>
    `Pop ${state.pops.length}: ${sayEdge(state, serial)} is popped, score ${number(score)}; made of ${sayOrigin(state, serial)}.`,
  goal: (state, serial) => sayGoal(state, serial),
  charted: (state, serial) => `${capital(sayEdge(state, serial))} has been expanded and enters the chart, which holds ${state.chart.length} now.`,
  pruned: (state, serial, reason) => `${goldEdge(state, serial)} is out: ${sayOut(state, [serial, reason, state.pops.length])}.`,
  edge_update: (state, example, reason, positive, negative, margin, step) => {
    const pair = `gold ${sayEdge(state, positive)} against ${sayEdge(state, negative)}, margin ${number(margin)}`;
    if (!step) return `No update (${pair}): ${NO_UPDATE[reason] ?? reason}.`;
    return `Update ${state.updates}, since ${WHY_UPDATE[reason] ?? reason}: ${pair}; the weights move by ${number(step)} times the difference of their features.`;
  },
  weight: (state, feature, action, before, after) =>
    `The weight of ${feature} goes ${after > before ? "up" : "down"} from ${number(before)} to ${number(after)}.`,
  rescored: (state, serial, score) => `${capital(sayEdge(state, serial))} has the new score ${number(score)}.`,
  finished: (state, serial, score) => `The best goal is ${sayEdge(state, serial)}, with score ${number(score)}.`,
  stopped: (state, reason) => sayStopped(reason, state.places.filter((place) => place === "goal").length, state.pops.length),
};

function goldWord(gold) {
  return gold === 1 ? "gold " : "";
}

function goldEdge(state, serial) {
  return edgeOf(state, serial)?.gold === 1 ? `The gold ${sayEdge(state, serial)}` : capital(sayEdge(state, serial));
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function narrateSearch(state, event) {
  if (!event) return "Nothing has happened yet.";
  return SAY_SEARCH[event[0]]?.(state, ...event.slice(1)) ?? narrate(state, event);
}

// What a whole pop has come to.
function sumUpPop(state, event) {
  if (!["edge", "charted", "pruned"].includes(event[0]) || !state.pops.length) return null;
  const pop = state.pops.length;
  const [serial] = state.pops[pop - 1];
  const out = state.outs.filter(([, , when]) => when === pop);
  let made = 0;
  while (state.edges[state.edges.length - 1 - made]?.made === pop) made += 1;
  const why = out.find(([which]) => which === serial);
  const fate = why === undefined ? "" : ` It is out: ${sayOut(state, why)}.`;
  const others = out.filter(([which]) => which !== serial);
  const gold = others.filter(([which]) => edgeOf(state, which).gold === 1).map(([which]) => ` The gold ${sayEdge(state, which)} has left the chart.`);
  return `Pop ${pop}: ${goldWord(edgeOf(state, serial).gold)}${sayEdge(state, serial)}, ${sayScore(state, serial)}. ` +
    `${plural(made, "new edge")}; ${state.agenda.toLocaleString("en")} on the agenda, ${state.chart.length} in the chart` +
    `${others.length ? `, ${others.length} dropped from it` : ""}.${fate}${gold.join("")}`;
}
