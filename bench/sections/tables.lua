-- SPDX-License-Identifier: MIT
-- Route tables: bytes for each pair, making one compared with a field of each node, and paths by table compared with
-- searches.

local common, graphs = require "common", require "graphs"

-- Makes a field of each node, in the same field object: one Dijkstra for each node, and nothing else.
local function fields(g, nodes)
  local options = { into = g:field(nodes[1]) }
  return function()
    for _, node in ipairs(nodes) do g:field(node, options) end
  end
end

local function table_trips(routes, trips)
  local options = { into = {} }
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #trips, 2 do routes:path(trips[i], trips[i + 1], options) end
    end
  end
end

local function row(input, trip_count)
  local trips, g, nodes = input:mix(trip_count), input:wend(), {}
  local name, arcs = input.name, input:arc_count()
  input:release()
  for node in g:nodes() do nodes[#nodes + 1] = node end
  local routes = g:routes()
  local by_table = {}
  for i = 1, #trips, 2 do by_table[#by_table + 1] = assert(routes:path(trips[i], trips[i + 1])).cost end
  common.agree(name, by_table, common.costs(g, trips))
  local steps = 0
  for i = 1, #trips, 2 do steps = steps + #routes:path(trips[i], trips[i + 1]) - 1 end
  local making = common.time_once {
    { "table", function() g:routes() end },
    { "fields", fields(g, nodes) },
  }
  local seconds = common.race {
    { "search", common.run(g, trips) },
    { "table", table_trips(routes, trips) },
  }
  local all = #nodes * #nodes
  local function micro(taken) return common.round(taken / trip_count * 1e6) end
  return {
    name, #nodes, arcs, common.round(routes:bytes() / 1000, 1), common.round(routes:bytes() / all),
    common.round(#routes:encode() / all), common.round(making.table * 1e3, 1), common.round(making.fields * 1e3, 1),
    common.round(making.table / making.fields), common.round(steps / trip_count, 1), micro(seconds.search),
    micro(seconds.table), common.round(seconds.search / seconds.table, 1),
  }
end

return {
  name = "tables",
  title = "Route tables (fields: one of each node, into the same)",
  run = function()
    local rows = {}
    for _, n in ipairs { 40, 100 } do rows[#rows + 1] = row((graphs.connected(n)), 200) end
    for _, n in ipairs(common.quick and { 500 } or { 500, 2000 }) do rows[#rows + 1] = row(graphs.geometric(n), 500) end
    if not common.quick then rows[#rows + 1] = row(graphs.geometric(2000, true), 500) end
    for i, name in ipairs(graphs.bot_names()) do
      if i == 1 or not common.quick then rows[#rows + 1] = row(graphs.from_file(name), 500) end
    end
    common.print_table({
      "graph", "nodes", "arcs", "kB", "bytes a pair", "in a file", "made in ms", "fields ms", "made / fields", "steps",
      "search µs", "path µs", "search / path",
    }, rows)
  end,
}
