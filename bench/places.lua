-- SPDX-License-Identifier: MIT
-- Places for questions, in flat lists; what is nearest to them; and comparing the answers of contestants.

local graphs = require "graphs"
local reference = require "wend_bench_reference_nearest"

local places = {}

-- The distance from a node to the nearest other one, on average over 500 nodes.
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

-- Places around random nodes, like those of agents that walk along the graph.
function places.around(input, points, count)
  math.randomseed(graphs.query_seed)
  local list, dimensions, off = {}, input.dimensions, spacing(input, points)
  for _ = 1, count do
    local node = math.random(input.node_count)
    for d = 1, dimensions do
      list[#list + 1] = input.points[dimensions * (node - 1) + d] + off * (2 * math.random() - 1)
    end
  end
  return list
end

-- Random places in the box around all nodes.
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

-- The function of a contestant: calls nearest(of, x, y[, z][, options]) for each place.
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

-- Raises unless the id and the distance are the expected ones. Of equally near items the smallest id is expected. `of`:
-- points or segments of the reference, which tell whether another id is equally near except for rounding.
function places.same(what, of, expected, expected_distance, id, distance, ...)
  local slack = 1e-9 * (1 + expected_distance)
  if id and math.abs(distance - expected_distance) <= slack then
    if id == expected or math.abs(of:distance(id, ...) - expected_distance) <= slack then return end
  end
  error(("%s: the nearest to (%s) is %s at %s, the reference says %s at %s"):format(
    what, table.concat({ ... }, ", "), id, distance, expected, expected_distance), 0)
end

-- The same for all places and the nearest(of, x, y[, z][, options]) of a contestant.
function places.agree(what, of, list, dimensions, contestant, nearest)
  local ids, distances = of:answers(list, "scan")
  places.each(list, dimensions, function(n, ...)
    local id, distance = nearest(contestant, ...)
    places.same(what, of, ids[n], distances[n], id, distance, ...)
  end)
end

-- The nodes of an input as points of the reference.
function places.points(input) return reference.points(input.dimensions, input.points) end

-- The edges of an input as segments of the reference, and as a flat list.
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
