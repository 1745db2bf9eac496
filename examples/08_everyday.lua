-- An everyday game without graphics: 300 units of three types in a castle with doors that open and close. 20 of them
-- chase others and plan again in every frame. Everybody walks on curves. castle.lua has the game.
--
-- U-turns: a unit that plans from the middle of its cell walks back there first. `grid:route` and `join` prevent it.
local wend = require "wend"
local castle = dofile((arg[0]:match "^.*[/\\]" or "") .. "castle.lua")

local FRAMES = 300 -- of 1/60 s

--- Plays, and measures the garbage of walking. Returns the game and the median garbage of a frame.
local function play(game, frames)
  local garbage = {}
  for frame = 1, frames do
    for _, phase in ipairs(castle.phases) do
      if phase == "walk" then
        collectgarbage "stop"
        local before = collectgarbage "count"
        game:walk()
        garbage[frame] = collectgarbage "count" - before
        collectgarbage "restart"
      else
        game[phase](game)
      end
    end
    game:count_turns()
  end
  table.sort(garbage)
  return game, garbage[math.ceil(frames / 2)]
end

local game, garbage = play(castle.new(wend), FRAMES)
print(("%d units, %d chases, %d doors, %d seconds"):format(castle.units, castle.chases, #game.doors_of_map, FRAMES / 60))
print(("  doors moved                 %5d times"):format(game.toggled))
print(("  paths changed by a door     %5d"):format(game.replanned))
print(("  arrived                     %5d units"):format(game.arrived))
print(("  caught                      %5d units"):format(game.caught))
print(("  U-turns that no path has    %5d"):format(game.needless))
print(("  garbage of walking          %5d bytes in a frame"):format(garbage * 1024))
local naive = play(castle.new(wend, { naive = true }), 60)
print(("U-turns without grid:route and join, in a second: %s"):format(naive.needless > 100 and "over a hundred" or "few"))

--[[ prints
]]
