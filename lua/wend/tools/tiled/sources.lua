-- SPDX-License-Identifier: MIT
--- The files of Tiled, in XML or JSON: maps (.tmx, .tmj), tilesets (.tsx, .tsj) and templates of objects (.tx, .tj);
--- and maps exported as Lua. All become tables as Tiled's Lua export has them. The first bytes of a file tell its kind.
--
-- XML becomes what Tiled writes in JSON, and that becomes the table of the Lua export.
--
--   XML     <object x="3"><point/></object>     element with text
--   JSON    { "x": 3, "point": true }           "properties" is a list of { name, type, value }
--   Lua     { x = 3, shape = "point" }          `properties` is a table by name; no templates

local check = require "wend.check"
local foreign = require "wend.tools.tiled.foreign"
local values = require "wend.tools.tiled.values"
local xml = require "wend.tools.tiled.xml"

local sources = {}

local bad = foreign.bad

local GIDS = 268435456              -- tile numbers; the bits above tell how a tile is rotated
local COPIES_MAX = 1000000          -- points and properties that objects get from templates: a few big templates could
                                    -- make a short file a huge map
local TEMPLATE_TILES = 65536        -- tile numbers that a tileset gets which only templates use

-- XML --------------------------------------------------------------------------------------------------------------

-- The attributes that are read: true, numbers; false, text.
local ATTRIBUTES = {
  name = false, type = false, class = false, source = false, template = false, orientation = false,
  staggeraxis = false, staggerindex = false, objectalignment = false,
  id = true, firstgid = true, gid = true, tilecount = true, infinite = true, width = true, height = true,
  tilewidth = true, tileheight = true, x = true, y = true, offsetx = true, offsety = true, rotation = true,
  hexsidelength = true,
}
local SHAPES = { "point", "ellipse", "polygon", "polyline", "text" }
local LAYERS = { layer = "tilelayer", objectgroup = "objectgroup", imagelayer = "imagelayer", group = "group" }
local IN_MAP = { tileset = "tilesets", layer = "layers", objectgroup = "layers", imagelayer = "layers",
  group = "layers" }

-- By the tag of an element, then the tag of an element in it: the list where that goes. Others are not read.
local LISTS = {
  map = IN_MAP, group = IN_MAP, tileset = { tile = "tiles" }, objectgroup = { object = "objects" },
  template = { tileset = "tilesets", object = "objects" }, tile = { objectgroup = "objectgroups" },
}

--- A number. What is none stays text: who reads the field tells what it must be.
local function to_number(text)
  return text:find "^%-?%.?%d" and not text:find "[xX]" and tonumber(text) or text
end

--- The gids of an element: text, or a list of elements.
local function gids_of(element, encoding)
  if encoding then return element.text end
  local gids = {}
  for _, tile in ipairs(element) do
    if tile.tag == "tile" then gids[#gids + 1] = to_number(tile.attributes.gid or "0") end
  end
  return gids
end

local convert                                         -- below; elements may be in it at any depth

--- The list of properties in an element.
local function properties_of(element)
  local list = {}
  for _, property in ipairs(element) do
    local kind, value = property.attributes.type, property.attributes.value or property.text
    if kind == "bool" then
      value = value == "true" or value ~= "false" and value
    elseif kind == "int" or kind == "float" then
      value = to_number(value)
    elseif kind == "class" then
      value = {}
      for _, part in ipairs(property) do
        for _, member in ipairs(properties_of(part)) do value[member.name or ""] = member.value end
      end
    end
    local attributes = property.attributes
    list[#list + 1] = { name = attributes.name, value = value, propertytype = attributes.propertytype }
  end
  return list
end

--- What elements with these tags add to the table of the element that they are in.
local PARTS = {
  properties = function(result, element) result.properties = properties_of(element) end,
  data = function(result, element)
    local encoding = element.attributes.encoding
    result.encoding, result.compression = encoding, element.attributes.compression
    for _, child in ipairs(element) do
      if child.tag == "chunk" then
        local chunk = convert(child)
        chunk.data, result.chunks = gids_of(child, encoding), result.chunks or {}
        table.insert(result.chunks, chunk)
      end
    end
    result.data = not result.chunks and gids_of(element, encoding) or nil
  end,
}
function PARTS.image(result, element)
  result.image = element.attributes.source
  result.imagewidth = to_number(element.attributes.width or "")
  result.imageheight = to_number(element.attributes.height or "")
end
for _, shape in ipairs(SHAPES) do
  PARTS[shape] = function(result, element)
    result[shape] = {}
    for x, y in (element.attributes.points or ""):gmatch "([^%s,]+),?(%S*)" do
      table.insert(result[shape], { x = to_number(x), y = to_number(y) })
    end
  end
end

--- The table of an element, as in JSON.
convert = function(element)
  local result = {}
  for name, numeric in pairs(ATTRIBUTES) do
    local value = element.attributes[name]
    result[name] = value and numeric and to_number(value) or value
  end
  result.type = LAYERS[element.tag] or result.type
  for _, child in ipairs(element) do
    local list = LISTS[element.tag] and LISTS[element.tag][child.tag]
    if list then
      result[list] = result[list] or {}
      table.insert(result[list], convert(child))
    elseif PARTS[child.tag] then
      PARTS[child.tag](result, child)
    end
  end
  return result
end

-- Files ------------------------------------------------------------------------------------------------------------

local SUFFIXES = { tsx = true, tsj = true, tx = true, tj = true, json = true, xml = true }

--- Parses a file by its first bytes. `kind`: what it must hold: "map", "tileset" or "template". Returns its table, and
--- whether it is a Lua export.
local function parse(text, place, kind)
  local result
  if text:find "^[\239\187\191%s]*<" then
    local root = xml.parse(text, place)
    result = convert(root)
    result.type = root.tag
    result.object, result.tileset = (result.objects or {})[1], (result.tilesets or {})[1] -- of a template
  elseif text:find "^[\239\187\191%s]*[{%[]" then
    result = values.json(text, place)
  elseif kind == "map" then
    return values.lua(text, place), true
  else
    bad(place, "a %s must be XML or JSON", kind)
  end
  if result.type ~= nil and result.type ~= kind then
    bad(place, "expected a %s, got %s", kind, check.describe(result.type))
  end
  return result, false
end

--- The name of a file that another file names, in the folder of that.
local function beside(file, name)
  if name:find "^[/\\]" or name:find "^%a:" then return name end
  return (file:match "^.*[/\\]" or "") .. name
end

--- Reads a file that another one names. Only names that end like files of Tiled are opened: a device might never end.
-- @param state { file = the map, map = its table, files = what was read, by name }
-- @param name as the map names it
local function read_part(state, name, kind)
  if state.files[name] then return state.files[name] end
  if not SUFFIXES[name:lower():match "%.(%l+)$"] then
    bad("", "the name of a %s must end in .tsx, .tsj, .tx, .tj, .json or .xml, got %s", kind, check.describe(name))
  end
  local file = beside(state.file, name)
  local text = foreign.contents(file, true)
  if not text then
    foreign.fail("io", "cannot read %s, a %s that %s names: there is no such file", file, kind, state.file)
  end
  state.files[name] = (parse(text, name, kind))
  return state.files[name]
end

-- From JSON to the table of the Lua export -------------------------------------------------------------------------

--- The tables in a list. What else may be there is refused by who reads the list.
local function tables_in(list)
  local tables = {}
  for _, item in ipairs(type(list) == "table" and list or tables) do
    if type(item) == "table" then tables[#tables + 1] = item end
  end
  return tables
end

--- Makes the properties of a layer, an object or a tile a table by name. A value that is of a class has the defaults of
--- its members.
local function name_properties(state, owner)
  if owner.properties ~= nil and type(owner.properties) ~= "table" then return end
  local properties = {}
  for _, property in ipairs(tables_in(owner.properties)) do
    local value, kind = property.value, property.propertytype
    if type(value) == "table" and type(kind) == "string" then
      value = state.project:merged(value, state.project:defaults(kind))
    end
    if type(property.name) == "string" then properties[property.name] = value end
  end
  owner.properties = properties
end

local finish_object

--- Reads a template. Returns its object.
local function read_template(state, name)
  local template = read_part(state, name, "template")
  local object, set = template.object, template.tileset
  if type(object) ~= "table" then bad(name, "there is no object in this template") end
  if template.finished then return object end
  template.finished, object.template = true, nil
  finish_object(state, object)
  if type(set) == "table" and type(set.source) == "string" and type(set.firstgid) == "number"
    and type(object.gid) == "number" and type(state.map.tilesets or {}) == "table" then
    -- The map may lack this tileset. It gets tile numbers of its own.
    state.templates = (state.templates or 0) + 1
    local first = GIDS - state.templates * TEMPLATE_TILES
    state.map.tilesets = state.map.tilesets or {}
    table.insert(state.map.tilesets, { firstgid = first, source = beside(name, set.source) })
    object.gid = object.gid % GIDS - set.firstgid + first
  end
  return object
end

--- Gives an object its shape, and what its template says.
finish_object = function(state, object)
  name_properties(state, object)
  for _, shape in ipairs(SHAPES) do
    if object[shape] then object.shape = shape end
  end
  if type(object.template) == "string" and type(object.properties) == "table" then
    local original = read_template(state, object.template)
    local points = original.polygon or original.polyline
    state.copies = state.copies + (type(points) == "table" and #points or 0)
    for key, value in pairs(type(original.properties) == "table" and original.properties or {}) do
      if object.properties[key] == nil then object.properties[key] = value end
      state.copies = state.copies + 1
    end
    if state.copies > COPIES_MAX then bad("", "objects have more than %d points from templates", COPIES_MAX) end
    for key, value in pairs(original) do
      if object[key] == nil then object[key] = value end
    end
  end
  object.shape = object.shape or "rectangle"
end

local function finish_layers(state, owner)
  for _, layer in ipairs(tables_in(owner.layers)) do
    name_properties(state, layer)
    if state.map.infinite == true or state.map.infinite == 1 then layer.chunks = layer.chunks or {} end
    for _, object in ipairs(tables_in(layer.objects)) do finish_object(state, object) end
    finish_layers(state, layer)
  end
end

local function finish_tileset(state, place, set)
  local tiles = set.tiles == nil and {} or set.tiles
  if set.tileproperties ~= nil or type(tiles) == "table" and #tiles == 0 and next(tiles) ~= nil then
    bad(place, "the JSON is of Tiled before 1.2: open the file in a newer Tiled, and save it")
  end
  for _, tile in ipairs(tables_in(tiles)) do
    name_properties(state, tile)
    local group = tile.objectgroup or type(tile.objectgroups) == "table" and tile.objectgroups[1]
    if type(group) == "table" then
      for _, object in ipairs(tables_in(group.objects)) do finish_object(state, object) end
      tile.objectGroup = group
    end
  end
  set.tiles, set.finished = tiles, true
end

---Reads a map. Returns its table, and a function (name) for its tilesets in files of their own: it returns the table of
---a tileset.
---@param project table the result of project.open
function sources.read(file, project)
  local map, exported = parse(foreign.contents(file), "", "map")
  local state = { file = file, map = map, files = {}, copies = 0, project = project }
  if not exported then
    finish_layers(state, map)
    for i, set in ipairs(tables_in(map.tilesets)) do
      if set.source == nil then finish_tileset(state, ("tilesets[%d]"):format(i), set) end
    end
  end
  return map, function(name)
    local set = read_part(state, name, "tileset")
    if not set.finished then finish_tileset(state, name, set) end
    return set
  end
end

return sources
