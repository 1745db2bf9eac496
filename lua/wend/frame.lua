-- SPDX-License-Identifier: MIT
--- The frame of a grid: how its cells lie in the world. For helpers that convert many points. lwend_frame in
--- src/lua/lwend.h has the formulas.

local check = require "wend.check"

local frame = {}

--- The frame of a grid of squares.
-- @return { left, top, wide, high, isometric }
function frame.of(grid)
  if grid:shape() == "hex" then check.fail("pictures are not for hexes") end
  local result = { isometric = grid:projection() == "isometric" } -- raises if the grid was freed
  result.left, result.top = grid:origin()
  result.wide, result.high = grid:cell_size()
  return result
end

--- The corners of a cell of any shape, from the top on clockwise, if y points down. grid:position gives its centre.
-- @return a flat list of x and y, relative to the centre, in the world: the same for all cells of the grid
function frame.corners(grid)
  local wide, high, side = grid:cell_size()
  local w, h, s = wide / 2, high / 2, (side or 0) / 2
  if side and select(3, grid:shape()) then return { -s, -h, s, -h, w, 0, s, h, -s, h, -w, 0 } end
  if side then return { 0, -h, w, -s, w, s, 0, h, -w, s, -w, -s } end
  if grid:projection() == "isometric" then return { 0, -h, w, 0, 0, h, -w, 0 } end
  return { -w, -h, w, -h, w, h, -w, h }
end

--- Converts a point of the world to units of cells: (0, 0) is the first corner of cell (1, 1).
function frame.to_cells(self, x, y)
  local u, v = (x - self.left) / self.wide, (y - self.top) / self.high
  if self.isometric then return v + u, v - u end
  return u, v
end

--- Converts a point in units of cells to the world.
function frame.to_world(self, x, y)
  if self.isometric then return self.left + (x - y) * (self.wide / 2), self.top + (x + y) * (self.high / 2) end
  return self.left + x * self.wide, self.top + y * self.high
end

return frame
