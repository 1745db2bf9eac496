-- SPDX-License-Identifier: MIT
-- Straight lines over grids: between cells, between points, and in paths. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local text, show, near = grid_reference.text, grid_reference.show, reference.near

local TERRAIN = { ["~"] = "swamp", ["="] = "road", ["T"] = "toll", ["w"] = { weight = 3, tag = "swamp" } }

local function draw(rows, opts) return wend.parse_grid(rows, TERRAIN, opts) end

describe("grid:clear", function()
  it("says whether the straight line between the middles of two cells is free", function()
    local grid = draw [[
      .....
      ..#..
      .....
    ]]
    assert.equal(true, grid:clear(1, 1, 5, 1))
    assert.equal(true, grid:clear(5, 3, 1, 3))
    assert.equal(true, grid:clear(1, 1, 1, 3))
    assert.equal(false, grid:clear(1, 2, 5, 2))
    assert.equal(false, grid:clear(1, 1, 5, 3))
    assert.equal(false, grid:clear(3, 1, 3, 3))
  end)

  it("looks at every cell that the line touches", function()
    -- from (1,1) to (5,2) the line changes rows in the middle of column 3
    local rows = { ".....", "....." }
    local function clear_but(x, y) return draw(rows):set(x, y, false):clear(1, 1, 5, 2) end
    assert.equal(true, draw(rows):clear(1, 1, 5, 2))
    for x = 2, 3 do assert.equal(false, clear_but(x, 1)) end
    for x = 3, 5 do assert.equal(false, clear_but(x, 2)) end
    for x = 4, 5 do assert.equal(true, clear_but(x, 1)) end
    for x = 1, 2 do assert.equal(true, clear_but(x, 2)) end
  end)

  it("rules a line that passes exactly through a corner by the grid's diagonals", function()
    local expected = {
      both_open = { true, false, false }, one_open = { true, true, false },
      always = { true, true, true }, never = { true, false, false },
    }
    for policy, answers in pairs(expected) do
      for i, rows in ipairs { { "..", ".." }, { ".#", ".." }, { ".#", "#." } } do
        local grid = draw(rows, { diagonals = policy })
        assert.equal(answers[i], grid:clear(1, 1, 2, 2), policy)
        assert.equal(answers[i], grid:clear(2, 2, 1, 1), policy)
      end
    end
  end)

  it("passes corners on longer lines too", function()
    -- from (1,1) to (7,3) through the corner between (2,1) and (3,2), and that between (5,2) and (6,3)
    local grid = draw [[
      .......
      .......
      .......
    ]]
    assert.equal(true, grid:clear(1, 1, 7, 3))
    assert.equal(false, grid:set(3, 1, false):clear(1, 1, 7, 3))
    assert.equal(true, grid:set(3, 1, 1):set(4, 1, false):clear(1, 1, 7, 3))
    assert.equal(false, grid:set(5, 3, false):clear(1, 1, 7, 3))
  end)

  it("does not ask the start, and asks the end", function()
    local grid = draw("#..#")
    assert.equal(true, grid:clear(1, 1, 3, 1))
    assert.equal(false, grid:clear(3, 1, 1, 1))
    assert.equal(false, grid:clear(2, 1, 4, 1))
    assert.equal(true, grid:clear(1, 1, 1, 1))
  end)

  it("is stopped by walls", function()
    local grid = wend.grid(4, 4):wall(2, 1, 3, 1)
    assert.equal(false, grid:clear(1, 1, 4, 1))
    assert.equal(false, grid:clear(4, 1, 1, 1))
    assert.equal(true, grid:clear(1, 2, 4, 2))
    assert.equal(true, grid:clear(1, 1, 4, 4))
    assert.equal(false, grid:wall(2, 2, 3, 3):clear(1, 1, 4, 4))
    assert.equal(false, grid:wall(2, 2, 3, 3, false):wall(3, 3, 3, 2):clear(1, 1, 4, 4))
  end)

  it("does not go by links", function()
    assert.equal(false, draw("..#.."):link(2, 1, 4, 1):clear(1, 1, 5, 1))
  end)

  it("depends on the agent", function()
    local grid = draw("..~..")
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or false end }
    assert.equal(true, grid:clear(1, 1, 5, 1))
    assert.equal(false, grid:clear(1, 1, 5, 1, { costs = costs }))
    assert.equal(true, grid:clear(1, 1, 5, 1, { costs = costs, agent = { boots = true } }))
    assert.equal(true, grid:clear(1, 1, 5, 1, { costs = wend.costs { swamp = 1000 } }))
  end)

  it("asks a function about steps, in the direction of the line", function()
    local function one_way(_, _, _, x1, _, x2) if x1 == 3 and x2 == 2 then return false end end
    local grid = wend.grid(5, 3)
    assert.equal(true, grid:clear(1, 1, 5, 1, { cost = one_way }))
    assert.equal(false, grid:clear(5, 1, 1, 1, { cost = one_way }))
    local costs = wend.costs():edge_rule("one way", one_way)
    assert.equal(false, grid:clear(5, 1, 1, 3, { costs = costs }))
  end)
end)

describe("grid:clear_points", function()
  -- The grids of these specs begin at 0,0, with cells of size 1, unless they say otherwise.
  it("is grid:clear between the middles of cells", function()
    helper.rounds("clear middles", 60, function(rng)
      local model = grid_reference.random(rng, { links = 0 })
      local opts = grid_reference.random_costs(rng)
      for _ = 1, 20 do
        local x1, y1, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
        assert.equal(model.grid:clear(x1, y1, x2, y2, opts),
          model.grid:clear_points(x1 - 0.5, y1 - 0.5, x2 - 0.5, y2 - 0.5, opts))
      end
    end)
  end)

  it("sees what is closed on the way", function()
    local grid = wend.parse_grid [[
      .....
      ..#..
      .....
    ]]
    assert.equal(true, grid:clear_points(0.5, 0.1, 4.9, 0.9))
    assert.equal(false, grid:clear_points(0.5, 1.1, 4.9, 1.9))
    assert.equal(false, grid:clear_points(2.1, 0.5, 2.1, 2.5))
    assert.equal(true, grid:clear_points(1.9, 0.5, 1.9, 2.5))
    assert.equal(true, grid:clear_points(1.5, 1.5, 2.5, 0.25)) -- past the corner, on the open side
    assert.equal(false, grid:clear_points(1.5, 1.5, 2.5, 0.75))
    assert.equal(false, grid:clear_points(1.5, 1.5, 2.5, 0.5)) -- exactly through the corner: both must be open
  end)

  it("goes through corners as diagonals do", function()
    local rows = [[
      .#
      ..
    ]]
    for policy, expected in pairs { both_open = false, one_open = true, always = true, never = false } do
      local grid = wend.parse_grid(rows, nil, { diagonals = policy })
      assert.equal(expected, grid:clear_points(0.25, 0.25, 1.75, 1.75), policy)
      assert.equal(expected, grid:clear_points(1.75, 1.75, 0.25, 0.25), policy)
      assert.equal(true, wend.grid(2, 2, { diagonals = policy }):clear_points(0.25, 0.25, 1.75, 1.75))
    end
  end)

  it("does not ask whether the first cell is open", function()
    local grid = wend.parse_grid "#..#"
    assert.equal(true, grid:clear_points(0.5, 0.5, 2.5, 0.5))
    assert.equal(false, grid:clear_points(2.5, 0.5, 0.5, 0.5))
    assert.equal(true, grid:clear_points(0.25, 0.5, 0.75, 0.5))
    assert.equal(false, grid:clear_points(1.5, 0.5, 3.5, 0.5))
  end)

  it("is false outside of the grid", function()
    local grid = wend.grid(3, 2, { cell = 10, origin = { 100, 200 } })
    assert.equal(true, grid:clear_points(101, 201, 129, 219))
    for _, at in ipairs { { 99, 210 }, { 131, 210 }, { 110, 199 }, { 110, 221 }, { -1e150, 210 }, { 110, 1e150 } } do
      assert.equal(false, grid:clear_points(at[1], at[2], 110, 210))
      assert.equal(false, grid:clear_points(110, 210, at[1], at[2]))
      assert.equal(false, grid:clear_points(at[1], at[2], at[1], at[2]))
    end
  end)

  it("knows walls between cells, and what the agent may do", function()
    local grid = wend.grid(4, 1):wall(2, 1, 3, 1):set(4, 1, "swamp")
    assert.equal(false, grid:clear_points(0.1, 0.9, 3.9, 0.1))
    assert.equal(true, grid:clear_points(0.1, 0.9, 1.9, 0.1))
    assert.equal(true, grid:clear_points(2.1, 0.9, 3.9, 0.1))
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 end }
    assert.equal(true, grid:clear_points(2.1, 0.9, 3.9, 0.1, { costs = costs, agent = { boots = true } }))
    assert.equal(true, grid:clear_points(2.1, 0.9, 3.9, 0.1, { costs = wend.costs { swamp = 9 } }))
    assert.equal(false, grid:clear_points(2.1, 0.9, 3.9, 0.1, { costs = wend.costs { swamp = false } }))
    assert.equal(false, grid:clear_points(2.1, 0.9, 3.9, 0.1, { cost = function() return false end }))
  end)

  it("goes by the points that path:points gives", function()
    local grid = wend.grid(8, 8, { cell = 32, origin = { -64, 16 } }):fill(4, 1, 4, 7, false)
    local points = assert(grid:path(1, 1, 8, 1)):points()
    for i = 3, #points, 2 do
      assert.equal(true, grid:clear_points(points[i - 2], points[i - 1], points[i], points[i + 1]))
    end
    assert.equal(false, grid:clear_points(points[1], points[2], points[#points - 1], points[#points]))
  end)

  it("is right along the borders of cells too", function()
    local grid = wend.parse_grid [[
      ...
      .#.
      ...
    ]]
    -- a point on a border is in the cell that grid:cell_at says
    assert.same({ 2, 2 }, { grid:cell_at(1, 1) })
    assert.equal(false, grid:clear_points(0.5, 0.5, 1, 1))
    assert.equal(false, grid:clear_points(0.5, 1.5, 1, 1.5))
    assert.equal(true, grid:clear_points(2, 0.5, 2, 2.5))
    assert.equal(false, grid:clear_points(1, 0.5, 1, 2.5))
    assert.equal(true, grid:clear_points(0.5, 2, 2.5, 2))
  end)

  it("agrees with a walk from cell to cell, in whole eighths #slow", function()
    local lines, free = 0, 0
    helper.rounds("clear points", 150, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 16), height = rng(1, 16), links = 0 })
      local opts, view = grid_reference.random_costs(rng)
      for _ = 1, 40 do
        local x1, y1 = rng(0, model.width - 1) + rng(1, 7) / 8, rng(0, model.height - 1) + rng(1, 7) / 8
        local x2, y2 = rng(0, model.width - 1) + rng(1, 7) / 8, rng(0, model.height - 1) + rng(1, 7) / 8
        if rng:chance(0.3) then -- a slope that meets corners
          local long, slope = rng(-24, 24) / 8, rng:pick { 1, -1, 0.5, 2, -2, 3 }
          x2, y2 = x1 + long, y1 + long * slope
        end
        if x2 % 1 ~= 0 and y2 % 1 ~= 0 then
          local expected = moving.free_over(model, view, x1, y1, x2, y2)
          assert.equal(expected, model.grid:clear_points(x1, y1, x2, y2, opts),
            ("%g %g %g %g"):format(x1, y1, x2, y2))
          lines = lines + 1
          if expected then free = free + 1 end
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or free > lines / 10 and free < lines * 0.9)
  end)
end)

describe("grid:straighten", function()
  it("keeps the goal of the path", function()
    local grid = wend.grid(9, 9)
    local path = grid:path(1, 1, { 9, 9, 9, 5 })
    assert.equal(2, path.goal)
    assert.equal(2, grid:straighten(path).goal)
    assert.equal(2, grid:straighten(path, { into = path }).goal)
    assert.equal(nil, grid:straighten(grid:path(1, 1, 9, 5), { into = path }).goal)
  end)

  it("gives a path whose cells are its corners only", function()
    local grid = wend.grid(9, 9)
    local path = grid:path(1, 1, 9, 5)
    local straight = grid:straighten(path)
    assert.equal("1,1 9,5", text(straight))
    near(math.sqrt(64 + 16), straight.cost)
    assert.same({ 0.5, 0.5, 8.5, 4.5 }, straight:points())
    assert.equal(grid, straight.map)
    local list = {}
    for i, x, y in straight:each() do list[i] = x .. "," .. y end
    assert.same({ "1,1", "9,5" }, list)
  end)

  it("gives a path that is explained, and valid, by the cells that its legs cross", function()
    local grid = wend.grid(9, 9):fill(3, 2, 4, 3, "swamp")
    local straight = grid:straighten(grid:path(1, 1, 9, 5))
    assert.equal("1,1 9,5", text(straight))
    local total, x, y, swamps = 0, 1, 1, 0
    for _, step in ipairs(straight:explain()) do
      assert.same({ x, y }, { step.from_x, step.from_y })
      x, y, total = step.to_x, step.to_y, total + step.cost
      if step.tag == "swamp" then swamps = swamps + 1 end
    end
    assert.same({ 9, 5 }, { x, y })
    near(straight.cost, total)
    assert.equal(3, swamps) -- (3,2), (4,2) and (4,3)
    assert.equal(true, straight:valid())
    grid:set(9, 1, false)
    assert.equal(true, straight:valid())
    grid:set(4, 3, 2)
    assert.equal(false, straight:valid())
  end)

  it("follows the path's own costs and agent where none are given", function()
    local grid = wend.grid(9, 5):fill(3, 2, 7, 4, "lava")
    local path = grid:path(1, 3, 9, 3, { costs = wend.costs { lava = false } })
    assert.equal(text(grid:straighten(path, { costs = wend.costs { lava = false } })), text(grid:straighten(path)))
  end)

  it("fills the table of the option into", function()
    local grid, into = wend.grid(9, 9), {}
    assert.equal(into, grid:straighten(grid:path(1, 1, 9, 5), { into = into }))
    assert.same({ 4, 9, 5 }, { #into, into[3], into[4] })
    local path = grid:path(1, 1, 9, 5)
    grid:straighten(path, { into = path })
    assert.equal("1,1 9,5", text(path))
  end)

  it("answers nil, a sentence and a code where the path can no longer be walked", function()
    local grid = wend.grid(9, 1)
    local path = grid:path(1, 1, 9, 1)
    grid:set(5, 1, false)
    helper.fails("the grid or the costs have changed since the search began", "stale", grid.straighten, grid, path)
  end)

  it("does not change the path that it is given", function()
    local grid = wend.grid(9, 9)
    local path = grid:path(1, 1, 9, 5)
    local before = show(path)
    assert.not_equal(path, grid:straighten(path))
    assert.equal(before, show(path))
  end)

  it("goes around closed cells, from corner to corner", function()
    local grid = draw [[
      .........
      .........
      ....#....
      ....#....
      ....#....
      ....#....
    ]]
    local path = grid:path(1, 6, 9, 6)
    local straight = grid:straighten(path)
    assert.truthy(straight.cost < path.cost)
    assert.truthy(#straight < #path)
    for i = 3, #straight, 2 do
      assert.equal(true, grid:clear(straight[i - 2], straight[i - 1], straight[i], straight[i + 1]))
    end
  end)

  it("is never dearer: it does not cut across what the path went around", function()
    local grid = draw [[
      .........
      ..~~~~~..
      ..~~~~~..
      .........
    ]]
    local costs = wend.costs { swamp = 9 }
    local path = grid:path(1, 3, 9, 2, { costs = costs })
    local straight = grid:straighten(path, { costs = costs })
    assert.truthy(straight.cost <= path.cost)
    assert.not_equal("1,3 9,2", text(straight))
    assert.equal("1,3 9,2", text(grid:straighten(grid:path(1, 3, 9, 2))))
  end)

  it("charges each cell's price once a passage", function()
    local grid = wend.grid(5, 1):fill(2, 1, 3, 1, "toll")
    local costs = wend.costs { toll = { plus = 10 } }
    local path = grid:path(1, 1, 5, 1, { costs = costs })
    local straight = grid:straighten(path, { costs = costs })
    assert.same({ "1,1 5,1", 24 }, { text(straight), path.cost })
    near(24, straight.cost)
  end)

  it("keeps links as steps", function()
    local grid = wend.grid(9, 9):fill(5, 1, 5, 9, false):link(4, 3, 6, 7, { weight = 2 })
    local path = grid:path(1, 1, 9, 9)
    local straight = grid:straighten(path)
    assert.equal("1,1 4,3 6,7 9,9", text(straight))
    near(math.sqrt(9 + 4) + 2 + math.sqrt(9 + 4), straight.cost)
  end)

  it("goes where the agent may", function()
    local grid = wend.grid(9, 5):fill(3, 2, 7, 4, "lava")
    local costs = wend.costs { lava = false }
    local path = grid:path(1, 3, 9, 3, { costs = costs })
    local straight = grid:straighten(path, { costs = costs })
    for i = 3, #straight, 2 do
      assert.equal(true, grid:clear(straight[i - 2], straight[i - 1], straight[i], straight[i + 1], { costs = costs }))
    end
    assert.equal("1,3 9,3", text(grid:straighten(grid:path(1, 3, 9, 3))))
  end)

  it("leaves a path of one cell, and one that is straight, as they are", function()
    local grid = wend.grid(9, 9)
    local straight = grid:straighten(grid:path(4, 4, 4, 4))
    assert.same({ "4,4", 0 }, { text(straight), straight.cost })
    straight = grid:straighten(grid:path(2, 3, 8, 3))
    assert.same({ "2,3 8,3", 6 }, { text(straight), straight.cost })
    assert.equal("2,3 8,3", text(grid:straighten(straight)))
  end)

  it("leaves a closed start", function()
    local grid = wend.grid(9, 9):set(1, 1, false)
    assert.equal("1,1 9,5", text(grid:straighten(grid:path(1, 1, 9, 5))))
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local SEVEN, THREE = "must be a whole number in 1 .. 7", "must be a whole number in 1 .. 3"

local g, grid, walls, path

local function fixture()
  g = wend.graph()
  g:add_nodes { 0, 0, 3, 4, 6, 8 }
  g:add_edges { 1, 2, 2, 3 }
  grid = wend.grid(7, 3)
  walls = wend.walls()
  walls:add_segment(5, -5, 5, 5)
  path = assert(grid:path(1, 1, 7, 3))
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("grid:clear", function()
  before_each(fixture)

  all {
    "unknown option 'radius' (expected one of: costs, agent, cost, at_least, size, influence)",
      function() grid:clear(1, 1, 7, 3, { radius = 1 }) end,
    "at_least is the promise of the option 'cost', which is not given",
      function() grid:clear(1, 1, 7, 3, { at_least = 1 }) end,
  }
end)

describe("grid:clear_points", function()
  before_each(fixture)

  all {
    "unknown option 'clear' (expected one of: costs, agent, cost, at_least, size, influence)",
      function() grid:clear_points(1, 1, 2, 2, { clear = walls }) end,
  }
end)

describe("grid:straighten", function()
  before_each(fixture)

  all {
    "path must be a path of this grid, got one without cells", function() grid:straighten { map = grid } end,
    "path must be a path of this grid, got a table", function() grid:straighten { 1, 1, 7, 3 } end,
    "path must be a path of this grid, got a wend.Path",
      function() grid:straighten(wend.grid(7, 3):path(1, 1, 7, 3)) end,
    "path must be a path of this grid, got a wend.Path", function() grid:straighten(g:path(1, 2)) end,
    "path[3] " .. SEVEN .. ", got 9", function() grid:straighten { map = grid, 1, 1, 9, 1 } end,
    "path[2] " .. THREE .. ", got 'a'", function() grid:straighten { map = grid, 1, "a" } end,
    "unknown option 'stats' (expected one of: costs, agent, cost, at_least, size, influence, into)",
      function() grid:straighten(path, { stats = {} }) end,
  }
end)
