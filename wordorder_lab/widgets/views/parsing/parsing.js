// The fold of a parser's chart: the twin of trace/reducers/parsing.py, which says what is meant.

export function parsingStart() {
  return {
    search: 0, units: [], beam: 0, items: [], cells: [], places: {}, parse: null,
  };
}

export function parsingCopy(state) {
  return {
    ...state,
    items: state.items.slice(),
    cells: state.cells.map(([first, end, inside]) => [first, end, inside.slice()]),
    places: { ...state.places },
  };
}

const PARSING_EVENTS = {
  begin(state, units, counts, items, beam) {
    Object.assign(state, parsingStart(), { search: state.search + 1, units, beam });
  },
  constituent(state, serial, first, end, label, score, left, right) {
    if (serial !== state.items.length + 1) return; // one before it is missing
    const where = `${first} ${end}`;
    if (state.places[where] === undefined) {
      state.places[where] = state.cells.length;
      state.cells.push([first, end, []]);
    }
    state.cells[state.places[where]][2].push(serial);
    state.items.push({ serial, start: first, end, label, score, left, right, out: false });
  },
  out_of_beam(state, serial) {
    const item = state.items[serial - 1];
    if (item) state.items[serial - 1] = { ...item, out: true };
  },
  parsed(state, serial, score, brackets, fallback) {
    state.parse = { serial, score, brackets, fallback };
  },
};

export function parsingApply(state, event) {
  PARSING_EVENTS[event[0]]?.(state, ...event.slice(1));
}
