-- SPDX-License-Identifier: MIT
-- Small real-time games: in every step no walker overlaps another or is in a wall. All arrive in time. A game that
-- is saved and loaded on the way ends like one that is not. spec/support/scene_list.lua holds the scenes.
local list = require "spec.support.scene_list"
local scenes = require "spec.support.scenes"

-- For each scene: how many have to arrive; within how many seconds; how many degrees one may turn while it stands.
local LIMITS = {
  building = { 24, 33, 900 },
  corridor = { 1, 28, 600 },
  crossing = { 48, 31, 800 },
  doors = { 30, 52, 1400 },
  escort = { 1, 42, 500 },
  gates = { 20, 24, 600 },
  herd = { 40, 32, 1300 },
  junction = { 30, 24, 500 },
  melee = { 40, 33, 1000 },
  moor = { 0, 60, 300 },
  orders = { 0, 60, 600 },
  raid = { 12, 36, 1500 },
  routes = { 6, 34, 300 },
  sizes = { 21, 27, 500 },
}

local names = {}
for name in pairs(list) do names[#names + 1] = name end
table.sort(names)

describe("a scene", function()
  for _, name in ipairs(names) do
    it("ends well: " .. name, function()
      local limits = assert(LIMITS[name], "a scene without limits")
      local game = scenes.play(list[name]())
      local arrived, slowest, whirled = 0, 0, 0
      for _, figure in ipairs(game.figures) do
        if figure.time then arrived, slowest = arrived + 1, math.max(slowest, figure.time) end
        whirled = math.max(whirled, figure.whirled)
      end
      assert.is_true(arrived >= limits[1], ("%d arrived"):format(arrived))
      assert.is_true(slowest <= limits[2], ("the last one took %.1f s"):format(slowest))
      assert.is_true(whirled <= limits[3], ("one turned %.0f degrees while it stood"):format(whirled))
      assert.equal(game.hash, scenes.play(list[name](), { unwatched = true, saves = name == "orders" and 3 or 7 }).hash)
    end)
  end
end)
