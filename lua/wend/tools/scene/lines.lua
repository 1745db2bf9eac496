-- SPDX-License-Identifier: MIT
-- What pictures of maps are asked to draw: lines, and paths of the map.

local core = require "wend.core"
local check = require "wend.check"

local lines = {}

local LINES, PATHS = "a flat list of coordinates, or a list of such lists", "a path, or a list of paths"
local must = check.must

--- Checks a flat list of coordinates.
-- @param what its name in messages
-- @param step the numbers of each point
function lines.check(points, what, step)
  local count = check.length(points)
  if count % step ~= 0 then
    check.fail("%s must hold %d numbers per item, got %d numbers", what, step, count)
  end
  for i = 1, count do
    local value = points[i]
    if not check.is_within(value, -1e150, 1e150) then
      check.coordinate(value, ("%s[%d]"):format(what, i))
    end
  end
end

--- Calls fn(points, step, number, count) for each line of an option: a flat list of coordinates, or a list of such
--- lists. They are checked.
-- @param what the name of the option
-- @param dimensions of lines that have no field `dimensions`
function lines.each(value, what, dimensions, fn)
  if value == nil then return end
  must(type(value) == "table", what, LINES, value)
  local list = type(value[1]) ~= "table" and { value } or value
  local count = check.length(list)
  for number = 1, count do
    local points = list[number]
    if points == nil then break end
    must(type(points) == "table", what, LINES, points)
    local step = points.dimensions or dimensions
    must(step == 2 or step == 3, "dimensions of " .. what, "2 or 3", step)
    lines.check(points, what, step)
    fn(points, step, number, count)
  end
end

--- Calls fn(path, number, count) for each path of the option path: one path or a list of paths.
-- @param maps whose paths they may be: a set
-- @param of "grid" or "map", for the message
function lines.each_path(value, maps, of, fn)
  if value == nil then return end
  must(type(value) == "table", "path", PATHS, value)
  local list = core.type(value) == "path" and { value } or value
  local count = check.length(list)
  for number = 1, count do
    local path = list[number]
    if path == nil then break end
    must(core.type(path) == "path", "path", PATHS, path)
    if path.map == nil or not maps[path.map] then check.fail("path must be one of this %s", of) end
    fn(path, number, count)
  end
end

return lines
