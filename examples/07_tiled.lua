-- Reads a level made with Tiled (mapeditor.org). Tiled exports examples/tiled/ford.tmx to Lua, with embedded tilesets:
--
--   tiled --embed-tilesets --export-map lua ford.tmx ford.lua
--
-- Each tile has a class, or properties tag, weight and closed. Objects of class node become nodes, those of class edge
-- become edges between them, and those of class wall become walls.
local wend = require "wend"

local level = assert(wend.read_tiled((arg[0]:match "^.*[/\\]" or "") .. "tiled/ford.lua"))
local grid, graph, walls = level.grid, level.graph, level.walls
print(("%d x %d cells of %d pixels, in %d layers; %d places, %d roads, %d walls"):format(level.width, level.height,
  level.cell, #level.grids, graph:node_count(), graph:edge_count(), walls:count()))

local agents = {
  { name = "on foot", costs = wend.costs { road = 0.8, water = false, ford = 1.2 } },
  { name = "a cart", costs = wend.costs { road = 0.5, water = false, ford = false, fen = false } },
}

-- Over the tiles, from the mill to the tower. Each object with a name in Tiled has a position in pixels.
local from, to = level.names.mill, level.names.tower
local x1, y1 = grid:cell_at(from.x, from.y)
local x2, y2 = grid:cell_at(to.x, to.y)
local LETTERS = { road = "-", water = "~", fen = ",", ford = "o" }
for _, agent in ipairs(agents) do
  local path = assert(grid:path(x1, y1, x2, y2, { costs = agent.costs }))
  local on_path = {}
  for _, x, y in path:each() do
    on_path[y * grid:width() + x] = true
  end
  print(("\n%s: %.2f"):format(agent.name, path.cost))
  for y = 1, grid:height() do
    local line = {}
    for x = 1, grid:width() do
      local weight, tag = grid:get(x, y)
      line[x] = on_path[y * grid:width() + x] and "*" or not weight and "#" or LETTERS[tag] or "."
    end
    print("  " .. table.concat(line))
  end
end

-- Along the roads, by name.
print ""
for _, agent in ipairs(agents) do
  local path = assert(graph:path("mill", "tower", { costs = agent.costs }))
  local places = {}
  for i, node in path:each() do
    places[i] = graph:name(node)
  end
  print(("%s: %s"):format(agent.name, table.concat(places, ", ")))
end

-- In a straight line, if no wall is in the way.
local heron = level.names.heron
for _, name in ipairs { "bridge", "tower", "mill" } do
  local place = level.names[name]
  print(("the heron %s the %s"):format(walls:clear(heron.x, heron.y, place.x, place.y) and "sees" or "does not see",
    name))
end

--[[ prints
24 x 11 cells of 16 pixels, in 2 layers; 5 places, 5 roads, 6 walls

on foot: 19.89
  ....##....~~~....###....
  ..........~~~~.....##...
  .#..-------------.......
  ....-.....~~~~..-...#...
  ....-..,,,.~~~~.-.......
  ....-.,,,,,.~~~.-..###..
  .**--.,,,,,,,~~~-.-####.
  ...*-..,,,,,.~~~.-......
  .##.*....,,,..~~~-----..
  .##.-*........~~~....-.#
  ....--*****************-

a cart: 14.45
  ....##....~~~....###....
  ..........~~~~.....##...
  .#..-***********-.......
  ....*.....~~~~..*...#...
  ....*..,,,.~~~~.*.......
  ....*.,,,,,.~~~.*..###..
  .***-.,,,,,,,~~~*.-####.
  ....-..,,,,,.~~~.*......
  .##.-....,,,..~~~-***-..
  .##.-.........~~~....*.#
  ....----------ooo-----*-

on foot: mill, crossroads, ford, tower
a cart: mill, crossroads, bridge, tower
the heron sees the bridge
the heron does not see the tower
the heron sees the mill
]]
