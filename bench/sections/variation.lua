-- SPDX-License-Identifier: MIT
-- Paths that vary by seed: how much longer their search takes than that of the cheapest path, and how varied they are.

local common, graphs, grids = require "common", require "graphs", require "grids"

local VARIATION = 0.1 -- in the measurement of times

-- A graph or a grid, with path(i, options): the path of its i-th trip.
local function of_graph(input, count)
  local trips, g = input:mix(count), input:wend()
  input:release()
  return {
    name = input.name, count = count, parts = "edges",
    path = function(i, options) return g:path(trips[2 * i - 1], trips[2 * i], options) end,
    parts_of = function(path) return path:edges() end,
  }
end

-- `plain`: the options of the search that it is compared with. That search goes cell by cell too, as varied ones do.
local function of_grid(input, count, plain)
  local trips, grid, width = input:trips(count), input:wend(), input.width
  input:release()
  return {
    name = input.name, count = count, parts = "cells", plain = plain,
    path = function(i, options)
      local at = 4 * i - 3
      return grid:path(trips[at], trips[at + 1], trips[at + 2], trips[at + 3], options)
    end,
    parts_of = function(path)
      local cells = {}
      for i, x, y in path:each() do cells[i] = y * width + x end
      return cells
    end,
  }
end

local function with(base, more)
  local options = {}
  for key, value in next, base or {} do options[key] = value end
  for key, value in next, more or {} do options[key] = value end
  return options
end

local function race(map)
  local plain, varied = with(map.plain, { into = {} }), with(map.plain, { into = {}, variation = VARIATION })
  local function expanded(options)
    local sum, stats = 0, {}
    local counting = with(options, { stats = stats })
    for i = 1, map.count do
      counting.seed = options.variation and i
      map.path(i, counting)
      sum = sum + stats.expanded
    end
    return sum / map.count
  end
  local seconds = common.race {
    { "plain", function(repeats)
      for _ = 1, repeats do
        for i = 1, map.count do map.path(i, plain) end
      end
    end },
    { "varied", function(repeats)
      for _ = 1, repeats do
        for i = 1, map.count do
          varied.seed = i
          map.path(i, varied)
        end
      end
    end },
  }
  return {
    map.name, map.count, common.round(seconds.plain / map.count * 1e6, 1),
    common.round(seconds.varied / map.count * 1e6, 1), common.round(seconds.varied / seconds.plain),
    common.round(expanded(plain), 0), common.round(expanded(varied) / expanded(plain)),
  }
end

-- The share of the parts of two paths that they do not have in common: 1 - |A and B| / |A or B|; nil if both are empty.
local function difference(a, b)
  local of_a, both, all = {}, 0, 0
  for _, part in ipairs(a) do
    if not of_a[part] then of_a[part], all = true, all + 1 end
  end
  local of_b = {}
  for _, part in ipairs(b) do
    if not of_b[part] then
      of_b[part] = true
      if of_a[part] then both = both + 1 else all = all + 1 end
    end
  end
  return all > 0 and 1 - both / all or nil
end

local function variety(map, variations, seeds)
  local row = { map.name, map.parts }
  for _, variation in ipairs(variations) do
    local differences, pairs_seen, costs, paths, most = 0, 0, 0, 0, 1
    for i = 1, map.count do
      local cheapest, found = map.path(i, map.plain).cost, {}
      for seed = 1, seeds do
        local path = map.path(i, with(map.plain, { variation = variation, seed = seed }))
        if cheapest > 0 then
          local share = path.cost / cheapest
          costs, paths, most = costs + share, paths + 1, math.max(most, share)
        end
        found[seed] = map.parts_of(path)
        for other = 1, seed - 1 do
          local part = difference(found[other], found[seed])
          if part then differences, pairs_seen = differences + part, pairs_seen + 1 end
        end
      end
    end
    row[#row + 1] = ("%.0f %%"):format(100 * differences / pairs_seen)
    row[#row + 1] = ("%.3f"):format(costs / paths)
    row[#row + 1] = ("%.3f"):format(most)
  end
  return row
end

local maps = { "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown" }

return {
  name = "variation",
  title = ("Paths that vary by seed (variation %g; grids: cell by cell both, heuristic octile)"):format(VARIATION),
  run = function()
    local octile, rows = { heuristic = "octile" }, {}
    for _, n in ipairs(common.quick and { 1000, 10000 } or { 1000, 10000, 100000 }) do
      rows[#rows + 1] = race(of_graph(graphs.geometric(n), n > 10000 and 60 or 100))
    end
    for _, name in ipairs(graphs.file_names()) do rows[#rows + 1] = race(of_graph(graphs.from_file(name), 100)) end
    for _, input in ipairs(grids.all(common.quick and {} or maps, 512)) do
      local count, terrain = common.quick and 10 or 40, input:terrain()
      rows[#rows + 1] = race(of_grid(input, count, octile))
      rows[#rows + 1] = race(of_grid(terrain, count, octile))
    end
    common.print_table({
      "map", "trips", "cheapest µs", "varied µs", "varied / cheapest", "expanded", "varied / cheapest",
    }, rows)
    print()

    local variations = { 0.05, 0.1, 0.2, 0.5 }
    local trips, seeds = common.quick and 10 or 40, common.quick and 4 or 8
    rows = { variety(of_graph(graphs.geometric(10000), trips), variations, seeds) }
    for _, name in ipairs(graphs.file_names()) do
      rows[#rows + 1] = variety(of_graph(graphs.from_file(name), trips), variations, seeds)
    end
    for _, input in ipairs(grids.all(common.quick and {} or { maps[1] }, 512)) do
      local terrain = input:terrain()
      rows[#rows + 1] = variety(of_grid(input, trips, octile), variations, seeds)
      rows[#rows + 1] = variety(of_grid(terrain, trips, octile), variations, seeds)
    end
    print "  what the paths of two seeds do not have in common, 1 - |A and B| / |A or B|, and costs as a share of"
    print(("  the cheapest: over all pairs of %d seeds and %d trips"):format(seeds, trips))
    local heading = { "map", "of" }
    for _, variation in ipairs(variations) do
      heading[#heading + 1] = "v = " .. variation
      heading[#heading + 1] = "mean cost"
      heading[#heading + 1] = "largest"
    end
    common.print_table(heading, rows)
  end,
}
