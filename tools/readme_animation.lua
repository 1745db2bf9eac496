-- SPDX-License-Identifier: MIT
-- Writes the animation of README.md: lua tools/readme_animation.lua FILE.gif
--
-- Three scenes run side by side: boots and swamp, two crowds in one door, a mod that changes the ways. Each of them is
-- a few calls of wend on a map in text. The picture is made of plain pixels, so the program needs no other library.

package.path = "examples/love/?.lua;" .. package.path
local gif = require "gif"
local wend = require "wend"

local CELL, GAP = 12, 12         -- pixels
local PICTURES, PAUSE = 84, 1 / 12
local COLOURS = {
  floor = "#f4f2ec", wall = "#474c59", swamp = "#b9d3b0", river = "#a9c7e0", bridge = "#c79a6b", ford = "#d8cfae",
  paper = "#ffffff", red = "#d4003c", blue = "#004fd6", violet = "#6a00b8", teal = "#00707a", orange = "#d55e00",
}

-- Pixels -------------------------------------------------------------------------------------------------------------

local function channels(hex)
  local function part(at) return tonumber(hex:sub(at, at + 1), 16) / 255 end
  return { part(2), part(4), part(6) }
end

for name, hex in pairs(COLOURS) do COLOURS[name] = channels(hex) end

local image = {}
image.__index = image

function image:getWidth() return self.wide end
function image:getHeight() return self.high end

function image:getPixel(x, y)
  local pixel = self[y * self.wide + x + 1]
  return pixel[1], pixel[2], pixel[3]
end

local function new_image(wide, high)
  local self = setmetatable({ wide = wide, high = high }, image)
  for i = 1, wide * high do self[i] = COLOURS.paper end
  return self
end

---Mixes a colour into a pixel. part: how much of the pixel it covers.
function image:mix(x, y, colour, part)
  if part <= 0 or x < 0 or y < 0 or x >= self.wide or y >= self.high then return end
  local at = y * self.wide + x + 1
  local old = self[at]
  if part >= 1 then self[at] = colour return end
  local function channel(i) return old[i] + (colour[i] - old[i]) * part end
  self[at] = { channel(1), channel(2), channel(3) }
end

function image:fill(left, top, wide, high, colour)
  for y = top, top + high - 1 do
    for x = left, left + wide - 1 do self[y * self.wide + x + 1] = colour end
  end
end

---A disc with a smooth rim.
function image:disc(x, y, radius, colour)
  for row = math.floor(y - radius), math.ceil(y + radius) do
    for column = math.floor(x - radius), math.ceil(x + radius) do
      local far = math.sqrt((column + 0.5 - x) ^ 2 + (row + 0.5 - y) ^ 2)
      self:mix(column, row, colour, math.min(radius + 0.5 - far, 1))
    end
  end
end

function image:line(x1, y1, x2, y2, colour)
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  local steps = math.max(1, math.ceil(length))
  for i = 0, steps do self:disc(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps, 1.1, colour) end
end

-- Scenes -------------------------------------------------------------------------------------------------------------
-- Each has a grid, and a function that lets some time pass and lists lines and discs.

local SWAMP = { ["~"] = "swamp" }
local RIVER = { ["~"] = "river", ["="] = "bridge", [":"] = "ford" }

---Boots and swamp: two heroes have the same goal. One of them wears boots.
local function boots()
  local grid = wend.parse_grid([[
    ..........................
    ...........~~~~...........
    .........~~~~~~~~.........
    .......~~~~~~~~~~~~.......
    ......~~~~~~~~~~~~~~......
    ......~~~~~~~~~~~~~~......
    ......~~~~~~~~~~~~~~......
    ......~~~~~~~~~~~~~~......
    .......~~~~~~~~~~~~.......
    .........~~~~~~~~.........
    ..........................
    ..........................
    ..........................
  ]], SWAMP)
  local crowd = wend.crowd { map = grid }
  local heroes = {
    { costs = { swamp = 3 }, colour = COLOURS.red, row = 6 },
    { costs = { swamp = 1 }, colour = COLOURS.blue, row = 8 },
  }
  for _, hero in ipairs(heroes) do
    hero.walker = crowd:add { x = 1.5, y = hero.row - 0.5, radius = 0.42, speed = 4.2 }
    hero.walker.costs = wend.costs(hero.costs)
    hero.walker:go(24.5, hero.row - 0.5)
    hero.way = grid:path(2, hero.row, 25, hero.row, { costs = hero.walker.costs })
  end
  return grid, function(time)
    crowd:update(time)
    local lines, discs = {}, {}
    for i, hero in ipairs(heroes) do
      lines[i] = { way = hero.way, colour = hero.colour }
      discs[i] = { hero.walker.x, hero.walker.y, 0.42, hero.colour }
    end
    return lines, discs
  end
end

---A crowd goes through a door, and another one comes out of it.
local function door()
  local grid = wend.parse_grid([[
    ............##............
    ............##............
    ............##............
    ............##............
    ............##............
    ..........................
    ..........................
    ..........................
    ............##............
    ............##............
    ............##............
    ............##............
    ............##............
  ]])
  local crowd, all = wend.crowd { map = grid }, {}
  for side = 1, 2 do
    local list = {}
    for i = 0, 23 do
      local x = 1.5 + i % 4 * 1.4
      local y = 1.5 + math.floor(i / 4) * 2
      local walker = crowd:add { x = side == 1 and x or 26 - x, y = y, radius = 0.4, speed = 4 }
      list[#list + 1] = walker
      all[#all + 1] = { walker = walker, colour = side == 1 and COLOURS.orange or COLOURS.teal }
    end
    crowd:go(list, side == 1 and 22 or 4, 6.5)
  end
  return grid, function(time)
    crowd:update(time)
    local discs = {}
    for i, one in ipairs(all) do discs[i] = { one.walker.x, one.walker.y, 0.4, one.colour } end
    return {}, discs
  end
end

---A mod puts a troll on the bridge, who takes a toll. From then on carts take the ford.
local function mod()
  local grid = wend.parse_grid([[
    ............~~............
    ............~~............
    ............==............
    ............==............
    ............~~............
    ............~~............
    ............~~............
    ............~~............
    ............~~............
    ............::............
    ............::............
    ............~~............
    ............~~............
  ]], RIVER)
  local costs = wend.costs { river = false, ford = 2 }
  local crowd, carts, passed = wend.crowd { map = grid, costs = costs }, {}, 0
  return grid, function(time)
    local before = passed
    passed = passed + time
    if #carts < 15 and math.floor(passed / 0.4) > math.floor(before / 0.4) then
      carts[#carts + 1] = crowd:add { x = 1, y = 5.5, radius = 0.38, speed = 4.5 }
      carts[#carts]:go(25, 5.5)
    end
    if before < 3 and passed >= 3 then
      costs:rule("troll mod", "bridge", function(_, factor) return factor, 40 end)
      for _, cart in ipairs(carts) do cart:go(25, 5.5) end
    end
    crowd:update(time)
    local discs = {}
    for i, cart in ipairs(carts) do discs[i] = { cart.x, cart.y, 0.38, COLOURS.violet } end
    return { { way = grid:path(2, 6, 25, 6, { costs = costs }), colour = COLOURS.violet } }, discs
  end
end

-- The animation ------------------------------------------------------------------------------------------------------

local SCENES = { boots, door, mod }

local function draw_cells(picture, grid, left)
  local wide, high = grid:width(), grid:height()
  for y = 1, high do
    for x = 1, wide do
      local weight, tag = grid:get(x, y)
      local colour = weight == false and COLOURS.wall or COLOURS[tag] or COLOURS.floor
      picture:fill(left + (x - 1) * CELL, (y - 1) * CELL, CELL, CELL, colour)
    end
  end
end

local function draw_way(picture, way, colour, left)
  local before_x, before_y
  for _, x, y in way:each() do
    local at_x, at_y = left + (x - 0.5) * CELL, (y - 0.5) * CELL
    if before_x then picture:line(before_x, before_y, at_x, at_y, colour) end
    before_x, before_y = at_x, at_y
  end
end

local running, wide, high = {}, 0, 0
for i, scene in ipairs(SCENES) do
  local grid, step = scene()
  local columns, rows = grid:width(), grid:height()
  running[i] = { grid = grid, step = step, left = wide + (i > 1 and GAP or 0) }
  wide, high = running[i].left + columns * CELL, rows * CELL
end

local animation
local wanted = {}
for _, colour in pairs(COLOURS) do
  wanted[#wanted + 1] = ("#%02x%02x%02x"):format(colour[1] * 255, colour[2] * 255, colour[3] * 255)
end
table.sort(wanted)
for number = 1, PICTURES do
  local picture = new_image(wide, high)
  for _, scene in ipairs(running) do
    local lines, discs = scene.step(number == 1 and 0 or PAUSE)
    draw_cells(picture, scene.grid, scene.left)
    for _, line in ipairs(lines) do draw_way(picture, line.way, line.colour, scene.left) end
    for _, disc in ipairs(discs) do
      picture:disc(scene.left + disc[1] * CELL, disc[2] * CELL, disc[3] * CELL, disc[4])
    end
  end
  animation = animation or gif(picture, math.floor(PAUSE * 100 + 0.5), wanted)
  animation:add(picture)
end
local file = assert(io.open(assert(arg[1], "name a file"), "wb"))
file:write(animation:finish())
file:close()
