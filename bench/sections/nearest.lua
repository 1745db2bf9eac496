-- SPDX-License-Identifier: MIT
-- The nearest node and edge: wend from Lua compared with a scan and a k-d tree in C; building the index.

local common, graphs, places = require "common", require "graphs", require "places"

local function micro(seconds, count, digits) return seconds and common.round(seconds / count * 1e6, digits or 2) end

local function first(list, count, dimensions) return table.move(list, 1, count * dimensions, 1, {}) end

-- ---- One node ---------------------------------------------------------------------------------
local function one(input, count, scan_count)
  local dimensions, points, g = input.dimensions, places.points(input), input:wend()
  local around, anywhere = places.around(input, points, count), places.anywhere(input, count)
  local few = first(around, scan_count, dimensions)
  local contestants = {
    { "scan", function(repeats) points:run(few, "scan", 1, repeats) end },
    { "tree at once", function(repeats) points:run(around, "tree", 1, repeats) end },
    { "tree", places.run(points, points.nearest, around, dimensions) },
    { "wend", places.run(g, g.nearest, around, dimensions) },
    { "wend anywhere", places.run(g, g.nearest, anywhere, dimensions) },
  }
  for _, list in ipairs { around, anywhere } do
    local checked = first(list, math.min(count, 2000000 // input.node_count), dimensions)
    places.agree(input.name .. ", tree", points, checked, dimensions, points, points.nearest)
    places.agree(input.name .. ", wend", points, checked, dimensions, g, g.nearest)
  end
  local nodes = input.node_count
  input:release()
  local seconds = common.race(contestants)
  local scan, wend = seconds.scan / scan_count, seconds.wend / count
  return {
    input.name, nodes, micro(seconds.scan, scan_count, 1), micro(seconds["tree at once"], count),
    micro(seconds.tree, count), micro(seconds.wend, count), micro(seconds["wend anywhere"], count),
    common.round(scan / wend, 0), common.round(wend / (seconds.tree / count)),
  }
end

local function inputs()
  local list = {
    function() return graphs.geometric(1000) end,
    function() return graphs.geometric(10000) end,
    function() return graphs.geometric(100000) end,
    function() return graphs.cloud(100000, 2) end,
    function() return graphs.cloud(100000, 2, true) end,
    function() return graphs.cloud(100000, 3) end,
    function() return graphs.cloud(100000, 3, true) end,
  }
  if not common.quick then list[#list + 1] = function() return graphs.geometric(1000000) end end
  for _, name in ipairs(graphs.file_names()) do
    list[#list + 1] = function() return graphs.from_file(name) end
  end
  return list
end

-- ---- An edge, and a node from which a goal can be reached ----------------------------------------

local function forms(input, count, scan_count)
  local dimensions, points, g = input.dimensions, places.points(input), input:wend()
  local around = places.around(input, points, count)
  local few, segments = first(around, scan_count, dimensions), places.segments(input)
  places.agree(input.name .. ", edges", segments, few, dimensions, g, function(...)
    local found = table.pack(g.nearest_edge(...))
    return found[1], found[found.n]
  end)
  math.randomseed(graphs.query_seed)
  local goal = math.random(input.node_count)
  local field = g:field(goal)
  local name = input.name
  input:release()
  local seconds = common.race {
    { "edge", places.run(g, g.nearest_edge, around, dimensions) },
    { "scan", function(repeats) segments:run(few, repeats) end },
    { "field", places.run(g, g.nearest, around, dimensions, { can_reach = field }) },
    { "node", places.run(g, g.nearest, few, dimensions, { can_reach = goal }) },
  }
  local scan = seconds.scan / scan_count
  common.print_table({ "on " .. name, "wend µs", "scan µs", "scan / wend" }, {
    { "an edge", micro(seconds.edge, count), micro(scan, 1, 1), common.round(scan / (seconds.edge / count), 0) },
    { "can_reach a field", micro(seconds.field, count), "-", "-" },
    { "can_reach a node", micro(seconds.node, scan_count), "-", "-" },
  })
end

-- ---- Building the index -----------------------------------------------------------------------

-- The time of the first question minus that of a later one, in a graph that was searched before.
local function making(input)
  local dimensions, points, count = input.dimensions, places.points(input), input.node_count
  local place = table.pack(table.unpack(input.points, 1, dimensions))
  local edges = #input.from
  local function ready()
    local g = input:wend()
    g:path(1, 2)
    return g
  end
  local function nearest(g) g:nearest(table.unpack(place)) end
  local function nearest_edge(g) g:nearest_edge(table.unpack(place)) end
  local contestants = { { "first", nearest }, { "tree", function() points:build(1) end } }
  if edges > 0 then contestants[#contestants + 1] = { "first edge", nearest_edge } end
  local seconds = common.time_once(contestants, ready)
  local g = ready()
  local before, edge_bytes = g:bytes()
  nearest(g)
  local after, edge_after = g:bytes()
  nearest_edge(g)
  local after_both, edge_after_both = g:bytes()
  local warm = common.race { { "warm", function(repeats) for _ = 1, repeats do nearest(g) end end } }.warm
  local function nano(seconds_taken, of) return seconds_taken and common.round(seconds_taken / of * 1e9, 0) or "-" end
  return {
    input.name, nano(seconds.first - warm, count), nano(seconds.tree, count),
    common.round((after - before + edge_after - edge_bytes) / count, 1),
    nano(seconds["first edge"], edges),
    edges > 0 and common.round((after_both - after + edge_after_both - edge_after) / edges, 1) or "-",
  }
end

return {
  name = "nearest",
  title = "The nearest (trees and wend called from Lua once a place, but for 'at once')",
  run = function()
    local rows = {}
    for _, make in ipairs(inputs()) do
      local input = make()
      rows[#rows + 1] = one(input, 1000, math.max(10, math.min(500, 10000000 // input.node_count)))
    end
    common.print_table({
      "input", "nodes", "scan µs", "tree at once", "tree µs", "wend µs", "wend, anywhere", "scan / wend", "wend / tree",
    }, rows)
    print()
    forms(graphs.geometric(common.quick and 10000 or 100000), 1000, common.quick and 100 or 50)
    print()

    local size = common.quick and 10000 or 100000
    rows = {}
    for _, input in ipairs {
      graphs.geometric(size), graphs.cloud(size, 2), graphs.cloud(size, 2, true), graphs.cloud(size, 3),
    } do
      rows[#rows + 1] = making(input)
    end
    common.print_table({
      "making the index, ns a node", "wend", "k-d tree", "bytes a node", "of edges, ns an edge", "bytes an edge",
    }, rows)
  end,
}
