-- SPDX-License-Identifier: MIT
-- wend.svg: draws the names of nodes, each on the side where it covers least. A name that would cover another name is
-- left out.

local colours = require "wend.tools.scene.colours"
local format = require "wend.format"
local svg_page = require "wend.tools.svg.page"
local text = require "wend.tools.svg.text"

local floor = math.floor

local FONT = svg_page.FONT
local CROWD = 32 -- pixels: boxes are stored in squares of this size, to find near ones
local NODE, EDGE, LABEL = 6, 1, 100 -- the penalty for a label that covers a node, a piece of an edge, another label
local OUTSIDE = 50 -- the penalty for a label outside the picture
local SIDES = { { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 0.8, -0.8 }, { 0.8, 0.8 }, { -0.8, -0.8 }, { -0.8, 0.8 } }

--- Calls fn with the key of each square that a box touches.
local function each_square(x1, y1, x2, y2, fn)
  for column = floor(x1 / CROWD), floor(x2 / CROWD) do
    for row = floor(y1 / CROWD), floor(y2 / CROWD) do fn(column * 65536 + row) end
  end
end

--- Adds a box that labels avoid. weight: the penalty.
local function block(crowd, x1, y1, x2, y2, weight)
  local box = { x1, y1, x2, y2, weight }
  each_square(x1, y1, x2, y2, function(key)
    crowd[key] = crowd[key] or {}
    table.insert(crowd[key], box)
  end)
end

--- The sum of the weights of all boxes that a box overlaps.
local function blocked(crowd, x1, y1, x2, y2)
  local sum, seen = 0, {}
  each_square(x1, y1, x2, y2, function(key)
    for _, box in ipairs(crowd[key] or {}) do
      if not seen[box] and box[1] < x2 and box[3] > x1 and box[2] < y2 and box[4] > y1 then
        seen[box] = true
        sum = sum + box[5]
      end
    end
  end)
  return sum
end

local function block_edges(crowd, groups)
  for _, group in ipairs(groups) do
    local a, b = group.a, group.b
    local dx, dy = b.px - a.px, b.py - a.py
    local steps = floor(math.sqrt(dx * dx + dy * dy) / 6)
    for i = 1, steps - 1 do
      local x, y = a.px + dx * i / steps, a.py + dy * i / steps
      block(crowd, x - 1, y - 1, x + 1, y + 1, EDGE)
    end
  end
end

--- Draws a label on the side with the smallest penalty, unless it would cover another label there.
local function draw_label(page, crowd, node)
  local wide, gap = text.width(node.label, FONT), node.outer + 4
  local best, best_x, best_y, best_side = math.huge, 0, 0, 0
  for _, side in ipairs(SIDES) do
    local x = node.px + side[1] * gap + (side[1] > 0 and 0 or side[1] < 0 and -wide or -wide / 2)
    local y = node.py + side[2] * (gap + FONT * 0.45)
    local score = blocked(crowd, x - 1, y - FONT * 0.55, x + wide + 1, y + FONT * 0.55)
    if not page:has_room(x, x + wide, y) then score = score + OUTSIDE end
    if score < best then best, best_x, best_y, best_side = score, x, y, side[1] end
  end
  if best < LABEL then
    block(crowd, best_x - 2, best_y - FONT * 0.6, best_x + wide + 2, best_y + FONT * 0.6, LABEL)
    -- Widths are estimates. The text is anchored at the end that is near the node, so that this end is exact.
    local anchor = best_side < 0 and ' text-anchor="end"' or best_side == 0 and ' text-anchor="middle"' or ""
    local shift = best_side < 0 and wide or best_side == 0 and wide / 2 or 0
    page:add('<text x="%s" y="%s"%s>%s</text>', best_x + shift, best_y + FONT * 0.36, anchor, text.escaped(node.label))
  end
end

--- Draws the names of nodes. With a field, it also draws the costs of nodes that have names; of all nodes if there are
--- few.
-- @param page the page, already fitted
-- @param nodes a list of { id =, name = or nil, px =, py = the centre in pixels, outer = the radius in pixels }
-- @param groups of edges: a list of { a =, b = nodes }; labels avoid the lines between them
-- @param costs of the field, by id
local function draw(page, nodes, groups, costs)
  local labelled, crowd = {}, {}
  for _, node in ipairs(nodes) do
    local name, cost, r = node.name, costs[node.id], node.outer
    cost = cost and (name or #nodes <= 200) and format.number(cost, 4)
    node.label = name and cost and name .. " " .. cost or name or cost
    if node.label then labelled[#labelled + 1] = node end
    block(crowd, node.px - r, node.py - r, node.px + r, node.py + r, NODE)
  end
  if #labelled == 0 then return end
  if #nodes <= 2000 then block_edges(crowd, groups) end
  page:add('<g font-size="%s" fill="%s" stroke="%s" stroke-width="3" stroke-linejoin="round" paint-order="stroke">',
    FONT, colours.INK, colours.PAPER)
  for _, node in ipairs(labelled) do draw_label(page, crowd, node) end
  page:add "</g>"
end

return { draw = draw }
