// The moment of the search that caused an update: the pop that was wrong, or where gold fell.

import { svg, textWidth } from "../player/dom.js";
import { UPDATES } from "../player/log.js";

// After how many events it is, and in words; null where the log has not got it.
function causeOf(log, k, { reason, actions, negative }) {
  let i = k - 1;
  while (i >= 0 && !UPDATES.includes(log.kinds[i])) i -= 1;
  const wanted = log.kinds[i] === "edge_update" ? "popped" : "gold";
  while (i >= 0 && log.kinds[i] !== "begin") {
    i -= 1;
    if (log.kinds[i] !== wanted) continue;
    if (wanted === "popped")
      return { event: i + 1, view: "agenda", pin: negative,
        words: ["chart", "signature"].includes(reason) ? "to the pop before gold had to go"
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
  const there = [
    ...(cause ? [["cause", cause.words, `Go ${cause.words}`, () => room.show(cause)]] : []),
    ...(room.again && update.step
      ? [["again", AGAIN, "Search again: before this update, and after it", room.again]] : []),
  ];
  let x = 0;
  const drawn = there.map(([serial, words, label, onclick]) => {
    const wide = (textWidth(words, true) + 18) * scale;
    const one = svg("g", {
      class: "wol-press wol-order", role: "button", tabindex: 0, "data-serial": serial,
      "aria-label": label, transform: `translate(${x} 0)`, onclick,
    },
    svg("rect", { x: 0, y: 0, width: wide, height: 21 * scale, rx: 5 }),
    svg("text", { x: 9 * scale, y: 15 * scale }, words));
    x += wide + 8 * scale;
    return one;
  });
  return drawn.length ? [svg("g", {}, drawn), x - 8 * scale] : [null, 0];
}
