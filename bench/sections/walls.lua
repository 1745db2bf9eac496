-- SPDX-License-Identifier: MIT
-- Testing whether a line between walls is free: wend from Lua, a scan in C, Boost's R-tree.

local common, graphs = require "common", require "graphs"
local reference = require "wend_bench_reference_nearest"
local LINES, FEW = 1000, 100 -- the scan tests only the first few of them

local has_boost, boost = pcall(require, "wend_bench_boost_rtree")

-- Random walls about `length` long, with 100 units of area for each.
local function random_walls(count, length)
  math.randomseed(graphs.seed)
  local list, side = {}, math.sqrt(100 * count)
  for _ = 1, count do
    local x, y, angle = side * math.random(), side * math.random(), 2 * math.pi * math.random()
    local long = length * (0.5 + math.random())
    table.move({ x, y, x + long * math.cos(angle), y + long * math.sin(angle) }, 1, 4, #list + 1, list)
  end
  return list, side
end

local function random_lines(count, length, side)
  math.randomseed(graphs.query_seed)
  local list = {}
  for _ = 1, count do
    local x, y, angle = side * math.random(), side * math.random(), 2 * math.pi * math.random()
    table.move({ x, y, x + length * math.cos(angle), y + length * math.sin(angle) }, 1, 4, #list + 1, list)
  end
  return list
end

local function build(list)
  local walls = require("wend").walls()
  local add = walls.add_segment
  for i = 1, #list, 4 do add(walls, list[i], list[i + 1], list[i + 2], list[i + 3]) end
  return walls
end

-- A row for lines of one length.
local function measure(list, side, walls, length)
  local segments, by_boost = reference.segments(2, list), has_boost and boost.segments(list)
  local lines, free = random_lines(LINES, length, side), 0
  for i, is_free in ipairs(segments:clear_list(lines)) do
    local x1, y1, x2, y2 = table.unpack(lines, 4 * i - 3, 4 * i)
    if walls:clear(x1, y1, x2, y2) ~= is_free or by_boost and by_boost:clear(x1, y1, x2, y2) ~= is_free then
      error(("from (%.17g, %.17g) to (%.17g, %.17g): the reference says %s"):format(x1, y1, x2, y2, is_free), 0)
    end
    free = free + (is_free and 1 or 0)
  end
  local few = table.move(lines, 1, 4 * FEW, 1, {})
  local function by(contestant)
    local clear = contestant.clear
    return function(repeats)
      for _ = 1, repeats do
        for i = 1, #lines, 4 do clear(contestant, lines[i], lines[i + 1], lines[i + 2], lines[i + 3]) end
      end
    end
  end
  local contestants = {
    { "wend", by(walls) }, { "scan", function(repeats) segments:clear(few, repeats) end },
    by_boost and { "boost", by(by_boost) } or nil,
  }
  local seconds = common.race(contestants)
  local wend, scan = seconds.wend / LINES, seconds.scan / FEW
  return {
    ("%d walls, lines of %d"):format(#list // 4, length), ("%.0f %%"):format(100 * free / LINES),
    common.round(wend * 1e6), common.round(scan * 1e6, 1), common.round(scan / wend, 0),
    common.round(seconds.boost and seconds.boost / LINES * 1e6),
  }
end

return {
  name = "walls",
  title = "Lines between walls (each line a call from Lua, but for the scan)",
  run = function()
    local rows = {}
    for _, count in ipairs(common.quick and { 1000, 10000 } or { 1000, 100000 }) do
      local list, side = random_walls(count, 4)
      local walls = build(list)
      for _, length in ipairs { 10, 50, 500 } do rows[#rows + 1] = measure(list, side, walls, length) end
    end
    common.print_table({ "", "free", "wend µs", "scan µs", "scan / wend", "Boost µs" }, rows)
  end,
}
