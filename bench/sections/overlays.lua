-- SPDX-License-Identifier: MIT
-- Trips over a grid with 300 units on its cells: with an overlay, on a copy of the grid that was really edited, and
-- with an edge rule that reads a Lua table.

local common, grids = require "common", require "grids"

local UNITS, TRIPS = 300, 40

-- The cells of the units, the same for each seed.
local function cells_of(size, seed)
  local rng, list, known = common.generator(seed), {}, {}
  while #list < 2 * UNITS do
    local x, y = rng(size), rng(size)
    local key = y * size + x
    if not known[key] then
      known[key] = true
      list[#list + 1], list[#list + 2] = x, y
    end
  end
  return list, known
end

local function close_all(object, list)
  for i = 1, #list, 2 do object:close(list[i], list[i + 1]) end
  return object
end

-- All trips. map(i): the map of trip i.
local function run(map, trips, options)
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, TRIPS do map(i):path(trips[4 * i - 3], trips[4 * i - 2], trips[4 * i - 1], trips[4 * i], options) end
    end
  end
end

local function measure(size, weighted)
  local grid, trips = grids.sprinkled(size, weighted, TRIPS)
  local list, known = cells_of(size, 99)
  local overlay, copy = close_all(grid:overlay(), list), close_all(grid:copy(), list)
  local into, many, moving = {}, {}, close_all(grid:overlay(), list)
  local edited = grid:copy()
  local above = close_all(edited:overlay(), list)
  for i = 1, 8 do many[i] = close_all(grid:overlay(), (cells_of(size, 99 + i))) end
  local function always(map) return function() return map end end
  local function rule(_, _, _, _, _, x, y)
    if known[y * size + x] then return false end
  end
  common.agree("with the overlay", common.costs(overlay, trips), common.costs(copy, trips))
  local seconds = common.race {
    { "plain", run(always(grid), trips, { into = into }) },
    { "copy", run(always(copy), trips, { into = into }) },
    { "overlay", run(always(overlay), trips, { into = into }) },
    { "four", run(function(i) return many[i % 4 + 1] end, trips, { into = into }) },
    { "eight", run(function(i) return many[i % 8 + 1] end, trips, { into = into }) },
    { "moves", run(function(i)
      return moving:reset(5, 5 + i % 9):close(5, 5 + (i + 1) % 9)
    end, trips, { into = into }) },
    { "base", run(function(i)
      edited:set(5, 5 + i % 9, 1 + i % 2)
      return above
    end, trips, { into = into }) },
    { "rule", run(always(grid), trips, { into = into, cost = rule, at_least = 1 }) },
  }
  local row = { ("%d x %d%s"):format(size, size, weighted and ", weights" or ""),
    common.round(seconds.plain / TRIPS * 1e6, 1) }
  for _, name in ipairs { "copy", "overlay", "four", "eight", "moves", "base", "rule" } do
    row[#row + 1] = common.round(seconds[name] / seconds.plain)
  end
  return row
end

return {
  name = "overlays",
  title = "Trips with an overlay of 300 closed cells, as multiples of the trips without one",
  run = function()
    local rows = {}
    for _, size in ipairs(common.quick and { 100, 256 } or { 100, 256, 512 }) do
      rows[#rows + 1] = measure(size, false)
      rows[#rows + 1] = measure(size, true)
    end
    common.print_table({
      "grid", "plain µs", "edited copy", "overlay", "4 in turn", "8 in turn", "a unit moves", "base edited", "rule",
    }, rows)
  end,
}
