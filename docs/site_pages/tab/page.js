// The page: what is asked, Python in its worker, and the player that shows what came of it.

import { kept, momentOf, read, write } from "./address.js";
import { Asking } from "./asking.js";
import { Learning, progressOf } from "./learning.js";
import { Python } from "./python.js";
import { Shown, save } from "./shown.js";

const at = (id) => document.getElementById(id);
const KEPT = { log: ["search", "json.gz", "application/gzip"], csv: ["search", "csv", "text/csv"] };
let asking = null;
let learning = null;
let written = ""; // the address that this page wrote itself
let busy = false;

function say(text, wrong = false) {
  at("status").textContent = text;
  at("status").classList.toggle("wrong", wrong);
}

// What is told by the way does not take the place of what is wrong.
function murmur(text) {
  if (!at("status").classList.contains("wrong")) say(text);
}

function far(value, max) {
  Object.assign(at("progress"), { hidden: value >= max, max, value });
}

function work(is) {
  busy = is;
  for (const one of document.querySelectorAll(".stop")) one.disabled = !is;
  for (const name of ["order", "train"]) at(name).disabled = is;
}

const python = new Python({
  loading(loaded, total) {
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    far(loaded, total);
    murmur(loaded < total
      ? `Loading ${megabytes(loaded)} of ${megabytes(total)} MB, once. You can type already.`
      : "Python is starting. You can type already.");
  },
  ready() {
    at("progress").hidden = true;
    murmur("");
  },
  broken(why) {
    at("progress").hidden = true;
    work(false);
    say(`Python does not start: ${why}. Reload the page: nothing that you typed is lost.`, true);
  },
});

const shown = new Shown({ place: at("player"), results: at("results"), python, moved: remember });

const learns = () => !at("learn").hidden;
const form = () => (learns() ? learning : asking);

function turn(toLearning) {
  at("learn").hidden = !toLearning;
  at("ask").hidden = toLearning;
  at("to-learn").ariaPressed = String(toLearning);
  at("to-search").ariaPressed = String(!toLearning);
}

// The address says all that is on the page; the moment only while its search is shown.
function remember() {
  const moment = asked === JSON.stringify(form().fields) ? shown.moment : {};
  written = write({ ...form().fields, ...moment });
}

let asked = ""; // the fields of what the player shows

async function answerTo(question, told) {
  work(true);
  asked = JSON.stringify(form().fields);
  say("");
  if (python.ready) say(question.do === "learn" ? "Learning …" : "Searching …");
  const answer = await python.ask(question, told);
  work(false);
  at("progress").hidden = true;
  if (answer.player || answer.stopped === true) at("keep").hidden = !answer.player;
  if (answer.stopped === true) say("Stopped. Python starts anew.");
  else say(answer.error ?? "", Boolean(answer.error));
  return answer.error || answer.stopped === true ? null : answer;
}

async function search(moment = null) {
  const { problem, asked: question, names } = asking.question();
  if (problem) return say(problem, true);
  if (!moment) written = write(asking.fields);
  const answer = await answerTo(question);
  if (!answer) return;
  shown.tell(answer.results, names);
  shown.play(answer.player, moment);
}

async function learn() {
  const { problem, asked: question } = learning.question();
  if (problem) return say(problem, true);
  written = write(learning.fields);
  const { title, of } = learning.chosen;
  at("results").replaceChildren();
  const answer = await answerTo(question, ({ player, model, epochs, ...told }) => {
    if (player) return shown.play(player);
    if (!model) {
      const { text, value, max } = progressOf(told, question.epochs);
      far(value, max);
      return say(text);
    }
    python.learned = Uint8Array.from(atob(model), (one) => one.charCodeAt(0));
    at("model").disabled = false;
    const after = epochs === 1 ? "1 epoch" : `${epochs} epochs`;
    asking.learned(of, `learned here: ${title}, ${after}`);
  });
  if (!answer) return;
  const { examples, seconds } = answer;
  const text = `Learned from ${examples} examples in ${seconds.toFixed(1)} s.`;
  shown.tell([{ text: `${text} Search, above, can use what was learned.` }]);
  shown.play(answer.player);
}

async function shake() {
  const { given, from } = asking;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const answer = await answerTo({ do: "shake", given: given.value, seed });
  if (!answer) return;
  given.value = answer.bag;
  asking.from = from;
  remember();
}

async function keep(what) {
  const { page, files, error } = await python.ask({ do: what });
  if (error) return say(error, true);
  if (page) return save("search.html", "text/html", page);
  const [name, ending, type] = KEPT[what];
  files.forEach((content, i) => {
    const part = files.length > 1 ? `-${i + 1}` : "";
    save(`${name}${part}.${ending}`, type, content, what === "log");
  });
}

// Take what a link says, or what was typed before; a whole link is also run.
function take(fields, run) {
  turn("learn" in fields);
  const problem = form().take(fields);
  if (problem) say(problem, true);
  else if (run && "bag" in fields) search(momentOf(fields));
  return problem;
}

async function begin() {
  if (typeof WebAssembly === "undefined")
    return say("This browser has no WebAssembly, which Python needs here: take a newer one.", true);
  const start = await (await fetch("start.json")).json();
  asking = new Asking(start);
  learning = new Learning(start);
  at("closed").remove();
  at("modes").hidden = false;
  turn(false);
  const { first } = start;
  shown.tell([{ ...first, doubts: `recorded: beam ${first.beam}` }]);
  shown.play(first.player);
  const link = read(location.hash);
  const typed = link ?? kept();
  if (typed) take(typed, Boolean(link));
  python.begin(asking.likely);
  listen();
}

function listen() {
  const on = (id, kind, does) => at(id).addEventListener(kind, does);
  const sent = (does) => (event) => {
    event.preventDefault();
    if (!busy) does();
  };
  on("ask", "submit", sent(() => search()));
  on("learn", "submit", sent(() => learn()));
  on("shake", "click", () => !busy && shake());
  on("to-search", "click", () => turn(false) || remember());
  on("to-learn", "click", () => turn(true) || remember());
  on("model", "click", () => save("learned.wol", "application/octet-stream", python.learned));
  on("given", "keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    at("ask").requestSubmit();
  });
  for (const one of document.querySelectorAll(".stop"))
    one.addEventListener("click", () => python.stop(asking.likely));
  for (const one of document.querySelectorAll("[data-keep]"))
    one.addEventListener("click", () => keep(one.dataset.keep));
  for (const id of ["ask", "learn"]) for (const kind of ["input", "change"]) on(id, kind, remember);
  window.addEventListener("hashchange", () => {
    if (location.hash === written) return;
    const fields = read(location.hash);
    if (fields) take(fields, !busy);
  });
}

begin().catch((error) => say(`The page cannot begin: ${error.message}. Reload it.`, true));
