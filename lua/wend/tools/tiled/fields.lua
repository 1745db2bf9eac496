-- SPDX-License-Identifier: MIT
--- Fields of tables that Tiled has written. These functions read a field of a table and check it. `place` is where the
-- table is, for messages.

local check = require "wend.check"
local foreign = require "wend.tools.tiled.foreign"

local fields = {}

local NUMBER_MAX = 1e100            -- coordinates and sizes: sums of them are still finite
local TAGS_MAX = 65535              -- tags: a grid or a graph can have no more

local bad = foreign.bad

--- Raises: a field has a wrong value.
function fields.wrong(place, key, wanted, value)
  bad(place, "%s must be %s, got %s", key, wanted, check.describe(value))
end

--- A number, not below `least` if that is given. `default`: the value of a missing field.
function fields.number(place, owner, key, default, least)
  local value = owner[key]
  if value == nil and default then return default end
  if type(value) ~= "number" or not (value >= (least or -NUMBER_MAX) and value <= NUMBER_MAX) then
    fields.wrong(place, key, least and ("a finite number >= %d"):format(least) or "a finite number", value)
  end
  return value
end

--- A whole number in low .. high.
function fields.whole(place, owner, key, low, high)
  local value = owner[key]
  if type(value) ~= "number" or not (value >= low and value <= high and value % 1 == 0) then
    fields.wrong(place, key, ("a whole number in %d .. %d"):format(low, high), value)
  end
  return value
end

--- A string; nil if it is missing or empty.
function fields.text_of(place, owner, key)
  local value = owner[key]
  if value ~= nil and type(value) ~= "string" then fields.wrong(place, key, "a string", value) end
  return value ~= "" and value or nil
end

--- Raises unless a value is one of some words. Returns it.
function fields.one_of(place, key, value, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    if value == word then return value end
    words[i] = "'" .. word .. "'"
  end
  local last = table.remove(words)
  fields.wrong(place, key, table.concat(words, ", ") .. " or " .. last, value)
end

--- true, false, or nil if it is missing.
function fields.flag(place, owner, key)
  local value = owner[key]
  if value ~= nil and type(value) ~= "boolean" then fields.wrong(place, key, "true or false", value) end
  return value
end

--- A table. A missing one is an error, or empty if it is optional.
function fields.list(place, owner, key, optional)
  local value = owner[key]
  if value == nil and optional then return {} end
  if type(value) ~= "table" then fields.wrong(place, key, "a table", value) end
  return value
end

--- For loops over a list of tables: the number of each, the table, and its place. The length is read once.
function fields.each(place, entries, key)
  local i, count = 0, #entries
  return function()
    i = i + 1
    if i > count then return nil end
    local item_place = ("%s[%d]"):format(key, i)
    if type(entries[i]) ~= "table" then fields.wrong(place, item_place, "a table", entries[i]) end
    return i, entries[i], place ~= "" and place .. ", " .. item_place or item_place
  end
end

--- The class of a tile, a layer or an object. Some versions of Tiled call it type.
function fields.class_of(place, owner)
  return fields.text_of(place, owner, "class") or fields.text_of(place, owner, "type")
end

--- The properties of a tile, a layer or an object, and what its class has by default.
function fields.properties_of(state, place, owner, class)
  return state.project:merged(fields.list(place, owner, "properties", true), class and state.project:defaults(class))
end

--- The properties tag, weight and closed of a tile, a layer or an object.
---@param state table
---@param class string|nil the tag if there is no property
function fields.said(state, place, properties, class)
  local own_place = place .. ": properties"
  local weight = properties.weight
  if weight ~= nil then fields.number(own_place, properties, "weight", nil, 0) end
  local tag = fields.text_of(own_place, properties, "tag") or class
  if tag and not state.tags[tag] then
    state.tag_count = state.tag_count + 1
    if state.tag_count > TAGS_MAX then bad(place, "a map has at most %d tags", TAGS_MAX) end
    state.tags[tag] = true
  end
  return { tag = tag, weight = weight, closed = fields.flag(own_place, properties, "closed") }
end

return fields
