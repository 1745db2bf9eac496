-- SPDX-License-Identifier: MIT
--- Tiles: reads tilesets and tile layers, and makes a grid of each layer.

local core = require "wend.core"
local check = require "wend.check"
local fields = require "wend.tools.tiled.fields"
local frame = require "wend.frame"
local foreign = require "wend.tools.tiled.foreign"
local projection = require "wend.tools.tiled.projection"
local shapes = require "wend.tools.tiled.shapes"

local tiles = {}

local GIDS = 268435456              -- tile numbers; the four bits above tell how a tile is rotated
local WHOLE_MAX = 2147483647        -- widths, heights and the like: 32-bit numbers in Tiled
local SPARE_CELLS = 4194304         -- a map is damaged if it has more cells without a tile than this
local SPARE_SHARE = 64              -- plus this many for each tile
local UNPACKED_MAX = 64 * 1024 * 1024 -- bytes of a layer that is packed: a packed megabyte can hold a gigabyte

local CODES = {}                    -- the values of the characters of base64, by byte
for i, span in ipairs { { "A", "Z" }, { "a", "z" }, { "0", "9" }, { "+", "+" }, { "/", "/" } } do
  for byte = span[1]:byte(), span[2]:byte() do
    CODES[byte] = ({ 0, 26, 52, 62, 63 })[i] + byte - span[1]:byte()
  end
end

local whole, text_of, one_of, list, each, class_of, properties_of, said
  = fields.whole, fields.text_of, fields.one_of, fields.list, fields.each, fields.class_of,
    fields.properties_of, fields.said
local bad = foreign.bad

--- The shapes of a tile, drawn in Tiled's collision editor. Points and texts are none.
local function shapes_of(place, tile)
  local found = {}
  local group = list(place, tile, "objectGroup", true)
  for _, source, shape_place in each(place, list(place, group, "objects", true), "shapes") do
    if shapes.ROLES.wall[text_of(shape_place, source, "shape")] then
      found[#found + 1] = { source = source, place = shape_place, shape = shapes.read_shape(shape_place, source) }
    end
  end
  return found
end

--- Reads a tile of a tileset. Returns { tag, weight, closed: what it says; by_word: whether a word closed it; class;
--- own: its properties; shapes; width, height: of its picture }.
local function read_tile(state, place, tile)
  local class = class_of(place, tile)
  local properties = properties_of(state, place, tile, class)
  local result = said(state, place, properties, class)
  result.class, result.own, result.shapes = class, tile.properties or {}, shapes_of(place, tile)
  result.width, result.height = tile.width or tile.imagewidth, tile.height or tile.imageheight
  local quiet = result.closed ~= nil or state.opts.tile ~= nil
  local blocks = state.words:block(place, { class = class, properties = properties, shapes = result.shapes[1] }, quiet)
  for _, shape in ipairs(result.shapes) do
    local own, own_class = list(shape.place, shape.source, "properties", true), class_of(shape.place, shape.source)
    blocks = state.words:block(shape.place, { class = own_class, properties = own }, quiet) or blocks
  end
  if result.closed == nil and blocks then result.closed, result.by_word = true, true end
  return result
end

--- What a tileset says: { name, tiles, align, width, height; seen: by number, what scripts have seen }. A file may be
--- the tileset of many numbers: it is read once.
local function read_tiles(state, place, source)
  if state.read_sets[source] then return state.read_sets[source] end
  local set = { tiles = {}, seen = {}, align = text_of(place, source, "objectalignment"),
    name = text_of(place, source, "name"), width = source.tilewidth, height = source.tileheight }
  for _, tile, own_place in each(place, list(place, source, "tiles", true), "tiles") do
    local tile_place = ("%s, tile %d"):format(place, whole(own_place, tile, "id", 0, GIDS))
    set.tiles[tile.id] = read_tile(state, tile_place, tile)
  end
  state.read_sets[source] = set
  return set
end

--- Reads the tilesets into state.tilesets, sorted by their first gid. Those in files of their own are read if the map
--- comes from a file.
function tiles.read_sets(state, map)
  local tilesets = {}
  for i, source, place in each("", list("", map, "tilesets", true), "tilesets") do
    local name = text_of(place, source, "name")
    if name then place = "tileset " .. check.describe(name) end
    local first = whole(place, source, "firstgid", 1, GIDS - 1)
    local outside = source.source == "" and "" or text_of(place, source, "source")
      or source.tiles == nil and text_of(place, source, "filename")
    if outside and not state.read_tileset then
      bad(place, "it is in a file of its own, %s: read the map from its file, or export it with embedded tilesets (in "
        .. "Tiled: Edit > Preferences > Export options > Embed tilesets)", check.describe(outside))
    elseif outside then
      source, place = state.read_tileset(outside), outside
    end
    tilesets[i] = { first = first, set = read_tiles(state, place, source) }
  end
  table.sort(tilesets, function(a, b) return a.first < b.first end)
  for i = 2, #tilesets do
    if tilesets[i].first == tilesets[i - 1].first then
      bad("", "two tilesets have the same firstgid, %d", tilesets[i].first)
    end
  end
  state.tilesets = tilesets
end

-- What a tile without properties is: its tileset does not list it, or is shorter since the map was made.
-- What is said of a tile that its tileset does not list.
tiles.EMPTY = { own = {}, shapes = {} }

--- The tileset of a gid, the number of the tile in it, and what is known of the tile. nil: the gid means no tile.
function tiles.find(state, place, gid)
  if type(gid) ~= "number" or not (gid >= 0 and gid < 16 * GIDS and gid % 1 == 0) then
    fields.wrong(place, "gid", "a whole number in 0 .. 4294967295", gid)
  end
  gid = gid % GIDS
  if gid == 0 then return nil end
  local low, high = 0, #state.tilesets                -- bisection: the last one that begins at gid or before
  while low < high do
    local between = math.floor((low + high + 1) / 2)
    if state.tilesets[between].first > gid then high = between - 1 else low = between end
  end
  local found = state.tilesets[low]
  if not found then bad(place, "no tileset has a tile for gid %d", gid) end
  local id = math.floor(gid - found.first)
  return found.set, id, found.set.tiles[id] or tiles.EMPTY
end

--- The tile that scripts see, the same table each time.
function tiles.for_scripts(state, set, id, tile)
  if set.seen[id] then return set.seen[id] end
  local result = { id = id, class = tile.class, tileset = set.name, shapes = {},
    properties = state.project:merged({}, properties_of(state, "", { properties = tile.own }, tile.class)) }
  for i, one in ipairs(tile.shapes) do
    local shape, source = one.shape, one.source
    result.shapes[i] = { shape = shape.shape, x = shape.x, y = shape.y, width = shape.width, height = shape.height,
      rotation = shape.rotation, points = shape.points, class = class_of("", source),
      properties = state.project:merged({}, source.properties) }
  end
  set.seen[id] = result
  return result
end

-- Two special values of cells. SILENT: a tile without properties in a layer without properties. NONE: no tile.
local SILENT, NONE = {}, {}

--- Asks the script's function about a tile. Returns a value for grid:set, or nil; and whether it said closed = false.
-- @param x, y the cell in the grid of the layer
local function ask(state, layer, set, id, tile, x, y)
  local where = ("cell (%d,%d) of layer %s"):format(x, y, check.describe(layer.key))
  local ok, value = core.call(state.opts.tile, tiles.for_scripts(state, set, id, tile), layer.key, x, y)
  if not ok then
    if value == check.NO_MEMORY then error(value, 0) end
    check.fail("tile raised an error for %s: %s", where, type(value) == "string" and value or check.describe(value))
  elseif value == nil then
    return nil
  end
  local good, problem = pcall(state.draft.set, state.draft, 1, 1, value)
  if not good then
    if problem == check.NO_MEMORY then error(problem, 0) end
    check.fail("tile returned a wrong value for %s: %s", where, problem)
  end
  local weight, tag = state.draft:get(1, 1)
  local opens = type(value) == "table" and weight and rawget(value, "closed") == false
  return { weight = state.draft:weight(1, 1), tag = tag, closed = not weight }, opens
end

--- Returns a function (gid, column, row): the value of a tile of this layer as grid:set takes it, or NONE, or SILENT;
--- and true: a word closes it, whatever lies above; false: it says that it is open.
-- @param box the rectangle of cells of the grids
local function values_of(state, layer, box)
  local known, firm = {}, {}
  local defaults = layer.said
  return function(gid, column, row)
    local value = known[gid]
    if value ~= nil and not state.opts.tile then return value, firm[gid] end
    local x, y = projection.cell(state.space, column, row)
    x, y = x - box.left + 1, y - box.top + 1
    local set, id, tile = tiles.find(state, ("%s, cell (%d,%d)"):format(layer.place, x, y), gid)
    if not set then
      value = NONE
    elseif value == nil then
      local tag, weight, closed = tile.tag or defaults.tag, tile.weight or defaults.weight, tile.closed
      local by_word = tile.by_word
      if closed == nil then closed, by_word = defaults.closed, defaults.by_word end
      if not tag and not weight and closed == nil then
        value = SILENT
      elseif closed then
        value = (tag or weight) and { weight = weight or 1, tag = tag, closed = true } or false
      elseif tag then
        value = weight and { weight = weight, tag = tag } or tag
      else
        value = weight or 1
      end
      if by_word or closed == false then firm[gid] = closed end
    end
    known[gid] = value
    if set and state.opts.tile then
      local answer, opens = ask(state, layer, set, id, tile, x, y)
      if answer and opens then return answer, false end
      if answer then return answer end
    end
    return value, firm[gid]
  end
end

--- Decodes base64.
local function base64(place, text)
  text = text:gsub("%s+", "")
  text = text:match "^([%w+/]*)=*$" or text
  local strange = text:match "[^%w+/]"
  if strange then bad(place, "data must be base64, got a %s in it", check.describe(strange)) end
  return (text:gsub("..?.?.?", function(group)         -- four characters are three bytes
    local value = 0
    for i = 1, 4 do value = value * 64 + (CODES[group:byte(i)] or 0) end
    local bytes = string.char(math.floor(value / 65536), math.floor(value / 256) % 256, value % 256)
    return bytes:sub(1, #group - 1)
  end))
end

--- The numbers of `bytes`, four bytes each, the lowest first. There must be `count`.
-- @param compression nil: they are not packed
local function gids_of(place, bytes, compression, count)
  if compression then
    local packed, most = bytes, math.min(count * 4.0, UNPACKED_MAX)
    local unpacked, code
    bytes, unpacked, code = core.unpack(packed, most)
    if code == "budget" then bad(place, "data must be %.0f bytes when unpacked, got more", most) end
    if not bytes then
      bad(place, "data must be a %s stream: it is damaged after %.0f bytes", compression, unpacked)
    end
  end
  if #bytes ~= count * 4 then bad(place, "data must be %.0f bytes, got %.0f", count * 4.0, #bytes) end
  local gids = {}
  for i = 1, count do
    local a, b, c, d = bytes:byte(4 * i - 3, 4 * i)
    gids[i] = a + b * 256 + c * 65536 + d * 16777216
  end
  return gids
end

--- The gids of a rectangle of `count` cells, row by row.
local function read_data(place, owner, encoding, compression, count)
  local data = owner.data
  if encoding == "base64" then
    if type(data) ~= "string" then fields.wrong(place, "data", "a string", data) end
    return gids_of(place, base64(place, data), compression, count)
  elseif encoding == "csv" and type(data) == "string" then
    local strange = data:match "[^%d,%s]"
    if strange then bad(place, "data must be numbers and commas, got a %s in it", check.describe(strange)) end
    local gids = {}
    for digits in data:gmatch "%d+" do gids[#gids + 1] = tonumber(digits) end
    data = gids
  end
  if type(data) ~= "table" then fields.wrong(place, "data", "a table", data) end
  if #data ~= count then bad(place, "data must be %.0f tiles, got %.0f", count, #data) end
  return data
end

--- Reads a tile layer into a list of rectangles, layer.blocks: { x, y, width, height, data }, x and y from 0. A map of
--- fixed size has one rectangle per layer; an infinite map has one per chunk.
local function read_tile_layer(state, map, layer)
  local place, source = layer.place, layer.source
  local encoding = text_of(place, source, "encoding") or "lua"
  local compression = text_of(place, source, "compression")
  if compression and compression ~= "zlib" and compression ~= "gzip" then
    bad(place, "its tiles are compressed by %s, expected zlib or gzip: in Tiled, set Map > Map Properties > Tile Layer "
      .. "Format, and save or export again", check.describe(compression))
  end
  one_of(place, "encoding", encoding, "csv", "base64", "lua")

  layer.blocks = {}
  if source.chunks == nil then
    for _, key in ipairs { "width", "height" } do
      whole(place, source, key, 1, WHOLE_MAX)
      if source[key] ~= map[key] then
        fields.wrong(place, key, ("%d, the %s of the map"):format(map[key], key), source[key])
      end
    end
    layer.blocks[1] = { x = 0, y = 0, width = source.width, height = source.height,
      data = read_data(place, source, encoding, compression, source.width * source.height) }
    return
  end
  state.infinite = true
  for i, chunk, chunk_place in each(place, list(place, source, "chunks"), "chunks") do
    local block = {
      x = whole(chunk_place, chunk, "x", -WHOLE_MAX, WHOLE_MAX),
      y = whole(chunk_place, chunk, "y", -WHOLE_MAX, WHOLE_MAX),
      width = whole(chunk_place, chunk, "width", 1, 65536),
      height = whole(chunk_place, chunk, "height", 1, 65536),
    }
    block.data = read_data(chunk_place, chunk, encoding, compression, block.width * block.height)
    layer.blocks[i] = block
  end
end

--- The rectangle of tiles that all grids of the map cover: { left, top, width, height }, from 0.
local function find_tiles(state, map, layers)
  local box = { left = 0, top = 0, width = map.width, height = map.height }
  if not state.infinite then return box, map.width * map.height end
  local left, top, right, bottom, held = math.huge, math.huge, -math.huge, -math.huge, 0
  for _, layer in ipairs(layers) do
    for _, block in ipairs(layer.blocks) do
      left, top = math.min(left, block.x), math.min(top, block.y)
      right, bottom = math.max(right, block.x + block.width), math.max(bottom, block.y + block.height)
      held = held + block.width * block.height
    end
  end
  if held > 0 then
    box = { left = left, top = top, width = right - left, height = bottom - top }
  end
  return box, held
end

--- The rectangle of cells that all grids of the map have, from 0, for the rectangle of tiles that they cover.
local function find_box(state, map, layers)
  local area, held = find_tiles(state, map, layers)
  local left, top, width, height = projection.box(state.space, area.left, area.top, area.width, area.height)
  local too_far = state.infinite or state.space.orientation == "staggered"
  if too_far and (width * 1.0 * height * #layers > SPARE_SHARE * held + SPARE_CELLS
    or width + 1 > (WHOLE_MAX - 1) / (height + 2)) then
    if state.infinite then
      bad("", "the chunks of the map lie too far apart: %.0f x %.0f cells", width, height)
    end
    bad("", "a staggered map of %.0f x %.0f tiles is too long: %.0f x %.0f cells", area.width, area.height, width,
      height)
  end
  return { left = left, top = top, width = width, height = height, tiles = area }
end

--- The cell of a tile in grids of the map.
-- @param shift_x, shift_y the offset of its layer, in cells
local function cell_of(space, box, column, row, shift_x, shift_y)
  local x, y = projection.cell(space, column, row)
  local columns, rows = projection.offset(space, x, y, shift_x, shift_y)
  return x + columns - box.left + 1, y + rows - box.top + 1
end

--- Fills part of a row of tiles with a value, as far as it lies in the grid.
-- @param first, last the columns; row: of the tiles as Tiled counts them
-- @param shift_x, shift_y the offset of the layer, in cells
local function fill_row(space, grid, box, first, last, row, value, shift_x, shift_y)
  if space.orientation == "staggered" or space.orientation == "hexagonal" and (shift_x ~= 0 or shift_y ~= 0) then
    for column = first, last do
      local x, y = cell_of(space, box, column, row, shift_x, shift_y)
      if x >= 1 and x <= box.width and y >= 1 and y <= box.height then grid:set(x, y, value) end
    end
    return
  end
  local x1, y = cell_of(space, box, first, row, shift_x, shift_y)
  local x2 = math.min(x1 + last - first, box.width)
  x1 = math.max(x1, 1)
  if x1 <= x2 and y >= 1 and y <= box.height then grid:fill(x1, y, x2, y, value) end
end

--- Keeps the tiles of a row for wend.tile_at, four bytes each, the lowest first.
local function keep_row(layer, row, first, data, from, count)
  local codes, bytes = layer.codes, {}
  for i = 1, count do
    local gid = data[from + i - 1]
    local code = codes[gid]
    if not code then
      local id = gid % GIDS
      code = string.char(id % 256, math.floor(id / 256) % 256, math.floor(id / 65536) % 256, math.floor(id / 16777216))
      codes[gid] = code
    end
    bytes[i] = code
  end
  layer.rows[row] = layer.rows[row] or {}
  table.insert(layer.rows[row], { first = first, count = count, bytes = table.concat(bytes) })
end

--- Writes the tiles of a layer into grids. Cells without a tile stay unchanged.
-- @param targets a list of { grid, shift_x, shift_y: the offset of the layer, in cells; silent: the value of tiles
-- without properties; nil: their cells stay unchanged }
-- @param value_of the result of values_of
-- @param firm a list: the cells that a word closes or that say that they are open are appended
local function paint(state, targets, box, layer, value_of, firm)
  local space, asks = state.space, state.opts.tile ~= nil
  layer.rows, layer.codes = {}, {}
  for _, block in ipairs(layer.blocks) do
    local data = block.data
    for row = 0, block.height - 1 do
      local first, column = row * block.width + 1, 0
      while column < block.width do
        local gid, last = data[first + column], column
        while not asks and last + 1 < block.width and data[first + last + 1] == gid do last = last + 1 end
        local value, closes = value_of(gid, block.x + column, block.y + row)
        for _, target in ipairs(targets) do
          local own = value
          if own == SILENT then own = target.silent end
          if own ~= NONE and own ~= nil then
            fill_row(space, target.grid, box, block.x + column, block.x + last, block.y + row, own, target.shift_x,
              target.shift_y)
          end
        end
        if closes ~= nil and (state.words.common or state.words.patterns[1]) then
          firm[#firm + 1] = { layer = layer, first = block.x + column, last = block.x + last, row = block.y + row,
            closes = closes }
        end
        column = last + 1
      end
      keep_row(layer, block.y + row, block.x, data, first, block.width)
    end
    block.data = nil
  end
end

--- Closes the cells that words close, whatever lies above them, but for a tile that says that it is open.
local function close_firm(space, grid, box, firm)
  local opened = {}
  for i = #firm, 1, -1 do                             -- the uppermost layer first
    local run = firm[i]
    for column = run.first, run.last do
      local x, y = cell_of(space, box, column, run.row, run.layer.shift_x, run.layer.shift_y)
      local key = y * box.width + x
      if not run.closes then
        opened[key] = true
      elseif not opened[key] and grid:has(x, y) then
        grid:close(x, y)
      end
    end
  end
end

--- Makes the cells of a new grid open or closed, where there are no tiles.
-- @param layer which says whether they are open
-- @param covering the layers whose chunks cover the grid: cells outside them are closed unless the layer says otherwise
local function clear_cells(state, grid, box, layer, covering)
  local area, staggered = box.tiles, state.space.orientation == "staggered"
  local function open(left, top, width, height)
    for row = top, top + height - 1 do
      fill_row(state.space, grid, box, left, left + width - 1, row, 1, 0, 0)
    end
  end
  if layer.empty == "closed" then
    grid:fill(false)
  elseif state.infinite and layer.empty ~= "open" then
    grid:fill(false)
    for _, other in ipairs(covering) do
      for _, block in ipairs(other.blocks) do open(block.x, block.y, block.width, block.height) end
    end
  elseif staggered then                               -- the corners of the grid are not in the map
    grid:fill(false)
    open(area.left, area.top, area.width, area.height)
  end
end

--- What wend.tile_of_cell and wend.cell_of_tile need.
function tiles.numbering(space, area)
  return { tiled = { orientation = space.orientation, axis = space.axis, index = space.index,
    column = area.left, row = area.top, columns = area.width, rows = area.height } }
end

--- Makes a grid for each tile layer, and one of all layers.
function tiles.make_grids(state, map, layers, result)
  local space = state.space
  for _, layer in ipairs(layers) do read_tile_layer(state, map, layer) end
  local box = find_box(state, map, layers)
  local left, top = frame.to_world(space, box.left, box.top)
  result.width, result.height = box.width, box.height

  local function new_grid(layer, x, y, covering)
    local opts = {
      cell = space.cell, origin = { space.x + left + x, space.y + top + y },
      projection = space.isometric and "isometric" or nil,
      diagonals = state.opts.diagonals, diagonal_length = state.opts.diagonal_length,
    }
    if space.side then
      local first = space.axis == "x" and box.left or box.top
      opts.shape, opts.side, opts.flat = "hex", space.side, space.axis == "x"
      opts.shift = (first % 2 == 0) == (space.index == "odd") and "even" or "odd" -- Tiled counts from 0
    end
    local grid = check.call(core.grid, box.width, box.height, opts) -- raises for options that are not for hexes
    clear_cells(state, grid, box, layer, covering)
    return grid
  end
  local firm, names = {}, {}
  local kept = { box = box, layers = {}, space = space, tilesets = state.tilesets, project = state.project }
  result.grid = new_grid(layers[1], 0, 0, layers)
  for i, layer in ipairs(layers) do
    local grid = new_grid(layer, layer.x, layer.y, { layer })
    layer.key = layer.name and not result.grids[layer.name] and layer.name or i
    result.grids[i], result.grids[layer.key] = grid, grid

    layer.shift_x, layer.shift_y = frame.to_cells(space, layer.x, layer.y)
    local targets = {
      { grid = grid, silent = 1, shift_x = 0, shift_y = 0 },
      { grid = result.grid, silent = i == 1 and 1 or nil, shift_x = layer.shift_x, shift_y = layer.shift_y },
    }
    paint(state, targets, box, layer, values_of(state, layer, box), firm)
    kept.layers[i] = { rows = layer.rows, shift_x = layer.shift_x, shift_y = layer.shift_y }
    kept.layers[layer.key], names[i] = kept.layers[i], layer.name or ""
  end
  close_firm(space, result.grid, box, firm)
  result.data = tiles.numbering(space, box.tiles)
  result.data.tiled.layers = names
  state.kept = kept
end

return tiles
