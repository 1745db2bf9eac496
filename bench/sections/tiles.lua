-- SPDX-License-Identifier: MIT
-- Tiles: parsing, reading and changing them, and their memory.

local common, grids, graphs = require "common", require "grids", require "graphs"

local CELLS = 100000 -- read or changed in each turn

-- Random cells: x, y, x, y, …
local function random_cells(side, count)
  math.randomseed(graphs.query_seed)
  local cells = {}
  for i = 1, 2 * count do cells[i] = math.random(side) end
  return cells
end

local function making(side)
  local wend = require "wend"
  local rows, legend = grids.rows(side), { ["~"] = "swamp" }
  local text = table.concat(rows, "\n")
  local grid = wend.grid(side, side)
  local function times(run)
    return function(repeats) for _ = 1, repeats do run() end end
  end
  local contestants = {
    { "parse_grid, a text", times(function() wend.parse_grid(text, legend) end) },
    { "parse_grid, rows", times(function() wend.parse_grid(rows, legend) end) },
    { "grid:map", times(function() grid:map(function(x, y) return x + y end) end) },
    { "grid:fill", times(function() grid:fill(1, 1, side, side, 2) end) },
  }
  local seconds, lines = common.race(contestants), {}
  for i, contestant in ipairs(contestants) do
    local name = contestant[1]
    lines[i] = { name, common.round(seconds[name] * 1e3, 1), common.round(seconds[name] / side ^ 2 * 1e9, 1) }
  end
  common.print_table({ ("%d x %d"):format(side, side), "ms", "ns a cell" }, lines)
end

local function touching(side)
  local wend = require "wend"
  local grid, at = wend.parse_grid(grids.rows(side), { ["~"] = "swamp" }), random_cells(side, CELLS)
  local set, get, both = grid.set, grid.get, { weight = 3, tag = "mud" }
  local function setting(value)
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #at, 2 do set(grid, at[i], at[i + 1], value) end
      end
    end
  end
  local contestants = {
    { "set, a weight", setting(2) },
    { "set, closed", setting(false) },
    { "set, open or closed", function(repeats)
      for _ = 1, repeats do
        for i = 1, #at, 2 do set(grid, at[i], at[i + 1], i % 4 == 1 and 1) end
      end
    end },
    { "set, a tag", setting "mud" },
    { "set, both", setting(both) },
    { "get", function(repeats)
      for _ = 1, repeats do
        for i = 1, #at, 2 do get(grid, at[i], at[i + 1]) end
      end
    end },
  }
  local seconds, lines = common.race(contestants), {}
  for i, contestant in ipairs(contestants) do
    lines[i] = { contestant[1], common.round(seconds[contestant[1]] / CELLS * 1e9, 0) }
  end
  common.print_table({ ("random cells of %d x %d"):format(side, side), "ns" }, lines)
end

-- A cell is closed and opened between short trips. The time should not depend on the size of the grid.
local function editing()
  local wend, times = require "wend", 1000
  local sides, contestants = { 256, 2048 }, {}
  for k, side in ipairs(sides) do
    local grid, at = wend.grid(side, side), random_cells(side - 10, times)
    local options = { into = {} }
    contestants[k] = { side, function(repeats)
      for _ = 1, repeats do
        for i = 1, #at, 2 do
          local x, y = at[i], at[i + 1]
          grid:set(x + 4, y + 4, false)
          grid:path(x, y, x + 8, y + 8, options)
          grid:set(x + 4, y + 4, 1)
        end
      end
    end }
  end
  local seconds, lines = common.race(contestants), {}
  for k, side in ipairs(sides) do
    lines[k] = {
      ("%d x %d"):format(side, side), common.round(seconds[side] / times * 1e6),
      common.round(seconds[side] / seconds[sides[1]]),
    }
  end
  common.print_table({ "a cell closed, a trip of 8, opened", "µs", "/ the first" }, lines)
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
  title = "Tiles: making, touching, keeping them",
  run = function()
    local side = common.quick and 256 or 1024
    making(side)
    print()
    touching(side)
    print()
    editing()
    print()
    memory(side)
  end,
}
