-- SPDX-License-Identifier: MIT
-- Crowds with heights. The core counts x and y along the ground; a height is the third axis. On a map such a crowd
-- plans from node to node: from the node nearest to the walker to the one nearest to its goal.

local core = require "wend.core"
local check = require "wend.check"

local MOST = 1e9      -- as in the core

local heights = {}

--- Points of 3 dimensions as points along the ground, and their heights.
-- @param up the axis of heights
-- @param points a flat list
function heights.split(up, points)
  local ground, list, side = {}, {}, up == "y" and 2 or 1
  for i = 1, math.ceil(#points / 3) do
    local at, height = 3 * i - 2, points[3 * i + 1 - side]
    check.must(type(height) == "number" and math.abs(height) <= MOST, ("points[%d]"):format(3 * i + 1 - side),
      "a height", height)
    ground[2 * i - 1], ground[2 * i], list[i] = points[at], points[at + side], height
  end
  return ground, list
end

--- The node nearest to a position; nil: the map has none.
function heights.node(map, up, x, y, height)
  if up == "y" then return (check.call(map.nearest, map, x, height, y)) end
  return (check.call(map.nearest, map, x, y, height))
end

--- Where a target is; nil: it does not say. Its fields may be functions of the script.
function heights.of(target)
  local ok, height = core.call(function() return target.height end)
  return ok and check.FINITE.holds(height) and height or nil
end

--- A path as a way: it goes on to the goal, which the core knows, unless it is a part of the way.
function heights.way(up, path, partial)
  local ground, list = heights.split(up, check.call(path.points, path))
  local n = #list
  if not partial then
    ground[2 * n + 1], ground[2 * n + 2], list[n + 1] = ground[2 * n - 1], ground[2 * n], list[n]
  end
  return ground, list
end

return heights
