// The agenda view's picture: ranked bars, the popped and the pinned edge, curves; in one, two or
// three columns, as there is room.

import { html } from "../player/dom.js";
import { nothingYet, pictureOf, round1, stackBlocks } from "../player/pictures.js";
import { number, plural } from "../player/words.js";
import { sayEdge } from "../search/edges.js";
import { onAgenda } from "../search/search.js";
import { drawAgendaLines, drawApart, drawPinned, drawPopped } from "./cards.js";
import { drawGoldCurve, drawPinnedCurves, drawSearchCurves } from "./curves.js";
import { agendaFinder } from "./finder.js";
import { drawFlow } from "./flow.js";
import { isWaiting, searchFacts } from "./ranks.js";
import { drawAgendaList } from "./rows.js";
import { sayGold } from "./why.js";

const NO_EDGES =
  "There are no edges here: the log was recorded without them, or begins later.";
const FINDER_ROOM = 28; // pixels of the field above

export function drawAgenda(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  const picture = state.edges.length
    ? agendaPicture(state, room, width, scale)
    : room.log.counts.leaf && room.log.counts.begin
      ? nothingYet(width, scale)
      : nothingYet(width, scale, NO_EDGES);
  // How many rows fit is a matter of the list alone: what stands beside it may scroll. Beside
  // other views one pins by pressing.
  const fit = Number(picture.dataset.list ?? 0) + (room.beside ? 0 : FINDER_ROOM);
  return html("div", { "data-fit": fit }, room.beside ? null : agendaFinder(state, room), picture);
}

function agendaPicture(state, room, width, scale) {
  const at = {
    state,
    room,
    scale,
    log: room.log,
    facts: searchFacts(room.log).searches[state.search],
    pinned: room.selected,
  };
  at.top = onAgenda(state, room.rows);
  at.focus = focusedEdge(at);
  const [columns, shares] = agendaColumns(width / scale, at.pinned);
  const gap = 30 * scale;
  const whole = width - 4 - gap * (columns.length - 1);
  let [x, bottom] = [2, 0];
  const drawn = columns.map((column, i) => {
    const [element, height] = stackBlocks(
      column.map((block) => block(at, whole * shares[i])),
      14 * scale,
    );
    element.setAttribute("transform", `translate(${round1(x)} 0)`);
    x += whole * shares[i] + gap;
    bottom = Math.max(bottom, height);
    return element;
  });
  const height = Math.ceil(bottom + 4);
  return pictureOf(width, height, scale, agendaLabel(at), drawn,
    { look: "wol-agenda", "data-list": at.list });
}

// What stands in each column from top to bottom, and its share of the width; the edge that is
// pinned on top, in sight. Where there is little room, the curves below the timeline are enough.
function agendaColumns(width, pinned) {
  const [mine, gold] = [
    pinned ? [drawApart, drawPinned, drawPopped, drawPinnedCurves]
      : [drawApart, drawPopped, drawPinned, drawPinnedCurves],
    [drawGoldLines, drawGoldCurve],
  ];
  if (width >= 1180)
    return [
      [[drawList, ...gold], mine, [drawFlow, drawSearchCurves]],
      [0.37, 0.37, 0.26],
    ];
  if (width >= 700)
    return [
      [
        [drawList, ...gold],
        pinned ? [...mine, drawFlow] : [drawFlow, ...mine],
      ],
      [0.52, 0.48],
    ];
  return [[pinned ? [drawPinned, drawApart, drawList, drawPopped, drawPinnedCurves, ...gold]
    : [drawList, drawFlow, ...mine, ...gold]], [1]];
}

function drawList(at, width) {
  const [list, height] = drawAgendaList(at, width);
  at.list = Math.ceil(height);
  return [list, height];
}

function drawGoldLines(at, width) {
  const lines = at.room.masked ? [] : sayGold(at.state, at.log);
  return lines.length ? drawAgendaLines(at, width, "★ Gold", lines) : [null, 0];
}

// The row that the Tab key comes to: the pinned edge if it is in the list, or the first.
function focusedEdge({ state, top, pinned }) {
  const pop = state.pops[state.pops.length - 1];
  if (pinned && (isWaiting(state, pinned) || pop?.[0] === pinned)) return pinned;
  return pop ? pop[0] : top[0];
}

function agendaLabel({ state, room, top: [best] }) {
  const next =
    best && !room.masked
      ? `; the best of them: ${sayEdge(state, best)} with ${number(state.scores[best - 1])}`
      : "";
  return `Agenda after ${plural(state.pops.length, "pop")}: ${plural(state.agenda, "edge")}${next}`;
}
