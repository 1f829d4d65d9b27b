// The player's toolbar and its menu. They call the player; they know nothing of views.

import { LEVELS } from "./difference.js";
import { button, chooser, html, icon, labelled } from "./dom.js";
import { slidesOf } from "./film.js";
import { panelsOf } from "./panels.js";
import { VIEWS } from "./views.js";

const SIZES = [
  ["event", "by event"],
  ["expansion", "by expansion"],
  ["step", "by step"],
  ["sentence", "by sentence"],
];
const EVENT_SIZE = ["event", "by event"];
const CELL_SIZES = [
  ["event", "by event"],
  ["expansion", "by combination"],
  ["step", "by cell"],
  ["sentence", "by sentence"],
];
const UPDATE_SIZE = [["update", "by update"]];
const SPEEDS = [
  ["2000", "0.5 a second"],
  ["1000", "1 a second"],
  ["500", "2 a second"],
  ["250", "4 a second"],
];
const ROWS = [
  ["0", "what fits"],
  ["3", "the top 3"], ["6", "the top 6"], ["12", "the top 12"], ["24", "the top 24"],
  ["1000", "all, to 1,000"],
];
const THEMES = [
  ["auto", "theme of the page"],
  ["light", "light"],
  ["dark", "dark"],
];

// One line: where one is, what one looks at, and a menu for all else.
export function toolbar(player) {
  const controls = {
    first: button("First", icon("first"), () => player.go(0)),
    back: button("Back", icon("back"), () => player.step(-1)),
    play: button("Play", icon("play"), () => player.toggle()),
    forward: button("Forward", icon("forward"), () => player.step(1)),
    last: button("Last", icon("last"), () => player.go(player.clock.last)),
    size: chooser("Step size", sizesOf(player), player.size, (value) => (player.size = value)),
    place: html("output", { class: "wol-place", "aria-label": "Position" }),
    view: chooser(
      "View",
      [
        ...player.views.map((name) => [name, VIEWS[name].title]),
        ...(panelsOf(player.logs[0]).length > 1 && player.logs.length === 1
          ? [["together", "Together"]] : []),
      ],
      player.viewName,
      (value) => player.setView(value),
    ),
    quiz: button("Quiz", "quiz", () => player.toggleQuiz(), { "aria-pressed": "false" }),
    apart: button("First difference", "first difference", () => player.firstDifference()),
    jump: button("Jump to the next of this kind", "jump to", () => player.jump(1)),
    kind: kindChooser(player),
    present: button("Presentation mode", "present", () => player.present(), {
      "aria-pressed": "false",
    }),
  };
  const row = html(
    "div",
    { class: "wol-toolbar" },
    html("span", { class: "wol-group", role: "group", "aria-label": "Transport" },
      controls.first, controls.back, controls.play, controls.forward, controls.last,
      controls.size),
    html("span", { class: "wol-group wol-kinds", role: "group", "aria-label": "Jumps" },
      player.logs.length > 1 ? controls.apart : null, controls.jump, controls.kind),
    controls.place,
    html("span", { class: "wol-group wol-right", role: "group", "aria-label": "What to show" },
      controls.view, player.logs.length > 1 ? null : controls.quiz, controls.present),
    (controls.menu = menu(player)),
  );
  return { row, controls };
}

// In a lecture, which has a bar of its own: what steps stands in it, all else in the menu.
export function barPieces(player) {
  const { first, back, play, forward, last, place, view, size, quiz, present, menu } =
    player.controls;
  present.remove();
  menu.lastElementChild.prepend(line("look at", [view, quiz]),
    line("go", [first, last, size]));
  const steps = html("span", { class: "wol-group", role: "group", "aria-label": "Transport" },
    back, play, forward);
  return { steps: [steps, player.range, place], annotate: player.annotating.button, menu };
}

function sizesOf(player) {
  if (player.logs.every((log) => log.transduces)) return CELL_SIZES;
  if (player.logs.every((log) => log.spots))
    return player.logs[0].parses ? [EVENT_SIZE, ["step", "by cell"]]
      : [EVENT_SIZE, ["step", "by word"]];
  return learns(player) ? [...SIZES, ...UPDATE_SIZE] : SIZES;
}

// What is seldom needed, behind one button; Escape and a press elsewhere close it.
function menu(player) {
  const exports = ["SVG", "HTML", "CSV"].map((what) =>
    button(`Export ${what}`, what, () => player.exportAs(what)),
  );
  const panel = html(
    "div",
    { class: "wol-menu-panel" },
    line("jumps", jumps(player)),
    line("playing", labelled("speed", chooser("Speed", SPEEDS, player.speed, (value) =>
      player.setSpeed(value)))),
    line("picture", [
      labelled("show", chooser("Rows", ROWS, String(player.rows), (value) =>
        player.setRows(Number(value)))),
      chooser("Theme", THEMES, "auto", (value) => player.setTheme(value)),
      button("Fullscreen", "fullscreen", () => player.fullscreen()),
    ]),
    line("export", [
      ...exports,
      button("Slides", "slides", () => (player.host.slides ?? slidesOf)(player),
        { title: "Bookmarks, to print" }),
      button("Film", "film", () => player.film(), { title: "From here to the end, as WebM" }),
    ]),
    line("bookmarks", [...player.moments.controls(), player.annotating.button]),
  );
  const whole = html(
    "details",
    { class: "wol-menu" },
    html("summary", { "aria-label": "More", title: "More: speed, export, bookmarks" }, "⋯"),
    panel,
  );
  whole.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !whole.open) return;
    event.stopPropagation();
    whole.open = false;
    whole.firstElementChild.focus();
  });
  player.root.addEventListener("pointerdown", (event) => {
    if (!whole.contains(event.target)) whole.open = false;
  });
  return whole;
}

function line(name, controls) {
  return html("div", { class: "wol-row", role: "group", "aria-label": name },
    html("span", { class: "wol-menu-name" }, name), controls);
}

// What one can jump to: the kinds of events that there are.
function kindChooser(player) {
  const counts = {};
  for (const log of player.logs) {
    for (const [kind, count] of Object.entries(log.counts))
      counts[kind] = (counts[kind] ?? 0) + count;
  }
  const kinds = Object.keys(counts).map((kind) => [kind, kind]);
  player.kind =
    ["edge_update", "update", "step", "popped", "cell"].find((kind) => counts[kind]) ?? kinds[0][0];
  return chooser("Kind of event", kinds, player.kind, (value) => (player.kind = value));
}

function jumps(player) {
  const levels = player.logs.length > 1 ? levelsOf(player) : LEVELS;
  player.level = levels[0][0];
  return [
    button("Previous of this kind", "◁ previous", () => player.jump(-1)),
    player.logs.length > 1
      ? labelled("difference", chooser("Level of the difference", levels, player.level,
        (value) => (player.level = value)))
      : null,
  ];
}

// What is kept, and who wins, can be compared where both logs search in the same way.
function levelsOf(player) {
  const [a, b] = player.logs;
  const alike = ["bestFirst", "ccg", "leftToRight"].every((way) => a[way] === b[way]);
  const same = alike && a.orders && b.orders;
  return same ? LEVELS : LEVELS.filter(([name]) => name === "all");
}

function learns(player) {
  return player.logs.some((log) => log.counts.update || log.counts.edge_update);
}
