-- From a map to a walking unit: the nearest nodes, routes, routes that differ, curves, and followers.
--
--   06_moving.lua [FILE.svg]     with a file name, it also draws a picture
local wend = require "wend"

-- A yard of 120 x 64 with a barn and a pond, and mud around the pond.
local walls = wend.walls()
walls:add_polygon { 28, 17, 52, 17, 52, 43, 28, 43 }
walls:add_circle(84, 34, 9)

local function is_muddy(x, y)
  return x > 64 and x < 104 and y > 22 and y < 48
end

-- Waypoints at distances of 8, joined to their neighbours if there is room to walk.
local yard = wend.graph()
local function walkable(x1, y1, x2, y2)
  return walls:clear(x1, y1, x2, y2, 2)
end
for y = 4, 60, 8 do
  for x = 4, 116, 8 do
    if walkable(x, y, x, y) then
      local here = yard:add_node(x, y)
      for _, there in ipairs((yard:nearest(x, y, { limit = 9, max_distance = 12, clear = walkable }))) do
        if there < here then
          local x2, y2 = yard:position(there)
          yard:add_edge(here, there, { tag = is_muddy((x + x2) / 2, (y + y2) / 2) and "mud" or nil })
        end
      end
    end
  end
end
local costs = wend.costs { mud = 2 }

print "A unit at (6, 26) is to walk to (113, 37)."
local from, to = { x = 6, y = 26 }, { x = 113, y = 37 } -- any object with fields x and y, such as a game object
print(("  the nearest waypoint is %d, %.2f away"):format(yard:nearest(from)))
print(("  the nearest edge is %d, at (%g, %g), %.2f away"):format(yard:nearest_edge(from)))

local options = { costs = costs, clear = walkable, enter = "edge" }
local route = assert(yard:route(from, to, options))
print(("  the route has %d points, passes %d waypoints and costs %.2f\n"):format(#route / 2, #route.nodes, route.cost))

-- Three units with different seeds take different routes. They may cost up to twice as much as the cheapest one, and
-- usually cost far less. The option jitter also moves the points.
local ways, curves = {}, {}
for unit, seed in ipairs { 1, 3, 12 } do
  options.variation, options.jitter, options.seed = 1, 2, seed
  ways[unit] = assert(yard:route(from, to, options))
  curves[unit] = wend.curve(ways[unit], { clear = walls, spacing = 1 })
  print(("Unit %d takes its own route: it costs %.2f"):format(unit, ways[unit].cost))
end

-- A character is 2 wide and 4 high.
for row = 1, 16 do
  local line = {}
  for column = 1, 60 do
    local x, y = column * 2 - 1, row * 4 - 2
    line[column] = not walls:clear(x, y, x, y) and "#" or is_muddy(x, y) and "~" or "."
  end
  for unit, points in ipairs(curves) do
    for i = 1, #points, 2 do
      if math.ceil(points[i + 1] / 4) == row then
        line[math.ceil(points[i] / 2)] = tostring(unit)
      end
    end
  end
  print("  " .. table.concat(line))
end

print "\nUnit 1 walks at a speed of 15. After almost three seconds it is called back."
local walker = wend.follow(ways[1], { speed = 15, curve = "catmull_rom", clear = walls })
local frame = 0
repeat
  frame = frame + 1
  if frame == 15 then
    walker:go(assert(yard:route(walker, from, options))) -- from its position: a follower has x and y
  end
  local x, y = walker:update(0.2)
  if frame % 3 == 0 then
    print(("  after %.2f s: at (%.2f, %.2f), heading %4.0f degrees, %.2f to go"):format(frame * 0.2, x, y,
      math.deg(walker.heading), walker:remaining()))
  end
until walker.done
print(("  back after %.2f s"):format(frame * 0.2))

if arg[1] then
  local file = assert(io.open(arg[1], "w"))
  file:write(wend.svg(yard, { walls = walls, points = curves, title = "Three ways over the yard" }))
  file:close()
end

--[[ prints
A unit at (6, 26) is to walk to (113, 37).
  the nearest waypoint is 42, 2.83 away
  the nearest edge is 113, at (6, 26), 0.00 away
  the route has 17 points, passes 14 waypoints and costs 128.43

Unit 1 takes its own route: it costs 134.08
Unit 2 takes its own route: it costs 128.43
Unit 3 takes its own route: it costs 136.02
  ............................................................
  ............................................................
  ..........2222222...222222222...............................
  .......222......2222........22222222........................
  ......22......############..........22...22..222222.........
  ....222.......############............2222.222....2222......
  .3322111......############......~~~~~~~~####~~~~~~~~.22.....
  .333....11....############......~~~~~~########~~~~~~..2.....
  ...333...11...############......~~~~~##########~~~~~33333...
  .....333..1...############......~~~~~~########~~~~~332223...
  .......3331...############......~~~~~~~~####~~~~~~33........
  .........33.....................~~~~~~~~~~~~~~~~333~........
  ...........33333333333111..111111111111111111.333...........
  ..............31......33111.................333.............
  .......................33....333........33333...............
  .........................33333.333333333....................

Unit 1 walks at a speed of 15. After almost three seconds it is called back.
  after 0.60 s: at (9.03, 27.20), heading  -13 degrees, 131.55 to go
  after 1.20 s: at (17.20, 29.39), heading   44 degrees, 122.55 to go
  after 1.80 s: at (21.57, 37.03), heading   91 degrees, 113.55 to go
  after 2.40 s: at (20.11, 45.77), heading   68 degrees, 104.55 to go
  after 3.00 s: at (22.70, 47.53), heading -126 degrees, 27.25 to go
  after 3.60 s: at (17.22, 40.38), heading -128 degrees, 18.25 to go
  after 4.20 s: at (11.66, 33.31), heading -128 degrees, 9.25 to go
  after 4.80 s: at (6.15, 26.20), heading -127 degrees, 0.25 to go
  back after 5.00 s
]]
