-- SPDX-License-Identifier: MIT
-- The operations whose instructions are counted. bench/instructions.lua runs them in each checkout.
--
-- An operation: { name, input, calls, run, common = }. run() makes `calls` calls and returns a number that depends on
-- every answer, so that two checkouts can be compared. Each operation runs once before it is counted, which packs maps
-- and fills caches. common: what most games do every day. The report sums the ratios of these.

local graphs, grids = require "graphs", require "grids"
local wend = require "wend"

local operations = {}

local function add(name, input, calls, run) operations[#operations + 1] = { name, input, calls, run } end
local function add_common(...)
  add(...)
  operations[#operations].common = true
end

-- The sum of the costs of all trips. `more`: options of the call; `vary` gives each trip its own seed.
local function graph_paths(g, trips, more, vary)
  return function()
    local options, sum = { into = {} }, 0
    for key, value in pairs(more or {}) do options[key] = value end
    for i = 1, #trips, 2 do
      if vary then options.seed = i end
      sum = sum + assert(g:path(trips[i], trips[i + 1], options)).cost
    end
    return sum
  end
end

local function grid_paths(grid, trips, more, vary)
  return function()
    local options, sum = { into = {} }, 0
    for key, value in pairs(more or {}) do options[key] = value end
    for i = 1, #trips, 4 do
      if vary then options.seed = i end
      local path = grid:path(trips[i], trips[i + 1], trips[i + 2], trips[i + 3], options)
      sum = sum + (path and path.cost or -i)
    end
    return sum
  end
end

-- The same in slices. width: of a trip.
local function in_slices(map, trips, width)
  return function()
    local sum = 0
    for i = 1, #trips, width do
      local search = map:search(table.unpack(trips, i, i + width - 1))
      while search:step(50) == "running" do end
      sum = sum + assert(search:result()).cost
    end
    return sum
  end
end

-- A graph whose edges get one of four tags, or none, at random.
local TAGS = { "road", "mud", "grass", "snow" }
local function tagged(input)
  math.randomseed(3)
  local g = wend.graph { dimensions = input.dimensions }
  g:add_nodes(input.points)
  for i = 1, #input.from do
    g:add_edge(input.from[i], input.to[i], { tag = TAGS[math.random(5)], directed = not input.two_way })
  end
  return g
end

local function sevenths(_, cost, _, from) return from % 7 == 0 and cost * 2 or nil end
local function slower(_, cost) return cost * 1.5 end

----- graphs

local rgg = graphs.geometric(10000)
local g, with_tags = rgg:wend(), tagged(rgg)
local trips, few = rgg:mix(60), rgg:mix(15)
local profile = wend.costs { road = 0.8, mud = 3, grass = { times = 1.2, plus = 1 }, snow = function() return 2 end }
local ruled = wend.costs({ road = 0.8, mud = 3 }, {}):edge_rule("slower", slower, { tags = { "mud" }, at_least = 1 })
rgg:release()

add_common("path, weights", "rgg10k", 60, graph_paths(g, trips))
add("path, Dijkstra", "rgg10k", 15, graph_paths(g, few, { algorithm = "dijkstra" }))
add_common("path, tags", "rgg10k", 60, graph_paths(with_tags, trips, { costs = profile }))
add("path, edge rule", "rgg10k", 15, graph_paths(with_tags, few, { costs = ruled }))
add("path, edge callback", "rgg10k", 15, graph_paths(g, few, { cost = sevenths }))
add("path, edge callback that promises", "rgg10k", 15, graph_paths(g, few, { cost = sevenths, at_least = 1 }))
add("path, varied", "rgg10k", 60, graph_paths(g, trips, { variation = 0.1 }, true))
local with_node_tags = with_tags:copy()
for i = 7, 10000, 7 do with_node_tags:set_node_tag(i, "mud") end
add("path, tags of edges and nodes", "rgg10k", 60, graph_paths(with_node_tags, trips, { costs = profile }))
local prepared_graph = g:copy()
prepared_graph:prepare()
add("path, prepared", "rgg10k", 60, graph_paths(prepared_graph, trips))
add("path, heuristic callback", "rgg10k", 15, graph_paths(g, few, { heuristic = function() return 0 end }))
add("path, partial with a budget", "rgg10k", 60, graph_paths(g, trips, { partial = true, max_expanded = 200 }))
add_common("path, in slices of 50", "rgg10k", 60, in_slices(g, trips, 2))

-- Weights that are hard for buckets, so that the search changes to a heap.
local heaped = graphs.geometric(10000)
math.randomseed(4)
heaped.weights = {}
for i = 1, #heaped.from do
  heaped.weights[i] = heaped:length(i) / (math.random(10) == 1 and 1 or 1000)
end
local heap_graph = heaped:wend()
heaped:release()
add("path, heap", "rgg10k, 9 of 10 weights / 1000", 15, graph_paths(heap_graph, few))

local points = graphs.cloud(3000, 3)
local solid = wend.graph { dimensions = 3 }
solid:add_nodes(points.points)
solid:link { limit = 6 }
points:release()
local solid_trips = {}
math.randomseed(5)
while #solid_trips < 120 do
  local from, to = math.random(3000), math.random(3000)
  if solid:path(from, to) then
    solid_trips[#solid_trips + 1], solid_trips[#solid_trips + 2] = from, to
  end
end
add_common("path, 3D", "points3k 3D", 60, graph_paths(solid, solid_trips))

----- grids

local made = grids.made(256)
local hills = made:terrain()
local cell_trips = hills:trips(25)
local goal_x, goal_y = made:goal()
local flat, weighted = made:wend(), hills:wend()
local by_tag, terrain_profile = hills:wend_by_tag()
local prepared_grid, scattered = weighted:copy(), made:scattered():wend()
prepared_grid:prepare()
scattered:prepare()
local danger = wend.influence(weighted)
math.randomseed(8)
for _ = 1, 100 do danger:stamp(math.random(256), math.random(256), 8, 1) end
made:release()
hills:release()

-- Short trips over a map whose marks do not lie in one block.
local large = wend.parse_grid(grids.rows(1024), { ["~"] = "swamp" })
local swamp_profile, short_trips = wend.costs { swamp = 3 }, {}
math.randomseed(9)
for i = 1, 160, 4 do
  local x, y = math.random(20, 1000), math.random(20, 1000)
  table.move({ x, y, x + math.random(-19, 19), y + math.random(-19, 19) }, 1, 4, i, short_trips)
end

math.randomseed(6)
local function walled_grid(diagonals)
  local grid = wend.grid(128, 128, { diagonals = diagonals })
  for _ = 1, 1500 do
    local x, y = math.random(127), math.random(127)
    if math.random(2) == 1 then grid:wall(x, y, x + 1, y) else grid:wall(x, y, x, y + 1) end
  end
  for _ = 1, 1500 do grid:set(math.random(128), math.random(128), math.random(3) == 1 and false or math.random(4)) end
  for _ = 1, 20 do
    grid:link(math.random(128), math.random(128), math.random(128), math.random(128), { weight = 10, tag = "stairs" })
  end
  return grid
end
local walled, one_open = walled_grid "both_open", walled_grid "one_open"
local walled_trips = {}
for i = 1, 80 do walled_trips[i] = math.random(128) end
local function steeper(_, cost, tag, _, fy, _, ty) return tag ~= "stairs" and fy and ty ~= fy and cost * 1.5 or nil end

add_common("grid:path, weights", "made256 terrain", 25, grid_paths(weighted, cell_trips))
add_common("grid:path, tags", "made256 terrain", 25, grid_paths(by_tag, cell_trips, { costs = terrain_profile }))
add("grid:path, varied", "made256 terrain", 25, grid_paths(weighted, cell_trips, { variation = 0.1 }, true))
add("grid:path, partial", "made256 terrain", 25, grid_paths(weighted, cell_trips, { partial = true }))
add_common("grid:path, jump points", "made256", 25, grid_paths(flat, cell_trips))
for _, near in ipairs {
  { "to the next cell", 1, 0 }, { "8 cells far", 8, 0 }, { "8 cells far, a tenth closed", 8, 0.1 },
} do
  local sprinkled = grids.speckled(128, near[3])
  add("grid:path, " .. near[1], "128 x 128", 200, grid_paths(sprinkled:wend(), sprinkled:near(200, near[2])))
end
add_common("grid:path, short trips", "1024 x 1024", 40, grid_paths(large, short_trips))
add_common("grid:path, short trips, tags", "1024 x 1024", 40,
  grid_paths(large, short_trips, { costs = swamp_profile }))
add_common("grid:path, in slices of 50", "made256 terrain", 25, in_slices(weighted, cell_trips, 4))
add("grid:path, Dijkstra", "made256 terrain", 25, grid_paths(weighted, cell_trips, { algorithm = "dijkstra" }))
add("grid:path, prepared", "made256 terrain", 25, grid_paths(prepared_grid, cell_trips))
add("grid:path, prepared", "made256 scattered", 25, grid_paths(scattered, cell_trips))
add("grid:path, influence", "made256 terrain", 25, grid_paths(weighted, cell_trips, { influence = { danger, 1 } }))
add("grid:path, turns", "made256 terrain", 25, grid_paths(weighted, cell_trips, { per_turn = 6 }))
add("grid:path, walls and links", "128 x 128, both_open", 20, grid_paths(walled, walled_trips))
add("grid:path, walls and links", "128 x 128, one_open", 20, grid_paths(one_open, walled_trips))
add("grid:path, walls, links, callback", "128 x 128, both_open", 10, function()
  local first = table.move(walled_trips, 1, 40, 1, {})
  return grid_paths(walled, first, { cost = steeper, at_least = 1 })()
end)

----- routes

local world = {}
math.randomseed(7)
local bounds = { math.huge, math.huge, -math.huge, -math.huge }
for i = 1, 10000, 10 do
  local x, y = g:position(i)
  bounds = { math.min(bounds[1], x), math.min(bounds[2], y), math.max(bounds[3], x), math.max(bounds[4], y) }
end
local function somewhere()
  return bounds[1] + (bounds[3] - bounds[1]) * math.random(), bounds[2] + (bounds[4] - bounds[2]) * math.random()
end
for i = 1, 400, 2 do world[i], world[i + 1] = somewhere() end

local function routes_by(options)
  return function()
    local sum = 0
    options.into = {}
    for i = 1, 200, 4 do
      local route = g:route({ world[i], world[i + 1] }, { world[i + 2], world[i + 3] }, options)
      sum = sum + (route and route.cost or -i)
    end
    return sum
  end
end
add("g:route by node", "rgg10k", 50, routes_by {})
add("g:route by edge", "rgg10k", 50, routes_by { enter = "edge" })
add("g:route by edge, edge callback", "rgg10k", 50, routes_by { enter = "edge", cost = sevenths, at_least = 1 })

----- fields

local start = trips[1]
local function field_of(map, calls, options, ...)
  local goal = { ... }
  return function()
    local sum = 0
    options.into = options.into or map:field(#goal > 1 and goal or goal[1])
    for _ = 1, calls do
      local field = assert(map:field(#goal > 1 and goal or goal[1], options))
      if map == weighted or map == flat or map == by_tag then
        for i = 1, #cell_trips, 4 do sum = sum + (field:cost(cell_trips[i], cell_trips[i + 1]) or -1) end
      elseif map == walled then
        for i = 1, #walled_trips, 2 do sum = sum + (field:cost(walled_trips[i], walled_trips[i + 1]) or -1) end
      else
        for i = 1, #trips do sum = sum + (field:cost(trips[i]) or -1) end
      end
    end
    return sum
  end
end
add_common("g:field, weights", "rgg10k", 4, field_of(g, 4, {}, start))
add("g:field, tags", "rgg10k", 4, field_of(with_tags, 4, { costs = profile }, start))
add("g:field outward, edge callback", "rgg10k", 2,
  field_of(g, 2, { outward = true, cost = sevenths, at_least = 1 }, start))
add_common("grid:field", "made256", 4, field_of(flat, 4, {}, goal_x, goal_y))
add_common("grid:field", "made256 terrain", 2, field_of(weighted, 2, {}, goal_x, goal_y))
add("grid:field, walls and links", "128 x 128", 4, field_of(walled, 4, {}, 64, 64))
add("grid:field, callback", "128 x 128", 1, field_of(walled, 1, { cost = steeper, at_least = 1 }, 64, 64))
add_common("grid:field, window of 41 x 41", "made256 terrain", 25, function()
  local sum, options = 0, { window = 20, into = weighted:field(goal_x, goal_y, { window = 20 }) }
  for i = 1, #cell_trips, 4 do
    local x, y = cell_trips[i], cell_trips[i + 1]
    local field = assert(weighted:field(x, y, options))
    sum = sum + (field:cost(x + 1, y) or -1) + (field:cost(math.min(x + 9, 256), y) or -1)
  end
  return sum
end)

local cell_field, node_field = assert(weighted:field(goal_x, goal_y)), assert(g:field(start))
add("field:relax", "made256 terrain", 1, function()
  local field = assert(weighted:field(goal_x, goal_y)):scale(-1.2)
  assert(field:relax())
  return field:cost(cell_trips[5], cell_trips[6])
end)
add_common("field:next", "made256 terrain", 5000, function()
  local sum = 0
  for _ = 1, 200 do
    for i = 1, #cell_trips, 4 do
      local x, y = cell_field:next(cell_trips[i], cell_trips[i + 1])
      sum = sum + (x or 0) + 1000 * (y or 0)
    end
  end
  return sum
end)
add_common("field:next", "rgg10k", 6000, function()
  local sum = 0
  for _ = 1, 50 do
    for i = 1, #trips do sum = sum + (node_field:next(trips[i]) or 0) end
  end
  return sum
end)
add_common("field:path", "made256 terrain", 100, function()
  local sum = 0
  for _ = 1, 4 do
    for i = 1, #cell_trips, 4 do
      local path = cell_field:path(cell_trips[i], cell_trips[i + 1])
      sum = sum + (path and path.cost + #path or -1)
    end
  end
  return sum
end)
add("field:path", "rgg10k", 120, function()
  local sum = 0
  for i = 1, #trips do
    local path = node_field:path(trips[i])
    sum = sum + (path and path.cost + #path or -1)
  end
  return sum
end)

----- what is near

local function nearest_by(method, options)
  return function()
    local sum = 0
    for i = 1, 400, 2 do
      local id, distance = g[method](g, world[i], world[i + 1], options)
      sum = sum + id + distance
    end
    return sum
  end
end
add_common("g:nearest", "rgg10k", 200, nearest_by "nearest")
add("g:nearest, can_reach a field", "rgg10k", 200, nearest_by("nearest", { can_reach = node_field }))
add("g:nearest_edge", "rgg10k", 200, nearest_by "nearest_edge")

----- levels

local function checked(map, options)
  return function()
    local result = assert(map:check(options))
    return #result.components + 100 * #result.isolated + 1000 * #result.sinks
  end
end
add("g:check", "rgg10k", 1, checked(g))
add("g:check, tags", "rgg10k", 1, checked(with_tags, { costs = profile }))
if g.chokepoints then -- a checkout to compare with may be older
  add("g:chokepoints", "rgg10k", 1, function() return #assert(g:chokepoints()) end)
end
local linked = graphs.cloud(5000, 2)
local cloud_points = linked.points
add("g:add_nodes, g:link", "points5k", 1, function()
  local graph = wend.graph()
  graph:add_nodes(cloud_points)
  return graph:link { limit = 4 } and graph:edge_count()
end)

local middle = graphs.geometric(300)
local middle_graph = middle:wend()
middle:release()
local table_of_routes = assert(middle_graph:routes())
add("g:routes", "rgg300", 1, function() return middle_graph:routes():bytes() end)
add("routes:path", "rgg300", 1000, function()
  local sum, options = 0, { into = {} }
  for i = 1, 1000 do
    local path = table_of_routes:path(i % 300 + 1, i * 7 % 300 + 1, options)
    sum = sum + (path and path.cost or -1)
  end
  return sum
end)

----- files

local function digest(bytes)
  local sum = #bytes
  for i = 1, #bytes, 1009 do sum = (sum * 31 + bytes:byte(i)) % 4294967296 end
  return sum
end
for _, file in ipairs {
  { "a graph", "rgg10k", with_tags }, { "a grid", "made256 terrain", weighted },
  { "a field", "made256 terrain", cell_field, { map = weighted } },
  { "a route table", "rgg300", table_of_routes, { map = middle_graph } },
} do
  local bytes = file[3]:encode()
  add("encode " .. file[1], file[2], 1, function() return digest(file[3]:encode()) end)
  add("decode " .. file[1], file[2], 1, function() return assert(wend.decode(bytes, file[4])) and #bytes end)
end

----- calls

local tiny = wend.graph()
tiny:add_nodes { 0, 0, 3, 4, 6, 8 }
tiny:add_edges { 1, 2, 2, 3 }
add_common("g:path of two steps", "3 nodes", 2000, function()
  local sum, options = 0, { into = {} }
  for _ = 1, 2000 do sum = sum + tiny:path(1, 3, options).cost end
  return sum
end)
add("g:path of two steps, without options", "3 nodes", 2000, function()
  local sum = 0
  for _ = 1, 2000 do sum = sum + tiny:path(1, 3).cost end
  return sum
end)
add("g:add_edge, g:remove_edge", "3 nodes", 2000, function()
  local sum = 0
  for _ = 1, 2000 do
    local edge = tiny:add_edge(1, 3)
    tiny:remove_edge(edge)
    sum = sum + edge % 1000
  end
  return sum
end)
local board = wend.grid(64, 64)
add_common("grid:set", "64 x 64", 5000, function()
  for i = 1, 5000 do board:set(i % 64 + 1, i // 64 % 64 + 1, i % 5 ~= 0 and i % 3 + 1) end
  return board:get(3, 1) or 0
end)
add_common("grid:get", "64 x 64", 5000, function()
  local sum = 0
  for i = 1, 5000 do sum = sum + (board:get(i % 64 + 1, i // 64 % 64 + 1) or 0) end
  return sum
end)
local long = assert(weighted:path(table.unpack(cell_trips, 1, 4)))
add_common("path:points", "made256 terrain", 20, function()
  local sum = 0
  for _ = 1, 20 do
    local list = long:points()
    sum = sum + #list + list[#list]
  end
  return sum
end)
add("path:points, jitter", "made256 terrain", 20, function()
  local sum = 0
  for seed = 1, 20 do
    local list = long:points { jitter = 0.3, seed = seed }
    sum = sum + #list + list[#list]
  end
  return sum
end)

return operations
