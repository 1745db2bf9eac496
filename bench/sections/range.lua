-- SPDX-License-Identifier: MIT
-- Trips that end within 5 cells of their goals, compared with those to the goals themselves: cell by cell, where the
-- expansions compare, and as wend searches by itself. Then trips that end in sight of goals, and many goals.

local common, grids, wend = require "common", require "grids", require "wend"

local maps = {
  "dao/lak303d", "dao/brc202d", "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown", "street/NewYork_0_1024",
  "mazes/maze512-8-0", "random/random512-20-0", "rooms/32room_000",
}
local cells, near_cells = { heuristic = "octile" }, { heuristic = "octile", within = 5 }
local near = { within = 5 }

local function measure(input, count)
  local trips, map = input:trips(count), input:wend()
  input:release()
  local seconds = common.race {
    { "cells", common.run(map, trips, cells) }, { "near_cells", common.run(map, trips, near_cells) },
    { "goal", common.run(map, trips) }, { "near", common.run(map, trips, near) },
  }
  local expanded = common.expanded(map, trips, cells)
  return {
    input.name, count,
    common.round(expanded / count, 0),
    common.round(common.expanded(map, trips, near_cells) / expanded, 3),
    common.round(seconds.near_cells / seconds.cells, 2),
    common.round(seconds.goal / count * 1e6, 1),
    common.round(seconds.near / count * 1e6, 1),
  }
end

-- The longest slice of a request, as q:run(0.001) cuts it.
local function worst_slice(map, ...)
  local q, worst = wend.queue { clock = os.clock }, 0
  q:path(map, ...)
  while q:pending() > 0 do
    local started = os.clock()
    q:run(0.001)
    worst = math.max(worst, os.clock() - started)
  end
  return worst
end

-- The goals of so many trips, from number `first` on, as a list.
local function goals_of(trips, first, count)
  local goals = {}
  for i = 1, count do
    local at = ((first + i - 2) * 4) % #trips
    goals[2 * i - 1], goals[2 * i] = trips[at + 3], trips[at + 4]
  end
  return goals
end

-- Trips that end where they see one goal, or any of a hundred.
local function measure_sight(input, count)
  local trips, map = input:trips(count), input:wend()
  input:release()
  local row, options = { input.name, count }, { sight = true, into = {} }
  for _, goal_count in ipairs { 1, 100 } do
    local lists, worst = {}, 0
    for i = 1, count do
      lists[i] = goals_of(trips, i, goal_count)
      worst = math.max(worst, worst_slice(map, trips[4 * i - 3], trips[4 * i - 2], lists[i], { sight = true }))
    end
    local seconds = common.race { { "path", function(repeats)
      for _ = 1, repeats do
        for i = 1, count do map:path(trips[4 * i - 3], trips[4 * i - 2], lists[i], options) end
      end
    end } }
    row[#row + 1] = common.round(seconds.path / count * 1e6, 1)
    row[#row + 1] = common.round(worst * 1000, 2)
  end
  return row
end

-- A graph of 200 x 200 nodes, and the nodes of its lower rows as goals.
local function measure_graph(goal_count)
  local graph, points, edges, goals = wend.graph(), {}, {}, {}
  for i = 0, 39999 do points[2 * i + 1], points[2 * i + 2] = i % 200, math.floor(i / 200) end
  graph:add_nodes(points)
  for i = 1, 40000 do
    if i % 200 ~= 0 then edges[#edges + 1], edges[#edges + 2] = i, i + 1 end
    if i <= 39800 then edges[#edges + 1], edges[#edges + 2] = i, i + 200 end
  end
  graph:add_edges(edges)
  for i = 1, goal_count do goals[i] = 40001 - i end
  local options = { within = 3, into = {} }
  local seconds = common.race { { "path", function(repeats)
    for _ = 1, repeats do graph:path(1, goals, options) end
  end } }
  local worst = worst_slice(graph, 1, goals, options)
  return { goal_count, common.round(seconds.path * 1000, 2), common.round(worst * 1000, 2) }
end

return {
  name = "range",
  title = "Trips that end within 5 cells of the goal, compared with trips to the goal",
  run = function()
    grids.print_rows(maps, measure, {
      "map", "trips", "cells expanded", "within / goal", "time within / goal, by cells", "goal µs", "within µs",
    })
    print "\nTrips that end in sight of one goal, and of any of 100; the longest slice of q:run(0.001)\n"
    grids.print_rows(maps, measure_sight, {
      "map", "trips", "one goal µs", "slice ms", "100 goals µs", "slice ms",
    })
    print "\nA path over a graph of 40,000 nodes that ends within 3 of a goal\n"
    common.print_table({ "goals", "path ms", "slice ms" }, { measure_graph(1), measure_graph(16000) })
  end,
}
