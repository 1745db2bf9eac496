-- SPDX-License-Identifier: MIT
--- Levels: the maps, walls and named positions of one level, which can be saved as one file. A level is a table with
--- the fields of FIELDS. wend.read_tiled, wend.level, wend.load and wend.decode make levels.

local core = require "wend.core"
local check = require "wend.check"
local file = require "wend.file"
local format = require "wend.format"
local once = require "wend.once"

local pack, double, must = once.pack, once.double, check.must

local FIELDS = { "width", "height", "cell", "grid", "grids", "graph", "walls", "names", "data" }
local IS_FIELD = {}
for _, name in ipairs(FIELDS) do IS_FIELD[name] = true end
IS_FIELD.hints = true        -- read_tiled sets it; it is not saved

local COUNT_MAX = 2 ^ 32 - 1
local DATA_DEPTH_MAX = 100   -- src/lua/level.c has the same number

local methods = {}
local metatable = once.level
metatable.__index = methods

-- Data -------------------------------------------------------------------------------------------------------------

--- A whole number in four bytes.
local function four(number)
  return string.char(number % 256, math.floor(number / 256) % 256, math.floor(number / 65536) % 256,
    math.floor(number / 16777216))
end

--- Whether the string a comes before b by bytes. The operator < depends on the locale.
local function is_before(a, b)
  for i = 1, math.min(#a, #b) do
    local one, other = a:byte(i), b:byte(i)
    if one ~= other then return one < other end
  end
  return #a < #b
end

--- Text for a key in messages: ".name" or "[3]".
local function step_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return "." .. key end
  return "[" .. check.describe(key) .. "]"
end

--- The keys of a plain table. Raises unless they are all strings, or the whole numbers from 1 on.
-- @return the number of items of a list; or nil, and the keys, sorted
local function keys_of(value, place)
  local keys, count = {}, 0
  for key in next, value do
    if type(key) == "string" then
      keys[#keys + 1] = key
    elseif type(key) == "number" and key % 1 == 0 and key >= 1 and key <= COUNT_MAX then
      count = count + 1
    else
      check.fail("%s must have strings or whole numbers from 1 on as keys, got %s", place, check.describe(key))
    end
  end
  if count > 0 and #keys > 0 then
    check.fail("%s must have strings or whole numbers as keys, got both", place)
  elseif count == 0 then
    table.sort(keys, is_before)
    return nil, keys
  end
  for i = 1, count do
    if rawget(value, i) == nil then check.fail("%s must be a list without holes: item %d is nil", place, i) end
  end
  return count
end

--- Adds a plain value to a list of strings. src/lua/level.c describes and reads the bytes.
-- @param parts the list
-- @param place where the value is, for messages
-- @param seen the tables that were written
local function add_data(parts, value, place, seen, depth)
  local kind = type(value)
  if kind == "boolean" then
    parts[#parts + 1] = value and "\1" or "\0"
  elseif kind == "number" then
    if not (math.abs(value) < math.huge) or value + 0.0 ~= value then    -- an integer may have more than 53 bits
      check.fail("%s must be a finite number that a double holds, got %s", place, check.describe(value))
    end
    parts[#parts + 1] = "\2" .. double(value)
  elseif kind == "string" then
    parts[#parts + 1] = "\3" .. four(#value) .. value
  elseif kind == "table" and not core.type(value) then
    if seen[value] then check.fail("%s must not be a table that is in the data twice", place) end
    if depth >= DATA_DEPTH_MAX then check.fail("%s is nested more than %d deep", place, DATA_DEPTH_MAX) end
    seen[value] = true
    local count, keys = keys_of(value, place)
    parts[#parts + 1] = (count and "\4" or "\5") .. four(count or #keys)
    for i = 1, count or #keys do
      local key = count and i or keys[i]
      if not count then parts[#parts + 1] = four(#key) .. key end
      add_data(parts, rawget(value, key), place .. step_text(key), seen, depth + 1)
    end
  else
    check.fail("%s must be a string, a number, a boolean or a plain table, got %s", place, check.describe(value))
  end
end

-- Parts ------------------------------------------------------------------------------------------------------------

--- A field that is nil or of a type of wend.
local function part_of(fields, kind)
  local value = rawget(fields, kind)
  return value ~= nil and check.object(value, kind, kind) or nil
end

--- A field that is nil or a number in a range.
local function size_of(fields, name, whole)
  local value = rawget(fields, name)
  if value == nil then
    return nil
  elseif whole then
    must(check.is_whole(value, 1, COUNT_MAX), name, "a whole number >= 1", value)
  else
    must(check.LENGTH.holds(value), name, check.LENGTH.be, value)
  end
  return value
end

--- A field that is nil or a table. Returns an empty table for nil.
local function table_of(fields, name)
  local value = rawget(fields, name)
  must(value == nil or type(value) == "table", name, "a table", value)
  return value or {}
end

--- Reads the field grids.
-- @return a list of the grids of the layers; a list of { name, grid }, sorted by name
local function read_layers(fields)
  local grids, list, names, known = table_of(fields, "grids"), {}, {}, {}
  for i = 1, check.length(grids) do
    local grid = check.object(rawget(grids, i), "grid", ("grids[%d]"):format(i))
    list[i], known[grid] = grid, true
  end
  for key, grid in next, grids do
    if type(key) == "string" then
      must(known[grid], "grids" .. step_text(key), "one of the grids of the list", grid)
      names[#names + 1] = { key, grid }
    elseif not (type(key) == "number" and list[key]) then
      check.fail("grids must have names and the numbers of layers as keys, got %s", check.describe(key))
    end
  end
  table.sort(names, function(a, b) return is_before(a[1], b[1]) end)
  return list, names
end

--- Reads the field names.
-- @return a list of { name, x, y, z or false }, sorted by name
local function read_names(fields)
  local list = {}
  for name, position in next, table_of(fields, "names") do
    if type(name) ~= "string" then check.fail("names must have strings as keys, got %s", check.describe(name)) end
    list[#list + 1] = { name, position }
  end
  table.sort(list, function(a, b) return is_before(a[1], b[1]) end)
  for _, item in ipairs(list) do
    local place, position = "names" .. step_text(item[1]), item[2]
    must(check.has_fields(position), place, "a position { x =, y = }", position)
    for axis, key in ipairs { "x", "y", "z" } do
      local value = position[key]     -- may run a script
      if value == nil and key == "z" then value = false else check.coordinate(value, place .. "." .. key) end
      item[axis + 1] = value
    end
  end
  return list
end

--- Reads and checks all fields of a level. Raises if one is wrong or unknown.
-- @return { width, height, cell, grid, graph, walls: as in the level; layers, layer_names: as read_layers returns them;
-- names: as read_names does; data: a list of strings, the bytes of the data }
local function read(fields)
  for key in next, fields do
    if not IS_FIELD[key] then
      check.fail("unknown field %s (expected one of: %s; keep your own values in data)", check.describe(key),
        table.concat(FIELDS, ", "))
    end
  end
  local parts = {
    width = size_of(fields, "width", true), height = size_of(fields, "height", true), cell = size_of(fields, "cell"),
    grid = part_of(fields, "grid"), graph = part_of(fields, "graph"), walls = part_of(fields, "walls"), data = {},
  }
  parts.layers, parts.layer_names = read_layers(fields)
  parts.names = read_names(fields)
  local data = rawget(fields, "data")
  if data ~= nil then add_data(parts.data, data, "data", {}, 0) end
  return parts
end

-- The interface ----------------------------------------------------------------------------------------------------

local level = {}

--- Makes a level of a table of its fields, which are right. read_tiled uses it.
function level.made(fields)
  return setmetatable(fields, metatable)
end

--- wend.level([fields]): makes a level of its parts. Absent fields follow from the others: `grids` from `grid`, `grid`
--- from the only layer, and the sizes from `grid`.
function level.new(fields)
  local kind = core.type(fields)
  must(fields == nil or type(fields) == "table" and (kind == nil or kind == "level"), "fields", "a table", fields)
  local made = {}
  for key, value in next, fields or {} do made[key] = value end
  read(made)
  made.names = made.names or {}
  if not made.grids then made.grids = { made.grid } end
  if made.grid == nil and check.length(made.grids) == 1 then made.grid = made.grids[1] end
  local grid = made.grid
  if grid then
    made.width, made.height = made.width or grid:width(), made.height or grid:height()
    made.cell = made.cell or grid:cell_size()
  end
  return setmetatable(made, metatable)
end

--- A map as bytes: an overlay as a map of its own.
local function encode_map(map, options)
  local bytes = map:encode(options)
  return bytes:byte(5) == 79 and map:copy():encode(options) or bytes -- 79: "O", the kind of files of overlays
end

--- level:encode([opts]): the level as bytes. doc/FORMAT.md describes them. Raises if a field is wrong or unknown.
function methods:encode(options)
  check.self(self, "level", "a level", "level")
  check.options(options, { "prepared" })
  local parts = read(self)
  local grids, index, layers, layer_names, places = {}, {}, {}, {}, {}
  local function index_of(grid)
    if not index[grid] then
      grids[#grids + 1] = encode_map(grid, options)
      index[grid] = #grids - 1
    end
    return index[grid]
  end
  for i, grid in ipairs(parts.layers) do layers[i] = index_of(grid) end
  for _, item in ipairs(parts.layer_names) do
    layer_names[#layer_names + 1] = item[1]
    layer_names[#layer_names + 1] = index_of(item[2])
  end
  for _, item in ipairs(parts.names) do
    for i = 1, 4 do places[#places + 1] = item[i] end
  end
  return pack(parts.width or 0, parts.height or 0, parts.cell or 0, parts.grid and index_of(parts.grid) + 1 or 0, grids,
    layers, layer_names, parts.graph and encode_map(parts.graph, options), parts.walls and parts.walls:encode(), places,
    parts.data[1] and table.concat(parts.data))
end

--- The number of entries of a table; 0 for anything else.
local function entries_of(value)
  local amount = 0
  if type(value) == "table" then
    for _ in next, value do amount = amount + 1 end
  end
  return amount
end

function metatable.__tostring(self)
  check.self(self, "level", "a level", "level")
  local parts, grid, graph = {}, rawget(self, "grid"), rawget(self, "graph")
  local grids, walls = rawget(self, "grids"), rawget(self, "walls")
  if core.type(grid) == "grid" then parts[1] = ("%.0f x %.0f cells"):format(grid:width(), grid:height()) end
  if type(grids) == "table" and check.length(grids) > 0 then
    parts[#parts + 1] = format.count(check.length(grids), "layer")
  end
  if core.type(graph) == "graph" then parts[#parts + 1] = format.count(graph:node_count(), "node") end
  if core.type(walls) == "walls" then parts[#parts + 1] = format.count(walls:count(), "wall") end
  parts[#parts + 1] = format.count(entries_of(rawget(self, "names")), "name")
  return ("wend.Level (%s)"):format(table.concat(parts, ", "))
end

--- The keys of a plain table of data that read has accepted: the numbers of a list, or sorted strings.
function level.keys(value)
  local count, keys = keys_of(value, "data")
  if count then
    keys = {}
    for i = 1, count do keys[i] = i end
  end
  return keys
end

--- A plain value as bytes, as they are in levels: src/lua/level.c reads them.
-- @param place what it is, for messages
function level.pack_data(value, place)
  local parts = {}
  add_data(parts, value, place, {}, 0)
  return table.concat(parts)
end

level.read = read
methods.save = file.saver(methods.encode)

return level
