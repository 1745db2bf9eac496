-- SPDX-License-Identifier: MIT
-- Small real-time games: in every step no walker overlaps another or is in a wall. All arrive in time. A game that
-- is saved and loaded on the way ends like one that is only saved. support/scene_list.lua holds the scenes, and
-- support/scene_limits.lua what they must reach. `make scenes` prints the figures.
local list = require "spec.move.support.scene_list"
local limits = require "spec.move.support.scene_limits"
local scenes = require "spec.move.support.scenes"

-- Scenes that take long.
local TAGS = {
  chase = "slow", crossing = "slow", doors = "slow", game_map = "slow", herd = "slow", junction = "slow",
  melee = "slow", moor = "slow", ogres = "slow", orders = "slow", room = "slow", traffic = "slow",
  building = "many", gates = "many", sizes = "many",
}

local names = {}
for name in pairs(list) do names[#names + 1] = name end
table.sort(names)

describe("a scene", function()
  for _, name in ipairs(names) do
    it(("ends well: %s%s"):format(name, TAGS[name] and " #" .. TAGS[name] or ""), function()
      local scene = list[name]()
      if not scene then return pending "without the folder of real maps" end
      local game = scenes.play(scene, { saves = 7 })
      assert.same({}, scenes.missed(game, assert(limits[name], "a scene without limits")))
      assert.equal(game.hash, scenes.play(list[name](), { unwatched = true, saves = 7, loads = true }).hash)
    end)
  end
end)
