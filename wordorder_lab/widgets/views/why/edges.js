// Whose score an edge's is laid beside: gold's, that of the one popped last, of the next to be.

import { quotedEdge } from "../search/edges.js";
import { onAgenda } from "../search/search.js";

export const edgeReasons = {
  name: (state, serial) => `edge ${serial} ${quotedEdge(state, serial)}`,

  rivals(state, serial) {
    const waits = ({ gold, serial: one }) => gold === 1 && state.places[one - 1] === "agenda";
    const gold = state.edges.filter(waits).map((one) => one.serial)
      .sort((a, b) => state.scores[b - 1] - state.scores[a - 1] || a - b)[0];
    const isGold = state.edges[serial - 1]?.gold === 1;
    const others = [
      [state.pops.at(-1)?.[0], "popped last"],
      ...onAgenda(state, 2).map((one) => [one, "next on the agenda"]),
    ];
    const best = [gold, "the best gold edge that waits"];
    return isGold ? [...others, best] : [best, ...others];
  },
};
