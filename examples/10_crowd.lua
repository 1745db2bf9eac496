-- SPDX-License-Identifier: MIT
-- Crowds: a door, a corridor, two walkers head on, and many who go to one spot. Each line says how many have arrived,
-- whether two walkers ever overlapped by more than 1 %, and whether one was ever inside a wall.
local wend = require "wend"

--- Runs a crowd until all have arrived, or for so many seconds. Returns whether it stayed clean.
local function run(crowd, map, seconds)
  local walkers, positions, clean = {}, {}, true
  for w in crowd:each() do walkers[#walkers + 1] = w end
  for step = 1, seconds * 30 do
    crowd:update(1 / 30)
    if step % 10 == 0 then
      crowd:positions(positions)
      local waiting = false
      for i, a in ipairs(walkers) do
        local x, y = positions[2 * i - 1], positions[2 * i]
        waiting = waiting or a.state ~= "arrived"
        if map and map:is_closed(map:cell_at(x, y)) then clean = false end
        for j = i + 1, #walkers do
          local dx, dy = positions[2 * j - 1] - x, positions[2 * j] - y
          local least = 0.98 * 0.99 * (a.radius + walkers[j].radius) -- positions lie between two steps
          if dx * dx + dy * dy < least * least then clean = false end
        end
      end
      if not waiting then break end
    end
  end
  local arrived = 0
  for _, w in ipairs(walkers) do
    if w.state == "arrived" then arrived = arrived + 1 end
  end
  return arrived, clean and "apart" or "not apart"
end

local function report(name, ...) print(("%-10s %d arrived, %s"):format(name, ...)) end

-- A wall with a door of 2 cells; 30 walkers go through it.
local room = wend.grid(30, 16):fill(15, 1, 15, 16, false):open(15, 8, 15, 9)
local crowd, group = wend.crowd { map = room }, {}
for i = 0, 29 do
  group[#group + 1] = crowd:add { x = 3 + i % 6 * 1.2, y = 4 + math.floor(i / 6) * 1.4, radius = 0.4 }
end
crowd:go(group, 23, 8)
report("door", run(crowd, room, 100))

-- A corridor of 3 cells; 8 walkers from each end.
local corridor = wend.grid(40, 3)
crowd = wend.crowd { map = corridor }
for i = 0, 7 do
  local x, y = 1 + math.floor(i / 2) * 1.2, 0.7 + i % 2 * 1.4
  crowd:add({ x = x, y = y, radius = 0.4 }):go(34 + x, y)
  crowd:add({ x = 40 - x, y = y, radius = 0.4 }):go(6 - x, y)
end
report("corridor", run(crowd, corridor, 100))

-- Two walkers head on.
crowd = wend.crowd()
crowd:add({ x = 0, y = 0 }):go(20, 0)
crowd:add({ x = 20, y = 0 }):go(0, 0)
report("head on", run(crowd, nil, 60))

-- 40 walkers from all sides to one spot.
crowd, group = wend.crowd(), {}
for i = 0, 39 do
  local side, along = i % 4, 3 * math.floor(i / 4) - 15
  local x, y = side < 2 and along or 20, side < 2 and 20 or along
  if side % 2 == 1 then x, y = -x, -y end
  group[#group + 1] = crowd:add { x = x, y = y }
end
crowd:go(group, 0, 0)
report("spot", run(crowd, nil, 100))

--[[ prints
door       30 arrived, apart
corridor   16 arrived, apart
head on    2 arrived, apart
spot       40 arrived, apart
]]
