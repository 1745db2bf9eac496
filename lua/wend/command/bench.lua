-- SPDX-License-Identifier: MIT
--- wend bench: measures the time of random trips.

local format = require "wend.format"
local maps = require "wend.command.maps"
local numbers = require "wend.command.numbers"
local output = require "wend.command.output"

local CHUNK = 100       -- trips between two readings of the clock

--- Returns a function (n): a random whole number in 1 .. n. The numbers are the same in every Lua (S. K. Park, K. W.
--- Miller, "Random number generators: good ones are hard to find", 1988).
local function generator(seed)
  local state = seed % 2147483646 + 1
  local function draw(n)
    state = state * 16807 % 2147483647
    return 1 + math.floor((state - 1) / 2147483646 * n)
  end
  for _ = 1, 5 do
    draw(1)
  end
  return draw
end

local function run(context)
  local arguments = context.arguments
  local map = maps.read_map(context)
  local view = maps.read_view(context)
  local grid = maps.is_grid(map)
  local step = grid and 2 or 1
  -- The ends of trips are chosen among the open places. Two ends in the same component must have a path.
  local ends, part_of = {}, {}
  for number_of_part, part in ipairs(map:check(view).components) do
    for i = 1, #part, step do
      ends[#ends + 1] = grid and { part[i], part[i + 1] } or part[i]
      part_of[#ends] = number_of_part
    end
  end
  if #ends == 0 then
    output.fail("%s has no open node or cell", arguments.file)
  end

  local draw = generator(arguments.seed)
  local stats = {}
  local options = maps.with(view, { into = {}, stats = stats })
  local found, none, failed, seconds, expanded, length = 0, 0, 0, 0, 0, 0
  local tell = output.progress(context, "trips")
  local results = {}
  for first = 1, arguments.trips, CHUNK do
    local last = math.min(first + CHUNK - 1, arguments.trips)
    local trips = {}
    for i = first, last do
      trips[i] = { draw(#ends), draw(#ends) }
    end
    local before = os.clock()
    for i = first, last do
      local a, b = ends[trips[i][1]], ends[trips[i][2]]
      if grid then
        results[i] = map:path(a[1], a[2], b[1], b[2], options)
      else
        results[i] = map:path(a, b, options)
      end
      expanded = expanded + stats.expanded
      length = length + (results[i] and #results[i] or 0)
    end
    seconds = seconds + os.clock() - before
    for i = first, last do
      if results[i] then
        found = found + 1
      elseif part_of[trips[i][1]] == part_of[trips[i][2]] then
        failed = failed + 1
      else
        none = none + 1
      end
      results[i] = nil
    end
    tell(last, arguments.trips)
  end
  context.finish()

  output.fact(context, "trips", "%d, seed %s", arguments.trips, format.number(arguments.seed))
  output.fact(context, "found", "%d", found)
  output.fact(context, "no path", "%d", none)
  output.fact(context, "failed", "%d", failed)
  output.fact(context, "time", "%.3g s, %.3g microseconds per trip", seconds, seconds / arguments.trips * 1e6)
  local noun = grid and "cells" or "nodes"
  output.fact(context, "expanded", "%.1f %s per trip", expanded / arguments.trips, noun)
  output.fact(context, "length", "%.1f %s per path", found > 0 and length / step / found or 0, noun)
  return failed > 0 and output.FINDINGS or output.FINE
end

return {
  name = "bench", run = run, uses_costs = true,
  summary = "Measure the time of random trips.",
  about = "Finds paths between random places and measures the time. The same seed gives the same trips. A trip has "
    .. "failed if there is a path but none is found: this would be a defect of wend.",
  examples = [[
Examples:
   wend bench level.wend
   wend bench level.wend --trips 100000 --seed 7 --costs walker.lua]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("--trips", "The number of trips.", "N"):default "10000":convert(numbers.positive)
    add.option("--seed", "Another seed gives other trips.", "N"):default "1":convert(numbers.not_negative)
    add.quiet()
  end,
}
