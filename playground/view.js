// SPDX-License-Identifier: MIT
// Draws the map and the answers on the canvas. What changes seldom (cells, field, paths) is drawn to a layer; each picture is the
// layer with the walkers and the cursor on it.

export const FRAMES_PER_SECOND = 15; // of crowds, as in play.lua
const GLYPHS = { road: "=", swamp: "~", water: "≈", hill: "^", door: "+" };
const LARGEST_CELL = 96;

// A colour of CSS as [red, green, blue].
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function rgb(colour) {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.layer = document.createElement("canvas");
    this.base = document.createElement("canvas");   // a pixel for each cell
    this.heat = document.createElement("canvas");   // the same for the field
    this.scale = 20;                                // pixels of CSS for a cell
    this.left = this.top = 0;                       // of the map, in pixels of CSS
    this.cursor = [1, 1];
    this.cursorVisible = false;
    this.shows = { paths: true, explain: true, field: false, search: false, influence: true, frontier: true, crowd: true };
    this.playing = true;                            // whether the time of the crowd goes on
    this.onTime = () => {};                         // receives the frame that is shown, and how many there are
    this.unit = 1;
    this.noteHeight = 0;                            // room for the note at the top
    this.clear();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setMap(this.map));
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  clear() {
    this.old = false;     // whether the answers are those of a script before: they are drawn in grey
    this.paths = [];      // { cells, steps, obstacles, unit }
    this.field = null;
    this.steps = "";      // of the field: a digit for each cell, as play.lua says
    this.influence = [];  // a number for each cell
    this.frontier = [];   // x, y, x, y …
    this.visited = [];    // x, y, x, y … of the cells that the search has looked at, in order
    this.frames = [];
    this.frameUnits = [];
    this.time = 0;        // in frames
    this.before = performance.now();
  }

  css(name) { return getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim(); }

  kindColour(kind) {
    if (kind.closed && kind.tag !== "door") return this.css("rock");
    if (!kind.tag) return this.css(kind.weight > 1 ? "hill" : "floor");
    if (GLYPHS[kind.tag]) return this.css(kind.tag);
    let hash = 7;
    for (const char of kind.tag) hash = (hash * 31 + char.charCodeAt(0)) % 360;
    return `hsl(${hash} 32% ${this.css("other-lightness")})`;
  }

  glyph(kind) {
    if (kind.closed && kind.tag !== "door") return "";
    if (kind.closed) return "×";
    if (!kind.tag) return kind.weight === 1 ? "" : String(kind.weight);
    return GLYPHS[kind.tag] ?? kind.tag[0];
  }

  setMap(map) {
    this.map = map;
    const { width, height } = map;
    this.base.width = width;
    this.base.height = height;
    const context = this.base.getContext("2d");
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = map.kinds.map((kind) => {
      const [r, g, b] = rgb(this.kindColour(kind));
      return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
    });
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[map.cells[i]];
    context.putImageData(image, 0, 0);
    if (this.field) this.setField(this.field);
    this.cursor = [Math.min(this.cursor[0], width), Math.min(this.cursor[1], height)];
    this.refresh();
  }

  setField(field) {
    const { width, height } = this.map;
    if (field.length !== width * height) return;
    this.field = field;
    this.heat.width = width;
    this.heat.height = height;
    let most = 1e-9;
    for (const cost of field) if (cost > most) most = cost;
    this.most = most;
    const near = this.css("near").split(" ").map(Number), far = this.css("far").split(" ").map(Number);
    const context = this.heat.getContext("2d");
    const image = context.createImageData(width, height);
    for (let i = 0; i < field.length; i++) {
      if (!(field[i] >= 0)) continue; // not reached
      const share = field[i] / most;
      for (let c = 0; c < 3; c++) image.data[4 * i + c] = near[c] + (far[c] - near[c]) * share;
      // Bands, as lines of equal height on a map.
      image.data[4 * i + 3] = Math.floor(share * 24) % 2 ? 165 : 130;
    }
    context.putImageData(image, 0, 0);
  }

  // A square in each cell that the search has looked at: first the colour of near cells, at the end that of far ones.
  drawVisited(context) {
    const { visited, scale } = this, side = Math.max(0.4 * scale, 1);
    const near = this.css("near").split(" ").map(Number), far = this.css("far").split(" ").map(Number);
    for (let i = 0; i < visited.length; i += 2) {
      const colour = near.map((part, c) => Math.round(part + (far[c] - part) * (i / visited.length)));
      context.fillStyle = `rgb(${colour.join(" ")})`;
      context.fillRect((visited[i] - 0.5) * scale - side / 2, (visited[i + 1] - 0.5) * scale - side / 2, side, side);
    }
  }

  // The steps of the field: an arrow in each cell that has one.
  drawSteps(context, [x1, y1, x2, y2]) {
    const { map, scale, steps } = this;
    if (steps.length !== map.width * map.height || scale < 11) return;
    context.strokeStyle = `rgb(${this.css("near")})`;
    context.lineWidth = Math.max(1, scale * 0.06);
    context.lineCap = "round";
    context.beginPath();
    for (let y = y1 + 1; y <= y2; y++) {
      for (let x = x1 + 1; x <= x2; x++) {
        const i = (y - 1) * map.width + x - 1, digit = Number(steps[i]);
        if (digit === 4 || !(this.field[i] >= 0)) continue; // closed cells know a step, too
        const from = this.middle(x, y), to = this.middle(x + digit % 3 - 1, y + Math.floor(digit / 3) - 1);
        const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
        const [dx, dy] = [(to[0] - from[0]) / length * 0.26, (to[1] - from[1]) / length * 0.26];
        const tip = [from[0] + dx, from[1] + dy];
        context.moveTo((from[0] - dx) * scale, (from[1] - dy) * scale);
        context.lineTo(tip[0] * scale, tip[1] * scale);
        for (const turn of [-0.6, 0.6]) {
          context.moveTo(tip[0] * scale, tip[1] * scale);
          context.lineTo((tip[0] - 0.6 * dx - turn * dy) * scale, (tip[1] - 0.6 * dy + turn * dx) * scale);
        }
      }
    }
    context.stroke();
  }

  // An influence layer: the stronger, the larger the square of a cell.
  drawInfluence(context) {
    const { map, scale, influence } = this;
    const most = influence.reduce((a, b) => Math.max(a, b), 0);
    if (!most) return;
    context.fillStyle = `rgb(${this.css("layer")} / 0.55)`;
    influence.forEach((value, i) => {
      if (!value) return;
      const [u, v] = this.middle(i % map.width + 1, Math.floor(i / map.width) + 1), side = Math.sqrt(value / most) * 0.9 * scale;
      context.fillRect(u * scale - side / 2, v * scale - side / 2, side, side);
    });
  }

  drawFrontier(context) {
    const { frontier, scale } = this;
    context.strokeStyle = this.css("link");
    context.lineWidth = Math.max(1.5, scale * 0.08);
    for (let i = 0; i < frontier.length; i += 2) {
      const [u, v] = this.middle(frontier[i], frontier[i + 1]), side = 0.7 * scale;
      context.strokeRect(u * scale - side / 2, v * scale - side / 2, side, side);
    }
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    const ratio = devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.layer]) {
      canvas.width = Math.round(clientWidth * ratio);
      canvas.height = Math.round(clientHeight * ratio);
    }
    if (this.map) this.fit();
  }

  fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const { width, height } = this.size();
    const margin = 12, top = this.noteHeight + margin;
    const room = [clientWidth - 2 * margin, clientHeight - top - margin];
    this.scale = Math.max(0.5, Math.min(LARGEST_CELL / 2, room[0] / width, room[1] / height));
    this.left = (clientWidth - this.scale * width) / 2;
    this.top = top + (room[1] - this.scale * height) / 2;
    this.refresh();
  }

  // Zooms around a point of the canvas, by default its middle.
  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(0.5, Math.min(LARGEST_CELL, this.scale * factor));
    this.left = x - (x - this.left) * scale / this.scale;
    this.top = y - (y - this.top) * scale / this.scale;
    this.scale = scale;
    this.refresh();
  }

  move(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.refresh();
  }

  // The position in cells of a point of the canvas: column x is from x - 1 to x.
  at(x, y) { return [(x - this.left) / this.scale, (y - this.top) / this.scale]; }

  // The size of the map, and the middle of a cell, in such positions.
  size() {
    const { width, height, hex } = this.map;
    return hex ? { width: width + 0.5, height: (height + 0.5) * hex.high } : { width, height };
  }

  middle(x, y) {
    const { hex } = this.map;
    if (!hex) return [x - 0.5, y - 0.5];
    const shift = (hex.flat ? x : y) % 2 === (hex.odd ? 1 : 0) ? 0.5 : 0;
    return hex.flat ? [x - 0.5, (y - 0.5 + shift) * hex.high] : [x - 0.5 + shift, (y - 0.5) * hex.high];
  }

  // The cell at a point of the canvas: of hexes the one whose middle is nearest.
  cellAt(x, y) {
    const [u, v] = this.at(x, y), { hex } = this.map;
    const column = Math.floor(u) + 1, row = Math.floor(v / (hex?.high ?? 1)) + 1;
    if (!hex) return [column, row];
    const cells = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [column + dx, row + dy]));
    const far = (cell) => { const [mu, mv] = this.middle(...cell); return Math.hypot(u - mu, v - mv); };
    return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
  }

  // Moves the map so that the cursor is seen.
  follow() {
    const { clientWidth, clientHeight } = this.canvas;
    const [u, v] = this.middle(...this.cursor), x = this.left + u * this.scale, y = this.top + v * this.scale;
    const dx = Math.max(0, this.scale - x) - Math.max(0, x - clientWidth + this.scale);
    const dy = Math.max(0, this.scale - y) - Math.max(0, y - clientHeight + this.scale);
    if (dx || dy) this.move(dx, dy);
  }

  // A new layer with the next picture.
  refresh() {
    this.stale = true;
    this.request();
  }

  request() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame((now) => {
      this.requested = false;
      if (!this.map || !this.canvas.width) return;
      if (this.stale) this.drawLayer();
      this.stale = false;
      this.draw(now);
      if (this.shows.crowd && this.frames.length > 1 && this.playing && !this.old) this.request();
    });
  }

  begin(context) {
    const ratio = this.canvas.width / this.canvas.clientWidth;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio, 0, 0, ratio, this.left * ratio, this.top * ratio);
  }

  drawLayer() {
    const context = this.layer.getContext("2d");
    this.begin(context);
    const { map, scale } = this;
    const width = map.width * scale, height = map.height * scale, { hex } = map, room = hex ? 1 : 0; // hexes jut out
    context.imageSmoothingEnabled = scale < 1;
    if (!hex) context.drawImage(this.base, 0, 0, width, height);
    if (this.shows.field && this.field) context.drawImage(this.heat, 0, 0, width, height);
    // The cells that are seen.
    const [x1, y1] = this.at(0, 0), [x2, y2] = this.at(this.canvas.clientWidth, this.canvas.clientHeight);
    const high = hex?.high ?? 1, first = (n) => Math.max(0, Math.floor(n) - room), last = (n) => Math.ceil(n) + room;
    const seen = [first(x1), first(y1 / high), Math.min(map.width, last(x2)), Math.min(map.height, last(y2 / high))];
    if (hex) this.drawHexes(context, seen);
    else if (scale >= 7) this.drawGrid(context, seen);
    if (scale >= 13) this.drawGlyphs(context, seen);
    if (this.shows.field && this.field) this.drawSteps(context, seen);
    if (this.shows.influence) this.drawInfluence(context);
    if (this.shows.search) this.drawVisited(context);
    if (this.shows.frontier) this.drawFrontier(context);
    this.drawWalls(context);
    this.drawLinks(context);
    if (this.shows.paths) this.paths.forEach((path) => this.drawPath(context, path));
    if (this.shows.explain) this.paths.forEach((path) => { if (path.unit === this.unit) this.drawPrices(context, path, seen); });
    this.paths.forEach((path) => this.drawObstacles(context, path));
    if (map.start) this.drawPlace(context, map.start, "S");
    if (map.goal) this.drawPlace(context, map.goal, "G");
  }

  drawGrid(context, [x1, y1, x2, y2]) {
    const { scale } = this;
    context.strokeStyle = this.css("grid");
    context.lineWidth = 1;
    context.beginPath();
    for (let x = x1; x <= x2; x++) { context.moveTo(x * scale, y1 * scale); context.lineTo(x * scale, y2 * scale); }
    for (let y = y1; y <= y2; y++) { context.moveTo(x1 * scale, y * scale); context.lineTo(x2 * scale, y * scale); }
    context.stroke();
  }

  drawHexes(context, [x1, y1, x2, y2]) {
    const { map, scale } = this, { corners } = map.hex;
    context.lineWidth = 1;
    map.kinds.forEach((kind, k) => {
      context.beginPath();
      for (let y = y1 + 1; y <= y2; y++) {
        for (let x = x1 + 1; x <= x2; x++) {
          if (map.kind(x, y) !== k) continue;
          const [u, v] = this.middle(x, y);
          context.moveTo((u + corners[0]) * scale, (v + corners[1]) * scale);
          for (let i = 2; i < 12; i += 2) context.lineTo((u + corners[i]) * scale, (v + corners[i + 1]) * scale);
          context.closePath();
        }
      }
      context.fillStyle = this.kindColour(kind);
      context.strokeStyle = scale >= 7 ? this.css("grid") : context.fillStyle;
      context.fill();
      context.stroke();
    });
  }

  drawGlyphs(context, [x1, y1, x2, y2]) {
    const { scale } = this;
    const glyphs = this.map.kinds.map((kind) => this.glyph(kind));
    context.fillStyle = this.css("glyph");
    context.font = `${Math.round(scale * 0.55)}px ui-monospace, "DejaVu Sans Mono", monospace`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let y = y1 + 1; y <= y2; y++) {
      for (let x = x1 + 1; x <= x2; x++) {
        const glyph = glyphs[this.map.kind(x, y)];
        if (!glyph) continue;
        const [u, v] = this.middle(x, y);
        context.fillText(glyph, u * scale, v * scale);
      }
    }
  }

  drawWalls(context) {
    const { scale } = this;
    context.strokeStyle = this.css("wall");
    context.lineWidth = Math.max(1.5, scale * 0.12);
    context.lineCap = "round";
    context.beginPath();
    for (const wall of this.map.walls) {
      const [x1, y1, x2, y2] = wall.split(",").map(Number);
      if (this.map.hex) {
        this.traceSide(context, x1, y1, x2, y2);
      } else if (x1 !== x2 && y1 !== y2) { // at a corner: a short stroke across the diagonal
        const x = Math.max(x1, x2) - 1, y = Math.max(y1, y2) - 1, d = x1 < x2 ? 0.2 : -0.2;
        context.moveTo((x + d) * scale, (y - 0.2) * scale);
        context.lineTo((x - d) * scale, (y + 0.2) * scale);
      } else if (x1 === x2) {
        const y = Math.max(y1, y2) - 1;
        context.moveTo((x1 - 1) * scale, y * scale);
        context.lineTo(x1 * scale, y * scale);
      } else {
        const x = Math.max(x1, x2) - 1;
        context.moveTo(x * scale, (y1 - 1) * scale);
        context.lineTo(x * scale, y1 * scale);
      }
    }
    context.stroke();
  }

  // The side between two hexes: the one whose middle is nearest to that between their middles.
  traceSide(context, x1, y1, x2, y2) {
    const { scale, map: { hex: { corners } } } = this;
    const [u, v] = this.middle(x1, y1), [u2, v2] = this.middle(x2, y2);
    const side = (i) => [0, 1, 2, 3].map((k) => corners[(2 * i + k) % 12]);
    const far = (i) => { const [a, b, c, d] = side(i); return Math.hypot(a + c - u2 + u, b + d - v2 + v); };
    const [a, b, c, d] = side([0, 1, 2, 3, 4, 5].reduce((best, i) => (far(i) < far(best) ? i : best)));
    context.moveTo((u + a) * scale, (v + b) * scale);
    context.lineTo((u + c) * scale, (v + d) * scale);
  }

  drawLinks(context) {
    const { scale } = this;
    context.strokeStyle = context.fillStyle = this.css("link");
    context.lineWidth = Math.max(1, scale * 0.08);
    for (const { x1, y1, x2, y2 } of this.map.links) {
      context.setLineDash([scale * 0.22, scale * 0.22]);
      context.beginPath();
      const ends = [this.middle(x1, y1), this.middle(x2, y2)];
      for (const [u, v] of ends) context.lineTo(u * scale, v * scale);
      context.stroke();
      context.setLineDash([]);
      for (const [u, v] of ends) {
        context.beginPath();
        context.arc(u * scale, v * scale, Math.max(2, scale * 0.3), 0, 7);
        context.stroke();
      }
    }
  }

  // Paths of several units lie beside each other.
  trace(context, path) {
    const { scale } = this;
    const shift = (path.unit - 1.5) * 0.14;
    context.beginPath();
    for (let i = 0; i < path.cells.length; i += 2) {
      const [u, v] = this.middle(path.cells[i], path.cells[i + 1]);
      context.lineTo((u + shift) * scale, (v + shift) * scale);
    }
  }

  drawPath(context, path) {
    if (!path.cells) return;
    const wide = path.unit === this.unit;
    context.lineCap = context.lineJoin = "round";
    this.trace(context, path);
    context.strokeStyle = this.css("label-back");
    context.lineWidth = Math.max(4, this.scale * (wide ? 0.24 : 0.18));
    context.stroke();
    context.strokeStyle = this.unitColour(path.unit);
    context.lineWidth = Math.max(2, this.scale * (wide ? 0.15 : 0.1));
    context.stroke();
  }

  unitColour(unit) { return this.css(this.old ? "old" : `unit-${unit}`); }

  // The price of each step on the cell that it enters: a number where there is room, or else a dot, larger for a higher price.
  drawPrices(context, path, [x1, y1, x2, y2]) {
    if (!path.steps || this.scale < 5) return;
    const { scale } = this;
    const most = Math.max(...path.steps, 1);
    context.font = `600 ${Math.min(13, Math.round(scale * 0.36))}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    path.steps.forEach((cost, i) => {
      const x = path.cells[2 * i + 2], y = path.cells[2 * i + 3];
      if (x <= x1 || y <= y1 || x > x2 || y > y2) return;
      const px = (x - 0.5) * scale, py = (y - 0.5) * scale;
      if (scale < 25) {
        context.fillStyle = this.unitColour(path.unit);
        context.beginPath();
        context.arc(px, py, scale * (0.08 + 0.18 * Math.sqrt(cost / most)), 0, 7);
        context.fill();
        return;
      }
      const text = cost.toFixed(cost < 10 ? 1 : 0).replace(/\.0$/, "");
      const width = context.measureText(text).width + 6, high = scale * 0.46;
      context.fillStyle = this.css("label-back");
      context.beginPath();
      context.roundRect(px - width / 2, py - high / 2, width, high, 4);
      context.fill();
      context.fillStyle = this.css("label");
      context.fillText(text, px, py + 0.5);
    });
  }

  drawObstacles(context, path) {
    const { scale } = this;
    for (const o of path.obstacles ?? []) {
      const x = o.x ?? o.to_x, y = o.y ?? o.to_y;
      if (!x) continue;
      context.strokeStyle = this.css("error");
      context.lineWidth = Math.max(2, scale * 0.1);
      const size = Math.max(scale, 10), px = (x - 0.5) * scale - size / 2, py = (y - 0.5) * scale - size / 2;
      context.beginPath();
      context.roundRect(px, py, size, size, size * 0.25);
      context.moveTo(px + size * 0.3, py + size * 0.3);
      context.lineTo(px + size * 0.7, py + size * 0.7);
      context.moveTo(px + size * 0.7, py + size * 0.3);
      context.lineTo(px + size * 0.3, py + size * 0.7);
      context.stroke();
    }
  }

  drawPlace(context, [x, y], letter) {
    const { scale } = this;
    const radius = Math.max(7, scale * 0.42), px = (x - 0.5) * scale, py = (y - 0.5) * scale;
    context.fillStyle = this.css("accent");
    context.strokeStyle = this.css("card");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px, py, radius, 0, 7);
    context.fill();
    context.stroke();
    context.fillStyle = this.css("on-accent");
    context.font = `700 ${Math.round(radius * 1.1)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter, px, py + 1);
  }

  draw(now) {
    const { context, scale } = this;
    this.begin(context);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.layer, 0, 0);
    context.restore();
    if (this.shows.crowd && this.frames.length) this.drawCrowd(context, now);
    if (this.hover) { // a wall that would be put here, or the link that is under way
      context.strokeStyle = this.css("accent");
      context.lineWidth = Math.max(2, scale * 0.14);
      context.beginPath();
      context.moveTo(this.hover[0] * scale, this.hover[1] * scale);
      context.lineTo(this.hover[2] * scale, this.hover[3] * scale);
      context.stroke();
    }
    if (this.cursorVisible) {
      const size = Math.max(scale, 8);
      context.strokeStyle = this.css("ink");
      context.lineWidth = 2;
      const [u, v] = this.middle(...this.cursor);
      context.strokeRect(u * scale - size / 2, v * scale - size / 2, size, size);
    }
  }

  drawCrowd(context, now) {
    const { scale, frames } = this;
    const pause = FRAMES_PER_SECOND * 1.2;
    if (this.playing && !this.old) this.time += Math.max(0, now - this.before) / 1000 * FRAMES_PER_SECOND;
    this.before = now;
    if (this.time > frames.length + pause) this.time = 0;
    const { time } = this;
    const index = Math.min(frames.length - 1, Math.max(0, Math.floor(time)));
    const frame = frames[index], next = frames[Math.min(frames.length - 1, index + 1)];
    const share = index === frames.length - 1 ? 0 : time - index;
    this.onTime(Math.min(time, frames.length - 1), frames.length - 1);
    const radius = Math.max(2.5, scale * 0.3);
    context.strokeStyle = this.css("card");
    context.lineWidth = Math.max(1, scale * 0.06);
    for (let i = 0; 2 * i < frame.length; i++) {
      const x = frame[2 * i] + ((next[2 * i] ?? frame[2 * i]) - frame[2 * i]) * share;
      const y = frame[2 * i + 1] + ((next[2 * i + 1] ?? frame[2 * i + 1]) - frame[2 * i + 1]) * share;
      context.fillStyle = this.unitColour(this.frameUnits[i] ?? 1 + i % 4);
      context.beginPath();
      context.arc(x * scale, y * scale, radius, 0, 7);
      context.fill();
      context.stroke();
    }
  }
}
