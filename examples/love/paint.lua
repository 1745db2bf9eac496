-- SPDX-License-Identifier: MIT
-- Draws the game's own things: land, houses, walkers. This file uses only love.graphics. wend.love draws the map,
-- fields and routes: see game.draw in main.lua.
-- luacheck: globals love
local level = require "level"

local FIGURE = 1.4 -- how much larger than their bodies the forty walkers are drawn

local paint = { BAR = 30 } -- the height of the line of help, in pixels
local graphics

--- Sets a colour from "#rrggbb".
local function ink(hex, alpha)
  local function part(at) return tonumber(hex:sub(at, at + 1), 16) / 255 end
  graphics.setColor(part(2), part(4), part(6), alpha or 1)
end

--- Random numbers, the same in each run.
local state = 1
local function random(a, b)
  state = state * 16807 % 2147483647
  return a + state / 2147483647 * (b - a)
end

local function fill(points)
  for _, triangle in ipairs(love.math.triangulate(points)) do
    graphics.polygon("fill", triangle)
  end
end

local function shifted(points, dx, dy, ...)
  local moved = {}
  for i = 1, #points, 2 do
    moved[i], moved[i + 1] = points[i] + dx, points[i + 1] + dy
  end
  for i = 1, select("#", ...) do moved[#moved + 1] = (select(i, ...)) end
  return moved
end

--- A line with round joints.
local function ribbon(points, width)
  graphics.setLineWidth(width)
  graphics.line(points)
  for i = 1, #points, 2 do graphics.circle("fill", points[i], points[i + 1], width / 2) end
end

--- A line around a closed shape.
local function outline(points, width)
  local closed = shifted(points, 0, 0, points[1], points[2])
  ribbon(closed, width)
end

local function near_road(x, y, distance)
  for i = 1, #level.road, 2 do
    local dx, dy = level.road[i] - x, level.road[i + 1] - y
    if dx * dx + dy * dy < distance * distance then return true end
  end
end

-- The ground -------------------------------------------------------------------------------------------------------

local function draw_grass()
  ink "#93b868"
  graphics.rectangle("fill", 0, 0, level.width, level.height)
  for _ = 1, 46 do
    ink(random(0, 1) < 0.5 and "#9dc071" or "#8aaf60", 0.55)
    graphics.ellipse("fill", random(0, level.width), random(0, level.height), random(30, 90), random(14, 40))
  end
  -- The high ground, and a slope up to it.
  local high = shifted(level.cliff, 0, 0, 1000, -20, 668, -20)
  ink "#aecb82"
  fill(high)
  for i = 0, 5 do
    ink("#aecb82", 0.5 - i * 0.08)
    local x = 654 - i * 13
    graphics.polygon("fill", x - 8, -10, x + 16, -10, x - 40 + 8, 181, x - 70 + 14, 181)
  end
end

local function draw_tufts()
  graphics.setLineWidth(1.2)
  for _ = 1, 330 do
    local x, y = random(0, level.width), random(0, level.height)
    if not level.in_swamp(x, y) and not near_road(x, y, 15) and level.walls:clear(x, y, x, y, 6) then
      if random(0, 1) < 0.14 then
        ink(({ "#f6f0d0", "#f2d36b", "#e7a0b4", "#ffffff" })[math.floor(random(1, 4.99))])
        graphics.circle("fill", x, y, 1.7)
      else
        ink("#6f9648", 0.8)
        graphics.line(x - 2, y - 4, x, y)
        graphics.line(x, y - 5, x, y)
        graphics.line(x + 2.5, y - 3.5, x, y)
      end
    end
  end
end

local function draw_swamp()
  ink "#7d9a55"
  outline(level.swamp, 20)
  ink "#64834f"
  outline(level.swamp, 9)
  ink "#4f7459"
  fill(level.swamp)
  -- Pools, reeds, lilies: wherever there is swamp all around.
  local function somewhere(room)
    for _ = 1, 60 do
      local x, y = random(230, 670), random(150, 440)
      local well = true
      for turn = 0, 7 do
        well = well and level.in_swamp(x + math.cos(turn) * room * 1.2, y + math.sin(turn) * room)
      end
      if well then return x, y end
    end
    return 440, 300
  end
  for _ = 1, 26 do
    local r = random(9, 30)
    local x, y = somewhere(r)
    ink("#3b6466", 0.75)
    graphics.ellipse("fill", x, y, r * 1.5, r * 0.62)
    ink("#4c7b7d", 0.8)
    graphics.ellipse("fill", x + r * 0.2, y - r * 0.1, r, r * 0.36)
    ink("#b9d3c4", 0.35)
    graphics.setLineWidth(1)
    graphics.arc("line", "open", x, y, r * 0.75, -2.6, -1.6)
  end
  for _ = 1, 44 do
    local x, y = somewhere(6)
    ink(random(0, 1) < 0.5 and "#7fa75f" or "#8fb56a")
    graphics.arc("fill", x, y, random(2.5, 4.5), 0.5, 5.9)
    if random(0, 1) < 0.3 then
      ink "#f4d7e2"
      graphics.circle("fill", x + 1, y - 1, 1.5)
    end
  end
  for _ = 1, 95 do
    local x, y = somewhere(5)
    for i = -1, 1 do
      ink "#36543b"
      graphics.setLineWidth(1.3)
      graphics.line(x + i * 3, y, x + i * 4.2, y - random(8, 13))
      ink "#7a5a38"
      graphics.ellipse("fill", x + i * 4, y - 9, 1.1, 2.6)
    end
  end
end

local function draw_road()
  ink "#8a7a4e"
  ribbon(level.road, 22)
  ink "#d3bb8a"
  ribbon(level.road, 18)
  for i = 1, #level.road - 3, 2 do
    local x, y = level.road[i], level.road[i + 1]
    local dx, dy = level.road[i + 2] - x, level.road[i + 3] - y
    local length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    for _ = 1, 2 do
      local off = random(-7, 7)
      ink(random(0, 1) < 0.5 and "#c2a877" or "#e2cda0", 0.9)
      graphics.ellipse("fill", x - dy * off + dx * random(0, 8), y + dx * off, random(1.6, 3.2), random(1.2, 2))
    end
  end
end

local function draw_cliff()
  local top, foot = level.cliff, {}
  for i = #top - 1, 1, -2 do
    local drop = 17 * math.min(1, (i + 1) / 14) -- it rises out of the swamp
    foot[#foot + 1], foot[#foot + 2] = top[i] + random(-1.5, 1.5), top[i + 1] + drop
  end
  ink("#2d3a24", 0.35)
  local shade = shifted(top, 0, 0)
  for i = 1, #foot, 2 do shade[#shade + 1], shade[#shade + 2] = foot[i] + 3, foot[i + 1] + 6 end
  fill(shade)
  local face = shifted(top, 0, 0)
  for i = 1, #foot do face[#face + 1] = foot[i] end
  ink "#7f6f5c"
  fill(face)
  for i = 1, #top - 3, 2 do
    local height = 17 * math.min(1, (i + 1) / 14)
    for _ = 1, 2 do
      local share = random(0, 1)
      local x, y = top[i] + (top[i + 2] - top[i]) * share, top[i + 1] + (top[i + 3] - top[i + 1]) * share
      ink(random(0, 1) < 0.6 and "#5f5244" or "#988873", 0.9)
      graphics.setLineWidth(random(1, 2.6))
      graphics.line(x, y + 2, x + random(-2, 2), y + random(0.5, 0.95) * height)
    end
  end
  ink "#c9dd9c"
  ribbon(top, 3.5)
end

-- Things on the ground ---------------------------------------------------------------------------------------------

local function draw_stone(points, top, side)
  ink("#22301c", 0.28)
  fill(shifted(points, 5, 6))
  ink(side)
  fill(shifted(points, 0, 3))
  fill(points)
  ink(top)
  fill(shifted(points, 0, -3))
end

local function draw_tower(x, y, r)
  ink("#22301c", 0.28)
  graphics.circle("fill", x + 5, y + 6, r)
  ink "#77736b"
  graphics.circle("fill", x, y + 2, r)
  ink "#b9b4a6"
  graphics.circle("fill", x, y - 3, r)
  ink "#8f8a7e"
  graphics.circle("fill", x, y - 3, r * 0.68)
  ink "#a8a396"
  graphics.circle("fill", x, y - 3, r * 0.5)
end

local function draw_house(corners)
  local x1, y1, x2, y2, x3, y3, x4, y4 = unpack(corners)
  draw_stone(corners, "#b5563c", "#6e4a35")
  ink "#c96f4e"
  fill { x1, y1 - 3, x2, y2 - 3, (x2 + x3) / 2, (y2 + y3) / 2 - 3, (x1 + x4) / 2, (y1 + y4) / 2 - 3 }
  ink "#8c3f2c"
  graphics.setLineWidth(1.5)
  graphics.line((x1 + x4) / 2, (y1 + y4) / 2 - 3, (x2 + x3) / 2, (y2 + y3) / 2 - 3)
  ink "#6d6a64"
  graphics.rectangle("fill", x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7 + 2, 7, 7)
end

local function draw_things()
  for _, fence in ipairs(level.fences) do
    local x1, y1, x2, y2 = unpack(fence)
    local steps = math.max(1, math.floor(math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) / 9))
    ink("#22301c", 0.25)
    graphics.setLineWidth(3)
    graphics.line(x1 + 3, y1 + 3, x2 + 3, y2 + 3)
    ink "#8b6a43"
    graphics.setLineWidth(2.5)
    graphics.line(fence)
    for i = 0, steps do
      ink "#6b4f30"
      graphics.circle("fill", x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps, 2.6)
    end
  end
  for _, boulder in ipairs(level.boulders) do
    local x, y, r = unpack(boulder)
    ink("#22301c", 0.28)
    graphics.ellipse("fill", x + 3, y + 5, r, r * 0.85)
    ink "#8d8f88"
    graphics.circle("fill", x, y, r, 9)
    ink "#abaea5"
    graphics.circle("fill", x - r * 0.15, y - r * 0.25, r * 0.68, 8)
  end
  for _, house in ipairs(level.houses) do draw_house(house) end
  ink("#7a7468", 0.35)
  graphics.rectangle("fill", 742, 287, 156, 131) -- the yard
  for _, part in ipairs(level.keep) do draw_stone(part, "#b9b4a6", "#77736b") end
  draw_stone(level.hall, "#6f7f96", "#77736b")
  ink "#8494aa"
  graphics.setLineWidth(2)
  graphics.line(788, 341, 841, 341)
  graphics.line(841, 341, 841, 384)
  for _, tower in ipairs(level.towers) do draw_tower(unpack(tower)) end
  local x, y, r = unpack(level.mill)
  draw_tower(x, y, r)
  ink "#b5563c"
  graphics.circle("fill", x, y - 3, r * 0.72)
  ink "#c96f4e"
  graphics.arc("fill", x, y - 3, r * 0.72, math.pi, math.pi * 1.75)
end

local function draw_trees()
  for i = 1, #level.trees, 2 do
    local x, y = level.trees[i], level.trees[i + 1]
    local r = random(12, 18)
    ink("#22301c", 0.25)
    graphics.ellipse("fill", x + 5, y + 6, r, r * 0.8)
    ink "#4b3a26"
    graphics.circle("fill", x, y, 4)
    local dark, light = "#3f6b3a", "#5c8a48"
    if random(0, 1) < 0.3 then dark, light = "#4d7440", "#7a9c4d" end
    ink(dark, 0.92)
    for turn = 0, 5 do
      local angle = turn * 1.05 + i
      graphics.circle("fill", x + math.cos(angle) * r * 0.5, y - 5 + math.sin(angle) * r * 0.45, r * 0.55)
    end
    ink(light, 0.92)
    graphics.circle("fill", x - r * 0.2, y - 9, r * 0.5)
    graphics.circle("fill", x + r * 0.28, y - 5, r * 0.3)
  end
end

local function canvas_of(draw)
  local canvas = graphics.newCanvas(level.width, level.height, { msaa = 4 })
  graphics.setCanvas { canvas, stencil = true }
  graphics.clear(0, 0, 0, 0)
  draw()
  graphics.setCanvas()
  return canvas
end

local ground, crowns

--- Paints, once, everything that never changes.
function paint.load()
  graphics = love.graphics
  graphics.setLineJoin "bevel"
  ground = canvas_of(function()
    draw_grass()
    draw_swamp()
    draw_road()
    draw_cliff()
    draw_tufts()
    draw_things()
  end)
  crowns = canvas_of(draw_trees)
  paint.font, paint.large = graphics.newFont(12), graphics.newFont(20)
  graphics.setFont(paint.font)
end

local function picture(canvas)
  graphics.setColor(1, 1, 1)
  graphics.setBlendMode("alpha", "premultiplied")
  graphics.draw(canvas)
  graphics.setBlendMode "alpha"
end

function paint.ground() picture(ground) end

--- The sails of the mill and the tops of trees, above the walkers.
function paint.above(time)
  picture(crowns)
  local x, y = level.mill[1], level.mill[2] - 3
  for i = 0, 3 do
    local angle = time * 0.6 + i * math.pi / 2
    local dx, dy = math.cos(angle), math.sin(angle)
    ink("#f3ead2", 0.95)
    graphics.polygon("fill", x + dx * 8, y + dy * 8, x + dx * 33, y + dy * 33, x + dx * 33 - dy * 8,
      y + dy * 33 + dx * 8, x + dx * 8 - dy * 6, y + dy * 8 + dx * 6)
    ink "#6b4f30"
    graphics.setLineWidth(2)
    graphics.line(x, y, x + dx * 35, y + dy * 35)
  end
  ink "#6b4f30"
  graphics.circle("fill", x, y, 3)
end

-- Moving things ----------------------------------------------------------------------------------------------------

--- A walker, seen from above. wet: whether it stands in the swamp.
function paint.walker(walker, wet, time)
  graphics.push()
  graphics.translate(walker.x, walker.y)
  graphics.scale(FIGURE)
  local x, y, heading = 0, 0, walker.heading
  local dx, dy = math.cos(heading), math.sin(heading)
  if wet then
    ink("#cfe3d6", 0.55)
    graphics.setLineWidth(1)
    graphics.ellipse("line", x, y + 2, 7 + math.sin(time * 5 + walker.number) * 1.5, 4.5)
  else
    ink("#22301c", 0.35)
    graphics.ellipse("fill", x + 2, y + 3, 5.5, 4)
    local stride = walker.moving and math.sin(time * 14 + walker.number) * 2.6 or 0
    ink(walker.boots and "#1f4e79" or "#5b3b24")
    graphics.circle("fill", x + dx * stride - dy * 2.4, y + dy * stride + dx * 2.4, 2)
    graphics.circle("fill", x - dx * stride + dy * 2.4, y - dy * stride - dx * 2.4, 2)
  end
  ink "#2b2f3a"
  graphics.circle("fill", x, y, 5.6)
  ink(walker.boots and "#3f8fd2" or "#e0563f")
  graphics.circle("fill", x, y, 4.7)
  ink "#2b2f3a"
  graphics.circle("fill", x + dx * 1.2, y + dy * 1.2 - 1, 3.2)
  ink "#f3cfa4"
  graphics.circle("fill", x + dx * 1.2, y + dy * 1.2 - 1, 2.6)
  ink(walker.boots and "#1f4e79" or "#8c2f22")
  graphics.arc("fill", x + dx * 1.2, y + dy * 1.2 - 1, 2.6, heading + 1.9, heading + 4.4)
  graphics.pop()
end

-- The colours of the companies of the crowd.
paint.COMPANIES = { "#e0563f", "#f2c230", "#b58be0", "#7cb342" }

--- A walker of the crowd. Its hat is blue if it has boots.
function paint.member(walker, wet)
  local x, y, r, heading = walker.x, walker.y, walker.radius, walker.heading
  if wet then
    ink("#cfe3d6", 0.55)
    graphics.setLineWidth(1)
    graphics.ellipse("line", x, y + 1, r * 1.3, r * 0.9)
  else
    ink("#22301c", 0.35)
    graphics.ellipse("fill", x + r * 0.4, y + r * 0.55, r, r * 0.75)
  end
  ink "#2b2f3a"
  graphics.circle("fill", x, y, r)
  ink(paint.COMPANIES[walker.company])
  graphics.circle("fill", x, y, r * 0.8)
  ink(walker.boots and "#1f4e79" or "#f3cfa4")
  graphics.circle("fill", x + math.cos(heading) * r * 0.25, y + math.sin(heading) * r * 0.25, r * 0.45)
  if walker.state == "stuck" or walker.state == "lost" then
    ink(walker.state == "lost" and "#e8452c" or "#fff6d8")
    graphics.polygon("fill", x - 1.6, y - r - 6, x + 1.6, y - r - 6, x, y - r - 1)
  end
end

--- A cart or an ogre, as large as the cells that it covers. Nobody turns beyond them.
function paint.heavy(unit, cell, time)
  local side = unit.size * cell
  graphics.push()
  graphics.translate(unit.x, unit.y)
  graphics.rotate(unit.heading or 0)
  ink("#22301c", 0.35)
  graphics.ellipse("fill", 2, 3, side * 0.42, side * 0.38)
  if unit.name == "cart" then
    for _, wheel in ipairs { -0.3, 0.18 } do
      ink "#2b2f3a"
      graphics.rectangle("fill", side * wheel, -side * 0.36, side * 0.2, side * 0.72, 2)
    end
    for plank = 0, 3 do
      ink(plank % 2 == 0 and "#a97c4a" or "#8b6a43")
      graphics.rectangle("fill", -side * 0.4, side * (plank * 0.13 - 0.26), side * 0.72, side * 0.12)
    end
    ink "#e9c46a"
    graphics.circle("fill", -side * 0.1, -side * 0.06, side * 0.13)
    graphics.circle("fill", side * 0.1, side * 0.07, side * 0.11)
  else
    local stride = unit.moving and math.sin(time * 8) * side * 0.1 or 0
    ink "#3f4a2a"
    graphics.ellipse("fill", stride, -side * 0.18, side * 0.14, side * 0.1)
    graphics.ellipse("fill", -stride, side * 0.18, side * 0.14, side * 0.1)
    ink "#2b2f3a"
    graphics.ellipse("fill", 0, 0, side * 0.28, side * 0.42)
    ink "#7c8f4e"
    graphics.ellipse("fill", 0, 0, side * 0.25, side * 0.39)
    ink "#2b2f3a"
    graphics.circle("fill", side * 0.08, 0, side * 0.19)
    ink "#98a860"
    graphics.circle("fill", side * 0.08, 0, side * 0.165)
    ink "#fff6d8"
    graphics.circle("fill", side * 0.19, -side * 0.06, side * 0.025)
    graphics.circle("fill", side * 0.19, side * 0.06, side * 0.025)
  end
  graphics.pop()
  if unit.lost then
    ink "#e8452c"
    graphics.polygon("fill", unit.x - 4, unit.y - side / 2 - 12, unit.x + 4, unit.y - side / 2 - 12, unit.x,
      unit.y - side / 2 - 2)
  end
end

--- The posts of a palisade: two for each closed cell.
-- @param wall the first and the last cell: { x1, y1, x2, y2 }
function paint.palisade(wall, grid, cell)
  for y = wall[2], wall[4] do
    for x = wall[1], wall[3] do
      for i = 0, grid:is_closed(x, y) and 1 or -1 do
        local along = (i * 0.5 + 0.25) * cell
        local px = (x - 1) * cell + (wall[1] == wall[3] and cell / 2 or along)
        local py = (y - 1) * cell + (wall[1] == wall[3] and along or cell / 2)
        ink "#3b2a18"
        graphics.circle("fill", px, py, cell * 0.32)
        ink "#8b6a43"
        graphics.circle("fill", px, py - 1, cell * 0.24)
      end
    end
  end
end

--- A danger map: the more dangerous, the redder.
function paint.danger(layer, grid, cell)
  for y = 1, grid:height() do
    for x = 1, grid:width() do
      local danger = layer:get(x, y)
      if danger > 0.1 then
        ink(danger > 4 and "#f2a13a" or "#e0483a", math.min(0.75, danger / 8))
        graphics.rectangle("fill", (x - 1) * cell, (y - 1) * cell, cell, cell)
      end
    end
  end
end

--- A gate of the keep: planks if it is closed, otherwise two open leaves.
function paint.door(door)
  local x1, y1, x2, y2 = door.x1, door.y1, door.x2, door.y2
  local dx, dy = (x2 - x1) / 2, (y2 - y1) / 2
  local count = 5
  for i = 0, count - 1 do
    local x, y, wide, high
    if door.closed then
      x, y = x1 + dx * 2 * i / count, y1 + dy * 2 * i / count
      wide, high = dx > 0 and dx * 2 / count - 1 or 8, dy > 0 and dy * 2 / count - 1 or 8
      ink "#4f3822"
      graphics.rectangle("fill", x, y, wide + 1, high + 1)
      ink(i % 2 == 0 and "#8b6a43" or "#7a5a37")
      graphics.rectangle("fill", x, y, wide, high)
    elseif i < 2 then
      ink "#7a5a37"
      graphics.setLineWidth(3)
      x, y = i == 0 and x1 or x2, i == 0 and y1 or y2
      graphics.line(x, y, x - dy * 0.7, y - dx * 0.7)
    end
  end
end

function paint.flag(x, y, time, colour)
  ink("#22301c", 0.35)
  graphics.ellipse("fill", x + 3, y + 2, 8, 3)
  ink "#5b3b24"
  graphics.setLineWidth(2.5)
  graphics.line(x, y, x, y - 26)
  ink(colour or "#f2c230")
  local sway = math.sin(time * 4) * 2
  graphics.polygon("fill", x + 1, y - 26, x + 18, y - 21 + sway, x + 1, y - 14)
end

--- The light from which the walkers flee.
function paint.wisp(x, y, time)
  for i = 4, 1, -1 do
    ink("#f8f3b0", 0.13)
    graphics.circle("fill", x, y, i * 7 + math.sin(time * 6) * 2)
  end
  ink "#fffde0"
  graphics.circle("fill", x, y, 5)
  ink "#2b2f3a"
  graphics.circle("fill", x - 1.8, y - 0.5, 1)
  graphics.circle("fill", x + 1.8, y - 0.5, 1)
end

-- Answers ----------------------------------------------------------------------------------------------------------

--- A dashed line along points.
function paint.dashes(points)
  for _, look in ipairs { { "#26301f", 6 }, { "#ff8a5c", 3 } } do
    ink(look[1])
    graphics.setLineWidth(look[2])
    for i = 1, #points - 3, 2 do
      local x, y = points[i], points[i + 1]
      local dx, dy = points[i + 2] - x, points[i + 3] - y
      local dashes = math.max(1, math.floor(math.sqrt(dx * dx + dy * dy) / 14 + 0.5))
      for k = 0, dashes - 1 do
        local from, to = (k + 0.2) / dashes, (k + 0.8) / dashes
        graphics.line(x + dx * from, y + dy * from, x + dx * to, y + dy * to)
      end
    end
  end
end

--- A ring around the walker that is asked about.
function paint.ring(x, y)
  for _, look in ipairs { { "#26301f", 4 }, { "#fff6d8", 2 } } do
    ink(look[1])
    graphics.setLineWidth(look[2])
    graphics.circle("line", x, y, 11)
  end
end

--- Lines of text in a box at the upper left.
function paint.note(lines)
  local wide, high = 0, paint.font:getHeight() + 3
  for _, line in ipairs(lines) do wide = math.max(wide, paint.font:getWidth(line)) end
  ink("#26301f", 0.9)
  graphics.rectangle("fill", 10, 10, wide + 20, #lines * high + 13, 5)
  for i, line in ipairs(lines) do
    ink(i == 1 and "#f2c230" or "#f3ead2")
    graphics.print(line, 20, 17 + (i - 1) * high)
  end
end

--- A line in large letters above the line of help.
function paint.hint(text)
  local wide = paint.large:getWidth(text)
  local x, y = (level.width - wide) / 2, level.height - 46
  ink("#26301f", 0.8)
  graphics.rectangle("fill", x - 14, y - 6, wide + 28, paint.large:getHeight() + 12, 6)
  ink "#f2c230"
  graphics.setFont(paint.large)
  graphics.print(text, x, y)
  graphics.setFont(paint.font)
end

--- The line of help at the bottom: { { key, text, on }, … }
function paint.help(keys)
  local y = level.height
  ink "#26301f"
  graphics.rectangle("fill", 0, y, level.width, paint.BAR)
  local x = 12
  for _, key in ipairs(keys) do
    local wide = paint.font:getWidth(key[1]) + 12
    ink(key[3] and "#f2c230" or "#4a573d")
    graphics.rectangle("fill", x, y + 6, wide, 18, 4)
    ink(key[3] and "#26301f" or "#e8eed8")
    graphics.print(key[1], x + 6, y + 8)
    ink(key[3] and "#f5e3a1" or "#c9d3b5")
    graphics.print(key[2], x + wide + 5, y + 8)
    x = x + wide + paint.font:getWidth(key[2]) + 12
  end
end

return paint
