-- SPDX-License-Identifier: MIT
-- Random trips: wend from Lua, the reference, Boost and plain Lua.

local common, graphs = require "common", require "graphs"
local plain = require "plain"

local PLAIN_NODES_MOST = 100000 -- a million node tables take more than a gigabyte

local function plain_trips(nodes, trips, scale)
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #trips, 2 do plain.path(nodes[trips[i]], nodes[trips[i + 1]], scale) end
    end
  end
end

local function measure(input, count, plain_count)
  local trips = input:mix(count)
  local reference, boost, wend = input:reference(), input:boost(), input:wend()
  local few = common.first(wend, trips, plain_count)
  local nodes = input.node_count <= PLAIN_NODES_MOST and input:plain()
  local scale = reference:scale()
  input:release()

  local expected = reference:costs(trips)
  common.agree(input.name .. ", wend", common.costs(wend, trips), expected)
  if boost then common.agree(input.name .. ", Boost", boost:costs(trips), expected) end
  if nodes then
    local costs = {}
    for i = 1, #few, 2 do
      costs[#costs + 1] = select(2, plain.path(nodes[few[i]], nodes[few[i + 1]], scale))
    end
    common.agree(input.name .. ", plain Lua", costs, table.move(expected, 1, #costs, 1, {}))
  end

  local contestants = {
    { "reference", common.native_run(reference, trips) },
    { "wend", common.run(wend, trips) },
  }
  if boost then contestants[#contestants + 1] = { "boost", common.native_run(boost, trips) } end
  local seconds = common.race(contestants)
  local few_seconds = nodes and common.race {
    { "plain", plain_trips(nodes, few, scale) },
    { "wend", common.run(wend, few) },
  }

  local _, settled = reference:run(trips)
  local expanded = common.expanded(wend, trips)
  return {
    input.name, count,
    common.round(seconds.reference / count * 1e6, 1),
    common.round(seconds.wend / count * 1e6, 1),
    common.round(seconds.reference / settled * 1e9, 0),
    common.round(seconds.wend / expanded * 1e9, 0),
    common.round(seconds.wend / seconds.reference),
    common.round(boost and seconds.boost / seconds.wend),
    common.round(few_seconds and few_seconds.plain / few_seconds.wend, 1),
  }
end

return {
  name = "path",
  title = "Random trips (ratios above 1 in the last two columns: wend is faster)",
  run = function()
    local rows = {}
    for _, case in ipairs { { 1000, 200 }, { 10000, 100 }, { 100000, 60 }, { 1000000, 20 } } do
      if not (common.quick and case[1] > 100000) then
        rows[#rows + 1] = measure(graphs.geometric(case[1]), case[2], case[1] > 10000 and 5 or 20)
      end
    end
    for _, name in ipairs(graphs.file_names()) do
      rows[#rows + 1] = measure(graphs.from_file(name), 200, 20)
    end
    common.print_table({
      "input", "trips", "reference µs", "wend µs", "reference ns/node", "wend ns/node",
      "wend / reference", "Boost / wend", "plain Lua / wend",
    }, rows)
  end,
}
