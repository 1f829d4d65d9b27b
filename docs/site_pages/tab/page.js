// The page: what is asked, Python in its worker, and the player that shows the search.

import player from "./player.js";
import { Python } from "./python.js";

const at = (id) => document.getElementById(id);
const [bag, system, setting, compare] = ["bag", "system", "setting", "compare"].map(at);
let start = null;
let shown = null; // what takes the player away again

function say(text, wrong = false) {
  at("status").textContent = text;
  at("status").classList.toggle("wrong", wrong);
}

function busy(is) {
  at("stop").disabled = !is;
  at("order").disabled = is;
}

const python = new Python({
  loading(loaded, total) {
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    Object.assign(at("progress"), { hidden: loaded >= total, max: total, value: loaded });
    say(loaded < total
      ? `Python is loading: ${megabytes(loaded)} of ${megabytes(total)} MB. You can type already.`
      : "Python is starting. You can type already.");
  },
  ready() {
    at("progress").hidden = true;
    say("");
  },
  broken(why) {
    at("progress").hidden = true;
    busy(false);
    say(`Python does not start: ${why}. Reload the page: nothing that you typed is lost.`, true);
  },
});

// --- the search in the player: what it knows as a notebook's kernel is the worker

class Shown {
  constructor(data) {
    this.values = { data, position: data.position, guesses: [], moments: data.moments };
    this.heard = {};
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
  }

  save_changes() {}

  on(kind, listener) {
    this.heard[kind] = listener;
  }

  off() {}

  async send({ wants }) {
    const hear = this.heard["msg:custom"];
    if (wants !== "page") return hear({ sorry: "This page cannot do that." });
    const { page, error } = await python.ask({ do: "page" });
    hear(page ? { page } : { sorry: error });
  }
}

function show({ text, player: data, ...told }) {
  shown?.();
  at("text").textContent = text;
  at("more").textContent = about(told);
  shown = player.render({ model: new Shown(data), el: at("player") });
}

function about({ seconds, stopped, doubts, counters = {} }) {
  const counted = Object.entries(counters).map(([name, n]) => `${n.toLocaleString("en")} ${name}`);
  const limit = stopped && stopped !== "complete" ? `stopped: ${stopped}` : "";
  const took = seconds === undefined ? "" : `${seconds.toFixed(2)} s`;
  return [took, limit, counted.join(", "), doubts].filter(Boolean).join(" · ");
}

// --- what is asked, and the address that says it

const chosen = () => start.systems[system.value];

function fill(select, rows, value) {
  select.replaceChildren(...rows.map(([key, text]) => new Option(text, key)));
  if (rows.some(([key]) => String(key) === String(value))) select.value = value;
}

function fillSetting(value) {
  const { name, values, usual } = chosen().setting;
  at("setting-name").textContent = name;
  fill(setting, values.map((one) => [one, one]), usual);
  if (values.map(String).includes(String(value))) setting.value = value;
}

function writeAddress() {
  const said = new URLSearchParams({
    system: system.value, bag: bag.value, [chosen().setting.name]: setting.value,
  });
  history.replaceState(null, "", `#${said}`);
}

// Whether the address says a bag.
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const name = said.get("system");
  system.value = Object.hasOwn(start.systems, name) ? name : Object.keys(start.systems)[0];
  fillSetting(said.get(chosen().setting.name));
  bag.value = said.get("bag")?.slice(0, bag.maxLength) ?? start.first.bag;
  return said.has("bag");
}

async function order() {
  const search = { [chosen().setting.name]: Number(setting.value) };
  const question = { do: "order", model: system.value, bag: bag.value, search };
  writeAddress();
  busy(true);
  if (python.ready) say("Searching …");
  const answer = await python.ask({ ...question, compare: compare.checked });
  busy(false);
  if (answer.stopped === python) return say("Stopped. Python starts anew.");
  if (answer.error) return say(answer.error, true);
  say("");
  at("log").disabled = false;
  show(answer);
}

async function saveLog() {
  const { log, error } = await python.ask({ do: "log" });
  if (error) return say(error, true);
  const bytes = Uint8Array.from(atob(log), (one) => one.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/gzip" }));
  link.download = "search.json.gz";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function begin() {
  if (typeof WebAssembly === "undefined")
    return say("This browser has no WebAssembly, which Python needs here: take a newer one.", true);
  start = await (await fetch("start.json")).json();
  fill(system, Object.entries(start.systems).map(([name, { title }]) => [name, title]));
  at("example").append(...start.examples.map((words) => new Option(words, words)));
  at("closed").remove();
  at("ask").hidden = false;
  const asked = readAddress();
  const { first } = start;
  show({ ...first, doubts: `recorded: beam ${first.search.beam}` });
  python.begin(system.value);
  if (asked) order();
}

at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  order();
});
at("stop").addEventListener("click", () => python.stop(system.value));
at("log").addEventListener("click", saveLog);
at("example").addEventListener("change", ({ target }) => {
  if (target.value) bag.value = target.value;
  writeAddress();
});
system.addEventListener("change", () => fillSetting());
for (const one of [bag, system, setting]) one.addEventListener("input", writeAddress);
window.addEventListener("hashchange", () => readAddress() && order());
begin().catch((error) => say(`The page cannot begin: ${error.message}. Reload it.`, true));
