-- SPDX-License-Identifier: MIT
--- wend.svg: makes a picture of a map as an SVG document.
--
-- First the extent of everything in the world is found; then a page (page.lua) maps the world to the picture. Shapes
-- that look the same share one <path> element. So a graph of 10,000 nodes needs only a few dozen elements, and a
-- designer can select all edges of a tag at once.

local core = require "wend.core"
local check = require "wend.check"
local colours = require "wend.svg.colours"
local graphs = require "wend.svg.graph"
local grids = require "wend.svg.grid"
local svg_page = require "wend.svg.page"
local text = require "wend.svg.text"

local MARGIN = svg_page.MARGIN
local OPTIONS = { "path", "route", "points", "field", "walls", "costs", "agent", "width", "labels", "legend", "title" }
local LINES, PATHS = "a flat list of coordinates, or a list of such lists", "a path, or a list of paths"

-- Options ----------------------------------------------------------------------------------------------------------

local kind_of = core.type

--- Raises unless `holds` is true: "WHAT must be BE, got ...".
local function must(holds, what, be, got)
  if not holds then check.fail("%s must be %s, got %s", what, be, check.describe(got)) end
end

--- The label of path or line i of `count`, for the legend: "route 2, cost 80".
local function label_of(what, i, count, cost)
  return what .. (count > 1 and " " .. i or "") .. (type(cost) == "number" and ", cost " .. text.amount(cost) or "")
end

--- Reads an option route or points. Appends each line to a list: a flat list of x and y, with a `label`.
-- @param value the value of the option: a flat list of coordinates, or a list of such lists
-- @param what the name of the option
-- @param dimensions of lines that have no field `dimensions`
local function read_lines(lines, value, what, dimensions)
  if value == nil then return end
  must(type(value) == "table", what, LINES, value)
  local list = type(value[1]) ~= "table" and { value } or value
  for number = 1, check.length(list) do
    local points = list[number]
    if points == nil then break end
    must(type(points) == "table", what, LINES, value)
    local step = points.dimensions or dimensions
    must(step == 2 or step == 3, "dimensions of " .. what, "2 or 3", step)
    local count = check.length(points)
    if count % step ~= 0 then
      check.fail("%s must hold %d numbers per item, got %d numbers", what, step, count)
    end
    local line = { label = label_of(what, number, check.length(list), points.cost) }
    for i = 1, count, step do
      for at = i, i + 1 do
        local v = points[at]
        if type(v) ~= "number" or not (math.abs(v) <= 1e150) then
          check.fail("%s[%d] must be a coordinate within 1e150, got %s", what, at, check.describe(v))
        end
        line[#line + 1] = v
      end
    end
    lines[#lines + 1] = line
  end
end

--- Reads the option path: one path or a list of paths. Returns a list of { path =, label = }.
local function read_paths(value, map)
  if value == nil then return {} end
  must(type(value) == "table", "path", PATHS, value)
  local list, paths = kind_of(value) == "path" and { value } or value, {}
  for i = 1, check.length(list) do
    local path = list[i]
    if path == nil then break end
    must(kind_of(path) == "path", "path", PATHS, path)
    if map == nil or path.map ~= map then check.fail "path must be one of this map" end
    paths[i] = { path = path, label = label_of("path", i, check.length(list), path.cost) }
  end
  return paths
end

--- Checks all options.
-- @return the options with defaults, and the fields graph, grid or walls (which x is), paths and lines (as read above)
local function read_options(x, options)
  check.options(options, OPTIONS)
  local asked = { width = 800, labels = true, legend = true }
  for name, value in pairs(options or {}) do asked[name] = value end
  local kind = kind_of(x)
  must(x == nil or kind == "graph" or kind == "grid" or kind == "walls", "x", "a graph, a grid or walls", x)
  must(asked.walls == nil or kind_of(asked.walls) == "walls", "walls", "made by wend.walls", asked.walls)
  must(asked.title == nil or type(asked.title) == "string", "title", "a string", asked.title)
  must(asked.costs == nil or kind_of(asked.costs) == "costs", "costs", "a profile made by wend.costs", asked.costs)
  local width = asked.width
  must(type(width) == "number" and width >= 100 and width <= 1e5, "width", "a number in 100 .. 100000", width)
  must(type(asked.labels) == "boolean", "labels", "a boolean", asked.labels)
  must(type(asked.legend) == "boolean", "legend", "a boolean", asked.legend)
  asked.graph, asked.grid = kind == "graph" and x or nil, kind == "grid" and x or nil
  asked.walls = asked.walls or kind == "walls" and x or nil
  local map, dimensions = asked.graph or asked.grid, asked.graph and x:dimensions() or 2
  asked.paths, asked.lines = read_paths(asked.path, map), {}
  read_lines(asked.lines, asked.route, "route", dimensions)
  read_lines(asked.lines, asked.points, "points", dimensions)
  must(asked.field == nil or map and kind_of(asked.field) == "field", "field", "a field of this map", asked.field)
  return asked
end

-- The document -----------------------------------------------------------------------------------------------------

--- Draws walls and lines without a map.
local function draw_lines(page, asked)
  if asked.walls then page:draw_walls(asked.walls) end
  local ways = {}
  page:draw_ways(ways, asked.lines, 3)
  page:draw_ends(ways, 3, 2)
end

--- wend.svg(map[, opts]): makes a picture as an SVG document.
-- @param x a graph, a grid, walls, or nil
-- @param options a table or nil: see wend.SvgOptions in meta.lua
-- @return a string
-- Raises for invalid arguments, and when a function of the profile raises.
local function draw(x, options)
  local asked = read_options(x, options)
  local page, map = svg_page.new(), asked.graph and graphs or asked.grid and grids
  local seen = map and map.see(page, asked)
  if asked.walls then page:see_walls(asked.walls) end
  for _, line in ipairs(asked.lines) do page:see_line(line) end
  page:fit(asked.width, MARGIN + (asked.title and 28 or 0))
  if asked.title then
    page:add('<text x="%s" y="%s" font-size="16" font-weight="bold" fill="%s">%s</text>', MARGIN, MARGIN + 2,
      colours.INK, text.escaped(asked.title))
  end
  local draw_map = map and map.draw or draw_lines
  draw_map(page, asked, seen)
  local height = page.top + page.height + MARGIN
  if asked.legend then height = height + page:draw_legend(asked.width, height - 10) end
  return table.concat({
    '<?xml version="1.0" encoding="UTF-8"?>',
    text.fill('<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" '
      .. 'font-family="DejaVu Sans, Verdana, sans-serif">', asked.width, height, asked.width, height),
    text.fill("<title>%s</title>", text.escaped(asked.title or "map")),
    text.fill('<rect width="100%%" height="100%%" fill="%s"/>', colours.PAPER),
    table.concat(page, "\n"),
    "</svg>\n",
  }, "\n")
end

return { draw = draw }
