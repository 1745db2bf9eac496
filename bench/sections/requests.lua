-- SPDX-License-Identifier: MIT
-- Requests of wend.queue while a game edits its map.

local common = require "common"
local wend = require "wend"

-- A frame of a game in which 200 requests wait, and cells are edited: what copies of the map take. The first edit after
-- a search began copies what searches read; the same edits of a map without searches do not.
local SIDE, WAITING, EDITS, FRAME, BUDGET = 512, 200, 10, 1 / 60, 0.004

local function town()
  local rng = common.generator(7)
  local grid = wend.grid(SIDE, SIDE):map(function() return rng(5) > 1 and 1 + rng(5) / 4 end)
  return grid, function() return rng(SIDE), rng(SIDE) end
end

local function edit(grid, cell)
  local started = os.clock()
  for i = 1, EDITS do
    local x, y = cell()
    grid:set(x, y, 1 + i % 5 / 4)
  end
  return os.clock() - started
end

local function edited()
  local grid, cell = town()
  local still, any_cell = town()
  local q, frames, answered = wend.queue(), common.quick and 60 or 600, 0
  local function ask()
    local x, y = cell()
    local to_x, to_y = cell()
    q:path(grid, x, y, to_x, to_y, { on_done = function() answered = answered + 1 ask() end })
  end
  for _ = 1, WAITING do ask() end
  local with, without, longest = 0, 0, 0
  for _ = 1, frames do
    q:run(BUDGET)
    local seconds = edit(grid, cell)
    with, longest = with + seconds, math.max(longest, seconds)
    without = without + edit(still, any_cell)
  end
  local copies = (with - without) / frames
  common.print_table({ "µs a frame", "10 edits, no searches", "10 edits, 200 requests", "the longest of them",
    "copies, % of the frame", "copies, % of q:run", "answers a frame" }, {
    { "512 x 512", common.round(without / frames * 1e6), common.round(with / frames * 1e6),
      common.round(longest * 1e6, 0), common.round(copies / FRAME * 100), common.round(copies / BUDGET * 100),
      common.round(answered / frames) },
  })
end

-- The same trips at once, in slices and in a queue. Every trip is `far` cells long.
local function compared(name, grid, cell, far, count)
  local trips, q = {}, wend.queue()
  while #trips < 4 * count do
    local x, y = cell()
    local to_x, to_y = cell()
    if far then to_x, to_y = math.min(SIDE, x + far), y end
    if grid:get(x, y) and grid:get(to_x, to_y) and grid:can_reach(x, y, to_x, to_y) then
      for _, at in ipairs { x, y, to_x, to_y } do trips[#trips + 1] = at end
    end
  end
  local function each(ask)
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #trips, 4 do ask(trips[i], trips[i + 1], trips[i + 2], trips[i + 3]) end
        q:step(math.huge)
      end
    end
  end
  local function in_slices(...)
    local search = grid:search(...)
    repeat until search:step(1000) ~= "running"
    return search:result()
  end
  local seconds = common.race {
    { "direct", each(function(...) return grid:path(...) end) },
    { "slices", each(in_slices) },
    { "queue", each(function(...) return q:path(grid, ...) end) },
  }
  return { name, common.round(seconds.direct / count * 1e6, 1), common.round(seconds.slices / seconds.direct),
    common.round(seconds.queue / seconds.direct) }
end

local function run()
  edited()
  local grid, cell = town()
  print()
  common.print_table({ "trips on 512 x 512", "direct us", "slices / direct", "queue / direct" }, {
    compared("any", grid, cell, nil, 20), compared("8 cells", grid, cell, 8, 1000),
  })
end

return {
  name = "requests",
  title = "Waiting requests on a map that is edited in each frame; trips in slices and in a queue",
  run = run,
}
