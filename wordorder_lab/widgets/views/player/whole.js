// What was cut, in whole: shown to who comes to it by keyboard, as the mouse shows titles.

import { html, unsaid } from "./dom.js";

// Cut texts that no button speaks for, alone or in an image.
const LOOSE = ":is(text[aria-label]:not([role=img] *), g[role=img]:has(text > title))" +
  ":not([role=button] *, [aria-hidden] *)";

export class Whole {
  constructor(root) {
    this.root = root;
    this.element = html("p", { class: "wol-whole", hidden: true, "aria-hidden": "true" });
    for (const kind of ["focusin", "focusout"])
      root.addEventListener(kind, ({ type, target }) => this.show(type === "focusin" && target));
  }

  // After a drawing: arrow keys come to loose texts as they come to cards, and where a picture has
  // nothing to press, the Tab key comes to the first of them.
  settle() {
    for (const picture of this.element.parentElement.querySelectorAll("svg[viewBox]")) {
      const loose = [...picture.querySelectorAll(LOOSE)];
      for (const one of loose) if (!one.hasAttribute("tabindex")) one.setAttribute("tabindex", -1);
      if (loose.length && !picture.querySelector('[tabindex="0"]'))
        loose[0].setAttribute("tabindex", 0);
    }
    this.show(document.activeElement);
  }

  show(one) {
    const seen = one && this.element.parentElement.contains(one) && one.closest("svg")
      && one.matches(":focus-visible");
    const text = seen ? wholeOf(one) : "";
    this.element.hidden = !text;
    this.element.textContent = text;
    if (!text) return;
    const [here, around] = [one, this.element.parentElement].map((it) =>
      it.getBoundingClientRect());
    const low = here.top + here.bottom > around.top + around.bottom;
    this.element.classList.toggle("wol-above", low);
  }
}

function wholeOf(one) {
  const own = one.querySelector(":scope > title")?.textContent ?? "";
  return [own, ...unsaid(one, own)].filter(Boolean).join(" · ");
}

// What the arrow keys go through in a picture.
export function stopsIn(picture) {
  return [...picture.querySelectorAll(`[data-serial], ${LOOSE}`)];
}
