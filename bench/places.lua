-- SPDX-License-Identifier: MIT
-- Places to ask about, as flat lists; what is nearest to them; and whether contestants agree on it.

local graphs = require "graphs"
local reference = require "wend_bench_reference_nearest"

local places = {}

-- How far it is from a node to the next, on an average of 500.
local function spacing(input, points)
  local some, dimensions = {}, input.dimensions
  for _ = 1, 500 do
    local node = math.random(input.node_count)
    table.move(input.points, dimensions * (node - 1) + 1, dimensions * node, #some + 1, some)
  end
  local _, distances = points:answers(some, "tree", 2)
  local sum = 0
  for i = 2, #distances, 2 do sum = sum + distances[i] end
  return sum / (#distances // 2)
end

-- Around random nodes: where those stand who walk along the graph; also how far nodes are from each other.
function places.around(input, points, count)
  math.randomseed(graphs.query_seed)
  local list, dimensions, off = {}, input.dimensions, spacing(input, points)
  for _ = 1, count do
    local node = math.random(input.node_count)
    for d = 1, dimensions do
      list[#list + 1] = input.points[dimensions * (node - 1) + d] + off * (2 * math.random() - 1)
    end
  end
  return list, off
end

-- Anywhere in the box around all nodes.
function places.anywhere(input, count)
  math.randomseed(graphs.query_seed)
  local list, dimensions, low, high = {}, input.dimensions, {}, {}
  for d = 1, dimensions do
    low[d], high[d] = math.huge, -math.huge
    for i = d, #input.points, dimensions do
      low[d], high[d] = math.min(low[d], input.points[i]), math.max(high[d], input.points[i])
    end
  end
  for _ = 1, count do
    for d = 1, dimensions do list[#list + 1] = low[d] + (high[d] - low[d]) * math.random() end
  end
  return list
end

-- Calls take(n, x, y[, z]) for the n-th of the places.
function places.each(list, dimensions, take)
  for i = 1, #list, dimensions do take((i - 1) // dimensions + 1, table.unpack(list, i, i + dimensions - 1)) end
end

-- A contestant's function: nearest(of, x, y[, z][, options]) is called for each place.
function places.run(of, nearest, list, dimensions, options)
  if dimensions == 3 then
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #list, 3 do nearest(of, list[i], list[i + 1], list[i + 2], options) end
      end
    end
  elseif options then
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #list, 2 do nearest(of, list[i], list[i + 1], options) end
      end
    end
  end
  return function(repeats)
    for _ = 1, repeats do
      for i = 1, #list, 2 do nearest(of, list[i], list[i + 1]) end
    end
  end
end

-- Raises unless the id and the distance are those expected: of what is equally near, the smallest id. `of`: points or
-- segments of the reference, which know whether another id is just as near, but for rounding.
function places.same(what, of, expected, expected_distance, id, distance, ...)
  local slack = 1e-9 * (1 + expected_distance)
  if id and math.abs(distance - expected_distance) <= slack then
    if id == expected or math.abs(of:distance(id, ...) - expected_distance) <= slack then return end
  end
  error(("%s: the nearest to (%s) is %s at %s, the reference says %s at %s"):format(
    what, table.concat({ ... }, ", "), id, distance, expected, expected_distance), 0)
end

-- Likewise of all places and a contestant's nearest(of, x, y[, z][, options]).
function places.agree(what, of, list, dimensions, contestant, nearest)
  local ids, distances = of:answers(list, "scan")
  places.each(list, dimensions, function(n, ...)
    local id, distance = nearest(contestant, ...)
    places.same(what, of, ids[n], distances[n], id, distance, ...)
  end)
end

-- Likewise of the k nearest: nearest(of, x, y[, z], { k = k }) -> ids, distances.
function places.agree_many(what, of, list, dimensions, k, contestant)
  local ids, distances = of:answers(list, "scan", k)
  places.each(list, dimensions, function(n, ...)
    local arguments = { ... }
    arguments[#arguments + 1] = { k = k }
    local nodes, far = contestant:nearest(table.unpack(arguments))
    assert(#nodes == k and #far == k, what .. ": not as many as asked for")
    for i = 1, k do
      places.same(what, of, ids[(n - 1) * k + i], distances[(n - 1) * k + i], nodes[i], far[i], ...)
    end
  end)
end

-- Points of the reference, of an input's nodes.
function places.points(input) return reference.points(input.dimensions, input.points) end

-- Segments of the reference, of an input's edges; the flat list, too.
function places.segments(input)
  local list, dimensions, points = {}, input.dimensions, input.points
  for i = 1, #input.from do
    local from, to = dimensions * (input.from[i] - 1), dimensions * (input.to[i] - 1)
    table.move(points, from + 1, from + dimensions, #list + 1, list)
    table.move(points, to + 1, to + dimensions, #list + 1, list)
  end
  return reference.segments(dimensions, list), list
end

return places
