-- SPDX-License-Identifier: MIT
-- Testing whether a line between walls is free: wend from Lua, a scan in C, Boost's R-tree.

local common, graphs = require "common", require "graphs"
local reference = require "wend_bench_reference_nearest"
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

return {
  name = "walls",
  title = "Lines between walls (each line a call from Lua, but for the scan)",
  run = function()
    local rows, lines_count = {}, 1000
    for _, count in ipairs(common.quick and { 1000, 10000 } or { 1000, 100000 }) do
      local list, side = random_walls(count, 4)
      local walls, segments, by_boost = build(list), reference.segments(2, list), has_boost and boost.segments(list)
      local cases, contestants = {}, {}
      for _, length in ipairs { 10, 50, 500 } do
        for _, radius in ipairs(length == 50 and { 0, 0.5 } or { 0 }) do
          local name = ("%d walls, lines of %d%s"):format(count, length,
            radius > 0 and (", radius %g"):format(radius) or "")
          local lines = random_lines(lines_count, length, side)
          local few = table.move(lines, 1, 4 * 100, 1, {})
          local free = 0
          for i, is_free in ipairs(segments:clear_list(lines, radius)) do
            local x1, y1, x2, y2 = table.unpack(lines, 4 * i - 3, 4 * i)
            if walls:clear(x1, y1, x2, y2, radius) ~= is_free
              or by_boost and radius == 0 and by_boost:clear(x1, y1, x2, y2) ~= is_free then
              error(("%s: from (%.17g, %.17g) to (%.17g, %.17g): the reference says %s"):format(
                name, x1, y1, x2, y2, is_free), 0)
            end
            free = free + (is_free and 1 or 0)
          end
          local clear = walls.clear
          cases[#cases + 1] = { name, free }
          contestants[#contestants + 1] = { name, function(repeats)
            for _ = 1, repeats do
              for i = 1, #lines, 4 do clear(walls, lines[i], lines[i + 1], lines[i + 2], lines[i + 3], radius) end
            end
          end }
          contestants[#contestants + 1] = { name .. ", scan", function(repeats)
            segments:clear(few, radius, repeats)
          end }
          if by_boost and radius == 0 then
            local by_tree = by_boost.clear
            contestants[#contestants + 1] = { name .. ", Boost", function(repeats)
              for _ = 1, repeats do
                for i = 1, #lines, 4 do by_tree(by_boost, lines[i], lines[i + 1], lines[i + 2], lines[i + 3]) end
              end
            end }
          end
        end
      end
      local seconds = common.race(contestants)
      for _, case in ipairs(cases) do
        local name, free = case[1], case[2]
        local wend, scan = seconds[name] / lines_count, seconds[name .. ", scan"] / 100
        local tree = seconds[name .. ", Boost"]
        rows[#rows + 1] = {
          name, ("%.0f %%"):format(100 * free / lines_count), common.round(wend * 1e6), common.round(scan * 1e6, 1),
          common.round(scan / wend, 0), tree and common.round(tree / lines_count * 1e6) or "-",
        }
      end
    end
    common.print_table({ "", "free", "wend µs", "scan µs", "scan / wend", "Boost µs" }, rows)
    print()

    local count = common.quick and 10000 or 100000
    local list = random_walls(count, 4)
    local made = common.time_once { { "added", function() build(list) end } }.added
    local first = common.time_once({ { "first", function(walls) walls:clear(0, 0, 1, 1) end } },
      function() return build(list) end).first
    local added = common.time_once({ { "added", function(walls)
      for i = 1, 1000 do
        walls:add_segment(list[4 * i - 3], list[4 * i - 2], list[4 * i - 1] + 1, list[4 * i])
        walls:clear(0, 0, 1, 1)
      end
    end } }, function()
      local walls = build(list)
      walls:clear(0, 0, 1, 1)
      return walls
    end).added
    common.print_table({ count .. " walls", "ns a wall" }, {
      { "added", common.round(made / count * 1e9, 0) },
      { "the first question", common.round(first / count * 1e9, 0) },
      { "1,000 more, each followed by a question", common.round(added / 1000 * 1e9, 0) },
    })
  end,
}
