-- SPDX-License-Identifier: MIT
-- Grids that are edited between searches. A search keeps what a grid is for an agent (costs by kind of cell, open
-- cells as bits) and catches up with edits; here it is compared with a search that looks at every cell.
-- luacheck: std max+busted

local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local function cost_of(path) return path and path.cost or nil end

-- By jump points, which read the bits, and cell by cell.
local function compare(grid, rng, opts)
  local x1, y1, x2, y2 = rng(grid:width()), rng(grid:height()), rng(grid:width()), rng(grid:height())
  local plain = { costs = opts.costs, agent = opts.agent, heuristic = "octile" }
  local jumps, cells = cost_of((grid:path(x1, y1, x2, y2, opts))), cost_of((grid:path(x1, y1, x2, y2, plain)))
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
  it("is searched as it is now, after few edits and after many", function()
    helper.rounds("edits between searches", 60, function(rng)
      local side = rng:pick { 12, 30, 70 }
      local grid = random_grid(rng, side)
      local walker, swimmer = {}, { costs = wend.costs { water = false } }
      for _ = 1, 12 do
        compare(grid, rng, walker)
        if rng:chance(0.5) then compare(grid, rng, swimmer) end
        local edits = rng:pick { 0, 1, 3, 60, 70, 200 } -- the journal of a small grid has room for 64
        for _ = 1, edits do
          grid:set(rng(side), rng(side), rng:pick { false, 1, 1, { tag = "water" } })
        end
        if rng:chance(0.1) then grid:fill(1, 1, rng(side), rng(side), rng:pick { false, 1 }) end
        if rng:chance(0.1) then grid:wall(1, 1, 2, 1, rng:chance(0.5)) end
      end
    end)
  end)

  it("gets kinds of cells that are given out again", function()
    helper.rounds("kinds of cells", 10, function(rng)
      local grid = random_grid(rng, 20)
      for i = 1, 300 do
        grid:set(rng(20), rng(20), { weight = 1 + i / 1000, tag = i % 7 == 0 and "mud" or nil })
        if i % 50 == 0 then
          grid:fill(1, 1, 20, 20, 1) -- all of them are free again
          for _ = 1, 90 do grid:set(rng(20), rng(20), false) end
        end
        if i % 10 == 0 then compare(grid, rng, {}) end
      end
    end)
  end)

  it("is one of many, for many agents", function()
    local rng = helper.rng "many grids and agents"
    local grids, agents = {}, {}
    for i = 1, 12 do grids[i] = random_grid(rng, 16) end
    for i = 1, 5 do agents[i] = { costs = wend.costs { lava = i % 2 == 0 and false or i } } end
    for _ = 1, 600 do -- more pairs of them than a search keeps
      local grid = rng:pick(grids)
      if rng:chance(0.3) then grid:set(rng(16), rng(16), rng:pick { false, 1, { tag = "lava" } }) end
      compare(grid, rng, rng:pick(agents))
    end
  end)

  it("is not mistaken for one that was there before", function()
    local rng = helper.rng "grids in one place"
    for _ = 1, 200 do -- the next grid is likely to be where the one before was
      compare(random_grid(rng, 10), rng, {})
      collectgarbage()
    end
  end)
end)
