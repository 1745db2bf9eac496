-- SPDX-License-Identifier: MIT
-- The game of examples/castle.lua, measured on one Lua. sections/everyday.lua runs it on each and prints the results.
-- It runs on every Lua, from the root of the project:
--
--   everyday.lua FRAMES ROUNDS        prints lines "name value"; times in seconds
--
-- The game is the same in each round, so the least time of each frame counts.

local wend = require "wend"
local castle = dofile "examples/castle.lua"

local frames, rounds = tonumber(arg[1]), tonumber(arg[2])

local function put(name, value) print(("%s %.17g"):format(name, value)) end

--- Runs a game in each round. `each_frame` gets the game and the number of the frame.
local function play(options, count, each_frame)
  local game
  for _ = 1, count do
    game = castle.new(wend, options)
    collectgarbage()
    for frame = 1, frames do each_frame(game, frame) end
  end
  return game
end

local function run_phases(game)
  for _, phase in ipairs(castle.phases) do game[phase](game) end
end

local function percentile(list, part) return list[math.ceil(#list * part)] end

local totals = {}
local game = play(nil, rounds, function(game, frame)
  local started = os.clock()
  run_phases(game)
  totals[frame] = math.min(totals[frame] or math.huge, os.clock() - started)
end)
table.remove(totals, 1) -- the first frame is not counted: nothing is in the caches
table.sort(totals)
put("median", percentile(totals, 0.5))
put("p99", percentile(totals, 0.99))
put("most", totals[#totals])
put("longest_wait", game.longest)
put("asked", game.asked)
put("expansions", game.queue.stats.expansions)

-- The requests of the chases once more: as routes, and as plain searches from cell to cell. All requests of a frame are
-- timed together, and the least time of all rounds counts.
local routes, paths, requests, into = {}, {}, 0, {}
play(nil, math.min(rounds, 3), function(one, frame)
  run_phases(one)
  local count, list = 0, {}
  for _, guard in ipairs(one.guards) do
    if guard.prey then
      local x1, y1 = one.grid:cell_at(guard.walker.x, guard.walker.y)
      local x2, y2 = one.grid:cell_at(guard.prey.walker.x, guard.prey.walker.y)
      count = count + 1
      list[count] = { guard = guard, x1, y1, x2, y2, { costs = guard.type.costs, into = into } }
    end
  end
  if frame == 1 then requests = 0 end
  requests = requests + count
  local started = os.clock()
  for _, request in ipairs(list) do
    one.grid:route(request.guard.walker, request.guard.prey.walker, request[5])
  end
  local middle = os.clock()
  for _, request in ipairs(list) do
    one.grid:path(request[1], request[2], request[3], request[4], request[5])
  end
  routes[frame] = math.min(routes[frame] or math.huge, middle - started)
  paths[frame] = math.min(paths[frame] or math.huge, os.clock() - middle)
end)
local function mean(list)
  local total = 0
  for frame = 1, frames do total = total + list[frame] end
  return total / requests
end
put("requests", requests)
put("route", mean(routes))
put("path", mean(paths))
