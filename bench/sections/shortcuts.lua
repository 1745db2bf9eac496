-- SPDX-License-Identifier: MIT
-- Maps with cheap edges, which no straight distance tells: random edges of weight 0 on a level, and edges of weight 0
-- among the shortest tenth of a road network. The estimates know up to 128 such edges; beyond that there are none.

local common, graphs = require "common", require "graphs"

-- A level: 60 x 60 nodes, each joined to its neighbours.
local function level(side)
  local g = require("wend").graph()
  for i = 0, side * side - 1 do g:add_node(i % side * 10, i // side * 10) end
  for i = 1, side * side do
    if i % side ~= 0 then g:add_edge(i, i + 1) end
    if i + side <= side * side then g:add_edge(i, i + side) end
  end
  return g
end

local function level_with(side, count)
  local g = level(side)
  math.randomseed(graphs.seed)
  for _ = 1, count do g:add_edge(math.random(side * side), math.random(side * side), { weight = 0 }) end
  return g
end

-- The roads of a file, where `count` of the shortest tenth of the edges have weight 0.
local function roads_with(name, count)
  local g, lengths = graphs.from_file(name).wend_graph, {}
  for edge, _, _, weight in g:edges() do lengths[#lengths + 1] = { edge = edge, weight = weight } end
  table.sort(lengths, function(a, b)
    if a.weight ~= b.weight then return a.weight < b.weight end
    return a.edge < b.edge
  end)
  math.randomseed(graphs.seed)
  for k = 1, count do
    local other = math.random(k, #lengths // 10)
    lengths[k], lengths[other] = lengths[other], lengths[k]
    g:set_weight(lengths[k].edge, 0)
  end
  return g
end

-- One row for each number of edges. make(count): the map.
local function measure(name, make, counts, trip_count)
  local rows, trips, first = {}, {}, nil
  for _, count in ipairs(counts) do
    local g = make(count)
    if #trips == 0 then
      math.randomseed(graphs.query_seed)
      while #trips < 2 * trip_count do
        local from, to = math.random(g:node_count()), math.random(g:node_count())
        if g:can_reach(from, to) then trips[#trips + 1], trips[#trips + 2] = from, to end
      end
    end
    common.agree(name, common.costs(g, trips), common.costs(g, trips, { algorithm = "dijkstra" }))
    local seconds = common.race {
      { "wend", common.run(g, trips) },
      { "dijkstra", common.run(g, trips, { algorithm = "dijkstra" }) },
    }
    local stats = {}
    g:path(trips[1], trips[2], { stats = stats })
    first = first or seconds.wend
    rows[#rows + 1] = {
      name, count, stats.shortcuts or 0, common.round(common.expanded(g, trips) / trip_count, 0),
      common.round(seconds.wend / trip_count * 1e6, 1), common.round(seconds.wend / first),
      common.round(seconds.dijkstra / seconds.wend, 1),
    }
  end
  return rows
end

return {
  name = "shortcuts",
  title = "Maps with cheap edges: edges of weight 0, and the ways through them that estimates know",
  run = function()
    local counts, rows = common.quick and { 0, 16, 17 } or { 0, 1, 16, 17, 40, 64, 113, 200 }, {}
    local function add(name, make, trip_count)
      for _, row in ipairs(measure(name, make, counts, trip_count)) do rows[#rows + 1] = row end
    end
    add("level 900", function(count) return level_with(30, count) end, 300)
    if not common.quick then add("level 3,600", function(count) return level_with(60, count) end, 300) end
    for _, name in ipairs(graphs.file_names()) do
      if name == "porto" and not common.quick then
        add(name, function(count) return roads_with(name, count) end, 200)
      end
    end
    common.print_table(
      { "map", "edges", "ways known", "expanded", "µs", "time / without edges", "Dijkstra / wend" }, rows)
  end,
}
