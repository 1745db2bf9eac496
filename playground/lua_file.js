// SPDX-License-Identifier: MIT
// The map and the rules as a Lua file that runs without the page: lua5.4 file.lua.
import { toLua } from "./to_lua.js";

const SIGNS = { floor: ".", rock: "#", road: "=", swamp: "~", water: "w", hill: "^", door: "+", locked: "x" };

// A character for each kind. Kinds without a sign of their own get letters.
function signs(kinds) {
  const used = new Set(Object.values(SIGNS));
  const letters = [..."abcdefghijklmnopqrstuvyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !used.has(letter));
  const taken = new Set();
  return kinds.map(({ name }) => {
    const sign = SIGNS[name] && !taken.has(SIGNS[name]) ? SIGNS[name] : letters.shift();
    taken.add(sign);
    return sign;
  });
}

function value({ tag, weight, closed }) {
  if (!tag) return closed ? "false" : String(weight);
  return `{ tag = ${toLua(tag)}, weight = ${weight}${closed ? ", closed = true" : ""} }`;
}

function drawing(map) {
  const { width, height, kinds } = map, chars = signs(kinds);
  const rows = [], used = new Set();
  for (let y = 1; y <= height; y++) {
    let row = "";
    for (let x = 1; x <= width; x++) {
      const kind = map.kind(x, y);
      used.add(kind);
      row += chars[kind];
    }
    rows.push(`  ${toLua(row)},`);
  }
  const legend = [...used].sort((a, b) => a - b).map((kind) => `  [${toLua(chars[kind])}] = ${value(kinds[kind])},`);
  const lines = ["map = wend.parse_grid({", ...rows, "}, {", ...legend, "})"];
  for (const wall of map.walls) lines.push(`map:wall(${wall.split(",").join(", ")})`);
  for (const { x1, y1, x2, y2, weight, tag, directed } of map.links) {
    const parts = [`weight = ${weight}`, ...(tag ? [`tag = ${toLua(tag)}`] : []), ...(directed ? ["directed = true"] : [])];
    lines.push(`map:link(${x1}, ${y1}, ${x2}, ${y2}, { ${parts.join(", ")} })`);
  }
  return lines;
}

const PATHS = `if wend.type(costs) ~= "costs" then costs = wend.costs(costs) end
for _, unit in ipairs(units or { { name = "no boots" }, { name = "boots", boots = true } }) do
  local path, message = map:path(%PLACES%, { costs = costs, agent = unit })
  print(unit.name or "unit", path and path.cost or message)
end`;

// program: the script is no set of rules, but runs by itself.
export function luaFile(map, rules, program) {
  const head = ["-- Made with the playground of wend.", "wend = require \"wend\""];
  if (program && !/\bmap\b/.test(rules)) return `${[...head, "", rules.trimEnd()].join("\n")}\n`;
  const lines = [...head, "", ...drawing(map), ""];
  if (program) return `${[...lines, rules.trimEnd()].join("\n")}\n`;
  const script = rules.trimEnd().split("\n").map((line) => (line ? `  ${line}` : line));
  const paths = PATHS.replace("%PLACES%", [...map.start, ...map.goal].join(", "));
  return `${[...lines, "local function rules()", ...script, "end", "", "local costs, units = rules()", paths].join("\n")}\n`;
}
