// Which edges of a search have met. An edge that is expanded is tried with every edge of the chart;
// then it is let in. So two edges were tried with each other if one came into the chart while the
// other was in it, wherever they are now.

const CHART_STAYS = new WeakMap();

// For each search of a log: serial -> [from, to], the places of the events with which the edge came
// into the chart and left it. Worked out once a log.
function chartStays(log) {
  if (!CHART_STAYS.has(log)) CHART_STAYS.set(log, findStays(log));
  return CHART_STAYS.get(log);
}

function findStays(log) {
  const searches = [new Map()];
  for (let i = 0; i < log.length; i += 1) {
    const kind = log.kinds[i];
    if (kind === "begin") searches.push(new Map());
    if (kind !== "charted" && kind !== "pruned") continue;
    const stays = searches[searches.length - 1];
    const serial = log.event(i)[1];
    const stay = stays.get(serial);
    if (kind === "charted" && !stay) stays.set(serial, [i, Infinity]);
    if (kind === "pruned" && stay && stay[1] === Infinity) stay[1] = i;
  }
  return searches;
}

// Whether two edges of a search were tried with each other in the first k events.
function haveMet(log, search, k, [one, other]) {
  const stays = chartStays(log)[search];
  const [a, b] = [stays?.get(one), stays?.get(other)].sort((x, y) => x?.[0] - y?.[0]);
  return Boolean(a && b) && b[0] < k && b[0] < a[1];
}

// Whether the log tells which edges met: it has edges and the chart's comings, and goings where its
// beam would not have had room for all.
function tellsMeetings({ chart, beam }, { counts }) {
  return Boolean(counts.edge && counts.charted && (counts.pruned || !beam || chart.length <= beam));
}

const NOT_EXPANDED = {
  agenda: "still waits on the agenda",
  popped: "is only being expanded",
  goal: "is a goal, and goals are not expanded",
};

// What the log knows of two edges that it has made nothing of.
export function sayMet(state, log, k, pair) {
  if (!tellsMeetings(state, log)) return "the log does not tell";
  if (haveMet(log, state.search, k, pair)) return "tried, and refused";
  const stays = chartStays(log)[state.search];
  const outside = pair.find((serial) => !(stays?.get(serial)?.[0] < k));
  if (outside)
    return (
      `not tried: edge ${outside} ` +
      `${NOT_EXPANDED[state.places[outside - 1]] ?? "was not expanded"}`
    );
  const [gone] = pair.slice().sort((a, b) => stays.get(a)[0] - stays.get(b)[0]);
  return `not tried: edge ${gone} had left the chart by then`;
}
