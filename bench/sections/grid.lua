-- SPDX-License-Identifier: MIT
-- Trips over terrain: wend from Lua, the reference, libtcod and plain Lua.

local common, grids = require "common", require "grids"
local plain = require "plain"

local maps = { "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown" }

local function plain_costs(input, trips)
  local costs = {}
  for i = 1, #trips, 4 do
    local path, cost = plain.grid_path(input, trips[i], trips[i + 1], trips[i + 2], trips[i + 3], input.least)
    costs[#costs + 1] = path and cost or math.huge
  end
  return costs
end

local function sum_of(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum
end

local function measure(input, count, few_count)
  local trips, few = input:trips(count), input:trips(few_count)
  local reference, wend, libtcod = input:reference(), input:wend(), input:libtcod()
  local by_tag, profile = input:wend_by_tag()

  local expected, few_expected = reference:costs(trips, "dijkstra"), reference:costs(few, "dijkstra")
  common.agree(input.name .. ", reference", reference:costs(trips), expected)
  common.agree(input.name .. ", wend", common.costs(wend, trips), expected)
  common.agree(input.name .. ", by tag", common.costs(by_tag, trips, { costs = profile }), expected)
  common.agree(input.name .. ", plain Lua", plain_costs(input, few), few_expected)

  local seconds = common.race {
    { "reference", function(repeats) reference:run(trips, "flat", repeats) end },
    { "wend", common.run(wend, trips) },
    { "by tag", common.run(by_tag, trips, { costs = profile }) },
  }
  local contestants = {
    { "wend", common.run(wend, few) },
    { "plain", function(repeats) for _ = 1, repeats do plain_costs(input, few) end end },
  }
  if libtcod then
    contestants[3] = { "libtcod", function(repeats) libtcod:run(few, repeats) end }
  end
  local few_seconds = common.race(contestants)

  local _, settled = reference:run(trips)
  local dearer = libtcod and sum_of(libtcod:costs(few)) / sum_of(few_expected) - 1
  return {
    input.name, count,
    common.round(seconds.reference / count * 1e6, 0),
    common.round(seconds.wend / count * 1e6, 0),
    common.round(seconds.reference / settled * 1e9, 1),
    common.round(seconds.wend / common.expanded(wend, trips) * 1e9, 1),
    common.round(seconds.wend / seconds.reference),
    common.round(seconds["by tag"] / seconds.wend),
    common.round(libtcod and few_seconds.libtcod / few_seconds.wend, 1),
    common.round(dearer and 100 * dearer, 3),
    common.round(few_seconds.plain / few_seconds.wend, 0),
  }
end

return {
  name = "grid",
  title = "Trips over terrain of weights 1 to 5 (libtcod: its callback; what its paths cost too much in %)",
  run = function()
    local rows = {}
    for _, input in ipairs(grids.all(common.quick and {} or maps, 512)) do
      rows[#rows + 1] = measure(input:terrain(), common.quick and 10 or 60, common.quick and 2 or 6)
    end
    common.print_table({
      "map", "trips", "reference µs", "wend µs", "reference ns/cell", "wend ns/cell", "wend / reference",
      "tags / weights", "libtcod / wend", "its paths +%", "plain Lua / wend",
    }, rows)
  end,
}
