// A race: searches of several models on one bag, beside each other on one clock.

import { button, chooser, html, icon, setText } from "../player/dom.js";
import { csvText, save } from "../player/export.js";
import { onTheme, themeOf } from "../player/theme.js";
import { number, plural } from "../player/words.js";
import { CLOCK_NAMES, RaceClock } from "./clock.js";
import { drawRace, lineSample } from "./picture.js";

const LONG = 9000; // milliseconds that a race takes to play
const FRAME = 60;
const ORDINALS = ["1st", "2nd", "3rd", "4th"];
const RACE_THEMES = [["auto", "theme of the page"], ["light", "light"], ["dark", "dark"]];
const LEAST = 150; // pixels of the picture

export class Race {
  constructor(root, data, host) {
    Object.assign(this, { root, data, host, timer: null, theme: "auto", width: 0 });
    this.names = CLOCK_NAMES.filter((name) => data.racers[0].rows[0][name] !== null);
    this.clocks = Object.fromEntries(
      this.names.map((name) => [name, new RaceClock(data.racers, name)]),
    );
    this.clock = this.clocks[this.names[0]];
    this.time = this.clock.last; // it opens with who won
    this.build();
    this.observe();
    this.draw();
  }

  build() {
    const transport = {
      first: button("First", icon("first"), () => this.goTick(0)),
      back: button("Back", icon("back"), () => this.step(-1)),
      play: button("Play", icon("play"), () => this.toggle()),
      forward: button("Forward", icon("forward"), () => this.step(1)),
      last: button("Last", icon("last"), () => this.goTick(this.clock.times.length - 1)),
    };
    this.transport = transport;
    this.switches = this.names.map((name) =>
      button(`Clock of ${name}`, name, () => this.setClock(name), { "aria-pressed": "false" }),
    );
    this.position = html("output", { class: "wol-place", "aria-label": "Position" });
    this.range = html("input", {
      type: "range", min: 0, step: 1, "aria-label": "Moment of the race",
      oninput: () => this.goTick(Number(this.range.value)),
    });
    this.told = html("p", { class: "wol-narration", "aria-live": "polite" });
    this.chart = html("div", { class: "wol-race-chart" });
    this.lanes = html("ol", { class: "wol-race-lanes", "aria-label": "The models" });
    this.bars = html("div", { class: "wol-toolbar" },
      html("span", { class: "wol-group", role: "group", "aria-label": "Transport" },
        Object.values(transport)),
      html("span", { class: "wol-group", role: "group", "aria-label": "Clock" }, "clock:",
        this.switches),
      this.position,
      chooser("Theme", RACE_THEMES, "auto", (theme) => this.setTheme(theme)),
      button("Save the outputs as CSV", "CSV", () => this.saveRows()),
      button("Save as a page", "HTML", () =>
        this.host.page((text) => save("wordorder-race.html", "text/html", text))));
    this.root.className = "wol-player wol-race";
    this.root.tabIndex = -1;
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-label", "Race");
    this.root.setAttribute("data-lm-suppress-shortcuts", "true");
    this.root.addEventListener("keydown", (event) => this.key(event));
    const { gold } = this.data;
    this.root.replaceChildren(...[html("h2", {}, this.data.title), this.bars, this.range, this.told,
      gold === null ? null : html("p", { class: "wol-race-gold" }, html("b", {}, "Gold: "), gold),
      this.chart, this.lanes, html("footer", {}, this.signs(), this.fairness())].filter(Boolean));
  }

  observe() {
    this.stopThemes = onTheme(() => this.setTheme(this.theme));
    this.sizes = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = this.chart;
      if (clientWidth !== this.width || clientHeight !== this.height) this.drawChart();
    });
    this.sizes.observe(this.chart);
    this.setTheme("auto");
  }

  destroy() {
    this.pause();
    this.stopThemes();
    this.sizes.disconnect();
  }

  setTheme(theme) {
    this.theme = theme;
    this.root.dataset.theme = themeOf(theme);
  }

  // The same share of the way on the other clock.
  setClock(name) {
    const share = this.clock.share(this.time);
    this.clock = this.clocks[name];
    this.goTick(this.clock.tickAt(this.clock.timeAt(share)));
  }

  get tick() {
    return this.clock.tickAt(this.time);
  }

  goTick(tick) {
    this.pause();
    const last = this.clock.times.length - 1;
    this.time = this.clock.times[Math.max(0, Math.min(last, tick))];
    this.draw();
  }

  step(way) {
    this.goTick(this.tick + way);
  }

  // It plays evenly along the axis.
  toggle() {
    if (this.timer) return this.pause();
    if (this.time >= this.clock.last) this.time = 0;
    this.told.setAttribute("aria-live", "off");
    this.timer = setInterval(() => this.advance(), FRAME);
    this.showPlay("Pause");
  }

  advance() {
    const share = this.clock.share(this.time) + FRAME / LONG;
    this.time = share >= 1 ? this.clock.last : this.clock.timeAt(share);
    if (share >= 1) this.pause();
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.told.setAttribute("aria-live", "polite");
    this.showPlay("Play");
  }

  showPlay(name) {
    this.transport.play.replaceChildren(icon(name.toLowerCase()));
    this.transport.play.setAttribute("aria-label", name);
    this.transport.play.title = name;
  }

  key(event) {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName } = event.target;
    if (tagName === "SELECT" || (event.key === " " && ["BUTTON", "SUMMARY"].includes(tagName)))
      return;
    const moves = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => this.goTick(0), End: () => this.goTick(this.clock.times.length - 1),
      " ": () => this.toggle(),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  draw() {
    const { clock, time, data } = this;
    setText(this.told, this.sentence());
    this.drawChart();
    this.lanes.replaceChildren(...data.racers.map((racer, which) => this.lane(racer, which)));
    this.range.max = clock.times.length - 1;
    this.range.value = this.tick;
    this.range.setAttribute("aria-valuetext", clock.say(time));
    this.position.textContent = `${clock.say(time)} of ${clock.say(clock.last)}`;
    for (const one of this.switches)
      one.setAttribute("aria-pressed", String(one.textContent === clock.name));
    for (const [name, off] of [
      ["first", time <= 0], ["back", time <= 0],
      ["forward", time >= clock.last], ["last", time >= clock.last],
    ])
      this.transport[name].setAttribute("aria-disabled", String(off));
  }

  drawChart() {
    const { clientWidth, clientHeight } = this.chart;
    Object.assign(this, { width: clientWidth, height: clientHeight });
    const [wide, tall] = [Math.max(300, clientWidth || 900), Math.max(LEAST, clientHeight)];
    this.chart.replaceChildren(drawRace(this.data, this.clock, this.time, wide, tall));
  }

  // What has just come; at the end, who came first.
  sentence() {
    const { clock, time, data } = this;
    if (time <= 0) return `All ${data.racers.length} begin with the same words, unordered.`;
    if (time >= clock.last) {
      const order = data.racers.map((racer, which) => ({ racer, which }))
        .sort((a, b) => clock.ends[a.which] - clock.ends[b.which]);
      return order.map(({ racer, which }, i) =>
        `${i ? "then " : ""}${racer.name} ${i ? "" : "ends first, "}after ` +
        `${clock.say(clock.ends[which])}${sayQuality(racer.rows.at(-1))}`).join("; ") + ".";
    }
    const now = clock.times[this.tick];
    const fresh = data.racers.filter((racer) => racer.rows.some((row) => clock.at(row) === now));
    const news = fresh.map((racer) => {
      const row = clock.rowAt(racer, now);
      const ends = row === racer.rows.at(-1) ? "ends with" : "has";
      return `${racer.name} ${ends} “${row.text}”${sayQuality(row)}`;
    });
    return `After ${clock.say(now)}: ${news.join("; ")}.`;
  }

  lane(racer, which) {
    const { clock, time } = this;
    const row = clock.rowAt(racer, time);
    const [last, end] = [racer.rows.at(-1), clock.ends[which]];
    const over = time >= end;
    const share = end > 0 ? Math.min(1, time / end) : 1;
    const facts = [
      ["score", row ? number(row.score) : "–"],
      ...(last.bleu === null ? [] : [["BLEU", row ? number(row.bleu) : "–"]]),
      ["expansions", (row?.expansions ?? 0).toLocaleString("en")],
      [racer.made, (row?.made ?? 0).toLocaleString("en")],
    ];
    return html("li", { class: over ? "wol-lane wol-lane-over" : "wol-lane" },
      html("h3", {}, lineSample(which), ` ${"ABCD"[which]} · ${racer.name}`),
      html("p", { class: "wol-lane-state" }, over
        ? [html("b", {}, ORDINALS[clock.place(which) - 1]), ` after ${clock.say(end)}: ` +
            `${racer.stopped}`]
        : `searching, ${Math.floor(100 * share)} % of its way`),
      html("progress", { max: 1, value: share, "aria-label": `Way of ${racer.name}` }),
      html("p", { class: "wol-lane-words" }, row?.text || "no output yet",
        row?.exact ? html("b", { class: "wol-exact" }, " ✓ exact") : null),
      html("dl", { class: "wol-lane-facts" }, facts.map(([name, value]) =>
        html("div", {}, html("dt", {}, name), html("dd", {}, value)))));
  }

  signs() {
    const known = this.data.gold !== null;
    const told = [
      ["A, B, …", "the models; the same letter stands at the end of each line"],
      ["●", "here a search has ended"],
      ["faint line", "what is still to come"],
      ["dashes upright", "now"],
      ["score", "the model’s own: two models’ scores cannot be compared"],
      ["expansions", "states of a beam that were expanded, or edges that were popped"],
      ["candidates, edges", "what those expansions made, and had to score"],
      ...(known ? [["✓ exact", "every word in its place"],
        ["BLEU", "how much an output is like gold, in runs of words: 100 is the same"]] : []),
    ];
    return html("details", { class: "wol-legend" }, html("summary", {}, "signs"),
      html("div", {}, told.map(([sign, words]) =>
        html("span", {}, html("strong", {}, sign), ` ${words}`))));
  }

  fairness() {
    const { seconds } = this.clocks;
    const cut = this.data.racers.filter((racer) => racer.cut);
    const more = cut.map((racer) =>
      ` The log of ${racer.name} is cut: ${plural(racer.cut, "event")} had no room, so between ` +
      "its last step that is told and its end nothing is known.");
    return html("details", { class: "wol-legend" }, html("summary", {}, "how it was timed"),
      html("div", {}, html("span", {}, (seconds
        ? "The seconds are those of a whole search that recorded nothing, the fastest of some. " +
          "Another run was recorded, and tells the outputs; the seconds are spread over it by " +
          "the candidates or edges made so far. "
        : "The clock counts expansions; no seconds were taken. ") +
        "A beam’s output is its best state, a best-first search’s the largest edge that was " +
        "popped. Where one search is more than eight times as long as another, the axis is " +
        `logarithmic.${more.join("")}`)));
  }

  saveRows() {
    const names = ["model", "expansions", "seconds", "made", "text", "score", "bleu", "exact"];
    const rows = this.data.racers.flatMap((racer) =>
      racer.rows.map((row) => [racer.name, ...names.slice(1).map((name) => row[name] ?? "")]));
    save("wordorder-race.csv", "text/csv", csvText({ head: names, rows }));
  }
}

function sayQuality(row) {
  if (row.exact) return " (exact)";
  return row.bleu === null ? "" : ` (BLEU ${number(row.bleu)})`;
}
