// The divider between pseudo-code and picture: it can be dragged, or moved with the arrow keys.

import { html } from "./dom.js";

const DRAGGED = 24;

export function divider(body) {
  const beside = () => getComputedStyle(body).flexDirection === "row";
  const extent = (box) => box.getBoundingClientRect()[beside() ? "width" : "height"];
  const size = () => extent(body.firstElementChild);
  const say = () => {
    bar.ariaValueNow = Math.round((100 * size()) / extent(body)) || 0; // per cent of the room
  };
  const resize = (to) => {
    const width = Math.max(0, Math.min(0.7 * extent(body), to));
    body.style.setProperty("--wol-program", `${width}px`);
    say();
  };
  const bar = html("div", {
    class: "wol-divider", role: "separator", tabindex: 0, "aria-valuenow": 0,
    "aria-label": "Divider between pseudo-code and picture", title: "Drag to resize",
    onkeydown: (event) => {
      const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      resize(size() + way * DRAGGED);
    },
    onpointerdown: (event) => {
      event.preventDefault();
      const from = { at: beside() ? event.clientX : event.clientY, size: size() };
      bar.setPointerCapture(event.pointerId);
      bar.onpointermove = (move) =>
        resize(from.size + (beside() ? move.clientX : move.clientY) - from.at);
    },
    onpointerup: () => (bar.onpointermove = null),
  });
  new ResizeObserver(say).observe(body);
  return bar;
}
