-- SPDX-License-Identifier: MIT
-- Trips over a grid with an influence layer, against the same search cell by cell without one; and the calls that
-- change a layer.

local common, grids = require "common", require "grids"
local wend = require "wend"

local TRIPS = 40

local function measure(size, weighted)
  local grid, trips, rng = grids.sprinkled(size, weighted, TRIPS)
  local walled = grid:copy()
  walled:wall(1, 1, 2, 1)
  local zeros, low, high = wend.influence(grid):set(1, 1, 1), wend.influence(grid), wend.influence(grid)
  for _ = 1, size * size / 200 do
    local x, y = rng(size), rng(size)
    low:stamp(x, y, 8, 0.1)
    high:stamp(x, y, 8, 2)
  end
  local seconds = common.race {
    { "jumps", common.run(grid, trips) },
    { "cells", common.run(grid, trips, { heuristic = "octile" }) },
    { "steps", common.run(walled, trips, { heuristic = "octile" }) },
    { "zeros", common.run(grid, trips, { influence = { zeros, 1 } }) },
    { "two", common.run(grid, trips, { influence = { zeros, 1, zeros, 1 } }) },
    { "low", common.run(grid, trips, { influence = { low, 1 } }) },
    { "high", common.run(grid, trips, { influence = { high, 1 } }) },
  }
  local row = { ("%d x %d%s"):format(size, size, weighted and ", weights" or ""),
    common.round(seconds.cells / TRIPS * 1e6, 1) }
  for _, name in ipairs { "jumps", "steps", "zeros", "two", "low", "high" } do
    row[#row + 1] = common.round(seconds[name] / seconds.cells)
  end
  return row
end

-- The calls that change a layer, in microseconds.
local function changes()
  local layer = wend.influence(wend.grid(512, 512)):stamp(256, 256, 200, 5)
  local function times(call)
    return function(repeats)
      for _ = 1, repeats do call() end
    end
  end
  local seconds = common.race {
    { "set", times(function() layer:set(9, 9, 1) end) },
    { "stamp", times(function() layer:stamp(100, 100, 8, 1e-9) end) },
    { "smooth", times(function() layer:stamp(100, 100, 8, 1e-9, "smooth") end) },
    { "decay", times(function() layer:decay(1 - 1e-9) end) },
    { "distance", times(function() layer:obstacle_distance() end) },
  }
  local rows = {}
  for _, name in ipairs { "set", "stamp", "smooth", "decay", "distance" } do
    rows[#rows + 1] = { name, common.round(seconds[name] * 1e6, 2) }
  end
  return rows
end

return {
  name = "influence",
  title = "Trips with an influence layer, as multiples of the trips cell by cell without one",
  run = function()
    local rows = {}
    for _, size in ipairs(common.quick and { 100, 256 } or { 100, 256, 512 }) do
      rows[#rows + 1] = measure(size, false)
      rows[#rows + 1] = measure(size, true)
    end
    common.print_table({ "grid", "cells µs", "jumps", "a wall", "layer of 0", "two", "low", "high" }, rows)
    common.print_table({ "512 x 512", "µs" }, changes())
  end,
}
