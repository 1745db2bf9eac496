-- SPDX-License-Identifier: MIT
-- wend.read_tiled: the project of Tiled that a map belongs to (.tiled-project, JSON). It has the classes, and the
-- values that their members have by default: a map holds only those that differ.

local check = require "wend.check"
local disk = require "wend.disk"
local foreign = require "wend.tools.tiled.foreign"
local values = require "wend.tools.tiled.values"

local project = {}
project.__index = project

local bad = foreign.bad

local SUFFIX = ".tiled-project"
local FOLDERS_MAX = 32              -- folders above a map: the name of the root is not known where names are relative
local DEPTH_MAX = 100               -- classes in classes
local COPIES_MAX = 10000000         -- values that tiles and objects inherit: a short file could make them many

--- The name of the project in the folder of a file, or else in the nearest folder above; nil: there is none.
local function find(file)
  local folder = file:match "^.*[/\\]" or ""
  for _ = 1, FOLDERS_MAX do
    local name = disk.find(folder == "" and "." or folder, SUFFIX)
    if name then return folder .. name end
    local above, last = folder:match "^(.-)([^/\\]+)[/\\]+$"
    if folder == "" or last == ".." then
      folder = folder .. "../"
    elseif not last or last:find "^%a:$" then
      return nil
    else
      folder = above
    end
  end
end

--- Opens the project of a map. It is read when a class is first asked for.
-- @param given the option `project`: the name of a file, what it holds, false or nil
-- @param file the map's; nil: it comes from no file
function project.open(given, file)
  return setmetatable({ given = given, file = file, copies = 0 }, project)
end

--- Reads the classes, by name: { members, defaults = table once they are known }.
local function read(self)
  local source, place = self.given, "project"
  if source == nil and self.file then source = find(self.file) end
  if type(source) == "string" then
    local text = foreign.contents(source, self.given == nil)
    place, source = source, text and values.json(text, source)
  end
  local classes = {}
  if not source then return classes, place end
  if source.propertyTypes ~= nil and type(source.propertyTypes) ~= "table" then
    bad(place, "propertyTypes must be a table, got %s", check.describe(source.propertyTypes))
  end
  for _, kind in ipairs(source.propertyTypes or {}) do
    if type(kind) == "table" and kind.type == "class" and type(kind.name) == "string" then
      classes[kind.name] = { members = type(kind.members) == "table" and kind.members or {} }
    end
  end
  return classes, place
end

--- What the members of a class are by default: a table by name; nil: there is no such class.
-- @param depth of classes in classes, from 1; default 1
function project:defaults(name, depth)
  if not self.classes then self.classes, self.place = read(self) end
  local class = self.classes[name]
  if not class or class.defaults then return class and class.defaults end
  if (depth or 1) > DEPTH_MAX then bad(self.place, "classes nested more than %d deep", DEPTH_MAX) end
  local defaults = {}
  for _, member in ipairs(class.members) do
    if type(member) == "table" and type(member.name) == "string" then
      local value, kind = member.value, member.type == "class" and self:defaults(member.propertyType, (depth or 1) + 1)
      if kind then value = self:merged(type(value) == "table" and value or {}, kind) end
      defaults[member.name] = value
    end
  end
  class.defaults = defaults
  return defaults
end

--- A table with all values of `own`, and those of `base` that it lacks, also in the tables in them.
-- @param base nil: the result is `own`
function project:merged(own, base, depth)
  if not base or (depth or 1) > DEPTH_MAX then return own end
  local result = {}
  for key, value in pairs(own) do result[key] = value end
  for key, value in pairs(base) do
    self.copies = self.copies + 1
    if self.copies > COPIES_MAX then bad("", "tiles and objects inherit more than %d values", COPIES_MAX) end
    if result[key] == nil then
      result[key] = value
    elseif type(value) == "table" and type(result[key]) == "table" then
      result[key] = self:merged(result[key], value, (depth or 1) + 1)
    end
  end
  return result
end

return project
