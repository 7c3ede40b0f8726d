// Asks Python, which runs in a worker, and lets a spare worker take over where a program
// takes too long: a worker cannot be interrupted, only ended.

export class Stopped extends Error {}

class Worker_ {
  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.waiting = new Map();
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failed) reject(new Error(data.failed));
        else this.#take(data);
      };
      this.worker.onerror = (event) => reject(new Error(event.message ?? "no worker"));
    });
    this.ready.catch(() => {}); // Whoever asks is told.
    this.next = 0;
  }

  #take({ id, answer, error }) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  }

  ask(question) {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, question });
    });
  }

  end(error) {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

export class Python {
  #current = new Worker_();
  #spare = null;

  // Milliseconds for one question.
  limit = 30_000;

  // How many workers have been ended: a new one knows no document.
  ended = 0;

  get ready() {
    return this.#current.ready;
  }

  // The answer to a question. Rejects with `Stopped` where that took too long.
  async ask(question) {
    const worker = this.#current;
    await worker.ready;
    const timer = setTimeout(
      () => worker === this.#current && this.stop("this took too long"), this.limit);
    try {
      return await worker.ask(question);
    } finally {
      clearTimeout(timer);
    }
  }

  // Starts the worker that takes over. To answer a few questions loads what all need.
  keepSpare(questions) {
    if (this.#spare !== null) return;
    const spare = new Worker_();
    this.#spare = spare;
    this.spareIsWarm = Promise.allSettled(questions.map((each) => spare.ask(each)));
  }

  stop(reason = "stopped") {
    const old = this.#current;
    this.#current = this.#spare ?? new Worker_();
    this.#spare = null;
    this.ended++;
    old.end(new Stopped(reason));
  }
}
