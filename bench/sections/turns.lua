-- SPDX-License-Identifier: MIT
-- Trips whose costs are counted in turns, against the same search cell by cell without turns: over plain grids, and
-- over grids with a wall. And the bytes for each cell of an overlay that hides the map.

local common, grids = require "common", require "grids"
local wend = require "wend"

local maps = {
  "dao/lak303d", "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown", "street/NewYork_0_1024",
  "random/random512-20-0", "rooms/32room_000",
}
local PER_TURN = 6

local function measure(input, count)
  local trips = input:trips(count)
  local map = input:wend()
  input:release()
  local walled = map:copy():wall(1, 1, 2, 1)
  local plain = { heuristic = "octile" }
  local turns = { heuristic = "octile", per_turn = PER_TURN }
  local seconds = common.race {
    { "plain", common.run(map, trips, plain) }, { "turns", common.run(map, trips, turns) },
    { "walled", common.run(walled, trips, plain) }, { "walled turns", common.run(walled, trips, turns) },
  }
  return {
    input.name, count,
    common.round(seconds.plain / count * 1e6, 1),
    common.round(seconds.turns / seconds.plain, 2),
    common.round(common.expanded(map, trips, turns) / common.expanded(map, trips, plain), 2),
    common.round(seconds["walled turns"] / seconds.walled, 2),
  }
end

-- Bytes for each cell of an overlay in which nothing was seen, and after a sixteenth of the map was revealed.
local function measure_fog(side)
  local overlay = wend.grid(side, side):overlay { unknown = 1.5 }
  local hidden = overlay:bytes()
  overlay:reveal(1, 1, side, side // 16)
  return { ("%d x %d"):format(side, side), common.round(hidden / side ^ 2), common.round(overlay:bytes() / side ^ 2) }
end

return {
  name = "turns",
  title = "Trips in turns of 6 points, as multiples of the trips cell by cell without turns",
  run = function()
    grids.print_rows(maps, measure, {
      "map", "trips", "µs", "turns", "cells expanded", "with a wall",
    })
    local rows = {}
    for _, side in ipairs(common.quick and { 256 } or { 512, 1024 }) do rows[#rows + 1] = measure_fog(side) end
    common.print_table({ "fog, a cell", "bytes, nothing seen", "bytes, a sixteenth seen" }, rows)
  end,
}
