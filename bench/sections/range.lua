-- SPDX-License-Identifier: MIT
-- Trips that end within 5 cells of their goals, compared with those to the goals themselves: cell by cell, where the
-- expansions compare, and as wend searches by itself.

local common, grids = require "common", require "grids"

local maps = {
  "dao/lak303d", "dao/brc202d", "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown", "street/NewYork_0_1024",
  "mazes/maze512-8-0", "random/random512-20-0", "rooms/32room_000",
}
local cells, near_cells = { heuristic = "octile" }, { heuristic = "octile", within = 5 }
local near = { within = 5 }

local function measure(input, count)
  local trips, wend = input:trips(count), input:wend()
  input:release()
  local seconds = common.race {
    { "cells", grids.run(wend, trips, cells) }, { "near_cells", grids.run(wend, trips, near_cells) },
    { "goal", grids.run(wend, trips) }, { "near", grids.run(wend, trips, near) },
  }
  local expanded = grids.expanded(wend, trips, cells)
  return {
    input.name, count,
    common.round(expanded / count, 0),
    common.round(grids.expanded(wend, trips, near_cells) / expanded, 3),
    common.round(seconds.near_cells / seconds.cells, 2),
    common.round(seconds.goal / count * 1e6, 1),
    common.round(seconds.near / count * 1e6, 1),
  }
end

return {
  name = "range",
  title = "Trips that end within 5 cells of the goal, compared with trips to the goal",
  run = function()
    grids.print_rows(maps, measure, {
      "map", "trips", "cells expanded", "within / goal", "time within / goal, by cells", "goal µs", "within µs",
    })
  end,
}
