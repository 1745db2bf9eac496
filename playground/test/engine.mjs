// SPDX-License-Identifier: MIT
// The engine without a page, in Node.js: node playground/test/engine.mjs FOLDER, which has wend.js and wend.wasm.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { EXAMPLES } from "../examples.js";
import { luaFile } from "../lua_file.js";
import { recipes } from "../recipes.mjs";
import { reference } from "../reference.mjs";
import { toLua } from "../to_lua.js";

const folder = resolve(process.argv[2]);
const makeWend = createRequire(import.meta.url)(`${folder}/wend.js`);
let answers;
const wend = await makeWend({
  wasmBinary: readFileSync(`${folder}/wend.wasm`),
  onText: (text) => { const answer = JSON.parse(text); answers[answer.kind] = answer; },
  onNumbers: (numbers) => { answers.field = numbers; },
});

const MAP = {
  rows: ["aaaaaaa", "abbbbba", "acccccc"],
  kinds: { a: 1, b: false, c: { tag: "swamp", weight: 1, closed: false } },
  walls: [], links: [], start: [1, 1], goal: [7, 3], unit: 1,
};

function run(rules, map = {}, seconds = 5) {
  answers = {};
  wend.ccall("play", null, ["string", "number"], [`return ${toLua({ ...MAP, ...map, rules })}`, seconds]);
  return answers;
}

{ // Paths, explanations, the field and a crowd on the map of the page.
  const rules = "return { swamp = function(unit) return unit.boots and 1 or 9 end }";
  const { paths, field, steps, error } = run(rules);
  assert.equal(error, undefined);
  assert.deepEqual(paths.units.map((unit) => [unit.name, unit.cells.length / 2, unit.cost]),
    [["no boots", 9, 16], ["boots", 9, 8]]);
  assert.deepEqual(paths.units[0].tags.map((sum) => [sum.tag, sum.steps, sum.cost]), [["swamp", 1, 9], ["", 7, 7]]);
  assert.equal(field.length, 21);
  assert.equal(field[0], 16);
  assert.match(steps.digits, /^[0-8]{20}4$/); // all go on, but the goal
  const { search } = run(rules, { search: true });
  assert.deepEqual(search.cells.slice(0, 2), [1, 1]);
  const { crowd } = run(rules, { crowd: true });
  assert.equal(crowd.frames[0].length, 2 * crowd.units.length);
  assert.ok(crowd.frames.length > 30);
}
{ // No path: why.
  const { units } = run("return { swamp = false }").paths;
  assert.match(units[0].why, /tag 'swamp' costs false/);
  assert.equal(units[0].obstacles[0].tag, "swamp");
}
{ // Errors name their line; what has no end is stopped, also where the script catches the error.
  assert.deepEqual(run("return {\n  swamp = = 2 }").error, { kind: "error", line: 2, message: "unexpected symbol near '='" });
  assert.equal(run("local x\nreturn { swamp = function()\n  return x.y end }").error.line, 3);
  assert.match(run("return 7").error.message, /rules must return/);
  for (const rules of ["while true do end", "while true do pcall(function() while true do end end) end"]) {
    assert.deepEqual(run(rules, {}, 0.3).error, { kind: "error", line: 1, message: "stopped: it took too long" });
  }
}
{ // Fields, layers and the frontier of a program.
  const { program, field, steps, marks, error } = run(`local wend = require "wend"
    local map = wend.grid(4, 1)
    local danger = wend.influence(map)
    danger:set(3, 1, 2)
    map:field(4, 1)
    local seen = map:overlay { unknown = 1 }
    seen:reveal(1, 1, 2, 1)
    print(#seen:frontier())`);
  assert.equal(error, undefined);
  assert.equal(program.map.rows[0].length, 4);
  assert.deepEqual([...field], [3, 2, 1, 0]);
  assert.equal(steps.digits, "5554");
  assert.deepEqual(marks.influence, [0, 0, 2, 0]);
}
// Each example as a Lua file of its own prints what the page says.
for (const { title, map, rules } of EXAMPLES.filter((one) => !one.title.startsWith("Large"))) {
  const page = run(rules, map().forEngine()).paths?.units.map((unit) => unit.cost);
  const { output, error } = run(luaFile(map(), rules, false));
  assert.equal(error, undefined, title);
  const costs = output.text.trim().split("\n").map((line) => Number(line.split("\t")[1]));
  page.forEach((cost, i) => assert.ok(cost === undefined ? Number.isNaN(costs[i]) : Math.abs(cost - costs[i]) < 1e-3, `${title}: ${output.text}`));
}
{ // What the editor completes.
  const { calls, options } = reference(new URL("../../lua/wend/meta.lua", import.meta.url));
  const path = calls.find((one) => one.of === "Grid" && one.label === "path");
  assert.deepEqual([path.detail, path.info], ["(x1, y1, x2, y2, opts)", "Finds the cheapest path."]);
  assert.ok(options.path.some((one) => one.label === "max_cost") && calls.some((one) => one.of === "wend" && one.label === "crowd"));
}
// Every recipe prints what its page says, and most have a map to show.
let drawn = 0;
const list = recipes(new URL("../../doc/recipes.md", import.meta.url));
for (const { title, program, output } of list) {
  const got = run(program);
  assert.equal(got.error, undefined, title);
  assert.equal(got.output.text, output, title);
  if (got.program.map) drawn++;
}
assert.ok(list.length > 20 && drawn > 17, `${drawn} of ${list.length} recipes have a map`);
console.log(`engine: ${list.length} recipes, ${drawn} of them with a map`);
