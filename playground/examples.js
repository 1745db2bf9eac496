// SPDX-License-Identifier: MIT
// Maps with rules, to begin with. Recipes come from doc/recipes.md, when the page is built.
import { GameMap } from "./map.js";

const FORD = `
  ..........................####
  ...###..........hhhhh......###
  ..#####.......hhhhhhhhhh....##
  ...###.......hhhhhhhhhhhh.....
  ...........~~~hhhhhhhhhh......
  .........~~~~~~~~hhhhh~.......
  ........~~~~~~~~~~~~~~~~......
  ==.....~~~~~~~~~~~~~~~~~......
  .==S..~~~~~~~~~~~~~~~~~~..G===
  ...=...~~~~~~~~~~~~~~~~...=...
  ...=....~~~~~~~~~~~~~~~...=...
  ...=.....~~~~~~~~~~~~~....=...
  ...==......~~~~~~~~~.....==...
  ....=........~~~~~.......=....
  w...==..................==....
  www..=====.........======.....
  wwww.....===========..........
  wwwwwww..........wwwwwww......
  wwwwwwwww....wwwwwwwwwwwwww...`;

const FORD_RULES = `-- What each kind of ground costs, for each unit.
-- Change a number, or draw on the map.
return wend.costs {
  road  = 0.75,
  swamp = function(unit) return unit.boots and 1 or 3 end,
  water = false, -- closed
}
`;

const KEEP = `
  ......#.........
  .S....#....~~...
  ......+....~~...
  ......#.........
  #######+########
  ...........#....
  ...~~......#....
  ...~~......+..G.
  ...........#....`;

const KEEP_RULES = `-- Doors have a tag. The rule asks the unit for its key.
-- Bob has none: the page says what is in his way.
local costs = wend.costs {
  door  = function(unit) return unit.key and 1 or false end,
  swamp = 2,
}
return costs, {
  { name = "ann", key = true },
  { name = "bob" },
}
`;

const TOWER_RULES = `-- A lift costs 2, and a cart cannot use it.
local costs = wend.costs {
  lift = function(unit) return not unit.cart and 1 or false end,
}
return costs, {
  { name = "guard" },
  { name = "cart", cart = true },
}
`;

const MOD_RULES = `-- Two mods change one profile. Remove a line, and see.
local costs = wend.costs { swamp = 3, road = 0.8 }
costs:rule("ferry mod", "swamp", function(unit, factor)
  return factor / 4, 3 -- cheap, but each step has a price of 3
end)
-- Slow, but it can look at each step: keep away from the forest in the middle.
costs:edge_rule("wolves", function(unit, cost, tag, x1, y1, x2, y2)
  if x2 >= 10 and x2 <= 14 and y2 < 10 then return cost * 2 end
end, { at_least = 1 })
return costs
`;

const LARGE_RULES = `-- 512 x 512 cells: two paths, a field and a crowd at once.
return wend.costs {
  road  = 0.7,
  hill  = 1.5,
  swamp = function(unit) return unit.boots and 1 or 4 end,
  water = false,
}
`;

function tower() {
  const map = GameMap.fromDrawing(Array.from({ length: 12 }, () => ".".repeat(22)).join("\n"));
  for (let x = 1; x <= 22; x++) if (x !== 20) map.toggleWall(x, 4, x, 5);
  for (let x = 1; x <= 22; x++) if (x !== 2) map.toggleWall(x, 8, x, 9);
  for (const [x, y, x2, y2] of [[8, 2, 8, 6], [14, 6, 14, 10]]) map.toggleLink(x, y, x2, y2);
  map.start = [2, 2];
  map.goal = [20, 11];
  return map;
}

// Hills, swamps, lakes and rocks from smooth noise: the same map each time.
function large() {
  const size = 512;
  const map = new GameMap(size, size);
  const noise = (x, y, seed) => {
    let n = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 974634349);
    n = Math.imul(n ^ (n >>> 13), 1274126177);
    return ((n ^ (n >>> 16)) >>> 0) / 4294967296;
  };
  const smooth = (x, y, scale, seed) => {
    const cx = Math.floor(x / scale), cy = Math.floor(y / scale);
    const ease = (t) => t * t * (3 - 2 * t);
    const u = ease(x / scale - cx), v = ease(y / scale - cy);
    const top = noise(cx, cy, seed) * (1 - u) + noise(cx + 1, cy, seed) * u;
    const low = noise(cx, cy + 1, seed) * (1 - u) + noise(cx + 1, cy + 1, seed) * u;
    return top * (1 - v) + low * v;
  };
  for (let y = 1; y <= size; y++) {
    for (let x = 1; x <= size; x++) {
      const height = 0.6 * smooth(x, y, 64, 1) + 0.3 * smooth(x, y, 24, 2) + 0.1 * smooth(x, y, 8, 3);
      const wet = 0.7 * smooth(x, y, 48, 4) + 0.3 * smooth(x, y, 14, 5);
      map.set(x, y, height < 0.3 ? 4 : height > 0.72 ? 1 : height > 0.6 ? 5 : wet > 0.54 ? 3 : 0);
    }
  }
  for (let x = 1; x <= size; x++) {
    const y = Math.round(256 + 60 * Math.sin(x / 60) + 25 * Math.sin(x / 23));
    for (let d = 0; d < 3; d++) map.set(x, y + d, 2);
  }
  map.start = [60, 90];
  map.goal = [490, 470];
  for (const [cx, cy] of [map.start, map.goal]) {
    for (let y = -4; y <= 4; y++) for (let x = -4; x <= 4; x++) map.set(cx + x, cy + y, 0);
  }
  return map;
}

export const EXAMPLES = [
  { title: "Ford", map: () => GameMap.fromDrawing(FORD), rules: FORD_RULES },
  { title: "Doors and keys", map: () => GameMap.fromDrawing(KEEP), rules: KEEP_RULES },
  { title: "Walls and lifts", map: tower, rules: TOWER_RULES },
  { title: "Mods", map: () => GameMap.fromDrawing(FORD), rules: MOD_RULES },
  { title: "Empty, 32 x 20", map: () => new GameMap(32, 20), rules: FORD_RULES },
  { title: "Large, 512 x 512", map: large, rules: LARGE_RULES },
];
