-- SPDX-License-Identifier: MIT
--- wend info: describes the contents of a file.

local format = require "wend.format"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local sorted = require "wend.sorted"
local text = require "wend.tools.command.text"

--- Writes the number of tags, and a line for each of them.
-- @param map a graph or a grid
local function tell_tags(context, map)
  local amounts, untagged = map:tags()
  local names = sorted(pairs(amounts))
  output.fact(context, "tags", "%d", #names)
  local function tell(name, amount)
    output.say(context, "  %s %d", name .. (" "):rep(20 - format.width(name)), amount)
  end
  for _, name in ipairs(names) do
    tell(text.printable(name), amounts[name])
  end
  if untagged > 0 and #names > 0 then
    tell("(none)", untagged)
  end
end

--- How many times a loop runs.
local function count(...)
  local amount = 0
  for _ in ... do
    amount = amount + 1
  end
  return amount
end

--- An amount, and in parentheses its parts that are not 0: "5 (3 named, 1 closed)". A part is { 3, "named" }.
local function of_these(amount, list)
  local parts = {}
  for _, one in ipairs(list) do
    if one[1] > 0 then
      parts[#parts + 1] = ("%d %s"):format(one[1], one[2])
    end
  end
  return #parts > 0 and ("%d (%s)"):format(amount, table.concat(parts, ", ")) or ("%d"):format(amount)
end

--- Writes the number of components.
local function tell_components(context, map)
  local found = map:check()
  local step = maps.is_grid(map) and 2 or 1
  local largest = found.components[1]
  output.fact(context, "components", "%d%s", #found.components, #found.components > 1
    and (", the largest has %s"):format(format.count(#largest / step, step == 2 and "cell" or "node")) or "")
end

local function info_graph(context, graph)
  local named, closed, placed = 0, 0, 0
  local directed, shut = 0, 0
  for node in graph:nodes() do
    named = named + (graph:name(node) and 1 or 0)
    closed = closed + (graph:is_closed(node) and 1 or 0)
    placed = placed + (graph:position(node) and 1 or 0)
  end
  for id in graph:edges() do
    local edge = graph:edge(id)
    directed = directed + (edge.directed and 1 or 0)
    shut = shut + (edge.closed and 1 or 0)
  end
  local nodes = graph:node_count()
  output.fact(context, "dimensions", "%d", graph:dimensions())
  output.fact(context, "nodes", "%s", of_these(nodes,
    { { named, "named" }, { closed, "closed" }, { nodes - placed, "without a position" } }))
  output.fact(context, "edges", "%s", of_these(graph:edge_count(), { { directed, "one way" }, { shut, "closed" } }))
  tell_tags(context, graph)
  tell_components(context, graph)
  local for_nodes, for_edges = graph:bytes()
  output.fact(context, "memory", "%d bytes", for_nodes + for_edges)
end

local function info_grid(context, grid)
  local closed = 0
  local width, height = grid:width(), grid:height()
  for y = 1, height do
    for x = 1, width do
      closed = closed + (grid:get(x, y) and 0 or 1)
    end
  end
  output.fact(context, "size", "%d x %d", width, height)
  local cells = width * height
  output.fact(context, "cells", "%s", of_these(cells, { { cells - closed, "open" }, { closed, "closed" } }))
  local left, top = grid:origin()
  local wide, high = grid:cell_size()
  output.fact(context, "in the world", "%scells of %s%s, from %s,%s",
    grid:projection() == "isometric" and "isometric " or "", format.number(wide),
    high ~= wide and " x " .. format.number(high) or "", format.number(left), format.number(top))
  local shape, shift, flat = grid:shape()
  if shape == "hex" then
    output.fact(context, "hexes", "%s %s are shifted", shift, flat and "columns" or "rows")
  else
    local length = grid:diagonal_length()
    output.fact(context, "diagonals", "%s%s", grid:diagonals(),
      length ~= math.sqrt(2) and ", " .. format.number(length) .. " long" or "")
  end
  output.fact(context, "walls", "%d", count(grid:walls()))
  output.fact(context, "links", "%d, each direction counted", count(grid:links()))
  tell_tags(context, grid)
  tell_components(context, grid)
  output.fact(context, "memory", "%d bytes", grid:bytes())
end

local FORMATS = { load = "wend's own", read_tiled = "Tiled map", text = "map in text" }

--- Writes what a level contains, and then its grid and its graph.
local function info_level(context, level)
  if level.width and level.height then
    output.fact(context, "size", "%s x %s cells%s", format.number(level.width), format.number(level.height),
      level.cell and " of " .. format.number(level.cell) or "")
  end
  local named = {}
  for _, name in ipairs(maps.layer_names(level)) do
    local grid = level.grids[name]
    named[grid] = named[grid] or {}
    table.insert(named[grid], text.printable(name))
  end
  local layers = {}
  for i, grid in ipairs(level.grids or {}) do
    layers[i] = named[grid] and table.concat(named[grid], " or ") or ("%d"):format(i)
  end
  output.fact(context, "layers", "%d%s", #layers, #layers > 0 and ": " .. table.concat(layers, ", ") or "")
  output.fact(context, "walls", "%d", level.walls and level.walls:count() or 0)
  output.fact(context, "names", "%s", text.keys(level.names or {}))
  if level.data ~= nil then
    output.fact(context, "data", "%s", type(level.data) == "table" and text.keys(level.data) or type(level.data))
  end
  local grid = level.grid or level.grids and level.grids[1]
  if grid then
    output.say(context, "")
    output.fact(context, "grid", "%s", level.grid and #layers > 1 and "all layers" or layers[1] or "")
    info_grid(context, grid)
  end
  if level.graph then
    output.say(context, "")
    output.fact(context, "graph", "")
    info_graph(context, level.graph)
  end
end

local function run(context)
  local arguments = context.arguments
  local loaded = maps.read_file(context, true)
  local object = loaded.object
  output.fact(context, "file", "%s, %d bytes, %s", text.printable(arguments.file), loaded.size, FORMATS[loaded.reader])
  output.fact(context, "kind", "%s", (loaded.kind:gsub("^an? ", "")))
  if loaded.whole then
    info_level(context, loaded.whole)
  elseif not object then
    output.say(context, "It belongs to a map.")
  elseif loaded.kind == "graph" then
    info_graph(context, object)
  elseif loaded.kind == "grid" then
    info_grid(context, object)
  elseif loaded.kind == "walls" then
    output.fact(context, "walls", "%d", object:count())
    output.fact(context, "memory", "%d bytes", object:bytes())
  end
  return output.FINE
end

return {
  name = "info", run = run,
  summary = "Describe the contents of a file.",
  about = "Describes the contents of a file: its kind, its size, its tags, and its components. In a component, every "
    .. "place can be reached from every other. Of a level, it describes all parts.",
  examples = [[
Examples:
   wend info level.wend]],
  define = function(add)
    add.file()
    add.layer()
  end,
}
