-- SPDX-License-Identifier: MIT
-- Weighted grids and prepared ones. "Own A*" is the search of the same map cell by cell, without jump points and
-- tables, which a named heuristic selects. All ratios are of times in one run. Each table ends with the means of its
-- rows.

local common, graphs, grids = require "common", require "graphs", require "grids"
local wend = require "wend"

local GAMES = {
  "bg512/AR0300SR", "da2/ht_chantry", "dao/arena", "dao/brc202d", "dao/lak303d", "sc1/Aftershock",
  "wc3maps512/bloodvenomfalls", "wc3maps512/icecrown",
}
local WALLS = { "rooms/32room_000", "mazes/maze512-8-0", "street/Berlin_0_512", "random/random512-20-0" }

local own = { heuristic = "octile" }

-- The inputs of a list of names; without the data a random one.
local function inputs(names)
  local list = {}
  for _, name in ipairs(common.quick and { names[1] } or names) do list[#list + 1] = grids.from_file(name) end
  if #list == 0 then list[1] = grids.made(common.quick and 128 or 512) end
  return list
end

local function prepared_copy(grid)
  local copy = grid:copy()
  return copy, copy:prepare()
end

-- Appends a row of the arithmetic means of the columns that `first` and those after it hold.
local function add_means(rows, first)
  local means = { "mean" }
  for column = 2, #rows[1] do
    local sum = 0
    for _, row in ipairs(rows) do sum = sum + row[column] end
    means[column] = column < first and "" or common.round(sum / #rows)
  end
  rows[#rows + 1] = means
end

-- Own A* against the search as it is, and against the prepared map.
local function compare(input, count)
  local trips, grid = input:trips(count), input:wend()
  local prepared = prepared_copy(grid)
  local costs = grids.costs(grid, trips, own)
  common.agree(input.name, grids.costs(grid, trips), costs)
  common.agree(input.name .. ", prepared", grids.costs(prepared, trips), costs)
  local seconds = common.race {
    { "own", grids.run(grid, trips, own) }, { "plain", grids.run(grid, trips) },
    { "prepared", grids.run(prepared, trips) },
  }
  local function micro(name) return common.round(seconds[name] / count * 1e6, 1) end
  return {
    input.name, micro "own", micro "plain", micro "prepared",
    common.round(seconds.own / seconds.plain), common.round(seconds.own / seconds.prepared),
  }
end

local function terrains(title, names, count, make)
  local rows = {}
  for _, input in ipairs(inputs(names)) do rows[#rows + 1] = compare(make(input), count) end
  add_means(rows, 5)
  print(title .. "\n")
  common.print_table({ "map", "own A* µs", "plain µs", "prepared µs", "own / plain", "own / prepared" }, rows)
  print()
end

-- The same trips on a uniform map and with one heavier cell.
local function one_heavier(count)
  local rows = {}
  local names = table.move(WALLS, 1, #WALLS, #GAMES + 1, table.move(GAMES, 1, #GAMES, 1, {}))
  for _, input in ipairs(inputs(names)) do
    local trips, uniform, heavier = input:trips(count), input:wend(), input:heavier():wend()
    common.agree(input.name, grids.costs(heavier, trips), grids.costs(heavier, trips, own))
    local seconds = common.race { { "uniform", grids.run(uniform, trips) }, { "heavier", grids.run(heavier, trips) } }
    rows[#rows + 1] = {
      input.name, common.round(seconds.uniform / count * 1e6, 1), common.round(seconds.heavier / count * 1e6, 1),
      common.round(seconds.heavier / seconds.uniform),
    }
  end
  add_means(rows, 4)
  print "A uniform map, and the same map with one heavier cell\n"
  common.print_table({ "map", "uniform µs", "heavier µs", "heavier / uniform" }, rows)
  print()
end

-- What preparing costs: the time that passes, with one thread and with two. With WEND_LARGE=1 also on 4096 x 4096.
local function preparing()
  local rows = {}
  local function add(name, grid)
    local ms = {}
    for threads = 1, 2 do
      for _ = 1, common.quick and 1 or 3 do
        local time = grid:copy():prepare({ threads = threads }).seconds * 1e3
        ms[threads] = math.min(ms[threads] or time, time)
      end
    end
    local _, report = prepared_copy(grid)
    rows[#rows + 1] = { name, common.round(ms[1], 0), common.round(ms[2], 0), common.round(ms[1] / ms[2]),
      report.bytes // 1000 }
  end
  for _, input in ipairs(inputs { "bg512/AR0300SR", "wc3maps512/icecrown", "rooms/32room_000" }) do
    add(input.name .. " terrain", input:terrain():wend())
  end
  for _, side in ipairs(common.quick and {} or { 512, 1024, 2048, os.getenv "WEND_LARGE" and 4096 or nil }) do
    add(("%d² terrain"):format(side), wend.grid(side, side):map(function(x, y)
      return 1 + (x // 16 * 7919 + y // 16 * 104729) % 1009 % 5
    end))
  end
  print "Preparing\n"
  common.print_table({ "map", "ms", "2 threads: ms", "one / two", "kB" }, rows)
  print()
end

-- `times` cells of a grid cost less. Each had weight 2 or more.
local function cheapen_cells(grid, times)
  local done = 0
  while done < times do
    local x, y = math.random(grid:width()), math.random(grid:height())
    local weight = grid:get(x, y)
    if weight and weight >= 2 then
      grid:set(x, y, weight - 1)
      done = done + 1
    end
  end
end

-- `times` edges of a graph cost half.
local function cheapen_edges(graph, times)
  local edges = {}
  for edge in graph:edges() do edges[#edges + 1] = edge end
  for _ = 1, times do
    local edge = edges[math.random(#edges)]
    graph:set_weight(edge, graph:edge(edge).weight / 2)
  end
end

-- Prepared trips after edits, against the trips on the map prepared anew, and on the map that is not prepared.
local function edits(rows, name, map, trips, cheapen, run, costs)
  for _, times in ipairs { 0, 1, 10, 30 } do
    local edited = prepared_copy(map)
    math.randomseed(graphs.seed)
    cheapen(edited, times)
    local fresh, plain = edited:copy(), edited:copy()
    fresh:unprepare()
    fresh:prepare()
    plain:unprepare()
    common.agree(name, costs(edited, trips), costs(plain, trips))
    local seconds = common.race {
      { "edited", run(edited, trips) }, { "fresh", run(fresh, trips) }, { "plain", run(plain, trips) },
    }
    rows[#rows + 1] = {
      name, times, common.round(seconds.edited * 1e3, 1),
      common.round(seconds.edited / seconds.fresh), common.round(seconds.edited / seconds.plain),
    }
  end
end

local function all_edits(count)
  local rows = {}
  for _, input in ipairs(inputs { "bg512/AR0300SR", "wc3maps512/icecrown" }) do
    local grid, trips = input:terrain():wend(), input:trips(count)
    edits(rows, input.name .. " terrain", grid, trips, cheapen_cells, grids.run, grids.costs)
  end
  for _, name in ipairs { "andorra", "porto" } do
    local graph = dofile("examples/foreign_maps.lua").roads(("%s/graphs/%s.gr.gz"):format(graphs.data, name))
    if graph then
      local nodes, trips = {}, {}
      for node in graph:nodes() do nodes[#nodes + 1] = node end
      math.randomseed(graphs.query_seed)
      for i = 1, 2 * count do trips[i] = nodes[math.random(#nodes)] end
      edits(rows, name, graph, trips, cheapen_edges, common.wend_trips, common.wend_costs)
    end
  end
  print "Prepared, then edited: falling costs\n"
  common.print_table({ "map", "edits", "ms", "/ prepared anew", "/ not prepared" }, rows)
  print()
end

-- Trips of up to 8 cells on open maps.
local function near_trips()
  local rows = {}
  for _, side in ipairs(common.quick and { 64, 256 } or { 64, 256, 1024, 4096 }) do
    local grid, trips = wend.grid(side, side), {}
    math.randomseed(graphs.query_seed)
    for _ = 1, 200 do
      local x, y = math.random(9, side - 8), math.random(9, side - 8)
      table.move({ x, y, x + math.random(-8, 8), y + math.random(-8, 8) }, 1, 4, #trips + 1, trips)
    end
    local seconds = common.race { { "own", grids.run(grid, trips, own) }, { "plain", grids.run(grid, trips) } }
    rows[#rows + 1] = { side .. "²", common.round(seconds.own / 200 * 1e6), common.round(seconds.plain / 200 * 1e6) }
  end
  print "Trips of up to 8 cells on open maps\n"
  common.print_table({ "map", "own A* µs", "plain µs" }, rows)
  print()
end

-- How often a function about edges is asked that makes some edges dearer.
local function promises(count)
  local rows = {}
  for _, input in ipairs(inputs { "bg512/AR0300SR" }) do
    local grid, trips = input:terrain():wend(), input:trips(count)
    for _, percent in ipairs { 0, 1, 5, 20 } do
      local calls = 0
      local function dearer(_, cost, _, x1, y1, x2, y2)
        calls = calls + 1
        return (x1 * 7919 + y1 * 104729 + x2 * 1299709 + y2 * 15485863) % 100 < percent and cost * 3 or cost
      end
      local costs = grids.costs(grid, trips, { cost = dearer, at_least = 1 })
      local asked = calls
      common.agree(input.name, costs, grids.costs(grid, trips, { cost = dearer }))
      rows[#rows + 1] = { input.name .. " terrain", percent, common.round(asked / count, 0) }
    end
  end
  print "A function about edges with at_least = 1 that makes some edges dearer\n"
  common.print_table({ "map", "% dearer", "calls a trip" }, rows)
  print()
end

return {
  name = "large",
  title = "Weighted grids, prepared maps and edits",
  run = function()
    local count = common.quick and 20 or 100
    local function terrain(patch) return function(input) return input:terrain(patch) end end
    terrains("Swamps on game maps", GAMES, count, function(input) return input:swamps() end)
    terrains("Swamps on rooms, mazes, streets", WALLS, count, function(input) return input:swamps() end)
    terrains("Terrain in patches of 16", GAMES, count, terrain(16))
    terrains("Terrain in patches of 64", GAMES, count, terrain(64))
    terrains("A random weight for each cell", GAMES, count, function(input) return input:scattered() end)
    one_heavier(count)
    preparing()
    all_edits(count)
    near_trips()
    promises(common.quick and 5 or 20)
  end,
}
