-- SPDX-License-Identifier: MIT
-- Fields: one search, every start. A drawing of a field shows the cost of each cell, '-' where it has none.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local text, near, draw_graph, row = grid_reference.text, reference.near, reference.draw, reference.row

local SQRT2, HUGE = math.sqrt(2), math.huge

local function draw(rows, opts)
  return wend.parse_grid(rows, { ["~"] = "swamp", ["="] = "road", ["3"] = 3 }, opts)
end

-- Straight steps only: costs are whole numbers.
local function straight(rows) return draw(rows, { diagonals = "never" }) end

-- The costs of all cells, row by row.
local function costs_of(grid, field)
  local rows = {}
  for y = 1, grid:height() do
    local list = {}
    for x = 1, grid:width() do
      local cost = field:cost(x, y)
      list[x] = cost and ("%.4g"):format(cost + 0) or "-" -- + 0: of -0, too
    end
    rows[y] = table.concat(list, " ")
  end
  return table.concat(rows, "\n")
end

local function looks(expected, grid, field)
  local rows = {}
  for line in expected:gmatch "[^\n]+" do
    local list = {}
    for word in line:gmatch "%S+" do list[#list + 1] = word end
    if list[1] then rows[#rows + 1] = table.concat(list, " ") end
  end
  assert.equal("\n" .. table.concat(rows, "\n"), "\n" .. costs_of(grid, field))
end

-- All that a field reaches: "x,y" or the node, with its cost.
local function reached(field)
  local list = {}
  for a, b, c in field:each() do
    list[#list + 1] = c and ("%d,%d %.4g"):format(a, b, c + 0) or ("%d %.4g"):format(a, b + 0)
  end
  return table.concat(list, "; ")
end

describe("grid:field", function()
  it("holds the cost of the path from every cell to the goal", function()
    local grid = straight [[
      ..#...
      ..#...
      ......
    ]]
    local field = grid:field(1, 1)
    looks([[
      0 1 2 7 8 9
      1 2 3 6 7 8
      2 3 4 5 6 7
    ]], grid, field)
    for y = 1, 3 do
      for x = 1, 6 do assert.equal(grid:path(x, y, 1, 1).cost, field:cost(x, y)) end
    end
  end)

  it("counts diagonals, and what the cells weigh that are stepped onto", function()
    local grid = draw [[
      ...
      .3.
      ...
    ]]
    looks([[
      1.414 1 1.414
          1 0 1
      1.414 1 1.414
    ]], wend.grid(3, 3), wend.grid(3, 3):field(2, 2))
    looks([[
      4 3 4
      3 0 3
      4 3 4
    ]], grid, grid:field(2, 2)) -- straight onto the middle is cheaper than at a diagonal
    looks([[
          0     1 2
          1 1.414 2.414
          2 2.414 3.414
    ]], grid, grid:field(1, 1))
  end)

  it("has a cost for a closed cell beside one that it reaches, but leads through none", function()
    local grid = straight [[
      .#.
      ##.
    ]]
    looks([[
      0 1 -
      1 - -
    ]], grid, grid:field(1, 1))
  end)

  it("of a closed goal reaches the goal alone", function()
    local grid = straight "..#.."
    looks("- - 0 - -", grid, grid:field(3, 1))
    looks("- - 0 - -", straight "..~..", straight("..~.."):field(3, 1, { costs = wend.costs { swamp = false } }))
  end)

  it("takes a flat list of goals: the cheapest counts", function()
    local grid = straight "........."
    looks("0 1 2 2 1 0 1 2 3", grid, grid:field { 1, 1, 6, 1 })
    looks("0 1 2 2 1 0 1 2 3", grid, grid:field { 6, 1, 1, 1, 6, 1 })
  end)

  it("takes values that the goals begin with", function()
    local grid = straight "........."
    looks("0 1 2 3 4 3 4 5 6", grid, grid:field({ 1, 1, 6, 1 }, { values = { 0, 3 } }))
    looks("5 4 3 2 1 0 1 2 3", grid, grid:field({ 1, 1, 6, 1 }, { values = { 9, 0 } }))
    looks("2 3 4 5 6 7 8 9 10", grid, grid:field({ 1, 1, 1, 1 }, { values = { 4, 2 } }))
  end)

  it("asks profiles, agents and rules as a path does", function()
    local grid = straight ".~~."
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 4 end }
    looks("0 1 5 9", grid, grid:field(1, 1, { costs = costs }))
    looks("0 1 2 3", grid, grid:field(1, 1, { costs = costs, agent = { boots = true } }))
    looks("0 1 2 -", grid, grid:field(1, 1, { cost = function(_, cost, _, x) return x < 4 and cost end }))
    costs:edge_rule("wind", function(_, cost) return cost + 10 end)
    looks("0 11 25 39", grid, grid:field(1, 1, { costs = costs }))
    looks("0 3 9 15", straight ".~~.", straight(".~~."):field(1, 1, { costs = wend.costs({ swamp = 2 }),
      cost = function(_, cost) return cost * 3 end }))
  end)

  it("goes by links, against their direction", function()
    local grid = straight "..#.."
    grid:link(2, 1, 4, 1, { weight = 3, directed = true })
    looks("4 3 1 0 1", grid, grid:field(4, 1))
    assert.same({ 4, 1 }, { grid:field(4, 1):next(2, 1) })
    looks("0 1 2 - -", grid, grid:field(1, 1))
  end)

  it("is parted by walls", function()
    local grid = straight("....\n....")
    grid:wall(2, 1, 3, 1):wall(2, 2, 3, 2)
    looks([[
      0 1 - -
      1 2 - -
    ]], grid, grid:field(1, 1))
  end)

  it("says in tostring how many cells it reaches", function()
    assert.equal("wend.Field (4 reached)", tostring(straight("....#.."):field(1, 1, { outward = true })))
    assert.equal("wend.Field (1 reached)", tostring(straight(".#."):field(2, 1)))
  end)

  it("keeps its grid alive", function()
    local field = wend.grid(9, 9):field(5, 5)
    collectgarbage()
    collectgarbage()
    assert.equal(4, field:cost(9, 5))
    assert.equal("9,5 8,5 7,5 6,5 5,5", text(field:path(9, 5)))
  end)
end)

describe("field:next", function()
  it("gives the step to take", function()
    local field = draw([[
      ..#..
      ..#..
      .....
    ]]):field(1, 1)
    assert.same({ 2, 3 }, { field:next(3, 3) })
    assert.same({ 3, 3 }, { field:next(4, 3) })
    assert.same({ 4, 3 }, { field:next(4, 2) })
    assert.same({ 1, 1 }, { field:next(2, 2) })
  end)

  it("leads out of a closed cell", function()
    assert.same({ 2, 1 }, { draw("..#.."):field(1, 1):next(3, 1) })
  end)

  it("makes no garbage, nor does cost", function()
    local field = wend.grid(50, 50):field(25, 25)
    local function walk(times)
      local sum = 0
      for _ = 1, times do
        for x = 1, 50 do
          for y = 1, 20 do
            sum = sum + (field:next(x, y) or 0) + field:cost(x, y)
          end
        end
      end
      return sum
    end
    assert.equal(0, helper.garbage(2, 10, walk))
  end)
end)

describe("field:cost, next and goal", function()
  it("give a bare nil where nothing is reached, and outside of the grid", function()
    local field = draw("..#.."):field(1, 1)
    for _, name in ipairs { "cost", "next", "goal" } do
      for _, at in ipairs { { 4, 1 }, { 5, 1 }, { 0, 1 }, { 6, 1 }, { 1, 0 }, { 1, 2 }, { -3, -3 }, { 2 ^ 40, 1 } } do
        assert.same({ 1, nil }, { select("#", field[name](field, at[1], at[2])), (field[name](field, at[1], at[2])) })
      end
    end
    assert.same({ 1, nil }, { select("#", field:next(1, 1)), (field:next(1, 1)) })  -- at the goal
  end)
end)

describe("field:path", function()
  it("gives the path to the goal", function()
    local grid = draw [[
      ..#..
      ..#..
      .....
    ]]
    local path = grid:field(1, 2):path(4, 1)
    assert.equal("4,1 4,2 4,3 3,3 2,3 1,2", text(path))
    near(4 + SQRT2, path.cost)
    near(grid:field(1, 2):cost(4, 1), path.cost)
    assert.equal(grid, path.map)
  end)

  it("is a path like any other", function()
    local grid = draw "..~."
    local path = grid:field(4, 1, { costs = wend.costs { swamp = 2 } }):path(1, 1)
    assert.equal(4, path.cost)
    assert.same({ 0.5, 0.5, 1.5, 0.5, 2.5, 0.5, 3.5, 0.5 }, path:points())
    assert.equal(2, path:explain()[2].cost)
    assert.equal(true, path:valid())
    grid:set(2, 1, 7)
    assert.equal(false, path:valid())
  end)

  it("is one cell at the goal", function()
    local path = wend.grid(3, 3):field(2, 2):path(2, 2)
    assert.same({ "2,2", 0 }, { text(path), path.cost })
  end)

  it("costs what its steps cost, without what the goal began with", function()
    local field = straight(".........."):field({ 1, 1 }, { values = { 100 } })
    assert.same({ 104, 4 }, { field:cost(5, 1), field:path(5, 1).cost })
  end)

  it("answers nil, a sentence and a code where nothing is reached", function()
    local field = draw("..#.."):field(1, 1)
    helper.fails("no path from (5,1) to (1,1)", "no_path", field.path, field, 5, 1)
    field = draw("..#.."):field { 1, 1, 2, 1 }
    helper.fails("no path from (5,1) to any of the goals", "no_path", field.path, field, 5, 1)
  end)

  it("fills the table of the option into, or empties it", function()
    local grid, into = draw "......#.\n..#...#.\n..#...#.", {}
    local field = grid:field(1, 3)
    for _, cell in ipairs { { x = 5, y = 3 }, { x = 1, y = 2 }, { x = 5, y = 1 } } do
      local expected = field:path(cell)
      assert.equal(into, field:path(cell, { into = into }))
      assert.same({ text(expected), expected.cost }, { text(into), into.cost })
      assert.equal(into, field:path(cell.x, cell.y, { into = into }))
      assert.is_true(into:valid())
    end
    helper.fails("no path from (8,2) to (1,3)", "no_path", field.path, field, 8, 2, { into = into })
    assert.same({}, into)
    local g = reference.draw { "A B C", "A-B 1", "B-C 1" }
    assert.equal(into, g:field("A"):path("C", { into = into }))
    assert.same({ 3, 2, 1 }, { into[1], into[2], into[3] })
    helper.raises("unknown option 'costs' (expected one of: corners, into)", field.path, field, 1, 1, { costs = 5 })
  end)

  it("makes no garbage with into", function()
    local opts, field = { into = {} }, wend.grid(30, 30):field(1, 1, { costs = wend.costs { mud = 2 } })
    assert.equal(0, helper.garbage(30, 100, function(times)
      for i = 1, times do field:path(i % 30 + 1, 30, opts) end
    end))
  end)
end)

describe("field:goal", function()
  it("says which goal a cell leads to", function()
    local field = straight("........."):field { 1, 1, 6, 1 }
    assert.same({ 1, 1 }, { field:goal(2, 1) })
    assert.same({ 6, 1 }, { field:goal(9, 1) })
    assert.same({ 6, 1 }, { field:goal(6, 1) })
  end)

  it("may lead from one goal to a better one", function()
    local field = straight("........."):field({ 1, 1, 6, 1 }, { values = { 9, 0 } })
    assert.same({ 6, 1 }, { field:goal(1, 1) })
    assert.same({ 2, 1 }, { field:next(1, 1) })
  end)
end)

describe("field:each", function()
  it("iterates over all that is reached, in reading order", function()
    local field = straight([[
      .#.
      .#.
      ...
    ]]):field(1, 2, { max_cost = 2, outward = true })
    assert.equal("1,1 1; 1,2 0; 1,3 1; 2,3 2", reached(field))
  end)

  it("leaves out walls, which have a cost beside what is reached", function()
    local costs = wend.costs { swamp = false }
    for name, opts in pairs {
      ["as it is"] = {},
      ["by tag"] = { costs = costs },
      ["by tag, with a promise"] = { costs = costs, cost = function(_, cost) return cost end, at_least = 1 },
      outward = { outward = true, costs = costs },
      ["in a window"] = { window = 3, costs = costs },
    } do
      local grid = straight([[
        .#.
        .~.
        ..#
      ]])
      local field = grid:field(1, 1, opts)
      if not opts.outward then assert.equal(1, field:cost(2, 1)) end
      local expected = { [1] = 0, [4] = 1, [7] = 2, [8] = 3 }
      if not opts.costs then expected[5], expected[6], expected[3] = 2, 3, 4 end
      if name == "in a window" then expected[3] = nil end
      for _, one in ipairs { field, assert(wend.decode(field:encode(), { map = grid })) } do
        local listed = {}
        for x, y, cost in one:each() do listed[(y - 1) * 3 + x] = cost end
        assert.same(expected, listed)
      end
    end
  end)

  it("leaves out a goal that is closed", function()
    assert.equal("", reached(straight(".#."):field(2, 1)))
    assert.equal("1,1 1; 3,1 1", reached(straight(".#."):field(2, 1, { outward = true })))
  end)

  it("tells what was closed when the field was made", function()
    local grid = straight("..#")
    local field = grid:field(1, 1)
    grid:set(2, 1, false):set(3, 1, 1)
    assert.equal("1,1 0; 2,1 1", reached(field))
  end)
end)

describe("option outward", function()
  it("measures from the goal to the others", function()
    local grid = straight ".3.3"
    looks("0 1 4 5", grid, grid:field(1, 1))
    looks("0 3 4 7", grid, grid:field(1, 1, { outward = true }))
  end)

  it("does not reach closed cells, but leaves a closed goal", function()
    local grid = straight "..#.."
    looks("0 1 - - -", grid, grid:field(1, 1, { outward = true }))
    looks("2 1 0 1 2", grid, grid:field(3, 1, { outward = true }))
  end)

  it("makes paths from the goal to a cell", function()
    local grid = straight ".3.3"
    local field = grid:field(1, 1, { outward = true })
    local path = field:path(3, 1)
    assert.same({ "1,1 2,1 3,1", 4 }, { text(path), path.cost })
    assert.equal(grid:path(1, 1, 3, 1).cost, path.cost)
  end)

  it("makes next the cell before, on the way from the goal", function()
    local field = straight("...."):field(1, 1, { outward = true })
    assert.same({ 2, 1 }, { field:next(3, 1) })
    assert.equal(nil, (field:next(1, 1)))
    assert.same({ 1, 1 }, { field:goal(4, 1) })
  end)

  it("makes a movement range: all that costs no more than there is to spend", function()
    local grid = straight [[
      .....
      .33..
      ..#..
    ]]
    assert.equal("1,1 0; 2,1 1; 3,1 2; 4,1 3; 1,2 1; 1,3 2; 2,3 3",
      reached(grid:field(1, 1, { outward = true, max_cost = 3 })))
  end)

  it("goes by links in their direction", function()
    local grid = straight "..#.."
    grid:link(2, 1, 4, 1, { weight = 3, directed = true })
    looks("0 1 - 4 5", grid, grid:field(1, 1, { outward = true }))
    looks("- - - 0 1", grid, grid:field(4, 1, { outward = true }))
  end)

  it("answers nil and a sentence for what it does not reach", function()
    local field = draw("..#.."):field(1, 1, { outward = true })
    helper.fails("no path from (1,1) to (5,1)", "no_path", field.path, field, 5, 1)
    helper.fails("no path from (1,1) to (3,1): the goal is closed", "no_path", field.path, field, 3, 1)
    field = draw("..#.."):field({ 1, 1, 2, 1 }, { outward = true })
    helper.fails("no path from any of the goals to (5,1)", "no_path", field.path, field, 5, 1)
  end)
end)

describe("functions about steps in a field", function()
  local function one_way(_, cost, _, x1, _, x2) return x1 > x2 and cost * 10 or nil end

  it("see the direction of travel: to the goal, or away from it with outward", function()
    local grid = straight "....."
    looks("2 1 0 10 20", grid, grid:field(3, 1, { cost = one_way }))
    looks("20 10 0 1 2", grid, grid:field(3, 1, { cost = one_way, outward = true }))
  end)

  it("close corners by the step from the cell that is left", function()
    local function closed(_, _, _, x1, y1, x2, y2) -- from the lower left, up
      if x1 == 1 and y1 == 2 and x2 == 1 and y2 == 1 then return false end
    end
    local grid = wend.grid(2, 2)
    assert.equal(2, grid:field(2, 1, { cost = closed }):cost(1, 2))
    assert.equal(SQRT2, grid:field(1, 2, { cost = closed }):cost(2, 1))
    assert.equal(SQRT2, grid:field(2, 1, { cost = closed, outward = true }):cost(1, 2))
    assert.equal(2, grid:field(1, 2, { cost = closed, outward = true }):cost(2, 1))
  end)

  it("may search, and read the grid", function()
    local grid = straight "....."
    looks("0 1 2 3 4", grid, grid:field(1, 1, { cost = function(_, cost)
      assert.equal(4, grid:path(1, 1, 5, 1).cost)
      assert.equal(2, grid:field(3, 1):cost(1, 1))
      assert.equal(1, grid:get(1, 1))
      return cost
    end }))
  end)
end)

describe("option max_cost of a field", function()
  it("leaves out cells that cost more, not those that cost as much", function()
    local grid = straight "......"
    looks("0 1 2 3 - -", grid, grid:field(1, 1, { max_cost = 3 }))
    looks("0 1 2 - - -", grid, grid:field(1, 1, { max_cost = 2.999 }))
    looks("0 - - - - -", grid, grid:field(1, 1, { max_cost = 0 }))
    looks("0 1 2 3 4 5", grid, grid:field(1, 1, { max_cost = HUGE }))
  end)

  it("counts what the goals begin with", function()
    local grid = straight "......"
    looks("2 3 - - 3 2", grid, grid:field({ 1, 1, 6, 1 }, { values = { 2, 2 }, max_cost = 3 }))
  end)

  it("costs by what is reached, not by the map", function()
    local stats = {}
    local field = wend.grid(1000, 1000):field(500, 500, { max_cost = 4.5, stats = stats })
    assert.equal("wend.Field (61 reached)", tostring(field))
    assert.truthy(stats.expanded <= 61)
    assert.equal(4, field:cost(500, 504))
  end)
end)

describe("option max_expanded of a field", function()
  it("answers nil, a sentence and the code 'budget' when it is spent", function()
    local grid = wend.grid(30, 30)
    local nothing, message, code = grid:field(1, 1, { max_expanded = 100 })
    assert.same({ "nil", "string", "budget" }, { type(nothing), type(message), code })
  end)

  it("is enough when it is what the field needed", function()
    local grid, stats = wend.grid(30, 30), {}
    assert(grid:field(1, 1, { stats = stats }))
    assert(grid:field(1, 1, { max_expanded = stats.expanded }))
    assert.equal("budget", select(3, grid:field(1, 1, { max_expanded = stats.expanded - 1 })))
  end)

  it("empties the field that was to be used again", function()
    local grid = wend.grid(30, 30)
    local field = grid:field(5, 5)
    assert.equal(nil, (grid:field(1, 1, { max_expanded = 100, into = field })))
    assert.equal("wend.Field (0 reached)", tostring(field))
    assert.equal(nil, field:cost(5, 5))
    assert.equal(nil, field:cost(1, 1))
  end)
end)

describe("option window", function()
  it("reaches at most that many columns and rows from the goal", function()
    local grid = straight [[
      .......
      .......
      .......
      .......
    ]]
    looks([[
      - 3 2 1 2 3 -
      - 2 1 0 1 2 -
      - 3 2 1 2 3 -
      - 4 3 2 3 4 -
    ]], grid, grid:field(4, 2, { window = 2 }))
  end)

  it("of the article is 2 x delta + 1 cells wide", function()
    for delta = 1, 5 do
      local count = 0
      for x, y in wend.grid(40, 40):field(20, 20, { window = delta }):each() do
        count = count + 1
        assert.truthy(math.abs(x - 20) <= delta and math.abs(y - 20) <= delta)
      end
      assert.equal((2 * delta + 1) ^ 2, count)
    end
  end)

  it("lets no path leave it", function()
    local grid = straight [[
      ...
      ...
      ...
    ]]
    grid:wall(2, 1, 3, 1):wall(2, 2, 3, 2) -- to get around one has to go by the third row
    looks([[
      1 0 -
      2 1 -
      - - -
    ]], grid, grid:field(2, 1, { window = 1 }))
    looks([[
      1 0 5
      2 1 4
      3 2 3
    ]], grid, grid:field(2, 1, { window = 2 }))
  end)

  it("is around each of several goals", function()
    local grid = straight "............"
    looks("1 0 1 - - - 1 0 1 - - -", grid, grid:field({ 2, 1, 8, 1 }, { window = 1 }))
    looks("2 1 0 1 2 1 0 1 2 - - -", grid, grid:field({ 3, 1, 7, 1 }, { window = 2 }))
  end)

  it("may be larger than the grid", function()
    local grid = straight "...."
    looks("0 1 2 3", grid, grid:field(1, 1, { window = 1000000 }))
  end)

  it("works outward too", function()
    local grid = straight ".3.3.."
    looks("4 3 0 3 4 -", grid, grid:field(3, 1, { window = 2, outward = true }))
  end)

  it("costs by the window, not by the map", function()
    local grid, stats = wend.grid(2000, 2000), {}
    local field = grid:field(1000, 1000, { window = 10, stats = stats })
    assert.truthy(stats.expanded <= 441)
    for i = 1, 2000 do grid:field(i, i, { window = 3, into = field }) end -- 8 * 10^9 cells, were it by the map
    assert.equal("wend.Field (16 reached)", tostring(field))
  end)
end)

describe("option into of a field", function()
  it("fills a field again and gives it back", function()
    local grid = straight "....."
    local field = grid:field(1, 1)
    assert.equal(field, grid:field(5, 1, { into = field }))
    looks("4 3 2 1 0", grid, field)
  end)

  it("forgets what was in it: goals, window, costs, arithmetic", function()
    local grid = straight "....."
    local field = grid:field({ 1, 1 }, { values = { 7 }, window = 1, outward = true, cost = function() return 9 end })
    field:scale(-1)
    grid:field(5, 1, { into = field })
    looks("4 3 2 1 0", grid, field)
    assert.same({ 4, 1 }, { field:next(3, 1) })
    assert.equal("3,1 4,1 5,1", text(field:path(3, 1)))
    assert.same({ 5, 1 }, { field:goal(1, 1) })
  end)

  it("may be of another grid, larger or smaller", function()
    local small, large = straight "..", wend.grid(70, 50)
    local field = small:field(1, 1)
    large:field(70, 50, { into = field })
    near(20 + 49 * SQRT2, field:cost(1, 1))
    small:field(2, 1, { into = field })
    looks("1 0", small, field)
    assert.equal(nil, field:cost(3, 1))
  end)

  it("makes no garbage", function()
    local grid = wend.grid(40, 40)
    local opts = { into = grid:field(1, 1), window = 10 }
    local function spread(times)
      for i = 1, times do grid:field(1 + i % 40, 1 + i % 37, opts) end
    end
    assert.equal(0, helper.garbage(50, 1000, spread))
  end)
end)

describe("option stats of a field", function()
  it("holds the counts of the search", function()
    local stats = {}
    wend.grid(5, 1):field(1, 1, { stats = stats })
    assert.same({ 5, 0, 0 }, { stats.expanded, stats.callbacks, stats.bound })
    assert.truthy(stats.pushed >= 5)
  end)

  it("counts callbacks", function()
    local stats, calls = {}, 0
    wend.grid(5, 1):field(1, 1, { stats = stats, cost = function() calls = calls + 1 end })
    assert.truthy(calls >= 4)
    assert.equal(calls, stats.callbacks)
  end)
end)

describe("field:scale", function()
  it("multiplies every value, and gives the field back", function()
    local grid = straight "...."
    local field = grid:field(1, 1)
    assert.equal(field, field:scale(2.5))
    looks("0 2.5 5 7.5", grid, field)
    looks("0 -5 -10 -15", grid, field:scale(-2))
  end)
end)

describe("field:add", function()
  it("adds another field's values, k times, and returns the field", function()
    local grid = straight "...."
    local field, other = grid:field(1, 1), grid:field(4, 1)
    assert.equal(field, field:add(other))
    looks("3 3 3 3", grid, field)
    looks("6 5 4 3", grid, field:add(grid:field(4, 1)))
    looks("4.5 4 3.5 3", grid, field:add(other, -0.5))
    looks("3 2 1 0", grid, other)
  end)

  it("reaches no more what one of the two does not reach", function()
    local grid = straight "......"
    local field = grid:field(1, 1, { max_cost = 3 }):add(grid:field(6, 1, { max_cost = 3 }))
    looks("- - 5 5 - -", grid, field)
    assert.equal("3,1 5; 4,1 5", reached(field))
  end)

  it("may be given the field itself", function()
    local grid = straight "...."
    local field = grid:field(1, 1)
    looks("0 2 4 6", grid, field:add(field))
    looks("0 0 0 0", grid, field:add(field, -1))
  end)
end)

describe("next after arithmetic", function()
  it("is the lowest neighbour that is lower", function()
    local grid = wend.grid(5, 5)
    local field = grid:field(3, 3):scale(-1)
    assert.same({ 1, 1 }, { field:next(2, 2) })
    assert.same({ 5, 1 }, { field:next(4, 2) })
    assert.equal(nil, (field:next(1, 1)))
  end)

  it("is only what can be entered from there", function()
    local grid = straight "...#"
    local field = grid:field(1, 1):scale(-1)
    looks("0 -1 -2 -3", grid, field) -- the closed cell has a value: who stands there may leave
    assert.equal(nil, (field:next(3, 1)))
    assert.same({ 3, 1 }, { field:next(2, 1) })
    assert.same({ 2, 2 }, { wend.grid(2, 2):field(1, 1):scale(-1):next(1, 1) })
    assert.same({ 2, 1 }, { wend.grid(2, 2):wall(1, 1, 2, 2):field(1, 1):scale(-1):next(1, 1) })
    assert.same({ 1, 2 }, { wend.grid(2, 2):set(2, 1, false):field(1, 1):scale(-1):next(1, 1) })
  end)
end)

describe("field:relax", function()
  it("makes each value the least of itself and a neighbour's with the step to it", function()
    local grid = straight "....."
    local field = grid:field(1, 1):scale(-1.2)
    looks("0 -1.2 -2.4 -3.6 -4.8", grid, field)
    assert.equal(field, field:relax())
    looks("-0.8 -1.8 -2.8 -3.8 -4.8", grid, field)
  end)

  it("makes a map to flee by, in three lines", function()
    local grid = straight "........."
    local flee = grid:field(3, 1)
    flee:scale(-1.2)
    flee:relax()
    looks("-2.4 -1.4 -1.2 -2.2 -3.2 -4.2 -5.2 -6.2 -7.2", grid, flee)
    assert.same({ 5, 1 }, { flee:next(4, 1) })
    assert.same({ 1, 1 }, { flee:next(2, 1) }) -- into a corner: there is no getting past
    assert.equal(nil, (flee:next(1, 1)))
  end)

  it("makes a cornered agent run past the hunter where it is far better beyond", function()
    local flee = straight("...................."):field(2, 1):scale(-1.2):relax()
    assert.same({ 2, 1 }, { flee:next(1, 1) })
    assert.same({ 20, 1 }, { flee:goal(1, 1) })
  end)

  it("changes nothing where there was no arithmetic", function()
    local grid = draw [[
      ..3..#
      .#~.#.
      ......
    ]]
    local opts = { costs = wend.costs { swamp = 2 } }
    local field, same = grid:field(1, 1, opts):relax(), grid:field(1, 1, opts)
    for x, y, cost in same:each() do assert.equal(cost, field:cost(x, y)) end
    assert.equal(reached(same), reached(field))
  end)

  it("lets path and goal be used again: they lead to where it is lowest", function()
    local field = straight("....."):field(1, 1):scale(-1.2):relax()
    local path = field:path(2, 1)
    assert.same({ "2,1 3,1 4,1 5,1", 3 }, { text(path), path.cost })
    assert.same({ 5, 1 }, { field:goal(1, 1) })
    assert.same({ 3, 1 }, { field:next(2, 1) })
    assert.equal(nil, (field:next(5, 1)))
    assert.same({ 5, 1 }, { field:goal(5, 1) })
  end)

  it("leads on where a neighbour with the step to it comes to the same", function()
    for _, how in ipairs { {}, { cost = function() end }, { outward = true } } do
      local field = draw("...3..\n.##...\n......"):field(1, 1, how):scale(1):relax()
      local path = field:path(6, 3)
      assert.truthy(#path > 10)
      near(field:cost(6, 3), path.cost)
      assert.same({ 1, 1 }, { field:goal(6, 3) })
      field = row(5):field(1, how):scale(1):relax()
      assert.same({ 5, 1, 4 }, { #field:path(5), field:goal(5), field:next(5) })
    end
  end)

  it("goes by the costs that the field was made with", function()
    local grid = straight ".~~~."
    local field = grid:field(1, 1, { costs = wend.costs { swamp = 3 } })
    looks("0 1 4 7 10", grid, field)
    field:scale(0):add(grid:field(5, 1), 3)
    looks("12 9 6 3 0", grid, field)
    looks("10 7 4 1 0", grid, field:relax())
  end)

  it("reaches what a neighbour reaches, within the same window", function()
    local grid = straight "........"
    local field = grid:field(2, 1, { window = 4 })
    field:add(grid:field(2, 1, { window = 1 }))
    looks("2 0 2 - - - - -", grid, field)
    looks("1 0 1 2 3 4 - -", grid, field:relax())
  end)

  it("does not lead through closed cells", function()
    local grid = straight "...#..."
    local field = grid:field({ 1, 1, 7, 1 }, { values = { 0, 50 } })
    looks("0 1 2 3 52 51 50", grid, field)
    looks("0 -1 -2 -3 -52 -51 -50", grid, field:scale(-1))
    looks("0 -1 -2 -51 -52 -51 -50", grid, field:relax())
  end)

  it("works outward, in the direction of travel", function()
    local grid = straight ".3.3."
    local field = grid:field(1, 1, { outward = true })
    looks("0 3 4 7 8", grid, field)
    looks("0 -3 -4 -7 -8", grid, field:scale(-1))
    looks("-2 -3 -6 -7 -8", grid, field:relax())
  end)
end)

describe("graph:field", function()
  -- A circle one way, a branch both ways, and what leads nowhere.
  local function level()
    return draw_graph { "A B C D E F", "A>B 1", "B>C 2", "C>A 4", "B-D 7", "E>A 3", "D>F 5" }
  end

  local function names(g, fn)
    local list = {}
    for n in g:nodes() do
      local value = fn(n)
      list[#list + 1] = g:name(n) .. (value and (" %g"):format(value) or " -")
    end
    return table.concat(list, ", ")
  end

  it("knows what the path from every node to the goal costs, against the direction of the edges", function()
    local g = level()
    local field = g:field "A"
    assert.equal("A 0, B 6, C 4, D 13, E 3, F -", names(g, function(n) return field:cost(n) end))
    assert.equal(6, field:cost "B")
    for n in g:nodes() do
      local path = g:path(n, "A")
      assert.equal(path and path.cost, field:cost(n))
    end
  end)

  it("measures from the goal to the others with outward", function()
    local g = level()
    local field = g:field("A", { outward = true })
    assert.equal("A 0, B 1, C 3, D 8, E -, F 13", names(g, function(n) return field:cost(n) end))
    for n in g:nodes() do
      local path = g:path("A", n)
      assert.equal(path and path.cost, field:cost(n))
    end
  end)

  it("gives the next node, the path with its edges, and the goal", function()
    local g = level()
    local field = g:field "A"
    assert.equal(g:node "C", field:next "B")
    assert.equal(nil, field:next "A")
    assert.equal(1, select("#", field:next "F"))
    local path = field:path "D"
    assert.same({ "4-2-3-1", 13 }, { reference.text(path), path.cost })
    assert.equal("4-2-3", reference.text(path:edges()))
    assert.equal(true, path:valid())
    assert.equal(4, path:explain()[3].cost)
    assert.equal(g:node "A", field:goal "D")
    assert.equal(nil, field:goal "F")
    helper.fails("no path from 'F' (6) to 'A' (1): no open edge leads out of the start", "no_path", field.path, field,
      "F")
  end)

  it("makes paths from the goal with outward", function()
    local g = level()
    local field = g:field("A", { outward = true })
    local path = field:path "F"
    assert.same({ "1-2-4-6", 13 }, { reference.text(path), path.cost })
    assert.equal("1-4-6", reference.text(path:edges()))
    assert.equal(g:node "D", field:next "F")
    helper.fails("no path from 'A' (1) to 'E' (5): no open edge leads to the goal", "no_path", field.path, field, "E")
  end)

  it("takes the cheapest of parallel edges", function()
    local g, e = draw_graph { "A B", "A-B 5", "A-B 3", "B>A 1" }
    assert.same({ e[3] }, g:field("A"):path("B"):edges())
    assert.same({ e[2] }, g:field("A", { outward = true }):path("B"):edges())
  end)

  it("takes a list of nodes, and values that they begin with", function()
    local g = row(9)
    local field = g:field { 1, 6 }
    assert.equal("1 0; 2 1; 3 2; 4 2; 5 1; 6 0; 7 1; 8 2; 9 3", reached(field))
    assert.same({ 1, 6 }, { field:goal(3), field:goal(4) })
    field = g:field({ 1, 6 }, { values = { 9, 0 } })
    assert.equal("1 5; 2 4; 3 3; 4 2; 5 1; 6 0; 7 1; 8 2; 9 3", reached(field))
    assert.equal(6, field:goal(1))
  end)

  it("leaves a closed node and enters none", function()
    local g = row(5):close(3)
    assert.equal("1 0; 2 1", reached(g:field(1)))
    assert.equal(2, g:field(1):cost(3))
    assert.equal("1 0; 2 1", reached(g:field(1, { outward = true })))
    assert.equal("", reached(g:field(3)))
    assert.equal("1 2; 2 1; 4 1; 5 2", reached(g:field(3, { outward = true })))
  end)

  it("iterates over all that is reached in the order of nodes", function()
    local g = level()
    assert.equal("1 0; 2 6; 3 4; 4 13; 5 3", reached(g:field "A"))
    assert.equal("1 0; 3 4; 5 3", reached(g:field("A", { max_cost = 5 })))
  end)

  it("asks profiles, agents and functions, in the direction of travel", function()
    local g = draw_graph { "A B C", "A-B 1 mud", "B-C 1" }
    local costs = wend.costs { mud = function(agent) return agent.boots and 1 or 5 end }
    assert.equal(6, g:field("A", { costs = costs }):cost "C")
    assert.equal(2, g:field("A", { costs = costs, agent = { boots = true } }):cost "C")
    local seen = {}
    local function spy(_, cost, tag, from, to, edge)
      seen[("%d-%d by %d"):format(from, to, edge)] = tag or "none"
      return cost * 2
    end
    assert.equal(4, g:field("A", { cost = spy }):cost "C")
    assert.same({ "mud", "none" }, { seen["2-1 by 1"], seen["3-2 by 2"] })
    seen = {}
    assert.equal(4, g:field("A", { cost = spy, outward = true }):cost "C")
    assert.same({ "mud", "none" }, { seen["1-2 by 1"], seen["2-3 by 2"] })
  end)

  it("does without positions", function()
    local g = draw_graph { "A B C", "A>B 2", "B>C 0" }
    assert.equal("1 2; 2 0; 3 0", reached(g:field "C"))
  end)

  it("can be added, scaled and relaxed", function()
    local g = row(5)
    local field = g:field(1)
    assert.equal(field, field:scale(-1.2))
    assert.equal("1 0; 2 -1.2; 3 -2.4; 4 -3.6; 5 -4.8", reached(field))
    assert.same({ 3 }, { field:next(2) })
    assert.equal(nil, field:next(5))
    assert.equal(field, field:relax())
    assert.equal("1 -0.8; 2 -1.8; 3 -2.8; 4 -3.8; 5 -4.8", reached(field))
    assert.same({ "1-2-3-4-5", 4, 5 }, { reference.text(field:path(1)), field:path(1).cost, field:goal(1) })
    field:add(g:field(1), 2)
    assert.equal("1 -0.8; 2 0.2; 3 1.2; 4 2.2; 5 3.2", reached(field))
  end)

  it("does not lead into what is closed after arithmetic", function()
    local g = row(5):close(4)
    local field = g:field(1):scale(-1)
    assert.equal("1 0; 2 -1; 3 -2", reached(field))
    assert.equal(-3, field:cost(4)) -- whoever is there may leave
    assert.same({ 3 }, { field:next(2) })
    assert.equal(nil, field:next(3))
    g = draw_graph { "A B C", "A-B 1", "A-C 1" }:close "B"
    assert.equal(g:node "C", g:field("A"):scale(-1):next "A")
    g = row(5):close_edge(3)
    assert.equal(nil, g:field(1):scale(-1):next(3))
    field = row(3):field(1, { cost = function(_, cost, _, from, to)
      return not (from == 2 and to == 3) and cost
    end }):scale(-1)
    assert.equal("1 0; 2 -1; 3 -2", reached(field))
    assert.equal(nil, field:next(2))
  end)

  it("goes by directed edges in arithmetic too", function()
    local g = draw_graph { "A B C", "A>B 1", "B>C 1", "C>A 5" }
    local field = g:field("C"):scale(-1)
    assert.equal("1 -2; 2 -1; 3 0", reached(field))
    assert.equal(nil, field:next "B") -- A is lower, but no edge leads there
    assert.equal(g:node "A", field:next "C")
    assert.equal("1 -2; 2 -1; 3 0", reached(field:relax()))
  end)

  it("is stale once the graph has changed, and can still be read", function()
    local g = row(5)
    local field = g:field(1)
    assert.equal(true, field:valid())
    g:set_name(3, "ford")
    assert.equal(true, field:valid())
    g:set_weight(1, 7)
    assert.equal(false, field:valid())
    assert.equal("1 0; 2 1; 3 2; 4 3; 5 4", reached(field))
    assert.equal(2, field:next(3))
    g:field(1, { into = field })
    assert.same({ true, 10 }, { field:valid(), field:cost(5) })
  end)

  it("is filled again by into, also by that of a grid", function()
    local g = row(5)
    local field = g:field(1)
    assert.equal(field, g:field(5, { into = field }))
    assert.equal("1 4; 2 3; 3 2; 4 1; 5 0", reached(field))
    assert.equal(field, wend.grid(3, 1):field(1, 1, { into = field }))
    assert.equal("1,1 0; 2,1 1; 3,1 2", reached(field))
  end)

  it("keeps to budgets", function()
    local g, stats = row(100), {}
    assert.equal("wend.Field (11 reached)", tostring(g:field(50, { max_cost = 5 })))
    assert(g:field(1, { stats = stats }))
    assert.equal(100, stats.expanded)
    assert(g:field(1, { max_expanded = 100 }))
    assert.equal("budget", select(3, g:field(1, { max_expanded = 99 })))
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN = 0 / 0
local SEVEN, THREE = "must be a whole number in 1 .. 7", "must be a whole number in 1 .. 3"
local FIELD_OPTIONS = "(expected one of: costs, agent, cost, at_least, size, influence, pass_only, per_turn, rest, "
  .. "last_step, max_cost, window, variation, seed, stats, closed_goal, within, beside, sight, max_expanded, outward, "
  .. "values, into)"

local grid, g, field, nodes

local function fixture()
  grid = wend.grid(7, 3)
  g = wend.graph()
  g:add_nodes { 0, 0, 3, 4, 6, 8 }
  g:add_edges { 1, 2, 2, 3 }
  g:set_name(1, "gate")
  field = grid:field(1, 1)
  nodes = g:field(1)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("grid:field", function()
  before_each(fixture)

  local function go(opts)
    return function() return grid:field(1, 1, type(opts) == "function" and opts() or opts) end
  end
  local function goals(list, opts)
    return function() return grid:field(list, opts) end
  end
  all {
    "goals must be a list of cells, got the key 'gate'", goals { gate = true },
    "goals must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 1, 2 }",
      goals { 1, 1, 2 },
    "goals[3] " .. SEVEN .. ", got 8", goals { 1, 1, 8, 1 },
    "goals must be a flat list, such as { 2, 3, 5, 4 } for two cells, got { { 1, 1 }, { 2, 2 } }",
      goals { { 1, 1 }, { 2, 2 } },
    "unknown option 'windw' " .. FIELD_OPTIONS, go { windw = 3 },
    "unknown option 'algorithm' " .. FIELD_OPTIONS, go { algorithm = "dijkstra" },
    "values must be a list, got 3", go { values = 3 },
    "values must hold a number for each of the 2 goals, got 1", goals({ 1, 1, 2, 2 }, { values = { 1 } }),
    "values must hold a number for each of the 1 goals, got 2", go { values = { 1, 2 } },
    "values[2] must be a finite number, got nan", goals({ 1, 1, 2, 2 }, { values = { 1, NAN } }),
    "values[1] must be a finite number, got '1'", go { values = { "1" } },
    "values[1] must be a finite number, got inf", go { values = { HUGE } },
    "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
  }
end)

describe("graph:field", function()
  before_each(fixture)

  local NODE = "must be a node (its id or name)"
  all {
    "goals: there is no node 9", function() g:field(9) end,
    "goals: there is no node named 'moat'", function() g:field "moat" end,
    "goals must be a list of nodes, got the key 'gate'", function() g:field { gate = true } end,
    "goals[2]: there is no node 9", function() g:field { 1, 9 } end,
    "goals must be a flat list, such as { 1, 2 } for two nodes, got { { 1 } }",
      function() g:field { { 1 } } end,
    "goals[1] " .. NODE .. ", got 1.5", function() g:field { 1.5 } end,
    "window is an option of grids: a graph has no columns and rows", function() g:field(1, { window = 3 }) end,
    "unknown option 'windw' " .. FIELD_OPTIONS, function() g:field(1, { windw = 3 }) end,
    "values must hold a number for each of the 2 goals, got 1", function() g:field({ 1, 2 }, { values = { 1 } }) end,
  }
end)

describe("field:cost, next, path, goal, add and scale", function()
  before_each(fixture)

  it("raise for an invalid cell", function()
    for _, name in ipairs { "cost", "next", "path", "goal" } do
      local method = field[name]
      raises("x " .. SEVEN .. ", got nil", method, field)
      raises("y " .. THREE .. ", got nil", method, field, 1)
      raises("x " .. SEVEN .. " (grid:cell_at finds the cell of a position), got 1.5", method, field, 1.5, 1)
      raises("y " .. THREE .. ", got nan", method, field, 1, NAN)
      raises("x " .. SEVEN .. ", got '1'", method, field, "1", 1)
      raises("x must be a number, got a list: use x, y or { x = , y = }", method, field, { 1, 1 })
    end
    raises("x " .. SEVEN .. ", got 8", field.path, field, 8, 1)
  end)

  it("raise for an invalid node", function()
    for _, name in ipairs { "cost", "next", "path", "goal" } do
      local method = nodes[name]
      raises("node must be a node (its id or name), got nil", method, nodes)
      raises("node must be a node (its id or name), got 1.5", method, nodes, 1.5)
      raises("node: there is no node 9", method, nodes, 9)
      raises("node: there is no node named 'moat'", method, nodes, "moat")
    end
  end)

  all {
    "other must be a field of the same grid, its base or another overlay",
    function() field:add(wend.grid(7, 3):field(1, 1)) end,
    "other must be a field of the same grid, its base or another overlay", function() field:add(nodes) end,
  }

  it("path and goal raise after arithmetic, until relax", function()
    for _, calculate in ipairs {
      function() field:scale(-1) end, function() field:add(grid:field(7, 3)) end,
    } do
      calculate()
      raises("the field was changed by arithmetic: call relax first", field.path, field, 3, 1)
      raises("the field was changed by arithmetic: call relax first", field.goal, field, 3, 1)
      field:relax()
      assert(field:path(3, 1))
      assert.equal("number", type(field:goal(3, 1)))
    end
    nodes:scale(2)
    raises("the field was changed by arithmetic: call relax first", nodes.path, nodes, 2)
    raises("the field was changed by arithmetic: call relax first", nodes.goal, nodes, "gate")
  end)
end)

describe("a field of a map that has changed", function()
  before_each(fixture)

  it("can be read, scaled and added", function()
    grid:set(2, 1, 5)
    assert.equal(false, field:valid())
    assert.equal(2, field:cost(3, 1))
    field:scale(2)
    assert.equal(4, field:cost(3, 1))
    field:add(field)
    assert.equal(8, field:cost(3, 1))
  end)

  it("is not relaxed: that would mix two maps", function()
    field:scale(-2)
    grid:set(2, 1, 5)
    helper.fails("the grid has changed since the field was made", "stale", field.relax, field)
    assert.same({ -4, false }, { field:cost(3, 1), field:valid() })
    raises("the field was changed by arithmetic: call relax first", field.path, field, 3, 1)
    g:close(3)
    helper.fails("the graph has changed since the field was made", "stale", nodes.relax, nodes)
  end)

  it("still leads along the old path", function()
    grid:set(2, 1, false)
    local over = assert(field:path(3, 1))
    assert.same({ "3,1 2,1 1,1", 2, false }, { grid_reference.text(over), over.cost, over:valid() })
  end)

  it("answers next after arithmetic by the map as it is now", function()
    assert.same({ 3, 1 }, { wend.grid(3, 1):field(1, 1):scale(-1):next(2, 1) })
    local line = wend.grid(3, 1)
    local flee = line:field(1, 1):scale(-1)
    line:set(3, 1, false)
    assert.equal(nil, (flee:next(2, 1)))
  end)

  it("knows nothing of nodes that are new, and nodes that are gone raise", function()
    local n = g:add_node(9, 9)
    assert.equal(nil, nodes:cost(n))
    assert.equal(nil, (nodes:next(n)))
    g:remove_node(2)
    raises("node: there is no node 2", nodes.cost, nodes, 2)
  end)
end)

describe("a field that is being filled", function()
  local function level() return wend.parse_grid({ "..~.", ".#~.", "...." }, { ["~"] = "swamp" }) end

  it("cannot be used by its own functions", function()
    local map = level()
    local filled = map:field(1, 1)
    local messages = {}
    map:field(4, 3, { into = filled, cost = function()
      for _, use in ipairs {
        function() filled:cost(1, 1) end, function() filled:next(2, 1) end, function() filled:relax() end,
        function() filled:scale(2) end, function() filled:add(filled) end,
        function() map:field(1, 1, { into = filled }) end, function() filled:each() end,
      } do
        local ok, message = pcall(use)
        assert.equal(false, ok)
        messages[message:gsub("^.-%.lua:%d+: ", ""):gsub("^into: ", "")] = true
      end
    end })
    assert.same({ ["the field is being worked out: its own callbacks cannot use it"] = true }, messages)
    assert.equal(0, filled:cost(4, 3))
  end)

  it("is empty where a function raised", function()
    local map = level()
    local filled = map:field(1, 1)
    pcall(map.field, map, 4, 3, { into = filled, cost = function() error "no" end })
    assert.equal("wend.Field (0 reached)", tostring(filled))
    assert.equal(nil, filled:cost(1, 1))
    map:field(4, 3, { into = filled })
    assert.equal(0, filled:cost(4, 3))
  end)
end)
