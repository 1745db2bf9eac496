-- SPDX-License-Identifier: MIT
-- First answers over a new grid: a far path, for which the cells are read, and a goal that cannot be reached, for which
-- labels are made.

local common, wend = require "common", require "wend"

local TIMES = 5

-- The least time of the first call on grids that are made anew, in seconds.
local function first(make, ask)
  local least = math.huge
  for _ = 1, TIMES do
    local grid = make()
    collectgarbage()
    local start = os.clock()
    ask(grid)
    least = math.min(least, os.clock() - start)
  end
  return least
end

-- A tenth of the cells is closed at random, and a column in the middle from top to bottom.
local function halves(side)
  local grid, random = wend.grid(side, side), common.generator(7)
  for _ = 1, side * side / 10 do grid:close(random(side), random(side)) end
  return grid:fill(side / 2, 1, side / 2, side, false):open(1, 1):open(side, side)
end

local function sealed(side)
  local grid, random = wend.grid(side, side), common.generator(7)
  for _ = 1, side * side / 10 do grid:close(random(side), random(side)) end
  return grid:fill(side - 9, side - 9, side, side, false):fill(side - 8, side - 8, side - 1, side - 1, 1):open(1, 1)
end

-- A quarter of the blocks of 16 x 16 cells costs twice as much.
local function patches(side)
  local grid, random = wend.grid(side, side), common.generator(7)
  for y = 1, side, 16 do
    for x = 1, side, 16 do
      if random(4) == 1 then grid:fill(x, y, x + 15, y + 15, 2) end
    end
  end
  return grid
end

-- One cell costs more, after a path.
local function other(side)
  local grid = wend.grid(side, side)
  assert(grid:path(1, 1, side, side))
  return grid:set(side / 2 + 3, side / 2, 2)
end

local function asked(side)
  local grid = patches(side)
  assert(grid:path(1, 1, side, side))
  return grid
end

local function reaches(grid, goal) assert(grid:path(1, 1, goal, goal)) end
local function fails(grid, goal) assert(not grid:path(1, 1, goal, goal)) end

return {
  name = "first",
  title = "First answers over a new grid",
  run = function()
    local rows = {}
    for _, side in ipairs(common.quick and { 512 } or { 512, 1024, 2048 }) do
      for _, case in ipairs {
        { "a far path, all open", function(n) return wend.grid(n, n) end, reaches, side },
        { "a far path, patches of two weights", patches, reaches, side },
        { "the same, a second time", asked, reaches, side },
        { "a far path, after the first other weight", other, reaches, side },
        { "the other half of a map", halves, fails, side },
        { "a sealed room", sealed, fails, side - 4 },
      } do
        local seconds = first(function() return case[2](side) end, function(grid) case[3](grid, case[4]) end)
        rows[#rows + 1] = { case[1], ("%d x %d"):format(side, side), common.round(seconds * 1e3, 2),
          common.round(seconds / side ^ 2 * 1e9, 1) }
      end
    end
    common.print_table({ "first answer", "cells", "ms", "ns a cell" }, rows)
  end,
}
