-- SPDX-License-Identifier: MIT
-- Plays the scenes of spec/move/support/scene_list.lua and prints a row of figures for each. `make scenes` runs it.
-- Exits with 1 if one misses its limits.
package.path = "./?.lua;" .. package.path

local list = require "spec.move.support.scene_list"
local limits = require "spec.move.support.scene_limits"
local scenes = require "spec.move.support.scenes"

local names, failed = {}, false
for name in pairs(list) do names[#names + 1] = name end
table.sort(names)

print "scene      arrived     last s     free way      turned"
for _, name in ipairs(names) do
  local scene = list[name]()
  if scene then
    local game, limit = scenes.play(scene), limits[name]
    local arrived, slowest, part, whirled = scenes.figures(game)
    local missed = scenes.missed(game, limit)
    failed = failed or #missed > 0
    print(("%-10s %3d/%3d %5.1f/%3d %6.2f/%-5s %4.0f/%3d  %s"):format(name, arrived, limit[1], slowest, limit[2], part,
      limit[3] or "-", whirled, limit[4], table.concat(missed, "; ")))
  end
end
os.exit(not failed)
