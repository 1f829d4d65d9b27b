// Beside a picture that is larger than its place: all of it, drawn small, with a frame around what
// is in sight. A press or a drag goes there. Keys scroll the place itself.

import { svg } from "./dom.js";

const OVERVIEW_WIDE = 24;
const OVERVIEW_LEAST = 600; // a place that is narrower needs all its width
const LIT = ".wol-chosen, .wol-gold, .wol-on-path, .wol-here-now";

// How much of a stage's width is kept free.
export function besides(stage) {
  return stage.clientWidth < OVERVIEW_LEAST ? 0 : OVERVIEW_WIDE;
}

export class Overview {
  // `settle` is called when the place was scrolled, or has another size.
  constructor(stage, settle) {
    this.stage = stage;
    this.shapes = ["wol-block", "wol-block wol-lit-block", "wol-sight"].map((name) =>
      svg("path", { class: name }));
    this.element = svg("svg", {
      class: "wol-overview", width: OVERVIEW_WIDE - 4, preserveAspectRatio: "none",
      "aria-hidden": "true",
      onpointerdown: (event) => {
        event.preventDefault();
        this.element.setPointerCapture(event.pointerId);
        this.go(event);
      },
      onpointermove: (event) => event.buttons && this.go(event),
    }, this.shapes);
    stage.addEventListener("scroll", () => {
      this.frame();
      settle();
    });
    this.sizes = new ResizeObserver(() => {
      this.draw();
      settle();
    });
    this.sizes.observe(stage);
  }

  // Blocks for all rectangles, the lit ones in colour; nothing where all is in sight.
  draw() {
    const { stage } = this;
    const [tall, wide] = [stage.scrollHeight, stage.scrollWidth];
    const over = tall > stage.clientHeight + 4 || wide > stage.clientWidth + 4;
    this.element.style.display = over && besides(stage) ? "" : "none";
    if (over) stage.tabIndex = 0;
    else stage.removeAttribute("tabindex");
    if (!over || !besides(stage)) return;
    const from = stage.getBoundingClientRect();
    const drawn = ["", ""];
    for (const one of stage.querySelectorAll("svg[viewBox] rect")) {
      const box = one.getBoundingClientRect();
      const [x, y] = [box.x - from.x + stage.scrollLeft, box.y - from.y + stage.scrollTop];
      drawn[one.parentElement.matches(LIT) ? 1 : 0] += outline(x, y, box.width, box.height);
    }
    drawn.forEach((d, i) => this.shapes[i].setAttribute("d", d));
    const { style } = this.element;
    style.left = `${stage.offsetLeft + stage.clientWidth - OVERVIEW_WIDE + 2}px`;
    style.top = `${stage.offsetTop}px`;
    this.element.setAttribute("height", stage.clientHeight);
    this.element.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    this.frame();
  }

  frame() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.stage;
    this.shapes[2].setAttribute("d", outline(scrollLeft, scrollTop, clientWidth, clientHeight));
  }

  go({ clientX, clientY }) {
    const { stage } = this;
    const { left, top, width, height } = this.element.getBoundingClientRect();
    stage.scrollTop = ((clientY - top) / height) * stage.scrollHeight - stage.clientHeight / 2;
    stage.scrollLeft = ((clientX - left) / width) * stage.scrollWidth - stage.clientWidth / 2;
  }
}

function outline(x, y, width, height) {
  return `M${Math.round(x)} ${Math.round(y)}h${Math.round(width)}v${Math.round(height)}` +
    `h${-Math.round(width)}z`;
}
