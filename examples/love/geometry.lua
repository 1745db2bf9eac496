-- SPDX-License-Identifier: MIT
-- Geometry for the checks of the game: from the level's data, without wend.
local level = require "level"

local geometry = {}

function geometry.side(ax, ay, bx, by, x, y) return (bx - ax) * (y - ay) - (by - ay) * (x - ax) end

--- Whether two segments cross. Touching does not count.
function geometry.cross(ax, ay, bx, by, cx, cy, dx, dy)
  return geometry.side(ax, ay, bx, by, cx, cy) * geometry.side(ax, ay, bx, by, dx, dy) < 0
    and geometry.side(cx, cy, dx, dy, ax, ay) * geometry.side(cx, cy, dx, dy, bx, by) < 0
end

function geometry.each_side(points, closed, fn)
  for i = 1, #points - (closed and 1 or 3), 2 do
    local j = i + 2 > #points and 1 or i + 2
    if fn(points[i], points[i + 1], points[j], points[j + 1]) then return true end
  end
  return false
end

function geometry.inside(points, x, y)
  local odd = false
  geometry.each_side(points, true, function(ax, ay, bx, by)
    if (ay > y) ~= (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay) then odd = not odd end
  end)
  return odd
end

function geometry.distance(ax, ay, bx, by, x, y)
  local dx, dy = bx - ax, by - ay
  local length = dx * dx + dy * dy
  local share = length > 0 and math.max(0, math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) or 0
  dx, dy = ax + share * dx - x, ay + share * dy - y
  return math.sqrt(dx * dx + dy * dy)
end

-- What nobody may walk through.
local polygons, circles = { level.hall }, { level.mill }
for _, list in ipairs { level.keep, level.houses } do
  for _, polygon in ipairs(list) do polygons[#polygons + 1] = polygon end
end
for _, list in ipairs { level.towers, level.boulders } do
  for _, circle in ipairs(list) do circles[#circles + 1] = circle end
end
for i = 1, #level.trees, 2 do circles[#circles + 1] = { level.trees[i], level.trees[i + 1], 4 } end
geometry.polygons, geometry.circles = polygons, circles

--- The distance from a place to the nearest wall; 0: inside it.
function geometry.room(x, y)
  local least = math.huge
  local function near(ax, ay, bx, by) least = math.min(least, geometry.distance(ax, ay, bx, by, x, y)) end
  for _, polygon in ipairs(polygons) do
    if geometry.inside(polygon, x, y) then return 0 end
    geometry.each_side(polygon, true, near)
  end
  for _, circle in ipairs(circles) do
    least = math.min(least, math.max(0, math.sqrt((circle[1] - x) ^ 2 + (circle[2] - y) ^ 2) - circle[3]))
  end
  for _, fence in ipairs(level.fences) do near(fence[1], fence[2], fence[3], fence[4]) end
  return least
end

return geometry
