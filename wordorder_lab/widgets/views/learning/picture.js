// The view of learning over time: small curves, and beside them the weights that moved most.

import { plotFrame } from "../parts/curves.js";
import { svg } from "../player/dom.js";
import { round1, sideBySide, stackBlocks } from "../player/pictures.js";
import { plural } from "../player/words.js";
import { learningFacts, movedMost } from "./facts.js";
import { trendsOf } from "./trends.js";
import { chosenTrend, drawMovers } from "./weights.js";

const LEARNING_GAP = 12;
const CURVE_TALL = [62, 130]; // a curve, at least and at most

export function drawLearning(state, room) {
  const scale = room.projector ? 1.4 : 1;
  const width = Math.max(room.width, 320);
  const { log, k } = room;
  const { ends } = learningFacts(log);
  const at = { state, room, log, scale, chosen: room.kept.weight ?? null };
  // Along the curves: sentences, or of a log without them epochs.
  at.all = Math.max(1, ends.length || log.counts.epoch);
  at.done = ends.length ? state.sentences : state.epochs.length;
  at.movers = movedMost(log, k, room.rows);
  const beside = width / scale >= 760;
  const gap = LEARNING_GAP * scale;
  const wide = beside ? round1(0.56 * width) : width - 4;
  const list = drawMovers(at, beside ? width - wide - 2 * gap : width - 4);
  const curves = drawCurves(at, wide, gap, beside ? list[1] : 0);
  const [drawn, height] = beside
    ? sideBySide([curves, list], [2, wide + 2 * gap])
    : stackBlocks([curves, list], gap);
  const said = `${plural(state.sentences, "example")} learned, ` +
    `${plural(state.updates, "update")} so far`;
  return svg("svg", {
    viewBox: `0 0 ${width} ${Math.ceil(height)}`, width, height: Math.ceil(height),
    class: "wol-picture wol-learning", role: "group", "aria-label": said,
    style: `font-size: ${12 * scale}px`, "data-fit": Math.ceil(beside ? list[1] : height),
  }, drawn);
}

// Two in a row where there is room; the chosen weight has what is left of the last row. They are as
// tall as what stands beside them allows.
function drawCurves(at, width, gap, beside) {
  const curves = trendsOf(at);
  const chosen = chosenTrend(at);
  const two = width / at.scale >= 420;
  const half = (width - gap) / 2;
  const fills = two && chosen && curves.length % 2 === 1;
  const rows = Math.ceil(curves.length / (two ? 2 : 1)) + (chosen && !fills ? 1 : 0);
  const free = (beside / rows - gap) / at.scale - plotFrame();
  at.tall = Math.max(CURVE_TALL[0], Math.min(CURVE_TALL[1], free));
  const drawn = [...curves, ...(fills ? [chosen] : [])].map((draw) => draw(two ? half : width));
  const paired = drawn.flatMap((one, i) => !two ? [one]
    : i % 2 ? [] : [sideBySide(drawn.slice(i, i + 2), [0, half + gap])]);
  return stackBlocks([...paired, ...(chosen && !fills ? [chosen(width)] : [])], gap);
}
