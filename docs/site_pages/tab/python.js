// Python behind a worker: questions and their answers. To stop, the worker is ended and begun anew.

const LEARNED = "learned";

export class Python {
  constructor(host) {
    Object.assign(this, { host, worker: null, ready: false, last: 0, waiting: new Map() });
    this.learned = null; // the bytes of the model that was learned here
  }

  // Start, and read the model that is likely to be asked.
  begin(asked) {
    if (!this.worker) this.start();
    return this.ask({ ...asked, do: "ready" });
  }

  start() {
    this.ready = false;
    try {
      this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    } catch (error) {
      this.worker = null;
      return this.broken(blocked(error.message));
    }
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.broken(blocked(event.message));
  }

  hear({ id, loaded, total, broken, told, answer }) {
    if (broken) return this.broken(broken);
    if (total) this.host.loading(loaded, total);
    if (told) this.waiting.get(id)?.told(told);
    if (!answer) return;
    if (!this.ready) {
      this.ready = true;
      this.host.ready();
    }
    this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
  }

  broken(why) {
    this.end();
    this.answerAll({ error: `Python does not start: ${why}` });
    this.host.broken(why);
  }

  answerAll(answer) {
    for (const { resolve } of this.waiting.values()) resolve(answer);
    this.waiting.clear();
  }

  // What it was about to say is not heard either.
  end() {
    if (!this.worker) return;
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    this.worker = null;
  }

  // A promise of the answer, also where Python is still loading, or has to be tried again; what is
  // `told` on the way is heard at once.
  ask(question, told = () => {}) {
    if (!this.worker) this.start();
    if (!this.worker) return Promise.resolve({ error: "Python does not start" });
    this.last += 1;
    const id = this.last;
    const learned = question.model === LEARNED ? this.learned : null;
    this.worker.postMessage({ id, question, learned });
    return new Promise((resolve) => this.waiting.set(id, { resolve, told }));
  }

  // End what it does, at once.
  stop(asked) {
    this.end();
    this.answerAll({ stopped: true });
    this.begin(asked);
  }
}

function blocked(message) {
  return message || "the browser lets this page start no worker: an extension, or a rule of the " +
    "host, forbids it";
}
