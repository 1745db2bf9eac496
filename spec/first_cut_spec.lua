-- SPDX-License-Identifier: MIT
-- grid:first_cut: who would lose its way if cells were closed. A failure of random grids prints WEND_SEED, WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local function gate()
  return wend.parse_grid [[
    .......
    ...#...
    ...#...
    .......
  ]]
end

describe("grid:first_cut", function()
  it("is nil where there are other ways", function()
    assert.is_nil(gate():first_cut({ 4, 1, 4, 1 }, { 1, 1 }, { 7, 1 }))
    assert.is_nil(gate():close(4, 4):first_cut({ 2, 2, 3, 3 }, { 1, 1 }, { 7, 1 }))
    assert.is_nil(wend.grid(50, 50):first_cut({ 20, 20, 21, 21 }, { 1, 1 }, { 50, 50 }))
  end)

  it("is the number of the first that would lose its way, and edits nothing", function()
    local grid = gate():close(4, 4)
    local text, path = grid:text(), grid:path(1, 1, 7, 1)
    assert.equal(1, grid:first_cut({ 4, 1, 4, 1 }, { 1, 1 }, { 7, 1 }))
    assert.equal(2, grid:first_cut({ 4, 1, 4, 1 }, { 7, 4, 1, 1, 2, 2 }, { 7, 1 }))
    assert.equal(1, grid:first_cut({ 5, 1, 3, 2 }, { 1, 1 }, { 7, 1 }))
    assert.same({ text, true }, { grid:text(), path:valid() })
  end)

  it("asks for a way to one of the goals", function()
    local grid = gate():close(4, 4)
    assert.is_nil(grid:first_cut({ 4, 1, 4, 1 }, { 1, 1 }, { 7, 1, 1, 4 }))
    assert.is_nil(grid:first_cut({ 4, 1, 4, 1 }, {}, { 7, 1 }))
    assert.is_nil(grid:first_cut({ 4, 1, 4, 1 }, { 1, 1 }, {}))
    assert.equal(1, grid:first_cut({ 7, 1, 7, 1 }, { 1, 1 }, { 7, 1 }))
  end)

  it("does not count those that have no way now", function()
    local grid = gate():close(4, 4):close(4, 1)
    assert.is_nil(grid:first_cut({ 5, 1, 5, 2 }, { 1, 1 }, { 7, 1 }))
    assert.equal(2, grid:first_cut({ 5, 1, 5, 4 }, { 1, 1, 5, 1 }, { 7, 1 }))
  end)

  it("counts those that stand on the cells", function()
    local grid = wend.grid(9, 9)
    assert.equal(2, grid:first_cut({ 4, 4, 5, 5 }, { 1, 1, 5, 4 }, { 9, 9 }))
    assert.is_nil(grid:close(9, 9):first_cut({ 4, 4, 5, 5 }, { 5, 4 }, { 9, 9 }))
  end)

  it("knows the agent: its costs, its size, one-way links and walls", function()
    local grid = gate()
    grid:set(4, 4, 1, "gate")
    assert.is_nil(grid:first_cut({ 4, 1, 4, 1 }, { 1, 1 }, { 7, 1 }))
    assert.equal(1, grid:first_cut({ 4, 1, 4, 1 }, { 1, 1 }, { 7, 1 }, { costs = wend.costs { gate = false } }))
    local hall = wend.grid(9, 5)
    assert.is_nil(hall:first_cut({ 5, 3, 5, 3 }, { 2, 2 }, { 8, 4 }))
    assert.equal(1, hall:first_cut({ 5, 3, 5, 3 }, { 2, 2 }, { 8, 4 }, { size = 3 }))
    local fence = wend.grid(5, 3):wall(3, 1, 4, 1):wall(3, 2, 4, 2):wall(3, 1, 4, 2):wall(3, 2, 4, 1)
    assert.equal(1, fence:first_cut({ 3, 3, 3, 3 }, { 1, 1 }, { 5, 1 }))
    local isles = wend.grid(7, 1):close(4, 1):link(2, 1, 6, 1, { directed = true })
    assert.equal(1, isles:first_cut({ 6, 1, 6, 1 }, { 1, 1 }, { 7, 1 }))
    assert.is_nil(isles:first_cut({ 2, 1, 2, 1 }, { 7, 1 }, { 1, 1 }))
    local post = wend.grid(5, 1):close(2, 1) -- who stands on a closed cell leaves it over the next one
    assert.equal(1, post:first_cut({ 3, 1, 3, 1 }, { 2, 1 }, { 5, 1 }))
  end)

  local grid = gate()
  local function ask(...)
    local args = { ... }
    return function() grid:first_cut(args[1], args[2], args[3], args[4]) end
  end
  helper.all_raise(it, {
    "cells must be a list of cells, got nil", ask(),
    "cells must be a rectangle { x1, y1, x2, y2 }, got 2 numbers", ask({ 1, 1 }, {}, {}),
    "cells must hold 2 numbers per item, got 3 numbers", ask({ 1, 1, 2 }, {}, {}),
    "cells[4] must be a whole number in 1 .. 4, got 5", ask({ 1, 1, 2, 5 }, {}, {}),
    "cells must be a list of cells, got the key 'x'", ask({ 1, 1, 2, 2, x = 1 }, {}, {}),
    "from must be a list of cells, got 5", ask({ 1, 1, 2, 2 }, 5, {}),
    "from[1] must be a whole number in 1 .. 7, got nan", ask({ 1, 1, 2, 2 }, { 0 / 0, 1 }, {}),
    "to[2] must be a whole number in 1 .. 4, got 1.5", ask({ 1, 1, 2, 2 }, { 1, 1 }, { 1, 1.5 }),
    "unknown option 'max_cost' (expected one of: costs, agent, ...", ask({ 1, 1, 2, 2 }, {}, {}, { max_cost = 1 }),
    "size must be a whole number in 1 .. 32, got 0", ask({ 1, 1, 2, 2 }, { 1, 1 }, { 7, 1 }, { size = 0 }),
    "self must be a grid (call it with a colon: grid:method()), got a wend.Graph",
    function() grid.first_cut(wend.graph(), { 1, 1, 2, 2 }, {}, {}) end,
  })

  it("raises what a function raises", function()
    local ok, message = pcall(grid.first_cut, grid, { 1, 1, 2, 2 }, { 3, 3 }, { 7, 1 },
      { cost = function() error "no luck" end })
    assert.equal(false, ok)
    assert.truthy(message:find("no luck", 1, true))
  end)
end)

describe("grid:first_cut over random grids", function()
  it("is what paths say", function()
    local cuts = 0
    helper.rounds("first cut", 80, function(rng)
      local model = grid_reference.random(rng, { tagged = rng:pick { 0, 0, 0.3 }, links = rng:pick { 0, 0, 2 },
        closed = rng:pick { 0.1, 0.25, 0.4 }, walls = rng:pick { 0, 0, 0.1 } })
      local grid = rng:chance(0.2) and model.grid:overlay() or model.grid
      local costs = rng:chance(0.3) and grid_reference.random_costs(rng) or nil
      if costs and rng:chance(0.3) then costs.size = 2 end
      for _ = 1, 12 do
        local x1, y1 = rng(model.width), rng(model.height)
        local x2, y2 = math.min(model.width, x1 + rng(0, 2)), math.min(model.height, y1 + rng(0, 2))
        local from, to = {}, {}
        for i = 1, 2 * rng(0, 4) do from[i] = rng(i % 2 == 1 and model.width or model.height) end
        for i = 1, 2 * rng(1, 2) do to[i] = rng(i % 2 == 1 and model.width or model.height) end
        local built, expected = grid:copy():close(x1, y1, x2, y2), nil
        for i = #from - 1, 1, -2 do
          local x, y = from[i], from[i + 1]
          local stands = x >= x1 and x <= x2 and y >= y1 and y <= y2
          if grid:path(x, y, to, costs) and (stands or not built:path(x, y, to, costs)) then expected = (i + 1) / 2 end
        end
        local cells = rng:pick { { x1, y1, x2, y2 }, { x2, y1, x1, y2 } }
        assert.equal(expected, grid:first_cut(cells, from, to, costs))
        cuts = cuts + (expected and 1 or 0)
      end
    end)
    assert.truthy(not helper.all_rounds() or cuts > 50, cuts)
  end)
end)
