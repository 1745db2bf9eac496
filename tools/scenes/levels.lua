-- SPDX-License-Identifier: MIT
-- Pictures of checks, chokepoints, hexes, and of what wend.svg draws.

local wend = require "wend"

local scenes = {}

scenes["check-traps"] = function()
  local cave = wend.graph()
  cave:add_nodes { 0, 0, 20, 0, 40, 0, 40, 30, 60, 30, 80, 10 }
  for node, name in ipairs { "door", "hall", "ledge", "pit", "den", "isolated" } do cave:set_name(node, name) end
  cave:add_edges { 1, 2, 2, 3, 4, 5 }
  cave:add_edge(3, 4, { tag = "drop", directed = true })
  local mended = cave:copy()
  mended:add_edge(5, 3, { tag = "ladder", directed = true })
  mended:remove_node(6)
  return { title = "A trap, and the level without it",
    { cave, caption = "check finds a trap, pit and den, and a node without edges" },
    { mended, caption = "A ladder leads out, and the node is removed: connected" } }
end

scenes["chokepoints"] = function()
  local map = wend.parse_grid [[
    .......#........
    .......#........
    .......#...##.##
    ...........#....
    .......#...#....
    .......#...#....
  ]]
  return { title = "Chokepoints", wide = 420,
    { map, chokepoints = map:chokepoints { min = 5 }, caption = "Rings: cells whose loss cuts off 5 cells or more" } }
end

scenes["hexes"] = function()
  local map = wend.parse_grid([[
    ..........
    ...~~.....
    ...~~~....
    ....~..##.
    ......##..
    ..........
  ]], { ["~"] = "swamp" }, { shape = "hex" })
  local costs = wend.costs { swamp = 3 }
  return { title = "Hexes",
    { map, path = map:path(1, 3, 10, 4, { costs = costs }), caption = "A path around the swamp" },
    { map, field = map:field(2, 3, { costs = costs, outward = true, max_cost = 4 }),
      caption = "What can be reached at a cost of 4" } }
end

scenes["pictures"] = function()
  local map = wend.parse_grid([[
    .........#....
    ..~~~....#....
    ..~~~.........
    .........#....
    .........#....
  ]], { ["~"] = "swamp" })
  local path = map:path(1, 4, 14, 1, { costs = wend.costs { swamp = 3 } })
  local search = map:search(1, 4, 14, 1, { visited = true, labels = false, costs = wend.costs { swamp = 3 } })
  search:step(30)
  return { title = "What wend.svg draws",
    { map, path = path, walkers = { { x = 3.5, y = 4.5, radius = 0.4, heading = 0 } }, legend = true,
      caption = "path and walkers" },
    { map, search = search, legend = true, caption = "search" },
    { map, chokepoints = map:chokepoints { min = 5 }, legend = true, caption = "chokepoints" } }
end

scenes["guide-why"] = function()
  local level = wend.graph()
  for _, place in ipairs { { "gate", 0, 0 }, { "mill", 30, 40 }, { "keep", 60, 0 } } do
    level:add_node(place[2], place[3], { name = place[1] })
  end
  level:add_edges({ 1, 2, 2, 3 }, { tag = "road" })
  level:add_edge(1, 3, { tag = "ford" })
  local costs = wend.costs { ford = 1.2 }
  local list = { title = "The way before and after a rule", wide = 560 }
  for i, caption in ipairs { "ford = 1.2: cost %d", "with the rule 'flood': cost %d" } do
    if i == 2 then costs:rule("flood", "ford", function() return 4 end) end
    local path = level:path(1, 3, { costs = costs })
    list[i] = { level, path = path, caption = caption:format(path.cost) }
  end
  return list
end

return scenes
