-- SPDX-License-Identifier: MIT
-- grid:sees, grid:visible and layer:visible_from. A failure of random grids prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local function yard()
  return wend.parse_grid([[
    .......
    ..#.w..
    ..#.s..
    .......
  ]], { w = { tag = "window", closed = true }, s = { tag = "smoke" } })
end

describe("grid:sees", function()
  it("looks along the straight line, past open cells", function()
    local grid = yard()
    assert.same({ true, false, false, true }, { grid:sees(1, 1, 7, 1), grid:sees(1, 2, 7, 2), grid:sees(1, 1, 5, 3),
      grid:sees(1, 2, 1, 2) })
    assert.is_true(grid:sees({ x = 1, y = 4 }, { x = 7, y = 4 }))
    assert.is_true(grid:sees({ x = 1, y = 4 }, 7, 4))
  end)

  it("sees closed cells, and from them", function()
    local grid = yard()
    assert.same({ true, true, true }, { grid:sees(1, 2, 3, 2), grid:sees(3, 2, 1, 2), grid:sees(3, 2, 3, 3) })
    assert.is_false(grid:sees(1, 2, 4, 2))
  end)

  it("is stopped by walls, and at the corners of the grid's rule", function()
    local grid = wend.grid(3, 1):wall(1, 1, 2, 1)
    assert.same({ false, true }, { grid:sees(1, 1, 3, 1), grid:sees(2, 1, 3, 1) })
    for rule, both in pairs { both_open = false, one_open = true, always = true, never = false } do
      assert.equal(both, wend.grid(2, 2, { diagonals = rule }):close(1, 2):sees(1, 1, 2, 2), rule)
    end
    assert.is_false(wend.grid(2, 2, { diagonals = "one_open" }):close(1, 2):close(2, 1):sees(1, 1, 2, 2))
    assert.is_true(wend.grid(2, 2, { diagonals = "always" }):close(1, 2):close(2, 1):sees(1, 1, 2, 2))
  end)

  it("takes tags that block and tags that do not", function()
    local grid = yard()
    local through, smoke = { transparent = { "window" } }, { opaque = { "smoke" } }
    assert.same({ false, true }, { grid:sees(4, 2, 7, 2), grid:sees(4, 2, 7, 2, through) })
    assert.same({ true, false }, { grid:sees(4, 3, 7, 3), grid:sees(4, 3, 7, 3, smoke) })
    assert.is_true(grid:sees(4, 3, 5, 3, smoke))
    assert.is_false(grid:sees(4, 2, 7, 2, { transparent = { "window" }, opaque = { "window" } }))
    assert.is_true(grid:sees(4, 3, 7, 3, { opaque = { "fire" }, transparent = {} }))
  end)
end)

describe("grid:visible", function()
  it("lists what is seen, row by row, with the cell itself", function()
    local grid = yard()
    assert.same({ 1, 1 }, grid:visible(1, 1, 0))
    assert.same({ 1, 1, 2, 1, 1, 2 }, grid:visible({ x = 1, y = 1 }, 1))
    assert.same({ 2, 1, 1, 2, 2, 2, 3, 2, 2, 3 }, grid:visible(2, 2, 1))
    assert.same({ 1, 1, 2, 1, 1, 2, 2, 2 }, grid:visible(1, 1, 1.5))
    local list = { 9, 9, 9, 9 }
    assert.equal(list, grid:visible(1, 1, 0, { into = list }))
    assert.same({ 1, 1 }, list)
  end)

  it("takes a radius beyond the map", function()
    local grid = wend.grid(5, 3)
    assert.same({ 30, 30, 30 }, { #grid:visible(1, 1, 99), #grid:visible(3, 2, math.huge), #grid:visible(5, 3, 1e300) })
  end)
end)

describe("layer:visible_from", function()
  it("counts who sees each cell", function()
    local grid = yard()
    local layer = wend.influence(grid):set(7, 4, 9)
    assert.equal(layer, layer:visible_from({ 1, 1, 7, 1, 7, 1 }, 3))
    assert.same({ 1, 3, 0, 2, 0 },
      { layer:get(1, 1), layer:get(4, 1), layer:get(4, 4), layer:get(5, 1), layer:get(2, 4) })
    assert.equal(0, layer:visible_from({}, 5):get(1, 1))
    local seen = layer:visible_from({ 1, 4 }, 20, { opaque = { "smoke" } })
    assert.same({ 1, 1 }, { seen:get(7, 4), seen:get(4, 4) })
    local shy = grid:path(1, 1, 7, 1, { influence = { wend.influence(grid):visible_from({ 4, 1 }, 9), 100 } })
    assert.truthy(shy.cost > 6)
  end)
end)

describe("sight over random grids", function()
  it("sees both ways what no cell and no wall hides", function()
    local seen, hidden = 0, 0
    helper.rounds("sight", 60, function(rng)
      local model = grid_reference.random(rng)
      local grid, options = model.grid, {}
      local tags = {}
      for cell = 1, model.width * model.height do tags[#tags + 1] = model.tag[cell] end
      if #tags > 0 and rng:chance(0.7) then options.opaque = { rng:pick(tags), "nothing" } end
      if #tags > 0 and rng:chance(0.7) then options.transparent = { rng:pick(tags) } end
      local opaque, transparent = options.opaque and options.opaque[1], options.transparent and options.transparent[1]
      -- The same cells, closed where they block. Directed walls do not block sight.
      local plain = grid:copy()
      for x1, y1, x2, y2, directed in grid:walls() do
        if directed then plain:wall(x1, y1, x2, y2, false) end
      end
      for cell = 1, model.width * model.height do
        local x, y = model:at(cell)
        local tag, closed = model.tag[cell], not model.weight[cell]
        if tag and tag == opaque or closed and not (tag and tag == transparent) then plain:close(x, y)
        else plain:open(x, y) end
      end
      local x, y, radius = rng(model.width), rng(model.height), rng:pick { 0, 2.5, 7, 99 }
      local list, expected = grid:visible(x, y, radius, options), {}
      for cell = 1, model.width * model.height do
        local x2, y2 = model:at(cell)
        local sees = grid:sees(x, y, x2, y2, options)
        assert.equal(sees, grid:sees(x2, y2, x, y, options))
        assert.equal(plain:sees(x, y, x2, y2), sees)
        local ends = plain:overlay():open(x, y):open(x2, y2)
        assert.equal(ends:clear(x, y, x2, y2), sees)
        if sees and (x - x2) ^ 2 + (y - y2) ^ 2 <= radius ^ 2 then
          expected[#expected + 1], expected[#expected + 2] = x2, y2
        end
        seen, hidden = seen + (sees and 1 or 0), hidden + (sees and 0 or 1)
      end
      assert.same(expected, list)
      local layer = wend.influence(grid):visible_from({ x, y, x, y }, radius, options)
      for cell = 1, model.width * model.height do
        local x2, y2 = model:at(cell)
        local count = 0
        for i = 1, #list, 2 do
          if list[i] == x2 and list[i + 1] == y2 then count = 2 end
        end
        assert.equal(count, layer:get(x2, y2))
      end
    end)
    assert.truthy(not helper.all_rounds() or seen > 100 and hidden > 100, seen .. " " .. hidden)
  end)
end)

describe("Errors of sight", function()
  local grid, g = yard(), wend.graph()
  g:add_node(1, 1)
  local layer = wend.influence(grid)
  helper.all_raise(it, {
    "x1 must be a whole number in 1 .. 7, got nil", function() grid:sees() end,
    "y2 must be a whole number in 1 .. 4, got 5", function() grid:sees(1, 1, 2, 5) end,
    "unknown option 'into' (expected one of: opaque, transparent)", function() grid:sees(1, 1, 2, 2, { into = {} }) end,
    "opaque must be a list of tags, got 'smoke'", function() grid:sees(1, 1, 2, 2, { opaque = "smoke" }) end,
    "opaque must be a list of tags, got the key 'smoke'",
    function() grid:sees(1, 1, 2, 2, { opaque = { smoke = 1 } }) end,
    "transparent[1] must be a tag, got 3", function() grid:sees(1, 1, 2, 2, { transparent = { 3 } }) end,
    "x must be a whole number in 1 .. 7, got 8", function() grid:visible(8, 1, 2) end,
    "radius must be a number >= 0, got nil", function() grid:visible(1, 1) end,
    "radius must be a number >= 0, got -1", function() grid:visible(1, 1, -1) end,
    "radius must be a number >= 0, got nan", function() grid:visible(1, 1, 0 / 0) end,
    "into must be a table, got 3", function() grid:visible(1, 1, 1, { into = 3 }) end,
    "options must be a table, got 3", function() grid:visible(1, 1, 1, 3) end,
    "cells must be a list, got nil", function() layer:visible_from() end,
    "cells must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 1, 1 }",
      function() layer:visible_from({ 1, 1, 1 }, 2) end,
    "cells[3] must be a whole number in 1 .. 7, got 9", function() layer:visible_from({ 1, 1, 9, 1 }, 2) end,
    "radius must be a number >= 0, got nil", function() layer:visible_from({ 1, 1 }) end,
    "visible_from needs a grid, the layer is of a graph", function() wend.influence(g):visible_from({}, 2) end,
  })
end)
