-- SPDX-License-Identifier: MIT
-- Pictures of movement: crowds, followers and curves.

local wend = require "wend"
local panels = require "tools.scenes.panels"

local scenes = {}

local ORANGE, TEAL = "#d55e00", "#00707a"

---Two groups that go to each other's side through a door. Returns the map and a function that lets time pass and lists
---their discs.
local function door(drawing, per_side)
  local map = wend.parse_grid(drawing)
  local crowd, all = wend.crowd { map = map }, {}
  local wide, high = map:width(), map:height()
  for side = 1, 2 do
    local list = {}
    for i = 0, per_side - 1 do
      local x, y = 0.7 + math.floor(i / 6) * 0.9, 0.8 + i % 6 * (high - 1.6) / 5
      list[#list + 1] = crowd:add { x = side == 1 and x or wide - x, y = y, radius = 0.28, speed = 2 }
      all[#all + 1] = { list[#list], side == 1 and ORANGE or TEAL }
    end
    crowd:go(list, side == 1 and wide - 2 or 2, high / 2)
  end
  return map, function(time)
    for _ = 1, time * 30 do crowd:update(1 / 30) end
    local discs = {}
    for i, one in ipairs(all) do discs[i] = { one[1].x, one[1].y, 0.28, one[2] } end
    return discs
  end
end

local GATE = [[
  ......##......
  ......##......
  ..............
  ..............
  ..............
  ......##......
  ......##......
]]

scenes["first-door"] = function()
  local map, after = door(GATE, 18)
  return { wide = 340, title = "Two crowds share a door", { map, over = panels.discs(after(3)) } }
end

scenes["crowd-door"] = function()
  local map, after = door(GATE, 18)
  local list, time = { title = "Two crowds share a door" }, 0
  for i, at in ipairs { 0, 2, 4 } do
    list[i] = { map, over = panels.discs(after(at - time)), caption = ("after %d seconds"):format(at) }
    time = at
  end
  return list
end

scenes["formation"] = function()
  local map = wend.grid(24, 11):fill(12, 1, 12, 11, false):open(12, 6)
  local crowd, band = wend.crowd { map = map }, {}
  for i = 1, 6 do band[i] = crowd:add { x = 2, y = 1.5 * i, radius = 0.4, speed = 1.2 + i / 10 } end
  local rows = { 1.5, 0, 0, 0, -1.5, 0, 1.5, 1.5, 0, 1.5, -1.5, 1.5 }
  crowd:go(band, 21, 5, { formation = rows, together = true })
  local list, time = { title = "A formation passes a door" }, 0
  for i, at in ipairs { 6, 12, 24 } do
    for _ = 1, (at - time) * 30 do crowd:update(1 / 30) end
    time = at
    local discs = {}
    for j, one in ipairs(band) do discs[j] = { one.x, one.y, 0.4, j <= 3 and ORANGE or TEAL } end
    list[i] = { map, over = panels.discs(discs), caption = ("after %d seconds"):format(at) }
  end
  return list
end

scenes["guide-crowd"] = function()
  local map = wend.parse_grid([[
    ..............#...............
    ..............#...............
    ..............G...............
    ..............G...............
    .......~~~~...#...............
    .......~~~~...#...............
  ]], { ["~"] = "swamp", G = "gate" })
  local costs = wend.costs { swamp = function(unit) return unit.boots and 1 or 4 end }
  local crowd, soldiers = wend.crowd { map = map, costs = costs }, {}
  for i = 1, 40 do
    local x, y, radius = 0.5 + i % 8 * 0.9, 0.1 + math.ceil(i / 8), i % 10 == 0 and 0.5 or 0.3
    soldiers[i] = crowd:add { x = x, y = y, radius = radius, agent = { boots = i % 2 == 0 } }
  end
  crowd:go(soldiers, 24, 3)
  for _ = 1, 14 * 30 do crowd:update(1 / 30) end
  local discs = {}
  for i, one in ipairs(soldiers) do discs[i] = { one.x, one.y, one.radius, one.agent.boots and TEAL or ORANGE } end
  return { title = "Forty soldiers and a gate", wide = 640,
    { map, over = panels.discs(discs), caption = "After 14 seconds. Soldiers in boots are green" } }
end

scenes["curves"] = function()
  local points = { 0, 0, 20, 0, 20, 8, 32, 8, 32, 0, 40, 0 }
  local list = { title = "Three curves through the same points" }
  for i, kind in ipairs { "linear", "catmull_rom", "hermite" } do
    list[i] = { nil, route = { wend.curve(points, { curve = kind, spacing = 0.5 }) }, caption = kind }
  end
  return list
end

local function yard()
  local map = wend.parse_grid [[
    ................
    ................
    ...####...###...
    ...####...###...
    ................
    ................
  ]]
  return map, map:path(1, 6, 16, 1)
end

scenes["follower"] = function()
  local map, path = yard()
  local list = { title = "A follower at regular times" }
  for i, kind in ipairs { "linear", "catmull_rom" } do
    local feet, discs = wend.follow(path, { speed = 2, curve = kind }), {}
    while not feet.done do
      discs[#discs + 1] = { feet.x, feet.y, 0.18, TEAL }
      feet:update(0.5)
    end
    list[i] = { map, route = { feet:line() }, over = panels.discs(discs),
      caption = kind .. ": a disc for each half second" }
  end
  return list
end

scenes["guide-walk"] = function()
  local g = wend.graph()
  g:add_nodes { 10, 10, 90, 10, 90, 70, 10, 70, 50, 10, 50, 70 }
  g:add_edges({ 1, 5, 5, 2, 2, 3, 3, 6, 6, 4, 4, 1 }, { tag = "path" })
  local walls = wend.walls()
  walls:add_polygon { 30, 20, 70, 20, 70, 60, 30, 60 }
  local from = { x = 28, y = 14 }
  local function wide(x1, y1, x2, y2) return walls:clear(x1, y1, x2, y2, 3) end
  local function to(caption, goal, options)
    return { g, walls = walls, labels = false, route = g:route(from, goal, options), caption = caption }
  end
  return { title = "Routes around the barn", to("By node", { 80, 64 }),
    to("enter = 'edge'", { 80, 64 }, { enter = "edge" }),
    to("clear = wide", { 28, 66 }, { enter = "edge", clear = wide }) }
end

return scenes
