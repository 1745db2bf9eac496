-- SPDX-License-Identifier: MIT
-- Calm sequences of the API fuzzer: edits and questions whose answers are compared with a model in plain tables, and in
-- between calls with one argument that no call may take. Those must raise and leave the map as it was.

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local values = require "spec.fuzz.values"

local model = {}

local HUGE = math.huge
local HEURISTICS = grid_reference.HEURISTICS

local function rng_of(W)
  local rng = {
    chance = function(_, share) return W:chance(share) end,
    pick = function(_, list) return W:pick(list) end,
  }
  return setmetatable(rng, { __call = function(_, a, b) return W:rnd(a, b) end })
end

local near = moving.close

-- Methods of grids whose arguments begin with x and y.
local AT_CELL = { get = true, set = true, is_closed = true, weight = true, has = true, position = true, cell_at = true,
  path = true, search = true, field = true, clear = true }

-- The same arguments, sometimes with the first two as one value.
local function joined(W, map, name, ...)
  local x, y = ...
  if AT_CELL[name] and W:kind(map) == "grid" and type(y) == "number" and W:chance(0.25) then
    return values.position(W, x, y), select(3, ...)
  end
  return ...
end

-- A call that must not raise: its results.
local function must(W, map, name, ...)
  local method = map[name]
  local results = W:call(name, map, nil, method, map, joined(W, map, name, ...))
  if not results[1] then error(("%s raised %s"):format(name, tostring(results[2])), 0) end
  return results[2], results[3], results[4], results[5]
end

local function check(condition, format, ...)
  if not condition then error(format:format(...), 0) end
end

local function same(expected, value, what)
  if expected ~= value then
    error(("%s must be %s, got %s"):format(what, tostring(expected), tostring(value)), 0)
  end
end

-- Arguments that no call may take --------------------------------------------------------------------------------

local NO_ID = { 0, -1, 1.5, 0 / 0, HUGE, -HUGE, 2 ^ 32, 2 ^ 53 + 2, 2 ^ 63, true, {}, print, "no such node" }
local NO_NUMBER = { 0 / 0, "1", true, {}, print, HUGE, -HUGE }
local NO_WEIGHT = { 0 / 0, "1", true, {}, print, -1, -HUGE }
local NO_TAG = { "", 1, true, {}, print }
local NO_OPTIONS = { 1, true, "x", print, { unknown = 1 }, { weight = -1 }, { tag = "" }, { directed = 1 } }
local NO_CELL = { 0, -1, 1.5, 0 / 0, HUGE, 2 ^ 31, 2 ^ 53, "1", true, {}, print, 1000 }
local NO_VALUE = { -1, 0 / 0, true, print, "", { weight = -1 }, { tag = "" }, { tag = 1 }, { closed = 1 },
  { unknown = 1 } }

local function refused(W, map, name, ...)
  local method = map[name]
  local before = map:encode()
  local results = W:call(name, map, nil, method, map, ...)
  if results[1] then error(W:describe(name, ...) .. " does not raise", 0) end
  if map:encode() ~= before then error(W:describe(name, ...) .. " raised and changed the map", 0) end
end

-- Graphs -----------------------------------------------------------------------------------------------------------

local Graph = {}

local function axes(position) return position[1], position[2], position[3] end

local function measure(m, edge)
  local a, b = m.position[edge.from], m.position[edge.to]
  edge.length = #a > 0 and #b > 0 and helper.length(a, b) or nil
  if edge.measured then edge.weight = edge.length end
end

local function place(s)
  local p = {}
  for axis = 1, s.m.dimensions do p[axis] = s.W:rnd(0, 400) / 8 end
  return p
end

function Graph.add_node(s)
  local p = place(s)
  local id = must(s.W, s.g, "add_node", axes(p))
  check(not s.m.position[id], "add_node gave out the id %s again", id)
  s.m.nodes[#s.m.nodes + 1] = id
  s.m.position[id], s.m.closed[id] = p, false
end

function Graph.add_edge(s)
  local W, m = s.W, s.m
  if #m.nodes == 0 then return end
  local edge = { from = W:pick(m.nodes), to = W:pick(m.nodes), directed = W:chance(0.3), closed = false }
  edge.measured = m.dimensions > 0 and W:chance(0.5)
  if not edge.measured then edge.weight = W:rnd(0, 40) / 4 end
  if W:chance(0.6) then edge.tag = W:pick(values.TAGS) end
  edge.id = must(W, s.g, "add_edge", edge.from, edge.to,
    { weight = edge.weight, tag = edge.tag, directed = edge.directed })
  check(not s.edge_ids[edge.id], "add_edge gave out the id %s again", edge.id)
  s.edge_ids[edge.id] = true
  measure(m, edge)
  m.edges[#m.edges + 1] = edge
end

local function pick_edge(s)
  return #s.m.edges > 0 and s.W:pick(s.m.edges) or nil
end

function Graph.remove_node(s)
  local W, m = s.W, s.m
  if #m.nodes < 3 or not W:chance(0.4) then return end
  local at = W:rnd(#m.nodes)
  local id = table.remove(m.nodes, at)
  must(W, s.g, "remove_node", id)
  m.closed[id] = nil
  s.removed[#s.removed + 1] = id
  for i = #m.edges, 1, -1 do
    if m.edges[i].from == id or m.edges[i].to == id then table.remove(m.edges, i) end
  end
  m.position[id] = {}
end

function Graph.remove_edge(s)
  if #s.m.edges == 0 then return end
  local edge = table.remove(s.m.edges, s.W:rnd(#s.m.edges))
  must(s.W, s.g, "remove_edge", edge.id)
end

function Graph.close(s)
  if #s.m.nodes == 0 then return end
  local node, closed = s.W:pick(s.m.nodes), s.W:chance(0.4)
  must(s.W, s.g, closed and "close" or "open", node)
  s.m.closed[node] = closed
end

function Graph.close_edge(s)
  local edge = pick_edge(s)
  if not edge then return end
  edge.closed = s.W:chance(0.4)
  must(s.W, s.g, edge.closed and "close_edge" or "open_edge", edge.id)
end

function Graph.set_weight(s)
  local edge = pick_edge(s)
  if not edge then return end
  edge.measured = edge.length ~= nil and s.W:chance(0.3)
  if not edge.measured then edge.weight = s.W:rnd(0, 40) / 4 end
  measure(s.m, edge)
  must(s.W, s.g, "set_weight", edge.id, not edge.measured and edge.weight or nil)
end

function Graph.set_tag(s)
  local edge = pick_edge(s)
  if not edge then return end
  edge.tag = s.W:chance(0.7) and s.W:pick(values.TAGS) or nil
  must(s.W, s.g, "set_tag", edge.id, edge.tag)
end

function Graph.move(s)
  if s.m.dimensions == 0 or #s.m.nodes == 0 then return end
  local node, p = s.W:pick(s.m.nodes), place(s)
  must(s.W, s.g, "move", node, axes(p))
  s.m.position[node] = p
  for _, edge in ipairs(s.m.edges) do
    if edge.from == node or edge.to == node then measure(s.m, edge) end
  end
end

function Graph.link(s)
  local W = s.W
  if s.m.dimensions == 0 or not W:chance(0.2) then return end
  local before = s.g:edge_count()
  local count = must(W, s.g, "link", { limit = 1, max_distance = 5 })
  check(s.g:edge_count() == before + count, "link made %s edges and said %s", s.g:edge_count() - before, count)
  s.refresh = true
end

function Graph.counts(s)
  same(#s.m.nodes, must(s.W, s.g, "node_count"), "node_count")
  same(#s.m.edges, must(s.W, s.g, "edge_count"), "edge_count")
end

function Graph.has(s)
  if #s.removed > 0 then same(false, must(s.W, s.g, "has", s.W:pick(s.removed)), "has, of a removed node") end
  if #s.m.nodes > 0 then same(true, must(s.W, s.g, "has", s.W:pick(s.m.nodes)), "has") end
  local id, there = s.W:rnd(60), false
  for _, edge in ipairs(s.m.edges) do there = there or edge.id == id end
  same(there, must(s.W, s.g, "has_edge", id), "has_edge")
end

function Graph.edge(s)
  local edge = pick_edge(s)
  if not edge then return end
  local info = must(s.W, s.g, "edge", edge.id)
  for _, key in ipairs { "from", "to", "weight", "tag", "directed", "closed", "length" } do
    same(edge[key], info[key], "edge." .. key)
  end
end

function Graph.edges(s)
  if #s.m.nodes == 0 then return end
  local node = s.W:pick(s.m.nodes)
  local expected, count = {}, 0
  for _, edge in ipairs(s.m.edges) do
    if edge.from == node or not edge.directed and edge.to == node then
      expected[edge.id] = edge
      count = count + 1
    end
  end
  local iterator, state, control = must(s.W, s.g, "edges", node)
  for id, neighbour, weight, tag in iterator, state, control do
    local edge = expected[id]
    check(edge, "edges(%s) lists the edge %s", node, id)
    same(edge.from == node and edge.to or edge.from, neighbour, "the neighbour")
    same(edge.weight, weight, "the weight")
    same(edge.tag, tag, "the tag")
    expected[id] = nil
    count = count - 1
  end
  same(0, count, "the number of edges that edges() leaves out")
end

function Graph.all_edges(s)
  local expected, tags, untagged, count = {}, {}, 0, #s.m.edges
  for _, edge in ipairs(s.m.edges) do
    expected[edge.id] = edge
    if edge.tag then tags[edge.tag] = (tags[edge.tag] or 0) + 1 else untagged = untagged + 1 end
  end
  for id, from, to, weight, tag in must(s.W, s.g, "edges") do
    local edge = expected[id]
    check(edge, "edges() lists the edge %s", id)
    same(edge.from, from, "from")
    same(edge.to, to, "to")
    same(edge.weight, weight, "the weight")
    same(edge.tag, tag, "the tag")
    expected[id] = nil
    count = count - 1
  end
  same(0, count, "the number of edges that edges() leaves out")
  local counted, without = must(s.W, s.g, "tags")
  same(untagged, without, "the number of edges without a tag")
  for tag, number in pairs(counted) do same(tags[tag], number, "the number of edges with a tag") end
  for tag, number in pairs(tags) do same(number, counted[tag], "the number of edges with a tag") end
end

function Graph.node_data(s)
  if #s.m.nodes == 0 then return end
  local node = s.W:pick(s.m.nodes)
  same(s.m.closed[node], must(s.W, s.g, "is_closed", node), "is_closed")
  local p = { must(s.W, s.g, "position", node) }
  for axis = 1, s.m.dimensions do same(s.m.position[node][axis], p[axis], "position") end
end

local function random_costs(s)
  if s.W:chance(0.4) then return {}, nil end
  return reference.random_costs(rng_of(s.W))
end

-- A way to search that must not matter.
local function a_way(s)
  return s.W:pick { { algorithm = "dijkstra" }, { heuristic = s.W:pick(HEURISTICS) }, {}, { into = s.into } }
end

local with = grid_reference.with

-- That a path can be walked, and costs what its edges cost.
local function walk(s, path, from, goals, cost)
  same(from, path[1], "the first node")
  check(goals[path[#path]], "the path ends at %s", path[#path])
  local by_id, sum = {}, 0
  for _, edge in ipairs(s.m.edges) do by_id[edge.id] = edge end
  local edges = path:edges()
  same(#path - 1, #edges, "the number of edges")
  for i, id in ipairs(edges) do
    local edge = by_id[id]
    check(edge and not edge.closed, "the path takes the edge %s", id)
    local a, b = path[i], path[i + 1]
    check(edge.from == a and edge.to == b or not edge.directed and edge.from == b and edge.to == a,
      "the edge %s does not lead from %s to %s", id, a, b)
    check(not s.m.closed[b], "the path enters the closed node %s", b)
    sum = sum + (cost and cost(edge, a, b) or edge.weight)
  end
  check(near(sum, path.cost), "the path costs %.17g and says %.17g", sum, path.cost)
end

function Graph.path(s)
  local W, m = s.W, s.m
  if #m.nodes == 0 then return end
  local opts, cost = random_costs(s)
  local from, goals, set = W:pick(m.nodes), {}, {}
  for i = 1, W:chance(0.7) and 1 or 3 do
    goals[i] = W:pick(m.nodes)
    set[goals[i]] = true
  end
  local distance = helper.solve(m, from, cost)
  local best
  for _, goal in ipairs(goals) do
    local d = distance[goal]
    if d and not (best and best <= d) then best = d end
  end
  local to = #goals == 1 and goals[1] or goals
  local all = with(opts, a_way(s))
  local path, _, code
  if W:chance(0.3) and not all.into then
    local search = must(W, s.g, "search", from, to, all)
    while search:step(W:rnd(1, 5)) == "running" do end
    path, _, code = search:result()
  else
    path, _, code = must(W, s.g, "path", from, to, all)
  end
  if not best then
    same(nil, path, "the path")
    return same("no_path", code, "the code")
  end
  check(path, "there is a path of %s", best)
  check(near(best, path.cost), "the path must cost %.17g, got %.17g", best, path.cost)
  walk(s, path, from, set, cost)
  if not opts.costs and not opts.cost and path ~= s.into then s.paths[W:rnd(4)] = path end
end

-- A path that says that it is valid can be walked as it is. Costs are the weights.
function Graph.valid(s)
  for _, path in pairs(s.paths) do
    if path.map == s.g then
      local results = s.W:call("path:valid", s.g, nil, path.valid, path)
      check(results[1], "valid raised %s", tostring(results[2]))
      if results[2] then walk(s, path, path[1], { [path[#path]] = true }) end
    end
  end
end

local function backward(m, goal, cost)
  local turned = { nodes = m.nodes, closed = {}, edges = {} }
  for i, edge in ipairs(m.edges) do
    turned.edges[i] = { from = edge.to, to = edge.from, closed = edge.closed, directed = edge.directed, edge = edge }
  end
  return helper.solve(turned, goal, function(edge, from, to)
    if m.closed[from] then return HUGE end -- entered there, against the direction of travel
    return cost and cost(edge.edge, to, from) or not cost and edge.edge.weight
  end)
end

function Graph.field(s)
  local W, m = s.W, s.m
  if #m.nodes == 0 then return end
  local opts, cost = random_costs(s)
  local goal, outward = W:pick(m.nodes), W:chance(0.3)
  if outward then opts = with(opts, { outward = true }) end
  local field = must(W, s.g, "field", goal, with(opts, { into = W:chance(0.5) and s.field or nil }))
  check(field, "there is no field")
  s.field = field
  local distance = outward and helper.solve(m, goal, cost) or backward(m, goal, cost)
  for _, node in ipairs(m.nodes) do
    local value, expected = field:cost(node), distance[node]
    if node ~= goal then
      check((value == nil) == (expected == nil), "the field at %s must be %s, got %s", node, tostring(expected),
        tostring(value))
      check(not value or near(value, expected), "the field at %s must be %s, got %s", node, tostring(expected),
        tostring(value))
    end
  end
end

function Graph.routes(s)
  local W, m = s.W, s.m
  if #m.nodes == 0 or not W:chance(0.3) then return end
  local opts, cost = random_costs(s)
  local routes = must(W, s.g, "routes", opts)
  local from = W:pick(m.nodes)
  local distance = helper.solve(m, from, cost)
  for _, to in ipairs(m.nodes) do
    local value = routes:cost(from, to)
    check((value == nil) == (distance[to] == nil) and (not value or near(value, distance[to])),
      "routes:cost(%s, %s) must be %s, got %s", from, to, tostring(distance[to]), tostring(value))
    if value and W:chance(0.2) then walk(s, routes:path(from, to), from, { [to] = true }, cost) end
  end
end

function Graph.nearest(s)
  local W, m = s.W, s.m
  if m.dimensions == 0 then return end
  local at = place(s)
  local list = moving.sorted(moving.from_nodes(m.position, at), nil, function(id) return m.closed[id] == false end)
  local all = moving.sorted(moving.from_nodes(m.position, at))
  local id, distance = must(W, s.g, "nearest", at)
  local first = all[1]
  if not id then return same(nil, first, "the nearest node") end
  check(first and (near(distance, first[2]) or list[1] and near(distance, list[1][2])),
    "the nearest node is %s away, got %s", first and first[2], distance)
  check(near(moving.distance(m.position[id], at), distance), "the node %s is not %s away", id, distance)
end

function Graph.copy(s)
  if not s.W:chance(0.2) then return end
  local copy = s.W:chance(0.5) and must(s.W, s.g, "copy") or s.W.wend.decode(must(s.W, s.g, "encode"))
  check(copy, "a graph that was encoded cannot be read")
  same(s.g:encode(), copy:encode(), "the bytes of the copy")
  if s.W:chance(0.5) then
    s.W:add("graph", copy)
    s.g, s.paths, s.field = copy, {}, nil
  end
end

-- The model of a graph that link has changed is read from it.
local function refresh(s)
  s.refresh = false
  local known = {}
  for _, edge in ipairs(s.m.edges) do known[edge.id] = true end
  for id in pairs(s.edge_ids) do known[id] = true end
  for _, node in ipairs(s.m.nodes) do
    for id in s.g:edges(node) do
      if not known[id] then
        known[id], s.edge_ids[id] = true, true
        local info = s.g:edge(id)
        info.id, info.measured = id, s.g:is_measured(id)
        s.m.edges[#s.m.edges + 1] = info
      end
    end
  end
end

function Graph.refused(s)
  local W, g, m = s.W, s.g, s.m
  if #m.nodes == 0 then return end
  local node, edge = W:pick(m.nodes), pick_edge(s)
  local bad = W:chance(0.3) and #s.removed > 0 and W:pick(s.removed) or W:pick(NO_ID)
  local what = W:rnd(16)
  if what == 1 then return refused(W, g, "remove_node", bad) end
  if what == 2 then return refused(W, g, "add_edge", node, bad, { weight = 1 }) end
  if what == 3 then return refused(W, g, "add_edge", bad, node, { weight = 1 }) end
  if what == 4 then return refused(W, g, "add_edge", node, node, W:pick(NO_OPTIONS)) end
  if what == 5 then return refused(W, g, "add_edges", { node, node, node, bad }, { weights = { 1, 1 } }) end
  if what == 6 then
    return refused(W, g, "add_edges", { node, node, node, node }, { weights = { 1, W:pick(NO_WEIGHT) } })
  end
  if what == 7 then return refused(W, g, "move", node, 1, W:pick(NO_NUMBER), 1) end
  if what == 8 then return refused(W, g, "add_nodes", { 1, 2, 3, 4, 5, W:pick(NO_NUMBER) }) end
  if what == 9 then return refused(W, g, "remove_edge", W:pick(NO_ID)) end
  if what == 10 then return refused(W, g, "close", bad) end
  if what == 11 then return refused(W, g, "path", node, type(bad) == "table" and { bad } or bad) end
  if what == 12 then return refused(W, g, "path", node, { node, bad }) end
  if what == 13 then return refused(W, g, "field", node, { max_cost = W:pick(NO_WEIGHT) }) end
  if what == 14 then return refused(W, g, "nearest", 1, W:pick(NO_NUMBER), 1) end
  if not edge then return end
  if what == 15 then return refused(W, g, "set_weight", edge.id, W:pick(NO_WEIGHT)) end
  return refused(W, g, "set_tag", edge.id, W:pick(NO_TAG))
end

-- Grids ------------------------------------------------------------------------------------------------------------

local Grid = {}

local function cell(s) return s.W:rnd(s.m.width), s.W:rnd(s.m.height) end

-- An edit of the model is made in the grid too.
local function edit(s, name, ...)
  local results = s.W:call("grid:" .. name, s.m.grid, nil, s.m[name], s.m, ...)
  if not results[1] then error(("%s raised %s"):format(name, tostring(results[2])), 0) end
  s.arcs = nil
end

local function a_value(s) return grid_reference.random_value(rng_of(s.W), s.m.value_opts) end

function Grid.set(s)
  local x, y = cell(s)
  edit(s, "set", x, y, a_value(s))
end

function Grid.fill(s)
  if not s.W:chance(0.2) then return end
  local x1, y1 = cell(s)
  local x2, y2 = cell(s)
  edit(s, "fill", x1, y1, x2, y2, a_value(s))
end

function Grid.close(s)
  local x1, y1 = cell(s)
  local name = s.W:pick { "close", "open" }
  if s.W:chance(0.7) then return edit(s, name, x1, y1) end
  edit(s, name, x1, y1, cell(s))
end

function Grid.map(s)
  if not s.W:chance(0.2) then return end
  edit(s, "map", function() if s.W:chance(0.4) then return a_value(s) end end)
end

-- As many kinds of cells as there are cells.
function Grid.many(s)
  if s.m.width > 8 then edit(s, "map", function(x, y) return 1 + s.m:cell(x, y) / 8 end) end
end

function Grid.wall(s)
  grid_reference.random_wall(rng_of(s.W), s.m)
  s.arcs = nil
end

function Grid.link(s)
  if not s.W:chance(0.3) then return end
  grid_reference.random_link(rng_of(s.W), s.m)
  s.arcs = nil
end

function Grid.unlink(s)
  local x1, y1 = cell(s)
  local x2, y2 = cell(s)
  if x1 ~= x2 or y1 ~= y2 then edit(s, "unlink", x1, y1, x2, y2) end
end

function Grid.get(s)
  local x, y = cell(s)
  local weight, tag = must(s.W, s.m.grid, "get", x, y)
  local c = s.m:cell(x, y)
  same(s.m.weight[c], weight, "the weight")
  same(s.m.tag[c], tag, "the tag")
  same(not s.m.weight[c], must(s.W, s.m.grid, "is_closed", x, y), "whether the cell is closed")
  same(s.m.kept[c], must(s.W, s.m.grid, "weight", x, y), "the weight that the cell keeps")
  same(true, must(s.W, s.m.grid, "has", x, y), "whether the cell exists")
  same(false, must(s.W, s.m.grid, "has", x, s.m.height + s.W:rnd(9)), "whether a cell below the grid exists")
  local px, py = must(s.W, s.m.grid, "position", x, y)
  local cx, cy = must(s.W, s.m.grid, "cell_at", px, py)
  same(x, cx, "the column of the centre")
  same(y, cy, "the row of the centre")
end

local function grid_costs(s)
  if s.W:chance(0.5) then
    s.arcs = s.arcs or s.m:arcs()
    return {}, s.arcs
  end
  local opts, view = grid_reference.random_costs(rng_of(s.W))
  return opts, s.m:arcs(view)
end

local function by_explain(W, m, path, from, to, best)
  check(path, "there is a path of %s", best)
  check(near(best, path.cost), "the path must cost %.17g, got %.17g", best, path.cost)
  local ok, problem = pcall(grid_reference.walk, m, W.arcs, path, from, { to }, true)
  check(ok, "the path cannot be walked: %s", tostring(type(problem) == "table" and problem.message or problem))
end

function Grid.path(s)
  local W, m = s.W, s.m
  local opts, arcs = grid_costs(s)
  local x1, y1 = cell(s)
  local x2, y2 = cell(s)
  local from, to = m:cell(x1, y1), m:cell(x2, y2)
  local best = grid_reference.spread(arcs, { [from] = 0 })[to]
  local all = with(opts, a_way(s))
  local path, _, code
  if W:chance(0.3) and not all.into then
    local search = must(W, m.grid, "search", x1, y1, x2, y2, all)
    while search:step(W:rnd(1, 5)) == "running" do end
    path, _, code = search:result()
  else
    path, _, code = must(W, m.grid, "path", x1, y1, x2, y2, all)
  end
  if not best then
    same(nil, path, "the path")
    return same("no_path", code, "the code")
  end
  W.arcs = arcs
  by_explain(W, m, path, from, to, best)
end

function Grid.field(s)
  local W, m = s.W, s.m
  local opts, arcs = grid_costs(s)
  local x, y = cell(s)
  local goal, outward = m:cell(x, y), W:chance(0.3)
  local into = W:chance(0.5) and s.field or nil
  local field = must(W, m.grid, "field", x, y, with(opts, { outward = outward, into = into }))
  check(field, "there is no field")
  s.field = field
  local distance = grid_reference.spread(outward and arcs or grid_reference.reversed(arcs), { [goal] = 0 })
  for c = 1, m.width * m.height do
    local cx, cy = m:at(c)
    local value, expected = field:cost(cx, cy), distance[c]
    check((value == nil) == (expected == nil) and (not value or near(value, expected)),
      "the field at %d,%d must be %s, got %s", cx, cy, tostring(expected), tostring(value))
  end
  for fx, fy, value in field:each() do
    check(distance[m:cell(fx, fy)], "field:each lists %s,%s, of cost %s", fx, fy, tostring(value))
  end
end

function Grid.copy(s)
  if not s.W:chance(0.2) then return end
  local copy = s.W:chance(0.5) and must(s.W, s.m.grid, "copy") or s.W.wend.decode(must(s.W, s.m.grid, "encode"))
  check(copy, "a grid that was encoded cannot be read")
  same(s.m.grid:encode(), copy:encode(), "the bytes of the copy")
  s.W:add("grid", copy)
  s.m.grid, s.field = copy, nil
end

function Grid.refused(s)
  local W, grid = s.W, s.m.grid
  local x, y = cell(s)
  local bad, what = W:pick(NO_CELL), W:rnd(11)
  if what == 1 then return refused(W, grid, "set", x, bad, 1) end
  if what == 2 then return refused(W, grid, "set", x, y, W:pick(NO_VALUE)) end
  if what == 3 then return refused(W, grid, "fill", x, y, x, bad, 1) end
  if what == 4 then return refused(W, grid, "link", x, y, bad, y) end
  if what == 5 then return refused(W, grid, "path", x, y, bad, y) end
  if what == 6 then return refused(W, grid, "path", x, y, { x, y, bad, y }) end
  if what == 7 then return refused(W, grid, "field", { x, y, x }) end
  if what == 8 then
    local at, value = W:rnd(s.m.width * s.m.height), W:pick(NO_VALUE)
    return refused(W, grid, "map", function(cx, cy)
      if s.m:cell(cx, cy) == at then return value end
      return 7
    end)
  end
  if what == 9 then return refused(W, grid, W:pick { "close", "open" }, x, y, x, bad) end
  if what == 10 then return refused(W, grid, "set", x, y, W:pick { "mud", { tag = "mud" } }, "mud") end
  return refused(W, grid, "clear", x, y, bad, y)
end

-- Sequences --------------------------------------------------------------------------------------------------------

local function names_of(operations)
  local list = {}
  for name in pairs(operations) do list[#list + 1] = name end
  table.sort(list)
  return list
end
local GRAPH, GRID = names_of(Graph), names_of(Grid)

---Runs one sequence; returns the number of calls.
function model.sequence(W)
  W.active = true
  local state, operations, names
  if W:chance(0.6) then
    local g, m = helper.random_graph(rng_of(W), { nodes = W:rnd(1, 14) })
    state = { W = W, g = g, m = m, removed = {}, paths = {}, edge_ids = {}, into = {} }
    for _, edge in ipairs(m.edges) do state.edge_ids[edge.id] = true end
    W:add("graph", g)
    operations, names = Graph, GRAPH
  else
    local large = W:chance(0.1)
    local width, height = large and 14 or W:rnd(1, 8), large and 8 or W:rnd(1, 6)
    local m = grid_reference.random(rng_of(W), { width = width, height = height })
    state = { W = W, m = m, into = {} }
    W:add("grid", m.grid)
    operations, names = Grid, GRID
  end
  for _ = 1, W:rnd(20, 100) do
    local name = W:pick(names)
    W:log("- " .. name)
    local ok, problem = pcall(operations[name], state)
    if not ok then
      W:finding(name .. ": " .. tostring(problem))
      break
    end
    if state.refresh then refresh(state) end
  end
  return W.calls
end

return model
