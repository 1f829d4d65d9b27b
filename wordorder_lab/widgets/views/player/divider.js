// The divider between pseudo-code and picture: it can be dragged, or moved with the arrow keys.

import { html } from "./dom.js";

const DRAGGED = 24;

export function divider(body) {
  const beside = () => getComputedStyle(body).flexDirection === "row";
  const size = () => {
    const { width, height } = body.firstElementChild.getBoundingClientRect();
    return beside() ? width : height;
  };
  const resize = (to) => {
    const room = body.getBoundingClientRect();
    const most = (beside() ? room.width : room.height) * 0.7;
    body.style.setProperty("--wol-program", `${Math.max(0, Math.min(most, to))}px`);
    say();
  };
  const say = () => {
    const { width, height } = body.getBoundingClientRect();
    const share = size() / (beside() ? width : height);
    bar.setAttribute("aria-valuenow", Math.round(100 * share) || 0); // per cent of the room
  };
  const bar = html("div", {
    class: "wol-divider", role: "separator", tabindex: 0,
    "aria-label": "Divider between pseudo-code and picture", "aria-valuenow": 0, title: "Drag to resize",
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
