// Python behind a worker: questions and their answers. To stop, the worker is ended and begun anew.

export class Python {
  constructor(host) {
    Object.assign(this, { host, worker: null, ready: false, last: 0, waiting: new Map() });
  }

  // Start, and read the model that is likely to be asked.
  begin(model) {
    this.start();
    return this.ask({ do: "ready", model });
  }

  start() {
    this.ready = false;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.broken(event.message || "its worker was blocked");
  }

  hear({ id, loaded, total, broken, answer }) {
    if (broken) this.broken(broken);
    if (total && !this.ready) this.host.loading(loaded, total);
    if (!answer) return;
    if (!this.ready) {
      this.ready = true;
      this.host.ready();
    }
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
  }

  broken(why) {
    this.end();
    this.answerAll({ error: `Python does not start: ${why}` });
    this.host.broken(why);
  }

  answerAll(answer) {
    for (const resolve of this.waiting.values()) resolve(answer);
    this.waiting.clear();
  }

  // What it was about to say is not heard either.
  end() {
    if (!this.worker) return;
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    this.worker = null;
  }

  // A promise of the answer, also where Python is still loading, or has to be tried again.
  ask(question) {
    if (!this.worker) this.start();
    this.last += 1;
    this.worker.postMessage({ id: this.last, question });
    return new Promise((resolve) => this.waiting.set(this.last, resolve));
  }

  // End what it does, at once.
  stop(model) {
    this.end();
    this.answerAll({ stopped: this });
    this.begin(model);
  }
}
