// The fold of compression by deletion: the twin of trace/reducers/deletion.py, which says what is
// meant.

export function deletionStart() {
  return {
    search: 0, units: [], beam: 0, layer: 0, bigrams: [], backs: {}, paths: [], demands: [],
    programmes: [],
  };
}

export function deletionCopy(state) {
  const copy = { ...state, backs: { ...state.backs } };
  for (const name of ["bigrams", "paths", "demands", "programmes"])
    copy[name] = state[name].slice();
  return copy;
}

const DELETION_EVENTS = {
  begin(state, units, counts, items, beam) {
    Object.assign(state, deletionStart(), { search: state.search + 1, units, beam });
  },
  bigram(state, left, right, score, total, back) {
    const [before, last] = state.bigrams.at(-1) ?? [];
    if (last === undefined || right < last || (right === last && left <= before))
      state.layer += 1;
    if (back) state.backs[`${state.layer} ${right}`] = state.bigrams.length;
    state.bigrams.push([left, right, score, total, state.layer]);
  },
  path(state, rank, score, kept, words) {
    state.paths.push({ rank, score, kept, words });
  },
  demand(state, name, says, words, broken) {
    state.demands.push({ name, says, words, broken });
  },
  programme(state, names, kept, objective, nodes) {
    const { demands } = state;
    state.programmes.push({ names, kept, objective, nodes, demands });
    state.demands = [];
  },
};

export function deletionApply(state, event) {
  DELETION_EVENTS[event[0]]?.(state, ...event.slice(1));
}

// The best path so far that ends at a place of the lattice, in this scan: places from the start (0)
// to it; empty where none leads there.
export function wayTo(state, layer, place) {
  const found = [place];
  let scan = layer;
  while (found[0] > 0) {
    const back = state.backs[`${scan} ${found[0]}`];
    const left = back === undefined ? -1 : state.bigrams[back][0];
    if (left < 0 || left >= found[0]) return [];
    scan -= scan > 1 && found[0] <= state.units.length;
    found.unshift(left);
  }
  return found[0] ? [] : found;
}
