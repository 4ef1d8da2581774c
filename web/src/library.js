// The library in a worker of its own. A newer question of one purpose takes the place of one that waits.

export class Library {
  constructor(source, wasm) {
    this.source = source;
    this.wasm = wasm;
    this.start();
  }

  start() {
    this.worker = new Worker(this.source);
    this.asked = new Map();
    this.last = 0;
    this.waiting = null;
    this.running = null;
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) return resolve();
        if (data.failed) return reject(new Error(data.failed));
        if (data.share !== undefined) return this.progress?.(data.share);
        this.running = null;
        const done = this.asked.get(data.id);
        this.asked.delete(data.id);
        this.next();
        done?.({ answer: JSON.parse(data.answer), milliseconds: data.milliseconds });
      };
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
    this.worker.postMessage({ wasm: this.wasm });
  }

  /** Resolves to `{answer, milliseconds}`, or to null where a newer question came before its turn. */
  ask(request, files = {}) {
    return new Promise((resolve) => {
      this.waiting?.resolve(null);
      this.waiting = { request: JSON.stringify(request), files, resolve };
      this.next();
    });
  }

  async next() {
    await this.ready;
    if (this.running !== null || this.waiting === null) return;
    const { request, files, resolve } = this.waiting;
    this.waiting = null;
    this.running = ++this.last;
    this.asked.set(this.running, resolve);
    this.worker.postMessage({ id: this.running, request, files });
  }

  /** Ends what it is at; what was asked resolves to null. */
  stop() {
    this.worker.terminate();
    for (const resolve of this.asked.values()) resolve(null);
    this.waiting?.resolve(null);
    this.start();
  }
}
