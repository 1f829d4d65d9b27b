// The picture of deletion: the words in a row, arcs between neighbours of what stays above them,
// and below the ways into a word, the best paths, and the rows of a programme.

import { nothingYet, pictureOf, sideBySide, stackBlocks } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { drawKeptArcs } from "./arcs.js";
import { changedBy, deletionLook } from "./look.js";
import { drawDemands, drawPaths, drawWays } from "./rows.js";

const DELETION_GAP = 18;

export function drawDeletion(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  if (!state.units.length) return nothingYet(width, scale);
  const at = { state, room, scale, width, ...deletionLook(state, room) };
  const lattice = drawKeptArcs(at);
  const gap = DELETION_GAP * scale;
  const beside = width / scale >= 640;
  const wanted = [
    at.programme || state.demands.length ? drawDemands : null,
    state.bigrams.length ? drawWays : null,
    state.paths.length > 1 || differs(at) ? drawPaths : null,
  ].filter(Boolean);
  const half = beside && wanted.length > 1
    ? Math.round((width - gap) / 2) : Math.min(width - 4, 760 * scale);
  const lists = wanted.map((draw) => draw(at, half));
  // Beside each other what is asked for most: rows of a programme, or ways into a word.
  const below = beside && lists.length > 1
    ? sideBySide([lists[0], stackBlocks(lists.slice(1).reverse(), gap / 2)], [0, half + gap])
    : stackBlocks(lists, gap / 2);
  const [drawn, height] = stackBlocks([lattice.slice(0, 2), below], gap / 2);
  const wide = Math.ceil(Math.max(width, lattice[2]));
  return pictureOf(wide, Math.ceil(height), scale, deletionLabel(at), drawn,
    { look: "wol-deletion" });
}

// Whether a programme keeps other words than the best path. A path alone is told by the caption.
function differs({ programme, path }) {
  const { more, less } = changedBy(programme, path);
  return more.length + less.length > 0;
}

function deletionLabel({ state, way, end }) {
  const kept = way.filter((place) => place > 0 && place < end);
  if (!kept.length) return `A sentence of ${plural(state.units.length, "word")}`;
  return `${plural(kept.length, "word")} of ${state.units.length} on the way that is shown: ` +
    `“${kept.map((place) => state.units[place - 1]).join(" ")}”`;
}
