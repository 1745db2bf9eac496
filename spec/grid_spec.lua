-- SPDX-License-Identifier: MIT
-- Grids: what a cell is worth, what a step costs, and the paths over them. A star in a drawing is a cell of the path.
local grid_reference = require "spec.grid_reference"
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local text, show, looks, near = grid_reference.text, grid_reference.show, grid_reference.looks, reference.near
local drawing, with = grid_reference.drawing, grid_reference.with

local SQRT2, HUGE = math.sqrt(2), math.huge
local POLICIES = grid_reference.POLICIES
local TERRAIN = { ["~"] = "swamp", ["="] = "road", ["T"] = "toll", ["w"] = { weight = 3, tag = "swamp" } }

local function draw(rows, opts) return wend.parse_grid(rows, TERRAIN, opts) end

-- The value of a cell as one table.
local function get(grid, x, y)
  local weight, tag = grid:get(x, y)
  return { weight, tag }
end

describe("wend.grid", function()
  it("makes a grid that is open everywhere, of weight 1 and without tags", function()
    local grid = wend.grid(4, 3)
    for y = 1, 3 do
      for x = 1, 4 do assert.same({ 1 }, get(grid, x, y)) end
    end
    assert.same({ 4, 3 }, { grid:width(), grid:height() })
  end)

  it("makes grids of one cell, one row and one column", function()
    assert.equal(0, wend.grid(1, 1):path(1, 1, 1, 1).cost)
    assert.equal(8, wend.grid(9, 1):path(1, 1, 9, 1).cost)
    assert.equal(8, wend.grid(1, 9):path(1, 9, 1, 1).cost)
  end)

  it("takes 8 bytes a cell at most", function()
    local grid = wend.grid(512, 512)
    assert.truthy(grid:bytes() <= 8 * 512 * 512 + 65536, grid:bytes())
    grid:map(function(x, y) return { weight = 1 + (x + y) % 100, tag = "tag" .. x % 20 } end)
    assert.truthy(grid:bytes() <= 8 * 512 * 512 + 65536, grid:bytes())
  end)

  it("takes 16 bytes a cell at most where every cell has a weight of its own", function()
    local grid = wend.grid(512, 512):map(function(x, y) return 1 + x / 512 + y end)
    assert.truthy(grid:bytes() <= 16 * 512 * 512 + 65536, grid:bytes())
    assert.same({ 1 + 7 / 512 + 500 }, get(grid, 7, 500))
    assert.same({ 1 + 512 / 512 + 512 }, get(grid, 512, 512))
  end)

  it("does not grow with the edits that are made", function()
    local grid = wend.grid(10, 10)
    for i = 1, 200000 do grid:set(5, 5, i + 0.5) end
    assert.truthy(grid:bytes() < 20000, grid:bytes())
    for i = 1, 200000 do grid:set(5, 5, { weight = i, tag = "tag" .. i % 50 }) end
    assert.truthy(grid:bytes() < 20000, grid:bytes())
    assert.same({ 200000, "tag0" }, get(grid, 5, 5))
  end)

  it("takes numbers that are whole, whatever their type", function()
    local grid = wend.grid(4.0, 2 + 1.0)
    assert.same({ 4, 3 }, { grid:width(), grid:height() })
    assert.same({ 2 }, get(grid:set(2.0, 3.0, 2), 2, 3))
  end)
end)

describe("a cell's value", function()
  for what, case in pairs {
    ["a number: its weight"] = { 2.5, 2.5 },
    ["zero: it costs nothing"] = { 0, 0 },
    ["false: closed"] = { false, false },
    ["math.huge: closed"] = { HUGE, false },
    ["a string: its tag, with weight 1"] = { "swamp", 1, "swamp" },
    ["a table: weight and tag"] = { { weight = 3, tag = "swamp" }, 3, "swamp" },
    ["a table with a weight only: untagged"] = { { weight = 3 }, 3 },
    ["a table with a tag only: weight 1"] = { { tag = "swamp" }, 1, "swamp" },
    ["an empty table: weight 1, untagged"] = { {}, 1 },
    ["a table with weight = false: closed, its tag kept"] = { { weight = false, tag = "door" }, false, "door" },
    ["a table with weight = math.huge: closed, its tag kept"] = { { weight = HUGE, tag = "door" }, false, "door" },
    ["a weight as small as can be"] = { 5e-324, 5e-324 },
    ["a weight as large as can be"] = { 1e308, 1e308 },
  } do
    it("is " .. what, function()
      local grid = wend.grid(3, 2):fill { weight = 7, tag = "old" }
      grid:set(2, 1, case[1])
      assert.same({ case[2], case[3] }, get(grid, 2, 1))
      assert.same({ 7, "old" }, get(grid, 1, 1))
      assert.same({ 7, "old" }, get(grid, 3, 1))
      assert.same({ case[2], case[3] }, get(wend.grid(1, 1):fill(case[1]), 1, 1))
      assert.same({ case[2], case[3] }, get(wend.grid(1, 1):map(function() return case[1] end), 1, 1))
      assert.same({ case[2], case[3] }, get(wend.parse_grid({ "?" }, { ["?"] = case[1] }), 1, 1))
    end)
  end
end)

describe("grid:set", function()
  it("gives the grid back", function()
    local grid = wend.grid(3, 3)
    assert.equal(grid, grid:set(1, 1, 2))
  end)

  it("counts the column first, then the row, from the upper left", function()
    assert.equal(drawing [[
      ..2
      ...
    ]], tostring(wend.grid(3, 2):set(3, 1, 2)))
  end)

  it("is seen by the next path", function()
    local grid = wend.grid(3, 1)
    assert.equal(2, grid:path(1, 1, 3, 1).cost)
    grid:set(2, 1, 5)
    assert.equal(6, grid:path(1, 1, 3, 1).cost)
    grid:set(2, 1, false)
    assert.equal(nil, (grid:path(1, 1, 3, 1)))
    grid:set(2, 1, 0)
    assert.equal(1, grid:path(1, 1, 3, 1).cost)
  end)

  it("keeps every weight apart, however many there are", function()
    local grid = wend.grid(400, 200) -- more weights than 16 bits can number
    for y = 1, 200 do
      for x = 1, 400 do grid:set(x, y, x + y * 1000) end
    end
    for y = 1, 200 do
      for x = 1, 400 do
        if grid:get(x, y) ~= x + y * 1000 then assert.equal(x + y * 1000, grid:get(x, y)) end
      end
    end
    assert.equal(3 + 2000 + 4 + 2000, grid:path(2, 2, 4, 2).cost)
    grid:set(3, 2, "swamp")
    assert.same({ 1, "swamp" }, get(grid, 3, 2))
    assert.equal(1 + 4 + 2000, grid:path(2, 2, 4, 2).cost)
  end)

  it("makes a tag where there is none of that name yet", function()
    local grid = wend.grid(300, 1)
    for x = 1, 300 do grid:set(x, 1, "tag" .. x) end
    for x = 1, 300 do assert.same({ 1, "tag" .. x }, get(grid, x, 1)) end
    assert.equal(300, grid:path(1, 1, 300, 1, { costs = wend.costs { tag200 = 2 } }).cost)
  end)
end)

describe("grid:fill", function()
  it("gives all cells a value, and the grid back", function()
    local grid = wend.grid(3, 2):set(2, 2, false)
    assert.equal(grid, grid:fill "swamp")
    for y = 1, 2 do
      for x = 1, 3 do assert.same({ 1, "swamp" }, get(grid, x, y)) end
    end
  end)

  it("gives a rectangle a value, both corners included", function()
    assert.equal(drawing [[
      .....
      .333.
      .333.
      .....
    ]], tostring(wend.grid(5, 4):fill(2, 2, 4, 3, 3)))
  end)

  it("takes the corners in any order", function()
    local expected = tostring(wend.grid(5, 4):fill(2, 2, 4, 3, 3))
    assert.equal(expected, tostring(wend.grid(5, 4):fill(4, 3, 2, 2, 3)))
    assert.equal(expected, tostring(wend.grid(5, 4):fill(4, 2, 2, 3, 3)))
    assert.equal(expected, tostring(wend.grid(5, 4):fill(2, 3, 4, 2, 3)))
  end)

  it("fills one cell, one row, and across what a machine word holds", function()
    assert.equal("..2", tostring(wend.grid(3, 1):fill(3, 1, 3, 1, 2)))
    local grid = wend.grid(200, 3):fill(60, 2, 131, 2, false)
    for x = 1, 200 do
      assert.equal((x < 60 or x > 131) and 1, (grid:get(x, 2)))
      assert.equal(1, (grid:get(x, 1)))
      assert.equal(1, (grid:get(x, 3)))
    end
    near(2 * SQRT2 + 128, grid:path(30, 2, 160, 2).cost)
  end)

  it("closes and opens", function()
    local grid = wend.grid(5, 1):fill(2, 1, 4, 1, false)
    assert.equal(nil, (grid:path(1, 1, 5, 1)))
    grid:fill(2, 1, 4, 1, 1)
    assert.equal(4, grid:path(1, 1, 5, 1).cost)
  end)
end)

describe("grid:map", function()
  it("asks for each cell's value row by row, from the upper left", function()
    local asked = {}
    local grid = wend.grid(3, 2)
    assert.equal(grid, grid:map(function(x, y)
      asked[#asked + 1] = x .. "," .. y
      return x + 10 * y
    end))
    assert.equal("1,1 2,1 3,1 1,2 2,2 3,2", table.concat(asked, " "))
    assert.same({ 23 }, get(grid, 3, 2))
  end)

  it("leaves a cell as it is where the function returns nil", function()
    local grid = wend.grid(3, 1):set(2, 1, { weight = 4, tag = "swamp" })
    grid:map(function(x) if x == 3 then return false end end)
    assert.same({ { 1 }, { 4, "swamp" }, { false } }, { get(grid, 1, 1), get(grid, 2, 1), get(grid, 3, 1) })
  end)

  it("is the article's wt(x, y): the cost of moving onto a cell", function()
    local function wt(x, y) return x == 3 and y < 5 and HUGE or (x + y) % 3 + 1 end
    local path = assert(wend.grid(6, 5, { diagonals = "never" }):map(wt):path(1, 1, 6, 1))
    local total = 0
    for i, x, y in path:each() do
      if i > 1 then total = total + wt(x, y) end
    end
    assert.equal(total, path.cost)
    assert.equal("3,5", text(path):match "3,%d")
  end)

  it("leaves the grid as it was where the function raises", function()
    local grid = wend.grid(3, 2):set(1, 1, 5)
    helper.raises("no map", grid.map, grid, function(x)
      if x == 3 then error("no map", 0) end
      return false
    end)
    assert.equal(drawing [[
      5..
      ...
    ]], tostring(grid))
  end)

  it("leaves the grid as it was where the function answers nonsense", function()
    local grid = wend.grid(3, 2):set(1, 1, 5)
    assert.error(function()
      grid:map(function(_, y)
        if y == 2 then return -1 end
        return false
      end)
    end)
    assert.equal(drawing [[
      5..
      ...
    ]], tostring(grid))
  end)

  it("may search the grid, as it was before", function()
    local grid = wend.grid(4, 1)
    grid:map(function(x) return grid:path(1, 1, x, 1).cost + 1 end)
    assert.equal(".234", tostring(grid))
  end)
end)

describe("wend.parse_grid", function()
  it("reads a text: '#' closed, '.' open, and what the legend says", function()
    local grid = wend.parse_grid([[
      ..#....
      ..#.~~.
      ....~~.
    ]], { ["~"] = "swamp" })
    assert.same({ 7, 3 }, { grid:width(), grid:height() })
    assert.same({ { 1 }, { false }, { 1, "swamp" } }, { get(grid, 1, 1), get(grid, 3, 2), get(grid, 6, 3) })
  end)

  it("drops the indentation that all rows share, and blank lines at the ends", function()
    local grid = wend.parse_grid("\n  \n    .#\n   ...\n\n \n", { [" "] = 7 })
    assert.same({ 3, 2 }, { grid:width(), grid:height() })
    assert.same({ { 7 }, { 1 }, { false } }, { get(grid, 1, 1), get(grid, 2, 1), get(grid, 3, 1) })
  end)

  it("drops an indentation of tabs too", function()
    assert.equal("..#\n...", tostring(wend.parse_grid "\t\t..#\n\t\t...\n"))
  end)

  it("does without a line's end after the last row", function()
    assert.equal(".#", tostring(wend.parse_grid ".#"))
  end)

  it("takes lines that end in CR LF", function()
    assert.equal(".#\n#.", tostring(wend.parse_grid ".#\r\n#.\r\n"))
  end)

  it("takes a list of rows as it is", function()
    local grid = wend.parse_grid({ " #", "  " }, { [" "] = 7 })
    assert.same({ 2, 2 }, { grid:width(), grid:height() })
    assert.same({ { 7 }, { false } }, { get(grid, 1, 1), get(grid, 2, 1) })
    assert.same({ { 7 }, { 7 } }, { get(grid, 1, 2), get(grid, 2, 2) })
  end)

  it("lets the legend say otherwise of '#' and '.'", function()
    local grid = wend.parse_grid("#.", { ["#"] = "brick", ["."] = { weight = 2 } })
    assert.same({ { 1, "brick" }, { 2 } }, { get(grid, 1, 1), get(grid, 2, 1) })
  end)

  it("takes the options of wend.grid, also where there is no legend", function()
    local rows = { ".#", "#." }
    assert.equal(SQRT2, wend.parse_grid(rows, {}, { diagonals = "always" }):path(1, 1, 2, 2).cost)
    assert.equal(SQRT2, wend.parse_grid(rows, nil, { diagonals = "always" }):path(1, 1, 2, 2).cost)
    assert.same({ 15, 25 }, wend.parse_grid("..", {}, { cell = 10, origin = { 10, 20 } }):path(1, 1, 1, 1):points())
  end)

  it("reads what tostring gives", function()
    local drawn = drawing [[
      .#..~~.
      ==.#~~#
      w.T....
    ]]
    assert.equal(drawn, tostring(draw(drawn)))
    assert.equal(drawn, tostring(draw(tostring(draw(drawn)))))
  end)

  it("reads a large map", function()
    local rows = {}
    for y = 1, 300 do rows[y] = (y % 2 == 0 and "." or "~"):rep(500) end
    local grid = draw(table.concat(rows, "\n"))
    assert.same({ 500, 300 }, { grid:width(), grid:height() })
    assert.same({ { 1, "swamp" }, { 1 } }, { get(grid, 500, 299), get(grid, 500, 300) })
  end)
end)

describe("tostring(grid)", function()
  it("is the map as text", function()
    assert.equal("..\n.#", tostring(wend.grid(2, 2):set(2, 2, false)))
  end)

  it("shows cells of the legend as the legend has them", function()
    local grid = draw { "~=w#." }
    assert.equal("~=w#.", tostring(grid))
    grid:set(5, 1, "swamp"):set(4, 1, 1)
    assert.equal("~=w.~", tostring(grid))
  end)

  it("shows other tags by their first letter that is still free", function()
    local grid = wend.grid(5, 1):fill(1, 1, 2, 1, "swamp"):set(4, 1, "sw"):set(5, 1, "road")
    assert.equal("ss.wr", tostring(grid))
  end)

  it("shows the weights 2 to 9 of cells without a tag as digits, and others as a question mark", function()
    assert.equal(".29???#", tostring(wend.grid(7, 1):map(function(x)
      local values = { 1, 2, 9, 10, 0.5, 0, false }
      return values[x]
    end)))
  end)

  it("names the size only where the map has more than 65,536 cells", function()
    assert.equal(257 * 255 - 1, #tostring(wend.grid(256, 255)))
    assert.equal(256 * 257 - 1, #tostring(wend.grid(256, 256)))
    assert.equal("wend.Grid (4096 x 4096)", tostring(wend.grid(4096, 4096)))
    assert.equal("wend.Grid (65537 x 1)", tostring(wend.grid(65537, 1)))
  end)
end)

describe("grid:cell_at", function()
  it("gives the cell that a position lies in", function()
    local grid = wend.grid(3, 2)
    assert.same({ 1, 1 }, { grid:cell_at(0, 0) })
    assert.same({ 1, 1 }, { grid:cell_at(0.999, 0.5) })
    assert.same({ 2, 1 }, { grid:cell_at(1, 0.5) })
    assert.same({ 3, 2 }, { grid:cell_at(2.5, 1.999) })
  end)

  it("gives nil outside", function()
    local grid = wend.grid(3, 2)
    for _, at in ipairs { { -0.001, 0 }, { 0, -0.001 }, { 3, 0 }, { 0, 2 }, { -1e300, 0 }, { 0, 1e300 } } do
      assert.equal(nil, (grid:cell_at(at[1], at[2])))
    end
  end)

  it("knows the size of a cell and where the first one begins", function()
    local grid = wend.grid(3, 2, { cell = 32, origin = { 100, -50 } })
    assert.same({ 1, 1 }, { grid:cell_at(100, -50) })
    assert.same({ 3, 2 }, { grid:cell_at(195, 13) })
    assert.equal(nil, (grid:cell_at(99, -50)))
    assert.equal(nil, (grid:cell_at(196, 13)))
  end)

  it("takes an origin with fields x and y", function()
    assert.same({ 2, 1 }, { wend.grid(3, 2, { origin = { x = 10, y = 20 } }):cell_at(11.5, 20) })
  end)

  it("finds the cell of every point that a path gives", function()
    local grid = wend.grid(9, 7, { cell = 0.1, origin = { -0.3, 0.7 } })
    local path = grid:path(1, 1, 9, 7)
    local points = path:points()
    for i, x, y in path:each() do
      assert.same({ x, y }, { grid:cell_at(points[2 * i - 1], points[2 * i]) })
    end
  end)
end)

describe("path:points", function()
  it("gives the middles of the cells, flat", function()
    assert.same({ 0.5, 0.5, 1.5, 0.5, 2.5, 0.5 }, wend.grid(3, 1):path(1, 1, 3, 1):points())
  end)

  it("gives world units where the grid has a cell size and an origin", function()
    local grid = wend.grid(3, 2, { cell = 32, origin = { 100, -50 } })
    assert.same({ 116, -34, 148, -2 }, grid:path(1, 1, 2, 2):points())
  end)
end)

describe("a step", function()
  it("costs 1 straight and the square root of 2 on a diagonal", function()
    local grid = wend.grid(3, 3)
    for dy = -1, 1 do
      for dx = -1, 1 do
        local length = (dx == 0 and dy == 0) and 0 or (dx == 0 or dy == 0) and 1 or SQRT2
        assert.equal(length, grid:path(2, 2, 2 + dx, 2 + dy).cost)
      end
    end
  end)

  it("costs the weight of the cell stepped onto, not of the one stepped from", function()
    local grid = wend.grid(2, 2):set(1, 1, 5):set(2, 1, 3):set(2, 2, 7)
    assert.equal(3, grid:path(1, 1, 2, 1).cost)
    assert.equal(5, grid:path(2, 1, 1, 1).cost)
    assert.equal(SQRT2 * 7, wend.grid(2, 2):fill(7):path(1, 1, 2, 2).cost)
  end)

  it("costs length x weight x times + plus, in that order", function()
    local grid = wend.grid(2, 2):fill { weight = 0.7, tag = "toll" }
    local costs = wend.costs { toll = { times = 1.3, plus = 0.1 } }
    assert.equal(SQRT2 * 0.7 * 1.3 + 0.1, grid:path(1, 1, 2, 2, { costs = costs }).cost)
    assert.equal(0.7 * 1.3 + 0.1, grid:path(1, 1, 2, 1, { costs = costs }).cost)
  end)

  it("goes around where that is cheaper", function()
    local grid = draw [[
      ..#....
      ..#.~~.
      ....~~.
    ]]
    looks([[
      ..#....
      .*#.~~.
      .******
    ]], grid:path(2, 2, 7, 3))
    local path = grid:path(2, 2, 7, 3, { costs = wend.costs { swamp = 3 } })
    looks([[
      ..#.**.
      .*#*~~*
      .***~~*
    ]], path)
    near(5 + 2 * SQRT2 + 1, path.cost)
  end)

  it("takes the road that costs half", function()
    local grid = draw [[
      ===========
      =.........=
      =.........=
    ]]
    local path = grid:path(1, 3, 11, 3, { costs = wend.costs { road = 0.5 } })
    looks([[
      =*********=
      *.........*
      *.........*
    ]], path)
    near(5 + SQRT2, path.cost)
    assert.equal(10, grid:path(1, 3, 11, 3).cost)
  end)

  it("that costs more than a double holds is none", function()
    local grid = wend.grid(2, 2, { diagonals = "always" }):fill(1.5e308)
    assert.equal(1.5e308, grid:path(1, 1, 2, 1).cost)
    assert.equal("no_path", select(3, grid:path(1, 1, 2, 2)))
    grid:fill(1, 1, 2, 2, { weight = 1.5e308, tag = "road" })
    assert.equal("no_path", select(3, grid:path(1, 1, 2, 1, { costs = wend.costs { road = 2 } })))
  end)
end)

describe("option diagonals", function()
  -- What it costs to get from the upper left to the lower right of four cells, nil: there is no way.
  local function across(rows, policy, wall)
    local grid = wend.parse_grid(rows, {}, { diagonals = policy })
    for _, ends in ipairs(wall or {}) do grid:wall(ends[1], ends[2], ends[3], ends[4]) end
    local path = grid:path(1, 1, 2, 2)
    return path and path.cost
  end

  local function compare(expected, rows, wall)
    local costs = {}
    for _, policy in ipairs(POLICIES) do costs[policy] = across(rows, policy, wall) end
    assert.same(expected, costs)
  end

  it("of every kind lets one step over an open corner, but for 'never'", function()
    compare({ both_open = SQRT2, one_open = SQRT2, always = SQRT2, never = 2 }, { "..", ".." })
  end)

  it("'both_open' goes around where one of the two cells beside the step is closed", function()
    compare({ both_open = 2, one_open = SQRT2, always = SQRT2, never = 2 }, { ".#", ".." })
    compare({ both_open = 2, one_open = SQRT2, always = SQRT2, never = 2 }, { "..", "#." })
  end)

  it("'always' alone steps between two closed cells", function()
    compare({ always = SQRT2 }, { ".#", "#." })
  end)

  it("is 'both_open' where nothing is said", function()
    assert.equal(2, across({ ".#", ".." }, nil))
  end)

  it("counts a wall at one of the four straight steps around the corner as closing that way round", function()
    for _, ends in ipairs { { 1, 1, 2, 1 }, { 2, 1, 2, 2 }, { 1, 1, 1, 2 }, { 1, 2, 2, 2 } } do
      compare({ both_open = 2, one_open = SQRT2, always = SQRT2, never = 2 }, { "..", ".." }, { ends })
    end
  end)

  it("lets nobody step where both ways round have a wall", function()
    compare({}, { "..", ".." }, { { 1, 1, 2, 1 }, { 1, 1, 1, 2 } })
    compare({}, { "..", ".." }, { { 1, 1, 2, 1 }, { 1, 2, 2, 2 } })
    compare({}, { "..", ".." }, { { 2, 1, 2, 2 }, { 1, 2, 2, 2 } })
    compare({}, { "..", ".." }, { { 2, 1, 2, 2 }, { 1, 1, 1, 2 } })
  end)

  it("lets 'always' step by a wall on one side and a closed cell on the other, and nobody else", function()
    compare({ always = SQRT2 }, { ".#", ".." }, { { 1, 1, 1, 2 } })
    compare({ always = SQRT2 }, { "..", "#." }, { { 1, 1, 2, 1 } })
    compare({ always = SQRT2 }, { "..", "#." }, { { 2, 1, 2, 2 } })
  end)

  it("needs a way round that is free as a whole: cell and walls of two different ways do not add up", function()
    compare({ always = SQRT2 }, { ".#", ".." }, { { 1, 2, 2, 2 } })
  end)

  it("asks whether a corner is open for this agent", function()
    local grid = draw { ".~", ".." }
    assert.equal(SQRT2, grid:path(1, 1, 2, 2).cost)
    assert.equal(2, grid:path(1, 1, 2, 2, { costs = wend.costs { swamp = false } }).cost)
    assert.equal(SQRT2, grid:path(1, 1, 2, 2, { costs = wend.costs { swamp = 100 } }).cost)
    local costs = wend.costs { swamp = function(agent) return agent.flies and 1 or false end }
    assert.equal(2, grid:path(1, 1, 2, 2, { costs = costs }).cost)
    assert.equal(SQRT2, grid:path(1, 1, 2, 2, { costs = costs, agent = { flies = true } }).cost)
  end)

  it("does not ask the map's edge: there is nothing to cut", function()
    for _, policy in ipairs { "both_open", "one_open", "always" } do
      near(3 * SQRT2, wend.grid(4, 4, { diagonals = policy }):path(1, 1, 4, 4).cost)
    end
  end)

  it("'never' makes paths of straight steps", function()
    local path = draw({
      ".....",
      "..#..",
      ".....",
    }, { diagonals = "never" }):path(1, 2, 5, 2)
    assert.equal(6, path.cost)
    for i = 3, #path, 2 do
      assert.equal(1, math.abs(path[i] - path[i - 2]) + math.abs(path[i + 1] - path[i - 1]))
    end
  end)
end)

describe("grid:wall", function()
  it("parts two neighbours, both ways, and gives the grid back", function()
    local grid = wend.grid(2, 1)
    assert.equal(grid, grid:wall(1, 1, 2, 1))
    assert.equal(nil, (grid:path(1, 1, 2, 1)))
    assert.equal(nil, (grid:path(2, 1, 1, 1)))
  end)

  it("may be said from either side", function()
    for _, ends in ipairs { { 2, 2, 1, 2 }, { 2, 2, 3, 2 }, { 2, 2, 2, 1 }, { 2, 2, 2, 3 } } do
      local x1, y1, x2, y2 = ends[1], ends[2], ends[3], ends[4]
      local one = wend.grid(3, 3, { diagonals = "never" }):wall(x1, y1, x2, y2)
      local other = wend.grid(3, 3, { diagonals = "never" }):wall(x2, y2, x1, y1)
      for _, grid in ipairs { one, other } do
        assert.equal(3, grid:path(x1, y1, x2, y2).cost)
        assert.equal(3, grid:path(x2, y2, x1, y1).cost)
      end
    end
  end)

  it("leaves both cells open from other sides", function()
    local path = wend.grid(3, 2):wall(2, 1, 3, 1):path(1, 1, 3, 1)
    looks([[
      *.*
      .**
    ]], path)
    near(2 + SQRT2, path.cost)
  end)

  it("between two diagonal neighbours closes that diagonal alone", function()
    for _, policy in ipairs { "both_open", "one_open", "always" } do
      local grid = wend.grid(2, 2, { diagonals = policy }):wall(1, 1, 2, 2)
      assert.equal(2, grid:path(1, 1, 2, 2).cost)
      assert.equal(2, grid:path(2, 2, 1, 1).cost)
      assert.equal(SQRT2, grid:path(2, 1, 1, 2).cost)
      assert.equal(SQRT2, grid:path(1, 2, 2, 1).cost)
      assert.equal(1, grid:path(1, 1, 2, 1).cost)
    end
  end)

  it("is taken away by false, and put back by true", function()
    local grid = wend.grid(2, 1)
    grid:wall(1, 1, 2, 1):wall(1, 1, 2, 1)
    assert.equal(nil, (grid:path(1, 1, 2, 1)))
    assert.equal(1, grid:wall(2, 1, 1, 1, false):path(1, 1, 2, 1).cost)
    assert.equal(nil, (grid:wall(1, 1, 2, 1, true):path(1, 1, 2, 1)))
    assert.equal(1, grid:wall(1, 1, 2, 1, false):wall(1, 1, 2, 1, false):path(1, 1, 2, 1).cost)
  end)

  it("stays when the cells at it get other values", function()
    local grid = wend.grid(2, 1):wall(1, 1, 2, 1)
    grid:set(2, 1, false):set(2, 1, 3):fill "swamp"
    grid:map(function() return 1 end)
    assert.equal(nil, (grid:path(1, 1, 2, 1)))
  end)

  it("makes a maze of a grid that is open everywhere", function()
    -- a wall below each row but for one cell, at the ends in turn
    local grid = wend.grid(5, 4)
    for y = 1, 3 do
      for x = 1, 5 do
        if x ~= (y % 2 == 1 and 5 or 1) then grid:wall(x, y, x, y + 1) end
      end
    end
    local path = grid:path(1, 1, 1, 4)
    assert.equal("1,1 2,1 3,1 4,1 5,1 5,2 4,2 3,2 2,2 1,2 1,3 2,3 3,3 4,3 5,3 5,4 4,4 3,4 2,4 1,4", text(path))
    assert.equal(19, path.cost)
  end)
end)

describe("grid:link", function()
  -- Two rooms with nothing between them.
  local function rooms() return draw "..#.." end

  it("is a step of cost 1 between any two cells, both ways, and gives the grid back", function()
    local grid = rooms()
    assert.equal(grid, grid:link(2, 1, 4, 1))
    assert.same({ "1,1 2,1 4,1 5,1", 3 }, { text(grid:path(1, 1, 5, 1)), grid:path(1, 1, 5, 1).cost })
    assert.same({ "5,1 4,1 2,1 1,1", 3 }, { text(grid:path(5, 1, 1, 1)), grid:path(5, 1, 1, 1).cost })
  end)

  it("costs its own weight, not that of the cells at its ends", function()
    local grid = rooms():set(2, 1, 5):set(4, 1, 7):link(2, 1, 4, 1, { weight = 2.5 })
    assert.equal(2.5, grid:path(2, 1, 4, 1).cost)
    assert.equal(2.5, grid:path(4, 1, 2, 1).cost)
    assert.equal(0, rooms():link(2, 1, 4, 1, { weight = 0 }):path(2, 1, 4, 1).cost)
  end)

  it("costs what the profile makes of its own tag, not of those of the cells at its ends", function()
    local grid = rooms():set(2, 1, "swamp"):set(4, 1, "swamp"):link(2, 1, 4, 1, { weight = 4, tag = "portal" })
    local costs = wend.costs { portal = { times = 2, plus = 1 }, swamp = 100 }
    assert.equal(9, grid:path(2, 1, 4, 1, { costs = costs }).cost)
    assert.equal(nil, (grid:path(2, 1, 4, 1, { costs = wend.costs { portal = false } })))
    assert.equal(4, grid:path(2, 1, 4, 1, { costs = wend.costs({}, { default = 1 }) }).cost)
  end)

  it("leads one way only where it is directed", function()
    local grid = rooms():link(2, 1, 4, 1, { directed = true })
    assert.equal(1, grid:path(2, 1, 4, 1).cost)
    assert.equal(nil, (grid:path(4, 1, 2, 1)))
    grid:link(4, 1, 2, 1, { directed = true, weight = 9 })
    assert.same({ 1, 9 }, { grid:path(2, 1, 4, 1).cost, grid:path(4, 1, 2, 1).cost })
  end)

  it("needs an open cell at its end, and asks nothing of its start", function()
    local grid = rooms():set(2, 1, false):link(2, 1, 4, 1)
    assert.equal(1, grid:path(2, 1, 4, 1).cost)
    assert.equal(nil, (grid:path(4, 1, 2, 1)))
    grid = rooms():set(4, 1, "lava"):link(2, 1, 4, 1)
    assert.equal(nil, (grid:path(2, 1, 5, 1, { costs = wend.costs { lava = false } })))
    assert.equal(2, grid:path(2, 1, 5, 1).cost)
  end)

  it("leads through walls and past any rule for diagonals", function()
    local grid = wend.grid(2, 2, { diagonals = "never" }):wall(1, 1, 2, 1):wall(1, 1, 1, 2)
    assert.equal(nil, (grid:path(1, 1, 2, 2)))
    assert.equal(1, grid:link(1, 1, 2, 2):path(1, 1, 2, 2).cost)
    assert.equal(1, grid:link(1, 1, 2, 1):path(1, 1, 2, 1).cost)
  end)

  it("between neighbours stands beside the step: the cheaper of the two is taken", function()
    local grid = wend.grid(2, 1):link(1, 1, 2, 1, { weight = 0.5 })
    assert.equal(0.5, grid:path(1, 1, 2, 1).cost)
    assert.equal(1, grid:link(1, 1, 2, 1, { weight = 3 }):path(1, 1, 2, 1).cost)
  end)

  it("takes the place of an earlier one between the same two cells, in that direction", function()
    local grid = rooms():link(2, 1, 4, 1, { weight = 2 })
    grid:link(2, 1, 4, 1, { weight = 5, directed = true })
    assert.same({ 5, 2 }, { grid:path(2, 1, 4, 1).cost, grid:path(4, 1, 2, 1).cost })
    grid:link(4, 1, 2, 1, { weight = 7 })
    assert.same({ 7, 7 }, { grid:path(2, 1, 4, 1).cost, grid:path(4, 1, 2, 1).cost })
  end)

  it("is one of any number that leave a cell", function()
    local grid = wend.grid(60, 1, { diagonals = "never" }):fill(2, 1, 60, 1, 50)
    for x = 3, 60 do grid:link(1, 1, x, 1, { weight = x, directed = true }) end
    for x = 3, 60 do assert.equal(x, grid:path(1, 1, x, 1).cost) end
    for x = 3, 60, 2 do grid:unlink(1, 1, x, 1) end
    for x = 4, 60, 2 do assert.equal(x, grid:path(1, 1, x, 1).cost) end
    assert.equal(54, grid:path(1, 1, 5, 1).cost) -- by way of 4
  end)

  it("from a cell to itself leads nowhere", function()
    local grid = wend.grid(3, 1):link(2, 1, 2, 1, { weight = 0 })
    assert.equal("1,1 2,1 3,1", text(grid:path(1, 1, 3, 1)))
    assert.equal("2,1", text(grid:path(2, 1, 2, 1)))
    assert.equal(2, grid:field(1, 1):path(3, 1).cost)
  end)

  it("does not lose the cheapest path for want of a bound", function()
    local grid = wend.grid(40, 40):link(2, 2, 39, 39, { weight = 0.5 })
    for _, heuristic in ipairs(grid_reference.HEURISTICS) do
      near(2 * SQRT2 + 0.5, grid:path(1, 1, 40, 40, { heuristic = heuristic }).cost)
    end
    near(2 * SQRT2 + 0.5, grid:path(40, 40, 1, 1).cost)
  end)
end)

describe("grid:unlink", function()
  it("takes away what links two cells, both ways, and gives the grid back", function()
    local grid = draw "..#..":link(2, 1, 4, 1)
    assert.equal(grid, grid:unlink(4, 1, 2, 1))
    assert.equal(nil, (grid:path(2, 1, 4, 1)))
    assert.equal(nil, (grid:path(4, 1, 2, 1)))
  end)

  it("leaves other links and the step between neighbours alone", function()
    local grid = draw "..#..":link(2, 1, 4, 1):link(2, 1, 5, 1, { weight = 3 }):link(1, 1, 2, 1)
    grid:unlink(2, 1, 4, 1):unlink(1, 1, 2, 1):unlink(1, 1, 5, 1)
    assert.equal(3, grid:path(2, 1, 5, 1).cost)
    assert.equal(1, grid:path(1, 1, 2, 1).cost)
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
    helper.fails("no path from (1,1) to (7,3)", "no_path", grid.path, grid, 1, 1, 7, 3)
    grid:set(7, 3, "lava")
    helper.fails("no path from (1,1) to (7,3)", "no_path", grid.path, grid, 1, 1, 7, 3,
      { costs = wend.costs { lava = false } })
  end)

  it("answers nil, a sentence and a code where there is no way", function()
    local grid = draw "..#.."
    helper.fails("no path from (1,1) to (5,1)", "no_path", grid.path, grid, 1, 1, 5, 1)
    helper.fails("no path from (4,1) to (2,1)", "no_path", grid.path, grid, 4, 1, 2, 1, { heuristic = "octile" })
    helper.fails("no path from (1,1) to any of the goals", "no_path", grid.path, grid, 1, 1, { 4, 1, 5, 1 })
    helper.fails("no path from (1,1) to any of the goals", "no_path", grid.path, grid, 1, 1, { 3, 1 })
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

  it("of one is as good as the goal itself", function()
    local grid = wend.grid(9, 5):fill(3, 2, 3, 5, false)
    assert.equal(show(grid:path(1, 5, 9, 5)), show(grid:path(1, 5, { 9, 5 })))
  end)

  it("may be long, and is left as it was", function()
    local grid, goals = wend.grid(50, 3), {}
    for x = 30, 49 do
      goals[#goals + 1] = x
      goals[#goals + 1] = 2
    end
    for _, heuristic in ipairs(grid_reference.HEURISTICS) do
      assert.equal("27,2 28,2 29,2 30,2", text(grid:path(27, 2, goals, { heuristic = heuristic })))
      assert.equal(29, grid:path(1, 2, goals, { heuristic = heuristic }).cost)
    end
    assert.same({ 40, 30, 2 }, { #goals, goals[1], goals[2] })
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

  it("shows each agent a world of its own", function()
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

  it("is told apart from others that differ in anything, asked in turn", function()
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

  it("has a default for tags that nobody set, and leaves cells without a tag alone", function()
    local costs = wend.costs({ road = 0.5 }, { default = 5 })
    assert.equal(0.5 + 5 + 1, draw(".=T."):path(1, 1, 4, 1, { costs = costs }).cost)
  end)

  it("has rules on top of its values", function()
    local costs = wend.costs { swamp = 2 }
    costs:rule("rain", "swamp", function(_, factor) return factor * 3 end)
    assert.equal(7, draw(".~."):path(1, 1, 3, 1, { costs = costs }).cost)
    costs:remove "rain"
    assert.equal(3, draw(".~."):path(1, 1, 3, 1, { costs = costs }).cost)
  end)

  it("reports a rule that raises, and searches without it, where on_error is set", function()
    local costs, reported = wend.costs(), {}
    costs:edge_rule("cursed", function() error("no luck", 0) end)
    costs.on_error = function(name, message) reported[#reported + 1] = name .. ": " .. message end
    assert.equal(2, draw("..."):path(1, 1, 3, 1, { costs = costs }).cost)
    assert.same({ "cursed: no luck" }, reported)
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

  it("says what a step costs", function()
    local grid = wend.grid(4, 1)
    assert.equal(30, grid:path(1, 1, 4, 1, { cost = function(_, cost) return cost * 10 end }).cost)
    assert.equal(3, grid:path(1, 1, 4, 1, { cost = function() end }).cost)
    assert.equal(nil, (grid:path(1, 1, 4, 1, { cost = function(_, cost, _, x) return x ~= 2 and cost end })))
  end)

  it("is the article's wt({x, y}, {x', y'}), live: walls that only some agents meet", function()
    local function ghost_wall(agent, _, _, x1, _, x2)
      if not agent.ghost and (x1 == 2 and x2 == 3 or x1 == 3 and x2 == 2) then return false end
    end
    local grid = wend.grid(4, 3)
    assert.equal(nil, (grid:path(1, 1, 4, 1, { cost = ghost_wall })))
    assert.equal(3, grid:path(1, 1, 4, 1, { cost = ghost_wall, agent = { ghost = true } }).cost)
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

  it("applies to the tags that its rule names", function()
    local costs = wend.costs():edge_rule("leeches", function(_, cost) return cost + 5 end, { tags = { "swamp" } })
    assert.equal(1 + 6 + 1, draw(".=~."):path(1, 1, 4, 1, { costs = costs }).cost)
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
    assert.equal(expanded.octile, expanded.auto)
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

  it("heuristic: a function may say math.huge for: no way from here", function()
    local path = wend.grid(3, 3, { diagonals = "never" }):set(2, 2, false):path(1, 2, 3, 2, {
      heuristic = function(x, y) return x == 2 and y == 1 and HUGE or 0 end,
    })
    assert.equal("1,2 1,3 2,3 3,3 3,2", text(path))
  end)

  it("max_expanded: what the search needed is enough, and no less", function()
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

  it("max_expanded: of 0 lets one stay, and no more", function()
    local grid = wend.grid(3, 1)
    assert.equal(0, grid:path(2, 1, 2, 1, { max_expanded = 0 }).cost)
    assert.equal("budget", select(3, grid:path(1, 1, 2, 1, { max_expanded = 0 })))
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

  it("max_cost: says 'no_path' where no budget would help", function()
    assert.equal("no_path", select(3, draw(".#."):path(1, 1, 3, 1, { max_cost = 10 })))
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

  it("partial: leads all the way where there is one, and then is not partial", function()
    local path = wend.grid(5, 1):path(1, 1, 5, 1, { partial = true })
    assert.same({ 4, nil }, { path.cost, path.partial })
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
    local path = assert(wend.grid(100, 1):path(1, 1, 100, 1, { partial = true, max_expanded = 10 }))
    assert.same({ 11, 10, true }, { path[#path - 1], path.cost, path.partial })
    path = assert(wend.grid(100, 1):path(1, 1, 100, 1, { partial = true, max_cost = 20 }))
    assert.same({ 21, 20, true }, { path[#path - 1], path.cost, path.partial })
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

  it("stats: tells what the search did", function()
    local stats = {}
    wend.grid(5, 1):path(1, 1, 5, 1, { stats = stats, algorithm = "dijkstra" })
    assert.same({ expanded = 4, pushed = 5, callbacks = 0, bound = 0 }, stats)
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

  it("is searched cell by cell where anything asks for that", function()
    local function same() end
    for what, case in pairs {
      ["one dearer cell"] = { hall():set(99, 99, 2) },
      ["a wall far away"] = { hall():wall(98, 98, 99, 99) },
      ["a link far away"] = { hall():link(98, 98, 99, 99) },
      ["another policy"] = { wend.grid(100, 100, { diagonals = "always" }):fill(50, 1, 50, 70, false) },
      ["a price"] = { wend.grid(100, 100):fill "toll", { costs = wend.costs { toll = { plus = 1 } } } },
      ["a callback"] = { hall(), { cost = same, at_least = 1 } },
      ["an edge rule"] = { hall(), { costs = wend.costs():edge_rule("same", same, { at_least = 1 }) } },
      ["a budget"] = { hall(), { max_expanded = 1e6 } },
      ["a greatest cost"] = { hall(), { max_cost = 1e6 } },
      ["partial"] = { hall(), { partial = true } },
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

describe("grid:search", function()
  local function finish(search, n)
    while search:step(n) == "running" do end
    return search:step(1)
  end

  it("is the same search, a slice at a time", function()
    local grid = wend.grid(30, 30):fill(15, 1, 15, 25, false):fill(4, 4, 9, 9, 3)
    for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { max_cost = 10 } } do
      local whole = show(grid:path(3, 3, 27, 4, opts))
      for _, slice in ipairs { 1, 2, 7, 1000 } do
        local search = grid:search(3, 3, 27, 4, opts)
        finish(search, slice)
        assert.equal(whole, show(search:path()))
      end
    end
  end)

  it("is the same by jumps, too", function()
    local grid = wend.grid(100, 100):fill(50, 1, 50, 70, false):fill(20, 30, 22, 100, false)
    local stats = {}
    local whole = show(grid:path(5, 5, 95, 60, { stats = stats }))
    local search = grid:search(5, 5, 95, 60)
    local steps = 1
    while search:step(1) == "running" do steps = steps + 1 end
    assert.equal(whole, show(search:path()))
    assert.truthy(steps > 1 and steps <= stats.expanded + 2, steps)
  end)

  it("takes a list of goals", function()
    local search = wend.grid(9, 1):search(5, 1, { 1, 1, 7, 1 })
    assert.equal("found", finish(search, 1))
    assert.equal("5,1 6,1 7,1", text(search:path()))
  end)

  it("says 'failed', and why", function()
    local search = draw(".#."):search(1, 1, 3, 1)
    assert.equal("failed", finish(search, 1))
    helper.fails("no path from (1,1) to (3,1)", "no_path", search.path, search)
  end)

  for what, edit in pairs {
    ["a cell"] = function(grid) grid:set(20, 1, false) end,
    ["a cell far away"] = function(grid) grid:set(1, 3, 2) end,
    ["a wall"] = function(grid) grid:wall(20, 1, 21, 1) end,
    ["a link"] = function(grid) grid:link(1, 1, 30, 1) end,
    ["a link that is gone"] = function(grid) grid:unlink(1, 3, 5, 3) end,
    ["a rectangle"] = function(grid) grid:fill(1, 2, 30, 3, "mud") end,
    ["a map"] = function(grid) grid:map(function(x) return x end) end,
  } do
    it("is stale once the grid has changed: " .. what, function()
      local grid = wend.grid(30, 3):link(1, 3, 5, 3)
      local search = grid:search(1, 1, 30, 1)
      assert.equal("running", search:step(1))
      edit(grid)
      assert.equal("failed", search:step(1))
      helper.fails("the grid or the costs have changed since the search began", "stale", search.path, search)
    end)
  end

  it("is not stale where an edit has changed nothing", function()
    local grid = wend.grid(30, 1)
    local search = grid:search(1, 1, 30, 1, { heuristic = "octile" })
    search:step(1)
    grid:set(7, 1, 1):fill(1, 1, 30, 1, 1):wall(1, 1, 2, 1, false):unlink(1, 1, 5, 1)
    assert.equal("found", finish(search, 5))
  end)

  it("is stale once the profile has changed", function()
    local costs = wend.costs { swamp = 2 }
    local search = wend.grid(30, 1):search(1, 1, 30, 1, { costs = costs, heuristic = "octile" })
    assert.equal("running", search:step(1))
    costs:set("swamp", 3)
    assert.equal("failed", search:step(1))
    helper.fails("the grid or the costs have changed since the search began", "stale", search.path, search)
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

  it("explains by which rules", function()
    local costs = wend.costs { swamp = { times = 2, plus = 1 } }
    costs:rule("rain", "swamp", function(_, factor) return factor * 2 end)
    costs:edge_rule("wind", function(_, cost) return cost + 0.5 end)
    local path = draw(".w"):path(1, 1, 2, 1, { costs = costs, cost = function(_, cost) return cost * 10 end })
    assert.same({ {
      from_x = 1, from_y = 1, to_x = 2, to_y = 1, weight = 3, cost = 135, tag = "swamp", rules = {
        { name = "tag 'swamp'", cost = 7 }, { name = "rule 'rain'", cost = 13 }, { name = "rule 'wind'", cost = 13.5 },
        { name = "option 'cost'", cost = 135 },
      },
    } }, path:explain())
    assert.equal(135, path.cost)
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

  it("explains by other costs and for another agent where these are given", function()
    local path = draw(".~"):path(1, 1, 2, 1, { costs = wend.costs {
      swamp = function(agent) return agent.boots and 1 or 2 end,
    } })
    assert.equal(2, path:explain()[1].cost)
    assert.equal(1, path:explain({ agent = { boots = true } })[1].cost)
    assert.equal(9, path:explain({ costs = wend.costs { swamp = 9 } })[1].cost)
  end)

  it("explains present costs after an edit", function()
    local grid = wend.grid(2, 1)
    local path = grid:path(1, 1, 2, 1)
    grid:set(2, 1, 5)
    assert.same({ 5, 1 }, { path:explain()[1].cost, path.cost })
  end)
end)

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
    ["closing a cell of it"] = function(grid) grid:set(4, 2, false) end,
    ["a new weight"] = function(grid) grid:set(4, 2, 2) end,
    ["a lower weight"] = function(grid) grid:set(4, 2, 0.5) end,
    ["a tag"] = function(grid) grid:set(4, 2, "mud") end,
    ["closing its goal"] = function(grid) grid:set(7, 2, false) end,
    ["a rectangle over it"] = function(grid) grid:fill(6, 1, 6, 3, 4) end,
    ["filling all of it"] = function(grid) grid:fill(2) end,
    ["a map that changes one cell of it"] = function(grid)
      grid:map(function(x, y) if x == 5 and y == 2 then return "mud" end end)
    end,
    ["a wall across it"] = function(grid) grid:wall(4, 2, 5, 2) end,
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

  it("is false after its link is gone, or is another", function()
    local grid, path = fresh(true)
    grid:unlink(3, 2, 5, 2)
    assert.equal(false, path:valid())
    grid, path = fresh(true)
    grid:link(3, 2, 5, 2, { weight = 7 })
    assert.equal(false, path:valid())
  end)

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
      { true, function(grid) grid:link(4, 2, 5, 2) end, function(grid) grid:link(4, 2, 5, 2, { weight = 3 }) end },
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

  for what, edit in pairs {
    ["closing a cell elsewhere"] = function(grid) grid:set(6, 3, false) end,
    ["a weight elsewhere"] = function(grid) grid:set(2, 3, 7) end,
    ["a new tag elsewhere"] = function(grid) grid:set(7, 3, "a tag nobody has seen") end,
    ["opening a cell elsewhere"] = function(grid) grid:set(4, 1, 1) end,
    ["a rectangle elsewhere"] = function(grid) grid:fill(5, 3, 7, 3, false) end,
    ["a map that changes cells elsewhere"] = function(grid)
      grid:map(function(_, y) if y == 3 then return false end end)
    end,
    ["a wall elsewhere"] = function(grid) grid:wall(6, 3, 7, 3) end,
    ["a link elsewhere"] = function(grid) grid:link(1, 3, 7, 3) end,
    ["a shortcut"] = function(grid) grid:link(2, 1, 7, 2) end,
    ["giving cells of it the value that they have"] = function(grid) grid:set(4, 2, 1):fill(1, 2, 7, 2, 1) end,
    ["taking a wall away where none is"] = function(grid) grid:wall(4, 2, 5, 2, false) end,
    ["searches"] = function(grid) grid:path(1, 3, 7, 3) end,
  } do
    it("is true after " .. what, function()
      local grid, path = fresh()
      edit(grid)
      assert.equal(true, path:valid())
    end)
  end

  it("is true after another link at one of its cells", function()
    local grid, path = fresh(true)
    grid:link(3, 2, 7, 3):unlink(3, 2, 7, 3)
    assert.equal(true, path:valid())
  end)

  it("stays false when a door was closed and opened again", function()
    local grid, path = fresh()
    grid:set(4, 2, false):set(4, 2, 1)
    assert.equal(false, path:valid())
    assert.equal(true, grid:path(2, 1, 7, 2):valid())
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

  it("looks at every cell that the line passes through, however little of it", function()
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

  it("asks for whom", function()
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

describe("grid:straighten", function()
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

  it("leaves the path that it is given as it was", function()
    local grid = wend.grid(9, 9)
    local path = grid:path(1, 1, 9, 5)
    local before = show(path)
    assert.not_equal(path, grid:straighten(path))
    assert.equal(before, show(path))
  end)

  it("goes around what is closed, from corner to corner", function()
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
