-- SPDX-License-Identifier: MIT
-- wend.love: draws paths, routes, followers, walkers, walls and names. A pen is { colour = { red, green, blue };
-- alpha; width = of lines, in pixels }.

local core = require "wend.core"
local bodies = require "wend.tools.scene.bodies"
local frames = require "wend.frame"
local view = require "wend.tools.love.view"

local max, min, cos, sin = math.max, math.min, math.cos, math.sin
local ink = view.ink

local marks = {}

local spare = {} -- the points of the last path, for the next one; false while they are in use
local covered = {} -- the cells of the last path: see bodies.each_cell
local MODES = { "fill", "line" }

--- Sets the colour and the width of lines.
local function take(graphics, seen, pen)
  ink(graphics, pen.colour, pen.alpha)
  graphics.setLineStyle "smooth"
  graphics.setLineWidth(pen.width * seen.pixel)
end

--- Draws a line with a ring at its first point and a disc at its last one.
local function draw_line(graphics, seen, points, step, jumps, pen)
  local count = #points
  take(graphics, seen, pen)
  view.line(graphics, seen, points, step, jumps)
  if count < step then return end
  local r = max(3, 1.5 * pen.width)
  local x, y = points[1], points[2]
  if view.shows(seen, x, y, x, y, 2 * r * seen.pixel) then graphics.circle("line", x, y, 1.3 * r * seen.pixel, 16) end
  view.disc(graphics, seen, points[count - step + 1], points[count - step + 2], r)
end

--- Fills a cell that an agent covers.
local function fill_cell(x, y, graphics, frame)
  view.cells(graphics, frame, x - 1, y - 1, x, y)
end

--- Draws what an agent with a size covers along a path: cells; on a graph a band.
local function draw_body(graphics, seen, path, size, points, step)
  local map = path.map
  if core.type(map) == "grid" then
    for at in pairs(covered) do covered[at] = nil end
    bodies.each_cell(path, size, covered, fill_cell, graphics, frames.of(map))
  else
    graphics.setLineWidth(size)
    view.line(graphics, seen, points, step, nil, size / 2)
  end
end

function marks.path(graphics, seen, path, pen)
  local own = spare or {}
  spare = false
  local points, map = path:points { into = own }, path.map
  local is_graph = core.type(map) == "graph"
  local step, size = is_graph and map:dimensions() or 2, bodies.size_of(path, not is_graph)
  if size then
    ink(graphics, pen.colour, 0.25 * pen.alpha)
    draw_body(graphics, seen, path, size, points, step)
  end
  draw_line(graphics, seen, points, step, nil, pen)
  spare = own
end

function marks.route(graphics, seen, points, pen, step)
  local jumps = points.links
  draw_line(graphics, seen, points, step, type(jumps) == "table" and jumps or nil, pen)
end

function marks.follower(graphics, seen, f, pen, whole)
  local x, y, step = f.x, f.y, f.z and 3 or 2
  take(graphics, seen, pen)
  view.line(graphics, seen, whole and f:line() or f.points, step, nil)
  local size = 5 * seen.pixel
  if not view.shows(seen, x, y, x, y, 3 * size) then return end
  graphics.setLineWidth(2 * seen.pixel)
  graphics.line(x, y, x + cos(f.heading) * 2 * size, y + sin(f.heading) * 2 * size)
  graphics.circle("fill", x, y, size, 16)
  if f.waiting or f.paused then graphics.circle("line", x, y, 1.7 * size, 16) end
end

--- Draws a walker to scale: a disc, or the square that it covers.
local function draw_walker(walker, x, y, heading, size, rx, ry, graphics, seen, frame, pen)
  if not view.shows(seen, x - rx, y - ry, x + rx, y + ry, 8 * seen.pixel + (size and rx or 0)) then return end
  if rx == 0 then rx, ry = 4 * seen.pixel, 4 * seen.pixel end
  for _, mode in ipairs(MODES) do
    ink(graphics, pen.colour, mode == "fill" and 0.35 * pen.alpha or pen.alpha)
    if size then
      graphics.polygon(mode, bodies.corners(frame, x, y, size))
    else
      graphics.ellipse(mode, x, y, rx, ry)
    end
  end
  if heading then
    local long = min(rx, ry)
    graphics.line(x, y, x + cos(heading) * long, y + sin(heading) * long)
  end
  if walker.state == "stuck" or walker.state == "lost" then
    graphics.ellipse("line", x, y, rx + 4 * seen.pixel, ry + 4 * seen.pixel)
  end
end

function marks.walkers(graphics, seen, walkers, pen, grid)
  take(graphics, seen, pen)
  local frame = grid and frames.of(grid)
  bodies.each_walker(walkers, frame, draw_walker, graphics, seen, frame, pen)
end

-- Walls ------------------------------------------------------------------------------------------------------------

--- Whether a polygon turns the same way at each corner. LÖVE fills no others.
local function is_convex(points)
  local count, sign = #points, 0
  for i = 1, count, 2 do
    local ax, ay = points[i], points[i + 1]
    local bx, by = points[(i + 1) % count + 1], points[(i + 2) % count + 1]
    local cx, cy = points[(i + 3) % count + 1], points[(i + 4) % count + 1]
    local turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    if turn * sign < 0 then return false end
    if turn ~= 0 then sign = turn end
  end
  return sign ~= 0
end

local function box_of(points)
  local x1, y1, x2, y2 = points[1], points[2], points[1], points[2]
  for i = 3, #points, 2 do
    x1, y1, x2, y2 = min(x1, points[i]), min(y1, points[i + 1]), max(x2, points[i]), max(y2, points[i + 1])
  end
  return x1, y1, x2, y2
end

function marks.walls(graphics, seen, walls, pen)
  local room = pen.width * seen.pixel
  take(graphics, seen, pen)
  for kind, numbers in walls:each() do
    local p, q, s, t = numbers[1], numbers[2], numbers[3], numbers[4]
    ink(graphics, pen.colour, pen.alpha)
    if kind == "segment" then
      if view.shows(seen, p, q, s, t, room) then graphics.line(p, q, s, t) end
    elseif kind == "circle" then
      if view.shows(seen, p - s, q - s, p + s, q + s, room) then
        graphics.circle("line", p, q, s)
        ink(graphics, pen.colour, 0.5 * pen.alpha)
        graphics.circle("fill", p, q, s)
      end
    else
      local x1, y1, x2, y2 = box_of(numbers)
      if view.shows(seen, x1, y1, x2, y2, room) then
        graphics.polygon("line", numbers)
        ink(graphics, pen.colour, 0.5 * pen.alpha)
        if is_convex(numbers) then graphics.polygon("fill", numbers) end
      end
    end
  end
end

--- Writes names: { name = { x =, y = }, … }, except those of nodes of a graph.
-- @param graph a graph or nil
function marks.names(graphics, seen, names, graph)
  for name, at in pairs(names) do
    if type(name) == "string" and type(at) == "table" and type(at.x) == "number" and type(at.y) == "number"
      and not (graph and graph:node(name)) then
      view.label(graphics, seen, name, at.x, at.y, 0)
    end
  end
end

return marks
