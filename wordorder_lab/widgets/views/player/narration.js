// What is said of a moment: of one log, or of two at once.

import { plural } from "./words.js";

const MOSTLY = 0.75; // of the words of two sentences that are told as one

export function narration(screen, places) {
  const sentences = screen.logs.map((log, i) => {
    const event = screen.toldEvent(log, screen.about[i] ?? places[i]);
    const cut =
      log.dropped && places[i] === log.length
        ? ` The log is cut here: ${plural(log.dropped, "more event")} ` +
          `${log.dropped === 1 ? "was" : "were"} left out; wl.play and wl.to_html take more ` +
          "with max_events=."
        : "";
    const { stride } = screen;
    const told =
      (stride && event && screen.viewOf(i).summary?.(screen.state(i), event, log)) ||
      screen.viewOf(i).describe(screen.state(i), stride ? changed(log, places[i], event) : event);
    return `${told}${cut}`;
  });
  return [screen.said, ...named(sentences)].filter(Boolean).join(" ");
}

// Whose sentence it is, where there are two; those that differ in few words are one, in which only
// these stand twice.
function named(sentences) {
  if (sentences.length === 1) return sentences;
  const [a, b] = sentences.map((one) => one.split(" "));
  let [same, end] = [0, 0];
  const least = Math.min(a.length, b.length);
  while (same < least && a[same] === b[same]) same += 1;
  while (end < least - same && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [mine, its] = [a, b].map((one) => one.slice(same, one.length - end).join(" "));
  if (!mine || !its || same + end < MOSTLY * Math.max(a.length, b.length))
    return sentences.map((one, i) => `${"AB"[i]}: ${one}`);
  const [before, after] = [a.slice(0, same), a.slice(a.length - end)].map((one) => one.join(" "));
  return [`A and B: ${before} ${mine} (A), ${its} (B) ${after}`];
}

// Of many weights that have moved not the last one is told, but the update that moved them.
function changed(log, k, event) {
  let i = k - 1;
  while (i > 0 && ["weight", "rescored"].includes(log.kinds[i])) i -= 1;
  return event && /update$/.test(log.kinds[i]) ? log.event(i) : event;
}
