-- SPDX-License-Identifier: MIT
--- grid:text: draws a grid as text. The core draws the cells (core.draw). The tools add what is drawn over them.

local core = require "wend.core"
local check = require "wend.check"
local frame = require "wend.frame"
local lazy = require "wend.lazy"

local must = check.must
local marks_of = lazy.modules.marks and lazy.modules.marks()

local OPTIONS = {}
for i, name in ipairs(marks_of and marks_of.options or {}) do OPTIONS[i] = name end
OPTIONS[#OPTIONS + 1] = "area"

--- Reads the option area: two opposite corners.
-- @return x1, y1, x2, y2
local function read_area(value, view)
  must(type(value) == "table", "area", "a list { x1, y1, x2, y2 }", value)
  local corners = { value[1], value[2], value[3], value[4] }
  for i = 1, 4 do
    local most = i % 2 == 1 and view.wide or view.high
    must(check.is_whole(corners[i], 1, most), ("area[%d]"):format(i), ("a whole number in 1 .. %d"):format(most),
      corners[i])
  end
  return corners[1], corners[2], corners[3], corners[4]
end

local text = {}

--- grid:text([opts]): draws the grid as text.
-- @param grid the grid
-- @param options a table or nil: see wend.TextOptions in meta.lua
-- @return a string: rows, joined by line breaks
function text.text(grid, options)
  check.self(grid, "grid", "a grid", "grid")
  -- It raises if the grid was freed.
  local view = { grid = grid, frame = frame.of(grid), wide = grid:width(), high = grid:height() }
  check.options(options, OPTIONS)
  local asked = options or {}
  local marks, area = {}, asked.area
  if marks_of then marks_of.add(marks, grid, view, asked) end
  if area == nil then
    return core.draw(grid, 1, 1, view.wide, view.high, marks)
  end
  local x1, y1, x2, y2 = read_area(area, view)
  return core.draw(grid, x1, y1, x2, y2, marks)
end

return text
