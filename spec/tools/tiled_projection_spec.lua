-- SPDX-License-Identifier: MIT
-- Isometric, staggered and hexagonal maps of Tiled. The numbers of the first group were compared with what Tiled 1.8.2
-- draws: each position lies in the picture where Tiled shows the tile or the object.
local helper = require "spec.support.helper"
local wend = require "wend"

local pack = table.pack or function(...) return { n = select("#", ...), ... } end
local unpack = unpack or table.unpack
local QUAY = "examples/tiled/quay.lua" -- exported by Tiled 1.8.2 from the quay.tmx beside it

-- A map of tiles of 64 x 32 pixels: tile 1 says nothing, 2 is a road, 3 is closed.
local function map_of(orientation, width, height, layers, others)
  local map = {
    orientation = orientation, width = width, height = height, tilewidth = 64, tileheight = 32, layers = layers,
    staggeraxis = "y", staggerindex = "odd",
    tilesets = { { name = "tiles", firstgid = 1, image = "tiles.png", tilecount = 3, tiles = {
      { id = 1, type = "road" }, { id = 2, properties = { closed = true } },
    } } },
  }
  for key, value in pairs(others or {}) do map[key] = value end
  return map
end

local function tiles(width, height, data, others)
  if type(data) == "number" then
    local gid = data
    data = {}
    for i = 1, width * height do data[i] = gid end
  end
  local layer = { type = "tilelayer", name = "ground", width = width, height = height, encoding = "lua", data = data,
    properties = {} }
  for key, value in pairs(others or {}) do layer[key] = value end
  return layer
end

local function objects(list, others)
  for i, object in ipairs(list) do
    object.id, object.properties = i, object.properties or {}
    object.width, object.height = object.width or 0, object.height or 0
  end
  local layer = { type = "objectgroup", name = "things", objects = list, properties = {} }
  for key, value in pairs(others or {}) do layer[key] = value end
  return layer
end

-- One object of each shape, as in the map that was drawn.
local function shapes()
  return {
    { name = "point", shape = "point", x = 16, y = 16 },
    { name = "box", shape = "rectangle", x = 32, y = 32, width = 32, height = 64 },
    { name = "turned", shape = "rectangle", x = 96, y = 32, width = 32, height = 16, rotation = 90 },
    { name = "polygon", shape = "polygon", x = 64, y = 64,
      polygon = { { x = 0, y = 0 }, { x = 32, y = 0 }, { x = 32, y = 32 } } },
    { name = "ellipse", shape = "ellipse", x = 0, y = 64, width = 32, height = 32 },
    { name = "tile", shape = "rectangle", gid = 2, x = 64, y = 64, width = 64, height = 32 },
    { name = "text", shape = "text", x = 64, y = 64, width = 40, height = 20 },
  }
end

local function places(map)
  local list = {}
  for name, at in pairs(map.names) do list[name] = { at.x, at.y } end
  return list
end

local function walls_of(map)
  local list = {}
  for kind, numbers in map.walls:each() do
    for i, value in ipairs(numbers) do numbers[i] = ("%.6g"):format(value) end
    list[#list + 1] = kind .. " " .. table.concat(numbers, " ")
  end
  return list
end

-- The middle of a tile of a staggered map in pixels, as Tiled draws it.
local function middle_of(map, column, row)
  local odd = map.staggerindex == "odd" and 1 or 0
  local wide, high = map.tilewidth, map.tileheight
  if map.staggeraxis == "y" then
    local shift = row % 2 == odd and wide / 2 or 0
    return column * wide + shift + wide / 2, row * high / 2 + high / 2
  end
  local shift = column % 2 == odd and high / 2 or 0
  return column * wide / 2 + wide / 2, row * high + shift + high / 2
end

describe("an isometric map of Tiled", function()
  it("is an isometric grid of its tiles, in the pixels of Tiled", function()
    local level = assert(wend.read_tiled(QUAY))
    assert.same({ 8, 6, 64 }, { level.width, level.height, level.cell })
    assert.equal("isometric", level.grid:projection())
    assert.same({ 64, 32 }, { level.grid:cell_size() })
    assert.same({ 192, 0 }, { level.grid:origin() })
    assert.same({ 288, 96 }, { level.grid:position(5, 2) })
    assert.equal("bridge", select(2, level.grid:get(5, 2)))
    assert.same({ 128, 80 }, { level.names.house.x, level.names.house.y })
    assert.same({ 2, 4 }, { level.grid:cell_at(level.names.house) })
    assert.same({ 7, 4 }, { level.grid:cell_at(level.names.quay) })
    assert.is_true(level.grid:check().connected)
    assert.is_false(level.grids.ground:check().connected)
  end)

  it("has its objects in the world: along the rows, but tiles and texts upright", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { tiles(4, 3, 1), objects(shapes()) })))
    assert.same({ point = { 96, 16 }, box = { 80, 56 }, turned = { 148, 72 }, polygon = { 96, 64 },
      ellipse = { 32, 48 }, tile = { 96, 48 }, text = { 116, 74 } }, places(map))
  end)

  it("without tiles has them too", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { objects(shapes()) })))
    assert.is_nil(map.grid)
    assert.same({ 80, 56 }, places(map).box)
  end)

  it("begins at a whole pixel, as in Tiled", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { tiles(4, 3, 1), objects(shapes()) },
      { tilewidth = 63, tileheight = 31 })))
    assert.same({ 94, 0 }, { map.grid:origin() })
    assert.same({ 94, 16 }, places(map).point)
  end)

  it("shifts its layers in the world", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, {
      tiles(4, 3, 1),
      tiles(4, 3, { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { name = "above", offsetx = 32, offsety = 16 }),
      objects(shapes(), { offsetx = 10, offsety = 4 }),
    })))
    assert.same({ 128, 16 }, { map.grids.above:origin() })
    assert.equal("road", select(2, map.grid:get(2, 1)))               -- shifted by a cell along the row
    assert.same({ map.grid:position(2, 1) }, { map.grids.above:position(1, 1) })
    assert.same({ 90, 60 }, places(map).box)
  end)

  it("may be infinite: its gaps are closed", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { tiles(4, 3, nil, { chunks = {
      { x = -2, y = -1, width = 2, height = 1, data = { 2, 1 } }, { x = 0, y = 0, width = 1, height = 1, data = { 1 } },
    } }), objects(shapes()) })))
    assert.same({ 1, "road" }, { map.grid:get(1, 1) })
    local closed = {}
    for y = 1, 2 do
      for x = 1, 3 do closed[#closed + 1] = map.grid:is_closed(x, y) and "#" or "." end
    end
    assert.equal("..###.", table.concat(closed))
    assert.same({ 96 - 32, -48 }, { map.grid:origin() })              -- the cell of the tile -2,-1
    assert.same({ 96, 16 }, { map.grid:position(3, 2) })              -- that of the tile 0,0, as in a finite map
    assert.same({ 96, 16 }, places(map).point)
    assert.same({ -2, -1 }, { wend.tile_of_cell(map, 1, 1) })
    assert.same({ 3, 2 }, { wend.cell_of_tile(map, 0, 0) })
  end)

  it("has nodes, edges and walls in the world", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { objects {
      { name = "a", type = "node", shape = "ellipse", x = 0, y = 0, width = 32, height = 64 },
      { name = "b", type = "node", shape = "point", x = 112, y = 32 },
      { type = "edge", shape = "polyline", x = 16, y = 32, polyline = { { x = 0, y = 0 }, { x = 96, y = 0 } } },
      { type = "edge", shape = "polyline", x = 16, y = 32,
        polyline = { { x = 0, y = 0 }, { x = 96, y = 32 }, { x = 96, y = 0 } } },
      { type = "wall", shape = "rectangle", x = 32, y = 32, width = 32, height = 32 },
      { type = "wall", shape = "rectangle", x = 32, y = 32, width = 64, height = 0 },
      { type = "wall", shape = "polyline", x = 0, y = 0, polyline = { { x = 0, y = 0 }, { x = 32, y = 0 } } },
      { type = "wall", shape = "rectangle", gid = 1, x = 64, y = 64, width = 64, height = 32 },
    } })))
    assert.same({ 80, 24 }, { map.graph:position "a" })
    assert.near(16 / math.sqrt(2), map.graph:radius "a", 1e-9)
    assert.near(math.sqrt(96 * 96 + 48 * 48), map.graph:edge(1).weight, 1e-9)
    assert.near(math.sqrt(64 * 64 + 64 * 64) + math.sqrt(32 * 32 + 16 * 16), map.graph:edge(2).weight, 1e-9)
    assert.same({
      "polygon 96 32 128 48 96 64 64 48",
      "segment 96 32 160 64",
      "segment 96 0 128 16",
      "polygon 64 32 128 32 128 64 64 64",
    }, walls_of(map))
  end)

  it("has round walls around its ellipses", function()
    local map = assert(wend.read_tiled(map_of("isometric", 4, 3, { objects {
      { type = "wall", shape = "ellipse", x = 32, y = 32, width = 32, height = 32 },
    } })))
    local walls = walls_of(map)
    assert.equal(1, #walls)
    assert.equal("polygon", walls[1]:match "^%a+")
    local numbers = {}
    for number in walls[1]:gmatch "[-%d.]+" do numbers[#numbers + 1] = tonumber(number) end
    assert.equal(64, #numbers)
    for i = 1, 64, 2 do                                               -- around a circle, in the plane of the map
      local u, v = (numbers[i] - 96) / 64, numbers[i + 1] / 32
      local dx, dy = v + u - 1.5, v - u - 1.5
      assert.near(0.5 / math.cos(math.pi / 32), math.sqrt(dx * dx + dy * dy), 1e-4)
    end
  end)
end)

describe("a map of rectangular tiles", function()
  it("is a grid of rectangles", function()
    local map = assert(wend.read_tiled(map_of("orthogonal", 4, 3, { tiles(4, 3, 1),
      tiles(4, 3, { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { name = "above", offsetx = 64, offsety = 64 }),
      objects(shapes()) })))
    assert.same({ "orthogonal", 64, 32 }, { map.grid:projection(), map.grid:cell_size() })
    assert.same({ 96, 80 }, { map.grid:position(2, 3) })
    assert.equal("road", select(2, map.grid:get(2, 3)))
    assert.same({ 48, 64 }, places(map).box)
  end)
end)

describe("a staggered map of Tiled", function()
  for _, axis in ipairs { "x", "y" } do
    for _, index in ipairs { "odd", "even" } do
      it(("has its tiles where Tiled draws them: axis %s, index %s"):format(axis, index), function()
        helper.rounds("staggered", 30, function(rng)
          local width, height = rng(1, 9), rng(1, 9)
          local data, left, top = {}, 0, 0
          for i = 1, width * height do data[i] = rng:pick { 0, 1, 2, 3 } end
          local layer = tiles(width, height, data)
          if rng:chance(0.5) then                                     -- an infinite map
            left, top = rng(-9, 9), rng(-9, 9)
            layer.chunks, layer.data = { { x = left, y = top, width = width, height = height, data = data } }, nil
          end
          local source = map_of("staggered", width, height, { layer }, { staggeraxis = axis, staggerindex = index })
          local map = assert(wend.read_tiled(source))
          local grid, seen = map.grid, 0
          assert.equal("isometric", grid:projection())
          for row = top, top + height - 1 do
            for column = left, left + width - 1 do
              local x, y = wend.cell_of_tile(map, column, row)
              assert.same({ middle_of(source, column, row) }, { grid:position(x, y) })
              assert.same({ column, row }, { wend.tile_of_cell(map, x, y) })
              local gid = data[(row - top) * width + column - left + 1]
              local weight, tag = grid:get(x, y)
              assert.same({ gid ~= 3 and 1, gid == 2 and "road" or nil }, { weight, tag })
            end
          end
          for y = 1, grid:height() do
            for x = 1, grid:width() do
              local column = wend.tile_of_cell(map, x, y)
              if column then seen = seen + 1 else assert.is_true(grid:is_closed(x, y)) end
            end
          end
          assert.equal(width * height, seen)
        end)
      end)
    end
  end

  it("has steps between tiles that touch: to those at the sides, and over the corners", function()
    local map = assert(wend.read_tiled(map_of("staggered", 3, 5, { tiles(3, 5, 1) })))
    local x, y = wend.cell_of_tile(map, 1, 2)
    local x2, y2 = wend.cell_of_tile(map, 1, 1)                       -- the odd rows are shifted: upper right of it
    assert.equal(1, map.grid:path(x, y, x2, y2).cost)
    x2, y2 = wend.cell_of_tile(map, 1, 0)                             -- above it, corner to corner
    assert.equal(math.sqrt(2), map.grid:path(x, y, x2, y2).cost)
    x2, y2 = wend.cell_of_tile(map, 2, 2)                             -- to the right of it
    assert.equal(math.sqrt(2), map.grid:path(x, y, x2, y2).cost)
  end)

  it("has its objects in plain pixels", function()
    local map = assert(wend.read_tiled(map_of("staggered", 4, 5, { tiles(4, 5, 1), objects(shapes()) })))
    assert.same({ point = { 16, 16 }, box = { 48, 64 }, turned = { 88, 48 }, polygon = { 64, 64 },
      ellipse = { 16, 80 }, tile = { 96, 48 }, text = { 84, 74 } }, places(map))
  end)

  it("ignores an odd pixel of its tiles, as Tiled does", function()
    local map = assert(wend.read_tiled(map_of("staggered", 2, 2, { tiles(2, 2, 1) }, { tilewidth = 65,
      tileheight = 33 })))
    assert.same({ 64, 32 }, { map.grid:cell_size() })
  end)

  it("closes only what is outside the map: gaps may be open", function()
    local layer = tiles(2, 3, nil, { properties = { empty = "open" }, chunks = {
      { x = 0, y = 0, width = 1, height = 1, data = { 1 } }, { x = 1, y = 2, width = 1, height = 1, data = { 1 } } } })
    local map = assert(wend.read_tiled(map_of("staggered", 2, 3, { layer })))
    local open, all = 0, 0
    for y = 1, map.grid:height() do
      for x = 1, map.grid:width() do
        open = open + (map.grid:is_closed(x, y) and 0 or 1)
        all = all + 1
      end
    end
    assert.same({ 6, 9 }, { open, all })
  end)
end)

-- The middle of a tile of a hexagonal map, as Tiled 1.8.2 computes it in whole pixels.
local function middle_of_hex(map, column, row)
  local wide, high = map.tilewidth - map.tilewidth % 2, map.tileheight - map.tileheight % 2
  local by_columns = map.staggeraxis == "x"
  local side_x, side_y = by_columns and map.hexsidelength or 0, by_columns and 0 or map.hexsidelength
  local off_x, off_y = math.floor((wide - side_x) / 2), math.floor((high - side_y) / 2)
  local column_width, row_height = off_x + side_x, off_y + side_y
  local shifted = (by_columns and column or row) % 2 == (map.staggerindex == "odd" and 1 or 0)
  if by_columns then
    return column * column_width + off_x + side_x / 2, row * high + (shifted and row_height or 0) + high / 2
  end
  return column * wide + (shifted and column_width or 0) + wide / 2, row * row_height + off_y + side_y / 2
end

describe("a hexagonal map of Tiled", function()
  local ISLE = "examples/tiled/isle.tmx" -- drawn by Tiled 1.8.2

  it("is a grid of hexes, with its objects and walls", function()
    local level, walls = assert(wend.read_tiled(ISLE, { closed = { "fence" } })), {}
    local grid = level.grid
    assert.same({ "hex", "even", false }, { grid:shape() }) -- rows count from 1, and from 0 in Tiled
    assert.same({ 28, 32, 16 }, { grid:cell_size() })
    assert.same({ 28, 40 }, { grid:position(1, 2) })
    assert.same({ 1, 2 }, { grid:cell_at(level.names.camp) })
    assert.same({ 8, 5 }, { grid:cell_at(level.names.tower) })
    assert.equal(table.concat({ "....w....", ".f.ww.f..", ".ff.w.ff.", "..f.bb...", ".....w.f.", ".ff.ww.f.",
      "....w...." }, "\n"), grid:text())
    for x1, y1, x2, y2, directed in grid:walls() do
      walls[#walls + 1] = ("%d,%d %d,%d%s"):format(x1, y1, x2, y2, directed and " directed" or "")
    end
    assert.same({ "2,2 3,2", "7,6 7,5 directed", "7,6 8,5 directed", "8,6 8,5 directed", "8,6 9,5 directed" }, walls)
    assert.equal("water", wend.tile_at(level, 5, 3).class)
    assert.equal("bridge", wend.tile_at(level, 5, 4).class)
    assert.is_true(grid:check().connected)
  end)

  for _, axis in ipairs { "x", "y" } do
    for _, index in ipairs { "odd", "even" } do
      it(("has its tiles where Tiled draws them: axis %s, index %s"):format(axis, index), function()
        helper.rounds("hexagonal", 30, function(rng)
          local width, height = rng(1, 9), rng(1, 9)
          local data, moved, left, top = {}, {}, 0, 0
          for i = 1, width * height do data[i], moved[i] = rng:pick { 1, 2, 3 }, 0 end
          local at = rng(1, width * height)
          moved[at] = 2
          local layer, above = tiles(width, height, data), tiles(width, height, moved)
          above.offsetx, above.offsety = rng(-90, 90), rng(-90, 90)
          if rng:chance(0.5) then                                     -- an infinite map
            left, top = rng(-9, 9), rng(-9, 9)
            for _, one in ipairs { layer, above } do
              one.chunks, one.data = { { x = left, y = top, width = width, height = height, data = one.data } }, nil
            end
          end
          local source = map_of("hexagonal", width, height, { layer, above }, { staggeraxis = axis,
            staggerindex = index, tilewidth = rng(30, 50), tileheight = rng(30, 50), hexsidelength = rng(0, 29) })
          local map = assert(wend.read_tiled(source))
          local grid, found = map.grid, 0
          assert.same({ width, height, "hex" }, { grid:width(), grid:height(), (grid:shape()) })
          local column, row = left + (at - 1) % width, top + math.floor((at - 1) / width)
          local x, y = wend.cell_of_tile(map, column, row)
          local px, py = grid:position(x, y)
          local wide, high, side = grid:cell_size()
          local room_x = (axis == "x" and (wide + side) / 2 or wide) / 2
          local room_y = (axis == "x" and high or (high + side) / 2) / 2
          for r = top, top + height - 1 do
            for c = left, left + width - 1 do
              x, y = wend.cell_of_tile(map, c, r)
              assert.same({ middle_of_hex(source, c, r) }, { grid:position(x, y) })
              assert.same({ x, y }, { grid:cell_at(grid:position(x, y)) })
              assert.same({ c, r }, { wend.tile_of_cell(map, x, y) })
              local gid = data[(r - top) * width + c - left + 1]
              local own = wend.tile_at(map, x, y, 1)
              assert.equal(gid - 1, own.id)
              local weight, tag = grid:get(x, y)
              local qx, qy = grid:position(x, y)
              local off_x, off_y = math.abs(qx - px - above.offsetx), math.abs(qy - py - above.offsety)
              if gid ~= 2 and wend.tile_at(map, x, y).id == 1 then     -- here lies the moved tile
                found = found + 1
                assert.same({ 1, "road" }, { weight, tag })
                assert.is_true(off_x <= room_x and off_y <= room_y)
              else
                assert.is_false(gid ~= 2 and off_x < room_x and off_y < room_y)
                assert.same({ gid ~= 3 and 1, gid == 2 and "road" or nil }, { weight, tag })
              end
            end
          end
          assert.is_true(found <= 1)
        end)
      end)
    end
  end

  it("takes no options of squares", function()
    for name, value in pairs { diagonals = "always", diagonal_length = 1 } do
      helper.raises(("the option '%s' is not for hexes"):format(name), wend.read_tiled, ISLE, { [name] = value })
    end
  end)

  it("moves the tiles of a layer by its offset, row by row as they are shifted", function()
    local source = map_of("hexagonal", 3, 3, { tiles(3, 3, 1), tiles(3, 3, { 2, 0, 0, 0, 2, 0, 0, 0, 0 }) },
      { tilewidth = 28, tileheight = 32, hexsidelength = 16 })
    local above = source.layers[2]
    local function text(x, y)
      above.offsetx, above.offsety = x, y
      return assert(wend.read_tiled(source)).grid:text()
    end
    assert.equal("r..\n.r.\n...", text(0, 0))
    assert.equal(".r.\n..r\n...", text(28, 0))
    assert.equal("...\nr..\n..r", text(14, 24)) -- half a hex to the right, one row down
    assert.equal("...\n...\nr..", text(0, 48))
  end)
end)

describe("wend.tile_of_cell and wend.cell_of_tile", function()
  local level
  before_each(function() level = assert(wend.read_tiled(QUAY)) end)

  it("count tiles from 0 and cells from 1", function()
    assert.same({ 4, 1 }, { wend.tile_of_cell(level, 5, 2) })
    assert.same({ 4, 1 }, { wend.tile_of_cell(level, { x = 5, y = 2 }) })
    assert.same({ 5, 2 }, { wend.cell_of_tile(level, 4, 1) })
  end)

  it("are nil outside the map", function()
    assert.same({ n = 1 }, pack(wend.tile_of_cell(level, 0, 1)))
    assert.same({ n = 1 }, pack(wend.tile_of_cell(level, 9, 1)))
    assert.same({ n = 1 }, pack(wend.tile_of_cell(level, 1, 7)))
    assert.same({ n = 1 }, pack(wend.cell_of_tile(level, -1, 0)))
    assert.same({ n = 1 }, pack(wend.cell_of_tile(level, 8, 0)))
    assert.same({ n = 1 }, pack(wend.cell_of_tile(level, 0, 6)))
    assert.same({ n = 1 }, pack(wend.cell_of_tile(level, 2 ^ 53, -2 ^ 53)))
  end)

  it("need only the field data.tiled, which may have been saved and read", function()
    assert.same({ 5, 2 }, { wend.cell_of_tile({ data = level.data }, 4, 1) })
  end)

  local MADE = "level must be a level that wend.read_tiled has made, got "
  local function tiled(changes)
    local data = { orientation = "isometric", column = 0, row = 0, columns = 8, rows = 6 }
    for key, value in pairs(changes) do data[key] = value or nil end
    return { data = { tiled = data } }
  end
  helper.all_raise(it, {
    MADE .. "nil", function() wend.tile_of_cell() end,
    MADE .. "a wend.Grid", function() wend.tile_of_cell(level.grid, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile({}, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile({ data = { tiled = {} } }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { columns = 0 }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { row = 0.5 }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { column = 0 / 0 }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { rows = false }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { orientation = "octagonal" }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { orientation = "hexagonal" }, 1, 1) end,
    MADE .. "a table", function() wend.cell_of_tile(tiled { orientation = "staggered" }, 1, 1) end,
    "x must be a whole number, got nil", function() wend.tile_of_cell(level) end,
    "y must be a whole number, got nil", function() wend.tile_of_cell(level, { x = 1 }) end,
    "y must be a whole number, got 0.5", function() wend.tile_of_cell(level, 1, 0.5) end,
    "column must be a whole number, got nan", function() wend.cell_of_tile(level, 0 / 0, 1) end,
    "row must be a whole number, got inf", function() wend.cell_of_tile(level, 1, math.huge) end,
    "row must be a whole number, got '1'", function() wend.cell_of_tile(level, 1, "1") end,
  })

  it("are inverse on random maps of any kind", function()
    helper.rounds("tiles and cells", 60, function(rng)
      local made = tiled { orientation = rng:pick { "orthogonal", "isometric", "staggered" },
        axis = rng:pick { "x", "y" }, index = rng:pick { "odd", "even" }, column = rng(-50, 50), row = rng(-50, 50),
        columns = rng(1, 20), rows = rng(1, 20) }
      local at = made.data.tiled
      for _ = 1, 20 do
        local column, row = rng(at.column, at.column + at.columns - 1), rng(at.row, at.row + at.rows - 1)
        local cell = pack(wend.cell_of_tile(made, column, row))
        assert.is_true(cell[1] >= 1 and cell[2] >= 1)
        assert.same({ column, row }, { wend.tile_of_cell(made, unpack(cell, 1, 2)) })
      end
    end)
  end)
end)
