-- SPDX-License-Identifier: MIT
-- Pictures of fields, influence layers, overlays and fog.

local wend = require "wend"
local panels = require "tools.scenes.panels"

local scenes = {}

local ROOMS = [[
  ..............
  .####.######..
  .#........#...
  .#..~~~...#.#.
  .#..~~~.....#.
  .########.###.
  ..............
]]

local function rooms() return wend.parse_grid(ROOMS, { ["~"] = "swamp" }) end

scenes["field-arrows"] = function()
  local map, costs = rooms(), wend.costs { swamp = 3 }
  local goal = map:field(13, 1, { costs = costs })
  return { title = "Fields", { map, field = goal, caption = "To a goal: costs and next steps" },
    { map, field = map:field(13, 1, { costs = costs }):scale(-1.2):relax(),
      caption = "scale(-1.2):relax(): to flee by" },
    { map, field = map:field(6, 3, { costs = costs, outward = true, max_cost = 5 }),
      caption = "outward, max_cost = 5: a range" } }
end

scenes["guide-field"] = function()
  local map = wend.parse_grid([[
    ..................
    .####.###########.
    .#..............#.
    .#.....~~~......#.
    .##############.#.
    ..................
  ]], { ["~"] = "swamp" })
  return { title = "A field to the gate", wide = 560,
    { map, field = map:field(18, 1, { costs = wend.costs { swamp = 2 } }), legend = true } }
end

scenes["influence"] = function()
  local map = wend.grid(16, 9)
  local danger = wend.influence(map)
  danger:stamp(8, 5, 4.5, 3, "smooth")
  local list = { title = "A path and an influence layer" }
  for i, factor in ipairs { 0, 0.3, 3 } do
    list[i] = { map, path = map:path(1, 5, 16, 5, { influence = { danger, factor } }), caption = "factor " .. factor,
      over = panels.tint(16, 9, "#d55e00", function(x, y) return danger:get(x, y) / 3 * 0.6 end) }
  end
  return list
end

scenes["overlay"] = function()
  local map = wend.parse_grid [[
    .........
    .........
    ####.####
    .........
    .........
  ]]
  map:open(9, 3)
  local team = map:overlay():close(5, 3)
  return { title = "A map and an overlay", wide = 560, { map, path = map:path(2, 1, 4, 5), caption = "The map" },
    { team, path = team:path(2, 1, 4, 5), caption = "An overlay that closes the gate" } }
end

scenes["fog"] = function()
  local world = wend.parse_grid [[
    .......#......
    .####..#..##..
    .#..#.....##..
    .#..#..#......
    ....#..#..###.
    .......#......
  ]]
  local list = { title = "What a player has seen" }
  for i, seen in ipairs { { 1, 1, 4, 6 }, { 1, 1, 8, 6 }, { 1, 1, 14, 6 } } do
    local known = world:overlay { unknown = { weight = 1 } }
    known:reveal(seen[1], seen[2], seen[3], seen[4])
    list[i] = { known, path = known:path(1, 6, 13, 1),
      caption = ("A path through what is seen: columns 1 to %d"):format(seen[3]),
      over = panels.tint(14, 6, "#7d828d", function(x, y) return known:is_known(x, y) and 0 or 0.55 end) }
  end
  return list
end

return scenes
