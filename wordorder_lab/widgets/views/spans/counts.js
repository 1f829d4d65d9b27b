// Counts of spans by their length: a list for each kind, in which the place is the number of words.

export const SPAN_KINDS = ["made", "kept", "gold", "best"];

export function noSpans() {
  return Object.fromEntries(SPAN_KINDS.map((name) => [name, []]));
}

export function copiedSpans(counted) {
  return Object.fromEntries(SPAN_KINDS.map((name) => [name, [...counted[name]]]));
}

export function countSpan(state, name, length, times) {
  state.last = [name, length];
  addSpan(state[name], length, times);
  addSpan(state.all[name], length, times);
}

export function addSpan(counts, length, times) {
  while (counts.length <= length) counts.push(0);
  counts[length] += times;
}

// How many spans there are in a list of counts.
export function spanTotal(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

// Their mean length in words.
export function meanLength(counts) {
  return counts.reduce((sum, count, length) => sum + count * length, 0) / spanTotal(counts);
}
