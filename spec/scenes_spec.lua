-- SPDX-License-Identifier: MIT
-- Small real-time games: in every step no walker overlaps another or is in a wall. All arrive in time. A game that
-- is saved and loaded on the way ends like one that is only saved. spec/support/scene_list.lua holds the scenes.
local list = require "spec.support.scene_list"
local scenes = require "spec.support.scenes"

-- For each scene: how many have to arrive; within how many seconds; within how many times the time of the free way
-- (nil: they are sent elsewhere meanwhile); how many degrees one may turn while it stands: to face its way takes up
-- to 180.
local LIMITS = {
  building = { 24, 29, 1.7, 100 },
  chase = { 38, 75, nil, 280 },
  corridor = { 1, 26, 1.6, 100 },
  crossing = { 48, 27, 2, 280 },
  doors = { 30, 48, 3, 280 },
  escort = { 9, 42, 2, 280 },
  gates = { 20, 21, 1.5, 100 },
  herd = { 40, 27, 2.2, 280 },
  junction = { 30, 22, 1.7, 280 },
  melee = { 40, 30, 2.3, 280 },
  moor = { 0, 60, nil, 280 },
  orders = { 0, 60, nil, 280 },
  raid = { 12, 36, nil, 280 },
  room = { 70, 63, 2.9, 280 },
  routes = { 6, 29, 1.3, 100 },
  sizes = { 21, 21, 2, 100 },
}

local names = {}
for name in pairs(list) do names[#names + 1] = name end
table.sort(names)

describe("a scene", function()
  for _, name in ipairs(names) do
    it("ends well: " .. name, function()
      local limits = assert(LIMITS[name], "a scene without limits")
      local game = scenes.play(list[name](), { saves = 7 })
      local arrived, slowest, part, whirled = 0, 0, 0, 0
      for _, figure in ipairs(game.figures) do
        if figure.time then
          arrived, slowest, part = arrived + 1, math.max(slowest, figure.time), math.max(part, figure.part)
        end
        whirled = math.max(whirled, figure.whirled)
      end
      assert.is_true(arrived >= limits[1], ("%d arrived"):format(arrived))
      assert.is_true(slowest <= limits[2], ("the last one took %.1f s"):format(slowest))
      assert.is_true(part <= (limits[3] or math.huge), ("the last one took %.2f times the free way"):format(part))
      assert.is_true(whirled <= limits[4], ("one turned %.0f degrees while it stood"):format(whirled))
      assert.equal(game.hash, scenes.play(list[name](), { unwatched = true, saves = 7, loads = true }).hash)
    end)
  end
end)
