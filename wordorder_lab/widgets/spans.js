// The span-length view: how many spans of each length a search makes, keeps, and ought to make.
// start, apply and copy are the twin of trace/spans.py, which says what each field of a state is;
// a test holds the two to the same states. The picture is drawn in spans_picture.js; what concerns
// best-first search is in spans_edges.js.

const SPAN_KINDS = ["made", "kept", "gold", "best"];

const SPAN_APPLY = {
  begin(state, units, counts) {
    const lengths = units.map((unit) => unit.split(" ").length);
    state.search += 1;
    state.step = 0;
    state.steps = 2 * counts.reduce((sum, count) => sum + count, 0) - 1;
    state.words = lengths.reduce((sum, length, i) => sum + length * counts[i], 0);
    state.units = Object.fromEntries(units.map((unit, i) => [`SHIFT-${unit}`, lengths[i]]));
    Object.assign(state, noSpans(), { heat: [], beam: {}, agenda: {}, next: { 0: [[], []] } });
    Object.assign(state, { edges: [], pops: 0, block: 1 });
  },

  step(state, step) {
    state.step = step;
    state.heat.push([step, []]);
    Object.assign(state, { beam: state.next, agenda: {}, next: {} });
  },

  candidate(state, serial, parent, action) {
    if (!Object.hasOwn(state.beam, parent)) return;
    const [stack] = state.beam[parent];
    const joins = action === "LEFTARC" || action === "RIGHTARC";
    const length = joins ? joinedSpan(stack) : shiftedSpan(state.units, action);
    if (length > 0) {
      state.agenda[serial] = [parent, joins ? 2 : 0, length];
      countSpan(state, "made", length, 1);
    }
  },

  kept(state, serial) {
    if (!Object.hasOwn(state.agenda, serial)) return;
    const [parent, taken, length] = state.agenda[serial];
    const [stack, before] = state.beam[parent];
    const spans = [...before];
    addSpan(spans, length, 1);
    state.next[serial] = [[...stack.slice(0, stack.length - taken), length], spans];
    countSpan(state, "kept", length, 1);
    addSpan(state.heat.at(-1)[1], length, 1);
  },

  gold(state, step, serial) {
    if (Object.hasOwn(state.agenda, serial)) countSpan(state, "gold", state.agenda[serial][2], 1);
  },

  finished(state, serial) {
    const [, built] = Object.hasOwn(state.next, serial) ? state.next[serial] : [[], []];
    const spans = state.edges.length > 0 ? spansBelow(state.edges, serial) : built;
    spans.forEach((times, length) => {
      if (times > 0) countSpan(state, "best", length, times);
    });
  },

  ...SPAN_EDGE_APPLY,
};

function noSpans() {
  return Object.fromEntries(SPAN_KINDS.map((name) => [name, []]));
}

function copiedSpans(counted) {
  return Object.fromEntries(SPAN_KINDS.map((name) => [name, [...counted[name]]]));
}

function joinedSpan(stack) {
  return stack.length > 1 ? stack.at(-2) + stack.at(-1) : 0;
}

// Unit and tag may hold hyphens of their own: of several units that fit, the longest is meant.
function shiftedSpan(units, action) {
  for (let end = action.lastIndexOf("-"); end > 0; end = action.lastIndexOf("-", end - 1)) {
    const head = action.slice(0, end);
    if (Object.hasOwn(units, head)) return units[head];
  }
  return 0;
}

function countSpan(state, name, length, times) {
  state.last = [name, length];
  addSpan(state[name], length, times);
  addSpan(state.all[name], length, times);
}

function addSpan(counts, length, times) {
  while (counts.length <= length) counts.push(0);
  counts[length] += times;
}

// How many spans there are in a list of counts.
function spanTotal(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

const SPAN_SENTENCES = {
  begin: (state, [, units, counts]) =>
    `Search ${state.search} begins: ${spanTotal(counts)} units, ${plural(state.words, "word")} in all, ` +
    `and a whole derivation makes ${plural(state.steps, "span")}.`,

  step: (state) =>
    `Step ${state.step} of ${state.steps}: each state of the beam is about to be expanded; ` +
    "every candidate has one new span on top of its stack.",

  candidate(state, [, serial, parent, action]) {
    if (state.last === null) return `Candidate ${serial} cannot be followed here: not counted.`;
    const [, taken, length] = state.agenda[serial];
    if (taken === 0) return `Candidate ${serial}, ${action}: a new span of ${plural(length, "word")}.`;
    const [left, right] = state.beam[parent][0].slice(-2);
    return (
      `Candidate ${serial}, ${action}: the two topmost spans, of ${left} and ` +
      `${plural(right, "word")}, become one of ${length}.`
    );
  },

  forbidden: (state, [, parent, action, reason]) =>
    `In ${sayState(parent)}, ${action} is forbidden, so no span is made by that: ${sayReason(reason)}`,

  kept: (state, [, serial]) =>
    state.last === null
      ? `Candidate ${serial} entered the beam; its span is not known here.`
      : `Candidate ${serial} entered the beam: its span of ${plural(state.last[1], "word")} is kept.`,

  cut(state, [, serial]) {
    const length = Object.hasOwn(state.agenda, serial) ? state.agenda[serial][2] : 0;
    const whose = length > 0 ? `its span of ${plural(length, "word")}` : "its span";
    return `Candidate ${serial} did not enter the beam; ${whose} was made, but not kept.`;
  },

  gold(state, [, step, serial, rank]) {
    if (serial < 0) return `Step ${step}: the gold state was lost before; its spans are unknown.`;
    if (state.last === null) return `Step ${step}: the gold state's span is not known here.`;
    const fate = rank < 0 ? ", but the state was cut" : "";
    return `Step ${step}: the gold state has made a span of ${plural(state.last[1], "word")}${fate}.`;
  },

  finished(state, [, serial]) {
    const edges = state.edges.length > 0;
    if (state.last === null) return `The search ended with ${edges ? "edge" : "state"} ${serial}.`;
    const longest = `the longest of ${plural(state.last[1], "word")}`;
    if (edges) return `The best goal is edge ${serial}, built of ${plural(spanTotal(state.best), "span")}, ${longest}.`;
    return `The search ended; its best outcome took ${spanTotal(state.best)} actions and so made as many spans, ${longest}.`;
  },

  update: (state, [, , step]) =>
    `The learner updates on the first ${step} actions; no span is made by that.`,

  weight: (state, [, feature, action]) =>
    `The weight of ${feature}${action && ` for ${action}`} has changed; no span is made by that.`,

  ...SPAN_EDGE_SENTENCES,
};

VIEWS.spans = {
  title: "Span lengths",
  suits: (log) => !log.transduces,

  start() {
    return {
      search: 0,
      step: 0,
      steps: 0,
      words: 0,
      units: {},
      ...noSpans(),
      all: noSpans(),
      heat: [],
      last: null,
      beam: {},
      agenda: {},
      next: {},
      edges: [],
      pops: 0,
      block: 1,
    };
  },

  apply(state, [kind, ...values]) {
    state.last = null;
    if (Object.hasOwn(SPAN_APPLY, kind)) SPAN_APPLY[kind](state, ...values);
  },

  copy(state) {
    const last = state.heat.slice(-1).map(([step, counts]) => [step, [...counts]]);
    return {
      ...state,
      ...copiedSpans(state),
      all: copiedSpans(state.all),
      heat: [...state.heat.slice(0, -1), ...last],
      agenda: { ...state.agenda },
      next: { ...state.next },
      edges: state.edges.slice(),
    };
  },

  draw: (state, room) => drawSpans(state, room),

  describe(state, event) {
    if (!event) return "Nothing has happened yet: no spans.";
    return SPAN_SENTENCES[event[0]]?.(state, event) ?? narrate(state, event);
  },

  table(state) {
    const longest = Math.max(0, ...SPAN_KINDS.map((name) => state.all[name].length - 1));
    const all = SPAN_KINDS.map((name) => `${name}, all searches`);
    const rows = [];
    for (let length = 1; length <= longest; length += 1) {
      const here = SPAN_KINDS.map((name) => state[name][length] ?? 0);
      rows.push([length, ...here, ...SPAN_KINDS.map((name) => state.all[name][length] ?? 0)]);
    }
    return { head: ["words in the span", ...SPAN_KINDS, ...all], rows };
  },
};
