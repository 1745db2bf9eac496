-- SPDX-License-Identifier: MIT
-- Trips over hexes, compared with trips over squares of the same map, cell by cell: a named heuristic leaves jump
-- points out.

local common, grids = require "common", require "grids"
local wend = require "wend"

local cells = { heuristic = "octile" }

local function make(input, options)
  return wend.grid(input.width, input.height, options):map(function(x, y)
    return input.weights[(y - 1) * input.width + x]
  end)
end

-- The trips that both maps have.
local function common_trips(input, count, hexes, squares)
  local trips, all = {}, input:trips(count)
  for i = 1, #all, 4 do
    local x1, y1, x2, y2 = table.unpack(all, i, i + 3)
    if hexes:can_reach(x1, y1, x2, y2) and squares:can_reach(x1, y1, x2, y2) then
      table.move(all, i, i + 3, #trips + 1, trips)
    end
  end
  return trips
end

local function measure(input, most)
  local hexes, squares = make(input, { shape = "hex" }), make(input, { diagonals = "always" })
  local trips = common_trips(input, most, hexes, squares)
  local count = #trips / 4
  input:release()
  common.agree(input.name, common.costs(hexes, trips), common.costs(hexes, trips, { heuristic = "zero" }))
  local seconds = common.race {
    { "hexes", common.run(hexes, trips) },
    { "squares", common.run(squares, trips, cells) },
  }
  local over_hexes, over_squares = common.expanded(hexes, trips) / count, common.expanded(squares, trips, cells) / count
  return {
    input.name, count,
    common.round(seconds.hexes / count * 1e6, 1), common.round(seconds.squares / count * 1e6, 1),
    common.round(seconds.hexes / seconds.squares, 2),
    common.round(over_hexes, 0), common.round(over_squares, 0),
    common.round(seconds.hexes / seconds.squares * over_squares / over_hexes, 2),
  }
end

return {
  name = "hexes",
  title = "Trips over hexes, and over squares with diagonals = \"always\" without jump points",
  run = function()
    local rows, count, open = {}, common.quick and 20 or 200, grids.speckled(256, 0)
    open.name = "open256"
    for _, input in ipairs {
      open, grids.speckled(256, 0.3), grids.made(512), grids.made(512):terrain(),
      grids.made(512):scattered(),
    } do
      rows[#rows + 1] = measure(input, count)
    end
    common.print_table({ "map", "trips", "hexes µs", "squares µs", "hexes / squares", "hexes expanded",
      "squares expanded", "a cell" }, rows)
  end,
}
