// The papers' pseudo-code beside the picture: which of it a log goes through, and which of its
// lines an event belongs to.

import { ALGORITHM_1, EARLY_UPDATE, LEFT_TO_RIGHT } from "../beam/pseudocode.js";
import {
  ALGORITHM_3,
  ALGORITHM_4,
  CCG_ALGORITHM_1,
  GOAL_ENDS,
  isLastPop,
  litInLearning,
} from "../search/pseudocode.js";
import { CUBE_PRUNING, CUTTING_PLANES } from "../transduction/pseudocode.js";
import { html } from "./dom.js";
import { VIEWS } from "./views.js";

// The pseudo-code that a log goes through.
export function programsOf(log) {
  if (log.summarises) return []; // whatever searched, it is not in the log
  const own = Object.values(VIEWS).find((view) => view.programs && view.suits(log));
  if (own) return own.programs(log);
  if (log.transduces)
    return log.counts.violation || log.counts.solved
      ? [CUBE_PRUNING, CUTTING_PLANES]
      : [CUBE_PRUNING];
  if (log.bestFirst)
    return [log.counts.edge_update ? ALGORITHM_3 : log.ccg ? CCG_ALGORITHM_1 : ALGORITHM_4];
  if (log.leftToRight) return [LEFT_TO_RIGHT];
  return log.counts.gold || log.counts.update ? [ALGORITHM_1, EARLY_UPDATE] : [ALGORITHM_1];
}

export function programs(logs) {
  return [...new Set(logs.flatMap(programsOf))].map((program) => {
    const lines = program.lines.map((line, i) =>
      html("li", { value: program.numbers?.[i] ?? i + 1 }, html("code", {}, line)),
    );
    const element = html(
      "figure",
      { class: "wol-program" },
      html(
        "figcaption",
        {},
        html("strong", {}, program.title),
        html("br"),
        html("small", {}, program.source),
      ),
      html("ol", {}, lines),
    );
    return { program, lines, element };
  });
}

// The number of the line that an event belongs to; none where the program is not this log's.
export function litLine(program, event, state) {
  if (!event) return null;
  const [kind, ...values] = event;
  if (program.litBy) return program.litBy(state, event);
  if (kind === "stopped" && GOAL_ENDS.includes(values[0])) return program.lit.goal ?? null;
  if (program === ALGORITHM_3) return litInLearning(state, event);
  if (program === CCG_ALGORITHM_1 && kind === "pruned" && values[1] === "signature")
    return isLastPop(state, values[0]) ? 10 : 8;
  if (program === EARLY_UPDATE) {
    if (kind === "update") return { early: 2, "max-violation": 3 }[values[2]] ?? 4;
    if (kind === "weight") return values[3] > values[2] ? 5 : 6;
  }
  return program.lit[kind] ?? null;
}

// Light the lines of these numbers, and scroll to them.
export function lightLines({ program, lines }, lit) {
  lines.forEach((line, i) => {
    const here = lit.includes(program.numbers?.[i] ?? i + 1);
    line.classList.toggle("wol-lit", here);
    if (here) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
    if (here) keepInSight(line);
  });
}

// Scroll the pseudo-code, and nothing around it, so that a line stands in its middle.
function keepInSight(line) {
  const room = line.closest(".wol-programs");
  const [inner, outer] = [line.getBoundingClientRect(), room.getBoundingClientRect()];
  room.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
}
