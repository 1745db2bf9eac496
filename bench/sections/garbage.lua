-- SPDX-License-Identifier: MIT
-- The garbage of 10,000 trips, measured while the collector is stopped.

local common, graphs = require "common", require "graphs"

local TRIPS = 10000

-- Bytes for each trip, after a first round that is not counted.
local function garbage(g, trips, options)
  local function run()
    local path = g.path
    for i = 1, TRIPS do
      local at = 2 * (i % (#trips // 2)) + 1
      path(g, trips[at], trips[at + 1], options)
    end
  end
  return common.garbage(run) / TRIPS
end

return {
  name = "garbage",
  title = ("Lua bytes a trip, over %d trips"):format(TRIPS),
  run = function()
    local rows = {}
    for _, n in ipairs { 1000, 10000 } do
      local input = graphs.geometric(n)
      local trips, g = input:short(100), input:wend()
      rows[#rows + 1] = {
        input.name,
        common.round(garbage(g, trips, { into = {} }), 1),
        common.round(garbage(g, trips, { into = {}, stats = {} }), 1),
        common.round(garbage(g, trips), 1),
      }
    end
    common.print_table({ "input", "into a table", "and stats", "a new path" }, rows)
  end,
}
