-- SPDX-License-Identifier: MIT
-- Requests of wend.queue against direct calls, on one Lua. sections/requests.lua runs it on each and prints the
-- results.
-- It runs on every Lua, from the root of the project:
--
--   requests.lua COUNT ROUNDS         prints lines "name value"; times in seconds for each request

local wend = require "wend"

local count, rounds = tonumber(arg[1]), tonumber(arg[2])

-- Short paths over open ground with terrain: the queue itself is a large part of their time.
local grid = wend.grid(200, 200)
for i = 1, 4000 do grid:set(i * 37 % 200 + 1, i * 91 % 200 + 1, 2) end
local trips = {}
for i = 1, count do
  local x, y = i * 53 % 190 + 1, i * 71 % 190 + 1
  trips[i] = { x, y, x + i % 9, y + i % 7 }
end

--- The time for each request, the least of all rounds.
local function measure(name, fn)
  local best = math.huge
  for _ = 1, rounds do
    collectgarbage()
    local started = os.clock()
    fn()
    best = math.min(best, os.clock() - started)
  end
  print(("%s %.17g"):format(name, best / count))
end

local answered = 0
local function done(path) answered = answered + (path and 1 or 0) end
local options, q = { on_done = done }, wend.queue()

local function ask()
  for i = 1, count do
    local trip = trips[i]
    q:path(grid, trip[1], trip[2], trip[3], trip[4], options)
  end
end

measure("direct", function()
  for i = 1, count do
    local trip = trips[i]
    done((grid:path(trip[1], trip[2], trip[3], trip[4])))
  end
end)
measure("search", function()
  for i = 1, count do
    local trip = trips[i]
    local search = grid:search(trip[1], trip[2], trip[3], trip[4])
    while search:step(256) == "running" do end
    done((search:result()))
  end
end)
measure("step", function()
  ask()
  while q:pending() > 0 do q:step(1000) end
end)
measure("run", function()
  ask()
  while q:pending() > 0 do q:run(0.002) end
end)
measure("cancelled", function()
  ask()
  q:clear():step(1)
end)
assert(answered == 4 * rounds * count)

-- Garbage of one request, in bytes.
collectgarbage()
collectgarbage "stop"
local before = collectgarbage "count"
for i = 1, count do
  local trip = trips[i]
  grid:path(trip[1], trip[2], trip[3], trip[4])
end
local direct = collectgarbage "count" - before
before = collectgarbage "count"
ask()
q:step(math.huge)
print(("garbage %.17g"):format((collectgarbage "count" - before - direct) * 1024 / count))
