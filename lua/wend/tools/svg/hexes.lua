-- SPDX-License-Identifier: MIT
-- wend.svg: the shapes of grids of hexes, in units of cells: see grid.lua.

local format = require "wend.format"
local frames = require "wend.frame"
local sorted = require "wend.sorted"

local hexes = {}

--- A place or a way as text. It has enough digits for a picture in which cells are large.
local function pair(u, v) return format.decimals(u, 5) .. " " .. format.decimals(v, 5) end

--- Puts equal cells together.
-- @param look_of function (number of a cell): its look, such as a colour; nil: it is not drawn
-- @param draw function (look, shape, i), called for each look, in sorted order
function hexes.draw_merged(frame, wide, high, look_of, draw)
  local parts, outline, c = {}, "", frame.corners
  for i = 3, 11, 2 do outline = outline .. "l" .. pair(c[i] - c[i - 2], c[i + 1] - c[i - 1]) end
  for y = 1, high do
    for x = 1, wide do
      local look = look_of((y - 1) * wide + x)
      if look ~= nil then
        local u, v = frames.middle(frame, x, y)
        parts[look] = parts[look] or {}
        table.insert(parts[look], "M" .. pair(u + c[1], v + c[2]) .. outline .. "z")
      end
    end
  end
  for i, look in ipairs(sorted(pairs(parts))) do draw(look, table.concat(parts[look]), i) end
end

--- The shape of the walls between open hexes, and that of directed walls: a thin line, and a tooth on the side to which
--- steps lead.
-- @param is_open function (x, y)
function hexes.wall_shape(frame, grid, is_open)
  local parts, directed = {}, {}
  for x1, y1, x2, y2, one_way in grid:walls() do
    if is_open(x1, y1) and is_open(x2, y2) then
      local u1, v1, u2, v2 = frames.side_between(frame, x1, y1, x2, y2)
      local line = "M" .. pair(u1, v1) .. "L" .. pair(u2, v2)
      if one_way then
        local u, v = frames.middle(frame, x1, y1)
        local from_u, from_v = frames.middle(frame, x2, y2)
        line = line .. "M" .. pair((u1 + u2) / 2, (v1 + v2) / 2) .. "l" .. pair((u - from_u) / 4, (v - from_v) / 4)
      end
      table.insert(one_way and directed or parts, line)
    end
  end
  return table.concat(parts), table.concat(directed)
end

--- The lines between hexes.
function hexes.lattice(frame, wide, high)
  local lines = {}
  for y = 1, high do
    for x = 1, wide do
      for side = 2, 4 do
        local x2, y2, u1, v1, u2, v2 = frames.side(frame, x, y, side)
        if x2 >= 1 and x2 <= wide and y2 >= 1 and y2 <= high then
          lines[#lines + 1] = "M" .. pair(u1, v1) .. "L" .. pair(u2, v2)
        end
      end
    end
  end
  return table.concat(lines)
end

return hexes
