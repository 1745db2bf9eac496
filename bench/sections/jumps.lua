-- SPDX-License-Identifier: MIT
-- Trips where all cells cost the same: jump point search, which wend then chooses itself, compared with its search cell
-- by cell, which a named heuristic selects.

local common, grids = require "common", require "grids"

local maps = { "dao/lak303d", "bg512/AR0300SR", "street/NewYork_0_1024" }
local cells = { heuristic = "octile" }

local function measure(input, count)
  local trips, reference, wend = input:trips(count), input:reference(), input:wend()
  input:release()
  local expected = reference:costs(trips, "dijkstra")
  common.agree(input.name .. ", reference", reference:costs(trips), expected)
  common.agree(input.name .. ", jump points", common.costs(wend, trips), expected)
  common.agree(input.name .. ", cell by cell", common.costs(wend, trips, cells), expected)
  local seconds = common.race {
    { "cells", common.run(wend, trips, cells) },
    { "jumps", common.run(wend, trips) },
  }
  return {
    input.name, count,
    common.round(seconds.cells / count * 1e6, 1),
    common.round(seconds.jumps / count * 1e6, 1),
    common.round(seconds.cells / seconds.jumps, 1),
    common.round(common.expanded(wend, trips, cells) / count, 0),
    common.round(common.expanded(wend, trips) / count, 0),
  }
end

return {
  name = "jumps",
  title = "Trips where all cells cost the same: jump points, and cell by cell (A* on octile distances)",
  run = function()
    grids.print_rows(maps, measure, {
      "map", "trips", "cells µs", "jumps µs", "cells / jumps", "cells expanded", "jump points",
    })
  end,
}
