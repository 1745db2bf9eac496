-- SPDX-License-Identifier: MIT
-- Routes from position to position, compared with the path between the nearest nodes.

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
  return walls
end

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
      }
    end
    if #trips == count then return trips end
  end
  error "hardly any two positions are joined"
end

local function race(input, walls, count, far, what)
  local points = places.points(input)
  local g, trips = input:wend(), trips_of(input, points, count, far)
  local flat, expected = {}, {}
  for i, trip in ipairs(trips) do flat[2 * i - 1], flat[2 * i], expected[i] = trip.a, trip.b, trip.by_node end
  local forms = {
    { "by node", {} },
    { "by edge", { enter = "edge" } },
    { "by node, clear = walls", { clear = walls } },
    { "by edge, clear = walls", { enter = "edge", clear = walls } },
    { "by node, varied", { variation = 0.1, seed = 1 } },
  }
  local contestants, nones = { { "path", common.run(g, flat) } }, {}
  for _, form in ipairs(forms) do
    local name, options = table.unpack(form)
    local costs = {}
    nones[name] = 0
    for i, trip in ipairs(trips) do
      local route, message, code = g:route(trip.from, trip.to, options)
      if not route and code ~= "no_path" then error(message, 0) end
      if route then costs[i] = route.cost else nones[name] = nones[name] + 1 end
    end
    if name == "by node" then common.agree(name, costs, expected) end
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

return {
  name = "routes",
  title = "Routes from position to position",
  run = function()
    for _, case in ipairs { { 80, "up to 80 apart" }, { math.huge, "any two positions" } } do
      local input = graphs.geometric(10000)
      race(input, build_walls(input, 0.1), common.quick and 50 or 300, case[1], case[2])
      print()
    end
  end,
}
