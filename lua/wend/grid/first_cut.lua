-- SPDX-License-Identifier: MIT
--- grid:first_cut(cells, from, to[, opts]): may I build here? Who would be the first to lose its way.
--
-- Most places are in the open. If the open cells around the rectangle hold together, every way over it can go round it:
--
--   . . . .      the ring of r, and the cells of the building b. All open cells of the ring are one run of side steps,
--   . r r r #    so nothing is cut. A wall or a closed cell in the ring ends a run; two runs may be two sides.
--   . r b r #
--   . r r r #
--
-- Hexes have such a ring, too: the columns and rows around. Otherwise, and for agents with costs or a size, an overlay
-- closes the cells, and each of `from` is asked about.

local check = require "wend.check"
local types = require "wend.once".types

local floor, max, min = math.floor, math.max, math.min
local grids = types.grid

local OPTIONS = { "costs", "agent", "cost", "at_least", "size", "influence", "closed_goal" }

--- Checks a flat list of cells. Returns its length.
local function read_cells(list, what, width, height)
  check.list(list, what, "a list of cells")
  local count = check.length(list)
  if count % 2 ~= 0 then check.fail("%s must hold 2 numbers per item, got %d numbers", what, count) end
  for i = 1, count do
    local item, most = rawget(list, i), i % 2 == 1 and width or height
    if not check.is_whole(item, 1, most) then
      check.fail("%s[%d] must be a whole number in 1 .. %d, got %s", what, i, most, check.describe(item))
    end
  end
  return count
end

--- Cell number i of the ring around a rectangle, from 0, clockwise from above its upper left cell.
local function ring_cell(i, x1, y1, x2, y2)
  local width, height = x2 - x1 + 2, y2 - y1 + 2           -- steps along a side of the ring
  if i < width then return x1 - 1 + i, y1 - 1 end
  i = i - width
  if i < height then return x2 + 1, y1 - 1 + i end
  i = i - height
  if i < width then return x2 + 1 - i, y2 + 1 end
  return x1 - 1, y2 + 1 - (i - width)
end

--- Whether the open cells around a rectangle hold together.
local function holds_together(grid, x1, y1, x2, y2)
  local count, runs = 2 * (x2 - x1 + y2 - y1 + 4), 0
  local last_x, last_y = ring_cell(count - 1, x1, y1, x2, y2)
  local last = grids.has(grid, last_x, last_y) and not grids.is_closed(grid, last_x, last_y)
  for i = 0, count - 1 do
    local x, y = ring_cell(i, x1, y1, x2, y2)
    local open = grids.has(grid, x, y) and not grids.is_closed(grid, x, y)
    if open and not (last and grids.clear(grid, last_x, last_y, x, y) and grids.clear(grid, x, y, last_x, last_y)) then
      runs = runs + 1
      if runs > 1 then return false end
    end
    last, last_x, last_y = open, x, y
  end
  return true
end

local function is_inside(x, y, x1, y1, x2, y2) return x >= x1 and x <= x2 and y >= y1 and y <= y2 end

--- Whether a list of cells has one of a rectangle.
-- @param grid nil; or only closed cells count
local function has_one_of(list, count, x1, y1, x2, y2, grid)
  for i = 1, count, 2 do
    local x, y = rawget(list, i), rawget(list, i + 1)
    if is_inside(x, y, x1, y1, x2, y2) and (not grid or grids.is_closed(grid, x, y)) then return true end
  end
  return false
end

local function first_cut(grid, cells, from, to, options)
  check.self(grid, "grid", "a grid", "grid")
  local width, height = check.call(grids.width, grid), check.call(grids.height, grid)
  if read_cells(cells, "cells", width, height) ~= 4 then
    check.fail("cells must be a rectangle { x1, y1, x2, y2 }, got %d numbers", check.length(cells))
  end
  local count, goals = read_cells(from, "from", width, height), read_cells(to, "to", width, height)
  check.options(options, OPTIONS)
  local left, top, right, bottom = rawget(cells, 1), rawget(cells, 2), rawget(cells, 3), rawget(cells, 4)
  local x1, y1, x2, y2 = min(left, right), min(top, bottom), max(left, right), max(top, bottom)
  -- A way may begin on a closed cell of the ring, and lead over the rectangle.
  local in_the_way = has_one_of(from, count, x1, y1, x2, y2) or has_one_of(to, goals, x1, y1, x2, y2)
    or has_one_of(from, count, x1 - 1, y1 - 1, x2 + 1, y2 + 1, grid)
  local plain = (options == nil or next(options) == nil) and not grids.links(grid)()
  if plain and not in_the_way and holds_together(grid, x1, y1, x2, y2) then return nil end
  local built = grids.close(check.call(grids.overlay, grid), x1, y1, x2, y2)
  for i = 1, count, 2 do
    local x, y = rawget(from, i), rawget(from, i + 1)
    local goes, message, code = false, nil, nil
    if not is_inside(x, y, x1, y1, x2, y2) then
      goes, message, code = check.call(grids.can_reach, built, x, y, to, options)
    end
    if goes == false then
      goes, message, code = check.call(grids.can_reach, grid, x, y, to, options)
      if goes then return floor(i / 2) + 1 end
    end
    if code then return nil, message, code end
  end
  return nil
end

return { first_cut = first_cut }
