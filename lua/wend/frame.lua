-- SPDX-License-Identifier: MIT
--- The frame of a grid: how its cells lie in the world. For helpers that convert many points. lwend_frame in
--- src/lua/lwend.h has the formulas.

local check = require "wend.check"

local frame = {}

--- The frame of a grid.
-- @return { left, top, wide, high, isometric }
function frame.of(grid)
  if grid:shape() == "hex" then check.fail("pictures are not for hexes") end
  local result = { isometric = grid:projection() == "isometric" } -- raises if the grid was freed
  result.left, result.top = grid:origin()
  result.wide, result.high = grid:cell_size()
  return result
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
