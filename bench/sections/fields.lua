-- SPDX-License-Identifier: MIT
-- Fields: over whole maps, compared with the reference and libtcod; and read by agents.

local common, graphs, grids = require "common", require "graphs", require "grids"

local maps = { "bg512/AR0300SR", "sc1/Aftershock", "wc3maps512/icecrown" }

-- The costs of a field for all cells, row by row. Closed cells count as unreached, although an agent may leave them.
local function costs_of(input, field)
  local costs = {}
  for y = 1, input.height do
    for x = 1, input.width do
      costs[#costs + 1] = input:is_open(x, y) and field:cost(x, y) or math.huge
    end
  end
  return costs
end

local function whole(input, uniform)
  local x, y = input:goal()
  local reference, wend, libtcod = input:reference(), input:wend(), input:libtcod()
  local expected, field = reference:field_costs(x, y, "dijkstra"), wend:field(x, y)
  common.agree(input.name .. ", reference", reference:field_costs(x, y), expected)
  common.agree(input.name .. ", wend", costs_of(input, field), expected)

  local again = { into = field }
  local contestants = {
    { "reference", function(repeats) reference:field(x, y, "flat", repeats) end },
    { "wend", function(repeats) for _ = 1, repeats do wend:field(x, y, again) end end },
  }
  for _, form in ipairs(not libtcod and {} or uniform and { "function", "map" } or { "function" }) do
    contestants[#contestants + 1] = { form, function(repeats) libtcod:field(x, y, form, repeats) end }
  end
  local seconds, reached = common.race(contestants), reference:field(x, y)
  return {
    input.name, reached,
    common.round(seconds.reference * 1e3), common.round(seconds.wend * 1e3),
    common.round(seconds.reference / reached * 1e9, 1), common.round(seconds.wend / reached * 1e9, 1),
    common.round(seconds.wend / seconds.reference),
    common.round(seconds.map and seconds.map / seconds.wend, 1),
    common.round(seconds["function"] and seconds["function"] / seconds.wend, 1),
  }
end

-- The time that 10,000 agents take to read their next step, and the garbage that this makes.
local function agents()
  local input, count = grids.made(512), 10000
  local field = input:wend():field(input:goal())
  local homes, xs, ys = {}, {}, {}
  while #homes < 2 * count do
    local x, y = input:open_cell()
    if field:cost(x, y) then homes[#homes + 1], homes[#homes + 2] = x, y end
  end
  for i = 1, count do xs[i], ys[i] = homes[2 * i - 1], homes[2 * i] end
  local next_step, cost = field.next, field.cost
  local function walk()
    for i = 1, count do
      local x, y = next_step(field, xs[i], ys[i])
      if not x then x, y = homes[2 * i - 1], homes[2 * i] end -- at the goal: back to the start
      xs[i], ys[i] = x, y
    end
  end
  local function ask()
    local sum = 0
    for i = 1, count do sum = sum + cost(field, xs[i], ys[i]) end
    return sum
  end
  local function times(run)
    return function(repeats) for _ = 1, repeats do run() end end
  end
  local seconds = common.race { { "next", times(walk) }, { "cost", times(ask) } }
  local function row(name, run)
    local garbage = common.garbage(run) / count
    return { "field:" .. name, common.round(seconds[name] / count * 1e9, 1), common.round(garbage, 1) }
  end
  common.print_table({ "10,000 agents", "ns each", "Lua bytes each" }, { row("next", walk), row("cost", ask) })
end

-- What makes the steps of a grid more than those of its cells. They may return options of the field, and an edit of
-- something else than a cell.
local GROUNDS = {
  open = function() end,
  walls = function(grid, size, random)
    for _ = 1, size * size / 20 do
      local x, y = random(size - 1), random(size)
      grid:wall(x, y, x + 1, y)
    end
  end,
  links = function(grid, size, random)
    for _ = 1, 20 do grid:link(random(size), random(size), random(size), random(size), { weight = size }) end
  end,
  bodies = function(grid, size, random)
    for _ = 1, size * size / 100 do grid:close(random(size), random(size)) end
    return { size = 2 }
  end,
  layer = function(grid, size, random)
    local danger = require "wend".influence(grid)
    return { influence = { danger, 1 } }, function() danger:stamp(random(size), random(size), 8, 1) end
  end,
}

-- Updates a field after each of 1,000 edits. Returns the seconds of an update on average and at most, and how many made
-- the field again.
local function edited(field, edit)
  local sum, worst, edits, rebuilds = 0, 0, 1000, 0
  for _ = 1, edits do
    edit()
    local began = os.clock()
    local _, rebuilt = field:update()
    local seconds = os.clock() - began
    if rebuilt then rebuilds = rebuilds + 1 end
    sum, worst = sum + seconds, math.max(worst, seconds)
  end
  return sum / edits, worst, rebuilds
end

-- That of a grid, compared with one that is made anew. Few of these edits change too much to be mended.
local function mended(size, ground)
  local random = common.generator(size)
  local grid = require "wend".grid(size, size)
  local middle = size / 2
  local opts, edit = GROUNDS[ground](grid, size, random)
  opts = opts or {}
  grid:open(middle, middle)
  local field = grid:field(middle, middle, opts)
  local mean, worst, rebuilds = edited(field, edit or function() grid:set(random(size), random(size), random(3)) end)
  local fresh = grid:field(middle, middle, opts)
  for _ = 1, 1000 do
    local x, y = random(size), random(size)
    common.agree("mended", { field:cost(x, y) }, { fresh:cost(x, y) })
  end
  local again = { into = fresh, size = opts.size, influence = opts.influence }
  local anew = common.race({ { "anew", function(repeats)
    for _ = 1, repeats do grid:field(middle, middle, again) end
  end } }).anew
  return { ("%s, %d x %d"):format(ground, size, size), common.round(mean * 1e6, 1), common.round(worst * 1e3, 2),
    common.round(anew * 1e3, 2), common.round(anew / mean), rebuilds }
end

-- The same on a graph, to one of its nodes: an edge gets another weight.
local function mended_graph(input)
  local g, random = input:wend(), common.generator(1)
  local edges = {}
  for edge in g:edges() do edges[#edges + 1] = edge end
  local field, fresh = g:field(1), g:field(1)
  local mean, worst, rebuilds = edited(field, function()
    local edge = edges[random(#edges)]
    g:set_weight(edge, g:edge(edge).weight * (random(2) == 1 and 1.5 or 0.7))
  end)
  local again = { into = fresh }
  local anew = common.race({ { "anew", function(repeats) for _ = 1, repeats do g:field(1, again) end end } }).anew
  assert(field:encode() == fresh:encode())
  return { input.name, g:node_count(), common.round(mean * 1e6, 1), common.round(worst * 1e3, 2),
    common.round(anew * 1e3, 2), common.round(anew / mean), rebuilds }
end

-- From one node to all, compared with the reference.
local function whole_graph(input)
  local g, reference = input:wend(), input:reference()
  local again = { outward = true }
  local field, expected, costs, reached = g:field(1, again), reference:flood(1), {}, 0
  for i, cost in ipairs(expected) do
    costs[i] = field:cost(i) or math.huge
    if cost < math.huge then reached = reached + 1 end
  end
  common.agree(input.name, costs, expected)
  again.into = field
  local seconds = common.race {
    { "reference", function(repeats) reference:flood(1, repeats) end },
    { "wend", function(repeats) for _ = 1, repeats do g:field(1, again) end end },
  }
  return { input.name, reached, common.round(seconds.reference / reached * 1e9, 1),
    common.round(seconds.wend / reached * 1e9, 1), common.round(seconds.wend / seconds.reference) }
end

-- q:update: after edits of one cell, and after so many that the field is made again, in slices.
local function queued(size)
  local wend, random, middle = require "wend", common.generator(size), size / 2
  local grid, q, edits, slice = wend.grid(size, size), wend.queue(), 1000, 10000
  local field = grid:field(middle, middle)
  local fresh = grid:field(middle, middle)
  local sum, longest, total = 0, 0, 0
  for _ = 1, edits do
    grid:set(random(size), random(size), random(3))
    local began = os.clock()
    q:update(field)
    q:step(math.huge)
    sum = sum + os.clock() - began
  end
  for _ = 1, size * size / 4 do grid:set(random(size), random(size), random(3)) end
  local request = q:update(field)
  while q:pending() > 0 do
    local began = os.clock()
    q:step(slice)
    local seconds = os.clock() - began
    longest, total = math.max(longest, seconds), total + seconds
  end
  assert(request.rebuilt)
  local again = { into = fresh }
  local anew = common.race({ { "anew", function(repeats)
    for _ = 1, repeats do grid:field(middle, middle, again) end
  end } }).anew
  return { ("%d x %d"):format(size, size), common.round(sum / edits * 1e6, 1), common.round(longest * 1e3, 2),
    common.round(total * 1e3, 2), common.round(anew * 1e3, 2), common.round(total / anew, 2) }
end

return {
  name = "fields",
  title = "Fields (goal to all; into the same field again and again)",
  run = function()
    local rows = {}
    for _, input in ipairs(grids.all(common.quick and {} or maps, 512)) do
      rows[#rows + 1] = whole(input, true)
      rows[#rows + 1] = whole(input:terrain(), false)
    end
    common.print_table({
      "map", "cells", "reference ms", "wend ms", "reference ns/cell", "wend ns/cell", "wend / reference",
      "libtcod map / wend", "libtcod callback / wend",
    }, rows)
    print()
    agents()
    print()
    local of_grids = {}
    for _, ground in ipairs { "open", "walls", "links", "bodies", "layer" } do
      of_grids[#of_grids + 1] = mended(512, ground)
      if not common.quick then of_grids[#of_grids + 1] = mended(2048, ground) end
    end
    common.print_table({ "1,000 edits, each mended", "us each", "worst ms", "anew ms", "anew / mended", "made again" },
      of_grids)
    print()
    local of_graphs, whole_graphs = {}, {}
    local inputs = { graphs.geometric(10000) }
    for _, name in ipairs(common.quick and {} or graphs.file_names()) do
      inputs[#inputs + 1] = graphs.from_file(name)
    end
    for i, input in ipairs(inputs) do whole_graphs[i], of_graphs[i] = whole_graph(input), mended_graph(input) end
    common.print_table({ "from a node to all", "nodes", "reference ns/node", "wend ns/node", "wend / reference" },
      whole_graphs)
    print()
    common.print_table({
      "graph, 1,000 edits", "nodes", "us each", "worst ms", "anew ms", "anew / mended", "made again",
    }, of_graphs)
    print()
    local rows_queued = { queued(512) }
    if not common.quick then rows_queued[2] = queued(2048) end
    common.print_table({ "q:update", "mended, us each", "made again: longest slice ms", "all slices ms", "anew ms",
      "slices / anew" }, rows_queued)
  end,
}
