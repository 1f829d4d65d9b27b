// The form of a training: a system, epochs, sentences of one's own or the Gazette's.

import { cited, numberOf } from "./address.js";

const EPOCHS = { name: "epochs", least: 1, most: 30, usual: 5 };
const at = (id) => document.getElementById(id);

export class Learning {
  constructor({ learners, most, systems }) {
    Object.assign(this, { learners, most, systems });
    [this.learner, this.epochs, this.sentences] = ["learner", "epochs", "sentences"].map(at);
    const rows = Object.entries(learners);
    this.learner.replaceChildren(...rows.map(([name, { title }]) => new Option(title, name)));
    this.epochs.value = EPOCHS.usual;
    this.learner.addEventListener("change", () => this.choose());
    this.choose();
  }

  get chosen() {
    return this.learners[this.learner.value];
  }

  choose() {
    const own = this.chosen.own !== false;
    this.sentences.disabled = !own;
    at("sentences-name").textContent = own
      ? `At most ${this.most} sentences of your own, one a line; they are parsed`
      : "It needs more than sentences, so it learns from the Gazette's";
  }

  question() {
    const { value, problem } = numberOf(this.epochs.value, EPOCHS);
    if (problem) return { problem };
    const sentences = this.sentences.disabled ? "" : this.sentences.value;
    const files = sentences.trim() ? this.parser : [];
    const { settings } = this.chosen;
    const system = this.learner.value;
    return { asked: { do: "learn", system, epochs: value, settings, sentences, files } };
  }

  // The parser comes along with the systems that parse.
  get parser() {
    return this.systems["mcdonald-2006"].files.filter((name) => name.includes("parser"));
  }

  get fields() {
    const [learn, epochs, sentences] = [this.learner, this.epochs, this.sentences];
    return { learn: learn.value, epochs: epochs.value, sentences: sentences.value };
  }

  take({ learn, epochs, sentences }) {
    if (!Object.hasOwn(this.learners, learn))
      return `Nothing called ${cited(learn)}, which the link names, can be learned here.`;
    this.learner.value = learn;
    this.choose();
    this.epochs.value = epochs ?? EPOCHS.usual;
    this.sentences.value = sentences ?? "";
    const { problem } = this.question();
    return problem ? `The link is not right: ${problem}` : "";
  }
}

// How far a training is, in one line.
export function progressOf({ parsed, lines, epoch, learned, examples }, epochs) {
  if (parsed)
    return { text: `Parsing sentence ${parsed} of ${lines} …`, value: parsed, max: lines };
  const within = learned - (epoch - 1) * examples + 1;
  const text = `Epoch ${epoch} of ${epochs}: ${within} of ${examples} examples`;
  return { text, value: learned + 1, max: epochs * examples };
}
