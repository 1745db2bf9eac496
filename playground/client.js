// SPDX-License-Identifier: MIT
// The page's side of the worker. While a script runs, only the latest request waits. A script that does not end is ended, with
// its worker.
import { toLua } from "./to_lua.js";

const SECONDS = 3;            // then host.c stops the script
const SECONDS_TO_END = 5;     // then the worker is ended

export class Client {
  // onAnswer(answer): each answer of play.lua, { kind: "begin", input } before the first, and { kind: "end" } after the last one.
  constructor(onAnswer) {
    this.onAnswer = onAnswer;
    this.job = 0;
    this.busy = this.ready = false;
    this.waiting = null;
    this.start();
  }

  start() {
    this.worker = new Worker("engine.js");
    this.ready = false;
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.onAnswer({ kind: "error", message: `the engine does not start: ${event.message}` });
  }

  run(input) {
    this.waiting = input;
    this.next();
  }

  next() {
    if (!this.ready || this.busy || !this.waiting) return;
    const input = this.waiting;
    this.waiting = null;
    this.busy = true;
    this.onAnswer({ kind: "begin", input });
    this.worker.postMessage({ job: ++this.job, text: `return ${toLua(input)}`, seconds: SECONDS });
    this.timer = setTimeout(() => this.restart("stopped: it took too long"), SECONDS_TO_END * 1000);
  }

  receive(data) {
    if (data.kind === "ready") {
      this.ready = true;
    } else if (data.job === this.job) {
      if (data.kind === "broken") return this.restart(`the engine has failed: ${data.message}`);
      if (data.kind === "end") this.finish();
      this.onAnswer(data);
    }
    this.next();
  }

  finish() {
    clearTimeout(this.timer);
    this.busy = false;
  }

  restart(message) {
    this.finish();
    this.worker.terminate();
    this.onAnswer({ kind: "error", message });
    this.onAnswer({ kind: "end" });
    this.start();
  }
}
