// Motion between two drawings: what has the same data-serial in both goes from its old place to the
// new one, what is new fades in, what is gone fades out. The new drawing stands already; motion
// plays on top of it, so that nothing waits for it. At single steps:
//
//   const before = placesOn(stage);
//   (draw)
//   moveBetween(before, placesOn(stage), stage);

const LONGEST = 300; // milliseconds
const GOES = 240;
const FADES = 160;
const MOST_MOVED = 60; // of more than that nobody can follow one
const PLAYED = new WeakMap(); // a stage -> its animations

// Where everything with a serial stands now: keep it before a drawing, then give it to
// `moveBetween`.
export function placesOn(stage) {
  const standing = new Map();
  const origin = originOf(stage);
  for (const element of movable(stage)) {
    const box = element.getBoundingClientRect();
    if (box.width) standing.set(keyOf(element), { element, box, origin });
  }
  return standing;
}

// Play what has changed on a stage since `before`, which `placesOn` gave. Returns the animations;
// none where `reduced` motion is asked for, or where too much has moved to be followed.
export function moveBetween(before, after, stage, reduced = prefersStill()) {
  stopMotion(stage);
  if (reduced || !before.size || !after.size) return [];
  if (!stage.querySelector("svg")) return [];
  const moved = [];
  for (const [key, there] of after) {
    const from = before.get(key);
    if (!from) moved.push(() => fadeIn(there.element));
    else if (hasMoved(from, there)) moved.push(() => slide(from, there));
  }
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, from]) => from);
  if (moved.length + gone.length > MOST_MOVED) return [];
  // All copies are there before the first is measured: the page is laid out once.
  const shifts = shiftsOf(gone.map((from) => [from, copyOf(from, stage)]), stage);
  const played = [...moved.map((play) => play()), ...shifts.map(fadeOut)];
  PLAYED.set(stage, played);
  return played;
}

// End all motion on a stage at once, as scrubbing and the next step do.
export function stopMotion(stage) {
  for (const animation of PLAYED.get(stage) ?? []) animation.finish();
  PLAYED.delete(stage);
}

function prefersStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// The same edge may stand in several places of a picture: the first of them is the one that moves.
function movable(stage) {
  const seen = new Set();
  return [...stage.querySelectorAll("svg [data-serial]:not([data-in])")].filter((element) => {
    const fresh = !seen.has(keyOf(element));
    seen.add(keyOf(element));
    return fresh;
  });
}

function keyOf(element) {
  return element.dataset.serial;
}

// Pictures scroll inside their stage: places count from the picture's corner, not the window's.
function originOf(stage) {
  const picture = stage.querySelector("svg");
  const box = (picture ?? stage).getBoundingClientRect();
  return { x: box.x, y: box.y };
}

function shiftOf(from, to) {
  return {
    x: from.box.x - from.origin.x - (to.box.x - to.origin.x),
    y: from.box.y - from.origin.y - (to.box.y - to.origin.y),
  };
}

function hasMoved(from, to) {
  const { x, y } = shiftOf(from, to);
  return Math.abs(x) > 1 || Math.abs(y) > 1;
}

function slide(from, to) {
  const { x, y } = shiftOf(from, to);
  return to.element.animate(
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
    { duration: GOES, easing: "ease-out", composite: "add" },
  );
}

function fadeIn(element) {
  return element.animate([{ opacity: 0 }, { opacity: 1 }], {
    duration: FADES, delay: LONGEST - FADES, fill: "backwards",
  });
}

// What is gone is shown once more, as a copy that nobody can press, and taken away at the end.
function copyOf({ element }, stage) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("[tabindex], [role]").forEach((inside) => bare(inside));
  bare(copy);
  stage.querySelector("svg").append(copy);
  return copy;
}

// How far each copy stands from where it was.
function shiftsOf(copies, stage) {
  const origin = copies.length ? originOf(stage) : null;
  return copies.map(([from, copy]) =>
    ({ copy, ...shiftOf(from, { box: copy.getBoundingClientRect(), origin }) }));
}

function fadeOut({ copy, x, y }) {
  const place = `translate(${x}px, ${y}px)`;
  const animation = copy.animate(
    [{ opacity: 0.9, transform: place }, { opacity: 0, transform: place }],
    { duration: GOES, composite: "add" },
  );
  animation.addEventListener("finish", () => copy.remove());
  animation.addEventListener("cancel", () => copy.remove());
  return animation;
}

function bare(element) {
  for (const name of ["role", "tabindex", "data-serial", "aria-label", "aria-pressed"])
    element.removeAttribute(name);
  element.setAttribute("aria-hidden", "true");
  element.style.pointerEvents = "none";
}
