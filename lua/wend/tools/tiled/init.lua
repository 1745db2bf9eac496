-- SPDX-License-Identifier: MIT
--- wend.read_tiled: reads maps made with Tiled (mapeditor.org).
--
-- The steps are: parse the file; read the tilesets; collect the layers from all groups; make a grid of each tile layer;
-- read the objects, make nodes and walls, and then the edges between the nodes. sources.lua reads the files, of any of
-- Tiled's formats, as tables like those of Tiled's Lua export; fields.lua reads fields of these tables; tiles.lua makes
-- grids, objects.lua the rest, with the points of shapes.lua. projection.lua has the formulas of isometric and
-- staggered maps, and what hexagonal ones need.

local core = require "wend.core"
local check = require "wend.check"
local levels = require "wend.level"
local fields = require "wend.tools.tiled.fields"
local foreign = require "wend.tools.tiled.foreign"
local objects = require "wend.tools.tiled.objects"
local projection = require "wend.tools.tiled.projection"
local projects = require "wend.tools.tiled.project"
local reader = require "wend.tools.tiled.sources"
local tiles = require "wend.tools.tiled.tiles"
local vocabulary = require "wend.tools.tiled.words"

local tiled = {}

local OPTIONS = { "diagonals", "diagonal_length", "closed", "tile", "project" }
OPTIONS.kinds = {
  tile = check.FUNCTION,
  project = { be = "the name of a file, a table or false",
    holds = function(value) return value == false or type(value) == "string" or type(value) == "table" end },
}

local DEPTH_MAX = 100               -- nested groups: the reader calls itself for each
local LAYERS_MAX = 65536            -- layers: more are a table that contains itself
local WHOLE_MAX = 2147483647        -- widths, heights and the like: 32-bit numbers in Tiled

local number, whole, text_of, one_of, list, each, properties_of, said
  = fields.number, fields.whole, fields.text_of, fields.one_of, fields.list, fields.each, fields.properties_of,
    fields.said
local bad = foreign.bad

-- By level: what wend.tile_at reads.
local tiles_of_levels = setmetatable({}, { __mode = "k" })

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
      local used = layer.properties.closed ~= nil or kind == "objectgroup" and objects.LAYER_ROLES[layer.class]
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

--- How the tiles of the map lie in the world: { orientation, axis, index; x, y: the first corner of the cell 0,0; cell:
--- the size of a cell; side: of a hex; and the fields of a frame, for vectors }.
local function read_space(map)
  local orientation = one_of("", "orientation", map.orientation, "orthogonal", "isometric", "staggered", "hexagonal")
  local hexes = orientation == "hexagonal"
  local shifted = hexes or orientation == "staggered"
  for _, key in ipairs { "width", "height" } do whole("", map, key, 1, WHOLE_MAX) end
  for _, key in ipairs { "tilewidth", "tileheight" } do whole("", map, key, shifted and 2 or 1, WHOLE_MAX) end
  local space = { orientation = orientation, wide = map.tilewidth, high = map.tileheight, left = 0, top = 0,
    isometric = orientation == "isometric" or orientation == "staggered" }
  if shifted then
    space.axis = one_of("", "staggeraxis", map.staggeraxis, "x", "y")
    space.index = one_of("", "staggerindex", map.staggerindex, "odd", "even")
    space.wide, space.high = space.wide - space.wide % 2, space.high - space.high % 2 -- Tiled ignores an odd pixel
  end
  space.cell = { space.wide, space.high }
  if hexes then
    local size, i = space.axis == "x" and "wide" or "high", space.axis == "x" and 1 or 2
    space.side = whole("", map, "hexsidelength", 0, space[size])
    space.cell[i] = space[size] - (space[size] - space.side) % 2 -- here too
    space[size] = (space.cell[i] + space.side) / 2
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
  tiles.read_sets(state, map)
  result.data = tiles.numbering(state.space, { left = 0, top = 0, width = map.width, height = map.height })
  local kinds = { tilelayer = {}, objectgroup = {} }
  collect(state, map, "", 1, 0, 0, false, kinds)
  if #kinds.tilelayer > 0 then tiles.make_grids(state, map, kinds.tilelayer, result) end
  objects.make(state, kinds.objectgroup, result)
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
      local column, row = projection.without(space, x - 1 + box.left, y - 1 + box.top, left, top)
      column, row = projection.tile(space, column, row)
      local pieces = one.rows[row] or {}
      for p = #pieces, 1, -1 do                       -- a later chunk covers an earlier one
        local at = column - pieces[p].first
        if at >= 0 and at < pieces[p].count then
          local a, b, c, d = pieces[p].bytes:byte(4 * at + 1, 4 * at + 4)
          local set, id, tile = tiles.find(kept, "", a + b * 256 + c * 65536 + d * 16777216)
          if set then return tiles.for_scripts(kept, set, id, tile) end
        end
      end
    end
  end
  return nil
end

return tiled
