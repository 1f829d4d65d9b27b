// The turns of a game over a log: the twin of tests/decoder_turns.py, which says what is meant
// and why.

import { beamApply, beamStart } from "../beam/beam.js";
import { isAbove } from "../player/questions.js";
import { edgeOf, onAgenda, searchApply, searchStart } from "../search/search.js";

const MOST_TURNS = 15;
const MOST_OPTIONS = 9;
const GAMES = new WeakMap();

// The turns so far of a search in the log (from 1), and the next one, if there is one.
export function turnsOf(log, search, chosen) {
  const game = gameOf(log, search);
  return game.asked ? playedPops(game, chosen) : playedBeam(game, chosen);
}

// What a log says of a search, found once: of a beam its candidates, of a best-first search the
// turns, which no choice changes.
export function gameOf(log, search) {
  if (!GAMES.has(log)) GAMES.set(log, new Map());
  const games = GAMES.get(log);
  if (!games.has(search)) games.set(search, findGame(log, search));
  return games.get(search);
}

function findGame(log, search) {
  const begins = log.kinds.flatMap((kind, k) => (kind === "begin" ? [k] : []));
  const first = begins[search - 1] ?? log.length;
  const end = begins[search] ?? log.length;
  const pops = log.kinds.slice(first, end).includes("popped");
  return pops ? findPops(log, first, end) : findCandidates(log, first, end);
}

function makeTurn(asked, decided, state, ranked, gold, model) {
  const bestGold = ranked.find(([serial]) => gold.includes(serial))?.[0] ?? model;
  const shown = new Set([bestGold, model]);
  const others = ranked.filter(([serial]) => !shown.has(serial));
  for (const [serial] of others.slice(0, MOST_OPTIONS - shown.size)) shown.add(serial);
  return {
    asked, decided, state,
    options: ranked.filter(([serial]) => shown.has(serial)),
    waiting: ranked.length,
    gold: gold.filter((serial) => shown.has(serial)),
    model,
  };
}

function judged(turn, choice, ranked) {
  const ranks = new Map(turn.options.map(([serial, own]) =>
    [serial, 1 + ranked.filter(([, score]) => isAbove(score, own)).length]));
  const point = (serial) =>
    Number(turn.gold.length ? turn.gold.includes(serial) : ranks.get(serial) === 1);
  const points = { point: point(choice), model_point: point(turn.model) };
  return { ...turn, choice, ranks: [...ranks.values()], ...points };
}

// The rank of an option among all, once something is chosen.
export function rankIn({ options, ranks }, serial) {
  return ranks[options.findIndex(([one]) => one === serial)];
}

function inOrder(ranked) {
  return ranked.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

// --- a beam ---

function findCandidates(log, first, end) {
  const game = {
    ...beamStart(), end, made: new Map(), children: new Map(), asked_at: new Map(),
    ends: new Map(), best: new Map(), fates: new Map(), gold: new Set(),
  };
  let step = 0;
  for (let k = first; k < end; k += 1) {
    const [kind, ...values] = log.event(k);
    if (["begin", "alternatives", "labels"].includes(kind)) beamApply(game, log.event(k));
    else if (["step", "finished", "update"].includes(kind)) {
      if (!game.ends.has(step)) game.ends.set(step, k);
      step += Number(kind === "step");
    } else if (kind === "candidate") noteCandidate(game, k, step, values);
    else if (kind === "kept") {
      game.fates.set(values[0], { fate: "kept", margin: 0 });
      if (values[1] === 0) game.best.set(step, values[0]);
    } else if (kind === "cut") game.fates.set(values[0], { fate: "cut", margin: values[1] });
    else if (kind === "pruned") game.fates.set(values[0], { fate: "recombined", margin: 0 });
    else if (kind === "gold") game.gold.add(values[1]);
  }
  return game;
}

function noteCandidate(game, k, step, [serial, parent, action, score]) {
  game.made.set(serial, { serial, parent, action, score, step });
  if (!game.children.has(parent)) game.children.set(parent, []);
  game.children.get(parent).push(serial);
  if (!game.asked_at.has(parent)) game.asked_at.set(parent, k);
}

function playedBeam(game, chosen) {
  const played = [];
  let state = 0;
  while (goesOn(game, state)) {
    const ranked = inOrder(game.children.get(state).map((one) => [one, game.made.get(one).score]));
    let choice = ranked[0][0];
    if (ranked.length > 1) {
      const gold = ranked.map(([serial]) => serial).filter((serial) => game.gold.has(serial));
      const decided = game.ends.get(game.made.get(choice).step) ?? game.end;
      const turn = makeTurn(game.asked_at.get(state), decided, state, ranked, gold, choice);
      if (played.length === chosen.length) return [...played, turn];
      choice = chosen[played.length];
      played.push({ ...judged(turn, choice, ranked), ...outcomeOf(game, choice) });
    }
    const kept = game.fates.get(choice)?.fate === "kept";
    state = kept ? choice : game.best.get(game.made.get(choice).step) ?? -1;
  }
  return played;
}

// Whether its successors come later than the state, as in every search.
function goesOn({ children, made }, state) {
  const before = made.get(state)?.step ?? 0;
  return children.has(state) && children.get(state).every((one) => made.get(one).step > before);
}

function outcomeOf(game, serial) {
  const { fate, margin } = game.fates.get(serial) ?? { fate: "unknown", margin: 0 };
  const { score, step } = game.made.get(serial);
  let place = 1;
  for (const rival of game.made.values())
    if (rival.step === step && isAbove(rival.score, score)) place += 1;
  return { fate, place, margin };
}

// --- best first ---

function findPops(log, first, end) {
  const asked = new Map(askedPops(log, first, end).map((k, i) => [k, i]));
  const game = { asked: [], books: searchStart() };
  for (let k = first; k < end; k += 1) {
    const event = log.event(k);
    if (asked.has(k)) {
      const best = onAgenda(game.books, game.books.edges.length);
      const ranked = best.map((serial) => [serial, game.books.scores[serial - 1]]);
      const gold = best.filter((serial) => edgeOf(game.books, serial).gold === 1);
      let decided = k + 1;
      while (decided < end && !["popped", "stopped"].includes(log.kinds[decided])) decided += 1;
      const pop = game.books.pops.length + 1;
      game.asked.push({ ranked, turn: makeTurn(k, decided, pop, ranked, gold, event[1]) });
    }
    searchApply(game.books, event);
  }
  return game;
}

function askedPops(log, first, end) {
  const books = searchStart();
  const asked = [];
  for (let k = first; k < end; k += 1) {
    const event = log.event(k);
    if (event[0] === "popped" && books.agenda > 1 && books.places[event[1] - 1] === "agenda")
      asked.push(k);
    searchApply(books, event);
  }
  const last = asked.length - 1;
  if (last < MOST_TURNS) return asked;
  return Array.from({ length: MOST_TURNS }, (_, turn) =>
    asked[Math.floor((turn * last) / (MOST_TURNS - 1))]);
}

function playedPops({ asked }, chosen) {
  const played = asked.slice(0, chosen.length).map(({ turn, ranked }, i) =>
    judged(turn, chosen[i], ranked));
  return asked.length > chosen.length ? [...played, asked[chosen.length].turn] : played;
}
