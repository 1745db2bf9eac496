-- SPDX-License-Identifier: MIT
-- Grids: what a cell is worth, and what a step costs. A star in a drawing is a cell of the path.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local text, looks, near, drawing = grid_reference.text, grid_reference.looks, reference.near, grid_reference.drawing

local SQRT2, HUGE = math.sqrt(2), math.huge
local unpack_all = table.unpack or rawget(_G, "unpack")
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

  it("takes 8 bytes a cell at most #memory", function()
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

  it("does not grow with the edits that are made #memory", function()
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
    ["a table with closed = true: closed"] = { { weight = 3, tag = "door", closed = true }, false, "door" },
    ["a table with closed = false: open"] = { { weight = 3, closed = false }, 3 },
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

describe("the legend of a drawing", function()
  it("gives a value the character that the drawing used most: the floor stays floor where a hero stood", function()
    assert.equal("#.......#", wend.parse_grid({ "#..k.>..#" }, { k = 1, [">"] = 1 }):text())
    assert.equal("##_____##", wend.parse_grid({ "##_k>__##" }, { k = 1, [">"] = 1, _ = 1 }):text())
    assert.equal("##__##", wend.parse_grid({ "##__##" }, { _ = 1 }):text())
    local saved = wend.parse_grid({ "#..k.#" }, { k = 1 }):encode()
    assert.equal("#....#", wend.decode(saved):text())
  end)
end)

describe("grid:set", function()
  it("counts the column first, then the row, from the upper left", function()
    assert.equal(drawing [[
      ..2
      ...
    ]], wend.grid(3, 2):set(3, 1, 2):text())
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

  it("keeps any number of different weights", function()
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

  it("takes a weight and a tag, as grid:get returns them", function()
    local grid = wend.grid(3, 1):set(1, 1, { weight = 2.5, tag = "swamp" })
    grid:set(2, 1, grid:get(1, 1)):set(3, 1, 4, nil)
    assert.same({ { 2.5, "swamp" }, { 4 } }, { get(grid, 2, 1), get(grid, 3, 1) })
    grid:set(2, 1, grid:get(3, 1)):set(3, 1, false, "swamp")
    assert.same({ { 4 }, { false, "swamp" } }, { get(grid, 2, 1), get(grid, 3, 1) })
  end)

  it("copies a closed cell with its tag, but not the weight that it keeps", function()
    local grid = wend.grid(2, 1):set(1, 1, 3, "door"):close(1, 1)
    grid:set(2, 1, grid:get(1, 1))
    assert.same({ { false, "door" }, 1 }, { get(grid, 2, 1), grid:weight(2, 1) })
  end)

  it("makes a new tag for a new name", function()
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
    ]], wend.grid(5, 4):fill(2, 2, 4, 3, 3):text())
  end)

  it("takes the corners in any order", function()
    local expected = wend.grid(5, 4):fill(2, 2, 4, 3, 3):text()
    assert.equal(expected, wend.grid(5, 4):fill(4, 3, 2, 2, 3):text())
    assert.equal(expected, wend.grid(5, 4):fill(4, 2, 2, 3, 3):text())
    assert.equal(expected, wend.grid(5, 4):fill(2, 3, 4, 2, 3):text())
  end)

  it("fills one cell, one row, and across what a machine word holds", function()
    assert.equal("..2", wend.grid(3, 1):fill(3, 1, 3, 1, 2):text())
    local grid = wend.grid(200, 3):fill(60, 2, 131, 2, false)
    for x = 1, 200 do
      assert.equal((x < 60 or x > 131) and 1, (grid:get(x, 2)))
      assert.equal(1, (grid:get(x, 1)))
      assert.equal(1, (grid:get(x, 3)))
    end
    near(2 * SQRT2 + 128, grid:path(30, 2, 160, 2).cost)
  end)

  it("takes a weight and a tag", function()
    local grid = wend.grid(3, 2):fill(2, "swamp"):fill(2, 1, 3, 1, 3, "road"):fill(1, 2, 1, 2, false, "wall")
    assert.same({ 2, "swamp" }, get(grid, 1, 1))
    assert.same({ 3, "road" }, get(grid, 3, 1))
    assert.same({ false, "wall" }, get(grid, 1, 2))
    grid:fill(grid:get(3, 1)):fill(1, 1, 1, 2, 7, nil)
    assert.same({ { 7 }, { 3, "road" } }, { get(grid, 1, 1), get(grid, 3, 2) })
    assert.same({ 7 }, get(grid:fill(grid:get(1, 2)), 2, 2))
  end)

  it("closes and opens", function()
    local grid = wend.grid(5, 1):fill(2, 1, 4, 1, false)
    assert.equal(nil, (grid:path(1, 1, 5, 1)))
    grid:fill(2, 1, 4, 1, 1)
    assert.equal(4, grid:path(1, 1, 5, 1).cost)
  end)
end)

-- The closed cells of a grid, in rows.
local function closed_cells(grid)
  local rows = {}
  for y = 1, grid:height() do
    local row = {}
    for x = 1, grid:width() do row[x] = grid:is_closed(x, y) and "#" or "." end
    rows[y] = table.concat(row)
  end
  return table.concat(rows, "\n")
end

describe("grid:close and grid:open", function()
  it("close and open a cell, which keeps its weight and tag", function()
    local grid = wend.grid(3, 1):set(2, 1, 2.5, "door")
    grid:close(2, 1)
    assert.same({ { false, "door" }, true, 2.5 }, { get(grid, 2, 1), grid:is_closed(2, 1), grid:weight(2, 1) })
    grid:open(2, 1)
    assert.same({ { 2.5, "door" }, false, 2.5 }, { get(grid, 2, 1), grid:is_closed(2, 1), grid:weight(2, 1) })
    assert.same({ { 1 }, false }, { get(grid, 1, 1), grid:is_closed(1, 1) })
  end)

  it("are seen by the next path, clear and field", function()
    local grid = wend.grid(3, 1):set(2, 1, 2.5, "door")
    local doors = wend.costs { door = 2 }
    for _ = 1, 3 do
      grid:close(2, 1)
      assert.equal(nil, (grid:path(1, 1, 3, 1)))
      assert.equal(nil, (grid:path(1, 1, 3, 1, { costs = doors })))
      assert.equal(false, grid:clear(1, 1, 3, 1))
      assert.equal(nil, grid:field(3, 1):cost(1, 1))
      grid:open(2, 1)
      assert.equal(3.5, grid:path(1, 1, 3, 1).cost)
      assert.equal(6, grid:path(1, 1, 3, 1, { costs = doors }).cost)
      assert.equal(true, grid:clear(1, 1, 3, 1))
      assert.equal(3.5, grid:field(3, 1):cost(1, 1))
    end
  end)

  it("take a rectangle, corners included and in any order", function()
    for _, corners in ipairs { { 2, 2, 4, 3 }, { 4, 3, 2, 2 }, { 4, 2, 2, 3 }, { 2, 3, 4, 2 } } do
      local grid = wend.grid(5, 4):map(function(x, y) return { weight = x + 10 * y, tag = "t" .. y } end)
      grid:close(unpack_all(corners))
      assert.equal(".....\n.###.\n.###.\n.....", closed_cells(grid))
      grid:open(3, 1, 3, 4)
      assert.equal(".....\n.#.#.\n.#.#.\n.....", closed_cells(grid))
      grid:open(unpack_all(corners))
      for y = 1, 4 do
        for x = 1, 5 do assert.same({ x + 10 * y, "t" .. y }, get(grid, x, y)) end
      end
    end
  end)

  it("keep the weight 0, small and large ones", function()
    for _, weight in ipairs { 0, 5e-324, 0.1, 1, 1e308 } do
      local grid = wend.grid(2, 2):fill(weight, "mud"):close(1, 1, 2, 2)
      assert.same({ { false, "mud" }, weight }, { get(grid, 2, 1), grid:weight(2, 1) })
      assert.same({ weight, "mud" }, get(grid:open(1, 1, 2, 2), 2, 1))
    end
  end)

  it("open a cell that was closed by false, math.huge or '#' with weight 1, and with its tag", function()
    local grid = wend.parse_grid("#...")
    grid:set(2, 1, false, "door"):set(3, 1, HUGE):set(4, 1, { weight = false, tag = "gate" })
    for x = 1, 4 do assert.same({ true, 1 }, { grid:is_closed(x, 1), grid:weight(x, 1) }) end
    grid:open(1, 1, 4, 1)
    assert.same({ { 1 }, { 1, "door" }, { 1 }, { 1, "gate" } },
      { get(grid, 1, 1), get(grid, 2, 1), get(grid, 3, 1), get(grid, 4, 1) })
  end)

  it("open a cell that was set with closed = true with its weight", function()
    local door = { weight = 2, tag = "door", closed = true }
    local grid = wend.parse_grid("D.", { D = door })
    grid:set(2, 1, door)
    assert.same({ { false, "door" }, { false, "door" } }, { get(grid, 1, 1), get(grid, 2, 1) })
    grid:open(1, 1, 2, 1)
    assert.same({ { 2, "door" }, { 2, "door" } }, { get(grid, 1, 1), get(grid, 2, 1) })
    grid:fill(door):open(2, 1)
    assert.same({ { false, "door" }, { 2, "door" } }, { get(grid, 1, 1), get(grid, 2, 1) })
    grid:map(function() return { closed = true } end):open(1, 1)
    assert.same({ { 1 }, { false } }, { get(grid, 1, 1), get(grid, 2, 1) })
  end)

  it("leave the kept weight alone where grid:map returns nil, and forget it where the cell is set", function()
    local grid = wend.grid(2, 1):fill(3, "door"):close(1, 1, 2, 1)
    grid:map(function() end)
    assert.same({ 3, 3 }, { grid:weight(1, 1), grid:weight(2, 1) })
    grid:set(1, 1, false)
    assert.same({ { false }, 1 }, { get(grid, 1, 1), grid:weight(1, 1) })
    assert.same({ 3, "door" }, get(grid:open(2, 1), 2, 1))
  end)

  it("are kept by grid:copy, and drawn by grid:text like other closed cells of their tag", function()
    local grid = wend.parse_grid(".d#", { d = "door", D = { tag = "door", closed = true } }):set(2, 1, 3, "door")
    local copy = grid:close(1, 1, 2, 1):copy()
    assert.equal("#D#", copy:text())
    assert.same({ { false, "door" }, 3 }, { get(copy, 2, 1), copy:weight(2, 1) })
    assert.same({ 3, "door" }, get(copy:open(2, 1), 2, 1))
    assert.equal(true, grid:is_closed(2, 1))
  end)

  it("change nothing where cells are closed or open already", function()
    local grid = wend.grid(30, 1):set(5, 1, 3):close(20, 1, 30, 1)
    local path, field = assert(grid:path(1, 1, 19, 1)), grid:field(1, 1)
    local search = grid:search(1, 1, 19, 1, { heuristic = "octile" })
    search:step(1)
    grid:open(5, 1):open(1, 1, 19, 1):close(25, 1):close(20, 1, 30, 1)
    assert.same({ true, true }, { path:valid(), field:valid() })
    while search:step(5) == "running" do end
    assert.equal(20, search:result().cost)
  end)

  it("do not let the memory grow", function()
    local grid = wend.grid(100, 100):map(function(x, y) return { weight = 1 + (x + y) % 7, tag = "t" .. x % 5 } end)
    grid:close(1, 1, 100, 100):open(1, 1, 100, 100)
    local before = grid:bytes()
    for i = 1, 2000 do
      grid:close(1 + i % 90, 1, 1 + i % 90, 50):open(1 + i % 90, 1, 1 + i % 90, 50)
    end
    assert.equal(before, grid:bytes())
  end)

  it("give up the palette when there is no room for the kinds of closed cells #slow", function()
    -- 50,000 kinds: twice as many do not fit.
    local grid = wend.grid(250, 200):map(function(x, y) return x + y * 1000 end)
    assert.truthy(grid:encode():find("KIND", 1, true))
    grid:close(1, 1, 250, 200):open(7, 9)
    assert.truthy(grid:encode():find("VALU", 1, true))
    for y = 1, 200 do
      for x = 1, 250 do
        local weight = grid:get(x, y)
        if weight ~= (x == 7 and y == 9 and 9007) or grid:weight(x, y) ~= x + y * 1000 then
          assert.same({ x, y }, { x, y, weight, grid:weight(x, y) })
        end
      end
    end
    assert.equal(11 + 9000 + 10 + 9000, grid:open(5, 9, 11, 9):path(9, 9, 11, 9).cost)
  end)
end)

describe("grid:has", function()
  it("tells whether there is such a cell", function()
    local grid = wend.grid(3, 2)
    for _, cell in ipairs { { 1, 1 }, { 3, 1 }, { 1, 2 }, { 3, 2 }, { 2.0, 2.0 } } do
      assert.equal(true, grid:has(cell[1], cell[2]))
      assert.equal(true, grid:has { x = cell[1], y = cell[2] })
    end
    local NAN = 0 / 0
    for _, cell in ipairs { { 0, 1 }, { 1, 0 }, { 4, 1 }, { 1, 3 }, { -1, 1 }, { 1.5, 1 }, { 1, 1.5 }, { NAN, 1 },
      { 1, NAN }, { HUGE, 1 }, { 1, -HUGE }, { 2 ^ 32 + 1, 1 }, { 1, 2 ^ 53 }, { 2 ^ 64 + 1, 1 } } do
      assert.equal(false, grid:has(cell[1], cell[2]))
      assert.equal(false, grid:has { x = cell[1], y = cell[2] })
    end
  end)
end)

describe("grid:position", function()
  it("is the centre of a cell in the world", function()
    assert.same({ 0.5, 0.5 }, { wend.grid(3, 2):position(1, 1) })
    local grid = wend.grid(3, 2, { cell = 32, origin = { 100, -50 } })
    assert.same({ 116, -34 }, { grid:position(1, 1) })
    assert.same({ 180, -2 }, { grid:position(3, 2) })
  end)

  it("is the point that path:points gives for the cell, and lies in the cell", function()
    local grid = wend.grid(9, 7, { cell = 0.1, origin = { -0.3, 0.7 } })
    local path = grid:path(1, 1, 9, 7)
    local points = path:points()
    for i, x, y in path:each() do
      local px, py = grid:position(x, y)
      assert.same({ points[2 * i - 1], points[2 * i] }, { px, py })
      assert.same({ x, y }, { grid:cell_at(px, py) })
    end
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
    ]], grid:text())
  end)

  it("may search the grid, as it was before", function()
    local grid = wend.grid(4, 1)
    grid:map(function(x) return grid:path(1, 1, x, 1).cost + 1 end)
    assert.equal(".234", grid:text())
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
    assert.equal("..#\n...", wend.parse_grid "\t\t..#\n\t\t...\n":text())
  end)

  it("does without a line's end after the last row", function()
    assert.equal(".#", wend.parse_grid ".#":text())
  end)

  it("takes lines that end in CR LF", function()
    assert.equal(".#\n#.", wend.parse_grid ".#\r\n#.\r\n":text())
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

  it("takes the options of wend.grid, also without a legend", function()
    local rows = { ".#", "#." }
    assert.equal(SQRT2, wend.parse_grid(rows, {}, { diagonals = "always" }):path(1, 1, 2, 2).cost)
    assert.equal(SQRT2, wend.parse_grid(rows, nil, { diagonals = "always" }):path(1, 1, 2, 2).cost)
    assert.same({ 15, 25 }, wend.parse_grid("..", {}, { cell = 10, origin = { 10, 20 } }):path(1, 1, 1, 1):points())
  end)

  it("reads the text that grid:text gives", function()
    local drawn = drawing [[
      .#..~~.
      ==.#~~#
      w.T....
    ]]
    assert.equal(drawn, draw(drawn):text())
    assert.equal(drawn, draw(draw(drawn):text()):text())
  end)
end)

describe("grid:text()", function()
  it("is the map as text", function()
    assert.equal("..\n.#", wend.grid(2, 2):set(2, 2, false):text())
  end)

  it("shows cells of the legend as the legend has them", function()
    local grid = draw { "~=w#." }
    assert.equal("~=w#.", grid:text())
    grid:set(5, 1, "swamp"):set(4, 1, 1)
    assert.equal("~=w.~", grid:text())
  end)

  it("shows other tags by their first letter that is still free", function()
    local grid = wend.grid(5, 1):fill(1, 1, 2, 1, "swamp"):set(4, 1, "sw"):set(5, 1, "road")
    assert.equal("ss.wr", grid:text())
  end)

  it("shows the weights 2 to 9 of cells without a tag as digits, and others as a question mark", function()
    assert.equal(".29???#", wend.grid(7, 1):map(function(x)
      local values = { 1, 2, 9, 10, 0.5, 0, false }
      return values[x]
    end):text())
  end)

  it("draws grids of any size", function()
    assert.equal(1000 * 401 - 1, #wend.grid(400, 1000):text())
    assert.equal(("."):rep(70000), wend.grid(70000, 1):text())
  end)
end)

describe("grid:tags", function()
  it("counts the cells and links of each tag, and those without a tag", function()
    local grid = wend.grid(4, 3):fill(1, 1, 4, 1, "road"):set(2, 2, "mud"):set(3, 2, { weight = false, tag = "mud" })
    assert.same({ { road = 4, mud = 2 }, 6 }, { grid:tags() })
    grid:set(1, 1, 1):set(2, 2, 1):set(3, 2, false)
    assert.same({ { road = 3 }, 9 }, { grid:tags() })
    grid:link(1, 1, 4, 3, { tag = "stairs" }):link(1, 2, 4, 3, { tag = "road", directed = true }):link(1, 1, 3, 3)
    assert.same({ { road = 4, stairs = 2 }, 11 }, { grid:tags() })
    grid:unlink(1, 1, 4, 3)
    assert.same({ { road = 4 }, 11 }, { grid:tags() })
    assert.same({ {}, 1 }, { wend.grid(1, 1):tags() })
  end)

  it("counts like a loop over all cells and links", function()
    helper.rounds("tags of grids", 60, function(rng)
      local grid = grid_reference.random(rng).grid
      local counts, without = {}, 0
      local function count(tag)
        if tag then counts[tag] = (counts[tag] or 0) + 1 else without = without + 1 end
      end
      for y = 1, grid:height() do
        for x = 1, grid:width() do count((select(2, grid:get(x, y)))) end
      end
      for _, _, _, _, _, tag in grid:links() do count(tag) end
      assert.same({ counts, without }, { grid:tags() })
    end)
  end)

  it("counts the cells of a grid with more than 65,536 different ones #slow", function()
    local grid = wend.grid(300, 240):map(function(x, y)
      return { weight = x + y * 300, tag = x == 1 and "edge" or nil }
    end)
    assert.same({ { edge = 240 }, 240 * 299 }, { grid:tags() })
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

  it("that costs more than a double can hold is closed", function()
    local grid = wend.grid(2, 2, { diagonals = "always" }):fill(1.5e308)
    assert.equal(1.5e308, grid:path(1, 1, 2, 1).cost)
    assert.equal("no_path", select(3, grid:path(1, 1, 2, 2)))
    grid:fill(1, 1, 2, 2, { weight = 1.5e308, tag = "road" })
    assert.equal("no_path", select(3, grid:path(1, 1, 2, 1, { costs = wend.costs { road = 2 } })))
  end)
end)

describe("option diagonal_length", function()
  local LENGTHS = { 1, 1.25, 1.5, 1.9, 2 }

  it("is the length of a diagonal step", function()
    for _, length in ipairs(LENGTHS) do
      local grid = wend.grid(2, 2, { diagonal_length = length }):fill(3)
      assert.equal(length, grid:diagonal_length())
      assert.equal(3 * length, grid:path(1, 1, 2, 2).cost)
      local costs = wend.costs { mud = { times = 2, plus = 0.5 } }
      grid:fill { weight = 3, tag = "mud" }
      assert.equal(length * 3 * 2 + 0.5, grid:path(1, 1, 2, 2, { costs = costs }).cost)
      assert.equal(length * 3, grid:path(1, 1, 2, 2):explain()[1].cost)
      assert.equal(length * 3, grid:explain({ 1, 1, 2, 2 })[1].weight)
      assert.equal(length * 3, grid:close(2, 2):why_not(1, 1, 2, 2).cost)
    end
  end)

  it("counts in searches and fields, whatever the heuristic", function()
    for _, length in ipairs(LENGTHS) do
      for _, weights in ipairs { { 1 }, { 1, 1.0625 } } do
        local grid = wend.grid(40, 30, { diagonal_length = length }):set(40, 30, weights[#weights])
        local expected = 30 + 12 * (length - 1)
        for _, heuristic in ipairs(grid_reference.HEURISTICS) do
          near(expected, grid:path(5, 20, 35, 8, { heuristic = heuristic }).cost)
        end
        near(expected, grid:path(5, 20, 35, 8, { algorithm = "dijkstra" }).cost)
        near(expected, grid:paths({ 5, 20, 35, 8 })[1].cost)
        near(expected, grid:field(35, 8):cost(5, 20))
        near(expected, grid:field(5, 20, { outward = true }):cost(35, 8))
        near(expected, grid:route({ 4.5, 19.5 }, { 34.5, 7.5 }, { straighten = false }).cost)
        grid:prepare()
        near(expected, grid:path(5, 20, 35, 8).cost)
      end
    end
  end)

  it("decides which way is the cheapest", function()
    local rows = { "...", ".#.", "...", "..." }
    local function nodes(length, policy)
      local path = wend.parse_grid(rows, nil, { diagonal_length = length, diagonals = policy }):path(2, 1, 2, 3)
      return path.cost, #path / 2
    end
    assert.same({ 2, 3 }, { nodes(1, "always") })
    assert.same({ 3, 3 }, { nodes(1.5, "one_open") })
    assert.same({ 4, 5 }, { nodes(1, "both_open") })
    local tie = wend.grid(9, 2, { diagonal_length = 1 }):close(5, 1)
    assert.equal(8, tie:path(1, 1, 9, 1).cost)
    assert.equal(8, tie:set(9, 2, "mud"):path(1, 1, 9, 1).cost)
  end)

  it("makes straight lines shorter or longer by as much as steps", function()
    for _, length in ipairs(LENGTHS) do
      local grid = wend.grid(20, 20, { diagonal_length = length })
      local straight = grid:straighten(grid:path(3, 3, 13, 13))
      assert.equal(4, #straight)
      near(10 * length, straight.cost)
      straight = grid:straighten(grid:path(3, 3, 13, 8))
      assert.equal(4, #straight)
      local steps = 10 + 5 * (length - 1)
      near(math.sqrt(125) * steps / (10 + 5 * (SQRT2 - 1)), straight.cost)
      local sum = 0
      for _, step in ipairs(straight:explain()) do sum = sum + step.cost end
      near(straight.cost, sum)
      near(straight.cost, grid:route({ 2.5, 2.5 }, { 12.5, 7.5 }).cost)
    end
  end)

  it("belongs to copies, overlays and files", function()
    local grid = wend.grid(5, 5, { diagonal_length = 1.5 })
    local read = assert(wend.decode(grid:encode()))
    for _, other in ipairs { grid:copy(), read, grid:map(function() end), grid:overlay() } do
      assert.equal(1.5, other:diagonal_length())
      assert.equal(6, other:path(1, 1, 5, 5).cost)
      assert.equal(grid:encode(), other:copy():encode())
    end
    local field = grid:field(1, 1):encode()
    assert.truthy(wend.decode(field, { map = grid:copy() }))
    assert.is_nil(wend.decode(field, { map = wend.grid(5, 5) }))
    assert.is_nil(wend.decode(field, { map = wend.grid(5, 5, { diagonal_length = 1.25 }) }))
    assert.equal(wend.grid(5, 5):encode(), wend.grid(5, 5, { diagonal_length = SQRT2 }):encode())
  end)

  it("lets jump points skip cells below 2", function()
    for length, skips in pairs { [1] = true, [1.5] = true, [2] = false } do
      local grid, stats, plain = wend.grid(60, 60, { diagonal_length = length }):fill(20, 1, 20, 50, false), {}, {}
      local path = grid:path(5, 5, 50, 5, { stats = stats })
      near(grid:path(5, 5, 50, 5, { heuristic = "octile", stats = plain }).cost, path.cost)
      assert.equal(skips, stats.expanded * 10 < plain.expanded)
    end
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

  it("is removed by false, and put back by true", function()
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

  it("costs by its own tag, not by the tags of the cells at its ends", function()
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
  it("removes the links between two cells, both ways, and returns the grid", function()
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

-- Errors -----------------------------------------------------------------------------------------------------------

local raises = helper.raises
local NAN = 0 / 0
local STRING = "must be a string that is not empty"
local SEVEN, THREE = "must be a whole number in 1 .. 7", "must be a whole number in 1 .. 3"
local VALUE = "must be a number >= 0, false, a tag or { weight =, tag = }"
local GRID_OPTIONS = "(expected one of: diagonals, diagonal_length, projection, cell, origin, "
  .. "shape, shift, flat, side)"

local grid

local function fixture() grid = wend.grid(7, 3) end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("a call of a grid", function()
  before_each(fixture)

  all {
    "unknown option 'diagonal' " .. GRID_OPTIONS, function() wend.grid(7, 3, { diagonal = "never" }) end,
    "unknown option 1 " .. GRID_OPTIONS, function() wend.grid(7, 3, { "never" }) end,
    "origin must be a position ({ x, y }), got 7", function() wend.grid(7, 3, { origin = 7 }) end,
    "origin: x must be a finite number (up to 1e150), got nil", function() wend.grid(7, 3, { origin = {} }) end,
    "origin: y must be a finite number (up to 1e150), got nan",
      function() wend.grid(7, 3, { origin = { 1, NAN } }) end,
    "origin: y must be a finite number (up to 1e150), got 'a'",
      function() wend.grid(7, 3, { origin = { x = 1, y = "a" } }) end,
    "cell: x must be a finite number > 0, got nil", function() wend.grid(7, 3, { cell = {} }) end,
    "cell: y must be a finite number > 0, got nil", function() wend.grid(7, 3, { cell = { 64 } }) end,
    "cell: y must be a finite number > 0, got 0", function() wend.grid(7, 3, { cell = { 64, 0 } }) end,
    "cell: x must be a finite number > 0, got nan", function() wend.grid(7, 3, { cell = { NAN, 32 } }) end,
    "cell: y must be a finite number > 0, got inf", function() wend.grid(7, 3, { cell = { x = 1, y = HUGE } }) end,
    "cell: x must be a finite number > 0, got 1e+101", function() wend.grid(7, 3, { cell = { 1e101, 1 } }) end,
    "cell: x must be a finite number > 0, got 'a'", function() wend.grid(7, 3, { cell = { "a", 1 } }) end,
    "unknown option 'wieght' (expected one of: weight, tag, closed)", function() grid:set(1, 1, { wieght = 2 }) end,
    "unknown option 1 (expected one of: weight, tag, closed)", function() grid:fill { 2, "swamp" } end,
    "a wall must be between two neighbouring cells, got (1,1) and (3,1)", function() grid:wall(1, 1, 3, 1) end,
    "a wall must be between two neighbouring cells, got (1,1) and (1,1)", function() grid:wall(1, 1, 1, 1) end,
    "a wall must be between two neighbouring cells, got (1,1) and (2,3)", function() grid:wall(1, 1, 2, 3) end,
    "unknown option 'cost' (expected one of: weight, tag, directed)",
      function() grid:link(1, 1, 3, 1, { cost = 7 }) end,
  }
end)

describe("a method that takes a rectangle", function()
  before_each(fixture)

  it("raises: grid:fill", function()
    raises("y2 " .. THREE .. ", got nil", grid.fill, grid, 1, 1, 1)
    raises("y1 " .. THREE .. ", got a table", grid.fill, grid, 1, {})
  end)

  it("raises: grid:close and grid:open", function()
    for _, name in ipairs { "close", "open" } do
      local method = grid[name]
      raises("y2 " .. THREE .. ", got nil", method, grid, 1, 1, 2)
      raises("y2 must be nil without x2, got 2", method, grid, 1, 1, nil, 2)
      raises("x2 " .. SEVEN .. ", got false", method, grid, 1, 1, false)
      raises("y " .. THREE .. ", got nil", method, grid, { x = 1 })
      raises("x2 " .. SEVEN .. ", got '1'", method, grid, { x = 1, y = 1 }, { x = "1", y = 1 })
      raises("the argument after y2 must be nil, got true", method, grid, 1, 1, 2, 2, true)
      raises("the argument after y2 must be nil, got 'mud'", method, grid, 1, 1, 2, 2, nil, "mud")
      assert.equal(".......\n.......\n.......", closed_cells(grid))
    end
  end)
end)

describe("a method that takes a cell's value", function()
  before_each(fixture)

  local function refuses(value, message)
    for what, call in pairs {
      set = function() grid:set(1, 1, value) end,
      fill = function() grid:fill(value) end,
      rectangle = function() grid:fill(1, 1, 2, 2, value) end,
    } do
      it(("raises: %s (%s)"):format(message, what), function()
        raises("value" .. message, call)
        assert.equal(".......\n.......\n.......", grid:text())
      end)
    end
    if value ~= nil then
      it(("raises: %s (map)"):format(message), function()
        raises("the value of cell (2,1)" .. message, grid.map, grid, function(x)
          if x == 1 then return false end
          return value
        end)
        assert.equal(".......\n.......\n.......", grid:text())
      end)
      it(("raises: %s (legend)"):format(message), function()
        raises("legend['~']" .. message, wend.parse_grid, { "~" }, { ["~"] = value })
      end)
    end
  end

  refuses(nil, " " .. VALUE .. ", got nil")
  refuses(-1, " " .. VALUE .. ", got -1")
  refuses(-HUGE, " " .. VALUE .. ", got -inf")
  refuses(NAN, " " .. VALUE .. ", got nan")
  refuses(true, " " .. VALUE .. ", got true")
  refuses("", " " .. STRING .. ", got ''")
  refuses(print, " " .. VALUE .. ", got a function")
  refuses(io.stdout, _VERSION >= "Lua 5.3" and " " .. VALUE .. ", got a FILE*" or " " .. VALUE .. ", got a userdata")
  refuses({ weight = -1 }, ": weight must be a number >= 0 or false, got -1")
  refuses({ weight = NAN }, ": weight must be a number >= 0 or false, got nan")
  refuses({ weight = "2" }, ": weight must be a number >= 0 or false, got '2'")
  refuses({ weight = true }, ": weight must be a number >= 0 or false, got true")
  refuses({ tag = 7 }, ": tag " .. STRING .. ", got 7")
  refuses({ tag = "" }, ": tag " .. STRING .. ", got ''")
  refuses({ tag = false }, ": tag " .. STRING .. ", got false")
  refuses({ closed = 1 }, ": closed must be true or false, got 1")
  refuses({ tag = "door", closed = "true" }, ": closed must be true or false, got 'true'")
end)

describe("a method that takes a weight and a tag", function()
  before_each(fixture)

  local AFTER = "tag must be nil after a tag or a table, got "
  for what, call in pairs {
    set = function(...) grid:set(1, 1, ...) end,
    cell = function(...) grid:set({ x = 1, y = 1 }, ...) end,
    fill = function(...) grid:fill(...) end,
    rectangle = function(...) grid:fill(1, 1, 2, 2, ...) end,
    corners = function(...) grid:fill({ x = 1, y = 1 }, { x = 2, y = 2 }, ...) end,
  } do
    it("raises for a wrong tag, for a tag too many and for further arguments: " .. what, function()
      raises("tag " .. STRING .. ", got ''", call, 2, "")
      raises(AFTER .. "'x'", call, "mud", "x")
      raises(AFTER .. "'x'", call, { weight = 2 }, "x")
      raises("value " .. VALUE .. ", got -1", call, -1, "x")
      raises("the argument after tag must be nil, got 3", call, 2, "x", 3)
      if what ~= "fill" then -- there these would be the coordinates of a rectangle
        raises("tag " .. STRING .. ", got 7", call, 2, 7)
        raises("tag " .. STRING .. ", got false", call, false, false)
        raises("the argument after tag must be nil, got 'y'", call, 2, nil, "y")
        raises("the argument after tag must be nil, got 3", call, "mud", nil, nil, 3)
        raises("value " .. VALUE .. ", got nil", call, nil, "x")
      end
      for y = 1, 3 do
        for x = 1, 7 do assert.same({ 1 }, get(grid, x, y)) end
      end
    end)
  end
end)

describe("grid:map", function()
  before_each(fixture)

  it("passes on the error of its function", function()
    local mine = {}
    raises("no mana", grid.map, grid, function() error("no mana", 0) end)
    local _, problem = pcall(grid.map, grid, function() error(mine) end)
    assert.equal(mine, problem)
  end)

  it("does not let its function edit the grid", function()
    local refused = 0
    grid:map(function()
      for _, edit in ipairs {
        function() grid:set(1, 1, 5) end, function() grid:fill(5) end, function() grid:wall(1, 1, 2, 1) end,
        function() grid:link(1, 1, 3, 3) end, function() grid:unlink(1, 1, 3, 3) end,
        function() grid:map(function() end) end, function() grid:close(1, 1) end,
        function() grid:open(1, 1, 2, 2) end,
      } do
        raises("the grid is being mapped: its own function cannot change it", edit)
        refused = refused + 1
      end
    end)
    assert.equal(168, refused)
    assert.equal(".......\n.......\n.......", grid:text())
    grid:set(1, 1, 5)
  end)
end)

describe("wend.parse_grid", function()
  before_each(fixture)

  local function parse(...)
    local count, list = select("#", ...), { ... }
    return function() return wend.parse_grid((unpack or table.unpack)(list, 1, count)) end
  end
  all {
    "text must be a string or a list of rows, got nil", parse(),
    "text must be a string or a list of rows, got 7", parse(7),
    "text must be a string or a list of rows, got a function", parse(print),
    "text must hold at least one row", parse "",
    "text must hold at least one row", parse "\n  \n\n",
    "text must hold at least one row", parse {},
    "row 1 is empty", parse { "" },
    "text[2] must be a string (a row), got 7", parse { "...", 7 },
    "row 3 is 6 wide, row 1 is 7 wide", parse "\n.......\n.......\n......\n",
    "row 2 is 4 wide, row 1 is 3 wide", parse { "...", "....", "..." },
    "row 2 is 0 wide, row 1 is 3 wide", parse { "...", "", "..." },
    "row 2 is 5 wide, row 1 is 3 wide: indent all rows by the same spaces or tabs", parse "\t...\n   ...\n",
    "row 2 is 3 wide, row 1 is 4 wide: indent all rows by the same spaces or tabs", parse "   ...\n  ...\n",
    "unknown character '\\t' in row 1, column 3 (legend: '#' '.')", parse "..\t.",
    "unknown character '?' in row 2, column 5 (legend: '#' '.')", parse { ".......", "....?..", "......." },
    "unknown character '?' in row 2, column 5 (legend: '#' '.' '~')",
      parse({ ".......", "....?..", "......." }, { ["~"] = "swamp" }),
    "unknown character ' ' in row 1, column 2 (legend: '#' '.')", parse { ". ." },
    "unknown character '\200' in row 1, column 2 (legend: '#' '.')", parse { ".\200." },
    "legend must be a table, got 'swamp'", parse("...", "swamp"),
    "each key of legend must be a string of one character, got 1", parse("...", { "swamp" }),
    "each key of legend must be a string of one character, got 'ab'", parse("...", { ab = 1 }),
    "each key of legend must be a string of one character, got ''", parse("...", { [""] = 1 }),
    "options must be a table, got 7", parse("...", {}, 7),
    "unknown option 'diagonal' " .. GRID_OPTIONS, parse("...", {}, { diagonal = "never" }),
    "diagonals must be one of: both_open, one_open, always, never, got 'some'",
      parse("...", {}, { diagonals = "some" }),
  }
end)
