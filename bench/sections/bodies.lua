-- SPDX-License-Identifier: MIT
-- Agents with a size: trips that an agent of 3 x 3 cells can make, by agents of 1, 2 and 3, also with an influence
-- layer; the first query of a size, which computes where it fits; and a path of one step after an edit, against the
-- same without a size.

local common, graphs, grids = require "common", require "graphs", require "grids"
local wend = require "wend"

local TRIPS, EDITS = 40, 200
local SIZES = { 2, 3, 9, 32 }

local function trips_of(input, grid)
  math.randomseed(graphs.query_seed)
  local trips, tries = {}, 0
  while #trips < 4 * TRIPS and tries < 100 * TRIPS do
    local x1, y1 = input:open_cell()
    local x2, y2 = input:open_cell()
    local fits = true
    for size = 1, 3 do fits = fits and grid:path(x1, y1, x2, y2, { size = size }) ~= nil end
    if fits then table.move({ x1, y1, x2, y2 }, 1, 4, #trips + 1, trips) end
    tries = tries + 1
  end
  return trips
end

-- Danger at a number of places of a map.
local function danger_of(input, grid)
  local layer = wend.influence(grid)
  for _ = 1, grid:width() * grid:height() / 600 do
    local x, y = input:open_cell()
    layer:stamp(x, y, 8, 1)
  end
  return layer
end

local function run(grid, trips, size, influence)
  return common.run(grid, trips, { size = size, influence = influence })
end

return {
  name = "bodies",
  title = "agents of several cells",
  run = function()
    local rows = {}
    for _, input in ipairs(grids.all({ "bg512/AR0300SR", "wc3maps512/icecrown", "sc1/Aftershock" }, 512)) do
      local grid = input:wend()
      local trips = trips_of(input, grid)
      local count = #trips // 4
      if count > 0 then
        local danger = { danger_of(input, grid), 1 }
        local seconds = common.race {
          { "1", run(grid, trips, nil) }, { "2", run(grid, trips, 2) }, { "3", run(grid, trips, 3) },
          { "1, danger", run(grid, trips, nil, danger) }, { "2, danger", run(grid, trips, 2, danger) },
          { "3, danger", run(grid, trips, 3, danger) },
        }
        rows[#rows + 1] = { input.name, count, common.round(seconds["1"] / count * 1e6),
          common.round(seconds["2"] / seconds["1"], 2), common.round(seconds["3"] / seconds["1"], 2),
          common.round(seconds["1, danger"] / count * 1e6),
          common.round(seconds["2, danger"] / seconds["1, danger"], 2),
          common.round(seconds["3, danger"] / seconds["1, danger"], 2) }
      end
    end
    common.print_table({ "map", "trips", "µs a trip, size 1", "size 2, ratio", "size 3, ratio", "µs with influence",
      "size 2", "size 3" }, rows)

    local grid = wend.grid(512, 512)
    math.randomseed(graphs.seed)
    for _ = 1, 26000 do grid:close(math.random(512), math.random(512)) end
    local empty = wend.grid(512, 512)
    rows = {}
    for _, size in ipairs(SIZES) do
      local function edits(options)
        return function(repeats)
          for _ = 1, repeats do
            for i = 1, EDITS do
              grid:set(300 + i, 200, i % 2 == 0 and 1)
              grid:path(400, 400, 401, 400, options)
              grid:set(300 + i, 200, 1)
              grid:path(400, 400, 401, 400, options)
            end
          end
        end
      end
      local function first(options)
        return function(repeats)
          for _ = 1, repeats do empty:copy():path(400, 400, 401, 400, options) end
        end
      end
      local seconds = common.race {
        { "first", first { size = size } }, { "plain first", first() },
        { "edits", edits { size = size } }, { "plain edits", edits() },
      }
      rows[#rows + 1] = { size, common.round((seconds.first - seconds["plain first"]) * 1e3, 2),
        common.round((seconds.edits - seconds["plain edits"]) / (2 * EDITS) * 1e6, 2) }
    end
    print()
    common.print_table({ "size", "ms for 512 x 512 cells", "µs after an edit" }, rows)
  end,
}
