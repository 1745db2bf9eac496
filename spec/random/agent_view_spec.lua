-- SPDX-License-Identifier: MIT
-- Grids that are edited between searches. A search keeps what a grid is for an agent (costs by kind of cell, open
-- cells as bits) and catches up with edits; here it is compared with a search that looks at every cell.
-- luacheck: std max+busted

local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local function cost_of(path) return path and path.cost or nil end

-- By jump points, which read the bits, and cell by cell.
local function compare(grid, rng)
  local x1, y1, x2, y2 = rng(grid:width()), rng(grid:height()), rng(grid:width()), rng(grid:height())
  local jumps, cells = cost_of((grid:path(x1, y1, x2, y2))),
    cost_of((grid:path(x1, y1, x2, y2, { heuristic = "octile" })))
  if jumps and cells then
    reference.near(cells, jumps)
  else
    assert.equal(cells, jumps)
  end
end

local function random_grid(rng, side)
  local grid = wend.grid(side, side)
  for _ = 1, math.floor(side * side / 3) do grid:set(rng(side), rng(side), false) end
  return grid
end

describe("a grid that is edited between searches", function()
  it("gets kinds of cells that are given out again", function()
    helper.rounds("kinds of cells", 10, function(rng)
      local grid = random_grid(rng, 20)
      for i = 1, 300 do
        grid:set(rng(20), rng(20), { weight = 1 + i / 1000, tag = i % 7 == 0 and "mud" or nil })
        if i % 50 == 0 then
          grid:fill(1, 1, 20, 20, 1) -- all of them are free again
          for _ = 1, 90 do grid:set(rng(20), rng(20), false) end
        end
        if i % 10 == 0 then compare(grid, rng) end
      end
    end)
  end)

  -- Whether jump points pay is known from a sample of the cells, which is taken again after edits near it. Here a
  -- tenth of the cells gets other weights, and then their old ones.
  it("uses jump points as a copy of it does", function()
    helper.rounds("samples of cells", 10, function(rng)
      local width, height = rng(20, 60), rng(5, 40)
      local grid, edited = wend.grid(width, height), {}
      local function compare_with_copy()
        local x1, y1, x2, y2 = rng(width), rng(height), rng(width), rng(height)
        local mine, fresh = {}, {}
        local path = grid:path(x1, y1, x2, y2, { stats = mine })
        grid:copy():path(x1, y1, x2, y2, { stats = fresh })
        if path then assert.equal(fresh.expanded, mine.expanded) end
      end
      for i = 1, width * height / 10, 2 do
        local x, y = rng(width - 1), rng(height)
        grid:set(x, y, rng(9) > 1 and 2)
        edited[i], edited[i + 1] = x, y
        if rng(20) == 1 then grid:wall(x, y, x + 1, y) end
        compare_with_copy()
      end
      for i = 1, #edited, 2 do
        grid:set(edited[i], edited[i + 1], 1)
        grid:wall(edited[i], edited[i + 1], edited[i] + 1, edited[i + 1], false)
        compare_with_copy()
      end
    end)
  end)

  it("is not mistaken for one that was there before", function()
    local rng = helper.rng "grids in one place"
    for _ = 1, 200 do -- the next grid is likely to be where the one before was
      compare(random_grid(rng, 10), rng)
      collectgarbage()
    end
  end)
end)
