-- SPDX-License-Identifier: MIT
-- The test of Hoxley's article: 10,000 random trips on a graph of 40 vertices. Each trip has a path.

local common, graphs = require "common", require "graphs"
local plain = require "plain"

local VERTICES, TRIPS = 40, 10000

return {
  name = "article",
  title = "10,000 random trips on 40 vertices",
  run = function()
    local input, seed = graphs.connected(VERTICES)
    math.randomseed(graphs.query_seed)
    local trips = {}
    for i = 1, 2 * TRIPS do trips[i] = math.random(VERTICES) end
    local g, reference, nodes = input:wend(), input:reference(), input:plain()
    local expected = reference:costs(trips)
    local failed = 0
    for i = 1, #trips, 2 do
      if not g:path(trips[i], trips[i + 1]) then failed = failed + 1 end
    end
    assert(failed == 0, failed .. " trips failed")
    common.agree("article", common.costs(g, trips), expected)
    local seconds = common.race {
      { "reference", common.native_run(reference, trips) },
      { "wend", common.run(g, trips) },
      { "wend, dijkstra", common.run(g, trips, { algorithm = "dijkstra" }) },
      { "plain Lua", function(repeats)
        for _ = 1, repeats do
          for i = 1, #trips, 2 do plain.path(nodes[trips[i]], nodes[trips[i + 1]], 1) end
        end
      end },
    }
    print(("  connected random geometric graph of seed %d, trips of seed %d; %d failed")
      :format(seed, graphs.query_seed, failed))
    local rows = {}
    for _, name in ipairs { "reference", "wend", "wend, dijkstra", "plain Lua" } do
      rows[#rows + 1] = {
        name, common.round(seconds[name] / TRIPS * 1e6), common.round(TRIPS / seconds[name], 0),
      }
    end
    common.print_table({ "contestant", "µs a trip", "trips a second" }, rows)
  end,
}
