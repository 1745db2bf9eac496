-- SPDX-License-Identifier: MIT
-- wend.svg: the page, and the parts that all maps share: walls, paths and lines, fields, and the legend.
--
-- First page:see() is called for everything that will be drawn, to find its extent in the world. Then page:fit()
-- computes the scale. After that, page:place() maps the world to the picture, and elements can be added. The list part
-- of a page holds the elements of the document so far.

local check = require "wend.check"
local colours = require "wend.tools.scene.colours"
local format = require "wend.format"
local text = require "wend.tools.svg.text"

local huge, max, min = math.huge, math.max, math.min
local fill = text.fill
local INK, PAPER = colours.INK, colours.PAPER

local MARGIN, FONT = 28, 11 -- the space around the map, and the size of letters, in pixels
local TALLEST = 1.5         -- the largest height of the map, in widths
local page = { MARGIN = MARGIN, FONT = FONT }
local metatable = { __index = page }

--- Makes an empty page. Its methods are the functions below.
function page.new()
  return setmetatable({ least_x = huge, least_y = huge, most_x = -huge, most_y = -huge, legend = {} }, metatable)
end

-- From the world to the picture ------------------------------------------------------------------------------------

--- Enlarges the extent to include a point of the world, and a radius around it; default 0.
function page:see(x, y, around)
  around = min(around or 0, 1e150) -- so that sums stay finite
  self.least_x, self.most_x = min(self.least_x, x - around), max(self.most_x, x + around)
  self.least_y, self.most_y = min(self.least_y, y - around), max(self.most_y, y + around)
end

--- The same for a line: a flat list of x, y.
function page:see_line(line)
  for i = 1, #line, 2 do self:see(line[i], line[i + 1]) end
end

--- Computes the scale, when the extent is known.
-- @param width, top of the picture and of the free space above the map, in pixels
function page:fit(width, top)
  if self.least_x > self.most_x then self:see(0, 0) end
  local wide, high = self.most_x - self.least_x, self.most_y - self.least_y
  self.room = width - 2 * MARGIN
  self.span = max(wide, high / TALLEST)
  if self.span == 0 then self.span = 1 end
  self.width, self.height = self:length(wide), self:length(high)
  self.left, self.top = MARGIN + (self.room - self.width) / 2, top
end

--- Converts a length of the world to pixels.
function page:length(length)
  return length / self.span * self.room
end

--- Converts a point of the world to pixels.
function page:place(x, y)
  return self.left + self:length(x - self.least_x), self.top + self:length(y - self.least_y)
end

--- The same for a line: a flat list of x, y.
local function place_line(self, line)
  local placed = {}
  for i = 1, #line, 2 do placed[i], placed[i + 1] = self:place(line[i], line[i + 1]) end
  return placed
end

--- Whether the picture has room for a text with these ends and this middle line, in pixels.
function page:has_room(left, right, y)
  return left >= 2 and right <= self.room + 2 * MARGIN - 2 and y >= self.top - MARGIN + FONT
end

-- Elements and legend ----------------------------------------------------------------------------------------------

--- Adds elements to the document. The arguments are those of text.fill.
function page:add(template, ...)
  self[#self + 1] = fill(template, ...)
end

--- Adds a line to the legend.
-- @param sample function (x, y): a string of elements. They fill 26 x 12 pixels; (x, y) is the middle of the left side
function page:explain(label, sample)
  self.legend[#self.legend + 1] = { label = label, sample = sample }
end

--- Adds a line to the legend, with a stroke before it, which has these attributes.
function page:explain_stroke(label, attributes, ...)
  attributes = fill(attributes, ...)
  self:explain(label, function(x, y) return fill('<path d="M%s %sh26" fill="none" %s/>', x, y, attributes) end)
end

--- Adds a line to the legend, with `count` boxes side by side before it.
-- @param look function (i), i from 0 to count - 1: the attributes of a box
function page:explain_boxes(label, count, look)
  self:explain(label, function(x, y)
    local boxes, wide = {}, 26 / count
    for i = 0, count - 1 do
      boxes[#boxes + 1] = fill('<rect x="%s" y="%s" width="%s" height="12" %s/>', x + i * wide, y - 6, wide, look(i))
    end
    return table.concat(boxes)
  end)
end

--- Draws the legend.
-- @param width, top of the picture and its upper border, in pixels
-- @return its height in pixels
function page:draw_legend(width, top)
  local x, y = MARGIN, top + 14
  for i, entry in ipairs(self.legend) do
    local wide = 26 + 7 + text.width(entry.label, FONT) + 18
    if i > 1 and x + wide - 18 > width - MARGIN then x, y = MARGIN, y + 20 end
    self[#self + 1] = entry.sample(x, y)
    self:add('<text x="%s" y="%s" font-size="%s" fill="%s">%s</text>', x + 33, y + FONT * 0.36, FONT, INK,
      text.escaped(entry.label))
    x = x + wide
  end
  return #self.legend > 0 and y + 20 - top or 0
end

-- Shapes: data of a <path> -----------------------------------------------------------------------------------------

--- An arrow.
-- @param x, y its centre
-- @param dx, dy its direction, of length 1
-- @param size half its length
function page.arrow(x, y, dx, dy, size)
  local back_x, back_y, side_x, side_y = x - dx * size, y - dy * size, dy * size * 0.8, dx * size * 0.8
  return fill("M%s %sL%s %sL%s %sz", x + dx * size, y + dy * size, back_x - side_x, back_y + side_y,
    back_x + side_x, back_y - side_y)
end

--- A line through points on the picture, a flat list of x, y.
local function polyline(placed)
  local parts = {}
  for i = 1, #placed, 2 do
    parts[#parts + 1] = fill(i == 1 and "M%s %s" or "L%s %s", placed[i], placed[i + 1])
  end
  return table.concat(parts)
end

-- Walls ------------------------------------------------------------------------------------------------------------

--- Enlarges the extent to include walls.
function page:see_walls(walls)
  for kind, numbers in walls:each() do
    if kind == "circle" then self:see(numbers[1], numbers[2], numbers[3]) else self:see_line(numbers) end
  end
end

function page:draw_walls(walls)
  local segments = {}
  self:add('<g stroke="%s" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" fill="%s">', INK,
    colours.SOLID)
  for kind, numbers in walls:each() do
    if kind == "segment" then
      segments[#segments + 1] = polyline(place_line(self, numbers))
    elseif kind == "polygon" then
      self:add('<path fill-rule="evenodd" d="%sz"/>', polyline(place_line(self, numbers)))
    elseif kind == "circle" then
      local x, y = self:place(numbers[1], numbers[2])
      self:add('<circle cx="%s" cy="%s" r="%s"/>', x, y, self:length(numbers[3]))
    end
  end
  if #segments > 0 then self:add('<path d="%s"/>', table.concat(segments)) end
  self:add "</g>"
  if walls:count() > 0 then
    self:explain_stroke("wall", 'stroke="%s" stroke-width="4" stroke-linecap="round"', INK)
  end
end

-- Ways: paths and lines --------------------------------------------------------------------------------------------

--- Makes a way along straight lines.
-- @param label its text in the legend
-- @param placed its points in pixels: a flat list of x, y
-- @return { label =, d = its shape (nil: it has no points), x1 =, y1 =, x2 =, y2 = its ends; to scale: body = what its
-- agent covers, a template of an element with a %s for its colour; nil: the agent has no size }
function page.way(label, placed)
  local n = #placed
  return { label = label, d = n > 0 and polyline(placed) or nil,
    x1 = placed[1], y1 = placed[2], x2 = placed[n - 1], y2 = placed[n] }
end

--- Draws ways. Earlier ones are wider, so they stay visible where several ways share a stretch.
-- @param ways a list of results of page.way; each gets its `colour`
-- @param lines more ways, which are added to the list: each a flat list of x, y in the world, with a `label`
-- @param width of the last way in pixels
function page:draw_ways(ways, lines, width)
  for _, line in ipairs(lines) do ways[#ways + 1] = page.way(line.label, place_line(self, line)) end
  local function wide(i) return width + min(#ways - i, 5) * max(1.2, width * 0.6) end
  for i, way in ipairs(ways) do
    way.colour = colours.of_way(i)
    if way.body then self:add(way.body, way.colour) end
  end
  self:add '<g fill="none" stroke-linejoin="round" stroke-linecap="round">'
  for i, way in ipairs(ways) do
    if way.d then
      self:add('<path d="%s" stroke="%s" stroke-opacity="0.85" stroke-width="%s"/>', way.d, PAPER,
        wide(i) + max(1.5, width * 0.7))
    end
  end
  for i, way in ipairs(ways) do
    if way.d then
      self:add('<path d="%s" stroke="%s" stroke-width="%s"><title>%s</title></path>', way.d, way.colour, wide(i),
        text.escaped(way.label))
    end
    if i <= 12 then self:explain_stroke(way.label, 'stroke="%s" stroke-width="4"', way.colour) end
  end
  self:add "</g>"
end

--- Draws the ends of ways: a ring where a way begins, and a disc where it ends.
-- @param ways the drawn ways
-- @param width as for draw_ways
-- @param inner the radius of the shape inside
function page:draw_ends(ways, width, inner)
  width = min(width, 4)
  local circle = '<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>'
  for _, way in ipairs(ways) do
    if way.d then
      self:add(circle, way.x1, way.y1, inner + width * 0.8, PAPER, way.colour, width * 0.7)
      self:add(circle, way.x2, way.y2, inner + width * 0.9, way.colour, PAPER, width * 0.5)
    end
  end
end

-- Walkers ----------------------------------------------------------------------------------------------------------

local WALKER = colours.of_way(2)

--- Enlarges the extent to include a walker.
function page:see_walker(walker)
  self:see(walker.x, walker.y, max(walker.rx, walker.ry))
  if walker.corners then self:see_line(walker.corners) end
end

--- Draws walkers to scale: a disc, or the square that it covers, and a line in its direction.
-- @param walkers a list, as init.lua has read it
function page:draw_walkers(walkers)
  if #walkers == 0 then return end
  local look = fill('fill="%s" fill-opacity="0.3" stroke="%s" stroke-width="1.5"', WALKER, WALKER)
  self:add("<g %s>", look)
  for _, walker in ipairs(walkers) do
    local x, y = self:place(walker.x, walker.y)
    local rx, ry = self:length(walker.rx), self:length(walker.ry)
    if walker.corners then
      self:add('<path d="%sz"/>', polyline(place_line(self, walker.corners)))
    elseif rx > 0 then
      self:add('<ellipse cx="%s" cy="%s" rx="%s" ry="%s"/>', x, y, rx, ry)
    else
      self:add('<circle cx="%s" cy="%s" r="3"/>', x, y)
    end
    if walker.heading then
      local long = max(min(rx, ry), 6)
      self:add('<path d="M%s %sl%s %s"/>', x, y, math.cos(walker.heading) * long, math.sin(walker.heading) * long)
    end
  end
  self:add "</g>"
  self:explain("walker", function(x, y) return fill('<circle cx="%s" cy="%s" r="5" %s/>', x + 13, y, look) end)
end

-- Chokepoints ------------------------------------------------------------------------------------------------------

local CHOKE = "#c2185b"

--- Draws chokepoints: a ring around a node or cell, a band along an edge or link. The more it cuts off, the larger.
-- @param list what map:chokepoints has returned
-- @param ends_of function (chokepoint): x1, y1 in pixels; of an edge or link also x2, y2; nil: it is not in the picture
-- @param size the radius of the smallest ring
function page:draw_chokepoints(list, ends_of, size)
  local any = false
  for _, one in ipairs(list) do
    local x1, y1, x2, y2 = ends_of(one)
    local scale = 1 + math.log(one.cuts) / 6
    local title = fill("<title>cuts off %s</title>", format.number(one.cuts, 5))
    any = any or x1 ~= nil
    if x1 and x2 then
      self:add('<path d="M%s %sL%s %s" stroke="%s" stroke-opacity="0.45" stroke-width="%s">%s</path>', x1, y1, x2, y2,
        CHOKE, size * 0.6 * scale, title)
    elseif x1 then
      self:add('<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s">%s</circle>', x1, y1,
        size * scale, CHOKE, max(1, size * 0.25), title)
    end
  end
  if any then
    self:explain("chokepoint", function(x, y)
      return fill('<circle cx="%s" cy="%s" r="5" fill="none" stroke="%s" stroke-width="2"/>', x + 13, y, CHOKE)
    end)
  end
end

-- Fields -----------------------------------------------------------------------------------------------------------

--- Reads a field.
-- @param field a wend.Field; nil gives an empty result
-- @param key_of function (x, y, cost) or (node, cost): the key of this place; nil: the map has no such place
-- @return { costs = by key, levels = levels for colours.heat, by key, least =, most = the range of costs }
-- Raises if the field belongs to another map.
function page.read_field(field, key_of)
  local costs, levels, least, most = {}, {}, huge, -huge
  if field then
    for a, b, c in field:each() do
      local key, cost = key_of(a, b, c), c or b
      if not key then check.fail "field must be one of this map" end
      costs[key] = cost
      least, most = min(least, cost), max(most, cost)
    end
  end
  for key, cost in pairs(costs) do levels[key] = colours.level(cost, least, most) end
  return { costs = costs, levels = levels, least = least, most = most }
end

--- Adds a field to the legend: the result of page.read_field.
-- @param name "field" or "search"
function page:explain_field(read, name)
  if read.least <= read.most then
    local least, most = format.number(read.least, 5), format.number(read.most, 5)
    local label = read.least == read.most and name .. ": " .. least or ("%s: %s to %s"):format(name, least, most)
    self:explain_boxes(label, 13, function(i) return fill('fill="%s"', colours.heat(colours.level(i, 0, 12))) end)
  end
end

return page
