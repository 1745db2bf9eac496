-- SPDX-License-Identifier: MIT
-- Random maps with many dead ends (mazes, trees, roads with side streets) that are prepared and edited, against equal
-- maps that are not: paths cost the same. A failure prints WEND_SEED and WEND_ROUND. spec/c/ends.c compares what is
-- entered.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local twins = require "spec.support.twins"
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
  return grid
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

-- Comparisons --------------------------------------------------------------------------------------------------------

-- Most ends of trips through a maze are open cells. Of other maps: any.
local function random_ends(rng, pair)
  if pair.kind == "graph" or rng:chance(0.1) then return nil end
  local width, height = pair.map:width(), pair.map:height()
  local function corridor() return 2 * rng(math.floor(width / 2)), 2 * rng(math.floor(height / 2)) end
  local x, y = corridor()
  if rng:chance(0.3) then return { x, y, rng(width), rng(height) } end
  return { x, y, corridor() }
end

local function play(rng, kind)
  local map = (kind == "grid" and random_maze or random_tree)(rng)
  local pair = { kind = kind, map = map, twin = map:copy(), note = note }
  if map:prepare({ landmarks = 1 }).pruned > 0 then note "dead ends" end
  note "maps"
  for _ = 1, 8 do
    for _ = 1, 5 do
      local opts = rng:chance(0.5) and {} or twins.random_options(rng, kind)
      if rng:chance(0.2) then opts.heuristic = "zero" end
      local first = twins.compare(rng, pair, opts, random_ends(rng, pair))
      seen.expanded, seen.plain = seen.expanded + first.expanded, seen.plain + first.plain
    end
    for _ = 1, rng(0, 3) do twins.edit(rng, pair) end
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
    assert.is_true(seen.none > 10 and seen.none < seen.searches / 2)
    assert.is_true(seen.expanded < 0.9 * seen.plain, ("%d of %d"):format(seen.expanded, seen.plain))
  end)
end)
