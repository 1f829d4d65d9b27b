// The fold of learning over time: the twin of trace/reducers/learning.py, which says what is meant.

export function learningStart() {
  return { sentences: 0, updates: 0, changes: 0, last: null, epochs: [] };
}

export function learningCopy(state) {
  return { ...state, epochs: state.epochs.map((one) => ({ ...one })) };
}

// The books of the running epoch, opened where a new one begins.
function booksOfEpoch({ epochs }, count) {
  if (epochs.at(-1)?.epoch !== count) {
    epochs.push({
      epoch: count, sentences: 0, updates: 0, wrong: 0, margin: 0, prefix: 0, length: 0,
      weights: null, norm: null, scores: [],
    });
  }
  return epochs.at(-1);
}

export function learningApply(state, [kind, ...values]) {
  if (kind === "weight") state.changes += 1;
  else if (kind === "learned") {
    const [, , , updates, margin, prefix, length] = values;
    const books = booksOfEpoch(state, values[0]);
    state.sentences += 1;
    state.updates += updates;
    state.last = values;
    books.sentences += 1;
    books.updates += updates;
    if (updates) {
      books.wrong += 1;
      books.margin += margin;
    }
    books.prefix += prefix;
    books.length += length;
  } else if (kind === "epoch") {
    const [count, updates, weights, norm, scores] = values;
    Object.assign(booksOfEpoch(state, count), { updates, weights, norm, scores });
  }
}
