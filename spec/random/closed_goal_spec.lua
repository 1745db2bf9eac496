-- SPDX-License-Identifier: MIT
-- The option closed_goal on random maps, against a plain solver: paths end with a step onto a goal as if it were open,
-- and lead through no closed place. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local near, with = reference.near, grid_reference.with
local HUGE = math.huge
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- The plain solver ---------------------------------------------------------------------------------------------------

-- steps: by place a list { to, cost, ... } of a map as it is. onto: by closed goal a list { from, cost, ... }. The
-- least cost from a place to each of the goals, and the least of all; nil: there is no path.
local function solve(steps, onto, from, goals)
  local known, best, each = grid_reference.spread(steps, { [from] = 0 }), nil, {}
  for k, goal in ipairs(goals) do
    local cost = goal == from and 0 or not onto[goal] and known[goal] or HUGE
    for i = 1, onto[goal] and #onto[goal] or 0, 2 do
      cost = math.min(cost, (known[onto[goal][i]] or HUGE) + onto[goal][i + 1])
    end
    each[k] = cost < HUGE and cost or nil
    if cost < (best or HUGE) then best = cost end
  end
  return best, each
end

-- The steps onto a cell if it were open.
local function steps_onto(model, view, goal)
  local list, x2, y2 = {}, model:at(goal)
  local function add(from, cost)
    if cost < HUGE then list[#list + 1], list[#list + 2] = from, cost end
  end
  local kept = model.weight[goal]
  model.weight[goal] = model.kept[goal]
  for y = y2 - 1, y2 + 1 do
    for x = x2 - 1, x2 + 1 do
      if model:inside(x, y) and (x ~= x2 or y ~= y2) then add(model:cell(x, y), model:step(view, x, y, x2, y2)) end
    end
  end
  local arcs = next(model.links) and model:arcs(view)
  for from = 1, model.width * model.height do
    if model.links[from][goal] and from ~= goal then
      for i = 1, #arcs[from], 2 do -- the link, or a step that is listed above
        if arcs[from][i] == goal then add(from, arcs[from][i + 1]) end
      end
    end
  end
  model.weight[goal] = kept
  return list
end

-- Grids --------------------------------------------------------------------------------------------------------------

local function compare_explained(path, map, options)
  local sum = 0
  for _, step in ipairs(assert(path:explain())) do sum = sum + step.cost end
  near(path.cost, sum, "explain")
  near(path.cost, assert(map:explain(path, options)).cost, "map:explain")
end

local function compare_grid(rng, model, grid)
  local options, view = grid_reference.random_costs(rng)
  options.closed_goal = true
  local goals, list, onto = {}, {}, {}
  for _ = 1, rng:pick { 1, 1, 1, 2, 5 } do
    local x, y = rng(model.width), rng(model.height)
    goals[#goals + 1] = model:cell(x, y)
    list[#list + 1], list[#list + 2] = x, y
  end
  for _, goal in ipairs(goals) do
    if not model.weight[goal] then onto[goal] = steps_onto(model, view, goal) end
  end
  local x, y = rng(model.width), rng(model.height)
  local arcs = model:arcs(view)
  local expected = solve(arcs, onto, model:cell(x, y), goals)
  local function ends(more)
    if #goals == 1 then return x, y, list[1], list[2], more end
    return x, y, list, more
  end
  local path, _, code = grid:path(ends(with(options, rng:pick { {}, {}, { algorithm = "dijkstra" } })))
  if not expected then
    assert.equal("no_path", code)
    assert.is_truthy(grid:why_not(ends(options)))
  else
    near(expected, assert(path).cost)
    assert.equal(true, path:valid())
    compare_explained(path, grid, options)
    assert.is_nil(grid:why_not(ends(options)))
    near(expected, grid_reference.sliced(grid, rng(1, 9), ends(options)).cost, "slices")
    local varied = grid:path(ends(with(options, { variation = 0.3, seed = rng(99) })))
    assert.is_true(varied.cost >= expected - 1e-9 and varied.cost <= expected * 1.3 + 1e-9, "variation")
  end
  if #goals == 1 then -- a route between centres, as steps
    local px, py = grid:position(x, y)
    local qx, qy = grid:position(list[1], list[2])
    local route = grid:route(px, py, qx, qy, with(options, { straighten = false }))
    assert.equal(expected ~= nil, route ~= nil)
    if route then
      near(expected, route.cost, "route")
      local straight = grid:route(px, py, qx, qy, options)
      assert.is_true(straight.cost <= expected + 1e-9, "straight route")
      assert.same({ px, py, qx, qy }, { straight[1], straight[2], unpack(straight, #straight - 1) })
    end
  end
  assert.equal(expected ~= nil, (grid:can_reach(ends(options))))
  local field = grid:field(#goals == 1 and { list[1], list[2] } or list, options)
  for _ = 1, 5 do
    local sx, sy = rng(model.width), rng(model.height)
    local value = solve(arcs, onto, model:cell(sx, sy), goals)
    assert.equal(value == nil, field:cost(sx, sy) == nil)
    if value then
      near(value, field:cost(sx, sy), "field")
      local found = field:path(sx, sy)
      near(value, found.cost, "field:path")
      assert.equal(true, found:valid())
    end
  end
  if rng:chance(0.3) and not options.cost then
    local decoded = wend.decode(field:encode(), { map = grid, costs = options.costs, agent = options.agent })
    assert.equal(field:cost(x, y), decoded:cost(x, y))
    local one, other = field:path(x, y), decoded:path(x, y)
    assert.equal(one and grid_reference.show(one), other and grid_reference.show(other))
  end
end

-- Graphs -------------------------------------------------------------------------------------------------------------

-- Of the nodes by distance: the first one that any entry reaches, and the first entry that reaches it.
local function compare_route(rng, g, nodes, closed, options)
  local x1, y1, x2, y2 = rng(-100, 100), rng(-100, 100), rng(-100, 100), rng(-100, 100)
  local function ordered(x, y, entering)
    local list = {}
    for _, node in ipairs(nodes) do
      local nx, ny = g:position(node)
      local distance = nx and math.sqrt((nx - x) ^ 2 + (ny - y) ^ 2)
      if nx and (not entering or not closed[node] or distance == 0) then list[#list + 1] = { node, distance } end
    end
    table.sort(list, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
    return list
  end
  local entries, expected = ordered(x1, y1, true), nil
  for _, off in ipairs(ordered(x2, y2)) do
    for _, on in ipairs(entries) do
      local path = not expected and g:path(on[1], off[1], options)
      if path then expected = on[2] + path.cost + off[2] end
    end
  end
  local route = g:route({ x1, y1 }, { x2, y2 }, options)
  assert.equal(expected ~= nil, route ~= nil)
  if route then near(expected, route.cost, "route") end
end

local function compare_graph(rng, g)
  local nodes, closed, tags = {}, {}, { road = rng:pick { 1, 0.5 }, swamp = rng:pick { 3, false } }
  for node in g:nodes() do
    nodes[#nodes + 1] = node
    closed[node] = g:is_closed(node)
  end
  local index, steps, onto, goals, places = {}, {}, {}, {}, {}
  for i, node in ipairs(nodes) do index[node], steps[i] = i, {} end
  for _ = 1, rng:pick { 1, 1, 1, 2, 12 } do
    goals[#goals + 1] = rng:pick(nodes)
    places[#places + 1] = index[goals[#goals]]
    onto[places[#places]] = closed[goals[#goals]] and {} or nil
  end
  local function slow(_, cost, _, from, to) return (from + to) % 3 > 0 and cost + 1 or nil end
  local ruled = rng:chance(0.3)
  local function add(from, to, edge)
    local times = edge.tag and tags[edge.tag]
    if times == nil then times = 1 end
    if edge.closed or not times or from == to then return end
    local cost = edge.weight * times
    if ruled then cost = slow(nil, cost, nil, from, to) or cost end
    local into = closed[to] and onto[index[to]] or not closed[to] and steps[index[from]]
    if not into then return end
    local place = closed[to] and index[from] or index[to]
    into[#into + 1], into[#into + 2] = place, cost
  end
  for id in g:edges() do
    local edge = g:edge(id)
    add(edge.from, edge.to, edge)
    if not edge.directed then add(edge.to, edge.from, edge) end
  end
  local options = { costs = wend.costs(tags), closed_goal = true, cost = ruled and slow or nil }
  local from, to = rng:pick(nodes), #goals == 1 and goals[1] or goals
  local expected = solve(steps, onto, index[from], places)
  local path, _, code = g:path(from, to, options)
  if not expected then
    assert.equal("no_path", code)
    assert.is_truthy(g:why_not(from, to, options))
  else
    near(expected, assert(path).cost)
    assert.equal(true, path:valid())
    assert.equal(#path - 1, #path:edges())
    compare_explained(path, g, options)
    assert.is_nil(g:why_not(from, to, options))
    near(expected, grid_reference.sliced(g, rng(1, 9), from, to, options).cost, "slices")
  end
  if rng:chance(0.5) and g:dimensions() == 2 then compare_route(rng, g, nodes, closed, options) end
  assert.equal(expected ~= nil, (g:can_reach(from, to, options)))
  local field = g:field(goals, options)
  for i, node in ipairs(nodes) do
    local value = solve(steps, onto, i, places)
    assert.equal(value == nil, field:cost(node) == nil)
    if value then
      near(value, field:cost(node), "field")
      near(value, field:path(node).cost, "field:path")
    end
  end
end

describe("closed goals", function()
  it("of grids: the step onto a goal counts as open, and no other", function()
    helper.rounds("closed goals of grids", 100, function(rng)
      local model, grid = grid_reference.random_ground(rng)
      for _ = 1, 4 do
        compare_grid(rng, model, grid)
        grid_reference.open_any(rng, model, grid)
      end
    end)
  end)

  it("of graphs: the same", function()
    helper.rounds("closed goals of graphs", 100, function(rng)
      local g = helper.random_graph(rng, { dimensions = rng:pick { 2, 2, 3, 0 }, nodes = rng(2, 40) })
      local map = rng:chance(0.5) and g:overlay() or g
      for _ = 1, 4 do
        for node in g:nodes() do
          if rng:chance(0.2) then map[rng:pick { "close", "open" }](map, node) end
        end
        if map == g and rng:chance(0.2) then map:prepare() end
        compare_graph(rng, map)
      end
    end)
  end)

  -- Paths of a map: of calls, of fields that may be out of date, of files; with the options, and in a watch.
  local function gather(rng, map, options, ends)
    local paths, watch, field, from = {}, wend.watch(map), nil, nil
    local self = { paths = paths }
    local function add(path)
      if not path then return end
      if rng:chance(0.3) then
        path = assert(wend.decode(path:encode(), with({ map = map }, { costs = options.costs, size = options.size })))
      end
      paths[path] = true
      watch:add(path)
    end
    function self.more()
      local list = ends()
      add((map:path(unpack(list))))
      if field and rng:chance(0.5) then add((field:path(unpack(from)))) end
      if rng:chance(0.3) then
        from = list[3] == options and { list[1] } or { list[1], list[2] }
        list[#list] = with(options)
        list[#list].corners = nil
        field = map:field(unpack(list, #from + 1))
      end
    end
    -- cost(path): what it costs now, HUGE: it is closed.
    function self.check(cost)
      local affected = {}
      for _, path in ipairs(watch:affected()) do affected[path] = true end
      for path in pairs(paths) do
        local valid = path:valid()
        if valid then near(path.cost, cost(path), "a path that has changed counts as valid") end
        if not valid then
          assert.truthy(affected[path], "a watch has missed a change")
          paths[path] = nil
        end
      end
    end
    return self
  end

  it("of grids: paths and watches notice what changes the cost", function()
    helper.rounds("closed goals of grids and edits", 80, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 8), height = rng(3, 8), closed = rng:pick { 0, 0.05 },
        walls = rng:pick { 0, 0, 0.05 }, links = rng:pick { 0, 1 } })
      local options, view = grid_reference.random_costs(rng, { plain = true })
      options.closed_goal = true
      options.size = rng:pick { false, false, 2, 3 } or nil
      options.corners = rng:chance(0.2) or nil
      view.size = options.size
      local x2, y2 = grid_reference.any(rng, model)
      local found = gather(rng, model.grid, options, function()
        if rng:chance(0.2) then x2, y2 = grid_reference.any(rng, model) end
        return { math.max(1, math.min(model.width, x2 + rng(-3, 3))), rng(model.height), x2, y2, options }
      end)
      local function cost(path)
        local sum, arcs, before = 0, model:arcs(view), nil
        local goal = model:cell(path[#path - 1], path[#path])
        for _, step in ipairs(path:explain()) do
          local from, to, least = model:cell(step.from_x, step.from_y), model:cell(step.to_x, step.to_y), HUGE
          local list = to == goal and steps_onto(model, view, goal) or arcs[from]
          for i = 1, #list, 2 do
            if list[i] == (to == goal and from or to) then least = math.min(least, list[i + 1]) end
          end
          assert.truthy(not before or before == from)
          sum, before = sum + least, to
        end
        return sum
      end
      for _ = 1, 12 do
        found.more()
        local x, y = x2, y2
        if rng:chance(0.5) then x, y = grid_reference.any(rng, model) end
        local what = rng(5)
        if what == 1 then model:close(x, y)
        elseif what == 2 then model:open(x, y)
        elseif what == 3 then grid_reference.random_wall(rng, model)
        elseif what == 4 then grid_reference.random_link(rng, model)
        else model:set(x, y, grid_reference.random_value(rng, model.value_opts)) end
        if rng:chance(0.7) then found.check(cost) end
      end
    end)
  end)
end)
