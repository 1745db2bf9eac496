-- SPDX-License-Identifier: MIT
-- Bodies in pictures, to scale: the cells that an agent with a size covers, and walkers.

local core = require "wend.core"
local check = require "wend.check"
local frames = require "wend.frame"

local floor, sqrt = math.floor, math.sqrt
local is_within = check.is_within

local bodies = {}

local LENGTH = check.within(0, 1e150)

-- Cells ------------------------------------------------------------------------------------------------------------

--- The size of the agent of a path; nil: it has none.
-- @param is_grid whether the path leads over a grid
function bodies.size_of(path, is_grid)
  local size = path.size
  if size == nil then return nil end
  if is_grid then
    check.must(check.is_whole(size, 1, 32), "size of path", "a whole number in 1 .. 32", size)
  else
    check.must(check.LENGTH.holds(size), "size of path", check.LENGTH.be, size)
  end
  return size
end

--- The first column, or row, of a body.
-- @param at the column, or row, of its own cell
function bodies.first(at, size)
  return at - floor((size - 1) / 2)
end

--- The centre of a body in one direction, in units of cells: (0, 0) is the first corner of cell (1, 1).
function bodies.centre(at, size)
  return bodies.first(at, size) - 1 + size / 2
end

--- Calls fn(x, y, ...) for each cell that an agent covers along a path over a grid, once for each.
-- @param size of the agent
-- @param covered an empty table, which is filled
function bodies.each_cell(path, size, covered, fn, ...)
  local wide, high = path.map:width(), path.map:height()
  for i = 1, check.length(path) - 1, 2 do
    local left, top = bodies.first(path[i], size), bodies.first(path[i + 1], size)
    for y = math.max(1, top), math.min(high, top + size - 1) do
      for x = math.max(1, left), math.min(wide, left + size - 1) do
        local at = (y - 1) * wide + x
        if not covered[at] then
          covered[at] = true
          fn(x, y, ...)
        end
      end
    end
  end
end

--- The corners of a body at a place in the world, as 8 numbers.
-- @param frame of the grid
-- @param x, y its centre
function bodies.corners(frame, x, y, size)
  local u, v = frames.to_cells(frame, x, y)
  local half = size / 2
  local x1, y1 = frames.to_world(frame, u - half, v - half)
  local x2, y2 = frames.to_world(frame, u + half, v - half)
  local x3, y3 = frames.to_world(frame, u + half, v + half)
  return x1, y1, x2, y2, x3, y3, frames.to_world(frame, u - half, v + half)
end

-- Walkers ----------------------------------------------------------------------------------------------------------

--- The two radii of a disc on the ground, as it looks in the world: see "isometric maps" of doc/crowds.md.
-- @param frame of the grid, or nil
local function radii(frame, r)
  if not frame then return r, r end
  if frame.corners then return r, r end -- there are no isometric hexes
  if frame.isometric then r = r / sqrt(2) end
  return r, r * frame.high / frame.wide
end

local WALKERS = "a crowd, or walkers: something with fields x and y, or a list of such"

local function see(frame, walker, fn, ...)
  check.must(check.has_fields(walker), "walkers", WALKERS, walker)
  local x, y, heading, size, radius = walker.x, walker.y, walker.heading, walker.size, walker.radius
  check.must(is_within(x, -1e150, 1e150) and is_within(y, -1e150, 1e150), "walkers", WALKERS, walker)
  if heading ~= nil then check.kind(heading, check.FINITE, "heading of a walker") end
  if radius ~= nil then check.kind(radius, LENGTH, "radius of a walker") end
  if size ~= nil then check.kind(size, LENGTH, "size of a walker") end
  local cells = frame and size
  local rx, ry = radii(frame, cells and size / 2 * frame.wide or radius or (size or 0) / 2)
  fn(walker, x, y, heading, cells and not frame.corners and size, rx, ry, ...) -- agents on hexes have no size
end

--- Calls fn(walker, x, y, heading, size, rx, ry, ...) for each walker: its direction, or nil; the side of the square of
--- cells that it covers, or nil; its radii in the world, 0: unknown.
-- @param walkers as WALKERS says
-- @param frame of the grid, or nil
function bodies.each_walker(walkers, frame, fn, ...)
  if core.type(walkers) == "crowd" then
    for walker in walkers:each() do see(frame, walker, fn, ...) end
  elseif type(walkers) == "table" and walkers.x == nil then
    for i = 1, check.length(walkers) do see(frame, walkers[i], fn, ...) end
  else
    see(frame, walkers, fn, ...)
  end
end

return bodies
