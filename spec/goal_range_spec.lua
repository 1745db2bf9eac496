-- SPDX-License-Identifier: MIT
-- The options within, beside and sight: the path ends in range of its goal. spec/random/goal_sets_spec.lua compares
-- them with a plain solver.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local raises, text = helper.raises, grid_reference.text

-- A unit at 7,2 has closed its cell in an overlay. The wall is at 5.
local function yard()
  local grid = wend.parse_grid [[
    ....#....
    ....#....
    ....#....
    .........
  ]]
  return grid:overlay():close(7, 2)
end

local function last(path) return path[#path - 1], path[#path] end

describe("goals in range", function()
  it("end within a distance, beside the goal, or where it is seen", function()
    local units = yard()
    assert.equal("no_path", select(3, units:path(1, 4, 7, 2)))
    assert.equal("1,4 2,4 3,4 4,4 5,4", text(units:path(1, 4, 7, 2, { within = 2.9 })))
    assert.equal("1,4 2,4 3,4 4,4 5,4 6,4 6,3", text(units:path(1, 4, 7, 2, { beside = true })))
    assert.same({ 6, 4 }, { last(units:path(1, 4, 7, 2, { sight = true })) })
    assert.same({ 6, 4 }, { last(units:path(1, 4, 7, 2, { within = 2.9, sight = true })) })
  end)

  it("count distances between centres of cells, the limit included", function()
    local grid = wend.grid(9, 9)
    local function stop(within) return last(grid:path(1, 1, 9, 9, { within = within })) end
    assert.same({ 9, 9 }, { stop(0) })
    assert.same({ 8, 8 }, { stop(math.sqrt(2)) })
    assert.same({ 7, 7 }, { stop(2.83) })
    assert.same({ 1, 1 }, { stop(1e300) })
  end)

  it("let the path end at its start if that fits, also if it is closed", function()
    local units = yard()
    units:close(6, 4)
    for _, range in ipairs { { within = 3 }, { sight = true }, { within = 2.5, sight = true } } do
      local path = units:path(6, 4, 7, 2, range)
      assert.equal("6,4", text(path))
      assert.equal(0, path.cost)
    end
    units:close(6, 3)
    assert.equal("6,3", text(units:path(6, 3, 7, 2, { beside = true })))
    assert.equal("7,2", text(units:path(7, 2, 7, 2, { within = 1 })))
    assert.equal(1, units:path(7, 2, 7, 2, { beside = true }).cost) -- its own place is not beside it
  end)

  it("obey walls and the grid's rule of diagonals beside the goal", function()
    local function cost(rule, closed)
      local grid = wend.grid(3, 3, { diagonals = rule }):close(2, 1)
      if closed then grid:close(2, 2) end
      local path = grid:path(1, 2, 2, 1, { beside = true })
      return path.cost
    end
    assert.same({ 0, 0, 0, 1 }, { cost "both_open", cost "one_open", cost "always", cost "never" })
    assert.same({ 1, 0, 0, 1 },
      { cost("both_open", true), cost("one_open", true), cost("always", true), cost("never", true) })
    local grid = wend.grid(3, 1):wall(1, 1, 2, 1)
    assert.same({ "no_path" }, { select(3, grid:path(1, 1, 2, 1, { beside = true })) })
    grid:link(1, 1, 2, 1)
    assert.equal(0, grid:path(1, 1, 2, 1, { beside = true }).cost)
  end)

  it("see past tags, not past closed cells and walls", function()
    local grid = wend.grid(9, 1)
    grid:set(5, 1, "smoke")
    assert.equal(0, grid:path(1, 1, 9, 1, { sight = true, costs = wend.costs { smoke = false } }).cost)
    grid:wall(3, 1, 4, 1)
    assert.equal("no_path", select(3, grid:path(1, 1, 9, 1, { sight = true })))
    local huge = wend.grid(9, 1):fill(1, 1, 9, 1, 1e308)
    assert.equal(0, huge:path(1, 1, 9, 1, { sight = true }).cost)
  end)

  it("see past everything but the walls that are given", function()
    local units, walls = yard(), wend.walls()
    assert.equal(0, units:path(1, 1, 7, 2, { sight = walls }).cost)
    walls:add_segment(5, 0, 5, 3)
    assert.same({ 6, 4 }, { last(units:path(1, 4, 7, 2, { sight = walls })) })
    local scaled = wend.grid(9, 4, { cell = 10, origin = { 100, 100 } })
    local far = wend.walls()
    far:add_segment(150, 100, 150, 130)
    assert.same({ 6, 4 }, { last(scaled:path(1, 4, 7, 2, { sight = far })) })
  end)

  it("name a goal that the end fits", function()
    local units = yard()
    local path = units:path(1, 4, { 9, 1, 7, 2, 9, 4 }, { within = 2 })
    assert.equal(2, path.goal)
    assert.is_nil(units:path(1, 4, 7, 2, { within = 2 }).goal)
    assert.equal(3, units:path(9, 4, { 1, 1, 2, 1, 9, 4 }, { within = 2 }).goal)
    local found = grid_reference.sliced(units, 1, 1, 4, { 9, 1, 7, 2, 9, 4 }, { within = 2 })
    assert.equal(2, found.goal)
  end)

  it("of graphs are nodes by their positions and edges", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0, 30, 10 }
    g:add_edges { 1, 2, 2, 3, 3, 4, 4, 5 }
    local bare = g:add_node()
    g:add_edge(bare, 4, { weight = 1 })
    g:close(4)
    assert.same({ 1, 2, 3 }, { unpack(g:path(1, 4, { within = 10 })) })
    assert.same({ 1, 2, 3 }, { unpack(g:path(1, 4, { beside = true })) })
    assert.same({ 1, 2 }, { unpack(g:path(1, 4, { within = 20 })) })
    assert.same({ bare }, { unpack(g:path(bare, 4, { beside = true })) })
    assert.is_nil((g:path(bare, 4, { within = 1000 })))
    assert.is_nil((g:path(1, bare, { within = 1000 })))
    local walls = wend.walls()
    walls:add_segment(25, -1, 25, 1)
    assert.is_nil((g:path(1, 4, { sight = walls })))
    assert.equal(0, g:path(5, 4, { sight = walls }).cost)
    assert.equal(20, g:path(1, 5, { sight = walls, within = 15 }).cost)
  end)

  it("are goals of fields, with their values, in windows too", function()
    local units = yard()
    local field = units:field(7, 2, { within = 2 })
    assert.same({ 0, 0 }, { field:cost(7, 4), field:cost(7, 2) })
    assert.near(units:path(1, 1, 7, 2, { within = 2 }).cost, field:cost(1, 1), 1e-9)
    assert.equal("no path from (1,1) to a place in range of (7,2)",
      select(2, units:field(7, 2, { within = 1, max_cost = 2 }):path(1, 1)))
    assert.same({ 3, 5 }, { units:field({ 7, 2, 1, 1 }, { within = 0, values = { 5, 3 } }):cost(1, 1),
      units:field({ 7, 2, 1, 1 }, { within = 0, values = { 5, 3 } }):cost(7, 2) })
    field = units:field(7, 2, { within = 5, window = 1 })
    assert.equal(0, field:cost(6, 1))
    assert.is_nil(field:cost(9, 1))
    assert.equal(0, wend.grid(3, 3):close(2, 2):field(2, 2, { beside = true, outward = true }):cost(1, 1))
    assert.is_nil(units:field(7, 2, { sight = true, beside = true, within = 0.5 }):cost(7, 2))
  end)

  it("lead partial paths near to a goal that no place fits", function()
    local units = wend.grid(9, 1):close(7, 1)
    local path = units:path(1, 1, 9, 1, { within = 1, partial = true })
    assert.same({ 6, 1, true }, { path[#path - 1], path[#path], path.partial })
    local grid = wend.grid(5, 5, { diagonals = "never" })
    path = grid:path(1, 1, 3, 3, { within = 0, beside = true, partial = true })
    assert.same({ 3, 3, true }, { path[#path - 1], path[#path], path.partial })
    assert.equal("no_path", select(3, grid:path(3, 3, 3, 3, { within = 0, beside = true })))
    assert.is_true(grid:path(3, 3, { 3, 3, 4, 4 }, { within = 0, beside = true, partial = true }).partial)
    assert.equal("no_path", select(3, grid_reference.sliced(grid, 1, 1, 1, 3, 3, { within = 0, beside = true })))
  end)

  it("serve requests of queues, also those that share a field", function()
    local units, q, costs = yard(), wend.queue(), {}
    for i = 1, 6 do
      q:path(units, i, 4, 7, 2, { within = 2, sight = true, share = i > 2 or nil,
        on_done = function(path) costs[i] = path.cost end })
    end
    q:path(units, 1, 4, 7, 2, { beside = true, share = true, on_done = function(path) costs[7] = path.cost end })
    while q:pending() > 0 do q:step(100) end
    for i = 1, 6 do assert.near(units:path(i, 4, 7, 2, { within = 2, sight = true }).cost, costs[i], 1e-9) end
    assert.near(units:path(1, 4, 7, 2, { beside = true }).cost, costs[7], 1e-9)
  end)

  it("ask a heuristic function about the places that fit", function()
    local asked, grid = {}, wend.grid(9, 9)
    local path = grid:path(1, 1, 9, 9, { within = 2, heuristic = function(x, y, goal_x, goal_y)
      asked[goal_x .. "," .. goal_y] = true
      return math.max(math.abs(goal_x - x), math.abs(goal_y - y))
    end })
    assert.near(grid:path(1, 1, 9, 9, { within = 2 }).cost, path.cost, 1e-9)
    assert.is_true(asked["7,9"] and not asked["9,9"])
  end)

  it("hold for the cell of an agent with a size, which must have room there", function()
    local grid = wend.grid(12, 6):close(9, 3)
    local path = grid:path(2, 2, 9, 3, { within = 2, size = 3 })
    local x, y = last(path)
    assert.is_true(math.sqrt((x - 9) ^ 2 + (y - 3) ^ 2) <= 2 and math.max(math.abs(x - 9), math.abs(y - 3)) == 2)
    assert.equal("no_path", select(3, grid:path(2, 2, 9, 3, { within = 1, size = 3 })))
  end)

  it("are ends of routes over grids, at the centre of the place that fits", function()
    local units = yard()
    local function route(x, y, opts) return units:route(x, y, 6.5, 1.5, opts) end
    assert.equal("no_path", select(3, route(0.2, 3.4)))
    for _, range in ipairs { { within = 2.9 }, { within = 2.9, sight = true }, { beside = true } } do
      local path = units:path(1, 4, 7, 2, range)
      local from_centre = route(0.5, 3.5, { within = range.within, sight = range.sight, beside = range.beside,
        straighten = false })
      assert.near(path.cost, from_centre.cost, 1e-9)
      local x, y = last(path)
      assert.same({ x - 0.5, y - 0.5 }, { last(from_centre) })
      range.into = {}
      assert.same({ 0.2, 3.4 }, { unpack(route(0.2, 3.4, range), 1, 2) })
      assert.same({ x - 0.5, y - 0.5 }, { last(range.into) })
      assert.is_nil(range.into.partial)
    end
    assert.same({ 7.1, 2.2 }, { unpack(route(7.1, 2.2, { within = 2 })) })
    assert.equal(0, route(7.1, 2.2, { within = 2 }).cost)
    assert.same({ 6.2, 1.3 }, { unpack(route(6.2, 1.3, { within = 2 })) }) -- the unit itself
    local away = route(6.2, 1.3, { beside = true })
    assert.is_true(#away == 4 and away.cost > 0)
    local none, message, code = route(0.2, 3.4, { within = 0 })
    assert.same({ "no route from (0.2, 3.4) to a place in range of (6.5, 1.5)", "no_path" }, { none or message, code })
    assert.is_true(route(0.2, 3.4, { within = 0, partial = true }).partial)
  end)

  helper.all_raise(it, {
    "sight must be true or false, got a wend.Walls",
      function() yard():route(0, 0, 2, 2, { sight = wend.walls() }) end,
    "within must be a finite number >= 0, got -1", function() yard():path(1, 1, 7, 2, { within = -1 }) end,
    "within must be a finite number >= 0, got nan", function() yard():path(1, 1, 7, 2, { within = 0 / 0 }) end,
    "within must be a finite number >= 0, got inf", function() yard():path(1, 1, 7, 2, { within = 1 / 0 }) end,
    "within must be a finite number >= 0, got 'x'", function() yard():field(7, 2, { within = "x" }) end,
    "beside must be true or false, got 1", function() yard():path(1, 1, 7, 2, { beside = 1 }) end,
    "sight must be true, false, walls or a table { opaque =, transparent = }, got 1",
      function() yard():path(1, 1, 7, 2, { sight = 1 }) end,
    "unknown option 'tags' (expected one of: opaque, transparent)",
      function() yard():search(1, 1, 7, 2, { sight = { tags = 1 } }) end,
    "opaque must be a list of tags, got 5", function() yard():field(7, 2, { sight = { opaque = 5 } }) end,
    "transparent[1] must be a tag, got 5", function() yard():path(1, 1, 7, 2, { sight = { transparent = { 5 } } }) end,
  })

  it("see by tags: past windows, and not through smoke", function()
    local keep = wend.parse_grid([[
      ..........
      ..#w#s#...
      ..........
    ]], { w = { tag = "window", closed = true }, s = { tag = "smoke" } })
    local units = keep:overlay()
    local function cost(x, sight) return units:path(x, 1, x, 3, { sight = sight }).cost end
    assert.same({ true, 0 }, { cost(4, true) > 0, cost(4, { transparent = { "window" } }) })
    assert.same({ 0, true, 0 }, { cost(6, true), cost(6, { opaque = { "smoke" } }) > 0, cost(6, {}) })
    local by_tags = { transparent = { "window" }, opaque = { "smoke" } }
    assert.equal(0, units:field(4, 3, { sight = by_tags }):cost(4, 1))
    local search = units:search(4, 1, 4, 3, { sight = by_tags })
    by_tags.transparent[1] = 7 -- it was read when the search was made
    collectgarbage()
    assert.equal("found", (search:step(100)))
    assert.equal(0, search:result().cost)
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    raises("sight by tags is for grids: on a graph, give walls (wend.walls)", g.path, g, 1, 2, { sight = {} })
  end)

  it("refuse sight = true on graphs, and calls that end at their goals", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0 }
    for _, call in ipairs { "path", "search" } do
      raises("sight = true is for grids: on a graph, give walls (wend.walls)", g[call], g, 1, 2, { sight = true })
    end
    raises("sight = true is for grids: on a graph, give walls (wend.walls)", g.field, g, 1, { sight = true })
    assert.equal("no_path", select(3, g:path(1, 2, { sight = false })))
    for _, call in ipairs { "route", "why_not", "can_reach" } do
      local ok, message = pcall(g[call], g, 1, 2, { within = 1 })
      assert.is_false(ok)
      assert.truthy(message:find("unknown option 'within'", 1, true), message)
    end
  end)
end)
