// What is read off a whole log of a training once: where its sentences end and its epochs begin,
// and which weight each change belongs to.

const LEARNING_FACTS = new WeakMap();

// ends: after how many events each sentence is learned; turns: the sentences at which an epoch
// begins, and whereEpochs: after how many events it is over. Of each change of a weight: its number
// among all weights, after how many events it is told, and during which sentence.
export function learningFacts(log) {
  if (!LEARNING_FACTS.has(log)) LEARNING_FACTS.set(log, readLearning(log));
  return LEARNING_FACTS.get(log);
}

function readLearning(log) {
  const [ends, whereEpochs, told, during] = [[], [], [], []];
  log.kinds.forEach((kind, i) => {
    if (kind === "learned") ends.push(i + 1);
    else if (kind === "epoch") whereEpochs.push(i + 1);
    else if (kind === "weight") {
      told.push(i + 1);
      during.push(ends.length);
    }
  });
  const epochs = log.columns.learned?.[0] ?? [];
  const turns = ends.flatMap((_, i) => (i && epochs[i] !== epochs[i - 1] ? [i] : []));
  const [weights, names] = namedWeights(log.columns.weight);
  return { ends, whereEpochs, turns, told, during, weights, names, binned: new Map() };
}

// The number of each change's weight, and feature and action of each number.
function namedWeights([features, actions] = []) {
  const [seen, names] = [new Map(), []];
  const many = features?.names.length ?? 0;
  const weights = (features?.ids ?? []).map((feature, row) => {
    const key = actions.ids[row] * many + feature;
    if (!seen.has(key)) {
      seen.set(key, names.length);
      names.push({ feature: features.names[feature], action: actions.names[actions.ids[row]] });
    }
    return seen.get(key);
  });
  return [weights, names];
}

// How many of these ascending places are at k or before.
function placesUpTo(places, k) {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] <= k) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The weights that the first k events moved most: the twin of `movers` in
// tests/read_off.py.
export function movedMost(log, k, most) {
  const { weights, names, told } = learningFacts(log);
  const [, , before, after] = log.columns.weight ?? [];
  const moved = names.map(() => 0);
  const times = names.map(() => 0);
  const value = [];
  const done = placesUpTo(told, k);
  for (let row = 0; row < done; row += 1) {
    const weight = weights[row];
    moved[weight] += Math.abs(after[row] - before[row]);
    times[weight] += 1;
    value[weight] = after[row];
  }
  const first = [];
  for (let weight = 0; weight < names.length; weight += 1) {
    if (!times[weight] || (first.length === most && moved[weight] <= moved[first.at(-1)])) continue;
    let place = first.length;
    while (place && moved[first[place - 1]] < moved[weight]) place -= 1;
    first.splice(place, 0, weight);
    if (first.length > most) first.pop();
  }
  return first.map((weight) => ({
    ...names[weight], moved: moved[weight], times: times[weight], value: value[weight],
  }));
}

// The ways of some weights up to k, each a list of [sentence, before, after]: a sentence that
// changes a weight several times has one line.
export function changesOver(log, k, chosen) {
  const { weights, names, told, during } = learningFacts(log);
  const [, , before, after] = log.columns.weight ?? [];
  const key = ({ feature, action }) => `${action}\n${feature}`;
  const slots = new Map(chosen.map((one, i) => [key(one), i]));
  const slotOf = names.map((name) => slots.get(key(name)) ?? -1);
  const found = chosen.map(() => []);
  const done = placesUpTo(told, k);
  for (let row = 0; row < done; row += 1) {
    const slot = slotOf[weights[row]];
    if (slot < 0) continue;
    const last = found[slot].at(-1);
    if (last?.[0] === during[row]) last[2] = after[row];
    else found[slot].push([during[row], before[row], after[row]]);
  }
  return found;
}

// A value of the sentences in so many bins over the whole training, their means; null where no
// sentence of a bin has one. Made once a width.
function binnedValues(log, name, count) {
  const facts = learningFacts(log);
  const key = `${name} ${count}`;
  if (!facts.binned.has(key)) {
    const sizes = facts.ends.length;
    const edge = (bin) => Math.floor((bin * sizes) / count);
    const means = Array.from({ length: count }, (_, bin) =>
      meanOf(log, name, edge(bin), edge(bin + 1)));
    facts.binned.set(key, means);
  }
  return facts.binned.get(key);
}

const LESSON_VALUES = {
  updates: ([, , , updates], row) => updates[row],
  margin: ([, , , updates, margins], row) => (updates[row] ? margins[row] : null),
  prefix: ([, , , , , prefixes, lengths], row) => (100 * prefixes[row]) / lengths[row],
};

function meanOf(log, name, from, to) {
  let [sum, count] = [0, 0];
  for (let row = from; row < to; row += 1) {
    const value = LESSON_VALUES[name](log.columns.learned, row);
    if (value === null || !Number.isFinite(value)) continue;
    sum += value;
    count += 1;
  }
  return count ? sum / count : null;
}

// The bins up to the sentences that are done, as [sentence in the middle, mean], and the lowest and
// highest mean of the whole training.
export function trendOf(log, name, done, count) {
  const all = learningFacts(log).ends.length;
  const means = binnedValues(log, name, count);
  const points = [];
  for (let bin = 0; bin < count && Math.floor((bin * all) / count) < done; bin += 1) {
    const from = Math.floor((bin * all) / count);
    const to = Math.floor(((bin + 1) * all) / count);
    const mean = to <= done ? means[bin] : meanOf(log, name, from, done);
    points.push([(from + Math.min(to, done)) / 2, mean]);
  }
  const real = means.filter((mean) => mean !== null);
  return { points, low: Math.min(0, ...real), high: Math.max(0, ...real) };
}
