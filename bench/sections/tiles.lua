-- SPDX-License-Identifier: MIT
-- Tiles: parsing and filling grids, and their memory.

local common, grids, graphs = require "common", require "grids", require "graphs"

local function making(side)
  local wend = require "wend"
  local rows, legend = grids.rows(side), { ["~"] = "swamp" }
  local text = table.concat(rows, "\n")
  local grid, assigned = wend.grid(side, side), wend.grid(side, side)
  local maps, values, turn = { {}, {} }, { [0] = 1, [1] = false, [2] = "swamp", [3] = 2 }, 0
  math.randomseed(graphs.seed)
  for i = 1, side * side do                       -- runs of equal cells, about three on average
    for k = 1, 2 do
      maps[k][i] = i > 1 and math.random(3) > 1 and maps[k][i - 1] or string.char(math.random(4) - 1)
    end
  end
  for k = 1, 2 do maps[k] = table.concat(maps[k]) end
  assigned:assign(maps[1], values)
  local one = maps[1]:sub(1, -2) .. string.char((maps[1]:byte(-1) + 1) % 4)
  local same, other = { maps[1], maps[1] }, { maps[2], maps[1] }
  local function assign(list)
    turn = turn % 2 + 1
    assigned:assign(list[turn], values)
  end
  local function times(run)
    return function(repeats) for _ = 1, repeats do run() end end
  end
  local contestants = {
    { "parse_grid, a text", times(function() wend.parse_grid(text, legend) end) },
    { "parse_grid, rows", times(function() wend.parse_grid(rows, legend) end) },
    { "grid:map", times(function() grid:map(function(x, y) return x + y end) end) },
    { "grid:assign, another map", times(function() assign(other) end) },
    { "grid:assign, one cell", times(function() assign { one, maps[1] } end) },
    { "grid:assign, unchanged", times(function() assign(same) end) },
    { "grid:fill", times(function() grid:fill(1, 1, side, side, 2) end) },
  }
  local seconds, lines = common.race(contestants), {}
  for i, contestant in ipairs(contestants) do
    local name = contestant[1]
    lines[i] = { name, common.round(seconds[name] * 1e3, 1), common.round(seconds[name] / side ^ 2 * 1e9, 1) }
  end
  common.print_table({ ("%d x %d"):format(side, side), "ms", "ns a cell" }, lines)
end

local function memory(side)
  local wend = require "wend"
  math.randomseed(graphs.seed)
  local kinds = {
    { "weights and tags of a map", wend.parse_grid(grids.rows(side), { ["~"] = "swamp" }) },
    { "every weight another", wend.grid(side, side):map(function() return 1 + math.random() end) },
  }
  local lines = {}
  for i, kind in ipairs(kinds) do
    local name, grid = kind[1], kind[2]
    local fresh = grid:bytes() / side ^ 2
    grid:path(1, 1, 8, 8)
    lines[i] = { name, common.round(fresh, 1), common.round(grid:bytes() / side ^ 2, 1) }
  end
  common.print_table({ ("%d x %d"):format(side, side), "bytes a cell", "after a path" }, lines)
end

return {
  name = "tiles",
  title = "Tiles: making and keeping them",
  run = function()
    local side = common.quick and 256 or 1024
    making(side)
    print()
    memory(side)
  end,
}
