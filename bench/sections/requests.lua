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

local function run()
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

return { name = "requests", title = "Waiting requests on a map that is edited in each frame", run = run }
