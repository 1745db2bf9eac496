// SPDX-License-Identifier: MIT
// The map of the page: cells of kinds, walls between cells, links, a start and a goal. Cells are counted from 1, as in Lua.

export const LARGEST = 512;

// The tiles of the toolbar. A link or an example may bring others.
export function tiles() {
  return [
    { name: "floor", tag: "", weight: 1, closed: false },
    { name: "rock", tag: "", weight: 1, closed: true },
    { name: "road", tag: "road", weight: 1, closed: false },
    { name: "swamp", tag: "swamp", weight: 1, closed: false },
    { name: "water", tag: "water", weight: 1, closed: false },
    { name: "hill", tag: "hill", weight: 2, closed: false },
    { name: "door", tag: "door", weight: 1, closed: false },
    { name: "locked", tag: "door", weight: 1, closed: true },
  ];
}

export class GameMap {
  constructor(width, height, kinds = tiles()) {
    this.width = width;
    this.height = height;
    this.kinds = kinds;
    this.cells = new Uint8Array(width * height);
    this.walls = new Set(); // "x1,y1,x2,y2", the smaller cell first
    this.links = [];        // { x1, y1, x2, y2, weight, tag, directed }
    this.start = [1, 1];
    this.goal = [width, height];
  }

  has(x, y) { return x >= 1 && y >= 1 && x <= this.width && y <= this.height; }
  kind(x, y) { return this.cells[(y - 1) * this.width + x - 1]; }
  set(x, y, kind) { if (this.has(x, y)) this.cells[(y - 1) * this.width + x - 1] = kind; }

  toggleWall(x1, y1, x2, y2) {
    if (!this.has(x1, y1) || !this.has(x2, y2)) return;
    const key = y1 < y2 || (y1 === y2 && x1 < x2) ? `${x1},${y1},${x2},${y2}` : `${x2},${y2},${x1},${y1}`;
    if (!this.walls.delete(key)) this.walls.add(key);
  }

  // Adds a link; removes it if it is there.
  toggleLink(x1, y1, x2, y2) {
    if (x1 === x2 && y1 === y2) return;
    const same = (l) => (l.x1 === x1 && l.y1 === y1 && l.x2 === x2 && l.y2 === y2)
      || (l.x1 === x2 && l.y1 === y2 && l.x2 === x1 && l.y2 === y1);
    const others = this.links.filter((l) => !same(l));
    if (others.length === this.links.length) others.push({ x1, y1, x2, y2, weight: 2, tag: "lift", directed: false });
    this.links = others;
  }

  copy() {
    const other = new GameMap(this.width, this.height, this.kinds.map((kind) => ({ ...kind })));
    other.cells = this.cells.slice();
    other.walls = new Set(this.walls);
    other.links = this.links.map((link) => ({ ...link }));
    other.start = [...this.start];
    other.goal = [...this.goal];
    return other;
  }

  rows() {
    const rows = [];
    const codes = new Uint8Array(this.width);
    const decoder = new TextDecoder();
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) codes[x] = 97 + this.cells[y * this.width + x];
      rows.push(decoder.decode(codes));
    }
    return rows;
  }

  // What play.lua reads.
  forEngine() {
    const kinds = {};
    this.kinds.forEach((kind, i) => {
      kinds[String.fromCharCode(97 + i)] = { weight: kind.weight, closed: kind.closed, ...(kind.tag ? { tag: kind.tag } : {}) };
    });
    return {
      rows: this.rows(), kinds, walls: [...this.walls].map((wall) => wall.split(",").map(Number)),
      links: this.links.map(({ tag, ...link }) => (tag ? { ...link, tag } : link)), start: this.start, goal: this.goal,
    };
  }

  // What a link holds, and back. A link may be damaged, or made by hand: it throws for what the engine would not take.
  toJSON() {
    return {
      width: this.width, height: this.height, cells: this.rows().join(""),
      kinds: this.kinds.map(({ name, tag, weight, closed }) => [name, tag, weight, closed]),
      walls: [...this.walls], links: this.links, start: this.start, goal: this.goal,
    };
  }

  static fromJSON(json) {
    const check = (good) => { if (!good) throw new Error("this link is damaged"); };
    const whole = (n, most) => Number.isInteger(n) && n >= 1 && n <= most;
    const number = (n) => typeof n === "number" && n >= 0 && n < Infinity;
    const { width, height, kinds, cells } = json;
    check(whole(width, LARGEST) && whole(height, LARGEST) && Array.isArray(kinds) && whole(kinds.length, 26));
    const map = new GameMap(width, height, kinds.map(([name, tag, weight, closed]) => {
      check(typeof name === "string" && typeof tag === "string" && number(weight) && typeof closed === "boolean");
      return { name, tag, weight, closed };
    }));
    check(typeof cells === "string" && cells.length === width * height);
    for (let i = 0; i < cells.length; i++) {
      map.cells[i] = cells.charCodeAt(i) - 97;
      check(map.cells[i] < kinds.length);
    }
    const cell = (x, y) => whole(x, width) && whole(y, height);
    for (const wall of json.walls) {
      const [x1, y1, x2, y2] = String(wall).split(",").map(Number);
      check(cell(x1, y1) && cell(x2, y2) && Math.max(Math.abs(x1 - x2), Math.abs(y1 - y2)) === 1);
      map.walls.add(`${x1},${y1},${x2},${y2}`);
    }
    for (const { x1, y1, x2, y2, weight, tag, directed } of json.links) {
      check(cell(x1, y1) && cell(x2, y2) && number(weight) && (x1 !== x2 || y1 !== y2));
      map.links.push({ x1, y1, x2, y2, weight, tag: tag ? String(tag) : "", directed: Boolean(directed) });
    }
    check(cell(...json.start) && cell(...json.goal));
    map.start = json.start.slice(0, 2);
    map.goal = json.goal.slice(0, 2);
    return map;
  }

  // The map of a program, as play.lua gives it.
  static fromProgram({ rows, kinds, walls, links, hex }) {
    const named = kinds.map(({ tag, weight, closed }) => (
      { name: tag || (closed ? "rock" : weight === 1 ? "floor" : `weight ${weight}`), tag: tag || "", weight, closed }));
    const map = new GameMap(rows[0].length, rows.length, named);
    rows.forEach((row, y) => { for (let x = 0; x < row.length; x++) map.cells[y * map.width + x] = row.charCodeAt(x) - 97; });
    for (const wall of walls) map.walls.add(wall.join(","));
    map.links = links.map((link) => ({ tag: "", ...link }));
    map.hex = hex; // how hexes lie; undefined: cells are squares
    return map;
  }

  // A drawing of the examples: one character for each cell.
  static fromDrawing(text) {
    const rows = text.trim().split("\n").map((row) => row.trim());
    const map = new GameMap(rows[0].length, rows.length);
    rows.forEach((row, y) => [...row].forEach((char, x) => {
      if (char === "S") map.start = [x + 1, y + 1];
      else if (char === "G") map.goal = [x + 1, y + 1];
      map.set(x + 1, y + 1, Math.max(0, ".#=~wh+x".indexOf(char)));
    }));
    return map;
  }
}
