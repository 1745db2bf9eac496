-- SPDX-License-Identifier: MIT
-- The nearest node and edge: wend from Lua compared with a scan and a k-d tree in C, nanoflann, and Boost's R-tree; the
-- time for building and updating the index.

local common, graphs, places = require "common", require "graphs", require "places"
local has_nanoflann, nanoflann = pcall(require, "wend_bench_nanoflann")
local has_boost, boost = pcall(require, "wend_bench_boost_rtree")

local function micro(seconds, count, digits) return seconds and common.round(seconds / count * 1e6, digits or 2) end

local function first(list, count, dimensions) return table.move(list, 1, count * dimensions, 1, {}) end

local peers = { { "nanoflann", has_nanoflann and nanoflann }, { "boost", has_boost and boost } }

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
    for _, peer in ipairs(peers) do
      local made = peer[2] and peer[2].points(dimensions, input.points)
      if made then
        places.agree(input.name .. ", " .. peer[1], points, checked, dimensions, made, made.nearest)
        if list == around then
          contestants[#contestants + 1] = { peer[1], places.run(made, made.nearest, around, dimensions) }
        end
      end
    end
  end
  local nodes = input.node_count
  input:release()
  local seconds = common.race(contestants)
  local scan, wend = seconds.scan / scan_count, seconds.wend / count
  return {
    input.name, nodes, micro(seconds.scan, scan_count, 1), micro(seconds["tree at once"], count),
    micro(seconds.tree, count), micro(seconds.nanoflann, count) or "-", micro(seconds.boost, count) or "-",
    micro(seconds.wend, count), micro(seconds["wend anywhere"], count),
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

-- ---- Other questions --------------------------------------------------------------------------
local function forms(input, count, scan_count)
  local dimensions, points, g = input.dimensions, places.points(input), input:wend()
  local around, off = places.around(input, points, count)
  local few = first(around, scan_count, dimensions)
  local segments, ends = places.segments(input)
  local by_boost = has_boost and dimensions == 2 and boost.segments(ends)
  places.agree(input.name .. ", edges", segments, few, dimensions, g, function(...)
    local found = table.pack(g.nearest_edge(...))
    return found[1], found[found.n]
  end)
  if by_boost then
    places.agree(input.name .. ", Boost", segments, few, dimensions, by_boost, by_boost.nearest)
  end
  places.agree_many(input.name .. ", k", points, few, dimensions, 8, g)

  math.randomseed(graphs.query_seed)
  local goal = math.random(input.node_count)
  local field, outward = g:field(goal), g:field(goal, { outward = true })
  local kinds = {
    { "a node", {}, "nearest", function(repeats) points:run(few, "scan", 1, repeats) end,
      places.run(points, points.nearest, around, dimensions) },
    { "max_distance, found", { max_distance = 4 * off }, "nearest" },
    { "max_distance, mostly none", { max_distance = off / 8 }, "nearest" },
    { "k = 8", { limit = 8 }, "nearest", function(repeats) points:run(few, "scan", 8, repeats) end,
      function(repeats) points:run(around, "tree", 8, repeats) end },
    { "clear, free", { clear = function() return true end }, "nearest" },
    { "can_reach a field", { can_reach = field }, "nearest" },
    { "reachable_from a field", { reachable_from = outward }, "nearest" },
    { "can_reach a node", { can_reach = goal }, "nearest", few = true },
    { "reachable_from a node", { reachable_from = goal }, "nearest", few = true },
    { "an edge", {}, "nearest_edge", function(repeats) segments:run(few, repeats) end,
      by_boost and places.run(by_boost, by_boost.nearest, around, dimensions) },
    { "an edge, max_distance", { max_distance = 4 * off }, "nearest_edge" },
    { "an edge, clear, free", { clear = function() return true end }, "nearest_edge" },
    { "an edge, can_reach a field", { can_reach = field }, "nearest_edge" },
  }
  local contestants, rows = {}, {}
  for _, kind in ipairs(kinds) do
    local name, options, call, scan, tree = table.unpack(kind)
    local list = kind.few and few or around
    contestants[#contestants + 1] = { name, places.run(g, g[call], list, dimensions, next(options) and options) }
    if scan then contestants[#contestants + 1] = { name .. ", scan", scan } end
    if tree then contestants[#contestants + 1] = { name .. ", tree", tree } end
  end
  input:release()
  local seconds = common.race(contestants)
  for i, kind in ipairs(kinds) do
    local name = kind[1]
    local wend = seconds[name] / (kind.few and scan_count or count)
    local scan, tree = seconds[name .. ", scan"], seconds[name .. ", tree"]
    rows[i] = {
      name, micro(wend, 1), scan and micro(scan, scan_count, 1) or "-", tree and micro(tree, count) or "-",
      scan and common.round(scan / scan_count / wend, 0) or "-",
    }
  end
  common.print_table({ "on " .. input.name, "wend µs", "scan µs", "tree µs", "scan / wend" }, rows)
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
  for _, peer in ipairs(peers) do
    local made = peer[2] and peer[2].points(dimensions, input.points)
    if made then contestants[#contestants + 1] = { peer[1], function() made:build(1) end } end
  end
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
    input.name, nano(seconds.first - warm, count), nano(seconds.tree, count), nano(seconds.nanoflann, count),
    nano(seconds.boost, count), common.round((after - before + edge_after - edge_bytes) / count, 1),
    nano(seconds["first edge"], edges),
    edges > 0 and common.round((after_both - after + edge_after_both - edge_after) / edges, 1) or "-",
  }
end

-- ---- Updating the index -----------------------------------------------------------------------

-- New positions of `count` random nodes, in a flat list of node, x, y[, z]. `step`: the greatest move; nil: to
-- anywhere.
local function moves_of(input, count, step)
  local moves, dimensions = {}, input.dimensions
  local somewhere = not step and places.anywhere(input, count)
  math.randomseed(graphs.query_seed)
  for i = 1, count do
    local node = math.random(input.node_count)
    moves[#moves + 1] = node
    for d = 1, dimensions do
      moves[#moves + 1] = somewhere and somewhere[dimensions * (i - 1) + d]
        or input.points[dimensions * (node - 1) + d] + step * (2 * math.random() - 1)
    end
  end
  return moves
end

local function apply(g, moves, dimensions)
  local move = g.move
  for i = 1, #moves, dimensions + 1 do
    move(g, moves[i], moves[i + 1], moves[i + 2], dimensions == 3 and moves[i + 3] or nil)
  end
end

local function keeping(input, share)
  local dimensions, count = input.dimensions, math.floor(input.node_count * share)
  local points = places.points(input)
  local around, off = places.around(input, points, 1000)
  local x, y, z = table.unpack(around, 1, dimensions)
  local rows = {}
  for _, kind in ipairs { { "a step", 2 * off }, { "anywhere" } } do
    local moves = moves_of(input, count, kind[2])
    local function ready()
      local g = input:wend()
      g:path(1, 2)
      return g
    end
    local function indexed()
      local g = ready()
      g:nearest(x, y, z)
      return g
    end
    local function moved(g) apply(g, moves, dimensions) end
    local without = common.time_once({ { "moves", moved } }, ready).moves
    local with = common.time_once({ { "moves", moved } }, indexed).moves
    local in_turns = common.time_once({ { "moves", function(g)
      local move, nearest = g.move, g.nearest
      for i = 1, #moves, dimensions + 1 do
        move(g, moves[i], moves[i + 1], moves[i + 2], dimensions == 3 and moves[i + 3] or nil)
        nearest(g, x, y, z)
      end
    end } }, indexed).moves

    -- the time of later questions, and whether the answers are right
    local fresh, stirred = indexed(), indexed()
    moved(stirred)
    local once = os.clock()
    stirred:nearest(x, y, z)
    once = os.clock() - once
    local at = table.move(input.points, 1, #input.points, 1, {})
    for i = 1, #moves, dimensions + 1 do
      table.move(moves, i + 1, i + dimensions, dimensions * (moves[i] - 1) + 1, at)
    end
    local there = require("wend_bench_reference_nearest").points(dimensions, at)
    places.agree(input.name .. ", moved", there, first(around, 200, dimensions), dimensions, stirred, stirred.nearest)
    local rebuilt = require("wend").graph { dimensions = dimensions }
    rebuilt:add_nodes(at)
    local seconds = common.race {
      { "before", places.run(fresh, fresh.nearest, around, dimensions) },
      { "after", places.run(stirred, stirred.nearest, around, dimensions) },
      { "new index", places.run(rebuilt, rebuilt.nearest, around, dimensions) },
    }
    rows[#rows + 1] = {
      ("%s, %d %% %s"):format(input.name, share * 100, kind[1]),
      common.round(without / count * 1e9, 0), common.round(with / count * 1e9, 0),
      common.round((in_turns - with) / count * 1e6), common.round(once * 1e6, 1),
      micro(seconds.before, 1000), micro(seconds.after, 1000), micro(seconds["new index"], 1000),
    }
  end
  return rows
end

-- Nodes are added and removed; where there is an index, a question follows each.
local function coming(input, count)
  local dimensions, points = input.dimensions, places.points(input)
  local around = places.around(input, points, count)
  local x, y, z = table.unpack(around, 1, dimensions)
  local function ready()
    local g = input:wend()
    g:path(1, 2)
    return g
  end
  local plain, indexed = ready(), ready()
  local function nothing() end
  local function come_and_go(g, ask)
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #around, dimensions do
          local node = g:add_node(around[i], around[i + 1], dimensions == 3 and around[i + 2] or nil)
          ask(g, x, y, z)
          g:remove_node(node)
          ask(g, x, y, z)
        end
      end
    end
  end
  local seconds = common.race {
    { "no index", come_and_go(plain, nothing) },
    { "asked", come_and_go(indexed, indexed.nearest) },
    { "questions", function(repeats)
      for _ = 1, 2 * repeats * count do indexed:nearest(x, y, z) end
    end },
  }
  local function nano(taken) return common.round(taken / count * 1e9, 0) end
  return { input.name, nano(seconds["no index"]), nano(seconds.asked), nano(seconds.asked - seconds.questions) }
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
      "input", "nodes", "scan µs", "tree at once", "tree µs", "nanoflann µs", "Boost µs", "wend µs", "wend, anywhere",
      "scan / wend", "wend / tree",
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
      "making the index, ns a node", "wend", "k-d tree", "nanoflann", "Boost", "bytes a node", "of edges, ns an edge",
      "bytes an edge",
    }, rows)
    print()

    rows = {}
    for _, case in ipairs {
      { graphs.cloud(size, 2), 0.1 }, { graphs.geometric(size), 0.1 }, { graphs.geometric(size), 3 },
    } do
      for _, row in ipairs(keeping(case[1], case[2])) do rows[#rows + 1] = row end
    end
    common.print_table({
      "nodes that move", "ns a move, no index", "with index", "+ asked after each, µs", "first question, µs",
      "nearest before, µs", "after", "in a new index",
    }, rows)
    print()
    common.print_table({ "a node added and removed, ns", "no index", "asked after each", "without the questions" }, {
      coming(graphs.cloud(size, 2), 1000), coming(graphs.geometric(size), 1000),
    })
  end,
}
