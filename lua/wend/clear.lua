-- SPDX-License-Identifier: MIT
-- The option `clear`: a test whether a straight line is free. Scripts give a function, walls, a grid, or anything with
-- a method `clear`. The helpers need one kind of function.

local core = require "wend.core"
local check = require "wend.check"

local clear = {}

local is_callable = check.is_callable

--- A method of a table or userdata. nil: there is none, or reading it raises (as for files and strict tables).
local function method_of(value, name)
  local kind = type(value)
  if kind ~= "table" and kind ~= "userdata" then
    return nil
  end
  local ok, method = pcall(function() return value[name] end)
  return ok and is_callable(method) and method or nil
end

--- Turns the value of the option `clear` into a function. nil stays nil. Something that can be called is returned
-- unchanged. On grids the function calls `clear_points`, otherwise `clear`. Grids and walls are flat: in 3 dimensions
-- they receive only x and y.
-- @param value nil, a function, walls, a grid, or any table or userdata with a method `clear`
-- @param dimensions 2 or 3: the function takes (x1, y1, x2, y2) or (x1, y1, z1, x2, y2, z2)
-- @return a function that tells whether the straight line is free (false and nil: it is not), or nil
-- Raises if the value is something else. Errors of the function are not caught.
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
  elseif flat or core.type(value) == "walls" then -- walls have no z: their fifth argument is a radius
    return function(x1, y1, _, x2, y2) return method(value, x1, y1, x2, y2) end
  end
  return function(...) return method(value, ...) end
end

return clear
