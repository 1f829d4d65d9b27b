// What is written into a picture: the note of a moment and its annotations, each a box with a text
// and an arrow to the card, row, cell or edge that it speaks of. They are parts of the picture, so
// that slides, films and exported images have them, too. A box stands where nothing else does; if
// the picture has no such place, it grows at the top.

import { dock } from "./dock.js";
import { svg, textWidth } from "./dom.js";
import { paragraph, round1 } from "./pictures.js";

const MARK_GRID = 8; // pixels: so fine is looked for a free place
const MARK_GAP = 6;
const MARK_PAD = 7;
const MARK_FAR = 420; // pixels: a box is at most so far from its item
const MARK_CROSSES = 5; // pixels further away are better than an arrow over so much ink
const MARK_READ = 100; // pixels further away are better than an arrow over a text
const MARK_AIMS = [0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95]; // of an item's width, or height
const MARK_GROWS = 60; // pixels further away are better than a picture that has to grow
const MARK_TRIED = 400; // places
const MARK_STRAIGHT = 24; // pixels of an item's width that are under its box, at least
const BACKGROUND = 0.08; // a shape that is a larger part of its picture may lie under a box
const MARK_WHOLES = "[role=img], .wol-lattice, .wol-dock-ground"; // no box lies inside of these

// The name of an item: its serial, behind it where it stands, if a picture has it twice.
export function itemName(element) {
  const { serial, in: inside } = element.dataset;
  return inside ? `${inside} ${serial}` : serial;
}

// The element of an item; of several with its serial that of this name, else a card before a part
// or a row, else the largest.
export function elementOf(picture, item) {
  const all = [...picture.querySelectorAll("[data-serial]:not(.wol-mark-of)")];
  const named = all.filter((one) => itemName(one) === item);
  const size = (one) => (one.matches(".wol-card:not(.wol-part)") ? 1e9 : 1) *
    one.getBoundingClientRect().width * one.getBoundingClientRect().height;
  return (named.length ? named : all.filter(({ dataset }) => dataset.serial === item))
    .filter((one) => size(one) > 0).sort((a, b) => size(b) - size(a))[0] ?? null;
}

// What an item is called: as a screen reader says it.
export function nameOfItem(element) {
  return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
}

// Draw these texts into a picture: {text, item, mark: that it is, or null for the note, edit: what
// a press does}. `stage` is what the picture scrolls in; `large` its size of type beside the usual;
// `chosen`: whether something is chosen in it. By how many pixels it has grown comes back.
export function drawMarks(picture, stage, texts, large, chosen) {
  picture.querySelector(":scope > .wol-marks")?.remove();
  grow(picture, 0);
  if (!texts.length || !stage.clientWidth) return 0; // what is hidden has no room
  const scale = picture.getScreenCTM().a;
  const found = texts.map((one) => ({ ...one, element: one.item && elementOf(picture, one.item) }))
    .filter(({ mark, element }) => !mark || element);
  const first = found.find(({ element }) => element)?.element;
  if (first) bringInSight(first, stage);
  dock(stage, chosen, first);
  const sheet = new Sheet(picture, stage, scale);
  const boxes = found.map((one) => boxOf(one, scale, large, sheet));
  const high = boxes.filter((box) => !sheet.place(box));
  placeOnTop(high, sheet);
  const layer = svg("g", { class: "wol-marks" }, boxes.map((box) => drawBox(box, sheet)));
  grow(picture, sheet.grown);
  picture.append(layer);
  return sheet.grown * scale;
}

// Scroll an item into the middle of what it scrolls in, if it is out of sight.
function bringInSight(element, stage) {
  const [inner, outer] = [element, stage].map((one) => one.getBoundingClientRect());
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    stage.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  if (inner.left < outer.left || inner.right > outer.right)
    stage.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

// Give a picture so much room above, in its own units.
function grow(picture, units) {
  const { x, y, width, height } = picture.viewBox.baseVal;
  const more = units + y; // y is how much it has grown before, below zero
  if (!more) return;
  const tall = picture.getBoundingClientRect().height / height;
  picture.setAttribute("viewBox", `${x} ${-units} ${width} ${round1(height + more)}`);
  if (picture.hasAttribute("height"))
    picture.setAttribute("height", round1((height + more) * tall));
}

// Where there is ink in what is in sight of a picture, as a raster with sums from its corner.
class Sheet {
  constructor(picture, stage, scale) {
    Object.assign(this, { picture, scale, grown: 0 });
    const all = picture.getBoundingClientRect();
    const seen = stage.getBoundingClientRect();
    this.corner = all;
    this.left = Math.max(all.left, seen.left);
    this.top = Math.max(all.top, seen.top);
    this.wide = Math.floor((Math.min(all.right, seen.right) - this.left) / MARK_GRID);
    this.high = Math.floor((Math.min(all.bottom, seen.bottom) - this.top) / MARK_GRID);
    this.ink = new Uint8Array(Math.max(0, this.wide * this.high));
    const area = all.width * all.height;
    this.texts = boxesIn(picture, "text");
    for (const box of this.texts) this.cover(box);
    for (const box of boxesIn(picture, "rect, circle, ellipse, polygon, use"))
      if (box.width * box.height <= BACKGROUND * area) this.cover(box);
    for (const one of picture.querySelectorAll(MARK_WHOLES))
      this.cover(one.getBoundingClientRect());
    for (const path of picture.querySelectorAll("path, line, polyline")) this.trace(path);
    this.add();
  }

  cover(box) {
    const [x0, y0] = [box.left - this.left, box.top - this.top].map((one) =>
      Math.max(0, Math.floor((one - 2) / MARK_GRID)));
    const x1 = Math.min(this.wide - 1, Math.floor((box.right - this.left + 2) / MARK_GRID));
    const y1 = Math.min(this.high - 1, Math.floor((box.bottom - this.top + 2) / MARK_GRID));
    for (let y = y0; y <= y1; y += 1) for (let x = x0; x <= x1; x += 1)
      this.ink[y * this.wide + x] = 1;
  }

  // A line has ink where it goes, not in all of its box.
  trace(path) {
    const [length, place] = [path.getTotalLength(), path.getScreenCTM()];
    if (!length) return;
    const steps = Math.min(60, Math.ceil((length * place.a) / MARK_GRID));
    for (let i = 0; i <= steps; i += 1) {
      const { x, y } = path.getPointAtLength((length * i) / Math.max(1, steps))
        .matrixTransform(place);
      this.cover({ left: x, right: x, top: y, bottom: y });
    }
  }

  add() {
    const { wide, high, ink } = this;
    const sums = (this.sums = new Int32Array((wide + 1) * (high + 1)));
    for (let y = 0; y < high; y += 1) for (let x = 0; x < wide; x += 1)
      sums[(y + 1) * (wide + 1) + x + 1] = ink[y * wide + x] +
        sums[y * (wide + 1) + x + 1] + sums[(y + 1) * (wide + 1) + x] - sums[y * (wide + 1) + x];
  }

  // Give a box the free place next to its item from which the arrow crosses least, in the better of
  // its shapes; whether there is one that is better than the top.
  place(box) {
    if (!box.target) return false;
    let best = this.onTop(box);
    for (const shape of box.shapes) {
      const free = this.freeFor({ ...box, ...shape }).sort((a, b) => a.far - b.far);
      for (const one of free.slice(0, MARK_TRIED)) {
        if (one.far >= best.far) break;
        const aimed = this.aimed(one);
        if (aimed.far < best.far) best = aimed;
      }
    }
    Object.assign(box, best);
    if (best.high) return false;
    this.cover({ left: best.left, top: best.top, right: best.left + box.width,
      bottom: best.top + box.height });
    this.add();
    return true;
  }

  // The box with an arrow to that place of its item's side to which it crosses least.
  aimed(box) {
    const [best] = MARK_AIMS.map((aim) => {
      const one = { ...box, aim };
      const ends = endsOf(one);
      const read = this.texts.filter((text) => crosses(ends, text)).length;
      return { ...one,
        far: distance(box) + MARK_CROSSES * this.inkOn(ends) + MARK_READ * read };
    }).sort((a, b) => a.far - b.far);
    return best;
  }

  // The box above the picture, where its arrow goes straight to the item and crosses least; the
  // last resort where that is out of sight.
  onTop(box) {
    const { left, right } = box.target;
    const most = this.left + this.wide * MARK_GRID - box.width;
    const keep = (x) => Math.max(this.left, Math.min(x, most));
    const seen = this.corner.top >= this.top - MARK_GRID;
    let best = null;
    let x = keep(left - box.width + MARK_STRAIGHT);
    do {
      const top = this.corner.top - box.height;
      const one = this.aimed({ ...box, left: x, top, high: true });
      one.far = seen ? one.far + MARK_GROWS : Infinity;
      if (!best || one.far < best.far) best = one;
      x += MARK_GRID;
    } while (x <= keep(right - MARK_STRAIGHT));
    return best;
  }

  // The box at each place without ink that is not too far away.
  freeFor(box) {
    const [w, h] = [box.width, box.height].map((one) => Math.ceil((one + MARK_GAP) / MARK_GRID));
    const row = this.wide + 1;
    const found = [];
    for (let y = 0; y + h <= this.high; y += 1) for (let x = 0; x + w <= this.wide; x += 1) {
      const [above, below] = [y * row + x, (y + h) * row + x];
      if (this.sums[below + w] - this.sums[below] - this.sums[above + w] + this.sums[above])
        continue;
      const left = this.left + x * MARK_GRID + MARK_GAP / 2;
      const one = { ...box, left, top: this.top + y * MARK_GRID + MARK_GAP / 2 };
      const far = distance(one);
      if (far <= MARK_FAR) found.push({ ...one, far });
    }
    return found;
  }

  // How many cells with ink a line crosses.
  inkOn([from, to]) {
    const steps = Math.ceil(Math.hypot(to.left - from.left, to.top - from.top) / MARK_GRID);
    let count = 0;
    for (let i = 1; i < steps; i += 1) {
      const [x, y] = [["left", this.left], ["top", this.top]].map(([side, origin]) =>
        Math.floor((from[side] + ((to[side] - from[side]) * i) / steps - origin) / MARK_GRID));
      count += this.ink[y * this.wide + x] ?? 0;
    }
    return count;
  }

  // In the units of the picture.
  inPicture({ left, top, width = 0, height = 0 }) {
    const { x, y } = this.picture.viewBox.baseVal;
    const own = (one) => one / this.scale;
    return { x: own(left - this.corner.left) + x, y: own(top - this.corner.top) + y,
      width: own(width), height: own(height) };
  }
}

// Where those shapes are that have a colour; many are only there to be pressed.
function boxesIn(picture, kinds) {
  return [...picture.querySelectorAll(kinds)].filter((shape) => {
    const { fill, stroke } = getComputedStyle(shape);
    return [fill, stroke].some((one) => one !== "none" && one !== "rgba(0, 0, 0, 0)");
  }).map((shape) => shape.getBoundingClientRect());
}

// Whether a line has a part inside of a box.
function crosses([a, b], { left, right, top, bottom }) {
  let [from, to] = [0, 1];
  for (const [start, end, low, high] of [
    [a.left, b.left, left, right], [a.top, b.top, top, bottom],
  ]) {
    if (start === end && (start <= low || start >= high)) return false;
    if (start === end) continue;
    const [one, other] = [(low - start) / (end - start), (high - start) / (end - start)];
    [from, to] = [Math.max(from, Math.min(one, other)), Math.min(to, Math.max(one, other))];
  }
  return from < to;
}

// From a box to its item; to the side is nearer than above and below, where rows stand.
function distance({ left, top, width, height, target }) {
  const gap = (from, size, low, high) => Math.max(0, low - from - size, from - high);
  const [x, y] = [gap(left, width, target.left, target.right),
    gap(top, height, target.top, target.bottom)];
  return Math.hypot(x, 1.3 * y) + (x && y ? 20 : 0);
}

const MARK_SIZES = { note: [17, 340], mark: [13, 210] };

// A text in lines, and how much room it takes on the screen: beside its item wide, and less so;
// above the picture as wide as that.
function boxOf(one, scale, large, sheet) {
  const [type, most] = MARK_SIZES[one.mark ? "mark" : "note"].map((size) => size * large);
  const size = type / scale;
  const all = (textWidth(one.text) * type) / 12 + 4;
  const shape = (broadest) => {
    const room = Math.min(all, broadest);
    const [lines, last] = paragraph(one.text, 0, 0, room / scale, size / 12);
    return { lines, width: room + 2 * MARK_PAD,
      height: (last + 1.35 * size) * scale + 1.2 * MARK_PAD };
  };
  return { ...one, target: one.element?.getBoundingClientRect() ?? null, size,
    shapes: [shape(most), shape(0.65 * most)], ...shape(sheet.wide * MARK_GRID - 4 * MARK_PAD) };
}

// Boxes without a better place stand above the picture, one below the other.
function placeOnTop(boxes, sheet) {
  let tall = 0;
  for (const box of boxes) {
    box.left ??= sheet.left + 1;
    box.above = tall + 1;
    tall += box.height + MARK_GAP;
  }
  sheet.grown = tall / sheet.scale;
  for (const box of boxes) box.top = sheet.corner.top - tall + box.above;
}

function drawBox(box, sheet) {
  const { x, y, width, height } = sheet.inPicture(box);
  const { mark, text, element, size, lines } = box;
  for (const line of lines) {
    line.setAttribute("x", round1(x + MARK_PAD / sheet.scale));
    line.setAttribute("y", round1(Number(line.getAttribute("y")) + y + 1.35 * size));
  }
  const about = element ? `, at ${nameOfItem(element)}` : "";
  const press = mark ? { role: "button", tabindex: 0, onclick: box.edit } : { role: "img" };
  return svg("g", {
    class: `wol-mark-of ${mark ? "wol-annotation" : "wol-note-here"}`, ...press,
    "aria-label": `${mark ? "Annotation" : "Note"}: ${text}${about}`,
    style: `font-size: ${round1(size)}px`,
  },
  box.target ? pointer(box, sheet) : null,
  svg("rect", { x: round1(x), y: round1(y), width: round1(width), height: round1(height),
    rx: 4 / sheet.scale, class: "wol-mark-box" }),
  lines);
}

// Where the line from a box to its item begins and ends: at their nearest edges.
function endsOf({ left, top, width, height, target, aim = 0.5 }) {
  const clamp = (low, value, high) => Math.max(low, Math.min(value, high));
  const nearest = (from, size, low, high) => {
    const middle = clamp(from + 12, low + aim * (high - low), from + size - 12);
    return [middle, clamp(low + 6, middle, Math.max(low + 6, high - 6))];
  };
  const [x0, x1] = nearest(left, width, target.left, target.right);
  const [y0, y1] = nearest(top, height, target.top, target.bottom);
  const side = left > target.right ? 1 : left + width < target.left ? -1 : 0;
  const down = top > target.bottom ? 1 : -1;
  return side
    ? [{ left: side > 0 ? left : left + width, top: y0 },
      { left: side > 0 ? target.right + 2 : target.left - 2, top: y1 }]
    : [{ left: x0, top: down > 0 ? top : top + height },
      { left: x1, top: down > 0 ? target.bottom + 2 : target.top - 2 }];
}

// The line with a head, and a frame around the item.
function pointer(box, sheet) {
  const { target } = box;
  const [a, b, frame] = [...endsOf(box), {
    left: target.left - 2, top: target.top - 2, width: target.width + 4, height: target.height + 4,
  }].map((one) => sheet.inPicture(one));
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  const head = [2.6, -2.6].map((by) => [b.x + (9 / sheet.scale) * Math.cos(turn + by),
    b.y + (9 / sheet.scale) * Math.sin(turn + by)].map(round1).join(" "));
  const line = `M${round1(a.x)} ${round1(a.y)}L${round1(b.x)} ${round1(b.y)}`;
  return [
    svg("rect", { x: round1(frame.x), y: round1(frame.y), width: round1(frame.width),
      height: round1(frame.height), rx: 5 / sheet.scale, class: "wol-mark-frame" }),
    svg("path", { d: line, class: "wol-mark-line wol-mark-casing" }),
    svg("path", { d: line, class: "wol-mark-line" }),
    svg("path", { d: `M${round1(b.x)} ${round1(b.y)}L${head.join("L")}Z`, class: "wol-mark-head" }),
  ];
}
