// SPDX-License-Identifier: MIT
// Explains the page on the first visit, in three steps. Each goes away when it is done, or is skipped.

const KEY = "wend-steps-done";
const STEPS = [
  { what: "draw", words: "Pick a tile above, and draw on the map. The paths follow at once." },
  { what: "rules", words: "Change a number in the rules: what a step on road or swamp costs." },
  { what: "look", words: "Click a unit below the rules. The map shows what it pays for each step." },
];

export class Steps {
  static forFirstVisit(parent) {
    try {
      if (localStorage.getItem(KEY)) return null;
    } catch { // a browser that stores nothing explains the page each time
    }
    return new Steps(parent);
  }

  constructor(parent) {
    this.parent = parent;
    this.step = 0;
    this.show();
  }

  // Somebody has done this: the next step, if this was the one that is shown.
  done(what) { if (STEPS[this.step]?.what === what) this.next(); }

  next(steps = 1) {
    this.step += steps;
    if (this.step >= STEPS.length) {
      try { localStorage.setItem(KEY, "yes"); } catch { /* see above */ }
    }
    this.show();
  }

  show() {
    const step = STEPS[this.step];
    this.parent.hidden = !step;
    if (!step) return this.parent.replaceChildren();
    const count = document.createElement("b"), next = document.createElement("button"), skip = document.createElement("button");
    count.textContent = `${this.step + 1} of ${STEPS.length}`;
    next.textContent = this.step + 1 < STEPS.length ? "Next" : "Done";
    next.addEventListener("click", () => this.next());
    skip.textContent = "Skip";
    skip.addEventListener("click", () => this.next(STEPS.length));
    const line = document.createElement("div");
    line.append(next, ...(this.step + 1 < STEPS.length ? [skip] : []));
    this.parent.replaceChildren(count, step.words, line);
  }
}
