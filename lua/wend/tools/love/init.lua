-- SPDX-License-Identifier: MIT
--- wend.love: draws maps, fields, paths, routes, followers, walkers and walls in LÖVE 11, for debugging.
--
-- Everything is drawn in units of the world, under the transformation of the game. Only what is visible is drawn. Each
-- function restores the state of love.graphics, also when it raises. It changes nothing else, and keeps no object.

local core = require "wend.core"
local check = require "wend.check"
local colours = require "wend.tools.scene.colours"
local graphs = require "wend.tools.love.graph"
local grids = require "wend.tools.love.grid"
local kinds = require "wend.tools.love.kinds"
local lines = require "wend.tools.scene.lines"
local marks = require "wend.tools.love.marks"
local view = require "wend.tools.love.view"
local read_visits = require "wend.tools.scene.visits"

local love = rawget(_G, "love")
if type(love) ~= "table" or type(love.graphics) ~= "table" then
  error("wend.love needs love.graphics: use it in a game that LÖVE runs, with the module graphics", 2)
end
local graphics = love.graphics

local is_within, must, type_of = check.is_within, check.must, core.type

local DRAWERS = { grid = grids, graph = graphs }
local NOTHING, CORNER = {}, { 8, 8 } -- CORNER: where legends are
local WALL = { colour = colours.rgb(colours.SOLID), alpha = 1, width = 2 } -- the pen for walls of levels: see marks

local draw = {}

-- Options ----------------------------------------------------------------------------------------------------------

-- Those whose values are of a simple kind. The others are checked where they are read.
local KINDS = {
  alpha = check.within(0, 1), labels = check.BOOLEAN, arrows = check.BOOLEAN, line = check.BOOLEAN, costs = check.COSTS,
  width = check.within(0.1, 100), dimensions = check.DIMENSIONS, map = check.of("grid", "a grid"),
  reach = { be = "a number >= 0", holds = function(value) return is_within(value, 0, 1e150) end },
  limit = { be = "a whole number in 1 .. 1000000", holds = function(value) return check.is_whole(value, 1, 1e6) end },
}

local MAP = { "view", "alpha", "limit", "costs", "agent", "colours", "labels", "legend", "reach", "z", kinds = KINDS }
local COSTS = { "view", "alpha", "limit", "agent", "colours", "labels", "legend", "reach", "z", kinds = KINDS }
local FIELD = { "view", "alpha", "limit", "arrows", "range", "reach", "z", kinds = KINDS }
local SEARCH = { "view", "alpha", "limit", "range", "reach", "z", kinds = KINDS }
local LINE = { "view", "colour", "width", kinds = KINDS }
local ROUTE = { "view", "colour", "width", "dimensions", kinds = KINDS }
local FOLLOWER = { "view", "colour", "width", "line", kinds = KINDS }
local WALKERS = { "view", "colour", "width", "map", kinds = KINDS }

--- Reads a colour: "#rrggbb", or a list of 3 numbers from 0 to 1, or 4 with an alpha.
-- @return a list of 3 or 4 numbers
local function read_colour(value, what)
  local be = "'#rrggbb' or a list of 3 or 4 numbers in 0 .. 1"
  if type(value) == "string" then
    must(value:find "^#%x%x%x%x%x%x$", what, be, value)
    return colours.rgb(value)
  end
  must(type(value) == "table", what, be, value)
  local colour = { value[1] or false, value[2] or false, value[3] or false, value[4] }
  for _, part in ipairs(colour) do must(is_within(part, 0, 1), what, be, part) end
  return colour
end

--- Checks an option that is a list of numbers: { low, high }, { x, y }, { x, y, width, height }.
-- @param most the largest number; default 1e150
local function must_hold(list, count, what, be, most)
  must(type(list) == "table", what, be, list)
  most = most or 1e150
  for i = 1, count do must(is_within(list[i], -most, most), what, be, list[i]) end
end

--- Reads a range, a list of two numbers. Returns both; nil: it was not given.
-- @param low, high what messages call them
local function read_range(list, what, low, high, most)
  if list == nil then return end
  local be = ("{ %s, %s }"):format(low, high)
  must_hold(list, 2, what, be, most)
  must(list[1] <= list[2], what, ("%s with %s <= %s"):format(be, low, high), list[1])
  return list[1], list[2]
end

local function read_view(given)
  if given == nil then return end
  local be = "{ x, y, width, height }"
  must_hold(given, 4, "view", be)
  must(given[3] > 0, "width of view", "> 0", given[3])
  must(given[4] > 0, "height of view", "> 0", given[4])
end

--- Reads the options of maps and fields.
-- @return a new table with defaults
local function read_options(given, list)
  check.options(given, list)
  given = given or NOTHING
  read_view(given.view)
  local asked = { alpha = 0.6, labels = true, arrows = true }
  for name, value in pairs(given) do asked[name] = value end
  asked.low, asked.high = read_range(given.z, "z", "low", "high", math.huge)
  asked.least, asked.most = read_range(given.range, "range", "least", "most", 1e150)
  if given.colours ~= nil then
    must(type(given.colours) == "table", "colours", "a table of colours by tag", given.colours)
    asked.colours = {}
    for tag, colour in pairs(given.colours) do
      must(type(tag) == "string", "a key of colours", "a tag", tag)
      asked.colours[tag] = read_colour(colour, "a colour of colours")
    end
  end
  local legend = given.legend
  if type(legend) == "table" then
    must_hold(legend, 2, "legend", "a boolean or { x, y }")
  else
    must(legend == nil or type(legend) == "boolean", "legend", "a boolean or { x, y }", legend)
    asked.legend = legend and CORNER
  end
  return asked
end

local function must_be_map(map)
  return type_of(check.kind(map, check.MAP, "map"))
end

-- Drawing ----------------------------------------------------------------------------------------------------------

--- Calls draw_it(graphics, seen, ...) between push and pop.
-- @param given the option view
local function run(given, draw_it, ...)
  local seen = view.new(graphics, given)
  if not seen then return end
  graphics.push "all"
  graphics.setShader()
  graphics.setBlendMode "alpha"
  graphics.setLineStyle "rough" -- smooth lines take three times as long
  local ok, problem = pcall(draw_it, graphics, seen, ...)
  graphics.pop()
  if not ok then error(problem, 0) end
end

local function draw_map_now(_, seen, map, asked)
  local looks = kinds.looks(map, asked)
  DRAWERS[type_of(map)].draw(graphics, seen, map, asked, looks)
  if asked.legend then kinds.legend(graphics, looks, asked.legend) end
end

--- draw.map(map[, opts]): draws a graph or a grid.
-- @param options a table or nil: see wend.LoveMapOptions in meta.lua, also for the other functions
function draw.map(map, options)
  must_be_map(map)
  local asked = read_options(options, MAP)
  run(asked.view, draw_map_now, map, asked)
end

--- draw.costs(map, costs[, opts]): draws a map as an agent sees it, with a legend of what each tag costs.
function draw.costs(map, costs, options)
  must_be_map(map)
  check.object(costs, "costs", "costs")
  local asked = read_options(options, COSTS)
  asked.costs = costs
  if asked.legend == nil then asked.legend = CORNER end
  run(asked.view, draw_map_now, map, asked)
end

--- Whether a field is one of a grid: its places have two numbers.
local function is_of_grid(field)
  return not pcall(field.cost, field, 1) and pcall(field.cost, field, 1, 1)
end

--- draw.field(map, field[, opts]): draws a field: costs as colours, and arrows along its steps.
function draw.field(map, field, options)
  local kind = must_be_map(map)
  must(type_of(field) == "field" and is_of_grid(field) == (kind == "grid"), "field", "a field of this map", field)
  local asked = read_options(options, FIELD)
  run(asked.view, DRAWERS[kind].draw_field, map, field, asked)
end

--- draw.search(map, search[, opts]): draws what a search has looked at, by its costs.
function draw.search(map, search, options)
  local kind = must_be_map(map)
  local asked = read_options(options, SEARCH)
  asked.arrows = false
  run(asked.view, DRAWERS[kind].draw_field, map, read_visits(search, kind), asked)
end

--- Reads the options of lines.
-- @param colour, width their defaults
-- @return the options; the pen: see marks
local function read_line(given, list, colour, width)
  check.options(given, list)
  given = given or NOTHING
  read_view(given.view)
  if given.colour ~= nil then colour = given.colour end
  colour = read_colour(colour, "colour")
  return given, { colour = colour, alpha = colour[4] or 1, width = given.width or width }
end

--- draw.path(path[, opts]): draws a path, from a ring to a disc.
function draw.path(path, options)
  check.object(path, "path", "path")
  local given, pen = read_line(options, LINE, colours.of_way(1), 3)
  run(given.view, marks.path, path, pen)
end

--- draw.route(points[, opts]): draws a line: a route, a curve, or any flat list of coordinates.
function draw.route(points, options)
  must(type(points) == "table" and type_of(points) == nil, "points", "a flat list of coordinates", points)
  local given, pen = read_line(options, ROUTE, colours.of_way(3), 2)
  local step = given.dimensions or points.dimensions or 2
  must(step == 2 or step == 3, "dimensions", "2 or 3", step)
  lines.check(points, "points", step)
  run(given.view, marks.route, points, pen, step)
end

--- draw.follower(f[, opts]): draws a follower: where it is, its heading, and the points of its legs.
function draw.follower(f, options)
  check.must(core.type(f) == "follower", "follower", "made by wend.follow", f)
  local given, pen = read_line(options, FOLLOWER, colours.of_way(2), 1.5)
  run(given.view, marks.follower, f, pen, given.line)
end

--- draw.walkers(walkers[, opts]): draws the walkers of a crowd, or whatever has x and y, to scale.
function draw.walkers(walkers, options)
  local given, pen = read_line(options, WALKERS, colours.of_way(2), 1.5)
  run(given.view, marks.walkers, walkers, pen, given.map)
end

--- draw.walls(walls[, opts]): draws walls.
function draw.walls(walls, options)
  check.object(walls, "walls", "walls")
  local given, pen = read_line(options, LINE, colours.SOLID, WALL.width)
  run(given.view, marks.walls, walls, pen)
end

local function draw_level_now(_, seen, level, asked)
  local grid, graph, walls = level.grid, level.graph, level.walls
  local looks = kinds.looks(grid or graph, asked)
  if grid then grids.draw(graphics, seen, grid, asked, looks) end
  if walls then marks.walls(graphics, seen, walls, WALL) end
  if graph then graphs.draw(graphics, seen, graph, asked, looks) end
  if asked.labels and level.names then marks.names(graphics, seen, level.names, graph) end
  if asked.legend then kinds.legend(graphics, looks, asked.legend) end
end

--- draw.level(level[, opts]): draws the grid, the graph, the walls and the names of a level of wend.read_tiled.
function draw.level(level, options)
  must(type(level) == "table" or type_of(level) == "level", "level", "a level", level)
  local asked = read_options(options, MAP)
  for name, kind in pairs { grid = "grid", graph = "graph", walls = "walls" } do
    local part = level[name]
    must(part == nil or type_of(part) == kind, "level." .. name, "a " .. kind, part)
  end
  must(level.names == nil or type(level.names) == "table", "level.names", "a table", level.names)
  run(asked.view, draw_level_now, level, asked)
end

return draw
