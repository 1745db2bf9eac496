-- SPDX-License-Identifier: MIT
-- Reading plain tables that nobody guarantees: states that were saved, sent or edited. Every value is read raw, so no
-- metamethod runs. The first wrong value raises `damaged`, which plain.try turns into a result.
--
-- Serialisers differ in what they keep. Numbers may come back as integers or floats, and -0 as 0. So a state holds -0
-- as the string "-0", and readers of whole numbers and of floats return the right kind.

local floor, huge = math.floor, math.huge
local length = rawlen or function(list) return #list end -- luacheck: ignore 113

local ZERO = 0.0            -- a variable: Lua 5.1 takes the constants 0 and -0 for the same

local plain = {}

local damaged = {}          -- identifies the errors of this file

--- Raises: a value is missing or wrong.
-- @param where its name, for the message
function plain.damaged(where)
  error({ damaged, where }, 0)
end

--- Calls fn(...). Returns true and its result; or false and the name of the value that is damaged. Other errors pass.
function plain.try(fn, ...)
  local ok, result = pcall(fn, ...)
  if ok then
    return true, result
  elseif type(result) == "table" and rawequal(result[1], damaged) then
    return false, result[2]
  end
  error(result, 0)
end

--- A number as a state holds it.
function plain.put(number)
  if number == 0 and 1 / number < 0 then
    return "-0"
  end
  return number
end

--- Raises unless a value is a table whose keys are all in a set.
function plain.check_keys(value, where, known)
  if type(value) ~= "table" then
    plain.damaged(where)
  end
  for key in next, value do
    if type(key) ~= "string" or not known[key] then
      plain.damaged(where)
    end
  end
end

--- The field `key` as a float between -most and most.
function plain.number(state, key, most)
  local value = rawget(state, key)
  if value == "-0" then
    return -ZERO
  elseif type(value) ~= "number" or not (value >= -most and value <= most) then
    plain.damaged(key)
  end
  return value + 0.0
end

--- The field `key` as a whole number from least to most.
function plain.whole(state, key, least, most)
  local value = rawget(state, key)
  if type(value) ~= "number" or not (value >= least and value <= most) or value % 1 ~= 0 then
    plain.damaged(key)
  end
  return floor(value)
end

--- The field `key`: true, or false if it is not there.
function plain.flag(state, key)
  local value = rawget(state, key)
  if value ~= nil and type(value) ~= "boolean" then
    plain.damaged(key)
  end
  return value or false
end

--- The field `key` as a string; nil if it is not there.
function plain.text(state, key)
  local value = rawget(state, key)
  if value ~= nil and type(value) ~= "string" then
    plain.damaged(key)
  end
  return value
end

--- The length of a list. Raises if the value is something else, or a list with holes or other keys.
local function list_length(value, where)
  if type(value) ~= "table" then
    plain.damaged(where)
  end
  local count, keys = length(value), 0
  for _ in next, value do
    keys = keys + 1
  end
  if keys ~= count then
    plain.damaged(where)
  end
  return count
end

--- Copies a list. read(value, where) returns the item for each value, or raises.
local function copy(value, where, read)
  local list = {}
  for i = 1, list_length(value, where) do
    list[i] = read(rawget(value, i), where)
  end
  return list
end

--- The field `key` as a list of whole numbers from least to most; nil if it is not there.
function plain.wholes(state, key, least, most)
  local value = rawget(state, key)
  return value ~= nil and copy(value, key, function(item, where)
    if type(item) ~= "number" or not (item >= least and item <= most) or item % 1 ~= 0 then
      plain.damaged(where)
    end
    return floor(item)
  end) or nil
end

--- The field `key` as a list of strings and whole numbers >= 1.
function plain.names(state, key)
  return copy(rawget(state, key), key, function(item, where)
    if type(item) == "string" then
      return item
    elseif type(item) ~= "number" or not (item >= 1 and item < huge) or item % 1 ~= 0 then
      plain.damaged(where)
    end
    return floor(item)
  end)
end

return plain
