-- SPDX-License-Identifier: MIT
--- The frame of a grid: how its cells lie in the world. For helpers that convert many points. lwend_frame in
--- src/lua/lwend.h has the formulas.
--
-- In units of cells, columns and rows are 1 wide and 1 high. Hexes lie in such rows as squares do, but each second row
-- (with a flat top: column) is shifted by half a cell, and corners reach into the rows beside them. So the same
-- formulas convert points of both.

local frame = {}

-- By whether a row, or with a flat top a column, of hexes is shifted: the way to its six neighbours.
local ROWS = { [false] = { 0, -1, 1, 0, 0, 1, -1, 1, -1, 0, -1, -1 },
  [true] = { 1, -1, 1, 0, 1, 1, 0, 1, -1, 0, 0, -1 } }
local COLUMNS = { [false] = { 0, -1, 1, -1, 1, 0, 0, 1, -1, 0, -1, -1 },
  [true] = { 0, -1, 1, 0, 1, 1, 0, 1, -1, 1, -1, 0 } }

--- The frame of a grid.
-- @return { left, top, wide, high, isometric }; of hexes also { corners = those of a hex from its middle, in units of
-- cells: 12 numbers; flat; odd }. Columns of hexes lie `wide` apart, rows `high`
function frame.of(grid)
  local result = { isometric = grid:projection() == "isometric" } -- raises if the grid was freed
  local shape, shift, flat = grid:shape()
  local side
  result.left, result.top = grid:origin()
  result.wide, result.high, side = grid:cell_size()
  if shape == "hex" then
    local first, size = flat and "left" or "top", flat and "wide" or "high"
    local apart = (result[size] + side) / 2
    result[first], result[size] = result[first] + (result[size] - apart) / 2, apart
    result.flat, result.odd, result.corners = flat, shift == "odd", frame.corners(grid)
    for i = 1, 12 do result.corners[i] = result.corners[i] / (i % 2 == 1 and result.wide or result.high) end
  end
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

--- Whether a row of hexes, or with a flat top a column, is shifted by half a cell.
-- @param line its number
function frame.is_shifted(self, line)
  return (line % 2 == 1) == self.odd
end

--- The middle of a cell in units of cells.
function frame.middle(self, x, y)
  local u, v = x - 0.5, y - 0.5
  if self.corners and frame.is_shifted(self, self.flat and x or y) then
    if self.flat then v = v + 0.5 else u = u + 0.5 end
  end
  return u, v
end

--- A side of a hex.
-- @param side 1 to 6, from the corner of that number to the next; 2 to 4 are to the right or below
-- @return the column and row of the hex on the other side; u, v of the ends of the side, in units of cells
function frame.side(self, x, y, side)
  local around = (self.flat and COLUMNS or ROWS)[frame.is_shifted(self, self.flat and x or y)]
  local corners, i, next = self.corners, 2 * side - 1, 2 * side % 12 + 1
  local u, v = frame.middle(self, x, y)
  return x + around[i], y + around[i + 1], u + corners[i], v + corners[i + 1], u + corners[next], v + corners[next + 1]
end

--- The ends of the side between two hexes that are neighbours, in units of cells.
function frame.side_between(self, x1, y1, x2, y2)
  for side = 1, 6 do
    local x, y, u1, v1, u2, v2 = frame.side(self, x1, y1, side)
    if x == x2 and y == y2 then return u1, v1, u2, v2 end
  end
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
