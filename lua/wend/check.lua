-- SPDX-License-Identifier: MIT
-- Checks of arguments and options for the helpers in Lua, with the same messages as the C functions
-- (src/lua/base/check.c): "speed must be a finite number >= 0, got -1".

local core = require "wend.core"

local check = {}

-- What messages call the objects of some types. Others are "a grid", "a path".
local OBJECTS = {
  walls = "made by wend.walls", costs = "a profile made by wend.costs",
}

--- Whether a value is a number from least to most.
function check.is_within(value, least, most)
  return type(value) == "number" and value >= least and value <= most
end

--- Whether a value is a whole number from least to most.
function check.is_whole(value, least, most)
  return check.is_within(value, least, most) and value % 1 == 0
end

local function is_finite(value) return check.is_within(value, -math.huge, math.huge) and value - value == 0 end

--- The length of a list, without metamethods: as the core reads it. Lua 5.1 has no metamethod for the length of tables.
check.length = rawget(_G, "rawlen") or function(list) return #list end

--- A value as messages show it: "'gate'", "nan", "a table". Strings of more than 40 bytes are cut.
check.describe = core.describe

--- Whether a value can be called: a function, or a table or userdata with a metamethod __call.
-- @param value anything
-- @return a boolean
function check.is_callable(value)
  local meta = type(value) ~= "function" and getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and type(rawget(meta, "__call")) == "function"
end

--- The level, for error(), of the first caller outside this module: errors then name the line of the script.
-- @return a number; 0 if it cannot be found: the error then has no position
local function callers_level()
  local debug = rawget(_G, "debug")
  local here = debug and debug.getinfo and debug.getinfo(1, "S").source
  local folder = here and here:match "^(.*)check%.lua$"
  if not folder then
    return 0
  end
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then
      return 0
    elseif info.what ~= "C" and info.what ~= "tail" and info.source:sub(1, #folder) ~= folder then
      return level - 1
    end
    level = level + 1
  end
end

--- Raises if a list has other keys than 1, 2, 3 ...: { swamp = true } would be an empty list.
-- @param be what it must be, such as "a list of tags"
function check.list(list, what, be)
  if type(list) ~= "table" then check.fail("%s must be %s, got %s", what, be, check.describe(list)) end
  for key in next, list do
    if type(key) ~= "number" then check.fail("%s must be %s, got the key %s", what, be, check.describe(key)) end
  end
end

check.NO_MEMORY = "not enough memory"        -- Lua raises it without a line

--- Raises an error with the line of the script that called the module.
-- @param message a string; with more arguments a format, as for string.format
function check.fail(message, ...)
  if select("#", ...) > 0 then
    message = message:format(...)
  end
  error(message, message ~= check.NO_MEMORY and callers_level() or 0)
end

--- Raises unless `holds` is true: "WHAT must be BE, got ...".
-- @param got the wrong value
function check.must(holds, what, be, got)
  if not holds then
    check.fail("%s must be %s, got %s", what, be, check.describe(got))
  end
end

--- Raises unless a value is a coordinate. Returns it.
function check.coordinate(value, what)
  check.must(check.is_within(value, -1e150, 1e150), what, "a finite number (up to 1e150)", value)
  return value
end

--- Raises unless a value is an object of a type of wend. Returns it.
-- @param kind the expected result of wend.type(value)
function check.object(value, kind, what)
  check.must(core.type(value) == kind, what, OBJECTS[kind] or "a " .. kind, value)
  return value
end

--- Checks factors of a speed by tag.
-- @param or_else what else the value may be, for the message
-- @return a copy
function check.factors(speeds, or_else)
  local be, factors = "a table of factors by tag" .. (or_else or ""), {}
  check.must(type(speeds) == "table", "speeds", be, speeds)
  for tag, factor in pairs(speeds) do
    if type(tag) ~= "string" then
      check.fail("speeds must be %s, got the key %s", be, check.describe(tag))
    end
    check.must(check.FACTOR.holds(factor), "speeds." .. tag, check.FACTOR.be, factor)
    factors[tag] = factor
  end
  return factors
end

local function results_of(ok, ...)
  local problem = ...
  if ok then
    return ...
  elseif type(problem) == "string" then
    check.fail("%s", problem)
  end
  error(problem, 0) -- an error that is not a string is raised again unchanged
end

--- Calls a function of the core. Errors name the line of the script.
function check.call(fn, ...)
  return results_of(pcall(fn, ...))
end

--- Raises if the values are those of a search without a path, such as in w:go(map:path(...)): nil, a message, a code.
function check.found(points, message)
  if points == nil and type(message) == "string" then
    check.fail("points must be a list of numbers, a path or a route, got nil: %s", message)
  end
end

--- Raises: a method was called on the wrong value.
-- @param self that value
-- @param what the expected value, such as "a follower"
-- @param example the name of a variable in the message, such as "follower"
function check.wrong_self(self, what, example)
  check.fail("self must be %s (call it with a colon: %s:method()), got %s", what, example, check.describe(self))
end

--- Raises unless self is of a type.
-- @param kind the expected result of wend.type(self); the other parameters as for wrong_self
function check.self(self, kind, what, example)
  if core.type(self) ~= kind then
    check.wrong_self(self, what, example)
  end
end

--- Whether a value can have fields.
function check.has_fields(value)
  local kind = type(value)
  local meta = kind == "userdata" and getmetatable(value)
  return kind == "table" or kind == "cdata" or type(meta) == "table" and meta.__index ~= nil or type(meta) == "string"
end

local function fields_of(value) return value.x, value.y end

--- Two numbers, or one value with fields x and y, as lwend_spread in src/lua/base/check.c: reading them cannot yield.
-- @return x, y, and the argument after them. They are not checked yet
function check.position(x, y, after)
  if type(x) == "number" or not check.has_fields(x) then return x, y, after end
  local ok, px, py = core.call(fields_of, x)
  if not ok then
    error(px, 0)
  elseif px ~= nil then
    return px, py, y
  elseif type(x) == "table" and rawget(x, 1) ~= nil then
    check.fail "x must be a number, got a list: use x, y or { x = , y = }"
  end
  return x, y, after
end

-- Kinds of options: what the value must be, and a function that tells whether it is that.
local function is_boolean(value) return type(value) == "boolean" end
check.BOOLEAN = { be = "a boolean", holds = is_boolean }
check.SWITCH = { be = "true or false", holds = is_boolean }
check.STRING = { be = "a string", holds = function(value) return type(value) == "string" end }
check.TABLE = { be = "a table", holds = function(value) return type(value) == "table" end }
check.FUNCTION = { be = "a function", holds = check.is_callable }
check.DIMENSIONS = { be = "2 or 3", holds = function(value) return value == 2 or value == 3 end }
check.FACTOR = { be = "a finite number >= 0", holds = function(value) return is_finite(value) and value >= 0 end }
--- How links are crossed.
check.LINKS = { be = "'cost', 'jump' or 'walk'", holds = function(value)
  return value == "cost" or value == "jump" or value == "walk"
end }
check.FINITE = { be = "a finite number", holds = is_finite }
check.COUNT = { be = "a whole number >= 1",
  holds = function(value) return check.is_within(value, 1, math.huge) and (value % 1 == 0 or value == math.huge) end }
check.LENGTH = { be = "a finite number > 0", holds = function(value) return is_finite(value) and value > 0 end }
check.MAP = { be = "a graph or a grid",
  holds = function(value) return core.type(value) == "graph" or core.type(value) == "grid" end }

--- A kind: an object of a type of wend.
-- @param be what messages call it
function check.of(kind, be)
  return { be = be, holds = function(value) return core.type(value) == kind end }
end

check.COSTS, check.WALLS = check.of("costs", OBJECTS.costs), check.of("walls", OBJECTS.walls)

--- A kind: a number from least to most.
function check.within(least, most)
  return { be = ("a number in %.14g .. %.14g"):format(least, most),
    holds = function(value) return check.is_within(value, least, most) end }
end

--- Raises unless a value is of a kind. Returns it.
function check.kind(value, kind, what)
  check.must(kind.holds(value), what, kind.be, value)
  return value
end

--- Checks a table of options. Raises if it is neither nil nor a table, if it has a key that is not in the list, or a
--- value that is not of its kind.
-- @param names the list of valid keys; its field `kinds` has the kinds, by key, of those that have one
-- @param what the name of the argument in the message; default "options"
function check.options(options, names, what)
  if options == nil then
    return
  end
  check.must(type(options) == "table", what or "options", "a table", options)
  for key in pairs(options) do
    local known = false
    for _, name in ipairs(names) do
      known = known or key == name
    end
    if not known then
      check.fail("unknown option %s (expected one of: %s)", check.describe(key), table.concat(names, ", "))
    end
  end
  local kinds = names.kinds
  for i = 1, kinds and #names or 0 do
    local name = names[i]
    local kind, value = kinds[name], options[name]
    if kind and value ~= nil then check.kind(value, kind, name) end
  end
end

return check
