-- SPDX-License-Identifier: MIT
-- Crowds of walkers that keep apart: wend and plain ORCA in C, on the same positions and ways.

local common, graphs = require "common", require "graphs"
local orca = require "wend_bench_reference_orca"
local wend = require "wend"

local STEP, RADIUS, SPEED = 1 / 30, 0.5, 1.5
local SLICE = 64 -- steps that are timed together

-- walkers: a list of { x, y, goal's x, goal's y }. Returns a function that does so many steps.

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

-- Walkers in a square with `area` for each, in random order. Each goes up to 100 to either side, and stays in the
-- square: so it stays as dense as it was.
local function open(count, area)
  math.randomseed(graphs.seed)
  local side, columns, order = math.sqrt(count * area), math.ceil(math.sqrt(count)), {}
  for i = 1, count do order[i] = i - 1 end
  for i = count, 2, -1 do
    local j = math.random(i)
    order[i], order[j] = order[j], order[i]
  end
  local function mirrored(at)
    at = math.abs(at) % (2 * side)
    return at <= side and at or 2 * side - at
  end
  local walkers = {}
  for i, at in ipairs(order) do
    local x, y = (at % columns + 0.5) * side / columns, (at // columns + 0.5) * side / columns
    walkers[i] = {
      x + 0.1 * math.random() - 0.05, y + 0.1 * math.random() - 0.05,
      mirrored(x + 200 * math.random() - 100), mirrored(y + 200 * math.random() - 100),
    }
  end
  return walkers
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
      local wend_ns, orca_ns = cost(open(count, area))
      rows[#rows + 1] = {
        name, count, area, common.round(wend_ns, 0), common.round(orca_ns, 0), common.round(orca_ns / wend_ns),
      }
    end
  end
  common.print_table({ "ns a walker and step", "walkers", "area of each", "wend", "ORCA", "ORCA / wend" }, rows)
end

return {
  name = "crowds",
  title = "Walkers of radius 0.5 and speed 1.5 that keep apart, in steps of 1/30 s (wend from Lua, ORCA in C)",
  run = costs,
}
