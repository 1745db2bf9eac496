-- SPDX-License-Identifier: MIT
-- Random grids of hexes, compared with graphs of their steps: all kinds of queries, before and after edits.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local with = grid_reference.with
local floor, huge = math.floor, math.huge

--- The six neighbours of a hex, some of which may lie outside.
local function around(world, x, y)
  local line = world.flat and x or y
  local on = (line % 2 == 1) == (world.shift == "odd") and 1 or -1
  local list = { { x - 1, y }, { x + 1, y }, { x, y - 1 }, { x, y + 1 } }
  list[5] = world.flat and { x - 1, y + on } or { x + on, y - 1 }
  list[6] = world.flat and { x + 1, y + on } or { x + on, y + 1 }
  return list
end

local function id_of(world, x, y) return (y - 1) * world.width + x end
local function has(world, x, y) return x >= 1 and x <= world.width and y >= 1 and y <= world.height end
local function cell_of(world, id) return (id - 1) % world.width + 1, floor((id - 1) / world.width) + 1 end

--- Calls fn(x, y, x2, y2, id, id2) for all steps between hexes, if all is open.
local function each_step(world, fn)
  for id = 1, world.width * world.height do
    local x, y = cell_of(world, id)
    for _, beside in ipairs(around(world, x, y)) do
      local x2, y2 = beside[1], beside[2]
      if has(world, x2, y2) then fn(x, y, x2, y2, id, id_of(world, x2, y2)) end
    end
  end
end

local function random_value(rng)
  if rng:chance(0.3) then return false end
  return { weight = rng:pick { 1, 1, 2, 3.5 }, tag = rng:pick { "mud", "gate", false } or nil }
end

local function set(world, x, y, value)
  world.cells[id_of(world, x, y)] = value
  world.grid:set(x, y, value)
end

local function wall(world, x, y, x2, y2, closed)
  local a, b = id_of(world, x, y), id_of(world, x2, y2)
  world.grid:wall(x, y, x2, y2, closed)
  world.walls[a .. " " .. b], world.walls[b .. " " .. a] = closed or nil, closed or nil
end

--- A random neighbour of a hex; nil: there is none.
local function neighbour(rng, world, x, y)
  local list = {}
  for _, beside in ipairs(around(world, x, y)) do
    if has(world, beside[1], beside[2]) then list[#list + 1] = beside end
  end
  local one = #list > 0 and rng:pick(list) or {}
  return one[1], one[2]
end

local function random_world(rng)
  local world = { width = rng(13), height = rng(13), cells = {}, walls = {}, links = {} }
  world.shift, world.flat = rng:pick { "odd", "even" }, rng:chance(0.5)
  world.grid = wend.grid(world.width, world.height,
    { shape = "hex", shift = world.shift, flat = world.flat })
  function world.at() return rng(world.width), rng(world.height) end
  local plain = rng:chance(0.3)
  for id = 1, world.width * world.height do
    local x, y = cell_of(world, id)
    set(world, x, y, plain and (rng:chance(0.7) and {}) or not plain and random_value(rng))
  end
  local walled = rng:pick { 0, 0, 0.2 }
  each_step(world, function(x, y, x2, y2) if rng:chance(walled) then wall(world, x, y, x2, y2, true) end end)
  each_step(world, function(x, y, x2, y2, a, b)
    if not rng:chance(walled) or world.walls[a .. " " .. b] or world.walls[b .. " " .. a] then return end
    world.grid:wall(x, y, x2, y2, true, { directed = true })
    world.walls[a .. " " .. b] = true
  end)
  for _ = 1, rng:pick { 0, 0, 2 } do
    local x, y = world.at()
    local x2, y2 = world.at()
    local link = { x, y, x2, y2, weight = rng(3), tag = rng:pick { "gate", false } or nil }
    world.grid:link(x, y, x2, y2, { weight = link.weight, tag = link.tag, directed = true })
    world.links[x .. "," .. y .. "," .. x2 .. "," .. y2] = link
  end
  return world
end

local function random_edit(rng, world)
  local x, y = world.at()
  local x2, y2 = neighbour(rng, world, x, y)
  if x2 and rng:chance(0.4) then wall(world, x, y, x2, y2, rng:chance(0.5)) else set(world, x, y, random_value(rng)) end
end

--- An agent, and what a step with a weight and a tag costs it if it leads to a hex: nil, closed.
local function random_agent(rng, world)
  local agent, times, dear, layer = {}, {}, 1, nil
  if rng:chance(0.4) then
    times = { mud = 2, gate = rng:pick { 1, false } }
    agent.costs = wend.costs(times)
  end
  if rng:chance(0.3) then
    dear = rng:pick { 1, 3 }
    agent.cost = function(_, cost, tag) return tag == "mud" and cost * dear or cost end
    agent.at_least = rng:pick { 0, 1 }
  end
  if rng:chance(0.3) then
    layer = wend.influence(world.grid)
    for _ = 1, 9 do
      local x, y = world.at()
      layer:set(x, y, rng(4))
    end
    agent.influence = { layer, 0.5 }
  end
  return agent, function(id, weight, tag)
    local factor = times[tag or ""]
    if factor == false then return nil end
    local x, y = cell_of(world, id)
    return (weight * (factor or 1) + (layer and 0.5 * layer:get(x, y) or 0)) * (tag == "mud" and dear or 1)
  end
end

--- The graph of the steps that an agent can take. Node ids are numbers of hexes.
local function graph_of(world, price)
  local graph = wend.graph()
  for _ = 1, world.width * world.height do graph:add_node() end
  local function add(a, b, weight, tag)
    local cost = world.cells[b] and price(b, weight, tag)
    local onto = world.cells[b] and price(b, 1, world.cells[b].tag)
    if cost and onto then graph:add_edge(a, b, { weight = cost, directed = true }) end
  end
  each_step(world, function(_, _, _, _, a, b)
    local cell = world.cells[b]
    if cell and not world.walls[a .. " " .. b] then add(a, b, cell.weight or 1, cell.tag) end
  end)
  for _, link in pairs(world.links) do
    add(id_of(world, link[1], link[2]), id_of(world, link[3], link[4]), link.weight, link.tag)
  end
  return graph
end

--- How many steps lie between each hex and one of them, if all is open.
local function distances(world, to)
  local far, list, at = { [to] = 0 }, { to }, 1
  while list[at] do
    local x, y = cell_of(world, list[at])
    for _, beside in ipairs(around(world, x, y)) do
      local id = has(world, beside[1], beside[2]) and id_of(world, beside[1], beside[2])
      if id and not far[id] then far[id], list[#list + 1] = far[list[at]] + 1, id end
    end
    at = at + 1
  end
  return far
end

--- How many steps a hex is away from a closed one, a wall or what lies outside.
local function obstacle_distance(world, id)
  if not world.cells[id] then return 0 end
  local least = huge
  for other, steps in pairs(distances(world, id)) do
    local x, y = cell_of(world, other)
    if not world.cells[other] then least = math.min(least, steps) end
    for _, beside in ipairs(around(world, x, y)) do
      local to = id_of(world, beside[1], beside[2])
      local walled = world.walls[other .. " " .. to] and world.walls[to .. " " .. other]
      if walled or not has(world, beside[1], beside[2]) then
        least = math.min(least, steps + 1)
      end
    end
  end
  return least
end

local function same(expected, got, what)
  assert(expected == got or math.abs(expected - got) < 1e-9 * (1 + math.abs(expected)),
    ("%s: %s, not %s"):format(what, tostring(got), tostring(expected)))
end

--- Whether all steps of a path are steps of hexes or links, and cost what it says.
local function check_path(world, path, price)
  local sum = 0
  for i = 3, #path, 2 do
    local x, y, x2, y2 = path[i - 2], path[i - 1], path[i], path[i + 1]
    local to, cost = id_of(world, x2, y2), huge
    for _, beside in ipairs(around(world, x, y)) do
      if beside[1] == x2 and beside[2] == y2 and not world.walls[id_of(world, x, y) .. " " .. to] then
        cost = price(to, world.cells[to].weight or 1, world.cells[to].tag)
      end
    end
    local link = world.links[x .. "," .. y .. "," .. x2 .. "," .. y2]
    if link then cost = math.min(cost, price(to, link.weight, link.tag) or huge) end
    sum = sum + cost
  end
  same(sum, path.cost, "cost of the path")
end

local function cost_of(path) return path and path.cost or -1 end

local function ask_paths(rng, world, map, graph, agent, price)
  for _ = 1, 6 do
    local x, y = world.at()
    local x2, y2 = world.at()
    local a, b = id_of(world, x, y), id_of(world, x2, y2)
    local path = map:path(x, y, x2, y2, agent)
    local expected = cost_of(graph:path(a, b))
    same(expected, cost_of(path), "path")
    if path then check_path(world, path, price) end
    same(expected, cost_of(map:path(x, y, x2, y2, with(agent, { heuristic = "zero" }))), "without estimates")
    assert.equal(expected >= 0, map:can_reach(x, y, x2, y2, agent))
    same(expected, cost_of(map:paths({ x, y, x2, y2 }, agent)[1]), "batch")
    local varied = map:path(x, y, x2, y2, with(agent, { variation = 0.5, seed = rng(99) }))
    assert.equal(expected >= 0, varied ~= nil)
    if varied then
      check_path(world, varied, price)
      assert(varied.cost <= expected * 1.5 * (1 + 1e-9))
    end
    local turns = map:path(x, y, x2, y2, with(agent, { per_turn = 3 }))
    local expected_turns = graph:path(a, b, { per_turn = 3 })
    -- Equally many turns may be of other costs: some points of them are lost.
    same(expected_turns and expected_turns.turns_used or -1, turns and turns.turns_used or -1, "turns")
    local search = map:search(x, y, x2, y2, agent)
    local status = "running"
    while status == "running" do status = search:step(rng(9)) end
    local goals, best = {}, -1
    for _ = 1, rng(12) do goals[#goals + 1], goals[#goals + 2] = world.at() end
    for i = 1, #goals, 2 do
      local cost = cost_of(graph:path(a, id_of(world, goals[i], goals[i + 1])))
      if cost >= 0 and (best < 0 or cost < best) then best = cost end
    end
    same(best, cost_of(map:path(x, y, goals, agent)), "nearest goal")
    local within, far, near = rng(0, 4), distances(world, b), -1
    for id, steps in pairs(far) do
      local open = world.cells[id] and price(id, 1, world.cells[id].tag)
      local cost = steps <= within and (open or id == a) and cost_of(graph:path(a, id)) or -1
      if cost >= 0 and (near < 0 or cost < near) then near = cost end
    end
    same(near, cost_of(map:path(x, y, x2, y2, with(agent, { within = within }))), "within " .. within)
    if expected < 0 and not agent.cost then assert.is_table(map:why_not(x, y, x2, y2, agent)) end
  end
end

local function ask_fields(rng, world, map, graph, agent)
  local x, y = world.at()
  local outward, most = rng:chance(0.5), rng:pick { huge, 4 }
  local opts = { outward = outward, max_cost = most }
  local field, expected = map:field({ x, y }, with(agent, opts)), graph:field(id_of(world, x, y), opts)
  for id = 1, world.width * world.height do
    local x2, y2 = cell_of(world, id)
    same(expected:cost(id) or -1, field:cost(x2, y2) or -1, "field")
  end
  assert.is_true(field:valid())
end

describe("random grids of hexes", function()
  it("have the paths and the fields of a graph of their steps", function()
    helper.rounds("hexes", 12, function(rng)
      local world = random_world(rng)
      local map, goal = world.grid, { world.at() }
      local overlay, field = nil, world.grid:field(goal)
      if rng:chance(0.3) then map:prepare() end
      for _ = 1, 3 do
        local agent, price = random_agent(rng, world)
        local graph = graph_of(world, price)
        ask_paths(rng, world, map, graph, agent, price)
        ask_fields(rng, world, map, graph, agent)
        if overlay then ask_paths(rng, world, overlay, graph, agent, price) end
        if field:update() then
          local again = world.grid:field(goal)
          for id = 1, world.width * world.height do
            assert.equal(again:cost(cell_of(world, id)), field:cost(cell_of(world, id)))
          end
        end
        overlay = overlay or world.grid:overlay()
        for _ = 1, rng(6) do random_edit(rng, world) end
      end
    end)
  end)

  it("have a frontier, distances of obstacles, stamps and cuts like those of the graph", function()
    helper.rounds("questions of hexes", 30, function(rng)
      local world = random_world(rng)
      local grid, stamp = world.grid, wend.influence(world.grid)
      local far = wend.influence(grid):obstacle_distance()
      local count, x, y = world.width * world.height, world.at()
      local radius, steps = rng(1, 40) / 8, distances(world, id_of(world, x, y))
      stamp:stamp(x, y, radius, 8)
      for id = 1, count do
        local x2, y2 = cell_of(world, id)
        assert.near(8 * math.max(0, 1 - steps[id] / radius), stamp:get(x2, y2), 1e-5)
        assert.equal(obstacle_distance(world, id), far:get(x2, y2))
      end
      local fog, known, expected = grid:overlay { unknown = 1 }, {}, {}
      for _ = 1, rng(4) do
        local x1, y1 = world.at()
        local x2, y2 = math.min(world.width, x1 + rng(0, 3)), math.min(world.height, y1 + rng(0, 3))
        fog:reveal(x1, y1, x2, y2)
        for ky = y1, y2 do
          for kx = x1, x2 do known[id_of(world, kx, ky)] = true end
        end
      end
      local linked = {}
      for from_x, from_y, to_x, to_y in fog:links() do
        local from = id_of(world, from_x, from_y)
        linked[from] = linked[from] or not known[id_of(world, to_x, to_y)]
      end
      for id = 1, count do
        local found = linked[id]
        for _, beside in ipairs(around(world, cell_of(world, id))) do
          local other = has(world, beside[1], beside[2]) and id_of(world, beside[1], beside[2])
          found = found or (other and not known[other] and not world.walls[id .. " " .. other])
        end
        if found and known[id] and world.cells[id] then
          expected[#expected + 1], expected[#expected + 2] = cell_of(world, id)
        end
      end
      assert.same(expected, fog:frontier())
      local x1, y1 = world.at()
      local x2, y2 = math.min(world.width, x1 + rng(0, 2)), math.min(world.height, y1 + rng(0, 2))
      local from, gx, gy = {}, world.at()
      for i = 1, 12, 2 do from[i], from[i + 1] = world.at() end
      local built, cut = grid:copy():close(x1, y1, x2, y2), nil
      for i = #from - 1, 1, -2 do
        local inside = from[i] >= x1 and from[i] <= x2 and from[i + 1] >= y1 and from[i + 1] <= y2
        if grid:can_reach(from[i], from[i + 1], gx, gy) and
          (inside or not built:can_reach(from[i], from[i + 1], gx, gy)) then
          cut = (i + 1) / 2
        end
      end
      assert.equal(cut, grid:first_cut({ x1, y1, x2, y2 }, from, { gx, gy }))
    end)
  end)

  it("are the same after they were saved, copied and revealed", function()
    helper.rounds("saved hexes", 20, function(rng)
      local world = random_world(rng)
      local bytes = world.grid:encode()
      local agent = random_agent(rng, world)
      agent.influence = nil
      local read = wend.decode(bytes)
      assert.equal(bytes, read:encode())
      assert.equal(bytes, world.grid:copy():encode())
      assert.same({ world.grid:shape() }, { read:shape() })
      local fog = world.grid:overlay { unknown = 1 }
      fog:reveal(1, 1, world.width, world.height)
      local saved = wend.decode(fog:encode(), { map = world.grid })
      assert.equal(fog:encode(), saved:encode())
      for _ = 1, 8 do
        local x, y = world.at()
        local x2, y2 = world.at()
        local expected = cost_of(world.grid:path(x, y, x2, y2, agent))
        for _, map in ipairs { read, world.grid:copy(), fog, saved } do
          same(expected, cost_of(map:path(x, y, x2, y2, agent)), "path")
        end
      end
      fog:reset()
      for _ = 1, 4 do
        local x, y = world.at()
        local x2, y2 = world.at()
        local steps = distances(world, id_of(world, x, y))[id_of(world, x2, y2)]
        same(steps, fog:path(x, y, x2, y2).cost, "steps over the unknown")
      end
    end)
  end)
end)
