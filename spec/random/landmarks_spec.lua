-- SPDX-License-Identifier: MIT
-- Landmarks of planes: rooms that are prepared, also in slices, and edited, against equal maps that are not prepared.
-- Every search costs the same on both. prepared_spec.lua has other maps. A failure prints WEND_SEED and WEND_ROUND.
-- luacheck: std max+busted
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local twins = require "spec.support.twins"
local wend = require "wend"

local TAGS = { "road", "swamp", "lava", "rope" }

local seen = {} -- how many searches there were; with landmarks; …
local function note(what) seen[what] = (seen[what] or 0) + 1 end

-- Rooms, whose walls have doors: long ways, of which the planes know nearly the cost. So a slack that is too small
-- shows.
local function rooms(rng)
  local side, size = rng(50, 90), rng(8, 14)
  local grid = wend.grid(side, side, { diagonals = rng:pick { "both_open", "one_open", "always", "never" },
    diagonal_length = rng:pick(grid_reference.LENGTHS) })
  local weights = rng:pick { { 1 }, { 1, 2, 5 }, { 2, 3 }, { 0.3, 1, 7 }, { 1, 40 } }
  local patch, tagged = rng:pick { 1, 4, 9 }, rng:pick { 0, 0.2 }
  local cells = {}
  grid:map(function(x, y)
    local at = math.floor(x / patch) * 100 + math.floor(y / patch)
    cells[at] = cells[at] or { weight = rng:pick(weights), tag = rng:chance(tagged) and rng:pick(TAGS) or nil }
    return cells[at]
  end)
  for i = size, side - 1, size do
    grid:close(i, 1, i, side):close(1, i, side, i)
  end
  for i = size, side - 1, size do
    for k = 0, side - 1, size do
      if rng:chance(0.6) then grid:open(i, math.min(k + rng(size - 1), side)) end
      if rng:chance(0.6) then grid:open(math.min(k + rng(size - 1), side), i) end
    end
  end
  for _ = 1, rng:pick { 0, 0, 20 } do
    local x, y = rng(side - 1), rng(side)
    grid:wall(x, y, x + 1, y)
  end
  for _ = 1, rng:pick { 0, 0, 3 } do
    grid:link(rng(side), rng(2, side), rng(side), 1, { weight = rng:pick { 1, 9, 50 }, directed = rng:chance(0.5) })
  end
  return grid, side
end

-- An edit that saves something, near the place of the last one or elsewhere; or that undoes it.
local function saving(rng, grid, side, at)
  if rng:chance(0.5) then at.x, at.y = rng(side - 1), rng(side - 1) end
  local x, y = math.min(side - 1, at.x + rng(0, 2)), math.min(side - 1, at.y + rng(0, 2))
  local what = rng(9)
  local weight = (grid:get(x, y) or 1) * rng:pick { 0.5, 0.9, 0, 1.5, 3 }
  local plus, row = rng:pick(TAGS), rng(side)
  if what <= 3 then return function(m) m:open(x, y) end end
  if what == 4 then return function(m) m:close(x, y) end end
  if what == 5 then return function(m) m:wall(x, y, x + rng:pick { 0, 1 }, y + 1, false) end end
  if what == 6 then return function(m) m:set(x, y, { weight = weight, tag = plus }) end end
  if what == 7 and x ~= at.x then return function(m) m:link(x, y, at.x, row, { weight = weight }) end end
  return function(m) m:set(x, y, weight) end
end

-- The same for some cells side by side; or a wall of a fence is removed.
local function saving_some(rng, side, fence)
  local x, y = rng(side - 3), rng(side - 3)
  local x2, y2, weight = x + rng(0, 3), y + rng(0, 3), rng:pick { 0.5, 1, 4, false }
  local what, shift = rng(9), rng(50)
  if fence and rng:chance(0.3) then return function(m) m:wall(fence, y, fence + 1, y, false) end end
  if what == 1 then
    local value = { weight = weight or 9 }
    return function(m) m:map(function(a, b) return (a * 7 + b * 3 + shift) % 11 == 0 and value or nil end) end
  end
  if what <= 4 then return function(m) m:open(x, y, x2, y2) end end
  return function(m) m:fill(x, y, x2, y2, weight) end
end

-- Prepares in slices, with edits between them.
local function prepare_rooms(rng, pair, side, at, asked)
  local busy = rng:pick { 0.02, 0.1, 0.5 }
  asked.sliced = true
  local preparation = pair.map:prepare(asked)
  while not preparation:step(rng(20, 2000)) do
    while rng:chance(busy) do
      twins.change(pair, rng:chance(0.3) and saving_some(rng, side, at.fence) or saving(rng, pair.map, side, at))
      note "edited while preparing planes"
    end
    if rng:chance(0.02) then twins.compare(rng, pair, {}) end
  end
end

local function play_rooms(rng, sliced)
  local map, side = rooms(rng)
  local at = { x = 1, y = 1, fence = sliced and rng:chance(0.4) and math.floor(side / 2) or nil }
  for y = 1, at.fence and side - rng(9) or 0 do map:wall(at.fence, y, at.fence + 1, y) end
  local pair = { kind = "grid", map = map, twin = map:copy(), note = note }
  local asked = { landmarks = rng:pick { 8, 8, 3, 16 }, costs = rng:chance(0.2) and twins.random_costs(rng) or nil }
  if sliced then prepare_rooms(rng, pair, side, at, asked) else map:prepare(asked) end
  for _ = 1, 12 do
    if sliced then
      local x, y, x2, y2 = rng(side), rng(side), rng(side), rng(side)
      local one, _, code = pair.map:path(x, y, x2, y2)
      local other, _, other_code = pair.twin:path(x, y, x2, y2, { algorithm = "dijkstra" })
      twins.same(pair, one, code, other, other_code)
    end
    for _ = 1, 8 do
      local opts = rng:chance(0.2) and twins.random_options(rng, "grid") or {}
      if twins.compare(rng, pair, opts).landmarks then note "planes" end
    end
    for _ = 1, rng:pick { 0, 0, 0, 1, 3 } do twins.change(pair, saving(rng, pair.map, side, at)) end
    if rng:chance(0.1) then pair.map = assert(wend.decode(pair.map:encode())) end
  end
end

describe("landmarks", function()
  it("of planes change no cost of a path through rooms, after edits that save something", function()
    helper.rounds("planes", 8, play_rooms)
  end)

  it("of planes change no cost of a path through rooms that were edited while they were prepared", function()
    helper.rounds("planes in slices", 8, function(rng) play_rooms(rng, true) end)
  end)

  -- With some seeds only 12 of 1,550 searches do.
  it("were used by some of these searches", function()
    if not helper.all_rounds() then return pending "all rounds are needed" end
    assert.is_true((seen.landmarks or 0) > seen.searches / 400, ("%d of %d"):format(seen.landmarks or 0, seen.searches))
    for _, what in ipairs { "planes", "edited while preparing planes" } do
      assert.is_true((seen[what] or 0) > 0, what)
    end
  end)
end)
