-- SPDX-License-Identifier: MIT
-- Plays the cart and the ogre as fast as possible, and checks every step: no body covers a closed cell, each goes
-- through a gate where it fits, a fire makes the cart take the other gate, and who has no way goes on when a gate
-- opens. Orders come in each frame for a while. Cells are counted without wend. Writes a picture.
-- luacheck: globals love
local level = require "level"
local heavy = require "heavy"
local new_screen = require "screen"

local STEP, CELL = 1 / 60, level.cell
local EDGE = 0.01 -- pixels

return function(game, folder)
  local screen, passed = new_screen(game, folder), {}

  --- Plays so many seconds, and notes which gate each unit passes.
  local function play(seconds, each_frame)
    for _ = 1, seconds / STEP do
      if each_frame then each_frame() end
      game.update(STEP)
      for _, unit in ipairs(heavy.units) do
        local half = unit.size * CELL / 2 - EDGE
        for y = math.floor((unit.y - half) / CELL) + 1, math.floor((unit.y + half) / CELL) + 1 do
          for x = math.floor((unit.x - half) / CELL) + 1, math.floor((unit.x + half) / CELL) + 1 do
            if heavy.grid:is_closed(x, y) then
              error(("the %s at %.1f, %.1f covers the closed cell %d, %d"):format(unit.name, unit.x, unit.y, x, y))
            end
            for i, gate in ipairs(heavy.gates) do
              if x == gate[1] and y >= gate[2] and y <= gate[4] then passed[unit.name] = i end
            end
          end
        end
      end
    end
  end

  local function arrived(what)
    for _, unit in ipairs(heavy.units) do
      assert(not unit.moving and not unit.lost, ("%s: the %s has not arrived"):format(what, unit.name))
    end
  end

  game.many = false
  love.keypressed "h"
  love.mousepressed(770, 160, 1)
  play(20)
  arrived "without a fire"
  assert(passed.cart == 2 and passed.ogre == 1, "each goes through its own gate")

  love.mousepressed(150, 280, 1) -- back, with a fire on the road
  love.mousepressed(525, 75, 2)
  local hot = heavy.danger:get(35, 5)
  play(1)
  assert(passed.cart == 2 and hot > 1 and heavy.danger:get(35, 5) < hot, "a danger fades")
  play(4, function()
    love.mousepressed(150, 280, 1) -- the same order in each frame
    if heavy.danger:get(35, 6) < 6 then love.mousepressed(525, 75, 2) end
  end)
  love.keypressed "p"
  screen.draw "heavy"
  screen.draw()
  love.keypressed "p"
  play(20)
  arrived "with a fire"
  assert(passed.cart == 1, "the fire closes the road to the cart")

  love.keypressed "r"
  local cart, ogre = heavy.units[1], heavy.units[2]
  passed = {}
  love.keypressed "o" -- the gate of the ogre is closed
  love.mousepressed(770, 160, 1)
  play(25)
  assert(not cart.lost and passed.cart == 2, "the cart has its gate")
  assert(ogre.lost and not passed.ogre, "the ogre has no way, and says so")
  love.keypressed "o"
  love.keypressed "o" -- all are open again
  play(15)
  arrived "when the gate is open again"
  assert(passed.ogre == 1, "the ogre goes on")
  love.keypressed "h"
  assert(not game.heavy and not level.grid:is_closed(35, 1), "the level has no palisade")
  print "ok: a cart and an ogre, each through its own gate, around a fire, and before closed gates"
end
