// The picture of deletion: the words in a row, arcs between neighbours of what stays above them,
// and below the ways into a word, the best paths, and the rows of a programme.

import { nothingYet, pictureOf, sideBySide, stackBlocks } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { drawKeptArcs, layKeptWords } from "./arcs.js";
import { drawDemands } from "./demands.js";
import { deletionLook } from "./look.js";
import { drawPaths, drawWays } from "./rows.js";

const DELETION_GAP = 18;
const LIST_LEAST = 340;

export function drawDeletion(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  if (!state.units.length) return nothingYet(width, scale);
  const at = { state, room, scale, width, ...deletionLook(state, room) };
  const demanded = at.programme || state.demands.length;
  const laid = layKeptWords(at, demanded ? LIST_LEAST * scale : 0);
  const lattice = drawKeptArcs(at, laid);
  const gap = DELETION_GAP * scale;
  const rows = demanded ? drawDemands(at, laid) : [null, 0];
  const lists = [
    state.bigrams.length ? drawWays : null,
    state.paths.length > 1 || at.programme ? drawPaths : null,
  ].filter(Boolean);
  const aside = width - laid.width - gap;
  // Beside the lattice, where rows leave room; else below, two beside each other.
  const top = rows[0] && lists.length === 1 && aside >= (LIST_LEAST - DELETION_GAP) * scale
    ? sideBySide([lattice, lists.pop()(at, aside)], [0, laid.width + gap]) : lattice;
  const half = lists.length > 1 && width / scale >= 640
    ? Math.round((width - gap) / 2) : Math.min(width - 4, 760 * scale);
  const drawnLists = lists.map((draw) => draw(at, half));
  const below = half < width / 2 ? sideBySide(drawnLists, [0, half + gap])
    : stackBlocks(drawnLists, gap / 2);
  const [drawn, height] = stackBlocks([top, rows, below], gap / 2);
  const wide = Math.ceil(Math.max(width, laid.width));
  return pictureOf(wide, Math.ceil(height), scale, deletionLabel(at), drawn,
    { look: "wol-deletion" });
}

function deletionLabel({ state, way, end }) {
  const kept = way.filter((place) => place > 0 && place < end);
  if (!kept.length) return `A sentence of ${plural(state.units.length, "word")}`;
  return `${plural(kept.length, "word")} of ${state.units.length} on the way that is shown: ` +
    `“${kept.map((place) => state.units[place - 1]).join(" ")}”`;
}
