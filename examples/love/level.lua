-- SPDX-License-Identifier: MIT
-- The level as data, and the objects of wend that are made from it: walls, a graph to walk along, and a grid to flee
-- over.
local wend = require "wend"

local level = {
  width = 960,
  height = 510,
  body = 5, -- the distance of walkers from walls
  camp = { 170, 285 },
  cell = 15, -- the size of a cell of the grid
}

--- A smooth line through a few points.
local function smooth(points, loop)
  return wend.curve(points, { curve = "catmull_rom", loop = loop, spacing = 9 })
end

level.swamp = smooth({
  235, 300, 255, 218, 330, 168, 420, 186, 505, 152, 590, 160, 650, 220, 642, 295, 668, 365, 605, 424, 500, 402,
  410, 438, 310, 418, 252, 378,
}, true)
level.road = smooth {
  -20, 248, 70, 250, 150, 212, 215, 142, 300, 103, 410, 112, 500, 88, 590, 97, 680, 112, 765, 132, 838, 112,
}
-- From west to east. The ground north of it is higher than the ground south of it.
level.cliff = smooth { 598, 180, 650, 172, 705, 204, 770, 222, 840, 210, 900, 224, 1000, 214 }

level.keep = {
  { 730, 275, 910, 275, 910, 287, 730, 287 }, { 898, 287, 910, 287, 910, 430, 898, 430 },
  { 730, 418, 798, 418, 798, 430, 730, 430 }, { 840, 418, 898, 418, 898, 430, 840, 430 },
  { 730, 287, 742, 287, 742, 330, 730, 330 }, { 730, 374, 742, 374, 742, 418, 730, 418 },
}
level.hall = { 786, 326, 856, 326, 856, 388, 828, 388, 828, 360, 786, 360 }
level.houses = {
  { 42, 146, 104, 138, 109, 180, 47, 188 }, { 50, 345, 98, 331, 110, 370, 62, 384 },
  { 112, 425, 160, 432, 155, 468, 107, 461 },
}
level.towers = { { 736, 281, 13 }, { 904, 281, 13 }, { 904, 424, 13 }, { 736, 424, 13 }, { 872, 98, 19 } }
level.mill = { 215, 452, 21 }
level.boulders = {
  { 690, 468, 14 }, { 545, 470, 11 }, { 330, 52, 14 }, { 700, 58, 12 }, { 300, 470, 12 }, { 908, 168, 12 },
  { 170, 120, 10 }, { 686, 262, 10 },
}
level.fences = { { 470, 416, 470, 452 }, { 470, 488, 470, 512 }, { 20, 152, 36, 112 }, { 36, 112, 120, 98 } }
level.trees = {
  30, 55, 78, 40, 125, 66, 190, 58, 248, 40, 452, 38, 548, 34, 622, 48, 925, 52, 945, 120, 800, 48, 935, 262, 945, 345,
  938, 450, 868, 478, 765, 478, 604, 472, 392, 478, 256, 492, 40, 452, 24, 492, 66, 478, 205, 232, 352, 30, 700, 350,
  390, 60, 20, 300,
}

-- Walls --------------------------------------------------------------------------------------------------------------

local walls = wend.walls()
for _, part in ipairs(level.keep) do walls:add_polygon(part) end
for _, house in ipairs(level.houses) do walls:add_polygon(house) end
walls:add_polygon(level.hall)
for _, tower in ipairs(level.towers) do walls:add_circle(tower[1], tower[2], tower[3]) end
for _, boulder in ipairs(level.boulders) do walls:add_circle(boulder[1], boulder[2], boulder[3]) end
walls:add_circle(level.mill[1], level.mill[2], level.mill[3])
for _, fence in ipairs(level.fences) do walls:add_segment(fence[1], fence[2], fence[3], fence[4]) end
for i = 1, #level.trees, 2 do walls:add_circle(level.trees[i], level.trees[i + 1], 4) end
level.walls = walls

-- Sets of walls for borders that some walkers can cross: the swamp, and the edge of the cliff.
local mire, edge = wend.walls(), wend.walls()
mire:add_polygon(level.swamp)
for i = 1, #level.cliff - 3, 2 do
  edge:add_segment(level.cliff[i], level.cliff[i + 1], level.cliff[i + 2], level.cliff[i + 3])
end

function level.in_swamp(x, y)
  return not mire:clear(x, y, x, y)
end

function level.inside(x, y)
  local body = level.body
  return x >= body and y >= body and x <= level.width - body and y <= level.height - body
end

--- Whether the straight line between two places is free, possibly through the swamp.
function level.free(x1, y1, x2, y2)
  return walls:clear(x1, y1, x2, y2, level.body) and edge:clear(x1, y1, x2, y2)
end

--- The same, but not through the swamp.
function level.dry(x1, y1, x2, y2)
  return level.free(x1, y1, x2, y2) and mire:clear(x1, y1, x2, y2)
end

--- Whether a straight step leads down the cliff: from the upper side of a segment to the lower side.
local function drops(x1, y1, x2, y2)
  for i = 1, #level.cliff - 3, 2 do
    local ax, ay, bx, by = level.cliff[i], level.cliff[i + 1], level.cliff[i + 2], level.cliff[i + 3]
    local function side(x, y) return (bx - ax) * (y - ay) - (by - ay) * (x - ax) end
    if math.max(ax, bx) >= math.min(x1, x2) and math.min(ax, bx) <= math.max(x1, x2) then
      return side(x1, y1) < -40 and side(x2, y2) > 40
    end
  end
end

--- What a straight step leads over: a tag, or true for grass; nil: the step is impossible.
local function step(x1, y1, x2, y2, body)
  if not walls:clear(x1, y1, x2, y2, body) then
    return nil
  elseif not edge:clear(x1, y1, x2, y2) then
    return drops(x1, y1, x2, y2) and "drop" or nil
  end
  return mire:clear(x1, y1, x2, y2) or "swamp"
end

--- Whether a walker can take that step, possibly through the swamp or off the cliff.
function level.can_step(x1, y1, x2, y2)
  return step(x1, y1, x2, y2, level.body) ~= nil
end

-- The graph: nodes along the road and all over the land, joined to their neighbours --------------------------------

local graph = wend.graph()
local on_road = {}
for i = 1, #level.road, 8 do
  local x, y = level.road[i], level.road[i + 1]
  if level.inside(x, y) then
    on_road[graph:add_node(x, y, { radius = 6 })] = true
  end
end
for row = 0, 19 do
  for column = 0, 33 do
    local x, y = 13 + column * 28 + row % 2 * 14, 12 + row * 25.4
    local near, distance = graph:nearest(x, y)
    if x <= level.width and walls:clear(x, y, x, y, level.body + 2) and edge:clear(x, y, x, y, 7)
      and not (on_road[near] and distance < 19) then
      graph:add_node(x, y, { radius = 11 })
    end
  end
end
for node in graph:nodes() do
  local x, y = graph:position(node)
  local near = graph:nearest(x, y, { limit = 9, max_distance = 42 })
  for _, other in ipairs(near) do
    local x2, y2 = graph:position(other)
    local what = step(x, y, x2, y2, level.body + 1)
    if what == "drop" then
      graph:add_edge(node, other, { tag = "drop", directed = true })
    elseif what and other > node then
      local both = on_road[node] and on_road[other] and other == node + 1
      graph:add_edge(node, other, { tag = both and "road" or what ~= true and what or nil })
    end
  end
end
level.graph = graph

-- The grid ---------------------------------------------------------------------------------------------------------

local CELL = level.cell
local grid = wend.grid(level.width / CELL, level.height / CELL, { cell = CELL })

local function middle(x, y)
  return (x - 0.5) * CELL, (y - 0.5) * CELL
end

grid:map(function(x, y)
  local px, py = middle(x, y)
  if not walls:clear(px, py, px, py, level.body + 1) then
    return false
  end
  for i = 1, #level.road, 4 do
    local dx, dy = level.road[i] - px, level.road[i + 1] - py
    if dx * dx + dy * dy < 13 * 13 then return "road" end
  end
  return level.in_swamp(px, py) and "swamp" or 1
end)
for y = 1, grid:height() do
  for x = 1, grid:width() do
    for _, to in ipairs { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } } do
      local x2, y2 = x + to[1], y + to[2]
      if x2 >= 1 and x2 <= grid:width() and y2 <= grid:height() then
        local ax, ay = middle(x, y)
        local bx, by = middle(x2, y2)
        local down, up = step(ax, ay, bx, by, level.body + 1), step(bx, by, ax, ay, level.body + 1)
        if not down or not up or down == "drop" or up == "drop" then
          grid:wall(x, y, x2, y2)
          if down == "drop" then
            grid:link(x, y, x2, y2, { tag = "drop", directed = true })
          elseif up == "drop" then
            grid:link(x2, y2, x, y, { tag = "drop", directed = true })
          end
        end
      end
    end
  end
end
level.grid = grid

--- The centre of a cell, in pixels.
level.middle = middle

-- The costs of the ground for each walker.
level.costs = wend.costs {
  road = 0.6,
  swamp = function(agent) return agent.boots and 1 or 4 end,
}

return level
