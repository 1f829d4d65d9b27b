// The fold of a parser's chart: the twin of trace/folds/parsing.py, which says what is meant.

export function parsingStart() {
  return {
    search: 0, units: [], beam: 0, items: [], numbers: {}, cells: [], places: {}, parse: null,
  };
}

export function parsingCopy(state) {
  return {
    ...state,
    items: state.items.slice(),
    cells: state.cells.map(([first, end, inside]) => [first, end, inside.slice()]),
    numbers: { ...state.numbers },
    places: { ...state.places },
  };
}

const PARSING_EVENTS = {
  begin(state, units, counts, items, beam) {
    Object.assign(state, parsingStart(), { search: state.search + 1, units, beam });
  },
  constituent(state, serial, first, end, label, score, left, right) {
    if (state.numbers[serial] !== undefined) return; // told before
    const where = `${first} ${end}`;
    if (state.places[where] === undefined) {
      state.places[where] = state.cells.length;
      state.cells.push([first, end, []]);
    }
    state.numbers[serial] = state.items.length;
    state.cells[state.places[where]][2].push(state.items.length);
    state.items.push({ serial, start: first, end, label, score, left, right, out: false });
  },
  out_of_beam(state, serial) {
    const place = state.numbers[serial];
    if (place !== undefined) state.items[place] = { ...state.items[place], out: true };
  },
  parsed(state, serial, score, brackets, fallback) {
    state.parse = { serial, score, brackets, fallback };
  },
};

export function parsingApply(state, event) {
  PARSING_EVENTS[event[0]]?.(state, ...event.slice(1));
}
