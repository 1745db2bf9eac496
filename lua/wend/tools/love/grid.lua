-- SPDX-License-Identifier: MIT
-- wend.love: draws the visible cells of grids, and fields on them.
--
-- A row of blocks is drawn at a time. A block is one cell, or a square of cells where there are too many: it looks like
-- its middle cell. Neighbours that look the same are one shape.

local colours = require "wend.tools.scene.colours"
local each_run = require "wend.tools.scene.runs"
local frames = require "wend.frame"
local kinds = require "wend.tools.love.kinds"
local view = require "wend.tools.love.view"

local abs, ceil, floor, sqrt = math.abs, math.ceil, math.floor, math.sqrt
local huge, max, min = math.huge, math.max, math.min
local ink, narrow = view.ink, view.narrow

local grids = {}

local CELLS = 16384 -- the default of the option limit
-- The least size in pixels of cells with lines; of cells with walls; of blocks with arrows.
local LATTICE, WALLED, ARROWED = 9, 4, 22
local INK, SOLID, SHADE = colours.rgb(colours.INK), colours.rgb(colours.SOLID), colours.rgb(colours.SHADE)
local FLOOR = colours.rgb(colours.FLOOR)

--- The size of a cell in pixels: its smaller side.
local function size_of(it)
  local wide, high = it.frame.wide, it.frame.high
  return (it.frame.isometric and sqrt(wide * wide + high * high) / 2 or min(wide, high)) * it.seen.scale
end

--- By how much hexes jut out of their rows and columns, in cells.
local function over_of(frame) return frame.corners and 0.5 or 0 end

--- Finds the visible blocks.
-- @param options as init.lua has read them
-- @param least the least size of a block in pixels
-- @return { grid, seen; frame = of the grid; wide, high = its size in cells; step = cells of the side of a block;
--   x1, y1, x2, y2 = blocks, from 0 }; nil: none
local function visible(grid, seen, options, least)
  local wide, high, frame, limit = grid:width(), grid:height(), frames.of(grid), options.limit or CELLS
  local area = frame.wide * frame.high / (frame.isometric and 2 or 1)
  if area == 0 then return nil end
  local x1, y1, x2, y2 = huge, huge, -huge, -huge
  for corner = 0, 3 do
    local x, y = frames.to_cells(frame, corner % 2 == 0 and seen.x1 or seen.x2, corner < 2 and seen.y1 or seen.y2)
    x1, y1, x2, y2 = min(x1, x), min(y1, y), max(x2, x), max(y2, y)
  end
  local over = over_of(frame)
  x1, y1, x2, y2 = x1 - over, y1 - over, x2 + over, y2 + over
  x1, y1, x2, y2 = max(x1, 0), max(y1, 0), min(x2, wide), min(y2, high)
  if x1 >= x2 or y1 >= y2 then return nil end
  local count = min((ceil(x2) - floor(x1)) * (ceil(y2) - floor(y1)),
    (seen.x2 - seen.x1) * (seen.y2 - seen.y1) / area * 1.5 + wide + high)
  local it = { grid = grid, seen = seen, frame = frame, wide = wide, high = high, step = 1 }
  local size = size_of(it)
  while count > limit * it.step * it.step or size * it.step < least do it.step = 2 * it.step end
  it.hexes = frame.corners and it.step == 1 -- blocks of hexes are drawn as squares
  local function last(value) return ceil(value / it.step) - 1 end
  it.x1, it.y1, it.x2, it.y2 = floor(x1 / it.step), floor(y1 / it.step), last(x2), last(y2)
  return it
end

--- The visible blocks of a row. It may include a block more at each end.
local function row_of(it, row)
  local step, seen, frame = it.step, it.seen, it.frame
  local x, y = frames.to_world(frame, 0, (row + 0.5) * step)
  local dx, dy = frame.wide, 0 -- from a cell to the next one of the row
  if frame.isometric then dx, dy = frame.wide / 2, frame.high / 2 end
  local room_x, room_y = frame.wide * (step / 2 + over_of(frame)), frame.high * (step / 2 + over_of(frame))
  local from, to = narrow(-huge, huge, x, dx, seen.x1 - room_x, seen.x2 + room_x)
  from, to = narrow(from, to, y, dy, seen.y1 - room_y, seen.y2 + room_y)
  return max(it.x1, floor(from / step - 0.5)), min(it.x2, ceil(to / step - 0.5))
end

--- The middle cell of a block, within the grid.
local function cell_of(it, column, row)
  local half = floor(it.step / 2) + 1
  return min(it.wide, column * it.step + half), min(it.high, row * it.step + half)
end

--- Calls draw(first, last, row, look, more) for each run of equal blocks: see runs.
local function each_visible_run(it, look_of, draw)
  for row = it.y1, it.y2 do
    local from, to = row_of(it, row)
    each_run(row, from, to, look_of, draw)
  end
end

--- Fills the blocks `from` to `to` of a row in the current colour.
local function fill(graphics, it, from, to, row)
  local step = it.step
  if it.hexes then
    for column = from, to do view.hex(graphics, it.frame, column + 1, row + 1, "fill") end
    return
  end
  view.cells(graphics, it.frame, from * step, row * step, min(it.wide, (to + 1) * step), min(it.high, (row + 1) * step))
end

--- A line in units of cells: (0, 0) is the corner of cell (1, 1).
local function line(graphics, it, x1, y1, x2, y2)
  x1, y1 = frames.to_world(it.frame, x1, y1)
  graphics.line(x1, y1, frames.to_world(it.frame, x2, y2))
end

local function middle(it, x, y) return frames.to_world(it.frame, frames.middle(it.frame, x, y)) end

-- Cells ------------------------------------------------------------------------------------------------------------

--- How much a weight darkens a cell: 0 for weight 1 and less, 0.5 for 64 and more.
local function shade_of(weight)
  return weight > 1 and min(1, math.log(weight) / math.log(64)) * 0.5 or 0
end

--- Sets the colour of a cell.
-- @return false: it is not drawn
local function ink_cell(graphics, weight, look, has_tag, alpha)
  if not weight or look.closed then
    ink(graphics, has_tag and look.dark or SOLID, alpha)
    return true
  end
  local shade, is_coloured = shade_of(weight), has_tag or look.own
  if not is_coloured and shade == 0 then return false end
  local c, s = look.colour, SHADE
  graphics.setColor(c[1] + (s[1] - c[1]) * shade, c[2] + (s[2] - c[2]) * shade, c[3] + (s[3] - c[3]) * shade,
    is_coloured and alpha or alpha * shade * 2)
  return true
end

local function draw_cells(graphics, it, looks, alpha)
  local function kind_of(column, row) return it.grid:get(cell_of(it, column, row)) end
  each_visible_run(it, kind_of, function(from, to, row, weight, tag)
    local look = kinds.look_of(looks, tag, FLOOR)
    look.seen = look.seen or weight and (tag or looks.probe) and true
    if ink_cell(graphics, weight, look, tag, alpha) then fill(graphics, it, from, to, row) end
    if tag and (not weight or look.closed) and it.lined then -- hatched
      graphics.setLineWidth(it.seen.pixel)
      ink(graphics, INK, 1)
      for x = from, to do
        local u, v = frames.middle(it.frame, x + 1, row + 1)
        local to_u, to_v = 0.5, -0.5
        if it.hexes then to_u, to_v = it.frame.corners[3], it.frame.corners[4] end -- the upper right one
        line(graphics, it, u - to_u, v - to_v, u + to_u, v + to_v)
      end
    end
  end)
end

local function draw_lattice(graphics, it, alpha)
  graphics.setLineWidth(it.seen.pixel)
  ink(graphics, INK, (it.hexes and 0.1 or 0.15) * alpha) -- most sides of hexes are drawn twice
  for row = it.y1, it.hexes and it.y2 or -1 do
    local from, to = row_of(it, row)
    for column = from, to do view.hex(graphics, it.frame, column + 1, row + 1, "line") end
  end
  if it.hexes then return end
  for x = it.x1, it.x2 + 1 do line(graphics, it, x, it.y1, x, it.y2 + 1) end
  for y = it.y1, it.y2 + 1 do line(graphics, it, it.x1, y, it.x2 + 1, y) end
end

--- Draws the walls between the open cells along a row or a column: halves the line until it is free or has one step.
--- A free line of any length takes two calls. A directed wall is as long as a tooth, on the side to which steps lead.
local function draw_walls_along(graphics, it, x1, y1, x2, y2)
  local steps = x2 - x1 + y2 - y1
  if steps == 0 then return end
  local away, home = it.grid:clear(x1, y1, x2, y2), it.grid:clear(x2, y2, x1, y1)
  if away and home then return end
  if steps == 1 then
    local tooth = (away or home) and (away and 0.3 or -0.3)
    if tooth and x1 < x2 then line(graphics, it, x1, y1 - 0.5, x1 + tooth, y1 - 0.5)
    elseif tooth then line(graphics, it, x1 - 0.5, y1, x1 - 0.5, y1 + tooth)
    elseif x1 < x2 then line(graphics, it, x1, y1 - 1, x1, y1)
    else line(graphics, it, x1 - 1, y1, x1, y1) end
    return
  end
  local x, y = floor((x1 + x2) / 2), floor((y1 + y2) / 2)
  draw_walls_along(graphics, it, x1, y1, x, y)
  draw_walls_along(graphics, it, x, y, x2, y2)
end

--- Draws the walls between open hexes.
local function draw_walls_of_hexes(graphics, it)
  local grid, frame = it.grid, it.frame
  for x1, y1, x2, y2, directed in grid:walls() do
    local px, py = middle(it, x1, y1)
    local qx, qy = middle(it, x2, y2)
    if view.shows(it.seen, px, py, qx, qy, frame.wide) and not (grid:is_closed(x1, y1) or grid:is_closed(x2, y2)) then
      local u1, v1, u2, v2 = frames.side_between(frame, x1, y1, x2, y2)
      if directed then
        u1, v1 = (u1 + u2) / 2, (v1 + v2) / 2
        local x, y = frames.to_world(frame, u1, v1)
        graphics.line(x, y, x + (px - qx) * 0.3, y + (py - qy) * 0.3)
      else
        line(graphics, it, u1, v1, u2, v2)
      end
    end
  end
end

local function draw_walls(graphics, it)
  graphics.setLineWidth(max(2, min(5, size_of(it) * 0.16)) * it.seen.pixel)
  ink(graphics, INK, 1)
  if it.hexes then return draw_walls_of_hexes(graphics, it) end
  local grid, least, most = it.grid, huge, -huge
  local function is_open(column, row) return grid:get(column + 1, row + 1) and true or nil end
  each_visible_run(it, is_open, function(first, last, row)
    least, most = min(least, first), max(most, last)
    draw_walls_along(graphics, it, first + 1, row + 1, last + 1, row + 1)
  end)
  local function is_open_down(row, column) return is_open(column, row) end
  local function draw_down(first, last, column)
    draw_walls_along(graphics, it, column + 1, first + 1, column + 1, last + 1)
  end
  for column = least, most do each_run(column, it.y1, it.y2, is_open_down, draw_down) end
end

local function draw_links(graphics, it, looks)
  local seen = it.seen
  graphics.setLineWidth(2 * seen.pixel)
  for x1, y1, x2, y2, _, tag in it.grid:links() do
    local px, py = middle(it, x1, y1)
    local qx, qy = middle(it, x2, y2)
    if view.shows(seen, px, py, qx, qy, 0) then
      local look = kinds.look_of(looks, tag, FLOOR)
      look.seen = look.seen or tag ~= nil
      ink(graphics, look.closed and look.dark or tag and look.colour or INK, 1)
      if look.closed then view.dashes(graphics, seen, px, py, qx, qy) else graphics.line(px, py, qx, qy) end
      local dx, dy = qx - px, qy - py
      local size = min(6 * seen.pixel, sqrt(dx * dx + dy * dy) / 4)
      view.arrow(graphics, qx - dx * 0.25, qy - dy * 0.25, dx, dy, size)
    end
  end
end

--- Draws a grid.
-- @param options as init.lua has read them
-- @param looks the result of kinds.looks
function grids.draw(graphics, seen, grid, options, looks)
  local it = visible(grid, seen, options, 0)
  if not it then return end
  local size = size_of(it)
  it.lined = it.step == 1 and size >= LATTICE
  draw_cells(graphics, it, looks, options.alpha)
  if it.lined then draw_lattice(graphics, it, options.alpha) end
  if it.step == 1 and size >= WALLED then draw_walls(graphics, it) end
  draw_links(graphics, it, looks)
end

-- Fields -----------------------------------------------------------------------------------------------------------

--- The cost of an open cell of a field; nil if it is not reached, or the cost is no finite number.
local function cost_at(grid, field, x, y)
  local cost = field:cost(x, y)
  return cost and abs(cost) < huge and not grid:is_closed(x, y) and cost or nil
end

local function draw_arrows(graphics, it, field)
  local seen, grid = it.seen, it.grid
  ink(graphics, INK, 0.6)
  local long = min(7, size_of(it) * it.step * 0.2) * seen.pixel
  for row = it.y1, it.y2 do
    local from, to = row_of(it, row)
    for column = from, to do
      local x, y = cell_of(it, column, row)
      if not grid:is_closed(x, y) then
        local x2, y2 = field:next(x, y)
        if x2 and y2 then -- nil: a goal, or not reached, or nil and a message: out of date
          local px, py = middle(it, x, y)
          local qx, qy = middle(it, x2, y2)
          view.arrow(graphics, px, py, qx - px, qy - py, long)
        end
      end
    end
  end
end

--- Draws a field of a grid: its costs as colours, and arrows along its steps.
function grids.draw_field(graphics, seen, grid, field, options)
  local it = visible(grid, seen, options, 0)
  if not it then return end
  local least, most = options.least, options.most
  if not least then
    least, most = huge, -huge
    for row = it.y1, it.y2 do
      local from, to = row_of(it, row)
      for column = from, to do
        local cost = cost_at(grid, field, cell_of(it, column, row))
        if cost then least, most = min(least, cost), max(most, cost) end
      end
    end
  end
  local function level_of(column, row)
    local cost = cost_at(grid, field, cell_of(it, column, row))
    return cost and colours.level(cost, least, most)
  end
  each_visible_run(it, level_of, function(first, last, row, level)
    ink(graphics, kinds.HEAT[level], options.alpha)
    fill(graphics, it, first, last, row)
  end)
  if options.arrows then draw_arrows(graphics, visible(grid, seen, options, ARROWED), field) end
end

return grids
