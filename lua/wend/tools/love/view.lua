-- SPDX-License-Identifier: MIT
-- wend.love: the visible part of the world, and shapes in it. Sizes of shapes are in pixels of the screen, whatever the
-- transformation of the game is.

local colours = require "wend.tools.scene.colours"
local frames = require "wend.frame"

local max, min, sqrt, abs, huge = math.max, math.min, math.sqrt, math.abs, math.huge

local view = {}

local INK, LIGHT = colours.rgb(colours.INK), colours.rgb(colours.PAPER)

--- The rectangle of the screen that is drawn to: the window or the current canvas, or the part inside the scissor.
-- @return left, top, right, bottom
local function screen(graphics)
  local canvas = graphics.getCanvas()
  while type(canvas) == "table" and not canvas.getDimensions do canvas = canvas[1] end -- { { canvas }, stencil = true }
  local wide, high = (canvas or graphics).getDimensions(canvas)
  local x, y, w, h = graphics.getScissor()
  if not x then return 0, 0, wide, high end
  return max(0, x), max(0, y), min(wide, x + w), min(high, y + h)
end

local function is_finite(value) return value - value == 0 end

--- Computes the visible part of the world.
-- @param given the option view: { x, y, width, height }, or nil: what the transformation of LÖVE makes visible
-- @return { x1, y1, x2, y2 = the rectangle; scale = pixels in a unit of the world; pixel = units in a pixel }; nil:
--   nothing is visible
function view.new(graphics, given)
  local ax, ay = graphics.transformPoint(0, 0)
  local bx, by = graphics.transformPoint(1, 0)
  local cx, cy = graphics.transformPoint(0, 1)
  local scale = sqrt(abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)))
  if not (scale > 0) or not is_finite(scale) then return nil end
  local x1, y1, x2, y2 = huge, huge, -huge, -huge
  if given then
    x1, y1, x2, y2 = given[1], given[2], given[1] + given[3], given[2] + given[4]
  else
    local left, top, right, bottom = screen(graphics)
    if left >= right or top >= bottom then return nil end
    for corner = 0, 3 do
      local x, y = graphics.inverseTransformPoint(corner % 2 == 0 and left or right, corner < 2 and top or bottom)
      x1, y1, x2, y2 = min(x1, x), min(y1, y), max(x2, x), max(y2, y)
    end
  end
  if not (is_finite(x1) and is_finite(y1) and is_finite(x2) and is_finite(y2)) then return nil end
  return { x1 = x1, y1 = y1, x2 = x2, y2 = y2, scale = scale, pixel = 1 / scale }
end

--- Sets the colour of what is drawn next: { red, green, blue }, with an alpha.
function view.ink(graphics, colour, alpha) graphics.setColor(colour[1], colour[2], colour[3], alpha) end

--- Whether the box around two points, and `room` around it, touches the visible part.
function view.shows(seen, x1, y1, x2, y2, room)
  return max(x1, x2) >= seen.x1 - room and min(x1, x2) <= seen.x2 + room and max(y1, y2) >= seen.y1 - room
    and min(y1, y2) <= seen.y2 + room
end

--- Narrows a range of t so that low <= base + t * slope <= high. If nothing is left, the result is empty.
-- @param from, to the range
-- @return from, to
function view.narrow(from, to, base, slope, low, high)
  if slope == 0 then
    if base < low or base > high then return 1, 0 end
    return from, to
  end
  local a, b = (low - base) / slope, (high - base) / slope
  if a > b then a, b = b, a end
  return max(from, a), min(to, b)
end

--- A line without the parts outside the visible part, by Liang and Barsky. A long line then has few dashes.
-- @return x1, y1, x2, y2; nil: nothing of it is visible
local function cut(seen, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local from, to = view.narrow(0, 1, x1, dx, seen.x1, seen.x2)
  from, to = view.narrow(from, to, y1, dy, seen.y1, seen.y2)
  if from >= to then return nil end
  return x1 + dx * from, y1 + dy * from, x1 + dx * to, y1 + dy * to
end

--- A dashed line. The dashes are 5 pixels long.
function view.dashes(graphics, seen, x1, y1, x2, y2)
  x1, y1, x2, y2 = cut(seen, x1, y1, x2, y2)
  if not x1 then return end
  local dx, dy = x2 - x1, y2 - y1
  local count = max(1, min(500, math.floor(sqrt(dx * dx + dy * dy) * seen.scale / 10 + 0.5)))
  for i = 0, count - 1 do
    local from, to = (i + 0.25) / count, (i + 0.75) / count
    graphics.line(x1 + dx * from, y1 + dy * from, x1 + dx * to, y1 + dy * to)
  end
end

--- A triangle in the middle of which x, y is, in the direction dx, dy. No direction, no triangle.
-- @param size in units of the world
function view.arrow(graphics, x, y, dx, dy, size)
  local length = sqrt(dx * dx + dy * dy)
  if length == 0 then return end
  dx, dy = dx / length, dy / length
  graphics.polygon("fill", x + dx * size, y + dy * size, x - (dx * 0.7 + dy * 0.7) * size,
    y - (dy * 0.7 - dx * 0.7) * size, x - (dx * 0.7 - dy * 0.7) * size, y - (dy * 0.7 + dx * 0.7) * size)
end

--- The visible legs of a line.
-- @param points a flat list with `step` numbers for each point
-- @param jumps by leg: true for those that are drawn dashed; nil: none
-- @param room half the width of the line, if it is wide
function view.line(graphics, seen, points, step, jumps, room)
  room = room or 4 * seen.pixel
  for i = 1, #points - 2 * step + 1, step do
    local x1, y1, x2, y2 = points[i], points[i + 1], points[i + step], points[i + step + 1]
    if view.shows(seen, x1, y1, x2, y2, room) then
      if jumps and jumps[(i - 1) / step + 1] then
        view.dashes(graphics, seen, x1, y1, x2, y2)
      else
        graphics.line(x1, y1, x2, y2)
      end
    end
  end
end

--- A rectangle of cells, in units of cells: (0, 0) is the corner of cell (1, 1).
-- @param frame of the grid
function view.cells(graphics, frame, left, top, right, bottom)
  local x1, y1 = frames.to_world(frame, left, top)
  local x3, y3 = frames.to_world(frame, right, bottom)
  if frame.isometric then
    local x2, y2 = frames.to_world(frame, right, top)
    graphics.polygon("fill", x1, y1, x2, y2, x3, y3, frames.to_world(frame, left, bottom))
  else
    graphics.rectangle("fill", x1, y1, x3 - x1, y3 - y1)
  end
end

--- A hex: inside, or with the mode "line" its sides.
-- @param frame of the grid
function view.hex(graphics, frame, x, y, mode)
  local c, wide, high = frame.corners, frame.wide, frame.high
  x, y = frames.to_world(frame, frames.middle(frame, x, y))
  graphics.polygon(mode, x + c[1] * wide, y + c[2] * high, x + c[3] * wide, y + c[4] * high, x + c[5] * wide,
    y + c[6] * high, x + c[7] * wide, y + c[8] * high, x + c[9] * wide, y + c[10] * high, x + c[11] * wide,
    y + c[12] * high)
end

--- A disc.
-- @param r its radius in pixels
function view.disc(graphics, seen, x, y, r)
  if view.shows(seen, x, y, x, y, r * seen.pixel) then
    graphics.circle("fill", x, y, r * seen.pixel, r < 4 and 8 or 16)
  end
end

--- A name to the lower right of a place, dark with a light shadow: it can be read on any ground.
-- @param off its distance in pixels
function view.label(graphics, seen, name, x, y, off)
  if not view.shows(seen, x, y, x, y, 0) then return end
  view.ink(graphics, LIGHT, 0.7)
  graphics.print(name, x, y, 0, seen.pixel, seen.pixel, -off - 1, -off - 1)
  view.ink(graphics, INK, 1)
  graphics.print(name, x, y, 0, seen.pixel, seen.pixel, -off, -off)
end

return view
