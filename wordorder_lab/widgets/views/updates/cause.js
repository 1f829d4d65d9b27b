// The moment of the search that caused an update: the pop that was wrong, or where gold fell.

import { UPDATES } from "../player/log.js";
import { pressButtons } from "../player/pictures.js";

// After how many events it is, and in words; null where the log has not got it.
function causeOf(log, k, { reason, actions, negative }) {
  let i = k - 1;
  while (i >= 0 && !UPDATES.includes(log.kinds[i])) i -= 1;
  const wanted = log.kinds[i] === "edge_update" ? "popped" : "gold";
  while (i >= 0 && log.kinds[i] !== "begin") {
    i -= 1;
    if (log.kinds[i] !== wanted) continue;
    if (reason === "agenda" && log.event(i)[1] !== negative) continue; // after a whole search
    if (wanted === "popped")
      return { event: i + 1, view: "agenda", pin: negative,
        words: ["chart", "signature"].includes(reason) ? "to the pop before"
          : "to the pop that was wrong" };
    if (log.event(i)[1] === actions)
      return { event: i + 1, view: "beam", pin: null,
        words: reason === "early" ? "to where gold fell" : "to this step of the search" };
  }
  return null;
}

const AGAIN = "search with these weights";

// The button that goes there, and where there is a model that of searching again: an element with
// its width.
export function causeButtons(update, room, scale) {
  const cause = causeOf(room.log, room.k, update);
  const buttons = [
    cause && {
      serial: "cause", words: cause.words, label: `Go ${cause.words}`,
      press: () => room.show(cause),
    },
    room.again && update.step && {
      serial: "again", words: AGAIN, label: "Search again: before this update, and after it",
      press: room.again,
    },
  ].filter(Boolean);
  return buttons.length ? pressButtons(buttons, Infinity, scale) : [null, 0];
}
