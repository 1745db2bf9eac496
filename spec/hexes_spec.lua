-- SPDX-License-Identifier: MIT
-- Grids of hexes: what they are, and what is not for them. spec/random/hexes_spec.lua compares them with graphs.
local helper = require "spec.support.helper"
local wend = require "wend"

local function hexes(width, height, shift, flat)
  return wend.grid(width, height, { shape = "hex", shift = shift, flat = flat })
end

--- The cells one step from a cell, sorted: "1,2 2,2".
local function around(grid, x, y)
  local list = {}
  for y2 = 1, grid:height() do
    for x2 = 1, grid:width() do
      local path = grid:path(x, y, x2, y2)
      if path and path.cost == 1 then list[#list + 1] = x2 .. "," .. y2 end
    end
  end
  return table.concat(list, " ")
end

describe("a grid of hexes", function()
  it("has six neighbours for each hex, by which rows or columns are shifted", function()
    for options, expected in pairs {
      [{ "odd", false }] = { "1,1 2,1 1,2 3,2 1,3 2,3", "2,2 3,2 1,3 3,3 2,4 3,4" },
      [{ "even", false }] = { "2,1 3,1 1,2 3,2 2,3 3,3", "1,2 2,2 1,3 3,3 1,4 2,4" },
      [{ "odd", true }] = { "1,1 2,1 3,1 1,2 3,2 2,3", "1,2 2,2 3,2 1,3 3,3 2,4" },
      [{ "even", true }] = { "2,1 1,2 3,2 1,3 2,3 3,3", "2,2 1,3 3,3 1,4 2,4 3,4" },
    } do
      local grid = hexes(4, 4, options[1], options[2])
      assert.equal(expected[1], around(grid, 2, 2))
      assert.equal(expected[2], around(grid, 2, 3))
      assert.same({ "hex", options[1], options[2] }, { grid:shape() })
      assert.same({ "hex", options[1], options[2] }, { wend.decode(grid:encode()):shape() })
    end
    assert.same({ "hex", "odd", false }, { wend.grid(1, 1, { shape = "hex" }):shape() })
    assert.same({ "square" }, { wend.grid(1, 1, { shape = "square" }):shape() })
  end)

  it("has no corners: what lies beside a step does not matter", function()
    local grid = hexes(3, 3)
    grid:close(1, 1):close(3, 2):close(1, 2):wall(2, 2, 1, 3)
    local path = grid:path(2, 2, 2, 1)
    assert.equal(1, path.cost)
    grid:open(1, 1):wall(1, 1, 2, 1)
    assert.is_true(path:valid())
    assert.equal(1, grid:path(2, 2, 2, 1).cost)
    assert.is_false(grid:wall(2, 2, 2, 1) and path:valid())
  end)

  it("lists the walls that were put between its hexes, and no others", function()
    local grid, list = hexes(4, 3, "even"), {}
    assert.is_nil(grid:walls()())
    grid:wall(2, 2, 3, 1):wall(1, 1, 2, 1):wall(1, 1, 2, 1, false)
    for x, y, x2, y2 in grid:walls() do list[#list + 1] = { x, y, x2, y2 } end
    assert.same({ { 3, 1, 2, 2 } }, list)
    for _, closed in ipairs { true, false } do
      helper.raises("a wall must be between two neighbouring cells, got (2,2) and (1,1)", grid.wall, grid, 2, 2, 1, 1,
        closed)
    end
  end)

  it("estimates by steps: a search over open hexes expands few of them", function()
    for _, flat in ipairs { false, true } do
      local stats = {}
      assert.equal(59, hexes(60, 60, "odd", flat):path(1, 30, 60, 30, { stats = stats }).cost)
      assert.is_true(stats.expanded < 200, stats.expanded)
    end
  end)

  it("says why a step between two hexes that are no neighbours is none", function()
    local grid = hexes(3, 3)
    assert.equal("no_edge", grid:explain({ 1, 2, 2, 1 })[1].cause)
    assert.equal(1, #grid:close(1, 1, 3, 1):why_not(1, 2, 2, 1).obstacles)
  end)

  it("is looked over along lines that may run between two hexes", function()
    local grid = hexes(3, 3) -- from (1,1) a line runs down between (1,2) and (2,2)
    assert.is_true(grid:close(1, 2):sees(1, 1, 1, 3))
    assert.is_true(grid:wall(2, 2, 1, 2):sees(1, 1, 1, 3))
    assert.is_false(grid:wall(1, 1, 2, 2):sees(1, 3, 1, 1))
    assert.is_true(grid:wall(1, 1, 2, 2, false):sees(1, 3, 1, 1))
    assert.is_false(grid:close(2, 2):sees(1, 1, 1, 3))
    assert.same({ 1, 1, 2, 1, 3, 1, 1, 2, 2, 2, 3, 2 }, grid:visible(1, 1, 2))
  end)

  it("is drawn by rows, and read from them #tools", function()
    local grid = wend.parse_grid(".#.\n...", nil, { shape = "hex" })
    assert.equal(".#.\n...", grid:text())
    assert.equal("*#.\n.*.", grid:text { path = grid:path(1, 1, 2, 2) })
    local x, y = grid:position(3, 2)
    assert.equal("*#.\n.*Y", grid:text { points = { 1, 0.2, 1.4, 1.4 }, marks = { X = { 9, 9 }, Y = { x, y + 0.5 } } })
    assert.same({ "hex", "odd", false }, { grid:shape() })
  end)

  it("follows its base as an overlay, also with unknown cells", function()
    local grid = hexes(4, 4):wall(2, 2, 2, 1)
    local overlay, fog = grid:overlay(), grid:overlay { unknown = false }
    assert.equal(around(grid, 2, 2), around(overlay, 2, 2))
    fog:reveal(1, 1, 4, 4)
    assert.equal(around(grid, 2, 2), around(fog, 2, 2))
    fog:reset()
    assert.is_nil(fog:walls()())
    grid:wall(2, 2, 2, 1, false)
    assert.equal("1,1 2,1 1,2 3,2 1,3 2,3", around(overlay, 2, 2))
    assert.same({ "hex", "odd", false }, { fog:shape() })
  end)
end)

describe("Errors", function()
  local grid = hexes(5, 5)
  local path = grid:path(1, 1, 5, 5)
  helper.all_raise(it, {
    "the option 'diagonals' is not for hexes",
    function() wend.grid(2, 2, { shape = "hex", diagonals = "always" }) end,
    "the option 'diagonal_length' is not for hexes",
    function() wend.grid(2, 2, { shape = "hex", diagonal_length = 1 }) end,
    "the option 'projection' is not for hexes",
    function() wend.grid(2, 2, { shape = "hex", projection = "orthogonal" }) end,
    "the option 'shift' is for hexes: give shape = \"hex\"",
    function() wend.grid(2, 2, { shift = "odd" }) end,
    "the option 'flat' is for hexes: give shape = \"hex\"",
    function() wend.grid(2, 2, { shape = "square", flat = false }) end,
    "shape must be one of: square, hex, got 'octagon'",
    function() wend.grid(2, 2, { shape = "octagon" }) end,
    "shift must be one of: odd, even, got 'left'",
    function() wend.grid(2, 2, { shape = "hex", shift = "left" }) end,
    "flat must be true or false, got 1",
    function() wend.grid(2, 2, { shape = "hex", flat = 1 }) end,
    "grid:diagonals is not for hexes",
    function() grid.diagonals(grid) end,
    "grid:diagonal_length is not for hexes",
    function() grid.diagonal_length(grid) end,
    "grid:clear_points is not for hexes",
    function() grid.clear_points(grid, 1, 1, 2, 2) end,
    "grid:straighten is not for hexes",
    function() grid.straighten(grid, path) end,
    "grid:route is not for hexes",
    function() grid.route(grid, { 1, 1 }, { 2, 2 }) end,
    "a size > 1 is not for hexes",
    function() grid.path(grid, 1, 1, 2, 2, { size = 2 }) end,
    "a size > 1 is not for hexes",
    function() grid.field(grid, 1, 1, { size = 2 }) end,
    "the heuristic 'octile' is not for hexes",
    function() grid.path(grid, 1, 1, 2, 2, { heuristic = "octile" }) end,
    "the option 'corners' is not for hexes",
    function() grid.path(grid, 1, 1, 2, 2, { corners = true }) end,
  })

  it("#move crowds are not for hexes", function()
    helper.raises("a crowd is not for hexes", wend.crowd, { map = grid })
  end)
end)
