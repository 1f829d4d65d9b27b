// The player's buttons, choosers and timeline. They call the player; they know nothing of views.

import { button, chooser, html, icon, labelled, svg } from "./dom.js";
import { VIEWS } from "./views.js";

const SIZES = [
  ["event", "one event"],
  ["expansion", "one expansion"],
  ["step", "one step"],
  ["sentence", "one sentence"],
];
const CELL_SIZES = [
  ["event", "one event"],
  ["expansion", "one combination"],
  ["step", "one cell"],
  ["sentence", "one sentence"],
];
const UPDATE_SIZE = [["update", "one update"]];
const SPEEDS = [
  ["1200", "slow"],
  ["500", "normal"],
  ["150", "fast"],
];
const ROWS = [
  ["3", "the top 3"], ["6", "the top 6"], ["12", "the top 12"], ["24", "the top 24"],
  ["1000", "all, to 1,000"],
];
const THEMES = [
  ["auto", "theme of the page"],
  ["light", "light"],
  ["dark", "dark"],
];

export function transport(player) {
  const controls = {
    first: button("First", icon("first"), () => player.go(0)),
    back: button("Back", icon("back"), () => player.step(-1)),
    play: button("Play", icon("play"), () => player.toggle()),
    forward: button("Forward", icon("forward"), () => player.step(1)),
    last: button("Last", icon("last"), () => player.go(player.clock.last)),
    size: chooser("Step size", sizesOf(player), player.size, (value) => (player.size = value)),
    speed: chooser("Speed", SPEEDS, player.speed, (value) => player.setSpeed(value)),
    place: html("output", { class: "wol-place", "aria-label": "Position" }),
  };
  const row = html("div", { class: "wol-row", role: "group", "aria-label": "Transport" },
    controls.first, controls.back, controls.play, controls.forward, controls.last,
    labelled("by", controls.size), labelled("speed", controls.speed), controls.place);
  return { row, controls };
}

function sizesOf(player) {
  if (player.logs.every((log) => log.transduces)) return CELL_SIZES;
  return learns(player) ? [...SIZES, ...UPDATE_SIZE] : SIZES;
}

export function jumps(player) {
  const counts = {};
  for (const log of player.logs) {
    for (const [kind, count] of Object.entries(log.counts))
      counts[kind] = (counts[kind] ?? 0) + count;
  }
  const kinds = Object.keys(counts).map((kind) => [
    kind,
    `${kind} (${counts[kind].toLocaleString("en")})`,
  ]);
  player.kind =
    ["edge_update", "update", "step", "popped", "cell"].find((kind) => counts[kind]) ?? kinds[0][0];
  return html(
    "div",
    { class: "wol-row", role: "group", "aria-label": "Jump" },
    labelled(
      "jump to",
      chooser("Kind of event", kinds, player.kind, (value) => (player.kind = value)),
    ),
    button("Previous of this kind", "◁ previous", () => player.jump(-1)),
    button("Next of this kind", "next ▷", () => player.jump(1)),
    player.logs.length > 1
      ? button("First difference", "first difference", () => player.firstDifference())
      : null,
    legend(player),
  );
}

export function settings(player) {
  const views = player.views.map((name) => [name, VIEWS[name].title]);
  const quiz = button("Quiz", "quiz", () => player.toggleQuiz(), { "aria-pressed": "false" });
  const projector = button("Projector mode", "projector", () => player.toggleProjector(), {
    "aria-pressed": "false",
  });
  const exports = ["SVG", "HTML", "CSV"].map((what) =>
    button(`Export ${what}`, what, () => player.exportAs(what)),
  );
  const row = html(
    "div",
    { class: "wol-row", role: "group", "aria-label": "What to show" },
    labelled(
      "view",
      chooser("View", views, player.viewName, (value) => player.setView(value)),
    ),
    labelled(
      "show",
      chooser("Rows", ROWS, String(player.rows), (value) => player.setRows(Number(value))),
    ),
    quiz,
    projector,
    labelled(
      "theme",
      chooser("Theme", THEMES, "auto", (value) => player.setTheme(value)),
    ),
    labelled("export", html("span", {}, exports)),
  );
  return { row, quiz, projector };
}

// The range is a real one: it scrubs, and arrow keys on it step as they do everywhere.
export function timeline(player) {
  const range = html("input", {
    type: "range", min: 0, max: player.clock.last, step: 1, value: 0, "aria-label": "Timeline",
    oninput: (event) => player.go(Number(event.target.value)),
  });
  return { row: html("div", { class: "wol-timeline" }, markers(player), range), range };
}

const MARKED = {
  begin: { shape: "M0 0v14", says: "a search begins" },
  fallen: { shape: "M-3 4l6 6m0 -6l-6 6", says: "gold is cut" },
  goal: { shape: "M0 2l2 4l4 0l-3 3l1 4l-4 -2l-4 2l1 -4l-3 -3l4 0z", says: "a goal is popped" },
  update: { shape: "M-4 11h8l-4 -8z", says: "update" },
  finished: { shape: "M0 7m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", says: "a search ends" },
};

const MARKED_AS = { edge_update: "update", solved: "update", compressed: "finished" };

// Where the important events are: a mark a pixel at most, however long the log.
function markers(player) {
  const width = 1000;
  const marks = new Map();
  player.logs.forEach((log, which) => log.kinds.forEach((kind, i) => {
    const name = log.falls[i] ? "fallen" : MARKED_AS[kind] ?? kind;
    if (!MARKED[name]) return;
    const x = Math.round((player.clock.tickOf(i + 1, which) / player.clock.last) * width);
    marks.set(`${name} ${x}`, { name, x });
  }));
  const drawn = [...marks.values()].map(({ name, x }) =>
    svg(
      "svg",
      { x: `${x / 10}%`, overflow: "visible" },
      svg("path", { d: MARKED[name].shape, class: `wol-mark wol-mark-${name}` }),
    ),
  );
  return svg(
    "svg",
    { class: "wol-markers", height: 15, width: "100%", "aria-hidden": "true" },
    drawn,
  );
}

function legend(player) {
  const there = {
    begin: player.logs.some((log) => log.counts.begin > 1),
    finished: player.logs.some((log) => log.counts.finished || log.counts.compressed),
    fallen: player.logs.some((log) => log.falls.includes(true)),
    goal: player.logs.some((log) => log.counts.goal),
    update: learns(player) || player.logs.some((log) => log.counts.solved),
  };
  return html(
    "span",
    { class: "wol-legend" },
    Object.keys(MARKED)
      .filter((name) => there[name])
      .map((name) => [
        svg(
          "svg",
          { width: 12, height: 14, viewBox: "-6 0 12 14", "aria-hidden": "true" },
          svg("path", { d: MARKED[name].shape, class: `wol-mark wol-mark-${name}` }),
        ),
        MARKED[name].says,
      ])
      .flat(),
  );
}

function learns(player) {
  return player.logs.some((log) => log.counts.update || log.counts.edge_update);
}
