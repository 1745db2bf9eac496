// SPDX-License-Identifier: MIT
// Drawing: the toolbar, the pointer (mouse, pen, fingers) and the keys of the canvas.

const OTHERS = [
  { id: "wall", name: "wall", key: "W", sign: "┃" },
  { id: "link", name: "link", key: "L", sign: "⇄" },
  { id: "start", name: "start", key: "S", sign: "S" },
  { id: "goal", name: "goal", key: "G", sign: "G" },
  { id: "hand", name: "hand", key: "H", sign: "✥" },
];

export class Tools {
  // page: { map, readOnly, change(), changed(), tool(tool), look(x, y), undo() }
  constructor(bar, view, page) {
    this.bar = bar;
    this.view = view;
    this.page = page;
    this.tool = 1;              // the number of a kind, or the id of another tool
    this.pointers = new Map();  // those that are down
    this.link = null;           // the cell where a link begins
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => { view.hover = null; view.request(); });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => { view.cursorVisible = canvas.matches(":focus-visible"); view.request(); });
    canvas.addEventListener("blur", () => { view.cursorVisible = false; view.request(); });
  }

  show() {
    this.bar.replaceChildren();
    const add = (id, name, key, sign, colour) => {
      const button = document.createElement("button");
      const icon = document.createElement("i");
      icon.textContent = sign;
      if (colour) icon.style.background = colour;
      const hint = document.createElement("kbd");
      hint.textContent = key;
      button.append(icon, name, hint);
      button.dataset.tool = id;
      button.setAttribute("aria-pressed", String(id === this.tool));
      if (key) button.setAttribute("aria-keyshortcuts", key);
      button.addEventListener("click", () => this.pick(id));
      this.bar.append(button);
    };
    this.page.map.kinds.forEach((kind, i) => {
      add(i, kind.name, i < 9 ? String(i + 1) : "", this.view.glyph(kind), this.view.kindColour(kind));
    });
    const gap = document.createElement("span");
    gap.className = "gap";
    this.bar.append(gap);
    for (const { id, name, key, sign } of OTHERS) add(id, name, key, sign);
  }

  pick(tool) {
    this.tool = tool;
    this.link = this.view.hover = null;
    this.view.canvas.dataset.tool = tool;
    for (const button of this.bar.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === String(tool)));
    }
    this.page.tool(tool);
    this.view.request();
  }

  point(event) {
    const box = this.view.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  cell(event) { return this.view.cellAt(...this.point(event)); }

  // The side of a cell that is nearest to the pointer: the cells on both sides, and the line between them.
  side(event) {
    const [x, y] = this.view.at(...this.point(event));
    const cx = Math.floor(x) + 1, cy = Math.floor(y) + 1;
    const dx = x - cx + 0.5, dy = y - cy + 0.5;
    if (Math.abs(dx) > Math.abs(dy)) {
      const line = dx > 0 ? cx : cx - 1;
      return { cells: [line, cy, line + 1, cy], line: [line, cy - 1, line, cy] };
    }
    const line = dy > 0 ? cy : cy - 1;
    return { cells: [cx, line, cx, line + 1], line: [cx - 1, line, cx, line] };
  }

  down(event) {
    this.view.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.point(event));
    this.view.cursorVisible = false;
    if (this.pointers.size === 2) { // two fingers move the view; what the first has drawn goes
      if (this.stroke) this.page.undo();
      this.stroke = null;
      return;
    }
    const hand = this.tool === "hand" || event.button > 0 || this.page.readOnly;
    if (hand) return;
    this.page.change();
    this.stroke = { cell: this.cell(event), sides: new Set() };
    if (this.tool === "wall") this.wall(event);
    else this.apply(...this.stroke.cell);
  }

  moved(event) {
    const cell = this.cell(event);
    this.page.look(...cell);
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.hovered(event);
    const now = this.point(event);
    if (this.pointers.size === 2) this.pinch(event.pointerId, now);
    else if (!this.stroke) this.view.move(now[0] - before[0], now[1] - before[1]);
    this.pointers.set(event.pointerId, now);
    if (!this.stroke) return;
    if (this.tool === "wall") return this.wall(event);
    if (this.tool === "link") return this.hovered(event);
    this.line(...this.stroke.cell, ...cell);
    this.stroke.cell = cell;
  }

  up(event) {
    const { stroke } = this;
    this.pointers.delete(event.pointerId);
    if (this.pointers.size > 0 || !stroke) return;
    this.stroke = null;
    const [x, y] = this.cell(event);
    // A link: press and release at its ends, or click both.
    if (this.tool === "link" && this.link && (x !== stroke.cell[0] || y !== stroke.cell[1])) this.apply(x, y);
  }

  pinch(id, now) {
    const [first, second] = [...this.pointers.keys()];
    const a = this.pointers.get(first), b = this.pointers.get(second);
    const other = id === first ? b : a, before = id === first ? a : b;
    const length = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]) || 1;
    this.view.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.view.zoom(length(now, other) / length(before, other), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  wheel(event) {
    event.preventDefault();
    this.view.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...this.point(event));
  }

  hovered(event) {
    const { view } = this;
    if (this.tool === "wall" && !this.page.readOnly && event.pointerType !== "touch") view.hover = this.side(event).line;
    else if (this.tool === "link" && this.link) {
      const [x, y] = view.at(...this.point(event));
      view.hover = [this.link[0] - 0.5, this.link[1] - 0.5, x, y];
    } else if (!view.hover) return;
    else view.hover = null;
    view.request();
  }

  wall(event) {
    const { cells } = this.side(event);
    const key = cells.join();
    if (this.stroke.sides.has(key)) return;
    this.stroke.sides.add(key);
    this.page.map.toggleWall(...cells);
    this.page.changed();
  }

  // All cells between two positions of the pointer.
  line(x1, y1, x2, y2) {
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
    for (let i = 1; i <= steps; i++) {
      this.apply(Math.round(x1 + (x2 - x1) * i / steps), Math.round(y1 + (y2 - y1) * i / steps));
    }
  }

  apply(x, y) {
    const { map } = this.page;
    if (!map.has(x, y)) return;
    if (this.tool === "start") map.start = [x, y];
    else if (this.tool === "goal") map.goal = [x, y];
    else if (this.tool === "link") {
      if (!this.link) {
        this.link = [x, y];
        return;
      }
      map.toggleLink(...this.link, x, y);
      this.link = this.view.hover = null;
    } else if (typeof this.tool === "number") {
      if (map.kind(x, y) === this.tool) return;
      map.set(x, y, this.tool);
    }
    this.page.changed();
  }

  key(event) {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "z") return;
      event.preventDefault();
      return this.page.undo();
    }
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { view, page } = this;
    const key = event.key.toLowerCase();
    const other = OTHERS.find((tool) => tool.key.toLowerCase() === key);
    if (arrows[event.key]) {
      const [dx, dy] = arrows[event.key];
      const x = view.cursor[0] + dx, y = view.cursor[1] + dy;
      if (page.map.has(x, y)) view.cursor = [x, y];
      view.cursorVisible = true;
      if (event.shiftKey && typeof this.tool === "number") this.draw();
      view.follow();
      view.request();
      page.look(...view.cursor);
    } else if (key === " " || key === "enter") this.draw(event.shiftKey);
    else if (key === "+" || key === "=") view.zoom(1.3);
    else if (key === "-") view.zoom(1 / 1.3);
    else if (key === "0") view.fit();
    else if (key >= "1" && key <= "9" && page.map.kinds[key - 1]) this.pick(key - 1);
    else if (other) this.pick(other.id);
    else return;
    event.preventDefault();
  }

  // Uses the tool at the cursor.
  draw(below) {
    const { page, view } = this;
    if (page.readOnly || this.tool === "hand") return;
    view.cursorVisible = true;
    const [x, y] = view.cursor;
    page.change();
    if (this.tool === "wall") {
      page.map.toggleWall(x, y, below ? x : x + 1, below ? y + 1 : y);
      page.changed();
    } else {
      this.apply(x, y);
    }
    view.request();
  }
}
