-- SPDX-License-Identifier: MIT
-- Paths over grids of widths around those of words of bits, with areas of one kind wider than a word: they cost
-- what a field tells, which reads no bits. Also after edits. A failure prints WEND_SEED and WEND_ROUND.
local core = require "wend.core"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local WIDTHS = { 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 191, 192, 193, 200 }

local function random_grid(rng)
  local width, height = rng:pick(WIDTHS), rng(140)
  local grid = wend.grid(width, height, { diagonals = rng:pick { "never", "both_open", "one_open", "always" } })
  for _ = 1, rng(0, 7) do
    local x, y, value = rng(width), rng(height), rng:pick { false, 0, 1, 2, 3, { weight = 1, tag = "mud" } }
    grid:fill(x, y, math.min(width, x + rng(40)), math.min(height, y + rng(40)), value)
  end
  for _ = 1, rng:pick { 0, 2, 60 } do grid:close(rng(width), rng(height)) end
  for _ = 1, rng:pick { 0, 0, 5 } do
    local x, y = rng(width), rng(height)
    if x < width then grid:wall(x, y, x + 1, y) end
    if y < height then grid:wall(x, y, x, y + 1) end
  end
  for i = 1, rng:pick { 0, 0, 12 } do grid:set(rng(width), rng(height), i) end -- many kinds
  return grid, width, height
end

describe("paths over wide grids", function()
  it("cost what fields tell", function()
    helper.rounds("wide", 60, function(rng)
      local grid, width, height = random_grid(rng)
      local opts = { costs = wend.costs { mud = rng:pick { 1, 3, false } } }
      for _ = 1, 6 do
        local x, y, to_x, to_y = rng(width), rng(height), rng(width), rng(height)
        local path = grid:path(x, y, to_x, to_y, opts)
        local cost = grid:field(to_x, to_y, opts):cost(x, y)
        if path or cost then reference.near(cost, path and path.cost) end
        grid:set(rng(width), rng(height), rng:pick { false, 1, 2 })
      end
    end)
  end)

  it("cost what fields tell where edits come between slices that read rows", function()
    helper.rounds("wide slices", 60, function(rng)
      local grid, width, height = random_grid(rng)
      local opts = { costs = wend.costs { mud = rng:pick { 1, 3, false } } }
      local wanted, searches = {}, {}
      for i = 1, 6 do
        local x, y, to_x, to_y = rng(width), rng(height), rng(width), rng(height)
        local steps = rng(math.ceil(width * height / 16))
        local row = math.max(1, math.min(height, math.floor(steps * 16 / width) + rng(-2, 2))) -- where it stops to read
        wanted[i] = grid:field(to_x, to_y, opts):cost(x, y) or false
        searches[i] = core.start("path", grid, x, y, to_x, to_y, opts)
        searches[i]:step(steps)
        grid:fill(1, row, rng(width), math.min(height, row + rng(0, 3)), rng:pick { false, 1, 2, 3 })
      end
      for i, search in ipairs(searches) do
        repeat until search:step(rng(400)) ~= "running"
        local path = search:result()
        if wanted[i] or path then reference.near(wanted[i], path and path.cost) end
      end
    end)
  end)

  it("exist where fields have a cost, as labels tell", function()
    local known = 0
    helper.rounds("wide labels", 60, function(rng)
      local grid, width, height = random_grid(rng)
      local share, comb = rng:pick { 0, 1, 20, 40, 60 }, rng:pick { 0, 1, 2, 3 }
      for y = 1, height do
        for x = 1, width do
          local tooth = (comb == 1 and x % 2 == 0 or comb == 2 and y % 2 == 0) and rng(30) > 1
          local block = comb == 3 and (math.floor(x / 7) + math.floor(y / 3)) % 2 == 0
          if tooth or block or rng(100) <= share then grid:close(x, y) end
        end
      end
      for _ = 1, rng:pick { 0, 0, width } do
        local x, y, directed = rng(width), rng(height), rng:pick { true, false }
        if x < width then grid:wall(x, y, x + 1, y, true, { directed = directed }) end
        if y < height then grid:wall(x, y, x, y + 1, true, { directed = directed }) end
      end
      for _ = 1, 4 do
        local x, y, stats = rng(width), rng(height), {}
        local field = grid:open(x, y):field(x, y, { outward = true })
        for _ = 1, 100 do
          local to_x, to_y = rng(width), rng(height)
          local wanted = field:cost(to_x, to_y) ~= nil
          assert.equal(wanted, grid:can_reach(x, y, to_x, to_y))
          if not wanted then assert.equal(nil, (grid:path(x, y, to_x, to_y, { stats = stats }))) end
          if stats.known then known = known + 1 end
        end
        grid:set(rng(width), rng(height), rng:pick { false, 1 })
      end
    end)
    assert.equal(true, known > 0)
  end)
end)
