// Making elements. Text goes in as text nodes only, so that no word of a user ever becomes HTML,
// and no word of another script turns what stands beside it.

import { isolated } from "./bidi.js";

const SAID = ["title", "aria-label", "placeholder"];

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, SAID.includes(name) ? isolated(String(value)) : value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : isolated(String(child)));
  }
  return element;
}

// Change the text of an element, as it is made.
export function setText(element, text) {
  element.textContent = isolated(text);
}

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// A text that was cut says the whole of it to who points at it, and to screen readers; where it is
// part of a button or an image, that has it as its description, unless its name says the same.
export function svg(tag, attributes = {}, ...children) {
  const space = "http://www.w3.org/2000/svg";
  const element = fill(document.createElementNS(space, tag), attributes, children);
  const shown = tag === "text" ? children.flat().find((child) => CUT.has(child)) : undefined;
  const { whole, ...how } = CUT.get(shown) ?? {};
  if (whole) {
    if (how.width) element.cut = { whole, shown, ...how };
    sayWhole(element, whole);
  }
  const { role, "aria-label": name } = attributes;
  if (tag === "g" && name && (role === "button" || role === "img")) {
    const more = unsaid(element, name);
    if (more.length) element.setAttribute("aria-description", more.join(" · "));
  }
  return element;
}

export function sayWhole(element, whole) {
  const title = document.createElementNS(element.namespaceURI, "title");
  element.append(fill(title, {}, [whole]));
  return fill(element, { role: "img", "aria-label": whole }, []);
}

// The cut texts inside, in whole, of which not every word is said already.
export function unsaid(element, said) {
  return [...element.querySelectorAll("text > title")].map((title) => title.textContent)
    .filter((text) => text.split(/[^\p{L}\p{N}-]+/u).some((word) => !said.includes(word)));
}

// A button is a real one; its name is what a screen reader says and what the mouse shows. A word
// that is seen is said, too: who speaks to the browser says what is seen.
export function button(name, shown, press, more = {}) {
  const word = (typeof shown === "string" ? shown : "").replace(/[^\p{L}\p{N} |-]/gu, "").trim();
  const said = name.toLowerCase().includes(word.toLowerCase()) ? name : `${name}: ${word}`;
  return html(
    "button",
    { type: "button", "aria-label": said, title: name, onclick: press, ...more },
    shown,
  );
}

export function labelled(text, control) {
  return html("label", { class: "wol-label" }, html("span", {}, text), control);
}

export function chooser(name, choices, chosen, change) {
  const options = choices.map(([value, shown]) =>
    html("option", { value, selected: value === chosen }, shown),
  );
  return html(
    "select",
    { "aria-label": name, title: name, onchange: (event) => change(event.target.value) },
    options,
  );
}

// Signs for buttons are drawn, since not every machine's fonts have them.
const SIGNS = {
  first: "M3 3v10M13 3l-7 5l7 5z",
  back: "M12 3l-8 5l8 5z",
  play: "M4 2l10 6l-10 6z",
  pause: "M5 3v10M11 3v10",
  forward: "M4 3l8 5l-8 5z",
  last: "M13 3v10M3 3l7 5l-7 5z",
};

export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "wol-sign", "aria-hidden": "true" },
    svg("path", { d: SIGNS[name] }),
  );
}

const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
const WIDTHS = new Map();
const CUT = new Map(); // a text that was cut -> the whole of it, and to what width it was cut

// The width of a text in pixels at font size 12; measured once, since that is slow.
export function textWidth(text, bold = false) {
  const key = (bold ? "b" : "n") + text;
  if (!WIDTHS.has(key)) {
    textWidth.context ??= document.createElement("canvas").getContext("2d");
    textWidth.context.font = `${bold ? 700 : 400} 12px ${FONT}`;
    if (WIDTHS.size > 50000) WIDTHS.clear();
    WIDTHS.set(key, textWidth.context.measureText(text).width);
  }
  return WIDTHS.get(key);
}

// Shorten a text to a width. From the left a stack is cut, whose top (on the right) matters most.
// In the middle: both ends stay, of the right one more.
export function clip(text, width, { bold = false, left = false, middle = false } = {}) {
  if (textWidth(text, bold) <= width) return text;
  if (middle) {
    const both = clip(text, 0.35 * width, { bold }) +
      clip(text, 0.65 * width, { bold, left: true }).slice(1);
    return cutTo(both, { whole: text, width, bold });
  }
  const letters = Array.from(text);
  let [low, high] = [0, letters.length];
  const cut = (n) =>
    left ? "…" + letters.slice(letters.length - n).join("") : letters.slice(0, n).join("") + "…";
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(cut(middle), bold) <= width) low = middle;
    else high = middle - 1;
  }
  return cutTo(cut(low), { whole: text, width, bold });
}

// A text that stands for more is drawn with the whole of it.
function cutTo(shown, whole) {
  if (CUT.size > 5000) CUT.clear();
  CUT.set(shown, whole);
  return shown;
}
