// One rule at a time flies from the source tree to the target tree: what it has made there comes
// from the node that it was made of. Only where one rule has come after another by a single step or
// a press, and nowhere where motion is not wanted.

const FLIES = 280; // milliseconds
const FLYING = new WeakMap(); // a frame -> its animations

export function flyRule({ state, room, application, combination }, frame) {
  const now = `${state.search} ${application} ${combination?.serial}`;
  const before = room.kept.flown;
  room.kept.flown = now;
  (FLYING.get(frame) ?? []).forEach((animation) => animation.finish());
  FLYING.delete(frame);
  const pressed = room.k === room.kept.flownAt;
  room.kept.flownAt = room.k;
  const wanted = before !== undefined && before !== now && (room.moves || pressed);
  if (!wanted || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  room.later(() => fly(frame, state.applications[application]?.node));
}

function fly(frame, node) {
  const made = [...frame.querySelectorAll(".wol-target .wol-made-now")];
  const root = made.find((one) => one.classList.contains("wol-here-now")) ?? made[0];
  const from = frame.querySelector(`.wol-source [data-serial="node ${node}"] > rect`);
  if (!root || !from) return;
  const [a, b] = [from, root.querySelector("rect")].map((one) => one.getBoundingClientRect());
  if (!a.width || !b.width) return;
  const start = `translate(${a.x - b.x}px, ${a.y - b.y}px)`;
  FLYING.set(frame, made.map((one) =>
    one.animate([{ transform: start, opacity: 0.3 }, { transform: "none", opacity: 1 }],
      { duration: FLIES, easing: "ease-in-out" })));
}
