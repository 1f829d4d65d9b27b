// Pieces of pictures that several views are made of.

import { clip, svg, textWidth } from "./dom.js";

export function round1(value) {
  return Math.round(value * 10) / 10;
}

function frameOf(width, height, scale, said, { look = "", ...more }) {
  return {
    viewBox: `0 0 ${width} ${height}`, width, height, class: `wol-picture ${look}`.trim(),
    role: "group", "aria-label": said, style: `font-size: ${12 * scale}px`, ...more,
  };
}

// A picture so wide and so high, of a type of 12 pixels; what is said of it as a whole.
export function pictureOf(width, height, scale, said, pieces, more = {}) {
  return svg("svg", frameOf(width, height, scale, said, more), ...[pieces].flat());
}

// The same, but what has stayed is not laid out again: the picture keeps its place in the page, and
// in it every piece that was there before. `keptPiece` tells which have stayed.
export function settledPicture(room, width, height, scale, said, pieces, more = {}) {
  const picture = (room.kept.picture ??= svg("svg"));
  const frame = frameOf(width, height, scale, said, more);
  for (const [name, value] of Object.entries(frame)) setIfNew(picture, name, String(value));
  return settlePieces(picture, pieces);
}

export function settlePieces(around, pieces) {
  const there = new Set(pieces);
  for (const one of [...around.children]) if (!there.has(one)) one.remove();
  pieces.forEach((one, i) =>
    around.children[i] !== one && around.insertBefore(one, around.children[i] ?? null));
  return around;
}

export function setIfNew(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const PIECES_KEPT = 8; // of one name

// A piece of a picture as it was drawn before, if one of those that were drawn last has this key.
export function keptPiece({ kept }, name, key, draw) {
  const pieces = ((kept.pieces ??= {})[name] ??= new Map());
  const whole = JSON.stringify(key);
  if (!pieces.has(whole)) {
    if (pieces.size > PIECES_KEPT) pieces.clear();
    pieces.set(whole, draw());
  }
  return pieces.get(whole);
}

// What can be chosen in a picture, by a press and by keys; the Tab key comes to what is `focused`.
export function choosable(looks, { serial, said, chosen, focused = chosen, press }, ...pieces) {
  return svg("g", {
    class: looks.filter(Boolean).join(" "), role: "button", tabindex: focused ? 0 : -1,
    "data-serial": serial, "aria-label": said, "aria-pressed": String(chosen),
    ...(press ? { onclick: press } : {}),
  }, ...[pieces].flat());
}

// A text on at most three lines, of which the first has less room.
export function wrapped(text, first, room, most = 3) {
  const lines = [];
  let words = text.split(" ");
  while (words.length && lines.length < most - 1) {
    const width = lines.length ? room : first;
    let fitting = 0;
    while (fitting < words.length && textWidth(words.slice(0, fitting + 1).join(" ")) <= width)
      fitting += 1;
    if (!fitting && lines.length) fitting = 1; // too long for any line: cut
    lines.push(fitting ? clip(words.slice(0, fitting).join(" "), width) : "");
    words = words.slice(fitting);
  }
  return words.length ? [...lines, clip(words.join(" "), room)] : lines;
}

const BOLD = ["wol-head", "wol-cost", "wol-title"];

// A text on as many lines as it needs; its last baseline comes back. Widths are added up word by
// word: words come again, and measuring is slow.
export function paragraph(text, x, y, width, scale, more = {}) {
  const bold = BOLD.includes(more.class);
  const [room, space] = [
    width / scale / (more.class === "wol-head" ? 1.05 : 1),
    textWidth(" ", bold),
  ];
  const lines = [];
  let left = -1;
  for (const word of text.split(" ")) {
    const wide = textWidth(word, bold) + space;
    if (wide <= left) lines.push(`${lines.pop()} ${word}`);
    else {
      lines.push(clip(word, room, { bold }));
      left = room + space;
    }
    left -= wide;
  }
  return [
    lines.map((line, i) => svg("text", { x, y: y + i * 16 * scale, ...more }, line)),
    y + (lines.length - 1) * 16 * scale,
  ];
}

// A picture's title in one line: its type is a little larger than that of other texts.
export function headline(text, x, y, width) {
  return svg("text", { x, y, class: "wol-head" }, clip(text, width / 1.05, { bold: true }));
}

const GO_ON = "Nothing has happened yet: press the button with one triangle, or the right arrow " +
  "key.";

// Before anything has happened: how to go on; or why there is no picture.
export function nothingYet(width, scale, text = GO_ON) {
  const lines = wrapped(text, width / scale / 1.1, width / scale / 1.1);
  const height = 12 + 16 * lines.length;
  return svg("svg", {
    viewBox: `0 0 ${width / scale} ${height}`, width, height: height * scale,
    class: "wol-picture", role: "img", "aria-label": text, style: "font-size: 13px",
  }, lines.map((line, i) => svg("text", { x: 4, y: 18 + 16 * i, class: "wol-quiet" }, line)));
}

// A title, and an element with its height below it.
export function titled(title, [element, height], scale) {
  element.setAttribute("transform", `translate(0 ${22 * scale})`);
  return [
    svg("g", {}, svg("text", { x: 2, y: 14 * scale, class: "wol-title" }, title), element),
    height + 22 * scale,
  ];
}

// Sentences, each on as many lines as it takes.
export function drawSentences(sentences, width, scale) {
  const lines = sentences.flatMap((text) =>
    wrapped(text, (width - 4) / scale, (width - 4) / scale, 4),
  );
  return [
    svg(
      "g",
      {},
      lines.map((line, i) => svg("text", { x: 2, y: (14 + 17 * i) * scale }, line)),
    ),
    (17 * lines.length + 8) * scale,
  ];
}

// Elements with their heights, one below the other.
export function stackBlocks(drawn, gap) {
  let y = 0;
  const placed = drawn.filter(([element]) => element).map(([element, height]) => {
    const one = svg("g", { transform: `translate(0 ${round1(y)})` }, element);
    y += height + gap;
    return one;
  });
  return [svg("g", {}, placed), y];
}

// Elements with their heights, one beside the other at these places.
export function sideBySide(drawn, places) {
  const moved = drawn.map(
    ([element], i) =>
      element && svg("g", { transform: `translate(${round1(places[i])} 0)` }, element),
  );
  return [svg("g", {}, moved), Math.max(...drawn.map(([, height]) => height))];
}

// Buttons in lines of this width, each {serial, words, label, chosen, press}: the element, how wide
// it is, and how high.
export function pressButtons(buttons, width, scale) {
  let [x, y, wide] = [0, 0, 0];
  const drawn = buttons.map(({ serial, words, label = words, chosen, press }) => {
    const own = (textWidth(words, true) + 18) * scale;
    if (x && x + own > width) [x, y] = [0, y + 26 * scale];
    const one = svg("g", {
      class: `wol-press wol-order${chosen ? " wol-chosen" : ""}`, role: "button", tabindex: 0,
      "data-serial": serial, "aria-label": label, onclick: press,
      "aria-pressed": chosen === undefined ? null : String(chosen),
    },
    svg("rect", { x, y, width: own, height: 21 * scale, rx: 5 }),
    svg("text", { x: x + own / 2, y: y + 15 * scale, "text-anchor": "middle" }, words));
    wide = Math.max(wide, x + own);
    x += own + 8 * scale;
    return one;
  });
  return [svg("g", {}, drawn), wide, y + 21 * scale];
}

// A derivation that is too wide is folded; this opens all of it, and then the picture can be
// scrolled.
export function unfoldButton({ room, scale }, x) {
  const words = room.kept.unfolded ? "fold phrases" : "open all phrases";
  const press = (event) => {
    event.stopPropagation(); // it is no edge
    room.kept.unfolded = !room.kept.unfolded;
    room.redraw();
  };
  const [drawn] = pressButtons([{ serial: "unfold", words, press }], Infinity, scale);
  return svg("g", { transform: `translate(${round1(x)} 0)` }, drawn);
}

// The number of a variable in a circle of its colour.
export function chipOf(chip, x, y, scale) {
  return svg("g", { class: `wol-chip-of wol-variable-${1 + ((chip - 1) % 5)}` },
    svg("circle", { cx: round1(x), cy: round1(y), r: 7 * scale }),
    svg("text", { x: round1(x), y: round1(y + 4 * scale), "text-anchor": "middle" }, chip));
}

// Round numbers from below one end to above the other, so that an axis can be read.
export function roundTicks(low, high) {
  if (!(high > low)) return [low];
  const size = 10 ** Math.floor(Math.log10((high - low) / 2));
  const step = [1, 2, 5, 10].map((times) => times * size).find((one) => (high - low) / one <= 4);
  const exact = (value) => Number(value.toPrecision(9));
  const [first, last] = [Math.floor(exact(low / step)), Math.ceil(exact(high / step))];
  return Array.from({ length: last - first + 1 }, (_, i) => exact((first + i) * step));
}
