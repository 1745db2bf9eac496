-- SPDX-License-Identifier: MIT
--- wend.read_tiled: reads maps made with Tiled (mapeditor.org).
--
-- The steps are: parse the file; read the tilesets; collect the layers from all groups; make a grid of each tile layer;
-- read the objects, make nodes and walls, and then the edges between the nodes. sources.lua reads the files, of any of
-- Tiled's formats, as tables like those of Tiled's Lua export. projection.lua has the formulas of isometric and
-- staggered maps.

local core = require "wend.core"
local check = require "wend.check"
local levels = require "wend.level"
local frame = require "wend.frame"
local foreign = require "wend.tools.tiled.foreign"
local format = require "wend.format"
local projection = require "wend.tools.tiled.projection"
local projects = require "wend.tools.tiled.project"
local reader = require "wend.tools.tiled.sources"
local vocabulary = require "wend.tools.tiled.words"

local tiled = {}

local OPTIONS = { "diagonals", "diagonal_length", "closed", "tile", "project" }
OPTIONS.kinds = {
  tile = check.FUNCTION,
  project = { be = "the name of a file, a table or false",
    holds = function(value) return value == false or type(value) == "string" or type(value) == "table" end },
}

local DEPTH_MAX = 100               -- nested groups: the reader calls itself for each
local NUMBER_MAX = 1e100            -- coordinates and sizes: sums of them are still finite
local LAYERS_MAX = 65536            -- layers: more are a table that contains itself
local TAGS_MAX = 65535              -- tags: a grid or a graph can have no more
local GIDS = 268435456              -- tile numbers; the four bits above tell how a tile is rotated
local WHOLE_MAX = 2147483647        -- widths, heights and the like: 32-bit numbers in Tiled
local SPARE_CELLS = 4194304         -- a map is damaged if it has more cells without a tile than this
local SPARE_SHARE = 64              -- plus this many for each tile
local UNPACKED_MAX = 64 * 1024 * 1024 -- bytes of a layer that is packed: a packed megabyte can hold a gigabyte
local PARTS_MAX = 1000000           -- points of shapes of tiles that are objects: a short file could make them many
local ELLIPSE_CORNERS = 32          -- corners of the polygon around an ellipse that is not round

local CODES = {}                    -- the values of the characters of base64, by byte
for i, span in ipairs { { "A", "Z" }, { "a", "z" }, { "0", "9" }, { "+", "+" }, { "/", "/" } } do
  for byte = span[1]:byte(), span[2]:byte() do
    CODES[byte] = ({ 0, 26, 52, 62, 63 })[i] + byte - span[1]:byte()
  end
end

local bad = foreign.bad

-- By level: what wend.tile_at reads.
local tiles_of_levels = setmetatable({}, { __mode = "k" })

-- Fields -----------------------------------------------------------------------------------------------------------
-- These functions read a field of a table and check it. `place` is where the table is, for messages.

--- Raises: a field has a wrong value.
local function wrong(place, key, wanted, value)
  bad(place, "%s must be %s, got %s", key, wanted, check.describe(value))
end

--- A number, not below `least` if that is given. `default`: the value of a missing field.
local function number(place, owner, key, default, least)
  local value = owner[key]
  if value == nil and default then return default end
  if type(value) ~= "number" or not (value >= (least or -NUMBER_MAX) and value <= NUMBER_MAX) then
    wrong(place, key, least and ("a finite number >= %d"):format(least) or "a finite number", value)
  end
  return value
end

--- A whole number in low .. high.
local function whole(place, owner, key, low, high)
  local value = owner[key]
  if type(value) ~= "number" or not (value >= low and value <= high and value % 1 == 0) then
    wrong(place, key, ("a whole number in %d .. %d"):format(low, high), value)
  end
  return value
end

--- A string; nil if it is missing or empty.
local function text_of(place, owner, key)
  local value = owner[key]
  if value ~= nil and type(value) ~= "string" then wrong(place, key, "a string", value) end
  return value ~= "" and value or nil
end

--- Raises unless a value is one of some words. Returns it.
local function one_of(place, key, value, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    if value == word then return value end
    words[i] = "'" .. word .. "'"
  end
  local last = table.remove(words)
  wrong(place, key, table.concat(words, ", ") .. " or " .. last, value)
end

--- true, false, or nil if it is missing.
local function flag(place, owner, key)
  local value = owner[key]
  if value ~= nil and type(value) ~= "boolean" then wrong(place, key, "true or false", value) end
  return value
end

--- A table. A missing one is an error, or empty if it is optional.
local function list(place, owner, key, optional)
  local value = owner[key]
  if value == nil and optional then return {} end
  if type(value) ~= "table" then wrong(place, key, "a table", value) end
  return value
end

--- For loops over a list of tables: the number of each, the table, and its place. The length is read once.
local function each(place, entries, key)
  local i, count = 0, #entries
  return function()
    i = i + 1
    if i > count then return nil end
    local item_place = ("%s[%d]"):format(key, i)
    if type(entries[i]) ~= "table" then wrong(place, item_place, "a table", entries[i]) end
    return i, entries[i], place ~= "" and place .. ", " .. item_place or item_place
  end
end

--- The class of a tile, a layer or an object. Some versions of Tiled call it type.
local function class_of(place, owner)
  return text_of(place, owner, "class") or text_of(place, owner, "type")
end

--- The properties of a tile, a layer or an object, and what its class has by default.
local function properties_of(state, place, owner, class)
  return state.project:merged(list(place, owner, "properties", true), class and state.project:defaults(class))
end

--- The properties tag, weight and closed of a tile, a layer or an object.
---@param state table
---@param class string|nil the tag if there is no property
local function said(state, place, properties, class)
  local own_place = place .. ": properties"
  local weight = properties.weight
  if weight ~= nil then number(own_place, properties, "weight", nil, 0) end
  local tag = text_of(own_place, properties, "tag") or class
  if tag and not state.tags[tag] then
    state.tag_count = state.tag_count + 1
    if state.tag_count > TAGS_MAX then bad(place, "a map has at most %d tags", TAGS_MAX) end
    state.tags[tag] = true
  end
  return { tag = tag, weight = weight, closed = flag(own_place, properties, "closed") }
end

-- Tiles ------------------------------------------------------------------------------------------------------------

local ROLES, read_shape                               -- below, with the objects

--- The shapes of a tile, drawn in Tiled's collision editor. Points and texts are none.
local function shapes_of(place, tile)
  local shapes = {}
  local group = list(place, tile, "objectGroup", true)
  for _, source, shape_place in each(place, list(place, group, "objects", true), "shapes") do
    if ROLES.wall[text_of(shape_place, source, "shape")] then
      shapes[#shapes + 1] = { source = source, place = shape_place, shape = read_shape(shape_place, source) }
    end
  end
  return shapes
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
local function read_tilesets(state, map)
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
local EMPTY = { own = {}, shapes = {} }

--- The tileset of a gid, the number of the tile in it, and what is known of the tile. nil: the gid means no tile.
local function find_tile(state, place, gid)
  if type(gid) ~= "number" or not (gid >= 0 and gid < 16 * GIDS and gid % 1 == 0) then
    wrong(place, "gid", "a whole number in 0 .. 4294967295", gid)
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
  return found.set, id, found.set.tiles[id] or EMPTY
end

--- The tile that scripts see, the same table each time.
local function tile_for_scripts(state, set, id, tile)
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
  local ok, value = core.call(state.opts.tile, tile_for_scripts(state, set, id, tile), layer.key, x, y)
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
    local set, id, tile = find_tile(state, ("%s, cell (%d,%d)"):format(layer.place, x, y), gid)
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
    if type(data) ~= "string" then wrong(place, "data", "a string", data) end
    return gids_of(place, base64(place, data), compression, count)
  elseif encoding == "csv" and type(data) == "string" then
    local strange = data:match "[^%d,%s]"
    if strange then bad(place, "data must be numbers and commas, got a %s in it", check.describe(strange)) end
    local gids = {}
    for digits in data:gmatch "%d+" do gids[#gids + 1] = tonumber(digits) end
    data = gids
  end
  if type(data) ~= "table" then wrong(place, "data", "a table", data) end
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
        wrong(place, key, ("%d, the %s of the map"):format(map[key], key), source[key])
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
  local tiles, held = find_tiles(state, map, layers)
  local left, top, width, height = projection.box(state.space, tiles.left, tiles.top, tiles.width, tiles.height)
  local too_far = state.infinite or state.space.orientation == "staggered"
  if too_far and (width * 1.0 * height * #layers > SPARE_SHARE * held + SPARE_CELLS
    or width + 1 > (WHOLE_MAX - 1) / (height + 2)) then
    if state.infinite then
      bad("", "the chunks of the map lie too far apart: %.0f x %.0f cells", width, height)
    end
    bad("", "a staggered map of %.0f x %.0f tiles is too long: %.0f x %.0f cells", tiles.width, tiles.height, width,
      height)
  end
  return { left = left, top = top, width = width, height = height, tiles = tiles }
end

--- Fills part of a row of tiles with a value, as far as it lies in the grid.
-- @param first, last the columns; row: of the tiles as Tiled counts them
-- @param shift_x, shift_y added to the coordinates of the cells
local function fill_row(space, grid, box, first, last, row, value, shift_x, shift_y)
  if space.orientation == "staggered" then
    for column = first, last do
      local x, y = projection.cell(space, column, row)
      x, y = x - box.left + 1 + shift_x, y - box.top + 1 + shift_y
      if x >= 1 and x <= box.width and y >= 1 and y <= box.height then grid:set(x, y, value) end
    end
    return
  end
  local y = row - box.top + 1 + shift_y
  local x1 = math.max(first - box.left + 1 + shift_x, 1)
  local x2 = math.min(last - box.left + 1 + shift_x, box.width)
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
-- @param targets a list of { grid, shift_x, shift_y: added to the coordinates, in cells; silent: the value of tiles
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
      local x, y = projection.cell(space, column, run.row)
      x, y = x - box.left + 1 + run.layer.shift_x, y - box.top + 1 + run.layer.shift_y
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
  local tiles, staggered = box.tiles, state.space.orientation == "staggered"
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
    open(tiles.left, tiles.top, tiles.width, tiles.height)
  end
end

--- What wend.tile_of_cell and wend.cell_of_tile need.
local function numbering(space, tiles)
  return { tiled = { orientation = space.orientation, axis = space.axis, index = space.index,
    column = tiles.left, row = tiles.top, columns = tiles.width, rows = tiles.height } }
end

--- Makes a grid for each tile layer, and one of all layers.
local function make_grids(state, map, layers, result)
  local space = state.space
  for _, layer in ipairs(layers) do read_tile_layer(state, map, layer) end
  local box = find_box(state, map, layers)
  local left, top = frame.to_world(space, box.left, box.top)
  result.width, result.height = box.width, box.height

  local function new_grid(layer, x, y, covering)
    local grid = core.grid(box.width, box.height, {
      cell = { space.wide, space.high }, origin = { space.x + left + x, space.y + top + y },
      projection = space.isometric and "isometric" or "orthogonal",
      diagonals = state.opts.diagonals, diagonal_length = state.opts.diagonal_length,
    })
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

    local shift_x, shift_y = frame.to_cells(space, layer.x, layer.y)
    layer.shift_x, layer.shift_y = math.floor(shift_x + 0.5), math.floor(shift_y + 0.5)
    local targets = {
      { grid = grid, silent = 1, shift_x = 0, shift_y = 0 },
      { grid = result.grid, silent = i == 1 and 1 or nil, shift_x = layer.shift_x, shift_y = layer.shift_y },
    }
    paint(state, targets, box, layer, values_of(state, layer, box), firm)
    kept.layers[i] = { rows = layer.rows, shift_x = layer.shift_x, shift_y = layer.shift_y }
    kept.layers[layer.key], names[i] = kept.layers[i], layer.name or ""
  end
  close_firm(space, result.grid, box, firm)
  result.data = numbering(space, box.tiles)
  result.data.tiled.layers = names
  state.kept = kept
end

-- Objects ----------------------------------------------------------------------------------------------------------

-- The position of a tile object within its rectangle, as shares of width and height.
local ALIGNMENTS = {
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
}

ROLES = {
  node = { point = true, rectangle = true, ellipse = true },
  edge = { polyline = true },
  wall = { rectangle = true, polygon = true, polyline = true, ellipse = true },
}
local LAYER_ROLES = { nodes = "node", edges = "edge", walls = "wall" }

local TURNS = { [0] = { 1, 0 }, [90] = { 0, 1 }, [180] = { -1, 0 }, [270] = { 0, -1 } }

--- Converts a vector of the plane of objects to the world. On isometric maps Tiled measures objects along the rows and
--- columns, both in heights of a tile. On other maps that plane is the world.
local function project(space, x, y)
  if space.orientation ~= "isometric" then return x, y end
  return frame.to_world(space, x / space.high, y / space.high)
end

--- The position in the world of a point of an object, which is rotated around the object's position.
local function placed(object, x, y)
  if object.space then x, y = project(object.space, x, y) end
  local turn = TURNS[object.rotation]
  if not turn then
    local angle = math.rad(object.rotation)
    turn = { math.cos(angle), math.sin(angle) }
  end
  local dx, dy = x * turn[1] - y * turn[2], x * turn[2] + y * turn[1]
  if not TURNS[object.rotation] then                  -- rounded: the last bits of a sine differ between machines
    dx, dy = math.floor(dx * 65536 + 0.5) / 65536, math.floor(dy * 65536 + 0.5) / 65536
  end
  if object.within then return object.within(object.x + dx, object.y + dy) end
  return object.x + dx, object.y + dy
end

--- The centre of an object with a rectangle; otherwise its position.
local function middle(object)
  return placed(object, object.left + object.width / 2, object.top + object.height / 2)
end

--- Reads the corners of a polygon or polyline into object.points, a flat list of positions in the world.
local function read_points(place, source, object, least)
  local corners = list(place, source, object.shape)
  if #corners < least then bad(place, "a %s must have at least %d points, got %d", object.shape, least, #corners) end
  object.points = {}
  for i, corner, corner_place in each(place, corners, object.shape) do
    local x, y = number(corner_place, corner, "x"), number(corner_place, corner, "y")
    object.points[2 * i - 1], object.points[2 * i] = placed(object, x, y)
  end
end

--- Reads a shape of a tile as an object whose positions are pixels of the tile.
-- @param within a function that converts them; nil: they stay
read_shape = function(place, source, within)
  local shape = { shape = source.shape, x = number(place, source, "x"), y = number(place, source, "y"),
    width = number(place, source, "width", 0, 0), height = number(place, source, "height", 0, 0),
    rotation = number(place, source, "rotation", 0) % 360, left = 0, top = 0, within = within }
  if shape.shape == "polygon" then
    read_points(place, source, shape, 3)
  elseif shape.shape == "polyline" then
    read_points(place, source, shape, 2)
  end
  return shape
end

--- The shapes of a tile that is an object, as objects: turned and scaled as the tile is.
local function parts_of(state, object, gid, set, tile)
  local function size(own, other, whole_size)
    own = own or other
    return type(own) == "number" and own > 0 and own or whole_size
  end
  local wide, high = size(tile.width, set.width, object.width), size(tile.height, set.height, object.height)
  local mirrored, upside_down = gid >= 8 * GIDS, math.floor(gid / (4 * GIDS)) % 2 == 1
  local swapped = math.floor(gid / (2 * GIDS)) % 2 == 1
  local function within(x, y)
    x, y = wide > 0 and x / wide or 0, high > 0 and y / high or 0
    if swapped then x, y = y, x end
    if mirrored then x = 1 - x end
    if upside_down then y = 1 - y end
    return placed(object, object.left + x * object.width, object.top + y * object.height)
  end
  local parts = {}
  for i, one in ipairs(tile.shapes) do
    parts[i] = read_shape(one.place, one.source, within)
    state.parts = state.parts + 1 + (parts[i].points and #parts[i].points or 0)
    if state.parts > PARTS_MAX then bad("", "objects have more than %d points from shapes of tiles", PARTS_MAX) end
  end
  return parts
end

---@return "node"|"edge"|"wall"|nil role nil: the object is only a name
---@return boolean? explicit whether the object itself tells; otherwise its layer
local function role_of(layer, place, object)
  if ROLES[object.class] then return object.class, true end
  for _, role in ipairs { "node", "edge", "wall" } do
    if flag(place .. ": properties", object.properties, role) then return role, true end
  end
  local role = LAYER_ROLES[layer.class]
  if role and ROLES[role][object.shape] then return role end
end

--- Reads an object of any shape.
local function read_object(state, layer, source, place)
  local space = state.space
  local x, y = project(space, number(place, source, "x"), number(place, source, "y"))
  if space.orientation == "isometric" then x, y = x + space.x, y + space.y end
  local object = {
    name = text_of(place, source, "name"), class = class_of(place, source),
    shape = text_of(place, source, "shape"), x = layer.x + x, y = layer.y + y,
    width = number(place, source, "width", 0, 0), height = number(place, source, "height", 0, 0),
    rotation = number(place, source, "rotation", 0) % 360, left = 0, top = 0, place = place,
  }
  local own, set, tile = list(place, source, "properties", true), nil, EMPTY
  if source.gid ~= nil then
    local _
    set, _, tile = find_tile(state, place, source.gid)
    tile = tile or EMPTY
    object.class, own = object.class or tile.class, state.project:merged(own, tile.own)
    local default = space.orientation == "isometric" and ALIGNMENTS.bottom or ALIGNMENTS.bottomleft
    local at = set and ALIGNMENTS[set.align] or default
    object.left, object.top = -at[1] * object.width, -at[2] * object.height
  elseif object.shape ~= "text" and space.orientation == "isometric" then
    object.space = space                              -- tiles and texts stand upright: only their position is projected
  end
  if object.shape == "polygon" then
    read_points(place, source, object, 3)
  elseif object.shape == "polyline" then
    read_points(place, source, object, 2)
  end
  object.properties = properties_of(state, place, { properties = own }, object.class)
  local explicit
  object.role, explicit = role_of(layer, place, object)
  if explicit and not ROLES[object.role][object.shape] then
    bad(place, "a %s cannot be %s %s", object.shape or "thing without a shape", object.role == "edge" and "an" or "a",
      object.role)
  end
  local open = flag(place .. ": properties", object.properties, "closed") == false
  local blocks = state.words:block(place, { class = object.class, properties = object.properties },
    object.role ~= nil or open) or layer.said.by_word
  if ROLES.wall[object.shape] and not open and (object.role or "wall") == "wall" then
    if blocks then
      object.parts = { object }
    elseif tile.shapes[1] and state.words.common and not object.role then
      object.parts = parts_of(state, object, source.gid, set, tile)
    end
  end
  return object
end

local function add_node(state, result, object)
  local place, properties = object.place .. ": properties", object.properties
  local radius
  if properties.radius ~= nil then
    radius = number(place, properties, "radius", nil, 0)
  elseif object.shape == "ellipse" then
    radius = math.min(object.width, object.height) / 2
    local space = object.space                        -- the largest circle in the ellipse as it is drawn
    if space then radius = radius * math.min(space.wide / space.high, 1) / math.sqrt(2) end
  end
  local name = object.name
  if name and state.nodes[name] then
    name = nil                                        -- the first has it
  elseif name then
    state.nodes[name] = true
  end
  result.graph = result.graph or core.graph()
  local x, y = middle(object)
  result.graph:add_node(x, y, { name = name, radius = radius })
end

--- Finds the nodes nearest to the ends of an edge: object.from, object.to.
local function find_ends(graph, object)
  local place, points = object.place, object.points
  if not graph then bad(place, "there are no nodes for this edge") end
  local from, to = graph:nearest(points[1], points[2]), graph:nearest(points[#points - 1], points[#points])
  if from == to then
    local name = graph:name(from)
    bad(place, "both its ends are nearest to the same node, %s", name and check.describe(name) or tostring(from))
  end
  object.from, object.to = from, to
end

local function add_edge(state, graph, layer, object)
  local place, points, from, to = object.place, object.points, object.from, object.to
  local class = object.class ~= "edge" and object.class or nil
  local own = said(state, place, object.properties, class)
  local directed = flag(place .. ": properties", object.properties, "directed")
  if directed == nil then directed = flag(layer.place .. ": properties", layer.properties, "directed") end

  local weight = own.weight or layer.said.weight
  if not weight and #points > 4 then                  -- the length of the polyline, from node to node
    local x, y = graph:position(from)
    local last_x, last_y = graph:position(to)
    weight = 0
    for i = 3, #points - 1, 2 do
      local next_x, next_y = points[i], points[i + 1]
      if i == #points - 1 then next_x, next_y = last_x, last_y end
      weight = weight + math.sqrt((next_x - x) * (next_x - x) + (next_y - y) * (next_y - y))
      x, y = next_x, next_y
    end
  end
  local edge = graph:add_edge(from, to, { weight = weight, tag = own.tag or layer.said.tag, directed = directed })
  local closed = own.closed
  if closed == nil then closed = layer.said.closed end
  if closed then graph:close_edge(edge) end
end

--- A polygon that encloses an ellipse.
local function around(object)
  local points = {}
  local rx, ry = object.width / 2, object.height / 2
  local wider = 1 / math.cos(math.pi / ELLIPSE_CORNERS)
  for i = 1, ELLIPSE_CORNERS do
    local angle = (i - 0.5) * 2 * math.pi / ELLIPSE_CORNERS
    local x, y = placed(object, rx + rx * wider * math.cos(angle), ry + ry * wider * math.sin(angle))
    points[2 * i - 1] = math.floor(x * 65536 + 0.5) / 65536
    points[2 * i] = math.floor(y * 65536 + 0.5) / 65536
  end
  return points
end

local function add_wall(walls, object)
  local points = object.points
  if object.shape == "polygon" then
    walls:add_polygon(points)
  elseif object.shape == "polyline" then
    for i = 1, #points - 3, 2 do walls:add_segment(points[i], points[i + 1], points[i + 2], points[i + 3]) end
  else
    local left, top, width, height = object.left, object.top, object.width, object.height
    local x1, y1 = placed(object, left, top)
    local x2, y2 = placed(object, left + width, top + height)
    if object.shape == "ellipse" and width == height and not object.space and not object.within then
      local x, y = middle(object)
      walls:add_circle(x, y, width / 2)
    elseif width == 0 or height == 0 then
      walls:add_segment(x1, y1, x2, y2)
    elseif object.shape == "ellipse" then
      walls:add_polygon(around(object))
    else
      local x3, y3 = placed(object, left + width, top)
      local x4, y4 = placed(object, left, top + height)
      walls:add_polygon { x1, y1, x3, y3, x2, y2, x4, y4 }
    end
  end
end

--- Closes the cells of a grid whose centre is in a wall, and puts walls between cells that a wall divides.
local function close_cells(grid, walls)
  local place, width, height = frame.of(grid), grid:width(), grid:height()
  local boxes, area = {}, 0
  for kind, points in walls:each() do
    if kind == "circle" then
      local x, y, r = points[1], points[2], points[3]
      points = { x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r }
    end
    local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
    for i = 1, #points, 2 do
      local u, v = frame.to_cells(place, points[i], points[i + 1])
      left, right, top, bottom = math.min(left, u), math.max(right, u), math.min(top, v), math.max(bottom, v)
    end
    local box = { math.max(math.ceil(left - 0.5), 1), math.max(math.ceil(top - 0.5), 1),
      math.min(math.floor(right + 0.5), width), math.min(math.floor(bottom + 0.5), height) }
    boxes[#boxes + 1] = box
    area = area + math.max(box[3] - box[1] + 1, 0) * math.max(box[4] - box[2] + 1, 0)
  end
  if area > width * height then boxes = { { 1, 1, width, height } } end -- each cell once, however they overlap

  local function each_cell(act)
    for _, box in ipairs(boxes) do
      for y = box[2], box[4] do
        for x = box[1], box[3] do act(x, y) end
      end
    end
  end
  local function divide(x1, y1, x2, y2)
    if not (grid:has(x2, y2) and grid:has(x1, y1)) or grid:is_closed(x1, y1) or grid:is_closed(x2, y2) then return end
    local px, py = grid:position(x1, y1)
    local qx, qy = grid:position(x2, y2)
    if not walls:clear(px, py, qx, qy) then grid:wall(x1, y1, x2, y2) end
  end
  each_cell(function(x, y)
    local px, py = grid:position(x, y)
    if not walls:clear(px, py, px, py) then grid:close(x, y) end
  end)
  each_cell(function(x, y)
    divide(x, y, x + 1, y)
    divide(x, y, x, y + 1)
    -- The corner of a closed cell is no wall: `diagonals` tells whether steps pass it.
    if grid:has(x + 1, y + 1) and not grid:is_closed(x + 1, y) and not grid:is_closed(x, y + 1)
      and not grid:is_closed(x, y) and not grid:is_closed(x + 1, y + 1) then
      divide(x, y, x + 1, y + 1)
      divide(x + 1, y, x, y + 1)
    end
  end)
end

--- Makes the graph, the walls and the names, and closes cells under objects that block.
local function make_objects(state, layers, result)
  local edges, blocking = {}, core.walls()
  for _, layer in ipairs(layers) do
    for i, source in each(layer.place, list(layer.place, layer.source, "objects", true), "objects") do
      local id = type(source.id) == "number" and source.id or i
      local object = read_object(state, layer, source, layer.place .. ", object " .. format.number(id))
      if object.name and not result.names[object.name] then
        local x, y = middle(object)
        result.names[object.name] = { x = x, y = y }
      end
      if object.role == "node" then
        add_node(state, result, object)
      elseif object.role == "edge" then
        edges[#edges + 1] = { layer, object }         -- added when all nodes exist
      elseif object.role == "wall" or object.parts then
        result.walls = result.walls or core.walls()
        for _, part in ipairs(object.parts or { object }) do
          add_wall(result.walls, part)
          if object.parts then add_wall(blocking, part) end
        end
      end
    end
  end
  if result.grid and blocking:count() > 0 then close_cells(result.grid, blocking) end
  -- Find all ends first: `nearest` is slower after each change of the graph.
  for _, pair in ipairs(edges) do find_ends(result.graph, pair[2]) end
  for _, pair in ipairs(edges) do add_edge(state, result.graph, pair[1], pair[2]) end
end

-- The map ----------------------------------------------------------------------------------------------------------

--- Collects the layers, including those in groups, in lists by kind.
-- @param depth of nested groups, from 1
-- @param x, y the offset of the group in pixels
-- @param blocks whether a word says that the group blocks
-- @param kinds { tilelayer = list, objectgroup = list }
local function collect(state, owner, place, depth, x, y, blocks, kinds)
  if depth > DEPTH_MAX then bad("", "groups nested more than %d deep", DEPTH_MAX) end
  local sources = list(place, owner, "layers", depth > 1)
  state.layer_count = state.layer_count + #sources    -- a table from a script may contain the same group many times
  if state.layer_count > LAYERS_MAX then bad("", "a map has at most %d layers", LAYERS_MAX) end
  for _, source, layer_place in each(place, sources, "layers") do
    local name = text_of(layer_place, source, "name")
    if name then layer_place = "layer " .. check.describe(name) end
    local layer = {
      source = source, name = name, place = layer_place,
      x = x + number(layer_place, source, "offsetx", 0), y = y + number(layer_place, source, "offsety", 0),
    }
    local kind = text_of(layer_place, source, "type")
    local own_place, by_word = layer_place .. ": properties", blocks
    if kind == "group" or kinds[kind] then
      layer.properties = list(layer_place, source, "properties", true)
      layer.class = text_of(layer_place, source, "class") or text_of(own_place, layer.properties, "class")
      layer.properties = properties_of(state, layer_place, source, layer.class)
      local used = layer.properties.closed ~= nil or kind == "objectgroup" and LAYER_ROLES[layer.class]
      by_word = state.words:block(layer_place, layer, blocks or used) or blocks
    end
    if kind == "group" then
      collect(state, source, layer_place, depth + 1, layer.x, layer.y, by_word, kinds)
    elseif kinds[kind] then
      layer.said = said(state, layer_place, layer.properties)
      if by_word and layer.said.closed == nil then layer.said.closed, layer.said.by_word = true, true end
      local empty = text_of(own_place, layer.properties, "empty")
      layer.empty = empty and one_of(own_place, "empty", empty, "open", "closed")
      table.insert(kinds[kind], layer)
    elseif kind ~= "imagelayer" then
      one_of(layer_place, "type", source.type, "tilelayer", "objectgroup", "imagelayer", "group")
    end
  end
end

--- How the tiles of the map lie in the world: { orientation, axis, index, x, y: the first corner of the cell 0,0; and
--- the fields of a frame, for vectors }.
local function read_space(map)
  local orientation = one_of("", "orientation", map.orientation, "orthogonal", "isometric", "staggered")
  local staggered = orientation == "staggered"
  for _, key in ipairs { "width", "height" } do whole("", map, key, 1, WHOLE_MAX) end
  for _, key in ipairs { "tilewidth", "tileheight" } do whole("", map, key, staggered and 2 or 1, WHOLE_MAX) end
  local space = { orientation = orientation, wide = map.tilewidth, high = map.tileheight, left = 0, top = 0,
    isometric = orientation ~= "orthogonal" }
  if staggered then
    space.axis = one_of("", "staggeraxis", map.staggeraxis, "x", "y")
    space.index = one_of("", "staggerindex", map.staggerindex, "odd", "even")
    space.wide, space.high = space.wide - space.wide % 2, space.high - space.high % 2 -- Tiled ignores an odd pixel
  end
  space.x, space.y = projection.origin(space, space.wide, space.high, map.height)
  return space
end

--- Reads a map from the name of a file or a table. Returns the result of wend.read_tiled.
local function read_map(source, opts)
  local map, read_tileset = source, nil
  local classes = projects.open(opts.project, type(source) == "string" and source or nil)
  if type(source) == "string" then map, read_tileset = reader.read(source, classes) end
  local state = { tags = {}, tag_count = 0, layer_count = 0, nodes = {}, opts = opts, parts = 0, project = classes,
    words = opts.words, draft = core.grid(1, 1), read_sets = {}, read_tileset = read_tileset }
  state.space = read_space(map)
  local result = { width = map.width, height = map.height, cell = map.tilewidth, grids = {}, names = {} }
  read_tilesets(state, map)
  result.data = numbering(state.space, { left = 0, top = 0, width = map.width, height = map.height })
  local kinds = { tilelayer = {}, objectgroup = {} }
  collect(state, map, "", 1, 0, 0, false, kinds)
  if #kinds.tilelayer > 0 then make_grids(state, map, kinds.tilelayer, result) end
  make_objects(state, kinds.objectgroup, result)
  state.words:finish()
  result.hints = state.words:sentences()
  tiles_of_levels[result] = state.kept or { layers = {} }
  return result
end

--- wend.read_tiled(map[, opts]): reads a map made with Tiled. Raises for invalid arguments; any defect of the map is a
--- failure.
-- @param map the name of a .tmx, .tmj or exported .lua file, or the table that a .lua returns
-- @return a level; or nil, a message and "io" or "format"
function tiled.read_tiled(map, opts)
  check.must(type(map) == "string" or type(map) == "table", "map", "a file's name or a table", map)
  check.options(opts, OPTIONS)
  opts = opts or {}
  opts = { diagonals = opts.diagonals, diagonal_length = opts.diagonal_length, tile = opts.tile, project = opts.project,
    words = vocabulary.new(opts.closed) }
  -- Invalid options raise, whatever the map contains.
  check.call(core.grid, 1, 1, { diagonals = opts.diagonals, diagonal_length = opts.diagonal_length })
  local level, message, code = foreign.guarded(read_map, map, opts)
  if level then return levels.made(level) end
  if code == "format" and type(map) == "string" then message = map .. ": " .. message end
  return nil, message, code
end

--- wend.tile_at(level, x, y[, layer]), wend.tile_at(level, cell[, layer]): the tile of a cell; nil: there is none.
-- @param layer a key of level.grids: a cell of this grid; nil: a cell of level.grid, and the uppermost tile there
function tiled.tile_at(level, x, y, layer)
  local kept = tiles_of_levels[level]
  check.must(kept, "level", "a level that wend.read_tiled has made, not a loaded one", level)
  x, y, layer = check.position(x, y, layer)
  check.must(check.is_whole(x, -2 ^ 53, 2 ^ 53), "x", "a whole number", x)
  check.must(check.is_whole(y, -2 ^ 53, 2 ^ 53), "y", "a whole number", y)
  local only = layer ~= nil and kept.layers[layer]
  check.must(layer == nil or only, "layer", "a key of level.grids", layer)
  local space, box = kept.space, kept.box
  if kept.project then kept.project.copies = 0 end
  for i = #kept.layers, 1, -1 do
    local one = kept.layers[i]
    if not only or only == one then
      local left, top = only and 0 or one.shift_x, only and 0 or one.shift_y
      local column, row = projection.tile(space, x - 1 + box.left - left, y - 1 + box.top - top)
      local pieces = one.rows[row] or {}
      for p = #pieces, 1, -1 do                       -- a later chunk covers an earlier one
        local at = column - pieces[p].first
        if at >= 0 and at < pieces[p].count then
          local a, b, c, d = pieces[p].bytes:byte(4 * at + 1, 4 * at + 4)
          local set, id, tile = find_tile(kept, "", a + b * 256 + c * 65536 + d * 16777216)
          if set then return tile_for_scripts(kept, set, id, tile) end
        end
      end
    end
  end
  return nil
end

return tiled
