-- SPDX-License-Identifier: MIT
-- Routes from position to position, compared with the path between the nearest nodes; points that vary.

local common, graphs, places = require "common", require "graphs", require "places"
local reference = require "wend_bench_reference_nearest"

-- Short random walls, a tenth as many as nodes. The edges that they cross are removed.
local function build_walls(input, share)
  math.randomseed(graphs.seed)
  local list, side = {}, math.sqrt(100 * input.node_count)
  for _ = 1, input.node_count * share do
    local x, y, angle = side * math.random(), side * math.random(), 2 * math.pi * math.random()
    local long = 15 * math.random()
    table.move({ x, y, x + long * math.cos(angle), y + long * math.sin(angle) }, 1, 4, #list + 1, list)
  end
  local segments, from, to = reference.segments(2, list), {}, {}
  local _, lines = places.segments(input)
  for i, free in ipairs(segments:clear_list(lines)) do
    if free then from[#from + 1], to[#to + 1] = input.from[i], input.to[i] end
  end
  input.from, input.to, input.reference_graph = from, to, nil
  local walls = require("wend").walls()
  for i = 1, #list, 4 do walls:add_segment(table.unpack(list, i, i + 3)) end
  return walls, segments
end

local function distance(x1, y1, x2, y2) return math.sqrt((x1 - x2) ^ 2 + (y1 - y2) ^ 2) end

-- Pairs of positions, { from, to } of { x, y }, with a path between their nearest nodes; and those nodes. `far`: the
-- greatest distance between the two.
local function trips_of(input, points, count, far)
  math.randomseed(graphs.query_seed)
  local trips, side = {}, math.sqrt(100 * input.node_count)
  for _ = 1, 1000 * count do
    local x1, y1 = side * math.random(), side * math.random()
    local x2, y2 = side * math.random(), side * math.random()
    if far < side then
      local angle, long = 2 * math.pi * math.random(), far * math.sqrt(math.random())
      x2, y2 = x1 + long * math.cos(angle), y1 + long * math.sin(angle)
    end
    local a, to_a = points:nearest(x1, y1)
    local b, to_b = points:nearest(x2, y2)
    local cost = input:reference():costs({ a, b })[1]
    if cost < math.huge and x2 >= 0 and y2 >= 0 and x2 <= side and y2 <= side then
      trips[#trips + 1] = {
        from = { x1, y1 }, to = { x2, y2 }, a = a, b = b, by_node = to_a + cost + to_b,
        straight = distance(x1, y1, x2, y2),
      }
    end
    if #trips == count then return trips end
  end
  error "hardly any two positions are joined"
end

-- The route by edge, computed from four paths between the ends of the nearest edges.
local function by_edge(input, edges, trip)
  local ids, off = edges:answers({ trip.from[1], trip.from[2], trip.to[1], trip.to[2] }, "scan")
  local function ends(at, id)
    local a, b = input.from[id], input.to[id]
    local x1, y1, x2, y2 = input.points[2 * a - 1], input.points[2 * a], input.points[2 * b - 1], input.points[2 * b]
    local length = distance(x1, y1, x2, y2)
    local along = ((at[1] - x1) * (x2 - x1) + (at[2] - y1) * (y2 - y1)) / length
    along = math.max(0, math.min(length, along))
    return { a, b }, { along, length - along }
  end
  local from, from_costs = ends(trip.from, ids[1])
  local to, to_costs = ends(trip.to, ids[2])
  local best = ids[1] == ids[2] and math.abs(from_costs[1] - to_costs[1]) or math.huge
  for i = 1, 2 do
    for j = 1, 2 do
      best = math.min(best, from_costs[i] + input:reference():costs({ from[i], to[j] })[1] + to_costs[j])
    end
  end
  return off[1] + best + off[2]
end

-- Here costs are lengths, both on the graph and off it.
local function check(name, route, trip, segments, expected)
  local function refuse(what, got, wanted)
    error(("%s: from (%.17g, %.17g) to (%.17g, %.17g): %s %.17g, wanted %.17g"):format(
      name, trip.from[1], trip.from[2], trip.to[1], trip.to[2], what, got, wanted), 0)
  end
  local length = 0
  for i = 3, #route, 2 do length = length + distance(route[i - 2], route[i - 1], route[i], route[i + 1]) end
  if math.abs(length - route.cost) > 1e-9 * (1 + length) then refuse("the legs add up to", length, route.cost) end
  if expected and math.abs(expected - route.cost) > 1e-9 * (1 + expected) then refuse("costs", route.cost, expected) end
  if segments and segments:clear(route.legs_of, 0) < #route // 2 - 1 then refuse("walks through a wall:", 1, 0) end
end

-- The legs of a flat list of points, as lines.
local function legs_of(points)
  local lines = {}
  for i = 3, #points, 2 do table.move(points, i - 2, i + 1, #lines + 1, lines) end
  return lines
end

local function race(input, walls, segments, count, far, what)
  local points, edges = places.points(input), places.segments(input)
  local g, trips = input:wend(), trips_of(input, points, count, far)
  local flat, line_list = {}, {}
  for i, trip in ipairs(trips) do
    flat[2 * i - 1], flat[2 * i] = trip.a, trip.b
    table.move({ trip.from[1], trip.from[2], trip.to[1], trip.to[2] }, 1, 4, #line_list + 1, line_list)
  end
  local free = segments:clear_list(line_list)
  local clear = walls.clear
  local function asked(...) return clear(walls, ...) end
  local forms = {
    { "by node", {} },
    { "by edge", { enter = "edge" } },
    { "by node, clear = walls", { clear = walls } },
    { "by edge, clear = walls", { enter = "edge", clear = walls } },
    { "by node, clear = function", { clear = asked } },
    { "by node, varied", { variation = 0.1, seed = 1 } },
    { "by node, jitter, clear = walls", { jitter = 2, seed = 1, clear = walls } },
  }
  local contestants, nones = { { "path", common.wend_trips(g, flat) } }, {}
  for _, form in ipairs(forms) do
    local name, options = table.unpack(form)
    nones[name] = 0
    for i, trip in ipairs(trips) do
      local route, message, code = g:route(trip.from, trip.to, options)
      if not route then
        if code ~= "no_path" then error(message, 0) end
        nones[name] = nones[name] + 1
        if not options.clear then error(name .. ": " .. message, 0) end
      elseif not options.jitter then
        local expected
        if options.clear and free[i] then
          expected = trip.straight
        elseif name == "by node" then
          expected = trip.by_node
        elseif name == "by edge" and i <= 100 then
          expected = by_edge(input, edges, trip)
        end
        route.legs_of = legs_of(route)
        check(name, route, trip, options.clear and segments, expected)
      elseif segments:clear(legs_of(route), 0) < #route // 2 - 1 then
        error(name .. ": walks through a wall", 0)
      end
    end
    contestants[#contestants + 1] = { name, function(repeats)
      for _ = 1, repeats do
        for i = 1, #trips do g:route(trips[i].from, trips[i].to, options) end
      end
    end }
  end
  input:release()
  local seconds, rows = common.race(contestants), {}
  local heading = ("%s, %s"):format(input.name, what)
  rows[1] = { "the path between the nodes", common.round(seconds.path / count * 1e6, 1), "", "1.00",
    common.round(count / seconds.path, 0) }
  for i, form in ipairs(forms) do
    local name = form[1]
    rows[i + 1] = {
      name, common.round(seconds[name] / count * 1e6, 1), common.round((seconds[name] - seconds.path) / count * 1e6, 1),
      common.round(seconds[name] / seconds.path), common.round(count / seconds[name], 0), nones[name],
    }
  end
  common.print_table({ heading, "µs", "more than the path", "/ path", "a second", "none" }, rows)
end

-- The time of path:points, with and without jitter.
local function jitter(input, walls, segments)
  local trips, g = input:mix(40), input:wend()
  input:release()
  local paths, count = {}, 0
  for i = 1, #trips, 2 do
    local path = assert(g:path(trips[i], trips[i + 1]))
    paths[#paths + 1] = path
    count = count + #path
  end
  local forms = {
    { "as they are" },
    { "jitter", { jitter = 3, seed = 1 } },
    { "jitter, clear = walls", { jitter = 3, seed = 1, clear = walls } },
    { "jitter, clear = function", { jitter = 3, seed = 1, clear = function(...) return walls:clear(...) end } },
  }
  local contestants, rows = {}, {}
  for i, form in ipairs(forms) do
    local options = form[2]
    for _, path in ipairs(paths) do
      local points, again = path:points(options), path:points(options)
      for n = 1, #points do assert(points[n] == again[n], "the same seed, other points") end
      if options and options.clear and segments:clear(legs_of(points), 0) < #path - 1 then
        error "jitter: a leg through a wall"
      end
    end
    contestants[i] = { form[1], function(repeats)
      for _ = 1, repeats do
        for n = 1, #paths do paths[n]:points(options) end
      end
    end }
  end
  local seconds = common.race(contestants)
  for i, form in ipairs(forms) do rows[i] = { form[1], common.round(seconds[form[1]] / count * 1e9, 0) } end
  common.print_table({ "path:points, ns a point", "" }, rows)
end

return {
  name = "routes",
  title = "Routes from position to position; what varied points take",
  run = function()
    local size, count = 10000, common.quick and 50 or 300
    for _, case in ipairs { { 80, "up to 80 apart" }, { math.huge, "any two positions" } } do
      local input = graphs.geometric(size)
      local walls, segments = build_walls(input, 0.1)
      race(input, walls, segments, count, case[1], case[2])
      print()
    end
    local input = graphs.geometric(size)
    local walls, segments = build_walls(input, 0.1)
    jitter(input, walls, segments)
  end,
}
