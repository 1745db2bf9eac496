-- SPDX-License-Identifier: MIT
-- The option `clear`: what may tell where a straight walk is free, as one kind of function.

local core = require "wend.core"
local check = require "wend.check"

local clear = {}

local is_callable = check.is_callable

--- A method of a table or userdata; nil where there is none, also where asking for it raises (files, strict tables).
local function method_of(value, name)
  local kind = type(value)
  if kind ~= "table" and kind ~= "userdata" then
    return nil
  end
  local ok, method = pcall(function() return value[name] end)
  return ok and is_callable(method) and method or nil
end

--- Turns what was given as `clear` into a function; nil stays nil.
-- What can be called is taken as it is. Of a grid, `clear_points` is called, of walls and of anything else `clear`.
-- Grids and walls are flat: of lines in three dimensions they are asked about x and y alone.
-- @param value what was given: nil, a function, walls, a grid, or any table or userdata with a method `clear`
-- @param dimensions 2 or 3: whether the function is to take (x1, y1, x2, y2) or (x1, y1, z1, x2, y2, z2)
-- @return a function that says whether a straight walk is free (false and nil: it is not), or nil
-- Raises where it is anything else. What the function raises is not caught.
function clear.of(value, dimensions)
  if value == nil or is_callable(value) then
    return value
  end
  local flat = method_of(value, "clear_points")
  local method = flat or method_of(value, "clear")
  if not method then
    check.fail("clear must be a function, walls or a grid, got %s", check.describe(value))
  elseif dimensions == 2 then
    return function(x1, y1, x2, y2) return method(value, x1, y1, x2, y2) end
  elseif flat or core.type(value) == "walls" then -- walls have no z, and take a fifth number for a radius
    return function(x1, y1, _, x2, y2) return method(value, x1, y1, x2, y2) end
  end
  return function(...) return method(value, ...) end
end

return clear
