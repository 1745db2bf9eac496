-- SPDX-License-Identifier: MIT
--- wend.svg: makes a picture of a map as an SVG document.
--
-- First the extent of everything in the world is found; then a page (page.lua) maps the world to the picture. Shapes
-- that look the same share one <path> element. So a graph of 10,000 nodes needs only a few dozen elements, and a
-- designer can select all edges of a tag at once.

local core = require "wend.core"
local check = require "wend.check"
local colours = require "wend.svg.colours"
local format = require "wend.format"
local graphs = require "wend.svg.graph"
local grids = require "wend.svg.grid"
local labels = require "wend.svg.labels"
local levels = require "wend.level"
local svg_page = require "wend.svg.page"
local text = require "wend.svg.text"

local MARGIN = svg_page.MARGIN
local OPTIONS = { "path", "route", "points", "field", "walls", "costs", "agent", "width", "labels", "legend", "title",
  "chokepoints" }
local LINES, PATHS = "a flat list of coordinates, or a list of such lists", "a path, or a list of paths"

-- Options ----------------------------------------------------------------------------------------------------------

local kind_of, must = core.type, check.must

--- The label of path or line i of `count`, for the legend: "route 2, cost 80".
local function label_of(what, i, count, cost)
  return what .. (count > 1 and " " .. i or "")
    .. (type(cost) == "number" and ", cost " .. format.number(cost, 5) or "")
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

--- Reads the option path: one path or a list of paths of the map, or of a second map. Returns a list of
--- { path =, label = }.
local function read_paths(value, map, second)
  if value == nil then return {} end
  must(type(value) == "table", "path", PATHS, value)
  local list, paths = kind_of(value) == "path" and { value } or value, {}
  for i = 1, check.length(list) do
    local path = list[i]
    if path == nil then break end
    must(kind_of(path) == "path", "path", PATHS, path)
    if path.map == nil or path.map ~= map and path.map ~= second then check.fail "path must be one of this map" end
    paths[i] = { path = path, label = label_of("path", i, check.length(list), path.cost) }
  end
  return paths
end

--- Reads the option chokepoints: what map:chokepoints returns. Returns a list of plain copies.
local function read_chokepoints(value)
  must(value == nil or type(value) == "table", "chokepoints", "a list that map:chokepoints has returned", value)
  local list = {}
  for i = 1, value and check.length(value) or 0 do
    local one = rawget(value, i)
    must(type(one) == "table", ("chokepoints[%d]"):format(i), "a chokepoint", one)
    local copy = {}
    for _, name in ipairs { "node", "from", "to", "x", "y", "to_x", "to_y", "cuts" } do
      copy[name] = rawget(one, name)
      must(copy[name] == nil or type(copy[name]) == "number", ("chokepoints[%d].%s"):format(i, name), "a number",
        copy[name])
    end
    must(copy.cuts and copy.cuts >= 1 and copy.cuts < math.huge, ("chokepoints[%d].cuts"):format(i), "a number >= 1",
      copy.cuts)
    list[i] = copy
  end
  return list
end

--- Checks all options.
-- @return the options with defaults, and the fields graph, grid or walls (which x is, or those of the level x), places
-- (the names of a level), paths and lines (as read above)
local function read_options(x, options)
  check.options(options, OPTIONS)
  local asked = { width = 800, labels = true, legend = true }
  for name, value in pairs(options or {}) do asked[name] = value end
  local kind = kind_of(x)
  must(x == nil or kind == "graph" or kind == "grid" or kind == "walls" or kind == "level", "map",
    "a graph, a grid, walls or a level", x)
  must(asked.walls == nil or kind_of(asked.walls) == "walls", "walls", "made by wend.walls", asked.walls)
  must(asked.title == nil or type(asked.title) == "string", "title", "a string", asked.title)
  must(asked.costs == nil or kind_of(asked.costs) == "costs", "costs", "a profile made by wend.costs", asked.costs)
  local width = asked.width
  must(type(width) == "number" and width >= 100 and width <= 1e5, "width", "a number in 100 .. 100000", width)
  must(type(asked.labels) == "boolean", "labels", "a boolean", asked.labels)
  must(type(asked.legend) == "boolean", "legend", "a boolean", asked.legend)
  asked.graph, asked.grid = kind == "graph" and x or nil, kind == "grid" and x or nil
  asked.walls = asked.walls or kind == "walls" and x or nil
  if kind == "level" then
    local parts = levels.read(x)
    asked.graph, asked.grid, asked.places = parts.graph, parts.grid or parts.layers[1], parts.names
    asked.walls = asked.walls or parts.walls
  end
  local map = asked.grid or asked.graph
  local dimensions = not asked.grid and asked.graph and asked.graph:dimensions() or 2
  asked.paths, asked.lines = read_paths(asked.path, map, asked.graph), {}
  asked.chokepoints = read_chokepoints(asked.chokepoints)
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

--- The positions of a level that no node of the same name covers, as nodes for labels.draw.
local function see_places(page, asked)
  local places = {}
  for _, item in ipairs(asked.places or {}) do
    local node = asked.graph and asked.graph:node(item[1])
    if not (node and asked.graph:position(node)) then
      places[#places + 1] = { id = {}, name = item[1], x = item[2], y = item[3] }
      page:see(item[2], item[3])
    end
  end
  return places
end

--- Draws a cross at each of these positions, and their names.
local function draw_places(page, places, with_labels)
  if #places == 0 then return end
  local crosses = {}
  for i, place in ipairs(places) do
    place.px, place.py = page:place(place.x, place.y)
    place.outer = 4
    crosses[i] = text.fill("M%s %sl6 6m0 -6l-6 6", place.px - 3, place.py - 3)
  end
  page:add('<path d="%s" fill="none" stroke="%s" stroke-width="1.6"/>', table.concat(crosses), colours.INK)
  if with_labels then labels.draw(page, places, {}, {}) end
end

--- The options for one of the two maps of a level: its own paths; lines, walls and the field for the first map only.
local function options_for(asked, map, is_first)
  local own = { paths = {}, lines = is_first and asked.lines or {}, walls = is_first and asked.walls or false,
    field = is_first and asked.field or false }
  for _, path in ipairs(asked.paths) do
    if path.path.map == map then own.paths[#own.paths + 1] = path end
  end
  return setmetatable(own, { __index = asked })
end

--- wend.svg(map[, opts]): makes a picture as an SVG document.
-- @param x a graph, a grid, walls, or nil
-- @param options a table or nil: see wend.SvgOptions in meta.lua
-- @return a string
-- Raises for invalid arguments, and when a function of the profile raises.
local function draw(x, options)
  local asked = read_options(x, options)
  local page, seen = svg_page.new(), {}
  local both = asked.graph and asked.grid
  seen.grid = asked.grid and grids.see(page, asked)
  seen.graph = asked.graph and graphs.see(page, asked)
  local places = see_places(page, asked)
  if asked.walls then page:see_walls(asked.walls) end
  for _, line in ipairs(asked.lines) do page:see_line(line) end
  page:fit(asked.width, MARGIN + (asked.title and 28 or 0))
  if asked.title then
    page:add('<text x="%s" y="%s" font-size="16" font-weight="bold" fill="%s">%s</text>', MARGIN, MARGIN + 2,
      colours.INK, text.escaped(asked.title))
  end
  if asked.grid then grids.draw(page, both and options_for(asked, asked.grid, true) or asked, seen.grid) end
  if asked.graph then graphs.draw(page, both and options_for(asked, asked.graph, false) or asked, seen.graph) end
  if not (asked.grid or asked.graph) then draw_lines(page, asked) end
  draw_places(page, places, asked.labels)
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
