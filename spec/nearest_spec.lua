-- SPDX-License-Identifier: MIT
-- The nearest nodes and edges, against a look at all of them. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local close, draw = moving.close, reference.draw

-- Points of many a kind: a list of positions.
local function random_points(rng, dimensions, count)
  local kind, list, scale = rng(9), {}, 1
  local clusters = {}
  for i = 1, rng(1, 6) do clusters[i] = { rng() * 100, rng() * 100, rng() * 100 } end
  local slope = { rng() - 0.5, rng() - 0.5, rng() - 0.5 }
  if kind == 8 then scale = 1e149 elseif kind == 9 then scale = 1e-150 end
  for i = 1, count do
    local at, cluster, along = {}, rng:pick(clusters), rng() * 200
    for axis = 1, dimensions do
      if kind == 1 then at[axis] = rng() * 100                             -- anywhere
      elseif kind == 2 then at[axis] = rng(0, 12)                          -- on a lattice, so many at one place
      elseif kind == 3 then at[axis] = cluster[axis] + rng() * 1e-3        -- in clusters
      elseif kind == 4 then at[axis] = axis == 1 and i or 7                -- on a line, in order
      elseif kind == 5 then at[axis] = slope[axis] * along                 -- on a slanted line
      elseif kind == 6 then at[axis] = 5                                   -- all at one place
      elseif kind == 7 then at[axis] = (rng() - 0.5) * 10 ^ rng(-150, 150) -- of every size
      else at[axis] = rng(-9, 9) * scale end
    end
    list[i] = at
  end
  return list, kind
end

-- A place to ask about: anywhere, at a point, in the middle of two, far away.
local function random_place(rng, points, dimensions)
  local kind, at = rng(6), {}
  local a, b = rng:pick(points), rng:pick(points)
  for axis = 1, dimensions do
    if kind == 1 then at[axis] = a[axis]
    elseif kind == 2 then at[axis] = (a[axis] + b[axis]) / 2
    elseif kind == 3 then at[axis] = a[axis] + (b[axis] - a[axis]) * (rng() * 1.4 - 0.2)
    elseif kind == 4 then at[axis] = rng() * 120 - 10
    elseif kind == 5 then at[axis] = rng(-1, 1) * 10 ^ rng(0, 149)
    else at[axis] = rng(0, 12) end
    at[axis] = math.max(-1e150, math.min(1e150, at[axis]))
  end
  return at
end

local function is_exact(at, position)
  for axis = 1, #at do
    if at[axis] % 1 ~= 0 or math.abs(at[axis]) > 1e6 then return false end
  end
  for _, where in pairs(position) do
    for axis = 1, #where do
      if where[axis] % 1 ~= 0 or math.abs(where[axis]) > 1e6 then return false end
    end
  end
  return true
end

local function with(at, opts)
  local list = {}
  for axis = 1, #at do list[axis] = at[axis] end
  list[#list + 1] = opts
  return (unpack or table.unpack)(list)
end

-- Asserts that what came is what the sorted list begins with: the distances, and the ids unless rounding may decide.
-- slack: what rounding may make of a distance, where that is not only relative; squares of less than 1e-160 are zero.
local function same(expected, measure, exact, id, distance, what, slack)
  if not expected then
    assert.same({ "nil", "nil" }, { type(id), type(distance) }, what)
    return
  end
  slack = math.max(slack or 0, 1e-160)
  local function alike(a, b) return close(a, b) or math.abs(a - b) <= slack end
  if type(id) ~= "number" then assert.equal("number", type(id), what) end
  if not alike(expected[2], distance) then assert.equal(expected[2], distance, what) end
  if id ~= expected[1] then
    assert.falsy(exact, ("%s: %s instead of %s"):format(what or "nearest", id, expected[1]))
    if not (measure[id] and alike(measure[id], expected[2])) then assert.equal(expected[1], id, what) end
  end
end

-- Asks in every way and compares. accept: which ids count; opts: that say so.
local function compare_nodes(g, position, at, opts, accept)
  local measure = moving.from_nodes(position, at)
  local exact = is_exact(at, position)
  local sorted = moving.sorted(measure, opts and opts.max_distance, accept)
  local id, distance = g:nearest(with(at, opts))
  same(sorted[1], measure, exact, id, distance)
  for _, k in ipairs { 1, 2, 5, #sorted + 3 } do
    local ids, distances = g:nearest(with(at, moving.with(opts, { limit = k })))
    local count = math.min(k, #sorted)
    assert.same({ count, count }, { #ids, #distances }, "k = " .. k)
    local seen = {}
    for i = 1, count do
      same(sorted[i], measure, exact, ids[i], distances[i], "k")
      if seen[ids[i]] or i > 1 and distances[i - 1] > distances[i] then
        error(("node %d at %d of %d: it was there already, or is nearer than the one before"):format(ids[i], i, count))
      end
      seen[ids[i]] = true
    end
  end
end

describe("graph:nearest", function()
  local g
  before_each(function()
    g = draw({ "A B C D E", "A-B", "B>C", "C-D" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 30, 0 } })
  end) -- E (5) is nowhere

  it("gives the node and its distance", function()
    assert.same({ 1, 5 }, { g:nearest(3, 4) })
    assert.same({ 2, 0 }, { g:nearest(10, 0) })
    assert.same({ 4, 70 }, { g:nearest(100, 0) })
  end)

  it("takes a position as one value, also as a list; fields come before items", function()
    assert.same({ 1, 5 }, { g:nearest { 3, 4 } })
    assert.same({ { 1, 2 }, { 5, math.sqrt(65) } }, { g:nearest({ 3, 4 }, { limit = 2 }) })
    assert.same({ 1, 5 }, { g:nearest { x = 3, y = 4, 20, 0 } })
    local high = wend.graph { dimensions = 3 }
    high:add_node(1, 2, 3)
    assert.same({ 1, 1 }, { high:nearest { 1, 2, 4 } })
    assert.same({ 1, 1 }, { high:nearest({ x = 1, y = 2, z = 2 }, { max_distance = 1 }) })
  end)

  it("looks no further than max_distance, which counts as near", function()
    assert.same({ 1, 5 }, { g:nearest(3, 4, { max_distance = 5 }) })
    assert.equal(1, select("#", g:nearest(3, 4, { max_distance = 4.999 })))
    assert.equal(nil, (g:nearest(3, 4, { max_distance = 4.999 })))
    assert.same({ 2, 0 }, { g:nearest(10, 0, { max_distance = 0 }) })
    assert.equal(nil, (g:nearest(10.5, 0, { max_distance = 0 })))
    assert.same({ 1, 5 }, { g:nearest(3, 4, { max_distance = HUGE }) })
    assert.same({ { 1, 2 }, { 5, 5 } }, { g:nearest(5, 0, { max_distance = 5, limit = 9 }) })
  end)

  it("gives two lists with limit, the nearest first", function()
    assert.same({ { 3, 2, 4 }, { 1, 9, 11 } }, { g:nearest(19, 0, { limit = 3 }) })
    assert.same({ { 3 }, { 1 } }, { g:nearest(19, 0, { limit = 1 }) })
    assert.same({ { 3, 2, 4, 1 }, { 1, 9, 11, 19 } }, { g:nearest(19, 0, { limit = 1000 }) })
    assert.same({ {}, {} }, { g:nearest(19, 5, { limit = 3, max_distance = 1 }) })
    assert.same({ {}, {} }, { wend.graph():nearest(0, 0, { limit = 3 }) })
  end)

  it("gives the smaller id of two that are equally near", function()
    assert.same({ 1, 5 }, { g:nearest(5, 0) })
    assert.same({ { 2, 3, 1, 4 }, { 5, 5, 15, 15 } }, { g:nearest(15, 0, { limit = 4 }) })
    local again = g:add_node(10, 0)
    assert.same({ { 2, again }, { 0, 0 } }, { g:nearest(10, 0, { limit = 2 }) })
    g:remove_node(2)
    assert.same({ again, 0 }, { g:nearest(10, 0) })
    g:move(1, 10, 0)
    assert.same({ 1, 0 }, { g:nearest(10, 0) })
  end)

  it("finds closed nodes too", function()
    g:close "B"
    assert.same({ 2, 1 }, { g:nearest(11, 0) })
  end)

  it("is nil alone where there is nothing", function()
    for _, empty in ipairs { wend.graph(), (draw { "A B" }) } do
      assert.equal(1, select("#", empty:nearest(0, 0)))
      assert.equal(nil, (empty:nearest(0, 0)))
    end
  end)

  it("finds a node once it has a position, and follows it", function()
    g:move("E", 15, 0)
    assert.same({ 5, 0 }, { g:nearest(15, 0) })
    g:move("E", -50, 0)
    assert.same({ 2, 5 }, { g:nearest(15, 0) })
    assert.same({ 5, 10 }, { g:nearest(-60, 0) })
    g:remove_node "E"
    assert.same({ 1, 60 }, { g:nearest(-60, 0) })
  end)

  it("does not overflow", function()
    local far = wend.graph { dimensions = 3 }
    far:add_nodes { 1e150, 1e150, 1e150, -1e150, -1e150, -1e150 }
    local id, distance = far:nearest(1e150, 1e150, 1e150)
    assert.same({ 1, 0 }, { id, distance })
    local ids, distances = far:nearest(1e150, 1e150, 1e150, { limit = 2 })
    assert.same({ 1, 2 }, ids)
    assert.truthy(close(2e150 * math.sqrt(3), distances[2]))
    assert.same({ { 1 }, { 0 } }, { far:nearest(1e150, 1e150, 1e150, { limit = 2, max_distance = 1e150 }) })
  end)

  it("does not underflow", function()
    local near = wend.graph()
    near:add_nodes { 3e-150, 0, 1e-150, 0, 2e-150, 0 }
    assert.same({ 2, 1e-150 }, { near:nearest(0, 0) })
    assert.equal(nil, (near:nearest(0, 0, { max_distance = 0.5e-150 })))
    assert.same({ { 2, 3, 1 } }, { (near:nearest(0, 0, { limit = 3 })) })
  end)

  it("does not change the graph", function()
    local path, field = g:path(1, 2), g:field(1)
    g:nearest(1, 1)
    g:nearest(1, 1, { limit = 3, can_reach = 2, clear = function() return true end })
    g:nearest_edge(1, 1)
    assert.equal(true, path:valid())
    assert.equal(true, field:valid())
  end)

  it("gives the same as a look at all of them #slow", function()
    helper.rounds("nearest", 220, function(rng)
      local dimensions = rng(2, 3)
      local points = random_points(rng, dimensions, rng:pick { 1, 2, rng(3, 20), rng(20, 100), rng(100, 500) })
      local graph, position, flat = wend.graph { dimensions = dimensions }, {}, {}
      for i, at in ipairs(points) do
        position[i] = at
        for axis = 1, dimensions do flat[#flat + 1] = at[axis] end
      end
      if rng:chance(0.5) then
        graph:add_nodes(flat)
      else
        for _, at in ipairs(points) do graph:add_node(at[1], at[2], at[3]) end
      end
      for _ = 1, 6 do
        local at = random_place(rng, points, dimensions)
        compare_nodes(graph, position, at)
        local far = moving.distance(at, rng:pick(points)) * rng:pick { 0.5, 1, 2 } * (1 + 1e-9)
        if far < HUGE then compare_nodes(graph, position, at, { max_distance = far }) end
      end
    end)
  end)

  it("finds what it has found again within the distance that it has told", function()
    helper.rounds("nearest within", 200, function(rng)
      local size = 10 ^ rng(-12, 12)
      local graph = wend.graph { dimensions = rng(2, 3) }
      local three = graph:dimensions() == 3
      local function point() return { rng() * size, rng() * size, three and rng() * size or nil } end
      for _ = 1, 6 do
        local at = point()
        graph:add_node(at[1], at[2], at[3])
      end
      graph:add_edges { 1, 2, 3, 4, 5, 6 }
      for _ = 1, 10 do
        local at = point()
        local id, distance = graph:nearest(at)
        assert.equal(id, (graph:nearest(at, { max_distance = distance })))
        assert.equal(nil, (graph:nearest(at, { max_distance = distance * (1 - 1e-12) })))
        local answer = { graph:nearest_edge(at) }
        assert.same(answer, { graph:nearest_edge(at, { max_distance = answer[#answer] }) })
      end
    end)
  end)
end)

-- Edits on a graph and on plain tables; some of them many at once, so that an index has something to put right.
local function edits(rng, dimensions)
  local g = wend.graph { dimensions = dimensions }
  local position, alive, edges = {}, {}, {}
  local size = rng:pick { 10, 1000 }
  local function point()
    local at = {}
    for axis = 1, dimensions do at[axis] = rng:pick { rng(0, size), rng(0, size), rng() * size } end
    return at
  end
  local function added(id, at)
    alive[#alive + 1] = id
    position[id] = at
  end
  local kinds = {}
  function kinds.add()
    local at = rng:chance(0.9) and point() or {}
    added(g:add_node(at[1], at[2], at[3]), at)
  end
  function kinds.add_nodes()
    local flat, list = {}, {}
    for i = 1, rng:pick { 0, 3, 40, 300 } do
      list[i] = point()
      for axis = 1, dimensions do flat[#flat + 1] = list[i][axis] end
    end
    local id = g:add_nodes(flat)
    for i, at in ipairs(list) do added(id + i - 1, at) end
  end
  function kinds.move()
    if #alive == 0 then return end
    for _ = 1, rng:pick { 1, 1, 5, 100 } do
      local id, at = rng:pick(alive), point()
      if rng:chance(0.4) and #position[id] > 0 then -- a step only
        at = {}
        for axis = 1, dimensions do at[axis] = position[id][axis] + rng(-1, 1) end
      end
      g:move(id, at[1], at[2], at[3])
      position[id] = at
    end
  end
  function kinds.remove()
    for _ = 1, rng:pick { 1, 1, 5, 60 } do
      if #alive == 0 then return end
      local id = table.remove(alive, rng(#alive))
      g:remove_node(id)
      position[id] = nil
      for i = #edges, 1, -1 do
        if edges[i].from == id or edges[i].to == id then table.remove(edges, i) end
      end
    end
  end
  function kinds.add_edge()
    if #alive == 0 then return end
    for _ = 1, rng:pick { 1, 4, 20 } do
      local from, to = rng:pick(alive), rng:pick(alive)
      local directed = rng:chance(0.4)
      local id = g:add_edge(from, to, { weight = rng(0, 9), directed = directed })
      edges[#edges + 1] = { id = id, from = from, to = to, directed = directed }
    end
  end
  function kinds.add_edges()
    if #alive == 0 then return end
    local list, weights = {}, {}
    for i = 1, rng:pick { 1, 30, 200 } do
      list[2 * i - 1], list[2 * i], weights[i] = rng:pick(alive), rng:pick(alive), 1
    end
    local id = g:add_edges(list, { weights = weights })
    for i = 1, #weights do
      edges[#edges + 1] = { id = id + i - 1, from = list[2 * i - 1], to = list[2 * i], directed = false }
    end
  end
  function kinds.remove_edge()
    for _ = 1, rng:pick { 1, 10, 50 } do
      if #edges == 0 then return end
      g:remove_edge(table.remove(edges, rng(#edges)).id)
    end
  end
  function kinds.close()
    if #alive > 0 then g:close(rng:pick(alive)) end
    if #edges > 0 then g:close_edge(rng:pick(edges).id) end
  end
  return { g = g, position = position, alive = alive, edges = edges, kinds = kinds, point = point }
end

describe("the index of graph:nearest", function()
  it("is kept through adding, moving and removing #slow", function()
    helper.rounds("nearest edits", 50, function(rng)
      local dimensions = rng(2, 3)
      local world = edits(rng, dimensions)
      local names = rng:pick { { "add", "move", "remove" }, { "add_nodes", "move", "remove", "add" },
        { "add_nodes", "add", "add", "move", "move", "move" }, { "add_nodes", "remove", "remove" } }
      for _ = 1, 120 do
        world.kinds[rng:pick(names)]()
        if rng:chance(0.5) then compare_nodes(world.g, world.position, world.point()) end
      end
    end)
  end)

  it("stays right where one node wanders about for long", function()
    local g = wend.graph()
    for i = 1, 300 do g:add_node(i % 20 * 10, math.floor(i / 20) * 10) end
    local rng = helper.rng "wander"
    for _ = 1, 5000 do
      local x, y = rng(-50, 250), rng(-50, 250)
      g:move(150, x, y)
      local id, distance = g:nearest(x, y)
      assert.equal(0, distance)
      assert.truthy(id == 150 or id < 150 and g:position(id) == x)
    end
  end)

  it("stays right where all have gone and others come", function()
    local g = wend.graph()
    for round = 1, 20 do
      local first, last = g:add_nodes { round, 0, round + 10, 0, round + 20, 0 }
      assert.same({ last, 5 }, { g:nearest(round + 25, 0) })
      for id = first, last do g:remove_node(id) end
      assert.equal(nil, (g:nearest(0, 0)))
    end
  end)
end)

describe("option into of graph:nearest", function()
  it("holds the two lists", function()
    local g, into = wend.graph(), {}
    g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0 }
    local nodes, distances = g:nearest(19, 0, { limit = 3, into = into })
    assert.same({ { 3, 2, 4 }, { 1, 9, 11 } }, { nodes, distances })
    assert.same({ true, true }, { into[1] == nodes, into[2] == distances })
    local again, too = g:nearest(0, 0, { limit = 2, into = into })
    assert.same({ true, true }, { again == nodes, too == distances })
    assert.same({ { 1, 2 }, { 0, 10 } }, into)
    g:nearest(0, 50, { limit = 2, max_distance = 1, into = into })
    assert.same({ {}, {} }, into)
    local mine = {}
    g:nearest(0, 0, { limit = 1, into = { mine } })
    assert.same({ 1 }, mine)
  end)

  it("makes no garbage", function()
    local g, walls = wend.graph(), wend.walls()
    for i = 1, 50 do g:add_node(i * 10, i % 7) end
    walls:add_segment(205, -9, 205, 9)
    local plain, seen = { limit = 7, into = {} }, { limit = 7, into = {}, clear = walls }
    assert.equal(0, helper.garbage(3, 100, function(times)
      for _ = 1, times do
        g:nearest(200, 0, plain)
        g:nearest(200, 0, seen)
      end
    end))
  end)
end)

describe("graph:nearest with can_reach and reachable_from", function()
  local g
  before_each(function() -- A - B > C - D, and E alone
    g = draw({ "A B C D E", "A-B 1", "B>C 1 swamp", "C-D 1" },
      { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 30, 0 }, E = { 16, 0 } })
  end)

  it("skips nodes that cannot reach it", function()
    assert.same({ 5, 1 }, { g:nearest(17, 0) })
    assert.same({ 3, 3 }, { g:nearest(17, 0, { can_reach = "D" }) })
    assert.same({ 2, 7 }, { g:nearest(17, 0, { can_reach = "A" }) })
    assert.same({ 3, 3 }, { g:nearest(17, 0, { can_reach = { "A", "D" } }) })
    assert.same({ 5, 1 }, { g:nearest(17, 0, { can_reach = "E" }) })
    assert.same({ { 3, 2, 4, 1 }, { 3, 7, 13, 17 } }, { g:nearest(17, 0, { can_reach = 4, limit = 9 }) })
  end)

  it("skips nodes that cannot be reached", function()
    assert.same({ 3, 3 }, { g:nearest(17, 0, { reachable_from = "A" }) })
    assert.same({ 3, 3 }, { g:nearest(17, 0, { reachable_from = "D" }) })
    assert.same({ 3, 7 }, { g:nearest(13, 0, { reachable_from = { "D" } }) })
    assert.same({ { 3, 4 }, { 3, 13 } }, { g:nearest(17, 0, { reachable_from = "D", limit = 9 }) })
    assert.same({ { 5, 3, 4 }, { 1, 3, 13 } }, { g:nearest(17, 0, { reachable_from = { "D", "E" }, limit = 9 }) })
  end)

  it("takes both at once", function()
    assert.same({ { 2, 1 }, { 7, 17 } }, { g:nearest(17, 0, { reachable_from = "B", can_reach = "A", limit = 9 }) })
    assert.same({ { 3, 2 }, { 3, 7 } }, { g:nearest(17, 0, { reachable_from = "B", can_reach = "C", limit = 2 }) })
    assert.same({ {}, {} }, { g:nearest(17, 0, { reachable_from = "E", can_reach = "A", limit = 2 }) })
  end)

  it("depends on the agent", function()
    local costs = wend.costs { swamp = function(agent) return not agent.heavy and 1 end }
    assert.same({ 2, 5 }, { g:nearest(15, 0, { can_reach = "D", costs = costs, agent = {} }) })
    assert.same({ 3, 5 }, { g:nearest(15, 0, { can_reach = "D", costs = costs, agent = { heavy = true } }) })
    assert.same({ 2, 5 }, { g:nearest(15, 0, { reachable_from = "A", costs = costs, agent = { heavy = true } }) })
    local function refuse(_, _, tag) return tag ~= "swamp" and nil end
    assert.same({ 3, 5 }, { g:nearest(15, 0, { can_reach = "D", cost = refuse }) })
    assert.same({ 3, 5 }, { g:nearest(15, 0, { can_reach = "D", cost = refuse, at_least = 1 }) })
  end)

  it("lets a closed node be left and not be entered", function()
    g:close "B"
    assert.same({ 2, 0 }, { g:nearest(10, 0, { can_reach = "D" }) })
    assert.same({ 2, 0 }, { g:nearest(10, 0, { can_reach = "B" }) })
    assert.same({ 1, 10 }, { g:nearest(10, 0, { reachable_from = "A" }) })
    assert.same({ 2, 0 }, { g:nearest(10, 0, { reachable_from = "B" }) })
    assert.same({ { 3, 4 }, { 20, 30 } }, { g:nearest(0, 0, { can_reach = "D", reachable_from = "D", limit = 9 }) })
    g:open("B"):close("D")
    assert.same({ 4, 0 }, { g:nearest(30, 0, { can_reach = "D" }) })
    assert.same({ 3, 10 }, { g:nearest(30, 0, { can_reach = "C", reachable_from = "A" }) })
  end)

  it("takes fields", function()
    local to, from = g:field "A", g:field("D", { outward = true })
    assert.same({ 2, 7 }, { g:nearest(17, 0, { can_reach = to }) })
    assert.same({ 3, 7 }, { g:nearest(13, 0, { reachable_from = from }) })
    assert.same({ 3, 3 }, { g:nearest(17, 0, { can_reach = g:field { "A", "D" } }) })
    assert.same({ 1, 20 }, { g:nearest(20, 0, { can_reach = g:field("A", { max_cost = 0.5 }) }) })
    assert.same({ {}, {} }, { g:nearest(20, 0, { can_reach = to, reachable_from = from, limit = 3 }) })
  end)

  it("takes what may be true of no node at all", function()
    local lonely = draw({ "A B" }, { A = { 0, 0 } })
    assert.equal(nil, (lonely:nearest(0, 0, { can_reach = "B" })))
    assert.equal(nil, (lonely:nearest(0, 0, { reachable_from = "B" })))
    assert.same({ 1, 0 }, { lonely:nearest(0, 0, { reachable_from = "A" }) })
  end)

  it("gives the same as paths to and from all nodes #slow", function()
    helper.rounds("nearest reach", 150, function(rng)
      local graph, model = helper.random_graph(rng, { nodes = rng(2, 40), dimensions = rng(2, 3), whole = true })
      local opts, cost = reference.random_costs(rng)
      local all = moving.all_costs(model, cost)
      for _ = 1, 6 do
        local at = { rng(0, 100), rng(0, 100), model.dimensions == 3 and rng(0, 100) or nil }
        local a, b = { rng:pick(model.nodes) }, { rng:pick(model.nodes) }
        if rng:chance(0.4) then a[2] = rng:pick(model.nodes) end
        if rng:chance(0.4) then b[2] = rng:pick(model.nodes) end
        local both = rng(3)
        local function accept(id)
          local to, from = both == 2, both == 1
          for _, goal in ipairs(a) do to = to or all[id][goal] end
          for _, start in ipairs(b) do from = from or all[start][id] end
          return to and from
        end
        local function form(list, outward)
          local kind = rng(3)
          if kind == 1 and #list == 1 then return list[1] end
          if kind == 2 then return graph:field(list, moving.with(opts, { outward = outward })) end
          return list
        end
        compare_nodes(graph, model.position, at, moving.with(opts, {
          can_reach = both ~= 2 and form(a) or nil, reachable_from = both ~= 1 and form(b, true) or nil,
          max_distance = rng:pick { HUGE, rng(0, 60) },
        }), accept)
      end
    end)
  end)
end)

describe("graph:nearest and graph:nearest_edge with open", function()
  local function road()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0 }
    g:add_edges { 1, 2, 2, 3, 3, 4 }
    return g
  end

  it("leave out closed nodes, and those whose tag is closed for the agent", function()
    local g = road():close(2)
    assert.equal(2, (g:nearest(11, 0)))
    assert.equal(2, (g:nearest(11, 0, { open = false })))
    assert.same({ 3, 9 }, { g:nearest(11, 0, { open = true }) })
    g:open(2):set_node_tag(2, "lava")
    assert.equal(2, (g:nearest(11, 0, { open = true })))
    local costs = wend.costs { lava = false }
    assert.equal(2, (g:nearest(11, 0, { costs = costs })))
    assert.equal(3, (g:nearest(11, 0, { costs = costs, open = true })))
    local fireproof = wend.costs { lava = function(agent) return not agent.wet and 2 end }
    assert.equal(2, (g:nearest(11, 0, { costs = fireproof, agent = {}, open = true })))
    assert.equal(3, (g:nearest(11, 0, { costs = fireproof, agent = { wet = true }, open = true })))
    assert.same({ { 3, 1 }, { 9, 11 } }, { g:nearest(11, 0, { costs = costs, open = true, limit = 2 }) })
    for node = 1, 4 do g:close(node) end
    assert.is_nil(g:nearest(11, 0, { open = true }))
    assert.same({ {}, {} }, { g:nearest(11, 0, { open = true, limit = 2 }) })
  end)

  it("leave out nodes whose edges are all too narrow for the agent", function()
    local g = road()
    g:set_width(1, 2):set_width(2, 2)
    local alone = g:add_node(11, 3)
    assert.equal(2, (g:nearest(11, 0, { open = true, size = 2 })))
    assert.equal(alone, (g:nearest(11, 0, { open = true, size = 3 })))
    assert.equal(3, (g:nearest(17, 0, { open = true, size = 3 })))
    assert.equal(2, (g:nearest(9, 0, { open = true, size = 2 })))
  end)

  it("leave out edges that the agent cannot take", function()
    local g = road()
    g:set_tag(2, "swamp")
    assert.equal(2, (g:nearest_edge(16, 0, { open = true })))
    assert.equal(3, (g:nearest_edge(16, 0, { open = true, costs = wend.costs { swamp = false } })))
    local function dry(_, cost, tag) return not tag and cost or false end
    assert.equal(3, (g:nearest_edge(16, 0, { open = true, cost = dry })))
    g:close_edge(3)
    assert.equal(1, (g:nearest_edge(16, 0, { open = true, costs = wend.costs { swamp = false } })))
    g:close(1):close(2)
    assert.is_nil(g:nearest_edge(16, 0, { open = true, costs = wend.costs { swamp = false } }))
    assert.equal(2, (g:nearest_edge(16, 0, { open = true })))
    g:close(3)
    assert.is_nil(g:nearest_edge(16, 0, { open = true }))
  end)

  it("go with other conditions", function()
    local g = road():close(2)
    assert.equal(2, (g:nearest(11, 0, { can_reach = 3 })))
    assert.equal(3, (g:nearest(11, 0, { can_reach = 3, open = true })))
    assert.equal(1, (g:nearest(11, 0, { open = true, clear = function(_, _, x) return x < 15 end })))
    assert.is_nil(g:nearest(11, 0, { open = true, max_distance = 8 }))
    helper.raises("open must be true or false, got 'yes'", g.nearest, g, 1, 1, { open = "yes" })
  end)

  it("find what a look at all nodes finds", function()
    helper.rounds("nearest open", 30, function(rng)
      local g = wend.graph()
      for _ = 1, 40 do g:add_node(rng(0, 20), rng(0, 20), { tag = rng:pick { "lava", "grass", false } or nil }) end
      for i = 1, 40 do if rng(1, 3) == 1 then g:close(i) end end
      local costs = wend.costs { lava = false }
      local x, y = rng(0, 20), rng(0, 20)
      local best, least
      for node in g:nodes() do
        local nx, ny = g:position(node)
        local distance = math.sqrt((nx - x) ^ 2 + (ny - y) ^ 2)
        if not g:is_closed(node) and g:node_tag(node) ~= "lava" and (not least or distance < least) then
          best, least = node, distance
        end
      end
      assert.equal(best, (g:nearest(x, y, { open = true, costs = costs })))
    end)
  end)
end)

describe("graph:nearest with clear", function()
  it("asks about the nearest first, and no more often than it takes", function()
    helper.rounds("nearest clear", 40, function(rng)
      local dimensions = rng(2, 3)
      local g, model = helper.random_graph(rng, { nodes = rng(1, 60), dimensions = dimensions, whole = true })
      local all = moving.all_costs(model)
      for _ = 1, 6 do
        local at = { rng(0, 100), rng(0, 100), dimensions == 3 and rng(0, 100) or nil }
        local goal = rng:chance(0.4) and rng:pick(model.nodes) or nil
        local max_distance = rng:pick { 30, HUGE }
        local share, turn = rng:pick { 1, 2, 3, 1000 }, rng(0, 5)
        local asked = {}
        local function free(numbers)
          local sum = turn
          for i = dimensions + 1, 2 * dimensions do sum = sum + numbers[i] end
          return sum % share == 0
        end
        local opts = { clear = function(...)
          asked[#asked + 1] = { ... }
          return free { ... } and "yes" or nil
        end, can_reach = goal, max_distance = max_distance, limit = rng:pick { false, 1, 3 } or nil }

        local wanted, questions = {}, {}
        local sorted = moving.sorted(moving.from_nodes(model.position, at), max_distance,
          function(id) return not goal or all[id][goal] end)
        for _, item in ipairs(sorted) do
          if #wanted == (opts.limit or 1) then break end
          local question = {}
          for axis = 1, dimensions do
            question[axis], question[dimensions + axis] = at[axis], model.position[item[1]][axis]
          end
          questions[#questions + 1] = question
          if free(question) then wanted[#wanted + 1] = item[1] end
        end
        local found = g:nearest(with(at, opts))
        if opts.limit then assert.same(wanted, found) else assert.equal(wanted[1], found) end
        assert.same(questions, asked)
      end
    end)
  end)

  it("takes walls, grids and whatever has a method of that name", function()
    local g = wend.graph()
    g:add_nodes { 1.5, 0.5, 4.5, 0.5, 9.5, 0.5 }
    local walls = wend.walls()
    walls:add_segment(2, -5, 2, 5)
    assert.same({ 1, 1.5 }, { g:nearest(3, 0.5) })
    assert.same({ 2, 1.5 }, { g:nearest(3, 0.5, { clear = walls }) })
    local grid = wend.parse_grid "..#......."
    assert.same({ 2, 1.25 }, { g:nearest(3.25, 0.5, { clear = grid }) })
    assert.same({ 1, 0.75 }, { g:nearest(2.25, 0.5, { clear = wend.grid(10, 1):wall(2, 1, 3, 1, false) }) })
    assert.same({ 2, 2.25 }, { g:nearest(2.25, 0.5, { clear = wend.grid(10, 1):wall(2, 1, 3, 1) }) })
    local mine = { seen = {} }
    function mine:clear(x1, y1, x2, y2)
      self.seen[#self.seen + 1] = { x1, y1, x2, y2 }
      return x2 > 5
    end
    assert.same({ 3, 6.5 }, { g:nearest(3, 0.5, { clear = mine }) })
    assert.same({ { 3, 0.5, 1.5, 0.5 }, { 3, 0.5, 4.5, 0.5 }, { 3, 0.5, 9.5, 0.5 } }, mine.seen)
    assert.same({ 3, 6.5 }, { g:nearest(3, 0.5, { clear = setmetatable({ seen = {} }, { __index = mine }) }) })
  end)

  it("sees walls from above in three dimensions", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 1, 0, 50, 5, 0, 0 }
    local walls = wend.walls()
    walls:add_segment(3, -5, 3, 5)
    assert.same({ 2, 1 }, { g:nearest(4, 0, 0, { clear = walls }) })
    assert.same({ 1, 1 }, { g:nearest(2, 0, 50, { clear = walls }) })
    assert.same({ 2, math.sqrt(1 + 2500) }, { g:nearest(4, 0, 50, { clear = walls }) })
    local seen
    g:nearest(4, 3, 2, { clear = function(...) seen = { ... } return true end })
    assert.same({ 4, 3, 2, 5, 0, 0 }, seen)
  end)
end)

-- Asserts that an edge was found as the list says, and that the point is on it and as far as it is said to be.
local function compare_edge(g, position, edges, at, opts, accept)
  local measure = moving.from_edges(position, edges, at)
  local sorted = moving.sorted(measure, opts and opts.max_distance, accept)
  local answer = { g:nearest_edge(with(at, opts)) }
  if not sorted[1] then
    assert.equal(nil, answer[1])
    return nil
  end
  assert.equal(#at + 2, #answer)
  local id, distance, point = answer[1], answer[#at + 2], {}
  for axis = 1, #at do point[axis] = answer[axis + 1] end
  local edge = g:edge(id)
  local a, b = position[edge.from], position[edge.to]
  local size = 0
  for axis = 1, #at do
    size = math.max(size, math.abs(at[axis]), math.abs(a[axis]), math.abs(b[axis]))
  end
  same(sorted[1], measure, false, id, distance, nil, size * 1e-12)
  assert.truthy(math.abs(distance - moving.distance(at, point)) <= size * 1e-12, "the point is elsewhere")
  assert.truthy(moving.to_segment(point, a, b) <= size * 1e-12, "the point is not on the edge")
end

describe("graph:nearest_edge", function()
  local g
  before_each(function()
    g = draw({ "A B C D E", "A-B 1", "B>C 1 swamp", "C-D 1", "D-E 1" },
      { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 20, 10 } })
  end)

  it("gives the edge, its nearest point and the distance", function()
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3) })
    assert.same({ 2, 15, 0, 1 }, { g:nearest_edge(15, -1) })
    assert.same({ 3, 20, 7, 5 }, { g:nearest_edge(25, 7) })
    assert.same({ 1, 0, 0, 5 }, { g:nearest_edge(-3, -4) })
    assert.same({ 3, 20, 10, 5 }, { g:nearest_edge(23, 14) })
    assert.same({ 1, 4, 0, 0 }, { g:nearest_edge(4, 0) })
  end)

  it("takes a position as one value, and three dimensions", function()
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge { 4, 3 } })
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge { x = 4, y = 3, 20, 10 } })
    local high = wend.graph { dimensions = 3 }
    high:add_nodes { 0, 0, 0, 0, 0, 10 }
    high:add_edge(1, 2)
    assert.same({ 1, 0, 0, 6, 5 }, { high:nearest_edge(3, 4, 6) })
    assert.same({ 1, 0, 0, 10, 5 }, { high:nearest_edge { x = 0, y = 4, z = 13 } })
  end)

  it("gives the smaller id of two that are equally near", function()
    assert.same({ 1, 10, 0, 2 }, { g:nearest_edge(10, 2) })
    assert.same({ 2, 20, 0, 5 }, { g:nearest_edge(23, -4) })
    g:add_edge("B", "A", { weight = 1 })
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3) })
    g:remove_edge(1)
    assert.same({ 5, 4, 0, 3 }, { g:nearest_edge(4, 3) })
    assert.same({ 2, 10, 0, 2 }, { g:nearest_edge(10, 2) })
  end)

  it("gives the smaller id also where slanted edges share the end", function()
    helper.rounds("nearest shared", 300, function(rng)
      local star = wend.graph { dimensions = rng(2, 3) }
      local three = star:dimensions() == 3
      local function at(x, y, z) return x, y, three and z or nil end
      star:add_node(at(rng(-9, 9) / 7, rng() - 0.5, rng() - 0.5))
      for i = 2, 6 do
        star:add_node(at(3 + rng() * 50, (rng() - 0.5) * 50, (rng() - 0.5) * 50))
        if rng:chance(0.5) then star:add_edge(1, i) else star:add_edge(i, 1) end
      end
      -- all edges lead away to the right: the shared end is the nearest of each
      local x, y, z = star:position(1)
      local answer = { star:nearest_edge(at(x - 40, y + (rng() - 0.5), z and z + rng() - 0.5)) }
      assert.equal(1, answer[1])
      assert.same({ x, y, z }, { answer[2], answer[3], three and answer[4] or nil })
    end)
  end)

  it("looks no further than max_distance, which counts as near", function()
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3, { max_distance = 3 }) })
    assert.equal(1, select("#", g:nearest_edge(4, 3, { max_distance = 2.999 })))
    assert.same({ 1, 4, 0, 0 }, { g:nearest_edge(4, 0, { max_distance = 0 }) })
  end)

  it("leaves out edges with an end that is nowhere, and finds closed ones", function()
    assert.same({ 3, 20, 10, 80 }, { g:nearest_edge(20, 90) })
    g:move("E", 20, 90)
    assert.same({ 4, 20, 90, 0 }, { g:nearest_edge(20, 90) })
    g:close_edge(1)
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3) })
    g:close "A":close "B"
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3) })
  end)

  it("is nil alone where there is nothing", function()
    for _, empty in ipairs { wend.graph(), draw({ "A B" }, { A = { 0, 0 } }), (draw { "A B", "A-B 1" }) } do
      assert.equal(1, select("#", empty:nearest_edge(0, 0)))
      assert.equal(nil, (empty:nearest_edge(0, 0)))
    end
  end)

  it("takes edges without a length and loops", function()
    local odd = wend.graph()
    odd:add_nodes { 3, 4, 3, 4 }
    odd:add_edge(1, 2, { weight = 1 })
    assert.same({ 1, 3, 4, 5 }, { odd:nearest_edge(0, 0) })
    local loop = wend.graph()
    loop:add_node(3, 4)
    loop:add_edge(1, 1)
    assert.same({ 1, 3, 4, 5 }, { loop:nearest_edge(0, 0) })
    assert.same({ 1, 3, 4, 0 }, { loop:nearest_edge(3, 4) })
  end)

  it("follows nodes that move, and what is added and removed", function()
    g:move("A", 10, 50):move("B", 20, 50)
    assert.same({ 1, 15, 50, 1 }, { g:nearest_edge(15, 51) })
    assert.same({ 2, 20, 25, 5 }, { g:nearest_edge(15, 25) })
    local e = g:add_edge("A", "D")
    assert.same({ e, 15, 30, 0 }, { g:nearest_edge(15, 30) })
    g:remove_edge(e)
    assert.same({ 2, 20, 30, 5 }, { g:nearest_edge(15, 30) })
    g:remove_node "B"
    assert.same({ 3, 20, 10, math.sqrt(425) }, { g:nearest_edge(15, 30) })
  end)

  it("goes by who can reach and be reached", function()
    -- A - B > C - D
    assert.same({ 2, 14, 0, 1 }, { g:nearest_edge(14, 1, { can_reach = "D" }) })
    assert.same({ 1, 10, 0, math.sqrt(17) }, { g:nearest_edge(14, 1, { can_reach = "A" }) })
    assert.same({ 2, 14, 0, 1 }, { g:nearest_edge(14, 1, { can_reach = { "A", "D" } }) })
    assert.same({ 2, 14, 0, 1 }, { g:nearest_edge(14, 1, { reachable_from = "A" }) })
    assert.same({ 3, 20, 1, 6 }, { g:nearest_edge(14, 1, { reachable_from = "D" }) })
    assert.same({ 3, 20, 1, 6 }, { g:nearest_edge(14, 1, { reachable_from = g:field("C", { outward = true }) }) })
    assert.same({ 1, 10, 0, math.sqrt(17) }, { g:nearest_edge(14, 1, { can_reach = g:field "B" }) })
  end)

  it("then leaves out closed edges, and those that the agent cannot take", function()
    g:close_edge(1)
    assert.same({ 1, 4, 0, 3 }, { g:nearest_edge(4, 3) })
    assert.same({ 2, 10, 0, math.sqrt(45) }, { g:nearest_edge(4, 3, { can_reach = "D" }) })
    assert.same({ 2, 10, 0, math.sqrt(45) }, { g:nearest_edge(4, 3, { reachable_from = "B" }) })
    g:open_edge(1)
    local costs = wend.costs { swamp = false }
    assert.same({ 2, 14, 0, 1 }, { g:nearest_edge(14, 1, { costs = costs }) })
    assert.same({ 3, 20, 1, 6 }, { g:nearest_edge(14, 1, { can_reach = "D", costs = costs }) })
    assert.same({ 1, 10, 0, math.sqrt(17) }, { g:nearest_edge(14, 1, { reachable_from = "A", costs = costs }) })
  end)

  it("asks clear about the nearest first, up to the nearest point", function()
    local asked = {}
    assert.same({ 3, 20, 3, 16 }, { g:nearest_edge(4, 3, { clear = function(...)
      asked[#asked + 1] = { ... }
      return #asked == 3
    end }) })
    assert.same({ { 4, 3, 4, 0 }, { 4, 3, 10, 0 }, { 4, 3, 20, 3 } }, asked)
    asked = {}
    g:nearest_edge(4, 3, { clear = function(...)
      asked[#asked + 1] = { ... }
      return true
    end, can_reach = "D" })
    assert.same({ { 4, 3, 4, 0 } }, asked)
    local walls = wend.walls()
    walls:add_segment(-5, 1, 7, 1)
    assert.same({ 2, 10, 0, math.sqrt(45) }, { g:nearest_edge(4, 3, { clear = walls, reachable_from = "B" }) })
  end)

  it("gives the same as a look at all of them #slow", function()
    helper.rounds("nearest edge", 150, function(rng)
      local graph, model = helper.random_graph(rng, { nodes = rng(1, 60), dimensions = rng(2, 3),
        whole = rng:chance(0.5), parallel = rng:pick { 0, 0.2 }, coincident = rng:pick { 0, 0.3 } })
      if rng:chance(0.3) then
        local scale = rng:pick { 1e-150, 1e147, 1e-5 }
        local moved = {}
        for _, id in ipairs(model.nodes) do
          local at = {}
          for axis = 1, model.dimensions do at[axis] = math.floor(model.position[id][axis]) * scale end
          moved[id] = at
          graph:move(id, at[1], at[2], at[3])
        end
        model.position = moved
      end
      local points = {}
      for i, id in ipairs(model.nodes) do points[i] = model.position[id] end
      for _ = 1, 12 do
        local at = random_place(rng, points, model.dimensions)
        local far = moving.distance(at, rng:pick(points))
        compare_edge(graph, model.position, model.edges, at)
        if far < HUGE then
          compare_edge(graph, model.position, model.edges, at, { max_distance = far * (rng() + 1e-9) })
        end
      end
    end)
  end)

  it("is kept through every edit #slow", function()
    helper.rounds("nearest edge edits", 50, function(rng)
      local world = edits(rng, rng(2, 3))
      local names = rng:pick { { "add", "add_edge", "move", "remove", "remove_edge" },
        { "add_nodes", "add_edges", "move", "close", "remove_edge" }, { "add_nodes", "add_edge", "remove", "move" } }
      for _ = 1, 80 do
        world.kinds[rng:pick(names)]()
        if rng:chance(0.5) then
          compare_edge(world.g, world.position, world.edges, world.point())
          if rng:chance(0.2) then world.g:nearest(with(world.point())) end
        end
      end
    end)
  end)

  it("gives the same as paths to and from all edges #slow", function()
    helper.rounds("nearest edge reach", 120, function(rng)
      local graph, model = helper.random_graph(rng, { nodes = rng(2, 30), dimensions = rng(2, 3), coincident = 0,
        closed_nodes = 0 })
      local opts, cost = reference.random_costs(rng)
      cost = cost or function(edge) return edge.weight end
      local all, by_id = moving.all_costs(model, cost), {}
      for _, edge in ipairs(model.edges) do by_id[edge.id] = edge end
      for _ = 1, 6 do
        local at = { rng() * 100, rng() * 100, model.dimensions == 3 and rng() * 100 or nil }
        local a, b = rng:pick(model.nodes), rng:pick(model.nodes)
        local both = rng(3)
        local function accept(id)
          local edge = by_id[id]
          if edge.closed then return false end
          local to, from = both == 2, both == 1
          local forth = cost(edge, edge.from, edge.to) < HUGE
          local back = not edge.directed and cost(edge, edge.to, edge.from) < HUGE
          to = to or forth and all[edge.to][a] or back and all[edge.from][a]
          from = from or forth and all[b][edge.from] or back and all[b][edge.to]
          return to and from
        end
        compare_edge(graph, model.position, model.edges, at, moving.with(opts, {
          can_reach = both ~= 2 and a or nil, reachable_from = both ~= 1 and b or nil,
        }), accept)
      end
    end)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN = 0 / 0
local COORDINATE = "must be a finite number (up to 1e150)"
local PLACE = "must be a position: { x, y }, or something with fields x and y"
local CLEAR = "clear must be a function, walls or a grid"

local g, high, grid, walls

local function fixture()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  high = wend.graph { dimensions = 3 }
  high:add_nodes { 0, 0, 0, 10, 0, 0 }
  high:add_edge(1, 2)
  grid = wend.grid(7, 3)
  walls = wend.walls()
  walls:add_segment(5, -5, 5, 5)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("graph:nearest and graph:nearest_edge", function()
  before_each(fixture)

  for _, name in ipairs { "nearest", "nearest_edge" } do
    local function ask(...) return g[name](g, ...) end
    local function ask_high(...) return high[name](high, ...) end
    all {
      "position " .. PLACE .. ", got 'a'", function() ask("a", 1) end,
      "position " .. PLACE .. ", got true", function() ask(true) end,
      "position must be a position...", function() ask_high("1", 2, 3) end,
      "y " .. COORDINATE .. ", got a table", function() ask(1, {}) end,
      "z " .. COORDINATE .. ", got a table", function() ask_high(1, 2, { max_distance = 1 }) end,
      "position.x " .. COORDINATE .. ", got nil", function() ask {} end,
      "position.x " .. COORDINATE .. ", got nil", function() ask { y = 1 } end,
      "position[2] " .. COORDINATE .. ", got nil", function() ask { 1 } end,
      "position.y " .. COORDINATE .. ", got nan", function() ask { x = 1, y = NAN } end,
      "position.x " .. COORDINATE .. ", got '1'", function() ask { x = "1", y = 1 } end,
      "position[3] " .. COORDINATE .. ", got nil", function() ask_high { 1, 2 } end,
      "position.z " .. COORDINATE .. ", got inf", function() ask_high { x = 1, y = 2, z = HUGE } end,
      "unknown option 'radius' (expected one of: ...", function() ask(1, 2, { radius = 5 }) end,
      "unknown option 1 (expected one of: ...", function() ask(1, 2, { 5 }) end,
      "can_reach: there is no node 9", function() ask(1, 2, { can_reach = 9 }) end,
      "can_reach: there is no node named 'moat'", function() ask(1, 2, { can_reach = "moat" }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = { moat = true } }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = g }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, 99 } }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, "moat" } }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, {} } }) end,
      "reachable_from: there is no node 0", function() ask(1, 2, { reachable_from = 0 }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = { moat = true } }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = print }) end,
      "reachable_from...", function() ask(1, 2, { reachable_from = { "moat" } }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = g:field(1, { outward = true }) }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = g:field(1) }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = grid:field(1, 1) }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = high:field(1) }) end,
      CLEAR .. ", got a table", function() ask(1, 2, { clear = { clear = true } }) end,
    }
  end

  all {
    "into[1] must be a table, got 5", function() g:nearest(1, 2, { limit = 2, into = { 5 } }) end,
    "into[2] must be a table, got 'x'", function() g:nearest(1, 2, { limit = 2, into = { {}, "x" } }) end,
    "into needs limit: without limit the results are numbers", function() g:nearest(1, 2, { into = {} }) end,
    "unknown option 'into' (expected one of: ...", function() g:nearest_edge(1, 2, { into = {} }) end,
    "unknown option 'limit' (expected one of: ...", function() g:nearest_edge(1, 2, { limit = 2 }) end,
  }

  it("list the options there are", function()
    local _, message = pcall(g.nearest, g, 1, 2, { near = 1 })
    for _, name in ipairs { "max_distance", "limit", "can_reach", "reachable_from", "clear", "costs", "agent", "cost",
      "at_least" } do
      assert.truthy(message:find("[ (]" .. name .. "[,)]"), name)
    end
  end)

  it("take a limit above the number of nodes", function()
    for _, k in ipairs { 4, 1e6, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53 } do
      assert.same({ { 1, 2, 3 }, { 0, 10, 20 } }, { g:nearest(0, 0, { limit = k }) })
      assert.same({ { 1, 2, 3 }, { 0, 10, 20 } },
        { g:nearest(0, 0, { limit = k, clear = function() return true end }) })
    end
  end)

  it("take a field that the graph has changed under", function()
    local field = g:field "A"
    local new = g:add_node(15, 0)
    g:add_edge(new, "B")
    assert.equal(false, field:valid())
    assert.same({ 2, 5 }, { g:nearest(15, 0, { can_reach = field }) })
    g:remove_node "C"
    local near = g:nearest(15, 0, { can_reach = field })
    assert.truthy(near == 2)
    assert.truthy(pcall(g.nearest_edge, g, 15, 0, { can_reach = field }))
    field:scale(-1.2)
    assert.truthy(pcall(g.nearest, g, 15, 0, { can_reach = field }))
  end)

  it("pass on the error of a rule, with the rule's name", function()
    raises("option 'cost': no mana", g.nearest, g, 1, 1, { can_reach = "C", cost = function() error("no mana", 0) end })
    local costs = wend.costs():edge_rule("mod", function() error("no mana", 0) end)
    raises("rule 'mod': no mana", g.nearest_edge, g, 1, 1, { reachable_from = "C", costs = costs })
    g:close "A"
  end)
end)
