-- SPDX-License-Identifier: MIT
--- wend.svg: makes a picture of a map as an SVG document.
--
-- First the extent of everything in the world is found; then a page (page.lua) maps the world to the picture. Shapes
-- that look the same share one <path> element. So a graph of 10,000 nodes needs only a few dozen elements, and a
-- designer can select all edges of a tag at once.

local core = require "wend.core"
local check = require "wend.check"
local bodies = require "wend.tools.scene.bodies"
local colours = require "wend.tools.scene.colours"
local format = require "wend.format"
local frames = require "wend.frame"
local graphs = require "wend.tools.svg.graph"
local grids = require "wend.tools.svg.grid"
local labels = require "wend.tools.svg.labels"
local levels = require "wend.level"
local read = require "wend.tools.scene.lines"
local read_visits = require "wend.tools.scene.visits"
local svg_page = require "wend.tools.svg.page"
local text = require "wend.tools.svg.text"

local MARGIN = svg_page.MARGIN
local OPTIONS = {
  "path", "route", "points", "field", "search", "walls", "costs", "agent", "width", "labels", "legend", "title",
  "chokepoints", "walkers",
  kinds = {
    walls = check.WALLS, costs = check.COSTS, width = check.within(100, 1e5), labels = check.BOOLEAN,
    legend = check.BOOLEAN, title = check.STRING,
  },
}

-- Options ----------------------------------------------------------------------------------------------------------

local kind_of, must = core.type, check.must

--- The label of path or line i of `count`, for the legend: "route 2, cost 80", "path, size 3, cost 12".
local function label_of(what, i, count, cost, size)
  return what .. (count > 1 and " " .. i or "") .. (size and ", size " .. format.number(size, 5) or "")
    .. (type(cost) == "number" and ", cost " .. format.number(cost, 5) or "")
end

--- Reads an option route or points. Appends each line to a list: a flat list of x and y, with a `label`.
-- @param what the name of the option
-- @param dimensions of lines that have no field `dimensions`
local function read_lines(lines, value, what, dimensions)
  read.each(value, what, dimensions, function(points, step, number, count)
    local line = { label = label_of(what, number, count, points.cost) }
    for i = 1, check.length(points), step do line[#line + 1], line[#line + 2] = points[i], points[i + 1] end
    lines[#lines + 1] = line
  end)
end

--- Reads the option chokepoints: what map:chokepoints returns. Returns a list of plain copies.
local function read_chokepoints(value)
  must(value == nil or type(value) == "table", "chokepoints", "a list that map:chokepoints has returned", value)
  local list = {}
  for i = 1, value and check.length(value) or 0 do
    local one, copy, what = rawget(value, i), {}, ("chokepoints[%d]"):format(i)
    must(type(one) == "table", what, "a chokepoint", one)
    for _, name in ipairs { "node", "from", "to", "x", "y", "to_x", "to_y", "cuts" } do
      copy[name] = rawget(one, name)
      must(copy[name] == nil or type(copy[name]) == "number", what .. "." .. name, "a number", copy[name])
    end
    must(copy.cuts and copy.cuts >= 1 and copy.cuts < math.huge, what .. ".cuts", "a number >= 1", copy.cuts)
    list[i] = copy
  end
  return list
end

--- Reads the option walkers. Returns a list of { x, y; heading, or nil; corners of the square that it covers, or nil;
--- rx, ry: its radii in the world, 0: unknown }.
local function read_walkers(value, frame)
  local list = {}
  if value ~= nil then
    bodies.each_walker(value, frame, function(_, x, y, heading, size, rx, ry)
      list[#list + 1] = { x = x, y = y, heading = heading, rx = rx, ry = ry,
        corners = size and { bodies.corners(frame, x, y, size) } }
    end)
  end
  return list
end

--- Checks all options.
-- @return the options with defaults, and the fields graph, grid or walls (which x is, or those of the level x), places
-- (the names of a level), paths and lines (as read above)
local function read_options(x, options)
  check.options(options, OPTIONS)
  local asked = { width = 800, labels = true, legend = true, paths = {}, lines = {} }
  for name, value in pairs(options or {}) do asked[name] = value end
  local kind = kind_of(x)
  must(x == nil or kind == "graph" or kind == "grid" or kind == "walls" or kind == "level", "map",
    "a graph, a grid, walls or a level", x)
  asked.graph, asked.grid = kind == "graph" and x or nil, kind == "grid" and x or nil
  asked.walls = asked.walls or kind == "walls" and x or nil
  if kind == "level" then
    local parts = levels.read(x)
    asked.graph, asked.grid, asked.places = parts.graph, parts.grid or parts.layers[1], parts.names
    asked.walls = asked.walls or parts.walls
  end
  local grid, graph = asked.grid, asked.graph
  local dimensions = not grid and graph and graph:dimensions() or 2
  read.each_path(asked.path, { [grid or graph or false] = true, [graph or false] = true }, "map",
    function(path, i, count)
      local size = bodies.size_of(path, kind_of(path.map) == "grid")
      asked.paths[i] = { path = path, size = size, label = label_of("path", i, count, path.cost, size) }
    end)
  asked.chokepoints = read_chokepoints(asked.chokepoints)
  read_lines(asked.lines, asked.route, "route", dimensions)
  read_lines(asked.lines, asked.points, "points", dimensions)
  local field = asked.field
  must(field == nil or (grid or graph) and kind_of(field) == "field", "field", "a field of this map", field)
  if asked.search ~= nil then
    must(field == nil, "field", "nil: the picture has the option search", field)
    must(grid or graph, "search", "nil: there is no map", asked.search)
    asked.field = read_visits(asked.search, grid and "grid" or "graph")
  end
  asked.walkers = read_walkers(asked.walkers, grid and frames.of(grid))
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

--- The options for a map: its own paths; lines, walls and the field for the first map only.
local function options_for(asked, map)
  local is_first = map == (asked.grid or asked.graph)
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
  local page, grid, graph = svg_page.new(), asked.grid, asked.graph
  local frame, nodes = grid and grids.see(page, asked), graph and graphs.see(page, asked)
  local places = see_places(page, asked)
  if asked.walls then page:see_walls(asked.walls) end
  for _, line in ipairs(asked.lines) do page:see_line(line) end
  for _, walker in ipairs(asked.walkers) do page:see_walker(walker) end
  page:fit(asked.width, MARGIN + (asked.title and 28 or 0))
  if asked.title then
    page:add('<text x="%s" y="%s" font-size="16" font-weight="bold" fill="%s">%s</text>', MARGIN, MARGIN + 2,
      colours.INK, text.escaped(asked.title))
  end
  if grid then grids.draw(page, options_for(asked, grid), frame) end
  if graph then graphs.draw(page, options_for(asked, graph), nodes) end
  if not (grid or graph) then draw_lines(page, asked) end
  page:draw_walkers(asked.walkers)
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
