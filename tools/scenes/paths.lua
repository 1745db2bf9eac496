-- SPDX-License-Identifier: MIT
-- Pictures of paths: costs, mods, sizes, ranges and turns.

local wend = require "wend"
local panels = require "tools.scenes.panels"

local scenes = {}
local TERRAIN = { ["~"] = "swamp", r = "river", b = "bridge", f = "ford" }

local function cells_of(list)
  local flat = {}
  for _, cell in ipairs(list) do flat[#flat + 1], flat[#flat + 2] = cell[1] - 0.5, cell[2] - 0.5 end
  return flat
end

local function lake()
  return wend.parse_grid([[
    ..............
    .....~~~~.....
    ...~~~~~~~~...
    ...~~~~~~~~...
    ...~~~~~~~~...
    .....~~~~.....
    ..............
  ]], TERRAIN)
end

scenes["first-boots"] = function()
  local map = lake()
  return { wide = 340, title = "Boots and swamp", { map,
    path = { map:path(1, 4, 14, 4, { costs = wend.costs { swamp = 3 } }), map:path(1, 4, 14, 4) } } }
end

local function shore()
  return wend.parse_grid([[
    ......r.......
    ......b.......
    ......r.......
    ......r.......
    ......r.......
    ......f.......
    ......r.......
  ]], TERRAIN)
end
local CARTS = { river = false, bridge = 1, ford = 4 }

scenes["first-mod"] = function()
  local map, costs = shore(), wend.costs(CARTS)
  local before = map:path(1, 3, 14, 3, { costs = costs })
  costs:rule("toll mod", "bridge", function(_, factor) return factor, 20 end)
  return { wide = 340, title = "A mod changes the way",
    { map, path = { before, map:path(1, 3, 14, 3, { costs = costs }) } } }
end

scenes["mod-rule"] = function()
  local map, costs = shore(), wend.costs(CARTS)
  local before = map:path(1, 3, 14, 3, { costs = costs })
  costs:mod("toll"):rule("toll", "bridge", function(_, factor) return factor, 20 end)
  local after = map:path(1, 3, 14, 3, { costs = costs })
  return { title = "Before and after a rule",
    { map, path = before, caption = ("Before: the bridge. Cost %.1f"):format(before.cost) },
    { map, path = after, caption = ("After the rule: the ford. Cost %.1f"):format(after.cost) } }
end

scenes["guide-graph"] = function()
  local level = wend.graph()
  for _, place in ipairs { { "gate", 0, 0 }, { "mill", 30, 40 }, { "keep", 60, 0 } } do
    level:add_node(place[2], place[3], { name = place[1] })
  end
  level:add_edges { "gate", "mill", "mill", "keep" }
  local start = level:path("gate", "keep")
  local later = level:copy()
  later:add_node(60, 30, { name = "cliff" })
  later:add_edge("mill", "cliff")
  later:add_edge("cliff", "keep", { directed = true })
  later:close_edge(later:edge_between("mill", "keep"))
  return { title = "A guard walks over the mill", wide = 560, { level, path = start, caption = "By the mill" },
    { later, path = later:path("gate", "keep"), caption = "Mill to keep is closed: down the cliff" } }
end

scenes["guide-grid"] = function()
  local map = wend.parse_grid([[
    .......#....
    .####..#....
    ....#.....~~
    ....+..#..~~
  ]], { ["~"] = "water", ["+"] = "door" })
  return { title = "A path through the door", wide = 420, { map, path = map:path(1, 4, 12, 1), legend = true } }
end

scenes["guide-costs"] = function()
  local map = lake()
  local function to(costs, caption)
    local path = map:path(1, 4, 14, 4, { costs = wend.costs(costs) })
    return { map, path = path, caption = caption:format(path.cost) }
  end
  return { title = "The same swamp for two agents", to({ swamp = 3 }, "Without boots: around. Cost %.1f"),
    to({ swamp = 1 }, "With boots: through. Cost %.1f") }
end

scenes["why-not"] = function()
  local map = wend.parse_grid([[
    ......#......
    ......#......
    ......D......
    ......#......
    ......w......
    ......w......
  ]], { D = "door", w = "water" })
  local costs = wend.costs { door = false, water = false }
  local obstacle = assert(map:why_not(2, 3, 12, 3, { costs = costs })).obstacles[1]
  return { title = "The smallest obstacle", wide = 420, { map, costs = costs, legend = true,
    over = function(place)
      local x, y, unit = place(obstacle.x - 0.5, obstacle.y - 0.5)
      return panels.discs { { 1.5, 2.5, 0.3, "#00707a" }, { 11.5, 2.5, 0.3, "#d4003c" } } (place)
        .. ('<circle cx="%g" cy="%g" r="%g" fill="none" stroke="#d4003c" stroke-width="4"/>\n'):format(x, y, unit * 0.8)
    end } }
end

scenes["why-compare"] = function()
  local map = wend.parse_grid([[
    .........
    ..~~~~~..
    ..~~~~~..
    .........
  ]], TERRAIN)
  local costs = wend.costs { swamp = 5 }
  local taken = map:path(1, 2, 9, 2, { costs = costs })
  local straight = {}
  for x = 1, 9 do straight[x] = { x, 2 } end
  local flat = {}
  for x = 1, 9 do flat[2 * x - 1], flat[2 * x] = x, 2 end
  local cost = 0
  for _, step in ipairs(map:explain(flat, { costs = costs })) do cost = cost + step.cost end
  return { title = "Two ways, and what they cost",
    { map, path = taken, caption = ("Taken: cost %.1f"):format(taken.cost) },
    { map, route = cells_of(straight), caption = ("The other way: cost %.1f"):format(cost) } }
end

scenes["sizes"] = function()
  local list = { title = "Paths of agents of size 1, 2 and 3" }
  for size = 1, 3 do
    local map = wend.parse_grid [[
      .......#.......
      .......#.......
      ...............
      .......#.......
      .......#.......
      ...............
      ...............
      .......#.......
      ...............
      ...............
      ...............
    ]]
    local path = map:path(3, 2, 12, 2, { size = size })
    list[size] = { map, path = path, caption = "size = " .. size }
  end
  return list
end

scenes["goals-in-range"] = function()
  local map = wend.parse_grid [[
    ...........
    .....#.....
    .....#.....
    .....#.....
    ...........
    ...........
  ]]
  local function to(options, caption)
    local path = map:path(1, 3, 9, 3, options)
    return { map, path = path, caption = caption, over = panels.discs { { 8.5, 2.5, 0.3, "#00707a" } } }
  end
  return { title = "Places that fit a goal", to({ within = 3 }, "within = 3"), to({ beside = true }, "beside = true"),
    to({ sight = true }, "sight = true") }
end

scenes["turns"] = function()
  local map = wend.parse_grid([[
    ......z.......
    .####.#######.
    ..............
  ]], { z = "zone" }, { diagonals = "never" })
  local path = map:path(1, 1, 14, 1, { per_turn = 4, rest = 2, costs = wend.costs { zone = { ends_turn = true } } })
  local ends = {}
  for turn, i in ipairs(path:turns()) do
    local x, y = path[2 * i - 1], path[2 * i]
    ends[x .. "," .. y] = turn
  end
  return { title = "Where each turn ends", wide = 560, { map, path = path,
    caption = "Where turns end: after 4 points, the first after 2, and in the zone.",
    over = function(place)
      local out = {}
      for key, turn in pairs(ends) do
        local cx, cy = key:match "(%d+),(%d+)"
        local x, y, unit = place(cx - 0.5, cy - 0.5)
        out[turn] = ('<circle cx="%g" cy="%g" r="%g" fill="#ffffff" stroke="#d4003c" stroke-width="2"/>'
          .. '<text x="%g" y="%g" font-size="14" text-anchor="middle" fill="#2b2f3a">%d</text>'):format(x, y,
          unit * 0.36, x, y + 5, turn)
      end
      return table.concat(out, "\n") .. "\n"
    end } }
end

return scenes
