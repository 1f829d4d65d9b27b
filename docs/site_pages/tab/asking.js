// The form of a search: a system, its setting, perhaps another one beside it, and what is given.

import { cited, numberOf } from "./address.js";

const LEARNED = "learned";
const at = (id) => document.getElementById(id);

export class Asking {
  constructor({ systems, examples, along }) {
    Object.assign(this, { systems: { ...systems }, examples, along });
    [this.system, this.setting, this.beside, this.given, this.example] =
      ["system", "setting", "with", "given", "example"].map(at);
    this.from = ""; // the sentence that was picked, while the words are still its own
    this.fillSystems();
    this.choose(Object.keys(systems)[0]);
    this.system.addEventListener("change", () => this.choose(this.system.value));
    this.given.addEventListener("input", () => (this.from = ""));
    this.example.addEventListener("change", () => this.pick());
  }

  get chosen() {
    return this.systems[this.system.value];
  }

  fillSystems() {
    const { value } = this.system;
    const rows = Object.entries(this.systems);
    this.system.replaceChildren(...rows.map(([name, { title }]) => new Option(title, name)));
    if (value) this.system.value = value;
  }

  // What was learned here is a system like `of`, the one that it is searched with.
  learned(of, title) {
    this.systems[LEARNED] = { ...this.systems[of], title, files: [] };
    this.fillSystems();
  }

  // A system's own fields; what is typed stays where the new one takes the same.
  choose(name) {
    const before = this.task;
    this.system.value = name;
    const { setting, label, verb, given, task } = this.chosen;
    at("setting-name").textContent = setting.name;
    const placeholder = setting.usual === "" ? "as learned" : String(setting.usual);
    Object.assign(this.setting, { value: setting.usual, placeholder });
    this.beside.value = "";
    at("given-name").textContent = label;
    at("order").textContent = verb;
    at("shake").hidden = task !== "order";
    if (before === task) return;
    Object.assign(this, { task, from: "" });
    this.given.value = given;
    const rows = this.examples[task].map(({ text }, i) => new Option(text, i));
    this.example.replaceChildren(new Option("choose one", ""), ...rows);
  }

  pick() {
    const one = this.examples[this.task][this.example.value];
    if (!one) return;
    this.given.value = one.given;
    this.from = this.task === "order" ? one.text : "";
  }

  // What Python is asked; or what is wrong with the fields, in one line.
  question() {
    const { setting, task, files } = this.chosen;
    const read = [numberOf(this.setting.value, setting)];
    if (this.beside.value.trim()) read.push(numberOf(this.beside.value, setting));
    const wrong = read.find(({ problem }) => problem);
    if (wrong) return { problem: wrong.problem };
    if (!this.given.value.trim()) return { problem: "Nothing is given: type a word or two." };
    const values = [...new Set(read.map(({ value }) => value))];
    const settings = values.map((value) => ({ [setting.name]: value }));
    const names = values.map((value) => `${setting.name} ${value ?? "as learned"}`);
    return {
      names,
      asked: {
        do: "search", task, files, settings, model: this.model, given: this.given.value,
        from: this.from,
      },
    };
  }

  get model() {
    return this.along.includes(this.system.value) ? "everyday" : this.system.value;
  }

  // What is read before the first question.
  get likely() {
    const { task, files } = this.chosen;
    return { model: this.model, task, files };
  }

  get fields() {
    const { setting } = this.chosen;
    return {
      system: this.system.value, bag: this.given.value, [setting.name]: this.setting.value,
      with: this.beside.value, from: this.from,
    };
  }

  // Take the fields of a link; what is wrong with them, in one line, or nothing.
  take(fields) {
    const names = Object.keys(this.systems);
    const name = fields.system ?? names[0];
    const known = names.includes(name);
    this.choose(known ? name : names[0]);
    const { setting, given } = this.chosen;
    this.given.value = fields.bag ?? given;
    this.from = fields.from ?? "";
    if (!known) return unknown(name);
    this.setting.value = fields[setting.name] ?? setting.usual;
    this.beside.value = fields.with ?? "";
    const { problem } = this.question();
    return problem ? `The link is not right: ${problem}` : "";
  }
}

function unknown(name) {
  return name === LEARNED
    ? "What is learned in a tab goes with it: learn it again, or choose another system."
    : `This page has no system ${cited(name)}, which the link names: choose one of the list.`;
}
