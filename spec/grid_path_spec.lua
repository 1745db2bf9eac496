-- SPDX-License-Identifier: MIT
-- Paths over grids. A star in a drawing is a cell of the path.
local file_reference = require "spec.support.file_reference"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local text, show, looks, near = grid_reference.text, grid_reference.show, grid_reference.looks, reference.near
local with = grid_reference.with

local SQRT2, HUGE = math.sqrt(2), math.huge
local TERRAIN = { ["~"] = "swamp", ["="] = "road", ["T"] = "toll", ["w"] = { weight = 3, tag = "swamp" } }

local function draw(rows, opts) return wend.parse_grid(rows, TERRAIN, opts) end

describe("path:points", function()
  it("gives the middles of the cells, flat", function()
    assert.same({ 0.5, 0.5, 1.5, 0.5, 2.5, 0.5 }, wend.grid(3, 1):path(1, 1, 3, 1):points())
  end)

  it("gives world units where the grid has a cell size and an origin", function()
    local grid = wend.grid(3, 2, { cell = 32, origin = { 100, -50 } })
    assert.same({ 116, -34, 148, -2 }, grid:path(1, 1, 2, 2):points())
  end)
end)

describe("grid:path", function()
  it("gives a flat list of cells with the fields cost and map", function()
    local grid = wend.grid(3, 2)
    local path = assert(grid:path(1, 1, 3, 1))
    assert.same({ 6, 1, 1, 2, 1, 3, 1 }, { #path, path[1], path[2], path[3], path[4], path[5], path[6] })
    assert.same({ 2, nil }, { path.cost, path.partial })
    assert.equal(grid, path.map)
  end)

  it("is one cell that costs nothing where start and goal are the same", function()
    local grid = wend.grid(3, 2):set(2, 2, false)
    for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" } } do
      for x = 1, 2 do -- also where that is closed
        local path = assert(grid:path(x, 2, x, 2, opts))
        assert.same({ 2, x, 2, 0 }, { #path, path[1], path[2], path.cost })
        assert.same({}, path:explain())
      end
    end
  end)

  it("leaves a closed start", function()
    local path = draw({
      "#..",
      "##.",
    }):path(1, 1, 3, 2)
    assert.same({ "1,1 2,1 3,1 3,2", 3 }, { text(path), path.cost })
  end)

  it("does not come back through a closed start", function()
    local grid = draw({ ".#.", }):link(2, 1, 1, 1, { directed = true })
    assert.equal(1, grid:path(2, 1, 3, 1).cost)
    assert.equal(nil, (grid:path(1, 1, 3, 1)))
  end)

  it("does not enter a closed goal", function()
    local grid = wend.grid(7, 3):set(7, 3, false)
    helper.fails("no path from (1,1) to (7,3): the goal is closed", "no_path", grid.path, grid, 1, 1, 7, 3)
    grid:set(7, 3, "lava")
    helper.fails("no path from (1,1) to (7,3): the goal is closed for this agent (tag 'lava')", "no_path", grid.path,
      grid, 1, 1, 7, 3,
      { costs = wend.costs { lava = false } })
  end)

  it("answers nil, a message and a code where there is no path", function()
    local grid = draw "..#.."
    helper.fails("no path from (1,1) to (5,1)", "no_path", grid.path, grid, 1, 1, 5, 1)
    helper.fails("no path from (4,1) to (2,1)", "no_path", grid.path, grid, 4, 1, 2, 1, { heuristic = "octile" })
    helper.fails("no path from (1,1) to any of the goals", "no_path", grid.path, grid, 1, 1, { 4, 1, 5, 1 })
    helper.fails("no path from (1,1) to any of the goals: all goals are closed", "no_path", grid.path, grid, 1, 1,
      { 3, 1 })
  end)

  it("finds its way through a drawn map", function()
    local path = draw([[
      .........
      .#######.
      ...#...#.
      .#.#.#.#.
      .#...#...
    ]]):path(7, 3, 1, 3)
    looks([[
      .........
      .#######.
      ***#***#.
      .#*#*#.#.
      .#***#...
    ]], path)
    assert.equal(10, path.cost)
  end)

  it("gives always the same one of many that cost the same", function()
    local function trips(grid)
      local list = {}
      for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { max_cost = 1e9 } } do
        list[#list + 1] = show(grid:path(3, 9, 18, 2, opts))
        list[#list + 1] = show(grid:path(18, 2, 3, 9, opts))
      end
      return list
    end
    local expected = trips(wend.grid(20, 10):fill(8, 3, 9, 7, false):fill(13, 5, 14, 10, false))
    local other = wend.grid(20, 10):fill(2, 2, 20, 10, "swamp"):set(8, 3, 7):fill(3)
    other:path(1, 1, 20, 10)
    other:fill(13, 5, 14, 10, false):fill(8, 3, 9, 7, false):map(function(x, y) return other:get(x, y) and 1 end)
    other:field(7, 7)
    assert.same(expected, trips(other))
    assert.same(expected, trips(other))
  end)

  it("adds the costs up in the order of travel", function()
    local grid = wend.grid(4, 1):set(2, 1, 0.1):set(3, 1, 0.2):set(4, 1, 0.3)
    assert.equal(0.1 + 0.2 + 0.3, grid:path(1, 1, 4, 1).cost)
    local uniform, total = wend.grid(40, 1):fill(0.1), 0
    for _ = 2, 40 do total = total + 0.1 end
    assert.equal(total, uniform:path(1, 1, 40, 1).cost)
    assert.equal(total, uniform:path(1, 1, 40, 1, { heuristic = "octile" }).cost)
  end)

  it("crosses a grid of any shape and size", function()
    for _, size in ipairs { { 1, 300 }, { 300, 1 }, { 2, 200 }, { 63, 65 }, { 64, 64 }, { 65, 63 }, { 127, 129 } } do
      local width, height = size[1], size[2]
      local grid = wend.grid(width, height)
      local short, long = math.min(width, height) - 1, math.max(width, height) - 1
      local expected = long - short + short * SQRT2
      for _, opts in ipairs { {}, { heuristic = "octile" }, { algorithm = "dijkstra" } } do
        near(expected, grid:path(1, 1, width, height, opts).cost)
        near(expected, grid:path(width, 1, 1, height, opts).cost)
        near(expected, grid:path(width, height, 1, 1, opts).cost)
      end
    end
  end)

  it("crosses 4096 x 4096 cells #slow", function()
    local grid = wend.grid(4096, 4096):fill(2000, 1, 2000, 4095, false)
    local expected = 4093 * SQRT2 + 4099 -- down to the gap, through it and up again
    near(expected, grid:path(1, 1, 4096, 1).cost)
    near(expected, grid:path(1, 1, 4096, 1, { heuristic = "octile" }).cost)
  end)
end)

describe("a list of goals on a grid", function()
  it("is flat, and reached where that is cheapest", function()
    local grid = wend.grid(9, 1)
    assert.equal("5,1 6,1 7,1", text(grid:path(5, 1, { 1, 1, 7, 1, 9, 1 })))
    assert.equal("5,1 4,1", text(grid:path(5, 1, { 9, 1, 4, 1 }, { algorithm = "dijkstra" })))
  end)

  it("may name goals twice, hold the start, and hold closed ones", function()
    local grid = wend.grid(9, 1):set(4, 1, false)
    assert.equal("6,1 7,1", text(grid:path(6, 1, { 4, 1, 7, 1, 7, 1 })))
    assert.equal("6,1", text(grid:path(6, 1, { 7, 1, 6, 1 })))
    assert.equal("4,1", text(grid:path(4, 1, { 4, 1, 5, 1 })))
  end)

  it("gives path.goal, the index of the goal that is reached", function()
    local grid = wend.grid(9, 1):set(4, 1, false)
    assert.equal(2, grid:path(6, 1, { 4, 1, 7, 1, 7, 1 }).goal)
    assert.equal(1, grid:path(6, 1, { 9, 1 }).goal)
    assert.equal(nil, grid:path(6, 1, 9, 1).goal)
    assert.equal(nil, grid:path(6, 1, { 1, 1, 3, 1 }, { partial = true }).goal)
    assert.equal(nil, grid:field({ 6, 1, 9, 1 }):path(7, 1).goal)
    local search = grid:search(8, 1, { 5, 1, 9, 1 })
    search:step(100)
    assert.equal(2, search:result().goal)
  end)

  it("of one is as good as the goal itself", function()
    local grid = wend.grid(9, 5):fill(3, 2, 3, 5, false)
    assert.equal(show(grid:path(1, 5, 9, 5)), show(grid:path(1, 5, { 9, 5 })))
  end)
end)

describe("a cost profile on a grid", function()
  local function marsh()
    return draw [[
      .......
      ..~~~..
      .......
    ]]
  end

  it("multiplies, closes and adds a price for each cell of a tag", function()
    local function cost(value) return wend.grid(4, 1):fill(2, 1, 3, 1, "swamp"):path(1, 1, 4, 1,
      { costs = wend.costs { swamp = value } }) end
    assert.equal(7, cost(3).cost)
    assert.equal(5, cost({ plus = 1 }).cost)
    assert.equal(11, cost({ times = 3, plus = 2 }).cost)
    assert.equal(nil, (cost(false)))
    assert.equal(1, cost(0).cost)
  end)

  it("asks the agent once a search, not once a cell", function()
    local grid, asked = wend.grid(40, 40):fill "swamp", 0
    local costs = wend.costs { swamp = function(agent, factor, tag)
      asked = asked + 1
      assert.same({ 1, "swamp" }, { factor, tag })
      return agent.boots and 1 or 2
    end }
    near(39 * SQRT2, grid:path(1, 1, 40, 40, { costs = costs, agent = { boots = true } }).cost)
    assert.equal(1, asked)
    near(78 * SQRT2, grid:path(1, 1, 40, 40, { costs = costs }).cost)
    assert.equal(2, asked)
  end)

  it("gives each agent its own costs", function()
    local grid, costs = marsh(), wend.costs { swamp = function(agent) return agent.boots and 1 or 3 end }
    assert.equal(6, grid:path(1, 2, 7, 2, { costs = costs, agent = { boots = true } }).cost)
    looks([[
      .......
      *******
      .......
    ]], grid:path(1, 2, 7, 2, { costs = costs, agent = { boots = true } }))
    local around = grid:path(1, 2, 7, 2, { costs = costs, agent = {} })
    near(4 + 2 * SQRT2, around.cost)
    for _, x, y in around:each() do assert.equal(1, grid:get(x, y)) end
  end)

  it("is not mixed up with others that differ in any way", function()
    local grid = wend.grid(3, 3):fill "swamp":fill(1, 2, 2, 2, false)
    local cases = {
      { 1, 6 }, { { plus = 1 }, 12 }, { { plus = 2 }, 18 }, { { times = 2 }, 12 }, { { times = 2, plus = 1 }, 18 },
      { 0, 0 }, { { times = 0, plus = 1 }, 6 }, { false },
    }
    for _ = 1, 3 do
      for _, case in ipairs(cases) do
        local costs = wend.costs { swamp = case[1] }
        local path = grid:path(1, 1, 1, 3, { costs = costs })
        assert.equal(case[2], path and path.cost)
        assert.equal(case[2], grid:field(1, 3, { costs = costs }):cost(1, 1))
      end
    end
  end)

  it("does not hide a way of diagonals behind its prices: a diagonal pays once for more of the way", function()
    local grid = draw([[
      ####T####
      ###T#T###
      ##T###T##
      #T#####T#
      T#######T
      TTTTTTTTT
    ]], { diagonals = "always" }):wall(1, 5, 2, 6):wall(9, 5, 8, 6)
    local path = grid:path(1, 5, 9, 5, { costs = wend.costs { toll = { plus = 1 } } })
    near(8 * (SQRT2 + 1), path.cost) -- along the row it is 10 * 2
  end)

  it("does not hide what a function opens, and makes cheap", function()
    local grid = draw [[
      ....
      ~##~
      ~##~
      ~##~
      ~~~~
    ]]
    local costs = wend.costs { swamp = false }
    costs:edge_rule("boat", function(_, cost) return cost == HUGE and 0.01 or cost end, { tags = { "swamp" } })
    for _, heuristic in ipairs(grid_reference.HEURISTICS) do
      near(10 * 0.01 + 1, grid:path(1, 1, 4, 1, { costs = costs, heuristic = heuristic }).cost)
    end
  end)

  it("never hides the cheapest path, whatever it makes cheap", function()
    local grid = draw [[
      =========
      =.......=
      =.......=
      =.......=
    ]]
    for _, times in ipairs { 0, 0.001, 0.5, 1, 2 } do
      local costs = wend.costs { road = times }
      local expected = grid:path(1, 4, 9, 4, { costs = costs, algorithm = "dijkstra" }).cost
      for _, heuristic in ipairs(grid_reference.HEURISTICS) do
        near(expected, grid:path(1, 4, 9, 4, { costs = costs, heuristic = heuristic }).cost)
      end
    end
  end)
end)

describe("a function about the steps of a grid", function()
  it("is handed agent, cost, tag and the two cells in the direction of travel", function()
    local agent, seen = {}, {}
    local function fn(...)
      local who, cost, tag, x1, y1, x2, y2 = ...
      assert.equal(7, select("#", ...))
      assert.equal(agent, who)
      seen[("%d,%d %d,%d"):format(x1, y1, x2, y2)] = { cost, tag }
    end
    draw({ ".w", ".." }):path(1, 1, 2, 2, { agent = agent, cost = fn, algorithm = "dijkstra" })
    assert.same({ 3, "swamp" }, seen["1,1 2,1"])
    assert.same({ 1 }, seen["1,1 1,2"])
    assert.same({ SQRT2 }, seen["1,1 2,2"])
    seen = {}
    draw({ ".w", ".." }):path(1, 1, 2, 2, { agent = agent, costs = wend.costs { swamp = 2 }:edge_rule("spy", fn) })
    assert.same({ 6, "swamp" }, seen["1,1 2,1"])
  end)

  it("sets the cost of a step", function()
    local grid = wend.grid(4, 1)
    assert.equal(30, grid:path(1, 1, 4, 1, { cost = function(_, cost) return cost * 10 end }).cost)
    assert.equal(3, grid:path(1, 1, 4, 1, { cost = function() end }).cost)
    assert.equal(nil, (grid:path(1, 1, 4, 1, { cost = function(_, cost, _, x) return x ~= 2 and cost end })))
  end)

  it("closes a corner by refusing the straight step onto it from the same cell", function()
    local asked = {}
    local function no_entry(_, _, _, x1, y1, x2, y2)
      asked[("%d,%d %d,%d"):format(x1, y1, x2, y2)] = true
      if x2 == 2 and y2 == 1 then return false end
    end
    local function cost(policy)
      local path = wend.grid(2, 2, { diagonals = policy }):path(1, 1, 2, 2, { cost = no_entry })
      return path and path.cost
    end
    assert.equal(2, cost "both_open")
    assert.equal(true, asked["1,1 2,1"])
    assert.equal(SQRT2, cost "one_open")
    assert.equal(SQRT2, cost "always")
    assert.equal(2, cost "never")
  end)

  it("closes a corner only in the direction that it refuses", function()
    local function one_way(_, _, _, x1, y1, x2, y2)
      if x1 == 1 and y1 == 1 and x2 == 2 and y2 == 1 then return false end
    end
    local grid = wend.grid(2, 2)
    assert.equal(2, grid:path(1, 1, 2, 2, { cost = one_way }).cost)
    assert.equal(SQRT2, grid:path(2, 2, 1, 1, { cost = one_way }).cost)
  end)

  it("may open what the profile has closed, corners too, but not a closed cell", function()
    local grid = draw({ ".~", ".." })
    local costs = wend.costs { swamp = false }
    local function bridge(_, cost) return cost == HUGE and 4 or cost end
    assert.equal(2, grid:path(1, 1, 2, 2, { costs = costs }).cost)
    assert.equal(SQRT2, grid:path(1, 1, 2, 2, { costs = costs, cost = bridge }).cost)
    assert.equal(4, grid:path(1, 1, 2, 1, { costs = costs, cost = bridge }).cost)
    grid:set(2, 1, { weight = false, tag = "swamp" })
    assert.equal(2, grid:path(1, 1, 2, 2, { costs = costs, cost = bridge }).cost)
    assert.equal(nil, (grid:path(1, 1, 2, 1, { costs = costs, cost = bridge })))
  end)

  it("is asked about links as about steps", function()
    local grid = draw "..#..":link(2, 1, 4, 1, { weight = 3, tag = "portal" })
    local seen
    local path = grid:path(1, 1, 5, 1, { cost = function(_, cost, tag, x1, y1, x2, y2)
      if tag then seen = { cost, tag, x1, y1, x2, y2 } end
      return tag == "portal" and cost * 2 or nil
    end })
    assert.equal(8, path.cost)
    assert.same({ 3, "portal", 2, 1, 4, 1 }, seen)
    assert.equal(nil, (grid:path(1, 1, 5, 1, { cost = function(_, _, tag)
      if tag == "portal" then return false end
    end })))
  end)

  it("leaves the heuristic useful by a promise, and is then asked less", function()
    local grid, calls = wend.grid(60, 60), {}
    for _, least in ipairs { 0, 1 } do
      local stats = {}
      local opts = { cost = function(_, cost) return cost end, at_least = least, stats = stats }
      assert.equal(50, grid:path(5, 30, 55, 30, opts).cost)
      assert.equal(least, stats.bound)
      calls[least] = stats.callbacks
    end
    assert.truthy(calls[1] < calls[0] / 4)
  end)
end)

describe("corners of diagonal steps", function()
  -- Steps of more than one level are closed. From 1,1 to 2,2 the second step over 2,1 is, back the first.
  local function levels(_, _, _, x1, y1, x2, y2)
    local height = { { 1, 0 }, { 1, 2 } }
    if math.abs(height[y1][x1] - height[y2][x2]) > 1 then return false end
  end

  it("are asked about by both steps round them", function()
    for diagonals, cost in pairs { both_open = 2, one_open = SQRT2, always = SQRT2, never = 2 } do
      local grid = wend.grid(2, 2, { diagonals = diagonals })
      for _, options in ipairs { { cost = levels }, { cost = levels, at_least = 1 } } do
        assert.equal(cost, grid:path(1, 1, 2, 2, options).cost)
        assert.equal(cost, grid:path(2, 2, 1, 1, options).cost)
        assert.equal(cost, grid:field(2, 2, options):cost(1, 1))
        assert.equal(cost, grid:field(2, 2, grid_reference.with(options, { outward = true })):cost(1, 1))
        assert.equal(cost == SQRT2 or diagonals == "never" and grid:clear(1, 1, 2, 2, options),
          (grid:clear(1, 1, 2, 2, options)))
      end
    end
  end)

  it("are asked about only where the diagonal is an improvement", function()
    local calls = {}
    wend.grid(2, 2):explain({ 1, 1, 2, 2 }, { cost = function(_, _, _, ...)
      calls[table.concat({ ... }, " ")] = true
    end })
    for _, step in ipairs { "1 1 2 1", "1 1 1 2", "1 1 2 2", "2 1 2 2", "1 2 2 2" } do
      assert.truthy(calls[step], step)
    end
    local most, stats = 0, {}
    local field = wend.grid(20, 20):field(1, 1, { outward = true, stats = stats, cost = function()
      most = most + 1
    end })
    assert.equal(most, stats.callbacks)
    assert.truthy(field:cost(20, 20) and most < 400 * 12, most) -- a cell has 8 steps, and 8 second ones round corners
  end)
end)

describe("walls and agents with a size", function()
  it("a diagonal wall stops every part of the agent", function()
    for _, diagonals in ipairs { "both_open", "one_open", "always" } do
      for size = 1, 4 do
        for _, cost in ipairs { false, function() end } do
          local last, options = size - 1, { size = size, cost = cost or nil }
          for _, wall in ipairs { { 3, 4, 4, 3 }, { 3 + last, 4 + last, 4 + last, 3 + last } } do
            local grid = wend.grid(9, 9, { diagonals = diagonals }):wall(wall[1], wall[2], wall[3], wall[4])
            local shift = math.floor(last / 2) -- of the own cell, from the upper left one
            local x1, y1, x2, y2 = 4 + shift, 3 + shift, 3 + shift, 4 + shift
            assert.truthy(grid:path(x1, y1, x2, y2, options).cost > 1.9)
            assert.truthy(grid:field(x2, y2, options):cost(x1, y1) > 1.9)
            assert.equal("wall", grid:explain({ x1, y1, x2, y2 }, options)[1].cause)
            assert.equal(false, (grid:clear(x1, y1, x2, y2, options)))
            grid:wall(wall[1], wall[2], wall[3], wall[4], false)
            assert.equal(SQRT2, grid:path(x1, y1, x2, y2, options).cost)
          end
        end
      end
    end
  end)

  it("walls on both ways round a corner stop it with always, those on one way do not", function()
    for size = 1, 3 do
      local shift, right = math.floor((size - 1) / 2), 6 + size
      local grid = wend.grid(16, 16, { diagonals = "always" }):wall(right - 1, 6, right, 6)
      local x, y = 6 + shift, 6 + shift
      assert.equal(SQRT2, grid:path(x, y, x + 1, y + 1, { size = size }).cost)
      grid:wall(6, right - 1, 6, right)
      assert.truthy(grid:path(x, y, x + 1, y + 1, { size = size }).cost > 1.9)
      assert.equal("wall", grid:explain({ x, y, x + 1, y + 1 }, { size = size })[1].cause)
    end
  end)
end)

describe("options of grid:path", function()
  it("heuristic: every one gives the cheapest", function()
    local grid = draw [[
      ..~~~....#...
      .#~~~.##.#.#.
      .#..~.##.#.#.
      .#.......w.#.
      ...~~~...#...
    ]]
    local costs = wend.costs { swamp = { times = 1.5, plus = 0.25 } }
    for _, opts in ipairs { {}, { costs = costs } } do
      local expected = grid:path(1, 3, 13, 1, with(opts, { algorithm = "dijkstra" })).cost
      for _, heuristic in ipairs(grid_reference.HEURISTICS) do
        near(expected, grid:path(1, 3, 13, 1, with(opts, { heuristic = heuristic })).cost, heuristic)
      end
    end
  end)

  it("heuristic: the nearer it is to the truth, the fewer cells are expanded", function()
    local grid, expanded = wend.grid(100, 100):set(1, 1, 2), {}
    for _, heuristic in ipairs(grid_reference.HEURISTICS) do
      local stats = {}
      assert(grid:path(50, 50, 90, 60, { heuristic = heuristic, stats = stats }))
      expanded[heuristic] = stats.expanded
    end
    assert.truthy(expanded.octile <= expanded.euclidean)
    assert.truthy(expanded.euclidean < expanded.zero)
    assert.truthy(expanded.chebyshev < expanded.zero)
    assert.truthy(expanded.octile < 60)
    assert.truthy(expanded.auto <= expanded.octile)
  end)

  it("heuristic: a function gets the cell and the goal", function()
    local asked = {}
    local path = wend.grid(30, 3):path(10, 2, 20, 2, { heuristic = function(x, y, goal_x, goal_y)
      asked[x .. "," .. y] = goal_x .. "," .. goal_y
      return math.max(math.abs(x - goal_x), math.abs(y - goal_y))
    end })
    assert.equal(10, path.cost)
    assert.equal("20,2", asked["11,2"])
    assert.equal(nil, asked["2,2"])
  end)

  it("max_expanded: the number that the search needed is enough, and one less is not", function()
    local grid = wend.grid(30, 30):fill(15, 1, 15, 25, false)
    for _, how in ipairs { { heuristic = "octile" }, { algorithm = "dijkstra" } } do
      local stats = {}
      local path = grid:path(3, 3, 27, 4, with(how, { stats = stats }))
      local opts = with(how, { max_expanded = stats.expanded })
      assert.equal(show(path), show(grid:path(3, 3, 27, 4, opts)))
      opts.max_expanded = stats.expanded - 1
      helper.fails("no path from (3,3) to (27,4) within the budget", "budget", grid.path, grid, 3, 3, 27, 4, opts)
    end
  end)

  it("max_cost: is enough when it is exactly the cost, and no less", function()
    local grid = wend.grid(10, 10):fill(5, 1, 5, 8, false)
    for _, heuristic in ipairs(grid_reference.HEURISTICS) do
      local path = grid:path(1, 1, 10, 1, { heuristic = heuristic })
      near(path.cost, grid:path(1, 1, 10, 1, { heuristic = heuristic, max_cost = path.cost * (1 + 1e-12) }).cost)
      helper.fails("no path from (1,1) to (10,1) within the budget", "budget", grid.path, grid, 1, 1, 10, 1,
        { heuristic = heuristic, max_cost = path.cost * 0.999 })
    end
    assert.equal(8, grid:path(1, 10, 9, 10, { max_cost = 8 }).cost)
  end)

  it("partial: leads to the cell reached that is nearest to the goal in a straight line", function()
    local path = draw([[
      .....#..
      ..##.#..
      ..##.#..
    ]]):path(2, 3, 8, 3, { partial = true })
    looks([[
      .****#..
      .*##*#..
      .*##*#..
    ]], path)
    assert.equal(true, path.partial)
  end)

  it("partial: takes of two cells that are as near the cheaper, then the first in reading order", function()
    local grid = draw [[
      ...
      .#.
      ###
      .#.
    ]]
    assert.equal("2,1 1,1 1,2", text(grid:path(2, 1, 2, 4, { partial = true })))
    grid:set(1, 2, 2)
    assert.equal("2,1 3,1 3,2", text(grid:path(2, 1, 2, 4, { partial = true })))
  end)

  it("partial: goes as near as a budget allows", function()
    local opts = { partial = true, max_expanded = 10, heuristic = "octile" }
    local path = assert(wend.grid(100, 1):path(1, 1, 100, 1, opts))
    assert.same({ 11, 10, true }, { path[#path - 1], path.cost, path.partial })
    for _, goal in ipairs { 100, 25 } do -- the second one by the direct walk, if its cost were allowed
      path = assert(wend.grid(100, 1):path(1, 1, goal, 1, { partial = true, max_cost = 20 }))
      assert.same({ 21, 20, true }, { path[#path - 1], path.cost, path.partial })
    end
  end)

  it("into: fills a table, cuts it to length and gives it back", function()
    local grid, into = wend.grid(9, 1), {}
    assert.equal(into, grid:path(1, 1, 9, 1, { into = into }))
    assert.equal(into, grid:path(3, 1, 2, 1, { into = into }))
    assert.same({ 4, "3,1 2,1", 1 }, { #into, text(into), into.cost })
  end)

  it("into: empties the table on failure", function()
    local grid, into = wend.grid(9, 1), { colour = "red" }
    grid:path(1, 1, 9, 1, { into = into })
    grid:set(5, 1, false)
    helper.fails("no path from (1,1) to (9,1)", "no_path", grid.path, grid, 1, 1, 9, 1, { into = into })
    assert.same({ 0, nil, nil, "red" }, { #into, into.cost, into.map, into.colour })
  end)

  it("into: may be that of a graph before, and after", function()
    local grid, g, into = wend.grid(3, 1), reference.row(5), {}
    g:path(1, 5, { into = into })
    assert.equal("1,1 2,1 3,1", text(grid:path(1, 1, 3, 1, { into = into })))
    assert.same({ 0.5, 0.5, 1.5, 0.5, 2.5, 0.5 }, into:points())
    g:path(2, 4, { into = into })
    assert.equal("2-3-4", reference.text(into))
    assert.same({ 2, 0, 3, 0, 4, 0 }, into:points())
  end)

  it("into: makes no garbage over 10,000 trips", function()
    local function garbage(opts)
      local grid, rng, trips = wend.grid(20, 20):fill(5, 5, 15, 8, false), helper.rng "grid garbage", {}
      for i = 1, 200 do trips[i] = rng:pick { 1, 2, 3, 4, 16, 17, 18, 19, 20 } end
      opts.into = {}
      local function travel(times)
        for _ = 1, times do
          for i = 1, 197 do grid:path(trips[i], trips[i + 1], trips[i + 2], trips[i + 3], opts) end
        end
      end
      return helper.garbage(2, 51, travel)
    end
    assert.equal(0, garbage {})
    assert.equal(0, garbage { algorithm = "dijkstra" })
    assert.equal(0, garbage { heuristic = "octile", stats = {} })
    assert.equal(0, garbage { costs = wend.costs { swamp = 2 }, agent = {} })
  end)

  local function yard() return wend.grid(12, 6):fill(6, 1, 6, 5, false) end

  it("corners: lists the cells where the path turns, for every way of searching", function()
    for _, more in ipairs { {}, { heuristic = "octile" }, { partial = true }, { max_cost = 99 }, { labels = false } } do
      local grid, opts = yard(), with(more, { corners = true })
      local found = more.labels == false and grid_reference.sliced(grid, 1, 1, 1, 12, 1, opts) or nil
      found = found or grid:path(1, 1, 12, 1, opts)
      assert.equal("1,1 5,5 5,6 7,6 12,1", text(found))
      near(9 * SQRT2 + 3, found.cost)
      assert.equal(12, #found:explain())
    end
    assert.equal("4,1", text(yard():path(4, 1, 4, 1, { corners = true })))
    assert.equal("4,1 5,1", text(yard():path(4, 1, 5, 1, { corners = true })))
  end)

  it("corners: keeps both ends of links, and ends a leg before a cell to which a link leads", function()
    local grid = wend.grid(9, 1):link(3, 1, 7, 1, { weight = 0.5 })
    assert.equal("1,1 3,1 7,1 9,1", text(grid:path(1, 1, 9, 1, { corners = true })))
    grid:unlink(3, 1, 7, 1):link(1, 1, 7, 1, { weight = 50 })
    local path = grid:path(1, 1, 9, 1, { corners = true })
    assert.equal("1,1 6,1 9,1", text(path))
    assert.equal(8, path.cost)
    grid:link(2, 1, 3, 1, { weight = 0.1 })
    assert.equal(false, path:valid())
  end)

  it("corners: the path is walked, straightened, saved and found out of date like the whole one #move", function()
    local grid = yard()
    local whole, path = grid:path(1, 1, 12, 1), grid:path(1, 1, 12, 1, { corners = true })
    local loaded = wend.decode(path:encode(), { map = grid })
    assert.equal(text(grid:straighten(whole)), text(grid:straighten(path)))
    assert.equal(0, #whole:compare(path))
    assert.equal(0, #path:compare(loaded))
    local followers = { wend.follow(whole, { speed = 1 }), wend.follow(path, { speed = 1 }) }
    for _ = 1, 20 do
      local x, y = followers[1]:update(0.9)
      local other_x, other_y = followers[2]:update(0.9)
      near(x, other_x)
      near(y, other_y)
    end
    assert.same({ true, true, true }, { whole:valid(), path:valid(), loaded:valid() })
    grid:set(9, 3, 2)
    assert.same({ false, false, false }, { whole:valid(), path:valid(), loaded:valid() })
    assert.equal(true, wend.decode(path:encode(), { map = grid }).cost == path.cost)
  end)

  it("stats: tells the least cost per length that the heuristic relied on", function()
    local function bound(grid, opts)
      local stats = {}
      grid:path(1, 1, 5, 1, with(opts, { stats = stats, heuristic = "octile" }))
      return stats.bound
    end
    assert.equal(1, bound(wend.grid(5, 2)))
    assert.equal(3, bound(wend.grid(5, 2):fill(3)))
    assert.equal(0.5, bound(wend.grid(5, 2):set(3, 2, 0.5)))
    assert.equal(0, bound(wend.grid(5, 2):set(3, 2, 0)))
    assert.equal(0.5, bound(wend.grid(5, 2):set(3, 2, "road"), { costs = wend.costs { road = 0.5 } }))
    assert.equal(0, bound(wend.grid(5, 2), { cost = function() end }))
    assert.equal(0.25, bound(wend.grid(5, 2), { cost = function() end, at_least = 0.25 }))
  end)
end)

describe("a grid where all open cells cost the same", function()
  local function expanded(grid, opts)
    local stats = {}
    local path = grid:path(5, 5, 95, 60, with(opts, { stats = stats }))
    return stats.expanded, path.cost
  end

  local function hall()
    return wend.grid(100, 100):fill(50, 1, 50, 70, false):fill(20, 30, 22, 100, false)
  end

  it("is searched by jumps, which expand far fewer cells and give the same cost", function()
    local jumps, cost = expanded(hall())
    local cells, same = expanded(hall(), { heuristic = "octile" })
    assert.truthy(jumps * 20 < cells, jumps .. " of " .. cells)
    near(same, cost)
  end)

  it("may cost anything but nothing, and the profile may close tags and multiply", function()
    -- map does not open what is closed: false stays false
    local closed = hall()
    for what, case in pairs {
      ["a weight"] = { hall():map(function(x, y) return closed:get(x, y) and 2.5 end) },
      ["a tag"] = { hall():map(function(x, y) return closed:get(x, y) and "swamp" end), wend.costs { swamp = 3 } },
      ["a closed tag"] = { hall():fill(60, 20, 62, 90, "lava"), wend.costs { lava = false } },
    } do
      local opts = { costs = case[2] }
      local jumps, cost = expanded(case[1], opts)
      local cells, same = expanded(case[1], with(opts, { heuristic = "octile" }))
      assert.truthy(jumps * 10 < cells, what)
      near(same, cost)
    end
  end)

  it("gives paths that name every cell on the way", function()
    local path = hall():path(5, 5, 95, 60)
    for i = 3, #path, 2 do
      local dx, dy = math.abs(path[i] - path[i - 2]), math.abs(path[i + 1] - path[i - 1])
      assert.equal(1, math.max(dx, dy))
    end
  end)

  it("is searched by jumps also where some cells cost more, or the rules are others", function()
    local toll = wend.costs { toll = { plus = 1 } }
    for what, case in pairs {
      ["one dearer cell"] = { hall():set(99, 99, 2) },
      ["swamps"] = { hall():fill(30, 20, 45, 40, 3):fill(60, 50, 80, 65, 2) },
      ["a dearer tag"] = { hall():fill(30, 20, 45, 40, "toll"), { costs = toll } },
      ["a wall far away"] = { hall():wall(98, 98, 99, 99) },
      ["a link far away"] = { hall():link(98, 98, 99, 99) },
      ["another policy"] = { wend.grid(100, 100, { diagonals = "always" }):fill(50, 1, 50, 70, false) },
      ["no diagonals"] = { wend.grid(100, 100, { diagonals = "never" }):fill(50, 1, 50, 70, false) },
      ["no diagonals, a swamp"] =
        { wend.grid(100, 100, { diagonals = "never" }):fill(50, 1, 50, 70, false):fill(70, 20, 75, 25, 3) },
      ["one open cell at a corner"] = { wend.grid(100, 100, { diagonals = "one_open" }):fill(50, 1, 50, 70, false) },
      ["a price"] = { hall():fill(60, 1, 90, 100, "toll"), { costs = toll } },
      ["a free cell"] = { hall():set(99, 99, 0) },
      ["a rule of a tag"] = { hall():set(99, 99, "gate"):set(50, 40, "gate"),
        { costs = wend.costs():edge_rule("tripled", function(_, price) return price * 3 end, { tags = { "gate" } }) } },
      ["a rule that opens a tag"] = { hall():set(50, 40, "gate"),
        { costs = wend.costs({ gate = false }):edge_rule("opened", function() return 2 end, { tags = { "gate" } }) } },
      ["a budget"] = { hall(), { max_expanded = 1e6 } },
      ["a greatest cost"] = { hall():set(99, 99, 2), { max_cost = 1e6 } },
      ["partial"] = { hall(), { partial = true } },
    } do
      local opts = with(case[2], {})
      local jumps, cost = expanded(case[1], opts)
      local cells, same = expanded(case[1], with(opts, { heuristic = "octile" }))
      assert.truthy(jumps * 3 < cells, ("%s: %d of %d"):format(what, jumps, cells))
      near(same, cost)
    end
  end)

  it("is searched by jumps to several goals, if a wall makes them near or far", function()
    local grid, stats = hall():set(99, 99, 2), {}
    local goals = { 95, 60, 60, 60, 95, 95 }
    local path = grid:path(5, 5, goals, { stats = stats })
    local jumps = stats.expanded
    near(grid:path(5, 5, goals, { stats = stats, heuristic = "octile" }).cost, path.cost)
    assert.truthy(jumps * 5 < stats.expanded, jumps .. " of " .. stats.expanded)
  end)

  it("gives partial paths to cells that no jump ends at", function()
    for _, closed in ipairs { { 95, 60, 95, 60 }, { 94, 58, 97, 70 } } do
      for _, grid in ipairs { hall(), hall():set(99, 99, 2) } do
        local jumps, walks = { partial = true, stats = {} }, { partial = true, stats = {}, heuristic = "octile" }
        grid:fill(closed[1], closed[2], closed[3], closed[4], false)
        local path, other = grid:path(5, 5, 95, 60, jumps), grid:path(5, 5, 95, 60, walks)
        assert.same({ other[#other - 1], other[#other], true }, { path[#path - 1], path[#path], path.partial })
        near(other.cost, path.cost)
        assert.truthy(jumps.stats.expanded * 3 < walks.stats.expanded)
      end
    end
  end)

  it("is searched cell by cell where anything asks for that", function()
    local function same() end
    for what, case in pairs {
      ["another price for each cell"] = { hall():map(function(x, y) return 1 + (x * 7 + y * 3) % 5 end) },
      ["a callback"] = { hall(), { cost = same, costs = wend.costs() } },
      ["an edge rule"] = { hall(), { costs = wend.costs():edge_rule("same", same) } },
      ["a rule of a tag, with a promise that is not trusted"] = { hall():set(99, 99, "gate"),
        { costs = wend.costs():edge_rule("same", same, { tags = { "gate" }, at_least = 1 }), max_cost = 1e9 } },
      ["a rule of a link"] = { hall():link(98, 98, 99, 99, { tag = "gate" }),
        { costs = wend.costs():edge_rule("same", same, { tags = { "gate" } }) } },
    } do
      local opts = with(case[2], {})
      local by_itself = { expanded(case[1], opts) }
      local octile = { expanded(case[1], with(opts, { heuristic = "octile" })) }
      assert.same(octile, by_itself, what)
    end
  end)

  it("sees every edit between two searches", function()
    local grid = wend.grid(130, 3)
    assert.equal(129, grid:path(1, 2, 130, 2).cost)
    for x = 2, 129 do
      grid:fill(x, 1, x, 3, false)
      assert.equal(nil, (grid:path(1, 2, 130, 2)))
      grid:set(x, 3, 1)
      local down, up = x == 2 and 1 or SQRT2 - 1, x == 129 and 1 or SQRT2 - 1
      near(129 + down + up, grid:path(1, 2, 130, 2).cost)
      grid:fill(x, 1, x, 2, 1)
      assert.equal(129, grid:path(1, 2, 130, 2).cost)
    end
  end)
end)

describe("a path over a grid", function()
  it("iterates over its cells with each", function()
    local list = {}
    for i, x, y in wend.grid(5, 2):path(2, 2, 4, 2):each() do list[i] = x .. "," .. y end
    assert.same({ "2,2", "3,2", "4,2" }, list)
  end)

  it("keeps its grid alive", function()
    local path = wend.grid(5, 1):path(1, 1, 5, 1)
    collectgarbage()
    collectgarbage()
    assert.equal(10, #path:points())
    assert.equal(true, path:valid())
  end)

  it("explains what each step cost", function()
    local grid = draw({ ".w", ".." })
    assert.same({
      { from_x = 1, from_y = 1, to_x = 2, to_y = 1, weight = 3, cost = 3, tag = "swamp", rules = {} },
    }, grid:path(1, 1, 2, 1):explain())
    assert.same({
      { from_x = 2, from_y = 1, to_x = 1, to_y = 2, weight = SQRT2, cost = SQRT2, rules = {} },
    }, grid:path(2, 1, 1, 2):explain())
  end)

  it("explains links by their own weight and tag", function()
    local grid = draw "..#..":link(2, 1, 4, 1, { weight = 3, tag = "portal" })
    local path = grid:path(1, 1, 5, 1, { costs = wend.costs { portal = { plus = 2 } } })
    assert.same({ from_x = 2, from_y = 1, to_x = 4, to_y = 1, weight = 3, cost = 5, tag = "portal", rules = {
      { name = "tag 'portal'", cost = 5 },
    } }, path:explain()[2])
  end)

  it("explains the link and not the diagonal whose corners are closed for the agent", function()
    local grid = draw({ ".~", "~." }):link(1, 1, 2, 2, { weight = 4 })
    local path = grid:path(1, 1, 2, 2, { costs = wend.costs { swamp = false } })
    assert.same({ 4, 4 }, { path.cost, path:explain()[1].cost })
    grid = wend.grid(2, 2):link(1, 1, 2, 2, { weight = 4 })
    path = grid:path(1, 1, 2, 2, { cost = function(_, cost, _, x1, y1, x2, y2)
      return (x1 == x2 or y1 == y2) and 9 or cost
    end })
    assert.same({ SQRT2, SQRT2 }, { path.cost, path:explain()[1].cost })
    path = grid:path(1, 1, 2, 2, { cost = function(_, cost, _, x1, y1, x2, y2)
      return not (x1 == x2 or y1 == y2) and cost
    end })
    assert.same({ 4, 4 }, { path.cost, path:explain()[1].cost })
  end)

  it("explains the link and not the step where that cannot be taken, and the other way round", function()
    local grid = wend.grid(2, 2, { diagonals = "never" }):link(1, 1, 2, 2, { weight = 1.5 })
    local path = grid:path(1, 1, 2, 2)
    assert.same({ 1.5, 1.5, 1.5 }, { path.cost, path:explain()[1].cost, path:explain()[1].weight })
    grid = wend.grid(2, 1):set(2, 1, { weight = 5, tag = "rope" }):link(1, 1, 2, 1)
    local costs = wend.costs { rope = false }
    costs:edge_rule("bridge", function(_, cost) if cost == HUGE then return 3 end end)
    path = grid:path(1, 1, 2, 1, { costs = costs })
    assert.same({ 3, 3, 5 }, { path.cost, path:explain()[1].cost, path:explain()[1].weight })
  end)

  it("explains the step and not the link where the step was cheaper", function()
    local path = wend.grid(2, 1):link(1, 1, 2, 1, { weight = 3, tag = "portal" }):path(1, 1, 2, 1)
    assert.same({ from_x = 1, from_y = 1, to_x = 2, to_y = 1, weight = 1, cost = 1, rules = {} }, path:explain()[1])
  end)
end)

-- spec/validity_spec.lua goes through all edits; these are about diagonals, walls and links.
describe("path:valid on a grid", function()
  -- The only cheapest way: past the corner (3,1) at a diagonal, then through the gap; or, with a link, by that.
  local function fresh(link)
    local grid = draw([[
      ...#...
      .......
      ...#...
    ]], { diagonals = "both_open" })
    if link then grid:fill(4, 1, 4, 3, false):link(3, 2, 5, 2) end
    local path = assert(grid:path(2, 1, 7, 2))
    assert.equal(link and "2,1 3,2 5,2 6,2 7,2" or "2,1 3,2 4,2 5,2 6,2 7,2", text(path))
    assert.equal(true, path:valid())
    return grid, path
  end

  for what, edit in pairs {
    ["closing a corner that it passes"] = function(grid) grid:set(3, 1, false) end,
    ["closing the other corner that it passes"] = function(grid) grid:set(2, 2, false) end,
    ["a wall at a corner that it passes"] = function(grid) grid:wall(2, 1, 2, 2) end,
    ["a wall across its diagonal"] = function(grid) grid:wall(2, 1, 3, 2) end,
  } do
    it("is false after " .. what, function()
      local grid, path = fresh()
      edit(grid)
      assert.equal(false, path:valid())
      assert.equal(false, path:valid())
    end)
  end

  it("is false after a wall beside a diagonal that leaves it no way round", function()
    local grid = draw({ ".~", ".." }, { diagonals = "one_open" })
    local opts = { costs = wend.costs { swamp = false } }
    local path = grid:path(1, 1, 2, 2, opts)
    assert.equal(SQRT2, path.cost)
    grid:wall(1, 1, 1, 2)
    assert.equal(nil, (grid:path(1, 1, 2, 2, opts)))
    assert.equal(false, path:valid())
  end)

  it("is false after a wall across a step, also where a link leads past it", function()
    local grid = wend.grid(2, 1):link(1, 1, 2, 1, { weight = 4 })
    local path = grid:path(1, 1, 2, 1)
    assert.equal(true, path:valid())
    grid:wall(1, 1, 2, 1)
    assert.equal(false, path:valid())
  end)

  it("is false after its link is gone, or is another, also between neighbours", function()
    for _, edit in ipairs {
      function(grid) grid:unlink(2, 1, 1, 1) end, function(grid) grid:link(1, 1, 2, 1, { weight = 4 }) end,
    } do
      local grid = wend.grid(2, 1):set(2, 1, 5):link(1, 1, 2, 1, { weight = 0.5 })
      local path = grid:path(1, 1, 2, 1)
      assert.same({ 0.5, true }, { path.cost, path:valid() })
      edit(grid)
      assert.equal(false, path:valid())
    end
  end)

  it("is false after a new link between two successive cells, of which it would take the cheaper way", function()
    for _, asked in ipairs { false, true } do
      local grid = wend.grid(5, 1):fill(1, 1, 5, 1, 4)
      local path = grid:path(1, 1, 4, 1)
      assert.equal(12, path.cost)
      grid:link(5, 1, 4, 1, { directed = true }):link(3, 1, 2, 1, { directed = true }) -- no step of the path
      if asked then assert.equal(true, path:valid()) end
      grid:link(2, 1, 3, 1, { weight = 1 })
      assert.same({ 9, false }, { grid:explain(path).cost, path:valid() })
      grid:unlink(2, 1, 3, 1)
      assert.equal(false, path:valid())
    end
  end)

  it("is false after a new link between the ends of a straight leg", function()
    local grid = wend.grid(9, 1)
    local path = grid:straighten(grid:path(1, 1, 9, 1))
    grid:link(2, 1, 8, 1, { weight = 1 })
    assert.equal(true, path:valid())
    grid:link(1, 1, 9, 1, { weight = 1 })
    assert.same({ 1, false }, { grid:explain(path).cost, path:valid() })
  end)

  it("is false after a change beside a diagonal that a link joins as well: the diagonal may have been taken", function()
    local grid = wend.grid(2, 2, { diagonals = "one_open" }):set(2, 1, false):link(1, 1, 2, 2, { weight = 4 })
    local path = assert(grid:path(1, 1, 2, 2))
    assert.same({ SQRT2, true }, { path.cost, path:valid() })
    grid:set(1, 2, false)
    assert.equal(4, grid:path(1, 1, 2, 2).cost)
    assert.equal(false, path:valid())
  end)

  it("says the same whether or not it was asked between two edits", function()
    for _, case in ipairs {
      { true, function(grid) grid:set(1, 3, 5) end, function(grid) grid:set(7, 3, 5) end },
      { false, function(grid) grid:set(1, 3, 5) end, function(grid) grid:set(4, 2, 5) end },
      { false, function(grid) grid:wall(6, 3, 7, 3) end, function(grid) grid:wall(4, 2, 5, 2) end },
      { true, function(grid) grid:link(4, 2, 6, 2) end, function(grid) grid:link(4, 2, 6, 2, { weight = 3 }) end },
      { false, function(grid) grid:link(1, 3, 7, 3) end, function(grid) grid:link(4, 2, 5, 2, { weight = 3 }) end },
      { true, function(grid) grid:wall(1, 3, 2, 3) end, function(grid) grid:wall(1, 3, 2, 3, false) end },
    } do
      for _, asked in ipairs { false, true } do
        local grid, path = fresh()
        case[2](grid)
        if asked then assert.equal(true, path:valid()) end
        case[3](grid)
        assert.equal(case[1], path:valid())
        assert.equal(case[1], path:valid())
      end
    end
  end)

  it("is false after an edit of any cell that an agent with a size covers", function()
    for y = 2, 3 do
      local grid = wend.grid(6, 4)
      local path = grid:path(1, 2, 5, 2, { size = 2 })
      grid:set(3, 4, 2)
      assert.equal(true, path:valid())
      grid:set(3, y, 2)
      assert.equal(false, path:valid())
    end
  end)

  it("is fast again once it has found that an edit was elsewhere", function()
    local grid = wend.grid(3000, 3)
    local path = assert(grid:path(1, 1, 3000, 1))
    local function seconds()
      local least = math.huge
      for _ = 1, 5 do
        local started = os.clock()
        for _ = 1, 300 do path:valid() end
        least = math.min(least, os.clock() - started)
      end
      return least
    end
    local before = seconds()
    grid:set(2, 3, 5)
    assert.truthy(seconds() < 20 * before + 1e-4)
  end)

  it("is true after a link between two of its cells that are no step of it", function()
    local grid, path = fresh()
    grid:link(2, 1, 7, 2)
    assert.equal(true, path:valid())
  end)

  it("is true after another link at one of its cells", function()
    local grid, path = fresh(true)
    grid:link(3, 2, 7, 3):unlink(3, 2, 7, 3)
    assert.equal(true, path:valid())
  end)

  it("goes on after any number of edits", function()
    local grid, path = fresh()
    for i = 1, 10000 do grid:set(1 + i % 7, 3, 1 + i % 5) end
    assert.equal(true, path:valid())
    grid:set(3, 2, 9)
    for i = 1, 10000 do grid:set(1 + i % 7, 3, 1 + i % 5) end
    assert.equal(false, path:valid())
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN = 0 / 0
local SEVEN, THREE = "must be a whole number in 1 .. 7", "must be a whole number in 1 .. 3"

local grid, path

local function fixture()
  grid = wend.grid(7, 3)
  path = assert(grid:path(1, 1, 7, 3))
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

for _, name in ipairs { "path", "search" } do
  describe("grid:" .. name, function()
    local OPTIONS = name == "search" and helper.SEARCH_OPTIONS or helper.PATH_OPTIONS
    before_each(fixture)

    local function go(opts)
      return function() return grid[name](grid, 1, 1, 7, 3, type(opts) == "function" and opts() or opts) end
    end
    local function to(goals, opts)
      return function() return grid[name](grid, 1, 1, goals, opts) end
    end
    all {
      "goals must be a list of cells, got the key 'gate'", to { gate = true },
      "goals must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 1, 2 }",
        to { 1, 1, 2 },
      "goals[3] " .. SEVEN .. ", got 8", to { 7, 3, 8, 1 },
      "goals[2] " .. THREE .. " (grid:cell_at finds the cell of a position), got 2.5", to { 7, 2.5 },
      "goals must be a flat list, such as { 2, 3, 5, 4 } for two cells, got { { 7, 3 }, { 1, 1 } }",
        to { { 7, 3 }, { 1, 1 } },
      "goals[4] " .. THREE .. ", got nan", to { 7, 3, 1, NAN },
      "unknown option 'algoritm' " .. OPTIONS, go { algoritm = "dijkstra" },
      "unknown option 'window' " .. OPTIONS, go { window = 3 },
      "unknown option 1 " .. OPTIONS, to({ 7, 3 }, { "dijkstra" }),
      "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = "octile" },
    }
  end)
end

describe("path:edges, path:points and path:explain on a grid", function()
  before_each(fixture)

  all {
    "self must be a path of a graph: the steps of a grid have no ids", function() path:edges() end,
  }

  it("raise where its cells were tampered with", function()
    path[3] = 9
    for _, name in ipairs { "explain", "points" } do
      raises("path[3] " .. SEVEN .. ", got 9", path[name], path)
    end
    for i = 1, #path do path[i] = nil end
    raises("path[1] " .. SEVEN .. ", got nil", path.explain, path)
  end)

  it("raise where a link of the path is gone", function()
    grid:fill(4, 1, 4, 3, false):link(3, 1, 5, 1)
    local over = grid:path(1, 1, 7, 1)
    grid:unlink(3, 1, 5, 1)
    raises("a link of the path was removed", over.explain, over)
  end)
end)

describe("stats.loop", function()
  local function loop_of(map, options, x2)
    options = options or {}
    options.stats = { loop = "another" }
    map:path(2, 2, x2 or 20, 9, options)
    return options.stats.loop
  end

  -- Two rooms, and a door at the bottom.
  local function rooms() return wend.grid(20, 20):fill(10, 1, 10, 19, false) end

  it("tells how a search took steps", function()
    assert.equal("walk", loop_of(wend.grid(20, 20)))
    assert.equal("jumps", loop_of(rooms()))
    assert.equal("cells", loop_of(rooms(), { heuristic = "octile" }))
    assert.equal("cells", loop_of(rooms(), { per_turn = 5 }))
    assert.equal("steps", loop_of(rooms(), { heuristic = "octile", cost = function() end, costs = wend.costs() }))
    assert.equal("steps", loop_of(rooms():wall(1, 1, 2, 1), { heuristic = "octile" }))
    local stats = {}
    rooms():field(1, 1, { stats = stats })
    assert.equal("flood", stats.loop)
    rooms():wall(1, 1, 2, 1):field(1, 1, { stats = stats })
    assert.equal("steps", stats.loop)
    local g = wend.graph()
    g:add_edge(g:add_node(), g:add_node(), { weight = 1 })
    g:path(1, 2, { stats = stats })
    assert.equal("graph", stats.loop)
  end)

  it("is that of an agent of one cell for agents with a size, also with influence", function()
    for _, size in ipairs { 2, 3 } do
      local map = wend.grid(20, 20):fill(10, 1, 10, 16, false)
      assert.equal("walk", loop_of(wend.grid(20, 20), { size = size }, 7))
      assert.equal("jumps", loop_of(map, { size = size }, 18))
      assert.equal("cells", loop_of(map, { size = size, influence = { wend.influence(map), 1 } }, 18))
      assert.equal("cells", loop_of(map, { size = size, per_turn = 5 }, 18))
      assert.equal("steps", loop_of(map, { size = size, cost = function(_, cost) return cost end }, 18))
    end
  end)

  it("is the same where cells have no palette, but for jump points", function()
    local map = file_reference.without_palette(rooms():set(2, 2, { weight = 2, tag = "mud" }))
    assert.equal("cells", loop_of(map))
    assert.equal("cells", loop_of(map, { per_turn = 5, influence = { wend.influence(map), 1 } }))
    assert.equal("cells", loop_of(map, { size = 2, costs = wend.costs { mud = { times = 2 } } }, 7))
    assert.equal("cells", loop_of(map, { variation = 0.1, seed = 1 }))
    assert.equal("steps", loop_of(map, { cost = function() end, costs = wend.costs() }))
    local stats = {}
    for _, size in ipairs { 1, 2 } do
      map:field(1, 1, { stats = stats, size = size })
      assert.equal("flood", stats.loop)
    end
  end)

  it("is steps for an agent with a size if straight and diagonal steps are dearest on different cells", function()
    local options = { size = 2, costs = wend.costs { mud = { times = 1, plus = 2.5 } } }
    for form = 1, 2 do
      local map = wend.grid(20, 20):set(4, 4, { weight = 1, tag = "mud" }):set(5, 5, 3.4)
      if form == 2 then map = file_reference.without_palette(map) end
      assert.equal("steps", loop_of(map, options))
      map = form == 1 and wend.grid(20, 20) or file_reference.without_palette(wend.grid(20, 20))
      loop_of(map, options)
      map:set(4, 4, { weight = 1, tag = "mud" })
      assert.equal("cells", loop_of(map, with(options, { heuristic = "octile" })))
      map:set(5, 5, 3.4)
      assert.equal("steps", loop_of(map, options))
    end
  end)

  it("is nil where nothing was searched", function()
    local stats = { loop = "another" }
    rooms():path(1, 1, {}, { stats = stats })
    assert.is_nil(stats.loop)
    assert.is_true(stats.known)
  end)
end)
