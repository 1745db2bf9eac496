-- SPDX-License-Identifier: MIT
-- Crowds of walkers that keep apart: wend and plain ORCA in C, on the same positions and ways.

local common, graphs = require "common", require "graphs"
local orca = require "wend_bench_reference_orca"
local walkers_in = require "move.walkers"
local wend = require "wend"

local STEP, RADIUS, SPEED = 1 / 30, 0.5, 1.5
local SLICE = 64 -- steps that are timed together

-- walkers: as walkers.lua makes them. Returns a function that does so many steps.

local function make_wend(walkers)
  local crowd = wend.crowd()
  for _, w in ipairs(walkers) do crowd:add({ x = w[1], y = w[2], radius = RADIUS, speed = SPEED }):go(w[3], w[4]) end
  return function(count)
    for _ = 1, count do crowd:update(STEP) end
  end
end

local function make_orca(walkers)
  local crowd = orca.crowd(#walkers)
  for _, w in ipairs(walkers) do crowd:add(w[1], w[2], RADIUS, SPEED, w[3], w[4]) end
  return function(count) crowd:step(count) end
end

-- Nanoseconds for a walker and a step, the least of some slices. The first slice is not timed. Each scene is used for
-- the same number of steps, so that walkers have gone as far in small ones as in large ones.
local function cost(walkers)
  local count, best = #walkers, {}
  for _ = 1, count < 50000 and not common.quick and 3 or 1 do
    local crowds = { make_wend(walkers), make_orca(walkers) }
    for slice = 0, common.quick and 1 or 3 do
      for k, steps in ipairs(crowds) do
        local started = os.clock()
        steps(SLICE)
        if slice > 0 then best[k] = math.min(best[k] or math.huge, (os.clock() - started) / SLICE / count * 1e9) end
      end
    end
    collectgarbage()
  end
  return best[1], best[2]
end

local function costs()
  local rows = {}
  for _, case in ipairs {
    { "open", 1000, 16 }, { "open", 10000, 16 }, { "open", 100000, 16 }, { "dense", 5000, 4 }, { "dense", 5000, 1.5 },
  } do
    local name, count, area = table.unpack(case)
    if not (common.quick and count > 10000) then
      local wend_ns, orca_ns = cost(walkers_in(count, area))
      rows[#rows + 1] = {
        name, count, area, common.round(wend_ns, 0), common.round(orca_ns, 0), common.round(orca_ns / wend_ns),
      }
    end
  end
  common.print_table({ "ns a walker and step", "walkers", "area of each", "wend", "ORCA", "ORCA / wend" }, rows)
end

-- Makes a map of blocks with walkers that go 40 cells at most. Returns a function that does so many steps; edited: with
-- 10 edits before each.
local function make_edited(count, edited)
  math.randomseed(graphs.seed)
  local side = 512
  local grid = wend.grid(side, side)
  for _ = 1, 1500 do
    local x, y = math.random(side - 8), math.random(side - 8)
    grid:fill(x, y, x + math.random(0, 7), y + math.random(0, 7), false)
  end
  local crowd, built = wend.crowd { map = grid }, {}
  local function open_cell(x, y, range)
    local to_x, to_y
    repeat
      to_x, to_y = math.random(math.max(1, x - range), math.min(side, x + range)),
        math.random(math.max(1, y - range), math.min(side, y + range))
    until not grid:is_closed(to_x, to_y)
    return to_x, to_y
  end
  for _ = 1, count do
    local x, y = open_cell(side // 2, side // 2, side)
    local to_x, to_y = open_cell(x, y, 40)
    crowd:add({ x = x - 0.5, y = y - 0.5, radius = 0.3, speed = SPEED }):go(to_x - 0.5, to_y - 0.5)
  end
  while crowd._queue:pending() > 0 or crowd._asked do crowd:update(STEP) end
  return function(steps)
    for _ = 1, steps do
      for i = 1, edited and 10 or 0 do
        if #built >= 50 and i % 2 == 0 then
          local cell = table.remove(built, 1)
          grid:set(cell[1], cell[2], 1)
        else
          local x, y = open_cell(side // 2, side // 2, side)
          grid:set(x, y, false)
          built[#built + 1] = { x, y }
        end
      end
      crowd:update(STEP)
    end
  end
end

-- The time of `other`, by that of `base`: functions that do so many steps, in turns in one run. The median of ratios.
local function in_turns(base, other, slices)
  local ratios = {}
  for slice = 1, common.quick and 1 or slices do
    local started = os.clock()
    base(SLICE // 2)
    local between = os.clock()
    other(SLICE // 2)
    ratios[slice] = (os.clock() - between) / (between - started)
  end
  table.sort(ratios)
  return common.round(ratios[(#ratios + 1) // 2])
end

-- A step with 10 edits, by a step without.
local function edits()
  local count = common.quick and 500 or 5000
  common.print_table({ "a step with 10 edits, by one without", "walkers", "ratio" },
    { { "blocks, 512 x 512", count, in_turns(make_edited(count, false), make_edited(count, true), 7) } })
end

-- Walkers of radius 0.3, 16 units of area for each, and targets that walk about. Returns a function that does so many
-- steps. order(crowd, list, targets, anywhere): sends the walkers; anywhere(): an open place.
local function make_chased(count, target_count, map, order)
  math.randomseed(graphs.seed)
  local side = math.ceil(math.sqrt(count * 16)) + 20
  local crowd, targets, list = wend.crowd { map = map and wend.grid(side, side) or nil }, {}, {}
  local function anywhere() return 2 + math.random() * (side - 4), 2 + math.random() * (side - 4) end
  local function add(speed)
    local x, y = anywhere()
    return crowd:add { x = x, y = y, radius = 0.3, speed = speed }
  end
  for i = 1, target_count do targets[i] = add(0.8 * SPEED) end
  for i = 1, count do list[i] = add(SPEED) end
  order(crowd, list, targets, anywhere)
  return function(steps)
    for _ = 1, steps do
      for _, target in ipairs(targets) do
        if target.state ~= "moving" then target:go(anywhere()) end
      end
      crowd:update(STEP)
    end
  end
end

-- A step in which all chase, by one in which all walk to fixed goals.
local function chases()
  local function walk(_, list, _, anywhere)
    for _, w in ipairs(list) do w:go(anywhere()) end
  end
  local function chase(_, list, targets)
    for i, w in ipairs(list) do w:chase(targets[i % #targets + 1]) end
  end
  local function surround(crowd, list, targets) crowd:surround(list, targets[1]) end
  local rows = {}
  for _, case in ipairs {
    { "no map", false, 1000, 1, chase }, { "no map", false, 1000, 50, chase }, { "a map", true, 1000, 1, chase },
    { "a map", true, 1000, 50, chase }, { "surround, a map", true, 100, 1, surround },
    { "surround, a map", true, 1000, 1, surround }, { "surround, a map", true, 4800, 1, surround },
  } do
    local name, map, count, targets, order = table.unpack(case)
    if not (common.quick and count > 100) then
      local still, chased = make_chased(count, targets, map, walk), make_chased(count, targets, map, order)
      still(SLICE // 2)
      chased(SLICE // 2)
      rows[#rows + 1] = { name, count, targets, in_turns(still, chased, 5) }
    end
  end
  common.print_table({ "a step of chases, by one of walks", "walkers", "targets", "ratio" }, rows)
end

return {
  name = "crowds",
  title = "Walkers of radius 0.5 and speed 1.5 that keep apart, in steps of 1/30 s (wend from Lua, ORCA in C)",
  run = function()
    costs()
    edits()
    chases()
  end,
}
