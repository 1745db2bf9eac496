-- SPDX-License-Identifier: MIT
--- What grid:text (lua/wend/text.lua) draws over the cells: the options path, route, points and marks.

local check = require "wend.check"
local bodies = require "wend.tools.scene.bodies"
local frame = require "wend.frame"
local lines = require "wend.tools.scene.lines"
local sorted = require "wend.sorted"

local floor, ceil, abs, max = math.floor, math.ceil, math.abs, math.max
local PLACES = "a position ({ x, y }, or something with fields x and y), or a list of positions"
local WAY = "*" -- the character of paths, routes and points
local coordinate, must = check.coordinate, check.must

--- Appends a cell of a way to the marks.
local function add_cell(x, y, marks)
  marks[#marks + 1], marks[#marks + 2], marks[#marks + 3] = x, y, WAY
end

--- Appends the cells of a path, all that its agent covers.
local function add_path(marks, path)
  local size = bodies.size_of(path, true)
  if size then return bodies.each_cell(path, size, {}, add_cell, marks) end
  for at = 1, check.length(path) - 1, 2 do add_cell(path[at], path[at + 1], marks) end
end

-- Lines ------------------------------------------------------------------------------------------------------------

--- Clips a line from (a1, b1) to (a2, b2) to least <= a <= most. The result may have its ends exchanged; nil: nothing
--- is left.
local function clip(a1, b1, a2, b2, least, most)
  if a1 > a2 then a1, b1, a2, b2 = a2, b2, a1, b1 end
  if a2 < least or a1 > most then return nil end
  local slope = a2 > a1 and (b2 - b1) / (a2 - a1) or 0
  if a2 > most then a2, b2 = most, b1 + (most - a1) * slope end
  if a1 < least then a1, b1 = least, b1 + (least - a1) * slope end
  return a1, b1, a2, b2
end

--- Appends a mark at a position in the world.
local function add_mark(marks, view, x, y, character)
  if view.frame.corners then
    x, y = view.grid:cell_at(x, y)
    if not x then return end
  else
    x, y = frame.to_cells(view.frame, x, y)
    x, y = floor(x) + 1, floor(y) + 1
  end
  marks[#marks + 1], marks[#marks + 2], marks[#marks + 3] = x, y, character
end

--- Appends the cells of a line between two points, in units of cells: one for each column, or for each row if it is
--- steep.
local function add_line(marks, view, x1, y1, x2, y2)
  local over = view.frame.corners and 0.5 or 0 -- by how much hexes jut out of their rows and columns
  x1, y1, x2, y2 = clip(x1, y1, x2, y2, -over, view.wide + over)
  if not x1 then return end
  y1, x1, y2, x2 = clip(y1, x1, y2, x2, -over, view.high + over)
  if not y1 then return end
  local dx, dy = x2 - x1, y2 - y1
  local steps = max(1, ceil(max(abs(dx), abs(dy))))
  if not (steps <= view.wide + view.high) then return end -- the numbers were too large: NaN
  for i = 0, steps do
    local x, y = x1 + dx * i / steps, y1 + dy * i / steps
    if over > 0 then
      x, y = frame.to_world(view.frame, x, y)
      add_mark(marks, view, x, y, WAY)
    else
      add_cell(floor(x) + 1, floor(y) + 1, marks)
    end
  end
end

--- Appends the cells of lines through points, a flat list of coordinates.
local function add_points(marks, view, points, step)
  local last_x, last_y
  for i = 1, check.length(points), step do
    local x, y = frame.to_cells(view.frame, points[i], points[i + 1])
    add_line(marks, view, last_x or x, last_y or y, x, y)
    last_x, last_y = x, y
  end
end

-- Marks ------------------------------------------------------------------------------------------------------------

--- Whether a string is one character: a code point in UTF-8, or a single byte.
local function is_character(value)
  return type(value) == "string" and (#value == 1 or value:find "^[\194-\244][\128-\191]+$" ~= nil and #value <= 4)
end

--- The position of a value with fields x and y, or of a list of two numbers; nil: it is neither.
-- @param what its name in messages
local function position_of(value, what)
  if not check.has_fields(value) then return nil end
  local x, y = value.x, value.y
  if x ~= nil then
    return coordinate(x, what .. ".x"), coordinate(y, what .. ".y")
  elseif type(value) ~= "table" or value[1] == nil or type(value[1]) == "table" then
    return nil
  end
  return coordinate(value[1], what .. "[1]"), coordinate(value[2], what .. "[2]")
end

--- Appends the option marks: by character, a position or a list of positions.
local function add_marks(marks, view, value)
  must(type(value) == "table", "marks", "a table of positions by character", value)
  for character in pairs(value) do
    must(is_character(character), "each key of marks", "a string of one character", character)
  end
  for _, character in ipairs(sorted(pairs(value))) do -- so that equal options give equal text
    local what, places = ("marks['%s']"):format(character), value[character]
    local x, y = position_of(places, what)
    if x then -- a single one
      add_mark(marks, view, x, y, character)
    else
      must(type(places) == "table", what, PLACES, places)
      for i = 1, check.length(places) do
        x, y = position_of(places[i], ("%s[%d]"):format(what, i))
        must(x, ("%s[%d]"):format(what, i), "a position ({ x, y }, or something with fields x and y)", places[i])
        add_mark(marks, view, x, y, character)
      end
    end
  end
end

-- The options -------------------------------------------------------------------------------------------------------

local text = { options = { "path", "route", "points", "marks" } }

--- Appends what the options ask for to the marks: a flat list of columns, rows and characters.
-- @param view what is drawn: the fields grid, wide, high and frame of the grid
function text.add(marks, grid, view, asked)
  lines.each_path(asked.path, { [grid] = true }, "grid", function(path) add_path(marks, path) end)
  for _, what in ipairs { "route", "points" } do
    lines.each(asked[what], what, 2, function(points, step) add_points(marks, view, points, step) end)
  end
  if asked.marks ~= nil then add_marks(marks, view, asked.marks) end
end

return text
