// "Why this score?": a panel over the picture with what adds up to the score of the item that was
// chosen, beside that of its rival. It is there where the page brings reasons, nowhere else.

import { beamStart } from "../beam/beam.js";
import { deletionStart } from "../deletion/deletion.js";
import { parsingStart } from "../parsing/parsing.js";
import { drawBars } from "../parts/bars.js";
import { foldRows } from "../parts/compared.js";
import { button, chooser, html, svg } from "../player/dom.js";
import { capital, plural, tellApart } from "../player/words.js";
import { searchStart } from "../search/search.js";
import { featureBriefly } from "../updates/features.js";
import { constituentReasons } from "./constituents.js";
import { decidingQuestion } from "./deciding.js";
import { edgeReasons } from "./edges.js";
import { reasonsIn } from "./reasons.js";
import { beamReasons } from "./states.js";
import { wayReasons } from "./ways.js";

// By the fold of a view: what its items are called, and whose scores theirs are laid beside.
const ITEMS = new Map([
  [beamStart, beamReasons], [searchStart, edgeReasons], [deletionStart, wayReasons],
  [parsingStart, constituentReasons],
]);

const WHY_SHOWN = 6;
const WHY_LEAST = 3;
const FEW_ALIKE = 2;
const WHY_WIDTH = 560;

export class Why {
  constructor(player) {
    this.player = player;
    this.key = "";
    for (const log of player.logs) {
      log.deciding = (search, asked) =>
        decidingQuestion({ reasons: reasonsIn(log, search), ...asked });
    }
    this.element = html("section", {
      class: "wol-why", "aria-label": "Why this score?", hidden: true,
    });
  }

  // An item of log number `which` was chosen: what is shown begins anew.
  open(which) {
    Object.assign(this, { which, rival: null, all: false, closed: false, given: null });
  }

  // For a view without items to choose: of an item what shows its reasons, or null.
  asker(which, search) {
    return (serial, rivals, name) => {
      const reasons = reasonsIn(this.player.logs[which], search);
      return reasons?.has(serial) ? () => {
        this.open(which);
        const { tick, viewName } = this.player;
        this.redraw({ given: { reasons, serial, rivals, name, tick, viewName } });
      } : null;
    };
  }

  // For a view that shows without a press what sets two items of a search apart: rows of bars, or
  // null where nothing is told.
  apart(which, search) {
    return (serial, rival, most) => {
      const reasons = reasonsIn(this.player.logs[which], search);
      if (!reasons?.has(serial) || !reasons.has(rival)) return null;
      const { differ, alike, wholes, scores } = reasons.compare(serial, rival);
      const rows = foldRows([...barsOf(differ), ...barsOf(alike), ...wholes],
        Math.min(most, differ.length), (count) => plural(count, "more part"));
      return [...rows, { name: "score: the sum", values: scores, sum: true, plain: true }];
    };
  }

  // Two items that a question was about.
  beside(start, state, [serial, rival]) {
    const items = ITEMS.get(start);
    const name = (one) => items.name(state, one);
    this.asker(0, state.search)(serial, [[rival, "asked about, too"]], name)?.();
  }

  // Whether it was open.
  close() {
    const { hidden } = this.element;
    this.closed = true;
    this.draw();
    return !hidden;
  }

  // What is asked: the chosen item, with the view that knows its name; null if nothing is told.
  asked() {
    const { player, which, given } = this;
    if (given) {
      const here = given.tick === player.tick && given.viewName === player.viewName;
      return here && !this.closed ? withRivals(given) : null;
    }
    const chosen = which === undefined || this.closed ? null : player.selected[which];
    if (!chosen || player.quiz.masks(player.clock.at(player.tick)[which])) return null;
    const views = player.showsTogether ? player.panels.shown.map(({ view }) => view)
      : [player.viewOf(which)];
    const view = views.find(({ start }) => start === chosen.start);
    const items = ITEMS.get(chosen.start);
    if (!view || !items) return null;
    const state = player.stateIn(which, view);
    const reasons = state.search === chosen.search
      ? reasonsIn(player.logs[which], chosen.search) : null;
    if (!reasons) return null;
    const serial = items.item ? items.item(state, chosen.serial) : chosen.serial;
    if (!reasons.has(serial)) return null;
    const name = (one) => items.name(state, one);
    return withRivals({ reasons, serial, rivals: items.rivals(state, chosen.serial), name });
  }

  draw() {
    const asked = this.asked();
    this.element.hidden = !asked;
    if (!asked) return;
    const { serial, rivals } = asked;
    const rival = rivals.find(([one]) => one === this.rival)?.[0] ?? rivals[0]?.[0] ?? null;
    const scale = this.player.presents ? 1.4 : 1;
    const width = Math.min(WHY_WIDTH * scale, (this.player.width || 900) - 40);
    const key = JSON.stringify([this.which, serial, rivals, rival, this.all, width, scale]);
    if (key === this.key) return;
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.getAttribute("aria-label") : null;
    this.key = key;
    this.element.style.width = `${width + 24}px`;
    this.element.classList.toggle("wol-why-left", this.isRight());
    // As many features as fit, so that the sum is in sight.
    for (let most = this.all ? Infinity : WHY_SHOWN; ; most -= 1) {
      this.element.replaceChildren(...this.content(asked, rival, width, scale, most));
      if (most <= WHY_LEAST || !this.isCut()) break;
    }
    if (focused) [...this.element.querySelectorAll("button, select")]
      .find((one) => one.getAttribute("aria-label") === focused)?.focus();
  }

  // Whether the chosen item stands in the right half: then the panel stands on the left.
  isRight() {
    const card = this.card();
    if (!card) return false;
    const [box, whole] = [card, this.element.parentElement].map((one) =>
      one.getBoundingClientRect());
    return box.left + box.width / 2 > whole.left + whole.width / 2;
  }

  // Whether not all of it is seen; all features may be scrolled.
  isCut() {
    const { element } = this;
    return !this.all && (element.scrollHeight > element.clientHeight + 1
      || element.getBoundingClientRect().bottom > window.innerHeight);
  }

  content({ reasons, serial, rivals, name }, rival, width, scale, most) {
    const found = reasons.compare(serial, rival);
    const scores = rival === null ? found.scores.map((one) => tellApart(one, one)[0])
      : tellApart(...found.scores);
    const beside = rivals.length ? chooser("Beside whose score",
      rivals.map(([one, says]) => [String(one), `${says}: ${name(one)}`]), String(rival),
      (value) => this.redraw({ rival: Number(value) })) : null;
    const rows = this.rows(found, reasons, name, rival, most);
    const [bars, height] = drawBars(rows, width, scale, `What ${name(serial)} is made of`);
    const more = found.differ.length > most || this.all
      ? button(this.all ? "Show the largest only" : "Show all features",
        this.all ? "the largest only" : `all ${found.differ.length}`,
        () => this.redraw({ all: !this.all })) : null;
    const sample = (kind) => svg("svg", { width: 12, height: 12, "aria-hidden": "true" },
      svg("rect", { x: 1, y: 1, width: 10, height: 10, class: `wol-bar ${kind}` }));
    return [
      html("header", {},
        html("h3", {}, `Why ${scores[0]}?`), more,
        button("Close the reasons", "×", () => this.shut())),
      html("p", {}, sample(""), ` ${scores[0]} ${name(serial)}`),
      rival === null ? null : html("p", {}, sample("wol-bar-rival"), ` ${scores[1]} `, beside),
      html("p", { role: "status" }, sayReasons(found, rival)),
      svg("svg", {
        viewBox: `0 0 ${width} ${Math.ceil(height)}`, width, height: Math.ceil(height),
        class: "wol-picture", style: `font-size: ${12 * scale}px`,
      }, bars),
    ].filter(Boolean);
  }

  redraw(change) {
    Object.assign(this, change);
    this.draw();
  }

  // Closed, the focus is again where it came from.
  shut() {
    this.close();
    (this.card() ?? this.player.root).focus({ preventScroll: true });
  }

  // What was pressed to ask.
  card() {
    const { player, which, given } = this;
    return this.element.parentElement.querySelector(given
      ? `[data-why="${given.serial}"]` : `[data-serial="${player.selected[which]?.serial}"]`);
  }

  rows({ differ, alike, wholes, scores }, reasons, name, rival, most) {
    const apart = ({ name: text }) => /^(language model|decision)/i.test(text); // of another kind
    const scaled = reasons.scaled ? `, divided by ${rival === null ? "its" : "their"} steps` : "";
    return [
      ...foldRows(barsOf(differ), most, (count) => plural(count, "more feature"), apart),
      ...foldRows(barsOf(alike), alike.length > FEW_ALIKE ? 0 : FEW_ALIKE,
        (count) => `${plural(count, "feature")} that both have alike`),
      ...wholes.map(({ item, values }) =>
        ({ name: capital(name(item)), values, plain: true, whole: true })),
      { name: `score: the sum${scaled}`, values: scores, sum: true, plain: true },
    ];
  }
}

function barsOf(features) {
  return features.map(({ name: feature, values }) =>
    ({ name: capital(featureBriefly({ feature })), title: feature, values }));
}

// Each rival once, and only those of which something is told.
function withRivals(asked) {
  const seen = new Set([asked.serial]);
  const rivals = asked.rivals.filter(([one]) =>
    asked.reasons.has(one) && !seen.has(one) && seen.add(one));
  return { ...asked, rivals };
}

function sayReasons({ differ, scores: [a, b] }, rival) {
  if (!differ.length) return "Nothing sets them apart.";
  const says = ({ name }) => capital(featureBriefly({ feature: name }));
  if (rival === null) return `What counts most: ${says(differ[0])}.`;
  const way = a < b ? -1 : 1;
  const most = differ.find(({ values: [mine = 0, its = 0] }) => way * (mine - its) > 0);
  const ahead = a === b ? "They tie" : `It is ${a > b ? "ahead" : "behind"}`;
  return most
    ? `${ahead}. What speaks ${way > 0 ? "for" : "against"} it most: ${says(most)}.`
    : `${ahead}.`;
}
