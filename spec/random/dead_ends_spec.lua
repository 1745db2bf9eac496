-- SPDX-License-Identifier: MIT
-- Random maps with many dead ends (mazes, trees, roads with side streets) that are prepared and edited, against equal
-- maps that are not: paths cost the same. A failure prints WEND_SEED and WEND_ROUND. spec/c/ends.c compares what is
-- entered.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local TAGS = { "road", "swamp", "lava" }

local seen = { expanded = 0, plain = 0 }
local function note(what) seen[what] = (seen[what] or 0) + 1 end

-- Maps ---------------------------------------------------------------------------------------------------------------

-- A maze: corridors of one cell that are a tree, and a few walls less.
local function random_maze(rng)
  local columns, rows = rng(3, 16), rng(3, 12)
  local width, height = 2 * columns + 1, 2 * rows + 1
  local open, stack, visited = {}, { { 1, 1 } }, { [1 * 100 + 1] = true }
  local function dig(x, y) open[y * 1000 + x] = true end
  dig(2, 2)
  while #stack > 0 do
    local at = rng(#stack)
    local x, y = stack[at][1], stack[at][2]
    local ways = {}
    for _, way in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
      local nx, ny = x + way[1], y + way[2]
      local inside = nx >= 1 and ny >= 1 and nx <= columns and ny <= rows
      if inside and not visited[nx * 100 + ny] then ways[#ways + 1] = way end
    end
    if #ways == 0 then
      table.remove(stack, at)
    else
      local way = rng:pick(ways)
      visited[(x + way[1]) * 100 + y + way[2]] = true
      dig(2 * x + way[1], 2 * y + way[2])
      dig(2 * (x + way[1]), 2 * (y + way[2]))
      stack[#stack + 1] = { x + way[1], y + way[2] }
    end
  end
  for _ = 1, rng(0, 5) do dig(rng(2, width - 1), rng(2, height - 1)) end
  local grid = wend.grid(width, height, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local weights, tagged = rng:pick { { 1 }, { 1 }, { 1, 2, 5 }, { 0, 1, 3 } }, rng:pick { 0, 0, 0.3 }
  grid:map(function(x, y)
    if not open[y * 1000 + x] then return false end
    if weights[2] == nil and tagged == 0 then return 1 end
    return { weight = rng:pick(weights), tag = rng:chance(tagged) and rng:pick(TAGS) or nil }
  end)
  return grid, width, height
end

-- A tree of nodes, and a few edges more; or a road with side streets.
local function random_tree(rng)
  local g, count, placed, one_way = wend.graph(), rng(5, 150), rng:chance(0.7), rng:pick { 0, 0, 0.2 }
  local near = rng:pick { 2, 5, 150 }
  for i = 1, count do
    if placed then g:add_node(rng() * 20, rng() * 20) else g:add_node() end
    local other = i > 1 and rng(math.max(1, i - near), i - 1)
    if other and rng:chance(0.97) then
      g:add_edge(i, other, { weight = rng:pick { 1, 2, 0.5, 0 }, tag = rng:chance(0.3) and rng:pick(TAGS) or nil })
    end
  end
  for _ = 1, rng(0, math.floor(count / 3)) do
    g:add_edge(rng(count), rng(count), { weight = rng:pick { 1, 3, 7 }, directed = rng:chance(one_way) })
  end
  return g
end

-- Edits, as functions that are called with each of the maps -----------------------------------------------------------

local function list_of(iterate, map)
  local list = {}
  for id in iterate(map) do list[#list + 1] = id end
  return list
end

local function graph_edit(rng, g)
  local nodes, edges = list_of(g.nodes, g), list_of(g.edges, g)
  local what, node, other, edge = rng(9), rng:pick(nodes), rng:pick(nodes), #edges > 0 and rng:pick(edges)
  local directed = rng:chance(0.3)
  if what == 1 then return function(m) m:close(node) end end
  if what == 2 then return function(m) m:open(node) end end
  if what == 3 then return function(m) m:add_edge(node, other, { weight = 1, directed = directed }) end end
  if what == 4 and #nodes > 10 then return function(m) m:remove_node(node) end end
  if what == 5 then return function(m) m:add_edge(m:add_node(3, 3), node, { weight = 1, directed = directed }) end end
  if not edge then return function() end end
  if what == 6 then return function(m) m:close_edge(edge) end end
  if what == 7 then return function(m) m:open_edge(edge) end end
  if what == 8 then return function(m) m:remove_edge(edge) end end
  return function(m) m:set_weight(edge, 0.25) end
end

local function grid_edit(rng, width, height)
  local what, x, y, x2, y2 = rng(8), rng(width), rng(height), rng(width), rng(height)
  local flag = rng:chance(0.5)
  if what == 1 then return function(m) m:close(x, y) end end
  if what == 2 then return function(m) m:open(x, y) end end
  if what == 3 then return function(m) m:set(x, y, 1) end end
  if what == 4 then return function(m) m:set(x, y, false) end end
  if what == 5 and (x ~= x2 or y ~= y2) then
    return function(m) m:link(x, y, x2, y2, { weight = 2, directed = flag }) end
  end
  if what == 6 and x < width then return function(m) m:wall(x, y, x + 1, y, flag) end end
  if what == 7 and rng:chance(0.2) then return function(m) m:fill(x, y, math.min(x + 3, width), y, 1) end end
  return function(m) m:set(x, y, flag and 1 or false) end
end

-- Comparisons --------------------------------------------------------------------------------------------------------

local function random_options(rng)
  local opts = {}
  if rng:chance(0.3) then
    local values = {}
    for _, tag in ipairs(TAGS) do values[tag] = rng:pick { 0.5, 1, 2, false } end
    opts.costs = wend.costs(values)
  end
  if rng:chance(0.15) then
    local shift = rng(5)
    function opts.cost(_, cost, _, a, b) return (a * 3 + (b or 0) + shift) % 7 == 0 and cost * 1.5 or nil end
    opts.at_least = rng:pick { 1, 0 }
  end
  if rng:chance(0.2) then opts.heuristic = "zero" end
  return opts
end

local function same(one, code, other, other_code)
  assert.equal(other_code, code)
  if one and math.abs(one.cost - other.cost) > 1e-9 * math.abs(other.cost) then
    error(("%.17g, not %.17g"):format(one.cost, other.cost))
  end
end

local function compare(rng, map, twin, opts, ends)
  opts.stats = {}
  local one, _, code = map:path(ends())
  seen.expanded = seen.expanded + opts.stats.expanded
  local other, _, other_code = twin:path(ends())
  seen.plain = seen.plain + opts.stats.expanded
  same(one, code, other, other_code)
  note(one and "paths" or "none")
  if not rng:chance(0.2) then return end
  local search = map:search(ends())
  while search:step(rng(20)) == "running" do end
  one, _, code = search:result()
  same(one, code, other, other_code)
end

local function play(rng, kind)
  local map, width, height = (kind == "grid" and random_maze or random_tree)(rng)
  local twin = map:copy()
  if map:prepare({ landmarks = 1 }).pruned > 0 then note "dead ends" end
  note "maps"
  for _ = 1, 8 do
    for _ = 1, 5 do
      local opts, nodes = random_options(rng), kind == "graph" and list_of(map.nodes, map)
      if kind == "graph" then
        local from, to = rng:pick(nodes), rng:chance(0.2) and { rng:pick(nodes), rng:pick(nodes) } or rng:pick(nodes)
        compare(rng, map, twin, opts, function() return from, to, opts end)
      else
        local x, y, x2, y2 = 2 * rng(math.floor(width / 2)), 2 * rng(math.floor(height / 2)), rng(width), rng(height)
        if rng:chance(0.7) then x2, y2 = 2 * rng(math.floor(width / 2)), 2 * rng(math.floor(height / 2)) end
        compare(rng, map, twin, opts, function() return x, y, x2, y2, opts end)
      end
    end
    for _ = 1, rng(0, 3) do
      local edit
      if kind == "grid" then edit = grid_edit(rng, width, height) else edit = graph_edit(rng, map) end
      edit(map)
      edit(twin)
    end
    if rng:chance(0.1) then map:prepare { landmarks = 1 } end
  end
end

describe("dead ends of prepared maps", function()
  for _, kind in ipairs { "graph", "grid" } do
    it("are left out of searches, and paths cost the same: " .. kind, function()
      helper.rounds("dead ends of a " .. kind, 60, function(rng) play(rng, kind) end)
    end)
  end

  it("were there on most of these maps, and searches expanded less", function()
    if not helper.all_rounds() then return pending "all rounds are needed" end
    assert.is_true(seen["dead ends"] > seen.maps / 2, ("%d of %d"):format(seen["dead ends"] or 0, seen.maps))
    assert.is_true(seen.paths > seen.none and seen.none > 10)
    assert.is_true(seen.expanded < 0.9 * seen.plain, ("%d of %d"):format(seen.expanded, seen.plain))
  end)
end)
