-- SPDX-License-Identifier: MIT
-- Routes over grids: from any position to any position. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local flat, near, with = reference.flat, reference.near, grid_reference.with

local CELLS = { straighten = false }

local function root(x) return math.sqrt(x) end

-- Asserts all there is to a route without links.
local function is(points, cost, grid, route, message)
  assert.truthy(route, message)
  assert.same(points, flat(route))
  near(cost, route.cost)
  assert.same({ 2, true, "nil", "nil", "nil", "nil" }, { route.dimensions, route.map == grid, type(route.partial),
    type(route.links), type(route.nodes), type(route.edges) })
end

describe("grid:route", function()
  local yard -- closed in the middle, with a door
  before_each(function() yard = wend.grid(9, 5):fill(5, 1, 5, 5, false):set(5, 3, 1) end)

  it("leads from one position to another in straight legs", function()
    is({ 0.5, 0.5, 4.5, 2.5, 8.5, 0.5 }, 2 * root(20), yard, yard:route({ 0.5, 0.5 }, { 8.5, 0.5 }))
    is({ 0.9, 0.9, 4.5, 2.5, 8.1, 0.2 }, root(3.6 ^ 2 + 1.6 ^ 2) + root(3.6 ^ 2 + 2.3 ^ 2), yard,
      yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }))
    is({ 0.2, 0.3, 3.9, 4.8 }, root(3.7 ^ 2 + 4.5 ^ 2), yard, yard:route({ 0.2, 0.3 }, { 3.9, 4.8 }))
  end)

  it("keeps every cell with straighten = false, but not the first and the last", function()
    is({ 0.5, 0.5, 1.5, 1.5, 2.5, 2.5, 3.5, 2.5, 4.5, 2.5, 5.5, 2.5, 6.5, 1.5, 7.5, 0.5, 8.5, 0.5 }, 4 + 4 * root(2),
      yard, yard:route({ 0.5, 0.5 }, { 8.5, 0.5 }, CELLS))
    is({ 0.9, 0.5, 1.5, 0.5, 2.1, 0.4 }, 0.6 + root(0.37), yard, yard:route({ 0.9, 0.5 }, { 2.1, 0.4 }, CELLS))
  end)

  it("takes lists and anything with x and y", function()
    local hero = setmetatable({}, { __index = { x = 0.9, y = 0.9 } })
    is({ 0.9, 0.9, 2.5, 0.9 }, 1.6, yard, yard:route(hero, { x = 2.5, y = 0.9, 7, 7 }))
  end)

  it("takes positions of the world", function()
    local world = wend.grid(10, 10, { cell = 32, origin = { -160, -160 } }):fill(1, 5, 9, 5, false)
    is({ -150, -150, -150, -70 }, 80 / 32, world, world:route({ -150, -150 }, { -150, -70 }))
    is({ -150, -150, 144, -48, 144, 16, -150, 10 }, (root(294 ^ 2 + 102 ^ 2) + 64 + root(294 ^ 2 + 6 ^ 2)) / 32, world,
      world:route({ -150, -150 }, { -150, 10 }))
  end)

  it("begins and ends exactly at the positions", function()
    local odd = wend.grid(30, 30, { cell = 0.7, origin = { 1 / 3, -1e3 / 7 } })
    for _ = 1, 200 do
      local from = { 1 / 3 + math.random() * 20.9, -1e3 / 7 + math.random() * 20.9 }
      local to = { 1 / 3 + math.random() * 20.9, -1e3 / 7 + math.random() * 20.9 }
      local route = assert(odd:route(from, to))
      assert.same({ from[1], from[2], to[1], to[2] }, { route[1], route[2], route[#route - 1], route[#route] })
    end
  end)

  it("costs nothing inside one cell", function()
    is({ 0.1, 0.1, 0.9, 0.4 }, 0, yard, yard:route({ 0.1, 0.1 }, { 0.9, 0.4 }))
    is({ 0.1, 0.1 }, 0, yard, yard:route({ 0.1, 0.1 }, { 0.1, 0.1 }))
    is({ 4.5, 0.5 }, 0, yard, yard:route({ 4.5, 0.5 }, { 4.5, 0.5 })) -- the cell is closed
  end)

  it("fails where there is no path, or no cell, and says why if it knows", function()
    local function lost(from, to, cause, opts)
      helper.fails(("no route from (%s, %s) to (%s, %s)%s"):format(from[1] + 0.0, from[2] + 0.0,
          to[1] + 0.0, to[2] + 0.0, cause),
        "no_path", yard.route, yard, from, to, opts)
    end
    local start_outside, goal_outside = ": the start is outside the grid", ": the goal is outside the grid"
    lost({ 0.5, 0.5 }, { 4.5, 0.5 }, ": the goal is closed")
    lost({ -0.5, 0.5 }, { 1.5, 0.5 }, start_outside)
    lost({ 0.5, 0.5 }, { 9.5, 0.5 }, goal_outside)
    lost({ 0.5, 0.5 }, { 1.5, 5.5 }, goal_outside, { partial = true })
    lost({ 1e150, 0.5 }, { 1.5, 0.5 }, start_outside)
    yard:set(5, 3, false)
    lost({ 0.5, 0.5 }, { 8.5, 0.5 }, "")
    yard:set(9, 1, "lava")
    lost({ 0.5, 0.5 }, { 8.5, 0.5 }, ": the goal is closed for this agent (tag 'lava')",
      { costs = wend.costs { lava = false } })
    yard:wall(8, 1, 9, 1)
    yard:wall(9, 1, 9, 2)
    lost({ 0.5, 0.5 }, { 8.5, 0.5 }, ": no open step leads to the goal")
    lost({ 8.5, 0.5 }, { 0.5, 0.5 }, ": no open step leads out of the start")
  end)

  it("says why there is no route for an agent with a size", function()
    local grid = wend.parse_grid { "....#.", "....#.", "......" }
    local options = { size = 2 }
    helper.fails("no route from (1.25, 1.25) to (5.25, 2.25): the goal is closed",
      "no_path", grid.route, grid, 1.25, 1.25, 5.25, 2.25, options)
    helper.fails("no route from (1.25, 1.25) to (7.25, 2.25): the goal is outside the grid",
      "no_path", grid.route, grid, 1.25, 1.25, 7.25, 2.25, options)
  end)

  it("may start on a closed cell", function()
    is({ 4.5, 0.7, 7.5, 0.5 }, root(9.04), yard, yard:route({ 4.5, 0.7 }, { 7.5, 0.5 }))
  end)

  it("may start at a border where an agent with a size does not fit", function()
    for size = 2, 12 do
      local grid = wend.grid(12, 12)
      for at = 1, 12 do
        for _, from in ipairs { { 1, at }, { 12, at }, { at, 1 }, { at, 12 } } do
          local shift = size % 2 == 0 and 0 or 0.5
          local path = grid:path(from[1], from[2], 6, 6, { size = size })
          local route = grid:route({ from[1] - shift, from[2] - shift }, { 6 - shift, 6 - shift },
            { size = size, straighten = false })
          if path then near(path.cost, route.cost) else assert.is_nil(route) end
        end
      end
    end
  end)

  it("with partial, ends at the centre of the nearest cell", function()
    local route = yard:route({ 0.9, 0.9 }, { 4.5, 0.2 }, { partial = true })
    assert.same({ { 0.9, 0.9, 3.5, 0.5 }, true }, { flat(route), route.partial })
    near(root(2.6 ^ 2 + 0.4 ^ 2), route.cost)
    route = yard:route({ 3.1, 0.9 }, { 4.5, 0.2 }, { partial = true })
    assert.same({ { 3.1, 0.9 }, 0, true }, { flat(route), route.cost, route.partial }) -- it is in that cell
    assert.equal(nil, yard:route({ 0.9, 0.9 }, { 3.5, 0.2 }, { partial = true }).partial)
  end)

  it("weighs straight legs against the steps that they replace", function()
    local marsh = wend.grid(9, 5):fill(4, 1, 6, 3, 9)
    local route = marsh:route({ 0.5, 0.5 }, { 8.5, 0.5 })
    local cells = marsh:route({ 0.5, 0.5 }, { 8.5, 0.5 }, CELLS)
    assert.truthy(#route < #cells and route.cost <= cells.cost)
    near(marsh:path(1, 1, 9, 1).cost, cells.cost)
    for i = 3, #route, 2 do -- no leg enters the marsh
      for t = 0, 1, 1 / 64 do
        local x, y = route[i - 2] * (1 - t) + route[i] * t, route[i - 1] * (1 - t) + route[i + 1] * t
        assert.not_equal(9, (marsh:get(marsh:cell_at(x, y))))
      end
    end
  end)

  it("uses the agent's costs", function()
    local lake = wend.grid(9, 3):fill(4, 1, 4, 2, "water")
    is({ 0.5, 0.5, 8.5, 0.5 }, 8, lake, lake:route({ 0.5, 0.5 }, { 8.5, 0.5 }))
    local walker = wend.costs { water = false }
    is({ 0.5, 0.5, 3.5, 2.5, 8.5, 0.5 }, root(13) + root(29), lake,
      lake:route({ 0.5, 0.5 }, { 8.5, 0.5 }, { costs = walker }))
    local boots = wend.costs { water = function(agent) return agent.boots and 1 end }
    is({ 0.5, 0.5, 8.5, 0.5 }, 8, lake,
      lake:route({ 0.5, 0.5 }, { 8.5, 0.5 }, { costs = boots, agent = { boots = true } }))
    local twice = { cost = function(_, cost) return cost * 2 end, at_least = 1 }
    near(16, lake:route({ 0.5, 0.5 }, { 8.5, 0.5 }, twice).cost)
  end)

  it("does not cross walls of the grid", function()
    local rooms = wend.grid(6, 4):wall(3, 1, 4, 1):wall(3, 2, 4, 2):wall(3, 3, 4, 3)
    local route = assert(rooms:route({ 0.5, 0.5 }, { 5.5, 0.5 }))
    for i = 3, #route, 2 do
      assert.truthy(rooms:clear_points(route[i - 2], route[i - 1], route[i], route[i + 1]))
    end
    assert.same({ 0.5, 0.5, 2.5, 3.5, 5.5, 1.5, 5.5, 0.5 }, flat(route))
  end)

  describe("over links", function()
    local far
    before_each(function() far = wend.grid(30, 3):link(2, 1, 29, 3, { weight = 2 }) end)

    it("leads to the centres of their cells, and tells the leg", function()
      local route = assert(far:route({ 0.2, 0.9 }, { 29.9, 2.9 }))
      assert.same({ 0.2, 0.9, 1.5, 0.5, 28.5, 2.5, 29.9, 2.9 }, flat(route))
      assert.same({ [2] = true }, route.links)
      near(root(1.3 ^ 2 + 0.4 ^ 2) + 2 + root(1.4 ^ 2 + 0.4 ^ 2), route.cost)
      assert.same(flat(route), flat(far:route({ 0.2, 0.9 }, { 29.9, 2.9 }, CELLS)))
    end)

    it("begins and ends at a link", function()
      local route = assert(far:route({ 1.2, 0.9 }, { 28.9, 2.9 }))
      assert.same({ { 1.2, 0.9, 1.5, 0.5, 28.5, 2.5, 28.9, 2.9 }, { [2] = true }, 2 },
        { flat(route), route.links, route.cost })
      route = assert(far:route({ 1.5, 0.5 }, { 28.5, 2.5 }))
      assert.same({ { 1.5, 0.5, 28.5, 2.5 }, { true }, 2 }, { flat(route), route.links, route.cost })
    end)

    it("tells every link", function()
      far:link(27, 1, 3, 3, { weight = 0, directed = true }):fill(15, 1, 15, 3, false):fill(28, 3, 28, 3, false)
      far:fill(29, 2, 29, 2, false):fill(30, 1, 30, 3, false):link(29, 3, 27, 2, { weight = 1 })
      local route = assert(far:route({ 0.2, 0.9 }, { 26.1, 1.1 }))
      assert.same({ 0.2, 0.9, 1.5, 0.5, 28.5, 2.5, 26.5, 1.5, 26.1, 1.1 }, flat(route))
      assert.same({ [2] = true, [3] = true }, route.links)
    end)

    it("prefers a straight leg that costs no more, unless cells are kept", function()
      local open = wend.grid(9, 9):link(1, 1, 5, 3, { weight = root(20) })
      assert.equal(nil, open:route({ 0.5, 0.5 }, { 4.5, 2.5 }).links)
      assert.same({ true }, open:route({ 0.5, 0.5 }, { 4.5, 2.5 }, CELLS).links)
      local post = wend.walls()
      post:add_circle(2.5, 1.5, 0.1)
      assert.same({ true }, open:route({ 0.5, 0.5 }, { 4.5, 2.5 }, { clear = post }).links)
    end)

    it("stays exact at the centres of any cells", function()
      for _, cell in ipairs { 0.1, 0.7, 1 / 3, 32 } do
        local odd = wend.grid(30, 3, { cell = cell, origin = { 1 / 3, 1e3 / 7 } }):link(2, 1, 29, 3, { weight = 2 })
        local points = odd:path(1, 1, 30, 3):points()
        local route = assert(odd:route({ points[3], points[4] }, { points[7], points[8] }))
        assert.same({ points[3], points[4], points[5], points[6], points[7], points[8] }, flat(route))
        assert.same({ true }, route.links)
      end
    end)
  end)

  describe("past the corner of a closed cell", function()
    local corner -- the diagonal from (1,2) to (2,1) passes the closed cell (1,1)
    before_each(function()
      corner = wend.grid(2, 2, { diagonals = "one_open" }):set(1, 1, false)
    end)

    it("bends onto the diagonal, and never back", function()
      local route = assert(corner:route({ 0.6, 1.1 }, { 1.5, 0.5 }))
      assert.equal(6, #route)
      assert.truthy(route[3] >= 0.6 and route[3] < 1)
      near(2, route[3] + route[4])
      near(root((route[3] - 0.6) ^ 2 + (route[4] - 1.1) ^ 2) + root(2) * (1.5 - route[3]), route.cost)
      for _ = 1, 300 do
        local x, y = math.random(), 1 + math.random()
        local to = { 1 + math.random(), math.random() }
        route = assert(corner:route({ x, y }, to))
        local hx, hy
        for i = 3, #route, 2 do
          local dx, dy = route[i] - route[i - 2], route[i + 1] - route[i - 1]
          assert.truthy(hx == nil or hx * dx + hy * dy >= -1e-12)
          for t = 0, 1, 1 / 32 do
            local cx, cy = corner:cell_at(route[i - 2] + dx * t, route[i - 1] + dy * t)
            assert.truthy(corner:get(cx, cy) or near(2, route[i - 2] + dx * t + route[i - 1] + dy * t) == nil)
          end
          hx, hy = dx, dy
        end
      end
    end)

    it("goes straight on from a place on the diagonal", function()
      for i = 1, 99 do
        local route = assert(corner:route({ i / 100, 2 - i / 100 }, { 1.5, 0.5 }))
        assert.equal(4, #route)
        near(root(2) * (1.5 - i / 100), route.cost)
      end
    end)
  end)

  it("does not clip a dear cell", function()
    local fire = wend.grid(2, 2):set(2, 1, { tag = "fire" })
    local burns = wend.costs { fire = { plus = 1000 } }
    local route = assert(fire:route({ 0.9, 0.1 }, { 1.5, 1.5 }, { costs = burns }))
    assert.equal(6, #route)
    assert.truthy(route.cost < 3)
    assert.same({ 0.9, 0.1, 1.5, 1.5 }, flat(fire:route({ 0.9, 0.1 }, { 1.5, 1.5 })))
  end)

  describe("with clear", function()
    local walls
    before_each(function()
      walls = wend.walls()
      walls:add_circle(2.5, 1, 0.2)
    end)

    it("makes only straight legs that are free", function()
      local open = wend.grid(6, 3)
      assert.same({ 0.5, 1, 5.5, 1 }, flat(open:route({ 0.5, 1 }, { 5.5, 1 })))
      for _, clear in ipairs { walls, function(...) return walls:clear(...) end } do
        local route = assert(open:route({ 0.5, 1 }, { 5.5, 1 }, { clear = clear }))
        assert.truthy(#route > 4)
        for i = 3, #route, 2 do
          assert.truthy(walls:clear(route[i - 2], route[i - 1], route[i], route[i + 1]))
        end
      end
    end)

    it("leads over the centre of a cell if only that is free", function()
      local open = wend.grid(3, 1)
      local post = wend.walls()
      post:add_segment(0.3, 0, 0.3, 0.3)
      post:add_segment(0.6, 0, 0.6, 0.3)
      assert.same({ 0.1, 0.1, 1.5, 0.5 }, flat(open:route({ 0.1, 0.1 }, { 1.5, 0.5 })))
      post = wend.walls()
      post:add_segment(0.8, 0.2, 0.8, 0.45)
      assert.same({ 0.1, 0.1, 0.5, 0.5, 1.5, 0.5 }, flat(open:route({ 0.1, 0.1 }, { 1.5, 0.5 }, { clear = post })))
      assert.same({ 1.5, 0.5, 0.5, 0.5, 0.1, 0.1 }, flat(open:route({ 1.5, 0.5 }, { 0.1, 0.1 }, { clear = post })))
      assert.same({ 0.1, 0.1, 0.5, 0.5, 2.5, 0.5 }, flat(open:route({ 0.1, 0.1 }, { 2.5, 0.5 }, { clear = post })))
    end)

    it("keeps the path where nothing is free", function()
      local route = assert(yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }, { clear = function() return false end }))
      assert.same(flat(yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }, CELLS)), flat(route))
    end)

    it("gets points of the world, and the ends exactly", function()
      local world = wend.grid(9, 9, { cell = 0.7, origin = { 1 / 3, 5 } })
      local from, to, seen = { 1.1, 5.3 }, { 5.2, 10.9 }, 0
      assert(world:route(from, to, { clear = function(...)
        local a, b, c, d = ...
        assert.equal(4, select("#", ...))
        if a == from[1] and b == from[2] and c == to[1] and d == to[2] then seen = seen + 1 end
        return true
      end }))
      assert.truthy(seen > 0)
    end)
  end)

  it("takes the options of searches", function()
    local stats = {}
    assert(yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }, { stats = stats }))
    assert.truthy(stats.expanded > 0)
    local cost = yard:path(1, 1, 9, 1).cost
    assert(yard:route({ 0.5, 0.5 }, { 8.5, 0.5 }, { max_cost = cost * (1 + 1e-12) }))
    helper.fails("no route from (0.5, 0.5) to (8.5, 0.5) within the budget", "budget",
      yard.route, yard, { 0.5, 0.5 }, { 8.5, 0.5 }, { max_cost = cost * 0.99 })
    assert.equal("budget", (select(3, yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }, { max_expanded = 1 }))))
    for _, algorithm in ipairs { "astar", "dijkstra" } do
      near(2 * root(20), yard:route({ 0.5, 0.5 }, { 8.5, 0.5 }, { algorithm = algorithm }).cost)
    end
    near(2 * root(20), yard:route({ 0.5, 0.5 }, { 8.5, 0.5 }, { heuristic = function() return 0 end }).cost)
    local ways, count = {}, 0
    local meadow = wend.grid(60, 40)
    for seed = 1, 30 do
      local opts = { variation = 0.1, seed = seed, straighten = false }
      local route = assert(meadow:route({ 4.5, 19.5 }, { 55.5, 21.5 }, opts))
      local key = table.concat(route, " ")
      count, ways[key] = count + (ways[key] and 0 or 1), true
    end
    assert.truthy(count > 10)
  end)

  it("is not valid as a path", function()
    local grid = wend.grid(9, 9, { cell = 2 })
    helper.raises("path must be a path of this grid, got a route: its points are not cells",
      grid.straighten, grid, grid:route({ 1, 1 }, { 7, 7 }))
  end)

  it("is followed, curved and drawn like any list of points #move", function()
    local route = assert(yard:route({ 0.9, 0.9 }, { 8.1, 0.2 }))
    local walker = wend.follow(route, { speed = 1 })
    walker:update(1e3)
    assert.same({ 8.1, 0.2 }, { walker.x, walker.y })
    assert.truthy(#wend.curve(route) > #route)
    assert.truthy(wend.svg(yard, { route = route }))
  end)
end)

-- Reused tables ----------------------------------------------------------------------------------------------------

describe("grid:route with into", function()
  local grid
  before_each(function() grid = wend.grid(30, 3):link(2, 1, 29, 3, { weight = 2 }) end)

  it("fills the table", function()
    local into = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, nodes = { 1 }, edges = { 2 }, links = { [7] = true }, name = "mine" }
    local route = grid:route({ 0.2, 0.9 }, { 29.9, 2.9 }, { into = into })
    assert.equal(into, route)
    assert.same({ 8, { [2] = true }, "nil", "nil", "mine" },
      { #into, into.links, type(into.nodes), type(into.edges), into.name })
    grid:route({ 0.2, 0.9 }, { 9.9, 2.9 }, { into = into })
    assert.same({ 4, "nil" }, { #into, type(into.links) })
  end)

  it("takes the table of a route over a graph, and the other way round", function()
    local g, into = reference.draw({ "A B", "A-B" }, { A = { 0, 0 }, B = { 10, 0 } }), {}
    g:route({ 0, 1 }, { 10, 1 }, { into = into })
    assert.same({ { 1, 2 }, { false, 1, false } }, { into.nodes, into.edges })
    assert.equal(g, into.map)
    grid:route({ 0.2, 0.9 }, { 29.9, 2.9 }, { into = into })
    assert.same({ "nil", "nil", { [2] = true } }, { type(into.nodes), type(into.edges), into.links })
    assert.equal(grid, into.map)
    g:route({ 0, 1 }, { 10, 1 }, { into = into })
    assert.same({ { 1, 2 }, { false, 1, false }, "nil" }, { into.nodes, into.edges, type(into.links) })
  end)

  it("empties the table when it fails", function()
    local into = assert(grid:route({ 0.2, 0.9 }, { 29.9, 2.9 }))
    grid:route({ 0.2, 0.9 }, { -1, 2.9 }, { into = into })
    assert.equal(nil, (next(into)))
  end)

  it("makes no garbage", function()
    local level = wend.grid(40, 40)
    for y = 1, 40 do
      for x = 1, 40 do
        if y ~= 3 and (x * 7 + y * 13) % 11 == 0 then level:set(x, y, false) end
      end
    end
    local opts, from, to = { into = {} }, { x = 0, y = 0 }, { x = 0, y = 0 }
    local function work(map)
      return function(times)
        for i = 1, times do
          from.x, from.y = i * 7 % 9 + 0.3, i * 5 % 3 + 0.3
          to.x, to.y = 29.9 - i % 3, 2.2
          map:route(from, to, opts)
        end
      end
    end
    assert.equal(0, helper.garbage(60, 200, work(level)))
    opts.straighten, opts.clear, opts.stats = false, wend.walls(), {}
    opts.clear:add_circle(5, 5, 1)
    assert.equal(0, helper.garbage(60, 200, work(level)))
    opts.straighten = nil
    local hop = wend.grid(30, 3):fill(15, 1, 15, 3, false):link(2, 1, 27, 3, { weight = 2 })
    assert.equal(0, helper.garbage(60, 200, work(hop)))
    assert.truthy(next(opts.into.links))
  end)
end)

-- Chases -----------------------------------------------------------------------------------------------------------

-- Moves a walker along a route. Returns its new position, and the directions of the first and the last leg that it
-- walked, and of the leg after them.
local function walk(route, distance)
  local x, y, at_x, at_y, first, last = route[1], route[2], nil, nil, nil, nil
  for i = 3, #route, 2 do
    local dx, dy = route[i] - route[i - 2], route[i + 1] - route[i - 1]
    local length = root(dx * dx + dy * dy)
    if length > 0 then
      local now = { dx / length, dy / length }
      if x == nil then return at_x, at_y, first, last, now end
      first, last = first or now, now
      if length >= distance then
        at_x, at_y = route[i - 2] + dx * distance / length, route[i - 1] + dy * distance / length
        x = nil
      end
    end
    distance = distance - length
    if x then x, y = route[i], route[i + 1] end
  end
  return x or at_x, x and y or at_y, first, last
end

-- Whether two directions differ by more than 120 degrees.
local function is_back(a, b) return a and b and a[1] * b[1] + a[2] * b[2] < -0.5 end

describe("a chase that plans again in every frame", function()
  -- Returns the numbers of frames and of turns of more than 120 degrees between them, other than those that the route
  -- had there already.
  local function chase(rng, grid, cell, moving, costs)
    local width, height, left, top = grid:width() * cell, grid:height() * cell, grid:origin()
    local at = { left + rng() * width, top + rng() * height }
    local to = { left + rng() * width, top + rng() * height }
    local speed, frames, turns, before, ahead = cell * (0.02 + rng() * 0.5), 0, 0, nil, nil
    for _ = 1, 400 do
      if moving then
        local x, y = to[1] + (rng() - 0.5) * speed, to[2] + (rng() - 0.5) * speed
        local cx, cy = grid:cell_at(x, y)
        if cx and grid:get(cx, cy) then to = { x, y } end
      end
      local route = grid:route(at, to, { costs = costs })
      if not route then break end
      local x, y, first, last, after = walk(route, speed)
      if not first then break end
      local far = (x - to[1]) ^ 2 + (y - to[2]) ^ 2 > (3 * cell) ^ 2
      if before and far and is_back(before, first) and not is_back(before, ahead) then turns = turns + 1 end
      frames, at, before, ahead = frames + 1, { x, y }, last, after
    end
    return frames, turns
  end

  local function level(rng, weights)
    local cell = rng:pick { 1, 32, 0.7, 16 }
    local grid = wend.grid(rng(5, 40), rng(5, 40), { cell = cell, origin = { rng(-50, 50), rng() * 9 },
      diagonals = rng:pick(grid_reference.POLICIES), diagonal_length = rng:pick(grid_reference.LENGTHS) })
    local closed = rng() * 0.35
    grid:map(function() return not rng:chance(closed) and rng:pick(weights) end)
    return grid, cell
  end

  it("makes no U-turn on the way to a place that stays", function()
    local frames, turns = 0, 0
    helper.rounds("chase", 60, function(rng)
      local grid, cell = level(rng, { 1 })
      for _ = 1, 4 do
        local more, turned = chase(rng, grid, cell, false)
        frames, turns = frames + more, turns + turned
      end
      assert.equal(0, turns)
    end)
    assert.truthy(frames > 100)
  end)

  it("turns round only where another way is now cheaper", function() -- a goal that moves, or ground of several weights
    local frames, turns = 0, 0
    helper.rounds("chase of what moves", 60, function(rng)
      local grid, cell = level(rng, rng:pick { { 1 }, { 1, 1, 2 }, { 1, 2, 5, 9 } })
      for _ = 1, 4 do
        local more, turned = chase(rng, grid, cell, rng:chance(0.7))
        frames, turns = frames + more, turns + turned
      end
    end)
    assert.truthy(turns <= 15 + frames / 1000, ("%d turns in %d frames"):format(turns, frames))
  end)
end)

-- Random maps ------------------------------------------------------------------------------------------------------

-- The cost of the line between two points in cells, from 0, by the simplest rule: cut it at every column and every row,
-- and look at the middle of each piece. HUGE: it is blocked.
local function line_cost(model, view, a, b)
  local cuts, length = { 0, 1 }, model:line_length(b[1] - a[1], b[2] - a[2])
  for d = 1, 2 do
    for k = math.floor(math.min(a[d], b[d])), math.ceil(math.max(a[d], b[d])) do
      local t = (k - a[d]) / (b[d] - a[d])
      if t >= 0 and t <= 1 then cuts[#cuts + 1] = t end
    end
  end
  table.sort(cuts)
  local pieces = {}
  for i = 2, #cuts do
    local middle = (cuts[i - 1] + cuts[i]) / 2
    if (cuts[i] - cuts[i - 1]) * length > 1e-9 then
      pieces[#pieces + 1] = { math.floor(a[1] + (b[1] - a[1]) * middle) + 1,
        math.floor(a[2] + (b[2] - a[2]) * middle) + 1, middle }
    end
  end
  if #pieces == 0 then return 0 end
  pieces[1][3], pieces[#pieces][3] = 0, 1
  local policy, total = model.diagonals == "never" and "both_open" or model.diagonals, 0
  for i = 2, #pieces do
    local p, q = pieces[i - 1], pieces[i]
    if p[1] ~= q[1] or p[2] ~= q[2] then
      local step = model:step(view, p[1], p[2], q[1], q[2], policy)
      if step == HUGE then return HUGE end
      total = total + model:price_onto(view, p[1], p[2], q[1], q[2], length * (q[3] - p[3]))
    end
  end
  return total
end

describe("routes on random grids", function()
  local function centre(x, y) return { x - 0.5, y - 0.5 } end

  -- Checks a route against the model. Returns whether its legs could be added up.
  local function sound(model, view, route, from, to)
    assert.same({ from[1], from[2] }, { route[1], route[2] })
    if not route.partial then assert.same({ to[1], to[2] }, { route[#route - 1], route[#route] }) end
    local total, exact = 0, true
    for i = 3, #route, 2 do
      local a, b = { route[i - 2], route[i - 1] }, { route[i], route[i + 1] }
      assert.truthy(a[1] ~= b[1] or a[2] ~= b[2], "a point appears twice")
      local leg
      if route.links and route.links[(i - 1) / 2] then
        local p = model:cell(math.floor(a[1]) + 1, math.floor(a[2]) + 1)
        local q = model:cell(math.floor(b[1]) + 1, math.floor(b[2]) + 1)
        assert.truthy(model.links[p][q], "a leg that is no link")
        local list = model:arcs(view)[p]
        leg = HUGE
        for k = 1, #list, 2 do
          if list[k] == q then leg = math.min(leg, list[k + 1]) end
        end
      else
        leg = line_cost(model, view, a, b)
      end
      assert.truthy(leg < HUGE, "a leg that is blocked")
      total = total + leg
      -- bends beside the first and the last point: there the cost is that of the step
      if i < #route - 1 and (b[1] % 1 ~= 0.5 or b[2] % 1 ~= 0.5) then exact = false end
    end
    if exact then near(total, route.cost) end
    return exact
  end

  it("skip no corner that a free line of equal cost skips", function()
    local legs_seen = 0
    helper.rounds("skipped corners", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 25), height = rng(1, 25),
        closed = rng:pick { 0.05, 0.1, 0.2, 0.3 }, walls = rng:pick { 0, 0.05 }, links = 0 })
      local opts, view = grid_reference.random_costs(rng)
      for _ = 1, 5 do
        local from, to = { rng() * model.width, rng() * model.height }, { rng() * model.width, rng() * model.height }
        local route = model.grid:route(from, to, opts)
        local points = {}
        for i = 1, #(route or {}), 2 do points[#points + 1] = { route[i], route[i + 1] } end
        legs_seen = legs_seen + #points
        for i = 1, #points do
          local sum, cells = 0, 0 -- of the lines from here; they are looked at up to a number of cells
          for k = i + 1, #points do
            sum = sum + line_cost(model, view, points[k - 1], points[k])
            cells = cells + math.max(math.abs(points[k][1] - points[i][1]), math.abs(points[k][2] - points[i][2]))
            assert.truthy(k == i + 1 or cells > 32 or line_cost(model, view, points[i], points[k]) > sum * (1 + 1e-9),
              ("points %d and %d"):format(i, k))
          end
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or legs_seen > 300)
  end)

  local function compare(rounds, label)
    local found, straighter, exact, tried = 0, 0, 0, 0
    helper.rounds(label, rounds, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 20), height = rng(1, 20),
        closed = rng:pick { 0, 0.05, 0.2 }, walls = rng:pick { 0, 0.05 }, links = rng:pick { 0, 0, 2 } })
      local opts, view = grid_reference.random_costs(rng)
      local grid = model.grid
      for _ = 1, 5 do
        local x1, y1, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
        local path, _, code = grid:path(x1, y1, x2, y2, opts)
        -- from centre to centre
        local route, _, why = grid:route(centre(x1, y1), centre(x2, y2), with(opts, CELLS))
        assert.equal(path == nil, route == nil)
        assert.equal(code, why)
        if path then
          near(path.cost, route.cost)
          assert.equal(#path, #route)
          for i = 1, #path do assert.equal(path[i] - 0.5, route[i]) end
          local straight = assert(grid:route(centre(x1, y1), centre(x2, y2), opts))
          assert.truthy(straight.cost <= path.cost * (1 + 1e-9))
          sound(model, view, straight, centre(x1, y1), centre(x2, y2))
        end
        -- from anywhere to anywhere
        local from, to = { x1 - rng(), y1 - rng() }, { x2 - rng(), y2 - rng() }
        route, _, why = grid:route(from, to, with(opts, CELLS))
        assert.equal(path == nil, route == nil)
        assert.equal(code, why)
        if route then
          found = found + 1
          local straight = assert(grid:route(from, to, opts))
          assert.truthy(straight.cost <= route.cost * (1 + 1e-9))
          assert.truthy(#straight <= #route)
          if #straight < #route then straighter = straighter + 1 end
          tried = tried + 2
          exact = exact + (sound(model, view, route, from, to) and 1 or 0)
          exact = exact + (sound(model, view, straight, from, to) and 1 or 0)
        end
        -- as far as one can get
        route = grid:route(from, to, with(opts, { partial = true, max_expanded = rng:pick { 2, 1000 } }))
        if route then sound(model, view, route, from, to) end
        -- beside walls
        local walls = wend.walls()
        for _ = 1, rng(6) do walls:add_circle(rng() * model.width, rng() * model.height, rng() * 0.6) end
        route = path and assert(grid:route(from, to, with(opts, { clear = walls })))
        for i = 3, route and #route - 1 or 0, 2 do
          local a, b, c, d = route[i - 2], route[i - 1], route[i], route[i + 1]
          local step = math.abs(math.floor(a) - math.floor(c)) <= 1 and math.abs(math.floor(b) - math.floor(d)) <= 1
          local link = route.links and route.links[(i - 1) / 2]
          assert.truthy(step or link or walls:clear(a, b, c, d), "a straight leg that is not free")
        end
        if route then sound(model, view, route, from, to) end
      end
    end)
    assert.truthy(not helper.all_rounds() or found > rounds and straighter > rounds / 2 and exact > tried / 2,
      ("%d found, %d straighter, %d of %d exact"):format(found, straighter, exact, tried))
  end

  it("cost what paths cost, and what their legs cost; straight legs never cost more", function()
    compare(30, "grid route")
  end)

  it("do so on many maps #slow", function()
    compare(1500, "many grid routes")
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NAN = 0 / 0
local grid

local function route(...)
  local arguments = { ... }
  return function() return grid:route((table.unpack or unpack)(arguments)) end -- luacheck: ignore 113 143
end

describe("grid:route", function()
  before_each(function() grid = wend.grid(9, 9) end)

  local A, B = { 1, 1 }, { 8, 8 }
  helper.all_raise(it, {
    "from[2] must be a finite number (up to 1e150), got nil", route({ 1 }, B),
    "from.x must be a finite number (up to 1e150), got nil", route({}, B),
    "to.y must be a finite number (up to 1e150), got inf", route(A, { x = 1, y = HUGE }),
    "from[1] must be a finite number (up to 1e150), got nan", route({ NAN, 1 }, B),
    "to[2] must be a finite number (up to 1e150), got '1'", route(A, { 1, "1" }),
    "unknown option 'enter' (expected one of: clear, clearance, straighten, costs, agent, cost, at_least, size, "
      .. "influence, algorithm, heuristic, max_expanded, max_cost, partial, variation, seed, into, stats, closed_goal, "
      .. "within, beside, sight)",
    route(A, B, { enter = "edge" }),
    "variation needs a seed: the path depends on it", route(A, B, { variation = 1 }),
    "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
      route(A, B, { algorithm = "dijkstra", heuristic = "octile" }),
    "option 'cost': no mana", route(A, B, { cost = function() error("no mana", 0) end }),
    "option 'cost': wanted a number >= 0, false or nil, got -1", route(A, B, { cost = function() return -1 end }),
    "option 'heuristic': no idea", route(A, B, { heuristic = function() error("no idea", 0) end }),
    "blind", route(A, B, { clear = function() error("blind", 0) end }),
  })

  it("leaves into as it was where it raises", function()
    local into = { 7, colour = "red" }
    helper.raises("to[2] must be a finite number (up to 1e150), got nil", route(A, { 1 }, { into = into }))
    helper.raises("straighten must be true or false, got 1", route(A, B, { into = into, straighten = 1 }))
    assert.same({ 7, colour = "red" }, into)
  end)

  it("raises when a function edits or frees the grid, and works afterwards", function()
    local locked = "the grid is being searched: change it when the search is over"
    local finalize = debug.getmetatable(grid).__gc
    helper.raises(locked, grid.route, grid, A, B, { clear = function() grid:set(1, 1, false) end })
    helper.raises("option 'cost': no: " .. locked, grid.route, grid, A, B, { cost = function()
      local _, message = pcall(grid.set, grid, 1, 1, false)
      error("no: " .. message, 0)
    end })
    helper.raises(locked, grid.route, grid, A, B, { clear = function() finalize(grid) end })
    assert.same({ 1, 1, 8, 8 }, flat(grid:route(A, B)))
  end)

  it("may be called by its own functions", function()
    local into, count = {}, 0
    local got = grid:route({ 0.9, 0.9 }, { 8.1, 8.2 }, { straighten = true, clear = function()
      count = count + 1
      assert(grid:route({ 0.2, 7.9 }, { 8.1, 0.2 }, { into = into, straighten = false }))
      return true
    end })
    assert.truthy(count > 0)
    assert.same({ 0.9, 0.9, 8.1, 8.2 }, flat(got))
  end)

  it("raises when a function yields", function()
    helper.cannot_yield(grid.route, grid, A, B, { clear = function() coroutine.yield() end })
    assert(grid:route(A, B))
  end)

  it("is stale when a function closes a step that it has opened for the search", function()
    local calls, most = 0, HUGE
    local opts = { straighten = false, at_least = 0 }
    function opts.cost(_, cost)
      calls = calls + 1
      return calls <= most and cost
    end
    local stats = {}
    assert(grid:route({ 0.5, 0.5 }, { 8.5, 0.5 }, with(opts, { stats = stats })))
    calls, most = 0, stats.callbacks
    local got, _, code = grid:route({ 0.5, 0.5 }, { 8.5, 0.5 }, opts)
    assert.same({ "nil", "stale" }, { type(got), code })
  end)
end)
