-- SPDX-License-Identifier: MIT
-- Routes: from any position to any position. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local draw, flat, near, with = reference.draw, reference.flat, reference.near, moving.with

local EDGE = { enter = "edge" }

local function root(x) return math.sqrt(x) end

-- Asserts all there is to a route. nodes: false where it does not matter how a node is told that it only begins at.
local function is(points, cost, nodes, route, message)
  assert.truthy(route, message)
  assert.same(points, flat(route))
  near(cost, route.cost)
  if nodes then assert.same(nodes, route.nodes) end
  assert.equal(nil, route.partial)
end

local function failed(code, route, message, got)
  assert.same({ "nil", code, "string" }, { type(route), got, type(message) })
end

describe("graph:route", function()
  local g
  before_each(function() -- A - B - C in a row, D above B: joined to C one way
    g = draw({ "A B C D", "A-B", "B-C", "C>D 20" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 10, 10 } })
  end)

  it("goes on to the graph, along it, and off it", function()
    is({ 1, 1, 0, 0, 10, 0, 20, 0, 19, 2 }, root(2) + 20 + root(5), { 1, 2, 3 }, g:route({ 1, 1 }, { 19, 2 }))
    is({ 8, 3, 10, 0, 20, 0, 10, 10, 11, 14 }, root(13) + 10 + 20 + root(17), { 2, 3, 4 },
      g:route({ 8, 3 }, { 11, 14 }))
    assert.equal(2, g:route({ 1, 1 }, { 19, 2 }).dimensions)
  end)

  it("goes by one node where on and off are the same", function()
    is({ 1, 1, 0, 0, -3, 4 }, root(2) + 5, { 1 }, g:route({ 1, 1 }, { -3, 4 }))
  end)

  it("gives points that are the same only once", function()
    is({ 0, 0, 10, 0, 20, 0 }, 20, { 1, 2, 3 }, g:route({ 0, 0 }, { 20, 0 }))
    is({ 0, 0, 10, 0, 19, 1 }, 10 + root(82), { 1, 2 }, g:close("C"):route({ 0, 0 }, { 19, 1 }))
    local twins = draw({ "A B C", "A-B 3", "B-C 4" }, { A = { 0, 0 }, B = { 0, 0 }, C = { 9, 0 } })
    is({ 1, 0, 0, 0, 9, 0 }, 1 + 7, { 1, 2, 3 }, twins:route({ 1, 0 }, { 9, 0 }))
  end)

  it("of a position to itself is one point", function()
    local route = assert(g:route("B", "B"))
    assert.same({ { 10, 0 }, 0 }, { flat(route), route.cost })
    for _, opts in ipairs { {}, EDGE, { clear = function() return true end }, { max_distance = 1e3 } } do
      route = assert(g:route({ 3, 4 }, { 3, 4 }, opts))
      assert.same({ { 3, 4 }, 0 }, { flat(route), route.cost })
    end
  end)

  it("takes nodes, by id or name, and whatever has x and y #move", function()
    is({ 0, 0, 10, 0, 20, 0 }, 20, { 1, 2, 3 }, g:route("A", 3))
    is({ 1, 1, 0, 0, 10, 0 }, root(2) + 10, { 1, 2 }, g:route({ x = 1, y = 1, hp = 100 }, "B"))
    local hero = setmetatable({}, { __index = { x = 1, y = 1 } })
    is({ 10, 0, 0, 0, 1, 1 }, root(2) + 10, { 2, 1 }, g:route(2, hero))
    local walker = wend.follow({ 0, 1, 2, 1 }, { speed = 1 })
    walker:update(1)
    is({ 1, 1, 0, 0, 10, 0 }, root(2) + 10, { 1, 2 }, g:route(walker, "B"))
    is({ 10, 0, 0, 0, 1, 1 }, root(2) + 10, { 2, 1 }, g:route("B", { x = 1, y = 1, "sword", 20, 0 }))
  end)

  it("takes three dimensions", function()
    local high = wend.graph { dimensions = 3 }
    high:add_nodes { 0, 0, 0, 10, 0, 0, 10, 0, 10 }
    high:add_edges { 1, 2, 2, 3 }
    local route = assert(high:route({ 0, 3, 4 }, { x = 10, y = 0, z = 12 }))
    is({ 0, 3, 4, 0, 0, 0, 10, 0, 0, 10, 0, 10, 10, 0, 12 }, 5 + 20 + 2, { 1, 2, 3 }, route)
    assert.equal(3, route.dimensions)
    is({ 5, 0, 1, 5, 0, 0, 10, 0, 0, 10, 0, 7, 11, 0, 7 }, 1 + 5 + 7 + 1, { 2 },
      high:route({ 5, 0, 1 }, { 11, 0, 7 }, { enter = "edge" }))
  end)

  it("gets on where the goal can be reached from", function()
    -- nearest to the start is D, from which nothing leads away
    is({ 11, 9, 10, 0, 0, 0 }, root(82) + 10, { 2, 1 }, g:route({ 11, 9 }, { 0, 0 }))
    is({ 11, 9, 10, 10 }, root(2), { 4 }, g:route({ 11, 9 }, { 10, 10 }))
  end)

  it("gets off at the nearest that can be reached", function()
    local other = g:add_node(30, 1) -- nearer to the goal, but alone
    is({ 0, 0, 10, 0, 20, 0, 26, 0 }, 26, { 1, 2, 3 }, g:route({ 0, 0 }, { 26, 0 }, { max_distance = 10 }))
    is({ 0, 0, 30, 1, 26, 0 }, root(901) + root(17), { other }, g:route({ 0, 0 }, { 26, 0 }))
  end)

  it("looks no further than max_distance for the ways on and off", function()
    is({ 3, 4, 0, 0, 10, 0 }, 15, { 1, 2 }, g:route({ 3, 4 }, { 10, 0 }, { max_distance = 5 }))
    failed("no_path", g:route({ 3, 4 }, { 10, 0 }, { max_distance = 4.9 }))
    failed("no_path", g:route({ 10, 0 }, { 3, 4 }, { max_distance = 4.9 }))
    failed("no_path", g:route({ 11, 9 }, { 0, 0 }, { max_distance = 2 }))
    is({ 0, 0, 10, 0 }, 10, { 1, 2 }, g:route("A", "B", { max_distance = 0 }))
  end)

  it("fails where there is no path", function()
    failed("no_path", wend.graph():route({ 1, 1 }, { 2, 2 }))
    failed("no_path", wend.graph():route({ 1, 1 }, { 2, 2 }, { enter = "edge" }))
    failed("no_path", g:close("A"):close("B"):close("C"):close("D"):route({ 1, 1 }, { 2, 2 }))
    failed("no_path", draw({ "A B" }, {}):route({ 1, 1 }, { 2, 2 }))
    failed("no_path", draw({ "A B" }, { A = { 0, 0 }, B = { 1, 1 } }):route({ 1, 1 }, { 2, 2 }, { enter = "edge" }))
    failed("no_path", g:route({ 1, 1 }, { 2, 2 }, { clear = function() return false end }))
  end)

  it("passes by closed nodes and edges, and those closed to the agent", function()
    g:close "A"
    is({ 1, 1, 10, 0, 20, 0 }, root(82) + 10, { 2, 3 }, g:route({ 1, 1 }, { 20, 0 }))
    is({ 20, 0, 10, 0, 1, 1 }, root(82) + 10, { 3, 2 }, g:route({ 20, 0 }, { 1, 1 }))
    g:open("A"):close_edge(1)
    is({ 1, 1, 10, 0, 20, 0 }, root(82) + 10, { 2, 3 }, g:route({ 1, 1 }, { 20, 0 }))
    g:open_edge(1):set_tag(1, "swamp")
    is({ 1, 1, 10, 0, 20, 0 }, root(82) + 10, { 2, 3 },
      g:route({ 1, 1 }, { 20, 0 }, { costs = wend.costs { swamp = false } }))
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 3 end }
    near(root(2) + 30 + 10, g:route({ 1, 1 }, { 20, 0 }, { costs = costs }).cost)
    near(root(2) + 20, g:route({ 1, 1 }, { 20, 0 }, { costs = costs, agent = { boots = true } }).cost)
    near(root(2) + 40, g:route({ 1, 1 }, { 20, 0 }, { cost = function(_, cost) return cost * 2 end }).cost)
  end)

  it("takes the straight line where that is free, and cheaper", function()
    local asked = {}
    local function clear(...)
      asked[#asked + 1] = { ... }
      return true
    end
    is({ 1, 1, 19, 2 }, root(325), {}, g:route({ 1, 1 }, { 19, 2 }, { clear = clear }))
    for _, line in ipairs(asked) do assert.equal(4, #line) end
    local roads = { clear = clear, cost = function(_, cost) return cost / 4 end }
    is({ 1, 1, 0, 0, 10, 0, 20, 0, 19, 2 }, root(2) + 5 + root(5), { 1, 2, 3 },
      g:route({ 1, 1 }, { 19, 2 }, roads))
    is({ 9, 1, 12, 1 }, 3, {}, g:route({ 9, 1 }, { 12, 1 }, roads))
    is({ 1, 1, 19, 2 }, root(325), {}, g:route({ 1, 1 }, { 19, 2 }, { clear = wend.walls() }))
    is({ 1, 1, 19, 2 }, root(325), {}, wend.graph():route({ 1, 1 }, { 19, 2 }, { clear = clear }))
    is({ 0, 0, 20, 0 }, 20, {}, g:route("A", "C", { clear = clear, enter = "edge" }))
  end)

  it("does not take the straight line without clear, or where it is not free", function()
    is({ 1, 1, 0, 0, 10, 0, 20, 0, 19, 2 }, root(2) + 20 + root(5), { 1, 2, 3 }, g:route({ 1, 1 }, { 19, 2 }))
    local walls = wend.walls()
    walls:add_segment(5, 0.5, 5, 30)
    is({ 1, 1, 0, 0, 10, 0, 20, 0, 19, 2 }, root(2) + 20 + root(5), { 1, 2, 3 },
      g:route({ 1, 1 }, { 19, 2 }, { clear = walls }))
    is({ 6, 1, 19, 2 }, root(170), {}, g:route({ 6, 1 }, { 19, 2 }, { clear = walls }))
  end)

  it("gets on and off only where that is free", function()
    local walls = wend.walls()
    walls:add_segment(-5, 1, 5, 1)
    is({ 1, 2, 10, 0, 0, 0, -2, 0 }, root(85) + 10 + 2, { 2, 1 }, g:route({ 1, 2 }, { -2, 0 }, { clear = walls }))
    is({ -2, 0, 0, 0, 10, 0, 1, 2 }, root(85) + 10 + 2, { 1, 2 }, g:route({ -2, 0 }, { 1, 2 }, { clear = walls }))
    local grid = wend.parse_grid [[
      ....
      ##..
      ....
    ]]
    local cells = wend.graph()
    cells:add_nodes { 0.5, 0.5, 3.5, 0.5, 3.5, 2.5 }
    cells:add_edges { 1, 2, 2, 3 }
    is({ 0.5, 2.5, 3.5, 2.5, 3.5, 0.5, 0.5, 0.5 }, 3 + 2 + 3, { 3, 2, 1 },
      cells:route({ 0.5, 2.5 }, { 0.5, 0.5 }, { clear = grid }))
    failed("no_path", cells:route({ 0.5, 2.5 }, { 0.5, 0.5 }, { clear = grid, max_distance = 2.9 }))
  end)

  it("asks clear in the direction of travel", function()
    g:route({ 1, 1 }, { 19, 2 }, { clear = function(x1, y1, x2, y2)
      if x1 == 1 and y1 == 1 then return x2 ~= 19 end -- from the start
      assert.same({ 19, 2 }, { x2, y2 })              -- to the goal
      return true
    end })
  end)

  it("keeps max_cost for the whole of it", function()
    local whole = root(2) + 20 + root(5)
    near(whole, assert(g:route({ 1, 1 }, { 19, 2 }, { max_cost = whole * (1 + 1e-12) })).cost)
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = whole * (1 - 1e-9) }))
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = 20 + root(2) + 1 })) -- enough but for the way off
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = 20.5 }))
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = 1 }))
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_expanded = 1 }))
    for seed = 1, 20 do
      near(whole, assert(g:route({ 1, 1 }, { 19, 2 }, { max_cost = whole * 1.01, variation = 1, seed = seed })).cost)
      failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = whole * 0.99, variation = 1, seed = seed }))
    end
    near(1 + 6 + 6 + 1, g:route({ 4, 1 }, { 16, -1 }, { enter = "edge", max_cost = 14.1 }).cost)
    failed("budget", g:route({ 4, 1 }, { 16, -1 }, { enter = "edge", max_cost = 13.5 }))
    failed("budget", g:route({ 4, 1 }, { 6, -1 }, { enter = "edge", max_cost = 3.5 }))
    failed("budget", g:route({ 1, 1 }, { 19, 2 }, { max_cost = 18, clear = function() return true end }))
    assert.truthy(g:route({ 1, 1 }, { 19, 2 }, { max_cost = 18.1, clear = function() return true end }))
  end)

  it("counts what was searched for this route alone", function()
    local stats = {}
    for _, opts in ipairs { { clear = function() return true end }, { max_distance = 0.1 } } do
      g:path(1, 3)
      opts.stats = stats
      g:route({ 1, 1 }, { 19, 2 }, opts)
      assert.same({ 0, 0, 0 }, { stats.expanded, stats.pushed, stats.callbacks })
    end
    g:route({ 3, 3 }, { 3, 3 }, { stats = stats })
    assert.same({ 0, 0, 0 }, { stats.expanded, stats.pushed, stats.callbacks })
  end)

  it("may start on a closed node, and does not lead to one", function()
    g:close "A"
    is({ 0, 0, 10, 0, 20, 0 }, 20, { 1, 2, 3 }, g:route("A", "C"))
    is({ 20, 0, 10, 0, 0, 0 }, 20, { 3, 2 }, g:route("C", "A"))
    local route = assert(g:route("C", { 4, 1 }, EDGE))
    near(10 + 6 + 1, route.cost)
    assert.same({ 20, 0, 10, 0, 4, 0, 4, 1 }, flat(route))
  end)

  it("hands no NaN to a function about edges", function()
    local odd = draw({ "A B", "A-B 0 lava" }, { A = { 0, 0 }, B = { 10, 0 } })
    local handed = {}
    local costs = wend.costs { lava = false }
    odd:route({ 3, 1 }, { 7, 1 }, { enter = "edge", costs = costs, cost = function(_, cost)
      handed[#handed + 1] = cost
    end })
    for _, cost in ipairs(handed) do assert.equal(HUGE, cost) end
    near(2.4, assert(odd:route({ 3, 1 }, { 7, 1 }, { enter = "edge", costs = costs, cost = function(_, cost)
      return cost == HUGE and 1 or nil
    end })).cost)
  end)

  it("leads as near as possible with partial", function()
    g:add_node(50, 0)
    local route = assert(g:route({ 1, 1 }, { 50, 0 }, { partial = true, max_distance = 5 }))
    assert.equal(true, route.partial)
    assert.same({ 1, 1, 0, 0, 10, 0, 20, 0 }, flat(route))
    assert.same({ 1, 2, 3 }, route.nodes)
    near(root(2) + 20, route.cost)
    route = assert(g:route({ 1, 1 }, { 19, 2 }, { partial = true }))
    assert.equal(nil, route.partial)
    -- the nearest to where it is to go, not the nearest to a node there
    local ring = draw({ "A B C D", "A-B", "A-C" }, { A = { 0, 50 }, B = { -9, 0 }, C = { 17, 0 }, D = { 8, 0 } })
    route = assert(ring:route({ 0, 50 }, { 0, 0 }, { partial = true, max_distance = 8.5 }))
    assert.same({ 0, 50, -9, 0 }, flat(route))
  end)

  it("fills the tables of the options into and stats", function()
    local into, stats = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 }, {}
    local route = g:route({ 1, 1 }, { 19, 2 }, { into = into, stats = stats })
    assert.equal(into, route)
    is({ 1, 1, 0, 0, 10, 0, 20, 0, 19, 2 }, root(2) + 20 + root(5), { 1, 2, 3 }, route)
    assert.truthy(stats.expanded > 0)
    assert.equal(into, (g:route({ 3, 4 }, { 3, 4 }, { into = into })))
    assert.same({ 3, 4 }, flat(into))
    g:route({ 1, 1 }, { 90, 90 }, { into = into, max_distance = 1 })
    assert.same({ 0, nil, nil }, { #into, into.cost, into.nodes })
  end)

  it("does not change the graph, and is the same every time", function()
    local path, field = g:path(1, 2), g:field(1)
    local first = g:route({ 1, 1 }, { 19, 2 })
    assert.same(first, g:route({ 1, 1 }, { 19, 2 }))
    assert.same({ true, true }, { path:valid(), field:valid() })
  end)

  it("follows what is moved, added and removed", function()
    g:move("A", -5, 0)
    is({ 1, 1, -5, 0, 10, 0 }, root(37) + 15, { 1, 2 }, g:route({ 1, 1 }, { 10, 0 }))
    local new = g:add_node(1, 2)
    g:add_edge(new, "B")
    is({ 1, 1, 1, 2, 10, 0 }, 1 + root(85), { new, 2 }, g:route({ 1, 1 }, { 10, 0 }))
    g:remove_node(new)
    is({ 1, 1, -5, 0, 10, 0 }, root(37) + 15, { 1, 2 }, g:route({ 1, 1 }, { 10, 0 }))
  end)
end)

describe("graph:route by edges", function()
  local g
  before_each(function()
    g = draw({ "A B C D", "A-B", "B-C 30 road", "C>D" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 20, 10 } })
  end)

  it("gets on and off half-way along", function()
    is({ 4, 1, 4, 0, 10, 0, 15, 0, 15, -2 }, 1 + 6 + 15 + 2, { 2 }, g:route({ 4, 1 }, { 15, -2 }, EDGE))
    is({ 15, -2, 15, 0, 10, 0, 4, 0, 4, 1 }, 1 + 6 + 15 + 2, { 2 }, g:route({ 15, -2 }, { 4, 1 }, EDGE))
    is({ 4, 1, 4, 0, 10, 0, 20, 0, 20, 7, 21, 7 }, 1 + 6 + 30 + 7 + 1, { 2, 3 }, g:route({ 4, 1 }, { 21, 7 }, EDGE))
  end)

  it("stays on one edge where that is direct", function()
    is({ 12, 1, 12, 0, 18, 0, 18, 1 }, 1 + 0.6 * 30 + 1, {}, g:route({ 12, 1 }, { 18, 1 }, EDGE))
    is({ 18, 1, 18, 0, 12, 0, 12, 1 }, 1 + 0.6 * 30 + 1, {}, g:route({ 18, 1 }, { 12, 1 }, EDGE))
    is({ 21, 2, 20, 2, 20, 8, 21, 8 }, 1 + 6 + 1, {}, g:route({ 21, 2 }, { 21, 8 }, EDGE))
    is({ 5, 3, 5, 0, 5, -1 }, 4, {}, g:route({ 5, 3 }, { 5, -1 }, EDGE))
  end)

  it("does not go against a one-way edge", function()
    -- from half-way up C > D one can only go on to D, from which nothing leads away
    is({ 21, 8, 20, 0, 20, 2, 21, 2 }, root(65) + 2 + 1, false, g:route({ 21, 8 }, { 21, 2 }, EDGE))
  end)

  it("takes a way round where the edge leads the other way", function()
    g:add_edge("D", "A", { directed = true, weight = 5 })
    is({ 21, 8, 20, 8, 20, 10, 0, 0, 10, 0, 20, 0, 20, 2, 21, 2 }, 1 + 2 + 5 + 10 + 30 + 2 + 1, { 4, 1, 2, 3 },
      g:route({ 21, 8 }, { 21, 2 }, EDGE))
  end)

  it("costs the agent a share of the whole edge", function()
    local costs = wend.costs { road = { times = 0.5, plus = 4 } } -- 30 -> 19
    is({ 4, 1, 4, 0, 10, 0, 15, 0, 15, -2 }, 1 + 6 + 9.5 + 2, { 2 },
      g:route({ 4, 1 }, { 15, -2 }, { enter = "edge", costs = costs }))
    near(1 + 0.6 * 19 + 1, g:route({ 12, 1 }, { 18, 1 }, { enter = "edge", costs = costs }).cost)
    local function downhill(_, cost, _, from, to) return from < to and cost / 2 or cost * 2 end
    near(1 + 0.6 * 15 + 1, g:route({ 12, 1 }, { 18, 1 }, { enter = "edge", cost = downhill }).cost)
    near(1 + 0.6 * 60 + 1, g:route({ 18, 1 }, { 12, 1 }, { enter = "edge", cost = downhill }).cost)
  end)

  it("passes by edges that are closed, or closed to the agent", function()
    g:close_edge(2)
    is({ 14, 1, 10, 0, 4, 0 }, root(17) + 6, false, g:route({ 14, 1 }, { 4, 0 }, EDGE))
    g:open_edge(2)
    is({ 14, 1, 10, 0, 4, 0 }, root(17) + 6, false,
      g:route({ 14, 1 }, { 4, 0 }, { enter = "edge", costs = wend.costs { road = false } }))
  end)

  it("keeps max_distance, and clear for the ways on and off", function()
    is({ 4, 3, 4, 0, 10, 0, 12, 0 }, 3 + 6 + 6, { 2 },
      g:route({ 4, 3 }, { 12, 0 }, { enter = "edge", max_distance = 3 }))
    failed("no_path", g:route({ 4, 3 }, { 12, 0 }, { enter = "edge", max_distance = 2.9 }))
    local walls = wend.walls()
    walls:add_segment(0, 1, 9, 1)
    walls:add_segment(8, -1, 8, 3)
    -- the wall below, and what stands on it, hide all of them
    failed("no_path", g:route({ 4, 3 }, { 20, -5 }, { enter = "edge", clear = walls }))
    walls = wend.walls()
    walls:add_segment(12, -3, 12, 2)
    is({ 10, 3, 10, 0, 20, 0, 20, -5 }, 3 + 30 + 5, false,
      g:route({ 10, 3 }, { 20, -5 }, { enter = "edge", clear = walls }))
  end)

  it("stands at a node where the nearest point is an end of an edge", function()
    -- C is the end of both; D cannot be left
    is({ 22, -3, 20, 0, 10, 0 }, root(13) + 30, false, g:route({ 22, -3 }, { 10, 0 }, EDGE))
    is({ 0, 0, 10, 0, 20, 0, 20, 10, 20, 15 }, 10 + 30 + 10 + 5, false, g:route({ 0, 0 }, { 20, 15 }, EDGE))
  end)
end)

describe("graph:route with jitter and variation", function()
  local function level(rng)
    local g = reference.geometric(rng, 300, { near = 4 })
    for n in g:nodes() do g:set_radius(n, rng:pick { 0, 3, 20 }) end
    return g
  end

  it("moves the points of nodes as path:points does, and not the ends", function()
    helper.rounds("route jitter", 10, function(rng)
      local g = level(rng)
      for seed = 1, 10 do
        local from, to = { rng() * 1000, rng() * 1000 }, { rng() * 1000, rng() * 1000 }
        local plain, moved = g:route(from, to), g:route(from, to, { jitter = 10, seed = seed })
        assert.same(plain and plain.nodes, moved and moved.nodes)
        if plain and #plain.nodes > 0 then
          local path = assert(g:path(plain.nodes[1], plain.nodes[#plain.nodes]))
          assert.same(plain.nodes, flat(path))
          local expected = { from[1], from[2] }
          for _, number in ipairs(path:points { jitter = 10, seed = seed }) do expected[#expected + 1] = number end
          expected[#expected + 1], expected[#expected + 2] = to[1], to[2]
          assert.same(expected, flat(moved))
          assert.same(flat(moved), flat(g:route(from, to, { jitter = 10, seed = seed })))
        end
      end
    end)
  end)

  it("keeps legs free that were free, the ways on and off too", function()
    helper.rounds("route jitter clear", 30, function(rng)
      local g = level(rng)
      local walls = moving.random_walls(rng, { count = 40, size = 1000, kinds = { "segment", "circle" } })
      for seed = 1, 6 do
        local from, to = { rng() * 1000, rng() * 1000 }, { rng() * 1000, rng() * 1000 }
        local opts = { clear = walls, enter = rng:pick { "node", "edge" } }
        local plain = g:route(from, to, opts)
        local moved = g:route(from, to, with(opts, { jitter = 15, seed = seed }))
        assert.equal(plain and #plain, moved and #moved)
        for i = 3, plain and #plain or 0, 2 do
          if walls:clear(plain[i - 2], plain[i - 1], plain[i], plain[i + 1]) then
            assert.equal(true, walls:clear(moved[i - 2], moved[i - 1], moved[i], moved[i + 1]))
          end
        end
      end
    end)
  end)

  it("varies by seed, and never costs more than it may along the graph", function()
    local trips, varied = 0, 0
    helper.rounds("route variation", 20, function(rng)
      local g, seen, count = level(rng), {}, 0
      local from, to = { 10, 10 }, { 990, 990 }
      local plain = g:route(from, to)
      for seed = 1, plain and 10 or 0 do
        local enter = rng:pick { "node", "edge" }
        local cheapest = assert(g:route(from, to, { enter = enter }))
        local opts = { variation = 0.3, seed = seed, enter = enter }
        local route = assert(g:route(from, to, opts))
        assert.truthy(route.cost <= cheapest.cost * 1.3 * (1 + 1e-9) and route.cost >= cheapest.cost * (1 - 1e-9))
        assert.same(flat(route), flat(g:route(from, to, opts)))
        local text = table.concat(route.nodes, " ")
        if not seen[text] then count = count + 1 end
        seen[text] = true
      end
      if plain and #plain.nodes >= 12 then trips, varied = trips + 1, varied + (count > 2 and 1 or 0) end
    end)
    assert.truthy(not helper.all_rounds() or varied > trips / 2, ("%d of %d trips vary"):format(varied, trips))
  end)
end)

describe("graph:route by edges with variation", function()
  it("does not walk past the place where it gets on or off, and back", function()
    local g = wend.graph()
    for i = 0, 80 do g:add_node(i % 9 * 10, math.floor(i / 9) * 10) end
    for i = 1, 81 do
      if i % 9 > 0 then g:add_edge(i, i + 1) end
      if i <= 72 then g:add_edge(i, i + 9) end
    end
    -- whether a point lies within the leg from one node to the next
    local function passes(x, y, a, b)
      local ax, ay = g:position(a)
      local bx, by = g:position(b)
      return math.abs(moving.to_segment({ x, y }, { ax, ay }, { bx, by })) < 1e-9
    end
    for seed = 1, 200 do
      local opts = { enter = "edge", variation = 0.3, seed = seed }
      local route = assert(g:route({ 4, -1 }, { 74, 41 }, opts))
      local cheapest = g:route({ 4, -1 }, { 74, 41 }, EDGE)
      assert.truthy(route.cost <= cheapest.cost * 1.3 * (1 + 1e-9))
      local nodes, points = route.nodes, #route
      assert.falsy(passes(route[3], route[4], nodes[1], nodes[2]))
      assert.falsy(passes(route[points - 3], route[points - 2], nodes[#nodes - 1], nodes[#nodes]))
      -- on the lattice a length is what it costs
      local length = 0
      for i = 3, points, 2 do
        length = length + moving.distance({ route[i - 2], route[i - 1] }, { route[i], route[i + 1] })
      end
      near(length, route.cost)
    end
  end)
end)

-- Only one edge between two nodes and none to itself: which of two is nearer would be for rounding to say.
local function simple(g, model)
  local known = {}
  for i = #model.edges, 1, -1 do
    local edge = model.edges[i]
    local key = math.min(edge.from, edge.to) .. " " .. math.max(edge.from, edge.to)
    if known[key] or edge.from == edge.to then
      g:remove_edge(edge.id)
      table.remove(model.edges, i)
    end
    known[key] = true
  end
end

describe("routes over random graphs", function()
  -- Asserts what is true of every route: its ends, its nodes, and that its legs are as long as they cost at least,
  -- where nothing is cheaper than its length.
  local function sound(g, model, route, from, to)
    local dimensions = model.dimensions
    for axis = 1, dimensions do
      assert.equal(from[axis], route[axis])
      assert.equal(to[axis], route[#route - dimensions + axis])
    end
    assert.equal(0, #route % dimensions)
    assert.equal(dimensions, route.dimensions)
    -- every node's position is in the list, in order
    local at = 1
    for _, node in ipairs(route.nodes) do
      local position = model.position[node]
      while true do
        local same = true
        for axis = 1, dimensions do same = same and route[at + axis - 1] == position[axis] end
        if same then break end
        at = at + dimensions
        assert.truthy(at < #route, "a node that the points do not pass")
      end
    end
    for i = 2, #route.nodes do
      assert.truthy(g:edge_between(route.nodes[i - 1], route.nodes[i]), "nodes that no edge joins")
    end
    for i = dimensions + 1, #route, dimensions do
      local same = true
      for axis = 0, dimensions - 1 do same = same and route[i + axis] == route[i + axis - dimensions] end
      assert.falsy(same, "a point twice")
    end
  end

  local function compare(enter, rounds, label)
    local found, straight_ones = 0, 0
    helper.rounds(label, rounds, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(1, 30), dimensions = rng(2, 3), zero = 0,
        closed_nodes = enter == "node" and 0.1 or 0, coincident = enter == "node" and 0.1 or 0 })
      if enter == "edge" then simple(g, model) end
      local opts, cost = reference.random_costs(rng)
      local all = moving.all_costs(model, cost)
      local dimensions, walls, list = model.dimensions, nil, nil
      if rng:chance(0.6) then walls, list = moving.random_walls(rng, { count = rng(1, 8) }) end
      local function free(...)
        local n = { ... }
        return not moving.blocked(list, n[1], n[2], n[dimensions + 1], n[dimensions + 2])
      end
      local clear = walls and rng:pick { walls, free, { clear = function(_, ...) return free(...) end } } or nil
      for _ = 1, 6 do
        local from, to = {}, {}
        for axis = 1, dimensions do from[axis], to[axis] = rng() * 120 - 10, rng() * 120 - 10 end
        local max_distance = rng:pick { HUGE, 10, 30 }
        local wanted = { max_distance = max_distance, clear = walls and free or nil, all = all }
        local expected, unsure
        if enter == "node" then
          expected = moving.route_by_node(model, from, to, wanted)
        else
          expected, unsure = moving.route_by_edge(model, from, to, wanted, cost)
        end
        local numbers = { from[1], from[2], from[3] }
        for axis = 1, dimensions do numbers[#numbers + 1] = to[axis] end
        local straight = walls and free((unpack or table.unpack)(numbers)) and moving.distance(from, to)
        local least = expected and expected.cost
        if straight and (not least or straight <= least) then least = straight end
        local route, message, code = g:route(from, to, with(opts, { max_distance = max_distance, clear = clear,
          enter = rng:chance(0.5) and enter or enter == "edge" and enter or nil }))
        if unsure then
          least = route and route.cost
        elseif least then
          assert.truthy(route, message)
          near(least, route.cost)
        else
          assert.same({ "nil", "no_path" }, { type(route), code })
        end
        if route then
          found = found + 1
          sound(g, model, route, from, to)
          if straight and straight < least * (1 + 1e-9) and #route.nodes == 0 then straight_ones = straight_ones + 1 end
          if enter == "node" and not (straight and straight <= least * (1 + 1e-9)) then
            assert.same({ expected.on, expected.off }, { route.nodes[1], route.nodes[#route.nodes] })
          end
          -- the same by other means, within other bounds
          local more = with(opts, { max_distance = max_distance, clear = clear, enter = enter })
          near(route.cost, g:route(from, to, with(more, { algorithm = "dijkstra" })).cost)
          near(route.cost, g:route(from, to, with(more, { heuristic = rng:pick(grid_reference.HEURISTICS) })).cost)
          near(route.cost, g:route(from, to, with(more, { heuristic = function() return 0 end })).cost)
          near(route.cost, assert(g:route(from, to, with(more, { max_cost = route.cost * (1 + 1e-9) }))).cost)
          local v = rng:pick { 0, 0.1, 0.5, 2 }
          local varied = assert(g:route(from, to, with(more, { variation = v, seed = rng(1e6) })))
          sound(g, model, varied, from, to)
          assert.truthy(varied.cost >= route.cost * (1 - 1e-9) and varied.cost <= route.cost * (1 + v) * (1 + 1e-9))
          local limit = route.cost * (1 + v / 2) * (1 + 1e-9)
          varied = assert(g:route(from, to, with(more, { variation = v, seed = rng(1e6), max_cost = limit })))
          assert.truthy(varied.cost <= limit)
          local dear, _, why = g:route(from, to, with(more, { max_cost = route.cost * 0.999, variation = v, seed = 1 }))
          assert.same({ "nil", "budget" }, { type(dear), why })
        end
        -- and as far as one can get
        local most = rng:pick { 2, 1000 }
        local part, _, why = g:route(from, to, with(opts, { max_distance = max_distance, clear = clear, enter = enter,
          partial = true, max_expanded = most }))
        if part and not part.partial then
          if most == 2 then -- where it is spent, the straight line or a part of one edge is all that is left
            assert.truthy(unsure or part.cost >= least * (1 - 1e-9))
          elseif not unsure then
            near(least, part.cost)
          end
        elseif part then
          local last = part.nodes[#part.nodes]
          assert.same(model.position[last], { (unpack or table.unpack)(part, #part - dimensions + 1) })
          assert.truthy(part.cost < HUGE)
        else
          assert.truthy(not route and (why == "no_path" or why == "budget"), why)
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or found > rounds and straight_ones > rounds / 10)
  end

  it("by nodes match a trial of every way on and off #slow", function()
    compare("node", 300, "route by node")
  end)

  it("by edges match a trial of every way on and off #slow", function()
    compare("edge", 300, "route by edge")
  end)
end)

-- The edges of legs, and shortcuts ------------------------------------------------------------------------------------

describe("route.edges", function()
  local g
  before_each(function()
    g = draw({ "A B C D", "A-B", "B-C", "C>D 20" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 10, 10 } })
  end)

  it("has the edge of each leg, false off the graph", function()
    local route = g:route({ 1, 1 }, { 19, 2 })
    assert.same({ { false, 1, 2, false }, true }, { route.edges, route.map == g })
    assert.same({ 1, 2 }, g:route("A", "C").edges)
    assert.same({}, g:route("B", "B").edges)
    assert.same({ false, false }, g:route({ 1, 1 }, { -3, 4 }).edges)
    assert.same({ false }, g:route({ 1, 1 }, { 19, 2 }, { clear = function() return true end }).edges)
    g:add_node(90, 90)
    assert.same({ false, 1, 2, 3 }, g:route({ 1, 1 }, { 90, 90 }, { partial = true, max_distance = 5 }).edges)
  end)

  it("has the edges of parts of edges", function()
    assert.same({ false, 1, 2, false }, g:route({ 4, 1 }, { 16, -1 }, EDGE).edges)
    assert.same({ false, 1, false }, g:route({ 4, 1 }, { 6, -1 }, EDGE).edges)
    assert.same({ 1, 2 }, g:route({ 4, 0 }, { 16, 0 }, EDGE).edges)
    assert.same({ 1 }, g:route({ 4, 0 }, { 6, 0 }, EDGE).edges)
    assert.same({ 1, 2 }, g:route("A", "C", EDGE).edges)
  end)

  it("has an item for each leg where points are the same", function()
    local twins = draw({ "A B C", "A-B 3", "B-C 4" }, { A = { 0, 0 }, B = { 0, 0 }, C = { 9, 0 } })
    assert.same({ false, 2 }, twins:route({ 1, 0 }, { 9, 0 }).edges)
  end)

  it("has the first edge of a leg that passes nodes without a position", function()
    local gap = draw({ "A B C D", "A-B 3", "B-C 4", "C-D 1" }, { A = { 0, 0 }, C = { 9, 0 }, D = { 9, 5 } })
    assert.same({ { 1, 2, 3, 4 }, { 1, 3 } }, { gap:route("A", "D").nodes, gap:route("A", "D").edges })
  end)

  it("is emptied and filled again with into", function()
    local into = { edges = { 7, 7, 7, 7, 7, 7 } }
    local edges = into.edges
    g:route({ 1, 1 }, { 19, 2 }, { into = into })
    assert.same({ false, 1, 2, false }, edges)
    assert.equal(edges, into.edges)
    g:route("A", "B", { into = into })
    assert.same({ 1 }, edges)
    g:route("D", "A", { into = into, max_distance = 0 })
    assert.equal(nil, (next(into)))
  end)
end)

describe("g:route with straighten", function()
  it("is straight where the end is in sight, although a point before it is not", function()
    local g, post = wend.graph(), wend.walls()
    g:add_nodes { 0, 0, 0, 10, 10, 10, 20, 0 }
    g:add_edges { 1, 2, 2, 3, 3, 4 }
    post:add_segment(4, 6, 6, 4)
    local route = assert(g:route(1, 4, { clear = post, straighten = true }))
    assert.same({ { 0, 0, 20, 0 }, 20 }, { { route[1], route[2], route[3], route[4], route[5] }, route.cost })
  end)

  local zigzag
  local STRAIGHT = { clear = function() return true end, straighten = true }
  before_each(function()
    zigzag = draw({ "A B C D E", "A-B", "B-C", "C-D", "D-E" },
      { A = { 0, 0 }, B = { 10, 10 }, C = { 20, 0 }, D = { 30, 10 }, E = { 40, 0 } })
  end)
  local walls
  local function blocked() -- the direct line, and no more
    walls = wend.walls()
    walls:add_segment(25, -1, 25, 0.5)
    return { clear = walls, straighten = true }
  end

  it("takes shortcuts that are free", function()
    is({ 0, 0, 10, 10, 20, 0, 30, 10, 40, 0 }, 4 * root(200), { 1, 2, 3, 4, 5 },
      zigzag:route("A", "E", { clear = function(x1, y1, x2, y2) return x1 == x2 and y1 == y2 end, straighten = true }))
    local route = zigzag:route("A", "E", blocked())
    is({ 0, 0, 30, 10, 40, 0 }, root(1000) + root(200), { 1, 4, 5 }, route)
    assert.same({ false, 4 }, route.edges)
    is({ 0, 0, 10, 10, 20, 0, 30, 10, 40, 0 }, 4 * root(200), { 1, 2, 3, 4, 5 },
      zigzag:route("A", "E", { clear = walls }))
  end)

  it("keeps the nodes of a straight road", function()
    local road = draw({ "A B C D", "A-B", "B-C", "C-D" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 }, D = { 20, 9 } })
    local fence = wend.walls()
    fence:add_segment(19, 0.5, 19, 30)
    is({ 0, 0, 10, 0, 20, 0, 20, 9 }, 29, { 1, 2, 3, 4 }, road:route("A", "D", { clear = fence, straighten = true }))
  end)

  it("keeps a road that is cheaper than its length", function()
    local route = zigzag:route("A", "E", with(blocked(), { cost = function(_, cost) return cost / 2 end }))
    is({ 0, 0, 10, 10, 20, 0, 30, 10, 40, 0 }, 2 * root(200), { 1, 2, 3, 4, 5 }, route)
    zigzag:set_tag(1, "mud")
    route = zigzag:route("A", "E", with(blocked(), { costs = wend.costs { mud = 3 } }))
    is({ 0, 0, 30, 10, 40, 0 }, root(1000) + root(200), { 1, 4, 5 }, route)
  end)

  it("passes the places where the route enters and leaves the graph", function()
    local route = zigzag:route({ 0, 2 }, { 40, 2 }, with(blocked(), { clear = function(x1, _, x2)
      return x2 - x1 < 31
    end }))
    assert.same({ 0, 2, 30, 10, 40, 2 }, flat(route))
    assert.same({ { 4 }, { false, false } }, { route.nodes, route.edges })
    near(root(964) + root(164), route.cost)
    route = zigzag:route({ 4, 0 }, { 36, 0 }, { enter = "edge", straighten = true, clear = function(x1, _, x2)
      return x2 - x1 < 27
    end })
    assert.same({ 4, 0, 30, 10, 36, 0 }, flat(route))
    assert.same({ { 4 }, { false, false } }, { route.nodes, route.edges })
    route = zigzag:route({ 4, 0 }, { 16, 0 }, { enter = "edge", straighten = true, clear = function(x1, _, x2)
      return x2 - x1 < 11.5
    end })
    assert.equal(#route.edges, #route / 2 - 1)
    assert.truthy(route.cost < zigzag:route({ 4, 0 }, { 16, 0 }, EDGE).cost)
  end)

  it("needs clear", function()
    helper.raises("straighten needs clear: it tells where shortcuts can be walked", zigzag.route, zigzag, "A", "E",
      { straighten = true })
    helper.raises("straighten must be true or false, got 1", zigzag.route, zigzag, "A", "E",
      { straighten = 1, clear = STRAIGHT.clear })
    assert(zigzag:route("A", "E", { straighten = false }))
  end)

  it("raises when a function raises, and works afterwards", function()
    local calls = 0
    helper.raises("blind", function()
      zigzag:route("A", "E", { straighten = true, clear = function()
        calls = calls + 1
        if calls > 3 then error("blind", 0) end
        return calls > 1
      end })
    end)
    is({ 0, 0, 30, 10, 40, 0 }, root(1000) + root(200), { 1, 4, 5 }, zigzag:route("A", "E", blocked()))
  end)

  local function compare(rounds, label)
    local shorter = 0
    helper.rounds(label, rounds, function(rng)
      local dimensions = rng:pick { 2, 2, 3 }
      local g = wend.graph { dimensions = dimensions }
      local count = rng(2, 30)
      for _ = 1, count do
        local at = { rng() * 100, rng() * 100, dimensions == 3 and rng() * 20 or nil }
        if rng:chance(0.05) then g:add_node() else g:add_node(at[1], at[2], at[3]) end
      end
      for _ = 1, 2 * count do
        local a, b = rng(count), rng(count)
        if a ~= b then
          local opts = { directed = rng:chance(0.2), tag = rng:pick { "mud", "road", "grass" } }
          if rng:chance(0.3) or not (g:position(a) and g:position(b)) then opts.weight = rng() * 60 end
          g:add_edge(a, b, opts)
        end
      end
      local costs = rng:chance(0.6) and wend.costs { mud = 2, road = 0.5, grass = { plus = 3 } } or nil
      for _ = 1, 8 do
        local function place() return { rng() * 100, rng() * 100, dimensions == 3 and rng() * 20 or nil } end
        local fence, from, to = wend.walls(), place(), place()
        for _ = 1, rng(0, 8) do
          local x, y = rng() * 100, rng() * 100
          fence:add_segment(x, y, x + rng() * 60 - 30, y + rng() * 60 - 30)
        end
        local opts = { clear = fence, costs = costs, enter = rng:pick { "node", "edge" }, partial = rng:chance(0.3) }
        local plain, _, code = g:route(from, to, opts)
        local straight, _, why = g:route(from, to, with(opts, { straighten = true }))
        assert.equal(code, why)
        assert.equal(plain == nil, straight == nil)
        if plain then
          assert.truthy(straight.cost <= plain.cost * (1 + 1e-9))
          if straight.cost < plain.cost * (1 - 1e-9) then shorter = shorter + 1 end
          for _, route in ipairs { plain, straight } do
            local d, total, exact = dimensions, 0, true
            assert.equal(#route / d - 1, #route.edges)
            assert.equal(plain.partial, route.partial)
            for i = d + 1, #route, d do
              local a = { route[i - d], route[i - d + 1], d == 3 and route[i - 1] or nil }
              local b = { route[i], route[i + 1], d == 3 and route[i + 2] or nil }
              local edge, length = route.edges[(i - 1) / d], 0
              for k = 1, d do length = length + (a[k] - b[k]) ^ 2 end
              length = root(length)
              if edge then
                assert.truthy(g:has_edge(edge))
                local known = g:edge(edge)
                local whole = g:position(known.from) and g:position(known.to)
                local cost = known.weight * (costs and (known.tag == "mud" and 2 or known.tag == "road" and 0.5) or 1)
                  + (costs and known.tag == "grass" and 3 or 0)
                if whole then
                  local p, q = { g:position(known.from) }, { g:position(known.to) }
                  local all = 0
                  for k = 1, d do all = all + (p[k] - q[k]) ^ 2 end
                  total = total + cost * length / root(all)
                else
                  exact = false -- a leg over nodes without a position
                end
              else
                assert.truthy(fence:clear(a[1], a[2], b[1], b[2]), "a leg off the graph that is not free")
                total = total + length
              end
            end
            if exact then near(total, route.cost) end
          end
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or shorter > rounds, shorter)
  end

  it("never costs more than the path; its legs are free and add up", function()
    compare(60, "straight route")
  end)

  it("does so on many graphs #slow", function()
    compare(1500, "many straight routes")
  end)
end)

describe("g:route with into", function()
  it("makes no garbage", function()
    local level = moving.level(moving.generator(5), 300, 2)
    local walls = wend.walls()
    walls:add_circle(500, 400, 20)
    local opts, from, to = { into = {} }, { x = 0, y = 0 }, { x = 0, y = 0 }
    local function work(times)
      for i = 1, times do
        from.x, from.y = i * 7 % 9 * 30 + 1, i * 5 % 3 * 40
        to.x, to.y = 900 - i % 3 * 50, 700
        assert(level:route(from, to, opts))
      end
    end
    assert.equal(0, helper.garbage(30, 100, work))
    for _, more in ipairs { { enter = "edge" }, { clear = walls }, { clear = walls, straighten = true },
      { enter = "edge", clear = walls, straighten = true, stats = {} } } do
      opts = with(more, { into = opts.into })
      assert.equal(0, helper.garbage(30, 100, work))
    end
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN = 0 / 0

local g, high

local function fixture()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  high = wend.graph { dimensions = 3 }
  high:add_nodes { 0, 0, 0, 10, 0, 0 }
  high:add_edge(1, 2)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("graph:route", function()
  before_each(fixture)

  all {
    "from: there is no node 9", function() g:route(9, "A") end,
    "to: there is no node named 'moat'", function() g:route("A", "moat") end,
    "from...", function() g:route({ NAN, 1 }, "A") end,
    "to...", function() high:route(1, { 1, 2 }) end,
    "from...", function() g:route("D", "A") end, -- it is nowhere
    "to...", function() g:route("A", "D") end,
    "unknown option 'limit' (expected one of: ...", function() g:route("A", "B", { limit = 1 }) end,
    "unknown option 1 (expected one of: ...", function() g:route("A", "B", { 1 }) end,
    "jitter needs a seed: the points depend on it", function() g:route("A", "B", { jitter = 1 }) end,
    "variation needs a seed: the path depends on it", function() g:route("A", "B", { variation = 1 }) end,
  }

  it("leaves into and stats as they were where it raises", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    helper.raises("to: there is no node 99", function() g:route("A", 99, { into = into, stats = stats }) end)
    helper.raises("max_distance must be a number >= 0, got -1",
      function() g:route("A", "C", { into = into, stats = stats, max_distance = -1 }) end)
    assert.same({ { 7, colour = "red" }, { a = 1 } }, { into, stats })
  end)

  it("passes on the error of a rule, with the rule's name", function()
    raises("option 'cost': no mana", g.route, g, "A", "C", { cost = function() error("no mana", 0) end })
    raises("option 'cost': wanted a number >= 0, false or nil, got -1", g.route, g, "A", "C",
      { cost = function() return -1 end, enter = "edge" })
    g:close "A"
  end)

  it("names both ends in the message", function()
    local route, message, code = g:route({ 1, 1 }, { 2, 2 }, { max_distance = 0.5 })
    assert.same({ "nil", "string", "no_path" }, { type(route), type(message), code })
    assert.truthy(message:find "%(1[^%d]" and message:find "2", message)
  end)
end)

describe("a table for paths and routes", function()
  it("is what it was filled with last", function()
    local ways = wend.graph()
    ways:add_nodes { 0, 0, 10, 0, 20, 0 }
    ways:add_edges { 1, 2, 2, 3 }
    local grid, from, to = wend.grid(5, 5), { x = 0.5, y = 0.5 }, { x = 4.5, y = 0.5 }
    local into = {}
    for _ = 1, 2 do
      assert.equal(into, (ways:path(1, 3, { into = into })))
      assert.same({ 1, 2 }, into:edges())
      assert.equal("path", wend.type(into))
      assert.equal(into, (ways:route(from, to, { into = into })))
      assert.equal(#into / 2 - 1, #into.edges)
      assert.same({ nil, nil, nil }, { wend.type(into), getmetatable(into), into.trail })
      assert.equal(into, (grid:path(1, 1, 3, 1, { into = into })))
      assert.same({ 1, 1, 2, 1, 3, 1 }, flat(into))
      assert.same({ nil, nil }, { rawget(into, "edges"), rawget(into, "dimensions") })
      assert.equal(into, (grid:route(from, to, { into = into })))
      assert.same({ 2, nil, nil }, { into.dimensions, into.nodes, getmetatable(into) })
    end
  end)

  it("is empty, and no path, after a route that was not found", function()
    local grid, from, to = wend.grid(5, 1), { x = 0.5, y = 0.5 }, { x = 4.5, y = 0.5 }
    local into = grid:path(1, 1, 5, 1)
    grid:close(3, 1)
    assert.equal(nil, (grid:route(from, to, { into = into })))
    assert.same({ nil, nil }, { (next(into)), getmetatable(into) })
  end)
end)
