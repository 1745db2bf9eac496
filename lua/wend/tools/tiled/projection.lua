-- SPDX-License-Identifier: MIT
-- wend.read_tiled: how the tiles of a Tiled map become cells. Tiles are counted from 0, as Tiled does; on infinite maps
-- they may be negative.
--
-- On orthogonal and isometric maps a cell is a tile with the same column and row. A staggered map consists of diamonds
-- too, but every second row (or column) is shifted by half a tile. It becomes an isometric grid. Rows of the grid are
-- diagonals of the map, and cells of the grid outside the map are closed. An example: 3 x 3 tiles, whose odd rows are
-- shifted, as on the screen; and the cells of the grid, each with its tile, or a dot outside the map.
--
--     0,0   1,0   2,0             .    .   2,0  2,1
--        0,1   1,1   2,1          .   1,0  1,1  2,2
--     0,2   1,2   2,2            0,0  0,1  1,2   .
--                                 .   0,2   .    .
--
-- A hexagonal map becomes a grid of hexes, whose cells have the columns and rows of tiles.

local check = require "wend.check"

local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local WHOLE_MAX = 2147483647

local projection = {}

--- Half a number, rounded up or down. `up` for those that Tiled shifts.
local function half(number, up) return up and ceil(number / 2) or floor(number / 2) end

--- The cell of a tile, from 0 or negative: the cell of the tile 0,0 is 0,0.
-- @param map { orientation, axis, index }: the last two are of staggered and hexagonal maps, as Tiled writes them
function projection.cell(map, column, row)
  if map.orientation ~= "staggered" then return column, row end
  local odd = map.index == "odd"
  if map.axis == "y" then return column + half(row, odd), half(row, not odd) - column end
  return row + half(column, odd), row - half(column, not odd)
end

--- The tile of a cell: the inverse.
function projection.tile(map, x, y)
  if map.orientation ~= "staggered" then return x, y end
  local odd = map.index == "odd"
  if map.axis == "y" then
    local row = x + y
    return x - half(row, odd), row
  end
  local column = x - y
  return column, x - half(column, odd)
end

--- The rectangle of cells that holds a rectangle of tiles: left, top, width, height.
function projection.box(map, left, top, width, height)
  if map.orientation ~= "staggered" then return left, top, width, height end
  local right, bottom = left + width - 1, top + height - 1
  local low_x, low_y, high_x, high_y = 1 / 0, 1 / 0, -1 / 0, -1 / 0
  for _, corner in ipairs { { left, top }, { right, top }, { left, bottom }, { right, bottom } } do
    local x, y = projection.cell(map, corner[1], corner[2])
    low_x, low_y, high_x, high_y = min(low_x, x), min(low_y, y), max(high_x, x), max(high_y, y)
  end
  return low_x, low_y, high_x - low_x + 1, high_y - low_y + 1
end

--- The position in the world of the first corner of the cell 0,0.
-- @param wide, high the size of a tile
-- @param rows of the map
function projection.origin(map, wide, high, rows)
  if map.orientation == "isometric" then
    return floor(rows * wide / 2), 0
  elseif map.orientation ~= "staggered" then
    return 0, 0
  elseif map.index == "odd" then
    return wide / 2, 0
  elseif map.axis == "y" then
    return wide, 0
  end
  return wide / 2, high / 2
end

--- By how many columns and rows the offset of a layer moves a tile. A hex that comes to lie between hexes goes to the
--- nearest row, or with the axis x column, and to the nearest hex there.
-- @param x, y its cell without the offset
-- @param dx, dy the offset in cells
function projection.offset(map, x, y, dx, dy)
  local columns, rows = floor(dx + 0.5), floor(dy + 0.5)
  if map.orientation ~= "hexagonal" then return columns, rows end
  local function shift(line) return (line % 2 == 1) == (map.index == "odd") and 0.5 or 0 end
  if map.axis == "y" then return floor(dx + shift(y) - shift(y + rows) + 0.5), rows end
  return columns, floor(dy + shift(x) - shift(x + columns) + 0.5)
end

--- The cell without the offset of its layer, of a cell with it.
function projection.without(map, x, y, dx, dy)
  local columns, rows = projection.offset(map, x - floor(dx + 0.5), y - floor(dy + 0.5), dx, dy)
  return x - columns, y - rows
end

-- For scripts ------------------------------------------------------------------------------------------------------

--- The numbers that wend.read_tiled has left in a level. Raises if there are none.
local function tiles_of(level)
  local data = type(level) == "table" and rawget(level, "data")
  local tiles = type(data) == "table" and rawget(data, "tiled")
  local function whole(key, low) return check.is_whole(rawget(tiles, key), low, WHOLE_MAX) end
  local function is_oriented()
    local orientation, axis, index = rawget(tiles, "orientation"), rawget(tiles, "axis"), rawget(tiles, "index")
    return orientation == "orthogonal" or orientation == "isometric"
      or (orientation == "staggered" or orientation == "hexagonal") and (axis == "x" or axis == "y")
      and (index == "odd" or index == "even")
  end
  local good = type(tiles) == "table" and whole("column", -WHOLE_MAX) and whole("row", -WHOLE_MAX)
    and whole("columns", 1) and whole("rows", 1) and is_oriented()
  check.must(good, "level", "a level that wend.read_tiled has made", level)
  return tiles
end

local function check_whole(value, what)
  check.must(check.is_whole(value, -2 ^ 53, 2 ^ 53), what, "a whole number", value)
end

--- Whether a rectangle of tiles includes a tile.
local function includes(tiles, column, row)
  return column >= tiles.column and row >= tiles.row and column < tiles.column + tiles.columns
    and row < tiles.row + tiles.rows
end

--- A number that is whole as an integer, where Lua has integers.
local whole_of = rawget(math, "tointeger") or function(number) return number end

--- wend.tile_of_cell(level, x, y), wend.tile_of_cell(level, cell): the tile of a cell of the level's grids, as Tiled
--- counts it; nil: the map has no tile there.
function projection.tile_of_cell(level, x, y)
  local tiles = tiles_of(level)
  if type(x) == "table" then x, y = x.x, x.y end
  check_whole(x, "x")
  check_whole(y, "y")
  local left, top = projection.box(tiles, tiles.column, tiles.row, tiles.columns, tiles.rows)
  local column, row = projection.tile(tiles, x - 1 + left, y - 1 + top)
  if not includes(tiles, column, row) then return nil end
  return whole_of(column), whole_of(row)
end

--- wend.cell_of_tile(level, column, row): the inverse; nil: the map has no such tile.
function projection.cell_of_tile(level, column, row)
  local tiles = tiles_of(level)
  check_whole(column, "column")
  check_whole(row, "row")
  if not includes(tiles, column, row) then return nil end
  local left, top = projection.box(tiles, tiles.column, tiles.row, tiles.columns, tiles.rows)
  local x, y = projection.cell(tiles, column, row)
  return whole_of(x - left + 1), whole_of(y - top + 1)
end

return projection
