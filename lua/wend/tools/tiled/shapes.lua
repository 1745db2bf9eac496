-- SPDX-License-Identifier: MIT
--- Shapes of objects, and of tiles: where their points lie in the world.

local fields = require "wend.tools.tiled.fields"
local frame = require "wend.frame"
local foreign = require "wend.tools.tiled.foreign"

local shapes = {}

local number, list, each
  = fields.number, fields.list, fields.each
local bad = foreign.bad

-- By role: the shapes that an object with it can have.
shapes.ROLES = {
  node = { point = true, rectangle = true, ellipse = true },
  edge = { polyline = true },
  wall = { rectangle = true, polygon = true, polyline = true, ellipse = true },
}

local TURNS = { [0] = { 1, 0 }, [90] = { 0, 1 }, [180] = { -1, 0 }, [270] = { 0, -1 } }

--- Converts a vector of the plane of objects to the world. On isometric maps Tiled measures objects along the rows and
--- columns, both in heights of a tile. On other maps that plane is the world.
function shapes.project(space, x, y)
  if space.orientation ~= "isometric" then return x, y end
  return frame.to_world(space, x / space.high, y / space.high)
end

--- The position in the world of a point of an object, which is rotated around the object's position.
function shapes.placed(object, x, y)
  if object.space then x, y = shapes.project(object.space, x, y) end
  local turn = TURNS[object.rotation]
  if not turn then
    local angle = math.rad(object.rotation)
    turn = { math.cos(angle), math.sin(angle) }
  end
  local dx, dy = x * turn[1] - y * turn[2], x * turn[2] + y * turn[1]
  if not TURNS[object.rotation] then                  -- rounded: the last bits of a sine differ between machines
    dx, dy = math.floor(dx * 65536 + 0.5) / 65536, math.floor(dy * 65536 + 0.5) / 65536
  end
  if object.within then return object.within(object.x + dx, object.y + dy) end
  return object.x + dx, object.y + dy
end

--- The centre of an object with a rectangle; otherwise its position.
function shapes.middle(object)
  return shapes.placed(object, object.left + object.width / 2, object.top + object.height / 2)
end

--- Reads the corners of a polygon or polyline into object.points, a flat list of positions in the world.
function shapes.read_points(place, source, object, least)
  local corners = list(place, source, object.shape)
  if #corners < least then bad(place, "a %s must have at least %d points, got %d", object.shape, least, #corners) end
  object.points = {}
  for i, corner, corner_place in each(place, corners, object.shape) do
    local x, y = number(corner_place, corner, "x"), number(corner_place, corner, "y")
    object.points[2 * i - 1], object.points[2 * i] = shapes.placed(object, x, y)
  end
end

--- Reads a shape of a tile as an object whose positions are pixels of the tile.
-- @param within a function that converts them; nil: they stay
function shapes.read_shape(place, source, within)
  local shape = { shape = source.shape, x = number(place, source, "x"), y = number(place, source, "y"),
    width = number(place, source, "width", 0, 0), height = number(place, source, "height", 0, 0),
    rotation = number(place, source, "rotation", 0) % 360, left = 0, top = 0, within = within }
  if shape.shape == "polygon" then
    shapes.read_points(place, source, shape, 3)
  elseif shape.shape == "polyline" then
    shapes.read_points(place, source, shape, 2)
  end
  return shape
end

return shapes
