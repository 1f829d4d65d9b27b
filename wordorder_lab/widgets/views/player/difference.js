// The first difference of two logs, at three levels: of all that was done, of what was kept (the
// beam, the chart), and of the winners' histories. Scores make no difference, nor do the numbers
// of states and edges: what counts is what they are made of.

export const LEVELS = [
  ["winner", "of the winners' ways"],
  ["kept", "of what is kept"],
  ["all", "of all"],
];

// The number of events of each log after which they differ, or null where they never do.
export function firstDifferent(logs, level) {
  const [a, b] = logs.map((log) => (level === "kept" ? keptOf(log) : winnerOf(log)));
  for (let i = 0; i < Math.max(a.length, b.length); i += 1)
    if (a[i]?.made !== b[i]?.made)
      return [a, b].map((told, which) => told[i]?.k ?? logs[which].length);
  return null;
}

const TOLD = ["begin", "candidate", "leaf", "edge", "kept", "popped", "goal", "finished"];

// Call `see` for every event, with what each state or edge of its search is made of.
function walk(log, see) {
  let made = new Map();
  log.kinds.forEach((kind, i) => {
    if (kind === "begin") made = new Map();
    if (!TOLD.includes(kind)) return;
    const [, serial, one, two, action] = log.event(i);
    if (kind === "candidate") made.set(serial, `${made.get(one) ?? ""} ${two}`);
    if (kind === "leaf") made.set(serial, `${one}:${two}/${action}`);
    if (kind === "edge") made.set(serial, `(${made.get(one)} ${made.get(two) ?? ""} ${action})`);
    see(kind, serial, made, i + 1);
  });
}

const TWINS = new WeakMap();

// Of each search of a log what its states or edges are made of, by number, and back.
function twinsIn(log) {
  if (!TWINS.has(log)) {
    const searches = [];
    walk(log, (kind, serial, made) => {
      if (kind === "begin") searches.push({ of: new Map([[0, ""]]), by: new Map([["", 0]]) });
      const here = searches.at(-1);
      if (!here || !["candidate", "leaf", "edge"].includes(kind)) return;
      here.of.set(serial, made.get(serial));
      if (!here.by.has(made.get(serial))) here.by.set(made.get(serial), serial);
    });
    TWINS.set(log, searches);
  }
  return TWINS.get(log);
}

// The number that the same state or edge has in a search of another log; null if it is not there.
export function twinOf(log, search, serial, other, its) {
  const made = twinsIn(log)[search - 1]?.of.get(serial);
  return twinsIn(other)[its - 1]?.by.get(made) ?? null;
}

// What enters the beam, by step and rank, or is popped, in its order.
function keptOf(log) {
  const told = [];
  walk(log, (kind, serial, made, k) => {
    if (kind === "kept" || kind === "popped") told.push({ made: made.get(serial), k });
  });
  return told;
}

// The states or edges that the best output of the last search goes back to, in the order of making.
function winnerOf(log) {
  let [parents, born, best] = [new Map(), new Map(), null];
  walk(log, (kind, serial, made, k) => {
    if (kind === "begin") [parents, born] = [new Map(), new Map()];
    const [, , one, two] = log.event(k - 1);
    if (kind === "candidate") parents.set(serial, [one]);
    if (kind === "edge") parents.set(serial, [one, two]);
    if (["candidate", "leaf", "edge"].includes(kind))
      born.set(serial, { made: made.get(serial), k });
    if (kind === "finished" || kind === "goal") best = { serial, parents, born };
  });
  if (!best) return [];
  const [history, todo] = [[], [best.serial]];
  while (todo.length) {
    const serial = todo.pop();
    if (!best.born.has(serial)) continue;
    history.push(best.born.get(serial));
    todo.push(...(best.parents.get(serial) ?? []));
  }
  return history.sort((one, other) => one.k - other.k);
}
