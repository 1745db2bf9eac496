-- Reads two levels made with Tiled (mapeditor.org): examples/tiled/ford.tmx and quay.tmx.
--
-- Each tile has a class, or properties tag, weight and closed. Objects of class node become nodes, those of class edge
-- become edges between them, and those of class wall become walls.
local wend = require "wend"

local folder = (arg[0]:match "^.*[/\\]" or "") .. "tiled/"
local level = assert(wend.read_tiled(folder .. "ford.tmx"))
local grid, graph, walls = level.grid, level.graph, level.walls
print(("%d x %d cells of %d pixels, in %d layers; %d places, %d roads, %d walls"):format(level.width, level.height,
  level.cell, #level.grids, graph:node_count(), graph:edge_count(), walls:count()))

local agents = {
  { name = "on foot", costs = wend.costs { road = 0.8, ford = 1.2 } },
  { name = "a cart", costs = wend.costs { road = 0.5, ford = false, fen = false } },
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
      line[x] = on_path[y * grid:width() + x] and "*" or LETTERS[tag] or not weight and "#" or "."
    end
    print("  " .. table.concat(line))
  end
end

-- The river is closed. The bridge and the ford are on the upper layer, so the ground alone is cut in two.
local ground = level.grids.ground
print(("\nthe ground alone: %s"):format(select(2, ground:path(x1, y1, x2, y2))))
for y = 1, ground:height() do -- winter: the river freezes
  for x = 1, ground:width() do
    if select(2, ground:get(x, y)) == "water" then ground:open(x, y) end
  end
end
print(("over the ice: %.2f"):format(ground:path(x1, y1, x2, y2).cost))

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

-- An isometric map: cells are diamonds, positions are those on the screen. Tiled counts tiles from 0.
local town = assert(wend.read_tiled(folder .. "quay.tmx"))
local cell = { town.grid:cell_at(town.names.house) }
local to_x, to_y = town.grid:cell_at(town.names.quay)
local path = assert(town.grid:path(cell[1], cell[2], to_x, to_y, { costs = wend.costs { road = 0.5, bridge = 0.5 } }))
print ""
for _, x, y in path:each() do
  local column, row = wend.tile_of_cell(town, x, y)
  local px, py = town.grid:position(x, y)
  print(("tile %d,%d at %d,%d: %s"):format(column, row, px, py, (select(2, town.grid:get(x, y)))))
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

the ground alone: no path from (2,7) to (23,11)
over the ice: 22.66

on foot: mill, crossroads, ford, tower
a cart: mill, crossroads, bridge, tower
the heron sees the bridge
the heron does not see the tower
the heron sees the mill

tile 1,3 at 128,80: road
tile 1,2 at 160,64: road
tile 2,1 at 224,64: road
tile 3,1 at 256,80: road
tile 4,1 at 288,96: bridge
tile 5,1 at 320,112: road
tile 6,2 at 320,144: road
tile 6,3 at 288,160: road
]]
