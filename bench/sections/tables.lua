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

-- Compares all pairs of some columns with fields, and the paths of trips with searches.
local function check(name, g, routes, nodes, trips)
  local function refuse(a, b, what, cost, expected)
    error(("%s: from %d to %d %s %s, and by search %s"):format(name, a, b, what, cost, expected), 0)
  end
  local function same(a, b) return a == b or a and b and math.abs(a - b) <= 1e-9 * math.abs(b) end
  for i = 1, #nodes, math.max(1, #nodes // 40) do
    local to = nodes[i]
    local field = g:field(to)
    for _, from in ipairs(nodes) do
      local cost, expected = routes:cost(from, to), field:cost(from)
      if not same(cost, expected) then refuse(from, to, "costs", cost, expected) end
    end
  end
  for i = 1, #trips, 2 do
    local from, to = trips[i], trips[i + 1]
    local path, expected = assert(routes:path(from, to)), assert(g:path(from, to))
    local sum = 0
    for _, part in ipairs(path:explain()) do sum = sum + part.cost end
    if not same(path.cost, expected.cost) then refuse(from, to, "the path costs", path.cost, expected.cost) end
    if not same(sum, path.cost) then refuse(from, to, "adds up to", sum, path.cost) end
    if path[1] ~= from or path[#path] ~= to then refuse(from, to, "leads from", path[1], path[#path]) end
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

local function nexts(routes, trips)
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #trips, 2 do routes:next(trips[i], trips[i + 1]) end
    end
  end
end

local function costs(routes, trips)
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #trips, 2 do routes:cost(trips[i], trips[i + 1]) end
    end
  end
end

local function row(input, trip_count)
  local trips, g, nodes = input:mix(trip_count), input:wend(), {}
  local name, arcs = input.name, input:arc_count()
  input:release()
  for node in g:nodes() do nodes[#nodes + 1] = node end
  local routes = g:routes()
  check(name, g, routes, nodes, common.first_pairs(trips, 200))
  local steps = 0
  for i = 1, #trips, 2 do steps = steps + #routes:path(trips[i], trips[i + 1]) - 1 end
  local making = common.time_once {
    { "table", function() g:routes() end },
    { "fields", fields(g, nodes) },
  }
  local seconds = common.race {
    { "search", common.wend_trips(g, trips) },
    { "table", table_trips(routes, trips) },
    { "next", nexts(routes, trips) },
    { "cost", costs(routes, trips) },
  }
  local all = #nodes * #nodes
  local function micro(taken) return common.round(taken / trip_count * 1e6) end
  return {
    name, #nodes, arcs, common.round(routes:bytes() / 1000, 1), common.round(routes:bytes() / all),
    common.round(#routes:encode() / all), common.round(making.table * 1e3, 1), common.round(making.fields * 1e3, 1),
    common.round(making.table / making.fields), common.round(steps / trip_count, 1), micro(seconds.search),
    micro(seconds.table), common.round(seconds.search / seconds.table, 1), micro(seconds.next), micro(seconds.cost),
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
      "search µs", "path µs", "search / path", "next µs", "cost µs",
    }, rows)
  end,
}
