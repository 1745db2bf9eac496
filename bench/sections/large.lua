-- SPDX-License-Identifier: MIT
-- The time of preparing grids, and trips on prepared maps after edits, against maps prepared anew and unprepared ones.

local common, graphs, grids = require "common", require "graphs", require "grids"
local wend = require "wend"

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
local function edits(rows, name, map, trips, cheapen)
  for _, times in ipairs { 0, 1, 10, 30 } do
    local edited = prepared_copy(map)
    math.randomseed(graphs.seed)
    cheapen(edited, times)
    local fresh, plain = edited:copy(), edited:copy()
    fresh:unprepare()
    fresh:prepare()
    plain:unprepare()
    common.agree(name, common.costs(edited, trips), common.costs(plain, trips))
    local seconds = common.race {
      { "edited", common.run(edited, trips) }, { "fresh", common.run(fresh, trips) },
      { "plain", common.run(plain, trips) },
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
    edits(rows, input.name .. " terrain", grid, trips, cheapen_cells)
  end
  for _, name in ipairs { "andorra", "porto" } do
    local graph = dofile("examples/foreign_maps.lua").roads(("%s/graphs/%s.gr.gz"):format(graphs.data, name))
    if graph then
      local nodes, trips = {}, {}
      for node in graph:nodes() do nodes[#nodes + 1] = node end
      math.randomseed(graphs.query_seed)
      for i = 1, 2 * count do trips[i] = nodes[math.random(#nodes)] end
      edits(rows, name, graph, trips, cheapen_edges)
    end
  end
  print "Prepared, then edited: falling costs\n"
  common.print_table({ "map", "edits", "ms", "/ prepared anew", "/ not prepared" }, rows)
end

return {
  name = "large",
  title = "Preparing grids, and edits of prepared maps",
  run = function()
    preparing()
    all_edits(common.quick and 20 or 100)
  end,
}
