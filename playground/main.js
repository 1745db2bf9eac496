// SPDX-License-Identifier: MIT
// The page: it holds the map and the rules, has them computed after each change, and shows the answers.
import { Client } from "./client.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { fromFragment, toFragment } from "./link.js";
import { luaFile } from "./lua_file.js";
import { GameMap } from "./map.js";
import { showReport } from "./report.js";
import { Steps } from "./steps.js";
import { Tools } from "./tools.js";
import { FRAMES_PER_SECOND, View } from "./view.js";

const UNDO_STEPS = 40;
const $ = (id) => document.getElementById(id);
const status = $("status");
const view = new View($("map"));
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
let unit = 1;
let answer = { units: [], printed: "", paths: [] };   // what is shown
let isProgram = false;      // whether the last script that ran returned no rules
let failed = null;          // the error of the last run
let undone = [];
let own = null;             // the map of the page, while that of a program is shown
let recipes = [];

const page = {
  map: EXAMPLES[0].map(),
  readOnly: false,
  change() { // before a change
    undone.push(page.map.copy());
    if (undone.length > UNDO_STEPS) undone.shift();
    $("undo").disabled = false;
  },
  changed() {
    document.body.dataset.computed = "";
    view.setMap(page.map);
    steps?.done("draw");
    compute();
  },
  undo() {
    if (!undone.length || page.readOnly) return;
    page.map = undone.pop();
    $("undo").disabled = !undone.length;
    tools.show();
    page.changed();
  },
  tool: showTile,
  look: showCell,
};
const tools = new Tools($("tools"), view, page);
const editor = new Editor($("editor"), () => {
  document.body.dataset.computed = "";
  steps?.done("rules");
  compute();
});
const client = new Client(receive);
let steps = null;           // the explanation of the first visit

// Computing: first paths and the field; then, when nothing has changed for a moment, the crowd, which takes longer. -------

let soon = 0;
let pathsSoon = false;      // a change waits for its run, and the crowd comes after that
let withCrowd = false;      // whether the run is that of the crowd
function compute(crowd = false) {
  if (crowd && pathsSoon) return;
  clearTimeout(soon);
  pathsSoon = !crowd;
  soon = setTimeout(() => {
    pathsSoon = false;
    client.run({ ...(own ?? page.map).forEngine(), rules: editor.text, unit, crowd, search: view.shows.search });
    if (!crowd) saveSoon();
  }, crowd ? 250 : 30);
}

function receive(data) {
  if (data.kind === "begin") {
    failed = null;
    withCrowd = data.input.crowd;
    if (withCrowd) return;
    answer.printed = "";
    status.textContent = "computing …";
    status.className = "status";
    return;
  }
  if (data.kind === "paths") {
    showOwnMap();
    view.clear();
    isProgram = false;
    answer = { units: data.units, printed: "", paths: [] };
    view.paths = data.units.map((one, i) => ({ ...one, unit: i + 1 }));
    if (unit > data.units.length) unit = view.unit = 1;
    showReport($("report"), answer, unit, selectUnit);
  } else if (data.kind === "field") {
    view.setField(data.numbers);
  } else if (data.kind === "steps") {
    view.steps = data.digits;
  } else if (data.kind === "marks") {
    view.influence = data.influence;
    view.frontier = data.frontier;
  } else if (data.kind === "search") {
    view.visited = data.cells;
  } else if (data.kind === "crowd") {
    view.frames = data.frames;
    view.frameUnits = data.units;
    view.time = 0;
    view.before = performance.now();
  } else if (data.kind === "program") {
    showProgram(data);
  } else if (data.kind === "output") {
    answer.printed = data.text;
  } else if (data.kind === "error") {
    failed = data;
    status.className = "status bad";
    status.textContent = data.line ? `line ${data.line}: ${data.message}` : data.message;
  } else if (data.kind === "end") {
    editor.error = failed;
    if (failed) {
      view.old = true;
    } else if (!withCrowd) {
      if (answer.units.length && view.shows.crowd) compute(true);
      status.textContent = `computed in ${Math.round(data.milliseconds)} ms${isProgram && view.old ? "; the program has no grid to show" : ""}`;
    }
    showReport($("report"), answer, unit, selectUnit);
    // For tests. What ends now may have begun before the last change: then the answer to the change is still to come.
    if (!pathsSoon && !client.waiting) document.body.dataset.computed = withCrowd ? "crowd" : "paths";
  }
  showParts();
  view.refresh();
}

// Boxes, the legend and the time are there while they have something to show.
function showParts() {
  $("report").classList.toggle("old", view.old);
  $("show-influence").parentElement.hidden = !view.influence.length;
  $("show-frontier").parentElement.hidden = !view.frontier.length;
  $("time").hidden = !view.shows.crowd;
  $("time").inert = view.frames.length < 2;   // it keeps its room: else the map would move while somebody draws
  const bars = [];
  const bar = (colours, from, to) => {
    const row = document.createElement("span"), strip = document.createElement("i");
    strip.style.background = `linear-gradient(90deg, ${colours.map((name) => `rgb(${view.css(name)})`).join(", ")})`;
    row.append(from, strip, to);
    bars.push(row);
  };
  if (view.shows.field && view.field) bar(["near", "far"], "goal", `${Number(view.most.toFixed(1))} away`);
  if (view.shows.search && view.visited.length) bar(["near", "far"], "seen first", "last");
  $("legend").replaceChildren(...bars);
  $("legend").hidden = !bars.length;
}

function selectUnit(number) {
  steps?.done("look");
  unit = view.unit = number;
  showReport($("report"), answer, unit, selectUnit);
  compute();
}

// A program shows the map that it has made, until the script returns rules again. If it has made none, as a script that is
// typed just now, what was there stays, in grey.
function showProgram({ map, paths = [], frames = [] }) {
  isProgram = true;
  if (!map) {
    view.old = true;
    return;
  }
  view.clear();
  answer = { units: [], printed: "", paths };
  own ??= page.map;
  lock(true);
  page.map = GameMap.fromProgram(map);
  page.map.start = page.map.goal = null;
  view.paths = paths.map((path, i) => ({ ...path, unit: 1 + i % 4 }));
  view.frames = frames;
  view.setMap(page.map);
  tools.show();
  if (map.hex) note("This program makes its own map of hexes.");
  else note("This program makes its own map.", "Draw on it", takeMap);
}

// A note above the map, with a button.
function note(words, label, act) {
  const text = document.createElement("span");
  text.textContent = words;
  $("note").replaceChildren(text);
  if (label) {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", act);
    $("note").append(button);
  }
  $("note").hidden = false;
  view.noteHeight = $("note").offsetHeight + 10;
  view.fit();
}

// The map of a program cannot be drawn on.
function lock(locked) {
  page.readOnly = $("tools").inert = $("tile").inert = locked;
  if (locked) return;
  $("note").hidden = true;
  view.noteHeight = 0;
}

// The map of the program becomes that of the page, with rules that begin with its tags.
function takeMap() {
  const map = page.map;
  const open = [...map.cells].map((kind) => !map.kinds[kind].closed);
  const cell = (i) => [i % map.width + 1, Math.floor(i / map.width) + 1];
  map.start = cell(Math.max(0, open.indexOf(true)));
  map.goal = cell(Math.max(0, open.lastIndexOf(true)));
  const tags = [...new Set([...map.kinds, ...map.links].map((one) => one.tag).filter(Boolean))];
  const lines = tags.map((tag) => `  [${JSON.stringify(tag)}] = 1,\n`).join("");
  own = map;
  undone = [];
  editor.text = `return wend.costs {\n${lines}}\n`;
}

function showOwnMap() {
  if (!own) return;
  page.map = own;
  own = null;
  lock(false);
  view.setMap(page.map);
  view.fit();
  tools.show();
}

// The tile, and the cell under the pointer -----------------------------------------------------------------------------

function field(label, type, value, onInput) {
  const wrapper = document.createElement("label");
  const input = document.createElement("input");
  input.type = type;
  if (type === "checkbox") input.checked = value;
  else input.value = value;
  if (type === "number") [input.min, input.step] = ["0", "any"];
  input.addEventListener("input", () => {
    if (page.readOnly) return;
    onInput(type === "checkbox" ? input.checked : input.value);
    tools.show();
    page.changed();
  });
  wrapper.append(label, input);
  return wrapper;
}

function showTile(tool) {
  const kind = page.map.kinds[tool];
  const hints = {
    wall: "Draw walls between cells. Draw again to remove.", link: "Drag from cell to cell. A link is a step of weight 2, tag “lift”.",
    start: "Click where the units start.", goal: "Click where they go.", hand: "Drag to move the view.",
  };
  if (!kind) return $("tile").replaceChildren(hints[tool] ?? "");
  $("tile").replaceChildren(
    field("tag", "text", kind.tag, (text) => { kind.tag = text; }),
    field("weight", "number", kind.weight, (text) => { kind.weight = Math.max(0, Math.min(1e9, Number(text) || 0)); }),
    field("closed", "checkbox", kind.closed, (checked) => { kind.closed = checked; }),
  );
}

function showCell(x, y) {
  const { map } = page;
  if (!map.has(x, y)) return;
  const kind = map.kinds[map.kind(x, y)];
  const parts = [`${x}, ${y}`, kind.name];
  if (kind.closed) parts.push("closed");
  else parts.push(`weight ${kind.weight}`);
  const cost = view.field?.length === map.cells.length ? view.field[(y - 1) * map.width + x - 1] : undefined;
  if (cost !== undefined && !page.readOnly) parts.push(cost >= 0 ? `${Number(cost.toFixed(2))} to the goal` : "the goal is not reached");
  for (const path of view.paths) {
    for (let i = 1; path.steps && i <= path.steps.length; i++) {
      if (path.cells[2 * i] === x && path.cells[2 * i + 1] === y) parts.push(`${path.name} pays ${Number(path.steps[i - 1].toFixed(2))} here`);
    }
  }
  $("cell").textContent = parts.join(" · ");
}

// Examples, links ------------------------------------------------------------------------------------------------------

function show(map, rules) {
  undone = [];
  $("undo").disabled = true;
  own = null;
  unit = view.unit = 1;
  lock(false);
  page.map = map;
  view.clear();
  view.setMap(map);
  view.fit();
  tools.show();
  tools.pick(1);
  editor.text = rules;
  compute();
}

async function listExamples() {
  const group = (label, list, prefix) => {
    const made = document.createElement("optgroup");
    made.label = label;
    list.forEach(({ title }, i) => made.append(new Option(title, prefix + i)));
    $("examples").append(made);
  };
  group("Maps", EXAMPLES, "map ");
  recipes = await (await fetch("recipes.json")).json();
  group("Recipes", recipes, "recipe ");
}
const listed = listExamples();

// "Doors and keys" is the recipe of the address #recipe=doors-and-keys.
async function openRecipe(name) {
  await listed;
  const index = recipes.findIndex(({ title }) => title.toLowerCase().replace(/[^\w -]/g, "").replace(/ /g, "-") === name);
  if (index < 0) return false;
  show(EXAMPLES[0].map(), recipes[index].program);
  $("examples").value = `recipe ${index}`;
  return true;
}

$("examples").addEventListener("change", ({ target }) => {
  const [kind, index] = target.value.split(" ");
  if (kind === "map") show(EXAMPLES[index].map(), EXAMPLES[index].rules);
  if (kind === "recipe") {
    own ??= page.map;
    editor.text = recipes[index].program;
  }
});

let saving = 0;
function saveSoon() {
  clearTimeout(saving);
  saving = setTimeout(save, 400);
}

// The address always holds the map and the rules: a reload, or a bookmark, brings them back.
async function save() {
  const fragment = await toFragment({ map: own ?? page.map, rules: editor.text });
  history.replaceState(null, "", fragment);
  return location.href;
}

async function copy(button, text, otherwise) {
  const label = [...button.childNodes];
  button.disabled = true;
  try {
    await navigator.clipboard.writeText(text);
    button.replaceChildren("Copied");
  } catch { // no permission
    button.replaceChildren(otherwise);
  }
  setTimeout(() => { button.replaceChildren(...label); button.disabled = false; }, 1600);
}

$("share").addEventListener("click", async () => copy($("share"), await save(), "See the address"));
$("lua-file").addEventListener("click", () => copy($("lua-file"), luaFile(own ?? page.map, editor.text, isProgram), "Not allowed"));

async function open() {
  const recipe = location.hash.match(/^#recipe=(.+)$/);
  if (recipe && await openRecipe(recipe[1])) return;
  if (location.hash.length > 2) {
    try {
      const { map, rules } = await fromFragment(location.hash);
      return show(GameMap.fromJSON(map), String(rules));
    } catch {
      show(EXAMPLES[0].map(), EXAMPLES[0].rules);
      return note("This link is damaged. Here is an example.", "Close", () => { lock(false); view.fit(); });
    }
  }
  show(EXAMPLES[0].map(), EXAMPLES[0].rules);
}

// The rest of the page -------------------------------------------------------------------------------------------------

for (const name of Object.keys(view.shows)) {
  const box = $(`show-${name}`);
  if (name === "crowd" && still) box.checked = false;
  view.shows[name] = box.checked;
  box.addEventListener("change", () => {
    view.shows[name] = box.checked;
    if (name === "crowd" && box.checked) compute(true);
    if (name === "search" && box.checked) compute();
    showParts();
    view.refresh();
  });
}
view.onTime = (frame, last) => {
  $("moment").max = last;
  $("moment").value = frame;
  $("seconds").textContent = `${(frame / FRAMES_PER_SECOND).toFixed(1)} s`;
};
function play(playing) {
  view.playing = playing;
  view.before = performance.now();
  $("play").textContent = playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  view.request();
}
$("play").addEventListener("click", () => play(!view.playing));
$("moment").addEventListener("input", () => {
  view.time = Number($("moment").value);
  play(false);
});
$("undo").addEventListener("click", () => page.undo());
$("zoom-in").addEventListener("click", () => view.zoom(1.4));
$("zoom-out").addEventListener("click", () => view.zoom(1 / 1.4));
$("zoom-fit").addEventListener("click", () => view.fit());
$("help-open").addEventListener("click", () => $("help").showModal());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tools.show());
addEventListener("hashchange", open);
steps = Steps.forFirstVisit($("steps"));
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
open();
