-- SPDX-License-Identifier: MIT
-- Reading the data of saved crowds, which nobody guarantees. The core has made it of bytes (src/lua/level.c): tables
-- without metatables, whose keys are strings or 1, 2, 3 and so on. The first wrong value raises, which data.try turns
-- into a result.
--
-- A kind is a function: it returns a value as it is used, or raises. Whole numbers are integers where Lua has these,
-- and other numbers are floats.

local check = require "wend.check"

local floor = math.floor
local WHOLE_MAX = 2 ^ 53

local data = {}

local DAMAGED = {}          -- the error of this file

--- Raises: a value is missing or wrong.
function data.damaged() error(DAMAGED, 0) end

--- Raises unless `holds` is true.
function data.must(holds)
  if not holds then data.damaged() end
end

--- Calls fn(...). Returns true and its result; or false if data is damaged. Other errors pass.
function data.try(fn, ...)
  local ok, result = pcall(fn, ...)
  if not ok and not rawequal(result, DAMAGED) then error(result, 0) end
  return ok, result
end

--- A kind: any value of a type of Lua.
local function of(name)
  return function(value)
    data.must(type(value) == name)
    return value
  end
end

data.text, data.flag, data.table = of "string", of "boolean", of "table"

function data.number(value)
  data.must(type(value) == "number")    -- the core has made it: it is finite
  return value * 1.0                    -- adding 0.0 would make 0 of -0
end

--- A kind: a whole number from least to most; default of most: 2^53.
function data.whole(least, most)
  return function(value)
    data.must(check.is_whole(value, least, most or WHOLE_MAX))
    return floor(value)
  end
end

--- A kind: a list of values of another kind.
function data.list(kind)
  return function(value)
    data.must(type(value) == "table" and (next(value) == nil or value[1] ~= nil))
    local list = {}
    for i, item in ipairs(value) do list[i] = kind(item) end
    return list
  end
end

--- A kind: a table by name.
-- @param kinds by name
-- @param needed the names that it must have
function data.record(kinds, needed)
  return function(value)
    data.must(type(value) == "table")
    local record = {}
    for name, item in next, value do record[name] = (kinds[name] or data.damaged)(item) end
    for _, name in ipairs(needed) do data.must(record[name] ~= nil) end
    return record
  end
end

return data
