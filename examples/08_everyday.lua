-- An everyday game without graphics: 300 units of three types in a castle, where a door opens or closes in each
-- frame. 20 of the units chase others and plan again all the time. Everybody walks on curves. All plans are requests in
-- a queue, which may expand some thousand cells in each frame. castle.lua has the game.
--
-- U-turns: a unit that plans from the middle of its cell walks back there first. `grid:route` and `join` prevent it.
local wend = require "wend"
local castle = dofile((arg[0]:match "^.*[/\\]" or "") .. "castle.lua")

local FRAMES = 300 -- of 1/60 s

--- Plays, and measures the garbage of walking in the second half. It stops the collector then, and the compiler of
--- LuaJIT is off, because they allocate memory too. Returns the game and the garbage in kB.
local function play(game, frames)
  local garbage = 0
  if jit then
    jit.off()
    jit.flush() -- code that is compiled already may compile more of its branches
  end
  for frame = 1, frames do
    local measured = frame > frames / 2
    if measured then collectgarbage "stop" end
    for _, phase in ipairs(castle.phases) do
      local before = collectgarbage "count"
      game[phase](game)
      if measured and phase == "walk" then garbage = garbage + collectgarbage "count" - before end
    end
    game:count_turns()
  end
  collectgarbage "restart"
  if jit then jit.on() end
  return game, garbage
end

local game, garbage = play(castle.new(wend), FRAMES)
local waiting = game.queue:pending()
while game.queue:pending() > 0 do game:plan() end -- the answers that are still missing
print(("%d units, %d chases, %d doors, %d seconds"):format(
  castle.units, castle.chases, #game.doors_of_map, FRAMES / 60))
print(("  doors moved                 %5d times"):format(game.toggled))
print(("  requests                    %5d, answered in time %d, later %d"):format(
  game.asked, game.asked - waiting, game.answered + waiting - game.asked))
print(("  the longest wait            %5d frames"):format(game.longest))
print(("  no way                      %5d answers"):format(game.failed))
print(("  out of date                 %5d answers"):format(game.outdated))
print(("  paths changed by a door     %5d"):format(game.replanned))
print(("  arrived                     %5d units"):format(game.arrived))
print(("  caught                      %5d units"):format(game.caught))
print(("  U-turns that no path has    %5d"):format(game.needless))
print(("  garbage of walking          %5d bytes"):format(garbage * 1024))
local naive = play(castle.new(wend, { naive = true }), 60)
print(("U-turns without grid:route and join, in a second: %s"):format(
  naive.needless > 100 and "over a hundred" or "few"))

--[[ prints
300 units, 20 chases, 120 doors, 5 seconds
  doors moved                   300 times
  requests                     7348, answered in time 7348, later 0
  the longest wait                2 frames
  no way                         85 answers
  out of date                     0 answers
  paths changed by a door       956
  arrived                        32 units
  caught                         29 units
  U-turns that no path has        0
  garbage of walking              0 bytes
U-turns without grid:route and join, in a second: over a hundred
]]
